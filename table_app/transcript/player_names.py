"""What a player may be called in a transcript: whatever the notation does not need for itself.

Nothing is read or written here. Source: transcript, *Header*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from table_app.rules.cards import face
from table_app.transcript.bad_line import BadLineError

CARD = re.compile(r"([a-z0-9+-]{1,16})(?:#(\d{1,6}))?")
"""A face's code, perhaps with the copy."""

TABLE, NOBODY = "table", "nobody"
"""Words that stand where a player's name does."""

_LIKE_A_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?")


def check_name(name: str, others: Iterable[str] = ()) -> str:
    """*name*, if a player may be called so beside the *others*.

    :raises BadLineError: if not; the text says why.
    """
    if not name:
        raise BadLineError("a player has no name")
    if any(character in name for character in ",:#") or not name.isprintable():
        raise BadLineError(
            "the name {name} holds a character that names can't hold: , : # or an unprintable one", name=repr(name)
        )
    if name != name.strip() or name[0] in "@=" or _LIKE_A_NUMBER.fullmatch(name):
        raise BadLineError("{name} can't be a player's name: it is a number, or begins with @ or =", name=repr(name))
    if name in (TABLE, NOBODY):
        raise BadLineError(
            "{name} can't be a player's name: the record needs that word for itself; write it another way",
            name=repr(name),
        )
    for other in others:
        if _is_name_with_cards(name, other) or _is_name_with_cards(other, name):
            raise BadLineError(
                "{name} and {other} can't play together: the record would take the one for the other with a card; "
                "change one of the names",
                name=repr(name),
                other=repr(other),
            )
    return name


def _is_name_with_cards(longer: str, name: str) -> bool:
    """True of ``Ann r5`` beside ``Ann``: ``deal Ann r5 r7`` could be said of both."""
    return longer.startswith(f"{name} ") and all(map(_is_card, longer[len(name) :].split()))


def _is_card(word: str) -> bool:
    found = CARD.fullmatch(word.lower())
    try:
        return found is not None and bool(face(found[1]))
    except ValueError:
        return False
