"""A table whose cards are tapped on the simulated chip, timed: ``python -m tests.table.tapped_table SIGNALS``.

The real driver and reader on the simulated chip, on a thread as `lastcard play` has them; a real window, a real journal
on the disk. The time runs from the end of the last SPI transfer by which a card was read to the ruling journalled and
shown: what is left to the driver, the reader's and the tracker's work, the way from thread to thread, and the table's.
Prints one JSON object: ms a card until it was shown, and ms of each stage. For the benchmark of the table.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from hardware.signals import Signal, TagPlaced, TagRemoved
from hardware.tags.labels import LabelReader
from table_app.display.window import TableWindow, WindowOptions
from table_app.table import Observer, Table, TableState, loop, open_table
from table_app.table.threads import ThreadedDevice
from table_app.view.present import present
from tests.table.honest import HonestPeople
from tests.table.rig import Rig, files, setup
from tests.table.timed_pad import Stages, TimedPad, now_ms

GIVE_UP_S = 5.0
"""A card that is not read after this long never will be."""


class Ear(Observer):
    """Whether the card that was laid has been heard, and whether it is gone."""

    def __init__(self, pad: TimedPad, stages: Stages) -> None:
        self._pad, self._stages = pad, stages
        self.is_placed = self.is_gone = False

    def signal(self, signal: Signal) -> None:
        self.is_gone = self.is_gone or isinstance(signal, TagRemoved)
        if isinstance(signal, TagPlaced):
            self.is_placed = True
            self._stages.add("thread", self._pad.told_at)


def play(script: Sequence[Signal], rig: Rig, folder: Path) -> dict[str, object]:
    """Play the signals of *script*, its cards on the chip."""
    stages, shown = Stages(), list[float]()
    loop.interpret = stages.timed("interpret", loop.interpret)  # type: ignore[attr-defined]
    loop.apply = stages.timed("rule", loop.apply)  # type: ignore[attr-defined]
    opened = open_table(files(folder), rig.setup, now_ms(), tags=rig.tags)
    opened.journal.append = stages.timed("journal", opened.journal.append)  # type: ignore[method-assign]
    pad, woken = TimedPad(stages), threading.Event()
    ear = Ear(pad, stages)
    with TableWindow(now_ms, WindowOptions()) as window:
        device = ThreadedDevice(LabelReader(pad, rig.tags), now_ms, woken.set)
        draw = stages.timed("draw", lambda state, at_ms: window.show(present(state, at_ms)))

        def show(state: TableState, at_ms: int) -> None:
            draw(state, at_ms)
            if ear.is_placed and pad.read_at and not table.is_busy:
                shown.append((time.perf_counter() - pad.read_at) * 1000)
                pad.read_at = 0.0

        def lay(uid: bytes, is_done: Callable[[], bool]) -> None:
            ear.is_placed = ear.is_gone = False
            pad.wanted = uid
            until = time.monotonic() + GIVE_UP_S
            while not is_done() or table.is_busy:
                assert time.monotonic() < until, f"the reader never told of {uid.hex() or 'an empty pad'}"
                woken.wait(GIVE_UP_S)
                woken.clear()
                table.step(now_ms())

        table = Table(opened.state, opened.journal, devices=[device], observers=[ear], show=show, ticks_for_tags=False)
        last = b""
        for signal in script:
            if isinstance(signal, TagPlaced):
                if signal.uid == last:
                    lay(b"", lambda: ear.is_gone)
                lay(signal.uid, lambda: ear.is_placed)
                last = signal.uid
            elif not isinstance(signal, TagRemoved):
                table.hear(replace(signal, at_ms=now_ms()))
                table.step(now_ms())
            window.wait(0)
        device.close()
    opened.close()
    return {"shown": shown, "stages": stages.took}


def main() -> int:
    rig = Rig(setup("target: 300"))
    people = HonestPeople(rig, 7)
    while rig.state.match.winners == ():
        people.play_round()
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(json.dumps(play(rig.heard.signals[: int(sys.argv[1])], rig, Path(folder))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
