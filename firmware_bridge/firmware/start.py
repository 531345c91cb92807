"""How the board's program starts, and what becomes of one that fails.

A fault restarts the board, and so does the watchdog when the program hangs; after three in a row it stays at
MicroPython's prompt, where a new firmware can be put on it, instead of restarting for ever with its prompt out of
reach.
"""

import json
import os

from . import messages as m
from . import settings
from .app import App
from .board import Board, was_reset_by_program

# With this file there the next start goes to MicroPython's prompt, once, with no watchdog to bite.
PROMPT_FILE = "prompt.flag"
# The text of the last fault, and behind it how many starts in a row ended in one.
FAULT_FILE = "fault.json"
FAULTS_MAX = 3
FAULT_TEXT_MAX = 200
# Lies there as long as the program runs. A start that finds it, and is not that of a plug, follows on one that hung.
RUNNING_FILE = "running.flag"
HUNG_TEXT = "the program hung, and the watchdog restarted the board"


def _write(path: str, content: str) -> None:
    with open(path, "w") as file:
        file.write(content)


def _store_fault(text: str, count: int) -> None:
    try:
        _write(FAULT_FILE, json.dumps([text[:FAULT_TEXT_MAX], count]))
    except OSError:
        pass  # a full flash must not keep the board from restarting


def _load_fault() -> "tuple[str, int]":
    try:
        with open(FAULT_FILE) as file:
            text, count = json.loads(file.read(1024))
        return str(text), int(count)
    except (OSError, ValueError, TypeError):
        return "", 0


def _remove(path: str) -> bool:
    try:
        os.remove(path)
    except OSError:
        return False
    return True


def _mark_running() -> None:
    try:
        _write(RUNNING_FILE, "")
    except OSError:
        pass  # a full flash


def _faults_before() -> "tuple[str, int]":
    """The last fault and how many starts in a row ended in one, the last of them perhaps at the watchdog."""
    last_fault, faults = _load_fault()
    if _remove(RUNNING_FILE) and was_reset_by_program():
        last_fault, faults = HUNG_TEXT, faults + 1
        _store_fault(last_fault, faults)
    return last_fault, faults


def main() -> None:
    """Run for ever, or return to MicroPython's prompt if that was asked for or nothing else helps."""
    if _remove(PROMPT_FILE):
        print("Last Card: at the prompt, once, as the host asked.")  # noqa: T201
        return
    last_fault, faults = _faults_before()
    if faults >= FAULTS_MAX:
        _store_fault(last_fault, 0)
        print("Last Card: stopped after", faults, "faults, the last one:", last_fault)  # noqa: T201
        return
    in_force, note = settings.load()
    try:
        board = Board(in_force)
    except Exception as error:  # a pin that can't do what it is set to, in whatever words the chip's port has for it
        why = settings.reason(error)
        note = f"The board can't be set up as its settings.json says ({why}), so the usual pins are in force."
        board = Board(settings.DEFAULTS)
    app = App(board, in_force, note, last_fault)
    try:
        _mark_running()
        board.start_watchdog()
        while app.restart_into is None:
            board.wait(app.turn())
            if app.is_sound and faults:
                faults = 0
                _store_fault(last_fault, 0)
        if app.restart_into == m.RESTART_PROMPT:
            _write(PROMPT_FILE, "")
    except Exception as error:
        _store_fault(f"{type(error).__name__}: {error}", faults + 1)
        board.drive_buzzer(0)
        board.show_lamps([])
    _remove(RUNNING_FILE)
    board.restart()
