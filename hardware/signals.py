"""What a device sensed, and nothing about what it means.

A signal says *what* happened and *when*; which player it concerns and whether it was allowed is decided by
``table_app.play.interpreter`` and ``table_app.rules``. No rule, no player's name and no I/O may live here.

Times are milliseconds on the table's monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Source(StrEnum):
    """Where a press came from; it never changes what the press means."""

    BUTTON = "button"
    TOUCH = "touch"
    KEYBOARD = "keyboard"
    TAG = "tag"
    PHONE = "phone"
    SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class CardLabel:
    """What is written on a tag: a card's code (``r7``, or ``r7#2`` for one of several) and the name of its deck."""

    code: str
    deck: str

    def __post_init__(self) -> None:
        if not self.code or not self.code.isprintable() or " " in self.code:
            raise ValueError(f"{self.code!r} is no card's code")
        if not self.deck.strip() or not self.deck.isprintable():
            raise ValueError(f"{self.deck!r} is no deck's name")


@dataclass(frozen=True, slots=True)
class TagPlaced:
    """A tag came to lie on *reader*; sent once, however long it rests. *uid* has 4, 7 or 10 bytes.

    *sak* is the kind of tag it says it is (ISO/IEC 14443-3, 6.4.3.4), None where the reader does not tell; *label* is
    what is written on it, where that was read. *lay_there*: the reader found it when it began to look, so that nobody
    knows when it was laid. None of these tells two signals apart.
    """

    at_ms: int
    reader: str
    uid: bytes
    sak: int | None = field(default=None, compare=False)
    label: CardLabel | None = field(default=None, compare=False)
    lay_there: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class TagRemoved:
    """The tag that lay on *reader* is gone."""

    at_ms: int
    reader: str
    uid: bytes


@dataclass(frozen=True, slots=True)
class SeveralTags:
    """More than one tag is in the field of *reader*; which ones is not guessed."""

    at_ms: int
    reader: str


@dataclass(frozen=True, slots=True)
class ReaderDisturbed:
    """Something answers on *reader* but can't be understood for longer than the tracker tolerates."""

    at_ms: int
    reader: str


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """One press, debounced. *button* is a logical name; a GPIO button, a touch and a key send the same.

    Names, N being a seat from 0: ``seat:N`` (the seat's own button), ``give:N`` (the last card was N's), ``deal``,
    ``draw``, ``keep``, ``challenge``, ``finds:guilty`` and ``finds:innocent``, ``undo``, ``allow``, ``reshuffle``,
    ``colour:red`` …, ``uno:N``, ``catch:N`` (N is caught), ``called:N``, ``swap:N``, ``yes``, ``no``, ``again``,
    ``menu``, ``quit``.
    """

    at_ms: int
    button: str
    source: Source = Source.BUTTON


@dataclass(frozen=True, slots=True)
class CardPicked:
    """A card named by hand on the screen (no reader, or a dead sticker). *code* is a face code, ``r5``."""

    at_ms: int
    code: str
    source: Source = Source.TOUCH


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """*device* stopped answering; *reason* is a sentence for people."""

    at_ms: int
    device: str
    reason: str


@dataclass(frozen=True, slots=True)
class DeviceBack:
    """*device* answers again."""

    at_ms: int
    device: str


@dataclass(frozen=True, slots=True)
class DeviceNote:
    """*device* works, and something about it should be told once: a clone chip, say. *text* is a sentence."""

    at_ms: int
    device: str
    text: str


Signal = (
    TagPlaced
    | TagRemoved
    | SeveralTags
    | ReaderDisturbed
    | ButtonPressed
    | CardPicked
    | DeviceLost
    | DeviceBack
    | DeviceNote
)
