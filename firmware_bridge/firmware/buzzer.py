"""A pattern of tones played in time: patterns and times in, frequency or silence out. Pure; no pin here."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Buzzer:
    """``drive`` is called with a frequency in hertz, or 0 for silence, whenever that changes."""

    def __init__(self, drive: "Any") -> None:
        self._drive = drive
        self._steps: list[tuple[int, int]] = []  # (when it ends, frequency), at most two for each of 64 tones
        self._sounding = 0

    def sound(self, tones: "list[tuple[int, int, int]]", now_ms: int) -> None:
        """Play *tones*, (hz, on_ms, off_ms) each, in place of what is sounding."""
        self._steps.clear()
        end_ms = now_ms
        for frequency_hz, on_ms, off_ms in tones:
            end_ms += on_ms
            self._steps.append((end_ms, frequency_hz))
            if off_ms:
                end_ms += off_ms
                self._steps.append((end_ms, 0))
        self._set(0)
        self.poll(now_ms)

    def poll(self, now_ms: int) -> None:
        while self._steps and self._steps[0][0] <= now_ms:
            self._steps.pop(0)
        self._set(self._steps[0][1] if self._steps else 0)

    def _set(self, frequency_hz: int) -> None:
        if frequency_hz != self._sounding:
            self._sounding = frequency_hz
            self._drive(frequency_hz)
