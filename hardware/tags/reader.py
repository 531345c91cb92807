"""A reader that heals itself: looks at the field at a fixed pace, tracks presence, brings a failed chip back.

Joins ``iso14443a`` and ``tracker`` over any Transceiver. No register and no bus may live here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from hardware.ports import (
    Collision,
    DeviceFaultError,
    Silence,
    TagGoneError,
    TagRefusedError,
    Transceiver,
)
from hardware.signals import DeviceBack, DeviceLost, DeviceNote, Signal, TagPlaced
from hardware.tags import iso14443a
from hardware.tags.iso14443a import Found, Tag
from hardware.tags.tracker import Look, Seen, TagTracker

# 20 looks a second: a card is told of within one period, two reads and the air, which is under 70 ms.
POLL_PERIOD_MS: Final = 50
# Two must agree; the third is for the one in some hundred that comes damaged.
READS_A_LOOK: Final = 3
# First at once, since most faults are a lost setting; then slower, and never slower than once a second, so
# that a reader that was plugged in again is back within two.
RETRY_FIRST_MS: Final = 100
RETRY_LONGEST_MS: Final = 1_000

Result = TypeVar("Result")


def converse(transceiver: Transceiver, conversation: Callable[[Transceiver, Tag], Result]) -> Result:
    """Select the only tag in the field, let *conversation* use it, and put it back to rest.

    :raises TagGoneError: if no tag lies there, or it can't be read.
    :raises TagRefusedError: if several do.
    :raises DeviceFaultError: if the chip failed meanwhile.
    """
    try:
        for _ in range(READS_A_LOOK):
            iso14443a.halt(transceiver)  # a tag left half selected would miss the next request
            found = iso14443a.activate(transceiver)
            if isinstance(found, Tag):
                return conversation(transceiver, found)
            if isinstance(found, Collision):
                raise TagRefusedError("Several cards lie on the reader. Lay one card alone.")
        raise TagGoneError("No card can be read. Lay it flat on the middle of the reader.")
    finally:
        iso14443a.halt(transceiver)


class PollingTagReader:
    """A :class:`hardware.ports.TagReader` over a transceiver.

    :param transceiver: the radio.
    :param started: true if it works already; else the first poll starts it, and a failure is a signal.
    :param name: tells several readers apart, ``pad`` by default.
    """

    def __init__(
        self,
        transceiver: Transceiver,
        *,
        name: str = "pad",
        period_ms: int = POLL_PERIOD_MS,
        started: bool = False,
    ) -> None:
        self._transceiver = transceiver
        self._name = name
        self._period_ms = period_ms
        self._tracker = TagTracker(name)
        self._next_ms: int | None = None
        self._works = started
        self._lost_told = False
        self._retry_ms = RETRY_FIRST_MS
        self._note_told = ""
        self.present: Tag | None = None
        """The tag that lies there, with its SAK, as long as it is the one told of."""

    @property
    def name(self) -> str:
        return self._name

    @property
    def next_poll_ms(self) -> int:
        """When the next look is due; a poll before that returns nothing."""
        return self._next_ms or 0

    def poll(self, now_ms: int) -> Sequence[Signal]:
        if self._next_ms is not None and now_ms < self._next_ms:
            return ()
        # Keep the pace, but after a pause go on from now: looks are not made up for.
        due_ms = now_ms if self._next_ms is None else max(self._next_ms, now_ms - self._period_ms)
        self._next_ms = due_ms + self._period_ms
        signals: list[Signal] = []
        if not self._works and not self._start(signals, now_ms):
            return signals
        try:
            look = self._look()
        except DeviceFaultError as fault:
            # One try at once: the next look then happens within this very poll.
            self._lose(fault, signals, now_ms)
            if not self._start(signals, now_ms):
                return signals
            try:
                look = self._look()
            except DeviceFaultError as second:
                self._lose(second, signals, now_ms)
                self._back_off(now_ms)
                return signals
        self._tell_note(signals, now_ms)
        signals += [self._with_kind(signal) for signal in self._tracker.observe(look, now_ms)]
        if self._tracker.present is None:
            self.present = None
        return signals

    def _with_kind(self, signal: Signal) -> Signal:
        """A tag that came, with the kind of tag it is: the tracker knows UIDs only."""
        if isinstance(signal, TagPlaced) and self.present is not None and self.present.uid == signal.uid:
            return replace(signal, sak=self.present.sak)
        return signal

    def talk(self, conversation: Callable[[Transceiver, Tag], Result]) -> Result:
        """Select the tag that lies there, let *conversation* use it, and put it back to rest.

        To be called on the thread that polls: the chip does one thing at a time.

        :raises TagGoneError: if no tag lies there, or it can't be read.
        :raises TagRefusedError: if several do.
        :raises DeviceFaultError: if the reader failed meanwhile; the next poll then heals it.
        """
        return converse(self._transceiver, conversation)

    def close(self) -> None:
        self._transceiver.close()

    # Looking.

    def _look(self) -> Seen | Look:
        """Look once; a new tag, and several tags, are believed when two reads at once say the same."""
        found = iso14443a.identify(self._transceiver)
        if isinstance(found, Silence):
            if self._tracker.is_quiet:
                return Look.SILENCE
            # Something was there. Ask again, and before that make sure that the reader isn't what fell
            # silent.
            self._transceiver.check()
            found = self._read_after(found)
            if isinstance(found, Silence):
                return Look.SILENCE
        if isinstance(found, Tag) and found.uid == self._tracker.present:
            self.present = found
            return Seen(found.uid)
        reads: list[Found] = [found]
        while len(reads) < READS_A_LOOK:
            found = self._read_after(found)
            reads.append(found)
            if isinstance(found, Tag) and reads.count(found) == 2:
                self.present = found
                return Seen(found.uid)
            if isinstance(found, Collision) and sum(isinstance(read, Collision) for read in reads) == 2:
                return Look.SEVERAL
        return Look.SILENCE if all(isinstance(read, Silence) for read in reads[1:]) else Look.NOISE

    def _read_after(self, last: Found) -> Found:
        """Read once more. A tag whose answer was lost waits for a selection: send it to rest before."""
        if isinstance(last, Silence):
            iso14443a.halt(self._transceiver)
        return iso14443a.identify(self._transceiver)

    # Healing.

    def _start(self, signals: list[Signal], now_ms: int) -> bool:
        """Set the chip up anew; tell of its return if its loss was told."""
        try:
            self._transceiver.start()
        except DeviceFaultError as fault:
            self._lose(fault, signals, now_ms)
            self._back_off(now_ms)
            return False
        self._works = True
        if self._lost_told:
            self._lost_told = False
            signals.append(DeviceBack(now_ms, self._name))
        self._retry_ms = RETRY_FIRST_MS
        return True

    def _tell_note(self, signals: list[Signal], now_ms: int) -> None:
        note = self._transceiver.chip_note
        if note and note != self._note_told:
            self._note_told = note
            signals.append(DeviceNote(now_ms, self._name, note))

    def _lose(self, fault: DeviceFaultError, signals: list[Signal], now_ms: int) -> None:
        self._works = False
        self._tracker.pause()
        if not self._lost_told:
            self._lost_told = True
            signals.append(DeviceLost(now_ms, self._name, str(fault)))

    def _back_off(self, now_ms: int) -> None:
        self._next_ms = now_ms + self._retry_ms
        self._retry_ms = min(self._retry_ms * 2, RETRY_LONGEST_MS)
