"""Ends a loop's waiting: when a device has something, and when the system asks to stop. No loop lives here."""

from __future__ import annotations

import signal as system_signals
import threading
from collections.abc import Callable


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
