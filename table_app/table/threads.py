"""Devices on threads of their own, for a real table: the loop never waits for a bus, and a tone never for a disk.

A thread only polls and puts into a bounded queue; what signals mean is the loop's. A device that fails is a signal; any
other exception is a programmer's error, which `poll` raises in the loop: the process ends, and the service starts it
anew. A simulated table needs none of this and polls its devices itself, which keeps it deterministic.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence

from hardware.ports import Buzzer, HardwareError, Pattern
from hardware.signals import DeviceBack, DeviceLost, Signal, TagPlaced
from table_app.table.loop import Device

POLL_EVERY_MS = 20
"""A press or a card is heard within this; devices that look less often say so themselves."""

SIGNALS_MAX = 256
"""Kept between two steps of the loop; a minute of the busiest table."""

RETRY_MS = 1_000
"""How long a device that failed in itself is left alone."""

BUZZER_STEP_MS = 5
"""Tones are multiples of ten milliseconds; half of that keeps their rhythm."""

JOIN_S = 2.0
"""How long closing waits for a thread that is inside a poll."""


class ThreadedDevice:
    """A device that is polled on a thread; `poll` gives what it has sensed since.

    :param now_ms: the table's clock.
    :param wake: called, on that thread, when there is something to give.
    :param sensed: called, on that thread, when a card was sensed: for a tick that no slow disk can hold up.
    """

    def __init__(
        self,
        device: Device,
        now_ms: Callable[[], int],
        wake: Callable[[], None],
        sensed: Callable[[], None] | None = None,
    ) -> None:
        self._sensed = sensed
        self.name = str(getattr(device, "name", type(device).__name__))
        self._device = device
        self._now_ms = now_ms
        self._wake = wake
        self._signals: deque[Signal] = deque(maxlen=SIGNALS_MAX)
        self._stop = threading.Event()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=f"poll {self.name}", daemon=True)
        self._thread.start()

    def poll(self, now_ms: int) -> Sequence[Signal]:
        """All that was sensed since the last call; *now_ms* is not needed, signals carry their own time.

        :raises Exception: what ended the thread, if anything did: a programmer's error that nobody may play on with.
        """
        del now_ms
        if self._error is not None:
            raise self._error
        signals = []
        while self._signals:
            signals.append(self._signals.popleft())
        return signals

    def close(self) -> None:
        """Stop polling and close the device; may be called twice."""
        self._stop.set()
        self._thread.join(JOIN_S)
        close = getattr(self._device, "close", None)
        if close is not None:
            close()

    def _run(self) -> None:
        try:
            self._poll_until_stopped()
        except (
            Exception
        ) as error:  # whatever it is, the loop raises it: a thread that ended without a word is a dead pad
            self._error = error
            self._wake()

    def _poll_until_stopped(self) -> None:
        is_lost = False
        while not self._stop.is_set():
            now_ms = self._now_ms()
            try:
                signals = list(self._device.poll(now_ms))
            except (HardwareError, OSError) as error:
                if not is_lost:
                    is_lost = True
                    self._give([DeviceLost(now_ms, self.name, _reason(error))])
                self._stop.wait(RETRY_MS / 1000)
                continue
            if is_lost:
                is_lost = False
                signals.insert(0, DeviceBack(now_ms, self.name))
            self._give(signals)
            due_ms = getattr(self._device, "next_poll_ms", 0) - self._now_ms()
            self._stop.wait(max(due_ms, POLL_EVERY_MS) / 1000)

    def _give(self, signals: Sequence[Signal]) -> None:
        if signals:
            if self._sensed is not None and any(isinstance(signal, TagPlaced) for signal in signals):
                self._sensed()
            self._signals.extend(signals)
            self._wake()


def _reason(error: Exception) -> str:
    """Why a device failed. What the system says of it, and no driver put into a sentence, is a fault all the same."""
    if isinstance(error, HardwareError):
        return str(error)
    why = getattr(error, "strerror", None) or str(error)
    return f"It failed ({why}). Look at its wires and its power; it is tried again."


class ThreadedBuzzer:
    """A buzzer whose tones keep their length whatever the loop is waiting for.

    :param now_ms: the table's clock.
    :param prepare: called on the thread before anything else; what takes its time holds up nobody there.
    """

    def __init__(self, buzzer: Buzzer, now_ms: Callable[[], int], prepare: Callable[[], None] = lambda: None) -> None:
        self._buzzer = buzzer
        self._prepare = prepare
        self._now_ms = now_ms
        self._wanted: Pattern | None = None
        self._lock = threading.Lock()
        self._is_asked = threading.Event()
        self._stop = False
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def sound(self, pattern: Pattern, now_ms: int) -> None:
        """Begin *pattern* at once, in place of what is sounding."""
        del now_ms
        with self._lock:
            self._wanted = pattern
        self._is_asked.set()

    def poll(self, now_ms: int) -> None:
        """Nothing to move on: the thread does.

        :raises Exception: what ended the thread, if anything did: a programmer's error.
        """
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Be silent and release the pin; may be called twice."""
        self._stop = True
        self._is_asked.set()
        self._thread.join(JOIN_S)
        if not self._thread.is_alive():  # one that hangs in its sound card is left to the end of the process
            self._buzzer.close()

    def _run(self) -> None:
        try:
            self._prepare()
            self._sound_until_stopped()
        except Exception as error:  # the loop raises it
            self._error = error

    def _sound_until_stopped(self) -> None:
        ends_ms = 0
        while True:
            is_sounding = self._now_ms() < ends_ms
            self._is_asked.wait(BUZZER_STEP_MS / 1000 if is_sounding else None)
            self._is_asked.clear()
            if self._stop:
                return
            with self._lock:
                pattern, self._wanted = self._wanted, None
            now_ms = self._now_ms()
            try:
                if pattern is None:
                    self._buzzer.poll(now_ms)
                    continue
                self._buzzer.sound(pattern, now_ms)
            except (HardwareError, OSError):
                continue  # this tone is lost, and everybody hears that; the next one is tried
            # One step beyond the end, so that the last poll is the one that falls silent.
            ends_ms = now_ms + sum(tone.on_ms + tone.off_ms for tone in pattern) + BUZZER_STEP_MS
