"""systemd hears from the table on a real socket, and hears nothing once the loop is stuck."""

from __future__ import annotations

import itertools
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from table_app.appliance.service import STATUS_LENGTH_MAX, Notifier, Watchdog, watchdog_interval_ms


@dataclass
class Supervisor:
    """The other end of NOTIFY_SOCKET."""

    socket: socket.socket
    address: str

    def heard(self) -> list[str]:
        """All datagrams that have come, without waiting."""
        found = []
        while True:
            try:
                found.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return found


@pytest.fixture(params=["path", "abstract"])
def supervisor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Supervisor]:
    name = str(tmp_path / "notify") if request.param == "path" else f"@last-card-test-{os.getpid()}-{tmp_path.name}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name[1:] if name.startswith("@") else name)
        listening.setblocking(False)
        yield Supervisor(listening, name)


def test_ready_status_and_stopping_arrive(supervisor: Supervisor) -> None:
    with Notifier({"NOTIFY_SOCKET": supervisor.address}) as notifier:
        assert notifier.is_supervised
        notifier.ready("Round 2,\nAnn's turn")
        notifier.status("x" * 1000)
        notifier.stopping()
    ready, status, stopping = supervisor.heard()
    assert ready.splitlines() == ["READY=1", "STATUS=Round 2, Ann's turn"]
    assert status == "STATUS=" + "x" * STATUS_LENGTH_MAX
    assert stopping == "STOPPING=1"


def test_pings_come_with_the_steps_and_stop_with_them(supervisor: Supervisor) -> None:
    now_ms = 0
    with Notifier({"NOTIFY_SOCKET": supervisor.address}) as notifier:
        watchdog = Watchdog(notifier, lambda: now_ms, 10_000)
        heard_at_s = []
        for now_ms in range(0, 60_000, 1_000):  # the clock above reads it
            watchdog()
            heard_at_s += [now_ms // 1_000 for _ in supervisor.heard()]
        assert heard_at_s[0] == 0
        assert max(later - earlier for earlier, later in itertools.pairwise(heard_at_s)) <= 10
        assert len(heard_at_s) <= 8, "no more often than needed"
        # The loop hangs: time goes on, no step ends, and no thread of the notifier's own says otherwise.
        now_ms = 600_000
        assert supervisor.heard() == []
        watchdog()
        assert supervisor.heard() == ["WATCHDOG=1"]


def test_a_supervisor_that_does_not_listen_does_not_hold_the_table_up(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(address)
        with Notifier({"NOTIFY_SOCKET": address}) as notifier:
            for _ in range(10_000):  # far more than the socket's buffer holds
                notifier.send("WATCHDOG=1")
    with Notifier({"NOTIFY_SOCKET": address}) as notifier:
        notifier.ready("nobody listens any more")


@pytest.mark.parametrize("address", ["", "relative/path"])
def test_without_systemd_nothing_is_sent(address: str) -> None:
    with Notifier({"NOTIFY_SOCKET": address} if address else {}) as notifier:
        assert not notifier.is_supervised
        notifier.ready("alone")


def test_the_interval_is_half_of_the_patience() -> None:
    assert watchdog_interval_ms({"WATCHDOG_USEC": "20000000"}) == 10_000
    assert watchdog_interval_ms({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, process=7) == 10_000
    assert watchdog_interval_ms({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, process=8) is None
    for nothing in ({}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "soon"}):
        assert watchdog_interval_ms(nothing) is None


def test_a_table_without_a_watchdog_pings_nobody(supervisor: Supervisor) -> None:
    with Notifier({"NOTIFY_SOCKET": supervisor.address}) as notifier:
        Watchdog(notifier, lambda: 5, None)()
    assert supervisor.heard() == []
