"""What people do when the screen does not agree with the table: they answer it, and put right what it took wrongly.

They compare what it shows with what they hold, as anybody at a real table can. What they play is in `people`.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, field

from table_app.play.history import Showing
from table_app.play.state import CatcherQuestion, DrawnQuestion, LabelQuestion, TableState
from table_app.rules import Card, Match, Phase
from table_app.simulation.cards import PhysicalCards
from table_app.simulation.glance import still_to_show
from table_app.simulation.manners import PRESS_MS, SHOW_GAP_MS, SHOW_HOLD_MS, Deed, Gesture, Place, Press

COMPARES = 0.1
"""How often somebody compares the numbers of cards, where nothing hangs on them yet."""


class Wish(tuple[str | Deed, ...]):
    """A group of presses that puts nothing right: what somebody wanted of the table, and it could not know."""

    __slots__ = ()


@dataclass(slots=True)
class Mending:
    """What is still to be put right: *presses* and other deeds, in groups.

    How many were done so far, by what the first of a group is: *pressed* to put something right, *wished* for a `Wish`;
    *answered* is how many questions were.

    *is_drawing*: the card on the reader was drawn, not laid. *shown_late* was tapped after its round was scored.
    """

    cards: PhysicalCards
    chance: random.Random
    presses: deque[tuple[str | Deed, ...]] = field(default_factory=deque)
    pressed: Counter[str] = field(default_factory=Counter)
    wished: Counter[str] = field(default_factory=Counter)
    answered: int = 0
    is_drawing: bool = False
    shown_late: set[Card] = field(default_factory=set)
    under_way: tuple[str | Deed, ...] = ()

    def startle(self) -> None:
        """What was pressed or tapped and did not come to a ruling is done again."""
        self.shown_late.clear()
        if self.under_way:
            self.presses.appendleft(self.under_way)
            self.under_way = ()

    def undoes_one_more(self) -> bool:
        """True where an undo is coming: it takes back what was ruled since, too, as a hand that taps twice makes it."""
        for place, group in enumerate(self.presses):
            if set(group) == {"undo"}:
                self.presses[place] = type(group)((*group, "undo"))
                return True
        return False

    def plan(self, state: TableState, tapping: int | None) -> list[Gesture]:
        """The next thing to put right, or nothing."""
        if state.pause is not None:
            return self._press("yes")
        if state.question is not None:
            self.answered += 1
            return self._press(self._answer(state, tapping))
        if state.held is not None and not self.presses:
            return self._word_for(state, tapping)
        if self.presses:
            self.under_way = self.presses.popleft()
            return self._presses(
                *self.under_way, counts=self.wished if isinstance(self.under_way, Wish) else self.pressed
            )
        if state.form is not None:
            return self._press("no")
        return self._compare(state)

    def _answer(self, state: TableState, tapping: int | None) -> str:
        question, match = state.question, state.match
        if isinstance(question, DrawnQuestion):
            if self.is_drawing:
                return "draw"
            return "yes" if tapping in (None, match.turn) else f"seat:{tapping}"
        assert isinstance(question, CatcherQuestion | LabelQuestion)
        return "no"

    # -- numbers of cards ---------------------------------------------------------------------------------------

    def _compare(self, state: TableState) -> list[Gesture]:
        match = state.match
        if not match.setup.refereed:
            return []
        if match.phase in (Phase.BETWEEN, Phase.OVER) and state.shown:
            return self._show_what_is_left(state.shown[-1])
        is_out = match.phase in (Phase.OUT, Phase.OVER) and match.out is not None
        held = len(self.cards.hands[match.out]) if match.out is not None else 0
        # Who is out may still draw a fine, and then holds what the record says.
        if is_out and match.out is not None and held and held != match.hands[match.out].size:
            # Where something was said since, the screen says: step by step.
            return self._presses(*(("form:holds", *typed(held)) if state.last_play is not None else ("undo",)))
        if match.phase is Phase.OUT:
            return self._count_as_it_is(state)
        if match.phase is not Phase.PLAY:
            return []
        for seat, hand in enumerate(self.cards.hands):
            if not match.playing[seat] or match.hands[seat].size == len(hand) or not hand:
                continue
            if state.options.is_tracked and match.hands[seat].is_tracked:
                continue  # what was seen is not compared
            if self._matters(match, seat) or self.chance.random() < COMPARES:
                return self._presses("form:count", f"seat:{seat}", *typed(len(hand)))
        return []

    def _matters(self, match: Match, seat: int) -> bool:
        """Whether something hangs on this number now: a call, the last card, a hand that will be counted unseen because
        all of it was shown once. What is shown puts itself right."""
        is_low = min(match.hands[seat].size, len(self.cards.hands[seat])) <= 2
        return is_low or bool(match.fines[seat]) or match.hands[seat].is_tracked

    def _show_what_is_left(self, last: Showing) -> list[Gesture]:
        """The hand that was counted last has more cards than the record believed, and the round is scored already."""
        left = self.left_to_show(last)
        self.shown_late.update(left)
        return [Gesture(self._between(SHOW_GAP_MS), Place((card,), SHOW_HOLD_MS)) for card in left]

    def left_to_show(self, last: Showing) -> list[Card]:
        """What of the hand shown last was not tapped yet."""
        if last.seat is None or not last.cards:
            return []
        rest = still_to_show(self.cards, self.cards.hands[last.seat], last.cards)
        return [card for card in rest if card not in self.shown_late]

    def _count_as_it_is(self, state: TableState) -> list[Gesture]:
        """A card that was counted for the next hand is given back to its own; one with fewer than believed is whole."""
        match, showing = state.match, state.showing
        assert match.out is not None
        last = state.shown[-1] if state.shown else None
        if last is not None and last.seat is not None and last.cards and not match.is_owing():
            rest = still_to_show(self.cards, self.cards.hands[last.seat], last.cards)
            faces = sorted(card.face.code for card in rest)
            if rest and faces == sorted(card.face.code for card in showing.cards):
                return self._presses(f"seat:{last.seat}")
            if rest and not showing.cards:  # it was counted too soon: the rest is tapped, and the seat touched
                return [Gesture(self._between(SHOW_GAP_MS), Place((card,), SHOW_HOLD_MS)) for card in rest]
        if match.is_owing() or showing.seat is None or not showing.cards:
            return []
        hand = self.cards.hands[showing.seat]
        holders = {self.cards.holder(self.cards.physical(card)) for card in showing.cards if card.copy}
        if len(holders) == 1 and showing.seat not in holders and None not in holders:
            return self._presses(f"seat:{holders.pop()}")
        is_whole = len(showing.cards) == len(hand) < match.hands[showing.seat].size
        return self._presses("yes") if is_whole else []

    def _word_for(self, state: TableState, tapping: int | None) -> list[Gesture]:
        """A card waits for a word: the pile was shuffled, or whose card it is; one laid in a hurry is taken back."""
        assert state.held is not None
        if state.held.lies_in_pile:
            is_lying = state.held.card.copy and self.cards.physical(state.held.card) in self.cards.discard_pile
            return [] if is_lying else self._presses("reshuffle")
        penalty = state.match.penalty
        if state.notice is not None and state.notice.text.startswith("That card can't be"):
            return []
        is_silent = penalty is not None and tapping == state.match.after(penalty.seat)
        return self._presses(f"seat:{tapping}") if is_silent else []

    # -- hands --------------------------------------------------------------------------------------------------

    def _presses(self, *deeds: str | Deed, counts: Counter[str] | None = None) -> list[Gesture]:
        first = deeds[0]
        word = first.rstrip("0123456789").rstrip(":") if isinstance(first, str) else "card"
        counts = self.pressed if counts is None else counts
        counts[word] += len(deeds)
        return [gesture for deed in deeds for gesture in self._press(deed)]

    def _press(self, deed: str | Deed) -> list[Gesture]:
        return [Gesture(self._between(PRESS_MS), Press(deed) if isinstance(deed, str) else deed)]

    def _between(self, span_ms: tuple[int, int]) -> int:
        return self.chance.randint(*span_ms)


def typed(number: int) -> tuple[str, ...]:
    """The presses that type a number and end it."""
    return (*(f"digit:{digit}" for digit in str(number)), "yes")
