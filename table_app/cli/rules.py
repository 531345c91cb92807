"""``lastcard rules``: prints the rulebook that is in force, one paragraph a rule.

Printing only; the words are in ``table_app.rules.rulebook``, the header's words in ``table_app.transcript.header``.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import click

from table_app.cli.whose_table import find_table
from table_app.printing import say
from table_app.rules.house_rules import PRICES, HouseRule
from table_app.rules.rulebook import rulebook
from table_app.settings import Settings
from table_app.transcript.header import HeaderError, deck_loader_beside, header_text, read_header
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
    **{price.key: price.sentence for price in PRICES},
    "plays": "refereed or unrefereed.",
}
WIDTH_MAXIMUM = 100
DEFAULT_PLAYERS = 4


def _with_options(command: click.Command) -> click.Command:
    for key, text in OPTIONS.items():
        command.params.append(click.Option([f"--{key}"], help=text))
    return command


HOUSE_RULES = "\b\nHouse rules:\n" + "\n".join(f"  {rule:<16}{rule.row.sentence}" for rule in HouseRule)


@click.command(name="rules", epilog=HOUSE_RULES)
@click.option("--players", type=click.IntRange(2, 10), help="How many play (the settings' players, or 4).")
@click.option("--lang", "language", metavar="LANG", help="In this language, such as de.")
@click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="The settings file.")
def _rules(players: int | None, language: str | None, settings_file: Path | None, **values: str | None) -> None:
    """Print the rules in force at a table, each under the name that a ruling cites.

    They are those of the table's settings; an option goes before them.
    """
    table = find_table(settings_file)
    settings = table.settings()
    table.tell(settings)
    keys = [key for key in OPTIONS if values.get(key.replace("-", "_")) is not None]
    agreed = _agreed(settings, players, keys)
    lines = [*agreed, *(f"{key}: {values[key.replace('-', '_')]}" for key in keys)]
    try:
        setup = read_header(lines, deck_loader_beside(settings.path if "deck" not in keys else None))
        translate = translator(language or settings.text("table", "language"))
    except HeaderError as error:
        # What does not fit with an option is said of it, also where the other half stands in the settings.
        place = error.line - 1 - len(agreed)
        key = keys[place] if 0 <= place < len(keys) else keys[0] if keys else "players"
        say(f"lastcard rules: --{key}: {error}", err=True)
        sys.exit(2)
    except TranslationMissingError as error:
        say(f"lastcard rules: {error}", err=True)
        sys.exit(2)
    width = min(shutil.get_terminal_size().columns, WIDTH_MAXIMUM)
    for name, text in rulebook(setup, translate):
        click.echo(f"{name}\n{textwrap.fill(text, width, initial_indent='    ', subsequent_indent='    ')}\n")


def _agreed(settings: Settings, players: int | None, keys: Sequence[str]) -> list[str]:
    """The header's lines of the table's settings, without those that an option replaces."""
    if settings.path is None:
        count = DEFAULT_PLAYERS if players is None else players
        return [_players_line(count)]
    lines = header_text(settings.setup(load_deck=deck_loader_beside(settings.path), is_dealt=False)).splitlines()
    gone = {*keys, "scores", "dealer"} if players is not None else set(keys)
    if {"edition", "deck"} & gone:
        gone |= {"custom", "wild-points"}  # these are about another deck
    kept = [line for line in lines if line.partition(":")[0] not in gone | {"players"}]
    return [lines[0] if players is None else _players_line(players), *kept]


def _players_line(count: int) -> str:
    return f"players: {', '.join(f'Player {number}' for number in range(1, count + 1))}"


rules = _with_options(_rules)
