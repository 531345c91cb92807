"""What the table says it waits for is true of this very table: its debts, its readers, what was not done yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import DeviceBack, DeviceLost
from table_app.display.present import present, prompt
from table_app.display.view import StartScreen
from table_app.table.state import Options
from tests.table.rig import Rig, setup


def without_reader(*lines: str) -> Rig:
    return Rig(setup(*lines), options=Options(has_reader=False))


def lead(rig: Rig) -> str:
    screen = present(rig.state, rig.now_ms).screen
    assert isinstance(screen, StartScreen)
    return screen.lead


def test_a_pause_names_who_has_to_draw_and_not_who_plays_after() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r+2")
    rig.press("pause")
    assert lead(rig) == "Ben draws 2."
    rig.press("yes", "draw", "draw", "pause")
    assert lead(rig) == "It is Cy to play."


def test_a_pause_on_the_terminal_is_sentences() -> None:
    rig = Rig()
    rig.begin()
    rig.press("pause")
    assert prompt(rig.state) == "Paused. It is Ann to play. No clock runs."


def test_an_open_challenge_is_not_said_as_if_it_were_done() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:green")
    assert prompt(rig.state) == "Ben: challenge the Wild Draw Four, or draw 4."


def test_a_table_without_a_reader_speaks_of_none() -> None:
    rig = without_reader()
    rig.press("deal")
    assert prompt(rig.state) == "Turn the first card and pick it on the screen."
    rig.pick("r9", "w+4")
    rig.press("colour:green", "challenge")
    assert prompt(rig.state) == "Ben looks at the hand of Ann and presses Guilty or Innocent."


def test_a_count_without_a_reader_asks_for_points() -> None:
    rig = Rig(options=Options(cards_each=1, has_reader=False))
    rig.press("deal")
    rig.pick("r9", "r3")
    assert prompt(rig.state) == "Ben: type the points left in the hand, or pick the cards; 0 so far."


def test_with_a_reader_both_ways_of_a_challenge_are_said() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:green", "challenge")
    assert prompt(rig.state) == (
        "Ann: tap the hand, for the referee alone: 0 of 6. Or Ben looks at it and presses Guilty or Innocent."
    )


@pytest.mark.parametrize("device", ["pad", "reader"])
def test_while_the_reader_is_away_nobody_is_told_to_tap(device: str) -> None:
    rig = Rig()
    rig.press("deal")
    rig.send(DeviceLost(rig.now_ms, device, "The reader is gone."))
    assert "pick it on the screen" in prompt(rig.state)
    rig.send(DeviceBack(rig.now_ms, device))
    assert "tap it on the pad" in prompt(rig.state)


def test_after_a_power_cut_what_goes_on_is_what_lies_on_the_table(tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path)
    rig.begin()
    rig.opened.close()
    again = Rig(directory=tmp_path)
    assert "A card on the pad or a button at the table goes on, too." in prompt(again.state)
    again.tap("r3")
    assert again.state.pause is None
    assert again.lines[-1] == "Ann: r3#1"
