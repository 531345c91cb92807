"""The line from MicroPython to the simulated world outside: pins, bus and time live there.

A request is its kind (1 byte), which pins are outputs (4), their levels (4), its length (2) and its content;
the answer is the time in microseconds (8), the levels of all inputs (4), a length (2) and content, all low
byte first.
"""

import os
import struct

TRANSFER = 0x58  # X: one SPI transfer
WAIT = 0x57  # W: let so many microseconds pass
TONE = 0x42  # B: pin, frequency, duty
WATCHDOG = 0x44  # D: milliseconds; nothing: fed; no answer
RESET = 0x52  # R: restart the board
INTERRUPT = 0x49  # I: the byte that interrupts the program, or -1; no answer
PROMPT = 0x50  # P: the board is at its prompt, where no time passes

_descriptor = int(os.getenv("LASTCARD_WORLD"))
real_time = os.getenv("LASTCARD_REAL_TIME") == "1"
_line = open(_descriptor, "rb+", 0)  # noqa: SIM115  # open as long as the program runs

driven = 0
outputs = 0
inputs = 0xFFFFFFFF
now_us = 0


def tell(kind: int, content: bytes = b"") -> None:
    """Send what has no answer."""
    _line.write(struct.pack("<BIIH", kind, driven, outputs, len(content)) + content)


def request(kind: int, content: bytes = b"") -> bytes:
    global now_us, inputs
    tell(kind, content)
    head = _read(14)
    now_us, inputs, length = struct.unpack("<QIH", head)
    return _read(length)


def set_output(pin: int, level: int) -> None:
    global driven, outputs
    driven |= 1 << pin
    if level:
        outputs |= 1 << pin
    else:
        outputs &= ~(1 << pin)


def _read(size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = _line.read(size - len(data))
        if not piece:  # the world is gone, and so is the board's power
            raise SystemExit
        data += piece
    return data
