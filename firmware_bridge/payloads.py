"""Typed messages to payloads and back; the tables in ``PROTOCOL.md`` are this module in words.

Pure: what a message leads to is ``link``'s business, how it travels is ``frames``'. A payload is kind (1
byte), session (2), number (1) and the message's own body. Numbers of several bytes are low byte first; a
text is its length in bytes (1) and UTF-8.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final

from firmware_bridge.messages import (
    RADIO_BYTES_MAX,
    RADIO_TIMEOUT_US_MAX,
    SEATS_MAX,
    TONES_MAX,
    UID_BYTES,
    Announce,
    Ask,
    Beep,
    BoardAlive,
    BoardEvent,
    Change,
    Disturbed,
    Done,
    Envelope,
    Exchange,
    Hello,
    HostAlive,
    Lying,
    Message,
    MessageError,
    Placed,
    Pressed,
    ReaderBack,
    ReaderLost,
    ReaderNote,
    Refuse,
    Removed,
    Restart,
    RestartInto,
    Result,
    Several,
    Show,
    Sound,
    Topic,
    Welcome,
)

TEXT_MAX: Final = 255


class _Body:
    """Takes a body apart from the front."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def take(self, size: int) -> bytes:
        piece = self._data[self._at : self._at + size]
        if len(piece) != size:
            raise MessageError("the message ends too early")
        self._at += size
        return piece

    def text(self) -> str:
        return _decoded(self.take(self.number(1)))

    def rest(self) -> bytes:
        return self.take(len(self._data) - self._at)

    def end(self) -> None:
        if self._at != len(self._data):
            raise MessageError("the message goes on behind its end")


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise MessageError("a text is not UTF-8") from error


def _text(text: str) -> bytes:
    data = text.encode()
    if len(data) > TEXT_MAX:
        raise ValueError(f"a text has at most {TEXT_MAX} bytes")
    return bytes((len(data),)) + data


def _take_beeps(body: _Body) -> tuple[Beep, ...]:
    data = body.rest()
    if len(data) % 6 or len(data) > TONES_MAX * 6:
        raise MessageError("a tone has six bytes, and there are at most 64")
    return tuple(Beep(*values) for values in struct.iter_unpack("<HHH", data))


def _take_uid(body: _Body, *, may_be_empty: bool) -> bytes:
    uid = body.take(body.number(1))
    if len(uid) not in UID_BYTES and (uid or not may_be_empty):
        raise MessageError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}")
    return uid


def _take_seats(body: _Body) -> frozenset[int]:
    mask = body.number(2)
    if mask >> SEATS_MAX:
        raise MessageError(f"there are {SEATS_MAX} seats at most")
    return frozenset(seat for seat in range(SEATS_MAX) if mask >> seat & 1)


def _exchange_fault(exchange: Exchange) -> str | None:
    """Why no chip could do this; None if one can."""
    if not 0 < len(exchange.frame) <= RADIO_BYTES_MAX:
        return f"a frame on the air has 1 to {RADIO_BYTES_MAX} bytes"
    if not 0 <= exchange.last_bits <= 7:
        return "of the last byte 0 (all) to 7 bits are sent"
    if not 0 <= exchange.answer_bytes <= RADIO_BYTES_MAX:
        return f"an answer has at most {RADIO_BYTES_MAX} bytes"
    if not (1 if exchange.answer_bytes else 0) <= exchange.timeout_us <= RADIO_TIMEOUT_US_MAX:
        return f"an answer is waited for 1 to {RADIO_TIMEOUT_US_MAX} us"
    return None


def _take_exchange(body: _Body) -> Exchange:
    reader, last_bits, answer_bytes, timeout_us = body.text(), body.number(1), body.number(1), body.number(2)
    exchange = Exchange(reader, body.rest(), last_bits, answer_bytes, timeout_us)
    fault = _exchange_fault(exchange)
    if fault is not None:
        raise MessageError(fault)
    return exchange


def _take_readers(body: _Body) -> tuple[str, ...]:
    return tuple(body.text() for _ in range(body.number(1)))


def _tag(kind: type[Lying] | type[Placed] | type[Removed], may_be_empty: bool) -> Callable[[_Body], Message]:
    return lambda body: kind(
        body.number(2), body.text(), _take_uid(body, may_be_empty=may_be_empty), body.take(2), body.number(1)
    )


# Kind, and how its body is taken apart. 01h to 3Fh go to the board, 41h to 7Fh come from it.
_DECODERS: Final[dict[int, Callable[[_Body], Message]]] = {
    0x01: lambda body: Hello(body.number(1), body.number(1)),
    0x02: lambda body: HostAlive(),
    0x10: lambda body: Sound(_take_beeps(body)),
    0x11: lambda body: Show(_take_seats(body)),
    0x12: lambda body: Change(_decoded(body.rest())),
    0x13: lambda body: Restart(RestartInto(body.number(1))),
    0x14: lambda body: Ask(Topic(body.number(1))),
    0x15: _take_exchange,
    0x41: lambda body: Announce(body.number(1), body.number(1), body.number(4), body.text()),
    0x42: lambda body: Welcome(
        body.number(1),
        body.number(4),
        body.text(),
        body.text(),
        body.number(1),
        body.number(1),
        _take_readers(body),
    ),
    0x43: lambda body: Refuse(body.number(1), body.number(1), body.text()),
    0x44: lambda body: BoardAlive(body.number(4), body.number(2)),
    0x45: lambda body: Done(Result(body.number(1)), _decoded(body.rest())),
    0x50: _tag(Lying, may_be_empty=True),
    0x51: _tag(Placed, may_be_empty=False),
    0x52: _tag(Removed, may_be_empty=False),
    0x53: lambda body: Several(body.number(2), body.text()),
    0x54: lambda body: Disturbed(body.number(2), body.text()),
    0x55: lambda body: Pressed(body.number(2), body.text()),
    0x56: lambda body: ReaderLost(body.number(2), body.text(), body.text()),
    0x57: lambda body: ReaderBack(body.number(2), body.text()),
    0x58: lambda body: ReaderNote(body.number(2), body.text(), body.text()),
}


def _body(message: Message) -> tuple[int, bytes]:  # one case a message, and nothing else
    match message:
        case Hello(lowest, highest):
            return 0x01, bytes((lowest, highest))
        case HostAlive():
            return 0x02, b""
        case Sound(beeps):
            if len(beeps) > TONES_MAX:
                raise ValueError(f"a pattern has at most {TONES_MAX} tones, not {len(beeps)}")
            return 0x10, b"".join(struct.pack("<HHH", b.frequency_hz, b.on_ms, b.off_ms) for b in beeps)
        case Show(seats):
            if any(not 0 <= seat < SEATS_MAX for seat in seats):
                raise ValueError(f"seats are counted from 0 to {SEATS_MAX - 1}")
            return 0x11, sum(1 << seat for seat in seats).to_bytes(2, "little")
        case Change(json):
            return 0x12, json.encode()
        case Restart(into):
            return 0x13, bytes((into,))
        case Ask(topic):
            return 0x14, bytes((topic,))
        case Exchange(reader, frame, last_bits, answer_bytes, timeout_us):
            fault = _exchange_fault(message)
            if fault is not None:
                raise ValueError(fault)
            return 0x15, _text(reader) + struct.pack("<BBH", last_bits, answer_bytes, timeout_us) + frame
        case Announce(lowest, highest, boot, firmware):
            return 0x41, struct.pack("<BBI", lowest, highest, boot) + _text(firmware)
        case Welcome(protocol, boot, firmware, board, buttons, lamps, readers):
            head = struct.pack("<BI", protocol, boot) + _text(firmware) + _text(board)
            names = b"".join(_text(name) for name in readers)
            return 0x42, head + bytes((buttons, lamps, len(readers))) + names
        case Refuse(lowest, highest, firmware):
            return 0x43, bytes((lowest, highest)) + _text(firmware)
        case BoardAlive(uptime_s, dropped):
            return 0x44, struct.pack("<IH", uptime_s, dropped)
        case Done(result, text):
            return 0x45, bytes((result,)) + text.encode()
        case _:
            return _event_body(message)


_TAG_KINDS: Final = {Lying: 0x50, Placed: 0x51, Removed: 0x52}
_PLAIN_KINDS: Final = {Several: 0x53, Disturbed: 0x54, ReaderBack: 0x57}
_TEXT_KINDS: Final = {ReaderLost: 0x56, ReaderNote: 0x58}


def _event_body(event: BoardEvent) -> tuple[int, bytes]:
    age = event.age_ms.to_bytes(2, "little")
    match event:
        case Lying() | Placed() | Removed():
            uid = bytes((len(event.uid),)) + event.uid
            return _TAG_KINDS[type(event)], age + _text(event.reader) + uid + event.atqa + bytes((event.sak,))
        case Pressed(_, button):
            return 0x55, age + _text(button)
        case ReaderLost() | ReaderNote():
            return _TEXT_KINDS[type(event)], age + _text(event.reader) + _text(event.text)
        case Several() | Disturbed() | ReaderBack():
            return _PLAIN_KINDS[type(event)], age + _text(event.reader)


def encode_message(envelope: Envelope) -> bytes:
    """Return the payload of *envelope*.

    :raises ValueError: if a field can't be sent: a seat that does not exist, too many tones.
    """
    try:
        kind, body = _body(envelope.message)
        return struct.pack("<BHB", kind, envelope.session, envelope.number) + body
    except (struct.error, OverflowError) as error:
        raise ValueError(f"a field of {type(envelope.message).__name__} is out of its range") from error


def decode_message(payload: bytes) -> Envelope:
    """Return what *payload* says.

    :raises MessageError: if its kind is not known, or it is shorter or longer than its kind.
    """
    kind, session, number = struct.unpack_from("<BHB", payload)
    decoder = _DECODERS.get(kind)
    if decoder is None:
        raise MessageError(f"there is no message of kind {kind:02X}h")
    body = _Body(payload[4:])
    try:
        message = decoder(body)
    except MessageError:
        raise
    except ValueError as error:  # an enumeration without that value
        raise MessageError(str(error)) from error
    body.end()
    return Envelope(session, number, message)
