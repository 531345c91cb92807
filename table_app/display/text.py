"""Words as pictures: the shipped fonts, cleaning of what people typed, and fitting text into a box.

Nothing outside a box is ever drawn: text shrinks to a smallest size, then is cut with an ellipsis. Where a
text goes and what it says is not decided here.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pygame

from table_app.display.theme import Rgb

FONT_DIRECTORY = Path(__file__).parent / "fonts"
FONT_FILES = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}
ELLIPSIS = "…"
# Sizes of one screen are some twenty; two weights and a few window sizes fit, and an open font is small.
FONT_CACHE = 128
# A screen holds about a hundred texts; the last few screens' worth is kept.
TEXT_CACHE = 512
# No box on any screen shows more; longer texts would only cost time in wrapping.
LONGEST_TEXT = 1200
# A blank that holds a number and its word together stays what it is; every other run of blanks is one.
BLANKS = re.compile(r"[^\S\N{NO-BREAK SPACE}]+")


@lru_cache(maxsize=FONT_CACHE)
def font(size: int, bold: bool) -> pygame.font.Font:
    """The shipped font at *size* pixels (height of a line, roughly). ``pygame.font`` must be initialised."""
    return pygame.font.Font(str(FONT_DIRECTORY / FONT_FILES[bold]), max(1, size))


@lru_cache(maxsize=TEXT_CACHE)
def clean(text: str) -> str:
    """*text* fit to be drawn: composed, on one line, without control characters, halves and emoji.

    >>> clean("Ana\\x00\\n Eva")
    'Ana Eva'
    """
    composed = unicodedata.normalize("NFC", text[:LONGEST_TEXT])
    return BLANKS.sub(" ", "".join(_drawable(character) for character in composed)).strip()


def _drawable(character: str) -> str:
    """*character*, a blank for what breaks lines, or nothing for what has no picture in the shipped fonts."""
    category = unicodedata.category(character)
    if category in {"Cc", "Zl", "Zp"}:
        return " "
    is_emoji = category in {"So", "Sk"} and character > "\uffff"
    return "" if is_emoji or category in {"Cf", "Cs", "Cn", "Co"} else character


def width(text: str, size: int, bold: bool) -> int:
    """How wide *text* is, in pixels."""
    try:
        return int(font(size, bold).size(text)[0])
    except (UnicodeError, pygame.error):  # older SDL_ttf knows nothing above U+FFFF
        return int(font(size, bold).size(basic(text))[0])


def basic(text: str) -> str:
    """*text* with every character above U+FFFF replaced, for an SDL_ttf that refuses them."""
    return "".join(c if ord(c) <= 0xFFFF else "\N{REPLACEMENT CHARACTER}" for c in text)


def line_height(size: int, bold: bool) -> int:
    """The height of one line with its leading, in pixels."""
    face = font(size, bold)
    return max(int(face.get_linesize()), int(face.get_height()), int(face.size("Ág")[1]))


@lru_cache(maxsize=TEXT_CACHE)
def picture(text: str, size: int, bold: bool, colour: Rgb) -> pygame.Surface:
    """*text*, already clean, drawn on nothing."""
    try:
        return font(size, bold).render(text, True, colour)
    except (UnicodeError, pygame.error):
        return font(size, bold).render(basic(text), True, colour)


class Fitted(NamedTuple):
    """Lines that fit a box at *size*."""

    size: int
    lines: tuple[str, ...]


def cut(text: str, size: int, bold: bool, widest: int) -> str:
    """*text* or as much of it as fits *widest* pixels with an ellipsis; empty if not even that fits."""
    if width(text, size, bold) <= widest:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + ELLIPSIS, size, bold) <= widest:
            low = middle
        else:
            high = middle - 1
    if low:
        return text[:low].rstrip() + ELLIPSIS
    return ELLIPSIS if width(ELLIPSIS, size, bold) <= widest else ""


def wrap(text: str, size: int, bold: bool, widest: int) -> list[str]:
    """*text* broken at blanks into lines of at most *widest* pixels; a word too long is broken anywhere."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width(longer, size, bold) <= widest:
            line = longer
            continue
        if line:
            lines.append(line)
        while word and width(word, size, bold) > widest:
            kept = len(cut(word, size, bold, widest).rstrip(ELLIPSIS)) or 1
            lines.append(word[:kept])
            word = word[kept:]
        line = word
    if line:
        lines.append(line)
    return lines


def has_broken_word(lines: list[str], text: str) -> bool:
    """Whether wrapping had to break inside a word."""
    return " ".join(lines) != text


@lru_cache(maxsize=TEXT_CACHE)
def fit(text: str, bold: bool, box_width: int, box_height: int, largest: int, smallest: int) -> Fitted:
    """The largest size from *largest* down to *smallest* at which *text*, wrapped, fits the box.

    A size that breaks no word is taken before a larger one that does. At *smallest* what is left over is cut.
    """
    smallest = min(smallest, largest)
    step = max(1, largest // 24)
    for size in range(largest, smallest - 1, -step):
        room = box_height // line_height(size, bold)
        if room < 1:
            continue
        lines = wrap(text, size, bold, box_width)
        if len(lines) <= room and not has_broken_word(lines, text):
            return Fitted(size, tuple(lines))
    room = max(1, box_height // line_height(smallest, bold))
    lines = wrap(text, smallest, bold, box_width)
    if len(lines) > room:
        lines[room - 1 :] = [cut(" ".join(lines[room - 1 :]), smallest, bold, box_width)]
    return Fitted(smallest, tuple(cut(line, smallest, bold, box_width) for line in lines))


def fits(text: str, bold: bool, box_width: int, box_height: int, size: int) -> bool:
    """Whether *text*, wrapped, is whole in the box at *size*."""
    return len(wrap(text, size, bold, box_width)) * line_height(size, bold) <= box_height


@lru_cache(maxsize=TEXT_CACHE)
def fit_line(text: str, bold: bool, widest: int, tallest: int, largest: int, smallest: int) -> Fitted:
    """As ``fit``, on a single line."""
    size = max(1, largest)
    while size > smallest and (width(text, size, bold) > widest or line_height(size, bold) > tallest):
        size -= 1
    return Fitted(size, (cut(text, size, bold, widest),))
