"""Puts the firmware onto a board and finds out how a board is doing, for ``lastcard firmware``.

Files are moved by the program ``mpremote``, which knows MicroPython's prompt; everything else goes over our
own line. Nothing is printed here: each step is told to the caller, and each fault is a sentence.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from firmware_bridge import reports
from firmware_bridge.errors import (
    BoardFaultError,
    BoardForeignError,
    BoardNotFoundError,
    BoardVersionError,
    BridgeError,
)
from firmware_bridge.firmware import FIRMWARE_VERSION
from firmware_bridge.frames import encode_frame
from firmware_bridge.link import REPEAT_MS, Answered, Link
from firmware_bridge.messages import (
    NO_SESSION,
    Ask,
    Command,
    Done,
    Envelope,
    Restart,
    RestartInto,
    Result,
    Topic,
    Welcome,
)
from firmware_bridge.payloads import encode_message
from firmware_bridge.port import (
    LINE_FAULTS,
    READ_MAX,
    BoardPort,
    find_boards,
    lasting_name,
    none_found,
    open_line,
    refuse_circuitpython,
)

_SOURCES: Final = Path(__file__).with_name("firmware")
# A board with our firmware greets within a second of being asked; one without never does.
GREETING_MS: Final = 2_000
# A restart, USB's enumeration and the compiling of the sources on the board.
RESTART_MS: Final = 20_000
ANSWER_MS: Final = 3_000
# Twenty files at the speed of a board's flash take ten seconds.
MPREMOTE_S: Final = 120
_PAUSE_US: Final = 5_000
_START_CLEAN: Final = (
    "If it is still so after unplugging it and plugging it in again, a program on it keeps the prompt to itself: hold "
    "BOOTSEL while you plug the board in, copy flash_nuke.uf2 (from raspberrypi.com) onto the drive that appears, then "
    "MicroPython's .uf2 file (from micropython.org), and run: lastcard firmware install"
)
# What mpremote passes on that no second try changes, each with what does. Numbers are MicroPython's, of errno.h.
_LASTING_FAULTS: Final = {
    "could not enter raw repl": _START_CLEAN,
    "Read-only file": "Its files are closed to us, as CircuitPython has them: put MicroPython on it.",
    "Errno 30": "Its files are closed to us, as CircuitPython has them: put MicroPython on it.",
    "EROFS": "Its files are closed to us, as CircuitPython has them: put MicroPython on it.",
    "Errno 28": "Its flash is full: take files of other programs off it.",
    "ENOSPC": "Its flash is full: take files of other programs off it.",
    "MemoryError": "It has too little memory for the firmware: take a Raspberry Pi Pico.",
    "no module named": "Its MicroPython lacks what the firmware needs: put the newest one for this board on it.",
    "may be in use by another program": "Stop that program: a table, a terminal, Thonny.",
    "Permission denied": "What lets this user in is told by: lastcard firmware status",
}
# Run on the board: make room for a clean copy. The start file goes first, so that a copy that is broken off
# ends at the prompt and not in half a firmware.
_CLEAR: Final = """
import os
def remove(path):
    try:
        os.remove(path)
    except OSError:
        pass
remove('main.py')
try:
    for name in os.listdir('firmware'):
        remove('firmware/' + name)
except OSError:
    os.mkdir('firmware')
"""
# Run on the board: what is there now.
_DIGESTS: Final = """
import hashlib, json
def digest(path):
    try:
        with open(path, 'rb') as file:
            return hashlib.sha256(file.read()).digest().hex()
    except OSError:
        return ''
print(json.dumps([digest(path) for path in PATHS]))
"""


class Clock(Protocol):
    """A monotonic clock that can wait; ``hardware.SystemClock`` is one."""

    def now_us(self) -> int: ...

    def wait_us(self, duration_us: int) -> None: ...


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """How a board is doing. *counters*, *readers* and *settings* are what ``reports`` understands of it.

    *host* is what this end of the line counted while it asked (``LinkCounters``).
    """

    address: str
    welcome: Welcome
    counters: dict[str, Any]
    readers: list[dict[str, Any]]
    settings: dict[str, Any]
    host: dict[str, int]


def firmware_files() -> dict[str, bytes]:
    """The files of a board by their path there; ``main.py``, which starts the rest, comes last."""
    names = sorted(path.name for path in _SOURCES.glob("*.py") if path.name != "main.py")
    files = {f"firmware/{name}": (_SOURCES / name).read_bytes() for name in names}
    return {**files, "main.py": (_SOURCES / "main.py").read_bytes()}


def choose_board(address: str | None) -> str:
    """Return *address*, or the only board there is.

    :raises BoardNotFoundError: if there is none, or more than one.
    """
    if address is not None:
        return address
    found = find_boards()
    if not found:
        raise none_found(
            "name its port with --port; if the Pico is new, hold BOOTSEL while you plug it in, and copy MicroPython's "
            ".uf2 file (from micropython.org) onto the drive that appears"
        )
    if len(found) > 1:
        names = ", ".join(lasting_name(board) for board in found)
        raise BoardNotFoundError(f"Several boards are there: {names}. Name one with --port.")
    return found[0]


class Conversation:
    """A session with one board, for as long as a command takes."""

    def __init__(self, address: str, clock: Clock, new_session: Callable[[], int]) -> None:
        self._clock = clock
        self._port = BoardPort(Link(new_session), address)

    def connect(self, within_ms: int) -> Welcome:
        """Greet the board.

        :raises BridgeError: if it does not answer *within_ms*.
        """
        give_up_ms = self._now_ms() + within_ms
        while self._now_ms() < give_up_ms:
            self._port.poll(self._now_ms())
            welcome = self._port.link.welcome
            if welcome is not None:
                return welcome
            self._clock.wait_us(_PAUSE_US)
        raise self._port.fault or BoardFaultError(
            f"The board at {self._port.address} does not answer. If it is new: lastcard firmware install"
        )

    def ask(self, command: Command) -> Done:
        """Send *command* and return its answer.

        :raises BoardFaultError: if none comes.
        """
        number = self._port.link.send(command, self._now_ms())
        give_up_ms = self._now_ms() + ANSWER_MS
        while self._now_ms() < give_up_ms:
            for event in self._port.poll(self._now_ms()):
                if isinstance(event, Answered) and event.number == number:
                    return event.done
            self._clock.wait_us(_PAUSE_US)
        raise BoardFaultError("The board stopped answering. Unplug it, plug it in again, and try once more.")

    def report(self, topic: Topic) -> Any:
        """Ask about *topic* and return what the board's JSON says.

        :raises BoardFaultError: if there is no such report.
        """
        done = self.ask(Ask(topic))
        return reports.parsed(done.text if done.result is Result.DONE else "")

    def await_end(self, within_ms: int) -> None:
        """Wait until the board, which was told to restart, goes away.

        :raises BoardFaultError: if it does not *within_ms*.
        """
        give_up_ms = self._now_ms() + within_ms
        while self._port.is_connected:
            if self._now_ms() >= give_up_ms:
                raise BoardFaultError("The board did not restart. Unplug it, plug it in again, and try once more.")
            self._port.poll(self._now_ms())
            self._clock.wait_us(_PAUSE_US)

    def counted(self) -> dict[str, int]:
        """What this end of the line counted: whole frames, and all that was dropped or repeated."""
        counters = asdict(self._port.link.counters)
        return {**counters.pop("frames"), **counters, "unsent_bytes": self._port.unsent_bytes}

    def close(self) -> None:
        self._port.close()

    def _now_ms(self) -> int:
        return self._clock.now_us() // 1000


def status(address: str | None, clock: Clock, new_session: Callable[[], int]) -> BoardStatus:
    """Ask a board how it is doing.

    :raises BridgeError: if there is none, or it does not answer.
    """
    address = choose_board(address)
    board = Conversation(address, clock, new_session)
    try:
        welcome = board.connect(RESTART_MS // 4)
        counters = reports.counters(board.report(Topic.COUNTERS))
        readers = reports.readers(board.report(Topic.READERS))
        settings = reports.settings(board.report(Topic.SETTINGS))
        return BoardStatus(address, welcome, counters, readers, settings, board.counted())
    finally:
        board.close()


def _how_to_get_mpremote() -> str:
    """In an environment of its own pip brings it; a box's Debian has none."""
    if sys.prefix != sys.base_prefix:
        return f"Install it with: {sys.executable} -m pip install mpremote"
    return (
        "Put the firmware onto the board at a computer with a clone of Last Card, as docs/how-to/pico.md there says; "
        "a board that has it works here too."
    )


def install(address: str | None, clock: Clock, new_session: Callable[[], int], tell: Callable[[str], None]) -> Welcome:
    """Put the firmware onto a board, start it, and make sure that it is the right one.

    Settings on the board stay as they are. *tell* is called with a sentence before each step.

    :raises BridgeError: if a step fails, with what to do.
    """
    if importlib.util.find_spec("mpremote") is None:
        raise BridgeError(f"The program mpremote is missing. {_how_to_get_mpremote()}")
    # Its number may be another one after a restart.
    address = lasting_name(choose_board(address))
    refuse_circuitpython(address)
    open_line(address).close()  # a port that can't be had is explained here, in our own words
    tell(f"Looking at the board at {address}.")
    _bring_to_prompt(address, clock, new_session, tell)
    tell("Copying the firmware.")
    _copy(address)
    tell("Checking what was copied.")
    _check(address)
    tell("Starting it.")
    _mpremote(address, "reset")
    board = Conversation(address, clock, new_session)
    try:
        welcome = board.connect(RESTART_MS)
    finally:
        board.close()
    if welcome.firmware != FIRMWARE_VERSION:
        raise BoardFaultError(
            f"The board runs firmware {welcome.firmware} and not {FIRMWARE_VERSION}. Unplug it, plug it in again, "
            "and run: lastcard firmware install"
        )
    return welcome


def _bring_to_prompt(address: str, clock: Clock, new_session: Callable[[], int], tell: Callable[[str], None]) -> None:
    """Ask a firmware that runs to make way; a board that does not answer is taken to be at its prompt."""
    board = Conversation(address, clock, new_session)
    try:
        try:
            welcome = board.connect(GREETING_MS)
        except BoardVersionError as fault:
            tell(f"It runs firmware {fault.firmware}, of another version; restarting it to its prompt.")
            _restart_any_version(address, clock)
            _await_return(address, clock)
            return
        except BoardForeignError:
            raise
        except BoardFaultError:  # silent, or at its prompt; whatever else keeps its port from us is told
            return
        tell(f"It runs firmware {welcome.firmware}; restarting it to its prompt.")
        if board.ask(Restart(RestartInto.PROMPT)).result is not Result.DONE:
            raise BoardFaultError("The board refused to restart. Unplug it, plug it in again, and try once more.")
        board.await_end(RESTART_MS)
    finally:
        board.close()
    _await_return(address, clock)


def _restart_any_version(address: str, clock: Clock) -> None:
    """Restart a firmware that refuses each of our versions to its prompt, with the one command that all obey.

    :raises BoardFaultError: if it does not go away: it is older than that command.
    """
    restart = encode_frame(encode_message(Envelope(NO_SESSION, 1, Restart(RestartInto.PROMPT))))
    line = open_line(address)
    give_up_us = clock.now_us() + ANSWER_MS * 1000
    try:
        while clock.now_us() < give_up_us:
            # It may come in the middle of a session that another host left behind, so not once only.
            line.write(restart)
            line.read(READ_MAX)
            clock.wait_us(REPEAT_MS * 1000)
    except LINE_FAULTS:  # gone, as it should be
        return
    finally:
        line.close()
    raise BoardFaultError(
        f"The firmware on the board at {address} does not make way. Hold BOOTSEL while you plug the board in, copy "
        "flash_nuke.uf2 (from raspberrypi.com) onto the drive that appears, then MicroPython's .uf2 file (from "
        "micropython.org) onto the drive that appears again, and run: lastcard firmware install"
    )


def _await_return(address: str, clock: Clock) -> None:
    """Wait until the port that went away is back."""
    give_up_us = clock.now_us() + RESTART_MS * 1000
    while True:
        try:
            open_line(address).close()
            return
        except BridgeError:  # not there yet, or the system has not set its permissions yet
            if clock.now_us() >= give_up_us:
                raise
        clock.wait_us(_PAUSE_US)


def _copy(address: str) -> None:
    sources = [str(_SOURCES / name.removeprefix("firmware/")) for name in firmware_files()]
    *modules, start = sources
    _mpremote(address, "exec", _CLEAR, "+", "fs", "cp", *modules, ":firmware/", "+", "fs", "cp", start, ":main.py")


def _check(address: str) -> None:
    files = firmware_files()
    said = _mpremote(address, "exec", f"PATHS = {list(files)!r}\n{_DIGESTS}")
    try:
        there = json.loads(said.splitlines()[-1])
    except (ValueError, IndexError):
        there = []
    wanted = [hashlib.sha256(content).hexdigest() for content in files.values()]
    wrong = [name for name, right, is_there in zip(files, wanted, there, strict=False) if right != is_there]
    if wrong or len(there) != len(wanted):
        raise BoardFaultError(
            f"What is on the board is not what was sent ({', '.join(wrong) or 'no answer'}). Its flash may be full "
            "or worn: remove files from it, or take another board."
        )


def _mpremote(address: str, *command: str) -> str:
    """Run mpremote and return what it printed."""
    arguments: Sequence[str] = [sys.executable, "-m", "mpremote", "connect", address, *command]
    try:
        run = subprocess.run(
            arguments, capture_output=True, text=True, errors="replace", timeout=MPREMOTE_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise BoardFaultError(f"The board does not answer at its prompt. {_START_CLEAN}") from error
    if run.returncode != 0:
        raise BoardFaultError(_why_not_written(run.stdout + run.stderr))
    return run.stdout


def _why_not_written(said: str) -> str:
    """What mpremote *said*, as a sentence; to try once more is advised only where that can help."""
    last = (said.strip().splitlines() or ["nothing was said"])[-1].strip()
    for mark, advice in _LASTING_FAULTS.items():
        if mark in said:
            return f"The board could not be written ({last}). {advice}"
    return f"The board could not be written ({last}). Unplug it, plug it in again, and try once more."
