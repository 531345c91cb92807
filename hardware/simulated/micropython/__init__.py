"""What stands under the real firmware in MicroPython's unix port: pins, bus and clock of a simulated board.

These files run in MicroPython, never in Python; ``hardware/simulated/microcontroller.py`` is their other end.
"""
