"""A card or a seat when the round is out and cards are still owed: were they drawn without a word, before the count?

The card belongs to a hand that is counted, so its face is never told.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.rules import Draw
from table_app.table.calling import called, was_fined
from table_app.table.cards_read import debts_first
from table_app.table.hands_tapped import show
from table_app.table.planning import Plan
from table_app.table.shown_hands import Showing
from table_app.table.situations import Answer, Moment
from table_app.table.state import QUESTION_MS, DebtQuestion


def ask_whether_drawn(moment: Moment) -> Answer:
    """It asks whether what is owed was drawn; the count begins then, with this card or this hand."""
    state, match = moment.state, moment.match
    if not 0 < sum(match.owes) <= match.draw_pile:
        return Answer(state, notice=debts_first())
    seat = moment.seat if moment.card is None else None
    question = DebtQuestion(moment.card, moment.at_ms + QUESTION_MS, seat)
    return Answer(replace(state, question=question))


def called_or_hand(moment: Moment) -> Answer:
    """Who was just fined for a missed call, and has drawn nothing of it, did call; else it asks whether what is owed
    was drawn, and the count begins then with this hand."""
    return called(moment) if was_fined(moment.match, moment.seat) else ask_whether_drawn(moment)


def drawn_then_shown(moment: Moment, question: DebtQuestion, seat: int | None) -> Answer:
    """What was owed is drawn, and the card is the first of the hand of *seat*, or of the first that is awaited."""
    state, plan = moment.state, Plan.of(moment)
    for owing, cards in enumerate(moment.match.owes):
        if cards:
            plan.add(Draw(moment.name(owing), cards))
    showing = Showing(seat)
    if question.card is None:
        return Answer(replace(state, showing=showing), tuple(plan.actions))
    after = replace(state, match=plan.match, showing=showing)
    shown = show(replace(moment, state=after, card=question.card))
    return Answer(replace(shown.state, match=state.match), (*plan.actions, *shown.actions))
