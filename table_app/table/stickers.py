"""New stickers of cards that the deck has several of: which of the equal ones it is stuck on, nobody knows.

Such a sticker is a card of its own, under a number that no printed copy has: two tags are never taken for one card, and
one tag is always the same card, at every table and after every start. Nothing is remembered or written here.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final
from zlib import crc32

from table_app.rules import Card, Face

STICKERS_FROM: Final = 1_000
"""The first number of a sticker; a deck has far fewer copies of a card (`decks.COPIES_MAXIMUM`)."""

STICKERS_TO: Final = 999_999
"""The last one: six digits still read well. In a whole deck of such stickers two equal cards hardly ever share one, and
where the table knows both tags they never do."""


def is_sticker(copy: int) -> bool:
    """True of the number of a sticker, which does not say which of the equal cards it is."""
    return STICKERS_FROM <= copy <= STICKERS_TO


def sticker_card(face: Face, uid: bytes, taken: Container[Card | str]) -> Card:
    """What the tag *uid* is, by its number alone, on a card of this *face*; *taken* are the cards of other tags."""
    numbers = STICKERS_TO - STICKERS_FROM + 1
    place = crc32(uid) % numbers
    while (card := Card(face, STICKERS_FROM + place)) in taken:
        place = (place + 1) % numbers
    return card
