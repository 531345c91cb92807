"""A match told without the hands: unseen numbers in the place of faces, and still a transcript that can be judged.

Two matches run beside one another: the one that was played, and the one that an onlooker can know of. Where the
second would stand elsewhere for not knowing the hands, a line is added that says what everybody saw. Two things come
late. A fine that nothing can cause which onlookers know of (a catch while a Wild Draw Four waits for its proof, a
wrong one on a stack) is told by the cards it cost, once they are drawn; and a turn that passes while a fine is open,
because the card that was drawn can't be played, passes once the fine is drawn. No file is opened here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, TypeVar

from table_app.rules import Card, Setup, WildFourMode, apply, new_match
from table_app.rules import actions as act
from table_app.rules.actions import Action
from table_app.rules.ruling import Code, Ruling
from table_app.rules.state import CLOCKWISE, ColourQuestion, DiscardQuestion, Match, Phase, ProofQuestion, ShowQuestion
from table_app.transcript.notation import action_text

REFUSED = "# a card was refused that only who knows the hands can refuse"
REFUSED_ACT = "# something was refused here that only who knows the hands can refuse"

MENDS_MAX = 64
"""Lines that may be added after one action: at ten seats a hand, a count and the table's five facts each."""


def redacted_setup(setup: Setup) -> Setup:
    """The set-up of the redacted match: what only a known hand can prove is not asked for."""
    if setup.wild_four is WildFourMode.PROVE:
        return replace(setup, wild_four=WildFourMode.CHALLENGE)
    return setup


def redacted(setup: Setup, actions: Iterable[Action]) -> Iterator[str]:
    """The lines of the match that *actions* make, without a face of any hand. *setup* is the one that was played."""
    redactor = _Redactor(setup)
    for action in actions:
        yield from redactor.take(action)


_Act = TypeVar("_Act", bound=Action)


class _Told(NamedTuple):
    """An action that was not told yet, and what the referee said to it."""

    action: Action
    ruling: Ruling


class _StepBack(NamedTuple):
    """What one Undo of the played match takes: so many steps of the redacted one.

    *held_back* was held back before, and *again* was refused before in the place of the card that was allowed.
    """

    steps: int
    held_back: tuple[_Told, ...]
    again: act.Lay | None


class _Redactor:
    """*_held_back* is what was done since a Wild Draw Four was laid that waits for its proof, that card first: until it
    is proven nobody can say whether it was laid. *_stood_for* was refused just now in the place of another card, and
    *_again* is what is refused once more where an Undo takes back that this one was allowed."""

    def __init__(self, setup: Setup) -> None:
        self.full = new_match(setup)
        self.seen = new_match(redacted_setup(setup))
        self._steps_back: list[_StepBack] = []
        self._pushes = 0
        self._held_back: tuple[_Told, ...] = ()
        self._stood_for: act.Lay | None = None
        self._again: act.Lay | None = None

    def take(self, action: Action) -> list[str]:
        before, held_back = self.full, self._held_back
        self.full, ruling = apply(before, action)
        lines: list[str] = []
        if isinstance(action, act.Undo):
            if ruling.is_ok:
                self._undo(action, lines)
                if not isinstance(self.full.question, ProofQuestion):
                    self._mend(action, ruling, lines)
            return lines
        self._pushes, self._again = 0, None
        stood_for, self._stood_for = self._stood_for, None
        told = self._as_seen(before, action, ruling)
        if isinstance(self.full.question, ProofQuestion):
            self._held_back += () if told is None else (_Told(told, ruling),)
        else:
            self._tell_held_back(ruling, lines)
            if isinstance(action, act.Allow) and ruling.is_ok and before.refused_lay is not None:
                self._allow(action, before.refused_lay.action, stood_for, lines)
            elif told is not None:
                self._retell(told, ruling, lines)
            if self.full.phase is not Phase.DEALING:
                self._mend(action, ruling, lines)
        if self.full.round_number > before.round_number:
            self._steps_back = []
        if self.full.before is before or self.full.round_number > before.round_number:
            self._steps_back.append(_StepBack(self._pushes, held_back, self._again))
        return lines

    # -- telling -------------------------------------------------------------------------------------------

    def _tell(self, action: Action, lines: list[str]) -> bool:
        """Add *action* if the onlooker's referee accepts it."""
        after, ruling = apply(self.seen, action)
        if not ruling.is_ok:
            return False
        self._go_to(after)
        lines.append(action_text(action))
        return True

    def _go_to(self, after: Match) -> None:
        """Note whether the step can be undone by itself; a round's first deal can."""
        self._pushes += after.before is self.seen or after.round_number > self.seen.round_number
        self.seen = after

    def _as_seen(self, before: Match, action: Action, ruling: Ruling) -> Action | None:
        """*action* without a face of a hand; None if an onlooker sees nothing of it."""
        if isinstance(action, act.DealCards):
            told = act.DealUnseen(len(action.cards), at_ns=action.at_ns)
            if all(self.seen.dealt[seat] or not plays for seat, plays in enumerate(self.seen.playing)):
                return told if before.phase is Phase.BETWEEN else None
            return told
        if isinstance(action, act.Draw) and action.cards:
            return replace(action, cards=())
        if isinstance(action, act.Shows):
            return self._shown(before, action, ruling)
        return action

    def _retell(self, told: Action, ruling: Ruling, lines: list[str]) -> None:
        after, seen_ruling = apply(self.seen, told)
        is_late = isinstance(told, act.Lay) and seen_ruling.code is Code.ALREADY_PLAYED
        if ruling.is_ok and is_late and self._tell(act.Reshuffle(at_ns=told.at_ns), lines):
            after, seen_ruling = apply(self.seen, told)
        if ruling.is_ok and seen_ruling.code is Code.NOT_CALLED and isinstance(told, act.Lay):
            # The call that the table knows of was for a fine that onlookers saw nothing of.
            self._tell(act.Call(told.player, at_ns=told.at_ns), lines)
            after, seen_ruling = apply(self.seen, told)
        if seen_ruling.code == ruling.code:
            self._go_to(after)
            lines.append(action_text(told))
        elif not ruling.is_ok:
            lines.append(REFUSED if isinstance(told, act.Lay) else REFUSED_ACT)
            self._fine(told, lines)

    def _fine(self, told: Action, lines: list[str]) -> None:
        """What a card costs that only who knows the hands can refuse, by one that anybody can.

        That card itself, where it is refused for another reason; else one that lies in the discard pile, else any.
        """
        if not isinstance(told, act.Lay) or self.full.owes == self.seen.owes:
            return
        faces = dict.fromkeys((told.card.face, *self.seen.discard_pile, *self.seen.setup.deck.kinds))
        for face in faces:
            stand_in = replace(told, card=Card(face), colour=None)
            after, seen_ruling = apply(self.seen, stand_in)
            if not seen_ruling.is_ok and after.owes == self.full.owes:
                self._stand_in(stand_in, lines)
                return

    def _stand_in(self, stand_in: act.Lay, lines: list[str]) -> None:
        after, _ruling = apply(self.seen, stand_in)
        self._go_to(after)
        self._stood_for = stand_in
        lines.append(action_text(stand_in))

    def _allow(self, action: act.Allow, lay: act.Lay, stood_for: act.Lay | None, lines: list[str]) -> None:
        """A refused card is laid after all; where another one stood for it, what that one cost is taken back."""
        refused = self.seen.refused_lay
        if refused is not None and refused.action == lay and self._tell(action, lines):
            return
        if stood_for is not None and self._steps_back and self._tell(act.Undo(at_ns=action.at_ns), lines):
            self._steps_back[-1] = self._steps_back[-1]._replace(steps=0)
            self._again = stood_for
        self._tell(replace(lay, at_ns=action.at_ns), lines)

    def _shown(self, before: Match, action: act.Shows, ruling: Ruling) -> Action | None:
        if not ruling.is_ok:
            return None
        question = before.question
        if isinstance(question, ShowQuestion):
            guilty = any(happening.word == "guilty" for happening in ruling.effects)
            return act.Finds(before.names[question.challenger], guilty, at_ns=action.at_ns)
        for happening in ruling.effects:
            if happening.word == "points" and happening.player == action.player:
                return act.Points(action.player, int(happening.value or 0), at_ns=action.at_ns)
        return None

    def _tell_held_back(self, ruling: Ruling, lines: list[str]) -> None:
        """The Wild Draw Four that waited for its proof stands now by *ruling*, or was never laid; and what was done
        meanwhile: calls before it, since it closes the window of the player before."""
        held_back, self._held_back = self._held_back, ()
        laid, meanwhile = held_back[:1], held_back[1:]
        if any(happening.word == "take-back" for happening in ruling.effects) or not self._lies_on_top(laid):
            laid = ()
        calls = [told for told in meanwhile if isinstance(told.action, act.Call)]
        others = [told for told in meanwhile if told not in calls]
        if laid:  # said when the card was laid: the turn's clock stood still meanwhile
            calls = [told._replace(action=replace(told.action, at_ns=laid[0].action.at_ns)) for told in calls]
        for told in (*calls, *laid, *others):
            self._retell(self._now_or_later(told.action), told.ruling, lines)

    def _lies_on_top(self, laid: tuple[_Told, ...]) -> bool:
        return any(isinstance(told.action, act.Lay) and told.action.card.face is self.full.top for told in laid)

    def _now_or_later(self, told: _Act) -> _Act:
        """The same, not before what was told already: an Undo comes after what it takes back."""
        return told if told.at_ns is None else replace(told, at_ns=max(told.at_ns, self.seen.now_ns))

    def _undo(self, action: act.Undo, lines: list[str]) -> None:
        back = self._steps_back.pop() if self._steps_back else _StepBack(1, (), None)
        for _time in range(back.steps):
            self._tell(action, lines)
        self._held_back, self._stood_for = back.held_back, back.again
        if back.again is not None and self._steps_back:
            self._pushes = 0
            self._stand_in(self._now_or_later(back.again), lines)
            self._steps_back[-1] = self._steps_back[-1]._replace(steps=self._pushes)

    # -- bringing in line ----------------------------------------------------------------------------------

    def _mend(self, action: Action, ruling: Ruling, lines: list[str]) -> None:
        """Say what everybody saw, until both matches stand in the same place."""
        for _time in range(MENDS_MAX):
            if _public(self.seen) == _public(self.full):
                return
            if not any(self._tell(replace(step, at_ns=self.full.now_ns), lines) for step in self._steps(ruling)):
                return

    def _steps(self, ruling: Ruling) -> Iterator[Action]:
        """What may be missing, the likeliest first."""
        full, seen = self.full, self.seen
        question = seen.question
        if not seen.draw_pile and full.draw_pile:
            yield act.Reshuffle()
        if isinstance(question, DiscardQuestion) and question != full.question:
            for seat in question.seats:  # the table knows that they have nothing to discard
                yield act.Discard(seen.names[seat], ())
        words = {happening.word for happening in ruling.effects}
        if isinstance(question, ShowQuestion) and not isinstance(full.question, ShowQuestion):
            yield act.Finds(seen.names[question.challenger], "guilty" in words)
        if seen.turn is not None and seen.drawn is not None and (full.turn != seen.turn or full.drawn is None):
            yield act.Keep(seen.names[seen.turn])
        if seen.phase is Phase.OUT:
            for happening in ruling.effects:  # more were shown than onlookers believe: points are bounded by the number
                if happening.word in ("number", "points") and happening.player is not None:
                    seat = seen.seat_of(happening.player)
                    if full.hands[seat].size != seen.hands[seat].size:
                        yield act.SetHand(happening.player, full.hands[seat].size)
            for happening in ruling.effects:
                if happening.word == "points" and happening.player is not None:
                    yield act.Points(happening.player, int(happening.value or 0))
        if full.phase is Phase.PLAY and seen.phase is Phase.PLAY:
            yield from self._facts()
        if full.setup.target is not None and full.setup.target != seen.setup.target:
            yield act.SetTarget(full.setup.target)
        for seat, name in enumerate(seen.names):
            if full.scores[seat] != seen.scores[seat]:
                yield act.SetScore(name, full.scores[seat])

    def _facts(self) -> Iterator[Action]:
        full, seen = self.full, self.seen
        named = seen.question
        if isinstance(named, ColourQuestion) and full.colour is not None and type(full.question) is not ColourQuestion:
            yield act.NameColour(seen.names[named.seat], full.colour)  # nothing else can be put right before
        # A turn that is put right lets a fine lapse; it waits until that is drawn.
        if full.turn is not None and full.turn != seen.turn and not (any(seen.owes) and seen.owes == full.owes):
            yield act.SetTurn(full.names[full.turn])
        if full.top is not None and full.top != seen.top:
            yield act.SetTop(Card(full.top))
        if full.colour is not None and full.colour != seen.colour:
            yield act.SetColour(full.colour)
        if full.direction != seen.direction:
            yield act.SetDirection(full.direction == CLOCKWISE)
        for seat, name in enumerate(seen.names):
            if full.hands[seat].size != seen.hands[seat].size:
                yield act.SetHand(name, full.hands[seat].size)


def _public(match: Match) -> tuple[object, ...]:
    """What everybody at the table can see of a match."""
    return (
        match.phase,
        match.turn,
        match.top,
        match.colour,
        match.direction,
        match.owes,
        match.scores,
        tuple(hand.size for hand in match.hands) if match.phase is Phase.PLAY else (),
        match.counted if match.phase is Phase.OUT else (),
        type(match.question),
        match.drawn is not None,
    )
