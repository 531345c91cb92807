"""What a card means right after a hand was shown to the referee alone: one of that hand again, or one card more of it.

In counted play the number of a hand is believed, not seen: who drew without a word holds more cards than the record
says, and shows them in one go. No face is told here: until somebody says that it is laid, the card belongs to a hand.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.rules import Card, Draw, Lay, Phase, Points, Shows, Undo, Wait
from table_app.table.cards_read import TAPPED_AGAIN_MS
from table_app.table.notices import refused
from table_app.table.planning import Plan
from table_app.table.possible import too_many
from table_app.table.situations import CARDS, Answer, Moment, SignalKind
from table_app.table.state import NANOSECONDS_PER_MS, QUESTION_MS, MoreQuestion, TableState

RIGHT_AFTER_MS = 3_000
"""Within one hand a card comes about every second; to hand the reader on, or to draw four cards, takes longer."""


def found_in_shown_hand(moment: Moment) -> Moment:
    """*moment*, with a card told apart that is of a hand just shown, or may be one card more of it."""
    state, card = moment.state, moment.card
    if card is None or not state.shown or moment.kind not in CARDS:
        return moment
    for hand in state.shown:
        if hand.has(card) and hand.seat is not None:
            is_shown_again = _is_shown_again(moment, hand.seat)
            return replace(moment, kind=SignalKind.SHOWN_CARD) if is_shown_again else moment
    if Card(card.face) in state.shown[-1].cards:
        return moment  # one like it was picked on the screen: it may be the same
    if moment.kind is SignalKind.CARD and _may_be_one_more(moment) and too_many(state, card.face) is None:
        return replace(moment, kind=SignalKind.MORE_CARD)
    return moment


def hides_face(state: TableState) -> bool:
    """True where a card that asks for debts may be of a hand: one was shown a moment ago, or is counted next."""
    return bool(state.shown) or state.match.phase is Phase.OUT


def shown_already(moment: Moment) -> Answer:
    """Nothing: that card was shown already."""
    return Answer(moment.state, notice=refused("That card was shown already."))


def ask_whether_more(moment: Moment) -> Answer:
    """It asks whether the card belongs to the hand that was just shown, too."""
    state, card, seat = moment.state, moment.card, moment.state.shown[-1].seat
    assert card is not None and seat is not None
    question = MoreQuestion(card, seat, moment.device, moment.at_ms + QUESTION_MS)
    return Answer(replace(state, question=question))


def one_more(moment: Moment, question: MoreQuestion) -> Answer:
    """It belongs to that hand: the verdict is taken back, and the hand is shown on, however many cards there are."""
    state = moment.state
    showing = replace(state.shown[-1].and_one(question.seat, question.card), is_free=True)
    return Answer(replace(state, showing=showing), (Undo(),) * _deeds_since(state), is_undo=True)


def _deeds_since(state: TableState) -> int:
    """How many deeds take the last showing back: it, and what the clock did since."""
    deeds = state.past.deeds
    return next(number for number, deed in enumerate(reversed(deeds), 1) if not isinstance(deed.ruling.action, Wait))


def _is_shown_again(moment: Moment, seat: int) -> bool:
    """True where a card of the hand that *seat* has shown can't be laid, drawn or turned now."""
    match = moment.match
    if match.phase is Phase.PLAY:
        return match.is_owing() and (_is_right_after(moment) or _turn_after_debts(moment) != seat)
    return match.phase is Phase.OUT or _is_right_after(moment)


def _may_be_one_more(moment: Moment) -> bool:
    """True where the number of cards may be wrong, and nothing else was done since: not even another hand begun."""
    state = moment.state
    hand = state.shown[-1]
    if moment.card is not None and _may_be_laid_last(state, moment.card):
        return False  # a proof that fails gives the card back that was to be proven
    is_believed = state.match.setup.refereed and not state.options.is_tracked and not hand.is_free
    return bool(hand.cards) and is_believed and state.showing.seat is None and _is_right_after(moment)


def _may_be_laid_last(state: TableState, card: Card) -> bool:
    """True of the card that was laid last, also where it was picked, and is one of several like it."""
    laid = (deed.ruling.action.card for deed in reversed(state.past.deeds) if isinstance(deed.ruling.action, Lay))
    last = next(laid, None)
    return last is not None and last.face is card.face and last.copy in (0, card.copy)


def _is_right_after(moment: Moment) -> bool:
    """True if a hand was shown last, a moment ago by the round's own time, which a power cut does not lengthen."""
    ruling, deeds = moment.state.ruling, moment.state.past.deeds
    if ruling is None or not isinstance(ruling.action, Shows | Points | Wait):
        return False  # a card was refused since: the play goes on
    done = [deed.ruling.action for deed in deeds if not isinstance(deed.ruling.action, Wait)]
    if not done or not isinstance(done[-1], Shows | Points) or done[-1].at_ns is None:
        return False
    is_round_over = moment.match.phase in (Phase.BETWEEN, Phase.OVER)
    span_ms = TAPPED_AGAIN_MS if is_round_over else RIGHT_AFTER_MS
    return moment.state.at_ns(moment.at_ms) - done[-1].at_ns <= span_ms * NANOSECONDS_PER_MS


def _turn_after_debts(moment: Moment) -> int | None:
    """Whose turn it is once everything that is owed is drawn."""
    plan = Plan.of(moment)
    for seat, cards in enumerate(moment.match.owes):
        if cards and not plan.take(Draw(moment.name(seat), cards)):
            return None
    return plan.match.turn
