"""What a card on the pad means: laid by whoever has the turn, turned first, or shown to the referee alone.

One function a meaning; which of them applies when is in `meanings`. Each takes a `Moment` and gives an `Answer`, and
its first line says the meaning in words. Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.rules import (
    Action,
    Card,
    DealUnseen,
    Discard,
    High,
    Lay,
    Phase,
    Points,
    SetHand,
    Shows,
    Start,
    waits,
)
from table_app.rules.ruling import Code
from table_app.rules.state import DiscardQuestion, Match, ProofQuestion, ShowQuestion, Unseen
from table_app.table.notices import Notice, refused, refused_counted, said, said_counted
from table_app.table.noting import pile_knows
from table_app.table.planning import (
    FEW_LEFT,
    Plan,
    put_number_right,
    shuffle_before_question,
    shuffle_early,
)
from table_app.table.possible import too_many
from table_app.table.shown_hands import Showing
from table_app.table.situations import Answer, Moment
from table_app.table.state import (
    QUESTION_MS,
    DebtQuestion,
    SameQuestion,
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
        if Card(card.face) in state.places.discard_pile and not is_told and not is_shuffle_told:
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


# -- hands shown to the referee alone --------------------------------------------------------------------------


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


def not_now(moment: Moment) -> Answer:
    """Nothing: a card has nothing to do here."""
    if moment.card is not None and moment.state.lies_on_top(moment.card):
        return Answer(moment.state, notice=said("The {} lies on top already.", moment.card.face))
    return Answer(moment.state, notice=refused("No card is awaited now."))


def _card(moment: Moment) -> Card:
    assert moment.card is not None
    return moment.card
