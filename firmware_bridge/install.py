"""Puts the firmware onto a board and finds out how a board is doing, for ``lastcard firmware``.

Placeholder for the moment.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_SOURCES: Final = Path(__file__).with_name("firmware")


def firmware_files() -> dict[str, bytes]:
    """The files of a board by their path there; ``main.py``, which starts the rest, comes last."""
    files = {
        f"firmware/{path.name}": path.read_bytes() for path in sorted(_SOURCES.glob("*.py")) if path.name != "main.py"
    }
    return {**files, "main.py": (_SOURCES / "main.py").read_bytes()}
