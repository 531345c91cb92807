"""Promises of the demonstration: it is a real table, the same seed gives the same evening, and the referee is right."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest
from click.testing import CliRunner

from hardware.signals import ButtonPressed, Source
from table_app.cli.demo import DEFAULT_PLAYERS, DEFAULT_SEED
from table_app.cli.judge import judge
from table_app.demo.pane import FASTER, SLOWER, Log, NoticeEar, PowerCutError, do, make_pane
from table_app.demo.run import Runner, RunOptions, longest_min
from table_app.rules import Phase
from table_app.rules.messages import untranslated
from table_app.simulation.evening import Evening, EveningOptions
from table_app.table.loop import Observer
from table_app.view.table_view import ScoresScreen
from tests.demo.evenings import Memory, files, play, points_in_hands


def press(button: str) -> ButtonPressed:
    return ButtonPressed(0, button, Source.TOUCH)


def test_default_evening_shows_a_refusal_a_missed_call_and_a_challenge_within_a_minute(tmp_path: Path) -> None:
    memory = Memory()
    options = EveningOptions(DEFAULT_SEED, DEFAULT_PLAYERS, 500)
    evening = Evening(options, files(tmp_path), observers=[memory])
    evening.advance(60_000)
    assert memory.first_refusal_ms() is not None
    assert memory.words["uno-missed"]
    assert memory.words["guilty"] + memory.words["innocent"]
    evening.close()


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 3), (3, 4), (5, 7), (6, 10)])
def test_match_to_500_is_refereed_right(tmp_path: Path, seed: int, players: int) -> None:
    evening, memory = play(tmp_path, seed, players)
    assert evening.match.phase is Phase.OVER, f"seed {seed}"
    assert max(evening.match.scores) >= 500
    assert memory.words["out"] == memory.words["dealer"] + memory.words["match"] - memory.words["drawn-round"]
    evening.close()


def test_without_a_screen_it_says_how_long_it_takes_how_it_ends_and_how_it_goes_faster(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "table_app", "demo", "--display", "none", "--directory", str(tmp_path)]
    command += ["--target", "1", "--speed", "100", "--seed", "2"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout.splitlines()
    first = next(number for number, line in enumerate(said) if " deal " in line)
    assert said[:first] == [
        f"A match to 1 points takes up to {longest_min(1, 100.0)} minute at this pace, often half of that.",
        "Ctrl-C ends it and tells the scores; --speed max plays it in seconds.",
        "",
    ]
    fast = subprocess.run([*command, "--speed", "MAX"], check=True, capture_output=True, text=True, timeout=120)
    assert " deal " in fast.stdout.splitlines()[0]


@pytest.mark.parametrize("players", [2, 4, 10])
def test_how_long_it_takes_is_no_less_than_it_takes(tmp_path: Path, players: int) -> None:
    evening, _memory = play(tmp_path, players + 20, players)
    assert evening.now_ms <= longest_min(500, 1.0) * 60_000, f"seed {players + 20}"
    assert evening.now_ms * 20 > longest_min(500, 1.0) * 60_000, f"seed {players + 20}"
    evening.close()


def test_a_deal_that_is_taken_back_is_dealt_anew(tmp_path: Path) -> None:
    evening = Evening(EveningOptions(3, 3, 500), files(tmp_path))
    evening.advance(20_000, until=lambda: evening.match.phase is Phase.DEALING)
    for _ in range(2):  # the second finds nothing to take back
        evening.table.hear(press("undo"))
        evening.table.step(evening.now_ms)
    assert evening.match.phase is Phase.BETWEEN
    evening.advance(evening.now_ms + 20_000, until=lambda: evening.match.phase is Phase.PLAY)
    assert [len(hand) for hand in evening.scene.cards.hands] == [7, 7, 7]
    evening.close()


def test_every_round_scores_what_the_others_really_hold(tmp_path: Path) -> None:
    held: dict[str, int] = {}
    wrong: list[str] = []

    class Counter(Observer):
        def judged(self, judged: object) -> None:
            effects = judged.ruling.effects  # type: ignore[attr-defined]
            for happening in effects:
                if happening.word == "score":
                    real = sum(points_in_hands(evening, evening.match).values())
                    held[str(happening.player)] = real
                    if happening.value != real:
                        wrong.append(f"{happening} but {real} held")

    evening = Evening(EveningOptions(11, 4, 500), files(tmp_path), observers=[Counter()])
    evening.advance(4_000_000, until=lambda: evening.is_over)
    assert held and not wrong
    evening.close()


def test_same_seed_gives_the_same_evening_byte_for_byte(tmp_path: Path) -> None:
    def whole_evening(folder: Path) -> str:
        evening = Evening(EveningOptions(3, 3, 100), files(folder))
        evening.advance(4_000_000, until=lambda: evening.is_over)
        transcript = evening.transcript()
        evening.close()
        return transcript

    assert whole_evening(tmp_path / "first") == whole_evening(tmp_path / "second")


def test_transcript_judged_again_gives_every_ruling_again(tmp_path: Path) -> None:
    evening, memory = play(tmp_path, 7, 3, target=200)
    path = tmp_path / "match.table"
    evening.write_transcript(path)
    result = CliRunner().invoke(judge, ["--json", str(path)])
    again = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(entry["ok"], entry["code"], entry["effects"]) for entry in again] == [
        (
            judged.ruling.is_ok,
            judged.ruling.code.value if judged.ruling.code else None,
            [str(happening) for happening in judged.ruling.effects],
        )
        for judged in memory.judged_all
    ]
    evening.close()


# -- mischief --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["wrong", "forget", "bluff", "two", "unplug"])
def test_mischief_is_survived_and_the_match_ends(tmp_path: Path, word: str) -> None:
    memory = Memory()
    evening = Evening(EveningOptions(21, 3, 100), files(tmp_path), observers=[memory])
    for moment in range(10_000, 200_000, 20_000):
        evening.advance(moment, until=lambda: evening.is_over)
        if not evening.is_over:
            do(evening, press(f"mischief:{word}"))
    evening.advance(4_000_000, until=lambda: evening.is_over)
    assert evening.is_over, f"seed 21, {word}"
    if word == "wrong":
        assert memory.first_refusal_ms() is not None
    evening.close()


def test_unplugged_reader_is_told_play_goes_on_by_hand_and_the_reader_comes_back(tmp_path: Path) -> None:
    log = Log()
    ear = NoticeEar(log)
    memory = Memory()
    evening = Evening(EveningOptions(2, 3, 500), files(tmp_path), observers=[log, ear, memory])
    ear.evening = evening
    evening.advance(8_000)
    do(evening, press("mischief:unplug"))
    before = len(memory.judged_all)
    evening.advance(13_000)
    assert evening.table.state.lost, "the table knows that the reader is gone"
    picked = [judged for judged in memory.judged_all[before:] if "#" not in judged.line]
    assert picked, "play went on by hand"
    evening.advance(24_000)
    assert not evening.table.state.lost, "the reader is back"
    evening.close()


def test_cutting_the_power_ends_the_process(tmp_path: Path) -> None:
    evening = Evening(EveningOptions(2, 3, 500), files(tmp_path))
    with pytest.raises(PowerCutError):
        do(evening, press("mischief:power"))
    evening.close()


def test_after_a_power_cut_the_same_evening_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "table_app", "demo", "--seed", "9", "--target", "60", "--speed", "max"]
    command += ["--display", "none", "--directory"]
    for name, more in (("cut", ["--power-cut", "31.7"]), ("whole", [])):
        result = subprocess.run([*command, str(tmp_path / name), *more], capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        assert ("The power is back" in result.stdout) == (name == "cut")
    # Up to the cut both evenings are one; what was acknowledged is there, once.
    cut, whole = ((tmp_path / name / "seed-9.table").read_text(encoding="utf-8") for name in ("cut", "whole"))
    before = list(takewhile(lambda line: not re.match(r"@[3-9]\d\.", line), whole.splitlines()))
    assert len(before) > 20
    assert cut.splitlines()[: len(before)] == whole.splitlines()[: len(before)]
    assert CliRunner().invoke(judge, [str(tmp_path / "cut" / "seed-9.table")]).exit_code == 0


def test_the_pace_chosen_in_the_window_is_kept_over_a_power_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class CutError(Exception):
        """The end of this process, in this one."""

    def end(pid: int, number: int) -> None:
        raise CutError

    monkeypatch.setattr("table_app.demo.run.os.kill", end)
    options = EveningOptions(DEFAULT_SEED, DEFAULT_PLAYERS, 500)
    for presses in ((), (FASTER,), (FASTER,) * 20, (SLOWER,)):
        folder = tmp_path / str(len(presses)) / "-".join(presses[:1])
        before = Runner(options, RunOptions(), files(folder), print, untranslated)
        for word in presses:
            before._take(press(word))
        assert presses == () or before._pace.speed != 1.0
        with pytest.raises(CutError):
            before.cut_power()
        before.evening.close()
        after = Runner(options, RunOptions(), files(folder), print, untranslated, go_on=True)
        pane, pane_before = after.view().demo, before.view().demo
        after.evening.close()
        assert pane is not None and pane_before is not None
        assert pane.pace_title == pane_before.pace_title


def test_the_end_in_the_window_names_the_judge_as_the_terminal_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_app.called.shutil.which", lambda name: None)
    said: list[str] = []
    runner = Runner(EveningOptions(9, 3, 40), RunOptions(speed=None), files(tmp_path), said.append, untranslated)
    runner.run_lines()
    screen = runner.view().screen
    runner.evening.close()
    assert isinstance(screen, ScoresScreen)
    (command,) = [note.text for note in screen.notes if "judge" in note.text]
    assert said[-1] == f"judge it again: {command}"
    assert not command.startswith("lastcard "), "that is on no path here"
    assert subprocess.run(shlex.split(command), capture_output=True, check=False).returncode == 0


# -- sitting down ----------------------------------------------------------------------------------------------


def test_who_takes_a_seat_plays_its_cards(tmp_path: Path) -> None:
    memory = Memory()
    evening = Evening(EveningOptions(5, 3, 500), files(tmp_path), observers=[memory])
    do(evening, press("take:0"))
    for _ in range(400):
        evening.advance(evening.now_ms + 250)
        if evening.match.turn == 0 and evening.match.phase is Phase.PLAY:
            break
    waited = len(memory.judged_all)
    evening.advance(evening.now_ms + 20_000)
    assert len(memory.judged_all) == waited, "nobody plays for the human"
    pane = make_pane(evening, Log())
    assert len(pane.hand) == evening.match.hands[0].size
    for card in pane.hand:
        do(evening, press(card.button))
        evening.advance(evening.now_ms + 2_000)
        if evening.match.turn != 0 or evening.match.question is not None:
            break
    assert len(memory.judged_all) > waited
    assert {judged.ruling.action.player for judged in memory.judged_all[waited : waited + 1]} == {"Ana"}  # type: ignore[attr-defined]
    do(evening, press("leave"))
    evening.advance(evening.now_ms + 20_000)
    assert len(memory.judged_all) > waited + 3, "the others play on"
    evening.close()


def test_undo_on_the_screen_puts_the_real_cards_back(tmp_path: Path) -> None:
    evening, _ = play(tmp_path, 8, 3, to_ms=30_000)
    for _ in range(3):
        evening.table.hear(press("undo"))
        evening.step(evening.now_ms)
    evening.advance(evening.now_ms + 5_000)
    cards = evening.scene.cards
    assert [hand.size for hand in evening.match.hands] == [len(hand) for hand in cards.hands]
    evening.close()


def test_a_card_can_t_be_pressed_while_it_is_another_s_turn(tmp_path: Path) -> None:
    memory = Memory()
    evening = Evening(EveningOptions(7, 3, 500), files(tmp_path), observers=[memory])
    evening.advance(20_000, until=lambda: evening.match.phase is Phase.PLAY)
    assert evening.match.turn is not None
    other = evening.match.after(evening.match.turn)
    do(evening, press(f"take:{other}"))
    assert {card.button for card in make_pane(evening, Log()).hand} == {""}
    card = evening.scene.cards.hands[other][0]
    heard = len(memory.judged_all)
    do(evening, press(f"hand:{card.code}"))
    evening.step(evening.now_ms)
    assert card in evening.scene.cards.hands[other]
    assert len(memory.judged_all) == heard
    evening.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_told_to_end_the_command_ends_whole_and_keeps_the_transcript(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "table_app", "demo", "--display", "none", "--speed", "5", "--directory"]
    with subprocess.Popen(
        [*command, str(tmp_path)], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as demonstration:
        assert demonstration.stdout is not None
        next(line for line in demonstration.stdout if " start " in line)
        demonstration.send_signal(number)  # to the command alone, as a service manager does
        told = demonstration.stdout.read()
        assert demonstration.wait(30) == 0
    assert "transcript: " in told
    assert "table: start" in (tmp_path / f"seed-{DEFAULT_SEED}.table").read_text(encoding="utf-8")


def test_told_to_end_twice_as_make_and_a_terminal_do_it_still_ends_whole(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "table_app", "demo", "--display", "none", "--speed", "5", "--directory"]
    with subprocess.Popen(
        [*command, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as demonstration:
        assert demonstration.stdout is not None
        next(line for line in demonstration.stdout if " start " in line)
        os.killpg(demonstration.pid, signal.SIGTERM)  # the child hears it itself, and once more from its parent
        told = demonstration.stdout.read()
        assert demonstration.wait(30) == 0
    assert "transcript: " in told and "Aborted" not in told
