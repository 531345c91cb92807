"""How far a journal has gone: its mark, whether its file and log show all of that, and what the log still shows.

SQLite believes a write-ahead log up to its first frame that does not hold, and says nothing of what lies beyond. So the
number of the last line is marked beside the journal before the line is shown; a file whose lines do not reach the mark
has lost some. Nothing is mended here and no line is judged: that is done in `salvage`.
Sources: SQLite, *Database File Format*, 4 (the write-ahead log) and 1.3 (the header); *Write-Ahead Logging*.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from zlib import crc32

from table_app.record.copies import copies
from table_app.record.errors import UNREADABLE
from table_app.record.files import open_private
from table_app.record.schema import APPLICATION_ID, COLUMNS, VERSION, damage_of, is_entry, version_of
from table_app.small_files import open_file

LOG = "-wal"
LAST_LINE = "SELECT coalesce(max(sequence), 0) FROM entries"

# -- the mark --------------------------------------------------------------------------------------------------

SLOT_BYTES = 512
"""What a disk writes whole or not at all."""

SLOTS = 2
"""Written in turn: where the power goes while one is written, the other is still there."""

BLANK = b" " * SLOT_BYTES
"""A place in which no mark was written yet."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a journal has gone: the number of its last line, that line's checksum, and its newest match.

    *written* counts the marks; *wall_time* is ISO 8601, when the line was written. Where something was lost, or may
    have been, *unsure* is the number of the last line that was there then: of a match that ends before or with it
    nobody knows whether more was played. *is_surely_last* is false where the other of its two places can't be read: a
    later mark may have stood there.
    """

    written: int
    sequence: int
    checksum: int
    match: int
    wall_time: str
    unsure: int = 0
    is_surely_last: bool = field(default=True, compare=False)

    @property
    def text(self) -> str:
        # Behind the time, where a program that does not know it takes it for a part of that.
        unsure = f" {self.unsure}" if self.unsure else ""
        return f"{self.written} {self.sequence} {self.checksum} {self.match} {self.wall_time or '-'}{unsure}"


def mark_path(path: Path) -> Path:
    """Where the mark of the journal at *path* lies."""
    return path.with_name(f"{path.stem}.mark")


def read_mark(path: Path) -> Mark | None:
    """The newest mark of the journal at *path* that can be read, or None."""
    try:
        with open_file(mark_path(path)) as stream:
            content = stream.read(SLOTS * SLOT_BYTES)
    except OSError:
        return None
    slots = [content[number * SLOT_BYTES : (number + 1) * SLOT_BYTES] for number in range(SLOTS)]
    marks = [_mark_in(slot) for slot in slots]
    newest = max((mark for mark in marks if mark is not None), key=lambda mark: mark.written, default=None)
    is_spoilt = any(mark is None and slot != BLANK for mark, slot in zip(marks, slots, strict=True))
    return replace(newest, is_surely_last=False) if newest is not None and is_spoilt else newest


def is_end_known(path: Path, mark: Mark | None) -> bool:
    """Whether the *mark* that was read tells how far the journal at *path* had gone; none is needed where none was."""
    return mark.is_surely_last if mark is not None else not (_has_content(path) or mark_path(path).exists())


def is_gone(path: Path, mark: Mark | None) -> bool:
    """True if there was a journal, as its *mark*, log or copies show, and now there is none, or a file with nothing in
    it."""
    if _has_content(path):
        return False
    log = path.with_name(path.name + LOG)
    has_log = log.is_file() and log.stat().st_size > 0
    return has_log or bool(copies(path)) or (mark is not None and mark.sequence > 0)


def _has_content(path: Path) -> bool:
    try:
        return path.is_dir() or path.stat().st_size > 0
    except OSError:
        return path.exists()


def log_of(path: Path) -> bytes:
    """The log beside the journal at *path*; empty where there is none.

    :raises OSError: if it can't be read.
    """
    log = path.with_name(path.name + LOG)
    return log.read_bytes() if log.is_file() else b""


def _mark_in(slot: bytes) -> Mark | None:
    with suppress(ValueError):
        text, _space, sum_text = slot.decode("ascii").strip().rpartition(" ")
        if int(sum_text, 16) == crc32(text.encode()):
            written, sequence, checksum, match, wall_time, *unsure = text.split(" ")
            numbers = (int(written), int(sequence), int(checksum), int(match))
            return Mark(*numbers, "" if wall_time == "-" else wall_time, int(unsure[0]) if unsure else 0)
    return None


def write_mark(path: Path, mark: Mark) -> None:
    """Put *mark* on the disk, in the place of the one before the last: one block of a file that never grows.

    :raises OSError: if it can't be written.
    """
    sync = getattr(os, "fdatasync", os.fsync)
    descriptor = open_private(mark_path(path))
    try:
        is_new = os.fstat(descriptor).st_size < SLOTS * SLOT_BYTES
        if is_new:
            os.write(descriptor, BLANK * SLOTS)
        os.lseek(descriptor, mark.written % SLOTS * SLOT_BYTES, os.SEEK_SET)
        text = mark.text.encode("ascii", "replace")
        os.write(descriptor, (text + f" {crc32(text):08x}\n".encode()).rjust(SLOT_BYTES))
        (os.fsync if is_new else sync)(descriptor)
    finally:
        os.close(descriptor)
    if is_new and hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


# -- what is short of it ---------------------------------------------------------------------------------------


def shortfall(connection: sqlite3.Connection, path: Path, mark: Mark | None) -> str:
    """What the journal at *path* lacks, as *connection* shows it, in a few words; empty if nothing is known to.

    *mark* was read before, because a table that runs marks what it has written. Without one, the copies and what the
    log shows beyond its last frame that holds are all that there is to compare with.

    :raises sqlite3.DatabaseError: if the journal can't be read.
    """
    if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        return "there is nothing in it" if path.is_file() and path.stat().st_size else ""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID or version_of(connection) > VERSION:
        return ""  # of another kind, or newer, which others tell
    last = int(connection.execute(LAST_LINE).fetchone()[0])
    if mark is not None:
        newest = int(connection.execute("SELECT coalesce(max(match), 0) FROM matches").fetchone()[0])
        if last < mark.sequence or newest < mark.match:
            return "its last lines are missing"
        if mark.sequence and checksum_at(connection, mark.sequence) != mark.checksum:
            return "it is not the record that was written here last"
    elif _is_log_of_another(connection, path, last):
        return "its log is of another record"
    elif _log_shows_more(path, last):
        return "its log does not hold"
    return "its copy has more lines" if _copy_goes_on(connection, path, last) else ""


def checksum_at(connection: sqlite3.Connection, sequence: int) -> int | None:
    """The checksum of a line by its number; None where there is no such line."""
    row = connection.execute("SELECT checksum FROM entries WHERE sequence = ?", (sequence,)).fetchone()
    return None if row is None or not isinstance(row[0], int) else row[0]


def _copy_goes_on(connection: sqlite3.Connection, path: Path, last: int) -> bool:
    """Whether the newest copy begins as the journal does, goes on where that ends, and is whole.

    One of before an earlier repair begins otherwise: its numbers mean other lines.
    """
    for copy in copies(path)[:1]:
        with (
            suppress(OSError, *UNREADABLE),
            closing(sqlite3.connect(f"{copy.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as copied,
        ):
            in_copy = copied.execute(LAST_LINE).fetchone()[0]
            # A table that runs may have written more, and copied it, since the last line was asked for.
            last = int(connection.execute(LAST_LINE).fetchone()[0]) if in_copy > last else last
            if in_copy > last:
                begins_alike = not last or checksum_at(copied, last) == checksum_at(connection, last)
                return begins_alike and version_of(copied) <= VERSION and not damage_of(copied)
    return False


def _is_log_of_another(connection: sqlite3.Connection, path: Path, last: int) -> bool:
    """Whether the file at *path* alone has matches or lines that it has not with its log, which ends at the *last*."""
    with (
        suppress(*UNREADABLE),
        closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as alone,
    ):
        heads = "SELECT match, header, began_at FROM matches"
        if not {*alone.execute(heads)} <= {*connection.execute(heads)}:
            return True
        last_alone = int(alone.execute(LAST_LINE).fetchone()[0])
        return last_alone > last or checksum_at(alone, last_alone) != checksum_at(connection, last_alone)
    return False


def _log_shows_more(path: Path, last: int) -> bool:
    """Whether any page of the log at *path* holds a line after the *last*, though SQLite does not believe it."""
    try:
        log = log_of(path)
        if not log:
            return False
        laid = laid_over(path.read_bytes(), log)
    except OSError:
        return False
    with suppress(*UNREADABLE), closing(sqlite3.connect(":memory:")) as memory:
        memory.deserialize(laid)
        memory.text_factory = lambda text: text.decode("utf-8", "replace")
        statement = f"SELECT sequence, match, {COLUMNS} FROM entries NOT INDEXED WHERE sequence > ?"
        return any(is_entry(row) for row in memory.execute(statement, (last,)))
    return False


# -- the log without its checksums -----------------------------------------------------------------------------

HEADER_BYTES = 32
FRAME_BYTES = 24
"""Before the page of a frame."""

PAGE_SIZES = tuple(2**power for power in range(9, 17))
USUAL_PAGE_BYTES = 4096


def laid_over(content: bytes, log: bytes) -> bytes:
    """The database *content* with the newest page that its *log* shows of each, though no checksum of a frame holds.

    Frames of an earlier log, which lie behind those of the last one, bear other salts and are left alone.
    """
    size = _page_bytes(content, log)
    frames = [
        (*struct.unpack_from(">IIQ", log, place), place + FRAME_BYTES)
        for place in range(HEADER_BYTES, len(log) - FRAME_BYTES - size + 1, FRAME_BYTES + size)
    ]
    pages_max = len(content) // size + len(frames)
    frames = [frame for frame in frames if 1 <= frame[0] <= pages_max]
    if not frames:
        return _without_log(content, size)
    salt = struct.unpack_from(">Q", log, 16)[0]
    if all(salt != of_frame for _page, _committed, of_frame, _place in frames):
        salt = frames[0][2]
    laid = bytearray(content)
    for page, _committed, of_frame, place in frames:
        if of_frame == salt:
            end = page * size
            laid.extend(bytes(max(end - len(laid), 0)))
            laid[end - size : end] = log[place : place + size]
    return _without_log(bytes(laid), size)


def _page_bytes(content: bytes, log: bytes) -> int:
    """The size of a page, as the file or its log says it; 1 stands for 65,536."""
    said = struct.unpack_from(">H", content, 16)[0] if len(content) >= 18 else 0
    in_log = struct.unpack_from(">I", log, 8)[0] if len(log) >= HEADER_BYTES else 0
    return next((size for size in (65_536 if said == 1 else said, in_log) if size in PAGE_SIZES), USUAL_PAGE_BYTES)


def _without_log(content: bytes, size: int) -> bytes:
    """A database that needs no log, and as many pages as there are in it."""
    alone = bytearray(content[: len(content) // size * size])
    if len(alone) >= size:
        alone[18:20] = b"\1\1"
        alone[28:32] = struct.pack(">I", len(alone) // size)
        alone[92:96] = alone[24:28]
    return bytes(alone)
