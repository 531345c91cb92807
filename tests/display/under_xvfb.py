"""A real X server without a screen, and a table's window in a process of its own, for tests and
measurements.

Nothing is guessed by waiting a while: Xvfb says its number when it is ready, the window says when it is
shown, and each signal is a line.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

REPOSITORY = Path(__file__).parents[2]

WINDOW_PROGRAM = """
import sys, time
from pathlib import Path
from table_app.display.window import TableWindow, WindowOptions
from tests.display import sample_views

width, height, seconds, shot = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
start = time.monotonic()
options = WindowOptions(size=(width, height), title="Last Card under test")
with TableWindow(lambda: round(time.monotonic() * 1000), options) as window:
    view = sample_views.with_demo(sample_views.play()) if width > 1000 else sample_views.play()
    window.show(view)
    window.wait(500)
    for target in window.targets:
        print("target", target.name, *target.box.centre, flush=True)
    print("shown", window.driver, *window.size, flush=True)
    if seconds:
        painted, cpu, began = window.frames_painted, time.process_time(), time.monotonic()
        while time.monotonic() - began < seconds:
            window.show(view)
            window.wait(1000)
        spent = time.process_time() - cpu
        print("idle", spent, time.monotonic() - began, window.frames_painted - painted, flush=True)
    else:
        while not window.is_quit_wanted and time.monotonic() - start < 60:
            for signal in window.wait(1000):
                print("signal", signal.button, flush=True)
            print("painted", window.frames_painted, flush=True) if shot == "count" else None
        if shot and shot != "count":
            window.save_screenshot(Path(shot))
print("closed", flush=True)
"""


@contextmanager
def x_server(xvfb: str, screen: str = "1400x900x24") -> Iterator[Mapping[str, str]]:
    """The environment for programs that are to show their windows on a server of its own."""
    read, write = os.pipe()
    server = subprocess.Popen(
        [xvfb, "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp"],
        pass_fds=(write,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as said:
            number = said.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        environment = {k: v for k, v in os.environ.items() if k not in ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY")}
        yield environment | {"DISPLAY": f":{number}"}
    finally:
        server.terminate()
        server.wait(10)


@contextmanager
def window_process(
    environment: Mapping[str, str], width: int = 800, height: int = 480, seconds: float = 0, shot: str = ""
) -> Iterator[subprocess.Popen[str]]:
    """A process with one window; its standard output tells what happens to it."""
    process = subprocess.Popen(
        [sys.executable, "-c", WINDOW_PROGRAM, str(width), str(height), str(seconds), shot],
        cwd=REPOSITORY,
        env={**environment, "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path])},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(10)
        if process.stdout:
            process.stdout.close()


def lines_of(process: subprocess.Popen[str]) -> Iterator[list[str]]:
    """What the process says, word by word; ends when it does."""
    said: IO[str] | None = process.stdout
    assert said is not None
    for line in said:
        yield line.split()
