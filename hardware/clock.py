"""The real clock for the drivers: the one place in ``hardware`` that asks the operating system for the time.

Virtual time is ``hardware.simulated.clock``; nothing else about devices may live here.
"""

from __future__ import annotations

import ctypes
import sys
import time

# <sys/timex.h>; a clock that nobody has set says that it may be wrong by 16 s or more, as timedatectl reads it.
_TIMEX_BYTES = 256
_MAX_ERROR_AT = 3
_MAX_ERROR_US = 16_000_000


class SystemClock:
    """A :class:`hardware.ports.Clock` on the system's monotonic clock."""

    def now_us(self) -> int:
        return time.monotonic_ns() // 1000

    def now_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    def wait_us(self, duration_us: int) -> None:
        if duration_us > 0:
            time.sleep(duration_us / 1_000_000)


def is_synchronised() -> bool | None:
    """Whether the kernel takes its time of day for set by a server, whichever program did it; None: it doesn't say."""
    if not sys.platform.startswith("linux"):
        return None
    timex = (ctypes.c_long * (_TIMEX_BYTES // ctypes.sizeof(ctypes.c_long)))()  # all zero: it is only asked
    try:
        state = ctypes.CDLL(None).adjtimex(ctypes.byref(timex))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else timex[_MAX_ERROR_AT] < _MAX_ERROR_US
