"""What a seat's own button or tag means around a call: who shouted it lifts the fine, and no press does two things."""

from __future__ import annotations

import pytest

from table_app.play.modes import Mode, mode_of
from table_app.play.state import CatcherQuestion
from table_app.view.present import present
from tests.table.rig import Rig, setup


def fined(*lines: str, cards_each: int = 2) -> Rig:
    """Ann laid a card, held one, and did not press."""
    rig = Rig(setup(*lines), cards_each=cards_each)
    rig.begin()
    rig.tap(*(f"r{number}" for number in range(1, 3 * (cards_each - 2) + 2)))
    rig.wait(7_000)
    assert rig.state.match.fines == (2, 0, 0)
    return rig


def zone(rig: Rig, seat: int) -> str:
    return present(rig.state, rig.now_ms).seats[seat].button


def test_the_own_seat_lifts_the_fine_with_one_tap_and_then_means_what_it_did() -> None:
    rig = fined()
    assert zone(rig, 0) == "seat:0"
    rig.press("seat:0")
    assert rig.lines[-1] == "table: called Ann" and rig.state.match.owes == (0, 0, 0)
    rig.press("seat:0")
    assert rig.lines[-1] == "table: called Ann"  # there is nothing to call now


def test_a_fine_is_lifted_before_the_one_whose_card_showed_it_is_caught() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r1", "r2")
    assert rig.state.match.fines == (2, 0, 0) and rig.state.match.window is not None
    rig.press("seat:0")
    assert rig.lines[-1] == "table: called Ann" and rig.state.match.window is not None
    rig.press("seat:0")
    assert rig.lines[-1] == "Ann: catch Ben"


def test_once_a_card_of_the_fine_is_drawn_the_seat_lifts_nothing() -> None:
    rig = fined()
    rig.press("draw-one", "seat:0")
    assert rig.lines[-1] == "Ann: draw"


@pytest.mark.parametrize("button", ["seat:0", "called:0"])
def test_a_card_refused_for_a_fine_is_laid_by_a_touch_once_it_is_lifted(button: str) -> None:
    rig = fined(cards_each=3)
    rig.tap("r5")
    assert rig.last.ruling.code == "owes-cards" and zone(rig, 0) == "seat:0"
    told = len(rig.lines)
    rig.press(button, "give:1")
    assert rig.lines[told:] == ["table: called Ann", "Ben: r5#1"] and rig.state.match.hands[0].size == 1


def test_another_seat_still_says_whose_card_it_was_while_a_fine_is_in_question() -> None:
    rig = fined(cards_each=3)
    rig.tap("r5")
    rig.press("seat:2")
    assert rig.lines[-1] == "Cy: r5#1" and rig.state.match.fines == (0, 0, 0)


@pytest.mark.parametrize(("seat", "line"), [(1, "Ben: r1#1"), (2, "Cy: r1#1")])
def test_while_a_call_is_due_a_card_is_given_by_saying_so_first(seat: int, line: str) -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r1")
    rig.press("form:give", f"seat:{seat}")
    assert rig.lines[-1] == line and rig.state.match.fines == (0, 0, 0)


def test_where_the_game_asks_for_a_seat_that_is_the_answer_and_the_fine_can_be_lifted_after_it() -> None:
    rig = Rig(setup("house: seven-o"), cards_each=2)
    rig.begin()
    rig.tap("r1", "r7")
    assert rig.state.match.fines == (2, 0, 0) and rig.state.match.question is not None
    rig.press("seat:0")
    assert rig.lines[-1] == "Ben: swap Ann"
    rig.press("seat:0")
    assert rig.lines[-1] == "table: called Ann"


def test_who_caught_is_answered_before_a_fine_is_lifted() -> None:
    rig = fined("false-catch: 2")
    rig.press("catch:1")
    assert isinstance(rig.state.question, CatcherQuestion)
    rig.press("seat:0")
    assert rig.lines[-1] == "Ann: catch Ben"


def test_a_fine_is_lifted_by_the_seat_also_when_the_round_is_out() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.press("form:count", "seat:1", "digit:1", "yes")
    rig.tap("r1", "r2")
    assert mode_of(rig.state) is Mode.LAST_DEBTS and rig.state.match.fines == (2, 0, 0)
    rig.press("seat:0")
    assert rig.lines[-1] == "table: called Ann" and mode_of(rig.state) is Mode.COUNT
