"""Card faces, drawn by us: a coloured field, its shape in the middle and in two corners, the rank large.

Nothing of any maker's art is copied. Colour, shape and letter always come together; the corner opposite is
turned round for those who sit there, and 6 and 9 are underlined.
"""

from __future__ import annotations

from functools import lru_cache

import pygame

from table_app.display import text as words
from table_app.display.canvas import Canvas
from table_app.display.geometry import Box
from table_app.display.pen import rounded, sprite
from table_app.display.symbols import SHAPES, SYMBOLS
from table_app.display.theme import Rgb, Theme, blend
from table_app.view.table_view import CardView

# Ordinary playing cards are 2 to 3; so are these.
ASPECT = 2 / 3
# A hand, a picker and the top card, in two window sizes.
CARD_CACHE = 192
DRAWN_RANKS = frozenset({"skip", "reverse"})
COLOUR_ORDER = ("red", "yellow", "green", "blue")


def card_box(room: Box) -> Box:
    """The largest card that fits in *room*, in its middle."""
    wide = min(room.w, round(room.h * ASPECT))
    return room.centred(wide, round(wide / ASPECT))


def paint_card(canvas: Canvas, card: CardView, box: Box) -> None:
    """Draw *card* in *box*, which should have a card's proportions."""
    if box.w >= 8 and box.h >= 8:
        canvas.surface.blit(_picture(card, box.w, box.h, canvas.theme), (box.x, box.y))


@lru_cache(maxsize=CARD_CACHE)
def _picture(card: CardView, wide: int, high: int, theme: Theme) -> pygame.Surface:
    face = pygame.Surface((wide, high), pygame.SRCALPHA, 32)
    whole = Box(0, 0, wide, high)
    radius = max(3, wide // 10)
    rounded(face, whole, radius, blend(theme.paper, (0, 0, 0), 0.35))
    edge = max(1, wide // 90)
    rounded(face, whole.inset(edge), radius - edge, theme.paper)
    border = max(2, round(wide * 0.055))
    field = whole.inset(border)
    if card.colour is None:
        _wild_field(face, field, radius - border // 2, theme)
    else:
        rounded(face, field, max(2, radius - border // 2), theme.card(card.colour.key).fill)
    _middle(face, card, field, theme)
    if wide >= 40:
        _corners(face, card, field, theme)
    return face


def _wild_field(face: pygame.Surface, field: Box, radius: int, theme: Theme) -> None:
    """Dark, with all four colours' shapes: a wild goes on any of them."""
    rounded(face, field, max(2, radius), theme.wild.fill)
    side = round(field.w * 0.3)
    for index, key in enumerate(COLOUR_ORDER):
        x = field.x + round(field.w * (0.27 if index % 2 == 0 else 0.73)) - side // 2
        y = field.y + round(field.h * (0.2 if index < 2 else 0.8)) - side // 2
        ink = theme.card(key).fill
        shown = ink if _distance(ink, theme.wild.fill) > 120 else blend(ink, (255, 255, 255), 0.35)
        face.blit(sprite(SHAPES[key], side, shown), (x, y))


def _distance(first: Rgb, second: Rgb) -> int:
    return sum(abs(a - b) for a, b in zip(first, second, strict=True))


def _middle(face: pygame.Surface, card: CardView, field: Box, theme: Theme) -> None:
    colours = theme.card(card.colour.key) if card.colour else theme.wild
    if card.colour and card.colour.key in SHAPES:
        side = round(field.w * 0.86)
        square = field.centred(side, side)
        faint = blend(colours.fill, colours.ink, 0.2)
        face.blit(sprite(SHAPES[card.colour.key], side, faint), (square.x, square.y))
    if card.rank in DRAWN_RANKS:
        side = round(field.w * 0.62)
        square = field.centred(side, side)
        face.blit(sprite(SYMBOLS[card.rank], side, colours.ink), (square.x, square.y))
        return
    if card.rank == "wild":
        _pinwheel(face, field, theme)
        return
    rank = words.clean(card.rank)
    room = field.centred(round(field.w * 0.8), round(field.h * 0.62))
    if not rank:
        return
    fitted = words.fit_line(rank, True, room.w, room.h, round(field.h * 0.56), 6)
    picture = words.picture(fitted.lines[0], fitted.size, True, colours.ink)
    wide, high = picture.get_size()
    middle = field.centred(wide, high)
    face.blit(picture, (middle.x, middle.y))
    if rank in {"6", "9"}:
        bar = Box(middle.x + wide // 5, middle.y + round(high * 0.86), wide - 2 * (wide // 5), max(2, high // 18))
        rounded(face, bar, bar.h // 2, colours.ink)


def _pinwheel(face: pygame.Surface, field: Box, theme: Theme) -> None:
    """The middle of a wild: four squares, one a colour."""
    side = round(field.w * 0.26)
    gap = max(1, side // 10)
    left = field.x + field.w // 2 - side - gap // 2
    top = field.y + field.h // 2 - side - gap // 2
    for index, key in enumerate(COLOUR_ORDER):
        box = Box(left + (index % 2) * (side + gap), top + (index // 2) * (side + gap), side, side)
        rounded(face, box, side // 5, theme.card(key).fill)


def _corners(face: pygame.Surface, card: CardView, field: Box, theme: Theme) -> None:
    """Shape over letter at the upper left, and turned round at the lower right."""
    if card.colour is None:
        return
    ink = theme.card(card.colour.key).ink
    side = round(field.w * 0.17)
    pad = round(field.w * 0.07)
    high = round(side * 2.25)
    corner = pygame.Surface((side, high), pygame.SRCALPHA, 32)
    if card.colour.key in SHAPES:
        corner.blit(sprite(SHAPES[card.colour.key], side, ink), (0, 0))
    letter = words.clean(card.colour.letter)
    if letter:
        fitted = words.fit_line(letter, True, side, high - side, round(side * 1.05), 5)
        picture = words.picture(fitted.lines[0], fitted.size, True, ink)
        corner.blit(picture, ((side - picture.get_width()) // 2, side + max(1, side // 12)))
    face.blit(corner, (field.x + pad, field.y + pad))
    turned = pygame.transform.rotate(corner, 180)
    face.blit(turned, (field.right - pad - side, field.bottom - pad - high))
