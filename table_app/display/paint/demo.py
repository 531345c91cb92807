"""Paints the pane beside the table in a demonstration: what happened, a hand to play from, and mischief.

Reads like a log: the newest row is lowest, each row goes from what the reader sensed to what the table
sounded. Here a mouse points, so buttons may be smaller than a finger's target.
"""

from __future__ import annotations

from table_app.display import text as words
from table_app.display.canvas import Align, Canvas, Press
from table_app.display.cards import ASPECT, paint_card
from table_app.display.geometry import Box, columns, rows
from table_app.display.paint.controls import paint_control
from table_app.display.paint.felt import KIND_SIGNS
from table_app.display.theme import blend
from table_app.view.table_view import Control, DemoPane, HandCard, LogRow

ROW_PX = 46
ROW_GAP_PX = 4
ACTION_PX, RULING_PX = 15, 14
SIDE_SHARE, UID_SHARE = 0.26, 0.36
LINES_MAX = 4
"""The longest ruling that the referee gives needs no more; a name of forty letters may, and then it shrinks."""
BUTTON_PX = 38


def paint_demo(canvas: Canvas, pane: DemoPane, box: Box) -> None:
    """Title and log above; below, as far as they are given, hand, seats, mischief and pace."""
    canvas.surface.fill(blend(canvas.theme.background, canvas.theme.felt, 0.6), box)
    canvas.surface.fill(canvas.theme.line, (box.x, box.y, max(1, canvas.px(1)), box.h))
    rest = box.inset(canvas.px(14), canvas.px(10))
    title, rest = rest.top_slice(canvas.px(24), canvas.px(2))
    canvas.line(pane.title, title, 18, canvas.theme.text, bold=True, smallest=12)
    if pane.legend:
        legend, rest = rest.top_slice(canvas.px(20), canvas.px(6))
        _legend(canvas, pane.legend, legend)
    rest = _buttons(canvas, pane.pace_title, pane.pace, rest, 4)
    rest = _buttons(canvas, pane.mischief_title, pane.mischief, rest, 3)
    rest = _buttons(canvas, pane.seats_title, pane.seats, rest, 4)
    if pane.hand:
        rest = _hand(canvas, pane, rest)
    _log(canvas, pane.rows, rest)


def _legend(canvas: Canvas, words: tuple[str, ...], box: Box) -> None:
    """What the four parts of a row are, with arrows between them."""
    for index, cell in enumerate(columns(box, len(words), canvas.px(6))):
        if index:
            arrow, cell = cell.left_slice(canvas.px(10), canvas.px(6))
            canvas.symbol("forward", arrow, canvas.theme.muted)
        canvas.line(words[index], cell, 14, canvas.theme.muted, smallest=10)


def _titled(canvas: Canvas, title: str, box: Box, high: int) -> tuple[Box, Box]:
    """A strip *high* at the bottom under its title; returns strip and rest."""
    strip, rest = box.bottom_slice(high, canvas.px(4))
    if title:
        head, rest = rest.bottom_slice(canvas.px(20), canvas.px(8))
        canvas.line(title, head, 14, canvas.theme.muted, bold=True, smallest=10)
    return strip, rest


def _buttons(canvas: Canvas, title: str, controls: tuple[Control, ...], box: Box, per_row: int) -> Box:
    if not controls:
        return box
    row_count = -(-len(controls) // per_row)
    gap = canvas.px(6)
    high = row_count * canvas.px(BUTTON_PX) + (row_count - 1) * gap
    strip, rest = _titled(canvas, title, box, high)
    for index, row in enumerate(rows(strip, row_count, gap)):
        here = controls[index * per_row : (index + 1) * per_row]
        for control, cell in zip(here, columns(row, per_row, gap), strict=False):
            paint_control(canvas, control, cell, is_flat=True)
    return rest


def _hand(canvas: Canvas, pane: DemoPane, box: Box) -> Box:
    """The hand in a row, overlapping where there are many; what can be seen of a card can be pressed."""
    high = canvas.px(88)
    strip, rest = _titled(canvas, pane.hand_title, box, high)
    wide = round(strip.h * ASPECT)
    count = len(pane.hand)
    step = min(wide + canvas.px(6), (strip.w - wide) // max(1, count - 1)) if count > 1 else 0
    for index, held in enumerate(pane.hand):
        card = Box(strip.x + index * step, strip.y, wide, strip.h)
        shown = card if index == count - 1 else Box(card.x, card.y, max(1, min(step, wide)), card.h)
        _hand_card(canvas, held, card, shown)
    return rest


def _hand_card(canvas: Canvas, held: HandCard, card: Box, shown: Box) -> None:
    is_held = bool(held.button) and canvas.target(shown, Press.BUTTON, held.button)
    paint_card(canvas, held.card, card.inset(canvas.px(3)) if is_held else card)
    if held.is_hinted:
        mark = Box(card.x + canvas.px(4), card.bottom - canvas.px(7), max(1, shown.w - canvas.px(8)), canvas.px(5))
        canvas.fill(mark, 2, canvas.theme.warning.fill)


def _log(canvas: Canvas, log: tuple[LogRow, ...], box: Box) -> None:
    """As many of the newest rows as there is room for, each as high as its words need; the newest is lowest."""
    fitting: list[tuple[LogRow, int]] = []
    left = box.h
    for row in reversed(log):
        high = _row_high(canvas, row, box.w)
        if high > left:
            break
        fitting.append((row, high))
        left -= high
    y = box.y
    for index, (row, high) in enumerate(reversed(fitting)):
        line = Box(box.x, y, box.w, high - canvas.px(ROW_GAP_PX))
        _log_row(canvas, row, line, is_newest=index == len(fitting) - 1)
        y += high


def _row_high(canvas: Canvas, row: LogRow, wide: int) -> int:
    """Two lines, and one more for each line that ruling or action are too long for."""
    action_wide, ruling_wide = _widths(canvas, wide)
    lines = 0
    for said, size, bold, room in (
        (row.action, ACTION_PX, True, action_wide),
        (row.ruling, RULING_PX, False, ruling_wide),
    ):
        wrapped = words.wrap(words.clean(said), canvas.px(size), bold, room)
        lines += max(min(len(wrapped), LINES_MAX), 1) - 1
    return canvas.px(ROW_PX) + lines * words.line_height(canvas.px(ACTION_PX), False)


def _widths(canvas: Canvas, wide: int) -> tuple[int, int]:
    """How wide action and ruling are in a row that is *wide*."""
    inner = wide - 2 * canvas.px(10)
    side = round(inner * SIDE_SHARE)
    left = inner - side - canvas.px(6)
    return left - round(left * UID_SHARE) - canvas.px(6), left - canvas.px(15) - canvas.px(6)


def _log_row(canvas: Canvas, row: LogRow, box: Box, is_newest: bool) -> None:
    """Upper part: UID and action. Lower part: sign, ruling, rule, cue."""
    theme = canvas.theme
    ground = theme.raised if is_newest else theme.felt
    canvas.fill(box, 8, ground)
    stripe = Box(box.x, box.y + canvas.px(6), canvas.px(3), box.h - canvas.px(12))
    canvas.fill(stripe, 1.5, theme.kinds[row.kind])
    inner = box.inset(canvas.px(10), canvas.px(3))
    action_wide, _ruling_wide = _widths(canvas, box.w)
    action_lines = min(len(words.wrap(words.clean(row.action), canvas.px(ACTION_PX), True, action_wide)), LINES_MAX)
    extra = (max(action_lines, 1) - 1) * words.line_height(canvas.px(ACTION_PX), False)
    upper, lower = inner.top_slice(round((canvas.px(ROW_PX - ROW_GAP_PX) - 2 * canvas.px(3)) / 2) + extra, 0)
    cue, left = upper.right_slice(round(upper.w * SIDE_SHARE), canvas.px(6))
    uid, action = left.left_slice(round(left.w * UID_SHARE), canvas.px(6))
    muted = blend(ground, theme.text, 0.68)
    canvas.line(row.uid, uid, 12, muted, smallest=9)
    canvas.block(row.action, action, ACTION_PX, theme.text, bold=True, smallest=10)
    if row.cue:
        said = canvas.line(row.cue, cue, 12, muted, align=Align.RIGHT, smallest=9)
        side = canvas.px(12)
        if said.x - cue.x >= side + canvas.px(4):
            canvas.symbol("note", Box(said.x - side - canvas.px(4), cue.y + (cue.h - side) // 2, side, side), muted)
    rule, ruling = lower.right_slice(round(lower.w * SIDE_SHARE), canvas.px(6))
    sign, ruling = ruling.left_slice(canvas.px(15), canvas.px(6))
    canvas.symbol(KIND_SIGNS[row.kind], sign, theme.kinds[row.kind])
    canvas.block(row.ruling, ruling, RULING_PX, theme.text, smallest=10)
    canvas.line(row.rule, rule, 12, muted, align=Align.RIGHT, smallest=9)
