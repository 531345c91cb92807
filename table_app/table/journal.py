"""The record of everything that was done at the table: append-only, one transaction a signal's actions.

The journal stores transcript lines and what never changes a ruling beside them; it knows no rule and judges
nothing. Replaying is in `resume`. Source: design, *The live table*.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from table_app.table.copies import make_copy, restore_newest
from table_app.table.errors import StoreDamagedError, StoreError
from table_app.table.store import COMPANIONS, move_aside, open_database

APPLICATION_ID = 0x4C43_4A31
"""``LCJ1``: how `file` and the next start tell a journal from any other database."""

IN_MEMORY = ":memory:"

UNSAVED_MAX = 20_000
"""Entries kept in memory while the disk refuses them: more than the longest evening; beyond it the oldest match is
already lost, and the screen has said so all the while."""

_SCHEMA = """
CREATE TABLE matches (
    match INTEGER PRIMARY KEY,
    header TEXT NOT NULL,
    began_at TEXT NOT NULL
) STRICT;
CREATE TABLE entries (
    sequence INTEGER PRIMARY KEY,
    match INTEGER NOT NULL REFERENCES matches (match),
    round INTEGER NOT NULL,
    kind TEXT NOT NULL,
    line TEXT NOT NULL,
    tag BLOB,
    source TEXT NOT NULL,
    wall_time TEXT NOT NULL,
    boot TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX entries_of_match ON entries (match, sequence);
CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END;
CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END;
CREATE TRIGGER matches_are_not_changed BEFORE UPDATE ON matches
    BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END;
PRAGMA user_version=1
"""


_COLUMNS = "round, kind, line, tag, source, wall_time, boot, checksum"


def _checksum(*values: object) -> int:
    """SQLite checks its structure, not what stands in it: a card that forgot a bit must not change a ruling."""
    return zlib.crc32(repr(values).encode())


class EntryKind(StrEnum):
    """What an entry is: an `ACTION` is a transcript's line, a `NOTE` is what the table remembers beside (`noting`)."""

    ACTION = "action"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the record.

    *line* is the transcript line. *tag* is the UID that was read, *source* where the signal came from; *wall_time*
    is ISO 8601 and may be wrong (a Pi has no clock of its own), *boot* tells one start of the machine from another.
    """

    line: str
    round_number: int
    kind: EntryKind = EntryKind.ACTION
    tag: bytes | None = None
    source: str = ""
    wall_time: str = ""
    boot: str = ""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match in the journal: its number, its header as transcript text, and when it began."""

    number: int
    header: str
    began_at: str


class Journal:
    """The journal at *path*. `open_journal` is the way in.

    When the disk refuses, `append` raises and keeps the entries; the next `append` writes them first, so that what
    is in the file is always the beginning of what happened.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, wall_time: Callable[[], str], boot: str) -> None:
        self.path = path
        self.standing_trouble = ""
        """Why nothing is kept for good, where this journal only stands in for one that can't be opened."""
        self._connection = connection
        self._wall_time = wall_time
        self._boot = boot
        self._match = self._last_match()
        self._unsaved: deque[tuple[str, tuple[object, ...]]] = deque(maxlen=UNSAVED_MAX)

    # -- writing -------------------------------------------------------------------------------------------

    def begin_match(self, header: str) -> int:
        """A new match with this *header*; its number.

        :raises StoreError: if it can't be written; it is kept for the next write.
        """
        self._match += 1
        statement = "INSERT INTO matches (match, header, began_at) VALUES (?, ?, ?)"
        self._unsaved.append((statement, (self._match, header, self._wall_time())))
        self._write()
        return self._match

    def append(self, entries: Sequence[Entry]) -> None:
        """Add *entries* in one transaction; when this returns they are on the disk.

        :raises StoreError: if they can't be written; they are kept for the next write.
        """
        statement = f"INSERT INTO entries (match, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        wall_time = self._wall_time()
        for entry in entries:
            values = (
                self._match,
                entry.round_number,
                entry.kind.value,
                entry.line,
                entry.tag,
                entry.source,
                entry.wall_time or wall_time,
                entry.boot or self._boot,
            )
            self._unsaved.append((statement, (*values, _checksum(*values[:4]))))
        self._write()

    @property
    def unsaved(self) -> int:
        """How many writes the disk still owes."""
        return len(self._unsaved)

    def _write(self) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for statement, values in self._unsaved:
                self._connection.execute(statement, values)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise StoreError(f"Nothing is kept: {self.path} can't be written ({error}).") from error
        self._unsaved.clear()

    def _roll_back(self) -> None:
        """End the failed transaction; on a broken disk even that may fail, and SQLite has then ended it itself."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            return

    # -- reading -------------------------------------------------------------------------------------------

    def _last_match(self) -> int:
        row = self._connection.execute("SELECT coalesce(max(match), 0) FROM matches").fetchone()
        return int(row[0])

    def is_whole(self) -> bool:
        """True if every line can be read as it was written."""
        try:
            for record in self.matches():
                for _entry in self.entries(record.number, with_notes=True):
                    pass
        except StoreDamagedError:
            return False
        return True

    def last_time(self) -> str:
        """When the last line was written, as the clock on the wall said; empty if there is none."""
        row = self._connection.execute("SELECT max(sequence), wall_time FROM entries").fetchone()
        return str(row[1] or "")

    def last_match(self) -> MatchRecord | None:
        """The match begun last, or None."""
        records = list(self.matches())
        return records[-1] if records else None

    def matches(self) -> Iterator[MatchRecord]:
        """All matches, oldest first.

        :raises StoreDamagedError: if they can't be read.
        """
        for number, header, began_at in self._query("SELECT match, header, began_at FROM matches ORDER BY match", ()):
            yield MatchRecord(int(number), str(header), str(began_at))

    def entries(self, match: int, *, with_notes: bool = False) -> Iterator[Entry]:
        """The actions of a match, in the order in which they happened; *with_notes* all else that a resume needs.

        :raises StoreDamagedError: if they can't be read.
        """
        statement = f"SELECT {_COLUMNS} FROM entries WHERE match = ? ORDER BY sequence"
        for *values, checksum in self._query(statement, (match,)):
            round_number, kind, line, tag, source, wall_time, boot = values
            if checksum != _checksum(match, round_number, kind, line):
                raise StoreDamagedError(f"{self.path} is damaged (a line is not what was written).")
            if kind == EntryKind.NOTE and not with_notes:
                continue
            yield Entry(line, round_number, EntryKind(kind), tag, source, wall_time, boot)

    def _query(self, statement: str, values: tuple[object, ...]) -> Iterator[tuple[Any, ...]]:
        try:
            # All at once: a reader that stops half way leaves nothing open in the file.
            yield from self._connection.execute(statement, values).fetchall()
        except (sqlite3.DatabaseError, ValueError) as error:
            raise StoreDamagedError(f"{self.path} is damaged ({error}).") from error

    def copy(self) -> None:
        """Copy the journal beside itself, as at a round's end; one that is kept in memory has no place for copies.

        :raises StoreError: if it can't be.
        """
        if self.path.name != IN_MEMORY and not self._unsaved:
            make_copy(self._connection, self.path)

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._connection.close()


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    """A journal, and where the damaged one before it was moved, if there was one; *restored* is the copy it is of."""

    journal: Journal
    moved_aside: Path | None = None
    restored: Path | None = None


def open_journal(path: Path, *, wall_time: Callable[[], str], boot: str) -> OpenedJournal:
    """Open or make the journal at *path*; a damaged one is moved aside and its newest copy put there, or a new one.

    :raises StoreError: if there can be no journal at all.
    """

    try:
        return OpenedJournal(_connect(path, wall_time, boot))
    except StoreDamagedError:
        return begin_anew(path, wall_time=wall_time, boot=boot)


def begin_anew(path: Path, *, wall_time: Callable[[], str], boot: str, with_copies: bool = True) -> OpenedJournal:
    """Move the journal at *path* aside, because it makes no sense, and go on with its newest copy that is whole.

    Where there is none, a new one is begun.

    :raises StoreError: if there can be no journal at all.
    """
    aside = move_aside(path)
    for copy in restore_newest(path) if with_copies else ():
        try:
            journal = _connect(path, wall_time, boot)
        except StoreDamagedError:
            continue
        if journal.is_whole():
            return OpenedJournal(journal, aside, copy)
        journal.close()
    for companion in COMPANIONS:
        path.with_name(path.name + companion).unlink(missing_ok=True)
    return OpenedJournal(_connect(path, wall_time, boot), aside)


def _connect(path: Path, wall_time: Callable[[], str], boot: str) -> Journal:
    connection = open_database(path, APPLICATION_ID, _SCHEMA)
    try:
        return Journal(connection, path, wall_time, boot)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise StoreDamagedError(f"{path} is damaged ({error}).") from error


def journal_in_memory(*, wall_time: Callable[[], str], boot: str) -> Journal:
    """A journal that is gone with the process: for a table whose disk refuses, and for a table that need keep none."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(_SCHEMA)
    return Journal(connection, Path(IN_MEMORY), wall_time, boot)
