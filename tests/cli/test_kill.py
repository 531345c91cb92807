"""``kill -9`` of the real ``lastcard play`` at random moments: nothing acknowledged is lost, nothing is there twice.

Two hundred kills after so many rulings, and two hundred at moments that only the clock chooses, from the start of the
process on: ``pytest -m long tests/cli/test_kill.py``.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from table_app.play.noting import GOES_ON
from table_app.record.journal import open_journal
from tests.cli.typed import SETTINGS, Typed, said, typed

LINES = 120
ANSWERS = ("✓", "✗")
LINES_AT_ONCE = 250
"""Typed ahead where the clock chooses: a second of play, whose answers still fit into a pipe that nobody reads."""

Ending = Callable[["subprocess.Popen[str]"], int]
"""Ends a table under way; how many rulings it has read from it meanwhile."""


def recorded(directory: Path) -> list[str]:
    """The entries of the journal, without their times."""
    path = directory / "journal.sqlite"
    if not path.exists():
        return []
    journal = open_journal(path, wall_time=lambda: "", boot="").journal
    record = journal.last_match()
    entries = [] if record is None else journal.entries(record.number, with_notes=True)
    lines = [said(entry) for entry in entries if entry.line != GOES_ON]
    matches = len(list(journal.matches()))
    journal.close()
    assert matches <= 1, "a match that was under way was begun anew"
    return lines


def after_answers(answers: int) -> Ending:
    """Kill after that many rulings were shown."""

    def end(process: subprocess.Popen[str]) -> int:
        assert process.stdout is not None
        shown = 0
        while shown < answers:
            said = process.stdout.readline()
            if not said:
                break
            shown += said.startswith(ANSWERS)
        process.kill()
        return shown

    return end


def after_seconds(seconds: float) -> Ending:
    """Kill when the time is over, whatever the table does then."""

    def end(process: subprocess.Popen[str]) -> int:
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        assert process.poll() is None, "the table ended by itself, so nothing was killed"
        process.kill()
        return 0

    return end


def at_its_end(process: subprocess.Popen[str]) -> int:
    """No kill: there is no more to type."""
    assert process.stdin is not None
    process.stdin.close()
    return 0


def play_and_end(directory: Path, settings: Path, lines: list[str], end: Ending) -> tuple[int, str]:
    """Type *lines* at a table and end it. Rulings that were shown, errors."""
    command = [sys.executable, "-m", "table_app", "play", "--display", "none", "--reader", "none"]
    command += ["--settings", str(settings), "--state-directory", str(directory)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()
    shown = end(process)
    # What it had already said before it died was acknowledged, too.
    shown += sum(line.startswith(ANSWERS) for line in process.stdout.read().splitlines())
    errors = process.stderr.read()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    process.wait()
    return shown, errors


def next_line(script: Typed, recorded_count: int) -> int:
    """Which line to type next: the one after the line that made the last entry."""
    assert recorded_count == 0 or recorded_count in script.reached, "half of a signal's actions are in the record"
    return script.reached.index(recorded_count) + 1 if recorded_count else 0


def survive(directory: Path, seed: int, kills: int) -> None:
    script = typed(seed, LINES)
    numbers = random.Random(seed)
    settings = directory / "lastcard.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    done = 0
    for kill in range(kills):
        where = f"seed {seed}, kill {kill}"
        left = len(script.record) - done
        if left == 0:
            break
        # Whoever comes back is asked whether to go on.
        lines = [*(["yes"] if done else []), *script.lines[next_line(script, done) :]]
        shown, errors = play_and_end(directory, settings, lines, after_answers(numbers.randint(0, min(left - 1, 12))))
        found = recorded(directory)
        assert errors == "", where
        assert found == script.record[: len(found)], where
        assert len(found) >= done + shown, f"{where}: an acknowledged ruling is lost"
        done = len(found)
    play_and_end(directory, settings, ["yes", *script.lines[next_line(script, done) :]], at_its_end)
    assert recorded(directory) == script.record, f"seed {seed}"


@pytest.mark.parametrize("seed", [1, 2])
def test_a_killed_table_resumes_where_it_was(tmp_path: Path, seed: int) -> None:
    survive(tmp_path, seed, kills=3)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(100, 120))
def test_a_table_killed_ten_times_resumes_each_time(tmp_path: Path, seed: int) -> None:
    survive(tmp_path, seed, kills=10)


# -- at moments that only the clock chooses ----------------------------------------------------------------------


def survive_the_clock(directory: Path, seed: int, kills: int) -> list[int]:
    """Kill a table *kills* times anywhere in its life; a match that was played to its end is followed by another.

    How many rulings each table had shown when it was killed.
    """
    script = typed(seed, LINES_AT_ONCE)
    numbers = random.Random(seed)
    settings = directory / "lastcard.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    began_s = time.perf_counter()
    play_and_end(directory / "measured", settings, script.lines, at_its_end)
    life_s = time.perf_counter() - began_s
    folder, done, all_shown = directory / "0", 0, []
    for kill in range(kills):
        if done == len(script.record):
            folder, done = directory / str(kill), 0
        delay_s = numbers.uniform(0, life_s)
        where = f"seed {seed}, kill {kill} after {delay_s:.3f} s of {life_s:.3f} s"
        lines = [*(["yes"] if done else []), *script.lines[next_line(script, done) :]]
        shown, errors = play_and_end(folder, settings, lines, after_seconds(delay_s))
        found = recorded(folder)
        assert errors == "", where
        assert found == script.record[: len(found)], where
        assert len(found) >= done + shown, f"{where}: an acknowledged ruling is lost"
        assert not list(folder.glob("*damaged*")), where
        done = len(found)
        all_shown.append(shown)
    return all_shown


def test_a_table_killed_at_any_time_resumes_where_it_was(tmp_path: Path) -> None:
    assert len(survive_the_clock(tmp_path, 3, kills=3)) == 3


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(200, 210))
def test_a_table_killed_twenty_times_at_any_time_resumes_each_time(tmp_path: Path, seed: int) -> None:
    shown = survive_the_clock(tmp_path, seed, kills=20)
    assert len(shown) == 20 and any(shown), "no kill came while it played"
