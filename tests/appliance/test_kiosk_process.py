"""``lastcard kiosk`` as a real process: ready after the first frame, watched over, stopped in good order."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.display.under_xvfb import x_server
from tests.programs import requires_program

REPOSITORY = Path(__file__).parents[2]
PATIENCE_S = 90.0
# Four times what the table means to take, so that a loaded machine is no hung table.
WATCHDOG_US = 2_000_000
FIRST_FRAME_S = 3.0

# The command itself, with one more device at the table: one that gets stuck when it is told to, as a bad driver would.
PROGRAM = """
import sys, threading, signal
import table_app.table.devices as devices_module
from table_app.cli import main
stuck, free = threading.Event(), threading.Event()
class Device:
    name = "reader"
    def poll(self, now_ms):
        if stuck.is_set():
            free.wait()
        return ()
opened = devices_module.open_devices
def open_devices(*arguments):
    devices = opened(*arguments)
    devices.senses.append(Device())
    return devices
devices_module.open_devices = open_devices
if "--answer" in sys.argv:
    # Somebody who presses the first answer to every question; the window and all behind it are the real ones.
    sys.argv.remove("--answer")
    from hardware.signals import ButtonPressed
    from table_app.display.window import TableWindow
    wait = TableWindow.wait
    def answer(window, timeout_ms):
        signals = wait(window, min(timeout_ms, 50))
        choices = [target.name for target in window.targets if target.name.startswith("choose:")]
        return [*signals, *(ButtonPressed(0, name) for name in choices[:1])]
    TableWindow.wait = answer
threading.Thread(target=lambda: (sys.stdin.readline(), stuck.set(), sys.stdin.readline(), free.set(), stuck.clear()),
                 daemon=True).start()
main(["kiosk", "--reader", "none", *sys.argv[1:]])
"""


@dataclass
class Running:
    """A kiosk, and what systemd hears of it."""

    process: subprocess.Popen[str]
    notify: socket.socket

    def hear(self, timeout_s: float = PATIENCE_S) -> str:
        """The next datagram; empty if none comes in time."""
        self.notify.settimeout(timeout_s)
        try:
            return self.notify.recv(4096).decode()
        except TimeoutError:
            return ""

    def hear_until(self, start: str) -> str:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            said = self.hear(1)
            if said.startswith(start):
                return said
            if not said and self.process.poll() is not None:
                break
        self.process.kill()
        raise AssertionError(f"systemd never heard {start}; the process said: {self.process.communicate()[1]}")

    def processor_s(self) -> float:
        """What it has cost so far, of all cores together. Source: proc_pid_stat(5), fields 14 and 15."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


@contextmanager
def kiosk(directory: Path, environment: Mapping[str, str], *arguments: str) -> Iterator[Running]:
    path = directory / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(path))
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=directory,
            env={
                **{name: value for name, value in environment.items() if not name.startswith(("XDG_", "SDL_"))},
                "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path]),
                "HOME": str(directory),
                "NOTIFY_SOCKET": str(path),
                "WATCHDOG_USEC": str(WATCHDOG_US),
                "STATE_DIRECTORY": str(directory / "state"),
                "RUNTIME_DIRECTORY": str(directory),
            },
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield Running(process, notify)
        finally:
            process.kill()
            process.communicate()


def without_a_screen() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}


def test_a_stuck_loop_goes_hungry_and_a_turning_one_does_not(tmp_path: Path) -> None:
    with kiosk(tmp_path, without_a_screen()) as running:
        assert "no screen" in running.hear_until("READY=1")
        for _ in range(3):
            assert running.hear(WATCHDOG_US / 1_000_000) == "WATCHDOG=1", "in time, each time"
        running.tell("get stuck")
        while running.hear(WATCHDOG_US / 1_000_000):
            pass  # what was under way when it got stuck
        assert running.hear(2 * WATCHDOG_US / 1_000_000) == "", "nobody feeds it in the loop's place"
        running.tell("go on")
        assert running.hear_until("WATCHDOG=1")


def test_a_settings_file_that_its_owner_took_away_is_said_in_the_log_and_the_table_runs(tmp_path: Path) -> None:
    gone = tmp_path / "etc/lastcard.toml"
    with kiosk(tmp_path, without_a_screen(), "--settings", str(gone)) as running:
        assert "record in" in running.hear_until("READY=1")
        running.process.send_signal(signal.SIGTERM)
        _, said = running.process.communicate(timeout=PATIENCE_S)
        assert running.process.returncode == 0
        assert said.startswith(f"There is no {gone}: everything is as it comes.")


def test_it_says_goodbye_and_comes_back_in_the_same_match(tmp_path: Path) -> None:
    for start in range(2):
        with kiosk(tmp_path, without_a_screen()) as running:
            running.hear_until("READY=1")
            running.process.send_signal(signal.SIGTERM)
            running.hear_until("STOPPING=1")
            _, said = running.process.communicate(timeout=PATIENCE_S)
            assert running.process.returncode == 0
            assert "Display: none." in said
            assert "Traceback" not in said
        (tmp_path / "notify").unlink()
        assert (tmp_path / "state/journal.sqlite").exists(), start


def test_on_a_screen_it_is_ready_once_the_first_frame_is_shown(tmp_path: Path) -> None:
    """It costs less than three seconds of one core, whatever else the machine is at; the time on the clock of a machine
    that is at nothing else is measured by ``tests/benchmarks/appliance.py``."""
    xvfb = requires_program("Xvfb", "xvfb")
    with x_server(xvfb, "800x480x24") as environment:
        settings = tmp_path / "lastcard.toml"
        settings.write_text('[table]\nplayers = ["Eva", "Tom"]\n', encoding="utf-8")
        with kiosk(tmp_path, environment, "--settings", str(settings)) as running:
            assert "x11" in running.hear_until("READY=1")
            assert running.processor_s() < FIRST_FRAME_S
            running.process.send_signal(signal.SIGTERM)
            running.hear_until("STOPPING=1")
            running.process.communicate(timeout=PATIENCE_S)
            assert running.process.returncode == 0


def test_a_fresh_box_asks_who_plays_and_keeps_the_answer_beside_the_record(tmp_path: Path) -> None:
    xvfb = requires_program("Xvfb", "xvfb")
    (tmp_path / "state").mkdir()
    chosen = tmp_path / "state/set-up.toml"
    with x_server(xvfb, "800x480x24") as environment:
        with kiosk(tmp_path, environment) as running:
            assert "asking how the table is set up" in running.hear_until("READY=1")
            for _ in range(3):
                assert running.hear(WATCHDOG_US / 1_000_000) == "WATCHDOG=1", "fed while it asks"
            assert not chosen.exists()
        (tmp_path / "notify").unlink()
        with kiosk(tmp_path, environment, "--answer") as running:
            assert "asking" in running.hear_until("READY=1")
            assert "record in" in running.hear_until("READY=1")
            assert "[table]" in chosen.read_text(encoding="utf-8")
        (tmp_path / "notify").unlink()
        with kiosk(tmp_path, environment) as running:
            assert "record in" in running.hear_until("READY=1"), "the next start does not ask again"


def test_settings_that_can_not_be_used_are_said_until_they_are_mended(tmp_path: Path) -> None:
    """No crash loop and no dark screen: the table stands, says what is wrong, and starts anew by itself."""
    xvfb = requires_program("Xvfb", "xvfb")
    settings = tmp_path / "lastcard.toml"
    wrong = '[table]\nplayers = ["Eva", "Tom"]\n[pins]\nbuzzer = 26\n'
    with x_server(xvfb, "800x480x24") as screen:
        for environment in (without_a_screen(), screen):
            settings.write_text(wrong, encoding="utf-8")
            with kiosk(tmp_path, environment, "--settings", str(settings)) as running:
                said = running.hear_until("READY=1")
                assert f"the settings can't be used: {settings}, line 4: [pins] buzzer has pin 26" in said
                for _ in range(3):
                    assert running.hear(WATCHDOG_US / 1_000_000) == "WATCHDOG=1", "fed while it waits"
                settings.write_text(wrong.replace("26", "18"), encoding="utf-8")
                running.hear_until("STOPPING=1")
                _, log = running.process.communicate(timeout=PATIENCE_S)
                assert running.process.returncode == 0, "systemd starts it again"
                assert "Traceback" not in log
            (tmp_path / "notify").unlink()


def test_what_the_plug_cut_short_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state/set-up.toml").write_text('[table]\nplayers = ["Eva', encoding="utf-8")
    (tmp_path / "state/corner.toml").write_text("[kiosk\n", encoding="utf-8")
    with kiosk(tmp_path, without_a_screen()) as running:
        assert "record in" in running.hear_until("READY=1")
    assert (tmp_path / "state/set-up.damaged-1.toml").exists()
