"""Colours, faces and decks: what a card is and what is printed on it.

No hand, pile or player lives here, and nothing about what a card *causes* beyond the name of its effect.
Source: rulebook sections 1 and 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple


class Colour(StrEnum):
    """One of the four colours."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"

    @property
    def letter(self) -> str:
        """The letter that face codes use for it: r, y, g or b."""
        return self.value[0]


COLOURS = tuple(Colour)
_COLOUR_BY_LETTER = {colour.letter: colour for colour in COLOURS}


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """What is printed on a card; made by `face`, one object a code, so that identity is equality.

    *rank* is ``0`` to ``9``, ``s`` Skip, ``r`` Reverse, ``+2`` Draw Two; a wild has its code as rank and no colour.
    """

    code: str
    colour: Colour | None
    rank: str

    @property
    def is_wild(self) -> bool:
        return self.colour is None

    @property
    def is_number(self) -> bool:
        return self.colour is not None and self.rank.isdigit()

    def __repr__(self) -> str:
        return f"Face({self.code})"

    def __reduce__(self) -> tuple[Callable[[str], Face], tuple[str]]:
        return _known_face, (self.code,)


class Card(NamedTuple):
    """A face as somebody named it; *copy* is which of the equal cards, from 1, or 0 where that is not known.

    The copy never changes a ruling.
    """

    face: Face
    copy: int = 0

    @property
    def code(self) -> str:
        return f"{self.face.code}#{self.copy}" if self.copy else self.face.code


WILD = "w"
WILD_DRAW_FOUR = "w+4"
CUSTOMIZABLE_CODES = ("wcustom", "wcustom1", "wcustom2", "wcustom3")
BUILT_IN_WILDS = (
    WILD,
    WILD_DRAW_FOUR,
    "wshuffle",
    "wswap",
    *CUSTOMIZABLE_CODES,
    "wrain1",
    "wrain2",
)
_COLOURED_CODE = re.compile(r"([rygb])([0-9]|s|r|\+2)")
_SPECIAL_CODE = re.compile(r"w[a-z0-9+-]{1,15}")
_FACES: dict[str, Face] = {}


def face(code: str, *, special: bool = False) -> Face:
    """The face with this *code*, in either case.

    *special* also makes a face for a deck file's own wild (``w`` and up to 15 letters, digits, ``+``, ``-``).

    :raises ValueError: if the code names no face.
    """
    key = code.lower()
    known = _FACES.get(key)
    if known is not None and (special or key in BUILT_IN_WILDS or known.colour is not None):
        return known
    coloured = _COLOURED_CODE.fullmatch(key)
    if coloured:
        made = Face(key, _COLOUR_BY_LETTER[coloured[1]], coloured[2])
    elif key in BUILT_IN_WILDS or (special and _SPECIAL_CODE.fullmatch(key)):
        made = Face(key, None, key)
    else:
        raise ValueError(f"{code!r} is not a card")
    return _FACES.setdefault(key, made)


def _known_face(code: str) -> Face:
    """Unpickling: a face that was there once may be there again, a deck file's own included."""
    return face(code, special=True)


class Effect(StrEnum):
    """What a card does when it is played; a deck file's special cards choose from the wild ones (section 8)."""

    NUMBER = "number"
    SKIP = "skip"
    REVERSE = "reverse"
    DRAW_TWO = "draw-two"
    WILD = "wild"
    WILD_DRAW_FOUR = "wild-draw-four"
    SHUFFLE_HANDS = "shuffle-hands"
    SWAP_HANDS = "swap-hands"
    DOWNPOUR = "downpour"
    CUSTOMIZABLE = "customizable"


_RANK_EFFECTS = {"s": Effect.SKIP, "r": Effect.REVERSE, "+2": Effect.DRAW_TWO}


class CustomKind(StrEnum):
    """The seven things that a Customizable card may be agreed to do (rulebook section 8)."""

    NONE = "none"
    NEXT = "next"
    OTHERS = "others"
    AGAIN = "again"
    DARE = "dare"
    DISCARD_WILDS = "discard-wilds"
    CHARADE = "charade"


class CustomRule(NamedTuple):
    """One agreed rule; *cards* is N for `NEXT`, `OTHERS` and `DARE`, else 0; *dare* is the dare's text."""

    kind: CustomKind
    cards: int = 0
    dare: str = ""


class Kind(NamedTuple):
    """What a deck says of a face: how many there are, their points and effect, and N for a Downpour."""

    copies: int
    points: int
    effect: Effect
    cards: int = 0
    custom: CustomRule | None = None
    title: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """All the cards of a game. *kinds* maps a face to what the deck says of it.

    *file* is the whole path that it was read from; empty for a built-in deck.
    """

    name: str
    kinds: Mapping[Face, Kind]
    size: int
    file: str = ""

    def __contains__(self, wanted: Face) -> bool:
        return wanted in self.kinds

    def face(self, code: str) -> Face:
        """As `face`, and this deck's own special cards.

        :raises ValueError: if the code names no face.
        """
        try:
            return face(code)
        except ValueError:
            own = _FACES.get(code.lower())
            if own is not None and own in self.kinds:
                return own
            raise


def make_deck(name: str, kinds: Mapping[Face, Kind], file: str = "") -> Deck:
    """A deck of these kinds, from this *file*."""
    return Deck(name, MappingProxyType(dict(kinds)), sum(kind.copies for kind in kinds.values()), file)


def _classic_kinds() -> dict[Face, Kind]:
    kinds: dict[Face, Kind] = {}
    for colour in COLOURS:
        for number in range(10):
            kinds[face(f"{colour.letter}{number}")] = Kind(1 if number == 0 else 2, number, Effect.NUMBER)
        for rank, effect in _RANK_EFFECTS.items():
            kinds[face(f"{colour.letter}{rank}")] = Kind(2, 20, effect)
    kinds[face(WILD)] = Kind(4, 50, Effect.WILD)
    kinds[face(WILD_DRAW_FOUR)] = Kind(4, 50, Effect.WILD_DRAW_FOUR)
    return kinds


def _decks() -> dict[str, Deck]:
    classic = _classic_kinds()
    customizable = {face("wcustom"): Kind(3, 40, Effect.CUSTOMIZABLE)}
    rain = {face(f"wrain{cards}"): Kind(2, 50, Effect.DOWNPOUR, cards) for cards in (1, 2)}
    kinds = {
        "classic": classic,
        "2018": classic | {face("wshuffle"): Kind(1, 40, Effect.SHUFFLE_HANDS)} | customizable,
        "2018-swap": classic | {face("wswap"): Kind(1, 40, Effect.SWAP_HANDS)} | customizable,
        "h2o": classic | rain,
        # Two packs of 54 make the same faces: the suits are colours, jokers zeros, jack, queen and king
        # the actions, the tens the wilds (rulebook section 2).
        "playing-cards": classic,
    }
    return {name: make_deck(name, faces) for name, faces in kinds.items()}


DECKS: Mapping[str, Deck] = MappingProxyType(_decks())


def customized(deck: Deck, rules: tuple[CustomRule, ...]) -> Deck:
    """*deck* with the Customizable rules of a table: one rule for all blank cards, or two or three, a card each."""
    blank = face("wcustom")
    if blank not in deck.kinds:
        return deck
    kinds = dict(deck.kinds)
    kind = kinds[blank]
    if len(rules) <= 1:
        kinds[blank] = kind._replace(custom=rules[0] if rules else CustomRule(CustomKind.NONE))
    else:
        del kinds[blank]
        for number, rule in enumerate(rules, 1):
            kinds[face(f"wcustom{number}")] = kind._replace(copies=1, custom=rule)
    return make_deck(deck.name, kinds, deck.file)


def repriced(deck: Deck, wild_points: int, all_wilds: bool) -> Deck:
    """*deck* with other points: a plain Wild counts *wild_points*, or every wild does (*all_wilds*)."""

    def price(wanted: Face, kind: Kind) -> Kind:
        if wanted.is_wild and (all_wilds or (kind.effect is Effect.WILD and wanted.code == WILD)):
            return kind._replace(points=wild_points)
        return kind

    return make_deck(deck.name, {wanted: price(wanted, kind) for wanted, kind in deck.kinds.items()}, deck.file)
