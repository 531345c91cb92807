"""``lastcard deck check``: says whether a deck file can be used, and if not, everything that is wrong with it.

Printing only; reading and checking are in ``table_app.decks``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from table_app.cli import SuggestingGroup
from table_app.decks import DeckFileError, load_deck
from table_app.printing import say


@click.group(cls=SuggestingGroup)
def deck() -> None:
    """Decks that you make yourself."""


@deck.command(name="check")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
def check(files: tuple[str, ...]) -> None:
    """Check deck files: counts, codes that clash, points, effects. Exit 2 if one can't be used."""
    is_bad = False
    for file in files:
        try:
            made = load_deck(Path(file))
        except DeckFileError as error:
            is_bad = True
            for problem in error.problems:
                say(f"{file}: {problem.key}: {problem.reason}", err=True)
        except OSError as error:
            is_bad = True
            say(f"{file}: can't be read: {error.strerror or error}", err=True)
        else:
            say(f"{file}: {made.name}: {made.size} cards, {len(made.kinds)} different faces; it can be played")
    sys.exit(2 if is_bad else 0)
