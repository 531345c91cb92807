"""Actions thought of one after the other, each asked of the core before the next: nothing happens by planning.

For meanings that take several actions, such as giving a card to another seat. No signal is read here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from table_app.play.notices import refused
from table_app.play.situations import Answer, Moment
from table_app.rules import Action, Match
from table_app.rules.ruling import Code, Ruling

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
