"""Smooth small drawings: shapes are drawn large, shrunk and kept; pygame's own have jagged edges.

Points are shares of the drawing's side, from 0 to 1. What is drawn (cards, symbols) lives elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise

import pygame

from table_app.display.geometry import Box
from table_app.display.theme import Rgb

OVERSAMPLING = 4
# One screen shows about sixty different drawings; three window sizes' worth is kept.
SPRITE_CACHE = 256

Point = tuple[float, float]
Drawing = Callable[["Pen"], None]


class Pen:
    """Draws in one *colour* on a transparent square of *side* pixels, enlarged."""

    def __init__(self, side: int, colour: Rgb) -> None:
        self.side = max(1, side) * OVERSAMPLING
        self.colour: tuple[int, int, int, int] = (*colour, 255)
        # The right colour under no opacity: shrinking must not mix black into the edges.
        self._nothing: tuple[int, int, int, int] = (*colour, 0)
        self.surface = pygame.Surface((self.side, self.side), pygame.SRCALPHA, 32)
        self.surface.fill(self._nothing)

    @contextmanager
    def carving(self) -> Iterator[None]:
        """Within this, everything drawn is cut out instead."""
        colour, self.colour = self.colour, self._nothing
        try:
            yield
        finally:
            self.colour = colour

    def _at(self, point: Point) -> tuple[float, float]:
        return point[0] * self.side, point[1] * self.side

    def polygon(self, points: Sequence[Point], hole: bool = False) -> None:
        """A filled polygon, or with *hole* one cut out."""
        pygame.draw.polygon(self.surface, self._nothing if hole else self.colour, [self._at(p) for p in points])

    def disc(self, centre: Point, radius: float, hole: bool = False) -> None:
        """A filled circle, or with *hole* one cut out."""
        pygame.draw.circle(
            self.surface, self._nothing if hole else self.colour, self._at(centre), max(1, radius * self.side)
        )

    def block(self, x: float, y: float, w: float, h: float, radius: float = 0, hole: bool = False) -> None:
        """A filled rectangle with rounded corners, or with *hole* one cut out."""
        side = self.side
        area = pygame.Rect(round(x * side), round(y * side), round(w * side), round(h * side))
        colour = self._nothing if hole else self.colour
        pygame.draw.rect(self.surface, colour, area, border_radius=round(radius * side))

    def stroke(self, points: Sequence[Point], thickness: float) -> None:
        """A line through *points* with round ends and joints."""
        for start, end in pairwise(points):
            length = math.hypot(end[0] - start[0], end[1] - start[1])
            if not length:
                continue
            dx = (end[1] - start[1]) / length * thickness / 2
            dy = (start[0] - end[0]) / length * thickness / 2
            self.polygon(
                [
                    (start[0] + dx, start[1] + dy),
                    (end[0] + dx, end[1] + dy),
                    (end[0] - dx, end[1] - dy),
                    (start[0] - dx, start[1] - dy),
                ]
            )
        for point in points:
            self.disc(point, thickness / 2)

    def arc(self, centre: Point, radius: float, start: float, end: float, thickness: float) -> None:
        """A round line from *start* to *end* degrees; 0 is to the right, and degrees go clockwise."""
        steps = max(8, round(abs(end - start) / 6))
        self.stroke(
            [on_circle(centre, radius, start + (end - start) * i / steps) for i in range(steps + 1)],
            thickness,
        )

    def arrowhead(self, tip: Point, degrees: float, size: float) -> None:
        """A filled triangle whose *tip* points towards *degrees*."""
        self.polygon([tip, on_circle(tip, size, degrees + 145), on_circle(tip, size, degrees - 145)])


def on_circle(centre: Point, radius: float, degrees: float) -> Point:
    """The point of the circle at *degrees*; 0 is to the right, and degrees go clockwise."""
    angle = math.radians(degrees)
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


@lru_cache(maxsize=SPRITE_CACHE)
def sprite(drawing: Drawing, side: int, colour: Rgb) -> pygame.Surface:
    """*drawing* in *colour*, *side* pixels square, with smooth edges on nothing."""
    pen = Pen(side, colour)
    drawing(pen)
    return pygame.transform.smoothscale(pen.surface, (max(1, side), max(1, side)))


def _full_disc(pen: Pen) -> None:
    pen.disc((0.5, 0.5), 0.5)


def rounded(surface: pygame.Surface, box: Box, radius: int, colour: Rgb) -> None:
    """Fill *box* with smooth rounded corners."""
    radius = max(0, min(radius, box.w // 2, box.h // 2))
    if radius < 2:
        surface.fill(colour, box)
        return
    surface.fill(colour, (box.x + radius, box.y, box.w - 2 * radius, box.h))
    surface.fill(colour, (box.x, box.y + radius, radius, box.h - 2 * radius))
    surface.fill(colour, (box.right - radius, box.y + radius, radius, box.h - 2 * radius))
    disc = sprite(_full_disc, 2 * radius, colour)
    for x, sx in ((box.x, 0), (box.right - radius, radius)):
        for y, sy in ((box.y, 0), (box.bottom - radius, radius)):
            surface.blit(disc, (x, y), (sx, sy, radius, radius))


def outlined(surface: pygame.Surface, box: Box, radius: int, fill: Rgb, line: Rgb, thickness: int) -> None:
    """A filled rounded box inside a border."""
    rounded(surface, box, radius, line)
    rounded(surface, box.inset(thickness), max(0, radius - thickness), fill)
