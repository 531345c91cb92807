"""Laying a card, its colour, letting a refused one stand; the Wild Draw Four in dispute, and hands that are shown.

Rules `turn`, `match`, `wild`, `jump-in`, `stacking`, `out`, `allow`, `challenge`, `wild-draw-four`, `belief` (rulebook
sections 5, 6, 9 to 11). Legality is asked of `legality`; what a card causes is in `effects`, what a counted hand is
worth in `scoring`.
"""

from __future__ import annotations

from typing import NamedTuple

from table_app.rules import calls, effects, legality, scoring
from table_app.rules.actions import Allow, Challenge, Finds, Lay, NameColour, Shows
from table_app.rules.cards import Colour, Effect, Face
from table_app.rules.effects import EFFECTS, Play
from table_app.rules.house_rules import HouseRule
from table_app.rules.legality import open_question_foul, out_of_place
from table_app.rules.ruling import Code, Foul, RulingBuilder
from table_app.rules.setup import WildFourMode
from table_app.rules.state import (
    ColourQuestion,
    Draft,
    Hand,
    Penalty,
    ProofQuestion,
    ShowQuestion,
    Unseen,
    WildFour,
    is_legal_wild_four,
    replaced,
)


class _Manner(NamedTuple):
    """How a card came to be laid."""

    is_jump: bool = False
    is_stacked: bool = False
    allowed: bool = False
    passes_debt: bool = False


_IN_TURN = _Manner()
"""How nearly every card is laid: by whose turn it is, and on no debt."""


def lay(table: Draft, action: Lay, ruling: RulingBuilder) -> Foul | None:
    """*player* lays a card."""
    seat = table.seat_of(action.player)
    wanted = action.card.face
    if foul := legality.lay_foul(table, seat, action):
        return foul
    if seat == table.turn and table.penalty is None:
        manner = _IN_TURN
    else:
        manner = _Manner(legality.may_jump_in(table, seat, wanted), legality.may_stack(table, seat, wanted))
    _put_down(table, seat, wanted, action.colour, manner, ruling)
    return None


def allow(table: Draft, action: Allow, ruling: RulingBuilder) -> Foul | None:
    """The table lets the card stand that was refused on the line before; the record says so."""
    del action
    refused = table.refused_lay
    if refused is None:
        return Foul(Code.NOT_NOW)
    lay_action = refused.action
    seat = table.seat_of(lay_action.player)
    wanted = lay_action.card.face
    if refused.fine:
        table.owes = replaced(table.owes, seat, table.owes[seat] - refused.fine)
    is_stacked = legality.may_stack(table, seat, wanted)
    passes_debt = table.is_owing() and not is_stacked
    if passes_debt and not (legality.owes_for_turn_alone(table, seat) and sum(table.owes) == table.owes[seat]):
        return Foul(Code.OWES_CARDS)
    if foul := legality.held_foul(table, seat, wanted):
        return foul
    if foul := legality.last_card_foul(table, seat, allowed=True):
        return foul
    ruling.add("allowed")
    if refused.fine:
        ruling.add("lifted", lay_action.player, value=refused.fine)
    if table.turn != seat:
        table.next_turn(seat)
    manner = _Manner(is_stacked=is_stacked, allowed=True, passes_debt=passes_debt)
    _put_down(table, seat, wanted, lay_action.colour, manner, ruling)
    return None


def _put_down(
    table: Draft, seat: int, wanted: Face, colour: Colour | None, manner: _Manner, ruling: RulingBuilder
) -> None:
    """The card leaves the hand and lies on top; what it causes follows, at once or when it is completed."""
    hand_left = _hand_left(table, seat, wanted)
    stacked = table.penalty if manner.is_jump or manner.is_stacked else None
    if manner.passes_debt:
        assert table.penalty is not None
        passing = table.penalty
        lift_penalty(table, passing)
        table.passing = passing
    kind = table.kind(wanted)
    if _needs_proof(table, kind.effect, hand_left, manner):
        _await_proof(table, seat, wanted, colour, hand_left, stacked, ruling)
        return
    if manner.is_jump:
        table.next_turn(seat)
    calls.close_window(table, ruling)
    colour_before = table.colour
    _move(table, seat, wanted, hand_left)
    if stacked is not None:
        lift_penalty(table, stacked)
    play = Play(seat, wanted, kind, hand_left, colour_before, stacked.cards if stacked else 0, manner.allowed)
    ruling.rule = _rule_of(table, play, manner)
    if hand_left.size == 0:
        go_out(table, play, ruling)
        return
    is_complete = colour is not None or not wanted.is_wild
    calls.laid(table, seat, hand_left.size, table.now_ns if is_complete else None, ruling)
    if not is_complete:
        table.colour = None
        table.question = ColourQuestion(seat, wanted, colour_before, hand_left, play.stacked, allowed=manner.allowed)
        return
    complete(table, play, colour, ruling)


def _hand_left(table: Draft, seat: int, wanted: Face) -> Hand:
    """After an unseen draw the card laid is the drawn one: an equal card seen before stays in the hand."""
    hand = table.hands[seat]
    drawn = table.drawn
    is_the_unseen_one = seat == table.turn and drawn is not None and drawn.card is Unseen.CARD and hand.unseen > 0
    if is_the_unseen_one and legality.is_drawn_card(table, seat, wanted):
        return hand.without_unseen()
    return hand.without(wanted)


def _move(table: Draft, seat: int, wanted: Face, hand_left: Hand) -> None:
    table.set_hand(seat, hand_left)
    table.discard_pile += (wanted,)
    table.top = wanted
    table.top_is_turned = False
    table.colour = wanted.colour
    table.passes = 0


def lift_penalty(table: Draft, penalty: Penalty) -> None:
    """The open debt moves on: nobody owes it until the card that adds to it is complete."""
    table.owes = replaced(table.owes, penalty.seat, table.owes[penalty.seat] - penalty.cards)
    table.penalty = None
    table.wild_four = None


def _rule_of(table: Draft, play: Play, manner: _Manner) -> str:
    """The first rule that applies (transcript): jump-in, stacking, seven-o, the card's own, match.

    `uno-call` and `out` come before them all; `engine` sees to that.
    """
    if manner.allowed:
        return "allow"
    if manner.is_jump:
        return "jump-in"
    if manner.is_stacked:
        return "stacking"
    if play.kind.effect is Effect.NUMBER:
        is_seven_o = HouseRule.SEVEN_O in table.setup.house and play.face.rank in ("7", "0")
        return "seven-o" if is_seven_o else "match"
    return play.kind.effect.value


def complete(table: Draft, play: Play, colour: Colour | None, ruling: RulingBuilder) -> None:
    """Nothing is left to be named: the colour is in force and the card has its effect."""
    table.question = None
    if colour is not None and play.face.is_wild:
        table.colour = colour
        ruling.add("colour", value=colour.value)
    EFFECTS[play.kind.effect](table, play, ruling)


def go_out(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    """Rule `out`: the round ends at once; what the card makes others draw is drawn before the count."""
    ruling.add("out", table.names[play.seat])
    passing = effects.take_passing(table)
    scoring.end_play(table, play.seat)
    effects.last_card_debts(table, play, passing, ruling)


def name_colour(table: Draft, action: NameColour, ruling: RulingBuilder) -> Foul | None:
    """*player* names the colour of the wild just laid, or of the first card."""
    seat = table.seat_of(action.player)
    question = table.question
    if not isinstance(question, ColourQuestion) or question.seat != seat:
        return legality.out_of_place(table)
    kind = table.kind(question.face)
    ruling.rule = kind.effect.value
    if question.opening:
        table.question = None
        table.colour = action.colour
        ruling.add("colour", value=action.colour.value)
        table.may_swap_first = kind.effect is Effect.SWAP_HANDS
        return None
    if table.window is not None and table.window.opened_ns is None:
        table.window = table.window._replace(opened_ns=table.now_ns)
    play = Play(seat, question.face, kind, question.hand, question.colour_before, question.stacked, question.allowed)
    complete(table, play, action.colour, ruling)
    return None


# -- mode `prove`: laid, and not yet standing ------------------------------------------------------------------


def _needs_proof(table: Draft, effect: Effect, hand_left: Hand, manner: _Manner) -> bool:
    return (
        effect is Effect.WILD_DRAW_FOUR
        and table.setup.wild_four is WildFourMode.PROVE
        and not manner.allowed
        and hand_left.size > 0
        and is_legal_wild_four(hand_left, table.colour) is None
    )


def _await_proof(
    table: Draft,
    seat: int,
    wanted: Face,
    colour: Colour | None,
    hand_left: Hand,
    stacked: Penalty | None,
    ruling: RulingBuilder,
) -> None:
    """The card lies there until the rest of the hand is shown; nothing else of the turn changes."""
    table.question = ProofQuestion(
        seat,
        wanted,
        colour,
        table.colour,
        table.top,
        table.top_is_turned,
        stacked,
        was_known=hand_left.unseen == table.hands[seat].unseen,
    )
    if stacked is not None:
        table.owes = replaced(table.owes, seat, table.owes[seat] - stacked.cards)
        table.penalty = None
    _move(table, seat, wanted, hand_left)
    ruling.rule = Effect.WILD_DRAW_FOUR.value
    ruling.judge(None)


def prove_legal(table: Draft, question: ProofQuestion, hand: Hand, ruling: RulingBuilder) -> None:
    """The hand held no card of the colour: the play stands, with all that belongs to it."""
    table.question = None
    kind = table.kind(question.face)
    calls.close_window(table, ruling)
    table.wild_four = None
    is_complete = question.colour is not None
    calls.laid(table, question.seat, hand.size, table.now_ns if is_complete else None, ruling)
    stacked = question.stacked.cards if question.stacked else 0
    if not is_complete:
        table.question = ColourQuestion(question.seat, question.face, question.colour_before, hand, stacked)
        return
    play = Play(question.seat, question.face, kind, hand, question.colour_before, stacked, proven=True)
    complete(table, play, question.colour, ruling)


def take_back(table: Draft, question: ProofQuestion, hand: Hand, ruling: RulingBuilder) -> None:
    """It was a bluff: the card goes back to the hand, which is known now, and the turn is still theirs."""
    table.question = None
    ruling.add("take-back", value=question.face.code)
    table.set_hand(question.seat, hand.with_cards((question.face,)))
    table.discard_pile = table.discard_pile[:-1]
    table.top = question.top_before
    table.top_is_turned = question.top_was_turned
    table.colour = question.colour_before
    if question.stacked is not None:
        table.penalty = question.stacked
        table.owes = replaced(table.owes, question.seat, table.owes[question.seat] + question.stacked.cards)
    if table.drawn is not None:
        spent = HouseRule.DRAW_UNTIL in table.setup.house
        table.drawn = table.drawn._replace(card=question.face, spent=spent)


BLUFF_PENALTY = 2
"""What an innocent Wild Draw Four costs the challenger beside the four (rule `challenge`)."""


def challenge(table: Draft, action: Challenge, ruling: RulingBuilder) -> Foul | None:
    """The next player challenges before drawing; a hand that is known is judged at once."""
    seat = table.seat_of(action.player)
    foul = open_question_foul(table)
    if foul is not None and foul.code in (Code.NAME_COLOUR, Code.CHOOSE_SWAP, Code.SHOW_HAND):
        return foul
    four = table.wild_four
    if foul is not None or four is None or not four.challengeable or four.victim != seat:
        return Foul(Code.CANNOT_CHALLENGE)
    calls.close_window(table, ruling)
    ruling.rule = "challenge"
    ruling.judge(four.legal)
    if four.legal is None:
        table.question = ShowQuestion(four.layer, four.victim)
    else:
        _judge(table, four, four.legal, ruling)
    return None


def finds(table: Draft, action: Finds, ruling: RulingBuilder) -> Foul | None:
    """The challenger was shown the hand privately and says what was found."""
    seat = table.seat_of(action.player)
    question, four = table.question, table.wild_four
    if not isinstance(question, ShowQuestion) or question.challenger != seat or four is None:
        return out_of_place(table)
    ruling.rule = "challenge"
    table.question = None
    _judge(table, four, not action.guilty, ruling)
    return None


def shows(table: Draft, action: Shows, ruling: RulingBuilder) -> Foul | None:
    """The accused, or in mode `prove` the layer, shows the hand as it was just after the card was laid."""
    seat = table.seat_of(action.player)
    question = table.question
    if not isinstance(question, (ShowQuestion, ProofQuestion)) or question.seat != seat:
        return out_of_place(table)
    faces = tuple(card.face for card in action.cards)
    four = table.wild_four
    judged = four.hand if isinstance(question, ShowQuestion) and four is not None else table.hands[seat]
    if foul := _shown_hand_foul(table, seat, judged, faces, "challenge"):
        return foul
    _believe_shown(table, seat, judged, faces, ruling)
    held = table.hands[seat]
    drawn_since = Hand(_less(held.known, judged.known), held.unseen - judged.unseen)
    table.set_hand(seat, drawn_since.with_cards(faces))
    if isinstance(question, ProofQuestion):
        _judge_proof(table, question, Hand(faces), ruling)
    elif four is not None:
        ruling.rule = "challenge"
        table.question = None
        legal = is_legal_wild_four(Hand(faces), four.colour_before)
        assert legal is not None
        _judge(table, four, legal, ruling)
    return None


def show_for_count(table: Draft, action: Shows, ruling: RulingBuilder) -> Foul | None:
    """A loser's hand, to the referee alone, for the count."""
    seat = table.seat_of(action.player)
    faces = tuple(card.face for card in action.cards)
    deck = table.setup.deck
    if foul := scoring.count_foul(table, seat):
        return foul
    if table.setup.refereed:
        held = table.hands[seat]
        if foul := _shown_hand_foul(table, seat, held, faces, "score"):
            return foul
        _believe_shown(table, seat, held, faces, ruling)
        table.set_hand(seat, Hand(faces))
    elif any(faces.count(held) > deck.kinds[held].copies for held in faces):
        return Foul(Code.ALREADY_PLAYED)
    scoring.count_hand(table, seat, scoring.hand_points(table, faces), ruling)
    return None


def _shown_hand_foul(table: Draft, seat: int, judged: Hand, faces: tuple[Face, ...], rule: str) -> Foul | None:
    """Whether a hand that is shown can be the one: every seen card in it, none impossible, as many as there are.

    Rule `belief`: of a hand with unseen cards there may be more, unless it has drawn since the moment that is judged.
    """
    may_be_more = judged.unseen > 0 and table.hands[seat].size == judged.size
    if len(faces) < judged.size or (len(faces) > judged.size and not may_be_more):
        return Foul(Code.WRONG_COUNT, rule=rule)
    for wanted in judged.known:
        if faces.count(wanted) < judged.known.count(wanted):
            return Foul(Code.NOT_IN_HAND)
    held = table.hands[seat]
    for wanted in set(faces):
        # Seen cards that came into this hand since are elsewhere, as far as the judged hand is concerned.
        since = held.known.count(wanted) - judged.known.count(wanted)
        others = table.seen_elsewhere(wanted, seat) + max(since, 0)
        if others + faces.count(wanted) > table.kind(wanted).copies:
            return Foul(Code.ALREADY_PLAYED)
    return None


def _believe_shown(table: Draft, seat: int, judged: Hand, faces: tuple[Face, ...], ruling: RulingBuilder) -> None:
    """Rule `belief`: real cards outrank the believed number, which is put right, and what hung on it falls."""
    if len(faces) > judged.size:
        ruling.add("number", table.names[seat], value=len(faces))
        calls.number_put_right(table, seat, len(faces), ruling)


def _less(faces: tuple[Face, ...], taken: tuple[Face, ...]) -> tuple[Face, ...]:
    left = list(faces)
    for face in taken:
        if face in left:
            left.remove(face)
    return tuple(left)


def _judge(table: Draft, four: WildFour, legal: bool, ruling: RulingBuilder) -> None:
    """Guilty: the layer draws it all and the challenger plays on. Innocent: the challenger draws two more."""
    ruling.judge(legal)
    table.wild_four = None
    penalty = table.penalty
    assert penalty is not None
    accused = table.names[four.layer]
    if not legal:
        ruling.add("guilty", accused)
        lift_penalty(table, penalty)
        effects.owe(table, four.layer, penalty.cards, ruling)
        return
    ruling.add("innocent", accused)
    more = 0 if HouseRule.NO_BLUFF in table.setup.house else BLUFF_PENALTY
    if more:
        effects.owe(table, four.victim, more, ruling)
    table.penalty = penalty._replace(cards=penalty.cards + more, open=False)


def _judge_proof(table: Draft, question: ProofQuestion, hand: Hand, ruling: RulingBuilder) -> None:
    legal = is_legal_wild_four(hand, question.colour_before)
    assert legal is not None
    ruling.judge(legal)
    if legal:
        prove_legal(table, question, hand, ruling)
        ruling.judge(True)
    else:
        ruling.add("guilty", table.names[question.seat])
        take_back(table, question, hand, ruling)
    ruling.rule = Effect.WILD_DRAW_FOUR.value
