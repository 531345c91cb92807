"""A table left alone stands still: no clock plays on for people who have gone home."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.machine import Keeping, Supply
from hardware.signals import ButtonPressed, DeviceBack, DeviceLost, DeviceNote, ReaderDisturbed, Signal, TagPlaced
from table_app.appliance.idle import ASK_AFTER_MS, ASK_FOR_MS, DIM_AFTER_MS, Presence
from table_app.appliance.kiosk import Kiosk, KioskSettings
from table_app.appliance.pages import GO_ON
from table_app.appliance.power import SupplyWatch
from table_app.appliance.standstill import Standstill
from table_app.play.state import Options, Pause
from table_app.settings import read_settings
from table_app.setup.adjusting import Adjusting
from table_app.table import Observer
from tests.table.rig import Rig, setup

HOUR_MS = 3_600_000
STEP_MS = 1_000


class Alone(Observer):
    """A table in a box, turned by the second as the box turns it."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        rig.table.add_observer(self)
        self.standstill = Standstill()
        self.kiosk = Kiosk(
            KioskSettings(),
            rig.now_ms,
            carry_out=lambda _: ("", ()),
            adjusting=Adjusting(read_settings(None), {}, lambda _: None),
            begin_another=lambda: None,
            supply=SupplyWatch(lambda: Supply.GOOD, None),
            keeping=Keeping.KEPT,
            directory=Path("/var/lib/lastcard"),
        )

    def signal(self, signal: Signal) -> None:
        self.kiosk.sensed(signal, self.rig.now_ms)

    def presence(self) -> Presence:
        """Who is there now; a method, because it changes between two looks."""
        return self.kiosk.idle.presence

    def turn(self, for_ms: int) -> None:
        for _ in range(0, for_ms, STEP_MS):
            self.rig.now_ms += STEP_MS
            self.rig.table.step(self.rig.now_ms)
            self.kiosk.tick(self.rig.now_ms, self.rig.table.match)
            pressed = self.standstill.press(self.presence(), self.rig.state)
            if pressed:
                self.rig.table.hear(self.kiosk.own_press(pressed, self.rig.now_ms))

    def touch(self, button: str) -> None:
        assert self.kiosk.take(ButtonPressed(self.rig.now_ms, button), self.rig.now_ms) is None


def played(*lines: str, time_limit_ms: int | None = None) -> Rig:
    rig = Rig(setup(*lines), options=Options(7, time_limit_ms=time_limit_ms))
    rig.begin()
    rig.tap("r3")
    return rig


CLOCKS = {
    "turn clock": lambda: played("turn-clock: 30"),
    "time limit": lambda: played(time_limit_ms=(ASK_AFTER_MS + HOUR_MS)),
}


@pytest.mark.parametrize("clock", CLOCKS)
def test_while_nobody_answers_no_clock_plays_on(clock: str) -> None:
    rig = CLOCKS[clock]()
    alone = Alone(rig)
    alone.turn(ASK_AFTER_MS + STEP_MS)
    assert alone.presence() is Presence.ASKING
    alone.turn(STEP_MS)
    lines, hands = list(rig.lines), rig.state.match.hands
    alone.turn(3 * HOUR_MS)
    assert alone.presence() is Presence.RESTING
    assert rig.lines == lines
    assert rig.state.match.hands == hands
    assert not rig.state.match.last_round


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_match_taken_up_again_has_as_much_time_left_as_before(clock: str) -> None:
    rig = CLOCKS[clock]()
    alone = Alone(rig)
    alone.turn(ASK_AFTER_MS + 2 * STEP_MS)
    before_ns = rig.state.at_ns(rig.now_ms)
    alone.turn(3 * HOUR_MS)
    for _ in range(2):  # the first touch only lights the screen
        alone.touch(GO_ON)
    alone.turn(3 * STEP_MS)
    assert rig.state.pause is None
    assert 0 <= rig.state.at_ns(rig.now_ms) - before_ns <= 4 * STEP_MS * 1_000_000
    lines = len(rig.lines)
    alone.turn(ASK_AFTER_MS - 10 * STEP_MS)
    if clock == "turn clock":
        assert len(rig.lines) > lines, "and its clock runs again"


@pytest.mark.parametrize("code", ["r5", "b3"])
def test_a_card_laid_at_rest_goes_on_and_counts(code: str) -> None:
    rig = played()
    alone = Alone(rig)
    alone.turn(ASK_AFTER_MS + ASK_FOR_MS + 2 * STEP_MS)
    assert rig.state.pause is Pause.ASKED
    rig.tap(code)
    alone.turn(2 * STEP_MS)
    assert alone.presence() is Presence.PLAYING
    assert rig.state.pause is None
    assert rig.lines[-1] == f"Ben: {code}#1"
    assert all("question" not in notice.text for notice in rig.heard.notices)


def test_a_pause_that_people_asked_for_stays_theirs() -> None:
    rig = played()
    alone = Alone(rig)
    rig.press("pause")
    alone.turn(ASK_AFTER_MS + ASK_FOR_MS + 2 * STEP_MS)
    assert alone.presence() is Presence.RESTING
    for _ in range(2):
        alone.touch(GO_ON)
    alone.turn(2 * STEP_MS)
    assert rig.state.pause is Pause.ASKED


@pytest.mark.parametrize(
    "happening",
    [
        DeviceLost(0, "reader", "It does not answer."),
        DeviceBack(0, "reader"),
        DeviceNote(0, "reader", "It was plugged in anew."),
        ReaderDisturbed(0, "reader"),
    ],
)
def test_what_a_device_does_by_itself_is_nobody_coming_back(happening: Signal) -> None:
    rig = played()
    alone = Alone(rig)
    alone.turn(DIM_AFTER_MS)
    rig.send(happening)
    assert alone.kiosk.idle.is_dim(rig.now_ms)
    alone.turn(ASK_AFTER_MS + ASK_FOR_MS)
    rig.send(happening)
    alone.turn(STEP_MS)
    assert alone.presence() is Presence.RESTING
    rig.send(TagPlaced(rig.now_ms, "pad", b"none"))
    assert alone.presence() is Presence.PLAYING
