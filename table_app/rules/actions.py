"""What somebody did: one frozen class an action, and nothing about whether it was allowed.

An action has exactly one text form, the transcript line; `table_app.transcript.notation` reads and writes it.
*at_ns* is the time in nanoseconds since the round began, or None where time stands still.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from table_app.rules.cards import Card, Colour

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """Root of all actions."""

    at_ns: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class PlayerAction(Action):
    """Something that *player* did."""

    player: str


@dataclass(frozen=True, slots=True)
class DealCards(Action):
    """These cards were dealt to *player*, seen by the referee."""

    player: str
    cards: Cards


@dataclass(frozen=True, slots=True)
class DealUnseen(Action):
    """Everybody not dealt to yet holds *count* unseen cards."""

    count: int


@dataclass(frozen=True, slots=True)
class Start(Action):
    """The first card was turned."""

    card: Card


@dataclass(frozen=True, slots=True)
class Lay(PlayerAction):
    """*player* lays a card; for a wild perhaps with its *colour*."""

    card: Card
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Draw(PlayerAction):
    """*player* draws *count* cards; *cards* are they, where the referee saw them, else empty."""

    count: int = 1
    cards: Cards = ()


@dataclass(frozen=True, slots=True)
class High(PlayerAction):
    """*player*'s card in the draw for the deal."""

    card: Card


@dataclass(frozen=True, slots=True)
class Keep(PlayerAction):
    """*player* ends the turn after drawing, or passes where nothing can be drawn."""


@dataclass(frozen=True, slots=True)
class Call(PlayerAction):
    """*player* calls "Uno"."""


@dataclass(frozen=True, slots=True)
class Catch(PlayerAction):
    """*player* catches *caught*, who did not call."""

    caught: str


@dataclass(frozen=True, slots=True)
class Challenge(PlayerAction):
    """*player* challenges the Wild Draw Four."""


@dataclass(frozen=True, slots=True)
class Shows(PlayerAction):
    """*player*'s whole hand, to the referee alone."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Finds(PlayerAction):
    """*player*, the challenger, has seen the accused's hand."""

    guilty: bool


@dataclass(frozen=True, slots=True)
class Points(PlayerAction):
    """The points left in *player*'s hand, instead of showing it."""

    points: int


@dataclass(frozen=True, slots=True)
class Swap(PlayerAction):
    """*player* swaps hands with *other*."""

    other: str


@dataclass(frozen=True, slots=True)
class Charade(PlayerAction):
    """*player* says who guessed the charade; None is nobody."""

    guesser: str | None


@dataclass(frozen=True, slots=True)
class AnswerDare(PlayerAction):
    """*player* did the dare, or refused it."""

    did: bool


@dataclass(frozen=True, slots=True)
class Discard(PlayerAction):
    """Cards that a special card makes *player* discard; none of them is an answer too."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class NameColour(PlayerAction):
    """*player* names the colour of a wild laid before."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Out(PlayerAction):
    """At a table used for the score alone: *player* is out."""


@dataclass(frozen=True, slots=True)
class Reshuffle(Action):
    """The draw pile was made anew."""


@dataclass(frozen=True, slots=True)
class Leaves(Action):
    """*player* leaves the match."""

    player: str


@dataclass(frozen=True, slots=True)
class Joins(Action):
    """*player* joins, between rounds."""

    player: str


@dataclass(frozen=True, slots=True)
class Called(Action):
    """The table says that *player* did call."""

    player: str


@dataclass(frozen=True, slots=True)
class Allow(Action):
    """The card refused just before stands after all."""


@dataclass(frozen=True, slots=True)
class SetTurn(Action):
    player: str


@dataclass(frozen=True, slots=True)
class SetHand(Action):
    """*player* holds *count* cards, none of which the referee knows any more."""

    player: str
    count: int


@dataclass(frozen=True, slots=True)
class SetScore(Action):
    player: str
    points: int


@dataclass(frozen=True, slots=True)
class SetColour(Action):
    colour: Colour


@dataclass(frozen=True, slots=True)
class SetDirection(Action):
    clockwise: bool


@dataclass(frozen=True, slots=True)
class SetTop(Action):
    card: Card


@dataclass(frozen=True, slots=True)
class LastRound(Action):
    """The bell: the match ends with the round under way."""


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Nothing but time passes."""


@dataclass(frozen=True, slots=True)
class Undo(Action):
    """The last accepted action is taken back."""
