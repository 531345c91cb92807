"""What the two ends say to each other: one frozen type a message, as listed in ``PROTOCOL.md``.

Types and limits only: how they become bytes is ``payloads``, what they lead to is ``link``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

# Version 2 brought Exchange; a board of version 1 does all the rest.
PROTOCOL_LOWEST: Final = 1
PROTOCOL_VERSION: Final = 2
EXCHANGE_VERSION: Final = 2
NO_SESSION: Final = 0
# A phrase of beeps, as long as the buzzer on a Pi's own pins takes; more would be a mistake, not a signal.
TONES_MAX: Final = 64
# Seats at a table, and so lamps and buttons of one board.
SEATS_MAX: Final = 10
UID_BYTES: Final = (4, 7, 10)
AGE_MS_MAX: Final = 0xFFFF
# The chip's buffer, and the longest time its timer counts to in the steps it is set to (``rc522``).
RADIO_BYTES_MAX: Final = 64
RADIO_TIMEOUT_US_MAX: Final = 12_750


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

    lowest: int = PROTOCOL_LOWEST
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
    """Restart the board; with no session it is obeyed in every version of the protocol."""

    into: RestartInto = RestartInto.FIRMWARE


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for a report; its answer is a :class:`Done` whose text is JSON."""

    topic: Topic


@dataclass(frozen=True, slots=True)
class Exchange:
    """Send *frame* on the air of *reader*; what came back is the text of its :class:`Done`.

    *last_bits* is how many bits of the last byte are sent (0: all eight), *answer_bytes* how long the longest
    answer is (0: nothing answers this frame), *timeout_us* how long the answer's first bit may take. The reader
    does not look by itself for 300 ms after an answer, so that a selected tag stays selected.
    """

    reader: str
    frame: bytes
    last_bits: int = 0
    answer_bytes: int = 0
    timeout_us: int = 0


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


Command = Sound | Show | Change | Restart | Ask | Exchange
BoardEvent = Lying | Placed | Removed | Several | Disturbed | Pressed | ReaderLost | ReaderBack | ReaderNote
Message = Hello | HostAlive | Command | Announce | Welcome | Refuse | BoardAlive | Done | BoardEvent


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message with the session it belongs to and its number: of a command, an event, or the last one."""

    session: int
    number: int
    message: Message
