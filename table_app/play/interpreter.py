"""From a signal to what it means at this table: `interpret`, and `tick` for what the clock means by itself.

Pure: the same signal at the same table gives the same answer. What answers the table's own open question is in
`answering`, all other meanings are looked up in `meanings`. Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace

from hardware.signals import Signal, TagPlaced, TagRemoved
from table_app.play import hands_tapped
from table_app.play.answering import to_question, unanswered
from table_app.play.bell import bell_ms
from table_app.play.holding import held_too_long, pad_hold_end_ms
from table_app.play.meanings import MEANINGS
from table_app.play.notices import Notice, NoticeKind
from table_app.play.situations import Answer, Moment, SignalKind, situation, sort
from table_app.play.state import (
    ASKED_AGAIN_MS,
    NANOSECONDS_PER_MS,
    MenuPage,
    TableState,
    start_clock,
)
from table_app.rules import LastRound, Wait, deadline

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
    return MEANINGS[situation(state)][moment.kind](moment)


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
