"""The firmware put onto a board by the real mpremote, over a pty, in real time: waiting is its clock's."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge import install as installing
from firmware_bridge.errors import BoardBusyError, BoardFaultError, BoardNotFoundError, BridgeError
from firmware_bridge.firmware import FIRMWARE_VERSION
from firmware_bridge.install import choose_board, firmware_files, install, status
from firmware_bridge.port import open_line
from hardware.bridged import random_session
from hardware.clock import SystemClock
from hardware.simulated.microcontroller import SimulatedMicrocontroller

MakeBoard = Callable[..., SimulatedMicrocontroller]

pytestmark = pytest.mark.timeout(120)


def digests(flash: Path) -> dict[str, str]:
    return {str(path.relative_to(flash)): hashlib.sha256(path.read_bytes()).hexdigest() for path in flash.rglob("*.py")}


def wanted() -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in firmware_files().items()}


def empty(board: SimulatedMicrocontroller) -> None:
    """A board as it comes: MicroPython on it and nothing else."""
    for path in board.flash.rglob("*.py"):
        path.unlink()
    (board.flash / "firmware").rmdir()


@pytest.fixture
def live_board(make_board: MakeBoard) -> SimulatedMicrocontroller:
    pytest.importorskip("mpremote", reason="mpremote is missing; the package mpremote brings it")
    return make_board(real_time=True)


@pytest.mark.long  # pytest -m long tests/firmware_bridge/test_install.py
def test_the_firmware_is_put_on_a_new_board_and_runs(live_board: SimulatedMicrocontroller) -> None:
    empty(live_board)
    live_board.plug_in()
    told: list[str] = []
    welcome = install(str(live_board.port), SystemClock(), random_session, told.append)
    assert welcome.firmware == FIRMWARE_VERSION and welcome.readers == ("pad",)
    assert digests(live_board.flash) == wanted()
    assert told[0] == f"Looking at the board at {live_board.port}."
    report = status(str(live_board.port), SystemClock(), random_session)
    assert report.counters["firmware"] == FIRMWARE_VERSION
    assert report.readers == [{"name": "pad", "version": 0x92, "fault": ""}]
    assert report.settings["buzzer"] == {"pin": 15, "passive": True}


def test_a_running_firmware_makes_way_and_keeps_its_settings(live_board: SimulatedMicrocontroller) -> None:
    old = live_board.flash / "firmware" / "long_gone.py"
    old.write_text("# a module of an older version\n")
    (live_board.flash / "firmware" / "buttons.py").write_text(
        (live_board.flash / "firmware" / "buttons.py").read_text() + "# changed by hand\n"
    )
    (live_board.flash / "settings.json").write_text('{"watchdog_ms": 5000}')
    live_board.plug_in()
    told: list[str] = []
    install(str(live_board.port), SystemClock(), random_session, told.append)
    assert f"It runs firmware {FIRMWARE_VERSION}; restarting it to its prompt." in told
    assert digests(live_board.flash) == wanted()
    assert status(str(live_board.port), SystemClock(), random_session).settings["watchdog_ms"] == 5_000


def test_what_did_not_arrive_whole_is_noticed(
    live_board: SimulatedMicrocontroller, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_board.plug_in()

    def spoil(address: str) -> None:
        (live_board.flash / "firmware" / "link.py").write_text("cut off")

    monkeypatch.setattr(installing, "_copy", spoil)
    with pytest.raises(BoardFaultError, match=r"not what was sent \(firmware/link.py\)"):
        install(str(live_board.port), SystemClock(), random_session, lambda _: None)


def test_a_board_in_use_is_left_alone(board: SimulatedMicrocontroller) -> None:
    board.plug_in()
    other = open_line(str(board.port))
    with pytest.raises(BoardBusyError, match="in use by another program"):
        install(str(board.port), SystemClock(), random_session, lambda _: None)
    other.close()


def test_without_mpremote_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(BridgeError, match=r"pip install 'lastcard\[firmware\]'"):
        install("/dev/null", SystemClock(), random_session, lambda _: None)


@pytest.mark.parametrize(
    ("found", "said"),
    [([], "No board was found on USB"), (["/dev/ttyACM0", "/dev/ttyACM1"], "Several boards are there: /dev/ttyACM0")],
)
def test_no_board_and_several_boards_are_sentences(
    monkeypatch: pytest.MonkeyPatch, found: list[str], said: str
) -> None:
    monkeypatch.setattr(installing, "find_boards", lambda: found)
    with pytest.raises(BoardNotFoundError, match=said):
        choose_board(None)
