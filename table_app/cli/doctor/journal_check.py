"""The record's part of ``lastcard doctor``: whole or not, how much is in it, its copies, its size, and the room left.

It reads and changes nothing; where a damaged record is mended is the start of a table.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hardware.diagnosis.checks import Check, failed, not_checked, passed
from table_app.cli.counted import counted
from table_app.record.archive import open_records
from table_app.record.copies import copies
from table_app.record.errors import StoreDamagedError, StoreError, StoreNewerError
from table_app.record.journal_log import is_gone, read_mark
from table_app.table.opening import end_of

KILOBYTE = 1_000
MEGABYTE = 1_000_000


def journal_check(path: Path) -> Check:
    """Whether the journal at *path* is whole and can be added to."""
    kept = copies(path)
    if not path.exists():
        if is_gone(path, read_mark(path)):
            left = counted(len(kept), "copy is", "copies are")
            fix = "Start the table: it restores what its copies and its log show."
            return failed("journal", f"The record {path} is gone; {left} left.", fix)
        return not_checked("journal", "There is no record yet; the first match makes one.")
    try:
        with open_records(path) as journal:
            matches, played = len(list(journal.matches())), len(journal.played())
            trouble = journal.standing_trouble
            end = "" if journal.is_end_known else f" {end_of(journal)}"
    except StoreNewerError as error:
        return failed("journal", str(error), "Install the newer Last Card, or start the table: it puts that one aside.")
    except StoreDamagedError as error:
        return failed("journal", str(error), "Start the table: it moves the record aside and begins a new one.")
    except StoreError as error:
        return failed("journal", str(error), "Give this user the right to read and write there.")
    if trouble:
        return failed("journal", trouble, "Start the table: it mends the record and keeps the damaged file.")
    if not os.access(path, os.W_OK):
        return failed("journal", f"This user may not write to {path}.", "Give this user the right to write there.")
    state = "can be read" if end else "is whole"
    said = (
        f"{path} {state}: {_matches_text(matches, played)}, "
        f"{counted(len(kept), 'copy', 'copies')}, {_size_text(path.stat().st_size)}; "
        f"{_size_text(shutil.disk_usage(path.parent).free)} are free.{end and ' '}{end}"
    )
    aside = sorted(one.name for word in ("damaged", "newer") for one in path.parent.glob(f"{path.stem}.{word}-*"))
    unusable = [name for name in aside if name.endswith(path.suffix)]
    return passed("journal", f"{said} Put aside earlier: {', '.join(unusable)}." if unusable else said)


def _matches_text(matches: int, begun: int) -> str:
    """How many matches there are, and how many of them wait for their first deal."""
    said = counted(matches, "match", "matches")
    if begun == matches:
        return said
    waiting = "" if matches == 1 else "none of them " if begun == 0 else f"{matches - begun} of them "
    return f"{said}, {waiting}{'' if waiting.startswith('none') else 'not '}begun yet"


def _size_text(size: int) -> str:
    return f"{size // KILOBYTE} kB" if size < MEGABYTE else f"{size // MEGABYTE} MB"
