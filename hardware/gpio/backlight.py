"""The light behind a panel: turned down while nobody looks, and back up. A screen without one in /sys is no error.

How bright it was is kept in a file while it is down: a program that dies in the dark would else take the dark for the
light. Nothing decides here when to do it. Source: Linux, Documentation/ABI/stable/sysfs-class-backlight.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Final

# Not 0: on some panels that is off, and a table in the dark must still be found.
DIM_SHARE: Final = 0.05
BEFORE_FILE: Final = "backlight-before"
# A name and a number for each panel; what is longer was not written here.
_BEFORE_CHARACTERS_MAX: Final = 4096


class Backlight:
    """All lights below /sys/class/backlight that this user may write to.

    :param run_directory: outlives a crash of the program but not a start of the machine; None keeps nothing.
    """

    def __init__(self, root: Path = Path("/"), run_directory: Path | None = None) -> None:
        self._places = sorted((root / "sys/class/backlight").glob("*"))
        self._file = None if run_directory is None else run_directory / BEFORE_FILE
        self._before = self._left_behind()

    def _left_behind(self) -> dict[Path, int]:
        """How bright the lights were that a program before this one turned down and never up."""
        if self._file is None:
            return {}
        try:
            with self._file.open(encoding="utf-8") as stream:
                found = json.loads(stream.read(_BEFORE_CHARACTERS_MAX))
        except (OSError, ValueError, RecursionError):
            return {}
        known = found if isinstance(found, dict) else {}
        # true is a number to Python.
        return {place: now for place in self._places if type(now := known.get(place.name)) is int and now >= 0}

    def _keep(self) -> None:
        if self._file is None:
            return
        with suppress(OSError):  # without the file a crash in the dark is only not mended
            if self._before:
                brightness = {place.name: before for place, before in self._before.items()}
                self._file.write_text(json.dumps(brightness), encoding="utf-8")
            else:
                self._file.unlink(missing_ok=True)

    def turn_down(self) -> None:
        """Turn every light down, and remember how bright it was; a second time changes nothing."""
        for place in self._places:
            if place in self._before:
                continue
            try:
                now = int((place / "brightness").read_text(encoding="ascii"))
                most = int((place / "max_brightness").read_text(encoding="ascii"))
                low = min(now, max(round(most * DIM_SHARE), 1))
                self._before[place] = now
                self._keep()
                (place / "brightness").write_text(f"{low}\n", encoding="ascii")
            except (OSError, ValueError):
                if self._before.pop(place, None) is not None:
                    self._keep()

    def turn_up(self) -> None:
        """As it was before; what somebody else changed meanwhile is overwritten."""
        if not self._before:
            return
        for place, before in self._before.items():
            with suppress(OSError):
                (place / "brightness").write_text(f"{before}\n", encoding="ascii")
        self._before = {}
        self._keep()
