"""Draws that a press put into the record are named on the screen, and only those."""

from __future__ import annotations

from pathlib import Path

from table_app.play.state import Options
from table_app.view.present import present
from tests.table.rig import Rig


def headline(rig: Rig) -> str:
    found = present(rig.state, rig.now_ms).headline
    assert found is not None
    return found.text


def test_a_card_given_to_another_seat_names_the_draws_it_put_into_the_record() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3")
    rig.press("give:2")
    assert headline(rig) == "Cy laid the red 3. Ann and Ben drew 1 each."


def test_one_draw_is_named_with_its_player_and_the_next_act_names_none() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3")
    rig.press("give:1")
    assert headline(rig) == "Ben laid the red 3. Ann drew 1."
    rig.tap("r4")
    assert headline(rig) == "Cy laid the red 4."


def test_owed_cards_that_are_drawn_in_silence_are_named_with_their_number() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r+2", "r5")
    rig.press("seat:2")
    assert headline(rig).endswith("laid the red 5. Ben drew 2.")


def test_a_plain_draw_is_said_once() -> None:
    rig = Rig()
    rig.begin()
    rig.press("draw")
    assert headline(rig).count("drew 1") == 1


def test_the_draws_are_named_after_a_power_cut_too(tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path, options=Options())
    rig.begin()
    rig.tap("r3")
    rig.press("give:2")
    before = headline(rig)
    rig.opened.close()
    again = Rig(directory=tmp_path, options=Options())
    again.press("yes")
    again.wait(1)
    assert again.state.history.assumed == rig.state.history.assumed
    assert "Ann and Ben drew 1 each." in before
