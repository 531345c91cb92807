"""The text console beneath the table is made quiet, on a real terminal, and left as it was."""

from __future__ import annotations

import os
import pty

from table_app.appliance.console import LOUD, QUIET, quieten, restore


def test_a_terminal_is_told_to_be_quiet_and_then_loud_again() -> None:
    master, terminal = pty.openpty()
    try:
        assert quieten(terminal)
        assert os.read(master, 100) == QUIET
        assert b"\x1b[9;0]" in QUIET, "no blanking"
        assert b"\x1b[?25l" in QUIET, "no cursor"
        assert restore(terminal)
        assert os.read(master, 100) == LOUD
    finally:
        os.close(master)
        os.close(terminal)


def test_what_is_no_terminal_is_left_alone() -> None:
    read, write = os.pipe()
    try:
        assert not quieten(write)
        assert not restore(write)
        os.set_blocking(read, False)
        assert not os.get_blocking(read)
    finally:
        os.close(read)
        os.close(write)
    assert not quieten(write), "nor is what is closed an error"
