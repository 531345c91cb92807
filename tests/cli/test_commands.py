"""The commands as people call them: errors are one sentence and exit status 2, and nothing starts what it needn't."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from hardware.machine import is_raspberry_pi
from hardware.signals import ButtonPressed, CardPicked, Signal
from table_app.cli import COMMANDS, lastcard
from table_app.cli.terminal import signal_of
from table_app.rules import DECKS
from table_app.settings import template_text
from table_app.table.simulated_hand import SimulatedHand, deck_tags
from table_app.tags.registry import open_registry
from tests.table.rig import uid


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "table_app", *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_a_match_is_played_on_a_terminal_without_any_device(tmp_path: Path) -> None:
    options = ("--display", "none", "--reader", "none", "--state-directory", str(tmp_path), "--players", "Ana,Ben")
    result = run("play", *options, typed="deal\nr9\nb3\nr3\nquit\n")
    assert result.returncode == 0 and result.stderr == ""
    said = result.stdout.splitlines()
    refused = next(line for line in said if line.startswith("✗"))
    assert "The blue 3 does not go on the red 9" in refused and refused.endswith("(match)")
    assert "✓ Ana laid the red 3. (match)" in said
    again = run("play", *options, typed="r4\n")
    assert "Go on? It is Ben to play. Does this card lie on top: red 3?" in again.stdout
    assert "✓ Ben laid the red 4. (match)" in again.stdout


def test_a_reader_that_is_not_there_is_a_sentence_and_play_goes_on_by_hand(tmp_path: Path) -> None:
    result = run("play", "--display", "none", "--reader", "spi", "--state-directory", str(tmp_path), typed="deal\nr9\n")
    assert result.returncode == 0
    assert "Until then pick each card on the screen." in result.stdout
    assert "✓ The first card is the red 9. (first-card)" in result.stdout


def test_a_simulated_reader_reads_the_cards_that_are_typed(tmp_path: Path) -> None:
    options = ("--display", "none", "--reader", "simulated", "--state-directory", str(tmp_path))
    process = subprocess.Popen(
        [sys.executable, "-m", "table_app", "play", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("deal\nr9\n")
    process.stdin.flush()
    said = ""
    for line in process.stdout:
        said += line
        if "first card is the red 9" in line:
            break
    process.communicate("quit\n", timeout=30)
    assert "✓ The first card is the red 9. (first-card)" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("play", "--settings", "{dir}/nowhere.toml"), "can't be read"),
        (("play", "--settings", "{dir}/wrong.toml"), "did you mean target?"),
        (("play", "--players", "Ana", "--state-directory", "{dir}"), "2 to 10 can play"),
        (("play", "--lang", "xx", "--state-directory", "{dir}"), "no translation"),
        (("cards", "--state-directory", "{dir}", "enrol"), "SPI"),
        (("cards", "--state-directory", "{dir}", "enrol", "--only", "q9"), "codes such as r5"),
        (("cards", "--state-directory", "{dir}", "forget", "nonsense"), "is no tag's number"),
        (("cards", "--state-directory", "{dir}", "forget", "04 01 02 03"), "There is no tag"),
        (("cards", "--state-directory", "{dir}/wrong.toml/x", "list"), "--state-directory"),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_exit_status_2(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "wrong.toml").write_text("[rules]\ntargett = 5\n")
    result = run(*(argument.format(dir=tmp_path) for argument in arguments))
    assert result.returncode == 2
    assert said in result.stderr and "Traceback" not in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_second_table_in_the_same_directory_is_refused(tmp_path: Path) -> None:
    options = ("--display", "none", "--reader", "none", "--state-directory", str(tmp_path))
    first = subprocess.Popen(
        [sys.executable, "-m", "table_app", "play", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert first.stdin is not None and first.stdout is not None
    first.stdout.readline()
    first.stdin.write("deal\n")
    first.stdin.flush()
    while "deal" not in first.stdout.readline():
        pass
    second = run("play", *options)
    first.communicate("quit\n", timeout=30)
    assert second.returncode == 2 and "Another table is running" in second.stderr


def test_the_default_settings_are_printed_and_where_they_are_read_from(tmp_path: Path) -> None:
    assert run("settings").stdout == template_text()
    assert "kept in:" in run("settings", "--where").stdout


def test_the_judge_starts_without_pygame_and_without_the_table() -> None:
    code = (
        "import sys; from table_app.cli import main\n"
        "try: main(['judge', 'tests/cases/draw.table'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('pygame', 'gpiozero', 'sqlite3', 'table_app.table') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert result.stdout.splitlines()[-1] == "[]"


def test_tags_are_listed_and_forgotten(tmp_path: Path) -> None:
    registry = open_registry(tmp_path / "tags.sqlite").tags
    registry.enrol(uid(1), DECKS["classic"], "r5", 2)
    registry.close()
    listed = run("cards", "--state-directory", str(tmp_path), "list").stdout
    assert "04 00 00 00 00 00 01" in listed and "red 5 (2 of 2)" in listed
    assert "1 card of the deck classic has a tag, 107 have none." in listed
    forgotten = run("cards", "--state-directory", str(tmp_path), "forget", "04:00:00:00:00:00:01")
    assert forgotten.returncode == 0 and "was r5#2" in forgotten.stdout


@pytest.mark.parametrize(
    ("line", "signal"),
    [
        ("r5", CardPicked(7, "r5")),
        ("W+4", CardPicked(7, "w+4")),
        ("Draw", ButtonPressed(7, "draw")),
        ("red", ButtonPressed(7, "colour:red")),
        ("colour blue", ButtonPressed(7, "colour:blue")),
        ("uno 1", ButtonPressed(7, "uno:0")),
        ("seat:3", ButtonPressed(7, "seat:2")),
        ("finds guilty", ButtonPressed(7, "finds:guilty")),
        ("uno x", CardPicked(7, "uno x")),
        ("   ", None),
    ],
)
def test_a_typed_line_is_a_signal(line: str, signal: Signal | None) -> None:
    found = signal_of(line, 7)
    if isinstance(signal, CardPicked):
        assert isinstance(found, CardPicked) and found.code == signal.code
    elif isinstance(signal, ButtonPressed):
        assert isinstance(found, ButtonPressed) and found.button == signal.button
    else:
        assert found is None


def test_a_picked_card_lies_on_the_simulated_reader_for_a_moment() -> None:
    hand = SimulatedHand(DECKS["classic"])
    assert len(deck_tags(DECKS["classic"])) == 108
    assert hand.lay(CardPicked(0, "r5")) and hand.lay(CardPicked(0, "R5"))
    assert not hand.lay(CardPicked(0, "zz"))
    seen = [signal for now_ms in range(0, 3_000, 10) for signal in hand.poll(now_ms)]
    kinds = [type(signal).__name__ for signal in seen]
    assert kinds == ["TagPlaced", "TagRemoved", "TagPlaced", "TagRemoved"]
    cards = [hand.tags[signal.uid].code for signal in seen[::2]]  # type: ignore[union-attr]
    assert cards == ["r5#1", "r5#2"]


def test_the_help_names_every_command_with_its_whole_sentence() -> None:
    words = " ".join(run("--help").stdout.split())
    assert "Watch simulated people play a match with simulated cards, refereed by the real table." in words
    assert "..." not in words.partition("Commands")[2] and "``" not in words


def test_a_laptop_without_a_reader_is_told_so_in_one_sentence_and_keeping_the_score_nothing(tmp_path: Path) -> None:
    if is_raspberry_pi() or list(Path("/dev").glob("spidev*")):
        pytest.skip("this machine may have a reader")
    options = ("--display", "none", "--reader", "auto", "--state-directory", str(tmp_path))
    told = run("play", *options, typed="quit\n").stdout
    assert "! There is no card reader here: cards are named by hand." in told and "raspi-config" not in told
    alone = run("score", *options, typed="quit\n").stdout
    assert "reader" not in alone.partition("goes on with")[0]


def test_a_refused_line_is_followed_by_whose_turn_it_still_is(tmp_path: Path) -> None:
    options = ("--display", "none", "--reader", "none", "--state-directory", str(tmp_path), "--players", "Ana,Ben")
    lines = run("play", *options, typed="deal\nr9\nr3\ng4\nundo\nquit\n").stdout.splitlines()
    refused = next(number for number, line in enumerate(lines) if line.startswith("✗"))
    assert lines[refused + 1] == "  That card goes back to the hand; allow lets it stand."
    assert lines[refused + 2] == "  Ben: lay a card or draw."
    assert any("nothing was laid. Undo once more takes back the red 3 of Ana." in line for line in lines[refused:])


@pytest.mark.parametrize(
    ("typed", "meant"), [("dmeo", "demo"), ("paly", "play"), ("cards enrl", "enrol"), ("firmware stauts", "status")]
)
def test_a_mistyped_command_gets_a_suggestion(typed: str, meant: str) -> None:
    result = CliRunner().invoke(lastcard, typed.split())
    assert result.exit_code == 2
    assert f"Did you mean '{meant}'?" in result.output
    assert "Did you mean" not in CliRunner().invoke(lastcard, ["xyzzy"]).output


HELP_OF_ALL = """
import json, sys
from click.testing import CliRunner
from table_app.cli import lastcard
ask = lambda command, word: CliRunner().invoke(lastcard, [*command.split(), word])
print(json.dumps({c: [(r.exit_code, r.output) for r in (ask(c, "-h"), ask(c, "--help"))] for c in sys.argv[1:]}))
"""


def test_h_is_help_everywhere() -> None:
    """In a process of its own: click keeps the names of a command's help from whoever called it first."""
    commands = ["", *COMMANDS, "cards enrol", "firmware status", "deck check"]
    program = [sys.executable, "-c", HELP_OF_ALL, *commands]
    said = json.loads(subprocess.run(program, capture_output=True, check=True, text=True, timeout=120).stdout)
    for command, (short, whole) in said.items():
        assert short == whole and short[0] == 0, command
        assert "-h, --help" in short[1], command


@pytest.mark.parametrize("arguments", [[], ["deck"], ["cards"], ["firmware"]], ids=" ".join)
def test_a_command_without_anything_prints_its_help_in_lines(arguments: list[str]) -> None:
    command = [sys.executable, "-c", "from table_app.cli import main; main()", *arguments]
    result, asked = (
        subprocess.run([*command, *more], capture_output=True, text=True, timeout=60, check=False)
        for more in ((), ("-h",))
    )
    assert "COMMAND [ARGS]" in asked.stdout
    said = result.stdout + result.stderr
    assert said.rstrip() == asked.stdout.rstrip(), "on which stream, and the status, is click's to say"


def test_names_on_the_command_line_are_blamed_there_and_not_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text('[table]\nplayers = ["Ann", "Ben"]\n', encoding="utf-8")
    for names, why in (("Ann", "1 player"), ("Ann,Ann", "same name"), ("Ann,table", "table")):
        command = ["play", "--settings", str(path), "--state-directory", str(tmp_path / "state"), "--players", names]
        result = CliRunner().invoke(lastcard, [*command, "--display", "none", "--reader", "none"])
        said = str(result.exception)
        assert said.startswith("--players: ") and why in said and str(path) not in said
    path.write_text('[table]\nplayers = ["Ann"]\n', encoding="utf-8")
    command = ["play", "--settings", str(path), "--display", "none", "--reader", "none"]
    assert str(CliRunner().invoke(lastcard, command).exception).startswith(f"{path}, line 2: [table] players: ")
