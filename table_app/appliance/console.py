"""Keeps the text console beneath the table quiet: no cursor that shines through, no blanking after ten minutes.

Nothing but escape sequences to a terminal. Source: console_codes(4), ESC [ 9 ; n ] and ESC [ 14 ; n ].
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

# Blanking off, power-down off, clear, cursor away.
QUIET: Final = b"\x1b[9;0]\x1b[14;0]\x1b[2J\x1b[H\x1b[?25l"
LOUD: Final = b"\x1b[2J\x1b[H\x1b[?25h"


def quieten(descriptor: int = 0) -> bool:
    """Make the console on *descriptor* quiet; false if it is none."""
    return _write(descriptor, QUIET)


def restore(descriptor: int = 0) -> bool:
    """Clear it and give it its cursor back."""
    return _write(descriptor, LOUD)


def _write(descriptor: int, sequence: bytes) -> bool:
    with suppress(OSError):
        if os.isatty(descriptor):
            # A terminal opened for reading and writing, as systemd gives it; any other refuses, and needs nothing.
            return os.write(descriptor, sequence) == len(sequence)
    return False
