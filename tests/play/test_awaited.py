"""Whoever must act now is lit, on the screen and by the lamps: never somebody who can only wait."""

from __future__ import annotations

import pytest

from table_app.play.cues import awaited_seats
from table_app.play.state import TableState
from table_app.view.present import present, prompt
from tests.table.rig import Rig, setup, table_at

DEALT = ("table: deal 7", "table: start r9")


def lit(state: TableState) -> list[str]:
    seats = [seat.name for seat in present(state, 0).seats if seat.is_turn]
    assert seats == [state.match.names[seat] for seat in sorted(awaited_seats(state))], "screen and lamps agree"
    return seats


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ((), []),
        (DEALT[:1], []),
        (DEALT, ["Ann"]),
        ((*DEALT, "Ann: w"), ["Ann"]),
        ((*DEALT, "Ann: r+2"), ["Ben"]),
        ((*DEALT, "Ann: w+4 blue"), ["Ben"]),
        ((*DEALT, "Ann: w+4 blue", "Ben: challenge"), ["Ann"]),
        (("table: deal Ann r1", "table: deal 7", "table: start r9", "Ann: r1"), ["Ben"]),
    ],
)
def test_whoever_must_act_is_lit(lines: tuple[str, ...], names: list[str]) -> None:
    assert lit(table_at(lines)) == names


def test_while_a_hand_is_shown_in_a_challenge_the_accused_is_lit_and_not_the_victim() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    assert lit(rig.state) == ["Ann"]
    rig.tap("r3", "b4")
    assert lit(rig.state) == ["Ann"]


def test_who_draws_a_fine_is_lit_though_it_is_not_their_turn() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r3")
    rig.wait(20_000)
    assert rig.state.match.fines[0] == 2
    assert lit(rig.state) == ["Ann"]


def test_with_the_score_alone_it_asks_who_is_out_and_says_of_nobody_that_they_are() -> None:
    state = table_at([], setup("plays: unrefereed"))
    assert prompt(state) == "Who is out? Touch or press the seat."
    assert lit(state) == []
