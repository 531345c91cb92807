"""A panel's light goes down and comes back as it was, and a screen without one does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.gpio.backlight import BEFORE_FILE, Backlight
from tests.systemd.trees import put

PANEL = "sys/class/backlight/10-0045"


def light(root: Path, now: str, most: str = "255") -> Path:
    put(root, f"{PANEL}/brightness", now + "\n")
    put(root, f"{PANEL}/max_brightness", most + "\n")
    return root / PANEL / "brightness"


@pytest.mark.parametrize(
    ("now", "most", "low"), [("200", "255", "13"), ("5", "255", "5"), ("31", "31", "2"), ("1", "1", "1")]
)
def test_it_goes_down_once_and_comes_back(now: str, most: str, low: str, tmp_path: Path) -> None:
    brightness = light(tmp_path, now, most)
    panel = Backlight(tmp_path)
    panel.turn_down()
    panel.turn_down()
    assert brightness.read_text(encoding="ascii") == f"{low}\n"
    panel.turn_up()
    assert brightness.read_text(encoding="ascii") == f"{now}\n"
    brightness.write_text("77\n", encoding="ascii")
    panel.turn_up()
    assert brightness.read_text(encoding="ascii") == "77\n", "only what was turned down is turned up"


def test_a_light_that_makes_no_sense_or_is_not_there_is_left_alone(tmp_path: Path) -> None:
    Backlight(tmp_path).turn_down()
    brightness = light(tmp_path, "bright")
    panel = Backlight(tmp_path)
    panel.turn_down()
    panel.turn_up()
    assert brightness.read_text(encoding="ascii") == "bright\n"


def test_a_program_that_dies_in_the_dark_does_not_take_the_dark_for_the_light(tmp_path: Path) -> None:
    root, run = tmp_path / "root", tmp_path / "run"
    run.mkdir()
    brightness = light(root, "200")
    for _ in range(3):  # dies again and again, also when it is dark already
        died = Backlight(root, run)
        died.turn_down()
        assert brightness.read_text(encoding="ascii") == "13\n"
    after = Backlight(root, run)
    after.turn_up()
    assert brightness.read_text(encoding="ascii") == "200\n"
    assert list(run.iterdir()) == [], "nothing is left to bring back"
    Backlight(root, run).turn_up()
    assert brightness.read_text(encoding="ascii") == "200\n"


@pytest.mark.parametrize(
    "left",
    [
        "",
        "[1]",
        '{"10-0045": "bright"}',
        '{"10-0045": true}',
        '{"10-0045": -5}',
        '{"10-0045": 5.5}',
        '{"gone": 7}',
        "[" * 9_999,
    ],
)
def test_what_was_left_behind_and_makes_no_sense_changes_nothing(left: str, tmp_path: Path) -> None:
    brightness = light(tmp_path, "200")
    put(tmp_path, f"run/{BEFORE_FILE}", left)
    panel = Backlight(tmp_path, tmp_path / "run")
    panel.turn_up()
    assert brightness.read_text(encoding="ascii") == "200\n"
    panel.turn_down()
    panel.turn_up()
    assert brightness.read_text(encoding="ascii") == "200\n"
