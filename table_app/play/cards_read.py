"""What a card on the pad means where it is played: laid by whoever has the turn, turned first, or drawn for the deal.

One function a meaning; which of them applies when is in `meanings`. Each takes a `Moment` and gives an `Answer`, and
its first line says the meaning in words. Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.play.giving import lead_to
from table_app.play.notices import Notice, refused, said
from table_app.play.noting import pile_knows
from table_app.play.planning import FEW_LEFT, Plan, drawing_seat
from table_app.play.situations import Answer, Moment
from table_app.play.state import Held, TableState
from table_app.rules import (
    Card,
    DealUnseen,
    Draw,
    High,
    Lay,
    Reshuffle,
    Ruling,
    SetHand,
    Start,
    waits,
)
from table_app.rules.ruling import Code
from table_app.rules.state import Match, Unseen

READ_AFTER_ALL_MS = 500
"""Less than anybody takes to lay a card on the one before."""

TAPPED_AGAIN_MS = 5_000
"""Less than anybody takes to gather and shuffle a deck."""


def lay(moment: Moment) -> Answer:
    """It is laid by the player whose turn it is, or whose seat was touched before; one tap on another seat gives it to
    that seat. What the record believes gives way to it: a pile that was shuffled when few cards were left, a draw that
    nobody told. A card that lies in the pile by the record waits for *Shuffled*."""
    state, match, card = moment.state, moment.match, _card(moment)
    assert match.turn is not None
    if state.lies_on_top(card):
        return Answer(state, notice=said("The {} lies on top already.", card.face))
    if _was_just_named(moment, card):
        return Answer(pile_knows(state, card), notice=said("Then the {} lies there already.", card.face))
    plan = Plan.of(moment)
    seat = match.turn if state.announced is None else state.announced
    action = Lay(match.names[seat], card)
    if seat != match.turn and lead_to(plan, seat, action):
        return Answer(state, (*plan.actions, action))
    ruling = plan.ruling(action)
    holder = state.places.holder(card)
    if state.lies_in_pile(card) or (holder is None and _is_impossible(match, card, ruling)):
        return _lay_from_pile(moment, action)
    if holder not in (None, seat) and ruling.code is not Code.OWES_CARDS:
        return Answer(state, (replace(action, player=match.names[holder or 0]),))  # it was shown there
    if ruling.code is not None and was_just_drawn(state, card):
        return Answer(state, notice=drawn_just_now())
    is_untold = ruling.code is Code.NOT_IN_HAND and not state.options.is_tracked and match.drawn is None
    if is_untold and plan.take(Draw(action.player, 1)) and plan.ruling(action).is_ok:
        return Answer(state, (*plan.actions, action))  # drawn and laid without a word
    is_caught = any(happening.word == "uno-missed" for happening in ruling.effects)
    if ruling.code is Code.OWES_CARDS and not is_caught and state.shown:
        # It may be of the hand that was shown: nobody may hear its face before somebody says whose it is.
        return Answer(replace(state, held=Held(card, moment.device)), notice=debts_first())
    return Answer(state, (action,))


def drawn_just_now() -> Notice:
    return refused("That card was drawn a moment ago; it is in the hand.")


def was_just_drawn(state: TableState, card: Card) -> bool:
    """True of the card that was seen as it was drawn last: tapped twice, where it can't be laid."""
    last = state.history.last
    return last is not None and isinstance(last.action, Draw) and card in last.action.cards


def _was_just_named(moment: Moment, card: Card) -> bool:
    """True of the card that was named by hand a moment ago, and that the reader has read after all."""
    state = moment.state
    pile = state.places.discard_pile
    is_named = bool(card.copy and pile) and pile[-1] == Card(card.face) and not state.lies_in_pile(card)
    return is_named and moment.at_ms - state.ruled_ms < READ_AFTER_ALL_MS


def _is_impossible(match: Match, card: Card, ruling: Ruling) -> bool:
    """True where only the record of the discard pile speaks against the card, as for one drawn unseen in this turn."""
    assert match.turn is not None
    if card.face not in match.discard_pile[:-1]:
        return False
    in_hands = sum(hand.known.count(card.face) for hand in match.hands)
    if in_hands == match.kind(card.face).copies:
        return False
    is_unseen = match.drawn is not None and match.drawn.card is Unseen.CARD
    is_drawn = is_unseen and card.face not in match.hands[match.turn].known and card.face in match.discard_pile
    return ruling.code is Code.ALREADY_PLAYED or (ruling.code is Code.DRAWN_CARD and is_drawn)


def _lay_from_pile(moment: Moment, action: Lay) -> Answer:
    """Where few cards were left to draw the pile was shuffled; else it waits for somebody to say so."""
    plan = Plan.of(moment)
    if moment.match.draw_pile <= FEW_LEFT and plan.take(Reshuffle()) and plan.ruling(action).code not in _OF_PILE:
        return Answer(moment.state, (*plan.actions, action))
    return in_pile(moment)


_OF_PILE = (Code.ALREADY_PLAYED, Code.DRAWN_CARD)


def in_pile(moment: Moment) -> Answer:
    """It lies in the discard pile by the record: it waits for *Shuffled*, and else nothing comes of it."""
    state, card = moment.state, _card(moment)
    if state.lies_on_top(card):
        return Answer(state, notice=said("The {} lies on top already.", card.face))
    after = replace(state, held=Held(card, moment.device, lies_in_pile=True))
    if state.options.is_tracked:  # it may have been drawn: its face is nobody's business
        return Answer(after, notice=refused("That card lies in the discard pile. If it was shuffled, press Shuffled."))
    notice = refused("The {} lies in the discard pile. If it was shuffled, press Shuffled.", card.face)
    return Answer(after, notice=notice)


def shuffled(moment: Moment) -> Answer:
    """The discard pile, but for its top card, was shuffled and is the draw pile now; a card that waited for that is
    laid, or drawn where cards are drawn over a reader."""
    state, match, held = moment.state, moment.match, moment.state.held
    plan, reshuffle = Plan.of(moment), Reshuffle()
    seat = drawing_seat(match)
    is_drawn = held is not None and _may_be_drawn(moment, held)
    smallest = min((hand.size, place) for place, hand in enumerate(match.hands) if match.playing[place])[1]
    untrack = SetHand(match.names[smallest], match.hands[smallest].size)
    if plan.refuses(reshuffle) is Code.NOT_NOW and match.draw_pile and held is None and plan.take(untrack):
        # Every hand is known, and yet people say so: one hand is known by its number alone from now on.
        if plan.take(reshuffle):
            return Answer(state, tuple(plan.actions))
        plan = Plan.of(moment)
    if held is None or seat is None or (match.is_owing() and not is_drawn):
        if match.draw_pile and len(match.discard_pile) == 1 and plan.refuses(reshuffle) is Code.NOT_NOW:
            notice = said(
                "By the record nothing lies under the top card: there is nothing to shuffle, and drawing goes on."
            )
            return Answer(state, notice=notice)
        return Answer(state, (reshuffle,))
    name = match.names[seat]
    if is_drawn:
        # Every hand is known: a card drawn from a pile that was shuffled too soon is one that the record can't see.
        seen = plan.take(reshuffle)
        plan.add(Draw(name, 1, (held.card,) if seen else ()))
        if not seen:
            plan.add(reshuffle)
        return Answer(state, tuple(plan.actions))
    plan.add(reshuffle)
    if plan.foul is None:
        plan.add(Lay(name, held.card))
    return Answer(state, tuple(plan.actions))


def debts_first() -> Notice:
    """Said where a card may belong to a hand, so that its face is nobody's business."""
    return refused("First the cards are drawn that are owed.")


def first_card(moment: Moment) -> Answer:
    """It is the first card, turned."""
    return Answer(moment.state, (Start(_card(moment)),))


def _may_be_drawn(moment: Moment, held: Held) -> bool:
    options = moment.state.options
    return options.is_tracked and held.card.copy > 0 and options.pile_reader in ("", held.reader)


def dealt_and_turned(moment: Moment) -> Answer:
    """Everybody has been dealt to, and it is the first card."""
    if is_tapped_again(moment):
        return Answer(moment.state, notice=said("The {} lies on top already.", _card(moment).face))
    return Answer(moment.state, (DealUnseen(moment.state.cards_each), Start(_card(moment))))


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
    drawn = state.history.drawn_for_the_deal()
    if high is not None and high.drawn:
        return drawn[-len(high.drawn) :]
    return drawn[-1:] if moment.at_ms - state.ruled_ms < TAPPED_AGAIN_MS else ()


def not_now(moment: Moment) -> Answer:
    """Nothing: a card has nothing to do here."""
    if moment.card is not None and moment.state.lies_on_top(moment.card):
        return Answer(moment.state, notice=said("The {} lies on top already.", moment.card.face))
    return Answer(moment.state, notice=refused("No card is awaited now."))


def _card(moment: Moment) -> Card:
    assert moment.card is not None
    return moment.card
