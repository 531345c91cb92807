"""What answers the table's own open question: was that card drawn or laid, and who caught?

One function an answer; its first line says the answer in words, and `ANSWERS` which signal gives it. Any other signal
finds the question answered by `unanswered`. Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from table_app.play import calling, cards_read, new_tag, tracked
from table_app.play.meanings import MEANINGS
from table_app.play.notices import said
from table_app.play.situations import Answer, Moment, SignalKind, kind_by_place, situation
from table_app.play.state import CatcherQuestion, DrawnQuestion, LabelQuestion
from table_app.play.worded import Outcome
from table_app.rules import Card, Catch, Lay


def to_question(moment: Moment) -> Answer | None:
    """The answer to the table's own open question; None where the signal is none, or there is no question."""
    question = moment.state.question
    if question is None:
        return None
    is_drawn = isinstance(question, DrawnQuestion)
    if is_drawn and moment.kind is SignalKind.SEAT and calling.was_fined(moment.match, moment.seat):
        return calling.called(replace(moment, kind=SignalKind.CALLED))
    answer = ANSWERS[type(question)].get(moment.kind)
    if answer is None:
        return None
    return answer(replace(moment, state=replace(moment.state, question=None)), question)


def unanswered(moment: Moment) -> Answer | None:
    """What becomes of a card that was asked about and nobody said a word: it was drawn, and is not lost. None where
    nothing was asked about a card."""
    question = moment.state.question
    if not isinstance(question, DrawnQuestion) or question.card == moment.card:
        return None  # tapped once more it is asked about once more
    return _was_drawn(replace(moment, state=replace(moment.state, question=None)), question)


def _is_new_tag(moment: Moment, question: LabelQuestion) -> Answer:
    """It is such a card's new tag, is kept in the list, and means here what any such card does."""
    state, card = new_tag.with_new_tag(moment.state, Card(question.card.face), question.tag)
    kind = kind_by_place(state, card, question.reader)
    tapped = replace(moment, state=state, kind=kind, card=card, tag=question.tag, device=question.reader)
    return replace(MEANINGS[situation(state)][tapped.kind](tapped), enrols=(question.tag, card))


def _was_drawn(moment: Moment, question: DrawnQuestion) -> Answer:
    """It was drawn."""
    return tracked.drawn(replace(moment, card=question.card))


def _was_laid(moment: Moment, question: DrawnQuestion) -> Answer:
    """It was laid by the player whose turn it is."""
    return cards_read.lay(replace(moment, card=question.card))


def _was_laid_by(moment: Moment, question: DrawnQuestion) -> Answer:
    """It was laid by this player."""
    return Answer(moment.state, (Lay(moment.name(), question.card),))


def _nobody_caught(moment: Moment, question: CatcherQuestion) -> Answer:
    """Nobody was caught."""
    del question
    return Answer(moment.state, notice=said("Nobody was caught."))


def _catcher(moment: Moment, question: CatcherQuestion) -> Answer | None:
    """This player caught; it is asked only where nobody had to call, so the rules refuse it, at the cost agreed."""
    if moment.seat == question.seat:
        return None
    return Answer(moment.state, (Catch(moment.name(), moment.name(question.seat)),))


ANSWERS: Mapping[type, Mapping[SignalKind, Callable[[Moment, Any], Answer | None]]] = MappingProxyType(
    {
        LabelQuestion: {SignalKind.YES: _is_new_tag, SignalKind.NO: new_tag.no_card},
        DrawnQuestion: {
            SignalKind.DRAW: _was_drawn,
            SignalKind.YES: _was_laid,
            SignalKind.SEAT: _was_laid_by,
            SignalKind.GIVE: _was_laid_by,
        },
        CatcherQuestion: {SignalKind.SEAT: _catcher, SignalKind.NO: _nobody_caught},
    }
)
"""The answers to the table's own questions, by the kind of signal; any other signal closes the question."""


_ACTS, _ASKS, _REFUSES, _TELLS, _SHOWS = Outcome
ANSWERS_COME_TO: Mapping[Callable[[Moment, Any], Answer | None], tuple[Outcome, ...]] = MappingProxyType(
    {
        _is_new_tag: (_ACTS, _REFUSES, _TELLS),
        new_tag.no_card: (_REFUSES,),
        _was_drawn: (_ACTS,),
        _was_laid: (_ACTS,),
        _was_laid_by: (_ACTS, _REFUSES),
        _catcher: (_REFUSES,),
        _nobody_caught: (_TELLS,),
    }
)
"""What each answer may come to, as `outcomes.COMES_TO` says it of meanings."""
