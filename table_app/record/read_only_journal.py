"""The journal of a table whose disk can be read and not written: in memory, so that the match under way goes on.

Nothing of it is kept, which `opening` says. A journal that can be written is opened in `journal`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from table_app.record.errors import UNREADABLE, StoreDamagedError, StoreError
from table_app.record.files import check_kind
from table_app.record.journal import IN_MEMORY, Journal, OpenedJournal, journal_in_memory
from table_app.record.journal_log import Mark, is_end_known, is_gone, read_mark, shortfall
from table_app.record.read_only import in_memory
from table_app.record.salvage import salvage
from table_app.record.schema import APPLICATION_ID, VERSION, bring_up_to_date, damage_of


def read_journal(path: Path, *, wall_time: Callable[[], str], boot: str) -> OpenedJournal:
    """The journal at *path* in memory: whole, or what can be read of it; an empty one where that is nothing."""
    with suppress(StoreError, OSError):
        try:
            mark = read_mark(path)
            if is_gone(path, mark):
                raise StoreDamagedError(f"{path} is empty, and was not.")
            journal = _whole(path, mark, wall_time, boot)
            journal.is_end_known = is_end_known(path, mark)
            journal.mark(mark, is_sure=journal.is_end_known)
            return OpenedJournal(journal)
        except StoreDamagedError:
            return _readable(path, wall_time, boot)
    return OpenedJournal(journal_in_memory(wall_time=wall_time, boot=boot))


def _whole(path: Path, mark: Mark | None, wall_time: Callable[[], str], boot: str) -> Journal:
    connection = in_memory(path)
    try:
        check_kind(connection, path, APPLICATION_ID, VERSION)
        damage = shortfall(connection, path, mark) or damage_of(connection)
        if damage:
            raise StoreDamagedError(f"{path} is damaged ({damage}).")
        bring_up_to_date(connection)
        return Journal(connection, Path(IN_MEMORY), wall_time, boot)
    except UNREADABLE as error:
        connection.close()
        raise StoreDamagedError(f"{path} is damaged ({error}).") from error
    except StoreError:
        connection.close()
        raise


def _readable(path: Path, wall_time: Callable[[], str], boot: str) -> OpenedJournal:
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        with TemporaryDirectory() as folder:
            losses, used = salvage(path, memory, Path(folder))
        journal = Journal(memory, Path(IN_MEMORY), wall_time, boot)
        journal.mark(read_mark(path), is_sure=losses.is_nothing)
    except (StoreError, OSError, sqlite3.Error):
        memory.close()
        raise
    return OpenedJournal(journal, restored=used, losses=losses)
