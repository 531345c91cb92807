"""Paints what stands in the middle of the table: top card, ruling, what is awaited, facts, banners, alarm.

One glance from two metres must give the top card, the colour in force and the last ruling; the rest may take
a step closer. Seats and frame belong to ``table``, buttons to ``controls``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from table_app.display import text as words
from table_app.display.canvas import Align, Canvas
from table_app.display.cards import ASPECT, card_box, paint_card
from table_app.display.geometry import Box, rows
from table_app.display.theme import Ink
from table_app.view.table_view import Alarm, Banner, Direction, Headline, Kind, TableView

KIND_SIGNS = {
    Kind.ACCEPTED: "allow",
    Kind.REFUSED: "cross_out",
    Kind.ALARM: "warning",
    Kind.NOTICE: "notice",
}
# Two troubles at once are plenty to read; more would hide the game.
MOST_BANNERS = 2
# A long one is written this large, and takes no more of the felt than this: the top card stays to be seen.
BANNER_PX = 13
BANNER_SHARE = 0.42
SMALLEST = 11


def paint_felt(canvas: Canvas, view: TableView, room: Box) -> None:
    """Paint everything that belongs on the felt into *room*."""
    room = paint_banners(canvas, view.banners, room)
    if view.alarm:
        paint_alarm(canvas, view.alarm, room)
        return
    is_upright = room.w < room.h * 0.95
    # A low felt gives its whole height to the card, and the facts stand beside it; else they run below both.
    is_low = not is_upright and room.h * ASPECT <= room.w * 0.42
    has_two_rows = is_upright or (is_low and room.h > canvas.px(200))
    facts_high = canvas.px(74 if has_two_rows else 34)
    has_facts = not (is_low and room.h < canvas.px(125))  # the frame tells colour and direction all the same
    facts = room
    if not is_low:
        facts, room = room.bottom_slice(facts_high, canvas.px(10))
    if is_upright:
        place, told = room.top_slice(min(round(room.h * 0.43), round(room.w / ASPECT)), canvas.px(10))
    else:
        place, told = room.left_slice(min(round(room.h * ASPECT), round(room.w * 0.42)), canvas.px(14))
    if is_low and has_facts:
        facts, told = told.bottom_slice(facts_high, canvas.px(8))
    if view.top_card:
        paint_card(canvas, view.top_card, card_box(place))
    else:
        _empty_place(canvas, card_box(place))
    if has_facts:
        _facts(canvas, view, facts, has_two_rows)
    _told(canvas, view, told)


def _empty_place(canvas: Canvas, box: Box) -> None:
    theme = canvas.theme
    canvas.outline(box, 14, theme.felt, theme.line, 2)
    side = box.w // 3
    canvas.symbol("pile", box.centred(side, side), theme.line)


def _told(canvas: Canvas, view: TableView, box: Box) -> None:
    """The ruling above, below it the question that is open or what is awaited, on the colour that is looked for."""
    if view.question or view.sought:
        lower = round(box.h * 0.5)
        room = box.w - canvas.px(46), box.h - lower - canvas.px(16)
        if view.headline and not words.fits(words.clean(view.headline.text), True, *room, canvas.px(SMALLEST)):
            lower = round(box.h * 0.42)
    elif view.headline:
        # What is awaited gets what it needs to be read easily; a long ruling has the rest.
        needed = words.fit(
            words.clean(view.prompt),
            True,
            box.w,
            box.h,
            canvas.px(22 if box.h > canvas.px(150) else 20),
            canvas.px(12),
        )
        lines = max(1, len(needed.lines)) * words.line_height(needed.size, True)
        lower = min(round(box.h * 0.42), max(lines, round(box.h * 0.36) if box.h > canvas.px(150) else 0))
    else:
        lower = box.h
    bottom, top = box.bottom_slice(lower, canvas.px(8))
    if view.headline:
        _headline(canvas, view.headline, top)
    if view.question:
        theme = canvas.theme
        canvas.fill(bottom, 12, theme.emphasis.fill)
        inner = bottom.inset(canvas.px(12), canvas.px(6))
        sign, said = inner.left_slice(canvas.px(30), canvas.px(10))
        canvas.symbol("question", sign, theme.emphasis.ink)
        canvas.block(view.question.text, said, 26, theme.emphasis.ink, bold=True, smallest=SMALLEST)
    elif view.sought:
        ink = canvas.theme.card(view.sought.key)
        canvas.fill(bottom, 12, ink.fill)
        sign, said = bottom.inset(canvas.px(12), canvas.px(6)).left_slice(canvas.px(30), canvas.px(10))
        canvas.symbol(view.sought.key, sign, ink.ink)
        canvas.block(view.prompt, said, 26, ink.ink, bold=True, smallest=SMALLEST)
    else:
        canvas.block(view.prompt, bottom, 32, canvas.theme.text, bold=True, smallest=12)


def _headline(canvas: Canvas, headline: Headline, box: Box) -> None:
    theme = canvas.theme
    colour = theme.kinds[headline.kind]
    canvas.outline(box, 12, theme.panel, colour, 2)
    is_low = box.h < canvas.px(110)
    inner = box.inset(canvas.px(8 if is_low else 12), canvas.px(4 if is_low else 7))
    sign, inner = inner.left_slice(canvas.px(22 if is_low else 26), canvas.px(8 if is_low else 10))
    canvas.symbol(KIND_SIGNS[headline.kind], sign, colour)
    cited, above = inner.bottom_slice(canvas.px(18), canvas.px(1))
    # Of a ruling so long that it would be cut, the rule's name is what can be done without.
    if headline.rule and words.fits(words.clean(headline.text), True, above.w, above.h, canvas.px(SMALLEST)):
        inner = above
        book, said = cited.left_slice(canvas.px(14), canvas.px(6))
        canvas.symbol("book", book, theme.muted)
        canvas.line(headline.rule, said, 14, theme.muted, smallest=11)
    canvas.block(headline.text, inner, 22 if is_low else 27, theme.text, bold=True, smallest=SMALLEST)


def _facts(canvas: Canvas, view: TableView, box: Box, has_two_rows: bool) -> None:
    """Colour in force, direction, draw pile, target; each with its sign, each as wide as it needs to be."""
    facts: list[Fact] = []
    if view.colour:
        facts.append(Fact(view.colour.key, view.colour.name, canvas.theme.card(view.colour.key)))
    if view.direction:
        facts.append(Fact(view.direction.value, view.direction_name))
    if view.draw_pile:
        facts.append(Fact("pile", view.draw_pile))
    if view.target:
        facts.append(Fact("flag", view.target))
    if not has_two_rows and box.w < canvas.px(330):
        facts = [fact for fact in facts if fact.sign != "flag"]  # the least that a narrow row can do without
    if has_two_rows:
        for row, pair in zip(rows(box, 2, canvas.px(6)), (facts[:2], facts[2:]), strict=True):
            _fact_row(canvas, pair, row)
    else:
        _fact_row(canvas, facts, box)


@dataclass(frozen=True, slots=True)
class Fact:
    """A sign and a few words; *ink* fills its ground."""

    sign: str
    said: str
    ink: Ink | None = None


def _fact_row(canvas: Canvas, facts: list[Fact], row: Box) -> None:
    """Facts in a row; where it is narrow the direction is told by its arrow alone."""
    if not facts:
        return
    gap, size = canvas.px(12), 18
    shown = list(facts)
    room = row.w - gap * (len(shown) - 1)
    wanted = [_fact_width(canvas, fact, size) for fact in shown]
    while sum(wanted) > room and size > 15:
        size -= 1
        wanted = [_fact_width(canvas, fact, size) for fact in shown]
    if sum(wanted) > room:
        shown = [replace(f, said="") if f.sign in set(Direction) else f for f in shown]
        wanted = [_fact_width(canvas, fact, size) for fact in shown]
    share = min(1.0, room / max(1, sum(wanted)))
    spare = max(0, room - sum(wanted)) // max(1, len(shown) - 1) if len(shown) > 1 else 0
    x = row.x
    for fact, wide in zip(shown, wanted, strict=True):
        _fact(canvas, fact, Box(x, row.y, int(wide * share), row.h), size)
        x += int(wide * share) + gap + spare


def _fact_width(canvas: Canvas, fact: Fact, size: int) -> int:
    bold = fact.ink is not None
    said = words.width(words.clean(fact.said), canvas.px(size), bold) + canvas.px(8) if fact.said else 0
    return canvas.px(24) + said + (2 * canvas.px(9) if fact.ink else 0)


def _fact(canvas: Canvas, fact: Fact, cell: Box, size: int) -> None:
    theme = canvas.theme
    ink = fact.ink or Ink(theme.felt, theme.text)
    if fact.ink:
        canvas.fill(cell, 10, ink.fill)
        cell = cell.inset(canvas.px(9), 0)
    mark, said = cell.left_slice(min(canvas.px(24), cell.w), canvas.px(7))
    canvas.symbol(fact.sign, mark, ink.ink if fact.ink else theme.muted)
    canvas.line(fact.said, said, size, ink.ink, bold=bool(fact.ink), smallest=11)


def paint_banners(canvas: Canvas, banners: tuple[Banner, ...], room: Box) -> Box:
    """Strips over the upper edge; returns the room left below them."""
    theme = canvas.theme
    for banner in banners[:MOST_BANNERS]:
        strip, room = room.top_slice(_banner_high(canvas, banner, room), canvas.px(6))
        ink = theme.warning if banner.kind in (Kind.ALARM, Kind.REFUSED) else Ink(theme.raised, theme.text)
        canvas.fill(strip, 10, ink.fill)
        sign, said = strip.inset(canvas.px(10), canvas.px(3)).left_slice(canvas.px(26), canvas.px(10))
        canvas.symbol(KIND_SIGNS[banner.kind], sign, ink.ink)
        canvas.block(banner.text, said, 19, ink.ink, bold=True, smallest=SMALLEST)
    return room


def _banner_high(canvas: Canvas, banner: Banner, room: Box) -> int:
    """As high as the sentence needs: what to do about it stands at its end."""
    usual = canvas.px(46 if room.h > canvas.px(250) else 34)
    wide = room.w - 2 * canvas.px(10) - canvas.px(26) - canvas.px(10)
    lines = words.wrap(words.clean(banner.text), canvas.px(BANNER_PX), True, max(1, wide))
    needed = len(lines) * words.line_height(canvas.px(BANNER_PX), True) + 2 * canvas.px(3)
    return min(max(usual, needed), round(room.h * BANNER_SHARE))


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
