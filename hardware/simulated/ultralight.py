"""The Ultralights among the simulated tags: no version, and no password as an NTAG has one.

What they share with other Type 2 tags is in ``tags``. Sources: MF0ICU1 rev. 3.9, MF0ICU2 rev. 3.0.
"""

from __future__ import annotations

import random

from hardware.simulated.tags import Burst, Type2Tag
from hardware.tags.iso14443a import with_crc


class Ultralight(Type2Tag):
    """MF0ICU1: sixteen pages, no version, no password, and never formatted when it comes from the factory."""

    pages = 16
    user_pages = range(0x04, 0x10)
    has_password = False

    def __init__(self, uid: bytes) -> None:
        super().__init__(uid)
        self.memory[12:16] = bytes(4)

    def _configure(self, start: int) -> None:
        assert start == len(self.memory), "there is nothing behind the user's pages"

    @property
    def first_protected_page(self) -> int:
        return self.pages

    @property
    def is_reading_protected(self) -> bool:
        return False


class UltralightC(Type2Tag):
    """MF0ICU2: 48 pages, no version; its key is asked for by AUTHENTICATE, and can't be read (sheet, 7.5)."""

    pages = 48
    user_pages = range(0x04, 0x28)
    capability = 0x12
    has_password = False

    def _configure(self, start: int) -> None:
        self.memory[start + 8] = 0x30  # AUTH0, page 2Ah

    @property
    def first_protected_page(self) -> int:
        return self.memory[0x2A * 4]

    @property
    def is_reading_protected(self) -> bool:
        return not self.memory[0x2B * 4] & 1

    @property
    def _readable_pages(self) -> int:
        return min(0x2C, super()._readable_pages)

    def _is_locked(self, page: int) -> bool:
        if page < 16 or page >= 0x28:
            return super()._is_locked(page)
        place = (page - 16) // 4
        return bool(self.memory[0x28 * 4] >> (place + 1 + place // 3) & 1)

    def _command(self, frame: bytes, bits: int) -> Burst | None:
        if frame == with_crc(b"\x1a\x00") and bits == 32:
            answer = with_crc(b"\xaf" + random.Random(self.uid).randbytes(8))
            return answer, len(answer) * 8, 0
        return super()._command(frame, bits)
