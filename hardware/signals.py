"""What a device sensed, and nothing about what it means.

A signal says *what* happened and *when*; which player it concerns and whether it was allowed is decided by
``table_app.table.interpreter`` and ``table_app.rules``. No rule, no player's name and no I/O may live here.

Times are milliseconds on the table's monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass
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
class TagPlaced:
    """A tag came to lie on *reader*; sent once, however long it rests. *uid* has 4, 7 or 10 bytes."""

    at_ms: int
    reader: str
    uid: bytes


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

    Names: ``seat:N`` (the seat's own button, N from 0), ``draw``, ``keep``, ``challenge``, ``undo``,
    ``allow``, ``colour:red`` …, ``uno:N``, ``catch:N`` (N is caught), ``called:N``, ``swap:N``, ``yes``,
    ``no``, ``menu``.
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
