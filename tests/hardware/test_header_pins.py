"""The pins are opened on the chip whose label says that it carries the header."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hardware.gpio.devices import header_factory
from tests.systemd import trees
from tests.systemd.trees import MadeUp


class RecordingFactory:
    """In the place of gpiozero's LGPIOFactory, which needs the library lgpio and a real chip."""

    def __init__(self, chip: int) -> None:
        self.chip = chip


@pytest.fixture(autouse=True)
def lgpio(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in: Any = SimpleNamespace(LGPIOFactory=RecordingFactory)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", stand_in)


@pytest.mark.parametrize(
    ("made", "chip"),
    [(trees.PI_4_HDMI, 0), (trees.PI_5_OLD, 4), (trees.PI_5_6_6_47, 0), (trees.PI_5_6_12_96, 15)],
    ids=lambda value: value.kernel if isinstance(value, MadeUp) else str(value),
)
def test_lgpio_gets_the_headers_chip(made: MadeUp, chip: int, tmp_path: Path) -> None:
    assert header_factory(made.build(tmp_path), {}).chip == chip


def test_a_factory_that_was_asked_for_is_left_alone(tmp_path: Path) -> None:
    trees.PI_5_OLD.build(tmp_path)
    assert header_factory(tmp_path, {"GPIOZERO_PIN_FACTORY": "mock"}) is None


def test_without_a_header_gpiozero_decides(tmp_path: Path) -> None:
    assert header_factory(trees.LAPTOP.build(tmp_path), {}) is None


def test_an_lgpio_that_is_an_empty_stub_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", SimpleNamespace())
    assert header_factory(trees.PI_5_OLD.build(tmp_path), {}) is None
