"""The head of a match in the journal: its set-up, and by what the deck file it was played with is known again.

What was done in the match is not read here.
"""

from __future__ import annotations

import zlib

from table_app.record.errors import MatchUnreadableError
from table_app.rules import Deck, Setup
from table_app.transcript import HeaderError, read_header
from table_app.transcript.header import DeckLoader

DECK = "deck"
"""The word with which the note about the deck begins."""

NO_CARDS = "-"
"""Where a kind of card has no action of its own."""


def setup_of(header: str, load_deck: DeckLoader | None = None) -> Setup:
    """The set-up of a match in the journal.

    :raises MatchUnreadableError: if its header can't be read.
    """
    try:
        return read_header(header.splitlines(), load_deck)
    except HeaderError as error:
        raise MatchUnreadableError(f"its head can't be read: {error}") from error


def deck_line(deck: Deck) -> str:
    """By what a deck file is known again: a checksum of all that changes a ruling or a score; else nothing."""
    if not deck.file:
        return ""
    kinds = sorted(
        f"{face.code} {kind.copies} {kind.points} {kind.effect} {kind.cards} "
        + (f"{kind.custom.kind} {kind.custom.cards}" if kind.custom is not None else NO_CARDS)
        for face, kind in deck.kinds.items()
    )
    return f"{DECK} {zlib.crc32(chr(10).join(kinds).encode()):08x}"


def check_deck(line: str, deck: Deck) -> None:
    """Nothing, where *line* is no note about the deck.

    :raises MatchUnreadableError: if *deck* is another one than the match was played with.
    """
    if line.startswith(f"{DECK} ") and line != deck_line(deck):
        raise MatchUnreadableError(
            f"the deck file {deck.file} has other cards, effects or points than when it was played; "
            "make the file what it was, and start again"
        )
