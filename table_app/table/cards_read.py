"""What a card on the pad means: laid by whoever has the turn, turned first, or shown to the referee alone.

One function a meaning; which of them applies when is in `meanings`. Each takes a `Moment` and gives an `Answer`, and
its first line says the meaning in words. Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.rules import Card, DealUnseen, Discard, Draw, High, Lay, Phase, Points, Shows, Start, waits
from table_app.rules.ruling import Code
from table_app.rules.state import DiscardQuestion, Match, ProofQuestion, ShowQuestion
from table_app.table.notices import Notice, refused, refused_counted, said, said_counted
from table_app.table.noting import pile_shuffled
from table_app.table.planning import Plan, drawing_seat, shuffle_early
from table_app.table.situations import Answer, Moment
from table_app.table.state import (
    QUESTION_MS,
    DebtQuestion,
    Showing,
    ShuffleQuestion,
    StartQuestion,
    TableState,
)

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
    question = ShuffleQuestion(card, moment.at_ms + QUESTION_MS)
    return Answer(replace(state, question=question))


def lay_or_ask(moment: Moment, card: Card) -> Answer:
    """Lay *card*, or ask whether what is owed was drawn without a word."""
    state = moment.state
    match = state.match
    assert match.turn is not None
    action = Lay(match.names[match.turn], card)
    _, ruling = moment.foresee(match, action)
    caught = any(happening.word == "uno-missed" for happening in ruling.effects)
    if ruling.code is Code.OWES_CARDS and not caught and 0 < sum(match.owes) <= match.draw_pile:
        return Answer(replace(state, question=DebtQuestion(card, moment.at_ms + QUESTION_MS)))
    return Answer(state, (action,))


def shuffled_then_lay(moment: Moment, card: Card) -> Answer:
    """The discard pile was shuffled, and *card* comes from the new draw pile: drawn at a tracked table, else laid."""
    plan = Plan.of(moment)
    seat = drawing_seat(moment.match) if moment.state.options.is_tracked else moment.match.turn
    left = moment.match.draw_pile
    if seat is not None and shuffle_early(plan):
        name = moment.name(seat)
        acted = Draw(name, 1, (card,)) if moment.state.options.is_tracked else Lay(name, card)
        state = replace(moment.state, messages=(_DRAWN_IN_SILENCE.format(left),)) if left else moment.state
        return Answer(state, (*plan.actions, acted))
    # The core can't shuffle; but the table knows better which cards lie where.
    return lay_or_ask(replace(moment, state=pile_shuffled(moment.state)), card)


_DRAWN_IN_SILENCE = (
    "By the record {} cards were left to draw, so somebody drew without a word. "
    "Compare the numbers of cards; More, Put right, Number of cards."
)


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
    drawing = [name for name, word in waits(moment.match) if word == "high" and name is not None]
    return Answer(moment.state, (High(drawing[0], _card(moment)),))


def dealt_then_first_card(moment: Moment, card: Card) -> Answer:
    """Everybody has been dealt to, and *card* is the first."""
    return Answer(moment.state, (DealUnseen(moment.state.cards_each), Start(card)))


# -- hands shown to the referee alone --------------------------------------------------------------------------


def show(moment: Moment) -> Answer:
    """It belongs to the hand that is being shown; only how many there are is told, never which."""
    state, card = moment.state, _card(moment)
    seat = shown_seat(state)
    if seat is None:
        return Answer(state, notice=refused("Nobody has a hand to show now."))
    if foul := _cannot_be_shown(state, card):
        return Answer(state, notice=foul)
    cards = (*state.showing.cards, card)
    needed = cards_to_show(state.match, seat)
    showing = Showing(seat, cards, state.showing.is_free)
    name = state.match.names[seat]
    if state.showing.is_free:
        needed = None
    if needed is not None and len(cards) >= needed:
        return Answer(replace(state, showing=showing), (Shows(name, cards),))
    after = replace(state, showing=showing)
    if needed is None:
        notice = said_counted(
            "{}: {} card. Press Yes when that is all.",
            "{}: {} cards. Press Yes when that is all.",
            len(cards),
            name,
            len(cards),
        )
        return Answer(after, notice=notice)
    return Answer(
        after, notice=said_counted("{}: {} of {} card.", "{}: {} of {} cards.", needed, name, len(cards), needed)
    )


def _cannot_be_shown(state: TableState, card: Card) -> Notice | None:
    if card.copy and card in state.showing.cards:
        return refused("That card was shown already; take the next one.")
    if card.copy and card in state.counted:
        return refused("That card was counted with another hand already.")
    if state.lies_in_pile(card):
        return refused("That card lies in the discard pile; it is in nobody's hand.")
    return None


def shown_seat(state: TableState) -> int | None:
    """Whose hand is being shown: the one asked, or the one chosen, or the first that is waited for."""
    match = state.match
    if isinstance(match.question, ShowQuestion | ProofQuestion):
        return match.question.seat
    awaited = [match.seat_of(name) for name, word in waits(match) if word == "show" and name is not None]
    if state.showing.seat in awaited:
        return state.showing.seat
    return awaited[0] if awaited else None


def cards_to_show(match: Match, seat: int) -> int | None:
    """How many cards *seat* has to show; None where the referee can't know (a table used for the score alone)."""
    if not match.setup.refereed:
        return None
    if isinstance(match.question, ShowQuestion) and match.wild_four is not None:
        return match.wild_four.hand.size
    return match.hands[seat].size


def all_shown(moment: Moment) -> Answer:
    """That was the whole hand."""
    state = moment.state
    seat = shown_seat(state)
    if seat is None:
        return Answer(state, notice=refused("Nobody has a hand to show now."))
    needed = cards_to_show(state.match, seat)
    name = state.match.names[seat]
    if state.showing.is_free and state.match.phase is Phase.OUT and len(state.showing.cards) != needed:
        kinds = state.match.setup.deck.kinds
        return Answer(state, (Points(name, sum(kinds[card.face].points for card in state.showing.cards)),))
    if needed is not None and len(state.showing.cards) < needed:
        shown = len(state.showing.cards)
        notice = refused_counted(
            "{} has shown {} of {} card.", "{} has shown {} of {} cards.", needed, name, shown, needed
        )
        return Answer(state, notice=notice)
    return Answer(state, (Shows(name, state.showing.cards),))


def choose_hand(moment: Moment) -> Answer:
    """This player's hand is shown next; pressed again, it is shown however many cards there are."""
    state, seat = moment.state, moment.seat
    name = moment.name()
    if (name, "show") not in waits(state.match):
        return Answer(state, notice=refused("{} has no hand to show now.", name))
    if state.showing.seat == seat and state.match.setup.refereed and not state.showing.is_free:
        after = replace(state, showing=Showing(seat, state.showing.cards, is_free=True))
        return Answer(after, notice=said("{}: tap all the cards, however many; then press Yes.", name))
    if state.showing.seat == seat:
        return Answer(state, notice=said("{}: tap the cards of the hand, one by one.", name))
    showing = Showing(seat)
    return Answer(replace(state, showing=showing), notice=said("{}: tap the cards of the hand, one by one.", name))


# -- discards that a special card asks for ---------------------------------------------------------------------


def discard(moment: Moment) -> Answer:
    """It is one of the cards to be discarded; Yes ends them."""
    state, card = moment.state, _card(moment)
    if state.lies_in_pile(card) or (card.copy and card in state.showing.cards):
        return Answer(state, notice=refused("The {} lies there already.", card.face))
    cards = (*state.showing.cards, card)
    after = replace(state, showing=Showing(discarding_seat(state), cards))
    name = state.match.names[discarding_seat(state)]
    notice = said_counted(
        "{} discards {} card. Press Yes when that is all.",
        "{} discards {} cards. Press Yes when that is all.",
        len(cards),
        name,
        len(cards),
    )
    return Answer(after, notice=notice)


def discarding_seat(state: TableState) -> int:
    """Whose discards these are: the seat chosen, or the first that is asked."""
    question = state.match.question
    assert isinstance(question, DiscardQuestion)
    return state.showing.seat if state.showing.seat in question.seats else question.seats[0]


def choose_discarder(moment: Moment) -> Answer:
    """This player discards next."""
    question = moment.match.question
    if not isinstance(question, DiscardQuestion) or moment.seat not in question.seats:
        return Answer(moment.state, notice=refused("{} has nothing to discard now.", moment.name()))
    after = replace(moment.state, showing=Showing(moment.seat))
    return Answer(after, notice=said("{}: tap the cards, then Yes; or only Yes.", moment.name()))


def all_discarded(moment: Moment) -> Answer:
    """Those are all the discards of this player."""
    state = moment.state
    return Answer(state, (Discard(state.match.names[discarding_seat(state)], state.showing.cards),))


def take_back_shown(moment: Moment) -> Answer | None:
    """The card shown or dealt last was not meant, where cards are being shown or dealt; None where none are."""
    state = moment.state
    cards = state.showing.cards
    if state.dealing and state.match.phase is Phase.BETWEEN:
        after = replace(state, dealing=state.dealing[:-1])
        return Answer(after, notice=said("The card dealt last is taken back; {} are dealt.", len(after.dealing)))
    if not cards or state.match.phase is Phase.OVER:
        return None
    seat = state.showing.seat
    assert seat is not None
    after = replace(state, showing=Showing(seat, cards[:-1], state.showing.is_free))
    left = len(cards) - 1
    notice = said_counted(
        "{}: {} card; the last one was taken back.",
        "{}: {} cards; the last one was taken back.",
        left,
        moment.name(seat),
        left,
    )
    return Answer(after, notice=notice)


def not_now(moment: Moment) -> Answer:
    """Nothing: a card has nothing to do here."""
    return Answer(moment.state, notice=refused("No card is awaited now."))


def _card(moment: Moment) -> Card:
    assert moment.card is not None
    return moment.card
