"""Paints the cards that can be named by hand: a group of them, and the groups to change to; fingers hit every one.

Which group is shown, and whether it stays, is the window's to remember; no rule is known here.
"""

from __future__ import annotations

from table_app.display import text as words
from table_app.display.canvas import Align, Canvas, Press
from table_app.display.cards import card_box, paint_card
from table_app.display.geometry import Box, columns, rows
from table_app.display.paint.controls import paint_control
from table_app.view.table_view import WILDS, CardView, Control, Picker

CLOSE_PICKER = "close-picker"
CHOOSE = "choose:"
FIRST = "first"
"""In place of a group: the one that the picker begins with."""
SMALLEST = 11


def _groups(picker: Picker) -> dict[str, list[CardView]]:
    groups: dict[str, list[CardView]] = {}
    for card in picker.cards:
        groups.setdefault(card.colour.key if card.colour else WILDS, []).append(card)
    return groups


def fits_above(canvas: Canvas, picker: Picker, stage: str, box: Box) -> bool:
    """Whether in *box* the groups fit in one row above the cards of *stage*, none smaller than a finger's target."""
    groups, gap, touch = _groups(picker), canvas.px(8), canvas.metrics.touch
    if stage not in groups or len(groups) * (touch + gap) > box.w:
        return False
    per_row = max(1, (box.w + gap) // (touch + gap))
    row_count = -(-len(groups[stage]) // per_row)
    return (row_count + 1) * (touch + gap) - gap <= box.h


def paint_picker(
    canvas: Canvas,
    picker: Picker,
    box: Box,
    stage: str,
    said: tuple[str, str] = ("", ""),
    *,
    has_back: bool = True,
) -> None:
    """The cards of the group *stage*, with all groups beside them where there is room; with no such group the groups
    alone. *said* is the last ruling and what is awaited; *has_back*: the way back is painted here."""
    groups = _groups(picker)
    if stage not in groups:
        head, inner = box.top_slice(canvas.px(40), canvas.px(8))
        canvas.line(picker.title, head, 28, canvas.theme.text, bold=True, align=Align.CENTRE, smallest=14)
        cells = _grid(inner, len(groups) + 1, canvas.px(180), canvas.px(8))
        _paint_groups(canvas, picker, groups, cells, "")
        _paint_back(canvas, picker, cells[-1])
        return
    if has_back:  # no room for more: the groups are a press away
        head, inner = box.top_slice(canvas.px(40), canvas.px(8))
        canvas.line(picker.title, head, 28, canvas.theme.text, bold=True, align=Align.CENTRE, smallest=14)
        cells = _grid(inner, len(groups[stage]) + 1, canvas.metrics.touch, canvas.px(8))
        _paint_back(canvas, picker, cells[-1])
    else:
        gap, touch = canvas.px(8), canvas.metrics.touch
        head, inner = box.top_slice(touch, gap)
        tabs, told = head.left_slice(len(groups) * (touch + gap) - gap, gap)
        _paint_groups(canvas, picker, groups, columns(tabs, len(groups), gap), stage)
        _paint_said(canvas, said, told)
        cells = _grid(inner, len(groups[stage]), touch, gap)
    for card, cell in zip(groups[stage], cells, strict=False):
        _paint_card(canvas, picker, card, cell)


def _paint_groups(
    canvas: Canvas, picker: Picker, groups: dict[str, list[CardView]], cells: list[Box] | tuple[Box, ...], stage: str
) -> None:
    theme = canvas.theme
    letters = {group: letter for letter, group in picker.keys}
    for (key, cards), cell in zip(groups.items(), cells, strict=False):
        colour = cards[0].colour
        label = colour.name if colour else picker.wilds
        # Its letter is told and not bound: a card is typed by two, which the window reads.
        choice = Control(CHOOSE + key, label, key if colour else "pick", key if colour else "wild")
        paint_control(canvas, choice, cell, Press.WINDOW)
        if key in letters and canvas.px(20) * 3 < cell.w:
            side = canvas.px(20)
            hint = Box(cell.right - side - canvas.px(7), cell.y + canvas.px(6), side, side)
            ink = theme.card(key if colour else "wild").ink
            canvas.line(letters[key].upper(), hint, 13, ink, align=Align.RIGHT, smallest=9)
        if key == stage:
            low = Box(cell.x + canvas.px(14), cell.bottom - canvas.px(8), cell.w - canvas.px(28), canvas.px(4))
            canvas.fill(low, 2, theme.card(key if colour else "wild").ink)


def _paint_back(canvas: Canvas, picker: Picker, cell: Box) -> None:
    paint_control(canvas, Control(CLOSE_PICKER, picker.back, "back", key="escape"), cell, Press.WINDOW)


def _paint_said(canvas: Canvas, said: tuple[str, str], box: Box) -> None:
    """What is awaited, and above it the last ruling where both can be read."""
    ruling, awaited = map(words.clean, said)
    lower, upper = box.bottom_slice(round(box.h * 0.48), canvas.px(4))
    is_both = all(
        words.fits(text, bold, half.w, half.h, canvas.px(SMALLEST))
        for text, bold, half in ((ruling, False, upper), (awaited, True, lower))
    )
    if ruling and is_both:
        canvas.block(ruling, upper, 15, canvas.theme.muted, smallest=SMALLEST)
        canvas.block(awaited, lower, 20, canvas.theme.text, bold=True, smallest=SMALLEST)
    elif words.fits(awaited, True, box.w, box.h, canvas.px(SMALLEST)):
        canvas.block(awaited, box, 22, canvas.theme.text, bold=True, smallest=SMALLEST)


def _paint_card(canvas: Canvas, picker: Picker, card: CardView, cell: Box) -> None:
    theme = canvas.theme
    ground = theme.raised if canvas.target(cell, Press.CARD, card.code) else theme.panel
    if card.code in picker.lit:
        canvas.outline(cell, 12, ground, theme.warning.fill, 4)
    else:
        canvas.fill(cell, 12, ground)
    name, place = cell.inset(canvas.px(5)).bottom_slice(canvas.px(24), canvas.px(4))
    paint_card(canvas, card, card_box(place))
    canvas.block(card.name, name, 14, theme.text, align=Align.CENTRE, smallest=10)


def _grid(box: Box, count: int, wide: int, gap: int) -> list[Box]:
    """*count* cells, about *wide* pixels each, in as few rows as that allows."""
    per_row = max(1, min(count, (box.w + gap) // (wide + gap)))
    row_count = -(-count // per_row)
    per_row = -(-count // row_count)
    return [cell for row in rows(box, row_count, gap) for cell in columns(row, per_row, gap)][:count]
