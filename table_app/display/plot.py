"""A bar for each player, as a picture: for the statistics of a record. Nothing is counted here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pygame

from table_app.display.canvas import Align, Canvas
from table_app.display.geometry import Box, rows
from table_app.display.layout import metrics
from table_app.display.save_picture import save_picture
from table_app.display.theme import TABLE

WIDTH = 900
ROW_HIGH = 74
HEAD_HIGH = 90


class Bar(NamedTuple):
    """One player: *value* is how long the bar is, *detail* a few words under the name."""

    name: str
    value: int
    detail: str = ""


def plot(title: str, bars: Sequence[Bar]) -> pygame.Surface:
    """All *bars* under *title*, the longest as wide as there is room."""
    if not pygame.font.get_init():
        pygame.font.init()
    height = HEAD_HIGH + ROW_HIGH * max(len(bars), 1)
    surface = pygame.Surface((WIDTH, height), 0, 32)
    surface.fill(TABLE.background)
    canvas = Canvas(surface, TABLE, metrics(800, 480))
    head, body = Box(0, 0, WIDTH, height).inset(24, 16).top_slice(HEAD_HIGH - 40, 8)
    canvas.line(title, head, 30, TABLE.text, bold=True)
    most = max((bar.value for bar in bars), default=0)
    for index, (bar, row) in enumerate(zip(bars, rows(body, max(len(bars), 1), 8), strict=False)):
        names, room = row.left_slice(260, 16)
        upper, lower = rows(names, 2, 0)
        canvas.line(bar.name, upper, 22, TABLE.text, bold=True)
        canvas.line(bar.detail, lower, 14, TABLE.muted)
        length = round((room.w - 90) * max(bar.value, 0) / most) if most > 0 else 0
        drawn = Box(room.x, room.y + 10, max(length, 4), room.h - 20)
        canvas.fill(drawn, 6, TABLE.person(index))
        number = Box(drawn.right + 10, room.y, 80, room.h)
        canvas.line(str(bar.value), number, 22, TABLE.text, bold=True, align=Align.LEFT)
    return surface


def save_plot(title: str, bars: Sequence[Bar], path: Path) -> None:
    """Write `plot` to *path*; the suffix says which kind of picture.

    :raises DisplayError: if it can't be written.
    """
    save_picture(plot(title, bars), path, "plot")
