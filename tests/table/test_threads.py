"""Devices on threads: signals come through, failures are told, and a tone keeps its length while the disk is slow."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from hardware.ports import DeviceFaultError, Pattern, Tone
from hardware.signals import ButtonPressed, DeviceLost, Signal, TagPlaced
from table_app.record.journal import journal_in_memory
from table_app.table import Table
from table_app.table.clock import now_ms
from table_app.table.threads import ThreadedBuzzer, ThreadedDevice
from tests.table.rig import table_at

LONGEST_S = 10.0
"""Far more than a busy machine needs; a test that waits for it has failed."""


class Scripted:
    """Gives one list of signals a poll, then none; None is a failure."""

    name = "buttons"

    def __init__(self, *script: list[Signal] | None) -> None:
        self.script = list(script)
        self.is_closed = False

    def poll(self, now_ms: int) -> Sequence[Signal]:
        if not self.script:
            return ()
        signals = self.script.pop(0)
        if signals is None:
            raise DeviceFaultError("It broke.")
        return signals

    def close(self) -> None:
        self.is_closed = True


def test_what_a_device_senses_on_its_thread_is_given_once_and_wakes_the_loop() -> None:
    woken = threading.Event()
    press = ButtonPressed(5, "draw")
    device = Scripted([], [press])
    threaded = ThreadedDevice(device, now_ms, woken.set)
    assert woken.wait(LONGEST_S)
    assert list(threaded.poll(0)) == [press]
    assert list(threaded.poll(0)) == []
    threaded.close()
    assert device.is_closed


def test_a_device_that_fails_on_its_thread_is_told_as_lost() -> None:
    woken = threading.Event()
    threaded = ThreadedDevice(Scripted(None), now_ms, woken.set)
    assert woken.wait(LONGEST_S)
    (lost,) = threaded.poll(0)
    assert isinstance(lost, DeviceLost) and (lost.device, lost.reason) == ("buttons", "It broke.")
    threaded.close()


class Wrong:
    """A device, and a buzzer, whose code goes wrong; *error* is how."""

    name = "pad"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def poll(self, now_ms: int) -> Sequence[Signal]:
        raise self.error

    def sound(self, pattern: Pattern, now_ms: int) -> None:
        raise self.error

    def close(self) -> None:
        pass


class WrongBuzzer(Wrong):
    """The same as a buzzer, whose polls give nothing."""

    def poll(self, now_ms: int) -> None:  # type: ignore[override]
        raise self.error


@pytest.mark.parametrize("error", [AssertionError("never so"), IndexError(), ValueError("no such thing")])
def test_a_programmers_error_on_a_thread_ends_the_loop_and_not_the_pad_in_silence(error: Exception) -> None:
    woken = threading.Event()
    threaded = ThreadedDevice(Wrong(error), now_ms, woken.set)
    journal = journal_in_memory(wall_time=lambda: "2026-01-01T12:00:00", boot="this")
    table = Table(table_at(()), journal, devices=[threaded])
    assert woken.wait(LONGEST_S), "the loop slept on"
    with pytest.raises(type(error)):
        table.step(now_ms())
    threaded.close()
    journal.close()


def test_a_fault_that_no_driver_put_into_words_is_a_lost_device_and_no_end() -> None:
    woken = threading.Event()
    threaded = ThreadedDevice(Wrong(OSError(5, "Input/output error")), now_ms, woken.set)
    assert woken.wait(LONGEST_S)
    (lost,) = threaded.poll(0)
    assert isinstance(lost, DeviceLost) and "Input/output error" in lost.reason
    assert list(threaded.poll(0)) == []
    threaded.close()


def test_a_programmers_error_in_a_buzzer_ends_the_loop() -> None:
    threaded = ThreadedBuzzer(WrongBuzzer(AssertionError()), now_ms)
    threaded.sound((Tone(2000, 20),), 0)
    threaded._thread.join(LONGEST_S)
    with pytest.raises(AssertionError):
        threaded.poll(0)
    threaded.close()


class CountedBuzzer:
    """Says when it was told to sound, and when it was polled to the end."""

    def __init__(self) -> None:
        self.sounded: list[Pattern] = []
        self.ends_ms = 0
        self.is_silent = threading.Event()
        self.is_closed = False

    def sound(self, pattern: Pattern, now_ms: int) -> None:
        self.sounded.append(pattern)
        self.ends_ms = now_ms + sum(tone.on_ms + tone.off_ms for tone in pattern)

    def poll(self, now_ms: int) -> None:
        if now_ms >= self.ends_ms:
            self.is_silent.set()

    def close(self) -> None:
        self.is_closed = True


def test_a_pattern_ends_by_itself_without_the_loop() -> None:
    buzzer = CountedBuzzer()
    threaded = ThreadedBuzzer(buzzer, now_ms)
    pattern = (Tone(2000, 20, 10), Tone(1000, 20))
    threaded.sound(pattern, 0)
    assert buzzer.is_silent.wait(LONGEST_S)
    assert buzzer.sounded == [pattern]
    threaded.close()
    assert buzzer.is_closed


def test_a_card_ticks_on_the_reader_s_own_thread_however_slow_the_table_is() -> None:
    """Nobody polls the device here, as while a disk takes its time; the tick comes all the same."""
    ticked = threading.Event()
    placed = TagPlaced(0, "pad", bytes(7))
    device = ThreadedDevice(Scripted([placed]), lambda: 0, lambda: None, ticked.set)
    assert ticked.wait(LONGEST_S)
    found: list[Signal] = []
    while not found:
        found += device.poll(0)
    assert found == [placed]
    device.close()
