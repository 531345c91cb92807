"""The maintenance corner: five seconds' hold in the upper left corner, a PIN, and a menu of what a caretaker needs.

A machine of times and presses; it knows which page is open and what was chosen, and does nothing itself. The words and
where they stand are in ``pages``; who carries a choice out is ``kiosk``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from table_app.pin import LENGTH_MAX, Pin

HOLD_MS: Final = 5_000
# The corner is this share of the screen's width and height: a thumb's width on the smallest panel.
CORNER_SHARE: Final = 0.12
# Children try; after so many wrong ones the pad stays shut for a while.
TRIES_MAX: Final = 3
LOCKED_MS: Final = 60_000
# Each time twice as long: ten thousand PINs take months and not two days, and a caretaker waits a quarter of an hour.
LOCKED_MS_MAX: Final = 15 * 60_000
# A caretaker who was called away leaves no open menu behind.
CLOSES_AFTER_MS: Final = 90_000

PREFIX: Final = "maintenance:"
"""All buttons of the corner begin with it, so that no other part of the table takes one for its own."""


class Page(StrEnum):
    """What of the corner is on the screen."""

    CLOSED = "closed"
    PIN = "pin"
    MENU = "menu"
    CONFIRM = "confirm"
    TEXT = "text"
    SETTINGS = "settings"


class Choice(StrEnum):
    """What can be asked of the corner."""

    RESTART_TABLE = "restart-table"
    RESTART_MACHINE = "restart-machine"
    SHUT_DOWN = "shut-down"
    SET_UP = "set-up"
    NETWORK = "network"
    UPDATE = "update"
    DOCTOR = "doctor"
    SETTINGS = "settings"
    ALL_SETTINGS = "all-settings"


ON_SETTINGS_PAGE: Final = frozenset({Choice.ALL_SETTINGS})
"""What is reached from the page of settings alone."""

ENDS_PLAY: Final = frozenset(
    {Choice.RESTART_TABLE, Choice.RESTART_MACHINE, Choice.SHUT_DOWN, Choice.UPDATE, Choice.SET_UP}
)
"""What is asked about once more before it is done."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A setting was turned on; *knob* is its name, or ``forget``: all go back to what the settings file says."""

    knob: str


FORGET: Final = "forget"
TURN: Final = "turn:"
ENTER: Final = "enter"


@dataclass(frozen=True, slots=True)
class Finger:
    """A finger that came down or up, at shares of the screen's width and height."""

    at_ms: int
    is_down: bool
    x: float
    y: float


def is_in_corner(finger: Finger) -> bool:
    return finger.x <= CORNER_SHARE and finger.y <= CORNER_SHARE


class Maintenance:
    """The corner of one table. *pin* is as the settings have it; empty: the menu opens without one."""

    def __init__(self, pin: str = "") -> None:
        self._pin = Pin(pin)
        self._held_since_ms: int | None = None
        self._wrong = 0
        self._locks = 0
        self._locked_until_ms = 0
        self._used_ms = 0
        self.page = Page.CLOSED
        self.typed = ""
        self.asked: Choice | None = None
        self.text: tuple[str, tuple[str, ...]] = ("", ())

    @property
    def is_open(self) -> bool:
        return self.page is not Page.CLOSED

    @property
    def is_held(self) -> bool:
        """Whether a finger lies in the corner, and may be opening it."""
        return self._held_since_ms is not None

    @property
    def has_no_pin_yet(self) -> bool:
        """Whether the PIN of the settings is too short to open anything."""
        return self._pin.is_too_short

    def locked_for_ms(self, now_ms: int) -> int:
        """How long no PIN is taken yet."""
        return max(self._locked_until_ms - now_ms, 0)

    # -- fingers and time ------------------------------------------------------------------------------------------

    def finger(self, finger: Finger) -> None:
        """A finger came down or up."""
        is_held = finger.is_down and is_in_corner(finger) and not self.is_open
        self._held_since_ms = finger.at_ms if is_held else None
        if self.is_open:
            self._used_ms = finger.at_ms

    def tick(self, now_ms: int) -> bool:
        """Move on to *now_ms*; true if another page is to be shown."""
        if self._held_since_ms is not None and now_ms - self._held_since_ms >= HOLD_MS:
            self._held_since_ms = None
            self._used_ms = now_ms
            self.page = Page.PIN if self._pin.is_asked else Page.MENU
            return True
        if self.is_open and now_ms - self._used_ms >= CLOSES_AFTER_MS:
            self.close()
            return True
        return False

    def next_change_ms(self) -> int | None:
        """When ``tick`` next changes the page, if nothing is touched before."""
        if self._held_since_ms is not None:
            return self._held_since_ms + HOLD_MS
        return self._used_ms + CLOSES_AFTER_MS if self.is_open else None

    # -- buttons ---------------------------------------------------------------------------------------------------

    def press(self, button: str, now_ms: int) -> Choice | Turned | None:
        """One of the corner's buttons; what is to be done now, if anything."""
        if not self.is_open:
            return None
        self._used_ms = now_ms
        name = button.removeprefix(PREFIX)
        if name == "close":
            self.close()
        elif name == "back" and self.page in (Page.CONFIRM, Page.TEXT, Page.SETTINGS):
            self.page, self.typed, self.asked = Page.MENU, "", None
        elif self.page is Page.PIN:
            self._type(name, now_ms)
        elif self.page is Page.CONFIRM and name == "yes" and self.asked is not None:
            chosen, self.asked, self.page = self.asked, None, Page.MENU
            return chosen
        elif self.page is Page.SETTINGS and name.startswith(TURN):
            return Turned(name.removeprefix(TURN))
        elif self.page in (Page.MENU, Page.SETTINGS) and name in list(Choice):
            return self._choose(Choice(name))
        return None

    def _choose(self, chosen: Choice) -> Choice | None:
        if chosen is Choice.SETTINGS:
            self.page = Page.SETTINGS
        elif chosen in ENDS_PLAY:
            self.asked, self.page = chosen, Page.CONFIRM
        else:
            return chosen
        return None

    def _type(self, name: str, now_ms: int) -> None:
        if self.locked_for_ms(now_ms):
            return
        if name == "erase":
            self.typed = self.typed[:-1]
        elif name.isascii() and name.isdigit() and len(name) == 1 and len(self.typed) < LENGTH_MAX:
            self.typed += name
        elif name == ENTER and self.typed:
            self._try(now_ms)

    def _try(self, now_ms: int) -> None:
        """Only whoever says that it is whole learns whether it is right: else its length could be found out."""
        if self._pin.fits(self.typed):
            self._wrong = self._locks = 0
            self.page = Page.MENU
        else:
            self._wrong += 1
            if self._wrong >= TRIES_MAX:
                self._wrong = 0
                self._locked_until_ms = now_ms + min(LOCKED_MS << self._locks, LOCKED_MS_MAX)
                self._locks = min(self._locks + 1, LOCKED_MS_MAX.bit_length())
        self.typed = ""

    def show_text(self, title: str, paragraphs: tuple[str, ...], now_ms: int) -> None:
        """Show what a choice came to, long enough to be read; not in a corner that is closed or asks for its PIN, which
        nobody may get past by an answer that comes late."""
        if self.page not in (Page.CLOSED, Page.PIN):
            self.page, self.text = Page.TEXT, (title, paragraphs)
            self._used_ms = now_ms

    def close(self) -> None:
        self.page, self.typed, self.asked = Page.CLOSED, "", None
