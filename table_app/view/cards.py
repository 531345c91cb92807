"""Cards as they are shown: their face, their colour, and the letter that stands for a colour in this language.

Data only; how a card is drawn is in ``display.cards``.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from table_app.rules import COLOURS, Colour, Deck, Face
from table_app.rules.messages import Translate
from table_app.rules.setup import Setup
from table_app.rules.words import colour_name, face_name
from table_app.view.table_view import CardView, ColourView

RANK_DRAWINGS = {"s": "skip", "r": "reverse", "w": "wild", "w+4": "+4"}


def colour_view(colour: str, translate: Translate) -> ColourView:
    """A card colour to be shown; its letter is the beginning of its name in the language."""
    known = next(known for known in COLOURS if known.value == colour)
    return ColourView(colour, colour_name(known, translate), colour_letter(known, translate))


def card_view(setup: Setup, face: Face, translate: Translate) -> CardView:
    """A face to be shown, by its name in this table's deck."""
    return face_view(setup.deck, face, translate)


def face_view(deck: Deck, face: Face, translate: Translate) -> CardView:
    """A face to be shown, by its name in *deck*."""
    kind = deck.kinds.get(face)
    name = face_name(face, translate, kind.title if kind is not None else "")
    rank = RANK_DRAWINGS.get(face.rank, face.rank)
    if face.is_wild and rank == face.code:
        rank = name
    return CardView(face.code, rank, None if face.colour is None else colour_view(face.colour.value, translate), name)


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
