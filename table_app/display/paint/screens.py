"""Paints what stands in the table's place at other times: start, resuming, final scores, pages to read.

Turning pages is done by the window itself; the painter is told how far that has got by *page*. Cards to be picked are
painted by ``picker``.
"""

from __future__ import annotations

from table_app.display import text as words
from table_app.display.canvas import Align, Canvas, Press
from table_app.display.cards import ASPECT, card_box, paint_card
from table_app.display.geometry import Box, columns, rows
from table_app.display.paint.controls import paint_control
from table_app.display.theme import Ink, blend
from table_app.view.table_view import Control, ScoresScreen, Standing, StartScreen, TextScreen

HEADING = "# "
NEXT_PAGE, PREVIOUS_PAGE = "next-page", "previous-page"
# From the smallest to the largest that sentences below a title are written.
PARAGRAPH_PX = (12, 20)
PARAGRAPH_GAP_PX = 10


def paint_start(canvas: Canvas, screen: StartScreen, box: Box) -> None:
    """A title, a sentence, a few lines, and a card to compare where one is given."""
    theme = canvas.theme
    canvas.fill(box, 26, theme.felt)
    inner = box.inset(canvas.px(32), canvas.px(24))
    if screen.card:
        if inner.w > inner.h:
            place, inner = inner.right_slice(min(round(inner.h * ASPECT), inner.w // 3), canvas.px(28))
        else:
            place, inner = inner.bottom_slice(inner.h // 2, canvas.px(16))
        paint_card(canvas, screen.card, card_box(place))
    title, inner = inner.top_slice(round(inner.h * 0.3), canvas.px(8))
    canvas.block(screen.title, title, 46, theme.text, bold=True, smallest=20)
    if screen.lead:
        share = 0.4 if screen.paragraphs else 1
        lead, _ = inner.top_slice(round(inner.h * share))
        said = canvas.block(screen.lead, lead, 26, theme.text, smallest=14, from_top=True)
        inner = inner.bottom_slice(max(0, inner.h - said.h - canvas.px(18)))[0]
    size = _size_for_all(canvas, screen.paragraphs, inner)
    for index, paragraph in enumerate(screen.paragraphs):
        # Where not all of them fit, each has its share, and the end of a long one is cut.
        most = inner.h if size > PARAGRAPH_PX[0] else inner.h // (len(screen.paragraphs) - index)
        row, _ = inner.top_slice(most)
        said = canvas.block(paragraph, row, size, theme.muted, smallest=PARAGRAPH_PX[0], from_top=True)
        inner = inner.bottom_slice(max(0, inner.h - said.h - canvas.px(PARAGRAPH_GAP_PX)))[0]


def _size_for_all(canvas: Canvas, paragraphs: tuple[str, ...], box: Box) -> int:
    """The largest size at which all *paragraphs* fit below each other: what is alike looks alike."""
    gaps = (len(paragraphs) - 1) * canvas.px(PARAGRAPH_GAP_PX)
    smallest, largest = PARAGRAPH_PX
    for size in range(largest, smallest, -1):
        step = words.line_height(canvas.px(size), False)
        lines = sum(len(words.wrap(words.clean(said), canvas.px(size), False, box.w)) for said in paragraphs)
        if lines * step + gaps <= box.h:
            return size
    return smallest


def paint_scores(canvas: Canvas, screen: ScoresScreen, box: Box) -> None:
    """The standings, best first, then what to keep of the match."""
    theme = canvas.theme
    canvas.fill(box, 26, theme.felt)
    inner = box.inset(canvas.px(24), canvas.px(16))
    title, inner = inner.top_slice(canvas.px(52), canvas.px(8))
    sign, said = title.left_slice(canvas.px(40), canvas.px(14))
    canvas.symbol("crown", sign, theme.warning.fill)
    canvas.line(screen.title, said, 34, theme.text, bold=True, smallest=16)
    if screen.notes:
        high = canvas.px(48) * len(screen.notes)
        strip, inner = inner.bottom_slice(min(high, inner.h // 2), canvas.px(10))
        for note, row in zip(screen.notes, rows(strip, len(screen.notes), canvas.px(6)), strict=True):
            label, value = rows(row, 2, 0)
            canvas.line(note.label, label, 14, theme.muted, smallest=10)
            canvas.line(note.text, value, 17, theme.text, smallest=10)
    if not screen.standings:
        return
    # Beyond five, two columns keep the rows high enough to read.
    column_count = 2 if len(screen.standings) > 5 and inner.w > inner.h else 1
    per_column = -(-len(screen.standings) // column_count)
    gap = canvas.px(6)
    for index, column in enumerate(columns(inner, column_count, canvas.px(16))):
        here = screen.standings[index * per_column : (index + 1) * per_column]
        highest = min(column.h, per_column * canvas.px(58))
        for standing, row in zip(here, rows(column.top_slice(highest)[0], per_column, gap), strict=False):
            _standing(canvas, standing, row)


def _standing(canvas: Canvas, standing: Standing, row: Box) -> None:
    theme = canvas.theme
    ink = theme.turn if standing.is_winner else Ink(theme.panel, theme.text)
    canvas.fill(row, 10, ink.fill)
    inner = row.inset(canvas.px(12), canvas.px(2))
    place, inner = inner.left_slice(canvas.px(34), canvas.px(8))
    score, name = inner.right_slice(round(inner.w * 0.3), canvas.px(8))
    dot, name = name.left_slice(canvas.px(14), canvas.px(10))
    canvas.line(standing.place, place, 22, blend(ink.fill, ink.ink, 0.7), smallest=11)
    side = min(canvas.px(14), row.h)
    canvas.fill(dot.centred(side, side), 7, theme.person(standing.colour_index))
    canvas.line(standing.name, name, 24, ink.ink, bold=True, smallest=12)
    canvas.line(standing.score, score, 26, ink.ink, bold=True, align=Align.RIGHT, smallest=12)


def text_pages(canvas: Canvas, screen: TextScreen, box: Box) -> list[list[tuple[str, bool]]]:
    """The lines of each page, and whether each is a heading; always at least one page."""
    size, room = canvas.px(19), max(1, box.h // words.line_height(canvas.px(19), True))
    lines: list[tuple[str, bool]] = []
    for paragraph in screen.paragraphs:
        is_heading = paragraph.startswith(HEADING)
        said = words.clean(paragraph.removeprefix(HEADING))
        if lines:
            lines.append(("", False))
        lines += [(line, is_heading) for line in words.wrap(said, size, is_heading, box.w)]
    pages: list[list[tuple[str, bool]]] = []
    while lines:
        here = lines[:room]
        while len(here) > 1 and len(lines) > room and here[-1][1]:  # a heading goes with what follows it
            here.pop()
        lines = lines[len(here) :]
        while lines and not lines[0][0]:
            lines.pop(0)
        pages.append(here)
    return pages or [[]]


def paint_text(canvas: Canvas, screen: TextScreen, box: Box, page: int) -> int:
    """One page, with its number and what turns it; returns the page that was shown, which may be the last."""
    theme = canvas.theme
    canvas.fill(box, 26, theme.felt)
    inner = box.inset(canvas.px(24), canvas.px(16))
    head, inner = inner.top_slice(canvas.px(40), canvas.px(8))
    side, body = inner.right_slice(canvas.metrics.touch + canvas.px(28), canvas.px(16))
    pages = text_pages(canvas, screen, body)
    page = max(0, min(page, len(pages) - 1))
    number, title = head.right_slice(round(head.w * 0.3), canvas.px(8))
    canvas.line(screen.title, title, 30, theme.text, bold=True, smallest=14)
    canvas.line(f"{screen.page} {page + 1}/{len(pages)}", number, 17, theme.muted, align=Align.RIGHT, smallest=11)
    step = words.line_height(canvas.px(19), True)
    for index, (line, is_heading) in enumerate(pages[page]):
        row = Box(body.x, body.y + index * step, body.w, step)
        canvas.line(line, row, 19, theme.text if is_heading else blend(theme.felt, theme.text, 0.86), bold=is_heading)
    if len(pages) > 1:
        high = min(canvas.px(130), (side.h - canvas.px(8)) // 2)
        upper, _ = side.top_slice(high)
        lower, _ = side.bottom_slice(high)
        turn = Control(PREVIOUS_PAGE, screen.previous, "back", enabled=page > 0, key="left")
        paint_control(canvas, turn, upper, Press.WINDOW)
        turn = Control(NEXT_PAGE, screen.next, "forward", enabled=page < len(pages) - 1, key="right")
        paint_control(canvas, turn, lower, Press.WINDOW)
    return page
