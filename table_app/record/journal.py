"""The record of everything that was done at the table: append-only, one transaction a signal's actions.

The journal stores transcript lines and what never changes a ruling beside them; it knows no rule and judges
nothing. Replaying is in `resume`. Source: design, *The live table*.
"""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from table_app.record.errors import UNREADABLE, StoreDamagedError, StoreError, StoreNewerError
from table_app.record.files import OWNER_ONLY, file_at, move_aside, move_back, open_database, written_anew
from table_app.record.journal_log import LOG, Mark, is_end_known, is_gone, mark_path, read_mark, shortfall, write_mark
from table_app.record.losses import Losses
from table_app.record.salvage import salvage
from table_app.record.schema import (
    APPLICATION_ID,
    COLUMNS,
    SCHEMA,
    VERSION,
    bring_up_to_date,
    checksum,
    damage_of,
    entry_checksum,
    is_head,
    match_columns,
    version_of,
)
from table_app.record.upkeep import Care, damage_mark, is_looked_through_at_once
from table_app.rules.messages import Sentence, _
from table_app.small_files import open_new

IN_MEMORY = ":memory:"

UNSAVED_MAX = 20_000
"""Entries kept in memory while the disk refuses them: more than the longest evening; beyond it the oldest match is
already lost, and the screen has said so all the while."""

UNFOLDED_MAX = 64
"""Writes after which the log is folded into the file though nobody rests: some hundred kilobytes."""

INSERT_MATCH = (
    "INSERT INTO matches (match, header, began_at, after_sequence, checksum) "
    "VALUES (?, ?, ?, (SELECT coalesce(max(sequence), 0) FROM entries), ?)"
)
INSERT_ENTRY = f"INSERT INTO entries (match, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


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
        """What is wrong with the file, as long as it is: it can't be opened, or is damaged; a sentence."""
        self.is_end_known = True
        """Whether anything beside the file said how far it had gone when it was opened."""
        self._connection = connection
        self._wall_time = wall_time
        self._boot = boot
        self._version = version_of(connection)
        self._newest, self._match = self._last_matches()
        self._care = Care(path, self._tell)
        self._file = file_at(path)
        self._unsaved: deque[tuple[str, tuple[object, ...]]] = deque(maxlen=UNSAVED_MAX)
        self._mark = Mark(0, 0, 0, 0, "")
        self._unfolded = 1

    # -- writing -------------------------------------------------------------------------------------------

    def begin_match(self, header: str) -> int:
        """A new match with this *header*; its number.

        :raises StoreError: if it can't be written; it is kept for the next write.
        """
        self._newest += 1
        self._match = self._newest
        values = (self._match, header, self._wall_time())
        self._unsaved.append((INSERT_MATCH, (*values, checksum(*values))))
        self._write()
        self.fold()
        return self._match

    def go_on_with(self, match: int, entry: Entry) -> None:
        """What is appended from now on belongs to an earlier match again, beginning with *entry*.

        :raises StoreError: if it can't be written; it is kept for the next write.
        """
        self._match = match
        self.append([entry])

    def append(self, entries: Sequence[Entry]) -> None:
        """Add *entries* in one transaction; when this returns they are on the disk.

        :raises StoreError: if they can't be written; they are kept for the next write.
        """
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
            self._unsaved.append((INSERT_ENTRY, (*values, entry_checksum(*values[:4]))))
        self._write()

    @property
    def unsaved(self) -> int:
        """How many writes the disk still owes."""
        return len(self._unsaved)

    @property
    def is_on_disk(self) -> bool:
        """False of one in memory alone, whose disk can't be written."""
        return self.path.name != IN_MEMORY

    def trouble_now(self) -> str:
        """Why what was played is not on the disk at this moment, after one more try; empty if it is."""
        if not self.is_on_disk:
            return self.standing_trouble or Sentence(_("Nothing is kept."))
        try:
            self._write()
        except StoreError as error:
            return str(error)
        return ""

    def _write(self) -> None:
        self._find_file()
        sequence, checksum_of_last = self._mark.sequence, self._mark.checksum
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for statement, values in self._unsaved:
                written = self._connection.execute(statement, values)
                if statement == INSERT_ENTRY:
                    sequence, checksum_of_last = int(written.lastrowid or 0), int(str(values[-1]))
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise StoreError(f"Nothing is kept: {self.path} can't be written ({error}).") from error
        if self._unsaved:
            self._set_mark(sequence, checksum_of_last)
            self._unfolded += 1
        self._unsaved.clear()
        if self._unfolded >= UNFOLDED_MAX:
            self.fold()

    def _set_mark(self, sequence: int, checksum_of_last: int, wall_time: str = "") -> None:
        """Leave word how far the journal has gone. Where that can't be, the lines themselves are kept all the same."""
        written, unsure = self._mark.written + 1, self._mark.unsure
        wall_time = wall_time or self._wall_time()
        self._mark = Mark(written, sequence, checksum_of_last, self._newest, wall_time, unsure)
        if self.is_on_disk:
            with suppress(OSError):
                write_mark(self.path, self._mark)

    def mark(self, written: Mark | None, *, is_sure: bool) -> None:
        """Leave word how far the journal has gone, as it was found: it was looked at, and is believed.

        *written* is the mark so far; not *is_sure*: something was lost, or nothing shows whether anything was.

        :raises sqlite3.DatabaseError: if its last line can't be read.
        """
        rows = self._connection.execute(
            "SELECT sequence, checksum, wall_time FROM entries ORDER BY sequence DESC LIMIT 1"
        ).fetchall()
        if self.is_on_disk and (written is None or not written.is_surely_last):
            with suppress(OSError):  # what can't be read of it was told, and is told once
                mark_path(self.path).unlink(missing_ok=True)
        last, checksum_of_last, wall_time = rows[0] if rows else (0, 0, "")
        unsure = 0 if written is None else min(written.unsure, last)
        self._mark = Mark(0 if written is None else written.written, 0, 0, 0, "", unsure if is_sure else last)
        self._set_mark(last, checksum_of_last, str(wall_time or "").replace(" ", ""))

    def fold(self) -> None:
        """Fold the log into the file itself, as far as nobody who reads keeps it from that.

        Where the disk refuses, the log keeps what it has; the next call does the rest.
        """
        if not self._unfolded or not self.is_on_disk:
            return
        with suppress(sqlite3.Error):
            is_busy, in_log, folded = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if not is_busy and in_log == folded:
                self._unfolded = 0

    def _find_file(self) -> None:
        """Where the file was removed or another put in its place, write it anew: SQLite would go on in the one removed.

        :raises StoreError: if it can't be written.
        """
        if self._file is None or file_at(self.path) == self._file:
            return
        try:
            self._connection = written_anew(self._connection, self.path)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"Nothing is kept: {self.path} is gone, and can't be written anew ({error}).") from error
        self._file = file_at(self.path)

    def _roll_back(self) -> None:
        """End the failed transaction; on a broken disk even that may fail, and SQLite has then ended it itself."""
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            return

    # -- reading -------------------------------------------------------------------------------------------

    def _last_matches(self) -> tuple[int, int]:
        """The match begun last, and the one that was played last; 0 where there is none."""
        newest = self._connection.execute(
            f"SELECT {match_columns(self._version)} FROM matches ORDER BY match DESC LIMIT 1"
        ).fetchone()
        last = self._connection.execute("SELECT sequence, match FROM entries ORDER BY sequence DESC LIMIT 1").fetchone()
        if newest is None:
            return 0, 0
        is_played = last is not None and newest[3] is not None and last[0] > newest[3]
        return int(newest[0]), int(last[1] if is_played else newest[0])

    def is_whole(self) -> bool:
        """True if every line is there and can be read as it was written; it reads all of them."""
        mark = read_mark(self.path) if self.is_on_disk else None
        return not damage_of(self._connection) and not shortfall(self._connection, self.path, mark)

    @property
    def match(self) -> int:
        """The number of the match that is played; 0 before the first."""
        return self._match

    def played(self) -> frozenset[int]:
        """The matches in which anything was done; one that was only begun is none of them.

        :raises StoreDamagedError: if that can't be read.
        """
        statement = "SELECT match FROM matches WHERE EXISTS (SELECT 1 FROM entries WHERE entries.match = matches.match)"
        rows = [*self._query(statement, ()), *self._owed(INSERT_ENTRY)]
        return frozenset(int(row[0]) for row in rows)

    def last_match(self) -> MatchRecord | None:
        """The match that is played: the one begun last, or an earlier one that was taken up again; None: there is none.

        :raises StoreDamagedError: if it can't be read.
        """
        return next((record for record in self.matches() if record.number == self._match), None)

    def matches(self) -> Iterator[MatchRecord]:
        """All matches, oldest first; also those that the disk refused so far.

        :raises StoreDamagedError: if they can't be read.
        """
        for row in self._query(f"SELECT {match_columns(self._version)} FROM matches ORDER BY match", ()):
            if not is_head(row, self._version):
                raise StoreDamagedError(f"{self.path} is damaged (the head of a match is not what was written).")
            yield MatchRecord(int(row[0]), str(row[1]), str(row[2]))
        for number, header, began_at, _checksum in self._owed(INSERT_MATCH):
            yield MatchRecord(int(number), str(header), str(began_at))

    def entries(self, match: int, *, with_notes: bool = False) -> Iterator[Entry]:
        """The actions of a match, in the order in which they happened; *with_notes* all else that a resume needs.

        What the disk refused so far stands behind what it holds, as it will once there is room.

        :raises StoreDamagedError: if they can't be read.
        """
        statement = f"SELECT {COLUMNS} FROM entries WHERE match = ? ORDER BY sequence"
        owed = [tuple(values) for number, *values in self._owed(INSERT_ENTRY) if number == match]
        for *values, written in [*self._query(statement, (match,)), *owed]:
            round_number, kind, line, tag, source, wall_time, boot = values
            if written != entry_checksum(match, round_number, kind, line):
                raise StoreDamagedError(f"{self.path} is damaged (a line is not what was written).")
            if kind == EntryKind.NOTE and not with_notes:
                continue
            yield Entry(line, round_number, EntryKind(kind), tag, source, wall_time, boot)

    def last_wall_time(self) -> str:
        """When the last line was written, ISO 8601; empty where there is none.

        :raises StoreDamagedError: if that can't be read.
        """
        rows = list(self._query("SELECT wall_time FROM entries ORDER BY sequence DESC LIMIT 1", ()))
        return str(rows[0][0]) if rows else ""

    def end_of(self, match: int) -> tuple[bool, str]:
        """Whether it is vouched for that the last ruling of a match is the last that was given in it, and when that was
        written (ISO 8601; empty where nothing was ruled).

        :raises StoreDamagedError: if that can't be read.
        """
        statement = (
            "SELECT sequence, wall_time FROM entries WHERE match = ? AND kind = ? ORDER BY sequence DESC LIMIT 1"
        )
        found = next(self._query(statement, (match, EntryKind.ACTION.value)), (0, ""))
        return int(found[0]) > self._mark.unsure or not self._mark.unsure, str(found[1] or "")

    def _owed(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """The rows that the disk still owes to *statement*, in their order."""
        yield from (values for owed, values in self._unsaved if owed == statement)

    def _query(self, statement: str, values: tuple[object, ...]) -> Iterator[tuple[Any, ...]]:
        try:
            # All at once: a reader that stops half way leaves nothing open in the file.
            yield from self._connection.execute(statement, values).fetchall()
        except UNREADABLE as error:
            raise StoreDamagedError(f"{self.path} is damaged ({error}).") from error

    # -- looking after it ----------------------------------------------------------------------------------

    def look_beside(self) -> None:
        """Look it through beside the play where it is too large for the start; then `standing_trouble` tells."""
        self._care.check_beside()

    def copy(self) -> None:
        """Copy the journal beside itself, and fold its log into it, as at a round's end.

        One that is kept in memory has no place for copies.

        :raises StoreError: if it can't be copied, or is damaged: no copy goes for one that is.
        """
        self.fold()
        if self.is_on_disk and not self._unsaved:
            self._care.copy(self._connection)

    def _tell(self, trouble: str) -> None:
        self.standing_trouble = trouble

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._care.close()
        self._connection.close()


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    """A journal, and where the unusable one before it was moved, if there was one; where only its log was left, that.

    *restored* is the copy that filled its gaps; *losses* is what is lost all the same. *is_newer*: the one that was
    moved is whole, and a newer program's.
    """

    journal: Journal
    moved_aside: Path | None = None
    restored: Path | None = None
    losses: Losses | None = None
    is_newer: bool = False


def open_journal(path: Path, *, wall_time: Callable[[], str], boot: str) -> OpenedJournal:
    """Open or make the journal at *path* and check it; one that can't be used is moved aside, mended where it can be.

    :raises StoreError: if there can be no journal at all.
    """
    mark = read_mark(path)
    move_back(path, _mended(path))
    try:
        if is_gone(path, mark):
            raise StoreDamagedError(f"{path} is empty, and was not.")
        _refuse_damaged(path, mark)
        is_known = is_end_known(path, mark)
        journal = _connect(path, wall_time, boot, is_sure=is_known)
        journal.is_end_known = is_known
        journal.look_beside()
        return OpenedJournal(journal)
    except StoreNewerError:
        aside = move_aside(path, "newer")
        return OpenedJournal(_connect(path, wall_time, boot, is_sure=True), aside, is_newer=True)
    except StoreDamagedError:
        return begin_anew(path, wall_time=wall_time, boot=boot)


def _refuse_damaged(path: Path, mark: Mark | None) -> None:
    """Look at a journal before anything is written: SQLite would tidy a log away that it does not believe.

    One that can't be opened to be read is left to whoever opens it to write, and tells why.

    :raises StoreDamagedError: if it is damaged, or lacks what was written.
    """
    if not path.is_file() or not path.stat().st_size:
        return
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            damage = shortfall(connection, path, mark)
            if not damage and is_looked_through_at_once(path) and version_of(connection) <= VERSION:
                damage = damage_of(connection)
    except sqlite3.OperationalError:
        return
    except UNREADABLE as error:
        damage = str(error)
    if damage:
        raise StoreDamagedError(f"{path} is damaged ({damage}).")
    with suppress(OSError):
        damage_mark(path).unlink(missing_ok=True)


def _mended(path: Path) -> Path:
    """Where the mended journal is made that will lie at *path*."""
    return path.with_name(f"{path.stem}.mended{path.suffix}")


def begin_anew(path: Path, *, wall_time: Callable[[], str], boot: str) -> OpenedJournal:
    """Move the damaged journal at *path* aside and go on with what can be read of it and of its newest whole copy.

    Where there is nothing to be read, a new one is begun. The mended one is whole on the disk before the old is moved.

    :raises StoreError: if there can be no journal at all.
    """
    mended = _mended(path)
    try:
        os.close(open_new(mended, OWNER_ONLY))
        with closing(sqlite3.connect(mended, isolation_level=None)) as target:
            losses, restored = salvage(path, target, path.parent)
        with mended.open("rb+") as stream:
            os.fsync(stream.fileno())
        aside = move_aside(path)
        mended.replace(path)
        damage_mark(path).unlink(missing_ok=True)
    except OSError as error:
        raise (
            error
            if isinstance(error, StoreError)
            else StoreError(f"The damaged record {path} can't be mended ({error.strerror}); look at the disk.")
        ) from error
    journal = _connect(path, wall_time, boot, is_sure=losses.is_nothing)
    kept = next((part for part in (aside, aside.with_name(aside.name + LOG)) if part.exists()), None)
    return OpenedJournal(journal, kept, restored, losses)


def _connect(path: Path, wall_time: Callable[[], str], boot: str, *, is_sure: bool) -> Journal:
    connection = open_database(path, APPLICATION_ID, SCHEMA, VERSION, is_checked=False)
    try:
        bring_up_to_date(connection)
        journal = Journal(connection, path, wall_time, boot)
        journal.mark(read_mark(path), is_sure=is_sure)
        journal.fold()
    except UNREADABLE as error:
        connection.close()
        raise StoreDamagedError(f"{path} is damaged ({error}).") from error
    except StoreError:
        connection.close()
        raise
    return journal


def journal_in_memory(*, wall_time: Callable[[], str], boot: str) -> Journal:
    """A journal that is gone with the process: for a table whose disk refuses, and for a table that need keep none."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    return Journal(connection, Path(IN_MEMORY), wall_time, boot)
