"""The light behind a panel: turned down while nobody looks, and back up. A screen without one in /sys is no error.

Nothing decides here when to do it. Source: Linux, Documentation/ABI/stable/sysfs-class-backlight.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

# Not 0: on some panels that is off, and a table in the dark must still be found.
DIM_SHARE: Final = 0.05


class Backlight:
    """All lights below /sys/class/backlight that this user may write to."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._places = sorted((root / "sys/class/backlight").glob("*"))
        self._before: dict[Path, int] = {}

    def turn_down(self) -> None:
        """Turn every light down, and remember how bright it was; a second time changes nothing."""
        for place in self._places:
            if place in self._before:
                continue
            try:
                now = int((place / "brightness").read_text(encoding="ascii"))
                most = int((place / "max_brightness").read_text(encoding="ascii"))
                low = min(now, max(round(most * DIM_SHARE), 1))
                (place / "brightness").write_text(f"{low}\n", encoding="ascii")
            except (OSError, ValueError):
                continue
            self._before[place] = now

    def turn_up(self) -> None:
        """As it was before; what somebody else changed meanwhile is overwritten."""
        for place, before in list(self._before.items()):
            del self._before[place]
            try:
                (place / "brightness").write_text(f"{before}\n", encoding="ascii")
            except OSError:
                continue
