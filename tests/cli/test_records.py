"""What the record says, as people ask for it: history, export, statistics, the score alone, the first start."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pygame
import pytest
from click.testing import CliRunner

from table_app.cli.judge import judge
from table_app.cli.records import export, history, stats
from table_app.record.archive import open_records, record_of, statistics
from table_app.rules.messages import untranslated
from table_app.settings import read_settings
from table_app.setup.dialogue import ask_on_terminal
from table_app.setup.steps import WAYS, Asked, FirstStart
from table_app.table import open_table
from tests.cli.test_commands import run
from tests.play.test_tracked import ONE, deal
from tests.table.honest import HonestPeople
from tests.table.rig import Rig, files, setup


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a match that was played to its end, and one that was begun."""
    folder = tmp_path_factory.mktemp("played")
    rig = Rig(setup("target: 100"), folder)
    people = HonestPeople(rig, 3)
    while not rig.state.match.winners:
        people.play_round()
    rig.press("again")
    rig.begin()
    rig.tap("r3", "w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("r1", "r2", "r4", "r5", "g1", "g2")
    rig.opened.close()
    return folder


def test_history_lists_every_match(played: Path) -> None:
    result = CliRunner().invoke(history, ["--state-directory", str(played)])
    first, second = result.output.splitlines()
    assert re.match(r" +1  2026-01-01T00:00 +\d+ rounds +Ann \d+, Ben \d+, Cy \d+  \(won by (Ann|Ben|Cy)\)", first)
    assert "1 round " in second and second.endswith("(not ended)")


def judged_scores(text: str, folder: Path) -> str:
    path = folder / "export.table"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(judge, ["--json", str(path)])
    assert result.exit_code == 0
    found: list[str] = re.findall(r'"scores": ({[^}]*})', result.output)
    return found[-1]


def test_an_export_is_judged_to_the_same_scores_with_and_without_the_hands(played: Path, tmp_path: Path) -> None:
    options = ["--state-directory", str(played), "1"]
    whole = CliRunner().invoke(export, options).output
    redacted = CliRunner().invoke(export, [*options, "--redact"]).output
    assert ": shows " in whole and ": shows " not in redacted
    assert judged_scores(whole, tmp_path) == judged_scores(redacted, tmp_path)


def test_a_redacted_challenge_is_found_as_it_was_judged(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.table"
    CliRunner().invoke(export, ["--state-directory", str(played), "--redact", "--to", str(path)])
    text = path.read_text(encoding="utf-8")
    assert "Cy: finds guilty" in text and "r4" not in text
    result = CliRunner().invoke(judge, [str(path)])
    assert "guilty" in result.output.lower() and "✗" not in result.output


def test_a_tracked_match_is_redacted_to_numbers(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path, options=ONE)
    deal(rig)
    rig.tap("r9", "g7", "r3", "y4")
    rig.opened.close()
    with open_records(tmp_path / "journal.sqlite") as journal:
        record_of(journal, None)
    text = CliRunner().invoke(export, ["--state-directory", str(tmp_path), "--redact"]).output
    actions = [line.partition(" ")[2] for line in text.splitlines() if line.startswith("@")]
    assert actions[:5] == ["table: deal 3", "table: start r9#1", "Ann: draw", "Ann: keep", "Ben: r3#1"]
    assert not re.search(r"b5|w\+4|g5|y5|g7", text)


def test_statistics_count_for_each_player(played: Path, tmp_path: Path) -> None:
    with open_records(played / "journal.sqlite") as journal:
        players = {player.name: player for player in statistics(journal)}
    assert {player.matches for player in players.values()} == {2}
    assert sum(player.matches_won for player in players.values()) == 1
    rounds = {player.rounds for player in players.values()}
    assert len(rounds) == 1 and sum(player.rounds_won for player in players.values()) == rounds.pop() - 1
    assert (players["Cy"].challenges_won, players["Cy"].challenges_lost) == (1, 0)
    picture = tmp_path / "stats.png"
    result = CliRunner().invoke(stats, ["--state-directory", str(played), "--png", str(picture)])
    assert result.exit_code == 0 and "█" in result.output
    assert pygame.image.load(str(picture)).get_width() == 900


def test_what_is_not_there_is_a_sentence(tmp_path: Path, played: Path) -> None:
    for arguments in (("history",), ("export",), ("stats",)):
        result = run(*arguments, "--state-directory", str(tmp_path))
        assert result.returncode == 2 and "There is no record" in result.stderr and "Traceback" not in result.stderr
    result = run("export", "99", "--state-directory", str(played))
    assert result.returncode == 2 and "There is no match 99; the record has 1 to 2." in result.stderr


@pytest.mark.parametrize("is_named", [True, False], ids=["named", "usual"])
def test_where_only_the_other_record_is_there_its_place_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "lastcard"
    named = ["--state-directory", str(folder)] if is_named else []
    options = [*named, "--display", "none", "--reader", "none", "--players", "Ana,Ben,Cy"]
    assert run("score", *options, typed="Ana\n34\n20\n").returncode == 0
    for command in ("history", "export", "stats"):
        told = run(command, *named)
        assert told.returncode == 2 and "add --score" in told.stderr
        assert f"--state-directory {folder / 'score'}." in told.stderr
        assert run(command, *named, "--score").returncode == 0
        assert run(command, "--state-directory", str(folder / "score")).returncode == 0
        assert "leave out --score" in run(command, "--state-directory", str(folder / "score"), "--score").stderr
    assert run("play", *options, typed="deal\n").returncode == 0
    assert run("history", *named).returncode == 0, "both are there now, and each is what it was called"
    shutil.rmtree(folder / "score")
    assert f"is in {folder}: leave out --score" in run("history", *named, "--score").stderr


def test_the_score_alone_is_kept_on_a_terminal_beside_a_match_under_way(tmp_path: Path) -> None:
    options = ("--display", "none", "--reader", "none", "--state-directory", str(tmp_path), "--players", "Ana,Ben,Cy")
    run("play", *options, typed="deal\nr9\n")
    result = run("score", *options, typed="seat 1\n34\nw\n r5\nyes\n")
    assert result.returncode == 0, result.stderr
    assert "Ana scores 89" in result.stdout
    assert "Go on?" in run("play", *options).stdout
    listed = run("history", "--state-directory", str(tmp_path), "--score").stdout
    assert "Ana 89" in listed


# -- the first start -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_the_first_start_ends_in_settings_that_are_valid(way: str, tmp_path: Path) -> None:
    asked = FirstStart()
    for word in (way, "3", "Fox", "orange", "Zoë", "lime", 'fox\'s "friend"', "purple"):
        asked = asked.choose(word)
        assert asked.problem == ""
    assert asked.asked is Asked.READY
    path = tmp_path / "lastcard.toml"
    path.write_text(asked.settings_text(), encoding="utf-8")
    settings = read_settings(path)
    assert settings.setup().players == ("Fox", "Zoë", 'fox\'s "friend"')
    assert settings.words("table", "colours") == ("orange", "lime", "purple")
    assert settings.setup().refereed is (way != "score")
    assert settings.text("table", "hands") == ("tracked" if way in ("tracked", "two-readers") else "counted")


def test_the_first_start_answers_wrong_words_and_goes_back() -> None:
    asked = FirstStart().choose("nonsense")
    assert asked.problem and asked.asked is Asked.HOW
    asked = asked.choose("counted").choose("11")
    assert "2" in asked.problem
    asked = asked.choose("2").choose("Fox").choose("orange").choose("Fox")
    assert "sits here already" in asked.problem
    asked = asked.choose("=x")
    assert asked.problem and asked.names == ("Fox",)
    words = []
    while asked.way:
        asked = asked.back()
        words.append(asked.asked)
    assert words == [Asked.COLOUR, Asked.NAME, Asked.PLAYERS, Asked.HOW]


def test_the_first_start_on_a_terminal_writes_the_settings(tmp_path: Path) -> None:
    """With ``--set-up`` it asks also where standard input is no terminal."""
    code = (
        "import sys; sys.stdin.isatty = lambda: True\n"
        "from table_app.cli import main\n"
        f"main(['play', '--set-up', '--display', 'none', '--reader', 'none', '--state-directory', {str(tmp_path)!r}])"
    )
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    typed = "counted\n2\nhelp\nFox\n\nOwl\npink\n\nquit\n"
    result = subprocess.run(
        [sys.executable, "-c", code], input=typed, capture_output=True, encoding="utf-8", env=environment, timeout=60
    )
    assert result.returncode == 0, result.stderr
    path = tmp_path / "config" / "lastcard" / "lastcard.toml"
    settings = read_settings(path)
    assert settings.setup().players == ("Fox", "Owl")
    assert settings.words("table", "colours") == ("orange", "pink"), "Enter alone takes the usual one"
    assert "Fox" in result.stdout
    assert "counted (One reader)" in result.stdout and "any name, such as" in result.stdout
    assert "Ready" in result.stdout, "as in the window, what was answered is said before it holds"


def test_statistics_count_what_was_put_right(tmp_path: Path) -> None:
    rig = Rig(setup("plays: unrefereed"), tmp_path)
    rig.press("seat:0", "digit:6", "yes", "digit:0", "yes")

    def points() -> list[int]:
        return [player.points for player in statistics(rig.journal)]

    assert points() == list(rig.state.match.scores) == [6, 0, 0]
    rig.press("form:round-score", "digit:1", "yes", "seat:0", "digit:9", "digit:9", "yes")
    assert points() == list(rig.state.match.scores) == [99, 0, 0]
    rig.press("form:score", "seat:1", "digit:7", "yes")
    assert points() == list(rig.state.match.scores) == [99, 7, 0]
    rig.press("undo", "undo")
    assert points() == list(rig.state.match.scores) == [6, 0, 0]


def test_statistics_count_a_team_s_score_for_both(tmp_path: Path) -> None:
    rig = Rig(setup("players: Ann, Ben, Cy, Dee", "house: teams"), tmp_path)
    rig.begin()
    rig.press("form:score", "seat:1", "digit:7", "yes")
    assert [player.points for player in statistics(rig.journal)] == list(rig.state.match.scores) == [0, 7, 0, 7]


def test_an_export_without_a_number_is_the_match_that_was_played_last_also_one_taken_up(tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path)
    rig.begin()
    rig.opened.close()
    second = open_table(files(tmp_path), setup(), rig.now_ms, tags=rig.tags, is_new=True)
    second.close()
    again = Rig(directory=tmp_path)
    again.press("deal")
    again.press("pause", "older", "take-up:1")
    again.tap("r3")
    assert again.state.match.top is not None
    again.opened.close()
    result = CliRunner().invoke(export, ["--state-directory", str(tmp_path)])
    assert "This is match 1," in result.stderr


def test_an_export_in_which_there_is_nothing_to_leave_out_says_so(played: Path, tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path)
    rig.begin()
    rig.tap("r3")
    rig.opened.close()
    result = CliRunner().invoke(export, ["--redact", "--state-directory", str(tmp_path)])
    assert result.exit_code == 0 and "nothing to leave out" in result.stderr
    shown = CliRunner().invoke(export, ["--redact", "2", "--state-directory", str(played)])
    assert shown.exit_code == 0 and "nothing to leave out" not in shown.stderr


def test_every_column_of_the_statistics_says_what_was_won(played: Path, tmp_path: Path) -> None:
    picture = tmp_path / "points.png"
    result = CliRunner().invoke(stats, ["--state-directory", str(played), "--png", str(picture)])
    head = result.output.splitlines()[0]
    assert "matches won" in head and "rounds won" in head
    assert result.output.splitlines()[-1] == f"The picture is in {picture}."


def test_all_names_can_be_typed_at_once_at_the_first_start(monkeypatch: pytest.MonkeyPatch) -> None:
    words = iter(["no reader", "Maria, Tom, Ida", "begin"])
    monkeypatch.setattr(click, "prompt", lambda *arguments, **named: next(words))
    asked = ask_on_terminal(untranslated)
    assert asked is not None and asked.way == "no-reader"
    assert asked.names == ("Maria", "Tom", "Ida") and len(set(asked.colours)) == 3


def test_a_name_that_can_t_be_among_all_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    words = iter(["counted", "Maria, Maria", "Tom", "", "begin"])
    monkeypatch.setattr(click, "prompt", lambda *arguments, **named: next(words) or named["default"])
    asked = ask_on_terminal(untranslated)
    assert asked is not None and asked.names == ("Maria", "Tom")
