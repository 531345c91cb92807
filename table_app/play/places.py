"""Where the physical cards that are known by their tags lie: in the discard pile, and in which hand.

A match knows faces; only the table knows which of two red fives is which. Followed from rulings, deed by deed; an undo
is `history`'s. Nothing is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_app.rules import (
    Action,
    Allow,
    Card,
    DealCards,
    Discard,
    Draw,
    Lay,
    Leaves,
    Match,
    PlayerAction,
    Reshuffle,
    Ruling,
    SetHand,
    SetTop,
    Shows,
    Start,
)

Hands = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Places:
    """*discard_pile* lowest first, *hands* by seat."""

    discard_pile: tuple[Card, ...] = ()
    hands: Hands = ()

    def holder(self, card: Card) -> int | None:
        """The seat whose hand this very card is known to be in."""
        return next((seat for seat, hand in enumerate(self.hands) if card in hand), None)


def follow_places(places: Places, before: Match, after: Match, ruling: Ruling) -> Places:
    """Where everything lies after *ruling*, a deed which made *after* of *before*."""
    pile = _discard_pile(places.discard_pile, before, after, ruling.action)
    return Places(pile, _hands(places, before, after, ruling))


# -- the discard pile ------------------------------------------------------------------------------------------


def _discard_pile(cards: tuple[Card, ...], before: Match, after: Match, action: Action) -> tuple[Card, ...]:
    grown = len(after.discard_pile) - len(before.discard_pile)
    if grown > 0:
        return _with_laid(cards, before, action)
    if isinstance(action, Reshuffle):
        return cards[-1:]
    if isinstance(action, SetTop):
        # It lies there in place of the top card that was wrong; further down, where it was thought to be, is another.
        below = tuple(Card(card.face) if card == action.card else card for card in cards[:-1])
        return (*below, action.card)
    return cards[:grown] if grown < 0 else cards  # taken back


def _with_laid(cards: tuple[Card, ...], before: Match, action: Action) -> tuple[Card, ...]:
    refused = before.refused_lay
    if isinstance(action, Lay | Start):
        return (*cards, action.card)
    if isinstance(action, Allow) and refused is not None:
        return (*cards, refused.action.card)
    if isinstance(action, Discard):  # discards go under the top card (rulebook section 8)
        return (*cards[:-1], *action.cards, *cards[-1:])
    return cards


# -- the hands -------------------------------------------------------------------------------------------------


def _hands(places: Places, before: Match, after: Match, ruling: Ruling) -> Hands:
    hands = list(places.hands) + [()] * (len(after.names) - len(places.hands))
    if ruling.is_ok:
        _move(hands, before, ruling.action)
    for happening in ruling.effects:
        if happening.word == "swap" and happening.player is not None and happening.other is not None:
            one, other = after.seat_of(happening.player), after.seat_of(happening.other)
            hands[one], hands[other] = hands[other], hands[one]
        elif happening.word == "pass-hands":
            _pass_on(hands, after)
        elif happening.word == "shuffle-hands":
            hands = [()] * len(hands)
    return tuple(hands)


def _move(hands: list[tuple[Card, ...]], before: Match, action: Action) -> None:
    gone: tuple[Card, ...] = ()
    if isinstance(action, Lay):
        gone = (action.card,)
    elif isinstance(action, Allow) and before.refused_lay is not None:
        gone = (before.refused_lay.action.card,)
    elif isinstance(action, Discard):
        gone = action.cards
    elif isinstance(action, SetTop):
        gone = (action.card,)
    for seat, hand in enumerate(hands):
        if any(card in hand for card in gone):
            hands[seat] = tuple(card for card in hand if card not in gone)
    by_hand = {card.face for card in gone if not card.copy}
    if by_hand and isinstance(action, PlayerAction):
        # Named on the screen: which of two equal ones it was, nobody knows.
        seat = before.seat_of(action.player)
        hands[seat] = tuple(card for card in hands[seat] if card.face not in by_hand)
    if isinstance(action, DealCards | Draw | Shows):
        seat = before.seat_of(action.player)
        new = tuple(card for card in action.cards if card.copy and card not in hands[seat])
        hands[seat] += new
    elif isinstance(action, SetHand | Leaves):
        hands[before.seat_of(action.player)] = ()


def _pass_on(hands: list[tuple[Card, ...]], match: Match) -> None:
    first = match.playing.index(True)
    seat, carried = match.after(first), hands[first]
    while seat != first:
        hands[seat], carried = carried, hands[seat]
        seat = match.after(seat)
    hands[first] = carried
