"""The board's cable pulled and put back a hundred times in the middle of a match, which goes on by hand meanwhile.

A pulled cable here is what it is in life: the board has no power, its program ends, the pty is gone, and a
new one appears when it is back. The table is the real one, with its rules, interpreter and journal.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.link import Link
from firmware_bridge.port import RETRY_LONGEST_MS, BoardPort
from hardware.bridged.bridge import Bridge
from hardware.bridged.parts import BridgedButtons, BridgedReader
from hardware.signals import ButtonPressed, CardPicked, DeviceBack, DeviceLost, TagPlaced, TagRemoved
from hardware.simulated import Ntag213
from hardware.simulated.microcontroller import SimulatedMicrocontroller
from table_app.rules import Phase, Setup
from tests.table.honest import HonestPeople
from tests.table.rig import Rig, setup

STEP_MS = 10
TIMES = 100
# From plugging in to what lies there: the longest pause between two tries, a handshake, and 200 ms of silence.
BACK_MS = RETRY_LONGEST_MS + 1_500


class BoardRig(Rig):
    """A table whose reader and buttons are on a board; cards that can't be tapped are picked on the screen."""

    def __init__(self, board: SimulatedMicrocontroller, seed: int, agreed: Setup, directory: Path) -> None:
        super().__init__(agreed, directory)
        self.board = board
        self.random = random.Random(seed)
        self.pulled = 0
        self.port = BoardPort(Link(lambda: self.random.randint(1, 0xFFFF)), str(board.port))
        bridge = Bridge(self.port)
        self.table.add_device(BridgedReader(bridge))
        self.table.add_device(BridgedButtons(bridge))
        board.plug_in()
        self.until(lambda: self.port.is_connected, 5_000, "the first connection")

    def run_ms(self, duration_ms: int) -> None:
        for _ in range(0, duration_ms, STEP_MS):
            self.now_ms += STEP_MS
            self.board.advance_to_ms(self.now_ms)
            self.table.step(self.now_ms)

    def until(self, condition: Callable[[], bool], within_ms: int, what: str) -> None:
        give_up_ms = self.now_ms + within_ms
        while not condition():
            self.run_ms(STEP_MS)
            assert self.now_ms < give_up_ms, f"not within {within_ms} ms: {what}; {self.port.fault}"

    def count(self, kind: type, number: bytes | None = None) -> int:
        return sum(
            isinstance(signal, kind) and (number is None or getattr(signal, "uid", None) == number)
            for signal in self.heard.signals
        )

    def press(self, *buttons: str, later_ms: int = 40) -> None:
        for button in buttons:
            self.run_ms(later_ms)
            super().press(button, later_ms=STEP_MS)

    def tap(self, *codes: str, later_ms: int = 40) -> None:
        for code in codes:
            self.run_ms(later_ms)
            if self.board.has_power:
                self._lay(code)
            else:
                self.pick(code.partition("#")[0], later_ms=STEP_MS)
            self._be_clumsy()

    def _lay(self, code: str) -> None:
        """Lay a card on the pad and lift it; now and then the cable is pulled while it lies there."""
        tag = Ntag213(self.uid(code))
        placed, removed = self.count(TagPlaced), self.count(TagRemoved)
        self.board.pad().field.place(tag)
        self.until(lambda: self.count(TagPlaced) > placed, 2_000, f"{code} is told of")
        if self.phase() is Phase.PLAY and self.random.random() < 0.2:
            self.pull()
            self.board.pad().field.lift(tag)
            return
        self.board.pad().field.lift(tag)
        self.until(lambda: self.count(TagRemoved) > removed, 2_000, f"{code} is gone")

    def _be_clumsy(self) -> None:
        """Pull the cable in the middle of a round; put it back soon, and before the hands are counted."""
        if self.board.has_power:
            if self.phase() is Phase.PLAY and self.random.random() < 0.3:
                self.pull()
        elif self.phase() is not Phase.PLAY or self.random.random() < 0.6:
            self.plug_in()

    def pull(self) -> None:
        if self.pulled == TIMES:
            return
        self.pulled += 1
        self.board.unplug()
        self.until(lambda: self.count(DeviceLost) == self.pulled, 2_000, "the loss is told")

    def plug_in(self) -> None:
        self.board.plug_in()
        self.until(lambda: self.count(DeviceBack) == self.pulled, BACK_MS, f"it is back the {self.pulled}. time")


def test_a_hundred_pulled_cables_cost_no_card_and_play_goes_on_by_hand(
    board: SimulatedMicrocontroller, tmp_path: Path
) -> None:
    seed = 20
    rig = BoardRig(board, seed, setup("players: Ann, Ben, Cy", "target: 9000"), tmp_path)
    people = HonestPeople(rig, seed)
    while rig.pulled < TIMES or not board.has_power:
        before = sum(rig.state.match.scores)
        points = people.play_round()
        # The record agrees with the truth: nobody was refused, nothing was missed, every point is counted.
        because = f"seed {seed}, after {rig.pulled} pulled cables"
        assert [done.line for done in rig.heard.done if not done.ruling.is_ok] == [], because
        assert [done.line for done in rig.heard.done if done.cues.alarm] == [], because
        assert sum(rig.state.match.scores) - before == points, because
    assert rig.count(DeviceLost) == rig.count(DeviceBack) == TIMES
    assert rig.count(CardPicked) >= TIMES // 2, "cards went on being played by hand"


def test_a_press_while_the_cable_is_out_is_not_told_of_later(board: SimulatedMicrocontroller, tmp_path: Path) -> None:
    rig = BoardRig(board, 21, setup(), tmp_path)
    rig.pull()
    board.press(6)
    rig.run_ms(100)
    board.release(6)
    rig.plug_in()
    rig.run_ms(1_000)
    assert rig.count(ButtonPressed) == 0
