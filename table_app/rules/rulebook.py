"""The rulebook in words: one paragraph a rule, under the short name that rulings cite, for the set-up in force.

Only words; what the referee does is in the other rooms. Rulings where the printed sheets disagree or are silent carry
their reason. *translate* is a gettext function.
"""

from __future__ import annotations

from collections.abc import Iterator

from table_app.rules.cards import CustomKind, Deck
from table_app.rules.messages import Counted, Translate, in_number, untranslated
from table_app.rules.paragraph import Paragraph
from table_app.rules.paragraph import mark as _
from table_app.rules.rulebook_play import PLAY
from table_app.rules.rulebook_round import AROUND_PLAY
from table_app.rules.setup import NANOSECONDS, HouseRule, Setup


def _n(one: str, many: str) -> Counted:
    """Mark a message with a number for the catalogue, in both its forms."""
    return Counted(one, many)


PARAGRAPHS: tuple[Paragraph, ...] = PLAY + AROUND_PLAY

CUSTOM_WORDS: dict[CustomKind, str] = {
    CustomKind.NONE: _("Nothing more happens."),
    CustomKind.NEXT: _("The next player draws {cards} and loses the turn."),
    CustomKind.OTHERS: _("All others draw {cards}."),
    CustomKind.AGAIN: _("Everybody else is skipped: you play again."),
    CustomKind.DARE: _("The next player does the dare ({dare}) or draws {cards}; it costs no turn."),
    CustomKind.DISCARD_WILDS: _("All others discard their wilds."),
    CustomKind.CHARADE: _("Whoever guesses your charade may discard cards of the named colour."),
}
CARDS = _n("{count} card", "{count} cards")
SECONDS = _n("{count} second", "{count} seconds")
POINTS_WORDS = _("Numbers count what they say, Skip, Reverse and Draw Two 20, wilds {wilds}.")


def rulebook(setup: Setup, translate: Translate = untranslated) -> Iterator[tuple[str, str]]:
    """The rules in force at this table, as pairs of a short name and a paragraph."""
    places = _places(setup, translate)
    for paragraph in PARAGRAPHS:
        if paragraph.when(setup):
            yield paragraph.name, translate(paragraph.text).format(**places)


def _places(setup: Setup, translate: Translate) -> dict[str, object]:
    no_bluff = HouseRule.NO_BLUFF in setup.house
    return {
        "challenge": 4 if no_bluff else 6,
        "grace": _seconds(setup.grace_ns, translate),
        "penalty": in_number(CARDS, setup.uno_penalty, translate).format(count=setup.uno_penalty),
        "custom": _custom_words(setup.deck, translate),
        "points": _points_words(setup.deck, translate),
        "target": setup.target,
        "clock": _seconds(setup.turn_clock_ns or 0, translate),
        "wrong_play": setup.wrong_play,
        "false_catch": setup.false_catch,
    }


def _seconds(nanoseconds: int, translate: Translate) -> str:
    message = in_number(SECONDS, 1 if nanoseconds == NANOSECONDS else 2, translate)
    return message.format(count=f"{nanoseconds / NANOSECONDS:g}")


def _custom_words(deck: Deck, translate: Translate) -> str:
    rules = [kind.custom for kind in deck.kinds.values() if kind.custom is not None]
    unique = list(dict.fromkeys(rules))
    return " ".join(
        translate(CUSTOM_WORDS[rule.kind]).format(cards=rule.cards, dare=rule.dare or "…") for rule in unique
    )


def _points_words(deck: Deck, translate: Translate) -> str:
    wilds = sorted({kind.points for wanted, kind in deck.kinds.items() if wanted.is_wild})
    return translate(POINTS_WORDS).format(wilds=", ".join(str(points) for points in wilds))
