"""Giving the last card to another seat: what the record says then, found by asking the core ahead.

In counted mode nobody says that they drew. A card is taken for the turn holder's, and when it was somebody else's the
turn holders between drew and kept in silence. Source: design, *counted*.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.rules import Action, Call, Draw, Keep, LastRound, Match, Undo
from table_app.rules.actions import Lay
from table_app.table.last_play import GiveQuestion, LastPlay
from table_app.table.notices import refused, said
from table_app.table.planning import Plan
from table_app.table.situations import Answer, Moment
from table_app.table.state import QUESTION_MS

STEPS_MAX = 40
"""Actions between the last card and the seat it is given to: at ten seats, a debt, a draw and a keep each."""

DREW_MAX = 2
"""Players who may have drawn without a word before one touch puts it into the record; of more, a slip is as likely."""


def give_or_ask(moment: Moment, seat: int) -> Answer:
    """As `give_to`; where many must have drawn without a word for it, the touch may be a slip, and it asks first."""
    given = give_to(moment, seat)
    drew = {action.player for action in given.actions if isinstance(action, Draw)}
    last = moment.state.last_play
    if len(drew) <= DREW_MAX or last is None:
        return given
    question = GiveQuestion(seat, last.lay.card, len(drew), moment.at_ms + QUESTION_MS)
    return Answer(replace(moment.state, question=question))


def give_to(moment: Moment, seat: int) -> Answer:
    """The last card was laid by *seat*: taken back, whoever stood between drew and kept, and it is ruled anew."""
    state = moment.state
    last, name = state.last_play, moment.name(seat)
    if last is None:
        return Answer(state, notice=refused("There is no card to give to {}: lay it first, then touch the seat.", name))
    if last.seat == seat:
        return Answer(state, notice=said("The {} is {}'s already.", last.lay.card.face, name))
    plan = Plan.of(moment)
    laid = Lay(name, last.lay.card, last.lay.colour)
    deeds, before = _given_already(moment, last)
    if any(isinstance(action, Lay) and action.player == name for action in before):
        again = tuple(replace(action, colour=laid.colour) if isinstance(action, Lay) else action for action in before)
        return Answer(state, ((Undo(),) * deeds) + again + _calls_of(last, seat, name), is_undo=True)
    if not all(plan.take(Undo()) for _ in range(deeds)) or not _lead_to(plan, seat, laid):
        return Answer(
            state, notice=refused("The {} can't be {}'s: it could not be their turn.", last.lay.card.face, name)
        )
    return Answer(state, (*plan.actions, laid, *_calls_of(last, seat, name), *bell_again(plan)))


def _given_already(moment: Moment, last: LastPlay) -> tuple[int, tuple[Action, ...]]:
    """How many deeds take the last card back, and what was done with it before where it was given away just now.

    A gift right after a gift replaces it: the draws that the first one put into the record never were.
    """
    deeds = moment.state.past.deeds
    number = max(last.undo, 1)
    while number <= len(deeds) and not deeds[-number].begins_answer:
        number += 1
    if number > len(deeds):
        return last.undo, ()
    before = tuple(action for action in deeds[-number].restores if isinstance(action, Lay | Draw | Keep))
    is_gift = any(isinstance(action, Lay) and action.card == last.lay.card for action in before)
    return (number, before) if is_gift else (last.undo, ())


def _lead_to(plan: Plan, seat: int, laid: Lay) -> bool:
    """Let everybody before *seat* draw what they owe, or draw and keep; True if *seat* can have acted then."""
    for _ in range(STEPS_MAX):
        match = plan.match
        if plan.ruling(laid).rule in ("jump-in", "stacking") or (match.turn == seat and not match.is_owing()):
            return True
        if match.turn is None or not _next_silent_act(plan, match, match.turn):
            return False
    return False


def _next_silent_act(plan: Plan, match: Match, turn: int) -> bool:
    for owing, cards in enumerate(match.owes):
        if cards:
            return plan.take(Draw(match.names[owing], cards))
    if match.drawn is None and plan.take(Draw(match.names[turn], 1)):
        return True
    return plan.take(Keep(match.names[turn]))


def bell_again(plan: Plan) -> tuple[Action, ...]:
    """A bell that *plan* takes back on its way rings again at its end."""
    return (LastRound(),) if plan.moment.match.last_round and not plan.match.last_round else ()


def _calls_of(last: LastPlay, seat: int, name: str) -> tuple[Action, ...]:
    """A call made since by the one who laid it counts still."""
    return (Call(name),) if seat in last.calls else ()
