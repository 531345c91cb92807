"""The window on a real X server: pointer and keys arrive, the picture is there, and idling costs nothing."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pygame
import pytest

from tests.display.under_xvfb import lines_of, window_process, x_server
from tests.programs import requires_program


@pytest.fixture(scope="module")
def screen() -> Iterator[Mapping[str, str]]:
    with x_server(requires_program("Xvfb", "xvfb")) as environment:
        yield environment


def until(lines: Iterator[list[str]], word: str) -> tuple[list[str], dict[str, tuple[int, int]]]:
    """The first line that begins with *word*, and the targets named before it."""
    targets: dict[str, tuple[int, int]] = {}
    for words in lines:
        if words[0] == "target":
            targets[words[1]] = int(words[2]), int(words[3])
        if words[0] == word:
            return words, targets
    raise AssertionError(f"the window ended without saying {word!r}")


def xdotool(environment: Mapping[str, str], *arguments: str) -> str:
    program = requires_program("xdotool", "xdotool")
    done = subprocess.run(
        [program, *arguments], env=dict(environment), check=True, capture_output=True, text=True, timeout=20
    )
    return done.stdout.strip()


def test_a_click_and_a_key_reach_the_table(screen: Mapping[str, str], tmp_path: Path) -> None:
    shot = tmp_path / "shot.png"
    with window_process(screen, shot=str(shot)) as process:
        lines = lines_of(process)
        shown, targets = until(lines, "shown")
        assert shown[1:] == ["x11", "800", "480"]
        window = xdotool(screen, "search", "--sync", "--onlyvisible", "--pid", str(process.pid)).split()[0]
        for name in ("draw", "undo", "seat:2"):
            x, y = targets[name]
            xdotool(screen, "mousemove", "--window", window, str(x), str(y), "click", "1")
            assert until(lines, "signal")[0] == ["signal", name]
        xdotool(screen, "key", "--window", window, "d")
        assert until(lines, "signal")[0] == ["signal", "draw"]
        xdotool(screen, "key", "ctrl+q")
        assert until(lines, "signal")[0] == ["signal", "quit"]
        until(lines, "closed")
        assert process.wait(10) == 0
    assert pygame.image.load(str(shot)).get_size() == (800, 480)


def test_a_window_that_is_resized_is_painted_to_its_new_size(screen: Mapping[str, str], tmp_path: Path) -> None:
    shot = tmp_path / "shot.png"
    with window_process(screen, shot=str(shot)) as process:
        lines = lines_of(process)
        until(lines, "shown")
        window = xdotool(screen, "search", "--sync", "--onlyvisible", "--pid", str(process.pid)).split()[0]
        xdotool(screen, "windowsize", "--sync", window, "1000", "620")
        xdotool(screen, "mousemove", "--window", window, "2", "2", "key", "ctrl+q")
        until(lines, "closed")
    picture = pygame.image.load(str(shot))
    assert picture.get_size() == (1000, 620)
    assert picture.get_at((990 - 20, 600))[:3] != (0, 0, 0), "the new part is painted"


def test_an_idle_window_costs_next_to_no_processor_time(screen: Mapping[str, str]) -> None:
    with window_process(screen, 1280, 600, seconds=3) as process:
        words, _ = until(lines_of(process), "idle")
    spent, lasted, painted = float(words[1]), float(words[2]), int(words[3])
    assert painted == 0
    assert spent / lasted < 0.03, f"{100 * spent / lasted:.1f} % of a core for doing nothing"
