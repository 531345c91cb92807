"""Honest people at a table, by seed: they know their hands, play what fits, and press what they do. For tests alone.

They know the truth; the referee does not. What comes of it is compared in the tests.
"""

from __future__ import annotations

import random

from table_app.rules import COLOURS, Card, Phase
from tests.table.rig import Rig

MOVES_MAX = 4_000
"""Acts in a match; an honest one to 200 points takes some hundreds."""


class HonestPeople:
    """Plays whole rounds at *rig* with a shuffled deck."""

    def __init__(self, rig: Rig, seed: int) -> None:
        self.rig = rig
        self.random = random.Random(seed)
        self.draw_pile: list[Card] = []
        self.discard_pile: list[Card] = []
        self.hands: list[list[Card]] = []
        self.colour: str | None = None
        self.taps_twice = False
        """Now and then a card that was laid is tapped again at once; that must count nothing."""

    # -- the truth -----------------------------------------------------------------------------------------

    def take(self, seat: int, count: int = 1) -> None:
        for _ in range(count):
            if not self.draw_pile:
                self.shuffle_again()
            self.hands[seat].append(self.draw_pile.pop())

    def shuffle_again(self) -> None:
        self.draw_pile, self.discard_pile = self.discard_pile[:-1], self.discard_pile[-1:]
        self.random.shuffle(self.draw_pile)
        self.rig.press("reshuffle")

    def fits(self, card: Card) -> bool:
        top = self.discard_pile[-1].face
        if card.face.code == "w+4":
            return not any(held.face.colour == self.colour for held in self.hand if held is not card)
        return card.face.is_wild or card.face.colour == self.colour or (not top.is_wild and card.face.rank == top.rank)

    @property
    def turn(self) -> int:
        seat = self.rig.state.match.turn
        assert seat is not None
        return seat

    @property
    def hand(self) -> list[Card]:
        return self.hands[self.turn]

    # -- acts ----------------------------------------------------------------------------------------------

    def deal(self) -> None:
        rig = self.rig
        self.draw_pile = [card for card in rig.tags.values() if isinstance(card, Card)]
        self.random.shuffle(self.draw_pile)
        self.hands = [[self.draw_pile.pop() for _ in range(7)] for _ in rig.setup.players]
        self.discard_pile = []
        rig.press("deal")
        while rig.state.match.phase is Phase.DEALING:
            card = self.draw_pile.pop()
            rig.tap(card.code)
            if card.face.code == "w+4":
                self.draw_pile.insert(0, card)
            else:
                self.discard_pile.append(card)
        self.colour = self.discard_pile[-1].face.colour

    def act(self) -> None:
        """One act of whoever is waited for."""
        rig = self.rig
        match = rig.state.match
        if match.question is not None:
            self.colour = self.random.choice(COLOURS)
            rig.press(f"colour:{self.colour}")
        elif match.is_owing():
            seat = next(seat for seat, cards in enumerate(match.owes) if cards)
            if not self.draw_pile:
                self.shuffle_again()
            self.take(seat, min(match.owes[seat], len(self.draw_pile)))
            rig.press("draw")
        elif match.drawn is not None:
            drawn = self.hand[-1]
            if self.fits(drawn):
                self.lay(drawn)
            else:
                rig.press("keep")
        else:
            playable = [card for card in self.hand if self.fits(card)]
            if playable:
                self.lay(self.random.choice(playable))
            else:
                self.take(self.turn)
                rig.press("draw")

    def lay(self, card: Card) -> None:
        seat = self.turn
        if len(self.hand) == 2:
            self.rig.press(f"seat:{seat}")
        self.hand.remove(card)
        self.discard_pile.append(card)
        self.colour = card.face.colour
        self.rig.tap(card.code)
        if self.taps_twice and self.random.random() < 0.3:
            before = self.rig.state.match
            self.rig.tap(card.code)
            assert self.rig.state.match is before and self.rig.state.question is None, f"{card.code} counted twice"

    def count(self) -> None:
        """Everybody else's hand is tapped, in the order in which the referee asks."""
        rig = self.rig
        out = rig.state.match.out
        assert out is not None
        number = len(self.hands)
        for step in range(1, number):
            seat = (out + step) % number
            rig.press(f"seat:{seat}")  # whatever time the taps take: this is another hand
            for card in self.hands[seat]:
                rig.tap(card.code)

    def points(self) -> int:
        kinds = self.rig.setup.deck.kinds
        return sum(kinds[card.face].points for hand in self.hands for card in hand)

    def play_round(self) -> int:
        """A whole round; the points that are left in all hands."""
        self.deal()
        for _ in range(MOVES_MAX):
            phase = self.rig.state.match.phase
            if phase is Phase.PLAY or self.rig.state.match.is_owing():
                self.act()
            else:
                break
        points = self.points()
        if self.rig.state.match.phase is Phase.OUT:
            self.count()
        return points


def play_fair_round(people: HonestPeople, seed: int) -> None:
    """One round, in which nothing honest was refused and the winner scored what the others held."""
    rig = people.rig
    before = rig.state.match.scores
    points = people.play_round()
    gained = [after - was for was, after in zip(before, rig.state.match.scores, strict=True)]
    assert sorted(gained)[-1] == points and sum(gained) == points, f"seed {seed}"
    refused = [done.line for done in rig.heard.done if not done.ruling.is_ok]
    assert refused == [], f"seed {seed}"
