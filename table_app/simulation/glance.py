"""What people see at a glance in the cards: what fits, what it would cost them, what is still to be shown.

A person's own idea of it; the referee has its own. Nothing is decided and nothing moved here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from table_app.rules import Card, HouseRule, Match
from table_app.simulation.cards import PhysicalCards

ALL_HELD = 10
"""With no more cards than these in both piles, hardly anything can be drawn."""

GIVES_IN = 0.2


def fits(match: Match, card: Card) -> bool:
    """Whether a person thinks that *card* may be laid."""
    top, wanted = match.top, card.face
    if wanted.is_wild or wanted.colour is match.colour:
        return True
    return top is not None and not top.is_wild and wanted.rank == top.rank


def loses_a_hand(match: Match, cards: PhysicalCards, seat: int, card: Card) -> bool:
    """With Seven-O nobody gives a small hand away for a bigger one: two who did would play for ever."""
    left = len(cards.hands[seat]) - 1
    if HouseRule.SEVEN_O not in match.setup.house or not left or card.face.is_wild:
        return False
    others = match.from_left_of(seat)
    if card.face.rank == "7":
        return min(len(cards.hands[other]) for other in others) > left
    giver = next(other for other in others if match.after(other) == seat)
    return card.face.rank == "0" and len(cards.hands[giver]) > left


def worth_laying(
    match: Match, cards: PhysicalCards, seat: int, playable: Sequence[Card], chance: random.Random
) -> list[Card]:
    """Of the cards that may be laid, those that don't give a small hand away.

    Where nearly all cards are held, now and then also that: two people with nothing else to lay would play for ever.
    """
    worth = [card for card in playable if not loses_a_hand(match, cards, seat, card)]
    lying = len(cards.draw_pile) + len(cards.discard_pile)
    if playable and not worth and lying <= ALL_HELD and chance.random() < GIVES_IN:
        return list(playable)
    return worth


def still_to_show(cards: PhysicalCards, hand: Sequence[Card], shown: Sequence[Card]) -> list[Card]:
    """What of a hand was not shown yet; one that was picked on the screen stands for any of its face."""
    gone = {cards.physical(card) for card in shown}  # the table may take one for another of its equals
    left = [card for card in hand if card not in gone]
    for picked in shown:
        same = [card for card in left if not picked.copy and card.face is picked.face]
        if same:
            left.remove(same[0])
    return left


def drawn_for_the_deal(match: Match, cards: PhysicalCards, chance: random.Random) -> Card:
    """A card of the draw pile, but none like those drawn for the deal, nor the one drawn last: after a tie it is
    shuffled back, which takes longer than to tap a card twice."""
    drawn = set() if match.high is None else {face for _seat, face in match.high.drawn}
    left = [card for card in cards.draw_pile if card.face not in drawn and card != cards.drawn_for_deal]
    cards.drawn_for_deal = chance.choice(left)
    return cards.drawn_for_deal


def in_order(match: Match) -> list[int]:
    """All players still in, in the direction of play."""
    first = match.playing.index(True)
    order = [first]
    seat = match.after(first)
    while seat != first:
        order.append(seat)
        seat = match.after(seat)
    return order
