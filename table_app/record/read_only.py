"""A database on a disk that can be read and not written, taken into memory.

For a disk that is full or was made read-only while the table was away. Nothing is written beside the files; what
was taken in is gone with the process, and whoever asks for it has to say so. No query may live here.
Sources: SQLite, *Write-Ahead Logging* (Read-Only Databases), *URI Filenames* (immutable).
"""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

from table_app.record.errors import UNREADABLE, StoreDamagedError, StoreError
from table_app.record.files import check_kind

LOG = "-wal"

MEMORY_DISK = Path("/dev/shm")
"""Where Linux has room though every disk is full or read-only."""


def in_memory(path: Path) -> sqlite3.Connection:
    """A copy in memory of the database at *path*, with what is still in its log.

    :raises StoreError: if it can't be read.
    :raises StoreDamagedError: if it is damaged.
    """
    if not path.is_file():
        raise StoreError(f"There is no {path}.")
    with ExitStack() as closed_on_an_error:
        memory = closed_on_an_error.enter_context(closing(sqlite3.connect(":memory:", isolation_level=None)))
        try:
            _fill(memory, path)
        except sqlite3.OperationalError as error:
            raise StoreError(f"{path} can't be read ({error}); look at its permissions and at the disk.") from error
        except UNREADABLE as error:
            raise StoreDamagedError(f"{path} is damaged ({error}).") from error
        closed_on_an_error.pop_all()
        return memory


def _fill(memory: sqlite3.Connection, path: Path) -> None:
    log = path.with_name(path.name + LOG)
    if not log.exists() or not log.stat().st_size:
        _take_in(memory, f"{path.resolve().as_uri()}?mode=ro&immutable=1")
        return
    # The log is read by way of an index that SQLite writes beside it: where that can't be, beside a copy of both.
    for folder in (MEMORY_DISK if MEMORY_DISK.is_dir() else None, None):
        with suppress(OSError), TemporaryDirectory(dir=folder) as place:
            for part in (path, log):
                copy(part, place)
            _take_in(memory, (Path(place) / path.name).as_uri())
            return
    _take_in(memory, f"{path.resolve().as_uri()}?mode=ro")


def _take_in(memory: sqlite3.Connection, uri: str) -> None:
    with closing(sqlite3.connect(uri, uri=True)) as source:
        source.backup(memory)
    # A database in memory has no log.
    memory.execute("PRAGMA journal_mode=MEMORY")


def list_in_memory(path: Path, application_id: int, version: int) -> sqlite3.Connection:
    """The list of tags at *path*, in memory.

    :raises StoreError: if it can't be read, is damaged, of another kind, or a newer program's.
    """
    connection = in_memory(path)
    try:
        check_kind(connection, path, application_id, version)
    except UNREADABLE as error:
        connection.close()
        raise StoreDamagedError(f"{path} is damaged ({error}).") from error
    except StoreError:
        connection.close()
        raise
    return connection
