"""Ten players with the longest and oddest names there can be, on the smallest panel: each is told from every other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pygame
import pytest

from table_app.display import text as words
from table_app.display.canvas import Canvas
from table_app.display.geometry import Box
from table_app.display.scene import paint
from table_app.display.theme import TABLE
from table_app.names import NAME_LENGTH_MAX, name_trouble
from table_app.view.present import present
from tests.table.rig import Rig, setup

PANEL = (800, 480)
ODD = ("Å", "Cy 2 ★", "שלום עליכם ידידים", "محمد عبد الرحمن", "Đặng Thị Hồng Nhung", "i" * NAME_LENGTH_MAX)
LONG = ("Konstantin von Hohenfels", "Konstantin von Hohenberg", "Maximilian-Alexander von", "Maximilian-Alexandra von")
WIDEST = ("W" * 24, "W" * 23 + "M", "M" * 24, "M" * 23 + "W")


@pytest.fixture(scope="module", autouse=True)
def fonts() -> None:
    pygame.font.init()


def moments(names: tuple[str, ...]) -> Iterator[tuple[str, Rig]]:
    """A round in which the table shows what it can: rulings, a form, questions, debts, an end."""
    rig = Rig(setup(f"players: {', '.join(names)}", "house: seven-o"))
    rig.begin("r9")
    yield "begun", rig
    rig.tap("r1")
    yield "laid", rig
    rig.tap("b2")
    yield "refused", rig
    rig.press("menu")
    yield "menu", rig
    rig.press("no", "form:count")
    yield "form", rig
    rig.press("no")
    rig.tap("r+2", "g5")
    yield "debt", rig
    rig.press("yes")
    rig.tap("w+4")
    yield "colour", rig
    rig.press("colour:red")
    yield "challenge", rig
    rig.press("pause")
    yield "pause", rig


def painted(rig: Rig) -> Canvas:
    return paint(pygame.Surface(PANEL, 0, 32), present(rig.state, rig.now_ms), TABLE)


@pytest.mark.parametrize("names", [LONG + ODD, WIDEST + ODD, ODD + LONG])
def test_no_text_leaves_its_box_or_lies_on_another(names: tuple[str, ...]) -> None:
    assert len(names) == 10 and not any(map(name_trouble, names))
    for moment, rig in moments(names):
        canvas = painted(rig)
        for placed in canvas.placed:
            assert placed.box.contains(placed.drawn) and Box(0, 0, *PANEL).contains(placed.box), f"{moment}: {placed}"
        for first, second in combinations(canvas.placed, 2):
            # A line in Arabic is a pixel higher than the font says, and touches the next line of its own block.
            lower = second.drawn._replace(y=second.drawn.y + (first.box == second.box))
            assert not first.drawn.overlaps(lower), f"{moment}: {first} and {second}"


@pytest.mark.parametrize("names", [LONG + ODD, WIDEST + ODD, ODD + LONG])
def test_every_seat_is_told_from_every_other(names: tuple[str, ...]) -> None:
    for moment, rig in moments(names):
        canvas = painted(rig)
        seats = [target.box for target in canvas.targets if target.name.startswith(("seat:", "give:"))]
        seats = [box for box in seats if box.h < PANEL[1] / 3]
        shown = ["".join(placed.text for placed in canvas.placed if box.contains(placed.box)) for box in seats]
        assert all(shown) and len(set(shown)) == len(shown), f"{moment}: {shown}"


@pytest.mark.parametrize("names", [LONG + ODD, ODD + LONG])
def test_only_a_seat_shows_a_name_that_is_cut_and_with_its_number(names: tuple[str, ...]) -> None:
    """What was ruled, what is asked and what a button does is read whole; a seat's number is in front of the name."""
    for moment, rig in moments(names):
        canvas = painted(rig)
        if moment == "menu":
            continue  # its buttons leave one line to the ruling, whoever plays
        for placed in canvas.placed:
            if placed.text.endswith(words.ELLIPSIS):
                lines = [other.text for other in canvas.placed if other.box == placed.box]
                assert any(lines[0].startswith(f"{number}·") for number in range(1, 11)), f"{moment}: {lines}"


def test_the_round_shows_a_name_that_is_cut_at_all() -> None:
    """Else the test above would test nothing."""
    cut = [placed for _, rig in moments(LONG + ODD) for placed in painted(rig).placed if "·" in placed.text]
    assert cut
