"""Both halves back to back: the board's real program and the host's, over a line that loses, spoils and breaks.

The board's sources run in Python here, over a simulated chip, so that thousands of virtual seconds take few
real ones; in MicroPython and over a pty they run in ``test_firmware.py`` and ``test_unplugging.py``.
"""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import pytest

from firmware_bridge.errors import BoardNotFoundError
from firmware_bridge.firmware import messages as board_messages
from firmware_bridge.firmware import settings
from firmware_bridge.firmware.app import App
from firmware_bridge.firmware.rc522 import Rc522 as BoardRc522
from firmware_bridge.link import Link, State
from firmware_bridge.port import BoardPort
from hardware.bridged.bridge import Bridge
from hardware.bridged.parts import BridgedBuzzer, BridgedLamps, BridgedReader
from hardware.ports import Tone
from hardware.signals import DeviceBack, DeviceLost, Signal, TagPlaced, TagRemoved
from hardware.simulated import Ntag213, VirtualClock
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.field import Field
from hardware.simulated.spidev import SimulatedSpiDev

STEP_MS = 5
# Virtual time for one card; a reader needs 70 ms, the rest is for the line to recover several times over.
PATIENCE_MS = 20_000


class Line:
    """A cable: two directions, and what can go wrong on each. Every write is one message under way."""

    def __init__(self, rng: random.Random, loss: float = 0.0, junk: float = 0.0) -> None:
        self.to_board: deque[int] = deque()
        self.to_host = bytearray()
        self.is_plugged = True
        self.writes = 0
        self.break_before: int | None = None
        self.on_break: Any = None
        self._rng = rng
        self._loss = loss
        self._junk = junk

    def carry(self, data: bytes) -> bytes:
        """What arrives of *data*; the moment before it does is where things break."""
        self.writes += 1
        if self.writes == self.break_before:
            self.on_break()
        rng = self._rng
        chance = rng.random()
        if chance < self._loss:
            return b""
        if chance < self._loss + self._junk:
            at = rng.randrange(len(data))
            return rng.choice(
                [
                    data[:at] + bytes((data[at] ^ 1 << rng.randrange(8),)) + data[at + 1 :],
                    data[:at] + data[at + 1 :],
                    data[:at] + data[at:] + data[at:],
                    b">>> \r\nMicroPython" + data,
                    data + rng.randbytes(rng.randint(1, 300)),
                ]
            )
        return data

    # The host's end, as pyserial has it.

    def read(self, size: int = 1, /) -> bytes:
        if not self.is_plugged:
            raise OSError(5, "Input/output error")
        data = bytes(self.to_host[:size])
        del self.to_host[:size]
        return data

    def write(self, data: bytes, /) -> int:
        if not self.is_plugged:
            raise OSError(5, "Input/output error")
        self.to_board.extend(self.carry(data))
        return len(data)

    def close(self) -> None:
        self.to_host.clear()


class Board:
    """What the program of a board stands on, with the chip's own virtual clock."""

    name = "simulated"
    button_names = ("draw",)
    lamp_count = 4

    def __init__(self, world: World) -> None:
        self._world = world
        self.clock = world.clock
        self.radios = [("pad", BoardRc522(_Bus(world), world.clock))]
        self.program = App(self, settings.DEFAULTS)

    def boot_number(self) -> int:
        return self._world.rng.randrange(1 << 32)

    def feed_watchdog(self) -> None: ...

    def buttons_closed(self) -> list[bool]:
        return [self._world.is_pressed]

    def drive_buzzer(self, frequency_hz: int) -> None:
        self._world.sounding_hz = frequency_hz

    def show_lamps(self, seats: list[int]) -> None:
        self._world.lamps = seats

    def read(self, limit: int) -> bytes:
        line = self._world.line.to_board
        return bytes(line.popleft() for _ in range(min(limit, len(line))))

    def write(self, data: bytes) -> int:
        line = self._world.line
        arriving = line.carry(data)
        if line.is_plugged:
            line.to_host += arriving
        return len(data)


class _Bus:
    def __init__(self, world: World) -> None:
        self._spi = world.spi

    def xfer(self, data: bytes) -> bytes:
        return bytes(self._spi.xfer2(list(data)))


class World:
    """A table with a board, a player who lays cards one by one, and a record that outlives both programs."""

    def __init__(self, seed: int, *, loss: float = 0.0, junk: float = 0.0) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.clock = VirtualClock()
        self.field = Field(self.clock)
        self.spi = SimulatedSpiDev({(0, 0): SimulatedMfrc522(self.clock, self.field)})
        self.spi.open(0, 0)
        self.spi.max_speed_hz = 1_000_000
        self.line = Line(self.rng, loss, junk)
        self.is_pressed = False
        self.sounding_hz = 0
        self.lamps: list[int] = []
        self.signals: list[Signal] = []
        # What the table's journal holds: the cards that were laid, and what lies there.
        self.laid: list[bytes] = []
        self.lying: bytes | None = None
        self.plug_in_ms: int | None = None
        self.start_board()
        self.start_host()

    def start_board(self) -> None:
        self.line.to_board.clear()
        self.spi._chips[0, 0].brown_out()  # type: ignore[attr-defined]
        self.board = Board(self)

    def start_host(self) -> None:
        self.line.to_host.clear()
        link = Link(lambda: self.rng.randint(1, 0xFFFF))
        self.bridge = Bridge(BoardPort(link, "line", open_line=self._open))
        self.link = link
        self.reader = BridgedReader(self.bridge)
        self.lamps_port = BridgedLamps(self.bridge)

    def _open(self, address: str) -> Line:
        if not self.line.is_plugged:
            raise BoardNotFoundError("not there")
        return self.line

    def pull_cable(self, for_ms: int) -> None:
        """Break the line, with all that is under way on it, and mend it later."""
        self.line.is_plugged = False
        self.line.to_board.clear()
        self.line.to_host.clear()
        self.plug_in_ms = self.clock.now_ms() + for_ms

    def step(self) -> None:
        if self.plug_in_ms is not None and self.clock.now_ms() >= self.plug_in_ms:
            self.line.is_plugged, self.plug_in_ms = True, None
        self.board.program.turn()
        now_ms = self.clock.now_ms()
        for signal in self.reader.poll(now_ms):
            self.signals.append(signal)
            if isinstance(signal, TagPlaced) and signal.uid != self.lying:
                self.laid.append(signal.uid)
                self.lying = signal.uid
            elif isinstance(signal, TagRemoved) and signal.uid == self.lying:
                self.lying = None
        self.clock.advance_to_ms(now_ms + STEP_MS)

    def run_ms(self, duration_ms: int) -> None:
        end_ms = self.clock.now_ms() + duration_ms
        while self.clock.now_ms() < end_ms:
            self.step()

    def play(self, cards: int) -> list[bytes]:
        """Lay so many cards, each until the table knows of it; return them in order."""
        stickers = [bytes((4, number, *self.rng.randbytes(5))) for number in range(cards)]
        for uid in stickers:
            tag = Ntag213(uid)
            self.field.place(tag)
            give_up_ms = self.clock.now_ms() + PATIENCE_MS
            while self.lying != uid:
                self.step()
                assert self.clock.now_ms() < give_up_ms, f"seed {self.seed}: {uid.hex()} was never told of"
            self.field.lift(tag)
            self.run_ms(self.rng.randint(250, 400))
        return stickers


def test_cards_arrive_once_each_and_in_order() -> None:
    world = World(seed=1)
    assert world.play(10) == world.laid
    assert not [signal for signal in world.signals if isinstance(signal, DeviceLost)]


@pytest.mark.parametrize("seed", range(6))
def test_loss_and_junk_lose_no_card_and_double_none(seed: int) -> None:
    world = World(seed, loss=0.15, junk=0.15)
    assert world.play(15) == world.laid
    assert world.link.counters.doubled + world.link.counters.early + world.link.counters.frames.damaged > 0


CARDS = 2
# Messages of one game of two cards: greeting, how things stand, two cards laid and lifted, heartbeats.
MESSAGES_LONG = range(1, 41)
MESSAGES = range(1, 41, 4)
SIDES = pytest.mark.parametrize("side", ["board", "host", "cable"])


def break_at(side: str, message: int, loss: float = 0.0) -> None:
    """Play while *side* breaks right before *message* arrives: no card may be lost, none told of twice."""
    world = World(seed=message, loss=loss, junk=loss)
    broken = []

    def break_now() -> None:
        broken.append(message)
        if side == "board":
            world.start_board()
        elif side == "host":
            world.start_host()
        else:
            world.pull_cable(for_ms=world.rng.choice([50, 700, 3_000]))

    world.line.break_before, world.line.on_break = message, break_now
    stickers = world.play(CARDS)
    while not broken:  # the message lies behind the last card
        stickers += world.play(1)
    stickers += world.play(1)
    assert world.laid == stickers, f"{side} broke at message {message} with loss {loss}"


@SIDES
@pytest.mark.parametrize("message", MESSAGES)
def test_a_break_at_a_message_loses_no_card_and_doubles_none(side: str, message: int) -> None:
    break_at(side, message)


@pytest.mark.long  # pytest -m long tests/firmware_bridge/test_conversation.py
@SIDES
@pytest.mark.parametrize("message", MESSAGES_LONG)
@pytest.mark.parametrize("loss", [0.0, 0.1])
def test_a_break_at_every_message_loses_no_card_and_doubles_none(side: str, message: int, loss: float) -> None:
    break_at(side, message, loss)


def test_a_card_that_stays_through_a_pulled_cable_is_not_laid_again() -> None:
    world = World(seed=11)
    tag = Ntag213(bytes.fromhex("04010203040506"))
    world.field.place(tag)
    world.run_ms(1_000)
    world.pull_cable(for_ms=3_000)
    world.run_ms(6_000)
    kinds = [type(signal).__name__ for signal in world.signals]
    assert kinds == ["TagPlaced", "DeviceLost", "DeviceBack"]
    world.field.lift(tag)
    world.run_ms(500)
    assert isinstance(world.signals[-1], TagRemoved)


def test_a_card_exchanged_while_the_cable_was_out_is_told_of_when_it_is_back() -> None:
    world = World(seed=12)
    first, second = Ntag213(bytes.fromhex("04010203040506")), Ntag213(bytes.fromhex("04a1a2a3a4a5a6"))
    world.field.place(first)
    world.run_ms(1_000)
    world.pull_cable(for_ms=3_000)
    world.run_ms(500)
    world.field.lift(first)
    world.run_ms(1_000)
    world.field.place(second)
    world.run_ms(5_000)
    told = [signal for signal in world.signals if isinstance(signal, TagPlaced | TagRemoved | DeviceBack)]
    assert [type(signal).__name__ for signal in told] == ["TagPlaced", "DeviceBack", "TagRemoved", "TagPlaced"]
    assert world.lying == second.uid


def test_a_card_that_lies_there_as_the_board_starts_anew_is_told_of_after_its_return() -> None:
    world = World(seed=18)
    first, second = Ntag213(bytes.fromhex("04010203040506")), Ntag213(bytes.fromhex("04a1a2a3a4a5a6"))
    world.field.place(first)
    world.run_ms(1_000)
    world.field.lift(first)
    world.start_board()
    world.field.place(second)
    world.run_ms(3_000)
    kinds = [type(signal).__name__ for signal in world.signals]
    assert kinds == ["TagPlaced", "DeviceLost", "DeviceBack", "TagRemoved", "TagPlaced"]


def test_a_short_burst_of_loss_is_not_a_lost_reader() -> None:
    world = World(seed=13)
    world.run_ms(1_000)
    world.line._loss = 1.0
    world.run_ms(700)
    world.line._loss = 0.0
    world.run_ms(3_000)
    assert world.signals == []
    assert world.link.counters.sessions == 1


def test_a_reading_that_was_delayed_says_when_it_happened() -> None:
    world = World(seed=14)
    world.run_ms(1_000)
    world.line._loss = 1.0
    laid_ms = world.clock.now_ms()
    world.field.place(Ntag213(bytes.fromhex("04010203040506")))
    world.run_ms(900)
    world.line._loss = 0.0
    world.run_ms(500)
    (placed,) = world.signals
    assert isinstance(placed, TagPlaced)
    assert laid_ms < placed.at_ms <= laid_ms + 100


@pytest.mark.parametrize("is_before", [False, True], ids=["as it comes", "as the session begins"])
def test_a_card_that_found_no_room_on_the_board_is_told_of_when_there_is_room(is_before: bool) -> None:
    world = World(seed=19)
    world.run_ms(100 if is_before else 1_000)
    assert world.link.state is State.TALKING
    note = board_messages.text("pile") + board_messages.text("what other readers had to say")
    program = world.board.program
    world.line._loss = 1.0
    while program._link.tell(board_messages.READER_NOTE, note, world.clock.now_ms()):
        pass
    tag = Ntag213(bytes.fromhex("04010203040506"))
    world.field.place(tag)
    world.run_ms(700)
    world.line._loss = 0.0
    world.run_ms(2_000)
    assert world.laid == [tag.uid] and world.link.counters.sessions == 1


def test_a_host_that_draws_the_number_of_the_board_s_session_misses_nothing() -> None:
    world = World(seed=20)
    world.run_ms(1_000)
    taken = world.link.session
    numbers = iter((taken, taken, taken % 0xFFFF + 1))
    world.start_host()
    world.link._new_session = lambda: next(numbers)
    tag = Ntag213(bytes.fromhex("04010203040506"))
    world.field.place(tag)
    world.run_ms(2_000)
    assert world.laid == [tag.uid]


def test_without_a_host_the_outputs_are_safe() -> None:
    world = World(seed=15)
    world.run_ms(500)
    world.lamps_port.show(frozenset({0, 3}))
    buzzer = BridgedBuzzer(world.bridge)
    buzzer.sound((Tone(440, on_ms=60_000),), world.clock.now_ms())
    world.run_ms(200)
    assert (world.lamps, world.sounding_hz) == ([0, 3], 440)
    world.pull_cable(for_ms=1_000_000)
    world.run_ms(2_000)
    assert (world.lamps, world.sounding_hz) == ([], 0)


def test_a_board_that_comes_back_is_shown_the_lamps_again() -> None:
    world = World(seed=16)
    world.lamps_port.show(frozenset({2}))
    world.run_ms(500)
    world.start_board()
    world.lamps = []
    world.run_ms(3_000)
    assert world.lamps == [2]


def test_an_idle_line_takes_less_than_200_bytes_a_second() -> None:
    world = World(seed=17)
    world.run_ms(1_000)
    carried = [0]
    carry = world.line.carry

    def count(data: bytes) -> bytes:
        carried[0] += len(data)
        return carry(data)

    world.line.carry = count  # type: ignore[method-assign]
    world.run_ms(10_000)
    assert 0 < carried[0] < 10 * 200
