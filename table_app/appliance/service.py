"""Talks to systemd: ready, what is going on, and the watchdog's food. Does nothing where there is no systemd.

The watchdog is fed by the live table's own step and by nothing else: no thread may do it, or a hung table would look
alive. What to do about trouble is not known here. Source: sd_notify(3), sd_watchdog_enabled(3).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final

# A datagram to systemd that can't be taken at once is dropped: a table never waits for its supervisor.
SEND_TIMEOUT_S: Final = 0.0
# Longer texts are cut: the state is one line of `systemctl status`.
STATUS_LENGTH_MAX: Final = 200
READY_FILE: Final = "ready"
"""In the service's run directory: the number of the process that is ready, for the doctor; systemd's own word for it
is nothing that a program in its own name space could ask for."""


class Notifier:
    """The socket in ``NOTIFY_SOCKET``, or nothing.

    :param environment: where to look for it.
    :param run_directory: where to say that this process is ready; None: nowhere.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ, run_directory: Path | None = None) -> None:
        self.last_status = ""
        self._ready_file = None if run_directory is None else run_directory / READY_FILE
        address = environment.get("NOTIFY_SOCKET", "")
        self._socket: socket.socket | None = None
        # A leading @ stands for the zero byte of Linux's abstract names; anything else must be a path.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        if address.startswith(("/", "@")):
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.settimeout(SEND_TIMEOUT_S)

    @property
    def is_supervised(self) -> bool:
        """Whether somebody listens."""
        return self._socket is not None

    def send(self, *assignments: str) -> None:
        """Send ``NAME=value`` lines; a supervisor that is gone or busy is not our trouble."""
        if self._socket is None:
            return
        try:
            self._socket.sendto("\n".join(assignments).encode(), self._address)
        except OSError:
            return

    def ready(self, status: str) -> None:
        """The table stands: devices opened, record read, the first frame shown or no screen there."""
        self.last_status = status
        self.send("READY=1", _status(status))
        if self._ready_file is not None:
            with suppress(OSError):  # then the doctor says that nothing runs, and the log says more
                self._ready_file.write_text(f"{os.getpid()}\n", encoding="ascii")
                self._ready_file.chmod(0o644)  # the doctor is anybody's

    def status(self, status: str) -> None:
        """One line for ``systemctl status``."""
        self.send(_status(status))

    def stopping(self) -> None:
        self.send("STOPPING=1")
        if self._ready_file is not None:
            with suppress(OSError):
                self._ready_file.unlink(missing_ok=True)

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> Notifier:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _status(text: str) -> str:
    line = " ".join(text.split())
    return f"STATUS={line[:STATUS_LENGTH_MAX]}"


def watchdog_interval_ms(environment: Mapping[str, str] = os.environ, process: int | None = None) -> int | None:
    """How often the watchdog wants to hear from this process, in milliseconds; None: not at all.

    It is half of its patience, as sd_watchdog_enabled(3) advises.
    """
    try:
        patience_us = int(environment.get("WATCHDOG_USEC", ""))
        wanted = int(environment.get("WATCHDOG_PID", "") or os.getpid())
    except ValueError:
        return None
    if patience_us <= 0 or wanted != (os.getpid() if process is None else process):
        return None
    return max(patience_us // 2_000, 1)


class Watchdog:
    """Food for the watchdog; give it to ``Table(watchdog=…)``, which calls it at the end of each step.

    :param clock: the table's milliseconds.
    :param interval_ms: how often to send; None sends nothing.
    """

    def __init__(self, notifier: Notifier, clock: Callable[[], int], interval_ms: int | None) -> None:
        self._notifier = notifier
        self._clock = clock
        self.interval_ms = interval_ms
        self._due_ms: int | None = None

    def __call__(self) -> None:
        """A step came to its end."""
        if self.interval_ms is None:
            return
        now_ms = self._clock()
        if self._due_ms is None or now_ms >= self._due_ms:
            # A step a second early rather than late: steps come at most a second apart when nothing happens.
            self._due_ms = now_ms + max(self.interval_ms - 1_000, self.interval_ms // 2)
            self._notifier.send("WATCHDOG=1")
