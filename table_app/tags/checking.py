"""Going through a pack of cards with tags, in any order: which were tapped, which twice, which are strangers.

Pure; nothing is written. The tag list is given as it was at the start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from hardware.signals import Signal, TagPlaced
from table_app.rules import Card, Deck, Face
from table_app.tags.enrolling import MAY_BE_TWINS, Enrolled, Outcome, all_cards, card_words, device_text, unfit_text
from table_app.tags.registry import EnrolledTag, card_of_label, uid_text

STRANGERS_MAX = 1_000
"""Unknown tags remembered to be listed in the end; nobody taps more."""


class Settled(NamedTuple):
    """What is known now of the tags of a *face*: which cards the *new* ones are, and which ones are *lost*."""

    face: Face
    new: list[EnrolledTag]
    lost: list[bytes]


class PackCheck:
    """Ticks off the cards of one pack of *deck* by the tags that are laid. *tags* is the whole list, by UID."""

    def __init__(self, tags: Mapping[bytes, EnrolledTag], deck: Deck, pack: str = "") -> None:
        self.deck = deck
        self.pack = pack
        self.doubles: list[str] = []
        self.strangers: dict[bytes, str] = {}
        self._tags = tags
        self._seen: set[bytes] = set()

    @property
    def seen(self) -> int:
        """How many different cards of the pack were tapped."""
        return len(self._seen)

    @property
    def is_complete(self) -> bool:
        return not self.missing() and not self.strangers

    def missing(self) -> list[Card]:
        """The cards that were not tapped, those without a tag included, in the deck's order."""
        seen = {(self._tags[uid].code, self._tags[uid].copy) for uid in self._seen}
        new = Counter(self._tags[uid].code for uid in self._seen if self._tags[uid].is_sticker)
        missing = []
        for card in all_cards(self.deck):
            if (card.face.code, card.copy) in seen:
                continue
            if new[card.face.code]:
                new[card.face.code] -= 1  # it is there, with its new tag
            else:
                missing.append(card)
        return missing

    def settled(self) -> list[Settled]:
        """The faces with new tags of which all cards were tapped: which of their tags were lost is known now."""
        found = []
        tags = [tag for tag in self._tags.values() if (tag.deck, tag.pack) == (self.deck.name, self.pack)]
        for face, kind in self.deck.kinds.items():
            of_face = [tag for tag in tags if tag.code == face.code]
            seen = [tag for tag in of_face if tag.uid in self._seen]
            if len(seen) != kind.copies or not any(tag.is_sticker for tag in of_face):
                continue
            free = [copy for copy in range(1, kind.copies + 1) if copy not in [tag.copy for tag in seen]]
            new = [replace(tag, copy=free.pop(0)) for tag in seen if tag.is_sticker]
            found.append(Settled(face, new, [tag.uid for tag in of_face if tag.uid not in self._seen]))
        return found

    def take(self, signal: Signal) -> Enrolled | None:
        """What is to be said to *signal*; None if nothing."""
        return self._tag(signal) if isinstance(signal, TagPlaced) else device_text(signal)

    def _tag(self, signal: TagPlaced) -> Enrolled:
        tag = self._tags.get(signal.uid)
        if tag is None or (tag.deck, tag.pack) != (self.deck.name, self.pack):
            return self._stranger(signal, tag)
        try:
            words = card_words(self.deck, Card(self.deck.face(tag.code), tag.copy))
        except (ValueError, KeyError):  # of a deck that has lost this card since
            return self._stranger(signal, tag)
        if signal.uid in self._seen:
            if words not in self.doubles:
                self.doubles.append(words)
            return Enrolled(Outcome.TOLD, f"{words}: tapped before. {MAY_BE_TWINS}", tag)
        self._seen.add(signal.uid)
        written = None if signal.label is None else card_of_label(signal.label, self.deck)
        if written is not None and (written.face.code, written.copy or tag.copy) != (tag.code, tag.copy):
            text = (
                f"{words}; written on it is {card_words(self.deck, written)}: write it anew with lastcard cards write"
            )
            return Enrolled(Outcome.REFUSED, text, tag)
        return Enrolled(Outcome.ENROLLED, words, tag)

    def _stranger(self, signal: TagPlaced, tag: EnrolledTag | None) -> Enrolled:
        what = unfit_text(signal)
        if not what and tag is not None:
            what = f"{tag.name} of the deck {tag.deck_text}"
        if not what and signal.label is not None:
            what = f"not in the list; written on it is {signal.label.code} of the deck {signal.label.deck}"
        what = what or "not in the list"
        if len(self.strangers) < STRANGERS_MAX:
            self.strangers[signal.uid] = what
        return Enrolled(Outcome.REFUSED, f"{uid_text(signal.uid)}: {what}")
