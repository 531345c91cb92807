"""How long a table's loop waits, and what ends that: a device that has something, the system, or a button.

No loop lives here.
"""

from __future__ import annotations

import signal as system_signals
import threading
from collections.abc import Callable

from hardware.signals import ButtonPressed, Signal
from table_app.table import Table
from table_app.table.clock import now_ms

QUIT, WHO_PLAYS = "quit", "who-plays"
"""The buttons that are the loop's own: the table never hears of them."""

LONGEST_WAIT_MS = 1_000
"""The loop turns at least once a second, so that a watchdog hears from it."""


class Wake:
    """Ends the loop's waiting, from any thread; `target` is what waits."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.target: Callable[[], None] = self.event.set
        self.is_stopped = False

    def __call__(self) -> None:
        self.target()

    def stop(self, *_: object) -> None:
        """Run to the end of this step, then no more."""
        self.is_stopped = True
        self.target()

    def listen(self) -> None:
        """Stop in good order when the system or Ctrl-C asks for it."""
        system_signals.signal(system_signals.SIGTERM, self._told_to_stop)
        system_signals.signal(system_signals.SIGINT, self._told_to_stop)

    def _told_to_stop(self, *_: object) -> None:
        """Only a flag: the loop, which looks at least every second, may hold the event's own lock at this moment."""
        self.is_stopped = True


def timeout_ms(table: Table) -> int:
    """How long a loop may wait before the next step."""
    if table.is_busy:
        return 0
    due_ms = table.next_wake_ms()
    return LONGEST_WAIT_MS if due_ms is None else min(max(due_ms - now_ms(), 0), LONGEST_WAIT_MS)


def is_button(signal: Signal, button: str) -> bool:
    return isinstance(signal, ButtonPressed) and signal.button == button
