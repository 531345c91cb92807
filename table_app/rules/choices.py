"""The choices that cards ask for: whom to swap with, a dare, a charade, discards.

Rules `seven-o`, `swap-hands`, `customizable` (rulebook sections 8 and 10). What makes the question is in `effects`.
"""

from __future__ import annotations

from table_app.rules import scoring
from table_app.rules.actions import AnswerDare, Charade, Discard, Swap
from table_app.rules.cards import CustomKind, Effect, Face
from table_app.rules.effects import owe
from table_app.rules.legality import out_of_place
from table_app.rules.ruling import Code, Foul, Making
from table_app.rules.state import (
    CharadeQuestion,
    DareQuestion,
    DiscardQuestion,
    Draft,
    Hand,
    SwapQuestion,
)


def swap(table: Draft, action: Swap, ruling: Making) -> Foul | None:
    """*player* swaps hands: after a seven, a Swap Hands, or once before the first turn where one was turned."""
    seat, other = table.seat_of(action.player), table.seat_of(action.other)
    question = table.question
    if isinstance(question, SwapQuestion) and question.seat == seat:
        rule = question.rule
    elif question is None and table.may_swap_first and table.turn == seat and not table.is_owing():
        rule = Effect.SWAP_HANDS.value
    else:
        return out_of_place(table)
    if other == seat or not table.playing[other]:
        return Foul(Code.NOT_NOW)
    mine, theirs = table.hands[seat], table.hands[other]
    table.set_hand(seat, theirs)
    table.set_hand(other, mine)
    table.uncalled -= {seat, other}
    ruling.rule = rule
    ruling.add("swap", action.player, action.other)
    if question is None:
        table.may_swap_first = False
    else:
        table.question = None
        table.next_turn(table.after(seat))
    return None


def answer_dare(table: Draft, action: AnswerDare, ruling: Making) -> Foul | None:
    """The table says whether the dare was done; refused it costs cards, and the turn in neither case."""
    seat = table.seat_of(action.player)
    question = table.question
    if not isinstance(question, DareQuestion) or question.seat != seat:
        return out_of_place(table)
    table.question = None
    ruling.rule = Effect.CUSTOMIZABLE.value
    if not action.did:
        owe(table, seat, question.cards, ruling)
    return None


def charade(table: Draft, action: Charade, ruling: Making) -> Foul | None:
    """The layer says who guessed it; who did may discard cards of the named colour."""
    seat = table.seat_of(action.player)
    question = table.question
    if not isinstance(question, CharadeQuestion) or question.seat != seat:
        return out_of_place(table)
    ruling.rule = Effect.CUSTOMIZABLE.value
    if action.guesser is not None:
        guesser = table.seat_of(action.guesser)
        if guesser == seat or not table.playing[guesser]:
            return Foul(Code.NOT_NOW)
        hand = table.hands[guesser]
        if hand.unseen or any(_may_go(table, CustomKind.CHARADE, held) for held in hand.known):
            table.question = DiscardQuestion(seat, (guesser,), CustomKind.CHARADE)
            return None
    table.question = None
    table.next_turn(table.after(seat))
    return None


def _may_go(table: Draft, kind: CustomKind, held: Face) -> bool:
    return held.is_wild if kind is CustomKind.DISCARD_WILDS else held.colour is table.colour


def discard(table: Draft, action: Discard, ruling: Making) -> Foul | None:
    """Cards go under the top card; who has none left is out. The turn passes when all asked have answered."""
    seat = table.seat_of(action.player)
    faces = tuple(card.face for card in action.cards)
    question = table.question
    if not isinstance(question, DiscardQuestion) or seat not in question.seats:
        return out_of_place(table)
    hand = table.hands[seat]
    if foul := _discard_foul(table, seat, question.kind, hand, faces):
        return foul
    for wanted in faces:
        hand = hand.without(wanted)
    table.set_hand(seat, hand)
    if faces:
        table.uncalled -= {seat}
    table.discard_pile = (*table.discard_pile[:-1], *faces, *table.discard_pile[-1:])
    ruling.rule = Effect.CUSTOMIZABLE.value
    if hand.size == 0:
        ruling.add("out", action.player)
        scoring.end_play(table, seat)
        return None
    left = tuple(other for other in question.seats if other != seat)
    if left:
        table.question = question._replace(seats=left)
    else:
        table.question = None
        table.next_turn(table.after(question.layer))
    return None


def _discard_foul(table: Draft, seat: int, kind: CustomKind, hand: Hand, faces: tuple[Face, ...]) -> Foul | None:
    unseen = sum(max(faces.count(wanted) - hand.known.count(wanted), 0) for wanted in set(faces))
    if unseen > hand.unseen:
        return Foul(Code.NOT_IN_HAND)
    for wanted in set(faces):
        if table.seen_elsewhere(wanted, seat) + faces.count(wanted) > table.kind(wanted).copies:
            return Foul(Code.ALREADY_PLAYED)
    if any(not _may_go(table, kind, wanted) for wanted in faces):
        return Foul(Code.NO_MATCH)
    if kind is CustomKind.DISCARD_WILDS and any(
        faces.count(held) < hand.known.count(held) for held in hand.known if held.is_wild
    ):
        return Foul(Code.WRONG_COUNT, rule=Effect.CUSTOMIZABLE.value)
    return None
