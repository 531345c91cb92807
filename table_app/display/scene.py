"""One whole frame: which painter paints what of a view, and where. No window and no event is known here.

``render`` paints without any window, for screenshots of a table that has no screen.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from table_app.display.canvas import Canvas, Target
from table_app.display.geometry import Box
from table_app.display.layout import REFERENCE_LONG_PX, REFERENCE_SHORT_PX, frame, metrics, table_plan
from table_app.display.paint.controls import paint_bar
from table_app.display.paint.demo import paint_demo
from table_app.display.paint.enrol import paint_enrol
from table_app.display.paint.felt import MOST_BANNERS, paint_banners, paint_felt
from table_app.display.paint.picker import CLOSE_PICKER, FIRST, fits_above, paint_picker
from table_app.display.paint.screens import paint_scores, paint_start, paint_text
from table_app.display.paint.table import paint_table
from table_app.display.paint.typing import paint_typing
from table_app.display.theme import TABLE, Theme
from table_app.view.table_view import (
    Control,
    EnrolScreen,
    Picker,
    ScoresScreen,
    StartScreen,
    TableView,
    TextScreen,
)

PANE_PX = (480, 540)
"""What the pane beside the table is drawn for: a readable line of the log, and a row of it above all the buttons."""


@dataclass(slots=True)
class Leafing:
    """How far the person at the screen has leafed: the only thing the display remembers by itself."""

    page: int = 0
    is_picking: bool = False
    picker_stage: str = ""
    """The group of cards that is shown: `FIRST` is the picker's own, none are all groups to choose from."""
    picks_for: tuple[str, str] = ("", "")
    """The purpose and the question for which the picker was opened; another question hides it until it is answered."""
    card_typed: str = ""
    """The group of the card that is being typed, once its first letter was."""
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


def shows_picker(view: TableView, leafing: Leafing) -> bool:
    """Whether the picker lies over the table: an alarm, or a question that came after it was opened, goes before."""
    asked = view.question.text if view.question else ""
    return view.picker is not None and leafing.is_picking and view.alarm is None and asked == leafing.picks_for[1]


def _paint_picking(canvas: Canvas, view: TableView, picker: Picker, leafing: Leafing, area: Box) -> None:
    """The picker, above what else can be pressed, where there is room for both."""
    stage = picker.first if leafing.picker_stage == FIRST else leafing.picker_stage
    close = Control(CLOSE_PICKER, picker.back, "back", key="escape", other_key=picker.control.key)
    answers = view.question.answers if view.question else ()
    controls = [control for control in (*answers, *view.controls) if not control.button.startswith("digit:")]
    plan = table_plan(area, 0, len(controls) + 1, canvas.metrics)
    said = (view.headline.text if view.headline else "", view.question.text if view.question else view.prompt)
    if stage and fits_above(canvas, picker, stage, plan.stage):
        paint_picker(canvas, picker, plan.stage, stage, said, has_back=False)
        paint_bar(canvas, (*controls, close), plan.bar, close)
        return
    paint_picker(canvas, picker, area.inset(canvas.px(8)), stage, said)


def _paint_table_side(canvas: Canvas, view: TableView, leafing: Leafing, area: Box) -> None:
    m = canvas.metrics
    if view.picker and shows_picker(view, leafing):
        _paint_picking(canvas, view, view.picker, leafing, area)
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
