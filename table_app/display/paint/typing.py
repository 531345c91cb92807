"""Paints the keys for a word of one's own, such as a name: on a touch screen there is no other keyboard.

What is typed is remembered by the window; these keys are known to it by their names alone.
"""

from __future__ import annotations

from table_app.display.canvas import Align, Canvas, Press
from table_app.display.geometry import Box, columns, rows
from table_app.display.paint.controls import paint_control
from table_app.display.theme import blend
from table_app.view.table_view import NAME_LETTERS_MAX, Control, Typing

TYPE, KEY, DELETE, TYPED, CLOSE_TYPING = "type:", "key:", "type-delete", "typed", "close-typing"
"""What the window is told: a letter as it was typed, a key on the screen, and the three other keys there.

They keep their names whatever was typed before: a key that is new under a finger is not pressed by it.
"""
TYPED_MAX = NAME_LETTERS_MAX
BREAKS = " -',"
"""After these, and at the beginning, the keys are capitals, as names are."""


def typed_after(typed: str, key: str, letters_max: int = TYPED_MAX) -> str | None:
    """What stands there after *key*; None where the keys are put away.

    >>> typed_after("An", TYPE + "a")
    'Ana'
    """
    if key == CLOSE_TYPING:
        return None
    if key == DELETE:
        return typed[:-1]
    character = key.removeprefix(TYPE)
    if key.startswith(KEY):
        character = _shown(key.removeprefix(KEY), typed)
    fits = len(typed) < letters_max and character.isprintable() and (typed or character != " ")
    return typed + character if fits else typed


def _shown(letter: str, typed: str) -> str:
    """The letter as its key shows it after *typed*."""
    is_capital = (not typed or typed[-1] in BREAKS) and len(letter.upper()) == 1
    return letter.upper() if is_capital else letter


def paint_typing(canvas: Canvas, typing: Typing, typed: str, box: Box) -> None:
    """The title, what was typed, and a key for each letter; as many rows as the language needs, and one more."""
    theme, gap = canvas.theme, canvas.px(6)
    head, inner = box.top_slice(canvas.px(34), gap)
    canvas.line(typing.title, head, 26, theme.text, bold=True, align=Align.CENTRE, smallest=13)
    field, inner = inner.top_slice(canvas.px(56), canvas.px(10))
    canvas.outline(field, 12, theme.panel, theme.turn.fill, 2)
    canvas.line(f"{typed}|", field.inset(canvas.px(14), 0), 34, theme.text, bold=True, smallest=14)
    inner = inner.centred(inner.w, (len(typing.rows) + 1) * (canvas.metrics.touch + gap) - gap)
    *letters, last = rows(inner, len(typing.rows) + 1, gap)
    widest = max(len(row) for row in typing.rows)
    wide = (inner.w + gap) // widest - gap
    for row, strip in zip(typing.rows, letters, strict=True):
        cells = columns(strip.centred(len(row) * (wide + gap) - gap, strip.h), len(row), gap)
        for letter, cell in zip(row, cells, strict=True):
            _key(canvas, letter, _shown(letter, typed), cell)
    back, delete, space, done = columns(last, 4, gap)
    paint_control(canvas, Control(CLOSE_TYPING, typing.back, "back", key="escape"), back, Press.WINDOW)
    is_empty = not typed.strip()
    erase = Control(DELETE, typing.delete, "undo", enabled=not is_empty, key="backspace")
    paint_control(canvas, erase, delete, Press.WINDOW)
    _key(canvas, " ", "\N{OPEN BOX}", space)
    ready = Control(TYPED, typing.done, "yes", enabled=not is_empty, emphasis=True, key="return")
    paint_control(canvas, ready, done, Press.WINDOW)


def _key(canvas: Canvas, letter: str, shown: str, cell: Box) -> None:
    theme = canvas.theme
    is_held = canvas.target(cell, Press.WINDOW, f"{KEY}{letter}")
    ground = blend(theme.raised, theme.text, 0.3) if is_held else theme.raised
    canvas.outline(cell, 10, ground, blend(ground, theme.text, 0.18), 1.2)
    canvas.line(shown, cell, 28, theme.text, align=Align.CENTRE, smallest=14)
