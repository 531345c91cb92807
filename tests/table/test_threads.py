"""Devices on threads: signals come through, failures are told, and a tone keeps its length while the disk is slow."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from hardware.ports import DeviceFaultError, Pattern, Tone
from hardware.signals import ButtonPressed, DeviceLost, Signal
from table_app.table.clock import now_ms
from table_app.table.threads import ThreadedBuzzer, ThreadedDevice

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
