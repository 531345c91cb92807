"""Who is out after all, or not yet: the last card is taken back, the number put right, and the card laid again.

What the last step of two forms does; which steps they have is in `form_steps`.
"""

from __future__ import annotations

from table_app.play.giving import bell_again
from table_app.play.history import LastPlay
from table_app.play.notices import refused
from table_app.play.planning import Plan
from table_app.play.situations import Answer, Moment
from table_app.rules import Lay, Phase, SetHand, Undo


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
