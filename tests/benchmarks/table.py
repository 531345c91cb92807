"""Measures the live table: from a card's reading to the ruling on the screen, what idling costs, how soon it is there.

Run with ``python tests/benchmarks/table.py``; it needs Debian's package xvfb, and prints one JSON object. The window is
a real one on a virtual X server, the journal a real file; the reader's last transfer is the moment its poll returns.
The slow disk is one whose every fsync takes 300 ms, inside SQLite's own commit (`tests.table.slow_disk`); its record is
read again afterwards and compared with what was told and with what was done. The idle table is the real ``lastcard
play`` with its simulated reader, which is asked for a card over and over. What that costs beside a table without a
reader is what the simulated chip costs; a real one is a kernel call a register. Exit status 1: something is over its
limit, or the record is wrong.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.display.under_xvfb import x_server  # noqa: E402 (the path first)

IDLE_S = 20
SETTLE_S = 3
RESUMED_ACTIONS = 2_000
SLOW_DISK_MS = 300
TAPS = 1_000
SLOW_SIGNALS = 120
LIMITS = {
    "tap_to_shown_p99_ms": 50.0,
    "slow_disk_tick_p99_ms": 100.0,
    "idle_cpu_percent": 2.0,
    "rss_mb": 120.0,
    "first_frame_s": 1.5,
    "resume_2000_s": 0.5,
}

TAPS_PROGRAM = """
import json, sys, tempfile, threading, time
from dataclasses import replace
from pathlib import Path
from hardware.signals import TagPlaced
from table_app.display.present import present
from table_app.display.window import TableWindow, WindowOptions
from table_app.table import Table, open_table
from table_app.table import loop
from table_app.table.threads import ThreadedDevice
from tests.table.honest import HonestPeople
from tests.table.rig import Rig, files, setup

most = int(sys.argv[1])
rig = Rig(setup("target: 300"))
people = HonestPeople(rig, 7)
while rig.state.match.winners == ():
    people.play_round()
script = rig.heard.signals[:most]
clock = lambda: time.monotonic_ns() // 1_000_000
stages = {"interpret": [], "rule": [], "journal": [], "draw": []}

def timed(name, function):
    def run(*arguments, **named):
        began = time.perf_counter()
        try:
            return function(*arguments, **named)
        finally:
            stages[name].append((time.perf_counter() - began) * 1000)
    return run

loop.interpret = timed("interpret", loop.interpret)
loop.apply = timed("rule", loop.apply)

class Reader:
    name = "pad"
    def __init__(self):
        self.next = None
        self.read_at = 0.0
    def poll(self, now_ms):
        if self.next is None:
            return ()
        signal, self.next = self.next, None
        self.read_at = time.perf_counter()
        return (replace(signal, at_ms=now_ms),)

reader, shown = Reader(), []
folder = tempfile.mkdtemp()
opened = open_table(files(Path(folder)), rig.setup, clock(), tags=rig.tags)
append = opened.journal.append
opened.journal.append = timed("journal", append)

with TableWindow(clock, WindowOptions()) as window:
    draw = timed("draw", lambda state, at_ms: window.show(present(state, at_ms)))
    woken = threading.Event()
    device = ThreadedDevice(reader, clock, woken.set)
    def show(state, at_ms):
        draw(state, at_ms)
        if reader.read_at:
            shown.append((time.perf_counter() - reader.read_at) * 1000)
            reader.read_at = 0.0
    table = Table(opened.state, opened.journal, devices=[device], show=show, ticks_for_tags=False)
    for signal in script:
        if isinstance(signal, TagPlaced):
            reader.next = signal
            woken.wait(1)
            woken.clear()
        else:
            table.hear(replace(signal, at_ms=clock()))
        table.step(clock())
        window.wait(0)
    device.close()
print(json.dumps({"shown": shown, "stages": stages}))
"""

FIRST_FRAME_PROGRAM = """
import os, sys, time
from table_app.display import window
show = window.TableWindow.show
def show_and_leave(self, view):
    painted = show(self, view)
    if painted:
        print(time.monotonic(), flush=True)
        os._exit(0)
    return painted
window.TableWindow.show = show_and_leave
from table_app.cli import main
main(sys.argv[1:])
"""


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 2)


def run_program(environment: Mapping[str, str], *arguments: str) -> dict[str, Any]:
    """What a program of its own measured."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=300)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def table_command(folder: str, reader: str = "none") -> list[str]:
    options = ["--display", "window", "--reader", reader, "--players", "Ann,Ben,Cy", "--state-directory", folder]
    return ["play", *options]


def first_frame_s(environment: Mapping[str, str], folder: str) -> float:
    """Seconds from starting the process to the first frame; the best of three, as caches are cold only once."""
    found = []
    for _time in range(3):
        began = time.monotonic()
        command = [sys.executable, "-c", FIRST_FRAME_PROGRAM, *table_command(folder)]
        done = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
        )
        found.append(float(done.stdout.split()[-1]) - began)
    return round(min(found), 2)


def idle(environment: Mapping[str, str], folder: str, reader: str) -> tuple[float, float]:
    """Per cent of a core and megabytes of a table at which nothing happens."""
    command = [sys.executable, "-m", "table_app", *table_command(folder, reader)]
    process = subprocess.Popen(command, env=environment, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        time.sleep(SETTLE_S)
        spent, began = cpu_s(process.pid), time.monotonic()
        time.sleep(IDLE_S)
        percent = 100 * (cpu_s(process.pid) - spent) / (time.monotonic() - began)
        pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    finally:
        process.terminate()
        process.wait(10)
    return round(percent, 2), round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def resume_s(folder: Path) -> float:
    """Seconds to open a journal with a match of 2,000 actions under way, until it could be shown."""
    from table_app.display.present import present
    from table_app.table import open_table
    from tests.table.honest import HonestPeople
    from tests.table.rig import Rig, files, setup

    rig = Rig(setup("target: 1000000"), folder)
    people = HonestPeople(rig, 3)
    while len(rig.heard.done) < RESUMED_ACTIONS:
        people.play_round()
    rig.opened.close()
    began = time.perf_counter()
    again = open_table(files(folder), setup(), 0, tags=rig.tags)
    present(again.state, 0)
    took = time.perf_counter() - began
    again.close()
    return round(took, 3)


def main() -> int:
    """Measure all, print it, and compare with the limits."""
    xvfb = shutil.which("Xvfb")
    if not xvfb:
        print("Xvfb is not installed; Debian's package xvfb brings it.", file=sys.stderr)
        return 2
    result: dict[str, object] = {"benchmark": "table"}
    with x_server(xvfb) as environment, tempfile.TemporaryDirectory() as folder:
        usual = run_program(environment, "-c", TAPS_PROGRAM, str(TAPS))
        slow = run_program(environment, "-m", "tests.table.slow_table", str(SLOW_DISK_MS), str(SLOW_SIGNALS))
        shown: list[float] = usual["shown"]
        result["taps"] = len(shown)
        result["tap_to_shown_p50_ms"] = percentile(shown, 0.5)
        result["tap_to_shown_p99_ms"] = percentile(shown, 0.99)
        result["stages_p99_ms"] = {name: percentile(values, 0.99) for name, values in usual["stages"].items()}
        result["slow_disk_tick_p99_ms"] = percentile(slow["ticks"], 0.99)
        result["slow_disk"] = {name: slow[name] for name in ("actions", "syncs", "took_s", "wrong")}
        result["first_frame_s"] = first_frame_s(environment, f"{folder}/first")
        result["idle_cpu_percent"], result["rss_mb"] = idle(environment, f"{folder}/idle", "simulated")
        result["idle_without_reader_percent"], _megabytes = idle(environment, f"{folder}/alone", "none")
        result["resume_2000_s"] = resume_s(Path(folder) / "resume")
    result["limits"] = LIMITS
    print(json.dumps(result))
    over = [name for name, limit in LIMITS.items() if float(str(result[name])) >= limit]
    return 1 if over or slow["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
