"""The pane of the demonstration: its pause holds everybody, what is unplugged says so, and the pace is chosen there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hardware.signals import ButtonPressed, Source
from table_app.demo.pane import SPEEDS, Log, do, make_pane, other_speed
from table_app.play.state import Pause
from table_app.simulation.evening import Evening, EveningOptions
from table_app.view.present import present
from table_app.view.table_view import Control
from tests.connections import closed_at_the_end
from tests.demo.evenings import Memory, files


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def evening(tmp_path: Path, memory: Memory) -> Evening:
    made = Evening(EveningOptions(5, 3, 500), files(tmp_path), observers=[memory])
    closed_at_the_end.append(made.close)
    made.advance(9_000)
    return made


def press(evening: Evening, button: str) -> None:
    do(evening, ButtonPressed(evening.now_ms, button, Source.TOUCH))


def control(evening: Evening, button: str) -> Control:
    pane = make_pane(evening, Log())
    return next(one for one in (*pane.mischief, *pane.pace) if one.button == button)


def test_a_pause_holds_everybody_until_somebody_goes_on(evening: Evening, memory: Memory) -> None:
    press(evening, "pause")
    evening.advance(evening.now_ms + 2_000)
    assert evening.table.state.pause is Pause.ASKED
    done = len(memory.judged_all)
    evening.advance(evening.now_ms + 60_000)
    assert evening.table.state.pause is Pause.ASKED and len(memory.judged_all) == done
    assert control(evening, "pause").label == "Go on"
    press(evening, "pause")
    evening.advance(evening.now_ms + 10_000)
    assert evening.table.state.pause is None and len(memory.judged_all) > done


@pytest.mark.parametrize("seed", range(8))
def test_a_pause_at_any_moment_changes_nothing_of_what_is_played(tmp_path: Path, seed: int) -> None:
    """However a card lies at that moment: the same lines are in the record, with and without pauses."""
    plain, paused = Memory(), Memory()
    whole = Evening(EveningOptions(seed, 3, 500), files(tmp_path / "plain"), observers=[plain])
    held = Evening(EveningOptions(seed, 3, 500), files(tmp_path / "paused"), observers=[paused])
    closed_at_the_end.extend((whole.close, held.close))
    whole.advance(60_000)
    chance = random.Random(seed)
    for _ in range(6):
        held.advance(held.now_ms + chance.randint(500, 6_000))
        press(held, "pause")
        held.advance(held.now_ms + 1_000)
        done = len(paused.judged_all)
        held.advance(held.now_ms + chance.randint(1_000, 30_000))
        assert held.table.state.pause is Pause.ASKED and len(paused.judged_all) == done, f"seed {seed}"
        press(held, "yes")
    held.advance(held.now_ms + 5_000)
    lines = [judged.line.partition(" ")[2] for judged in paused.judged_all]
    assert lines == [judged.line.partition(" ")[2] for judged in plain.judged_all][: len(lines)], f"seed {seed}"
    assert len(lines) > 10


def test_what_is_unplugged_says_so_and_is_plugged_in_by_the_same_button(evening: Evening) -> None:
    assert not control(evening, "mischief:unplug").emphasis
    press(evening, "mischief:unplug")
    shown = control(evening, "mischief:unplug")
    assert shown.emphasis and shown.label == "Plug the reader in"
    assert make_pane(evening, Log()).mischief_title == "Mischief: the reader is unplugged"
    evening.advance(evening.now_ms + 3_000)
    banners = present(evening.table.state, evening.now_ms).banners
    assert banners, "the table itself says that its reader is gone"
    press(evening, "mischief:unplug")
    evening.advance(evening.now_ms + 2_000)
    assert control(evening, "mischief:unplug").label == "Unplug the reader"
    assert not present(evening.table.state, evening.now_ms).banners


def test_each_pace_is_reached_from_each_other_and_the_last_stays() -> None:
    speed: float | None = SPEEDS[0]
    for expected in (*SPEEDS[1:], SPEEDS[-1]):
        speed = other_speed(speed, "faster")
        assert speed == expected
    for expected in (*reversed(SPEEDS[:-1]), SPEEDS[0]):
        speed = other_speed(speed, "slower")
        assert speed == expected
    assert other_speed(None, "slower") == SPEEDS[-1] and other_speed(None, "faster") is None
    assert other_speed(4.0, "faster") == 5.0 and other_speed(4.0, "slower") == 2.0


def test_nothing_that_can_be_pressed_in_the_demonstration_is_without_a_meaning(evening: Evening) -> None:
    """Every control of pane and table, in the middle of play and behind More: pressed, none is called unknown."""
    pressed: set[str] = set()
    for menu in ((), ("menu",), ("menu", "put-right"), ("pause",)):
        for button in menu:
            press(evening, button)
            evening.advance(evening.now_ms + 1_500)
        view = present(evening.table.state, evening.now_ms)
        pressed |= {one.button for one in view.controls}
    pressed -= {"quit"}  # the runner's own, pressed in the real window by `test_window`
    for button in sorted(pressed):
        press(evening, button)
        evening.advance(evening.now_ms + 400)
        notice = evening.table.state.notice
        assert notice is None or "has no meaning" not in notice.text, button
