"""``lastcard deck check``: says whether a deck file can be used, and if not, everything that is wrong with it.

Printing only; reading and checking are in ``table_app.decks``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from table_app.cli import SuggestingGroup
from table_app.decks import DeckFileError, load_deck, unreadable_text
from table_app.printing import say
from table_app.rules import DECKS, Deck
from table_app.transcript.header import nearest


@click.group(cls=SuggestingGroup)
def deck() -> None:
    """Decks that you make yourself."""


@deck.command(name="check")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
def check(files: tuple[str, ...]) -> None:
    """Check deck files: counts, codes that clash, points, effects. Exit 2 if one can't be used.

    A deck that comes along is called by its name.
    """
    is_bad = False
    for file in files:
        try:
            made = _deck(file)
        except DeckFileError as error:
            is_bad = True
            for problem in error.problems:
                say(problem.text(Path(file)), err=True)
        except OSError as error:
            is_bad = True
            known = "" if Path(file).suffix else f"; decks that come along are {', '.join(DECKS)}{nearest(file, DECKS)}"
            say(f"{file}: {unreadable_text(file, error)}{known}", err=True)
        else:
            say(f"{file}: {made.name}: {made.size} cards, {len(made.kinds)} different faces; it can be played")
    sys.exit(2 if is_bad else 0)


def _deck(file: str) -> Deck:
    """The deck in this file; where there is none, the one of this name that comes along."""
    path = Path(file)
    return DECKS[file] if file in DECKS and not path.exists() else load_deck(path)
