"""Measures the live table: from a card's reading to the ruling on the screen, what idling costs, how soon it is there.

Run with ``python tests/benchmarks/table.py``; it needs Debian's package xvfb, and prints one JSON object. The window is
a real one on a virtual X server, the journal a real file. A card is read by the real driver on the simulated chip, and
its time begins as the last SPI transfer of that reading ends (`tests.table.tapped_table`); what the simulation itself
computes for a transfer comes before that.
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
import statistics
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
FIRST_FRAMES = 7
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


def first_frames_s(environment: Mapping[str, str], folder: str) -> list[float]:
    """Seconds from starting the process to the first frame, of several starts; caches may be cold in the first."""
    found = []
    for _time in range(FIRST_FRAMES):
        began = time.monotonic()
        command = [sys.executable, "-c", FIRST_FRAME_PROGRAM, *table_command(folder)]
        done = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
        )
        found.append(float(done.stdout.split()[-1]) - began)
    return found


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
    from table_app.table import open_table
    from table_app.view.present import present
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
        usual = run_program(environment, "-m", "tests.table.tapped_table", str(TAPS))
        slow = run_program(environment, "-m", "tests.table.slow_table", str(SLOW_DISK_MS), str(SLOW_SIGNALS))
        shown: list[float] = usual["shown"]
        result["taps"] = len(shown)
        result["tap_to_shown_p50_ms"] = percentile(shown, 0.5)
        result["tap_to_shown_p99_ms"] = percentile(shown, 0.99)
        result["stages_p99_ms"] = {name: percentile(values, 0.99) for name, values in usual["stages"].items()}
        result["slow_disk_tick_p99_ms"] = percentile(slow["ticks"], 0.99)
        result["slow_disk"] = {name: slow[name] for name in ("actions", "syncs", "took_s", "wrong")}
        frames = first_frames_s(environment, f"{folder}/first")
        result["first_frame_s"] = round(statistics.median(frames), 2)
        result["first_frame_worst_s"] = round(max(frames), 2)
        result["idle_cpu_percent"], result["rss_mb"] = idle(environment, f"{folder}/idle", "simulated")
        result["idle_without_reader_percent"], _megabytes = idle(environment, f"{folder}/alone", "none")
        result["resume_2000_s"] = resume_s(Path(folder) / "resume")
    result["limits"] = LIMITS
    print(json.dumps(result))
    over = [name for name, limit in LIMITS.items() if float(str(result[name])) >= limit]
    return 1 if over or slow["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
