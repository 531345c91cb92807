"""The RC522: its driver, its registers, its ways over SPI. What a tag says is ``hardware.tags``."""
