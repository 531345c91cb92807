"""What a card on the pad means where it is played: laid by whoever has the turn, turned first, or drawn for the deal.

One function a meaning; which of them applies when is in `meanings`. Each takes a `Moment` and gives an `Answer`, and
its first line says the meaning in words. Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.rules import (
    Card,
    DealUnseen,
    High,
    Lay,
    Start,
    waits,
)
from table_app.rules.ruling import Code
from table_app.rules.state import Match, Unseen
from table_app.table.notices import Notice, refused, said
from table_app.table.noting import pile_knows
from table_app.table.planning import (
    FEW_LEFT,
    Plan,
    shuffle_early,
)
from table_app.table.situations import Answer, Moment
from table_app.table.state import (
    QUESTION_MS,
    DebtQuestion,
    SameQuestion,
    ShuffleQuestion,
    StartQuestion,
    TableState,
)
from table_app.table.stickers import is_certain

TAPPED_AGAIN_MS = 5_000
"""Less than anybody takes to gather and shuffle a deck."""


def lay(moment: Moment) -> Answer:
    """It is laid by the player whose turn it is; one tap on another seat gives it to that seat."""
    return lay_or_ask(moment, _card(moment))


def discarded_card(moment: Moment) -> Answer:
    """It lies in the discard pile: it asks whether that was shuffled, or says that it is the top card."""
    state, card = moment.state, _card(moment)
    if state.lies_on_top(card):
        return Answer(state, notice=said("The {} lies on top already.", card.face))
    return _ask_whether_shuffled(moment, card)


def _ask_whether_shuffled(moment: Moment, card: Card) -> Answer:
    return Answer(replace(moment.state, question=ShuffleQuestion(card, moment.device, moment.at_ms + QUESTION_MS)))


def ask_whether_same(moment: Moment) -> Answer:
    """One like it was named by hand while the reader was away: it asks whether this is the same card."""
    card = _card(moment)
    player = moment.state.named_by_hand(card)
    assert player is not None
    return Answer(replace(moment.state, question=SameQuestion(card, player, moment.device, moment.at_ms + QUESTION_MS)))


def same_card(moment: Moment, card: Card) -> Answer:
    """*card* is the one that was named: it lies in the pile, and from now on the table knows which one it is."""
    return Answer(pile_knows(moment.state, card), notice=said("Then the {} lies there already.", card.face))


def lay_or_ask(moment: Moment, card: Card, *, is_shuffle_told: bool = False) -> Answer:
    """Lay *card*, or ask whether what is owed was drawn without a word, or the pile was shuffled.

    *is_shuffle_told*: that was answered a moment ago.
    """
    state = moment.state
    match = state.match
    assert match.turn is not None
    action = Lay(match.names[match.turn], card)
    _, ruling = moment.foresee(match, action)
    is_impossible = ruling.code is Code.ALREADY_PLAYED or (ruling.code is Code.DRAWN_CARD and _is_drawn(match, card))
    if is_impossible and card.copy and not state.lies_in_pile(card):
        # The table may have been told before that the pile was shuffled, when the record could not be.
        plan, is_told = Plan.of(moment), len(state.places.discard_pile) < len(match.discard_pile)
        if shuffle_early(plan, is_certain=is_told) and plan.refuses(action) not in (
            Code.ALREADY_PLAYED,
            Code.DRAWN_CARD,
        ):
            return Answer(told_of_silence(moment), (*plan.actions, action))
        doubtful = [
            lies for lies in (*state.places.discard_pile, card) if lies.face is card.face and not is_certain(lies.copy)
        ]
        if doubtful and not is_told and not is_shuffle_told:
            # All of them lie in the pile, one without its copy being known: it may well have been this one.
            return discarded_card(replace(moment, card=card))
    is_in_pile = match.discard_pile.count(card.face) == match.kind(card.face).copies
    if is_impossible and is_in_pile and not card.copy and not is_shuffle_told:
        # All of them lie in the pile by the record, and no tag tells whether this is one of those.
        if state.lies_on_top(card):
            return Answer(state, notice=said("The {} lies on top already.", card.face))
        return _ask_whether_shuffled(moment, card)
    caught = any(happening.word == "uno-missed" for happening in ruling.effects)
    if ruling.code is Code.OWES_CARDS and not caught and 0 < sum(match.owes) <= match.draw_pile:
        return Answer(replace(state, question=DebtQuestion(card, moment.at_ms + QUESTION_MS)))
    if ruling.code is Code.OWES_CARDS and state.shown:
        return Answer(state, notice=debts_first())
    return Answer(state, (action,))


def _is_drawn(match: Match, card: Card) -> bool:
    """True of the card drawn unseen in this turn, where only the record of the discard pile speaks against it."""
    assert match.turn is not None
    is_unseen = match.drawn is not None and match.drawn.card is Unseen.CARD
    return is_unseen and card.face not in match.hands[match.turn].known and card.face in match.discard_pile


def told_of_silence(moment: Moment) -> TableState:
    """The pile was shuffled, and by the record it was too early: that is said."""
    left = moment.match.draw_pile
    message = _DRAWN_IN_SILENCE if left <= FEW_LEFT else _SHUFFLED_TOO_EARLY
    return replace(moment.state, messages=(message.format(left),)) if left else moment.state


_DRAWN_IN_SILENCE = (
    "By the record {} cards were left to draw, so somebody drew without a word. "
    "Compare the numbers of cards; More, Put right, Number of cards."
)


_SHUFFLED_TOO_EARLY = (
    "By the record {} cards were left to draw when the pile was shuffled. If it was not shuffled at all, press Undo."
)


def debts_first() -> Notice:
    """Said where a card may belong to a hand, so that its face is nobody's business."""
    return refused("First the cards are drawn that are owed.")


def first_card(moment: Moment) -> Answer:
    """It is the first card, turned."""
    return Answer(moment.state, (Start(_card(moment)),))


def ask_whether_dealt(moment: Moment) -> Answer:
    """It asks whether everybody has been dealt to and this is the first card."""
    state, card = moment.state, _card(moment)
    if is_tapped_again(moment):
        return Answer(state, notice=said("The {} lies on top already.", card.face))
    return Answer(replace(state, question=StartQuestion(card, moment.at_ms + QUESTION_MS)))


def set_aside_already(moment: Moment) -> Answer:
    """Nothing: that card was set aside; the next one is turned."""
    return Answer(moment.state, notice=said("The {} was set aside; turn the next card.", _card(moment).face))


def is_tapped_again(moment: Moment) -> bool:
    """True of the card that ended the round, tapped a second time: nobody has shuffled and dealt so soon."""
    state = moment.state
    return state.lies_on_top(_card(moment)) and moment.at_ms - state.ruled_ms < TAPPED_AGAIN_MS


def drawn_for_the_deal(moment: Moment) -> Answer:
    """It is the card of the next player in the draw for the deal."""
    state, card = moment.state, _card(moment)
    if card.copy and card in _lying_drawn(moment):
        return Answer(state, notice=refused("The {} was drawn already; the next player draws another card.", card.face))
    drawing = [name for name, word in waits(moment.match) if word == "high" and name is not None]
    return Answer(state, (High(drawing[0], card),))


def _lying_drawn(moment: Moment) -> tuple[Card, ...]:
    """The cards drawn for the deal that lie there: those of this go; after a tie only the last, tapped again."""
    state, high = moment.state, moment.match.high
    drawn = state.past.drawn_for_the_deal()
    if high is not None and high.drawn:
        return drawn[-len(high.drawn) :]
    return drawn[-1:] if moment.at_ms - state.ruled_ms < TAPPED_AGAIN_MS else ()


def dealt_then_first_card(moment: Moment, card: Card) -> Answer:
    """Everybody has been dealt to, and *card* is the first."""
    return Answer(moment.state, (DealUnseen(moment.state.cards_each), Start(card)))


def not_now(moment: Moment) -> Answer:
    """Nothing: a card has nothing to do here."""
    if moment.card is not None and moment.state.lies_on_top(moment.card):
        return Answer(moment.state, notice=said("The {} lies on top already.", moment.card.face))
    return Answer(moment.state, notice=refused("No card is awaited now."))


def _card(moment: Moment) -> Card:
    assert moment.card is not None
    return moment.card
