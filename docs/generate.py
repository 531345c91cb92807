"""Writes the pages of ``docs`` that come from the program's own data, so that they can't drift.

Run ``python docs/generate.py`` after a change of the data. ``tests/test_docs.py`` fails when they disagree.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from table_app.rules import EDITIONS, CustomKind, CustomRule, HouseRule, Scoring, Setup, UnoMode, WildFourMode
from table_app.rules.cards import DECKS
from table_app.rules.rulebook import PARAGRAPHS, rulebook
from table_app.rules.setup import NANOSECONDS, agreed_deck
from tests.play.documented import TOLD, answers_as_text, meanings_as_text

DOCS = Path(__file__).parent
NOTE = "<!-- Written by docs/generate.py from the program's own data; change the data, not this page. -->\n"
PLAYERS = ("Ann", "Ben", "Cy", "Dee")


def _setups() -> Iterator[tuple[str, Setup]]:
    """One set-up under each heading; together they bring every paragraph of the rulebook into force."""
    yield "The classic game", Setup(PLAYERS)
    for name in ("2018", "2022", "h2o"):
        edition = EDITIONS[name]
        deck = agreed_deck(DECKS[edition.deck], edition)
        yield f"Edition {name}", Setup(PLAYERS, edition=edition, deck=deck, target=edition.target)
    swap = agreed_deck(DECKS["2018-swap"], EDITIONS["2018"], (CustomRule(CustomKind.NEXT, 3),))
    yield "The deck 2018-swap, Customizable cards agreed", Setup(PLAYERS, edition=EDITIONS["2018"], deck=swap)
    yield "Wild Draw Four in mode strict", Setup(PLAYERS, wild_four=WildFourMode.STRICT)
    yield "Wild Draw Four in mode prove", Setup(PLAYERS, wild_four=WildFourMode.PROVE)
    yield "Players catch one another", Setup(PLAYERS, uno=UnoMode.PLAYERS)
    yield "Scoring: elimination", Setup(PLAYERS, scoring=Scoring.ELIMINATION)
    yield "Scoring: lowest", Setup(PLAYERS, scoring=Scoring.LOWEST)
    yield "No points", Setup(PLAYERS, target=None)
    yield "For the score alone", Setup(PLAYERS, refereed=False)
    yield (
        "House rules",
        Setup(
            PLAYERS,
            house=frozenset(HouseRule),
            turn_clock_ns=30 * NANOSECONDS,
            wrong_play=1,
            false_catch=1,
        ),
    )


def rulebook_page() -> str:
    """The rulebook: the classic game whole, then what each edition, mode and house rule changes."""
    parts = [
        "# The rulebook\n",
        NOTE,
        "The short name before a rule is what a ruling cites. `lastcard rules` prints the rules of your own table.\n",
    ]
    said: set[tuple[str, str]] = set()
    for heading, setup in _setups():
        fresh = [entry for entry in rulebook(setup) if entry not in said]
        said.update(fresh)
        if fresh:
            parts.append(f"## {heading}\n")
            parts += [f"**`{name}`** {text}\n" for name, text in fresh]
    return "\n".join(parts)


def rulings_page() -> str:
    """Where the printed sheets disagree or are silent, and why the referee rules as it does."""
    parts = [
        "# Rulings, and their reasons\n",
        NOTE,
        "Printed rule sheets disagree, and are silent on much. Here is what the referee does there, and why.\n",
    ]
    parts += [f"**`{entry.name}`** {entry.reason}\n" for entry in PARAGRAPHS if entry.reason]
    return "\n".join(parts)


LEAD = (
    "A card on the pad, a press, a touch, a key: for the table they are signals. What one means depends on what the "
    "table is waiting for: first what holds wherever nothing else is said, then what differs in each situation. `N` is "
    "a seat, counted from 0 as in settings (`seat:0` is what people, screen and terminal call seat 1); `X` a word.\n\n"
    "What a signal comes to: it *acts* (an action is in the record), the table *asks*, it *refuses* (the rules or the "
    "table do), it *tells* something, or it only *shows* something else. Of several it depends on the cards which.\n"
)


def cues_as_text() -> str:
    """Every cue, what it sounds like and what it tells."""
    lines = ["| cue | sounds | tells |", "| --- | --- | --- |"]
    lines += [f"| `{cue}` | {sound} | {meaning} |" for cue, (sound, meaning) in TOLD.items()]
    return "\n".join(lines) + "\n"


QUESTIONS = (
    "Each of them lapses after 20 seconds. The turn clock stands still that long where the question is about a card "
    "that was tapped: a card tapped in time is its player's.\n"
)


def table_page() -> str:
    """What each signal means wherever the table stands."""
    parts = [
        "# What each signal means\n",
        NOTE,
        LEAD,
        meanings_as_text(),
        "## The table's own questions\n",
        QUESTIONS,
        answers_as_text(),
        "## What is heard\n",
        "By the rhythm alone, so that a buzzer with one pitch says it too.\n",
        cues_as_text(),
    ]
    return "\n".join(parts)


PAGES = {
    "reference/rulebook.md": rulebook_page,
    "explanation/rulings.md": rulings_page,
    "reference/table.md": table_page,
}


def main() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
        sys.stdout.write(f"docs/{name}\n")


if __name__ == "__main__":
    main()
