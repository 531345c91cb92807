"""A buzzer's pattern, step by step: which frequency sounds at a given time.

Pure; what makes the sound is told whenever that changes. No pin and no sound card is known here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from hardware.ports import Pattern

# Far more than any pattern has; a longer one is a mistake.
TONES_MAX: Final = 64


class ToneSteps:
    """Moves one pattern on. *drive* is told a frequency in hertz, or None for silence, each time that it changes."""

    def __init__(self, drive: Callable[[int | None], None]) -> None:
        self._tell = drive
        # When each step ends, and what sounds during it: a frequency or None.
        self._steps: deque[tuple[int, int | None]] = deque(maxlen=2 * TONES_MAX)
        self._sounding: int | None = None

    @property
    def next_change_ms(self) -> int | None:
        """When ``poll`` has something to do next; None if it is silent for good."""
        return self._steps[0][0] if self._steps else None

    def sound(self, pattern: Pattern, now_ms: int) -> None:
        """Start *pattern* in place of what is sounding.

        :raises ValueError: if it has more than 64 tones.
        """
        if len(pattern) > TONES_MAX:
            raise ValueError(f"a pattern has at most {TONES_MAX} tones, not {len(pattern)}")
        self._steps.clear()
        end_ms = now_ms
        for tone in pattern:
            end_ms += tone.on_ms
            self._steps.append((end_ms, tone.frequency_hz))
            if tone.off_ms:
                end_ms += tone.off_ms
                self._steps.append((end_ms, None))
        self._drive(None)  # two equal tones after each other are still two
        self.poll(now_ms)

    def poll(self, now_ms: int) -> None:
        """Move the pattern on to *now_ms*."""
        while self._steps and self._steps[0][0] <= now_ms:
            self._steps.popleft()
        self._drive(self._steps[0][1] if self._steps else None)

    def silence(self) -> None:
        """End the pattern."""
        self._steps.clear()
        self._drive(None)

    def _drive(self, frequency_hz: int | None) -> None:
        if frequency_hz != self._sounding:
            self._sounding = frequency_hz
            self._tell(frequency_hz)
