"""Nothing in the demonstration's log is cut: what is too long for its line takes more lines."""

from __future__ import annotations

import pygame
import pytest

from table_app.display.canvas import Canvas
from table_app.display.geometry import Box
from table_app.display.layout import metrics
from table_app.display.paint.demo import paint_demo
from table_app.display.theme import TABLE
from table_app.view.table_view import DemoPane, Kind, LogRow

LONG = "Anna-Lena laid the green Draw Two. Maximilian must draw 2. Anna-Lena has one card left and must call Uno."
ROWS = tuple(
    LogRow(
        "04 4c 43 00 00 00 11", f"Anna-Lena: g+2 {number}", f"{number} {LONG}", "play", "one short beep", Kind.ACCEPTED
    )
    for number in range(30)
)


@pytest.mark.parametrize("size", [(480, 600), (640, 800)])
def test_long_rulings_are_wrapped_and_the_newest_is_lowest(size: tuple[int, int]) -> None:
    pygame.font.init()
    canvas = Canvas(pygame.Surface(size), TABLE, metrics(round(size[0] * 800 / 480), size[0]))
    paint_demo(canvas, DemoPane("What happens", rows=ROWS), Box(0, 0, *size))
    assert not [placed.text for placed in canvas.placed if "…" in placed.text]
    words = " ".join(placed.text for placed in canvas.placed)
    assert f"29 {LONG}" in words
    lines = [placed.drawn for placed in canvas.placed]
    assert all(line.bottom <= size[1] for line in lines)
