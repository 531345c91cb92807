"""Simulated people: what they decide to do with their hands, from what everybody at the table can see and hear.

They look at their own cards and listen to the referee; they don't know what the referee knows. Decisions only: moving
cards and pressing buttons is done by `table_app.demo.scene`. All chance comes from one seeded generator.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from table_app.demo.cards import PhysicalCards
from table_app.rules import Card, Colour, Effect, Match, Phase, waits


@dataclass(frozen=True, slots=True)
class Manner:
    """How somebody plays; each is a chance from 0 to 1.

    *forgets* to call, *bluffs* with a Wild Draw Four, *challenges* one, *slips*: lays a card that does not fit.
    """

    word: str
    forgets: float = 0.0
    bluffs: float = 0.0
    challenges: float = 0.3
    slips: float = 0.0


HONEST = Manner("honest", challenges=0.25)
FORGETFUL = Manner("forgetful", forgets=0.7, slips=0.06)
BLUFFING = Manner("bluffing", bluffs=0.9, challenges=0.6, forgets=0.1)
CLUMSY = Manner("clumsy", slips=0.2, forgets=0.3)
MANNERS = (HONEST, FORGETFUL, BLUFFING, CLUMSY)
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gita", "Hugo", "Ida", "Jan")


class Place(NamedTuple):
    """Lay these cards on the pad, hold them there, lift them again."""

    cards: tuple[Card, ...]
    hold_ms: int


class Press(NamedTuple):
    """Press a button; the name is that of `hardware.signals.ButtonPressed`."""

    button: str


class Gesture(NamedTuple):
    """One thing that hands do, *wait_ms* after the one before."""

    wait_ms: int
    deed: Place | Press


@dataclass(slots=True)
class Mischief:
    """What somebody at the screen asked for, to be done at the next chance."""

    wrong_card: bool = False
    forget_uno: bool = False
    bluff: bool = False


HOLD_MS = 320
"""How long a hand holds a card on the pad: about what people do when nothing tells them to hurry."""

THINK_MS = (450, 900)
PRESS_MS = (300, 550)
SHOW_HOLD_MS = 220
SHOW_GAP_MS = (240, 320)
"""Between two cards of a hand that is shown: the reader must see the pad empty in between."""


@dataclass(slots=True)
class People:
    """Everybody at the table. *human* is the seat that somebody at the screen plays, if any."""

    cards: PhysicalCards
    manners: tuple[Manner, ...]
    chance: random.Random
    human: int | None = None
    mischief: Mischief = field(default_factory=Mischief)
    has_slipped: bool = False

    def notice(self, before: Match, after: Match) -> None:
        """People follow the play: with the turn a slip is forgotten."""
        if before.turn != after.turn or before.phase is not after.phase:
            self.has_slipped = False

    # -- deciding ---------------------------------------------------------------------------------------------

    def plan(self, match: Match) -> list[Gesture]:
        """What hands do next, from what is awaited; nothing if it is the human's turn to do something."""
        for player, word in self._awaited(match):
            seat = match.seat_of(player) if player is not None else None
            if seat is not None and seat == self.human and word != "show":
                continue  # theirs to do; but a hand that is counted is shown by whoever sits beside
            planned = self._plan_for(match, seat, word)
            if planned:
                return planned
        return []

    def _awaited(self, match: Match) -> list[tuple[str | None, str]]:
        """What is awaited, one entry for each seat that has to do something, the most pressing first."""
        awaited = list(waits(match))
        words = [word for _, word in awaited]
        if "challenge" in words:
            return [wait for wait in awaited if wait[1] == "challenge"]
        return awaited

    def _plan_for(self, match: Match, seat: int | None, word: str) -> list[Gesture]:
        if seat is None:
            return self._plan_table(match, word)
        if word in ("play", "draw", "keep") and match.owes[seat]:
            return [self._press("draw")]
        if word in ("play", "draw", "keep"):
            return self._plan_turn(match, seat)
        if word == "colour":
            return [self._press(f"colour:{self._best_colour(seat)}")]
        if word == "challenge":
            return self._plan_challenge(match, seat)
        if word == "show":
            return self._show_hand(seat, match)
        if word == "swap":
            others = match.from_left_of(seat)
            fewest = min(others, key=lambda other: len(self.cards.hands[other]))
            return [self._press(f"swap:{fewest}")]
        return []

    def _plan_table(self, match: Match, word: str) -> list[Gesture]:
        if word == "deal":
            return [Gesture(self._between(THINK_MS), Press("deal"))]
        if word == "start":
            return self._tap(self.cards.draw_pile[-1])
        if word == "reshuffle":
            needed = match.is_owing() or match.draw_pile == 0
            return [self._press("reshuffle")] if needed and match.phase in (Phase.PLAY, Phase.OUT) else []
        return []

    def _plan_turn(self, match: Match, seat: int) -> list[Gesture]:
        """Lay a card that fits, or draw; now and then a slip."""
        drawn = match.drawn is not None
        hand = self.cards.hands[seat]
        if not drawn and self._slips(match, seat):
            wrong = [card for card in hand if not self._fits(match, card)]
            if wrong:
                self.has_slipped = True
                self.mischief.wrong_card = False
                return self._tap(self.chance.choice(wrong))
        candidates = hand[-1:] if drawn else hand
        playable = [card for card in candidates if self._would_lay(match, seat, card)]
        if playable:
            return self._lay(match, seat, self._choose(match, seat, playable))
        if drawn:
            return [self._press("keep")]
        if match.draw_pile:
            return [self._press("draw")]
        return [self._press("reshuffle" if not match.nothing_to_draw else "keep")]

    def _slips(self, match: Match, seat: int) -> bool:
        if self.has_slipped or match.owes[seat]:
            return False
        return self.mischief.wrong_card or self.chance.random() < self.manners[seat].slips

    def _fits(self, match: Match, card: Card) -> bool:
        """A person's own idea of what fits; the referee has its own."""
        top, wanted = match.top, card.face
        if wanted.is_wild:
            return True
        if wanted.colour is match.colour:
            return True
        return top is not None and not top.is_wild and wanted.rank == top.rank

    def _would_lay(self, match: Match, seat: int, card: Card) -> bool:
        if not self._fits(match, card):
            return False
        if match.kind(card.face).effect is not Effect.WILD_DRAW_FOUR:
            return True
        hand = self.cards.hands[seat]
        is_bluff = any(held.face.colour is match.colour for held in hand if held != card)
        if not is_bluff or len(hand) == 1:
            return True
        return self.mischief.bluff or self.chance.random() < self.manners[seat].bluffs

    def _choose(self, match: Match, seat: int, playable: list[Card]) -> Card:
        """Coloured cards first, wilds when nothing else fits; a bluffer's Wild Draw Four before all."""
        fours = [card for card in playable if match.kind(card.face).effect is Effect.WILD_DRAW_FOUR]
        if fours and (self.mischief.bluff or self.manners[seat].bluffs):
            self.mischief.bluff = False
            return fours[0]
        coloured = [card for card in playable if not card.face.is_wild]
        return self.chance.choice(coloured or playable)

    def _lay(self, match: Match, seat: int, card: Card) -> list[Gesture]:
        """The tap, and before or after it the call, if this leaves one card and it is not forgotten."""
        tap = self._tap(card)
        if len(self.cards.hands[seat]) != 2:
            return tap
        if self.mischief.forget_uno or self.chance.random() < self.manners[seat].forgets:
            self.mischief.forget_uno = False
            return tap
        call = Gesture(self._between(PRESS_MS), Press(f"uno:{seat}"))
        return [call, *tap] if self.chance.random() < 0.5 else [*tap, call]

    def _plan_challenge(self, match: Match, seat: int) -> list[Gesture]:
        if self.chance.random() < self.manners[seat].challenges:
            return [self._press("challenge")]
        return [self._press("draw")]

    def _show_hand(self, seat: int, match: Match) -> list[Gesture]:
        """Tap the whole hand on the reader, card by card, for the referee alone."""
        hand = self.cards.hands[seat]
        if match.wild_four is not None:
            # For a challenge: the hand just after the card was laid, without what was drawn since.
            hand = hand[: match.wild_four.hand.size]
        gestures: list[Gesture] = []
        for number, card in enumerate(hand):
            wait = self._between(THINK_MS) if number == 0 else self._between(SHOW_GAP_MS)
            gestures.append(Gesture(wait, Place((card,), SHOW_HOLD_MS)))
        return gestures

    def _best_colour(self, seat: int) -> Colour:
        """The colour of most of one's cards; ties by the order of the colours."""
        held = Counter(card.face.colour for card in self.cards.hands[seat] if card.face.colour is not None)
        return max(Colour, key=lambda colour: held[colour])

    # -- hands ------------------------------------------------------------------------------------------------

    def _between(self, span_ms: tuple[int, int]) -> int:
        return self.chance.randint(*span_ms)

    def _press(self, button: str) -> Gesture:
        return Gesture(self._between(PRESS_MS), Press(button))

    def _tap(self, *cards: Card) -> list[Gesture]:
        return [Gesture(self._between(THINK_MS), Place(cards, HOLD_MS))]
