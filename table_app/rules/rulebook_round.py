"""The rulebook's words for going out, scoring, house rules and putting right (rulebook sections 9 to 11).

Only words, and when they hold.
"""

from __future__ import annotations

from table_app.rules.paragraph import Paragraph, always, house, refereed
from table_app.rules.paragraph import mark as _
from table_app.rules.setup import HouseRule, Scoring

AROUND_PLAY: tuple[Paragraph, ...] = (
    Paragraph(
        "out",
        _(
            "Whoever lays the last card ends the round. If that card makes others draw, they draw first, and those "
            "cards count."
        ),
        always,
    ),
    Paragraph(
        "unrefereed",
        _("The table is used for the score alone: say who is out, then show or type what the others hold."),
        lambda setup: not setup.refereed,
    ),
    Paragraph(
        "score",
        _("Whoever is out scores the points of all cards that the others still hold; nobody else scores. {points}"),
        lambda setup: setup.scoring is Scoring.WINNER and setup.target is not None and not setup.teams,
    ),
    Paragraph(
        "score",
        _("What is left in the hands is counted after each round. {points}"),
        lambda setup: setup.scoring is not Scoring.WINNER,
    ),
    Paragraph(
        "teams",
        _(
            "Partners sit opposite each other and share their score. The round ends when anybody is out; that team "
            "scores what the opponents hold, and not the partner's cards. {points}"
        ),
        lambda setup: setup.teams,
        _("If two teams could pass the target together, the higher total wins."),
    ),
    Paragraph(
        "target",
        _("Whoever first reaches {target} points has won the match."),
        lambda setup: setup.target is not None and setup.scoring is Scoring.WINNER,
    ),
    Paragraph(
        "single",
        _("There are no points: who is out first has won."),
        lambda setup: setup.target is None,
    ),
    Paragraph(
        "elimination",
        _(
            "Every player adds the points left in the own hand. Whoever reaches {target} is out of the match. The last "
            "two play on as two, until one of them reaches it; the other has won."
        ),
        lambda setup: setup.scoring is Scoring.ELIMINATION,
    ),
    Paragraph(
        "lowest",
        _(
            "Every player adds the points left in the own hand. When somebody reaches {target} the match is over, and "
            "the lowest total wins; equal lowest totals win together."
        ),
        lambda setup: setup.scoring is Scoring.LOWEST,
    ),
    Paragraph(
        "time",
        _("A bell may end the match: the round under way is finished, then the best total wins, ties together."),
        lambda setup: setup.target is not None,
    ),
    Paragraph(
        "stacking",
        _(
            "House rule. Whoever has to draw for a Draw Two may lay another Draw Two, whoever has to for a Wild Draw "
            "Four another Wild Draw Four, never one on the other. The cards add up and move on to the next player. "
            "Whoever does not add draws them all and loses the turn."
        ),
        house(HouseRule.STACKING),
        _("A stacked Wild Draw Four must still be legal, against the colour that the last one named."),
    ),
    Paragraph(
        "seven-o",
        _(
            "House rule. Whoever lays a 7 swaps hands with a player of their choice. When a 0 is laid all hands move "
            "on by one seat in the direction of play."
        ),
        house(HouseRule.SEVEN_O),
        _("As a last card neither happens: the round is over."),
    ),
    Paragraph(
        "jump-in",
        _(
            "House rule. Whoever holds the very same card as the top one, colour and number or sign, may lay it out of "
            "turn; play goes on from there. Not while a colour, a swap, a challenge or a debt is open."
        ),
        house(HouseRule.JUMP_IN),
    ),
    Paragraph(
        "no-bluff",
        _("House rule. A wrong challenge costs no more than the cards that were owed anyway."),
        house(HouseRule.NO_BLUFF),
    ),
    Paragraph(
        "call-to-go-out",
        _(
            "House rule. Whoever missed the call and still has not called can't lay the last card: it is refused and "
            "costs {penalty}."
        ),
        house(HouseRule.CALL_TO_GO_OUT),
        _("The printed sheets let a player go out who was not caught in time; this house rule says otherwise."),
    ),
    Paragraph(
        "must-play",
        _("House rule. A drawn card that fits must be laid, but never a Wild Draw Four: nobody is made to bluff."),
        house(HouseRule.MUST_PLAY),
    ),
    Paragraph(
        "draw-until",
        _("House rule. Whoever draws goes on drawing until a card fits."),
        house(HouseRule.DRAW_UNTIL),
    ),
    Paragraph(
        "turn-clock",
        _("House rule. A turn not begun within {clock} is a card drawn, and the turn passes."),
        lambda setup: setup.refereed and setup.turn_clock_ns is not None,
    ),
    Paragraph(
        "wrong-play",
        _("House rule. Laying a card that may not be laid costs {wrong_play}; the turn does not move."),
        lambda setup: setup.refereed and setup.wrong_play > 0,
    ),
    Paragraph(
        "false-catch",
        _("House rule. Catching somebody who can't be caught costs {false_catch}."),
        lambda setup: setup.refereed and setup.false_catch > 0,
    ),
    Paragraph(
        "drawn-round",
        _(
            "If there is nothing to draw and everybody has passed, the round ends, nobody scores and "
            "the deal passes on."
        ),
        refereed,
        _("The sheets do not say what happens then; without this the round would never end."),
    ),
    Paragraph(
        "leave",
        _(
            "A player may leave. The hand goes back under the draw pile, what was owed or open lapses, and the next "
            "seat goes on. When one player is left, that player has won."
        ),
        lambda setup: not setup.teams,
        _("A Wild Draw Four laid by somebody who leaves can't be challenged any more; its four are drawn."),
    ),
    Paragraph(
        "join",
        _("A player may join between rounds, in the last seat, with no points."),
        lambda setup: not setup.teams and setup.scoring is Scoring.WINNER,
        _("With no points, since nobody has scored against the newcomer."),
    ),
    Paragraph(
        "join",
        _("A player may join between rounds, in the last seat, with the highest total of those still in."),
        lambda setup: not setup.teams and setup.scoring is not Scoring.WINNER,
        _("Where points are bad, coming late must not be an advantage."),
    ),
    Paragraph(
        "belief",
        _(
            "In a hand that the referee has not seen, the number of cards is what it believes, and real cards go "
            "before it: who shows more has drawn without a word, and the number is put right. Who shows fewer is asked "
            "for the rest."
        ),
        refereed,
        _("A card kept back could be the one that matters; one card more can only do harm to its holder."),
    ),
    Paragraph(
        "typed-points",
        _("Points that are typed for a hand must be such as that hand can have."),
        lambda setup: setup.target is not None,
    ),
    Paragraph(
        "allow",
        _(
            "The table may let a refused card stand; the record says so. Also one laid by who has to draw and lose the "
            "turn, instead of drawing: those cards are then the next player's."
        ),
        refereed,
    ),
    Paragraph(
        "undo",
        _("The last action may be taken back, as often as wanted within the round, with its penalties."),
        always,
    ),
    Paragraph(
        "set",
        _(
            "Whoever keeps the table may put right a count, a score, the turn, the colour, the direction, the top "
            "card, what somebody has to draw, the dealer or the target."
        ),
        always,
    ),
)
