"""Payloads to typed messages and back; the table in ``PROTOCOL.md`` is this module in words.

Pure: what a message leads to is ``link``'s business, how it travels is ``frames``'. A payload is kind (1
byte), session (2, low byte first), number (1) and the message's own body. Numbers of several bytes are low
byte first; a text is its length in bytes (1) and UTF-8.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

PROTOCOL_VERSION: Final = 1
NO_SESSION: Final = 0
# A phrase of beeps, as long as the buzzer on a Pi's own pins takes; more would be a mistake, not a signal.
TONES_MAX: Final = 64
# Seats at a table, and so lamps and buttons of one board.
SEATS_MAX: Final = 10
UID_BYTES: Final = (4, 7, 10)
TEXT_MAX: Final = 255
AGE_MS_MAX: Final = 0xFFFF


class MessageError(ValueError):
    """A payload with a right check sum whose content can't be: another version, or a fault in a program."""


class Topic(IntEnum):
    """What a board can be asked about."""

    COUNTERS = 0
    READERS = 1
    SETTINGS = 2


class RestartInto(IntEnum):
    """What a board does after a restart."""

    FIRMWARE = 0
    PROMPT = 1
    """MicroPython's prompt, once, with no watchdog: the state in which files can be changed."""


class Result(IntEnum):
    """How a command ended."""

    DONE = 0
    REFUSED = 1


# Host to board.


@dataclass(frozen=True, slots=True)
class Hello:
    """Begin a session: the host speaks any version of the protocol from *lowest* to *highest*."""

    lowest: int = PROTOCOL_VERSION
    highest: int = PROTOCOL_VERSION


@dataclass(frozen=True, slots=True)
class HostAlive:
    """The host is there and has taken every event up to the frame's number."""


@dataclass(frozen=True, slots=True)
class Beep:
    """Sound for *on_ms*, be silent for *off_ms*."""

    frequency_hz: int
    on_ms: int
    off_ms: int = 0


@dataclass(frozen=True, slots=True)
class Sound:
    """Play *beeps* in place of what is sounding; none of them: be silent."""

    beeps: tuple[Beep, ...]


@dataclass(frozen=True, slots=True)
class Show:
    """Light the lamps of *seats* and no others."""

    seats: frozenset[int]


@dataclass(frozen=True, slots=True)
class Change:
    """Change settings on the board: *json* is an object of names and values as in ``settings.json``."""

    json: str


@dataclass(frozen=True, slots=True)
class Restart:
    """Restart the board."""

    into: RestartInto = RestartInto.FIRMWARE


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for a report; its answer is a :class:`Done` whose text is JSON."""

    topic: Topic


# Board to host.


@dataclass(frozen=True, slots=True)
class Announce:
    """The board is there and has no session. *boot* is another number after each start."""

    lowest: int
    highest: int
    boot: int
    firmware: str


@dataclass(frozen=True, slots=True)
class Welcome:
    """The session of the frame has begun, in *protocol*."""

    protocol: int
    boot: int
    firmware: str
    board: str
    buttons: int
    lamps: int
    readers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refuse:
    """The board speaks only *lowest* to *highest*, which the host does not."""

    lowest: int
    highest: int
    firmware: str


@dataclass(frozen=True, slots=True)
class BoardAlive:
    """The board is there. *dropped* counts everything it had to drop since it started, up to 65535."""

    uptime_s: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Done:
    """The command of the frame's number ended; *text* is the report asked for, or why it was refused."""

    result: Result
    text: str = ""


@dataclass(frozen=True, slots=True)
class Lying:
    """What lies on *reader* as a session begins; an empty *uid* is nothing."""

    age_ms: int
    reader: str
    uid: bytes
    atqa: bytes = b"\x00\x00"
    sak: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A tag came to lie on *reader*."""

    age_ms: int
    reader: str
    uid: bytes
    atqa: bytes = b"\x00\x00"
    sak: int = 0


@dataclass(frozen=True, slots=True)
class Removed:
    """The tag that lay on *reader* is gone."""

    age_ms: int
    reader: str
    uid: bytes
    atqa: bytes = b"\x00\x00"
    sak: int = 0


@dataclass(frozen=True, slots=True)
class Several:
    """More than one tag lies on *reader*."""

    age_ms: int
    reader: str


@dataclass(frozen=True, slots=True)
class Disturbed:
    """Something on *reader* answers and can't be understood."""

    age_ms: int
    reader: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """A debounced press; *button* is its logical name."""

    age_ms: int
    button: str


@dataclass(frozen=True, slots=True)
class ReaderLost:
    """*reader* stopped working; *text* says why and what to do."""

    age_ms: int
    reader: str
    text: str


@dataclass(frozen=True, slots=True)
class ReaderBack:
    """*reader* works again."""

    age_ms: int
    reader: str


@dataclass(frozen=True, slots=True)
class ReaderNote:
    """*reader* works, and *text* should be told once."""

    age_ms: int
    reader: str
    text: str


Command = Sound | Show | Change | Restart | Ask
BoardEvent = Lying | Placed | Removed | Several | Disturbed | Pressed | ReaderLost | ReaderBack | ReaderNote
Message = Hello | HostAlive | Command | Announce | Welcome | Refuse | BoardAlive | Done | BoardEvent


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message with the session it belongs to and its number: of a command, an event, or the last one."""

    session: int
    number: int
    message: Message


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
