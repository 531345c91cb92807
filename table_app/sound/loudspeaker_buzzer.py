"""A loudspeaker as a table's buzzer: the same patterns, where no buzzer is wired.

Which cue sounds when is not known here. Opening a sound card may take its time, so that is a step of its own, for
whichever thread has time; until then, and where it fails, the buzzer is silent.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hardware.gpio.tones import ToneSteps
from hardware.ports import Pattern

if TYPE_CHECKING:
    from table_app.sound.loudspeaker import Loudspeaker


class LoudspeakerBuzzer:
    """A :class:`hardware.ports.Buzzer` on the sound card. *problem*, once `open` was called: why nothing is heard."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.problem = ""
        self._is_quiet = quiet
        self._speaker: Loudspeaker | None = None
        self._steps = ToneSteps(self._drive)

    def open(self) -> None:
        """Open the sound card; where that can't be done nothing is heard."""
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would print its version
        try:
            from table_app.sound.loudspeaker import Loudspeaker
        except ImportError as error:
            self.problem = f"Nothing is heard: pygame can't be used here ({error}). Install python3-pygame."
            return
        speaker = Loudspeaker(quiet=self._is_quiet)
        self.problem = speaker.problem
        self._speaker = speaker

    def sound(self, pattern: Pattern, now_ms: int) -> None:
        self._steps.sound(pattern, now_ms)

    def poll(self, now_ms: int) -> None:
        self._steps.poll(now_ms)

    def close(self) -> None:
        """Be silent and give the sound card back; may be called twice."""
        self._steps.silence()
        speaker, self._speaker = self._speaker, None
        if speaker is not None:
            speaker.close()

    def _drive(self, frequency_hz: int | None) -> None:
        if self._speaker is not None:
            self._speaker.pin_changed(frequency_hz)
