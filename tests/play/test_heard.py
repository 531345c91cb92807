"""What can be heard of a table that nobody sees: that it asks, asks again, and gives up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hardware.signals import CardLabel, TagPlaced
from table_app.play.state import (
    ASKED_AGAIN_MS,
    QUESTION_MS,
    CatcherQuestion,
    DrawnQuestion,
    LabelQuestion,
    Options,
    TableQuestion,
)
from tests.table.rig import Rig, setup, uid


def heard(rig: Rig, act: Callable[[], None]) -> list[str]:
    """The cues that *act* made, without the tick of a card that was sensed."""
    before = len(rig.heard.sounds)
    act()
    return [cue for cue in rig.heard.sounds[before:] if cue != "tick"]


def label() -> tuple[Rig, Callable[[], None]]:
    rig = Rig()
    rig.begin()
    return rig, lambda: rig.send(TagPlaced(rig.now_ms, "pad", uid(900), 0, CardLabel("r7", "classic")))


def drawn() -> tuple[Rig, Callable[[], None]]:
    rig = Rig(options=Options(2, is_tracked=True))
    rig.press("deal")
    rig.tap("r9")
    return rig, lambda: rig.tap("r1")


def catcher() -> tuple[Rig, Callable[[], None]]:
    rig = Rig(setup("false-catch: 2"))
    rig.begin()
    return rig, lambda: rig.press("catch:1")


QUESTIONS = {DrawnQuestion: drawn, LabelQuestion: label, CatcherQuestion: catcher}


def test_every_question_of_the_table_is_asked_here() -> None:
    assert set(QUESTIONS) == set(TableQuestion.__args__)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_heard_once_more_before_it_lapses_and_its_lapse_is_heard(question: type) -> None:
    rig, ask = QUESTIONS[question]()
    assert heard(rig, ask) == ["asked"] and type(rig.state.question) is question
    assert heard(rig, lambda: rig.wait(QUESTION_MS - ASKED_AGAIN_MS - 1)) == []
    assert rig.table.next_wake_ms() == rig.now_ms + 1
    assert heard(rig, lambda: rig.wait(1)) == ["asked"]
    assert heard(rig, lambda: rig.wait(ASKED_AGAIN_MS)) == []
    lapsed = ["accepted"] if question is DrawnQuestion else ["lapsed"]  # the card was drawn then, and is not lost
    assert heard(rig, lambda: rig.wait(1)) == lapsed and rig.state.question is None


def test_what_is_put_right_asks_for_each_step_and_its_lapse_is_heard() -> None:
    rig = Rig()
    rig.begin()
    assert heard(rig, lambda: rig.press("form:count")) == ["asked"]
    assert heard(rig, lambda: rig.press("seat:1")) == ["asked"]
    assert heard(rig, lambda: rig.press("digit:3")) == []
    assert heard(rig, lambda: rig.wait(120_000)) == ["lapsed"]


def test_a_table_that_stands_still_or_goes_on_is_heard() -> None:
    rig = Rig()
    rig.begin()
    assert heard(rig, lambda: rig.press("pause")) == ["accepted"]
    assert heard(rig, lambda: rig.press("pause")) == ["accepted"]
