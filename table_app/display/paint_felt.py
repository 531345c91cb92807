"""Paints what stands in the middle of the table: top card, ruling, what is awaited, facts, banners, alarm.

One glance from two metres must give the top card, the colour in force and the last ruling; the rest may take a step
closer. Seats and frame belong to ``paint_table``, buttons to ``paint_controls``.
"""

from __future__ import annotations

from table_app.display.canvas import Align, Canvas
from table_app.display.cards import ASPECT, card_box, paint_card
from table_app.display.geometry import Box, columns, rows
from table_app.display.theme import Ink
from table_app.display.view import Alarm, Banner, Headline, Kind, TableView

KIND_SIGNS = {
    Kind.ACCEPTED: "allow",
    Kind.REFUSED: "cross_out",
    Kind.ALARM: "warning",
    Kind.NOTICE: "notice",
}
# Two troubles at once are plenty to read; more would hide the game.
MOST_BANNERS = 2


def paint_felt(canvas: Canvas, view: TableView, room: Box) -> None:
    """Paint everything that belongs on the felt into *room*."""
    room = paint_banners(canvas, view.banners, room)
    if view.alarm:
        paint_alarm(canvas, view.alarm, room)
        return
    is_upright = room.w < room.h * 0.95
    facts, room = room.bottom_slice(canvas.px(78 if is_upright else 38), canvas.px(10))
    _facts(canvas, view, facts, is_upright)
    if is_upright:
        place, words = room.top_slice(min(round(room.h * 0.5), round(room.w / ASPECT)), canvas.px(10))
    else:
        place, words = room.left_slice(min(round(room.h * ASPECT), round(room.w * 0.44)), canvas.px(16))
    if view.top_card:
        paint_card(canvas, view.top_card, card_box(place))
    else:
        _empty_place(canvas, card_box(place))
    _words(canvas, view, words)


def _empty_place(canvas: Canvas, box: Box) -> None:
    theme = canvas.theme
    canvas.outline(box, 14, theme.felt, theme.line, 2)
    side = box.w // 3
    canvas.symbol("pile", box.centred(side, side), theme.line)


def _words(canvas: Canvas, view: TableView, box: Box) -> None:
    """The ruling above, below it the question that is open or what is awaited."""
    lower = round(box.h * (0.5 if view.question else 0.4))
    if not view.headline:
        lower = box.h
    bottom, top = box.bottom_slice(lower, canvas.px(10))
    if view.headline:
        _headline(canvas, view.headline, top)
    if view.question:
        theme = canvas.theme
        canvas.fill(bottom, 12, theme.emphasis.fill)
        inner = bottom.inset(canvas.px(12), canvas.px(8))
        sign, said = inner.left_slice(canvas.px(30), canvas.px(10))
        canvas.symbol("question", sign, theme.emphasis.ink)
        canvas.block(view.question.text, said, 26, theme.emphasis.ink, bold=True, smallest=13)
    else:
        canvas.block(view.prompt, bottom, 30, canvas.theme.text, bold=True, smallest=13)


def _headline(canvas: Canvas, headline: Headline, box: Box) -> None:
    theme = canvas.theme
    colour = theme.kinds[headline.kind]
    canvas.fill(box, 12, theme.panel)
    stripe, inner = box.left_slice(canvas.px(40))
    canvas.fill(stripe, 12, colour)
    edge = Box(stripe.right - canvas.px(14), stripe.y, canvas.px(14), stripe.h)
    canvas.surface.fill(colour, edge)
    side = canvas.px(26)
    canvas.symbol(KIND_SIGNS[headline.kind], stripe.centred(side, side), theme.emphasis.ink)
    inner = inner.inset(canvas.px(10), canvas.px(6))
    if headline.rule:
        cited, inner = inner.bottom_slice(canvas.px(20), canvas.px(2))
        sign, said = cited.left_slice(canvas.px(16), canvas.px(6))
        canvas.symbol("book", sign, theme.muted)
        canvas.line(headline.rule, said, 15, theme.muted, smallest=12)
    canvas.block(headline.text, inner, 27, theme.text, bold=True, smallest=13)


def _facts(canvas: Canvas, view: TableView, box: Box, is_upright: bool) -> None:
    """Colour in force, direction, draw pile, target; each with its sign."""
    theme = canvas.theme
    shown: list[tuple[str, str, Ink | None]] = []
    if view.colour:
        shown.append((view.colour.key, view.colour.name, theme.card(view.colour.key)))
    if view.direction:
        shown.append((view.direction.value, view.direction_name, None))
    if view.draw_pile:
        shown.append(("pile", view.draw_pile, None))
    if view.target:
        shown.append(("flag", view.target, None))
    if not shown:
        return
    gap = canvas.px(8)
    if is_upright:
        cells = tuple(cell for row in rows(box, 2, canvas.px(6)) for cell in columns(row, 2, gap))
    else:
        cells = columns(box, len(shown), gap)
    for (sign, said, ink), cell in zip(shown, cells, strict=False):
        if ink:
            canvas.fill(cell, 10, ink.fill)
        side = canvas.px(24)
        mark, rest = cell.inset(canvas.px(8 if ink else 2), 0).left_slice(min(side, cell.w // 3), canvas.px(7))
        canvas.symbol(sign, mark.centred(side, side), ink.ink if ink else theme.muted)
        canvas.line(said, rest, 19, ink.ink if ink else theme.text, bold=bool(ink), smallest=11)


def paint_banners(canvas: Canvas, banners: tuple[Banner, ...], room: Box) -> Box:
    """Strips over the upper edge; returns the room left below them."""
    theme = canvas.theme
    for banner in banners[:MOST_BANNERS]:
        strip, room = room.top_slice(canvas.px(46), canvas.px(8))
        ink = theme.warning if banner.kind in (Kind.ALARM, Kind.REFUSED) else Ink(theme.raised, theme.text)
        canvas.fill(strip, 10, ink.fill)
        sign, said = strip.inset(canvas.px(10), canvas.px(4)).left_slice(canvas.px(26), canvas.px(10))
        canvas.symbol(KIND_SIGNS[banner.kind], sign, ink.ink)
        canvas.block(banner.text, said, 19, ink.ink, bold=True, smallest=12)
    return room


def paint_alarm(canvas: Canvas, alarm: Alarm, room: Box) -> None:
    """The whole felt, to be read from across the room."""
    theme = canvas.theme
    canvas.fill(room, 14, theme.alarm.fill)
    inner = room.inset(canvas.px(18), canvas.px(14))
    sign, rest = inner.top_slice(round(inner.h * 0.24), canvas.px(6))
    canvas.symbol("warning", sign, theme.warning.fill if theme.alarm.ink == (255, 255, 255) else theme.alarm.ink)
    if alarm.detail:
        detail, rest = rest.bottom_slice(round(rest.h * 0.3), canvas.px(4))
        canvas.block(alarm.detail, detail, 44, theme.alarm.ink, align=Align.CENTRE, smallest=14)
    canvas.block(alarm.title, rest, 64, theme.alarm.ink, bold=True, align=Align.CENTRE, smallest=16)
