"""Waking, telling apart and selecting one tag by ISO/IEC 14443-3 type A, over any Transceiver.

Pure protocol: frames out, typed outcomes back. No register, no bus, no clock and no presence over time may
live here; those are ``rc522`` and ``tracker``. What a tag holds is ``type2``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware.ports import Answer, Collision, Noise, Reply, Silence, Transceiver

REQUEST: Final = b"\x26"  # REQA: wakes a tag that is idle
WAKE_UP: Final = b"\x52"  # WUPA: wakes a halted one too
SHORT_FRAME_BITS: Final = 7
SELECT_CODES: Final = (0x93, 0x95, 0x97)  # SEL of cascade levels 1, 2 and 3
CASCADE_TAG: Final = 0x88
SAK_CASCADE: Final = 0x04  # the UID is not complete yet
SAK_ISO_14443_4: Final = 0x20  # bank cards, phones, passports
RANDOM_UID: Final = 0x08  # first byte of a single-size UID that changes each time (ISO/IEC 14443-3, 6.5.4)

# A tag answers these three 86 or 91 µs after the last bit (frame delay time, exact by the standard), and the
# chip's timer ends with the fifth bit received: 150 µs. Twice that leaves room for clones.
ANSWER_TIMEOUT_US: Final = 300

Outcome = Answer | Silence | Noise | Collision


@dataclass(frozen=True, slots=True)
class Tag:
    """A selected tag: its whole *uid* (4, 7 or 10 bytes), *atqa* as sent (low byte first) and final *sak*."""

    uid: bytes
    atqa: bytes
    sak: int

    @property
    def has_random_uid(self) -> bool:
        """True if the UID is drawn anew each time the tag gets power, as with phones and bank cards."""
        return len(self.uid) == 4 and self.uid[0] == RANDOM_UID

    @property
    def is_smart_card(self) -> bool:
        """True for tags that speak ISO/IEC 14443-4: bank cards, phones, passports, never a card's sticker."""
        return bool(self.sak & SAK_ISO_14443_4)

    @property
    def is_type2(self) -> bool:
        """True for NTAG and Ultralight stickers (SAK 00h)."""
        return self.sak == 0x00

    @property
    def is_classic(self) -> bool:
        """True for MIFARE Classic, read by UID only (SAK 08h, 09h or 18h)."""
        return self.sak in (0x08, 0x09, 0x18)


Found = Tag | Silence | Noise | Collision


def _crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
        table.append(value)
    return tuple(table)


_CRC_TABLE: Final = _crc_table()


def crc_a(data: bytes) -> bytes:
    """Return the CRC_A of *data*, low byte first (ISO/IEC 14443-3 annex B: start 6363h, polynomial 8408h)."""
    value = 0x6363
    for byte in data:
        value = (value >> 8) ^ _CRC_TABLE[(value ^ byte) & 0xFF]
    return bytes((value & 0xFF, value >> 8))


def with_crc(data: bytes) -> bytes:
    """Return *data* with its CRC_A behind it."""
    return data + crc_a(data)


HALT_FRAME: Final = with_crc(b"\x50\x00")  # HLTA


def check_crc(reply: Reply, length: int) -> Answer | Silence | Noise:
    """Strip and check the CRC_A of a reply that must hold *length* bytes before it."""
    if isinstance(reply, Collision):
        return Noise("two answers ran into each other")
    if not isinstance(reply, Answer):
        return reply
    if reply.last_bits or len(reply.data) != length + 2:
        return Noise(f"{len(reply.data)} bytes came where {length + 2} were due")
    if crc_a(reply.data[:-2]) != reply.data[-2:]:
        return Noise("the check sum (CRC_A) is wrong")
    return Answer(reply.data[:-2])


def wake(transceiver: Transceiver, *, halted_too: bool = True) -> Outcome:
    """Send WUPA, or REQA if *halted_too* is false, and return the two bytes of ATQA.

    Two kinds of tag at once collide here already; that is no outcome yet, for ``select`` tells more.
    """
    reply = transceiver.exchange(
        WAKE_UP if halted_too else REQUEST,
        last_bits=SHORT_FRAME_BITS,
        answer_bytes=2,
        timeout_us=ANSWER_TIMEOUT_US,
    )
    if isinstance(reply, Answer) and (len(reply.data) != 2 or reply.last_bits):
        return Noise("the answer to a wake-up (ATQA) must have two bytes")
    return reply


def _select_level(transceiver: Transceiver, code: int) -> tuple[bytes, int] | Silence | Noise | Collision:
    """Run one cascade level; return its four UID bytes and the SAK."""
    reply = transceiver.exchange(bytes((code, 0x20)), answer_bytes=5, timeout_us=ANSWER_TIMEOUT_US)
    if not isinstance(reply, Answer):
        return reply
    part = reply.data
    if len(part) != 5 or reply.last_bits:
        return Noise("a piece of a UID must have five bytes")
    if part[0] ^ part[1] ^ part[2] ^ part[3] != part[4]:
        return Noise("the check byte of the UID (BCC) is wrong")
    selected = check_crc(
        transceiver.exchange(with_crc(bytes((code, 0x70)) + part), answer_bytes=3, timeout_us=ANSWER_TIMEOUT_US),
        1,
    )
    if not isinstance(selected, Answer):
        return selected
    return part[:4], selected.data[0]


def select(transceiver: Transceiver, atqa: bytes) -> Found:
    """Select the tag that was just woken, through as many cascade levels as its SAK asks for.

    Whether the UID goes on is told by the SAK's cascade bit alone: single-size UIDs may begin with 88h.
    A collision means several tags; which ones is not guessed. Silence after an answer is noise: the tag left.
    """
    uid = b""
    for code in SELECT_CODES:
        level = _select_level(transceiver, code)
        if isinstance(level, Silence):
            return Noise("a tag answered and then fell silent")
        if not isinstance(level, tuple):
            return level
        part, sak = level
        if not sak & SAK_CASCADE:
            return Tag(uid + part, atqa, sak)
        if part[0] != CASCADE_TAG:
            return Noise("a UID that goes on must begin with 88h")
        uid += part[1:]
    return Noise("a UID has three levels at most")


def activate(transceiver: Transceiver, *, halted_too: bool = True) -> Found:
    """Wake and select the only tag in the field; it is then ready for commands."""
    woken = wake(transceiver, halted_too=halted_too)
    if isinstance(woken, Silence | Noise):
        return woken
    return select(transceiver, woken.data if isinstance(woken, Answer) else b"")


def halt(transceiver: Transceiver) -> None:
    """Send HLTA. A selected tag rests until the next WUPA; one that was half selected falls back to idle."""
    transceiver.send(HALT_FRAME)


def identify(transceiver: Transceiver) -> Found:
    """Read the UID of the only tag in the field and leave the tag so that the next wake-up finds it."""
    found = activate(transceiver)
    if not isinstance(found, Silence):
        halt(transceiver)
    return found
