"""What is no file, or has no end, in place of each file that a command opens: a sentence, and never a hang."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from table_app.rules import DECKS
from table_app.settings import read_settings
from table_app.small_files import (
    ENDLESS_CHARACTERS,
    LINE_CHARACTERS_MAX,
    BoundedInput,
    open_file,
    read_small,
    write_text,
)
from table_app.tags.exchange import read_tags
from table_app.transcript.judge import ROUND_ACTIONS_MAX, Judge
from table_app.transcript.lines import read_lines

ROOT = Path(__file__).parents[1]
TIMEOUT_S = 60
HUGE_BYTES = 2**40
"""As a file with a hole: it takes no room, and reading all of it would never end."""


def make_huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(HUGE_BYTES)


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


STRANGE: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "device": link_to("/dev/zero"),
    "terminal": link_to("/dev/ptmx"),
    "huge": make_huge,
    "loop": lambda path: path.symlink_to(path),
    "dangling": link_to("/nonexistent/file"),
}
NO_FILES = ("pipe", "folder", "device", "terminal")


def run(folder: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The command, which ends by itself; what it says holds no traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "table_app", *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "XDG_CONFIG_HOME": str(folder / "config"), "XDG_STATE_HOME": str(folder / "state")},
        timeout=TIMEOUT_S,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


PLAY = ("play", "--display", "none", "--reader", "none")
NAMED = {
    "settings": ("rules", "--settings"),
    "settings to play": (*PLAY, "--settings"),
    "a transcript": ("judge",),
    "a deck": ("deck", "check"),
    "a tag list": ("cards", "import"),
}
KEPT: dict[str, list[tuple[str, ...]]] = {
    "journal.sqlite": [PLAY, ("history",), ("export",), ("stats",), ("doctor",)],
    "journal.sqlite-wal": [PLAY, ("history",)],
    "journal.mark": [PLAY, ("history",), ("doctor",)],
    "journal.copy-1.sqlite": [PLAY, ("history",), ("doctor",)],
    "tags.sqlite": [PLAY, ("cards", "list"), ("doctor",)],
    "commands.sqlite": [PLAY, ("cards", "list")],
    "table.lock": [PLAY],
    "simulated/simulated-stickers.json": [("cards", "enrol", "--reader", "simulated", "--display", "none")],
}


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("what", NAMED)
def test_what_is_named_and_is_no_file_is_a_sentence(what: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / ("strange.toml" if what == "a deck" else "strange")
    STRANGE[kind](path)
    done = run(tmp_path, *NAMED[what], str(path))
    if what == "a transcript" and kind == "huge":
        return  # read as it comes, however long: its one line is refused
    assert done.returncode == 2
    (sentence,) = done.stderr.splitlines()
    assert str(path) in sentence
    if kind in NO_FILES:
        assert "not a file" in sentence


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
@pytest.mark.parametrize("name", KEPT)
def test_what_lies_in_the_place_of_a_kept_file_keeps_nobody_waiting(name: str, kind: str, tmp_path: Path) -> None:
    for number, command in enumerate(KEPT[name]):
        state = tmp_path / f"{number}"
        path = state / name
        path.parent.mkdir(parents=True)
        STRANGE[kind](path)
        where = ("--state-directory", str(state))
        group, *rest = command
        done = run(
            tmp_path, *((group, *where, *rest) if group == "cards" else (*command, *where)), typed="deal\nquit\n"
        )
        assert done.stdout + done.stderr


def test_the_usual_settings_that_are_no_file_are_told(tmp_path: Path) -> None:
    place = tmp_path / "config/lastcard/lastcard.toml"
    place.parent.mkdir(parents=True)
    os.mkfifo(place)
    assert "a pipe, not a file" in run(tmp_path, "rules").stderr


def test_what_the_caller_holds_open_is_read(tmp_path: Path) -> None:
    """As a shell hands over what a command prints: ``lastcard judge <(…)``."""
    reading, writing = os.pipe()
    os.write(writing, b"[table]\nplayers = ['Eva', 'Tom']\n")
    os.close(writing)
    assert read_settings(Path(f"/dev/fd/{reading}")).values["table"]["players"] == ["Eva", "Tom"]
    os.close(reading)
    assert read_settings(Path("/dev/null")).given == frozenset()


def test_a_longer_file_than_is_meant_is_not_read_whole(tmp_path: Path) -> None:
    (tmp_path / "ten").write_bytes(b"0123456789")
    assert read_small(tmp_path / "ten", 10) == b"0123456789"
    with pytest.raises(OSError, match="longer than 9 bytes"):
        read_small(tmp_path / "ten", 9)
    with open_file(tmp_path / "ten") as stream:
        assert stream.read() == b"0123456789"


def test_writing_waits_for_nobody_and_keeps_what_is_private_private(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="No such device"):
        write_text(tmp_path / "pipe", "nobody reads this")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_text(tmp_path / "pipe", "somebody reads this", is_private=True)
    assert os.read(reader, 100) == b"somebody reads this"
    os.close(reader)
    (tmp_path / "kept").touch(0o644)
    write_text(tmp_path / "kept", "hands", 0o600, is_private=True)
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o600


# -- without an end -----------------------------------------------------------------------------------------------


class Endless(io.RawIOBase):
    """Gives *piece* for ever; *given* counts."""

    def __init__(self, piece: bytes) -> None:
        self._piece = piece
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        taken = (self._piece * (len(view) // len(self._piece) + 1))[: len(view)]
        view[: len(taken)] = taken
        self.given += len(taken)
        return len(taken)


def test_a_line_has_a_bound_and_one_without_an_end_is_the_end() -> None:
    endless = Endless(b"\0")
    assert list(BoundedInput(io.TextIOWrapper(io.BufferedReader(endless)))) == []
    assert endless.given < 2 * ENDLESS_CHARACTERS
    lines = list(BoundedInput(io.StringIO("a" * 10_000 + "\nb\n" + "c" * LINE_CHARACTERS_MAX + "\nd")))
    assert lines == ["a" * LINE_CHARACTERS_MAX, "b\n", "c" * LINE_CHARACTERS_MAX, "d"]


ENDLESS_COMMANDS = [
    ((*PLAY, "--players", "Ann,Ben"), b"\0"),
    (("cards", "import", "-"), b"\0"),
    (("cards", "import", "-"), b"y\n"),
    (("cards", "forget", "--all"), b"\0"),
    (("judge", "-"), b"\0"),
]


@pytest.mark.parametrize(("command", "piece"), ENDLESS_COMMANDS)
def test_endless_input_takes_no_endless_memory(command: tuple[str, ...], piece: bytes, tmp_path: Path) -> None:
    """More is fed than the process may take; it ends at the latest when the input does."""
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_DATA, (220 * 2**20,) * 2); "
    program = f"{limited}from table_app.cli import main; main(sys.argv[1:])"
    with subprocess.Popen(
        [sys.executable, "-c", program, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_STATE_HOME": str(tmp_path / "state")},
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        try:
            for _number in range(300):
                process.stdin.write(piece * (2**20 // len(piece)))
            process.stdin.close()
        except BrokenPipeError:
            pass  # it has seen enough
        said = process.stderr.read()
        assert process.wait(TIMEOUT_S) in (0, 1, 2)
    assert b"Traceback" not in said and b"MemoryError" not in said


def test_a_round_is_remembered_up_to_a_bound() -> None:
    judge = Judge()
    head = b"players: Ann, Ben\ntable: deal 7\ntable: start r9\n"
    more = b"table: wait\n" * (ROUND_ACTIONS_MAX + 10)
    for line in read_lines(io.BytesIO(head + more)):
        judge.take(line)
    match, depth = judge.match, 0
    while match is not None and depth <= ROUND_ACTIONS_MAX:
        match, depth = match.before, depth + 1
    assert match is None


def test_a_list_ten_times_as_long_takes_about_ten_times_as_long() -> None:
    """Lines were counted from the top for each tag, which made forty thousand tags take half a minute."""

    def seconds(tags: int) -> float:
        rows = [
            {
                "uid": (0x04 << 48 | number).to_bytes(7, "big").hex(),
                "deck": "classic",
                "pack": f"p{number}",
                "card": "r0",
            }
            for number in range(tags)
        ]
        data = ("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n").encode()
        began = time.process_time()
        found = read_tags(data, "json", DECKS.get)
        assert [line for line, _tag in found] == list(range(2, tags + 2))
        return time.process_time() - began

    assert seconds(20_000) < 40 * max(seconds(2_000), 0.01)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [((*PLAY, "--players", "Ann,Ben"), "Everybody has 7 cards"), (("settings", "--pin"), "A PIN has 4 to 8 digits")],
)
def test_a_letter_of_another_encoding_does_not_end_what_is_typed(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    """Typed on a terminal that is set otherwise than the system, or pasted: a strict decoder ends at it."""
    places = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    done = subprocess.run(
        [sys.executable, "-m", "table_app", *arguments],
        input=b"Jos\xe9\ndeal\n",
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **places, "PYTHONIOENCODING": "utf-8:strict"},
        timeout=TIMEOUT_S,
        check=False,
    )
    printed = (done.stdout + done.stderr).decode()
    assert said in printed and "Traceback" not in printed
