"""What a card on the pad means where it is played: laid by whoever has the turn, turned first, drawn or dealt.

One function a meaning; which of them applies when is in `handlers`. Each takes a `Moment` and gives an `Answer`, and
its first line says the meaning in words. Nothing is allowed or refused here: that is the core's. At a tracked table,
where every card passes a reader, no face of a hand is told: what was dealt or drawn is a number on every screen.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.play.modes import Answer, Moment
from table_app.play.notices import Notice, refused, said
from table_app.play.noting import pile_knows
from table_app.play.planning import FEW_LEFT, Plan, drawing_seat, lead_to
from table_app.play.state import QUESTION_MS, DrawnQuestion, Held, TableState
from table_app.rules import (
    Card,
    DealCards,
    DealUnseen,
    Draw,
    DrawForDeal,
    Lay,
    Reshuffle,
    Ruling,
    SetHand,
    Start,
    waits,
)
from table_app.rules.ruling import Code
from table_app.rules.state import ColourQuestion, Match, Unseen

READ_AFTER_ALL_MS = 500
"""Less than anybody takes to lay a card on the one before."""

TAPPED_AGAIN_MS = 5_000
"""Less than anybody takes to gather and shuffle a deck."""


def lay(moment: Moment) -> Answer:
    """It is laid by the player whose turn it is, or whose seat was touched before; one tap on another seat gives it to
    that seat. What the record believes gives way to it: a pile that was shuffled when few cards were left, a draw that
    nobody told. A card that lies in the pile by the record waits for *Shuffled*, or for one that goes on it alone."""
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
    if holder is None and ruling.code is Code.ALREADY_PLAYED and not state.lies_in_pile(card):
        holder = _only_known_holder(match, card)
    if state.lies_in_pile(card) or (holder is None and _is_impossible(match, card, ruling)):
        return _lay_from_pile(moment, action)
    if holder not in (None, seat) and ruling.code is not Code.OWES_CARDS:
        return Answer(state, (replace(action, player=match.names[holder or 0]),))  # it was shown there
    if not ruling.is_ok and (after := _after_the_held(moment)) is not None:
        return after
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


def lay_once_named(moment: Moment) -> Answer:
    """It is laid as soon as the colour of the wild is named: nobody taps it again."""
    answer, plan = lay(moment), Plan.of(moment)
    if not any(plan.refuses(action) is Code.NAME_COLOUR for action in answer.actions):
        return answer
    question = moment.match.question
    assert isinstance(question, ColourQuestion)
    notice = refused("First {} names a colour; then the card counts.", moment.name(question.seat))
    return Answer(replace(moment.state, next_card=_card(moment)), notice=notice)


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


def _after_the_held(moment: Moment) -> Answer | None:
    """The card that waits for *Shuffled* was laid, and this one on it: people have played on. None where that can't
    be."""
    state, held, plan = moment.state, moment.state.held, Plan.of(moment)
    if held is None or not held.lies_in_pile or state.options.is_tracked or moment.match.turn is None:
        return None
    if not (plan.take(Reshuffle()) and plan.take(Lay(moment.name(moment.match.turn), held.card))):
        return None
    if plan.match.turn is None or not plan.take(Lay(moment.name(plan.match.turn), _card(moment))):
        return None
    return Answer(state, tuple(plan.actions))


def _only_known_holder(match: Match, card: Card) -> int | None:
    """The only seat that has shown a card of this face and holds it still; None where there is none, or several."""
    seats = [seat for seat, hand in enumerate(match.hands) if card.face in hand.known]
    return seats[0] if len(seats) == 1 else None


def _lay_from_pile(moment: Moment, action: Lay) -> Answer:
    """Where few cards were left to draw the pile was shuffled; else it waits for somebody to say so, as it does where
    every card is seen: this one may as well have been drawn."""
    plan, may_be_drawn = Plan.of(moment), _may_be_drawn(moment, Held(action.card, moment.device))
    if (
        moment.match.draw_pile <= FEW_LEFT
        and not may_be_drawn
        and plan.take(Reshuffle())
        and plan.ruling(action).code not in _OF_PILE
    ):
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
    return refused("Draw the cards that are owed first.")


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
    return Answer(state, (DrawForDeal(drawing[0], card),))


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
    return _lay_or_wait(moment, Lay(moment.name(holder), _card(moment)))


def _lay_or_wait(moment: Moment, action: Lay) -> Answer:
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
        return _lay_or_wait(moment, Lay(match.names[seat], card))
    ruling = Plan.of(moment).ruling(Lay(match.names[match.turn], card))
    # That it is the last card is only believed; and who is caught by it was caught whatever becomes of the card.
    is_caught = any(happening.word == "uno-missed" for happening in ruling.effects)
    is_refused = not ruling.is_ok and ruling.code is not Code.NOT_CALLED and not is_caught
    if is_refused and not state.options.pile_reader and not Plan.of(moment).refuses(drawing(moment)):
        return drawn(moment)
    return Answer(replace(state, question=DrawnQuestion(card, moment.at_ms + QUESTION_MS)))
