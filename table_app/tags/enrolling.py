"""Putting a name to each tag, card by card: which card is asked for next, and what a tag laid on the pad does.

Pure but for the registry it writes to; terminals, screens and sounds are elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from hardware.signals import DeviceBack, DeviceLost, DeviceNote, ReaderDisturbed, SeveralTags, Signal, TagPlaced
from hardware.tags.iso14443a import Tag
from hardware.tags.sticker import known_without_asking
from table_app.rules import Card, Deck, Face
from table_app.rules.words import face_name
from table_app.tags.registry import EnrolledTag, Registry, uid_text
from table_app.tags.stickers import is_sticker

MAY_BE_TWINS = "If that is another sticker, the two have one number, and only one of them can be used."
"""Said where a number comes for the second time: cheap clones have one number for a whole roll, and nothing in what is
read tells such a sticker from the first one laid again."""


class Outcome(StrEnum):
    """What a signal did to an enrolment."""

    ENROLLED = "enrolled"
    ASKED = "asked"
    REFUSED = "refused"
    TOLD = "told"


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The answer to one signal: *tag* was enrolled, or *text* says why not, or asks what to do."""

    outcome: Outcome
    text: str
    tag: EnrolledTag | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A tag that has a card already: shall it be moved to the card that is asked for?"""

    uid: bytes
    held: EnrolledTag


def card_words(deck: Deck, card: Card) -> str:
    """A card as people say it: ``red 5 (2 of 2)``."""
    kind = deck.kinds[card.face]
    name = face_name(card.face, title=kind.title)
    if is_sticker(card.copy):
        return f"{name} (new tag, one of {kind.copies})"
    return f"{name} ({card.copy} of {kind.copies})" if kind.copies > 1 and card.copy else name


def all_cards(deck: Deck) -> list[Card]:
    """Every card of *deck*, in its order."""
    return [Card(wanted, copy) for wanted, kind in deck.kinds.items() for copy in range(1, kind.copies + 1)]


def missing_words(deck: Deck, missing: Iterable[Card]) -> list[str]:
    """Cards by face, with a number where several are missing: ``red 5``, ``Wild (3)``."""
    counts: dict[Face, int] = {}
    for card in missing:
        counts[card.face] = counts.get(card.face, 0) + 1
    return [
        face_name(wanted, title=deck.kinds[wanted].title) + (f" ({count})" if count > 1 else "")
        for wanted, count in counts.items()
    ]


def new_words(deck: Deck, tags: Collection[EnrolledTag]) -> str:
    """Which cards of *deck* have a new tag of which nobody knows yet which old one it is for; empty if none."""
    faces = [face for face in deck.kinds if any(tag.is_sticker and tag.code == face.code for tag in tags)]
    if not faces:
        return ""
    names = ", ".join(face_name(face, title=deck.kinds[face].title) for face in faces)
    return (
        f"New tags in the place of lost ones: {names}. Which of the equal cards lost its old tag is not known yet; "
        "lastcard cards check finds it."
    )


def unfit_text(signal: TagPlaced) -> str:
    """Why this tag can't be a card's, or nothing: bank cards, phones and passports answer a reader, too."""
    sticker = known_without_asking(Tag(signal.uid, b"", signal.sak or 0))
    return "" if sticker is None or sticker.can_be_card else f"{sticker.sentence} {sticker.mend}"


def device_text(signal: Signal) -> Enrolled | None:
    """What is to be said to a signal that is no tag; None if nothing."""
    match signal:
        case SeveralTags():
            return Enrolled(Outcome.REFUSED, "One card at a time: take them all off and lay one.")
        case ReaderDisturbed():
            return Enrolled(Outcome.REFUSED, "The tag can't be read; lay it flat on the pad again.")
        case DeviceLost(reason=reason):
            return Enrolled(Outcome.REFUSED, reason)
        case DeviceBack():
            return Enrolled(Outcome.TOLD, "The reader answers again.")
        case DeviceNote(text=text):
            return Enrolled(Outcome.TOLD, text)
    return None


class Enrolment:
    """Asks for the cards of a pack that have no tag yet, one after the other, in the deck's order.

    :param pack: which pack, where there are several of this deck.
    :param only: codes (``r5`` with all its copies, ``r5#2``) to ask for, also where they have tags; None: what is
        missing.
    :raises ValueError: if *only* names a card that the deck lacks.
    """

    def __init__(self, registry: Registry, deck: Deck, *, pack: str = "", only: tuple[str, ...] | None = None) -> None:
        self.deck = deck
        self.pack = pack
        self.offer: Offer | None = None
        self._registry = registry
        if only is None:
            self._queue = self.missing()
        else:
            wanted = [code.partition("#") for code in only]
            named = {(deck.face(code).code, copy) for code, _, copy in wanted}
            self._queue = [
                card
                for card in all_cards(deck)
                if (card.face.code, "") in named or (card.face.code, str(card.copy)) in named
            ]
            for code, _, copy in wanted:
                if not any(card.face is deck.face(code) and copy in ("", str(card.copy)) for card in self._queue):
                    raise ValueError(f"the deck {deck.name} has no {code}{'#' if copy else ''}{copy}")
        self._next = 0

    @property
    def asked(self) -> Card | None:
        """The card that is to be laid on the pad now; None when all were asked for."""
        return self._queue[self._next] if self._next < len(self._queue) else None

    @property
    def left(self) -> int:
        """How many cards are still to be asked for, this one included."""
        return len(self._queue) - self._next

    @property
    def can_go_back(self) -> bool:
        return self._next > 0

    @property
    def tags(self) -> int:
        """How many cards of the pack have a tag."""
        return self._registry.count(self.deck.name, self.pack)

    def missing(self) -> list[Card]:
        """The cards of the pack without a tag, in the deck's order."""
        return [Card(self.deck.face(code), copy) for code, copy in self._registry.missing(self.deck, self.pack)]

    def skip(self) -> None:
        """Leave this card as it is and go on to the next."""
        self.offer = None
        self._next = min(self._next + 1, len(self._queue))

    def back(self) -> None:
        """Ask for the card before again; the tag that it has keeps it until another one is laid."""
        self.offer = None
        self._next = max(self._next - 1, 0)

    def take(self, signal: Signal) -> Enrolled | None:
        """What *signal* does; None if nothing need be said.

        :raises StoreError: if the tag list can't be written.
        """
        if not isinstance(signal, TagPlaced):
            return device_text(signal)
        return None if self.asked is None else self._tag(signal, self.asked)

    def answer(self, is_yes: bool) -> Enrolled | None:
        """The person's answer to the offer to move a tag; None if nothing was offered.

        :raises StoreError: if the tag list can't be written.
        """
        offer, self.offer = self.offer, None
        if offer is None or self.asked is None:
            return None
        if not is_yes:
            return Enrolled(Outcome.TOLD, f"It stays {self._name(offer.held)}.")
        return self._put(offer.uid, self.asked)

    def _tag(self, signal: TagPlaced, asked: Card) -> Enrolled:
        self.offer = None
        unfit = unfit_text(signal)
        if unfit:
            return Enrolled(Outcome.REFUSED, unfit)
        held = self._registry.tag(signal.uid)
        if held is None or self._is(held, asked):
            return self._put(signal.uid, asked)
        self.offer = Offer(signal.uid, held)
        moved = f"Move it to the {card_words(self.deck, asked)}?"
        text = f"This tag is the {self._name(held)} already. {MAY_BE_TWINS} {moved}"
        return Enrolled(Outcome.ASKED, text)

    def _put(self, uid: bytes, asked: Card) -> Enrolled:
        """Enrol; a card that is asked for although it has a tag gets the new one instead."""
        tag = self._registry.move(uid, self.deck, asked.face.code, asked.copy, self.pack)
        self._next += 1
        return Enrolled(Outcome.ENROLLED, f"{card_words(self.deck, asked)}: {uid_text(uid)}", tag)

    def _is(self, held: EnrolledTag, card: Card) -> bool:
        return (held.deck, held.pack, held.code, held.copy) == (
            self.deck.name,
            self.pack,
            card.face.code,
            card.copy,
        )

    def _name(self, held: EnrolledTag) -> str:
        if (held.deck, held.pack) == (self.deck.name, self.pack):
            try:
                return card_words(self.deck, Card(self.deck.face(held.code), held.copy))
            except (ValueError, KeyError):  # of a deck that has lost this card since
                return held.name
        return f"{held.name} of the deck {held.deck_text}"
