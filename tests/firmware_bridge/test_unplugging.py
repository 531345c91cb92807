"""The board's cable pulled and put back again and again while cards are laid, on the pad and by hand.

A pulled cable here is what it is in life: the board has no power, its program ends, the pty is gone, and a
new one appears when it is back.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from firmware_bridge.link import Link
from firmware_bridge.port import RETRY_LONGEST_MS, BoardPort
from hardware.bridged import Bridge
from hardware.signals import ButtonPressed, CardPicked, DeviceBack, DeviceLost, Signal, TagPlaced
from hardware.simulated import Ntag213
from hardware.simulated.microcontroller import SimulatedMicrocontroller

STEP_MS = 10
TIMES = 100


class Table:
    """A table's loop as far as it concerns devices: one step takes every device's signals, at once."""

    def __init__(self, board: SimulatedMicrocontroller, seed: int) -> None:
        self.board = board
        self.now_ms = 0
        rng = random.Random(seed)
        self.port = BoardPort(Link(lambda: rng.randint(1, 0xFFFF)), str(board.port))
        bridge = Bridge(self.port)
        self.reader = bridge.reader()
        self.buttons = bridge.buttons()
        self.lamps = bridge.lamps()
        self.by_hand: list[Signal] = []
        self.signals: list[Signal] = []
        self.plays: list[str] = []
        """What was laid, in order: a UID from the pad or a face picked on the screen."""

    def step(self) -> None:
        self.now_ms += STEP_MS
        self.board.advance_to_ms(self.now_ms)
        signals = [*self.reader.poll(self.now_ms), *self.buttons.poll(self.now_ms), *self.by_hand]
        self.by_hand.clear()
        for signal in signals:
            self.signals.append(signal)
            if isinstance(signal, TagPlaced):
                self.plays.append(signal.uid.hex())
            elif isinstance(signal, CardPicked):
                self.plays.append(signal.code)

    def until(self, condition: Callable[[], bool], within_ms: int, what: str) -> None:
        give_up_ms = self.now_ms + within_ms
        while not condition():
            self.step()
            assert self.now_ms < give_up_ms, f"not within {within_ms} ms: {what}; {self.port.fault}"

    def until_count(self, kind: type, number: int, within_ms: int) -> None:
        self.until(lambda: self.count(kind) == number, within_ms, f"{kind.__name__} number {number}")

    def count(self, kind: type) -> int:
        return sum(isinstance(signal, kind) for signal in self.signals)


def test_a_hundred_pulled_cables_cost_no_card_and_play_goes_on_by_hand(
    board: SimulatedMicrocontroller,
) -> None:
    seed = 20
    rng = random.Random(seed)
    table = Table(board, seed)
    board.plug_in()
    table.until(lambda: table.port.is_connected, 5_000, "the first connection")
    wanted: list[str] = []
    for time in range(TIMES):
        tag = Ntag213(bytes((4, time, *rng.randbytes(5))))
        board.pad().field.place(tag)
        wanted.append(tag.uid.hex())
        table.until(lambda: table.plays == wanted, 2_000, f"seed {seed}, card {time} on the pad")
        table.lamps.show(frozenset({time % 4}))
        if rng.random() < 0.5:  # the card is lifted before the plug is pulled, or after
            board.pad().field.lift(tag)
        for _ in range(rng.randint(0, 30)):
            table.step()
        board.unplug()
        board.pad().field.clear()
        table.until_count(DeviceLost, time + 1, 2_000)
        wanted.append(f"r{time % 10}")
        table.by_hand.append(CardPicked(table.now_ms, wanted[-1]))
        table.step()
        assert table.plays == wanted, f"seed {seed}: play goes on by hand within one step"
        for _ in range(rng.randint(0, 50)):
            table.step()
        board.plug_in()
        table.until_count(DeviceBack, time + 1, RETRY_LONGEST_MS + 1_500)
    assert table.plays == wanted
    assert table.count(DeviceLost) == table.count(DeviceBack) == TIMES
    assert table.count(ButtonPressed) == 0
    assert board.is_high(10 + (TIMES - 1) % 4), "the lamps shine as they did before"


def test_a_press_while_the_cable_is_out_is_not_told_of_later(board: SimulatedMicrocontroller) -> None:
    table = Table(board, seed=21)
    board.plug_in()
    table.until(lambda: table.port.is_connected, 5_000, "the first connection")
    board.unplug()
    board.press(6)
    table.until_count(DeviceLost, 1, 2_000)
    board.release(6)
    board.plug_in()
    table.until_count(DeviceBack, 1, 5_000)
    for _ in range(100):
        table.step()
    assert table.count(ButtonPressed) == 0
