"""Last Card's firmware for a microcontroller, in MicroPython.

This directory goes onto the board as it is. It has sources of its own, and nothing of the host's code is
imported here: MicroPython has no dataclasses, no typing and little memory. ``vectors.json`` holds both to
the same behaviour.
"""

FIRMWARE_VERSION = "1.2.0"
