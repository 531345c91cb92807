"""Whether a card may be laid: questions asked of a table, with no change to it.

Rules `turn`, `match`, `drawn-card`, `wild-draw-four`, `jump-in`, `stacking`, `call-to-go-out`, and the order in which
refusals come (transcript, *Refusal codes*). What laying causes is in `plays` and `effects`.
"""

from __future__ import annotations

from table_app.rules.actions import Lay
from table_app.rules.cards import Effect, Face
from table_app.rules.house_rules import HouseRule
from table_app.rules.ruling import Code, Foul
from table_app.rules.setup import UnoMode, WildFourMode
from table_app.rules.state import (
    ColourQuestion,
    ProofQuestion,
    ShowQuestion,
    State,
    SwapQuestion,
    Unseen,
    is_legal_wild_four,
)


def open_question_foul(table: State) -> Foul | None:
    """Refused because something else is open, whoever acts."""
    question = table.question
    if question is None:
        return None
    if isinstance(question, ColourQuestion):
        return Foul(Code.NAME_COLOUR, rule=table.kind(question.face).effect.value)
    if isinstance(question, SwapQuestion):
        return Foul(Code.CHOOSE_SWAP, rule=question.rule)
    if isinstance(question, (ShowQuestion, ProofQuestion)):
        return Foul(Code.SHOW_HAND)
    if table.is_owing():
        return Foul(Code.OWES_CARDS)
    return Foul(Code.NOT_NOW)


def out_of_place(table: State) -> Foul:
    """An answer to a question that nobody asked, or that somebody else was asked."""
    return open_question_foul(table) or Foul(Code.OWES_CARDS if table.is_owing() else Code.NOT_NOW)


def fits(table: State, wanted: Face) -> bool:
    """Rule `match`: a wild always; else the colour in force, or the top card's number or symbol."""
    if wanted.colour is None:
        return True
    top = table.top
    return wanted.colour is table.colour or (top is not None and top.colour is not None and top.rank == wanted.rank)


def known_unplayable(table: State, seat: int, card: Face) -> bool:
    """Whether *card*, held by *seat*, is seen to be one that can't be laid now.

    A Wild Draw Four seen to be illegal counts where the table refuses it (modes `strict` and `prove`).
    """
    if not fits(table, card):
        return True
    if table.kind(card).effect is Effect.WILD_DRAW_FOUR and table.setup.wild_four is not WildFourMode.CHALLENGE:
        hand_left = table.hands[seat].without(card)
        return hand_left.size > 0 and is_legal_wild_four(hand_left, table.colour) is False
    return False


def may_stack(table: State, seat: int, wanted: Face) -> bool:
    """Rule `stacking`: who owes for a Draw Two or a Wild Draw Four may add the same kind, before drawing any."""
    penalty = table.penalty
    return (
        penalty is not None
        and HouseRule.STACKING in table.setup.house
        and penalty.open
        and penalty.seat == seat
        and penalty.kind == table.kind(wanted).effect.value
        and sum(table.owes) == penalty.cards
    )


def stacked_on(table: State) -> tuple[Face, ...]:
    """The cards that may be laid on the debt that is open, by the rules and whoever holds them; none where none may."""
    penalty = table.penalty
    if penalty is None or table.question is not None:
        return ()
    return tuple(face for face in table.setup.deck.kinds if may_stack(table, penalty.seat, face))


def may_jump_in(table: State, seat: int, wanted: Face) -> bool:
    """Rule `jump-in`: the very same card as the top one, out of turn; on a debt only Draw Two with `stacking`."""
    if (
        seat == table.turn
        or wanted is not table.top
        or HouseRule.JUMP_IN not in table.setup.house
        or wanted.is_wild
        or table.top_is_turned
        or not table.playing[seat]
        or table.question is not None
    ):
        return False
    if not table.is_owing():
        return True
    penalty = table.penalty
    return (
        HouseRule.STACKING in table.setup.house
        and penalty is not None
        and penalty.open
        and penalty.kind == Effect.DRAW_TWO.value
        and sum(table.owes) == penalty.cards
    )


def owes_for_turn_alone(table: State, seat: int) -> bool:
    """Whether *seat* owes for the turn and for nothing else: a card may be allowed instead (rule `allow`)."""
    penalty = table.penalty
    return penalty is not None and penalty.seat == seat and table.owes[seat] == penalty.cards


def lay_foul(table: State, seat: int, action: Lay) -> Foul | None:
    """Why *seat* may not lay this card, by the first reason in the transcript's order; None if it may."""
    wanted = action.card.face
    if table.question is not None:
        return open_question_foul(table)
    is_jump = may_jump_in(table, seat, wanted)
    is_stacked = may_stack(table, seat, wanted)
    if table.is_owing() and not (is_jump or is_stacked):
        lay = action if owes_for_turn_alone(table, seat) else None
        return Foul(Code.OWES_CARDS, seat=seat, lay=lay)
    if seat != table.turn and not is_jump:
        return _priced(table, Code.NOT_YOUR_TURN, seat, action)
    if seat == table.turn and not is_drawn_card(table, seat, wanted):
        return _priced(table, Code.DRAWN_CARD, seat, action)
    if foul := held_foul(table, seat, wanted):
        return foul
    if not is_stacked and not fits(table, wanted):
        return _priced(table, Code.NO_MATCH, seat, action)
    if known_unplayable(table, seat, wanted):
        return _priced(table, Code.WILD_DRAW_FOUR, seat, action)
    return last_card_foul(table, seat)


def is_drawn_card(table: State, seat: int, wanted: Face) -> bool:
    """Rule `drawn-card`: after drawing, only the drawn card. An unseen one may be any that is not all elsewhere."""
    drawn = table.drawn
    if drawn is None:
        return True
    if drawn.card is Unseen.CARD:
        return table.seen_elsewhere(wanted) < table.kind(wanted).copies
    return drawn.card is wanted


def held_foul(table: State, seat: int, wanted: Face) -> Foul | None:
    """Rule `cards`: whether the card can be in *seat*'s hand at all."""
    hand = table.hands[seat]
    if wanted in hand.known:
        return None
    if not hand.unseen:
        return Foul(Code.NOT_IN_HAND)
    if table.seen_elsewhere(wanted) >= table.kind(wanted).copies:
        return Foul(Code.ALREADY_PLAYED)
    return None


def last_card_foul(table: State, seat: int, *, allowed: bool = False) -> Foul | None:
    """A card that would be fine, but for a call that its player did not make."""
    window = table.window
    if window is not None and window.seat == seat and table.setup.uno is UnoMode.REFEREE:
        return Foul(Code.OWES_CARDS, caught=seat)
    if allowed or HouseRule.CALL_TO_GO_OUT not in table.setup.house:
        return None
    if seat in table.uncalled and table.hands[seat].size == 1:
        return Foul(Code.NOT_CALLED, seat=seat, fine=table.setup.uno_penalty, liftable=True)
    return None


def _priced(table: State, code: Code, seat: int, action: Lay) -> Foul:
    """A refusal that `wrong-play` puts a price on, and that the table may overrule; not of somebody who has left."""
    if not table.playing[seat]:
        return Foul(code)
    return Foul(code, seat=seat, fine=table.setup.wrong_play, lay=action)
