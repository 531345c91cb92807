"""The house rules, one row each: what the transcript's header, settings, `lastcard rules` and the rulebook say of it.

A new one is a row here; what it does is a small function in the module that it changes, which asks for it by name.
Nothing here decides a play. Source: rulebook section 10, transcript (header).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from table_app.rules.messages import _


@dataclass(frozen=True, eq=False, repr=False)
class HouseRow:
    """All that is said of a house rule that is on or off; off is the default.

    *word* is its name in the header and in settings; *sentence* what somebody who chooses reads, *text* its paragraph
    in the rulebook, *reason* why it is ruled so. It *needs* another's word, or *excludes* others'.
    """

    word: str
    sentence: str
    text: str
    reason: str = ""
    needs: str | None = None
    excludes: tuple[str, ...] = ()
    holds_unrefereed: bool = False


class HouseRule(StrEnum):
    """The house rules that are on or off, in the order in which they are told."""

    row: HouseRow

    def __new__(cls, row: HouseRow) -> HouseRule:
        member = str.__new__(cls, row.word)
        member._value_ = row.word
        member.row = row
        return member

    STACKING = HouseRow(
        "stacking",
        _("A Draw Two may be laid on a Draw Two, and a Wild Draw Four on a Wild Draw Four."),
        _(
            "House rule. Whoever has to draw for a Draw Two may lay another Draw Two, whoever has to for a Wild Draw "
            "Four another Wild Draw Four, never one on the other. The cards add up and move on to the next player. "
            "Whoever does not add draws them all and loses the turn."
        ),
        reason=_("A stacked Wild Draw Four must still be legal, against the colour that the last one named."),
    )
    SEVEN_O = HouseRow(
        "seven-o",
        _("A 7 swaps two hands, a 0 passes all of them on."),
        _(
            "House rule. Whoever lays a 7 swaps hands with a player of their choice. When a 0 is laid all hands move "
            "on by one seat in the direction of play."
        ),
        reason=_("As a last card neither happens: the round is over."),
    )
    JUMP_IN = HouseRow(
        "jump-in",
        _("Whoever holds the very same card as the top one may lay it out of turn."),
        _(
            "House rule. Whoever holds the very same card as the top one, colour and number or sign, may lay it out of "
            "turn; play goes on from there. Not while a colour, a swap, a challenge or a debt is open."
        ),
    )
    NO_BLUFF = HouseRow(
        "no-bluff",
        _("A wrong challenge costs nothing extra."),
        _("House rule. A wrong challenge costs no more than the cards that were owed anyway."),
    )
    TEAMS = HouseRow(
        "teams",
        _("Partners sit opposite each other and share their score."),
        _(
            "Partners sit opposite each other and share their score. The round ends when anybody is out; that team "
            "scores what the opponents hold, and not the partner's cards. {points}"
        ),
        reason=_("If two teams could pass the target together, the higher total wins."),
        holds_unrefereed=True,
    )
    MUST_PLAY = HouseRow(
        "must-play",
        _("A drawn card that fits must be laid."),
        _("House rule. A drawn card that fits must be laid, but never a Wild Draw Four: nobody is made to bluff."),
    )
    DRAW_UNTIL = HouseRow(
        "draw-until",
        _("Whoever draws goes on until a card fits."),
        _("House rule. Whoever draws goes on drawing until a card fits."),
    )
    CALL_TO_GO_OUT = HouseRow(
        "call-to-go-out",
        _("Whoever has not called Uno can't lay the last card."),
        _(
            "House rule. Whoever missed the call and still has not called can't lay the last card: it is refused and "
            "costs {penalty}."
        ),
        reason=_("The printed sheets let a player go out who was not caught in time; this house rule says otherwise."),
    )


def contradiction(chosen: Collection[HouseRow]) -> str | None:
    """Why these house rules can't be played together, as a sentence without a full stop; None where they can."""
    words = [row.word for row in chosen]
    for row in chosen:
        if row.needs is not None and row.needs not in words:
            return f"{row.word} needs {row.needs}; add it, or leave {row.word} out"
        for other in row.excludes:
            if other in words:
                return f"{row.word} and {other} can't be combined; leave one of them out"
    return None


class Price(NamedTuple):
    """What something costs at this table, in cards: a key of the header and of settings.

    *field* is its name in `Setup`, and where *text* has it in braces; *text* is its paragraph, in force above 0.
    """

    key: str
    field: str
    default: int
    sentence: str
    text: str = ""
    highest: int = 20

    def cards(self, setup: object) -> int:
        """How many cards it costs with this `Setup`."""
        return int(getattr(setup, self.field))


PRICES = (
    Price(
        "wrong-play",
        "wrong_play",
        0,
        _("Cards that a wrong play costs."),
        _("House rule. Laying a card that may not be laid costs {wrong_play}; the turn does not move."),
    ),
    Price(
        "false-catch",
        "false_catch",
        0,
        _("Cards that a wrong catch costs."),
        _("House rule. Catching somebody who can't be caught costs {false_catch}."),
    ),
    Price("uno-penalty", "uno_penalty", 2, _("Cards that a missed call costs.")),
)
