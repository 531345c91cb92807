"""What can go wrong with the table's own files: errors whose text is a sentence with what to do next.

Fouls are rulings and never come here; errors of devices are in ``hardware.ports``.
"""

from __future__ import annotations

import sqlite3

UNREADABLE = (sqlite3.DatabaseError, TypeError, ValueError)
"""What is raised where a damaged database is read: SQLite's own word, or Python's of a name that is no text any more
(also in SQLite's word itself) or of a value of another type."""


class TableError(Exception):
    """Root of the live table's errors."""


class StoreError(TableError, OSError):
    """A file of the table can't be opened, read or written."""


class StoreDamagedError(StoreError):
    """A file of the table is there and makes no sense; `table_app.record.files.move_aside` puts it out of the way."""


class StoreNewerError(StoreError):
    """A file of the table was made by a newer program, whose meaning this one can only guess; it is not touched."""


class MatchUnreadableError(StoreDamagedError):
    """A match is as it was written, and still makes no sense here: another program wrote it, or its deck is gone."""


class TableBusyError(StoreError):
    """Another process runs a table in the same directory."""


class CardTakenError(TableError, ValueError):
    """A tag or a card already has a meaning; it is given a new one only when that is asked for."""
