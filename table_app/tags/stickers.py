"""New stickers of cards that the deck has several of: which of the equal ones it is stuck on, nobody knows.

Such a sticker is a card of its own, under a number that no printed copy has: two tags are never taken for one card, and
one tag is always the same card, at every table and after every start. Nothing is remembered or written here.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Final
from zlib import crc32

from table_app.rules import Card, Face

STICKERS_FROM: Final = 1_000
"""The first number of a sticker; a deck has far fewer copies of a card (`decks.COPIES_MAXIMUM`)."""

STICKERS_TO: Final = 999_999
"""The last one: six digits still read well. In a whole deck of such stickers two equal cards hardly ever share one, and
where the table knows both tags they never do."""


_STICKER_CODE = re.compile(r"[a-z0-9+-]+#\d{4,6}(?!\d)")


def is_sticker(copy: int) -> bool:
    """True of the number of a sticker, which does not say which of the equal cards it is."""
    return STICKERS_FROM <= copy <= STICKERS_TO


def is_certain(copy: int) -> bool:
    """True of a printed copy: it is known which of the equal cards it is."""
    return 0 < copy < STICKERS_FROM


def sticker_card(face: Face, uid: bytes, taken: Container[Card | str]) -> Card:
    """What the tag *uid* is, by its number alone, on a card of this *face*; *taken* are the cards of other tags."""
    numbers = STICKERS_TO - STICKERS_FROM + 1
    place = crc32(uid) % numbers
    while (card := Card(face, STICKERS_FROM + place)) in taken:
        place = (place + 1) % numbers
    return card


def as_listed(line: str, tags: Mapping[bytes, Card | str]) -> str:
    """A *line* of a record with the stickers by the names that they have in the list today.

    A pack that was gone through while the match was interrupted (`checking`) has given some of them their card.
    """
    if not _STICKER_CODE.search(line):
        return line
    cards = [(uid, card) for uid, card in tags.items() if isinstance(card, Card) and not is_sticker(card.copy)]
    today = {sticker_card(card.face, uid, ()).code: card.code for uid, card in cards}
    return _STICKER_CODE.sub(lambda found: today.get(found[0], found[0]), line)
