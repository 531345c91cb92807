"""The command `judge`: what it prints, with which exit code, and that it answers as lines arrive."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from table_app.cli.judge import judge

ROOT = Path(__file__).parents[2]
GOOD = (
    "players: Ann, Ben\n\ntable: deal 7\ntable: start r9\n"
    "Ann: r5   # a red one\n= ok; turn Ben\nBen: g1\n= refused no-match\n"
)
COMMAND = [sys.executable, "-c", "from table_app.cli.judge import judge; judge()"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, given: bytes | None = None) -> Result:
    return CliRunner().invoke(judge, arguments, input=given)


def test_a_ruling_a_line_for_people(folder: Path) -> None:
    (folder / "a.table").write_text(GOOD)
    result = run("a.table")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 4
    assert lines[2].split()[:4] == ["5", "✓", "Ann:", "r5"]
    assert lines[2].endswith("(match)")
    assert "✗ Ben: g1" in lines[3]


def test_one_object_a_line(folder: Path) -> None:
    (folder / "a.table").write_text(GOOD)
    (folder / "b.table").write_text("players: Ann, Ben\ntable: deal 1\ntable: start w+4\ntable: start r1\nAnn: w+4\n")
    result = run("--json", "a.table", "b.table")
    assert result.exit_code == 0
    rulings = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(ruling["file"], ruling["line"]) for ruling in rulings] == [
        *(("a.table", line) for line in (3, 4, 5, 7)),
        *(("b.table", line) for line in (2, 3, 4, 5)),
    ]
    keys = "file line action ok code rule text effects turn colour top direction hands owes waits scores"
    assert all(list(ruling) == keys.split() for ruling in rulings)
    assert rulings[2] | {"text": ""} == {
        "file": "a.table",
        "line": 5,
        "action": "Ann: r5",
        "ok": True,
        "code": None,
        "rule": "match",
        "text": "",
        "effects": [],
        "turn": "Ben",
        "colour": "red",
        "top": "r5",
        "direction": "clockwise",
        "hands": {"Ann": 6, "Ben": 7},
        "owes": {},
        "waits": [["Ben", "play"], ["Ben", "draw"], [None, "reshuffle"]],
        "scores": {"Ann": 0, "Ben": 0},
    }
    assert rulings[5]["effects"] == ["put-back w+4"]


def test_legal_is_there_for_a_wild_draw_four_only(folder: Path) -> None:
    (folder / "a.table").write_text("players: Ann, Ben\ntable: deal 3\ntable: start r9\nAnn: w+4 blue\nBen: draw 4\n")
    rulings = [json.loads(line) for line in run("--json", "a.table").stdout.splitlines()]
    assert ["legal" in ruling for ruling in rulings] == [False, False, True, False]
    assert rulings[2]["legal"] is None


def test_checking_prints_only_what_fails_and_the_count(folder: Path) -> None:
    (folder / "a.table").write_text(GOOD)
    result = run("--check", "a.table")
    assert (result.exit_code, result.stdout) == (0, "3 passed, 0 failed\n")
    (folder / "b.table").write_text(GOOD + "= turn Ann; rule match; no-effect owes; hand Zoe 3\n")
    result = run("--check", "a.table", "b.table")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "b.table:9: expected turn Ann, got turn Ben",
        "b.table:9: expected hand Zoe 3, got nobody called Zoe",
        "8 passed, 2 failed",
    ]


@pytest.mark.parametrize(
    ("part", "fails"),
    [
        ("no-effect owes", True),
        ("no-effect owes Ben", True),
        ("no-effect owes Ben 2", True),
        ("no-effect owes Be", False),
        ("no-effect owe", False),
        ("effect owes Ben 2", False),
        ("effect owes Ben", True),
        ("owes none", True),
        ("owes Ann none", False),
        ("owes Ben 2", False),
        ("waits Ben draw", False),
        ("waits table deal", True),
        ("legal unknown", True),
        ("nonsense", True),
        ("hand Ben", True),
        ("colour none", True),
        ("refused", True),
    ],
)
def test_each_kind_of_expectation_can_fail(folder: Path, part: str, fails: bool) -> None:
    table = f"players: Ann, Ben\ntable: deal 7\ntable: start r9\nAnn: r+2\n= {part}\n"
    (folder / "a.table").write_text(table)
    result = run("--check", "a.table")
    assert result.exit_code == int(fails)
    assert ("a.table:5: expected " + part in result.stdout) is fails


def test_an_expectation_before_any_ruling_fails(folder: Path) -> None:
    (folder / "a.table").write_text("players: Ann, Ben\n= ok\n")
    assert run("--check", "a.table").exit_code == 1


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--check"]])
def test_a_bad_header_is_one_line_with_file_and_line(folder: Path, arguments: list[str]) -> None:
    (folder / "bad.table").write_text("# who\nplayers: Ann, Ben\nhouse: stackign\ntable: deal 7\n")
    (folder / "good.table").write_text(GOOD)
    result = run(*arguments, "bad.table", "good.table")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("bad.table:3: ")
    assert "stacking" in result.stderr
    assert result.stdout, "the other file is judged all the same"


def test_a_file_that_is_not_there_or_is_a_folder(folder: Path) -> None:
    for name in ("missing.table", "."):
        result = run(name)
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert result.stderr.startswith(f"{name}: can't be read")
        assert "name the file of a transcript" in result.stderr and "export --to" in result.stderr, "what to do"


def test_a_file_without_a_header(folder: Path) -> None:
    for content in (b"", b"\n\n# nothing\n", b"table: deal 7\n"):
        (folder / "a.table").write_bytes(content)
        result = run("a.table")
        assert result.exit_code == 2
        assert result.stderr.startswith("a.table:")
        assert "players" in result.stderr


def test_a_bad_action_line_is_no_end(folder: Path) -> None:
    (folder / "a.table").write_text(GOOD + "what is this\nBen: r1\n")
    result = run("--json", "a.table")
    assert result.exit_code == 1
    rulings = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(ruling["ok"], ruling["code"]) for ruling in rulings[-2:]] == [(False, "bad-line"), (True, None)]
    assert rulings[-2]["rule"] == "order"
    unread, read = run("a.table").stdout.splitlines()[-2:]
    assert unread.endswith("."), "no rule of the game was broken"
    assert read.endswith("(match)")


def test_an_unreadable_line_is_exit_status_1_unless_it_is_checked_for(folder: Path) -> None:
    (folder / "a.table").write_text(GOOD + "Ben: zork\n= refused bad-line\n")
    assert run("a.table").exit_code == 1
    assert run("--check", "a.table").exit_code == 0
    (folder / "b.table").write_text(GOOD)
    assert run("b.table").exit_code == 0, "a refusal by the rules is no unreadable line"
    assert run("b.table", "a.table", "b.table").exit_code == 1
    assert run("a.table", "missing.table").exit_code == 2, "what can't be read at all goes before"
    assert "a line could not be read" in " ".join(run("--help").stdout.split())


def test_what_a_terminal_would_obey_is_written_out(folder: Path) -> None:
    (folder / "a.table").write_text(GOOD + "Ben: \x1b[31mred\x07\n")
    result = run("a.table")
    assert "\x1b" not in result.stdout
    assert "\\u001b[31mred\\u0007" in result.stdout


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("beginning", [b"", GOOD.encode()], ids=["from the start", "after a header"])
def test_junk_never_ends_in_a_traceback(folder: Path, seed: int, beginning: bytes) -> None:
    (folder / "junk.table").write_bytes(beginning + random.Random(seed).randbytes(3000))
    for arguments in (["junk.table"], ["--json", "junk.table"], ["--check", "junk.table"]):
        result = run(*arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        # Junk is lines that can't be read; one that begins with = is an expectation, and junk fails it.
        assert result.exit_code in (({0, 1} if "--check" in arguments else {1}) if beginning else {2})
        assert "Traceback" not in result.output


def test_an_unknown_language_is_a_sentence(folder: Path) -> None:
    (folder / "a.table").write_text(GOOD)
    result = run("--lang", "tlh", "a.table")
    assert result.exit_code == 2
    assert "tlh" in result.stderr


def test_standard_input() -> None:
    result = run("-", given=GOOD.encode())
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 4


def test_rulings_appear_as_lines_arrive() -> None:
    """A person typing sees each ruling before the next line is written."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        [*COMMAND, "--json", "-"], cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"players: Ann, Ben\n")
        for line in ("table: deal 7", "table: start r9", "Ann: r5"):
            process.stdin.write(f"{line}\n".encode())
            process.stdin.flush()
            ruling = json.loads(process.stdout.readline())
            assert (ruling["file"], ruling["action"], ruling["ok"]) == ("-", line, True)
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    (folder / "a.table").write_text(GOOD + "table: wait\n" * 5000)
    with subprocess.Popen(
        [*COMMAND, str(folder / "a.table")], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(timeout=20)


def test_a_deck_file_is_found_beside_the_transcript(folder: Path) -> None:
    deck = "name = 'small'\n[cards]\n" + "".join(f"{rank} = 2\n" for rank in range(10))
    (folder / "decks").mkdir()
    (folder / "decks" / "small.toml").write_text(deck)
    table = "players: Ann, Ben\ndeck: small.toml\ntable: deal 7\ntable: start r9\nAnn: rs\nAnn: r5\n"
    (folder / "decks" / "a.table").write_text(table)
    result = run("--json", "decks/a.table")
    assert [json.loads(line)["code"] for line in result.stdout.splitlines()] == [None, None, "unknown-card", None]
    (folder / "decks" / "small.toml").write_text(deck + "\nred = 3\n")
    result = run("decks/a.table")
    assert result.exit_code == 2
    assert result.stderr.startswith("decks/a.table:2: ")
    assert result.stderr.count("\n") == 1


def test_a_check_of_a_file_without_expectations_does_not_read_like_a_pass(folder: Path) -> None:
    (folder / "a.table").write_text("players: Ann, Ben\ntable: deal 3\ntable: start r9\n")
    result = run("--check", "a.table")
    assert result.stdout.startswith("Nothing was checked: there is no expectation")
    assert "passed" not in result.stdout
