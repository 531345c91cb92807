"""Where things go and how big they are: pure geometry from the panel's size; nothing is drawn here.

Sizes come from the panel's millimetres where they are known. Where they are not, the picture is that of a
seven-inch panel of 800x480 pixels (154 mm wide), scaled to fit. Fingers hit a target of 20 mm nearly always
and miss smaller ones (Duff and others 2010, in the W3C's summary on target size); that is *touch*.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_app.display.geometry import Box, columns, rows

REFERENCE_LONG_PX = 800
REFERENCE_SHORT_PX = 480
REFERENCE_PX_PER_MM = 800 / 154.1
TOUCH_MM = 20
# Seven is what the widest moment of a game needs: four colours, undo, catch, menu. More make a second row.
USUAL_CONTROLS = 7
# Beside the table a demonstration needs the width of a readable log line.
PANE_SHARE = 0.375


# A window is opened as large as this share of the screen lets it be, and no larger than is comfortable to look at.
WINDOW_SHARE = 0.85
WINDOW_SCALE_MAX = 1.6


def opening_size(usual: tuple[int, int], screen: tuple[int, int]) -> tuple[int, int]:
    """How large a window is opened that is *usual* pixels on a small *screen*; never smaller than that.

    >>> opening_size((800, 480), (1280, 720))
    (1020, 612)
    """
    scale = min(*(WINDOW_SHARE * there / wanted for wanted, there in zip(usual, screen, strict=True)), WINDOW_SCALE_MAX)
    return usual if scale <= 1 else (round(usual[0] * scale), round(usual[1] * scale))


@dataclass(frozen=True, slots=True)
class Metrics:
    """How many pixels things take. *scale* is 1.0 on the reference panel; *touch* is a finger's target."""

    scale: float
    touch: int

    def px(self, reference_px: float) -> int:
        """*reference_px* on the reference panel, in pixels here; at least one."""
        return max(1, round(reference_px * self.scale))


def metrics(width: int, height: int, width_mm: float | None = None) -> Metrics:
    """Sizes for an area of *width* by *height* pixels that is *width_mm* wide (None: not known)."""
    long, short = max(width, height), min(width, height)
    scale = max(0.1, min(long / REFERENCE_LONG_PX, short / REFERENCE_SHORT_PX))
    px_per_mm = REFERENCE_PX_PER_MM * scale if not width_mm else width / width_mm
    # A quarter of the short side is the most that leaves room for a game; a tiny panel gets no more.
    touch = min(round(TOUCH_MM * px_per_mm), short // 4)
    return Metrics(scale, max(1, touch))


@dataclass(frozen=True, slots=True)
class Frame:
    """The window cut into table and demo pane (None: no pane)."""

    table: Box
    pane: Box | None


def frame(width: int, height: int, has_pane: bool) -> Frame:
    """The pane stands to the right of the table, or below it where the window is upright."""
    whole = Box(0, 0, max(1, width), max(1, height))
    if not has_pane:
        return Frame(whole, None)
    if width >= 1.2 * height:
        pane, table = whole.right_slice(round(width * PANE_SHARE))
    else:
        pane, table = whole.bottom_slice(round(height * 0.42))
    return Frame(table, pane)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Where the parts of the table stand."""

    stage: Box
    bar: Box
    seats: tuple[Box, ...]
    felt: Box


def control_rows(width: int, count: int, m: Metrics) -> int:
    """How many rows *count* controls need in *width* pixels, each at least as wide as a finger's target."""
    per_row = max(1, (width + m.px(8)) // (m.touch + m.px(8)))
    return -(-max(count, 1) // per_row)


def seats_around(count: int, column_rows: int, is_upright: bool) -> tuple[int, int, int]:
    """How many of *count* seats stand left, on top and right, going clockwise from the lower left."""
    if is_upright and count <= 4:
        return 0, count, 0
    if count <= 2 * column_rows and not is_upright:
        return count // 2, 0, count - count // 2  # no seat on top leaves a high felt, and a large card
    side = min(column_rows, count // 2)
    return side, count - 2 * side, side


def table_plan(area: Box, seat_count: int, control_count: int, m: Metrics) -> TablePlan:
    """Controls along the lower edge, seats clockwise round the other three, the felt in the middle."""
    gap = m.px(8)
    inner = area.inset(gap)
    bar_rows = max(control_rows(inner.w, USUAL_CONTROLS, m), control_rows(inner.w, control_count, m))
    bar, stage = inner.bottom_slice(bar_rows * (m.touch + gap) - gap, gap)
    is_upright = area.h > area.w
    column_rows = max(1, (stage.h + gap) // (m.touch + gap))
    left, top, right = seats_around(seat_count, column_rows, is_upright)
    column_width = m.touch if is_upright else max(m.touch, m.px(140))
    felt = left_column = right_column = stage
    if left or right:
        left_column, felt = felt.left_slice(column_width, gap)
        right_column, felt = felt.right_slice(column_width, gap)
    seats: list[Box] = []
    tallest, widest = m.px(168), m.px(196)
    if left:
        seats += reversed([cell.centred(cell.w, tallest) for cell in rows(left_column, left, gap)])
    if top:
        row, felt = felt.top_slice(m.touch, gap)
        seats += [cell.centred(widest, cell.h) for cell in columns(row, top, gap)]
    if right:
        seats += [cell.centred(cell.w, tallest) for cell in rows(right_column, right, gap)]
    return TablePlan(stage, bar, tuple(seats), felt)


def control_boxes(bar: Box, count: int, m: Metrics) -> tuple[Box, ...]:
    """A box for each of *count* controls, as even rows filling the *bar*, none absurdly wide."""
    if not count:
        return ()
    gap = m.px(8)
    row_count = control_rows(bar.w, count, m)
    per_row = -(-count // row_count)
    boxes: list[Box] = []
    for index, row in enumerate(rows(bar, row_count, gap)):
        here = min(per_row, count - index * per_row)
        widest = max(m.touch, m.px(220))
        strip = row.centred(here * widest + (here - 1) * gap, row.h)
        boxes += columns(strip, here, gap)
    return tuple(boxes)
