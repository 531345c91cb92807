"""One look at a sticker: which chip it is, what stands on it, and whether a card's name can be written on it.

It only reads. What is said of what was found is ``sticker``, pages and messages are ``type2``. Sources: NTAG213/215/216
data sheet rev. 3.2 (8.5 locks and capability, 8.8 password), NTAG210/212 rev. 3.1, MF0ULx1 rev. 3.3, MF0ICU2 rev. 3.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hardware.ports import TagRefusedError, Transceiver
from hardware.signals import CardLabel
from hardware.tags.iso14443a import Tag
from hardware.tags.sticker import Condition, Sticker, known_without_asking
from hardware.tags.type2 import (
    FIRST_USER_PAGE,
    MAGIC,
    PAGE_BYTES,
    Area,
    Type2Tag,
    decode_label,
    describe_message,
    encode_label,
    is_understood,
    says_nothing,
)

C = Condition

_TYPICAL: Final = CardLabel("w+4#1", "classic")


def examine(transceiver: Transceiver, found: Tag, wanted: CardLabel = _TYPICAL) -> Sticker:
    """Ask the selected tag all that it tells without a key. Made for a reader's ``talk``; writes nothing.

    :param wanted: the label that is to be written on it, which decides what is too small and which locks matter.
    :raises TagGoneError: if it left.
    """
    known = known_without_asking(found)
    if known is not None:
        return known
    return _Look(Type2Tag(transceiver, found), found.uid, len(encode_label(wanted))).result()


# -- chips -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Chip:
    """Where a chip keeps what decides about it, in pages.

    *pages_end* is the first page behind the user's. *lock_page* holds the dynamic lock bytes, of which bit *n* locks
    *locks[n]*. *auth0* and *access* are the page and byte of the first protected page and of the access bits, of which
    *read_too* in *access_mask* means that reading is protected, too.
    """

    name: str
    pages_end: int
    lock_page: int | None = None
    locks: tuple[range, ...] = ()
    auth0: tuple[int, int] | None = None
    access: tuple[int, int] | None = None
    access_mask: int = 0x80
    read_too: int = 0x80

    @property
    def pages(self) -> int:
        """How many there are: behind AUTH0's come that of the access bits, the password, and the answer to it."""
        return self.auth0[0] + 4 if self.auth0 is not None else self.pages_end


def _steps(first: int, end: int, step: int) -> tuple[range, ...]:
    return tuple(range(page, min(page + step, end)) for page in range(first, end, step))


def _ntag(name: str, pages_end: int, step: int = 0) -> _Chip:
    """A chip of the NTAG21x kind: with dynamic locks of *step* pages a bit behind the user's pages, or none; then AUTH0
    in the last byte of a page and ACCESS in the first of the next."""
    config = pages_end + (1 if step else 0)
    lock_page, locks = (pages_end, _steps(16, pages_end, step)) if step else (None, ())
    return _Chip(name, pages_end, lock_page, locks, (config, 3), (config + 1, 0))


_BY_VERSION: Final = MappingProxyType(
    {
        # Product type, subtype and storage size in the answer to GET_VERSION.
        (0x04, 0x02, 0x0F): _ntag("NTAG213", 0x28, 2),
        (0x04, 0x02, 0x11): _ntag("NTAG215", 0x82, 16),
        (0x04, 0x02, 0x13): _ntag("NTAG216", 0xE2, 16),
        (0x04, 0x04, 0x0F): _ntag("NTAG213F", 0x28, 2),
        (0x04, 0x04, 0x13): _ntag("NTAG216F", 0xE2, 16),
        (0x04, 0x01, 0x0B): _ntag("NTAG210", 0x10),
        (0x04, 0x01, 0x0E): _ntag("NTAG212", 0x24, 2),
        (0x03, 0x01, 0x0B): _ntag("Ultralight EV1", 0x10),
        (0x03, 0x02, 0x0B): _ntag("Ultralight EV1", 0x10),
        (0x03, 0x01, 0x0E): _ntag("Ultralight EV1", 0x24, 2),
        (0x03, 0x02, 0x0E): _ntag("Ultralight EV1", 0x24, 2),
    }
)
_NONE: Final = range(0)
# MF0ICU2, 7.5.3: bits 0 and 4 block the others, which lock four pages each. The NTAG203 has the same.
_C_LOCKS: Final = (
    *(_NONE, range(16, 20), range(20, 24), range(24, 28)),
    *(_NONE, range(28, 32), range(32, 36), range(36, 40)),
)
_ULTRALIGHT_C: Final = _Chip("Ultralight C", 0x28, 0x28, _C_LOCKS, (0x2A, 0), (0x2B, 0), 0x01, 0x00)
_ULTRALIGHT: Final = _Chip("Ultralight", 0x10)
_NTAG203: Final = _Chip("NTAG203", 0x28, 0x28, _C_LOCKS)
_CLONE: Final = _ntag("Type 2 tag without a version (a clone, or older than NTAG213)", 0x28, 2)
"""What is sold for an NTAG213, and has its pages but does not know GET_VERSION."""

_NTAG213_SIZE: Final = 0x12
_LOCKS_END: Final = 0xBD
"""How the dynamic lock bytes of an NTAG21x end (sheet, 8.5.3)."""


# -- looking ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Look:
    """One look at a Type 2 tag, page by page."""

    tag: Type2Tag
    uid: bytes
    wanted_bytes: int
    head: bytes = b""
    chip: _Chip | None = None
    name: str = ""
    first_guarded: int = 256
    is_read_guarded: bool = False
    first_unsure: int = 256
    lock_bits: int = 0

    def _sticker(
        self,
        condition: Condition,
        room: int,
        *,
        barrier: Condition | None,
        contents: tuple[str, ...] = (),
        label: CardLabel | None = None,
    ) -> Sticker:
        pages_end = self.chip.pages_end if self.chip is not None else None
        return Sticker(self.uid, self.name, condition, room, contents, label, barrier, pages_end)

    def result(self) -> Sticker:
        version = self.tag.version()
        head = self.tag.try_read(0)
        if head is None:  # AUTH0 is below 4
            self.chip, self.name = self._by_version(version)
            return self._sticker(C.SEALED, 0, barrier=C.SEALED)
        self.head = head
        self.chip, self.name = self._by_version(version) if version is not None else self._without_version()
        self._read_configuration()
        capability = head[12:]
        if capability[0] != MAGIC:
            condition = self._unformatted(capability)
            return self._sticker(condition, 0, barrier=condition)
        return self._formatted(capability)

    def _unformatted(self, capability: bytes) -> Condition:
        """Bits of page 3 are only ever set, so that a page which is zero can be formatted and most others can't."""
        is_page_3_locked = bool(self.head[10] & 0x08)
        can_be = capability[0] | MAGIC == MAGIC and not is_page_3_locked
        return C.UNFORMATTED if can_be else C.OTHER_FORMAT

    def _formatted(self, capability: bytes) -> Sticker:
        room = capability[2] * PAGE_BYTES * 2
        ends = [self.chip.pages_end] if self.chip is not None else []
        if self.is_read_guarded:
            ends.append(self.first_guarded)
        area = Area(self.tag, capability, max(min(ends), FIRST_USER_PAGE) if ends else None)
        is_cut = self.is_read_guarded and area.size < room
        try:
            there = area.find()
        except TagRefusedError:  # a chip of which nobody knows where it says so
            return self._sticker(C.SEALED, room, barrier=C.SEALED)
        if is_cut and (there.message is None or there.offset >= area.size or not area.size):
            return self._sticker(C.SEALED, room, barrier=C.SEALED)
        barrier = self._barrier(area, there.offset, capability)
        if there.message is None:
            return self._sticker(barrier or C.UNINTELLIGIBLE, room, barrier=barrier)
        label = decode_label(there.message)
        if label is not None:
            return self._sticker(C.LABELLED, room, label=label, barrier=barrier)
        if says_nothing(there.message):
            return self._sticker(barrier or C.BLANK, room, barrier=barrier)
        told = tuple(describe_message(there.message))
        condition = C.FOREIGN if is_understood(there.message) else C.UNINTELLIGIBLE
        return self._sticker(barrier or condition, room, barrier=barrier, contents=told)

    def _barrier(self, area: Area, offset: int, capability: bytes) -> Condition | None:
        """Why the wanted label can't be written at *offset*."""
        needed = offset + 2 + self.wanted_bytes
        if needed > area.size and not (self.is_read_guarded and needed <= capability[2] * 8):
            return C.TOO_SMALL
        end_mark = min(needed, capability[2] * 8 - 1)
        first, last = (FIRST_USER_PAGE + place // PAGE_BYTES for place in (offset, end_mark))
        if not area.is_writable or any(page in range(first, last + 1) for page in self._locked()):
            return C.LOCKED
        return C.GUARDED if last >= min(self.first_guarded, self.first_unsure) else None

    # -- locks and password --------------------------------------------------------------------------------------

    def _locked(self) -> Iterator[int]:
        static = self.head[10] | self.head[11] << 8
        yield from (page for page in range(FIRST_USER_PAGE, 16) if static >> page & 1)
        if self.chip is not None:
            for bit, pages in enumerate(self.chip.locks):
                if self.lock_bits >> bit & 1:
                    yield from pages

    def _read_configuration(self) -> None:
        """AUTH0, the access bits and the dynamic lock bytes, where the chip is known to have them."""
        chip = self.chip
        if chip is None:
            return
        if chip.auth0 is not None and chip.access is not None:
            data = self.tag.try_read(chip.auth0[0])
            if data is None:  # it is behind the password itself, or not there
                self.first_guarded = self._first_unreadable(chip.auth0[0])
                self.is_read_guarded = True
                smaller = self._smaller(self.first_guarded)
                if smaller is not None:
                    self.chip, self.name = smaller, f"sold as {chip.name}, with the pages of an {smaller.name}"
                    self.first_guarded, self.is_read_guarded = 256, False
                    self._read_configuration()
                    return
            else:
                self.first_guarded = data[chip.auth0[1]]
                access = data[(chip.access[0] - chip.auth0[0]) * PAGE_BYTES + chip.access[1]]
                is_any = self.first_guarded < chip.pages_end
                self.is_read_guarded = is_any and access & chip.access_mask == chip.read_too
        if chip.lock_page is not None:
            data = self.tag.try_read(chip.lock_page)
            if data is not None:
                self.lock_bits = data[0] | data[1] << 8
            else:  # behind the password: what they lock is not begun
                self.first_unsure = min((pages.start for pages in chip.locks if pages), default=256)

    def _smaller(self, pages: int) -> _Chip | None:
        """The chip that has so many pages, if this is one: its lock bytes end as they do there."""
        for known in _BY_VERSION.values():
            if known.pages == pages and known.lock_page is not None:
                data = self.tag.try_read(known.lock_page)
                if data is not None and data[3] == _LOCKS_END:
                    return known
        return None

    def _first_unreadable(self, refused: int) -> int:
        """The first page that is not to be read, where *refused* is one of them and page 0 is none."""
        readable = 0
        while refused - readable > 1:
            page = (readable + refused) // 2
            if self.tag.try_read(page) is None:
                refused = page
            else:
                readable = page
        return refused

    # -- which chip ----------------------------------------------------------------------------------------------

    def _by_version(self, version: bytes | None) -> tuple[_Chip | None, str]:
        if version is None:
            return None, "unknown Type 2 tag"
        chip = _BY_VERSION.get((version[2], version[3], version[6]))
        if chip is not None and version[1] == 0x04:
            return chip, chip.name
        if version[2:4] == b"\x04\x05":
            return None, "NTAG I2C"
        name = chip.name if chip is not None else {0x03: "Ultralight", 0x04: "NTAG"}.get(version[2], "Type 2 tag")
        return chip, f"{name} of an unknown maker" if version[1] != 0x04 else f"unknown {name}"

    def _without_version(self) -> tuple[_Chip | None, str]:
        """A chip that does not know GET_VERSION: an Ultralight, an Ultralight C, an NTAG203, or a clone."""
        if self.tag.asks_for_key():
            return _ULTRALIGHT_C, _ULTRALIGHT_C.name
        behind, locks = self.tag.try_read(0x29), self.tag.try_read(0x28)
        is_clone = self.head[14] == _NTAG213_SIZE and (locks is None or locks[3] == _LOCKS_END)
        if is_clone:  # also where a password keeps some of it from being read
            return _CLONE, _CLONE.name
        if behind is None:
            is_small = self.head[14] <= 6 and self.tag.try_read(0x10) is None
            return (_ULTRALIGHT, _ULTRALIGHT.name) if is_small else (None, "Type 2 tag without a version")
        if behind[PAGE_BYTES:] == self.head[: 3 * PAGE_BYTES]:
            return _NTAG203, _NTAG203.name  # page 29h is its last, and reading began anew
        return None, _CLONE.name
