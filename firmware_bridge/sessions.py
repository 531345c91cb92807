"""Draws the numbers of sessions: at random, none again before 32,767 others, and never one that could stop a board.

What a session is, is ``link``'s; where randomness comes from is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from firmware_bridge.frames import encode_frame
from firmware_bridge.messages import Envelope, Hello
from firmware_bridge.payloads import encode_message

SESSIONS_MAX: Final = 0xFFFF
# MicroPython takes this byte for Ctrl-C while a board starts, and on a board that is not ours for as long as it runs:
# a greeting, which is all that an unknown board ever gets, must not have it.
INTERRUPT: Final = 0x03


def is_harmless(session: int) -> bool:
    """True if no byte of this session's greeting would stop a program in MicroPython."""
    return INTERRUPT not in encode_frame(encode_message(Envelope(session, 0, Hello())))


class Sessions:
    """Call it for the next number, 1 to 65535.

    :param draw: gives any number in that range.
    """

    def __init__(self, draw: Callable[[], int]) -> None:
        self._draw = draw
        self._used: set[int] = set()

    def __call__(self) -> int:
        # Three in a hundred are harmful; with half of them used a program has run for hours of pulled cables.
        if len(self._used) > SESSIONS_MAX // 2:
            self._used.clear()
        while True:
            session = self._draw()
            if session not in self._used and is_harmless(session):
                self._used.add(session)
                return session
