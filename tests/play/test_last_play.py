"""After an Undo the card that lies on top again can be given to another seat, or not be the last one after all."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.play.state import Options
from table_app.rules import Phase
from table_app.view.present import present
from tests.table.rig import Rig


def offered(rig: Rig) -> set[str]:
    return {control.button for control in present(rig.state, rig.now_ms).controls}


@pytest.mark.parametrize(
    ("cards", "presses", "undos"),
    [(("r2",), (), 1), ((), ("draw",), 1), ((), ("draw", "keep"), 2), ((), ("form:turn", "seat:2"), 1)],
)
def test_the_card_below_can_be_given_once_what_came_after_it_is_taken_back(
    tmp_path: Path, cards: tuple[str, ...], presses: tuple[str, ...], undos: int
) -> None:
    rig = Rig(directory=tmp_path)
    rig.begin()
    rig.tap("r1")
    kept = rig.state.last_play
    rig.tap(*cards)
    rig.press(*presses)
    rig.press(*["undo"] * undos)
    assert rig.state.last_play == kept is not None
    rig.journal.close()
    rig.opened.close()
    again = Rig(directory=tmp_path)
    again.press("yes")
    assert again.state.last_play == kept
    again.press("give:2")
    assert again.lines[-1] == "Cy: r1#1"


def test_a_wild_below_keeps_its_colour_and_its_call() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("w")
    rig.press("colour:blue", "uno:0")
    kept = rig.state.last_play
    rig.press("draw", "undo")
    assert rig.state.last_play == kept is not None and kept.calls == (0,)
    rig.press("give:1")
    assert rig.lines[-1] == "Ben: w#1 blue"


def test_who_seems_out_is_not_after_a_count_that_is_taken_back() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r3")
    assert rig.phase() is Phase.OUT and {"form:holds", "form:give"} <= offered(rig)
    rig.tap("g4")
    assert not {"form:holds", "form:give"} & offered(rig)
    rig.press("undo")
    assert {"form:holds", "form:give"} <= offered(rig)
    rig.press("form:holds", "digit:2", "yes")
    assert rig.phase() is Phase.PLAY and rig.state.match.hands[0].size == 2


def test_nothing_is_said_to_be_given_where_the_bell_rings_on_over_an_undo() -> None:
    rig = Rig(options=Options(time_limit_ms=10_000))
    rig.begin()
    rig.tap("r1", "r2")
    rig.wait(60_000)
    assert rig.state.match.last_round
    rig.press("undo")
    headline = present(rig.state, rig.now_ms).headline
    assert headline is not None
    assert headline.text == "Taken back: Ben laid the red 2. Ben takes the red 2 back. It is Ben to play."
    rig.press("give:2")
    assert rig.lines[-2] == "Cy: r1#1" and rig.state.match.last_round
