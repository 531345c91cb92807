"""The reader on its own thread: signals arrive in order, nothing waits for the bus, the end is clean.

Real threads, yet no test waits for a duration: each waits for something to have happened.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator

import pytest

from hardware.background import SIGNALS_MAX, BackgroundReader
from hardware.signals import Signal, TagPlaced, TagRemoved
from hardware.simulated import Ntag213, SimulatedPad

UID = bytes.fromhex("04112233445566")
PATIENCE_S = 20


class Clock:
    """Gives a later time with each look, and lets a test wait until it was looked at often enough."""

    def __init__(self, pad: SimulatedPad) -> None:
        self._pad = pad
        self._now_ms = itertools.count(0, 50)
        self._looked = threading.Semaphore(0)

    def __call__(self) -> int:
        self._looked.release()
        now_ms = next(self._now_ms)
        self._pad.clock.advance_to_ms(now_ms)
        return now_ms

    def wait_for_looks(self, looks: int) -> None:
        for _ in range(looks):
            assert self._looked.acquire(timeout=PATIENCE_S)


@pytest.fixture
def pad() -> SimulatedPad:
    return SimulatedPad()


@pytest.fixture
def clock(pad: SimulatedPad) -> Clock:
    return Clock(pad)


@pytest.fixture
def reader(pad: SimulatedPad, clock: Clock) -> Iterator[BackgroundReader]:
    background = BackgroundReader(pad.reader, clock)
    yield background
    background.close()


def gather(reader: BackgroundReader, clock: Clock, count: int) -> list[Signal]:
    signals: list[Signal] = []
    while len(signals) < count:
        clock.wait_for_looks(1)
        signals += reader.poll(0)
    return signals


def test_signals_of_the_thread_arrive_in_order(pad: SimulatedPad, clock: Clock, reader: BackgroundReader) -> None:
    tag = Ntag213(UID)
    with reader._chip:  # the simulated field is one thread's at a time
        pad.place(tag)
    assert [type(signal) for signal in gather(reader, clock, 1)] == [TagPlaced]
    assert reader.present is not None
    with reader._chip:
        pad.lift(tag)
    assert [type(signal) for signal in gather(reader, clock, 1)] == [TagRemoved]


def test_a_conversation_goes_between_two_polls(pad: SimulatedPad, clock: Clock, reader: BackgroundReader) -> None:
    with reader._chip:
        pad.place(Ntag213(UID))
    gather(reader, clock, 1)
    for _ in range(20):
        assert reader.talk(lambda _radio, tag: tag.uid) == UID
    clock.wait_for_looks(20)
    assert reader.poll(0) == []


def test_closing_ends_the_thread_and_may_be_repeated(pad: SimulatedPad, clock: Clock) -> None:
    background = BackgroundReader(pad.reader, clock)
    clock.wait_for_looks(3)
    background.close()
    background.close()
    assert not any(thread.name == "reader pad" for thread in threading.enumerate())
    assert not pad.chip.registers[0x14] & 0x03, "the field is off"


def test_an_error_in_the_thread_reaches_the_table_once(pad: SimulatedPad) -> None:
    ended = threading.Event()

    def broken_clock() -> int:
        ended.set()
        raise RuntimeError("a mistake in the program")

    background = BackgroundReader(pad.reader, broken_clock)
    assert ended.wait(PATIENCE_S)
    background._thread.join(PATIENCE_S)
    with pytest.raises(RuntimeError, match="a mistake"):
        background.poll(0)
    assert background.poll(0) == []
    background.close()


def test_a_table_that_does_not_look_keeps_the_newest_signals(pad: SimulatedPad, clock: Clock) -> None:
    background = BackgroundReader(pad.reader, clock)
    background.close()
    for number in range(SIGNALS_MAX + 10):
        background._signals.append(TagRemoved(number, "pad", UID))
    kept = background.poll(0)
    assert len(kept) == SIGNALS_MAX
    assert kept[-1].at_ms == SIGNALS_MAX + 9
