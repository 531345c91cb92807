"""What the board runs at its start: the firmware beside it, in the directory ``firmware``."""

from firmware.start import main  # type: ignore[import-not-found]  # as it lies on the board

main()
