"""The Wild Draw Four in dispute: the challenge and the verdict; and every hand that is shown, for it or for the count.

Rules `challenge`, `wild-draw-four`, `belief` (rulebook section 6). What a counted hand is worth is in `scoring`.
"""

from __future__ import annotations

from table_app.rules import calls, effects, plays, scoring
from table_app.rules.actions import Challenge, Finds, Shows
from table_app.rules.cards import Effect, Face
from table_app.rules.legality import open_question_foul, out_of_place
from table_app.rules.ruling import Code, Foul, Making
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


def challenge(table: Draft, action: Challenge, ruling: Making) -> Foul | None:
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


def finds(table: Draft, action: Finds, ruling: Making) -> Foul | None:
    """The challenger was shown the hand privately and says what was found."""
    seat = table.seat_of(action.player)
    question, four = table.question, table.wild_four
    if not isinstance(question, ShowQuestion) or question.challenger != seat or four is None:
        return out_of_place(table)
    ruling.rule = "challenge"
    table.question = None
    _judge(table, four, not action.guilty, ruling)
    return None


def shows(table: Draft, action: Shows, ruling: Making) -> Foul | None:
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


def show_for_count(table: Draft, action: Shows, ruling: Making) -> Foul | None:
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


def _believe_shown(table: Draft, seat: int, judged: Hand, faces: tuple[Face, ...], ruling: Making) -> None:
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


def _judge(table: Draft, four: WildFour, legal: bool, ruling: Making) -> None:
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


def _judge_proof(table: Draft, question: ProofQuestion, hand: Hand, ruling: Making) -> None:
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
