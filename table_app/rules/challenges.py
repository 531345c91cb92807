"""The Wild Draw Four in dispute: the challenge, the hand that is shown, and the verdict.

Rules `challenge`, `wild-draw-four` (rulebook section 6). Hands shown for the count are in `scoring`.
"""

from __future__ import annotations

from table_app.rules import calls, effects, legality, plays
from table_app.rules.actions import Challenge, Finds, Shows
from table_app.rules.cards import Effect, Face
from table_app.rules.legality import open_question_foul, out_of_place
from table_app.rules.ruling import Code, Foul, RulingBuilder
from table_app.rules.setup import HouseRule
from table_app.rules.state import (
    Draft,
    Hand,
    ProofQuestion,
    ShowQuestion,
    WildFour,
    is_legal_wild_four,
)

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
    if foul := legality.shown_hand_foul(table, seat, judged, faces, "challenge"):
        return foul
    calls.believe_shown(table, seat, judged, faces, ruling)
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
        plays.lift_penalty(table, penalty)
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
        plays.prove_legal(table, question, hand, ruling)
        ruling.judge(True)
    else:
        ruling.add("guilty", table.names[question.seat])
        plays.take_back(table, question, hand, ruling)
    ruling.rule = Effect.WILD_DRAW_FOUR.value
