"""Paints the screen on which cards are given their tags: the next card large, the last answer, how far it has got."""

from __future__ import annotations

from table_app.display.canvas import Align, Canvas
from table_app.display.cards import ASPECT, card_box, paint_card
from table_app.display.geometry import Box
from table_app.display.paint.felt import KIND_SIGNS
from table_app.view.table_view import EnrolScreen, Headline, Kind


def paint_enrol(canvas: Canvas, screen: EnrolScreen, question: str, box: Box) -> None:
    """The card on the right (or below), words on the left, a bar for the count along the lower edge.

    *question* takes the place of the last answer while it is open.
    """
    theme = canvas.theme
    canvas.fill(box, 26, theme.felt)
    inner = box.inset(canvas.px(26), canvas.px(20))
    strip, inner = inner.bottom_slice(canvas.px(34), canvas.px(12))
    _bar(canvas, screen, strip)
    if screen.card is not None:
        if inner.w > inner.h:
            place, inner = inner.right_slice(min(round(inner.h * ASPECT), inner.w // 3), canvas.px(26))
        else:
            place, inner = inner.bottom_slice(inner.h // 2, canvas.px(14))
        paint_card(canvas, screen.card, card_box(place))
    title, inner = inner.top_slice(round(inner.h * 0.38), canvas.px(8))
    canvas.block(screen.title, title, 46, theme.text, bold=True, smallest=18)
    headline = Headline(question, Kind.NOTICE) if question else screen.headline
    said, missing = inner.top_slice(round(inner.h * 0.6), canvas.px(6))
    if headline is not None:
        sign, words = said.left_slice(canvas.px(30), canvas.px(12))
        colour = theme.kinds[headline.kind]
        canvas.symbol("question" if question else KIND_SIGNS[headline.kind], sign, colour)
        canvas.block(headline.text, words, 26, theme.text, bold=bool(question), smallest=12)
    if screen.missing:
        canvas.block(screen.missing, missing, 17, theme.muted, smallest=11)


def _bar(canvas: Canvas, screen: EnrolScreen, strip: Box) -> None:
    """How many of how many: a bar, and beside it in numbers."""
    theme = canvas.theme
    count, bar = strip.right_slice(round(strip.w * 0.24), canvas.px(12))
    canvas.line(screen.count, count, 24, theme.text, bold=True, align=Align.RIGHT, smallest=11)
    track = bar.centred(bar.w, min(bar.h, canvas.px(16)))
    canvas.fill(track, 8, theme.raised)
    share = min(screen.done / screen.total, 1.0) if screen.total else 0.0
    if share:
        canvas.fill(Box(track.x, track.y, max(track.h, round(track.w * share)), track.h), 8, theme.kinds[Kind.ACCEPTED])
