"""What the board runs at its start: the firmware beside it, in the directory ``firmware``."""

import micropython

# First of all: byte 03h is part of frames, and would interrupt this program while the rest of it is read.
micropython.kbd_intr(-1)

from firmware.start import main  # type: ignore[import-not-found]  # noqa: E402  # as it lies on the board

main()
