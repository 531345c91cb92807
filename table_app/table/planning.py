"""Actions thought of one after the other, each asked of the core before the next: nothing happens by planning.

For meanings that take several actions, such as giving a card to another seat. No signal is read here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from table_app.rules import Action, Call, Called, Match, Reshuffle, SetHand, Undo, Wait
from table_app.rules.ruling import Code, Ruling
from table_app.table.notices import refused
from table_app.table.situations import Answer, Moment

FEW_LEFT = 12
"""With so few cards left by the record the pile may really be empty: that many are drawn in silence between two looks
at the numbers of cards."""


@dataclass(slots=True)
class Plan:
    """Actions one after the other, and the match that they lead to."""

    moment: Moment
    match: Match
    actions: list[Action] = field(default_factory=list)
    foul: Ruling | None = None
    """The first that was added although the core refuses it."""

    @classmethod
    def of(cls, moment: Moment) -> Plan:
        return cls(moment, moment.match)

    def ruling(self, action: Action) -> Ruling:
        """What the core would say to *action* after the actions so far; nothing is added."""
        return self.moment.foresee(self.match, action)[1]

    def refuses(self, action: Action) -> Code | None:
        """The code with which the core would refuse *action*, or None; nothing is added."""
        return self.ruling(action).code

    def take(self, action: Action) -> bool:
        """Add *action*; False, and nothing added, where the core would refuse it."""
        after, ruling = self.moment.foresee(self.match, action)
        if not ruling.is_ok:
            return False
        self.match = after
        self.actions.append(action)
        return True

    def add(self, action: Action) -> None:
        """Add *action*, also where the core refuses it: its ruling then says why."""
        self.match, ruling = self.moment.foresee(self.match, action)
        self.foul = self.foul or (None if ruling.is_ok else ruling)
        self.actions.append(action)

    def all_or_none(self) -> Answer:
        """All of it; where the core refuses a part, that part alone, whose ruling then says why."""
        state = self.moment.state
        if self.foul is None:
            return Answer(state, tuple(self.actions))
        if Plan.of(self.moment).refuses(self.foul.action) is not self.foul.code:
            return Answer(state, notice=refused("That can't be so by the record. Nothing was put right."))
        return Answer(state, (self.foul.action,))


def shuffle_early(plan: Plan, *, is_certain: bool = False) -> bool:
    """The discard pile was shuffled although, by the record, cards were left to draw: somebody drew in silence.

    The core shuffles only for an empty pile: what is left goes into a hand that nobody has seen, and back again.
    Where every hand is known, the smallest is from then on known by its number alone: a card too many in the record
    does harm, one too few asks. False, and nothing added, where there is nothing to shuffle, or more than `FEW_LEFT`
    are left: then a press or a card is no reason to put half a deck into a hand and back. *is_certain*: somebody has
    answered that the pile was shuffled, or more than one card says so.
    """
    match = plan.match
    if not match.draw_pile:
        return plan.take(Reshuffle())
    if match.draw_pile > FEW_LEFT and not is_certain:
        return False
    aside = {match.turn, match.wild_four.layer if match.wild_four is not None else None}
    seats = [seat for seat, hand in enumerate(match.hands) if hand.size and match.playing[seat]]
    if not seats or len(match.discard_pile) < 2:
        return False
    best = min(seats, key=lambda seat: (len(match.hands[seat].known), seat in aside))
    name, size = match.names[best], match.hands[best].size
    before = list(plan.actions)
    steps = (SetHand(name, size + match.draw_pile), Reshuffle(), SetHand(name, size))
    if all(plan.take(step) for step in steps):
        return True
    plan.match, plan.actions[:] = match, before
    return False


def put_number_right(plan: Plan, seat: int, count: int) -> None:
    """*seat* holds *count* cards; a fine for a call that was never due is lifted with it."""
    name, window = plan.match.names[seat], plan.match.window
    if count > 1 and plan.match.fines[seat] and plan.refuses(Called(name)) is None:
        plan.add(Called(name))
    if count > 1 and window is not None and window.seat == seat:
        plan.add(Call(name))
    plan.add(SetHand(name, count))


def shuffle_before_question(plan: Plan) -> bool:
    """`shuffle_early`, put into the record before the cards were asked for that are shown or discarded now.

    While a question is open the core shuffles nothing: what led to it is taken back and done again behind the shuffle.
    False, and nothing added, where that can't be.
    """
    match, before = plan.match, list(plan.actions)
    again: list[Action] = []
    for deed in reversed(plan.moment.state.past.deeds):
        if plan.match.question is None or not plan.take(Undo()):
            break
        if not isinstance(deed.ruling.action, Wait):  # what only the clock did comes again by itself
            again.append(replace(deed.ruling.action, at_ns=None))
    if shuffle_early(plan, is_certain=True) and all(plan.take(action) for action in reversed(again)):
        return True
    plan.match, plan.actions[:] = match, before
    return False


def drawing_seat(match: Match) -> int | None:
    """Who is drawing: fines come first, then debts in the order of the turn, then the turn itself.

    Who may challenge a Wild Draw Four comes last: a fine of which one card is drawn is a debt like any other, and its
    next card must not be theirs.
    """
    for seat, fine in enumerate(match.fines):
        if fine and match.owes[seat]:
            return seat
    first = match.turn if match.turn is not None else match.dealer
    number = len(match.names)
    owing = [seat for step in range(number) if match.owes[seat := (first + step * match.direction) % number]]
    if owing and match.wild_four is not None:
        owing.sort(key=match.wild_four.victim.__eq__)
    return owing[0] if owing else match.turn
