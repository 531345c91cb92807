"""How simulated people play, and the gestures that their hands know. Data only: who decides what is in `people`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from table_app.rules import Card


@dataclass(frozen=True, slots=True)
class Manner:
    """How somebody plays; each is a chance from 0 to 1.

    *forgets* to call, *bluffs* with a Wild Draw Four, *challenges* one, *slips*: lays a card that does not fit.
    *fumbles*: lifts too soon, taps twice, lays two cards at once; *hurries*: lays before it is their turn. *keeps_mum*:
    draws without a word. *shouts* a call and presses nothing; *catches* who forgot.
    """

    word: str
    forgets: float = 0.0
    bluffs: float = 0.0
    challenges: float = 0.3
    slips: float = 0.0
    fumbles: float = 0.0
    hurries: float = 0.0
    keeps_mum: float = 0.0
    shouts: float = 0.0
    catches: float = 0.0


HONEST = Manner("honest", challenges=0.25)
FORGETFUL = Manner("forgetful", forgets=0.7, slips=0.06)
BLUFFING = Manner("bluffing", bluffs=0.9, challenges=0.6, forgets=0.1)
CLUMSY = Manner("clumsy", slips=0.2, forgets=0.3)
MANNERS = (HONEST, FORGETFUL, BLUFFING, CLUMSY)

ALL_THUMBS = Manner("all thumbs", slips=0.15, forgets=0.2, fumbles=0.25, hurries=0.08, shouts=0.3)
"""Clumsy in every way; too much of it for a demonstration."""

SILENT = Manner("silent", keeps_mum=0.6, challenges=0.2)
WATCHFUL = Manner("watchful", challenges=0.4, catches=0.8)

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gita", "Hugo", "Ida", "Jan")


class Place(NamedTuple):
    """Lay these cards on the pad, or on the reader at the draw *pile*, hold them there, lift them again.

    *draws*: it is a card that is being drawn, seen by the referee. *is_new*: its sticker is a new one.
    """

    cards: tuple[Card, ...]
    hold_ms: int
    draws: bool = False
    is_new: bool = False


class Press(NamedTuple):
    """Press a button; the name is that of `hardware.signals.ButtonPressed`."""

    button: str


class Pick(NamedTuple):
    """Name this card on the screen, wherever it lies."""

    card: Card


Deed = Place | Press | Pick


class Gesture(NamedTuple):
    """One thing that hands do, *wait_ms* after the one before."""

    wait_ms: int
    deed: Deed


@dataclass(slots=True)
class Mischief:
    """What somebody at the screen asked for, to be done at the next chance."""

    wrong_card: bool = False
    forget_uno: bool = False
    bluff: bool = False


HOLD_MS = 320
"""How long a hand holds a card on the pad: about what people do when nothing tells them to hurry."""

TOO_SOON_MS = 15
"""How long a card lies that is lifted too soon: less than the reader takes to believe it."""

DRAW_MS = 750
"""What it takes to draw a card, where nobody says a word about it."""

THINK_MS = (450, 900)
PRESS_MS = (300, 550)
SHOW_HOLD_MS = 220
SHOW_GAP_MS = (240, 320)
"""Between two cards of a hand that is shown: the reader must see the pad empty in between."""
