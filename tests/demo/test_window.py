"""The demonstration as a stranger meets it: the real command in a real window, pressed and heard."""

from __future__ import annotations

import os
import subprocess
import sys
from array import array
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from table_app.cli.demo import DEFAULT_PLAYERS, DEFAULT_SEED
from table_app.demo.pane import Log, make_pane
from table_app.display.window import TableWindow, WindowOptions
from table_app.simulation.evening import Evening, EveningOptions
from table_app.view.present import present
from tests.demo.evenings import files
from tests.display.under_xvfb import x_server
from tests.programs import requires_program

COMMAND = [sys.executable, "-m", "table_app", "demo"]
SIZE = (1000, 560)
WINDOW = "the window"
"""Stands for the window's number in what is done with it."""
RATE_HZ = 44_100


def _centre_of(button: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Where the demonstration's first screen has this button."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    evening = Evening(EveningOptions(DEFAULT_SEED, DEFAULT_PLAYERS, 500), files(folder))
    view = replace(present(evening.table.state, 0), demo=make_pane(evening, Log()))
    with TableWindow(lambda: 0, WindowOptions(size=SIZE), has_demo=True) as window:
        window.show(view)
        boxes = {target.name: target.box for target in window.targets}
    evening.close()
    x, y = boxes[button].centre
    return round(x), round(y)


def _point(xdotool: str, environment: Mapping[str, str], x: int, y: int, *deed: str) -> None:
    """Move the pointer to a place of the only window there is, and do something there."""
    find = [xdotool, "search", "--sync", "--onlyvisible", "--class", "."]
    window = subprocess.check_output(find, env=dict(environment), text=True).split()[0]
    deed = tuple(window if word == WINDOW else word for word in deed)
    move = [xdotool, "mousemove", "--window", window, str(x), str(y), *deed]
    subprocess.run(move, env=dict(environment), check=True, timeout=30)


def test_plug_pulled_with_the_pointer_ends_the_process_and_the_table_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    xdotool = requires_program("xdotool", "xdotool")
    x, y = _centre_of("mischief:power", tmp_path / "first", monkeypatch)
    with x_server(requires_program("Xvfb", "xvfb")) as environment:
        command = [*COMMAND, "--size", "1000x560", "--speed", "5", "--quiet", "--directory", str(tmp_path / "second")]
        demo = subprocess.Popen(command, env=dict(environment), stdout=subprocess.PIPE, text=True)
        assert demo.stdout is not None
        try:
            said: list[str] = []
            is_closing = False
            for line in demo.stdout:
                said.append(line)
                is_back = any("The power is back" in earlier for earlier in said[:-1])
                if " start " in line and not is_back:
                    _point(xdotool, environment, x, y, "click", "1")
                elif "✓" in line and is_back and not is_closing:
                    is_closing = True
                    _point(xdotool, environment, 2, 2, "key", "ctrl+q")
            assert demo.wait(30) == 0
        finally:
            demo.kill()
            demo.wait(10)
            demo.stdout.close()
    told = "".join(said)
    assert "The power is cut." in told
    assert "The power is back" in told


def _pressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *deeds: str | tuple[str, ...], seconds: int = 600
) -> tuple[int, list[str]]:
    """The demonstration in a real window: once the first card lies, each of *deeds* is done, a button of the pane
    clicked on or keys pressed; its exit status, and what it printed from then on."""
    xdotool = requires_program("xdotool", "xdotool")
    places = {
        deed: _centre_of(deed, tmp_path / f"place-{number}", monkeypatch)
        for number, deed in enumerate(deeds)
        if isinstance(deed, str)
    }
    with x_server(requires_program("Xvfb", "xvfb")) as environment:
        command = [*COMMAND, "--size", "1000x560", "--speed", "5", "--quiet", "--seconds", str(seconds)]
        command += ["--directory", str(tmp_path / "played")]
        demo = subprocess.Popen(command, env=dict(environment), stdout=subprocess.PIPE, text=True)
        assert demo.stdout is not None
        try:
            for line in demo.stdout:
                if " start " in line:
                    break
            for deed in deeds:
                if isinstance(deed, str):
                    _point(xdotool, environment, *places[deed], "click", "1")
                else:
                    _point(xdotool, environment, 2, 2, *deed)
            told = demo.stdout.readlines()
            return demo.wait(60), told
        finally:
            demo.kill()
            demo.wait(10)
            demo.stdout.close()


@pytest.mark.parametrize("deed", ["quit", ("key", "Escape")], ids=["Stop", "Escape"])
def test_stop_and_escape_end_it_and_tell_where_the_transcript_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str | tuple[str, ...]
) -> None:
    status, told = _pressed(tmp_path, monkeypatch, deed)
    assert status == 0
    assert any(line.startswith("transcript: ") for line in told)
    assert "600.0 s" not in "".join(told), "it ended by itself"
    assert (tmp_path / "played" / f"seed-{DEFAULT_SEED}.table").exists()


def test_stop_behind_more_ends_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, told = _pressed(tmp_path, monkeypatch, "pause", "quit")
    assert status == 0
    assert any(line.startswith("transcript: ") for line in told)


def test_pause_lets_nobody_play_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty seconds of the table's time, all but the first few of them paused; they are some forty rulings else."""
    _status, told = _pressed(tmp_path, monkeypatch, "pause", seconds=60)
    rulings = [line for line in told if " s ✓ " in line or " s ✗ " in line]
    assert len(rulings) <= 6, rulings


def test_it_goes_on_in_a_window_made_smaller_and_at_another_pace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, told = _pressed(
        tmp_path, monkeypatch, ("windowsize", WINDOW, "480", "420"), *(("key", "plus"),) * 4, seconds=120
    )
    assert status == 0
    assert sum(" s ✓ " in line for line in told) > 20


def test_buzzer_is_heard_through_the_loudspeakers(tmp_path: Path) -> None:
    heard = tmp_path / "heard.raw"
    environment = os.environ | {
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "disk",
        "SDL_DISKAUDIOFILE": str(heard),
    }
    command = [*COMMAND, "--display", "window", "--seconds", "5", "--speed", "2", "--directory", str(tmp_path)]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=60)
    samples = array("h", heard.read_bytes()[: heard.stat().st_size // 4 * 4])
    loud = sum(1 for sample in samples if abs(sample) > 1000)
    # Some beeps of a tenth of a second and more are in it, and mostly silence.
    assert RATE_HZ // 10 < loud < len(samples) * 0.9
