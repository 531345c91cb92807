"""``kill -9`` of the real ``lastcard play`` at random moments: nothing acknowledged is lost, nothing is there twice.

Two hundred kills: ``pytest -m long tests/cli/test_kill.py``.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from table_app.table.journal import open_journal
from table_app.table.noting import GOES_ON
from tests.cli.typed import SETTINGS, Typed, said, typed

LINES = 120
ANSWERS = ("✓", "✗")


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


def play_and_kill(directory: Path, settings: Path, lines: list[str], answers: int | None) -> tuple[int, str]:
    """Type *lines* at a table; kill it after that many rulings were shown (None: let it end). Rulings shown, errors."""
    command = [sys.executable, "-m", "table_app", "play", "--display", "none", "--reader", "none"]
    command += ["--settings", str(settings), "--state-directory", str(directory)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()
    if answers is None:
        process.stdin.close()
    shown = 0
    while answers is None or shown < answers:
        said = process.stdout.readline()
        if not said:
            break
        shown += said.startswith(ANSWERS)
    if answers is not None:
        process.kill()
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
        shown, errors = play_and_kill(directory, settings, lines, numbers.randint(0, min(left - 1, 12)))
        found = recorded(directory)
        assert errors == "", where
        assert found == script.record[: len(found)], where
        assert len(found) >= done + shown, f"{where}: an acknowledged ruling is lost"
        done = len(found)
    play_and_kill(directory, settings, ["yes", *script.lines[next_line(script, done) :]], None)
    assert recorded(directory) == script.record, f"seed {seed}"


@pytest.mark.parametrize("seed", [1, 2])
def test_a_killed_table_resumes_where_it_was(tmp_path: Path, seed: int) -> None:
    survive(tmp_path, seed, kills=3)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(100, 120))
def test_a_table_killed_ten_times_resumes_each_time(tmp_path: Path, seed: int) -> None:
    survive(tmp_path, seed, kills=10)
