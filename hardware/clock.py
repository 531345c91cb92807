"""The real clock for the drivers: the one place in ``hardware`` that asks the operating system for the time.

Virtual time is ``hardware.simulated.clock``; nothing else about devices may live here.
"""

from __future__ import annotations

import time


class SystemClock:
    """A :class:`hardware.ports.Clock` on the system's monotonic clock."""

    def now_us(self) -> int:
        return time.monotonic_ns() // 1000

    def now_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def wait_us(self, duration_us: int) -> None:
        if duration_us > 0:
            time.sleep(duration_us / 1_000_000)
