"""One simulated evening, put together: people, cards, the reader's chip, pins, and the real table above them.

Runs on virtual time: `Evening.advance` takes everything that is due, in its order, up to a moment. Whether that moment
is now on a clock on the wall or as fast as the processor goes is the caller's business.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hardware.gpio.devices import GpioBuzzer
from hardware.signals import Signal
from hardware.simulated import Ntag213, SimulatedPad, SimulatedTag, VirtualClock
from hardware.simulated.gpio import SimulatedGpio
from table_app.play.state import TableState
from table_app.rules import Card, Deck, Match, Phase, Setup
from table_app.rules.messages import Translate, untranslated
from table_app.simulation.cards import PhysicalCards, all_cards, make_chance
from table_app.simulation.manners import BLUFFING, CLUMSY, FORGETFUL, HONEST, NAMES
from table_app.simulation.people import People
from table_app.simulation.scene import Scene
from table_app.small_files import read_small, write_text
from table_app.table.devices import Devices
from table_app.table.live import LiveTable, Surroundings
from table_app.table.loop import Judged, Observer
from table_app.table.opening import TableFiles

MANNERS_IN_ORDER = (FORGETFUL, BLUFFING, HONEST, CLUMSY)
STEP_MS_MAXIMUM = 1_000
"""The longest step of virtual time, whatever is due: a hung clock must not hang an evening."""

WORLD_FILE = "world.json"
WORLD_BYTES_MAX = 4_194_304
"""What a power cut leaves behind: some kilobytes."""


@dataclass(frozen=True, slots=True)
class EveningOptions:
    """What evening it is: *seed* decides everything, *players* from 2 to 10 play to *target* points."""

    seed: int
    players: int
    target: int

    def setup(self) -> Setup:
        return Setup(players=NAMES[: self.players], target=self.target)


class Show(Protocol):
    """Told whenever something to be seen changed."""

    def __call__(self, state: TableState, now_ms: int) -> None: ...


def make_tags(deck: Deck, seed: int) -> dict[Card, SimulatedTag]:
    """A sticker for every card: an NTAG213, each with an identity of its own."""
    chance = make_chance(seed, "tags")
    cards = all_cards(deck)
    # 04h is NXP, as on real stickers; the rest is as random as theirs.
    serials = chance.sample(range(1 << 32), len(cards))
    return {
        card: Ntag213(bytes((0x04, *serial.to_bytes(4, "big"), chance.randrange(256), 0x80)))
        for card, serial in zip(cards, serials, strict=True)
    }


class _Ears(Observer):
    """Tells the people of every ruling, with the match before it; it is told first of the match that is begun with."""

    _before: Match

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def judged(self, judged: Judged) -> None:
        self._scene.heard(self._before, judged.match, judged.ruling)
        self._before = judged.match

    def began(self, match: Match) -> None:
        self._before = match


class Evening:
    """Everything of a demonstration but its window.

    :param folder: where the journal is kept, and the world over a power cut.
    :param go_on: go on after a power cut, with the world as it was left; `speed_before` is the pace then.
    """

    def __init__(
        self,
        options: EveningOptions,
        files: TableFiles,
        *,
        show: Show | None = None,
        observers: Sequence[Observer] = (),
        translate: Translate = untranslated,
        go_on: bool = False,
    ) -> None:
        self.options = options
        self._folder = files.directory
        world = self._read_world() if go_on else None
        self.now_ms: int = world["now_ms"] if world else 0
        self.has_world = world is not None
        self.speed_before: float | None = world["speed"] if world else None
        setup = options.setup()
        self.clock = VirtualClock(self.now_ms)
        self.pad = SimulatedPad(clock=self.clock)
        self.gpio = SimulatedGpio()
        self.buzzer = GpioBuzzer(pin_factory=self.gpio.pin_factory)
        tags = make_tags(setup.deck, options.seed)
        self.uids = {tag.uid: card for card, tag in tags.items()}
        manners = tuple(MANNERS_IN_ORDER[seat % len(MANNERS_IN_ORDER)] for seat in range(options.players))
        cards = PhysicalCards(setup.deck, options.players, make_chance(options.seed, "cards"))
        self.people = People(cards, manners, make_chance(options.seed, "people"))
        self.scene = Scene(cards, self.people, self.pad, tags, self._hear)
        if world:
            self.scene.restore(world)
        ears = _Ears(self.scene)
        devices = Devices(senses=[self.pad], buzzer=self.buzzer, tags=dict(self.uids))
        devices.closing += [self.gpio.close, self.pad.close, self.buzzer.close]
        around = Surroundings(lambda: self.now_ms, show, [ears, *observers], translate=translate)
        self._live = LiveTable(files, setup, devices, around, is_new=world is None)
        self.table = self._live.table
        ears.began(self.table.match)

    def _hear(self, signal: Signal) -> None:
        self.table.hear(signal)

    @property
    def match(self) -> Match:
        return self.table.match

    @property
    def is_over(self) -> bool:
        return self.match.phase is Phase.OVER

    # -- time -------------------------------------------------------------------------------------------------

    def next_ms(self) -> int:
        """When something is due next."""
        due = [self.scene.next_ms, self.pad.next_poll_ms, self.now_ms + STEP_MS_MAXIMUM]
        for wake in (self.table.next_wake_ms(), self.buzzer.next_change_ms):
            if wake is not None:
                due.append(wake)
        return max(min(due), self.now_ms)

    def advance(self, to_ms: int, until: Callable[[], bool] | None = None) -> None:
        """Let everything happen that is due by *to_ms*; stop early when *until* says so."""
        while True:
            due_ms = self.next_ms()
            if due_ms > to_ms:
                self.now_ms = max(self.now_ms, to_ms)
                return
            self.step(due_ms)
            if until is not None and until():
                return

    def step(self, now_ms: int) -> None:
        """One moment: hands, then the table."""
        # Bus and air take time of their own: the next moment is never before the one just used up.
        self.now_ms = max(now_ms, self.now_ms)
        self.scene.act(self.now_ms, self.table.state)
        self.table.step(self.now_ms)
        self.now_ms = max(self.now_ms, self.clock.now_ms())

    # -- the power --------------------------------------------------------------------------------------------

    def save_world(self, speed: float | None) -> None:
        """Write down what a power cut can't touch, for the process that comes after it; *speed* is the pace."""
        data = {"now_ms": self.now_ms, "speed": speed, **self.scene.as_data()}
        path = self._folder / WORLD_FILE
        partial = path.with_suffix(".partial")
        write_text(partial, json.dumps(data))
        partial.replace(path)

    def _read_world(self) -> dict[str, Any] | None:
        path = self._folder / WORLD_FILE
        if not path.exists():
            return None
        data: dict[str, Any] = json.loads(read_small(path, WORLD_BYTES_MAX))
        path.unlink()
        return data

    # -- the record -------------------------------------------------------------------------------------------

    def transcript(self) -> str:
        """The match so far as a transcript that can be judged again."""
        record = self.table.journal.last_match()
        assert record is not None
        lines = [entry.line for entry in self.table.journal.entries(record.number)]
        return f"{record.header.rstrip()}\n\n" + "".join(f"{line}\n" for line in lines)

    def write_transcript(self, path: Path) -> None:
        partial = path.with_suffix(".partial")
        try:
            write_text(partial, self.transcript())
            partial.replace(path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise OSError(f"The transcript can't be written to {path}: {error.strerror}.") from error

    def close(self) -> None:
        """Close the journal, silence the buzzer, release the pins."""
        self._live.close()
