"""Colour never speaks alone: shapes tell the colours apart in grey and from every side; text stands out."""

from __future__ import annotations

from itertools import combinations

import pygame
import pytest

from table_app.display.canvas import Canvas
from table_app.display.cards import paint_card
from table_app.display.geometry import Box
from table_app.display.layout import metrics
from table_app.display.pen import sprite
from table_app.display.symbols import SHAPES, SYMBOLS
from table_app.display.theme import TABLE, Rgb, Theme, blend
from table_app.view.present import present
from table_app.view.table_view import Kind
from tests.display import sample_views
from tests.table.rig import Rig

SIDE = 64


def mask(name: str, turns: int = 0) -> list[bool]:
    drawn = pygame.transform.rotate(sprite(SYMBOLS[name], SIDE, (255, 255, 255)), 90 * turns)
    return [drawn.get_at((x, y)).a > 127 for y in range(SIDE) for x in range(SIDE)]


def likeness(first: list[bool], second: list[bool]) -> float:
    """Shared area over joint area: 1.0 for the same shape."""
    both = sum(a and b for a, b in zip(first, second, strict=True))
    either = sum(a or b for a, b in zip(first, second, strict=True))
    return both / either


@pytest.mark.parametrize(("first", "second"), list(combinations(SHAPES, 2)))
def test_shapes_differ_without_their_colour(first: str, second: str) -> None:
    assert likeness(mask(first), mask(second)) < 0.7


@pytest.mark.parametrize("name", list(SHAPES))
def test_a_shape_looks_the_same_from_every_side_of_the_table(name: str) -> None:
    for turns in (1, 2, 3):
        assert likeness(mask(name), mask(name, turns)) > 0.95


def test_no_two_signs_are_alike() -> None:
    masks = {name: mask(name) for name in SYMBOLS}
    for first, second in combinations(masks, 2):
        assert likeness(masks[first], masks[second]) < 0.93, f"{first} and {second}"


def grey_corner(letter: str, theme: Theme) -> list[float]:
    """The brightness of a card's upper left corner, in relation to the card's own ground."""
    pygame.font.init()
    surface = pygame.Surface((200, 300), 0, 32)
    paint_card(Canvas(surface, theme, metrics(800, 480)), sample_views.card(f"{letter}7"), Box(0, 0, 200, 300))
    ground = brightness(surface.get_at((100, 25))[:3])
    return [abs(brightness(surface.get_at((x, y))[:3]) - ground) for y in range(24, 56, 2) for x in range(22, 56, 2)]


def brightness(colour: tuple[int, ...]) -> float:
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


@pytest.mark.parametrize(("first", "second"), list(combinations("rygb", 2)))
def test_cards_of_two_colours_differ_in_a_grey_picture(first: str, second: str) -> None:
    one, other = grey_corner(first, TABLE), grey_corner(second, TABLE)
    differing = sum((a > 60) != (b > 60) for a, b in zip(one, other, strict=True))
    assert differing >= 0.12 * len(one)


def contrast(first: Rgb, second: Rgb) -> float:
    """WCAG 2.1's contrast ratio."""

    def luminance(colour: Rgb) -> float:
        parts = [c / 255 for c in colour]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_text_stands_out_from_its_ground() -> None:
    theme = TABLE
    pairs = [(theme.text, ground) for ground in (theme.background, theme.felt, theme.panel, theme.raised)]
    pairs += [(theme.muted, ground) for ground in (theme.background, theme.felt, theme.panel)]
    pairs += [(theme.kinds[kind], theme.panel) for kind in Kind]
    pairs += [(ink.ink, ink.fill) for ink in theme.cards.values()]
    pairs += [(i.ink, i.fill) for i in (theme.turn, theme.emphasis, theme.wild, theme.alarm, theme.warning)]
    pairs += [(blend(theme.panel, theme.text, 0.72), theme.panel)]
    pairs += [(blend(theme.turn.fill, theme.turn.ink, 0.72), theme.turn.fill)]
    for text, ground in pairs:
        assert contrast(text, ground) >= 4.5, f"{text} on {ground}"


def test_players_marks_can_be_told_apart() -> None:
    people = TABLE.people
    assert len(set(people)) == 10
    for first, second in combinations(people, 2):
        assert sum(abs(a - b) for a, b in zip(first, second, strict=True)) >= 48


def test_the_last_round_has_a_sign_of_its_own() -> None:
    """The flag stands for the points that end the match."""
    rig = Rig()
    rig.begin()
    rig.press("menu")
    (bell,) = [control for control in present(rig.state, rig.now_ms).controls if control.button == "bell"]
    assert bell.symbol in SYMBOLS
    assert bell.symbol != "flag"
