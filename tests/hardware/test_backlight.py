"""A panel's light goes down and comes back as it was, and a screen without one does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.backlight import Backlight
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
