"""What answers the table's own open question: was the pile shuffled, has everybody drawn, whose card was it?

One function an answer; its first line says the answer in words, and `ANSWERS` which signal gives it. What such a card
then means is in `cards_read` and its neighbours; nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from table_app.rules import Called, Card, Catch, Draw, Lay, Phase
from table_app.rules.actions import Action
from table_app.table import after_shuffle, calling, cards_read, hands_tapped, just_shown, last_debts, new_tag, tracked
from table_app.table.giving import give_or_ask, give_to
from table_app.table.last_play import GiveQuestion, LastPlay
from table_app.table.meanings import MEANINGS
from table_app.table.notices import refused, said
from table_app.table.planning import Plan
from table_app.table.situations import Answer, Moment, SignalKind, card_kind, kind_by_place, situation
from table_app.table.state import (
    QUESTION_MS,
    CatcherQuestion,
    DebtQuestion,
    DrawnQuestion,
    LabelQuestion,
    MoreQuestion,
    SameQuestion,
    ShuffleQuestion,
    StartQuestion,
)
from table_app.table.worded import Outcome


def to_question(moment: Moment) -> Answer | None:
    """The answer to the table's own open question; None where the signal is none, or there is no question."""
    question = moment.state.question
    if question is None:
        return None
    is_whose_asked = isinstance(question, DebtQuestion) and question.is_seat_asked
    if moment.kind is SignalKind.SEAT and isinstance(question, DebtQuestion | DrawnQuestion) and not is_whose_asked:
        if calling.was_fined(moment.match, moment.seat):
            moment = replace(moment, kind=SignalKind.CALLED)
            if isinstance(question, DrawnQuestion):
                return calling.called(moment)
        elif moment.match.window is not None and isinstance(question, DebtQuestion):
            return calling.seat(moment)  # a call to be made or caught comes first, and the card is asked for still
    answer = ANSWERS[type(question)].get(moment.kind)
    if answer is None:
        return None
    return answer(replace(moment, state=replace(moment.state, question=None)), question)


def _dealt(moment: Moment, question: StartQuestion) -> Answer:
    """Everybody has been dealt to, and that was the first card."""
    return cards_read.dealt_then_first_card(moment, question.card)


def _not_dealt(moment: Moment, question: StartQuestion) -> Answer:
    """Nothing: the cards are dealt first."""
    del question
    return Answer(moment.state, notice=said("Then deal first, and turn a card."))


def _one_more(moment: Moment, question: MoreQuestion) -> Answer:
    """It belongs to that hand: the verdict is taken back, and the hand is shown on, however many cards there are."""
    return just_shown.one_more(moment, question)


def _not_more(moment: Moment, question: MoreQuestion) -> Answer:
    """It means here what any card does: it is laid, turned, or the first of the next hand."""
    kind = kind_by_place(moment.state, question.card, question.reader)
    tapped = replace(moment, kind=kind, card=question.card, device=question.reader)
    return MEANINGS[situation(moment.state)][kind](tapped)


def _shuffled(moment: Moment, question: ShuffleQuestion) -> Answer:
    """The pile was shuffled, and the card comes out of it."""
    return after_shuffle.shuffled_then_lay(moment, question.card, question.reader)


def _not_shuffled(moment: Moment, question: ShuffleQuestion) -> Answer:
    """Nothing: a card of the discard pile can't be laid."""
    if moment.state.options.is_tracked or hands_tapped.shown_seat(moment.state) is not None:
        return Answer(moment.state, notice=refused("That card lies in the discard pile; it can't be laid or drawn."))
    notice = refused("The {} lies in the discard pile; it can't be laid again.", question.card.face)
    return Answer(moment.state, notice=notice)


def _same(moment: Moment, question: SameQuestion) -> Answer:
    """It is the same card: it lies there already."""
    return cards_read.same_card(moment, question.card)


def _not_same(moment: Moment, question: SameQuestion) -> Answer:
    """It is another one like it, and means here what any such card does."""
    kind = kind_by_place(moment.state, question.card, question.reader)
    tapped = replace(moment, kind=kind, card=question.card, device=question.reader)
    return MEANINGS[situation(moment.state)][kind](tapped)


def _is_new_tag(moment: Moment, question: LabelQuestion) -> Answer:
    """It is such a card's new tag, is kept in the list, and means here what any such card does."""
    state, card = new_tag.with_new_tag(moment.state, Card(question.card.face), question.tag)
    kind = card_kind(state, card, question.reader)
    tapped = replace(moment, state=state, kind=kind, card=card, tag=question.tag, device=question.reader)
    tapped = just_shown.found_in_shown_hand(tapped)
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


def _given(moment: Moment, question: GiveQuestion) -> Answer:
    """It was this player's, and all before drew without a word."""
    if question.is_owed:
        return replace(give_to(_supposed(moment, question.card), question.seat), state=moment.state)
    return give_to(moment, question.seat)


def _given_to_seat(moment: Moment, question: GiveQuestion) -> Answer | None:
    """Touched once more, the seat says yes; another one says that it was theirs."""
    if moment.seat == question.seat:
        return _given(moment, question)
    return _give_asked(moment, DebtQuestion(question.card, question.until_ms)) if question.is_owed else None


def _not_given(moment: Moment, question: GiveQuestion) -> Answer:
    """Nothing: the card stays whose it is, and where that is not known it is asked of it as before."""
    if question.is_owed and not moment.match.is_owing():
        return cards_read.lay(replace(moment, card=question.card))  # drawn meanwhile, or lifted
    if question.is_owed:
        asked = DebtQuestion(question.card, moment.at_ms + QUESTION_MS)
        return Answer(replace(moment.state, question=asked))
    last = moment.state.last_play
    owner = moment.name(last.seat) if last is not None else ""
    return Answer(moment.state, notice=said("The {} stays the card of {}.", question.card.face, owner))


def _give_asked(moment: Moment, question: DebtQuestion) -> Answer:
    """It was this player's card, and what was owed is drawn; where that can't be, the question stays."""
    state, match = moment.state, moment.match
    if match.phase is Phase.OUT:
        return last_debts.drawn_then_shown(moment, question, moment.seat)
    assert match.turn is not None and question.card is not None
    if moment.seat == match.turn:
        drawn = _debts_drawn(moment, question)
        if drawn.actions[-1:] == (Lay(moment.name(), question.card),):
            return drawn
        notice = refused("The {} can't be {}'s: it could not be their turn.", question.card.face, moment.name())
        if just_shown.hides_face(state):
            notice = refused("That card can't be {}'s: it could not be their turn.", moment.name())
        return Answer(replace(state, question=question), notice=notice)
    give = give_to if just_shown.hides_face(state) else give_or_ask  # a question would name the card
    given = give(_supposed(moment, question.card), moment.seat)
    if isinstance(given.state.question, GiveQuestion):
        return Answer(replace(state, question=given.state.question._replace(is_owed=True)))
    # What was only supposed of a card that nobody has laid yet is not remembered.
    if not given.actions and just_shown.hides_face(state):
        given = replace(given, notice=refused("That card can't be {}'s: it could not be their turn.", moment.name()))
    return replace(given, state=state if given.actions else replace(state, question=question))


def _supposed(moment: Moment, card: Card) -> Moment:
    """As if *card* had been laid by whoever has the turn."""
    match = moment.match
    assert match.turn is not None
    last = LastPlay(match.turn, Lay(match.names[match.turn], card), 0)
    return replace(moment, state=replace(moment.state, last_play=last))


def _called_asked(moment: Moment, question: DebtQuestion) -> Answer:
    """This player did call, and the fine is lifted: where nothing is owed then the card is laid by the player whose
    turn it is, else the question stays."""
    plan, lifted = Plan.of(moment), Called(moment.name())
    if not plan.take(lifted) or plan.match.is_owing():
        return Answer(replace(moment.state, question=question), (lifted,))
    if plan.match.turn is None or question.card is None:
        return Answer(moment.state, (lifted,))  # before the count: the hands are shown next
    return Answer(moment.state, (lifted, Lay(plan.match.names[plan.match.turn], question.card)))


def _give_asked_next(moment: Moment, question: DebtQuestion) -> Answer | None:
    """*Another laid it*: it asks who."""
    if moment.text != "give":
        return None
    asked = question._replace(until_ms=moment.at_ms + QUESTION_MS, is_seat_asked=True)
    return Answer(replace(moment.state, question=asked), notice=said("Whose card is it? Touch the seat."))


def _debts_drawn(moment: Moment, question: DebtQuestion) -> Answer:
    """What was owed is drawn, and the card is laid by whoever has the turn then; before the count it is of a hand."""
    match = moment.match
    if match.phase is Phase.OUT:
        return last_debts.drawn_then_shown(moment, question, question.seat)
    assert question.card is not None
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
    if just_shown.hides_face(moment.state):
        return Answer(moment.state, notice=cards_read.debts_first())
    assert match.turn is not None and question.card is not None
    return Answer(moment.state, (Lay(match.names[match.turn], question.card),))


ANSWERS: Mapping[type, Mapping[SignalKind, Callable[[Moment, Any], Answer | None]]] = MappingProxyType(
    {
        StartQuestion: {SignalKind.YES: _dealt, SignalKind.DEAL: _dealt, SignalKind.NO: _not_dealt},
        DebtQuestion: {
            SignalKind.YES: _debts_drawn,
            SignalKind.NO: _debts_open,
            SignalKind.GIVE: _give_asked,
            SignalKind.SEAT: _give_asked,
            SignalKind.CALLED: _called_asked,
            SignalKind.FORM: _give_asked_next,
        },
        MoreQuestion: {SignalKind.YES: _one_more, SignalKind.NO: _not_more},
        ShuffleQuestion: {SignalKind.YES: _shuffled, SignalKind.NO: _not_shuffled},
        SameQuestion: {SignalKind.YES: _same, SignalKind.NO: _not_same},
        LabelQuestion: {SignalKind.YES: _is_new_tag, SignalKind.NO: new_tag.no_card},
        DrawnQuestion: {
            SignalKind.DRAW: _was_drawn,
            SignalKind.YES: _was_laid,
            SignalKind.SEAT: _was_laid_by,
            SignalKind.GIVE: _was_laid_by,
        },
        CatcherQuestion: {SignalKind.SEAT: _catcher, SignalKind.NO: _nobody_caught},
        GiveQuestion: {
            SignalKind.YES: _given,
            SignalKind.GIVE: _given_to_seat,
            SignalKind.SEAT: _given_to_seat,
            SignalKind.NO: _not_given,
        },
    }
)
"""The answers to the table's own questions, by the kind of signal; any other signal closes the question."""


_ACTS, _ASKS, _REFUSES, _TELLS, _SHOWS = Outcome
ANSWERS_COME_TO: Mapping[Callable[[Moment, Any], Answer | None], tuple[Outcome, ...]] = MappingProxyType(
    {
        _dealt: (_ACTS,),
        _not_dealt: (_TELLS,),
        _debts_drawn: (
            _ACTS,
            _REFUSES,
        ),
        _debts_open: (_REFUSES,),
        _give_asked: (_ACTS, _ASKS, _REFUSES),
        _called_asked: (
            _ACTS,
            _REFUSES,
        ),
        _give_asked_next: (_ASKS,),
        _shuffled: (_ACTS, _REFUSES, _TELLS),
        _not_shuffled: (_REFUSES,),
        _same: (_TELLS,),
        _not_same: (_ACTS, _ASKS, _REFUSES, _TELLS),
        _is_new_tag: (_ACTS, _ASKS, _REFUSES, _TELLS),
        new_tag.no_card: (_REFUSES,),
        _was_drawn: (_ACTS,),
        _was_laid: (
            _ACTS,
            _REFUSES,
        ),
        _was_laid_by: (
            _ACTS,
            _REFUSES,
        ),
        _catcher: (_REFUSES,),
        _nobody_caught: (_TELLS,),
        _one_more: (_ACTS,),
        _not_more: (_ACTS, _ASKS, _TELLS),
        _given: (_ACTS, _REFUSES),
        _given_to_seat: (_ACTS, _REFUSES),
        _not_given: (_ACTS, _ASKS, _TELLS),
    }
)
"""What each answer may come to, as `outcomes.COMES_TO` says it of meanings."""
