"""What the board runs at its start: the firmware beside it, in the directory ``firmware``."""

from firmware.app import main  # type: ignore[import-not-found]

main()
