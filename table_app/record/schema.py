"""How the journal lies in its file: tables, versions, checksums, and whether a file is whole.

Statements and sums only; who writes and who reads is in `journal`, what is left of a damaged file in `salvage`.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from table_app.record.errors import UNREADABLE, StoreDamagedError, StoreError

APPLICATION_ID = 0x4C43_4A31
"""``LCJ1``: how `file` and the next start tell a journal from any other database."""

VERSION = 2
"""The `user_version` of a journal that this program writes. 1 had no checksum of a match's head."""

_MATCHES_TRIGGER = """
CREATE TRIGGER matches_are_not_changed BEFORE UPDATE ON matches
    BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END;
"""

SCHEMA = f"""
CREATE TABLE matches (
    match INTEGER PRIMARY KEY,
    header TEXT NOT NULL,
    began_at TEXT NOT NULL,
    after_sequence INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL DEFAULT 0
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
{_MATCHES_TRIGGER}
PRAGMA user_version={VERSION}
"""
"""*after_sequence* is the last entry that was there when the match began; no entry is ever missing in between."""

COLUMNS = "round, kind, line, tag, source, wall_time, boot, checksum"
"""Of an entry, beside its sequence and its match."""

SCANNED_AT_ONCE = 1_000
"""Rows fetched in one go: some hundred kilobytes."""


def checksum(*values: object) -> int:
    """SQLite checks its structure, not what stands in it: a card that forgot a bit must not change a ruling."""
    return zlib.crc32(repr(values).encode("utf-8", "surrogatepass"))


def entry_checksum(match: object, round_number: object, kind: object, line: object) -> int:
    """Of what can change a ruling."""
    return checksum(match, round_number, kind, line)


def match_columns(version: int) -> str:
    """The columns of a match in a journal of this *version*; those that it lacks are NULL."""
    added = "after_sequence, checksum" if version >= VERSION else "NULL, NULL"
    return f"match, header, began_at, {added}"


def version_of(connection: sqlite3.Connection) -> int:
    """The journal's `user_version`."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Give a journal of version 1 what it lacks, all of it or nothing.

    :raises StoreDamagedError: if it is of no version that ever was.
    :raises StoreError: if it can't be written.
    """
    version = version_of(connection)
    if version == VERSION:
        return
    columns = {row[1] for row in connection.execute("PRAGMA table_info(matches)")}
    if version < 1 or "checksum" in columns:
        raise StoreDamagedError("The journal says that it is of another version than it is.")
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DROP TRIGGER matches_are_not_changed")
        for column in ("after_sequence", "checksum"):
            connection.execute(f"ALTER TABLE matches ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0")
        for number, header, began_at in connection.execute("SELECT match, header, began_at FROM matches").fetchall():
            connection.execute(
                "UPDATE matches SET checksum = ?, after_sequence = "
                "(SELECT coalesce(max(sequence), 0) FROM entries WHERE match < ?) WHERE match = ?",
                (checksum(number, header, began_at), number, number),
            )
        connection.execute(_MATCHES_TRIGGER)
        connection.execute(f"PRAGMA user_version={VERSION}")
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise StoreError(f"The journal can't be brought up to date ({error}); look at its permissions.") from error


# -- is it whole? ----------------------------------------------------------------------------------------------


def damage_of(connection: sqlite3.Connection, is_stopped: Callable[[], bool] = lambda: False) -> str:
    """What is wrong with a journal, its structure and each of its rows, in a few words; empty if it is whole.

    It reads the whole file. Once *is_stopped* says so nothing more is looked at, and so nothing more is found.
    """
    try:
        said = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if said != ("ok",):
            return str(said[0]).partition("\n")[0] if said else "it does not answer"
        version = version_of(connection)
        heads = connection.execute(f"SELECT {match_columns(version)} FROM matches").fetchall()
        for head in heads:
            if not is_head(head, version):
                return "the head of a match is not what was written"
        return _damage_of_entries(connection, {head[0] for head in heads}, is_stopped)
    except UNREADABLE as error:
        return str(error)


def _damage_of_entries(connection: sqlite3.Connection, matches: set[int], is_stopped: Callable[[], bool]) -> str:
    last = 0
    while not is_stopped():
        # In pieces: whoever writes meanwhile is not kept from tidying its log up.
        rows = connection.execute(
            f"SELECT sequence, match, {COLUMNS} FROM entries WHERE sequence > ? ORDER BY sequence LIMIT ?",
            (last, SCANNED_AT_ONCE),
        ).fetchall()
        for row in rows:
            last += 1
            if row[0] != last:
                return "a line is missing"
            if not is_entry(row):
                return "a line is not what was written"
            if row[1] not in matches:
                return "a match has no head"
        if len(rows) < SCANNED_AT_ONCE:
            break
    return ""


def is_entry(row: Sequence[Any]) -> bool:
    """True if a row (sequence, match and `COLUMNS`) is as it was written."""
    _sequence, match, round_number, kind, line = row[:5]
    return bool(row[-1] == entry_checksum(match, round_number, kind, line))


def is_head(row: Sequence[Any], version: int) -> bool:
    """True if a row of `match_columns` is as it was written, as far as a journal of this *version* can tell."""
    return version < VERSION or bool(row[-1] == checksum(*row[:3]))
