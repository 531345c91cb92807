"""What is on the screen in each situation: painted by the real display, everything that applies can be pressed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from hardware.signals import DeviceLost
from table_app.display.scene import Leafing, paint
from table_app.display.theme import TABLE
from table_app.play.modes import Mode
from table_app.play.state import DrawnQuestion
from table_app.rules import Card, face
from table_app.view.present import present
from table_app.view.table_view import Kind, ScoresScreen, TableView
from tests.play.test_handlers import DEALT, EXAMPLES
from tests.table.rig import Rig, setup, table_at


@pytest.fixture(scope="module", autouse=True)
def fonts() -> Iterator[None]:
    pygame.font.init()
    yield


def pressable(view: TableView) -> set[str]:
    """The buttons of a view that the display really offers."""
    surface = pygame.Surface((800, 480))
    canvas = paint(surface, view, TABLE, Leafing(), None, None)
    return {target.name for target in canvas.targets}


@pytest.mark.parametrize("found", Mode)
def test_every_control_and_answer_of_a_situation_can_be_pressed(found: Mode) -> None:
    view = present(EXAMPLES[found], 0)
    wanted = {control.button for control in view.controls}
    if view.screen is None:
        wanted |= {seat.button for seat in view.seats if seat.button}
    assert wanted <= pressable(view)
    assert view.prompt or view.screen is not None


def test_a_question_and_its_answers_can_be_pressed() -> None:
    asked = replace(EXAMPLES[Mode.TURN], question=DrawnQuestion(Card(face("r5")), 20_000))
    view = present(asked, 0)
    assert view.question is not None and "red 5" not in view.question.text
    assert {"yes", "draw"} <= pressable(view)


def test_the_seats_that_are_asked_about_are_offered() -> None:
    view = present(EXAMPLES[Mode.SWAP], 0)
    assert [seat.button for seat in view.seats if seat.is_choice] == ["swap:1", "swap:2"]
    count = present(EXAMPLES[Mode.COUNT], 0)
    assert [seat.button for seat in count.seats if seat.is_choice] == ["seat:1", "seat:2"]


def test_a_card_can_be_picked_by_hand_wherever_one_may_be_tapped() -> None:
    offered = {found for found in Mode if present(EXAMPLES[found], 0).picker is not None}
    assert offered >= {Mode.FIRST_CARD, Mode.TURN, Mode.DRAWN, Mode.SHOW, Mode.COUNT}
    assert Mode.OVER not in offered


def test_a_refusal_says_why_by_which_rule_and_that_it_can_be_allowed() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("b3")
    view = present(rig.state, rig.now_ms)
    assert view.headline is not None
    assert (view.headline.kind, view.headline.rule) == (Kind.REFUSED, "match")
    assert "blue 3 does not go on the red 9" in view.headline.text
    assert "allow" in pressable(view)


def test_the_table_itself_is_told_in_banners() -> None:
    rig = Rig()
    rig.send(DeviceLost(rig.now_ms, "pad", "The reader does not answer."))
    assert [banner.text for banner in present(rig.state, 0).banners] == ["The reader does not answer."]


def test_final_scores_are_in_their_order_and_shared_places_are_shared() -> None:
    lines = ["table: set score Ben 40", "table: set score Cy 40"]
    lines += ["table: deal Ann r1", "table: deal 1", "table: start r9", "Ann: r1", "Ben: points 50", "Cy: points 50"]
    screen = present(table_at(lines, setup("target: 100")), 0).screen
    assert isinstance(screen, ScoresScreen)
    assert [(line.place, line.name, line.score) for line in screen.standings] == [
        ("1", "Ann", "100"),
        ("2", "Ben", "40"),
        ("2", "Cy", "40"),
    ]


def test_equal_states_make_equal_views() -> None:
    assert present(table_at(DEALT), 5) == present(table_at(DEALT), 5)


def test_a_seat_says_which_number_is_cards_and_which_is_points() -> None:
    surface = pygame.Surface((800, 480))
    canvas = paint(surface, present(table_at([]), 0), TABLE, Leafing(), None, None)
    assert {"cards", "0 points"} <= {placed.text for placed in canvas.placed}
    scored = present(table_at(["table: set score Ben 1"]), 0)
    assert [seat.score_words for seat in scored.seats] == ["0 points", "1 point", "0 points"]


GONE = (
    "The reader on the pad does not answer any more (no such device: /dev/spidev0.0). Look at its plug and its seven "
    "wires; it is tried again by itself."
)


@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 720)])
def test_a_reader_that_is_gone_is_explained_once_and_whole(size: tuple[int, int]) -> None:
    rig = Rig()
    rig.begin()
    rig.send(DeviceLost(rig.now_ms, "pad", GONE))
    rig.send(DeviceLost(rig.now_ms, "pile", GONE))
    canvas = paint(pygame.Surface(size), present(rig.state, 0), TABLE, Leafing(), None, None)
    shown = " ".join(placed.text for placed in canvas.placed)
    assert shown.count("it is tried again by itself.") == 1
    assert "Play goes on by hand." in shown
