"""What the bridge's tests share: the vectors, and a simulated board with MicroPython's unix port in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import firmware_bridge
from hardware.simulated.microcontroller import SimulatedMicrocontroller, flash_firmware
from tests.programs import requires_micropython

VECTORS = Path(firmware_bridge.__file__).with_name("vectors.json")


@pytest.fixture(scope="session")
def vectors() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(VECTORS.read_text())
    return loaded


@pytest.fixture(scope="session")
def micropython() -> str:
    return requires_micropython()


@pytest.fixture
def make_board(tmp_path: Path, micropython: str) -> Iterator[Callable[..., SimulatedMicrocontroller]]:
    """Makes boards with the firmware on their flash, and takes their power away at the end."""
    boards: list[SimulatedMicrocontroller] = []

    def make(settings: dict[str, Any] | None = None, **options: Any) -> SimulatedMicrocontroller:
        home = tmp_path / f"board{len(boards)}"
        flash = home / "flash"
        flash.mkdir(parents=True)
        flash_firmware(flash)
        if settings is not None:
            (flash / "settings.json").write_text(json.dumps(settings))
        board = SimulatedMicrocontroller(flash, home / "port", **options)
        boards.append(board)
        return board

    yield make
    for board in boards:
        board.close()


@pytest.fixture
def board(make_board: Callable[..., SimulatedMicrocontroller]) -> SimulatedMicrocontroller:
    return make_board()
