"""What the two lists of tags have in common, of cards and of buttons: writing, copies, and coming back from damage.

A list is written without a log beside it, so that what was kept stands in one file. It is copied as the journal is,
whenever somebody is done with changing it. Where it is damaged or gone, the newest whole copy and what can still be
read of it are put together. What a tag means is `registry`'s and `buttons`' business. Every column is in an index too,
so that a bit that flipped in either is found. Sources: SQLite, *PRAGMA journal_mode*, *PRAGMA integrity_check*.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from table_app.record.copies import copies, make_copy
from table_app.record.errors import UNREADABLE, StoreDamagedError, StoreError
from table_app.record.files import COMPANIONS, move_aside, move_back, open_database, open_private

COPY_EVERY = 27
"""Tags given in one go before a copy is made in between: a quarter of a deck is all that a bad power cut can cost."""

UID_LENGTHS = (4, 7, 10)
"""Bytes of a single, double and triple size UID (ISO/IEC 14443-3, 6.5.4)."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ListKind:
    """What makes a database one of these lists: its numbers, *schema*, *table* and *columns*, ``uid`` first."""

    application_id: int
    version: int
    schema: str
    table: str
    columns: str

    def rows(self, connection: sqlite3.Connection) -> Iterator[Row]:
        """All rows, in the order they came."""
        yield from connection.execute(f"SELECT {self.columns} FROM {self.table} ORDER BY rowid")

    def insert(self, *, is_only_new: bool = False) -> str:
        """The statement that adds a row; *is_only_new*: not where its tag or its meaning is taken."""
        places = ", ".join("?" * len(self.columns.split(",")))
        return f"INSERT {'OR IGNORE ' * is_only_new}INTO {self.table} ({self.columns}) VALUES ({places})"

    def damage_of(self, connection: sqlite3.Connection) -> str:
        """Why a database is no such list, or empty."""
        try:
            checked = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if checked != ("ok",):
                return str(checked[0]) if checked else "it does not answer"
            if connection.execute("PRAGMA application_id").fetchone()[0] != self.application_id:
                return "it is of another kind"
        except UNREADABLE as error:
            return str(error)
        return ""


class TagList:
    """The list at *path*.

    :param connection: the list in memory, where its file can only be read.
    :raises StoreDamagedError: if the file is damaged.
    :raises StoreError: if it can't be opened.
    """

    KIND: ClassVar[ListKind]

    def __init__(self, path: Path, connection: sqlite3.Connection | None = None) -> None:
        self.path = path
        self._is_kept = connection is None
        kind = self.KIND
        self._connection = connection or open_database(
            path, kind.application_id, kind.schema, kind.version, is_logged=False
        )
        self._uncopied = 0

    @property
    def has_tags(self) -> bool:
        return bool(self._asked(f"SELECT 1 FROM {self.KIND.table} LIMIT 1"))

    def _asked(self, statement: str, values: Row = ()) -> list[Row]:
        """What the list says.

        :raises StoreError: if it can't be read, such as while another program writes it all too slowly.
        """
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.path} can't be read now ({error}); try once more in a moment.") from error
        except UNREADABLE as error:
            raise StoreDamagedError(f"{self.path} is damaged ({error}); start anew, which mends it.") from error

    def keep_copy(self) -> None:
        """Copy the list, unless the newest copy says the same.

        :raises StoreError: if it can't be written.
        """
        self._uncopied = 0
        known = copies(self.path)
        rows = self._asked(f"SELECT {self.KIND.columns} FROM {self.KIND.table} ORDER BY rowid")
        if self._is_kept and rows != (_whole_rows(known[0], self.KIND) if known else []):
            make_copy(self._connection, self.path, self.KIND.damage_of)

    def close(self) -> None:
        """Close the file, with a copy of what was changed; may be called twice."""
        if self._uncopied:
            with suppress(StoreError):  # the list itself is kept; doctor counts the copies
                self.keep_copy()
        self._connection.close()

    def _writing(self) -> _Writing:
        return _Writing(self)

    def _written(self) -> None:
        self._uncopied += 1
        if self._uncopied >= COPY_EVERY:
            with suppress(StoreError):
                self.keep_copy()


class _Writing:
    """One transaction: all of it, or none and an error in words."""

    def __init__(self, tags: TagList) -> None:
        self._tags = tags
        self._connection = tags._connection

    def __enter__(self) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise self._told(error) from error

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        try:
            if error is None:
                self._connection.execute("COMMIT")
            elif self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error as failed:
            raise self._told(failed) from failed
        if isinstance(error, sqlite3.Error):
            raise self._told(error) from error
        if error is None:
            self._tags._written()

    def _told(self, error: sqlite3.Error) -> StoreError:
        return StoreError(f"The tag was not kept: {self._tags.path} can't be written ({error}).")


# -- damage ------------------------------------------------------------------------------------------------------

List = TypeVar("List", bound=TagList)


@dataclass(frozen=True, slots=True)
class OpenedList(Generic[List]):
    """A list, and what had to be done for it: the damaged file was *moved_aside*, its tags *restored* from a copy,
    and so many were *read* from what was left of the damaged file itself."""

    tags: List
    moved_aside: Path | None = None
    restored: Path | None = None
    read: int = 0

    @property
    def is_put_together(self) -> bool:
        return self.moved_aside is not None or self.restored is not None


def open_list(make: Callable[[Path], List], path: Path, kind: ListKind) -> OpenedList[List]:
    """Open or make the list at *path*; a damaged one, or one that is gone, comes back from its copies.

    :raises StoreError: if there can be none at all.
    """
    move_back(path, _anew(path))
    if is_empty(path) and any(_whole_rows(copy, kind) for copy in copies(path)):
        return _put_together(make, path, kind)
    try:
        tags = make(path)
    except StoreDamagedError:
        return _put_together(make, path, kind)
    with suppress(StoreError):  # of a change that a power cut left without one
        tags.keep_copy()
    return OpenedList(tags)


def _put_together(make: Callable[[Path], List], path: Path, kind: ListKind) -> OpenedList[List]:
    copy, rows = next(((copy, rows) for copy in copies(path) if (rows := _whole_rows(copy, kind))), (None, []))
    read = [] if is_empty(path) else _readable_rows(path, kind)
    anew, aside, added = _anew(path), None, 0
    if rows or read:
        added = _write(anew, path, kind, rows, read)
    if any(path.with_name(path.name + companion).exists() for companion in COMPANIONS):
        aside = move_aside(path)
    if rows or read:
        try:
            anew.replace(path)
        except OSError as error:
            raise StoreError(f"{path} can't be put in its place again ({error.strerror}).") from error
    return OpenedList(make(path), aside if aside is None or aside.exists() else None, copy, added)


def _anew(path: Path) -> Path:
    """Where the list is made that will lie at *path*."""
    return path.with_name(f"{path.stem}.anew{path.suffix}")


def _write(anew: Path, path: Path, kind: ListKind, rows: list[Row], read: list[Row]) -> int:
    """Make the list *anew*, of *rows* and of those *read* whose tag and meaning are free; how many those were.

    It is whole on the disk then, and the damaged one still has its place.
    """
    try:
        anew.unlink(missing_ok=True)
        os.close(open_private(anew))
        with closing(sqlite3.connect(anew, isolation_level=None)) as target:
            target.executescript(f"BEGIN; PRAGMA application_id={kind.application_id}; {kind.schema}; COMMIT;")
            target.execute("BEGIN")
            target.executemany(kind.insert(), rows)
            before = target.total_changes
            target.executemany(kind.insert(is_only_new=True), read)
            added = target.total_changes - before
            target.execute("COMMIT")
        with anew.open("rb+") as stream:
            os.fsync(stream.fileno())
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path} can't be written anew from its copy ({error}).") from error
    return added


def _as_it_is(path: Path) -> sqlite3.Connection:
    """A database to be read without a single change to it or beside it."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)


def is_empty(path: Path) -> bool:
    """Whether the list is gone, or was cut to nothing."""
    try:
        return path.stat().st_size == 0
    except OSError:
        return True


def _whole_rows(path: Path, kind: ListKind) -> list[Row]:
    """All rows of a copy; none of one that is damaged, of another kind, or of another version of this program."""
    try:
        with closing(_as_it_is(path)) as source:
            if kind.damage_of(source) or source.execute("PRAGMA user_version").fetchone()[0] != kind.version:
                return []
            return list(kind.rows(source))
    except UNREADABLE:
        return []


def _readable_rows(path: Path, kind: ListKind) -> list[Row]:
    """What can still be read of a damaged list, from both its ends, and makes sense.

    A column that it has not yet, because an older program made it, is empty.
    """
    found: dict[bytes, Row] = {}
    for order in ("rowid", "rowid DESC"):
        with suppress(OSError, *UNREADABLE), closing(_as_it_is(path)) as source:
            there = {column[1] for column in source.execute(f"PRAGMA table_info({kind.table})")}
            columns = ", ".join(name if name in there else "''" for name in kind.columns.split(", "))
            for row in source.execute(f"SELECT {columns} FROM {kind.table} ORDER BY {order}"):
                if _makes_sense(row):
                    found.setdefault(row[0], row)
    return list(found.values())


def _makes_sense(row: Row) -> bool:
    uid, *rest = row
    return (
        isinstance(uid, bytes)
        and len(uid) in UID_LENGTHS
        and all(isinstance(value, int) or (isinstance(value, str) and value.isprintable()) for value in rest)
    )
