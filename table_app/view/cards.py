"""A card and a colour as they are shown: by their names in this deck, and their signs.

Words only; nothing is drawn, and no hand is looked at.
"""

from __future__ import annotations

from table_app.rules import COLOURS, Deck, Face
from table_app.rules.messages import Translate
from table_app.rules.setup import Setup
from table_app.rules.words import colour_name, face_name
from table_app.view.colour_letters import colour_letter
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
