"""``lastcard rules``: prints the rulebook that is in force, one paragraph a rule.

Printing only; the words are in ``table_app.rules.rulebook``, the header's words in ``table_app.transcript.header``.
"""

from __future__ import annotations

import shutil
import sys
import textwrap

import click

from table_app.rules.rulebook import rulebook
from table_app.transcript.header import HeaderError, deck_loader_beside, read_header
from table_app.translations import TranslationMissingError, translator

OPTIONS = {
    "edition": "A printed edition: classic, 2018, 2022 or h2o.",
    "deck": "A deck's name, or a deck file's path.",
    "house": "House rules, separated by commas, such as stacking,seven-o.",
    "scoring": "winner, elimination or lowest.",
    "target": "Points to play to, or none.",
    "wild4": "challenge, strict or prove.",
    "uno": "referee or players.",
    "grace": "Seconds for the call.",
    "custom": "What the Customizable cards do, such as 'next 3'.",
    "turn-clock": "Seconds to begin a turn.",
    "wild-points": "50 or 40: what a plain Wild counts.",
    "wrong-play": "Cards that a wrong play costs.",
    "false-catch": "Cards that a wrong catch costs.",
    "uno-penalty": "Cards that a missed call costs.",
    "plays": "refereed or unrefereed.",
}
WIDTH_MAXIMUM = 100


def _with_options(command: click.Command) -> click.Command:
    for key, text in OPTIONS.items():
        command.params.append(click.Option([f"--{key}"], help=text))
    return command


@click.command(name="rules")
@click.option("--players", default=4, show_default=True, type=click.IntRange(2, 10), help="How many play.")
@click.option("--lang", "language", metavar="LANG", help="In this language, such as de.")
def _rules(players: int, language: str | None, **values: str | None) -> None:
    """Print the rules in force at a table, each under the name that a ruling cites."""
    names = ", ".join(f"Player {number}" for number in range(1, players + 1))
    keys = [key for key in OPTIONS if values.get(key.replace("-", "_")) is not None]
    lines = [f"players: {names}"] + [f"{key}: {values[key.replace('-', '_')]}" for key in keys]
    try:
        setup = read_header(lines, deck_loader_beside(None))
        translate = translator(language)
    except HeaderError as error:
        key = keys[error.line - 2] if 2 <= error.line <= len(keys) + 1 else "players"
        click.echo(f"lastcard rules: --{key}: {error}", err=True)
        sys.exit(2)
    except TranslationMissingError as error:
        click.echo(f"lastcard rules: {error}", err=True)
        sys.exit(2)
    width = min(shutil.get_terminal_size().columns, WIDTH_MAXIMUM)
    for name, text in rulebook(setup, translate):
        click.echo(f"{name}\n{textwrap.fill(text, width, initial_indent='    ', subsequent_indent='    ')}\n")


rules = _with_options(_rules)
