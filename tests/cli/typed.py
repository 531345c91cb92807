"""Lines to type at a table on a terminal, by seed, and what the record must say after each of them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from hardware.signals import ButtonPressed, CardPicked
from table_app.cli.terminal import signal_of
from table_app.record.journal import Entry, EntryKind
from tests.table.rig import Rig, setup

WORDS = ("draw", "keep", "undo", "allow", "yes", "no", "red", "blue", "challenge", "reshuffle")
SEAT_WORDS = ("uno", "catch", "give", "seat", "called")
CODES = ("r1", "r2", "y3", "g4", "b5", "r7", "gs", "yr", "b+2", "w", "w+4", "r9", "g9", "zz")
SETTINGS = '[table]\nplayers = ["Ann", "Ben", "Cy"]\n[rules]\ngrace = 3600\n'
"""A long grace time: how fast this machine is changes no ruling."""


@dataclass(frozen=True)
class Typed:
    """*lines* to type; *record* is all that is in the journal in the end, and *reached* how much after each line."""

    lines: list[str]
    record: list[str]
    reached: list[int]


def typed(seed: int, count: int) -> Typed:
    """*count* lines that people might type, sense and nonsense, and what comes of them in virtual time."""
    numbers = random.Random(seed)
    rig = Rig(setup("grace: 3600"))
    lines, reached = [], []
    for number in range(count):
        line = "deal" if number == 0 else "r9" if number == 1 else _line(numbers)
        signal = signal_of(line, rig.now_ms)
        assert isinstance(signal, ButtonPressed | CardPicked)
        rig.send(signal)
        lines.append(line)
        reached.append(len(rig.entries))
    return Typed(lines, [said(entry) for entry in rig.entries], reached)


def said(entry: Entry) -> str:
    """An entry without its time, which differs from run to run."""
    return entry.line.partition(" ")[2] if entry.kind is EntryKind.ACTION else entry.line


def _line(numbers: random.Random) -> str:
    kind = numbers.random()
    if kind < 0.5:
        return numbers.choice(CODES)
    if kind < 0.85:
        return numbers.choice(WORDS)
    return f"{numbers.choice(SEAT_WORDS)} {numbers.randint(1, 3)}"
