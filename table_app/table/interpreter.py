"""From a signal to what it means at this table: `interpret`, and `tick` for what the clock means by itself.

Pure: the same signal at the same table gives the same answer. The open question of the table is settled here; all
other meanings are looked up in `meanings`. Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace

from hardware.signals import Signal, TagPlaced
from table_app.rules import Catch, Draw, Lay, Wait, deadline
from table_app.rules.actions import Action
from table_app.table import cards_read
from table_app.table.giving import give_to
from table_app.table.meanings import MEANINGS
from table_app.table.notices import refused, said
from table_app.table.situations import Answer, Moment, SignalKind, situation, sort
from table_app.table.state import (
    NANOSECONDS_PER_MS,
    CatcherQuestion,
    DebtQuestion,
    LastPlay,
    ShuffleQuestion,
    StartQuestion,
    TableState,
)

ASIDE = (
    SignalKind.TAG_REMOVED,
    SignalKind.MENU,
    SignalKind.DEVICE_LOST,
    SignalKind.DEVICE_BACK,
    SignalKind.DEVICE_NOTE,
)
"""Signals that leave an open question and what was said last standing."""


def interpret(signal: Signal, state: TableState) -> Answer:
    """What *signal* comes to at this table; its own time counts, not when it was heard.

    Every signal has an answer: actions, a notice, a question, or (a card lifted) only what is remembered.
    """
    moment = sort(signal, state)
    if isinstance(signal, TagPlaced):
        moment = _on_the_pad(moment)
    answer = _to_question(moment)
    if answer is None:
        if moment.kind not in ASIDE:
            moment = replace(moment, state=replace(moment.state, question=None))
        answer = MEANINGS[situation(state.match)][moment.kind](moment)
    if moment.kind is SignalKind.TAG_REMOVED:
        return answer
    return replace(answer, state=replace(answer.state, notice=answer.notice))


def _on_the_pad(moment: Moment) -> Moment:
    lying = tuple(entry for entry in moment.state.on_pad if entry[0] != moment.device)
    return replace(moment, state=replace(moment.state, on_pad=(*lying, (moment.device, moment.tag))))


def _to_question(moment: Moment) -> Answer | None:
    """The answer to the table's own open question; None where the signal is none, or there is no question."""
    question = moment.state.question
    closed = replace(moment, state=replace(moment.state, question=None))
    if isinstance(question, CatcherQuestion):
        return _catcher(closed, question)
    if isinstance(question, DebtQuestion) and _gives(moment):
        return _give_asked(closed, question)
    is_yes = moment.kind is SignalKind.YES
    if isinstance(question, StartQuestion):
        is_yes = is_yes or moment.kind is SignalKind.DEAL
    if question is None or not (is_yes or moment.kind is SignalKind.NO):
        return None
    card = question.card
    if isinstance(question, StartQuestion):
        if is_yes:
            return cards_read.dealt_then_first_card(closed, card)
        return Answer(closed.state, notice=said("Then deal first, and turn a card."))
    if isinstance(question, ShuffleQuestion):
        if is_yes:
            return cards_read.shuffled_then_lay(closed, card)
        return Answer(
            closed.state, notice=refused("The {} lies in the discard pile; it can't be laid again.", card.face)
        )
    return _debts_drawn(closed, question) if is_yes else _debts_open(closed, question)


def _catcher(moment: Moment, question: CatcherQuestion) -> Answer | None:
    if moment.kind is SignalKind.NO:
        return Answer(moment.state, notice=said("Nobody was caught."))
    if moment.kind is not SignalKind.SEAT or moment.seat == question.seat:
        return None
    return Answer(moment.state, (Catch(moment.name(), moment.name(question.seat)),))


def _gives(moment: Moment) -> bool:
    """A seat touched while a card is in question is whose card it was, unless there is a call to be made or caught."""
    return moment.kind is SignalKind.GIVE or (moment.kind is SignalKind.SEAT and moment.match.window is None)


def _give_asked(moment: Moment, question: DebtQuestion) -> Answer:
    match = moment.match
    assert match.turn is not None
    last = LastPlay(match.turn, Lay(match.names[match.turn], question.card), 0)
    return give_to(replace(moment, state=replace(moment.state, last_play=last)), moment.seat)


def _debts_drawn(moment: Moment, question: DebtQuestion) -> Answer:
    """What was owed is drawn, and the card is laid by whoever has the turn then."""
    match = moment.match
    actions: list[Action] = []
    for seat, cards in enumerate(match.owes):
        if cards:
            action = Draw(match.names[seat], cards)
            match, ruling = moment.foresee(match, action)
            actions.append(action)
            if not ruling.is_ok:
                return Answer(moment.state, tuple(actions))
    if match.turn is None:
        return Answer(moment.state, tuple(actions))
    return Answer(moment.state, (*actions, Lay(match.names[match.turn], question.card)))


def _debts_open(moment: Moment, question: DebtQuestion) -> Answer:
    """The cards are still owed: the core says why that card can't be laid now."""
    match = moment.match
    assert match.turn is not None
    return Answer(moment.state, (Lay(match.names[match.turn], question.card),))


# -- the clock -------------------------------------------------------------------------------------------------


def tick(state: TableState, now_ms: int) -> Answer | None:
    """What has run out by *now_ms*: the core's own clock, an open question, an alarm. None if nothing has."""
    due_ns = deadline(state.match)
    if due_ns is not None and due_ns < state.at_ns(now_ms):
        return Answer(state, (Wait(),))
    question = state.question
    if question is not None and question.until_ms < now_ms:
        notice = said("The question was not answered; nothing has changed.")
        return Answer(replace(state, question=None, notice=notice), notice=notice)
    if state.alarm is not None and state.alarm.until_ms < now_ms:
        return Answer(replace(state, alarm=None))
    return None


def next_tick_ms(state: TableState) -> int | None:
    """When `tick` next has something to say; None if only a signal can change anything."""
    moments = []
    due_ns = deadline(state.match)
    if due_ns is not None:
        moments.append(state.round_began_ms + due_ns // NANOSECONDS_PER_MS + 1)
    if state.question is not None:
        moments.append(state.question.until_ms + 1)
    if state.alarm is not None:
        moments.append(state.alarm.until_ms + 1)
    return min(moments, default=None)
