"""What can be typed is one list: the help names it all, and every word that the help names is understood."""

from __future__ import annotations

import io
import re
import threading
from dataclasses import replace

import pytest

from hardware.signals import ButtonPressed
from table_app.cli.terminal import TypedLines, signal_of
from table_app.cli.typed_words import GROUPS, Takes, help_text, local_answer, set_text
from table_app.play.form_steps import FORMS, PUT_RIGHT
from table_app.play.modes import BUTTONS_WITH_SEAT, PLAIN_BUTTONS, SignalKind, sort
from table_app.play.state import OlderMatch
from tests.table.rig import table_at

BEHIND = {Takes.NOTHING: "", Takes.SEAT: " 2", Takes.NAME: " Eve", Takes.NUMBER: " 3"}
DEALT = replace(
    table_at(["table: deal 7", "table: start r9"]), older=(OlderMatch(3, "2026-11-01", ("Ann", "Ben"), (0, 0), 2),)
)


@pytest.mark.parametrize(
    "line",
    [word + BEHIND[group.takes] for group in GROUPS for word in group.means if word not in ("quit", "who-plays")],
)
def test_every_word_of_the_help_has_a_meaning_at_the_table(line: str) -> None:
    signal = signal_of(line, 7)
    assert isinstance(signal, ButtonPressed)
    assert sort(signal, DEALT).kind is not SignalKind.UNKNOWN_BUTTON
    assert re.search(rf"\b{re.escape(line.split()[0])}\b", help_text())


def test_everything_that_a_button_can_be_is_in_the_help() -> None:
    words = set(re.findall(r"[\w-]+", help_text()))
    wanted = {kind.value for kind in PLAIN_BUTTONS} | {kind.value[:-2] for kind in BUTTONS_WITH_SEAT} | set(FORMS)
    assert wanted <= words
    assert {"give", "called", "swap", "reshuffle", "menu", "high", "clockwise", "guilty", "red", "join"} <= words


def test_set_alone_says_what_can_be_put_right_with_an_example_that_works() -> None:
    answer = local_answer("set")
    assert answer is not None and all(kind in answer for kind in PUT_RIGHT)
    assert "count, then seat 2, then 5" in set_text()
    assert signal_of("set", 7) is None
    signal = signal_of("set count", 7)
    assert isinstance(signal, ButtonPressed) and signal.button == "form:count"


@pytest.mark.parametrize("word", ["uno", "catch", "seat", "swap", "called"])
def test_a_word_that_wants_a_seat_says_so(word: str) -> None:
    answer = local_answer(word)
    assert answer is not None and f"{word} 2" in answer
    assert signal_of(word, 7) is None


def test_the_terminal_prints_its_own_answers_and_passes_the_rest_on(capsys: pytest.CaptureFixture[str]) -> None:
    woken = threading.Event()
    lines = TypedLines(io.StringIO("HELP\nset\ndraw\n"), lambda: 7, woken.set)
    pressed: list[str] = []
    while not lines.is_at_end:
        assert woken.wait(5)
        woken.clear()
        pressed += [signal.button for signal in lines.poll(7) if isinstance(signal, ButtonPressed)]
    assert pressed == ["draw"]
    printed = capsys.readouterr().out
    assert help_text() in printed and set_text() in printed
