"""What a sticker is, in a word and a sentence, with the cheapest mend: said the same wherever a tag is judged.

Enrolling, writing, reading, the doctor and the table all say what stands here. How a sticker is looked at is
``examining``; which card it is says the tag list. No tag is asked anything here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from hardware.signals import CardLabel
from hardware.tags.iso14443a import Tag

WANTED: Final = "A sticker must be for 13.56 MHz, NTAG21x (213, 215 or 216); one for 125 kHz is never seen here."
"""What is to be said where nothing is seen at all: the commonest wrong purchase can't be told from an empty pad."""

CONTENTS_SHOWN: Final = 80
"""Characters of foreign contents that are named."""


class Condition(StrEnum):
    """What a sticker is, in a word."""

    BLANK = "blank"
    LABELLED = "labelled"
    FOREIGN = "foreign"
    UNINTELLIGIBLE = "unintelligible"
    UNFORMATTED = "unformatted"
    OTHER_FORMAT = "other-format"
    LOCKED = "locked"
    GUARDED = "write-protected"
    SEALED = "read-protected"
    TOO_SMALL = "too-small"
    CLASSIC = "mifare-classic"
    NO_PAGES = "no-pages"
    SMART_CARD = "smart-card"
    CHANGING = "changing-number"


C = Condition

NEVER_CARDS: Final = (C.SMART_CARD, C.CHANGING)
"""What can't be a card, by its number or otherwise."""

_SENTENCES: Final = MappingProxyType(
    {
        C.BLANK: "Nothing stands on it, and it can be written.",
        C.LABELLED: "It says which card it is.",
        C.FOREIGN: "Something else stands on it ({contents}).",
        C.UNINTELLIGIBLE: "What stands on it can't be understood.",
        C.UNFORMATTED: "It was never formatted for messages.",
        C.OTHER_FORMAT: "It is formatted for something else than messages.",
        C.LOCKED: "It is locked for good: nothing more can be written on it.",
        C.GUARDED: "It asks for a password before it is written.",
        C.SEALED: "It asks for a password before it is read.",
        C.TOO_SMALL: "It is too small for a card's name: it has room for {room} bytes.",
        C.CLASSIC: "It is a MIFARE Classic: it is left alone, and known by its number only.",
        C.NO_PAGES: "It is of a kind that holds no pages, and is known by its number only.",
        C.SMART_CARD: "That is a bank card, a pass or a phone, not a card's sticker.",
        C.CHANGING: "That tag has another number each time, as a phone's.",
    }
)
_ENOUGH: Final = "Its number alone is enough for a card here"
_MENDS: Final = MappingProxyType(
    {
        C.FOREIGN: f"{_ENOUGH}; to overwrite what stands there, write with --replace.",
        C.UNINTELLIGIBLE: f"{_ENOUGH}; to overwrite what stands there, write with --replace.",
        C.UNFORMATTED: f"{_ENOUGH}; to have it written, format it with an NFC app on a phone.",
        C.OTHER_FORMAT: f"{_ENOUGH}; to have it written, take another sticker.",
        C.LOCKED: f"{_ENOUGH}; to have it written, take another sticker.",
        C.GUARDED: f"{_ENOUGH}; to have it written, remove the password with the app that set it.",
        C.SEALED: f"{_ENOUGH}; to have it written, remove the password with the app that set it.",
        C.TOO_SMALL: f"{_ENOUGH}; to have it written, take an NTAG213 or larger.",
        C.CLASSIC: f"{_ENOUGH}; to have it written, take an NTAG213 or larger.",
        C.NO_PAGES: f"{_ENOUGH}; to have it written, take an NTAG213 or larger.",
        C.SMART_CARD: "Keep it away and lay the card alone.",
        C.CHANGING: "It can't be a card: take an NTAG sticker.",
    }
)


@dataclass(frozen=True, slots=True)
class Sticker:
    """A tag that was looked at.

    *chip* is its make in words, *message_bytes* its room for messages (None: it has no pages), *contents* what stands
    on it for people, *label* the card it names. *barrier* is why no label can be written on it, None if one can;
    *pages_end* is where the user's pages end, None where the chip is not known.
    """

    uid: bytes
    chip: str
    condition: Condition
    message_bytes: int | None = None
    contents: tuple[str, ...] = ()
    label: CardLabel | None = None
    barrier: Condition | None = None
    pages_end: int | None = None

    @property
    def can_be_card(self) -> bool:
        """True if its number stays the same, which is all that a card needs."""
        return self.condition not in NEVER_CARDS

    @property
    def sentence(self) -> str:
        """What it is."""
        return self._told(self.condition)

    @property
    def mend(self) -> str:
        """The cheapest thing to do about it; empty where nothing is to be done."""
        return _MENDS.get(self.condition, "")

    @property
    def barrier_text(self) -> str:
        """Why no label can be written and the cheapest mend; empty where one can."""
        return "" if self.barrier is None else f"{self._told(self.barrier)} {_MENDS[self.barrier]}"

    def _told(self, condition: Condition) -> str:
        contents = "; ".join(self.contents)[:CONTENTS_SHOWN]
        return _SENTENCES[condition].format(contents=contents, room=self.message_bytes or 0)


_CLASSICS: Final = MappingProxyType({0x08: "MIFARE Classic 1K", 0x09: "MIFARE Classic Mini", 0x18: "MIFARE Classic 4K"})


def known_without_asking(tag: Tag) -> Sticker | None:
    """What *tag* is by its number and SAK alone; None of a Type 2 tag, which has to be asked."""
    if tag.is_smart_card:
        chip = "bank card, pass or phone (ISO/IEC 14443-4)"
        return Sticker(
            tag.uid,
            chip + (", with another number each time" if tag.has_random_uid else ""),
            C.SMART_CARD,
            barrier=C.SMART_CARD,
        )
    if tag.has_random_uid:
        return Sticker(tag.uid, f"unknown kind (SAK {tag.sak:02X}h)", C.CHANGING, barrier=C.CHANGING)
    if tag.is_classic:
        return Sticker(tag.uid, _CLASSICS[tag.sak], C.CLASSIC, barrier=C.CLASSIC)
    if not tag.is_type2:
        return Sticker(tag.uid, f"unknown kind (SAK {tag.sak:02X}h)", C.NO_PAGES, barrier=C.NO_PAGES)
    return None
