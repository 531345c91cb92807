"""Lets the match's clocks stand still while nobody is there, and go on when somebody is.

It presses the table's own pause, so that the record, the screen and a start in between know of it as of any other
pause. Who is there is ``idle``'s business; no clock is stopped here.
"""

from __future__ import annotations

from typing import Final

from table_app.appliance.idle import Presence
from table_app.play.state import Pause, TableState

PAUSE: Final = "pause"
GO_ON: Final = "yes"


class Standstill:
    """One table's standing still because it was left alone."""

    def __init__(self) -> None:
        self._is_ours = False

    def press(self, presence: Presence, state: TableState) -> str:
        """The button to press on the table now, if any. A pause that people asked for stays theirs."""
        if presence is Presence.PLAYING:
            is_over = self._is_ours and state.pause is Pause.ASKED
            self._is_ours = False
            return GO_ON if is_over else ""
        if state.pause is not None:
            return ""
        self._is_ours = True
        return PAUSE

    def forget(self) -> None:
        """Another match lies on the table."""
        self._is_ours = False
