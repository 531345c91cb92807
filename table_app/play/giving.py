"""Giving the last card to another seat: what the record says then, found by asking the core ahead.

In counted mode nobody says that they drew. A card is taken for the turn holder's, and when it was somebody else's the
turn holders between drew and kept in silence. Source: design, *counted*.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.play.history import LastPlay
from table_app.play.notices import refused, said
from table_app.play.planning import Plan
from table_app.play.situations import Answer, Moment
from table_app.rules import Action, Call, Draw, Keep, LastRound, Match, Reshuffle, Undo
from table_app.rules.actions import Lay

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
