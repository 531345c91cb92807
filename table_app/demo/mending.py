"""What people do when the screen does not agree with the table: they answer it, and put right what it took wrongly.

They compare what it shows with what they hold, as anybody at a real table can. What they play is in `people`.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

from table_app.demo.cards import PhysicalCards
from table_app.demo.manners import PRESS_MS, Deed, Gesture, Press
from table_app.rules import Match, Phase
from table_app.rules.state import ShowQuestion
from table_app.table.last_play import GiveQuestion
from table_app.table.state import (
    CatcherQuestion,
    DebtQuestion,
    DrawnQuestion,
    LabelQuestion,
    MoreQuestion,
    SameQuestion,
    ShuffleQuestion,
    StartQuestion,
    TableState,
)

LOW_PILE = 12
"""From so few cards on everybody sees that the draw pile does not hold what the screen says."""

COMPARES = 0.1
"""How often somebody compares the numbers of cards, where nothing hangs on them yet."""


@dataclass(slots=True)
class Mending:
    """What is still to be put right: *presses* and other deeds, in groups, and how many were done so far.

    *is_drawing*: the card on the reader was drawn, not laid.
    """

    cards: PhysicalCards
    chance: random.Random
    presses: deque[tuple[str | Deed, ...]] = field(default_factory=deque)
    pressed: int = 0
    is_drawing: bool = False
    under_way: tuple[str | Deed, ...] = ()

    def startle(self) -> None:
        """What was pressed and did not come to a ruling is pressed again."""
        if self.under_way:
            self.presses.appendleft(self.under_way)
            self.under_way = ()

    def plan(self, state: TableState, tapping: int | None) -> list[Gesture]:
        """The next thing to put right, or nothing."""
        if state.pause is not None:
            return self._press("yes")
        if state.question is not None:
            return self._press(self._answer(state, tapping))
        if self.presses:
            self.under_way = self.presses.popleft()
            return self._presses(*self.under_way)
        if state.form is not None:
            return self._press("no")
        return self._compare(state)

    def _answer(self, state: TableState, tapping: int | None) -> str:
        question, match = state.question, state.match
        if isinstance(question, DebtQuestion):
            # Drawn without a word, if the card is of the player after; else it was laid in a hurry.
            is_silent = match.penalty is not None and tapping == match.after(match.penalty.seat)
            return "yes" if is_silent else "no"
        if isinstance(question, DrawnQuestion):
            if self.is_drawing:
                return "draw"
            return "yes" if tapping in (None, match.turn) else f"seat:{tapping}"
        if isinstance(question, StartQuestion | GiveQuestion):
            return "yes"
        if isinstance(question, MoreQuestion):
            return "yes" if self.cards.physical(question.card) in self.cards.hands[question.seat] else "no"
        if isinstance(question, SameQuestion):
            return "yes" if question.card in self.cards.discard_pile else "no"
        if isinstance(question, ShuffleQuestion):
            return "no" if self.cards.physical(question.card) in self.cards.discard_pile else "yes"
        assert isinstance(question, CatcherQuestion | LabelQuestion)
        return "no"

    # -- numbers of cards ---------------------------------------------------------------------------------------

    def _compare(self, state: TableState) -> list[Gesture]:
        match = state.match
        if not match.setup.refereed or state.options.is_tracked:
            return []
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
            if self._matters(match, seat) or self.chance.random() < COMPARES:
                return self._presses("form:count", f"seat:{seat}", *typed(len(hand)))
        return []

    def _matters(self, match: Match, seat: int) -> bool:
        """Whether something hangs on this number now: a call, the last card, a challenge."""
        is_low = min(match.hands[seat].size, len(self.cards.hands[seat])) <= 2
        four = match.wild_four
        is_accused = (four is not None and four.layer == seat) or isinstance(match.question, ShowQuestion)
        is_pile_low = len(self.cards.draw_pile) <= LOW_PILE
        return is_low or is_accused or is_pile_low or bool(match.fines[seat])

    def _count_as_it_is(self, state: TableState) -> list[Gesture]:
        """A hand with another number than the record says is tapped whole, and Yes ends it."""
        match = state.match
        assert match.out is not None
        if match.is_owing():
            return []
        for seat in match.from_left_of(match.out):
            hand = self.cards.hands[seat]
            if match.counted[seat] is not None or seat in match.setup.partners(match.out):
                continue
            if match.hands[seat].size == len(hand):
                return []
            if state.showing.seat == seat and state.showing.is_free:
                return []  # being tapped already
            gestures = self._presses(f"seat:{seat}")
            if state.showing.seat == seat:
                return gestures
            return [*gestures, *self._presses(f"seat:{seat}")]
        return []

    # -- hands --------------------------------------------------------------------------------------------------

    def _presses(self, *deeds: str | Deed) -> list[Gesture]:
        self.pressed += len(deeds)
        return [gesture for deed in deeds for gesture in self._press(deed)]

    def _press(self, deed: str | Deed) -> list[Gesture]:
        return [Gesture(self._between(PRESS_MS), Press(deed) if isinstance(deed, str) else deed)]

    def _between(self, span_ms: tuple[int, int]) -> int:
        return self.chance.randint(*span_ms)


def typed(number: int) -> tuple[str, ...]:
    """The presses that type a number and end it."""
    return (*(f"digit:{digit}" for digit in str(number)), "yes")
