"""How many cards go on how many others, counted by hand from the rulebook and by asking the referee.

By hand: a colour has 13 faces and 25 cards. On a coloured top card go the 13 faces of its colour, the 3 of its number
or symbol in the other colours, and the 2 kinds of wild: 18. On a wild with a colour named go the 13 of that colour and
the 2 wilds: 15. In cards, the top one itself being out of play: 24 of the colour, 6 of the number or symbol (3 for a
zero, of which there is one a colour), and 8 wilds.
"""

from __future__ import annotations

from collections.abc import Iterator

from table_app.rules import (
    COLOURS,
    DECKS,
    Card,
    Colour,
    DealUnseen,
    Face,
    Lay,
    Match,
    SetColour,
    SetTop,
    Setup,
    Start,
    apply,
    face,
    new_match,
)

FACES = tuple(DECKS["classic"].kinds)


def table_with(top: Face, colour: Colour | None) -> Match:
    match = new_match(Setup(("Ann", "Ben")))
    for action in (DealUnseen(7), Start(Card(face("g9"))), SetTop(Card(top))):
        match, ruling = apply(match, action)
        assert ruling.is_ok
    return apply(match, SetColour(colour))[0] if colour else match


def fitting(top: Face, colour: Colour | None = None) -> list[Face]:
    match = table_with(top, colour)
    return [wanted for wanted in FACES if apply(match, Lay("Ann", Card(wanted)))[1].is_ok]


def copies_left(top: Face, fits: list[Face]) -> int:
    kinds = DECKS["classic"].kinds
    return sum(kinds[wanted].copies - (wanted is top) for wanted in fits)


def coloured() -> Iterator[Face]:
    return (wanted for wanted in FACES if wanted.colour is not None)


def test_faces_on_a_coloured_card() -> None:
    # A zero has one copy, and that lies on top: the same face can't be laid on it, so 17 for the four of them.
    assert sum(len(fitting(top)) for top in coloured()) == 48 * 18 + 4 * 17


def test_cards_on_a_coloured_card() -> None:
    kinds = DECKS["classic"].kinds
    pairs = sum(kinds[top].copies * copies_left(top, fitting(top)) for top in coloured())
    assert pairs == 96 * (24 + 6 + 8) + 4 * (24 + 3 + 8)


def test_faces_on_a_wild() -> None:
    wilds = [face("w"), face("w+4")]
    assert sum(len(fitting(top, colour)) for top in wilds for colour in COLOURS) == 2 * 4 * 15


def test_cards_on_a_wild() -> None:
    wilds = [face("w"), face("w+4")]
    pairs = sum(4 * copies_left(top, fitting(top, colour)) for top in wilds for colour in COLOURS)
    assert pairs == 8 * 4 * (25 + 7)
