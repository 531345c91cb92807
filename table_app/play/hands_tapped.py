"""A hand tapped card by card: shown to the referee alone, for a challenge, a proof or the count, or discarded.

One function a meaning, as in `cards_read`; which hands were shown is in `shown_hands`. Nothing is allowed or refused
here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.play.cards_read import TAPPED_AGAIN_MS, debts_first
from table_app.play.history import Showing
from table_app.play.modes import CARDS, Answer, Moment, SignalKind
from table_app.play.notices import Notice, refused, refused_counted, said, said_counted
from table_app.play.planning import Plan, bell_again
from table_app.play.state import NANOSECONDS_PER_MS, TableState
from table_app.rules import (
    Action,
    Called,
    Card,
    Discard,
    Draw,
    Face,
    Lay,
    Phase,
    Points,
    Reshuffle,
    SetHand,
    Shows,
    Undo,
    Wait,
    waits,
)
from table_app.rules.ruling import Code
from table_app.rules.state import DiscardQuestion, Match, ProofQuestion, ShowQuestion

CLOSE_MAX = 2
"""So few cards may all be more of the hand before, where they come right after it: then *Yes* ends the hand."""

RIGHT_AFTER_MS = 3_000
"""Within one hand a card comes about every second; to hand the reader on, or to draw four cards, takes longer."""


def show(moment: Moment) -> Answer:
    """It belongs to the hand that is being shown; only how many there are is told, never which."""
    state, card = moment.state, _card(moment)
    seat = shown_seat(state)
    if seat is None:
        return Answer(state, notice=refused("Nobody has a hand to show now."))
    if foul := _cannot_be_shown(moment):
        return Answer(state, notice=foul)
    showing = state.showing.and_one(seat, card)
    if not state.showing.cards and state.showing.seat is None:
        showing = replace(showing, is_close=_is_right_after(moment) and bool(state.shown))
    cards, needed = showing.cards, cards_to_show(state.match, seat)
    name = state.match.names[seat]
    is_in_doubt = showing.is_close and needed is not None and needed <= CLOSE_MAX
    if needed is not None and len(cards) >= needed and not is_in_doubt:
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


def _shows_fewer(moment: Moment, seat: int, needed: int) -> tuple[Action, ...]:
    """A whole hand was shown, of fewer cards than the *needed* ones of the record, which is put right first."""
    name, cards, plan = moment.name(seat), moment.state.showing.cards, Plan.of(moment)
    drawn_since = moment.match.hands[seat].size - needed
    plan.add(SetHand(name, len(cards)))
    plan.actions += _shows(replace(moment, state=moment.state.at(plan.match)), name, cards)
    if drawn_since:  # the judged hand is the one before that
        plan.add(SetHand(name, len(cards) + drawn_since))
    return tuple(plan.actions)


def _shows(moment: Moment, name: str, cards: tuple[Card, ...]) -> tuple[Action, ...]:
    """A whole hand was shown. Where the record has one of its cards in the pile, that was shuffled in silence."""
    return _after_shuffle(moment, Shows(name, cards), cards)


def _after_shuffle(moment: Moment, action: Action, cards: tuple[Card, ...]) -> tuple[Action, ...]:
    plan = Plan.of(moment)
    lies_there = any(moment.state.lies_in_pile(card) for card in cards)
    is_elsewhere = plan.refuses(action) is Code.ALREADY_PLAYED
    if (lies_there or is_elsewhere) and plan.take(Reshuffle()) and plan.refuses(action) is not Code.ALREADY_PLAYED:
        return (*plan.actions, action)
    return (action,)


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
    shown = len(state.showing.cards)
    if needed is None and not shown:  # whoever is not out holds a card; none is what was not counted
        notice = refused("Nothing of {} was counted. Tap the cards, or type the points; 0 where there are none.", name)
        return Answer(state, notice=notice)
    if needed is not None and 0 < shown < needed and state.showing.is_free:
        return Answer(state, _shows_fewer(moment, seat, needed))
    if needed is not None and shown < needed:
        notice = refused_counted(
            "{} has shown {} of {} card: tap the rest. If that is all, press Yes once more.",
            "{} has shown {} of {} cards: tap the rest. If that is all, press Yes once more.",
            needed,
            name,
            shown,
            needed,
        )
        return Answer(replace(state, showing=replace(state.showing, seat=seat, is_free=shown > 0)), notice=notice)
    return Answer(state, _shows(moment, name, state.showing.cards))


def choose_hand(moment: Moment) -> Answer:
    """This player's hand is shown next. The player whose hand was shown last has one card more, or as many as were
    tapped since: they are of that hand, too."""
    state, seat = moment.state, moment.seat
    name = moment.name()
    if (more := state.showing.cards) and state.showing.seat != seat and was_shown_last(state, seat):
        return shows_more(moment, more)
    if (name, "show") not in waits(state.match):
        return Answer(state, notice=refused("{} has no hand to show now.", name))
    if state.showing.seat == seat:
        return Answer(state, notice=said("{}: tap the cards of the hand, one by one.", name))
    after = replace(state, showing=Showing(seat))
    return Answer(after, notice=_dropped(moment) or said("{}: tap the cards of the hand, one by one.", name))


def was_shown_last(state: TableState, seat: int) -> bool:
    last = state.ruling
    is_of_seat = bool(state.shown) and state.shown[-1].seat == seat and bool(state.shown[-1].cards)
    return is_of_seat and last is not None and isinstance(last.action, Shows)


def shows_more(moment: Moment, more: tuple[Card, ...]) -> Answer:
    """The hand that was shown last had *more* cards: it is shown anew with them, and its number put right."""
    state = moment.state
    hand, plan = state.shown[-1], Plan.of(moment)
    assert hand.seat is not None
    number = next(count for count, deed in enumerate(state.history.deeds(), 1) if isinstance(deed.ruling.action, Shows))
    for _time in range(number):
        plan.add(Undo())
    plan.add(Shows(moment.name(hand.seat), (*hand.cards, *more)))
    plan.actions += bell_again(plan)
    answer = plan.all_or_none()
    return replace(answer, state=replace(state, showing=Showing()))


def one_more(moment: Moment) -> Answer:
    """Nothing else can be tapped so soon after a hand was shown: it is one card more of that hand."""
    return shows_more(moment, (_card(moment),))


def shown_already(moment: Moment) -> Answer:
    """Nothing: that card was shown already."""
    return Answer(moment.state, notice=refused("That card was shown already."))


def found_in_shown_hand(moment: Moment) -> Moment:
    """*moment*, with a card told apart that is of a hand just shown, or can only be one card more of it."""
    state, card = moment.state, moment.card
    if card is None or not state.shown or moment.kind not in CARDS:
        return moment
    seat = next((hand.seat for hand in state.shown if hand.has(card)), None)
    if seat is not None:
        is_shown_again = _is_shown_again(moment, seat)
        return replace(moment, kind=SignalKind.SHOWN_CARD) if is_shown_again else moment
    is_one_more = moment.kind is SignalKind.CARD and _can_only_be_one_more(moment)
    return replace(moment, kind=SignalKind.MORE_CARD) if is_one_more else moment


def _can_only_be_one_more(moment: Moment) -> bool:
    """True right after a hand whose number is only believed: nobody can have dealt yet, or, after the verdict of a
    challenge, drawn what is owed, before which the card can't be laid."""
    state, match, card = moment.state, moment.match, moment.card
    hand = state.shown[-1]
    if not hand.cards or state.options.is_tracked or not match.setup.refereed or not _is_right_after(moment):
        return False
    is_named_already = card is not None and card.copy > 0 and Card(card.face) in hand.cards
    if card is None or is_named_already or state.lies_on_top(card) or too_many(state, card.face):
        return False
    if state.places.holder(card) not in (None, hand.seat):
        return False
    if match.phase is Phase.PLAY and match.turn is not None:
        return Plan.of(moment).refuses(Lay(match.names[match.turn], card)) is Code.OWES_CARDS
    return match.phase in (Phase.BETWEEN, Phase.OVER)


def _is_shown_again(moment: Moment, seat: int) -> bool:
    """True where a card of the hand that *seat* has shown can't be laid, drawn or turned now."""
    match = moment.match
    if match.phase is Phase.PLAY:
        return match.is_owing() and (_is_right_after(moment) or match.turn != seat)
    return match.phase is Phase.OUT or _is_right_after(moment)


def _is_right_after(moment: Moment) -> bool:
    """True if a hand was shown last, a moment ago by the round's own time, which a power cut does not lengthen."""
    ruling = moment.state.ruling
    if ruling is None or not isinstance(ruling.action, Shows | Points | Wait):
        return False  # a card was refused since: the play goes on
    done = (deed.ruling.action for deed in moment.state.history.deeds())
    last = next((action for action in done if not isinstance(action, Wait)), None)
    if not isinstance(last, Shows | Points) or last.at_ns is None:
        return False
    is_round_over = moment.match.phase in (Phase.BETWEEN, Phase.OVER)
    span_ms = TAPPED_AGAIN_MS if is_round_over else RIGHT_AFTER_MS
    return moment.state.at_ns(moment.at_ms) - last.at_ns <= span_ms * NANOSECONDS_PER_MS


# -- the last debts --------------------------------------------------------------------------------------------


def owed_then_hand(moment: Moment) -> Answer:
    """What is owed was drawn, since hands are shown after that: the count begins with this card or this hand. Who was
    just fined for a missed call and touches the own seat did call."""
    state, match, plan = moment.state, moment.match, Plan.of(moment)
    if moment.card is None and match.fines[moment.seat]:
        return Answer(state, (Called(moment.name()),))
    if moment.card is not None and state.lies_on_top(moment.card):
        return Answer(state, notice=refused("That card lies in the discard pile; it is in nobody's hand."))
    for owing, cards in enumerate(match.owes):
        if cards:
            plan.add(Draw(moment.name(owing), cards))
    if plan.foul is not None:
        return Answer(state, notice=debts_first())
    showing = Showing(moment.seat if moment.card is None else None)
    if moment.card is None or "show" not in {word for _name, word in waits(plan.match)}:
        return Answer(replace(state, showing=showing), tuple(plan.actions))
    after = replace(state.at(plan.match), showing=showing)
    shown = show(replace(moment, state=after))
    return Answer(shown.state.at(state.match), (*plan.actions, *shown.actions))


def too_many(state: TableState, wanted: Face) -> Notice | None:
    """What is said to one more card of this face, where all the deck has of it were shown in this round."""
    hands = (*(state.shown if state.match.phase is Phase.OUT else ()), state.showing)
    seen = [card.face for hand in hands for card in hand.cards]
    if seen.count(wanted) < state.match.kind(wanted).copies:
        return None
    return refused(
        "The deck has no more cards like that one than were shown already. Show the next one; "
        "Undo takes back what was shown by mistake."
    )


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
    cards = state.showing.cards
    return Answer(state, _after_shuffle(moment, Discard(state.match.names[discarding_seat(state)], cards), cards))


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
