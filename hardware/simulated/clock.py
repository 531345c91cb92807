"""Virtual time: a clock that moves only when somebody spends time on it.

One clock is shared by a simulated table and its chip, so that bus and air time count. No real time may live
here.
"""

from __future__ import annotations

from typing import Final

# Later than anything that happens.
NEVER_NS: Final = 1 << 62


class VirtualClock:
    """A :class:`hardware.ports.Clock` that starts at 0 and never waits.

    ``now_ns`` is a plain attribute because the simulated chip reads and moves it at every transfer.
    """

    __slots__ = ("now_ns",)

    def __init__(self, now_ms: int = 0) -> None:
        self.now_ns = now_ms * 1_000_000

    def now_us(self) -> int:
        return self.now_ns // 1000

    def now_ms(self) -> int:
        return self.now_ns // 1_000_000

    def wait_us(self, duration_us: int) -> None:
        if duration_us > 0:
            self.now_ns += duration_us * 1000

    def advance_to_ms(self, now_ms: int) -> None:
        """Move on to *now_ms*; a moment that has passed already changes nothing."""
        self.now_ns = max(self.now_ns, now_ms * 1_000_000)
