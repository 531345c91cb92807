"""The letters of the card colours and their keys, made from their names so that they differ in every language.

English has R, Y, G and B; German would have G twice, so that yellow is *Ge* and green *Gr* there. Only letters; how
they are drawn is in ``display.cards``.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from table_app.rules.cards import COLOURS, Colour
from table_app.rules.messages import Translate
from table_app.rules.words import colour_name

LETTERS_LOOKED_AT = 6
"""A name's later letters remind nobody of it, and four names have few enough combinations then."""


def colour_letter(colour: Colour, translate: Translate) -> str:
    """The shortest beginning of the colour's name that no other colour's has: ``R``, or ``Ge`` and ``Gr``."""
    own = COLOURS.index(colour)
    return _beginnings(_names(translate))[own].capitalize()


def colour_key(colour: Colour, translate: Translate) -> str:
    """One letter of the colour's name for the keyboard, as near to its beginning as the others leave free."""
    return _keys(_names(translate))[COLOURS.index(colour)]


def _names(translate: Translate) -> tuple[str, ...]:
    return tuple(colour_name(colour, translate).casefold() for colour in COLOURS)


@lru_cache(maxsize=16)
def _beginnings(names: tuple[str, ...]) -> tuple[str, ...]:
    found = []
    for name in names:
        others = [other for other in names if other != name]
        lengths = range(1, len(name) + 1)
        free = (name[:length] for length in lengths if not any(other.startswith(name[:length]) for other in others))
        found.append(next(free, name))
    return tuple(found)


@lru_cache(maxsize=16)
def _keys(names: tuple[str, ...]) -> tuple[str, ...]:
    places = product(*(range(min(len(name), LETTERS_LOOKED_AT)) for name in names))
    choices = ((sum(place), tuple(name[at] for name, at in zip(names, place, strict=True))) for place in places)
    return min(choice for choice in choices if len(set(choice[1])) == len(names))[1]
