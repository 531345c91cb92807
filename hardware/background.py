"""A reader polled on a thread of its own, for real tables: the table's loop never waits for bus or air.

The thread only polls and enqueues; what a signal means is decided on the table's own thread. In simulation
this module is not used: there the loop polls the reader itself, which keeps it deterministic.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from hardware.ports import Transceiver
from hardware.signals import Signal
from hardware.tags.iso14443a import Tag
from hardware.tags.reader import PollingTagReader, Result

# A reader makes a few signals a second at most; a table that has not looked for this many is not playing
# any more. When it is full the oldest go: what lies there now matters most.
SIGNALS_MAX: Final = 256
# The thread is in a wait or a poll, both far shorter; longer means that the bus hangs in the kernel.
_JOIN_S: Final = 2.0


class BackgroundReader:
    """A :class:`hardware.ports.TagReader` that polls *reader* at its pace until it is closed.

    :param now_ms: the table's clock, read on the thread; signals carry its time.
    """

    def __init__(self, reader: PollingTagReader, now_ms: Callable[[], int]) -> None:
        self._reader = reader
        self._now_ms = now_ms
        self._signals: deque[Signal] = deque(maxlen=SIGNALS_MAX)
        self._failure: BaseException | None = None
        self._chip = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"reader {reader.name}", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return self._reader.name

    @property
    def present(self) -> Tag | None:
        """The tag that lies there, with its SAK, as long as it is the one told of."""
        return self._reader.present

    def poll(self, now_ms: int) -> Sequence[Signal]:
        """Return what the thread has gathered since the last call.

        An error that ended the thread is raised here, once: it is a programmer's error, for a device's own
        faults are signals.
        """
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        signals: list[Signal] = []
        for _ in range(SIGNALS_MAX):
            try:
                signals.append(self._signals.popleft())
            except IndexError:
                break
        return signals

    def talk(self, conversation: Callable[[Transceiver, Tag], Result]) -> Result:
        """As :meth:`PollingTagReader.talk`, between two polls of the thread."""
        with self._chip:
            return self._reader.talk(conversation)

    def close(self) -> None:
        """Stop the thread and close the reader; may be called twice."""
        self._stop.set()
        self._thread.join(_JOIN_S)
        with self._chip:
            self._reader.close()

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                with self._chip:
                    self._signals.extend(self._reader.poll(self._now_ms()))
                pause_ms = self._reader.next_poll_ms - self._now_ms()
                self._stop.wait(max(pause_ms, 1) / 1000)
        except BaseException as error:  # handed to the table's thread, which is the one to decide
            self._failure = error
