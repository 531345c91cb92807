"""Paints the buttons along the lower edge; each is at least a finger's target and says what it does."""

from __future__ import annotations

from collections.abc import Sequence

from table_app.display.canvas import Align, Canvas, Press
from table_app.display.geometry import Box
from table_app.display.layout import control_boxes
from table_app.display.theme import Ink, blend
from table_app.view.table_view import Control


def paint_bar(canvas: Canvas, controls: Sequence[Control], bar: Box, opener: Control | None = None) -> None:
    """All *controls*, in their order, in even rows; *opener* is the one that the window itself answers."""
    for control, box in zip(controls, control_boxes(bar, len(controls), canvas.metrics), strict=True):
        paint_control(canvas, control, box, Press.WINDOW if control is opener else Press.BUTTON)


def paint_control(
    canvas: Canvas, control: Control, box: Box, press: Press = Press.BUTTON, is_flat: bool = False
) -> None:
    """One button. *is_flat* puts the sign beside the words, for the small ones of the demo pane."""
    theme = canvas.theme
    ink = Ink(theme.raised, theme.text)
    if control.colour:
        ink = theme.card(control.colour)
    elif control.emphasis:
        ink = theme.emphasis
    if not control.enabled:
        ink = Ink(theme.panel, blend(theme.panel, theme.muted, 0.55))
    elif canvas.target(box, press, control.button, control.key, control.other_key):
        ink = Ink(blend(ink.fill, ink.ink, 0.3), ink.ink)
    canvas.outline(box, 8 if is_flat else 16, ink.fill, blend(ink.fill, ink.ink, 0.18), 1.2)
    inner = box.inset(canvas.px(8), canvas.px(3 if is_flat else 7))
    if is_flat:
        if control.symbol:
            sign, inner = inner.left_slice(min(canvas.px(18), inner.h), canvas.px(6))
            canvas.symbol(control.symbol, sign, ink.ink)
        canvas.block(control.label, inner, 15, ink.ink, smallest=11)
        return
    if control.person is not None:
        dot, inner = inner.top_slice(round(inner.h * 0.5), canvas.px(3))
        side = min(dot.h, canvas.px(40))
        canvas.fill(dot.centred(side, side), 20, theme.person(control.person))
    elif control.symbol:
        sign, inner = inner.top_slice(round(inner.h * 0.5), canvas.px(3))
        side = min(sign.h, canvas.px(64))
        canvas.symbol(control.symbol, sign.centred(sign.w, side), ink.ink)
    canvas.block(control.label, inner, 21, ink.ink, bold=True, align=Align.CENTRE, smallest=11)
    if len(control.key) == 1:
        side = canvas.px(20)
        hint = Box(box.right - side - canvas.px(7), box.y + canvas.px(6), side, side)
        canvas.line(control.key.upper(), hint, 13, blend(ink.fill, ink.ink, 0.7), align=Align.RIGHT, smallest=9)
