"""The physical cards of a simulated table: where each one really lies.

This is the truth that the referee does not know: it sees tags and rulings, the people see these hands. No rule is
applied here; cards move when they are told to.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, NamedTuple

from table_app.rules import Card, Deck, face

Hands = list[list[Card]]


class _Places(NamedTuple):
    """Where all cards lay at one moment, how often the pile had been shuffled by then, and what the record knew."""

    draw_pile: tuple[Card, ...]
    discard_pile: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    shuffles: int
    is_mixed: bool
    missing: int


def all_cards(deck: Deck) -> list[Card]:
    """Every physical card of a deck, each with its copy's number, in a fixed order."""
    return [Card(wanted, copy) for wanted, kind in deck.kinds.items() for copy in range(1, kind.copies + 1)]


class PhysicalCards:
    """A deck at a table. The last card of *draw_pile* and of *discard_pile* is the top one.

    *is_mixed*: the draw pile holds cards that the record has in the discard pile; *missing* is how many more cards the
    record has in the draw pile than lie there. *known_as* are cards that the table takes for another of their equals,
    by what it takes them for. *drawn_for_deal* is the card that somebody drew for the deal last.
    """

    def __init__(self, deck: Deck, seats: int, chance: random.Random) -> None:
        self._chance = chance
        self._cards = all_cards(deck)
        self.draw_pile: list[Card] = list(self._cards)
        self.discard_pile: list[Card] = []
        self.hands: Hands = [[] for _ in range(seats)]
        self.known_as: dict[Card, Card] = {}
        self.drawn_for_deal: Card | None = None
        self.is_mixed = False
        self.missing = 0
        self._shuffles = 0
        self._before: list[_Places] = []

    def remember(self) -> None:
        """Note where everything lies, before something changes; `go_back` returns to it."""
        hands = tuple(tuple(hand) for hand in self.hands)
        piles = tuple(self.draw_pile), tuple(self.discard_pile)
        self._before.append(_Places(*piles, hands, self._shuffles, self.is_mixed, self.missing))

    def go_back(self) -> None:
        """The people put everything back as it lay before the last change; a pile shuffled since stays shuffled.

        Where the deal itself is taken back they lie as they were dealt: they are gathered for the next one anyway.
        """
        if not self._before:
            return
        places = self._before.pop()
        self.draw_pile = list(places.draw_pile)
        self.discard_pile = list(places.discard_pile)
        self.hands = [list(hand) for hand in places.hands]
        self.is_mixed, self.missing = places.is_mixed, places.missing
        if self._shuffles != places.shuffles:
            self.shuffle_in_silence()  # the record has the old discard pile again; nobody can sort the cards out

    def deal(self, cards_each: int, seats: Iterable[int] | None = None) -> None:
        """Gather everything, shuffle, and deal one by one, to these *seats* (None: to all)."""
        order = range(len(self.hands)) if seats is None else list(seats)
        self.draw_pile = list(self._cards)
        self._chance.shuffle(self.draw_pile)
        self.discard_pile = []
        self.is_mixed = False
        self.missing = 0
        self.hands = [[] for _ in self.hands]
        self._before.clear()
        for _ in range(cards_each):
            for seat in order:
                self.draw(seat)

    def gather(self) -> None:
        """Gather everything and shuffle; the cards are dealt one by one, by whoever deals."""
        self.deal(0)

    def give(self, seat: int, cards: Iterable[Card]) -> None:
        """These cards of the draw pile were dealt to *seat*."""
        for card in cards:
            self.draw_pile.remove(card)
            self.hands[seat].append(card)

    def discard(self, cards: Iterable[Card]) -> None:
        """Cards of hands go under the top card."""
        for card in cards:
            for hand in self.hands:
                if card in hand:
                    hand.remove(card)
            self.discard_pile.insert(max(len(self.discard_pile) - 1, 0), card)

    def take_back(self, seat: int) -> None:
        """The top card goes back into a hand."""
        self.hands[seat].append(self.discard_pile.pop())

    def sit_down(self) -> None:
        """One more player, with no cards yet."""
        self.hands.append([])

    def leave(self, seat: int) -> None:
        """A hand goes back under the draw pile."""
        self.draw_pile[:0] = self.hands[seat]
        self.hands[seat] = []

    def draw(self, seat: int) -> None:
        """The top card of the draw pile goes into a hand; nothing, where all cards are in hands."""
        if not self.draw_pile:
            self.shuffle_in_silence()
        if self.draw_pile:
            self.hands[seat].append(self.draw_pile.pop())

    def lay(self, card: Card) -> None:
        """A card goes from wherever it is onto the top of the discard pile."""
        for place in (*self.hands, self.draw_pile, self.discard_pile):
            if card in place:
                place.remove(card)
                self.discard_pile.append(card)
                return

    def put_back(self) -> None:
        """A first card that can't begin goes back into the draw pile, which is shuffled."""
        self._chance.shuffle(self.draw_pile)

    def reshuffle(self, stays: int = 1) -> None:
        """The discard pile but for the *stays* top cards becomes the draw pile; if it did before, the table hears of it
        now."""
        if not self.is_mixed:
            self.shuffle_in_silence(stays)
        self.missing = max(len(self.discard_pile) - stays, 0)
        self.is_mixed = False

    def shuffle_in_silence(self, stays: int = 1) -> None:
        """The discard pile but for its top card goes into the draw pile, and nobody tells the table."""
        self.draw_pile += self.discard_pile[:-stays]
        self._chance.shuffle(self.draw_pile)
        self.discard_pile = self.discard_pile[-stays:]
        self.is_mixed = True
        self._shuffles += 1

    def physical(self, card: Card) -> Card:
        """The card that really lies there where the table names *card*."""
        return self.known_as.get(card, card)

    def holder(self, card: Card) -> int | None:
        """The seat that holds this card; None if nobody does."""
        return next((seat for seat, hand in enumerate(self.hands) if card in hand), None)

    def swap(self, seat: int, other: int) -> None:
        """Two players swap whole hands."""
        self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]

    def pass_on(self, order: list[int]) -> None:
        """Every hand goes to the next seat of *order*, which lists the players in the direction of play."""
        hands = {seat: self.hands[seat] for seat in order}
        for place, seat in enumerate(order):
            self.hands[order[(place + 1) % len(order)]] = hands[seat]

    def deal_hands_anew(self, order: list[int]) -> None:
        """All hands are gathered, shuffled and dealt out again, one by one in this order."""
        gathered = [card for seat in order for card in self.hands[seat]]
        self._chance.shuffle(gathered)
        for seat in order:
            self.hands[seat] = []
        for number, card in enumerate(gathered):
            self.hands[order[number % len(order)]].append(card)

    # -- what survives the power: the cards lie where they lay ------------------------------------------------

    def as_data(self) -> dict[str, Any]:
        """All places, and the ones before, as plain data."""
        self.remember()
        places = [
            [
                _codes(before.draw_pile),
                _codes(before.discard_pile),
                [_codes(hand) for hand in before.hands],
                *before[3:],
            ]
            for before in self._before
        ]
        self._before.pop()
        return {"places": places, "shuffles": self._shuffles, "chance": chance_data(self._chance)}

    def restore(self, data: dict[str, Any]) -> None:
        """Lay everything as `as_data` found it."""
        self._before = [
            _Places(_cards(draw_pile), _cards(discard_pile), tuple(_cards(hand) for hand in hands), *known)
            for draw_pile, discard_pile, hands, *known in data["places"]
        ]
        self._shuffles = data["shuffles"]
        self.go_back()
        restore_chance(self._chance, data["chance"])


def make_chance(seed: int, word: str) -> random.Random:
    """A generator of its own for each thing that chance decides, so that one more draw here moves nothing there."""
    return random.Random(f"{seed} {word}")


def chance_data(chance: random.Random) -> list[Any]:
    """A generator's state as plain data."""
    version, internal, gauss = chance.getstate()
    return [version, list(internal), gauss]


def restore_chance(chance: random.Random, data: list[Any]) -> None:
    """Set *chance* to a state from `chance_data`."""
    version, internal, gauss = data
    chance.setstate((version, tuple(internal), gauss))


def _codes(cards: Iterable[Card]) -> list[str]:
    return [card.code for card in cards]


def _cards(codes: Iterable[str]) -> tuple[Card, ...]:
    return tuple(card_of(code) for code in codes)


def card_of(code: str) -> Card:
    """The physical card that a code with a copy names, such as ``r5#2``."""
    name, _, copy = code.partition("#")
    return Card(face(name, special=True), int(copy or 0))
