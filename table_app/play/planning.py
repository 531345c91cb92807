"""Actions thought of one after the other, each asked of the core before the next: nothing happens by planning.

For meanings that take several actions: giving the last card to another seat, and who is out after all. In counted mode
nobody says that they drew; when a card was somebody else's, the turn holders between drew and kept in silence (design,
*counted*). No signal is read here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from table_app.play.history import LastPlay
from table_app.play.modes import Answer, Moment
from table_app.play.notices import refused, said
from table_app.rules import Action, Call, Draw, Keep, LastRound, Lay, Match, Phase, Reshuffle, SetHand, Undo
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
            return Answer(state, notice=refused("That does not fit the record. Nothing was changed."))
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


STEPS_MAX = 40
"""Actions between the last card and the seat it is given to: at ten seats, a debt, a draw and a keep each."""


def give_to(moment: Moment, seat: int) -> Answer:
    """The last card was laid by *seat*: taken back, whoever stood between drew and kept, and it is ruled anew."""
    state = moment.state
    last, name = _last_card(moment), moment.name(seat)
    if last is None:
        return Answer(state, notice=refused("There is no card to give to {}: lay it first, then touch the seat.", name))
    if last.seat == seat and last.undo and state.held is None:
        return Answer(state, notice=said("The {} is {}'s already.", last.lay.card.face, name))
    plan = Plan.of(moment)
    laid = Lay(name, last.lay.card, last.lay.colour)
    deeds, before = _given_already(moment, last)
    if any(isinstance(action, Lay) and action.player == name for action in before):
        again = tuple(replace(action, colour=laid.colour) if isinstance(action, Lay) else action for action in before)
        return Answer(state, ((Undo(),) * deeds) + again + _calls_of(last, seat, name), is_undo=True)
    can_be = all(plan.take(Undo()) for _ in range(deeds)) and lead_to(plan, seat, laid)
    if not can_be and state.held is not None:  # nobody may hear its face
        return Answer(state, notice=refused("That card can't be {}'s: it could not be their turn.", name))
    if not can_be:
        return Answer(
            state, notice=refused("The {} can't be {}'s: it could not be their turn.", last.lay.card.face, name)
        )
    if plan.refuses(laid) is Code.ALREADY_PLAYED:
        plan.take(Reshuffle())  # somebody says whose card it is: it lies in no pile
    return Answer(state, (*plan.actions, laid, *_calls_of(last, seat, name), *bell_again(plan)))


def _last_card(moment: Moment) -> LastPlay | None:
    """The card laid last, or the one that waits for a word: as if it had been laid by whoever has the turn."""
    held, match = moment.state.held, moment.match
    if held is None or match.turn is None:
        return moment.state.last_play
    return LastPlay(match.turn, Lay(match.names[match.turn], held.card), 0)


def _given_already(moment: Moment, last: LastPlay) -> tuple[int, tuple[Action, ...]]:
    """How many deeds take the last card back, and what was done with it before where it was given away just now.

    A gift right after a gift replaces it: the draws that the first one put into the record never were.
    """
    deeds = tuple(moment.state.history.deeds())
    if moment.state.held is not None:
        return 0, ()
    number = max(last.undo, 1)
    while number <= len(deeds) and not deeds[number - 1].begins_answer:
        number += 1
    if number > len(deeds):
        return last.undo, ()
    before = tuple(action for action in deeds[number - 1].restores if isinstance(action, Lay | Draw | Keep))
    is_gift = any(isinstance(action, Lay) and action.card == last.lay.card for action in before)
    return (number, before) if is_gift else (last.undo, ())


def lead_to(plan: Plan, seat: int, laid: Lay | None = None) -> bool:
    """Let everybody before *seat* draw what they owe, or draw and keep; True if *seat* can have acted then."""
    for _ in range(STEPS_MAX):
        match = plan.match
        if match.turn == seat and not match.is_owing():
            return True
        if laid is not None and plan.ruling(laid).rule in ("jump-in", "stacking"):
            return True
        if match.turn is None or not _next_silent_act(plan, match, match.turn):
            return False
    return False


def _next_silent_act(plan: Plan, match: Match, turn: int) -> bool:
    for owing, cards in enumerate(match.owes):
        if cards:
            is_short = cards > match.draw_pile and plan.take(Reshuffle())
            return plan.take(Draw(match.names[owing], cards)) or is_short
    if match.drawn is None and plan.take(Draw(match.names[turn], 1)):
        return True
    return plan.take(Keep(match.names[turn]))


def bell_again(plan: Plan) -> tuple[Action, ...]:
    """A bell that *plan* takes back on its way rings again at its end."""
    return (LastRound(),) if plan.moment.match.last_round and not plan.match.last_round else ()


def _calls_of(last: LastPlay, seat: int, name: str) -> tuple[Action, ...]:
    """A call made since by the one who laid it counts still."""
    return (Call(name),) if seat in last.calls else ()


def not_out(moment: Moment, held: int) -> Answer:
    """Who seemed out still holds *held* cards."""
    last, out = moment.state.last_play, moment.match.out
    if last is None or out is None or last.seat != out or not last.undo:
        return Answer(moment.state, notice=refused("It is too late for that; take it back step by step with Undo."))
    plan = _laid_from(moment, last, held + 1)
    return Answer(moment.state, (*plan.actions, *bell_again(plan)))


def out(moment: Moment, seat: int) -> Answer:
    """*seat* has no cards left, whatever the record says: the card laid last was theirs, and the last one."""
    last, name = moment.state.last_play, moment.name(seat)
    if last is not None and last.seat == seat and last.undo:
        plan = _laid_from(moment, last, 1)
        if plan.match.phase is not Phase.PLAY or plan.match.hands[seat].size == 0:
            return Answer(moment.state, (*plan.actions, *bell_again(plan)))
    if last is not None and last.undo and last.seat != seat:
        notice = refused(
            "By the record {} laid the card on top. If it is the last one of {}, touch the seat of {}; if not, take "
            "back with Undo what came after that one, or lay it now. Then enter 0 once more.",
            moment.name(last.seat),
            name,
            name,
        )
        return Answer(moment.state, notice=notice)
    notice = refused(
        "Who is out laid the last card. Take back with Undo what came after the last one of {}, or lay it now; "
        "then enter 0 once more.",
        name,
    )
    return Answer(moment.state, notice=notice)


def _laid_from(moment: Moment, last: LastPlay, held: int) -> Plan:
    """The last card taken back, and laid again from a hand of *held* cards."""
    plan, name = Plan.of(moment), moment.name(last.seat)
    for _time in range(last.undo):
        plan.add(Undo())
    plan.add(SetHand(name, held))
    plan.add(Lay(name, last.lay.card, last.lay.colour))
    return plan
