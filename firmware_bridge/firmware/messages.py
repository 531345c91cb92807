"""Messages as the board reads and writes them; the table is in ``PROTOCOL.md``.

Commands come out as plain tuples, events go in as plain values: a board has no memory for more. What a
message leads to is ``link``'s and ``app``'s business.
"""

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PROTOCOL_LOWEST = 1
PROTOCOL_VERSION = 2

HELLO = 0x01
HOST_ALIVE = 0x02
SOUND = 0x10
SHOW = 0x11
CHANGE = 0x12
RESTART = 0x13
ASK = 0x14
EXCHANGE = 0x15
ANNOUNCE = 0x41
WELCOME = 0x42
REFUSE = 0x43
BOARD_ALIVE = 0x44
DONE = 0x45
LYING = 0x50
PLACED = 0x51
REMOVED = 0x52
SEVERAL = 0x53
DISTURBED = 0x54
PRESSED = 0x55
READER_LOST = 0x56
READER_BACK = 0x57
READER_NOTE = 0x58

RESULT_DONE = 0
RESULT_REFUSED = 1

RESTART_FIRMWARE = 0
RESTART_PROMPT = 1

TOPIC_COUNTERS = 0
TOPIC_READERS = 1
TOPIC_SETTINGS = 2

TONES_MAX = 64
SEATS_MAX = 10
AGE_MS_MAX = 0xFFFF
RADIO_BYTES_MAX = 64
RADIO_TIMEOUT_US_MAX = 12750


def pack(kind: int, session: int, number: int, body: bytes) -> bytes:
    return struct.pack("<BHB", kind, session, number) + body


def unpack(payload: bytes) -> "tuple[int, int, int, bytes]":
    """Return kind, session, number and body."""
    kind, session, number = struct.unpack("<BHB", payload[:4])
    return kind, session, number, payload[4:]


def text(value: str) -> bytes:
    """A text with its length before it, cut where it would be too long."""
    data = value.encode()
    if len(data) > 255:
        data = data[:255]
        while data and data[-1] & 0xC0 == 0x80:  # do not end within a character
            data = data[:-1]
        if data and data[-1] & 0x80:
            data = data[:-1]
    return bytes((len(data),)) + data


def age(age_ms: int) -> bytes:
    return struct.pack("<H", max(0, min(age_ms, AGE_MS_MAX)))


def tag_body(reader: str, uid: bytes, atqa: bytes, sak: int) -> bytes:
    """The body of LYING, PLACED and REMOVED, but for the age, which is added each time it is sent."""
    return text(reader) + bytes((len(uid),)) + uid + atqa + bytes((sak,))


def announce_body(boot: int, firmware: str) -> bytes:
    return struct.pack("<BBI", PROTOCOL_LOWEST, PROTOCOL_VERSION, boot) + text(firmware)


def welcome_body(boot: int, firmware: str, board: str, buttons: int, lamps: int, readers: "list[str]") -> bytes:
    """The body of WELCOME but for its first byte, the version, which the host has its say in."""
    body = struct.pack("<I", boot) + text(firmware) + text(board)
    body += bytes((buttons, lamps, len(readers)))
    for name in readers:
        body += text(name)
    return body


def refuse_body(firmware: str) -> bytes:
    return bytes((PROTOCOL_LOWEST, PROTOCOL_VERSION)) + text(firmware)


def board_alive_body(uptime_s: int, dropped: int) -> bytes:
    return struct.pack("<IH", uptime_s & 0xFFFFFFFF, min(dropped, 0xFFFF))


def command(kind: int, body: bytes) -> "Any":
    """Take a command's or a greeting's body apart; None if it can't be.

    (SOUND, [(hz, on_ms, off_ms), ...]), (SHOW, [seat, ...]), (CHANGE, json), (RESTART, into), (ASK, topic),
    (EXCHANGE, reader, frame, last_bits, answer_bytes, timeout_us), (HELLO, lowest, highest), (HOST_ALIVE,).
    """
    size = len(body)
    if kind == HELLO and size == 2:
        return HELLO, body[0], body[1]
    if kind == HOST_ALIVE and size == 0:
        return (HOST_ALIVE,)
    if kind == SOUND and size % 6 == 0 and size <= 6 * TONES_MAX:
        return SOUND, [struct.unpack("<HHH", body[at : at + 6]) for at in range(0, size, 6)]
    if kind == SHOW and size == 2:
        mask = body[0] | body[1] << 8
        if mask >> SEATS_MAX:
            return None
        return SHOW, [seat for seat in range(SEATS_MAX) if mask >> seat & 1]
    if kind == CHANGE:
        content = _decoded(body)
        return None if content is None else (CHANGE, content)
    if kind == RESTART and size == 1 and body[0] <= RESTART_PROMPT:
        return RESTART, body[0]
    if kind == ASK and size == 1 and body[0] <= TOPIC_SETTINGS:
        return ASK, body[0]
    if kind == EXCHANGE and size:
        return _exchange(body)
    return None


def _decoded(data: bytes) -> "str | None":
    try:
        return data.decode()
    except ValueError:  # UnicodeError, which MicroPython derives from it
        return None


def _exchange(body: bytes) -> "Any":
    at = 1 + body[0]
    reader, frame = _decoded(body[1:at]), body[at + 4 :]
    if reader is None or not 0 < len(frame) <= RADIO_BYTES_MAX:
        return None
    last_bits, answer_bytes, timeout_us = struct.unpack("<BBH", body[at : at + 4])
    if last_bits > 7 or answer_bytes > RADIO_BYTES_MAX:
        return None
    if timeout_us > RADIO_TIMEOUT_US_MAX or (answer_bytes and not timeout_us):
        return None
    return EXCHANGE, reader, frame, last_bits, answer_bytes, timeout_us
