"""A table of one's own: the live table with devices that you write, and an observer that prints every ruling.

    python examples/own_table.py

Here a list stands in the place of hands: "Dealt" is pressed, then a tag is laid every half second.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from hardware import ButtonPressed, Signal, TagPlaced, TagRemoved
from table_app.rules import Card, Setup, face
from table_app.rules.words import ruling_text
from table_app.table import Judged, Observer, Table, TableFiles, open_table

CODES = ("r9", "r2", "b2", "g7")
TAGS = {bytes((0x04, number, 0, 0, 0, 0, 0x80)): Card(face(code), 1) for number, code in enumerate(CODES)}


class Hands:
    """A device: whatever has a name and a `poll` that returns signals can be one."""

    name = "pad"

    def __init__(self, uids: Sequence[bytes]) -> None:
        self._uids = list(uids)
        self._next_ms = 0

    def poll(self, now_ms: int) -> Sequence[Signal]:
        if not self._uids or now_ms < self._next_ms:
            return ()
        is_first, self._next_ms = self._next_ms == 0, now_ms + 500
        if is_first:
            return (ButtonPressed(now_ms, "deal"),)
        uid = self._uids.pop(0)
        return (TagPlaced(now_ms, self.name, uid), TagRemoved(now_ms + 100, self.name, uid))


class Printer(Observer):
    """Prints every ruling, once the journal has it."""

    def judged(self, judged: Judged) -> None:
        print("✓" if judged.ruling.is_ok else "✗", judged.public_line, "-", ruling_text(judged.match, judged.ruling))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = TableFiles(Path(folder))
        opened = open_table(files, Setup(players=("Ann", "Ben", "Cy")), 0, tags=TAGS)
        table = Table(opened.state, opened.journal, devices=[Hands(list(TAGS))], observers=[Printer()])
        for now_ms in range(0, 4_000, 50):
            table.step(now_ms)
        opened.close()


if __name__ == "__main__":
    main()
