"""Rectangles in pixels, and cutting them up; no pygame, no view, no colours."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle: left, top, width and height in pixels. pygame takes it wherever it takes a Rect."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    @property
    def centre(self) -> tuple[int, int]:
        return self.x + self.w // 2, self.y + self.h // 2

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in the box; right and bottom edges belong to the neighbour."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def contains(self, other: Box) -> bool:
        """Whether *other* lies in the box, edges included."""
        return self.x <= other.x and self.y <= other.y and self.right >= other.right and self.bottom >= other.bottom

    def overlaps(self, other: Box) -> bool:
        """Whether the two share at least one pixel."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def inset(self, dx: int, dy: int | None = None) -> Box:
        """The box with *dx* off left and right and *dy* (as *dx*) off top and bottom; never negative."""
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, max(0, self.w - 2 * dx), max(0, self.h - 2 * dy))

    def top_slice(self, height: int, gap: int = 0) -> tuple[Box, Box]:
        """The upper *height* pixels, and what is left below a *gap*."""
        height = min(height, self.h)
        rest = min(self.h, height + gap)
        return Box(self.x, self.y, self.w, height), Box(self.x, self.y + rest, self.w, self.h - rest)

    def bottom_slice(self, height: int, gap: int = 0) -> tuple[Box, Box]:
        """The lower *height* pixels, and what is left above a *gap*."""
        height = min(height, self.h)
        rest = max(0, self.h - height - gap)
        return Box(self.x, self.bottom - height, self.w, height), Box(self.x, self.y, self.w, rest)

    def left_slice(self, width: int, gap: int = 0) -> tuple[Box, Box]:
        """The left *width* pixels, and what is left after a *gap*."""
        width = min(width, self.w)
        rest = min(self.w, width + gap)
        return Box(self.x, self.y, width, self.h), Box(self.x + rest, self.y, self.w - rest, self.h)

    def right_slice(self, width: int, gap: int = 0) -> tuple[Box, Box]:
        """The right *width* pixels, and what is left before a *gap*."""
        width = min(width, self.w)
        rest = max(0, self.w - width - gap)
        return Box(self.right - width, self.y, width, self.h), Box(self.x, self.y, rest, self.h)

    def centred(self, width: int, height: int) -> Box:
        """A box of that size in the middle; one that is too big is cut to fit."""
        width, height = min(width, self.w), min(height, self.h)
        return Box(self.x + (self.w - width) // 2, self.y + (self.h - height) // 2, width, height)


def columns(box: Box, count: int, gap: int) -> tuple[Box, ...]:
    """*box* cut into *count* equal columns with *gap* between them."""
    edges = [box.x + round(i * (box.w + gap) / count) for i in range(count + 1)]
    return tuple(Box(a, box.y, max(0, b - a - gap), box.h) for a, b in pairwise(edges))


def rows(box: Box, count: int, gap: int) -> tuple[Box, ...]:
    """*box* cut into *count* equal rows with *gap* between them."""
    edges = [box.y + round(i * (box.h + gap) / count) for i in range(count + 1)]
    return tuple(Box(box.x, a, box.w, max(0, b - a - gap)) for a, b in pairwise(edges))
