"""Where the cards lie: the draw for the deal, the deal, the first card; drawing, what is owed, shuffling anew.

Rules `dealer`, `deal`, `first-card`, `draw`, `owes`, `reshuffle`, `drawn-round`, `cards` (rulebook sections 4, 5 and
11). Laying is in `plays`.
"""

from __future__ import annotations

from table_app.rules import calls, effects, scoring
from table_app.rules.actions import DealCards, DealUnseen, Draw, DrawForDeal, Keep, Reshuffle, SetDealer, Start
from table_app.rules.cards import Effect, Face
from table_app.rules.house_rules import HouseRule
from table_app.rules.legality import fits, known_unplayable, open_question_foul
from table_app.rules.ruling import Code, Foul, RulingBuilder
from table_app.rules.state import (
    ANTICLOCKWISE,
    CLOCKWISE,
    ColourQuestion,
    Draft,
    Drawn,
    Hand,
    HighDraw,
    Penalty,
    Phase,
    ProofQuestion,
    ShowQuestion,
    SwapQuestion,
    Unseen,
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


def fits_the_deck(table: Draft, faces: tuple[Face, ...]) -> Foul | None:
    """Whether these cards, just seen for the first time, can be where they were seen (rule `cards`)."""
    for wanted in set(faces):
        if table.seen_elsewhere(wanted) + faces.count(wanted) > table.kind(wanted).copies:
            return Foul(Code.ALREADY_PLAYED)
    return None


# -- drawing ---------------------------------------------------------------------------------------------------


def draw(table: Draft, action: Draw, ruling: RulingBuilder) -> Foul | None:
    """A debt, whole or in part, or the one card of a turn."""
    seat = table.seat_of(action.player)
    if foul := _draw_is_blocked(table, seat):
        return foul
    if table.owes[seat]:
        if action.count > table.owes[seat]:
            return Foul(Code.OWES_CARDS)
        if foul := _take(table, seat, action, ruling):
            return foul
        _pay(table, seat, action, ruling)
        return None
    if table.phase is Phase.OUT:
        return Foul(Code.ROUND_OVER)
    if table.is_owing():
        return Foul(Code.OWES_CARDS)
    if seat != table.turn:
        return Foul(Code.NOT_YOUR_TURN)
    if action.count > 1 or (table.drawn is not None and not _may_draw_on(table)):
        return Foul(Code.ALREADY_DRAWN)
    if foul := _take(table, seat, action, ruling):
        return foul
    _drew_for_turn(table, seat, action, ruling)
    return None


def _draw_is_blocked(table: Draft, seat: int) -> Foul | None:
    """An open question holds up drawing, but for what somebody owes themselves.

    Who must name a colour or a swap may draw their own fine first, others may not; nobody draws while a hand is
    being shown.
    """
    question = table.question
    if question is None:
        return None
    if isinstance(question, (ColourQuestion, SwapQuestion)):
        if question.seat == seat and table.owes[seat]:
            return None
        return open_question_foul(table)
    if isinstance(question, (ShowQuestion, ProofQuestion)) or not table.owes[seat]:
        return open_question_foul(table)
    return None


def _may_draw_on(table: Draft) -> bool:
    """With `draw-until` a player goes on while the drawn card can't be played (an unseen one may be such)."""
    drawn = table.drawn
    if drawn is None or HouseRule.DRAW_UNTIL not in table.setup.house:
        return False
    return drawn.spent or drawn.card is Unseen.CARD


def _take(table: Draft, seat: int, action: Draw, ruling: RulingBuilder) -> Foul | None:
    """Move the cards from the draw pile into the hand."""
    faces = tuple([card.face for card in action.cards])
    left = table.draw_pile - action.count
    if left < 0:
        return Foul(Code.NO_CARDS_LEFT)
    if foul := fits_the_deck(table, faces):
        return foul
    if not isinstance(table.question, (ColourQuestion, SwapQuestion)):
        calls.close_window(table, ruling)
    receive(table, seat, faces, action.count - len(faces))
    ruling.add("drew", table.names[seat], value=action.count)
    table.passes = 0
    if not left and len(table.discard_pile) > 1:
        ruling.add("reshuffle-needed")
    return None


def receive(table: Draft, seat: int, faces: tuple[Face, ...], unseen: int) -> None:
    """Cards come into a hand; who holds more than one no longer has a call to make for the last."""
    table.set_hand(seat, table.hands[seat].with_cards(faces, unseen))
    table.uncalled -= {seat}


def _pay(table: Draft, seat: int, action: Draw, ruling: RulingBuilder) -> None:
    """Lower *seat*'s debt: fines first, so that a Draw Two may still be added to once they are paid."""
    ruling.rule = "owes"
    owed = table.owes[seat]
    table.owes = replaced(table.owes, seat, owed - action.count)
    table.fines = replaced(table.fines, seat, 0)  # no longer whole, so no longer to be lifted
    penalty = table.penalty
    if penalty is not None and penalty.seat == seat:
        left = min(penalty.cards, table.owes[seat])
        if left < penalty.cards:
            _begin_penalty(table, left)


def _begin_penalty(table: Draft, left: int) -> None:
    """Somebody has begun to draw the debt that costs the turn: no more challenge, nothing added to it."""
    assert table.penalty is not None
    table.penalty = table.penalty._replace(cards=left, open=False)
    table.wild_four = None


def _drew_for_turn(table: Draft, seat: int, action: Draw, ruling: RulingBuilder) -> None:
    ruling.rule = "draw"
    card = action.cards[0].face if action.cards else Unseen.CARD
    table.may_swap_first = False
    table.drawn = Drawn(card)
    if isinstance(card, Face) and known_unplayable(table, seat, card):
        if HouseRule.DRAW_UNTIL in table.setup.house and not table.nothing_to_draw:
            table.drawn = Drawn(card, spent=True)
        else:
            table.next_turn(table.after(seat))


# -- keeping and passing ---------------------------------------------------------------------------------------


def keep(table: Draft, action: Keep, ruling: RulingBuilder) -> Foul | None:
    """End the turn with the drawn card in hand, or pass where nothing can be drawn."""
    seat = table.seat_of(action.player)
    if foul := open_question_foul(table):
        return foul
    if table.is_owing():
        return Foul(Code.OWES_CARDS)
    if seat != table.turn:
        return Foul(Code.NOT_YOUR_TURN)
    ruling.rule = "draw"
    drawn = table.drawn
    if drawn is None:
        if not table.nothing_to_draw:
            return Foul(Code.NOTHING_TO_KEEP)
        calls.close_window(table, ruling)
        pass_turn(table, ruling)
        return None
    if drawn.spent:
        if not table.nothing_to_draw:
            return Foul(Code.NOTHING_TO_KEEP)
    elif HouseRule.MUST_PLAY in table.setup.house and must_be_played(table, seat, drawn.card):
        return Foul(Code.MUST_PLAY)
    calls.close_window(table, ruling)
    table.next_turn(table.after(seat))
    return None


def must_be_played(table: Draft, seat: int, card: Face | Unseen) -> bool:
    """Rule `must-play`: a drawn card that fits, but never a Wild Draw Four: nobody is made to bluff."""
    return (
        isinstance(card, Face)
        and table.kind(card).effect is not Effect.WILD_DRAW_FOUR
        and fits(table, card)
        and not known_unplayable(table, seat, card)
    )


def pass_turn(table: Draft, ruling: RulingBuilder) -> None:
    """A turn goes by with nothing drawn and nothing laid; when it was everybody's, the round is drawn."""
    assert table.turn is not None
    table.passes += 1
    if table.passes >= table.players_left and table.nothing_to_draw:
        scoring.draw_round(table, ruling)
    else:
        table.next_turn(table.after(table.turn))


# -- the reshuffle ---------------------------------------------------------------------------------------------


def reshuffle(table: Draft, action: Reshuffle, ruling: RulingBuilder) -> Foul | None:
    """The discard pile but for its top card goes into the draw pile; a wild in it has no colour any more.

    Where not every hand is tracked, people may have drawn without a word, and the pile may have run out sooner.
    """
    del action
    if not may_reshuffle(table):
        return Foul(Code.NOT_NOW)
    table.discard_pile = table.discard_pile[-_cards_that_stay(table) :]
    table.passes = 0
    ruling.rule = "reshuffle"
    return None


def may_reshuffle(table: Draft) -> bool:
    """Whether there is anything to shuffle, and the record may be wrong where it has cards left in the draw pile."""
    if table.phase not in (Phase.PLAY, Phase.OUT) or len(table.discard_pile) <= _cards_that_stay(table):
        return False
    if any(hand.unseen for hand in table.hands):
        return table.setup.refereed
    return table.draw_pile == 0 and (table.phase is Phase.PLAY or table.is_owing())


def _cards_that_stay(table: Draft) -> int:
    """The top card; and the one below a Wild Draw Four that may yet go back to the hand."""
    return 2 if isinstance(table.question, ProofQuestion) else 1
