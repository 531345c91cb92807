"""Stickers as people have them: page by page from files, or made from a blank one, each with what it is.

``stickers/*.txt`` are tag memories, a page a line (``04: 03 03 d0 00``). Nothing is tested here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardware.simulated import (
    FudanClone,
    MifareClassic1K,
    Ntag213,
    Ntag215,
    Ntag216,
    Phone,
    SimulatedTag,
    Ultralight,
    UltralightC,
)
from hardware.simulated.tags import NAK_ADDRESS, Burst, Type2Tag
from hardware.tags.sticker import Condition

C = Condition
UID = bytes.fromhex("045A1BC2776180")
FOLDER = Path(__file__).with_name("stickers")

LINK = bytes.fromhex("D1010C5504") + b"example.org"
VCARD_TEXT = b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nEND:VCARD\r\n"
VCARD = bytes((0xD2, 10, len(VCARD_TEXT))) + b"text/vcard" + VCARD_TEXT
EMPTY_TEXT = bytes.fromhex("D101035402656E")


class Ntag203(UltralightC):
    """The NTAG213's forerunner: the lock bytes of an Ultralight C, a counter behind them, neither key nor password."""

    pages = 42

    def _configure(self, start: int) -> None:
        pass

    @property
    def first_protected_page(self) -> int:
        return self.pages

    @property
    def _readable_pages(self) -> int:
        return self.pages

    def _command(self, frame: bytes, bits: int) -> Burst | None:
        if frame[:1] == b"\x1a":
            return self._refuse(NAK_ADDRESS)
        return super()._command(frame, bits)


def from_file(name: str) -> Ntag213:
    """The NTAG213 whose memory is in this file."""
    lines = [line for line in (FOLDER / f"{name}.txt").read_text().splitlines() if not line.startswith("#")]
    pages = [bytes.fromhex(line.partition(":")[2]) for line in lines]
    uid = pages[0][:3] + pages[1]
    tag = Ntag213(uid)
    assert len(pages) == tag.pages
    tag.memory[:] = b"".join(pages)
    return tag


def holding(message: bytes, make: type[Type2Tag] = Ntag213) -> Type2Tag:
    """A sticker on which an app has written *message*."""
    tag = make(UID)
    tag.memory[16 : 16 + len(message) + 3] = bytes((0x03, len(message))) + message + b"\xfe"
    return tag


def changed(make: type[Type2Tag], *changes: tuple[int, int, bytes]) -> Type2Tag:
    """A new sticker with bytes of its own at (page, byte)."""
    tag = make(UID)
    for page, byte, data in changes:
        tag.memory[page * 4 + byte : page * 4 + byte + len(data)] = data
    return tag


NO_LOCK_CONTROL = (4, 0, b"\x01\x00" * 8)
ADAFRUIT_BLOCK = bytes.fromhex("0103A010440300FE")
"""As one library writes it: pages that are not an NTAG213's (adafruit/Adafruit-PN532, issue 34)."""
FIGURE_DATA = bytes.fromhex("A5001234") + bytes(range(0x40, 0xC8))
IMPLANT = ((2, 2, b"\x0f\x00"), (3, 0, bytes.fromhex("E1126D00")), (4, 0, bytes.fromhex("0300FE00")))
"""As people posted it: an NTAG216 locked against locking, its capability of version 1.2."""
NEW_ULTRALIGHT_CAPABILITY = (3, 0, bytes.fromhex("E1100600"))

STICKERS: dict[str, tuple[Callable[[], SimulatedTag], Condition]] = {
    "erased by a phone": (lambda: from_file("erased-by-a-phone"), C.BLANK),
    "wiped": (lambda: from_file("wiped"), C.BLANK),
    "never formatted": (lambda: from_file("never-formatted"), C.UNFORMATTED),
    "password from page 4": (lambda: from_file("password-from-page-4"), C.SEALED),
    "new NTAG213": (lambda: Ntag213(UID), C.BLANK),
    "new NTAG215": (lambda: Ntag215(UID), C.BLANK),
    "new NTAG216": (lambda: Ntag216(UID), C.BLANK),
    "new clone": (lambda: FudanClone(UID), C.BLANK),
    "wiped NTAG216": (lambda: changed(Ntag216, (4, 0, bytes(888))), C.BLANK),
    "several empty records": (lambda: holding(b"\xd0\x00\x00"), C.BLANK),
    "a text of nothing": (lambda: holding(EMPTY_TEXT), C.BLANK),
    "a link of nothing": (lambda: holding(bytes.fromhex("D101015500")), C.BLANK),
    "a link": (lambda: holding(LINK), C.FOREIGN),
    "a visiting card": (lambda: holding(VCARD), C.FOREIGN),
    "a link, and locked": (lambda: _locked_link(), C.LOCKED),
    "marked read-only": (lambda: changed(Ntag213, (3, 3, b"\x0f")), C.LOCKED),
    "static locks": (lambda: changed(Ntag213, (2, 2, b"\xf0\xff")), C.LOCKED),
    "one page locked": (lambda: changed(Ntag213, (2, 3, b"\x04")), C.LOCKED),
    "dynamic locks of an NTAG213": (lambda: changed(Ntag213, (0x28, 0, b"\x01")), C.LOCKED),
    "dynamic locks of an NTAG215": (lambda: changed(Ntag215, (4, 0, b"\x00" * 8), (0x82, 0, b"\x01")), C.LOCKED),
    "dynamic locks far behind": (lambda: changed(Ntag213, (0x28, 1, b"\x0f")), C.BLANK),
    "only locks against locking": (lambda: changed(Ntag213, (2, 2, b"\x0f"), (3, 1, b"\x12")), C.BLANK),
    "written with a password": (lambda: changed(Ntag213, (0x29, 3, b"\x04")), C.GUARDED),
    "read with a password": (lambda: changed(Ntag213, (0x29, 3, b"\x04"), (0x2A, 0, b"\x80")), C.SEALED),
    "all with a password": (lambda: changed(Ntag213, (0x29, 3, b"\x00"), (0x2A, 0, b"\x80")), C.SEALED),
    "written with a password, from page 0": (lambda: changed(Ntag216, (0xE3, 3, b"\x00")), C.GUARDED),
    "a clone read with a password": (lambda: changed(FudanClone, (0x29, 3, b"\x04"), (0x2A, 0, b"\x80")), C.SEALED),
    "a password far behind": (lambda: changed(Ntag213, (0x29, 3, b"\x20")), C.BLANK),
    "read with a password far behind": (lambda: changed(Ntag213, (0x29, 3, b"\x20"), (0x2A, 0, b"\x80")), C.GUARDED),
    "read with a password from page 10": (lambda: changed(Ntag213, (0x29, 3, b"\x0a"), (0x2A, 0, b"\x80")), C.GUARDED),
    "a link across that page": (lambda: _link_behind_a_password(), C.SEALED),
    "only the configuration with a password": (lambda: changed(Ntag213, (0x29, 3, b"\x29")), C.BLANK),
    "a length beyond the end": (lambda: changed(Ntag213, (4, 0, b"\x03\xfa\xd1\x01")), C.UNINTELLIGIBLE),
    "a block beyond the end": (lambda: changed(Ntag213, (4, 0, b"\xfd\xff\xff\xff")), C.UNINTELLIGIBLE),
    "a message of noise": (lambda: holding(b"\xff\xff\xff"), C.UNINTELLIGIBLE),
    "noise throughout": (lambda: changed(Ntag213, (4, 0, b"\xa5" * 144)), C.UNINTELLIGIBLE),
    "a figure's": (lambda: changed(Ntag215, (3, 0, bytes.fromhex("F110FFEE"))), C.OTHER_FORMAT),
    "never formatted, and page 3 locked": (lambda: changed(Ntag213, (2, 2, b"\x08"), (3, 0, bytes(4))), C.OTHER_FORMAT),
    "new Ultralight": (lambda: Ultralight(UID), C.UNFORMATTED),
    "formatted Ultralight": (lambda: changed(Ultralight, NEW_ULTRALIGHT_CAPABILITY), C.TOO_SMALL),
    "new Ultralight C": (lambda: UltralightC(UID), C.BLANK),
    "Ultralight C with its key from page 4": (lambda: changed(UltralightC, (0x2A, 0, b"\x04")), C.SEALED),
    "Ultralight C written with its key": (
        lambda: changed(UltralightC, (0x2A, 0, b"\x04"), (0x2B, 0, b"\x01")),
        C.GUARDED,
    ),
    "dynamic locks of an Ultralight C": (
        lambda: changed(UltralightC, (4, 0, b"\x01\x00" * 8), (0x28, 0, b"\x02")),
        C.LOCKED,
    ),
    "an old NTAG203": (lambda: Ntag203(UID), C.BLANK),
    "dynamic locks of an NTAG203": (lambda: changed(Ntag203, (4, 0, b"\x00" * 12), (0x28, 0, b"\x02")), C.LOCKED),
    "a lock control block of another size": (lambda: changed(Ntag213, (4, 0, ADAFRUIT_BLOCK)), C.BLANK),
    "an implant with a password on all": (
        lambda: changed(Ntag216, *IMPLANT, (0xE3, 0, b"\x04\x00\x00\x00")),
        C.GUARDED,
    ),
    "an implant with a password taken away": (
        lambda: changed(Ntag216, *IMPLANT, (0xE3, 0, b"\x04\x00\x00\xe3")),
        C.BLANK,
    ),
    "a toy's, with data and no message": (lambda: changed(Ntag213, (4, 0, FIGURE_DATA)), C.UNINTELLIGIBLE),
    "Classic 1K": (lambda: MifareClassic1K(UID[:4]), C.CLASSIC),
    "a phone": (lambda: Phone(1), C.SMART_CARD),
    "a number that changes": (lambda: SimulatedTag(b"\x08\x01\x02\x03", atqa=b"\x04\x00", sak=0x00), C.CHANGING),
    "another kind": (lambda: SimulatedTag(UID, atqa=b"\x44\x00", sak=0x10), C.NO_PAGES),
}
"""Every sticker that is to be told apart, by what people would call it."""


def _locked_link() -> Type2Tag:
    tag = holding(LINK)
    tag.memory[10:12] = b"\xf0\xff"
    return tag


def _link_behind_a_password() -> Type2Tag:
    tag = holding(LINK + b"/a-rather-long-way")
    tag.memory[16:18] = bytes((0x03, 29))
    tag.memory[0x29 * 4 + 3] = 0x06
    tag.memory[0x2A * 4] = 0x80
    return tag
