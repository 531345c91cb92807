"""The colours of the screen, in two skins; no size and no drawing lives here.

Colour never speaks alone: each card colour has a shape (``symbols.py``) and a letter, each kind of message a
sign. The contrast skin takes the card colours of Okabe and Ito, which stay apart for the colour-blind (Okabe,
Ito: Color Universal Design, 2008), on black.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from table_app.view.table_view import Kind

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Ink:
    """A *fill*, and the *ink* that reads well on it."""

    fill: Rgb
    ink: Rgb


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """One skin, equal only to itself so that drawings can be kept by it.

    The contrast of text to its ground is at least 4.5:1 (WCAG 2.1, 1.4.3); a test measures it.
    """

    background: Rgb
    felt: Rgb
    panel: Rgb
    raised: Rgb
    line: Rgb
    text: Rgb
    muted: Rgb
    turn: Ink
    emphasis: Ink
    paper: Rgb
    wild: Ink
    idle_track: Ink
    alarm: Ink
    warning: Ink
    cards: Mapping[str, Ink]
    kinds: Mapping[Kind, Rgb]
    people: tuple[Rgb, ...]

    def card(self, key: str) -> Ink:
        """The colours of a card colour's *key*; anything but the four is shown as a wild."""
        return self.cards.get(key, self.wild)

    def person(self, index: int) -> Rgb:
        """The colour that marks one player."""
        return self.people[index % len(self.people)]


WHITE = (255, 255, 255)
INK = (17, 22, 30)

TABLE = Theme(
    background=(13, 17, 24),
    felt=(24, 31, 42),
    panel=(32, 41, 55),
    raised=(48, 60, 78),
    line=(66, 80, 101),
    text=(238, 241, 245),
    muted=(160, 173, 191),
    turn=Ink((252, 247, 235), INK),
    emphasis=Ink((252, 247, 235), INK),
    paper=(252, 250, 244),
    wild=Ink((38, 38, 46), WHITE),
    idle_track=Ink((58, 70, 89), (160, 173, 191)),
    alarm=Ink((176, 32, 40), WHITE),
    warning=Ink((255, 201, 77), INK),
    cards=MappingProxyType(
        {
            "red": Ink((205, 45, 52), WHITE),
            "yellow": Ink((245, 197, 46), INK),
            "green": Ink((24, 128, 74), WHITE),
            "blue": Ink((38, 98, 196), WHITE),
        }
    ),
    kinds=MappingProxyType(
        {
            Kind.ACCEPTED: (126, 217, 166),
            Kind.REFUSED: (255, 148, 128),
            Kind.ALARM: (255, 201, 77),
            Kind.NOTICE: (154, 196, 246),
        }
    ),
    people=(
        (242, 143, 99),
        (122, 196, 232),
        (186, 158, 232),
        (150, 206, 122),
        (240, 196, 96),
        (236, 138, 176),
        (104, 204, 188),
        (200, 180, 150),
        (144, 164, 244),
        (222, 222, 120),
    ),
)


def blend(first: Rgb, second: Rgb, share: float) -> Rgb:
    """*first* with *share* (0 to 1) of *second* in it."""
    mixed = [round(a + (b - a) * share) for a, b in zip(first, second, strict=True)]
    return (mixed[0], mixed[1], mixed[2])
