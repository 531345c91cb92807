"""A match told without the hands: unseen numbers in the place of faces, and still a transcript that can be judged.

Two matches run beside one another: the one that was played, and the one that an onlooker can know of. Where the second
would stand elsewhere for not knowing the hands, a line is added that says what everybody saw. No file is opened here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from table_app.rules import Card, Setup, WildFourMode, apply, new_match
from table_app.rules import actions as act
from table_app.rules.actions import Action
from table_app.rules.ruling import Code, Ruling
from table_app.rules.state import CLOCKWISE, ColourQuestion, Match, Phase, ProofQuestion, ShowQuestion
from table_app.transcript.notation import action_text

REFUSED = "# a card was refused that only who knows the hands can refuse"

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


class _Redactor:
    def __init__(self, setup: Setup) -> None:
        self.full = new_match(setup)
        self.seen = new_match(redacted_setup(setup))
        self._pushed: list[int] = []
        self._pushes = 0
        self._waiting: act.Lay | None = None
        self._stood_for: act.Lay | None = None

    def take(self, action: Action) -> list[str]:
        before = self.full
        self.full, ruling = apply(before, action)
        lines: list[str] = []
        if isinstance(action, act.Undo):
            self._stood_for = None
            if ruling.is_ok:
                self._undo(action, lines)
                self._mend(action, ruling, lines)
            return lines
        self._pushes = 0
        self._retell(before, action, ruling, lines)
        if not isinstance(self.full.question, ProofQuestion) and self.full.phase is not Phase.DEALING:
            self._mend(action, ruling, lines)
        if self.full.round_number > before.round_number:
            self._pushed = []
        if self.full.before is before or self.full.round_number > before.round_number:
            self._pushed.append(self._pushes)
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

    def _retell(self, before: Match, action: Action, ruling: Ruling, lines: list[str]) -> None:
        told: Action | None = action
        if isinstance(action, act.DealCards):
            told = act.DealUnseen(len(action.cards), at_ns=action.at_ns)
            if all(self.seen.dealt[seat] or not plays for seat, plays in enumerate(self.seen.playing)):
                told = told if before.phase is Phase.BETWEEN else None
        elif isinstance(action, act.Draw) and action.cards:
            told = replace(action, cards=())
        elif isinstance(action, act.Shows):
            told = self._shown(before, action, ruling)
        if isinstance(self.full.question, ProofQuestion) and isinstance(action, act.Lay):
            self._waiting, told = action, None
        elif isinstance(before.question, ProofQuestion) and not isinstance(self.full.question, ProofQuestion):
            told = self._proven(action)
        stood_for, self._stood_for = self._stood_for, None
        if isinstance(action, act.Allow) and ruling.is_ok and stood_for is not None:
            self._allow(action, stood_for, lines)
            return
        if told is None:
            return
        after, seen_ruling = apply(self.seen, told)
        if ruling.is_ok and self._knows_no_shuffle(told, seen_ruling) and self._shuffle(told, lines):
            if isinstance(told, act.Reshuffle):
                return
            after, seen_ruling = apply(self.seen, told)
        if seen_ruling.code == ruling.code:
            self._go_to(after)
            lines.append(action_text(told))
        elif not ruling.is_ok:
            lines.append(REFUSED)
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
                self._go_to(after)
                self._stood_for = told
                lines.append(action_text(stand_in))
                return

    def _allow(self, action: act.Allow, told: act.Lay, lines: list[str]) -> None:
        """The card that another one stood for is laid after all, and what that one cost is taken back."""
        if self._tell(act.Undo(at_ns=action.at_ns), lines) and self._pushed:
            self._pushed[-1] = 0
        self._tell(replace(told, at_ns=action.at_ns), lines)

    @staticmethod
    def _knows_no_shuffle(told: Action, seen_ruling: Ruling) -> bool:
        """Whether the onlooker refuses it only because, as they count, there are cards to draw still."""
        if isinstance(told, act.Reshuffle):
            return seen_ruling.code is Code.NOT_NOW
        return isinstance(told, act.Lay) and seen_ruling.code is Code.ALREADY_PLAYED

    def _shuffle(self, action: Action, lines: list[str]) -> bool:
        """Shuffle for an onlooker: what is left goes into the fullest hand, and back again."""
        seen = self.seen
        seat = max(range(len(seen.names)), key=lambda place: seen.hands[place].size)
        name, size = seen.names[seat], seen.hands[seat].size
        steps: list[Action] = [act.Reshuffle()]
        if seen.draw_pile:
            steps = [act.SetHand(name, size + seen.draw_pile), *steps, act.SetHand(name, size)]
        return all(self._tell(replace(step, at_ns=action.at_ns), lines) for step in steps)

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

    def _proven(self, action: Action) -> Action | None:
        """The Wild Draw Four that waited for its proof stands now, or was never laid."""
        waiting, self._waiting = self._waiting, None
        if waiting is None or self.full.top != waiting.card.face:
            return None
        return replace(waiting, at_ns=action.at_ns)

    def _undo(self, action: act.Undo, lines: list[str]) -> None:
        for _time in range(self._pushed.pop() if self._pushed else 1):
            self._tell(action, lines)
        self._waiting = None

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
        words = {happening.word for happening in ruling.effects}
        if isinstance(question, ShowQuestion) and not isinstance(full.question, ShowQuestion):
            yield act.Finds(seen.names[question.challenger], "guilty" in words)
        if seen.turn is not None and seen.drawn is not None and (full.turn != seen.turn or full.drawn is None):
            yield act.Keep(seen.names[seen.turn])
        if seen.phase is Phase.OUT:
            for happening in ruling.effects:
                if happening.word == "points" and happening.player is not None:
                    yield act.Points(happening.player, int(happening.value or 0))
        if full.phase is Phase.PLAY and seen.phase is Phase.PLAY:
            yield from self._facts()
        for seat, name in enumerate(full.names):
            if full.scores[seat] != seen.scores[seat]:
                yield act.SetScore(name, full.scores[seat])

    def _facts(self) -> Iterator[Action]:
        full, seen = self.full, self.seen
        named = seen.question
        if isinstance(named, ColourQuestion) and full.colour is not None and type(full.question) is not ColourQuestion:
            yield act.NameColour(seen.names[named.seat], full.colour)  # nothing else can be put right before
        if full.turn is not None and full.turn != seen.turn:
            yield act.SetTurn(full.names[full.turn])
        if full.top is not None and full.top != seen.top:
            yield act.SetTop(Card(full.top))
        if full.colour is not None and full.colour != seen.colour:
            yield act.SetColour(full.colour)
        if full.direction != seen.direction:
            yield act.SetDirection(full.direction == CLOCKWISE)
        for seat, name in enumerate(full.names):
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
