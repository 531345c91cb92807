"""Paints the table itself: seats in their order round the edge, whose turn it is, and which way it goes.

The frame round the felt carries the colour in force, its shape in the corners, and arrowheads that run the
way the turn does. What stands on the felt is painted by ``felt``.
"""

from __future__ import annotations

import pygame

from table_app.display import text as words
from table_app.display.canvas import Align, Canvas, Press
from table_app.display.cards import ASPECT
from table_app.display.geometry import Box
from table_app.display.layout import TablePlan
from table_app.display.pen import Pen, rounded, sprite
from table_app.display.symbols import SHAPES
from table_app.display.theme import Ink, Rgb, blend
from table_app.view.table_view import Direction, SeatView, TableView

# More backs than this say nothing more; the number beside them does.
MOST_BACKS = 9
# A name that would have to be smaller on one line has two; smaller than the other it can't be read at arm's length.
NAME_LINE, NAME_SMALLEST = 15, 11


def paint_table(canvas: Canvas, view: TableView, plan: TablePlan) -> Box:
    """Paint frame and seats; returns the room left on the felt."""
    room = _frame(canvas, view, plan.felt)
    for number, (seat, box) in enumerate(zip(view.seats, plan.seats, strict=True), 1):
        if seat.is_turn:
            _pointer(canvas, box, plan.felt)
        paint_seat(canvas, seat, box, number)
        _colour_band(canvas, seat, box, plan.felt)
    return room


def _colour_band(canvas: Canvas, seat: SeatView, box: Box, felt: Box) -> None:
    """The seat's colour, along its edge towards the felt: to be told apart from across the room."""
    wide, ends = canvas.px(7), canvas.px(14)
    if box.right <= felt.x:
        band = Box(box.right - wide, box.y + ends, wide, box.h - 2 * ends)
    elif box.x >= felt.right:
        band = Box(box.x, box.y + ends, wide, box.h - 2 * ends)
    else:
        y = box.bottom - wide if box.bottom <= felt.y else box.y
        band = Box(box.x + ends, y, box.w - 2 * ends, wide)
    rounded(canvas.surface, band, wide // 2, canvas.theme.person(seat.colour_index))


def _frame(canvas: Canvas, view: TableView, felt: Box) -> Box:
    theme = canvas.theme
    thickness = canvas.px(22)
    ink = theme.card(view.colour.key) if view.colour else theme.idle_track
    canvas.fill(felt, 26, ink.fill)
    inner = felt.inset(thickness)
    canvas.fill(inner, 12, theme.felt)
    if view.colour and view.colour.key in SHAPES:
        side = round(thickness * 0.72)
        shape = sprite(SHAPES[view.colour.key], side, ink.ink)
        pad = (thickness - side) // 2 + canvas.px(2)
        for x in (felt.x + pad, felt.right - pad - side):
            for y in (felt.y + pad, felt.bottom - pad - side):
                canvas.surface.blit(shape, (x, y))
    if view.direction:
        _arrowheads(canvas, felt, thickness, view.direction, ink)
    return inner.inset(canvas.px(10))


def _arrowhead(pen: Pen) -> None:
    pen.polygon([(0.28, 0.05), (0.52, 0.05), (0.86, 0.5), (0.52, 0.95), (0.28, 0.95), (0.6, 0.5)])


def _arrowheads(canvas: Canvas, felt: Box, thickness: int, direction: Direction, ink: Ink) -> None:
    """Arrowheads all round the frame; clockwise they run up on the left and down on the right."""
    head = sprite(_arrowhead, round(thickness * 0.66), blend(ink.fill, ink.ink, 0.85))
    turn = 0 if direction is Direction.CLOCKWISE else 180
    pad = (thickness - head.get_width()) // 2
    spacing = canvas.px(58)
    for length, is_upright in ((felt.w, False), (felt.h, True)):
        free = length - 2 * canvas.px(52)
        count = max(1, free // spacing + 1)
        for index in range(count):
            along = length // 2 + round((index - (count - 1) / 2) * spacing) - head.get_width() // 2
            if is_upright:
                up = pygame.transform.rotate(head, 90 + turn)
                down = pygame.transform.rotate(head, 270 + turn)
                canvas.surface.blit(up, (felt.x + pad, felt.y + along))
                canvas.surface.blit(down, (felt.right - thickness + pad, felt.y + along))
            else:
                right = pygame.transform.rotate(head, turn)
                left = pygame.transform.rotate(head, 180 + turn)
                canvas.surface.blit(right, (felt.x + along, felt.y + pad))
                canvas.surface.blit(left, (felt.x + along, felt.bottom - thickness + pad))


def _wedge(pen: Pen) -> None:
    pen.polygon([(0.0, 0.02), (1.0, 0.5), (0.0, 0.98)])


def _pointer(canvas: Canvas, seat: Box, felt: Box) -> None:
    """A wedge from the seat whose turn it is into the felt."""
    side = canvas.px(33)
    wedge = sprite(_wedge, side, canvas.theme.turn.fill)
    x, y = seat.centre
    reach = canvas.px(2)
    if seat.right <= felt.x:
        canvas.surface.blit(wedge, (seat.right - reach, y - side // 2))
    elif seat.x >= felt.right:
        canvas.surface.blit(pygame.transform.rotate(wedge, 180), (seat.x + reach - side, y - side // 2))
    elif seat.bottom <= felt.y:
        canvas.surface.blit(pygame.transform.rotate(wedge, 270), (x - side // 2, seat.bottom - reach))


def paint_seat(canvas: Canvas, seat: SeatView, box: Box, number: int) -> None:
    """One player: name, cards, score, and a word where something is owed, called or over; seats count from 1."""
    theme = canvas.theme
    is_held = bool(seat.button) and canvas.target(box, Press.BUTTON, seat.button)
    ink = theme.turn if seat.is_turn else Ink(theme.panel, theme.text)
    if is_held:
        ink = Ink(blend(ink.fill, theme.text, 0.25), ink.ink)
    line = theme.warning.fill if seat.is_choice else blend(ink.fill, ink.ink, 0.12)
    canvas.outline(box, 14, ink.fill, line, 4 if seat.is_choice else 1.2)
    faint = blend(ink.fill, ink.ink, 0.72)
    strong = blend(ink.fill, ink.ink, 0.5) if seat.gone else ink.ink
    inner = box.inset(canvas.px(11), canvas.px(7))
    inner = inner.centred(inner.w, min(inner.h, canvas.px(132)))
    top, rest = inner.top_slice(round(inner.h * 0.3))
    bottom, middle = rest.bottom_slice(round(inner.h * 0.26))
    _name(canvas, seat, top, strong, number)
    _cards(canvas, seat, middle, strong, faint)
    _words(canvas, seat, bottom, faint)


def _name(canvas: Canvas, seat: SeatView, box: Box, colour: Rgb, number: int) -> None:
    """The name on one line, a long one on two; one that is not whole has the seat's number to be told apart by."""
    side = canvas.px(13)
    dot, rest = box.left_slice(side, canvas.px(7))
    rounded(canvas.surface, dot.centred(side, side), side // 2, canvas.theme.person(seat.colour_index))
    name = words.clean(seat.name)
    if words.width(name, canvas.px(NAME_LINE), True) <= rest.w:
        canvas.line(name, rest, 24, colour, bold=True, smallest=NAME_LINE)
        return
    shown = words.fit(name, True, rest.w, rest.h, canvas.px(NAME_LINE), canvas.px(NAME_SMALLEST))
    is_cut = any(line.endswith(words.ELLIPSIS) for line in shown.lines)
    name = f"{number}·{name}" if is_cut else name
    canvas.block(name, rest, NAME_LINE, colour, bold=True, smallest=NAME_SMALLEST)


def _cards(canvas: Canvas, seat: SeatView, box: Box, colour: Rgb, faint: Rgb) -> None:
    """So many backs and their number, large."""
    if seat.gone:
        canvas.line(seat.gone, box, 22, faint, bold=True, smallest=13)
        return
    number, fan = box.left_slice(round(box.w * 0.5), canvas.px(4))
    canvas.line(str(seat.cards), number, 50, colour, bold=True, smallest=18)
    high = min(round(fan.h * 0.72), canvas.px(40))
    wide = round(high * ASPECT)
    shown = min(seat.cards, MOST_BACKS)
    if not shown:
        canvas.line(seat.cards_word, fan, 17, faint, smallest=12)
    if high < 8 or not shown:
        return
    step = max(1, min(canvas.px(9), (fan.w - wide) // max(1, shown - 1)))
    ground = canvas.theme.turn.fill if seat.is_turn else canvas.theme.panel
    x = fan.right - wide - step * (shown - 1)
    y = fan.y + (fan.h - high) // 2
    for index in range(shown):
        back = Box(x + index * step, y, wide, high)
        rounded(canvas.surface, back, canvas.px(5), ground)
        rounded(canvas.surface, back.inset(canvas.px(1)), canvas.px(4), faint)


def _words(canvas: Canvas, seat: SeatView, box: Box, faint: Rgb) -> None:
    """The score, and one badge: what is owed goes before a call, a call before a note."""
    theme = canvas.theme
    badge, ink = "", theme.warning
    for said, colours in (
        (seat.owes, theme.alarm),
        (seat.call, theme.warning),
        (seat.note, Ink(theme.raised, theme.text)),
    ):
        if said:
            badge, ink = said, colours
            break
    if not badge:
        canvas.line(_score(canvas, seat, box.w), box, 17, faint, smallest=12)
        return
    natural = words.width(words.clean(badge), canvas.px(16), True) + canvas.px(18)
    scored = words.width(words.clean(seat.score), canvas.px(12), False) if seat.score else 0
    has_score = 0 < scored <= box.w - natural - canvas.px(6)  # a narrow seat shows the more urgent of the two
    pill, rest = box.right_slice(min(natural, box.w) if has_score else box.w, canvas.px(6))
    pill = pill.inset(0, canvas.px(1))
    canvas.fill(pill, 8, ink.fill)
    canvas.line(badge, pill.inset(canvas.px(6), 0), 16, ink.ink, bold=True, align=Align.CENTRE, smallest=12)
    if has_score:
        canvas.line(_score(canvas, seat, rest.w), rest, 17, faint, smallest=12)


def _score(canvas: Canvas, seat: SeatView, wide: int) -> str:
    """The score with its word where there is room for both."""
    natural = words.width(words.clean(seat.score_words), canvas.px(13), False)
    return seat.score_words if 0 < natural <= wide else seat.score
