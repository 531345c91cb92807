"""How a table is set up beside its rules, by the settings.

Settings in, values out: nothing is opened or asked here.
"""

from __future__ import annotations

from hardware.readers import PILE_READER
from table_app.play.state import FORMER_SEAT_COLOURS, SEAT_COLOURS, Options
from table_app.settings import Settings, SettingsError

TRACKED = "tracked"
HANDS = ("counted", TRACKED)


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
        trusts_labels=settings.text("reader", "labels") == "trust",
    )


def _colours(settings: Settings) -> tuple[int, ...]:
    words = [FORMER_SEAT_COLOURS.get(word, word) for word in settings.words("table", "colours")]
    for word in words:
        if word not in SEAT_COLOURS:
            known = ", ".join(SEAT_COLOURS)
            raise SettingsError(f"{settings.path}: [table] colours can't be {word!r}; there are {known}.")
        if words.count(word) > 1:
            raise SettingsError(f"{settings.path}: [table] colours has {word} twice; give each seat its own.")
    return tuple(SEAT_COLOURS.index(word) for word in words)
