"""Waking, telling apart and selecting one tag by ISO/IEC 14443-3 type A, over any radio.

The board's own source for what the host has in ``hardware/tags/iso14443a.py``. No register and no presence over
time may live here. A radio's reply is a tuple: (ANSWER, data, last_bits), (SILENCE,), (NOISE, reason) or
(COLLISION, bit); ``identify`` returns one of the last three or (TAG, uid, atqa, sak).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ANSWER = 0
SILENCE = 1
NOISE = 2
COLLISION = 3
TAG = 4

REQUEST = b"\x26"
WAKE_UP = b"\x52"
SELECT_CODES = (0x93, 0x95, 0x97)
CASCADE_TAG = 0x88
SAK_CASCADE = 0x04
# A tag answers after 86 or 91 us, and the chip's timer ends with the fifth bit received: 150 us. Twice that
# leaves room for clones.
ANSWER_TIMEOUT_US = 300


def crc_a(data: bytes) -> bytes:
    """CRC_A, low byte first (annex B: start 6363h, polynomial 8408h)."""
    value = 0x6363
    for byte in data:
        byte ^= value & 0xFF
        byte = (byte ^ (byte << 4)) & 0xFF
        value = (value >> 8) ^ (byte << 8) ^ (byte << 3) ^ (byte >> 4)
    return bytes((value & 0xFF, value >> 8))


def with_crc(data: bytes) -> bytes:
    return data + crc_a(data)


HALT_FRAME = with_crc(b"\x50\x00")


def _wake(radio: "Any") -> "Any":
    reply = radio.exchange(WAKE_UP, 7, 2, ANSWER_TIMEOUT_US)
    if reply[0] == ANSWER and (len(reply[1]) != 2 or reply[2]):
        return NOISE, "the answer to a wake-up (ATQA) must have two bytes"
    return reply


def _check_sak(reply: "Any") -> "Any":
    if reply[0] == COLLISION:
        return NOISE, "two answers ran into each other"
    if reply[0] != ANSWER:
        return reply
    data = reply[1]
    if reply[2] or len(data) != 3:
        return NOISE, f"{len(data)} bytes came where 3 were due"
    if crc_a(data[:1]) != data[1:]:
        return NOISE, "the check sum (CRC_A) is wrong"
    return reply


def _select_level(radio: "Any", code: int) -> "Any":
    """Run one cascade level: (TAG, four bytes, sak) or what went wrong."""
    reply = radio.exchange(bytes((code, 0x20)), 0, 5, ANSWER_TIMEOUT_US)
    if reply[0] != ANSWER:
        return reply
    part = reply[1]
    if len(part) != 5 or reply[2]:
        return NOISE, "a piece of a UID must have five bytes"
    if part[0] ^ part[1] ^ part[2] ^ part[3] != part[4]:
        return NOISE, "the check byte of the UID (BCC) is wrong"
    selected = _check_sak(radio.exchange(with_crc(bytes((code, 0x70)) + part), 0, 3, ANSWER_TIMEOUT_US))
    if selected[0] != ANSWER:
        return selected
    return TAG, part[:4], selected[1][0]


def _select(radio: "Any", atqa: bytes) -> "Any":
    """Select the tag that was just woken, through as many levels as its SAK asks for."""
    uid = b""
    for code in SELECT_CODES:
        level = _select_level(radio, code)
        if level[0] == SILENCE:
            return NOISE, "a tag answered and then fell silent"
        if level[0] != TAG:
            return level
        part, sak = level[1], level[2]
        if not sak & SAK_CASCADE:
            return TAG, uid + part, atqa, sak
        if part[0] != CASCADE_TAG:
            return NOISE, "a UID that goes on must begin with 88h"
        uid += part[1:]
    return NOISE, "a UID has three levels at most"


def identify(radio: "Any") -> "Any":
    """Read the UID of the only tag in the field and leave the tag so that the next wake-up finds it."""
    woken = _wake(radio)
    if woken[0] == SILENCE:
        return woken
    if woken[0] == NOISE:
        found = woken
    else:
        found = _select(radio, woken[1] if woken[0] == ANSWER else b"\x00\x00")
    radio.send(HALT_FRAME)
    return found
