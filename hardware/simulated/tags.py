"""Tags as ISO/IEC 14443-3 type A state machines: what a sticker or a phone answers to each frame.

A tag knows its own memory and state and nothing about fields, chips or other tags. Frames are bytes with a
count of bits, least significant bit first, without parity. Cards with Crypto1 are ``classic``. Sources: ISO/IEC
14443-3; NTAG213/215/216 data sheet rev. 3.2, sections 8 to 10.
"""

from __future__ import annotations

import random
from enum import Enum
from typing import Final

from hardware.tags.iso14443a import CASCADE_TAG, SAK_CASCADE, SELECT_CODES, crc_a, with_crc

Burst = tuple[bytes, int, int]
"""What a tag sends: data, number of bits, and the extra nanoseconds it takes before it begins."""

REQUEST: Final = 0x26
WAKE_UP: Final = 0x52
ACKNOWLEDGE: Final = 0x0A
NAK_ADDRESS: Final = 0x00
NAK_CHECK_SUM: Final = 0x01
NAK_AUTHENTICATION: Final = 0x04

# EEPROM programming time: a WRITE is answered within 10 ms, typically 4.1 (NTAG sheet, section 10.4).
WRITE_NS: Final = 4_100_000
# From power to the first answer; the standard allows 5 ms, an NTAG needs less than 1.
START_UP_NS: Final = 1_000_000


class State(Enum):
    """Where a tag stands (ISO/IEC 14443-3, figure "PICC type A state diagram")."""

    IDLE = "idle"
    READY = "ready"
    ACTIVE = "active"
    HALT = "halt"


_IDLE, _READY, _ACTIVE, _HALT = State.IDLE, State.READY, State.ACTIVE, State.HALT
HALT_FRAME: Final = with_crc(b"\x50\x00")


def _levels(uid: bytes, sak: int) -> tuple[tuple[bytes, bytes], ...]:
    """For each cascade level, the four UID bytes with their check byte, and the SAK with its CRC."""
    if len(uid) not in (4, 7, 10):
        raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}")
    parts = []
    while len(uid) > 4:
        parts.append(bytes((CASCADE_TAG,)) + uid[:3])
        uid = uid[3:]
    parts.append(uid)
    levels = []
    for number, part in enumerate(parts):
        check = part[0] ^ part[1] ^ part[2] ^ part[3]
        more = number + 1 < len(parts)
        levels.append((part + bytes((check,)), with_crc(bytes((sak | SAK_CASCADE if more else sak,)))))
    return tuple(levels)


class SimulatedTag:
    """A tag with a UID and no commands of its own.

    :param uid: 4, 7 or 10 bytes.
    :param atqa: answer to a request, low byte first.
    :param sak: the final SAK; the cascade bit of earlier levels is added.
    """

    start_up_ns = START_UP_NS

    def __init__(self, uid: bytes, *, atqa: bytes, sak: int) -> None:
        self.uid = uid
        self.atqa = atqa
        self.sak = sak
        self.state = _IDLE
        self._levels = _levels(uid, sak)
        self._level = 0
        self._was_halted = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.uid.hex(' ').upper()} {self.state.value}>"

    def lose_power(self) -> None:
        """Forget everything that isn't in EEPROM: the field is gone."""
        self.state = _IDLE
        self._level = 0
        self._was_halted = False

    def authenticate(self, key_type: int, block: int, key: bytes, uid: bytes, *, encrypted: bool = False) -> bool:
        """Answer a reader's Crypto1 authentication, itself *encrypted* if the reader has a session already; a tag
        that knows none takes it for a broken command."""
        self.receive(with_crc(bytes((key_type, block))), 32, encrypted=encrypted)
        return False

    def receive(self, frame: bytes, bits: int, *, encrypted: bool) -> Burst | None:
        """Take one frame from the reader and return the answer, if there is one."""
        state = self.state
        if encrypted:
            return self._receive_encrypted(frame, bits)
        if bits == 7:
            code = frame[0] & 0x7F
            if (state is _IDLE and code in (REQUEST, WAKE_UP)) or (state is _HALT and code == WAKE_UP):
                self._was_halted = state is _HALT
                self.state = _READY
                self._level = 0
                return self.atqa, 16, 0
            self._rest()
            return None
        if state is _READY:
            return self._receive_ready(frame, bits)
        if state is _ACTIVE:
            if frame == HALT_FRAME:
                self.state = _HALT
                return None
            return self._command(frame, bits)
        return None

    def _rest(self) -> None:
        """Fall back without an answer: to HALT if a wake-up brought the tag out of it, else to IDLE."""
        if self.state is _READY or self.state is _ACTIVE:
            self.state = _HALT if self._was_halted else _IDLE

    def _refuse(self, code: int) -> Burst:
        self._rest()
        return bytes((code,)), 4, 0

    def _receive_ready(self, frame: bytes, bits: int) -> Burst | None:
        part, sak = self._levels[self._level]
        if bits >= 16 and frame[0] == SELECT_CODES[self._level]:
            valid_bits = frame[1]
            if valid_bits == 0x70:
                if bits == 72 and frame[2:7] == part and crc_a(frame[:7]) == frame[7:]:
                    if self._level + 1 < len(self._levels):
                        self._level += 1
                    else:
                        self.state = _ACTIVE
                    return sak, 24, 0
            elif valid_bits == 0x20 and bits == 16:
                return part, 40, 0
            elif (valid_bits >> 4) * 8 + (valid_bits & 0x0F) == bits and bits < 56:
                known = bits - 16
                value = int.from_bytes(part, "little")
                prefix = int.from_bytes(frame[2:], "little")
                if (value ^ prefix) & ((1 << known) - 1) == 0:
                    rest = 40 - known
                    return (value >> known).to_bytes((rest + 7) // 8, "little"), rest, 0
        self._rest()
        return None

    def _receive_encrypted(self, frame: bytes, bits: int) -> Burst | None:
        """Take a frame meant for a tag that has authenticated: to any other it is noise."""
        self._rest()
        return None

    def _command(self, frame: bytes, bits: int) -> Burst | None:
        self._rest()
        return None


class Type2Tag(SimulatedTag):
    """An NTAG or Ultralight: pages of four bytes, read four at a time, written one at a time.

    ``memory`` may be read and set freely by tests and tools; commands obey locks and the password.
    """

    pages = 0
    user_pages = range(0)
    capability = 0x00
    version: bytes | None = None
    factory_data = b""
    has_password = True
    """Its last two pages are the password and the answer to it."""
    lock_step = 0
    """Pages that one bit of the dynamic lock bytes, which are behind the user's pages, locks; 0: there are none."""

    def __init__(self, uid: bytes) -> None:
        super().__init__(uid, atqa=b"\x44\x00", sak=0x00)
        if len(uid) != 7:
            raise ValueError("an NTAG's UID has 7 bytes")
        self.memory = bytearray(self.pages * 4)
        head = uid[:3] + bytes((CASCADE_TAG ^ uid[0] ^ uid[1] ^ uid[2],)) + uid[3:]
        self.memory[:9] = head + bytes((uid[3] ^ uid[4] ^ uid[5] ^ uid[6],))
        self.memory[9] = 0x48
        self.memory[12:16] = bytes((0xE1, 0x10, self.capability, 0x00))
        self.memory[16 : 16 + len(self.factory_data)] = self.factory_data
        self._configure(self.user_pages.stop * 4)
        self.password = b"\xff\xff\xff\xff"
        self.password_answer = b"\x00\x00"
        self._authenticated = False
        self._half_write: int | None = None

    def lose_power(self) -> None:
        super().lose_power()
        self._authenticated = False
        self._half_write = None

    def _configure(self, start: int) -> None:
        """Dynamic lock bytes and configuration as from the factory, from byte *start* on."""
        self.memory[start : start + 12] = b"\x00\x00\x00\xbd\x04\x00\x00\xff\x00\x05\x00\x00"

    @property
    def first_protected_page(self) -> int:
        """AUTH0: from this page on a write needs the password; 255 means none does."""
        return self.memory[(self.user_pages.stop + 1) * 4 + 3]

    @property
    def is_reading_protected(self) -> bool:
        """PROT: a read needs the password, too (sheet, 8.5.7)."""
        return bool(self.memory[(self.user_pages.stop + 2) * 4] & 0x80)

    @property
    def _readable_pages(self) -> int:
        """Reading begins anew at page 0 behind this many; from there on it is refused (sheet, 10.2)."""
        if self.is_reading_protected and not self._authenticated:
            return min(self.pages, self.first_protected_page)
        return self.pages

    def _receive_ready(self, frame: bytes, bits: int) -> Burst | None:
        # The sheet's state diagram: a READ of page 0 is taken in READY 1 and 2 and leads to ACTIVE.
        if frame[:2] == b"\x30\x00" and bits == 32 and crc_a(frame[:2]) == frame[2:]:
            self.state = _ACTIVE
            return self._command(frame, bits)
        return super()._receive_ready(frame, bits)

    def _command(self, frame: bytes, bits: int) -> Burst | None:
        half_write, self._half_write = self._half_write, None
        if bits % 8 or len(frame) < 3 or crc_a(frame[:-2]) != frame[-2:]:
            return self._refuse(NAK_CHECK_SUM)
        body = frame[:-2]
        if half_write is not None:
            return self._write(half_write, body[:4]) if len(body) == 16 else self._refuse(NAK_ADDRESS)
        match body[0], len(body):
            case 0x30, 2:
                return self._read(body[1], body[1] + 3, wrap=True)
            case 0x3A, 3:
                return self._read(body[1], body[2], wrap=False)
            case 0xA2, 6:
                return self._write(body[1], body[2:])
            case 0xA0, 2 if body[1] < self.pages:
                self._half_write = body[1]
                return bytes((ACKNOWLEDGE,)), 4, 0
            case 0x60, 1 if self.version is not None:
                return reply(self.version)
            case 0x3C, 2 if self.version is not None and body[1] == 0x00:
                return reply(random.Random(self.uid).randbytes(32))
            case 0x1B, 5:
                if body[1:] != self.password:
                    return self._refuse(NAK_AUTHENTICATION)
                self._authenticated = True
                return reply(self.password_answer)
            case _:
                return self._refuse(NAK_ADDRESS)

    def _read(self, first: int, last: int, *, wrap: bool) -> Burst:
        readable = self._readable_pages
        if first >= readable or last < first or (last >= readable and not wrap):
            return self._refuse(NAK_ADDRESS)
        data = bytearray()
        for page in range(first, last + 1):
            page %= readable
            data += self.memory[page * 4 : page * 4 + 4]
        return reply(bytes(data))

    def _write(self, page: int, data: bytes) -> Burst:
        if page < 2 or page >= self.pages or self._is_locked(page):
            return self._refuse(NAK_ADDRESS)
        if page >= self.first_protected_page and not self._authenticated:
            return self._refuse(NAK_ADDRESS)
        start = page * 4
        if page == 2:  # only the two lock bytes, and only from 0 to 1
            for offset in (2, 3):
                self.memory[start + offset] |= data[offset]
        elif page == 3:  # one-time programmable
            for offset in range(4):
                self.memory[start + offset] |= data[offset]
        elif self.has_password and page == self.pages - 2:
            self.password = bytes(data)  # reads as zero
        elif self.has_password and page == self.pages - 1:
            self.password_answer = bytes(data[:2])
        else:
            self.memory[start : start + 4] = data
        return bytes((ACKNOWLEDGE,)), 4, WRITE_NS

    def _is_locked(self, page: int) -> bool:
        """The static lock bytes of page 2 cover pages 3 to 15, one bit a page; the dynamic ones what follows (8.5)."""
        if page < 3 or (page > 15 and (not self.lock_step or page >= self.user_pages.stop)):
            return False
        if page <= 15:
            return bool((self.memory[10] | self.memory[11] << 8) >> page & 1)
        dynamic = self.user_pages.stop * 4
        locks = self.memory[dynamic] | self.memory[dynamic + 1] << 8
        return bool(locks >> (page - 16) // self.lock_step & 1)


class Ntag213(Type2Tag):
    """The usual sticker: 144 bytes for the user."""

    pages = 45
    user_pages = range(0x04, 0x28)
    capability = 0x12
    lock_step = 2
    version: bytes | None = b"\x00\x04\x04\x02\x01\x00\x0f\x03"
    factory_data = b"\x01\x03\xa0\x0c\x34\x03\x00\xfe"


class Ntag215(Type2Tag):
    """A sticker with 504 bytes for the user."""

    pages = 135
    user_pages = range(0x04, 0x82)
    capability = 0x3E
    lock_step = 16
    version = b"\x00\x04\x04\x02\x01\x00\x11\x03"
    factory_data = b"\x03\x00\xfe\x00"


class Ntag216(Type2Tag):
    """A sticker with 888 bytes for the user."""

    pages = 231
    user_pages = range(0x04, 0xE2)
    capability = 0x6D
    lock_step = 16
    version = b"\x00\x04\x04\x02\x01\x00\x13\x03"
    factory_data = b"\x03\x00\xfe\x00"


class FudanClone(Ntag213):
    """A sticker sold as NTAG213 (FM11NT021) that refuses GET_VERSION and has no signature."""

    version = None


class Phone(SimulatedTag):
    """A phone or bank card: SAK 20h and a UID drawn anew each time it gets power."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        super().__init__(self._draw_uid(), atqa=b"\x04\x00", sak=0x20)

    def lose_power(self) -> None:
        super().lose_power()
        self.uid = self._draw_uid()
        self._levels = _levels(self.uid, self.sak)

    def _draw_uid(self) -> bytes:
        return b"\x08" + self._random.randbytes(3)


def reply(data: bytes) -> Burst:
    """An answer with its CRC."""
    return with_crc(data), (len(data) + 2) * 8, 0
