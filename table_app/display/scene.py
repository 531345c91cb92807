"""One whole frame: which painter paints what of a view, and where. No window and no event is known here.

``render`` paints without any window, for screenshots of a table that has no screen.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from table_app.display.canvas import Canvas, Target
from table_app.display.geometry import Box
from table_app.display.layout import REFERENCE_LONG_PX, REFERENCE_SHORT_PX, frame, metrics, table_plan
from table_app.display.paint_controls import paint_bar
from table_app.display.paint_demo import paint_demo
from table_app.display.paint_enrol import paint_enrol
from table_app.display.paint_felt import MOST_BANNERS, paint_banners, paint_felt
from table_app.display.paint_screens import paint_picker, paint_scores, paint_start, paint_text
from table_app.display.paint_table import paint_table
from table_app.display.paint_typing import paint_typing
from table_app.display.theme import TABLE, Theme
from table_app.display.view import EnrolScreen, ScoresScreen, StartScreen, TableView, TextScreen

PANE_PX = (480, 540)
"""What the pane beside the table is drawn for: a readable line of the log, and a row of it above all the buttons."""


@dataclass(slots=True)
class Leafing:
    """How far the person at the screen has leafed: the only thing the display remembers by itself."""

    page: int = 0
    is_picking: bool = False
    picker_stage: str = ""
    typed: str | None = None
    """What was typed so far; None while the keys are not shown."""


def paint(
    surface: pygame.Surface,
    view: TableView,
    theme: Theme = TABLE,
    leafing: Leafing | None = None,
    pressed: Target | None = None,
    width_mm: float | None = None,
) -> Canvas:
    """Paint *view* over all of *surface*, which is *width_mm* wide; returns the canvas with its targets."""
    leafing = leafing or Leafing()
    width, height = surface.get_size()
    parts = frame(width, height, view.demo is not None)
    table_mm = width_mm * parts.table.w / width if width_mm else None
    canvas = Canvas(surface, theme, metrics(parts.table.w, parts.table.h, table_mm), pressed)
    surface.fill(theme.background)
    _paint_table_side(canvas, view, leafing, parts.table)
    if view.demo and parts.pane:
        # The pane is a log beside the table, drawn for 480 pixels of width, and high enough for all its buttons.
        scale = min(parts.pane.w / PANE_PX[0], parts.pane.h / PANE_PX[1])
        canvas.metrics = metrics(round(REFERENCE_LONG_PX * scale), round(REFERENCE_SHORT_PX * scale))
        paint_demo(canvas, view.demo, parts.pane)
    return canvas


def _paint_table_side(canvas: Canvas, view: TableView, leafing: Leafing, area: Box) -> None:
    m = canvas.metrics
    if view.picker and leafing.is_picking:
        paint_picker(canvas, view.picker, area.inset(canvas.px(8)), leafing.picker_stage)
        return
    if view.typing and leafing.typed is not None:
        paint_typing(canvas, view.typing, leafing.typed, area.inset(canvas.px(8)))
        return
    answers = view.question.answers if view.question else ()
    controls = (*answers, *view.controls)
    opener = view.picker.control if view.picker else view.typing.control if view.typing else None
    if opener:
        controls = (*controls, opener)
    seats = () if view.screen else view.seats
    plan = table_plan(area, len(seats), len(controls), m)
    paint_bar(canvas, controls, plan.bar, opener)
    if view.screen is None:
        paint_felt(canvas, view, paint_table(canvas, view, plan))
        return
    room = paint_banners(canvas, view.banners[:MOST_BANNERS], plan.stage)
    match view.screen:
        case StartScreen():
            paint_start(canvas, view.screen, room)
        case ScoresScreen():
            paint_scores(canvas, view.screen, room)
        case EnrolScreen():
            paint_enrol(canvas, view.screen, view.question.text if view.question else "", room)
        case TextScreen():
            leafing.page = paint_text(canvas, view.screen, room, leafing.page)


def render(
    view: TableView, width: int = 800, height: int = 480, theme: Theme = TABLE, leafing: Leafing | None = None
) -> pygame.Surface:
    """*view* as a picture, with no window and no video driver."""
    if not pygame.font.get_init():
        pygame.font.init()
    surface = pygame.Surface((width, height), 0, 32)
    paint(surface, view, theme, leafing)
    return surface
