"""From a signal to what it means at this table: `interpret`, and `tick` for what the clock means by itself.

Pure: the same signal at the same table gives the same answer. What answers the table's own open question is in
`answering`, all other meanings are looked up in `handlers`. Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from hardware.signals import Signal, TagPlaced, TagRemoved
from table_app.play import calling, cards_read, hands_tapped, presses
from table_app.play.clock import bell_ms, held_too_long, pad_hold_end_ms
from table_app.play.handlers import HANDLERS
from table_app.play.modes import Answer, Moment, SignalKind, kind_by_place, mode_of, sort
from table_app.play.notices import Notice, NoticeKind, said
from table_app.play.state import (
    ASKED_AGAIN_MS,
    NANOSECONDS_PER_MS,
    CatcherQuestion,
    DrawnQuestion,
    LabelQuestion,
    MenuPage,
    TableState,
    start_clock,
)
from table_app.rules import Card, Catch, LastRound, Lay, Wait, deadline


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
    state, card = presses.with_new_tag(moment.state, Card(question.card.face), question.tag)
    kind = kind_by_place(state, card, question.reader)
    tapped = replace(moment, state=state, kind=kind, card=card, tag=question.tag, device=question.reader)
    return replace(HANDLERS[mode_of(state)][tapped.kind](tapped), enrols=(question.tag, card))


def _was_drawn(moment: Moment, question: DrawnQuestion) -> Answer:
    """It was drawn."""
    return cards_read.drawn(replace(moment, card=question.card))


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
        LabelQuestion: {SignalKind.YES: _is_new_tag, SignalKind.NO: presses.no_card},
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


ASIDE = (
    SignalKind.LYING_TAG,
    SignalKind.TAG_REMOVED,
    SignalKind.MENU,
    SignalKind.PUT_RIGHT,
    SignalKind.RULES,
    SignalKind.DEVICE_LOST,
    SignalKind.DEVICE_BACK,
    SignalKind.DEVICE_NOTE,
    SignalKind.UNO,
    SignalKind.CATCH,
    SignalKind.CALLED,
)
"""Signals that leave an open question and what was said last standing."""


def interpret(signal: Signal, state: TableState) -> Answer:
    """What *signal* comes to at this table; its own time counts, not when it was heard.

    Every signal has an answer: actions, a notice, a question, or (a card lifted) only what is remembered.
    """
    answer = _look_up(signal, state)
    if answer.is_read_anew:
        answer = _look_up(signal, answer.state)
    if isinstance(signal, TagRemoved):
        return answer
    after = replace(answer.state, notice=answer.notice)
    if after.menu in (MenuPage.RULES, MenuPage.OLDER) and (answer.actions or answer.notice is not None):
        after = replace(after, menu=MenuPage.CLOSED)  # play goes on: the table shows itself again
    return replace(answer, state=after)


def _look_up(signal: Signal, state: TableState) -> Answer:
    moment = sort(signal, state)
    if isinstance(signal, TagPlaced):
        moment = _on_the_pad(moment)
    answer = to_question(moment) if state.pause is None else None
    if answer is not None:
        return answer
    if moment.kind not in ASIDE and state.question is not None:
        if state.pause is None and (drawn := unanswered(moment)) is not None:
            return replace(drawn, is_read_after=True)
        moment = replace(moment, state=replace(state, question=None))
    moment = hands_tapped.found_in_shown_hand(moment)
    return HANDLERS[mode_of(state)][moment.kind](moment)


def _on_the_pad(moment: Moment) -> Moment:
    lying = tuple(entry for entry in moment.state.on_pad if entry[0] != moment.device)
    return replace(moment, state=replace(moment.state, on_pad=(*lying, (moment.device, moment.tag))))


# -- the clock -------------------------------------------------------------------------------------------------


def tick(state: TableState, now_ms: int) -> Answer | None:
    """What has run out by *now_ms*: the core's own clock, an open question, an alarm. None if nothing has."""
    if state.pause is not None:
        return None
    if held_too_long(state, now_ms):
        held = None if state.held is None else Notice("Nobody said a word: tap the card again.", (), NoticeKind.LAPSED)
        return Answer(start_clock(replace(state, held=None), pad_hold_end_ms(state) or now_ms), notice=held)
    due_ns = deadline(state.match)
    if due_ns is not None and due_ns < state.at_ns(now_ms):
        return Answer(state, (Wait(),))
    rings_ms = bell_ms(state)
    if rings_ms is not None and rings_ms <= now_ms:
        return Answer(state, (LastRound(),))
    form = state.form
    if form is not None and form.until_ms < now_ms:
        notice = Notice("Nothing was put right.", (), NoticeKind.LAPSED)
        return Answer(replace(state, form=None, notice=notice), notice=notice)
    question = state.question
    if question is not None and question.until_ms < now_ms:
        lapsed = Moment(state, now_ms, SignalKind.YES)
        if (drawn := unanswered(lapsed)) is not None:
            return drawn
        notice = Notice("The question was not answered; nothing has changed.", (), NoticeKind.LAPSED)
        return Answer(replace(state, question=None, notice=notice), notice=notice)
    again_ms = _asked_again_ms(state)
    if again_ms is not None and again_ms <= now_ms:
        return Answer(replace(state, asked_again_ms=again_ms + ASKED_AGAIN_MS))
    if state.alarm is not None and state.alarm.until_ms < now_ms:
        return Answer(replace(state, alarm=None))
    return None


def next_tick_ms(state: TableState) -> int | None:
    """When `tick` next has something to say; None if only a signal can change anything."""
    if state.pause is not None:
        return None
    moments = []
    due_ns = deadline(state.match)
    hold_end_ms = pad_hold_end_ms(state)
    if hold_end_ms is not None:
        moments.append(hold_end_ms + 1)
    elif due_ns is not None and state.stopped_ms is None:
        moments.append(state.round_began_ms + due_ns // NANOSECONDS_PER_MS + 1)
    for waiting in (state.question, state.alarm, state.form):
        if waiting is not None:
            moments.append(waiting.until_ms + 1)
    moments += [moment for moment in (bell_ms(state), _asked_again_ms(state)) if moment is not None]
    return min(moments, default=None)


def _asked_again_ms(state: TableState) -> int | None:
    """When what is asked is asked once more; None if nothing is, or it was."""
    asked = state.question or state.form
    if asked is None or asked.until_ms == state.asked_again_ms:
        return None
    return asked.until_ms - ASKED_AGAIN_MS
