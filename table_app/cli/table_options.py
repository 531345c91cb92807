"""How a table is set up beside its rules, and how its record begins, by the settings.

Settings in, values out: nothing is opened or asked here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from table_app.cli.devices import PILE_READER
from table_app.settings import Settings, SettingsError
from table_app.table.state import SEAT_COLOURS, Options
from table_app.transcript.header import header_text

TRACKED = "tracked"
HANDS = ("counted", TRACKED)


def header_writer(settings: Settings) -> Callable[[Any], str]:
    """A header names a deck file by its whole path, so that the record can be read from anywhere."""
    deck = settings.text("rules", "deck")
    if not deck.endswith(".toml"):
        return header_text
    folder = settings.path.parent if settings.path is not None else Path()
    return partial(header_text, deck=str((folder / deck).resolve()))


def table_options(settings: Settings) -> Options:
    """How the table is set up, beside its rules.

    :raises SettingsError: if a word is none.
    """
    hands = settings.text("table", "hands")
    if hands not in HANDS:
        raise SettingsError(f"{settings.path}: [table] hands must be one of {', '.join(HANDS)}, not {hands!r}.")
    limit_min = settings.number_or_none("table", "time-limit-min")
    return Options(
        cards_each=settings.number("table", "cards-each"),
        is_tracked=hands == TRACKED,
        pile_reader=PILE_READER if settings.flag("pile-reader", "use") else "",
        time_limit_ms=None if limit_min is None else limit_min * 60_000,
        colours=_colours(settings),
        has_reader=settings.text("reader", "kind") != "none",
    )


def _colours(settings: Settings) -> tuple[int, ...]:
    words = settings.words("table", "colours")
    for word in words:
        if word not in SEAT_COLOURS:
            known = ", ".join(SEAT_COLOURS)
            raise SettingsError(f"{settings.path}: [table] colours can't be {word!r}; there are {known}.")
        if words.count(word) > 1:
            raise SettingsError(f"{settings.path}: [table] colours has {word} twice; give each seat its own.")
    return tuple(SEAT_COLOURS.index(word) for word in words)
