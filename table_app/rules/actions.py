"""What somebody did: one frozen class an action, and nothing about whether it was allowed.

An action has exactly one text form, the transcript line; `table_app.transcript.notation` reads and writes it.
*at_ns* is the time in nanoseconds since the round began, or None where time stands still.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TypeVar, dataclass_transform

from table_app.rules.cards import Card, Colour

Cards = tuple[Card, ...]


Kind = TypeVar("Kind", bound="Action")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def _action(kind: type[Kind]) -> type[Kind]:
    """A frozen, slotted dataclass that compares and prints itself by the root's methods.

    Making three methods anew for each of forty classes would be a third of what importing the rules costs.
    """
    return dataclass(frozen=True, slots=True, eq=False, repr=False)(kind)


@_action
class Action:
    """Root of all actions; equal if of the same kind with the same values."""

    at_ns: int | None = field(default=None, kw_only=True)

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, each.name) for each in fields(self))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        values = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self))
        return f"{type(self).__name__}({values})"


@_action
class PlayerAction(Action):
    """Something that *player* did."""

    player: str


@_action
class DealCards(Action):
    """These cards were dealt to *player*, seen by the referee."""

    player: str
    cards: Cards


@_action
class DealUnseen(Action):
    """Everybody not dealt to yet holds *count* unseen cards."""

    count: int


@_action
class Start(Action):
    """The first card was turned."""

    card: Card


@_action
class Lay(PlayerAction):
    """*player* lays a card; for a wild perhaps with its *colour*."""

    card: Card
    colour: Colour | None = None


@_action
class Draw(PlayerAction):
    """*player* draws *count* cards; *cards* are they, where the referee saw them, else empty."""

    count: int = 1
    cards: Cards = ()


@_action
class DrawForDeal(PlayerAction):
    """*player*'s card in the draw for the deal."""

    card: Card


@_action
class Keep(PlayerAction):
    """*player* ends the turn after drawing, or passes where nothing can be drawn."""


@_action
class Call(PlayerAction):
    """*player* calls "Uno"."""


@_action
class Catch(PlayerAction):
    """*player* catches *caught*, who did not call."""

    caught: str


@_action
class Challenge(PlayerAction):
    """*player* challenges the Wild Draw Four."""


@_action
class Shows(PlayerAction):
    """*player*'s whole hand, to the referee alone."""

    cards: Cards


@_action
class Finds(PlayerAction):
    """*player*, the challenger, has seen the accused's hand."""

    guilty: bool


@_action
class Points(PlayerAction):
    """The points left in *player*'s hand, instead of showing it."""

    points: int


@_action
class Swap(PlayerAction):
    """*player* swaps hands with *other*."""

    other: str


@_action
class Charade(PlayerAction):
    """*player* says who guessed the charade; None is nobody."""

    guesser: str | None


@_action
class AnswerDare(PlayerAction):
    """*player* did the dare, or refused it."""

    did: bool


@_action
class Discard(PlayerAction):
    """Cards that a special card makes *player* discard; none of them is an answer too."""

    cards: Cards


@_action
class NameColour(PlayerAction):
    """*player* names the colour of a wild laid before."""

    colour: Colour


@_action
class GoOut(PlayerAction):
    """At a table used for the score alone: *player* is out."""


@_action
class Reshuffle(Action):
    """The draw pile was made anew."""


@_action
class Leaves(Action):
    """*player* leaves the match."""

    player: str


@_action
class Joins(Action):
    """*player* joins, between rounds."""

    player: str


@_action
class Called(Action):
    """The table says that *player* did call."""

    player: str


@_action
class Allow(Action):
    """The card refused just before stands after all."""


@_action
class SetDealer(Action):
    """*player* deals the next round, or, before its first card, this one."""

    player: str


@_action
class SetOwes(Action):
    """*player* owes exactly *count* cards, and no turn hangs on them."""

    player: str
    count: int


@_action
class SetTarget(Action):
    """The match is played to *points*."""

    points: int


@_action
class SetTurn(Action):
    player: str


@_action
class SetHand(Action):
    """*player* holds *count* cards, none of which the referee knows any more."""

    player: str
    count: int


@_action
class SetScore(Action):
    player: str
    points: int


@_action
class SetColour(Action):
    colour: Colour


@_action
class SetDirection(Action):
    clockwise: bool


@_action
class SetTop(Action):
    card: Card


@_action
class LastRound(Action):
    """The bell: the match ends with the round under way."""


@_action
class Wait(Action):
    """Nothing but time passes."""


@_action
class Undo(Action):
    """The last accepted action is taken back."""
