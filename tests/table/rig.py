"""A table to press and tap in virtual time: the real loop, journal and interpreter, and nothing that waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hardware.signals import ButtonPressed, CardPicked, Signal, TagPlaced, TagRemoved
from table_app.play.hands_tapped import RIGHT_AFTER_MS
from table_app.play.history import History
from table_app.play.notices import Notice
from table_app.play.state import Options, begin_at
from table_app.record.journal import Entry, EntryKind, Journal, journal_in_memory
from table_app.rules import Card, Phase, Setup, face, new_match
from table_app.table import Judged, Observer, Table, TableFiles, TableState, new_table, open_table
from table_app.table.resume import replay
from table_app.transcript import header_text, read_header
from tests.connections import closed_at_the_end

PLAYERS = "players: Ann, Ben, Cy"


def setup(*lines: str) -> Setup:
    """Three players and these header lines."""
    given = lines if any(line.startswith("players") for line in lines) else (PLAYERS, *lines)
    return read_header(given)


def table_at(lines: Sequence[str], agreed: Setup | None = None) -> TableState:
    """The table after these transcript lines."""
    return replay(agreed or setup(), [Entry(line, 1) for line in lines], {})


def uid(number: int) -> bytes:
    """The tag's number of test card *number*."""
    return bytes((4, 0, 0, 0, 0, number >> 8, number & 0xFF))


def tagged_deck(agreed: Setup) -> dict[bytes, Card | str]:
    """Every card of the deck with a tag."""
    cards = [Card(one, copy) for one, kind in agreed.deck.kinds.items() for copy in range(1, kind.copies + 1)]
    return {uid(number): card for number, card in enumerate(cards)}


@dataclass
class Heard(Observer):
    """Everything that the table told."""

    done: list[Judged] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    sounds: list[str] = field(default_factory=list)
    signals: list[Signal] = field(default_factory=list)

    def signal(self, signal: Signal) -> None:
        self.signals.append(signal)

    def judged(self, judged: Judged) -> None:
        self.done.append(judged)

    def noticed(self, notice: Notice, signal: Signal | None) -> None:
        self.notices.append(notice)

    def sounded(self, cue: str) -> None:
        self.sounds.append(str(cue))


class Rig:
    """A running table with a deck of tags. Every act comes a second after the one before, or after *later_ms*."""

    def __init__(
        self,
        agreed: Setup | None = None,
        directory: Path | None = None,
        cards_each: int = 7,
        options: Options | None = None,
    ) -> None:
        options = options or Options(cards_each)
        self.setup = agreed or setup()
        self.now_ms = 10_000
        self.tags = tagged_deck(self.setup)
        self._uid_of = {card: number for number, card in self.tags.items()}
        self.heard = Heard()
        if directory is None:
            self.journal: Journal = journal_in_memory(wall_time=lambda: "2026-01-01T00:00:00Z", boot="boot")
            self.journal.begin_match(header_text(self.setup))
            state = begin_at(new_table(new_match(self.setup), self.tags, options), self.now_ms)
        else:
            self.opened = open_table(files(directory), self.setup, self.now_ms, tags=self.tags, options=options)
            self.journal, state = self.opened.journal, self.opened.state
        older = None if directory is None else self.opened.older
        self.table = Table(state, self.journal, observers=[self.heard], older=older)
        closed_at_the_end.append(self.journal.close)

    @property
    def state(self) -> TableState:
        return self.table.state

    def phase(self) -> Phase:
        """Where the match stands now; a method, because it changes between two looks."""
        return self.state.match.phase

    def send(self, signal: Signal) -> None:
        self.table.hear(signal)
        self.table.step(self.now_ms)

    def press(self, *buttons: str, later_ms: int = 1000) -> None:
        for button in buttons:
            self.now_ms += later_ms
            self.send(ButtonPressed(self.now_ms, button))

    def tap(self, *codes: str, later_ms: int = 1000) -> None:
        """Tap cards such as ``r5`` (the first copy) or ``r5#2``, and lift each again."""
        for code in codes:
            self.now_ms += later_ms
            number = self.uid(code)
            self.send(TagPlaced(self.now_ms, "pad", number))
            self.send(TagRemoved(self.now_ms, "pad", number))

    def show_hands(self, *hands: str) -> None:
        """Tap whole hands, such as ``"r5 y2"``, with the pause that it takes to hand the reader on."""
        for hand in hands:
            self.now_ms += RIGHT_AFTER_MS
            self.tap(*hand.split())

    def pick(self, *codes: str, later_ms: int = 1000) -> None:
        for code in codes:
            self.now_ms += later_ms
            self.send(CardPicked(self.now_ms, code))

    def wait(self, later_ms: int) -> None:
        self.now_ms += later_ms
        self.table.step(self.now_ms)

    def begin(self, first: str = "r9") -> None:
        self.press("deal")
        self.tap(first)

    def uid(self, code: str) -> bytes:
        name, _, copy = code.partition("#")
        return self._uid_of[Card(face(name), int(copy or 1))]

    def know(self, card: Card, number: bytes) -> None:
        """From now on this card is tapped with the tag *number*."""
        self._uid_of[card] = number

    @property
    def lines(self) -> list[str]:
        """The transcript lines so far, without their times."""
        return [entry.line.partition(" ")[2] for entry in self.entries if entry.kind is EntryKind.ACTION]

    @property
    def entries(self) -> list[Entry]:
        """Everything that is in the journal of this match."""
        match = self.journal.last_match()
        assert match is not None
        return list(self.journal.entries(match.number, with_notes=True))

    @property
    def last(self) -> Judged:
        return self.heard.done[-1]


def files(directory: Path) -> TableFiles:
    """The files of a table that is tested."""
    return TableFiles(directory, lambda: "2026-01-01T00:00:00.000+00:00", "boot")


def remembering(state: TableState, **changes: Any) -> History:
    """The history of *state*, were what it remembers (`Memory`) changed so."""
    return replace(state.history, now=replace(state.history.now, **changes))
