"""Copies of the journal beside it: one at each round's end, the newest five kept, for the day when the file is damaged.

Files only: what stands in a journal is `journal`'s business. Source: SQLite, *Online Backup API*.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from table_app.record.errors import StoreDamagedError, StoreError
from table_app.record.files import open_private

COPIES_MAX = 5
"""An evening has more rounds, but a file that was damaged unnoticed for five of them is damaged for good."""

_NAME = re.compile(r"copy-(\d{1,9})")


def copies(path: Path) -> list[Path]:
    """The copies of the database at *path*, the newest first."""
    found = []
    for candidate in path.parent.glob(f"{path.stem}.copy-*{path.suffix}"):
        number = _number(candidate)
        if number is not None and candidate.is_file():
            found.append((number, candidate))
    return [candidate for _number, candidate in sorted(found, reverse=True)]


def _number(copy: Path) -> int | None:
    match = _NAME.fullmatch(copy.stem.rpartition(".")[2])
    return int(match[1]) if match else None


def make_copy(connection: sqlite3.Connection, path: Path, damage_of: Callable[[sqlite3.Connection], str]) -> Path:
    """Copy the open database to the next ``NAME.copy-N.SUFFIX``, and let the oldest beyond `COPIES_MAX` go.

    The copy has its name only once it is whole, as *damage_of* finds, and on the disk, readable by its owner alone.

    :raises StoreDamagedError: if what was copied is damaged; the copies before stay as they are.
    :raises StoreError: if it can't be written.
    """
    known = copies(path)
    newest = _number(known[0]) if known else None
    target = path.with_name(f"{path.stem}.copy-{(newest or 0) + 1}{path.suffix}")
    partial = target.with_name(target.name + ".partial")
    try:
        partial.unlink(missing_ok=True)
        os.close(open_private(partial))
        with closing(sqlite3.connect(partial)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            damage = damage_of(copy)
        if damage:
            partial.unlink()
            raise StoreDamagedError(f"{path} is damaged ({damage}).")
        with partial.open("rb+") as stream:
            os.fsync(stream.fileno())
        partial.replace(target)
        for old in known[COPIES_MAX - 1 :]:
            old.unlink(missing_ok=True)
    except StoreDamagedError:
        raise
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"No copy of {path} could be made ({error}); the record itself goes on.") from error
    return target
