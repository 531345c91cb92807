"""Hands that are shown to the referee alone: the one being shown, card by card, and those that were shown before.

Followed from rulings, so that a table resumed from its journal knows them too. What a card means is in `cards_read`
and `just_shown`; nothing is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from table_app.rules import (
    Call,
    Called,
    Card,
    Catch,
    Discard,
    Draw,
    LastRound,
    Match,
    Phase,
    Points,
    Ruling,
    SetColour,
    SetDirection,
    SetHand,
    SetScore,
    SetTop,
    Shows,
    Undo,
    Wait,
)

ASIDE = (
    *(Draw, Call, Called, Catch, Wait, LastRound),
    *(SetScore, SetHand, SetColour, SetDirection, SetTop),
)
"""What leaves a hand that was shown where it is: in the memory of the table."""


@dataclass(frozen=True, slots=True)
class Showing:
    """A hand being tapped, card by card, for the referee alone. *seat* is None until it is clear whose it is.

    *is_free*: it was said that there are no more, and asked for the rest; Yes once more ends it. *is_close*: its first
    card came right after another hand, of which it may be one more.
    """

    seat: int | None = None
    cards: tuple[Card, ...] = ()
    is_free: bool = False
    is_close: bool = False

    def has(self, card: Card) -> bool:
        """True if this very card was tapped already."""
        return card.copy > 0 and card in self.cards

    def and_one(self, seat: int, card: Card) -> Showing:
        """With one more card, of *seat*."""
        return replace(self, seat=seat, cards=(*self.cards, card))

    def but_last(self) -> Showing:
        """Without the card tapped last."""
        return replace(self, cards=self.cards[:-1])


def still_showing(showing: Showing, before: Match, after: Match, ruling: Ruling, *, has_undone: bool) -> Showing:
    """What *ruling* leaves of a hand being shown; *has_undone*: its answer took something back before.

    It is shown anew only after a showing, an undo, or where something else is asked for now: whatever else is done
    meanwhile does not touch it. Nor does the undo of a verdict that one card more led to (`just_shown`).
    """
    action = ruling.action
    if isinstance(action, Shows):
        return Showing()
    if not ruling.is_ok:
        return showing
    if isinstance(action, Undo):
        return showing if showing.is_free and showing.cards else Showing()
    is_asked_still = after.phase is before.phase and after.question == before.question
    return showing if is_asked_still and not has_undone and not isinstance(action, Points | Discard) else Showing()


def follow_shown(shown: tuple[Showing, ...], showing: Showing, before: Match, ruling: Ruling) -> tuple[Showing, ...]:
    """The hands shown after *ruling*, which was given when *before* stood: all of the count of this round.

    In play it is the last one, while no card is laid and no turn put right.
    """
    action = ruling.action
    if not ruling.is_ok or isinstance(action, ASIDE):
        return shown
    is_in_play = before.phase is Phase.PLAY
    if isinstance(action, Shows | Points):
        return (*(() if is_in_play else shown), _just_shown(showing, before.seat_of(action.player), action))
    return () if is_in_play else shown


def _just_shown(showing: Showing, seat: int, action: Shows | Points) -> Showing:
    """The hand as it was read here; nothing is known of a hand whose points were typed."""
    if showing.seat == seat and (isinstance(action, Points) or showing.cards == action.cards):
        return showing
    cards = action.cards if isinstance(action, Shows) else ()
    return Showing(seat, cards)
