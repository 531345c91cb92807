"""A card tapped while somebody owes cards: whoever says whose it was, nothing is remembered that did not happen."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.table.state import QUESTION_MS, DebtQuestion
from tests.table.rig import Rig, setup


def asked(directory: Path | None = None) -> Rig:
    """Ann laid a Draw Two, and the red 1 was tapped before Ben drew."""
    rig = Rig(directory=directory)
    rig.begin()
    rig.tap("r+2", "r1")
    assert isinstance(rig.state.question, DebtQuestion) and rig.state.match.owes == (0, 2, 0)
    return rig


@pytest.mark.parametrize("button", ["seat:1", "give:1"])
def test_who_owes_two_and_loses_the_turn_did_not_lay_it_and_the_question_stays(button: str) -> None:
    rig = asked()
    question, last = rig.state.question, rig.state.last_play
    told = len(rig.lines)
    rig.press(button)
    assert rig.lines[told:] == []
    assert (rig.state.question, rig.state.last_play) == (question, last)
    assert rig.heard.notices[-1].text == "The {} can't be {}'s: it could not be their turn."
    rig.press("yes")
    assert rig.lines[told:] == ["Ben: draw 2", "Cy: r1#1"]


def test_after_a_seat_that_could_not_be_the_real_last_card_is_still_the_one_to_be_given() -> None:
    rig = asked()
    rig.press("seat:1")
    rig.wait(QUESTION_MS + 1)
    told = len(rig.lines)
    rig.press("seat:0")
    assert rig.lines[told:] == []  # the Draw Two was Ann's, and the red 1 nobody's


@pytest.mark.parametrize(
    ("button", "lines"),
    [
        ("seat:2", ["Ben: draw 2", "Cy: r1#1"]),
        ("give:2", ["Ben: draw 2", "Cy: r1#1"]),
        ("seat:0", ["Ben: draw 2", "Cy: draw", "Cy: keep", "Ann: r1#1"]),
    ],
)
def test_a_seat_that_can_have_laid_it_has(button: str, lines: list[str], tmp_path: Path) -> None:
    rig = asked(tmp_path)
    told = len(rig.lines)
    rig.press(button)
    assert rig.lines[told:] == lines and rig.last.ruling.is_ok
    last = rig.state.last_play
    rig.opened.close()
    assert Rig(directory=tmp_path).state.last_play == last


def test_who_owes_a_fine_and_keeps_the_turn_draws_it_and_lays_the_card() -> None:
    rig = Rig(setup("wrong-play: 2"))
    rig.begin()
    rig.tap("b1")  # fits nothing: two cards, and Ann's turn still
    assert rig.state.match.owes == (2, 0, 0)
    rig.tap("r1")
    assert isinstance(rig.state.question, DebtQuestion)
    told = len(rig.lines)
    rig.press("seat:0")
    assert rig.lines[told:] == ["Ann: draw 2", "Ann: r1#1"] and rig.last.ruling.is_ok


def test_a_fine_half_drawn_is_drawn_to_its_end_before_the_cards_of_a_wild_draw_four() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:blue", "seat:2", "draw", "draw")
    assert rig.lines[-3:] == ["Cy: catch Ann", "Ann: draw", "Ann: draw"]
    rig.press("challenge")
    assert rig.lines[-1] == "Ben: challenge" and rig.last.ruling.is_ok
