"""The one room of ``table_app`` that asks the system for the time; everything else is told what time it is."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def now_ms() -> int:
    """Milliseconds on a clock that never jumps, from a moment that changes with each boot."""
    return time.monotonic_ns() // 1_000_000


def wall_time() -> str:
    """The time of day as the system believes it to be, ISO 8601 in UTC; on a Pi without a network it may be wrong."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def boot_id(path: Path = BOOT_ID) -> str:
    """What tells this start of the machine from another; empty where the system does not say."""
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
