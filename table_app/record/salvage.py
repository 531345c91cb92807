"""What is left of a damaged journal: every line that can be read, with the gaps filled from the newest whole copy.

A journal and its log are read in three ways: the file alone, with the log as far as SQLite believes it, and with
all that the log shows. It reads copies of the damaged files, never the files themselves, and judges nothing: which
lines make a match is only a matter of their numbers, because the journal is added to and never changed. What is lost
is in `losses`, how far the journal had gone in `journal_log`.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from enum import Enum
from pathlib import Path
from typing import Any

from table_app.record.copies import copies
from table_app.record.errors import UNREADABLE, StoreError
from table_app.record.files import COMPANIONS
from table_app.record.journal_log import Mark, checksum_at, laid_over, log_of, read_mark
from table_app.record.losses import Losses, LostLines
from table_app.record.schema import (
    APPLICATION_ID,
    COLUMNS,
    SCHEMA,
    VERSION,
    checksum,
    damage_of,
    is_entry,
    is_head,
    match_columns,
    version_of,
)

Row = tuple[Any, ...]
"""An entry: sequence, match and `COLUMNS`."""

READ_AT_ONCE = 512
"""Lines asked for together; where they can't be read, halves of them, and so on down to each line."""

FAILURES_MAX = 20_000
"""Questions that a damaged file may fail to answer: some seconds. What is not found by then counts as lost."""

SMALLEST_LINE_BYTES = 24
"""No entry takes less room: how many there can be at most where the file does not say."""

HELD_BACK_MAX = 20_000
"""Lines of a copy that wait for the next line known to both files; more is an evening, and is believed."""


class Remains:
    """A journal that may be damaged, read line by line; a line that is not what was written is left out."""

    def __init__(self, connection: sqlite3.Connection, size: int) -> None:
        # A time of day with a bit too few spoils no line; where a line is spoilt, its checksum says so.
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        self._connection = connection
        self._failures = 0
        self._size = size
        self.version = self._ask("PRAGMA user_version", ((VERSION,),))[0][0]
        self.is_end_known = True
        self.last = max(self._last("entries", "sequence"), self._last_by_index())

    def _ask(self, statement: str, otherwise: tuple[Row, ...], values: Row = ()) -> list[Row]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except (*UNREADABLE, OverflowError):
            self._failures += 1
            return list(otherwise)

    def _last(self, table: str, column: str) -> int:
        found = self._ask(f"SELECT coalesce(max({column}), 0) FROM {table} NOT INDEXED", ((None,),))[0][0]
        most = self._size // SMALLEST_LINE_BYTES
        if isinstance(found, int) and 0 <= found <= most:
            return found
        self.is_end_known = False
        return most

    def _last_by_index(self) -> int:
        """The last entry that the index knows, if it looks whole: the entry itself may have lost its number."""
        statement = "SELECT count(sequence), coalesce(max(sequence), 0) FROM entries INDEXED BY entries_of_match"
        count, last = self._ask(statement, ((0, 1),))[0]
        return int(last) if count == last else 0

    def heads(self) -> dict[int, tuple[str, str, int]]:
        """The matches by number: header, when it began, and after which entry (of version 1: after none)."""
        found = {}
        statement = f"SELECT {match_columns(self.version)} FROM matches NOT INDEXED WHERE match BETWEEN ? AND ?"
        for row in self._read(statement, 1, self._last("matches", "match")):
            number, header, began_at, after = row[:4]
            if is_head(row, self.version) and isinstance(header, str) and isinstance(began_at, str):
                found[int(number)] = (header, began_at, int(after or 0))
        return found

    def entries(self) -> Iterator[Row]:
        """The entries that can be read, in their order."""
        statement = (
            f"SELECT sequence, match, {COLUMNS} FROM entries NOT INDEXED "
            "WHERE sequence BETWEEN ? AND ? ORDER BY sequence"
        )
        last = 0
        for low in range(1, self.last + 1, READ_AT_ONCE):
            for row in self._read(statement, low, min(low + READ_AT_ONCE - 1, self.last)):
                if row[0] > last and is_entry(row):
                    last = row[0]
                    yield row

    def checksum_at(self, sequence: int) -> int | None:
        """The checksum of a line by its number; None where it can't be read."""
        try:
            return checksum_at(self._connection, sequence)
        except UNREADABLE:
            return None

    def _read(self, statement: str, low: int, high: int) -> Iterator[Row]:
        if high < low or self._failures > FAILURES_MAX:
            return
        try:
            rows = self._connection.execute(statement, (low, high)).fetchall()
        except UNREADABLE:
            self._failures += 1
            if low < high:
                middle = (low + high) // 2
                yield from self._read(statement, low, middle)
                yield from self._read(statement, middle + 1, high)
            return
        yield from (row for row in rows if low <= row[0] <= high)


class Way(Enum):
    """How a journal with a log is read, in the order in which the ways are believed."""

    FILE_ALONE = "alone"
    AS_SQLITE_DOES = "believed"
    ALL_THAT_IS_SHOWN = "shown"


# -- files put together ----------------------------------------------------------------------------------------


def _is_same(ours: Row, theirs: Row) -> bool:
    """True if two rows are one line, in all that its checksum vouches for."""
    return ours[:5] == theirs[:5]


def _contradicts(remains: Remains, other: Remains, mark: Mark | None) -> bool:
    """Whether *other* is of another record than *remains*: a match or a line of the same number is another.

    A log knows its file by its name alone.
    """
    heads, others = remains.heads(), other.heads()
    if any(heads[number][:2] != others[number][:2] for number in heads.keys() & others.keys()):
        return True
    if mark is not None and mark.sequence and other.checksum_at(mark.sequence) not in (None, mark.checksum):
        return True
    theirs = other.entries()
    line = next(theirs, None)
    for ours in remains.entries():
        while line is not None and line[0] < ours[0]:
            line = next(theirs, None)
        if line is None:
            return False
        if line[0] == ours[0] and not _is_same(ours, line):
            return True
    return False


def _together(damaged: Iterator[Row], copied: Iterator[Row]) -> Iterator[Row]:
    """The lines of both files, in order. A copy is believed only between lines that both files agree about.

    It may be of before an earlier repair, from which on its numbers mean other lines.
    """
    held: list[Row] = []
    agrees = True
    ours, theirs = next(damaged, None), next(copied, None)
    while ours is not None or (theirs is not None and agrees):
        if ours is None or (agrees and theirs is not None and theirs[0] < ours[0]):
            assert theirs is not None
            held.append(theirs)
            theirs = next(copied, None)
            if len(held) > HELD_BACK_MAX:
                yield from held
                held = []
            continue
        if agrees and theirs is not None and theirs[0] == ours[0]:
            agrees = _is_same(ours, theirs)
            theirs = next(copied, None)
        if agrees:
            yield from held
        held = []
        yield ours
        ours = next(damaged, None)
    if agrees:
        yield from held


def _write(target: sqlite3.Connection, rows: Iterator[Row], heads: dict[int, tuple[str, str, int]]) -> None:
    """A new journal of *rows*, which are numbered anew, and the *heads* of their matches."""
    target.executescript(f"PRAGMA application_id={APPLICATION_ID}; {SCHEMA}")
    statement = f"INSERT INTO entries (match, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    before = dict.fromkeys(heads, 0)
    waiting = sorted(((after, number) for number, (_header, _began, after) in heads.items()), reverse=True)
    target.execute("BEGIN")
    count = 0
    for row in rows:
        while waiting and waiting[-1][0] < row[0]:
            before[waiting.pop()[1]] = count
        match, round_number, kind, line, tag, source, wall_time, boot, check = row[1:]
        beside = (tag if isinstance(tag, bytes) else None, str(source or ""), str(wall_time or ""), str(boot or ""))
        target.execute(statement, (match, round_number, kind, line, *beside, check))
        count += 1
    for _after, number in waiting:
        before[number] = count
    for number, (header, began_at, _after) in heads.items():
        values = (number, header, began_at, before[number], checksum(number, header, began_at))
        target.execute(
            "INSERT INTO matches (match, header, began_at, after_sequence, checksum) VALUES (?, ?, ?, ?, ?)", values
        )
    target.execute("COMMIT")


def salvage(path: Path, target: sqlite3.Connection, folder: Path) -> tuple[Losses, Path | None]:
    """Fill the empty database *target* with what is left of the journal at *path* and its newest whole copy.

    In *folder* there is room for another copy while it is read. What is lost, and the copy that was used.

    :raises StoreError: if it can't be written.
    """
    try:
        with _opened_copy(path) as copy, _opened_remains(path, folder) as found:
            return _salvaged(found, copy, read_mark(path), target), copy[0] if copy is not None else None
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"The damaged record {path} can't be mended ({error}); look at the disk.") from error


def _salvaged(
    found: list[Remains], copy: tuple[Path, Remains] | None, mark: Mark | None, target: sqlite3.Connection
) -> Losses:
    believed = found[:1]
    believed += (remains for remains in found[1:] if not _contradicts(found[0], remains, mark))
    heads: dict[int, tuple[str, str, int]] = {}
    for remains in (*(() if copy is None else (copy[1],)), *reversed(believed)):
        heads.update(remains.heads())
    rows: Iterator[Row] = iter(())
    for remains in believed:
        rows = _together(rows, remains.entries())
    if copy is not None:
        rows = _together(rows, copy[1].entries())
    known = [remains.last for remains in believed if remains.is_end_known]
    lines = LostLines(heads, max(known, default=None), mark)
    kept: list[int] = []
    # The heads of matches that come to nothing are left out, and which those are is known only in the end.
    with closing(sqlite3.connect("", isolation_level=None)) as passing:
        passing.execute(f"CREATE TABLE entries (sequence INTEGER PRIMARY KEY, match, {COLUMNS})")
        passing.execute("BEGIN")
        for row in lines.sift(rows):
            passing.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        passing.execute("COMMIT")
        losses = lines.losses()
        kept = lines.kept()
        rows = passing.execute(f"SELECT sequence, match, {COLUMNS} FROM entries ORDER BY sequence")
        _write(target, rows, {number: heads[number] for number in sorted(kept)})
    return losses


@contextmanager
def _opened_copy(path: Path) -> Iterator[tuple[Path, Remains] | None]:
    """The newest copy of the journal at *path* that is whole, or None."""
    for copy in copies(path):
        connection = None
        try:
            connection = sqlite3.connect(f"{copy.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
            if version_of(connection) <= VERSION and not damage_of(connection):
                yield copy, Remains(connection, copy.stat().st_size)
                return
        except (OSError, *UNREADABLE):
            continue
        finally:
            if connection is not None:
                connection.close()
    yield None


@contextmanager
def _opened_remains(path: Path, folder: Path) -> Iterator[list[Remains]]:
    """The damaged journal at *path* in each `Way` in which it can be opened, by copies that are gone afterwards."""
    with ExitStack() as opened:
        log = log_of(path)
        found = []
        if log or path.is_file():
            for way in Way if log else (Way.FILE_ALONE,):
                remains = opened.enter_context(_opened_in(way, path, log, folder))
                if remains is not None:
                    found.append(remains)
        yield found


@contextmanager
def _opened_in(way: Way, path: Path, log: bytes, folder: Path) -> Iterator[Remains | None]:
    """The journal at *path* in one *way*; None where there are no matches and entries to be read."""
    passing = folder / f"{path.stem}.salvage-{way.value}{path.suffix}"
    parts = [passing.with_name(passing.name + companion) for companion in COMPANIONS]
    connection = None
    try:
        for is_mended in (False, True):
            if path.is_file():
                shutil.copy(path, passing)
            else:
                passing.touch()  # the log may hold all of it
            if way is Way.ALL_THAT_IS_SHOWN:
                passing.write_bytes(laid_over(passing.read_bytes(), log))
            elif way is Way.AS_SQLITE_DOES:
                parts[1].write_bytes(log)
            if is_mended:
                _give_first_page(passing, has_log=way is Way.AS_SQLITE_DOES)
            connection = _opened(passing)
            if connection is not None:
                yield Remains(connection, sum(part.stat().st_size for part in parts[:2] if part.exists()))
                return
        yield None
    finally:
        if connection is not None:
            connection.close()
        for part in parts:
            part.unlink(missing_ok=True)


def _opened(path: Path) -> sqlite3.Connection | None:
    """A connection to a database in which there are matches and entries, or None."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("SELECT rowid FROM matches LIMIT 0")
        connection.execute("SELECT rowid FROM entries LIMIT 0")
    except UNREADABLE:
        connection.close()
        return None
    return connection


def _give_first_page(path: Path, *, has_log: bool) -> None:
    """Put the first page of a new journal in the place of a damaged one: there is only what all journals have alike.

    Source: *Database File Format*, 1.3: 18 and 19 say whether there is a log; where 24 and 92 differ, the number of
    pages is taken from the file.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        new.executescript(f"PRAGMA application_id={APPLICATION_ID}; {SCHEMA}")
        page_size = new.execute("PRAGMA page_size").fetchone()[0]
        page = bytearray(new.serialize()[:page_size])
    page[18:20] = b"\2\2" if has_log else b"\1\1"
    page[92:96] = bytes(byte ^ 0xFF for byte in page[24:28])
    if path.stat().st_size > page_size:
        with path.open("r+b") as stream:
            stream.write(page)
