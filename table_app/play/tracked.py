"""What a card means at a tracked table, where every card that is dealt or drawn passes a reader.

One function a meaning, as in `cards_read`; where a card lies is known from `places`. No face of a hand is told here:
what was dealt or drawn is a number on every screen.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.play.cards_read import debts_first, drawn_just_now, in_pile, is_tapped_again, not_now, was_just_drawn
from table_app.play.notices import refused, said
from table_app.play.planning import Plan, drawing_seat
from table_app.play.situations import Answer, Moment
from table_app.play.state import QUESTION_MS, DrawnQuestion, TableState
from table_app.rules import Card, DealCards, Draw, Lay
from table_app.rules.ruling import Code
from table_app.rules.state import Match


def dealt_to(state: TableState) -> int:
    """Whose card the next one is that is dealt: one by one from the left of the dealer."""
    match = state.match
    order = _order(match)
    return order[len(state.dealing) % len(order)]


def dealt_count(state: TableState, seat: int) -> int:
    """How many cards were dealt to *seat* so far, in a deal that is seen."""
    order = _order(state.match)
    return len(state.dealing[order.index(seat) :: len(order)]) if seat in order else 0


def _order(match: Match) -> list[int]:
    order = match.from_left_of(match.dealer)
    return [*order, match.dealer] if match.playing[match.dealer] else order


def deal_card(moment: Moment) -> Answer:
    """It is dealt to the next seat in the order of the deal, seen by the referee alone."""
    state, card = moment.state, _card(moment)
    match = state.match
    if not state.dealing and is_tapped_again(moment):
        return Answer(state, notice=said("The {} lies on top already.", card.face))
    faces = [dealt.face for dealt in state.dealing]
    if (card.copy and card in state.dealing) or faces.count(card.face) >= match.kind(card.face).copies:
        return Answer(state, notice=refused("That card was dealt already; take the next one."))
    order, dealing = _order(match), (*state.dealing, card)
    after = replace(state, dealing=dealing)
    if len(dealing) < len(order) * state.cards_each:
        name, next_name = match.names[dealt_to(state)], match.names[dealt_to(after)]
        count = 1 + (len(dealing) - 1) // len(order)
        notice = said("{}: card {} of {}. The next one is for {}.", name, count, state.cards_each, next_name)
        return Answer(after, notice=notice)
    hands = [DealCards(match.names[seat], dealing[place :: len(order)]) for place, seat in enumerate(order)]
    return Answer(after, tuple(hands))


def dealt_already(moment: Moment) -> Answer:
    """Nothing: that card was dealt to a hand."""
    return Answer(moment.state, notice=refused("That card was dealt to a hand. Turn a card of the draw pile."))


def drawn(moment: Moment) -> Answer:
    """It is drawn, seen by the referee alone: of what is owed, where anything is, else in the turn."""
    seat = drawing_seat(moment.match)
    if seat is None:
        return Answer(moment.state, notice=refused("Nobody draws now."))
    card = _card(moment)
    action = Draw(moment.name(seat), 1, (card,))
    if Plan.of(moment).refuses(action) is Code.ALREADY_PLAYED:
        return in_pile(moment)
    return Answer(moment.state, (action,))


def drawing(moment: Moment) -> Draw:
    """The draw of this card by whoever draws now."""
    seat = drawing_seat(moment.match)
    return Draw(moment.name(seat if seat is not None else 0), 1, (_card(moment),))


def discarded_card_drawn(moment: Moment) -> Answer:
    """It lies in the discard pile: where cards are drawn over a reader it waits for *Shuffled*."""
    return in_pile(moment) if moment.state.options.is_tracked else not_now(moment)


def others_card(moment: Moment) -> Answer:
    """It is laid by the player in whose hand it is known to be: refused, since it is out of turn, but for a jump-in."""
    holder = moment.state.places.holder(_card(moment))
    assert holder is not None
    if moment.device and moment.device == moment.state.options.pile_reader:
        return Answer(moment.state, notice=refused("That card is in a hand; it can't be drawn."))
    if was_just_drawn(moment.state, _card(moment)):  # tapped twice: nobody lays when the turn has passed
        return Answer(moment.state, notice=drawn_just_now())
    return _lay(moment, Lay(moment.name(holder), _card(moment)))


def _lay(moment: Moment, action: Lay) -> Answer:
    """It is laid; right after a hand was shown, what can't be before the debts are drawn may be of that hand."""
    if moment.state.shown and Plan.of(moment).refuses(action) is Code.OWES_CARDS:
        return Answer(moment.state, notice=debts_first())
    return Answer(moment.state, (action,))


def stray_card(moment: Moment) -> Answer:
    """A card that no known hand holds: drawn, where it can't be laid; it asks, where it may be either. With a reader at
    the draw pile it is laid, by the only one who may hold it if need be; where every hand is known it was never dealt.
    """
    state, card = moment.state, _card(moment)
    match = state.match
    assert match.turn is not None
    may_hold = [seat for seat in range(len(match.names)) if state.may_hold(seat, card)]
    if not may_hold:
        notice = refused("That card was never dealt and never drawn: it belongs into the draw pile.")
        return Answer(state, notice=notice)
    if state.options.pile_reader and (match.turn in may_hold or len(may_hold) == 1):
        seat = match.turn if match.turn in may_hold else may_hold[0]
        return _lay(moment, Lay(match.names[seat], card))
    is_refused = Plan.of(moment).refuses(Lay(match.names[match.turn], card))
    if is_refused and not state.options.pile_reader and not Plan.of(moment).refuses(drawing(moment)):
        return drawn(moment)
    return Answer(replace(state, question=DrawnQuestion(card, moment.at_ms + QUESTION_MS)))


def _card(moment: Moment) -> Card:
    assert moment.card is not None
    return moment.card
