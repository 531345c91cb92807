"""What a ruling says: accepted or refused, by which rule, and what it caused.

Only the shapes and the vocabulary; how a ruling comes about is in `engine`, its words are in `words`.
Source: transcript, *Ruling lines*.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from table_app.rules.actions import Action, Lay


class Code(StrEnum):
    """Why an action was refused."""

    NOT_CALLED = "not-called"
    NOT_YOUR_TURN = "not-your-turn"
    NO_MATCH = "no-match"
    NOT_IN_HAND = "not-in-hand"
    ALREADY_PLAYED = "already-played"
    UNKNOWN_CARD = "unknown-card"
    WILD_DRAW_FOUR = "wild-draw-four"
    DRAWN_CARD = "drawn-card"
    OWES_CARDS = "owes-cards"
    NAME_COLOUR = "name-colour"
    CHOOSE_SWAP = "choose-swap"
    SHOW_HAND = "show-hand"
    CANNOT_CHALLENGE = "cannot-challenge"
    NOTHING_TO_CATCH = "nothing-to-catch"
    ALREADY_DRAWN = "already-drawn"
    NOTHING_TO_KEEP = "nothing-to-keep"
    MUST_PLAY = "must-play"
    WRONG_COUNT = "wrong-count"
    NOT_DEALT = "not-dealt"
    NO_CARDS_LEFT = "no-cards-left"
    ROUND_OVER = "round-over"
    MATCH_OVER = "match-over"
    CANNOT_UNDO = "cannot-undo"
    NOT_NOW = "not-now"
    BAD_LINE = "bad-line"


class Happening(NamedTuple):
    """One thing that a ruling caused, such as ``owes Ben 2``; *value* is a number, a colour or a face code."""

    word: str
    player: str | None = None
    other: str | None = None
    value: int | str | None = None

    def __str__(self) -> str:
        return " ".join(str(part) for part in self if part is not None)


class Foul(NamedTuple):
    """Why something is refused, on its way to becoming a ruling.

    *fine* cards are owed by *seat* all the same (`liftable` by ``called``); *caught* is a seat that is caught by
    this very act. *lay* is a card that the table may allow.
    """

    code: Code
    rule: str = ""
    seat: int | None = None
    fine: int = 0
    liftable: bool = False
    caught: int | None = None
    lay: Lay | None = None


class Ruling(NamedTuple):
    """The referee's answer to one action. *legal* is of a judged or open Wild Draw Four, where *has_legal*."""

    action: Action
    is_ok: bool
    code: Code | None
    rule: str
    effects: tuple[Happening, ...] = ()
    has_legal: bool = False
    legal: bool | None = None


@dataclass(slots=True)
class RulingBuilder:
    """Builds one ruling: the modules add what happened, and which rule decided."""

    rule: str = ""
    effects: list[Happening] = field(default_factory=list)
    has_legal: bool = False
    legal: bool | None = None

    def add(
        self, word: str, player: str | None = None, other: str | None = None, value: int | str | None = None
    ) -> None:
        self.effects.append(Happening(word, player, other, value))

    def judge(self, legal: bool | None) -> None:
        self.has_legal = True
        self.legal = legal


REFUSAL_RULES: dict[Code, str] = {
    Code.NOT_YOUR_TURN: "turn",
    Code.NO_MATCH: "match",
    Code.DRAWN_CARD: "drawn-card",
    Code.ALREADY_DRAWN: "draw",
    Code.NOTHING_TO_KEEP: "draw",
    Code.OWES_CARDS: "owes",
    Code.SHOW_HAND: "challenge",
    Code.CANNOT_CHALLENGE: "challenge",
    Code.NOTHING_TO_CATCH: "uno-catch",
    Code.NOT_CALLED: "call-to-go-out",
    Code.NOT_IN_HAND: "cards",
    Code.ALREADY_PLAYED: "cards",
    Code.UNKNOWN_CARD: "cards",
    Code.NO_CARDS_LEFT: "reshuffle",
    Code.MUST_PLAY: "must-play",
    Code.WILD_DRAW_FOUR: "wild-draw-four",
}
"""Which rule a refusal cites; `name-colour`, `choose-swap` and `wrong-count` say their own, all others `order`."""
