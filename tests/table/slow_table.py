"""A table whose disk takes long for every fsync, played faster than it can write: ``python -m tests.table.slow_table``.

The real driver on the simulated chip, the reader on its thread, the buzzer on its own, the loop between them, as
`lastcard play` puts them together. Prints one JSON object: how long after the last SPI transfer of its reading each
card's tick came, in ms, and what is wrong with the record afterwards (nothing, if all is well). For the benchmark of
the table.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hardware.ports import Pattern
from hardware.signals import Signal, TagPlaced, TagRemoved
from table_app.record.archive import open_records, record_of
from table_app.sound import PATTERNS, BuzzerCue
from table_app.table import Observer, Table, open_table
from table_app.table.loop import Judged
from table_app.table.opening import JOURNAL_FILE
from table_app.table.threads import ThreadedBuzzer, ThreadedDevice
from tests.table.honest import HonestPeople
from tests.table.rig import Rig, files, setup
from tests.table.slow_disk import SlowDisk
from tests.table.timed_pad import Stages, TimedPad, now_ms

EVERY_MS = 150
"""At least this lies between two signals: half of what the disk takes for one, so that cards come while the table
writes."""

LONGEST_S = 240
"""A run that takes longer stands still."""


class Script:
    """Cards on the simulated chip one after the other, and presses, whatever the table is doing.

    The next one comes once the reader has told of the card before, or that it is gone.
    """

    name = "pad"

    def __init__(self, signals: Sequence[Signal]) -> None:
        self.pad = TimedPad(Stages())
        self._left = deque(signals)
        self._next_ms = now_ms()
        self._awaited: type[Signal] | None = None

    @property
    def is_over(self) -> bool:
        return not self._left and self._awaited is None

    def poll(self, at_ms: int) -> Sequence[Signal]:
        signals = list(self.pad.poll(at_ms))
        if self._awaited is not None and any(isinstance(signal, self._awaited) for signal in signals):
            self._awaited = None
        if self._awaited is None and self._left and at_ms >= self._next_ms:
            self._next_ms = at_ms + EVERY_MS
            signal = self._left.popleft()
            if isinstance(signal, TagPlaced | TagRemoved):
                self._awaited = type(signal)
                self.pad.wanted = signal.uid if isinstance(signal, TagPlaced) else b""
            else:
                signals.append(replace(signal, at_ms=at_ms))
        return signals

    def close(self) -> None:
        self.pad.close()


class Ear:
    """A buzzer that notes how long after the reading it was made to tick."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.ticks: list[float] = []

    def sound(self, pattern: Pattern, at_ms: int) -> None:
        if pattern == PATTERNS[BuzzerCue.TICK]:
            self.ticks.append((time.perf_counter() - self._script.pad.read_at) * 1000)

    def poll(self, at_ms: int) -> None:
        """Nothing sounds."""

    def close(self) -> None:
        """Nothing is open."""


class Heard(Observer):
    """What was acknowledged, line by line."""

    def __init__(self) -> None:
        self.signals = 0
        self.lines: list[str] = []

    def signal(self, signal: Signal) -> None:
        self.signals += 1

    def judged(self, judged: Judged) -> None:
        self.lines.append(judged.line)


def script(most: int) -> tuple[Rig, list[Signal]]:
    """The signals of honest people, and the rig that knows their tags."""
    rig = Rig(setup("target: 300"))
    people = HonestPeople(rig, 7)
    while len(rig.heard.signals) < most:
        people.play_round()
    return rig, rig.heard.signals[:most]


def on_a_quick_disk(rig: Rig, signals: Sequence[Signal]) -> list[str]:
    """The same signals in virtual time: what the record must hold."""
    heard = Heard()
    with tempfile.TemporaryDirectory() as folder:
        opened = open_table(files(Path(folder)), rig.setup, 0, tags=rig.tags)
        table = Table(opened.state, opened.journal, observers=[heard])
        for number, signal in enumerate(signals):
            table.hear(replace(signal, at_ms=number * EVERY_MS))
            table.step(number * EVERY_MS)
        opened.close()
    return heard.lines


def run(sync_ms: int, most: int, folder: Path) -> dict[str, object]:
    rig, signals = script(most)
    wanted = on_a_quick_disk(rig, signals)
    disk = SlowDisk(sync_ms)
    disk.slow_down()
    opened = open_table(files(folder), rig.setup, now_ms(), tags=rig.tags)
    before, heard, woken = disk.syncs, Heard(), threading.Event()
    reader = Script(signals)
    ear = Ear(reader)
    buzzer = ThreadedBuzzer(ear, now_ms)
    device = ThreadedDevice(reader, now_ms, woken.set, lambda: buzzer.sound(PATTERNS[BuzzerCue.TICK], 0))
    table = Table(opened.state, opened.journal, devices=[device], observers=[heard], ticks_for_tags=False)
    began = time.monotonic()
    while (
        not reader.is_over or heard.signals < len(signals) or table.is_busy
    ) and time.monotonic() - began < LONGEST_S:
        table.step(now_ms())
        if not table.is_busy:
            woken.wait(1)
            woken.clear()
    took_s, syncs = time.monotonic() - began, disk.syncs - before
    device.close()
    buzzer.close()
    opened.close()
    with open_records(folder / JOURNAL_FILE) as journal:
        kept = [entry.line for entry in journal.entries(record_of(journal, None).number)]
    return {
        "ticks": ear.ticks,
        "actions": len(kept),
        "syncs": syncs,
        "took_s": round(took_s, 1),
        "wrong": wrong_with(kept, heard.lines, wanted, syncs),
    }


def wrong_with(kept: list[str], acknowledged: list[str], wanted: list[str], syncs: int) -> list[str]:
    """What the record lacks, holds twice, or holds in another order than it was told or done in."""
    found = []
    if kept != acknowledged:
        found.append("the record is not what was told")
    if [_timeless(line) for line in kept] != [_timeless(line) for line in wanted]:
        found.append("the record is not what was done")
    if syncs < len(kept):
        found.append(f"{syncs} fsyncs for {len(kept)} actions: the disk was not slowed down")
    return found


def _timeless(line: str) -> str:
    return line.partition(" ")[2] if line.startswith("@") else line


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(json.dumps(run(int(sys.argv[1]), int(sys.argv[2]), Path(folder))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
