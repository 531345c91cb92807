"""A hand tapped card by card: shown to the referee alone, for a challenge, a proof or the count, or discarded.

One function a meaning, as in `cards_read`; which hands were shown is in `shown_hands`. Nothing is allowed or refused
here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.rules import (
    Action,
    Card,
    Discard,
    Phase,
    Points,
    SetHand,
    Shows,
    waits,
)
from table_app.rules.ruling import Code
from table_app.rules.state import DiscardQuestion, Match, ProofQuestion, ShowQuestion
from table_app.table.cards_read import discarded_card
from table_app.table.notices import Notice, refused, refused_counted, said, said_counted
from table_app.table.planning import (
    Plan,
    put_number_right,
    shuffle_before_question,
)
from table_app.table.possible import too_many
from table_app.table.shown_hands import Showing
from table_app.table.situations import Answer, Moment
from table_app.table.state import (
    TableState,
)


def show(moment: Moment) -> Answer:
    """It belongs to the hand that is being shown; only how many there are is told, never which."""
    state, card = moment.state, _card(moment)
    seat = shown_seat(state)
    if seat is None:
        return Answer(state, notice=refused("Nobody has a hand to show now."))
    if foul := _cannot_be_shown(moment):
        return Answer(state, notice=foul)
    if state.lies_in_pile(card):
        return discarded_card(moment)
    showing = state.showing.and_one(seat, card)
    cards, needed = showing.cards, cards_to_show(state.match, seat)
    name = state.match.names[seat]
    if state.showing.is_free:
        needed = None
    if needed is not None and len(cards) >= needed:
        return Answer(replace(state, showing=showing), _shows(moment, name, cards))
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


def _cannot_be_shown(moment: Moment) -> Notice | None:
    state, card = moment.state, _card(moment)
    if any(hand.has(card) for hand in (state.showing, *state.shown)):
        return refused("That card was shown already; take the next one.")
    if state.lies_on_top(card):
        return refused("That card lies in the discard pile; it is in nobody's hand.")
    return too_many(state, card.face)


def _shows_another_number(moment: Moment, seat: int, needed: int) -> tuple[Action, ...]:
    """A whole hand was shown, of more or fewer cards than the *needed* ones of the record, which is put right."""
    name, cards, plan = moment.name(seat), moment.state.showing.cards, Plan.of(moment)
    if moment.match.phase is Phase.OUT:
        return (_points_of(moment, name, cards),)
    drawn_since = moment.match.hands[seat].size - needed
    put_number_right(plan, seat, len(cards))
    plan.add(Shows(name, cards))
    if drawn_since:  # the judged hand is the one before that
        plan.add(SetHand(name, len(cards) + drawn_since))
    return tuple(plan.actions)


def _points_of(moment: Moment, name: str, cards: tuple[Card, ...]) -> Points:
    kinds = moment.match.setup.deck.kinds
    return Points(name, sum(kinds[card.face].points for card in cards))


def _shows(moment: Moment, name: str, cards: tuple[Card, ...]) -> tuple[Action, ...]:
    """A whole hand was shown. Where the record has one of its cards in a pile that was shuffled since, that is put
    right first; when the round is out nothing can be, and the points say it."""
    plan, shows = Plan.of(moment), Shows(name, cards)
    if plan.refuses(shows) is not Code.ALREADY_PLAYED:
        return (shows,)
    if moment.match.phase is Phase.OUT:
        return (_points_of(moment, name, cards),)
    if shuffle_before_question(plan) and plan.refuses(shows) is not Code.ALREADY_PLAYED:
        return (*plan.actions, shows)
    return (shows,)


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
    if needed is None and not state.showing.cards:  # whoever is not out holds a card; none is what was not counted
        notice = refused("Nothing of {} was counted. Tap the cards, or type the points; 0 where there are none.", name)
        return Answer(state, notice=notice)
    if state.showing.is_free and needed is not None and len(state.showing.cards) not in (0, needed):
        return Answer(state, _shows_another_number(moment, seat, needed))
    if needed is not None and len(state.showing.cards) < needed:
        shown = len(state.showing.cards)
        notice = refused_counted(
            "{} has shown {} of {} card.", "{} has shown {} of {} cards.", needed, name, shown, needed
        )
        return Answer(state, notice=notice)
    return Answer(state, _shows(moment, name, state.showing.cards))


def choose_hand(moment: Moment) -> Answer:
    """This player's hand is shown next; pressed again, it is shown however many cards there are."""
    state, seat = moment.state, moment.seat
    name = moment.name()
    if (name, "show") not in waits(state.match):
        return Answer(state, notice=refused("{} has no hand to show now.", name))
    if state.showing.seat == seat and state.match.setup.refereed and not state.showing.is_free:
        after = replace(state, showing=replace(state.showing, is_free=True))
        return Answer(after, notice=said("{}: tap all the cards, however many; then press Yes.", name))
    if state.showing.seat == seat:
        return Answer(state, notice=said("{}: tap the cards of the hand, one by one.", name))
    after = replace(state, showing=Showing(seat))
    return Answer(after, notice=_dropped(moment) or said("{}: tap the cards of the hand, one by one.", name))


def _dropped(moment: Moment) -> Notice | None:
    """The seat is another one, and what was tapped for the one before is tapped again; None where nothing was."""
    before = moment.state.showing
    if not before.cards or before.seat in (None, moment.seat):
        return None
    return said_counted(
        "{}: tap the cards. The {} card tapped for {} does not count; tap it again later.",
        "{}: tap the cards. The {} cards tapped for {} do not count; tap them again later.",
        len(before.cards),
        moment.name(),
        len(before.cards),
        moment.name(before.seat),
    )


# -- discards that a special card asks for ---------------------------------------------------------------------


def discard(moment: Moment) -> Answer:
    """It is one of the cards to be discarded; Yes ends them."""
    state, card = moment.state, _card(moment)
    if state.lies_on_top(card) or state.showing.has(card):
        return Answer(state, notice=refused("The {} lies there already.", card.face))
    if state.lies_in_pile(card):
        return discarded_card(moment)
    if foul := too_many(state, card.face):
        return Answer(state, notice=foul)
    seat = discarding_seat(state)
    after = replace(state, showing=state.showing.and_one(seat, card))
    cards, name = after.showing.cards, state.match.names[seat]
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
    return Answer(after, notice=_dropped(moment) or said("{}: tap the cards, then Yes; or only Yes.", moment.name()))


def all_discarded(moment: Moment) -> Answer:
    """Those are all the discards of this player; a pile that was shuffled in silence is put right before them."""
    state = moment.state
    plan, action = Plan.of(moment), Discard(state.match.names[discarding_seat(state)], state.showing.cards)
    is_known_elsewhere = plan.refuses(action) is Code.ALREADY_PLAYED
    if is_known_elsewhere and shuffle_before_question(plan) and plan.refuses(action) is not Code.ALREADY_PLAYED:
        return Answer(state, (*plan.actions, action))
    return Answer(state, (action,))


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
    after = replace(state, showing=state.showing.but_last())
    left = len(cards) - 1
    notice = said_counted(
        "{}: {} card; the last one was taken back.",
        "{}: {} cards; the last one was taken back.",
        left,
        moment.name(seat),
        left,
    )
    return Answer(after, notice=notice)


def _card(moment: Moment) -> Card:
    assert moment.card is not None
    return moment.card
