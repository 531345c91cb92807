"""The firmware put onto a board by the real mpremote, over a pty, in real time: waiting is its clock's."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from serial.tools import list_ports

from firmware_bridge import install as installing
from firmware_bridge.errors import (
    BoardBusyError,
    BoardFaultError,
    BoardForeignError,
    BoardNotFoundError,
    BridgeError,
)
from firmware_bridge.firmware import FIRMWARE_VERSION
from firmware_bridge.install import choose_board, firmware_files, install, status
from firmware_bridge.messages import PROTOCOL_LOWEST, PROTOCOL_VERSION
from firmware_bridge.port import open_line
from hardware.bridged.bridge import random_session
from hardware.clock import SystemClock
from hardware.simulated.microcontroller import SimulatedMicrocontroller
from tests.programs import missing

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
    if importlib.util.find_spec("mpremote") is None:
        missing("mpremote is missing; the package mpremote brings it")
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


def speak_only(board: SimulatedMicrocontroller, lowest: int, highest: int) -> None:
    """Give the board a firmware of other versions of the protocol."""
    path = board.flash / "firmware" / "messages.py"
    text = path.read_text()
    for name, version in (("LOWEST", lowest), ("VERSION", highest)):
        text = re.sub(rf"^PROTOCOL_{name} = \d+$", f"PROTOCOL_{name} = {version}", text, flags=re.MULTILINE)
    path.write_text(text)


@pytest.mark.parametrize(
    "versions", [(0, PROTOCOL_LOWEST - 1), (PROTOCOL_VERSION + 1, PROTOCOL_VERSION + 4)], ids=["older", "newer"]
)
def test_a_firmware_of_another_version_makes_way(
    live_board: SimulatedMicrocontroller, versions: tuple[int, int]
) -> None:
    speak_only(live_board, *versions)
    (live_board.flash / "firmware" / "__init__.py").write_text('FIRMWARE_VERSION = "9.9.9"\n')
    live_board.plug_in()
    told: list[str] = []
    install(str(live_board.port), SystemClock(), random_session, told.append)
    assert "It runs firmware 9.9.9, of another version; restarting it to its prompt." in told
    assert digests(live_board.flash) == wanted()


def test_a_firmware_that_never_makes_way_is_taken_off_by_hand(
    live_board: SimulatedMicrocontroller, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak_only(live_board, 7, 9)
    path = live_board.flash / "firmware" / "app.py"
    path.write_text(path.read_text().replace("self._asked_into = command[1]", "return"))
    live_board.plug_in()
    monkeypatch.setattr(installing, "ANSWER_MS", 300)
    with pytest.raises(BoardFaultError, match=r"Hold BOOTSEL .* copy flash_nuke\.uf2"):
        install(str(live_board.port), SystemClock(), random_session, lambda _: None)


def test_a_port_that_goes_away_under_the_installer_is_told_as_such(
    board: SimulatedMicrocontroller, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.plug_in()
    copied: list[str] = []
    monkeypatch.setattr(installing, "_copy", copied.append)
    monkeypatch.setattr(installing, "open_line", Vanishing)
    monkeypatch.setattr(installing, "GREETING_MS", 300)
    with pytest.raises(BoardNotFoundError, match="is not there"):
        install(f"{board.port}s", SystemClock(), random_session, lambda _: None)
    assert copied == []


class Vanishing:
    """A line that could be opened a moment ago."""

    def __init__(self, address: str) -> None: ...

    def close(self) -> None: ...


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


class Found:
    """A Pico that a system knows by its USB numbers."""

    device, vid, pid, product, interface = "/dev/ttyACM0", 0x239A, 0x80F4, "Pico", ""


@pytest.mark.parametrize("address", [None, "/dev/ttyACM0"])
def test_a_board_with_circuitpython_is_left_as_it_is(address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    def touch(*_: object) -> str:
        raise AssertionError("it was touched")

    monkeypatch.setattr(list_ports, "comports", lambda: [Found()])
    monkeypatch.setattr(installing, "open_line", touch)
    monkeypatch.setattr(installing, "_mpremote", touch)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    with pytest.raises(BoardForeignError, match=r"runs CircuitPython, .* Hold BOOTSEL"):
        install(address, SystemClock(), random_session, lambda _: None)


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("mpremote.transport.TransportError: could not enter raw repl", "flash_nuke.uf2"),
        ("mpremote: cp: Read-only file system: main.py.", "put MicroPython on it"),
        ("OSError: [Errno 30] EROFS", "put MicroPython on it"),
        ("OSError: [Errno 28] ENOSPC\n", "take files of other programs off it"),
        ("MemoryError: memory allocation failed, allocating 4096 bytes", "take a Raspberry Pi Pico"),
        ("ImportError: no module named 'hashlib'", "put the newest one"),
        ("mpremote: failed to access /dev/ttyACM0 (it may be in use by another program)", "Thonny"),
    ],
)
def test_what_no_second_try_mends_is_not_answered_by_try_once_more(said: str, advice: str) -> None:
    told = installing._why_not_written(f"Traceback\n{said}\n")
    assert advice in told and "try once more" not in told


def test_what_a_second_try_may_mend_is() -> None:
    assert installing._why_not_written("serial.SerialException: device reports readiness").endswith("try once more.")
    assert "nothing was said" in installing._why_not_written("")


def test_a_board_is_kept_hold_of_by_its_lasting_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its restart may bring it back as another number."""
    copied: list[str] = []
    monkeypatch.setattr(installing, "lasting_name", lambda device: f"/dev/serial/by-id/of-{Path(device).name}")
    monkeypatch.setattr(installing, "open_line", Vanishing)
    monkeypatch.setattr(installing, "_bring_to_prompt", lambda address, *_: copied.append(address))
    monkeypatch.setattr(installing, "_copy", copied.append)
    monkeypatch.setattr(installing, "_check", copied.append)
    monkeypatch.setattr(installing, "_mpremote", lambda address, *_: copied.append(address))
    monkeypatch.setattr(installing, "RESTART_MS", 0)
    with pytest.raises(BridgeError):
        install("/dev/ttyACM0", SystemClock(), random_session, lambda _: None)
    assert set(copied) == {"/dev/serial/by-id/of-ttyACM0"}
    assert len(copied) == 4


@pytest.mark.parametrize(
    ("prefix", "told"),
    [("/home/ann/last-card/.venv", "-m pip install mpremote"), (sys.base_prefix, "with a clone of Last Card")],
)
def test_without_mpremote_it_says_what_can_be_done_where_it_runs(
    prefix: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "prefix", prefix)
    with pytest.raises(BridgeError, match=re.escape(told)):
        install(None, SystemClock(), lambda: 7, lambda said: None)
