"""What the painters draw on: a surface, the theme, the sizes, and a note of every text and target placed.

What can be pressed is exactly what was drawn: painters put targets here while they paint. No event, no window
and no knowledge of a game lives here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import pygame

from table_app.display import text as words
from table_app.display.geometry import Box
from table_app.display.layout import Metrics
from table_app.display.pen import outlined, rounded, sprite
from table_app.display.symbols import SYMBOLS, notice
from table_app.display.theme import Rgb, Theme


class Align(StrEnum):
    """Where text stands in its box, from left to right."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class Press(StrEnum):
    """What a target sends: a button's name, a card's code, or something that only the window itself does."""

    BUTTON = "button"
    CARD = "card"
    WINDOW = "window"


class Target(NamedTuple):
    """A place to touch."""

    box: Box
    press: Press
    name: str


class Placed(NamedTuple):
    """A text that was drawn, where, and the box it was meant for."""

    text: str
    drawn: Box
    box: Box


@dataclass(slots=True)
class Canvas:
    """One frame being painted."""

    surface: pygame.Surface
    theme: Theme
    metrics: Metrics
    pressed: Target | None = None
    targets: list[Target] = field(default_factory=list)
    keys: dict[str, Target] = field(default_factory=dict)
    placed: list[Placed] = field(default_factory=list)

    def px(self, reference_px: float) -> int:
        """*reference_px* on the reference panel, in pixels here."""
        return self.metrics.px(reference_px)

    def target(self, box: Box, press: Press, name: str, *keys: str) -> bool:
        """Make *box* something to press, also by these *keys*; true while it is held down."""
        made = Target(box, press, name)
        self.targets.append(made)
        for key in filter(None, keys):
            self.keys.setdefault(key.lower(), made)
        return self.pressed == made

    def fill(self, box: Box, radius: float, colour: Rgb) -> None:
        """A rounded box; *radius* in reference pixels."""
        rounded(self.surface, box, self.px(radius), colour)

    def outline(self, box: Box, radius: float, fill: Rgb, line: Rgb, thickness: float = 1.5) -> None:
        """A rounded box with a border; *radius* and *thickness* in reference pixels."""
        outlined(self.surface, box, self.px(radius), fill, line, self.px(thickness))

    def symbol(self, name: str, box: Box, colour: Rgb) -> None:
        """The sign *name*, as large as the box lets it be; an unknown name gives the sign for a notice."""
        side = min(box.w, box.h)
        if side > 0:
            square = box.centred(side, side)
            self.surface.blit(sprite(SYMBOLS.get(name, notice), side, colour), (square.x, square.y))

    def line(
        self,
        said: str,
        box: Box,
        size: float,
        colour: Rgb,
        bold: bool = False,
        align: Align = Align.LEFT,
        smallest: float = 11,
    ) -> Box:
        """One line in the middle of the box's height; sizes in reference pixels. Returns what it covers."""
        tidy = words.clean(said)
        if not tidy or box.w <= 0 or box.h <= 0:
            return Box(box.x, box.y, 0, 0)
        fitted = words.fit_line(tidy, bold, box.w, box.h, self.px(size), self.px(smallest))
        return self._put(fitted.lines, fitted.size, box, colour, bold, align, box.h)

    def block(
        self,
        said: str,
        box: Box,
        size: float,
        colour: Rgb,
        bold: bool = False,
        align: Align = Align.LEFT,
        smallest: float = 12,
        from_top: bool = False,
    ) -> Box:
        """Wrapped text, as large as fits from *size* down, in the middle or *from_top*; its cover."""
        tidy = words.clean(said)
        if not tidy or box.w <= 0 or box.h <= 0:
            return Box(box.x, box.y, 0, 0)
        fitted = words.fit(tidy, bold, box.w, box.h, self.px(size), self.px(smallest))
        tall = len(fitted.lines) * words.line_height(fitted.size, bold)
        return self._put(fitted.lines, fitted.size, box, colour, bold, align, tall if from_top else box.h)

    def _put(
        self, lines: tuple[str, ...], size: int, box: Box, colour: Rgb, bold: bool, align: Align, tall: int
    ) -> Box:
        step = words.line_height(size, bold)
        top = box.y + max(0, (min(tall, box.h) - len(lines) * step) // 2)
        left, right = box.right, box.x
        for index, line in enumerate(lines):
            if not line:
                continue
            picture = words.picture(line, size, bold, colour)
            wide, high = picture.get_size()
            x = {
                Align.LEFT: box.x,
                Align.CENTRE: box.x + (box.w - wide) // 2,
                Align.RIGHT: box.right - wide,
            }[align]
            y = top + index * step
            # A box lower than one line at the smallest size shows what it can, and nothing beside it.
            shown = Box(0, 0, wide, min(high, max(0, box.bottom - y)))
            self.surface.blit(picture, (x, y), shown)
            self.placed.append(Placed(line, Box(x, y, wide, shown.h), box))
            left, right = min(left, x), max(right, x + wide)
        return Box(left, top, max(0, right - left), len(lines) * step)
