"""A card that was tapped in time is its player's, however long the table's own question about it stays open."""

from __future__ import annotations

import pytest

from table_app.play.state import QUESTION_MS, Options
from tests.table.rig import Rig, setup


def asked() -> Rig:
    """Ben tapped a card of the pile 25 of his 30 seconds into his turn, and it waits for a word."""
    rig = Rig(setup("turn-clock: 30"))
    rig.begin("r9")
    rig.tap("r1")
    rig.wait(24_000)
    rig.tap("r9")
    assert rig.state.held is not None
    return rig


@pytest.mark.parametrize("later_ms", [1_000, 6_000, QUESTION_MS])
def test_a_card_tapped_in_time_is_laid_by_whose_turn_it_was(later_ms: int) -> None:
    rig = asked()
    rig.press("reshuffle", later_ms=later_ms)
    assert rig.lines[-1] == "Ben: r9#1"
    assert "table: wait" not in rig.lines


def test_many_looks_at_the_clock_do_not_move_it_while_it_is_held() -> None:
    rig = asked()
    for _ in range(150):
        rig.wait(100)
    rig.press("reshuffle")
    assert rig.lines[-1] == "Ben: r9#1"
    assert "table: wait" not in rig.lines


def test_a_card_that_waits_holds_up_the_clock_no_longer_than_a_question() -> None:
    rig = asked()
    rig.wait(QUESTION_MS + 1)
    rig.wait(6_000)
    assert rig.lines[-1] == "table: wait" and rig.state.match.turn == 2


def test_at_a_tracked_table_too_the_tapped_card_is_its_players() -> None:
    rig = Rig(setup("turn-clock: 30"), options=Options(is_tracked=True, cards_each=2))
    rig.tap("r1", "b1", "r2", "b2", "r3", "b3", "r9")
    rig.wait(31_000)  # Ann lets her turn pass, and holds a card that nobody saw
    assert rig.lines[-1] == "table: wait" and rig.state.match.turn == 1
    rig.wait(24_000)
    rig.tap("r5")  # Ben's hand is known, and has no such card
    assert rig.lines[-1] == "Ben: draw r5#1"


def test_a_question_never_outlives_its_turn() -> None:
    """Where a call's own time runs, nothing is held; what the clock does then closes the question with the turn."""
    rig = Rig(setup("players: Ann, Ben, Cy", "turn-clock: 5", "grace: 8"), cards_each=2)
    rig.begin("r9")
    rig.tap("r1")
    rig.wait(3_000)
    rig.tap("r9")
    for _ in range(12):
        turn = rig.state.match.turn
        had = rig.state.question
        rig.wait(1_000)
        assert had is None or rig.state.question is None or rig.state.match.turn == turn
