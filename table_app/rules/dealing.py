"""Before the first turn: the draw for the deal, or a dealer who is named, the deal, the first card.

Rules `dealer`, `deal`, `first-card` (rulebook section 4). What a card does once it is *played* is in `effects`.
"""

from __future__ import annotations

from table_app.rules import effects
from table_app.rules.actions import DealCards, DealUnseen, DrawForDeal, SetDealer, Start
from table_app.rules.cards import Effect, Face
from table_app.rules.piles import fits_the_deck
from table_app.rules.ruling import Code, Foul, RulingBuilder
from table_app.rules.state import (
    ANTICLOCKWISE,
    CLOCKWISE,
    ColourQuestion,
    Draft,
    Hand,
    HighDraw,
    Penalty,
    Phase,
    replaced,
)

# -- the draw for the deal -------------------------------------------------------------------------------------


def high(table: Draft, action: DrawForDeal, ruling: RulingBuilder) -> Foul | None:
    """One player's card in the draw for the deal. *Ruling*: no number counts as nothing; ties draw again."""
    seat = table.seat_of(action.player)
    if not may_draw_for_deal(table):
        return Foul(Code.NOT_NOW)
    draw = table.high or HighDraw(tuple(range(len(table.names))))
    drawn_by = [other for other, _ in draw.drawn]
    if seat not in draw.must or seat in drawn_by:
        return Foul(Code.NOT_NOW)
    face = action.card.face
    if [drawn for _, drawn in draw.drawn].count(face) >= table.kind(face).copies:
        return Foul(Code.ALREADY_PLAYED)
    ruling.rule = "dealer"
    draw = HighDraw(draw.must, (*draw.drawn, (seat, face)))
    table.high = draw
    if len(draw.drawn) == len(draw.must):
        _decide_dealer(table, draw, ruling)
    return None


def may_draw_for_deal(table: Draft) -> bool:
    setup = table.setup
    return (
        setup.refereed
        and table.phase is Phase.BETWEEN
        and table.round_number == 0
        and not table.dealer_is_drawn
        and setup.dealer is None
        and not setup.edition.dealer_is_named
    )


def _decide_dealer(table: Draft, draw: HighDraw, ruling: RulingBuilder) -> None:
    values = {seat: int(face.rank) if face.is_number else -1 for seat, face in draw.drawn}
    highest = max(values.values())
    tied = tuple(seat for seat in draw.must if values[seat] == highest)
    if len(tied) > 1:
        table.high = HighDraw(tied)
        for seat in tied:
            ruling.add("tie", table.names[seat])
        return
    table.high = None
    table.dealer_is_drawn = True
    table.dealer = tied[0]
    ruling.add("dealer", table.names[tied[0]])


def set_dealer(table: Draft, action: SetDealer, ruling: RulingBuilder) -> Foul | None:
    """The dealer is named, in place of a draw or of who would deal: of the next round, or of this one before its first
    card."""
    seat = table.seat_of(action.player)
    if table.phase not in (Phase.BETWEEN, Phase.DEALING) or not table.playing[seat]:
        return Foul(Code.NOT_NOW)
    ruling.rule = "set"
    table.high = None
    table.dealer_is_drawn = True
    table.dealer = seat
    ruling.add("corrected")
    return None


# -- the deal --------------------------------------------------------------------------------------------------


def deal_cards(table: Draft, action: DealCards, ruling: RulingBuilder) -> Foul | None:
    """These cards were dealt to one player, seen by the referee."""
    if foul := _begin_deal(table):
        return foul
    seat = table.seat_of(action.player)
    if table.dealt[seat] or not table.playing[seat]:
        return Foul(Code.NOT_NOW)
    faces = tuple(card.face for card in action.cards)
    if foul := fits_the_deck(table, faces):
        return foul
    table.set_hand(seat, Hand(faces))
    table.dealt = replaced(table.dealt, seat, True)
    ruling.rule = "deal"
    return None


def deal_unseen(table: Draft, action: DealUnseen, ruling: RulingBuilder) -> Foul | None:
    """Everybody not dealt to yet holds that many unseen cards."""
    if foul := _begin_deal(table):
        return foul
    undealt = undealt_seats(table)
    if not undealt:
        return Foul(Code.NOT_NOW)
    if action.count * len(undealt) > table.draw_pile:
        return Foul(Code.NO_CARDS_LEFT)
    for seat in undealt:
        table.set_hand(seat, Hand((), action.count))
        table.dealt = replaced(table.dealt, seat, True)
    ruling.rule = "deal"
    return None


def undealt_seats(table: Draft) -> list[int]:
    return [seat for seat, plays in enumerate(table.playing) if plays and not table.dealt[seat]]


def _begin_deal(table: Draft) -> Foul | None:
    """Clear the table for a new round if this is its first deal."""
    if table.phase is Phase.DEALING and table.top is None and not table.discard_pile:
        return None
    if table.phase is not Phase.BETWEEN or table.high is not None:
        return Foul(Code.NOT_NOW)
    number = len(table.names)
    table.phase = Phase.DEALING
    table.round_number += 1
    table.hands = (Hand(),) * number
    table.dealt = (False,) * number
    table.counted = (None,) * number
    table.discard_pile = ()
    table.top = table.colour = table.out = None
    table.direction = CLOCKWISE
    table.passes = 0
    table.uncalled = frozenset()
    return None


# -- the first card --------------------------------------------------------------------------------------------


def start(table: Draft, action: Start, ruling: RulingBuilder) -> Foul | None:
    """The first card is turned; it has the effect of the table in rulebook section 4 and no other."""
    face = action.card.face
    if table.phase is not Phase.DEALING:
        return Foul(Code.NOT_NOW)
    if foul := fits_the_deck(table, (face,)):
        return foul
    if not table.draw_pile:
        return Foul(Code.NO_CARDS_LEFT)
    ruling.rule = "first-card"
    effect = table.kind(face).effect
    if table.setup.edition.first_card_is_a_number and not face.is_number:
        table.discard_pile += (face,)
        ruling.add("set-aside", value=face.code)
        return None
    if effect is Effect.WILD_DRAW_FOUR:
        ruling.add("put-back", value=face.code)
        return None
    table.discard_pile += (face,)
    table.top = face
    table.top_is_turned = True
    table.colour = face.colour
    table.phase = Phase.PLAY
    table.next_turn(table.after(table.dealer, CLOCKWISE))
    _first_card_effect(table, face, effect, ruling)
    return None


def _first_card_effect(table: Draft, face: Face, effect: Effect, ruling: RulingBuilder) -> None:
    first = table.turn
    assert first is not None
    if face.is_wild:
        table.question = ColourQuestion(first, face, None, table.hands[first], opening=True)
    elif effect is Effect.SKIP:
        ruling.add("skip", table.names[first])
        table.next_turn(table.after(first))
    elif effect is Effect.REVERSE:
        table.direction = ANTICLOCKWISE
        ruling.add("reverse")
        dealer = table.dealer
        table.next_turn(dealer if table.playing[dealer] else table.after(dealer))
    elif effect is Effect.DRAW_TWO:
        # Turned, not played: nobody may stack on it.
        effects.owe(table, first, 2, ruling)
        table.penalty = Penalty(first, 2, None, open=False)
