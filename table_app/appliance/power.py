"""What there is to say about the plug: files that are lost with it, a weak supply, and when pulling it does no harm.

Facts come from ``hardware.machine``; here they become sentences, each told once. Nothing is measured or written here
but the mark that a weak supply was told.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from hardware.machine import Keeping, Supply
from table_app.rules import Match, Phase
from table_app.rules.messages import Translate, _

# The firmware looks ten times a second; people need to know within a minute.
LOOK_EVERY_MS: Final = 30_000
TOLD_FILE: Final = "undervoltage-told"


WEAK_SUPPLY: Final = _("The power supply is too weak: use the board's own.")


def keeping_warning(keeping: Keeping, directory: Path, translate: Translate) -> str:
    """What a table must say about the place of its record, in two lines of a banner; empty if that place is good."""
    if keeping is Keeping.LOST:
        said = _("Scores are not kept: {directory} lies in memory. Help: sudo lastcard doctor")
        return translate(said).format(directory=directory)
    if keeping is Keeping.READ_ONLY:
        return translate(_("Scores are not kept: {directory} can't be written to.")).format(directory=directory)
    return ""


class SupplyWatch:
    """Tells of a weak supply, once in a machine's run. *run_directory* is emptied by the next start of the machine."""

    def __init__(self, look: Callable[[], Supply], run_directory: Path | None) -> None:
        self._look = look
        self._mark = None if run_directory is None else run_directory / TOLD_FILE
        self._is_told = self._mark is not None and self._mark.exists()
        self._due_ms: int | None = None

    def poll(self, now_ms: int) -> str:
        """A sentence the first time that the supply is seen weak; otherwise nothing."""
        if self._is_told or (self._due_ms is not None and now_ms < self._due_ms):
            return ""
        self._due_ms = now_ms + LOOK_EVERY_MS
        if self._look() not in (Supply.WEAK_NOW, Supply.WEAK_BEFORE):
            return ""
        self._is_told = True
        if self._mark is not None:
            try:
                self._mark.touch()
            except OSError:
                self._mark = None  # told again after a restart of the program; no harm
        return WEAK_SUPPLY


def is_safe_to_switch_off(match: Match, keeping: Keeping, trouble: str, is_busy: bool) -> bool:
    """Whether to say that the plug may be pulled: between rounds, with all on disk, on a disk that keeps it.

    The record is flushed with every action, so that pulling it loses nothing at other times either; then nobody is told
    to, because the round under way would have to be compared with the table.
    """
    is_between = match.phase in (Phase.BETWEEN, Phase.OVER)
    return is_between and is_all_kept(keeping, trouble, is_busy)


def is_all_kept(keeping: Keeping, trouble: str, is_busy: bool) -> bool:
    """Whether all that happened is on a disk that keeps it. *trouble* is why not, *is_busy*: signals still wait."""
    return keeping is Keeping.KEPT and not trouble and not is_busy
