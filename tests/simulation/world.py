"""One simulated match, put together: people, cards, readers that fail, a power that goes, and the real table above.

Virtual time; one seed gives one match. The truth stays with `audit`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardware.signals import ButtonPressed, Signal, TagPlaced
from hardware.simulated import Ntag213, SimulatedPad, SimulatedTag, VirtualClock
from table_app.play.notices import Notice
from table_app.record.journal import Entry
from table_app.rules import Card, GoOut, Match, Phase, Ruling, apply, new_match
from table_app.simulation.cards import PhysicalCards, make_chance
from table_app.simulation.evening import make_tags
from table_app.simulation.mending import Wish
from table_app.simulation.people import People
from table_app.simulation.scene import Scene
from table_app.table import Table, TableFiles, TableState, open_table
from table_app.table.loop import Judged, Observer
from table_app.tags.buttons import command_buttons
from table_app.transcript import action_text, parse_action
from tests.simulation.audit import Auditor, WrongError
from tests.simulation.cases import Case, Way
from tests.simulation.deeds import Deeds
from tests.simulation.outputs import output_faults, redacted_faults
from tests.simulation.pads import SignalPad

STEPS_MAX = 300_000
"""Steps of the longest match of three rounds; one that takes more stands still."""

STEP_MS_MAX = 1_000
MEMORY = Path("/dev/shm")
"""Where there is such a place the journals stand in memory: no match here is about the disk."""
JOINS = 0.2
LEAVES = 0.2


class PowerCutError(Exception):
    """The plug was pulled while the table wrote."""


@dataclass
class Outcome:
    """What a match came to."""

    rounds: int = 0
    rulings: int = 0
    given_wrongly: int = 0
    presses_to_mend: int = 0
    presses_wished: int = 0
    pressed: dict[str, int] = field(default_factory=dict)
    wished: dict[str, int] = field(default_factory=dict)
    questions: int = 0
    power_cuts: int = 0
    unplugs: int = 0
    words: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)


class World(Observer):
    """A match of one `Case`. *is_chip*: the readers are whole simulated chips."""

    def __init__(
        self,
        case: Case,
        *,
        is_chip: bool = False,
        observers: Sequence[Observer] = (),
        show: Callable[[TableState, int], None] | None = None,
    ) -> None:
        self.case = case
        self.is_chip = is_chip
        self._show = show
        self._observers = observers
        self._folder = tempfile.TemporaryDirectory(prefix="table-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
        self.now_ms = 0
        self.clock = VirtualClock(0)
        tags = make_tags(case.setup.deck, case.seed)
        commands = self._command_tags()
        self._uids: dict[bytes, Card | str] = {tag.uid: card for card, tag in tags.items()}
        self._uids |= {tag.uid: button for button, tag in commands.items()}
        self.pads = self._pads(is_chip)
        cards = PhysicalCards(case.setup.deck, len(case.setup.players), make_chance(case.seed, "cards"))
        self.people = People(cards, case.manners, make_chance(case.seed, "people"))
        pad = self.pads[0] if self.pads else None
        pile = self.pads[1] if len(self.pads) > 1 else None
        self.scene = Scene(cards, self.people, pad, tags, self._post, pile, commands)
        self.people.types = case.habits.types
        self.deeds = Deeds(self.scene, make_chance(case.seed, "deeds"), case.habits.deeds, bool(self.pads))
        if case.habits.has_dead_sticker:
            self.scene.dead.add(make_chance(case.seed, "sticker").choice(list(tags)))
        self.auditor = Auditor(case, self.scene)
        if case.habits.draws_for_deal:
            self.people.mending.presses.append(Wish(("high",)))
        self.chance = make_chance(case.seed, "world")
        self.outcome = Outcome()
        self._appends = 0
        self._cuts = list(case.cuts)
        self._unplugs = list(case.unplugs_ms)
        self._heard: list[str] = []
        self._truth = new_match(case.setup)
        self._asked_round = 0
        self._must_check = False
        self._open()

    def _command_tags(self) -> dict[str, SimulatedTag]:
        """A sticker for every button that may have one, at a table that has neither buttons nor a screen to touch."""
        if not self.case.habits.has_command_tags:
            return {}
        chance = make_chance(self.case.seed, "commands")
        buttons = command_buttons(len(self.case.setup.players))
        return {button: Ntag213(b"\x04" + chance.randbytes(5) + b"\x82") for button in buttons}

    def _enrol(self, uid: bytes, card: Card) -> None:
        """The list of tags, which outlives the power: the lost one goes, the new one comes."""
        self._uids = {known: meaning for known, meaning in self._uids.items() if meaning != card}
        self._uids[uid] = card
        real = next(known for known, tag in self.scene.tags.items() if tag.uid == uid)
        self.scene.cards.known_as[card] = real
        self.scene.dead.clear()
        self.deeds.done["lost tag replaced"] += 1

    def _pads(self, is_chip: bool) -> list[Any]:
        if self.case.way is Way.NO_READER:
            return []
        names = ["pad", "pile"] if self.case.way is Way.TWO_READERS else ["pad"]
        if is_chip:
            return [SimulatedPad(name=name, clock=self.clock) for name in names]
        return [SignalPad(name) for name in names]

    def _begin_pads_anew(self) -> None:
        """Whatever a reader knew is gone with the power; what lies on it is not."""
        for pad in self.pads:
            pad.close()
        self.pads = self._pads(self.is_chip)
        self.scene.lay_on(*self.pads)

    def _open(self) -> None:
        folder = Path(self._folder.name)
        files = TableFiles(folder, lambda: "2026-11-29T12:00:00+00:00", "simulated")
        self.opened = open_table(files, self.case.setup, self.now_ms, tags=dict(self._uids), options=self.case.options)
        self._watch_appends()
        self.table = Table(
            self.opened.state,
            self.opened.journal,
            devices=self.pads,
            observers=[self, *self._observers],
            show=self._show,
            enrol=self._enrol,
        )

    # -- the power ---------------------------------------------------------------------------------------------

    def _watch_appends(self) -> None:
        append = self.opened.journal.append

        def append_or_die(entries: Sequence[Entry]) -> None:
            self._appends += 1
            is_due = bool(self._cuts) and self._appends > self._cuts[0][0]
            is_kept = is_due and self._cuts[0][1]
            if is_due:
                self._cuts.pop(0)
            if not is_due or is_kept:
                append(entries)
            if is_due:
                raise PowerCutError

        setattr(self.opened.journal, "append", append_or_die)  # noqa: B010 (a method, replaced for one object)

    def _cut_power(self) -> None:
        """All that the process knew is gone; people read on the screen what was kept though they never heard it."""
        self.outcome.power_cuts += 1
        self.opened.close()
        known = len(self._heard)
        self._begin_pads_anew()
        self._open()
        record = next(self.opened.journal.matches())
        lines = [entry.line for entry in self.opened.journal.entries(record.number)]
        if lines[:known] != self._heard:
            raise WrongError(f"{known} rulings were heard, and the record says otherwise")
        for line in lines[known:]:
            action = parse_action(line, self._truth)
            match, ruling = apply(self._truth, action)
            self._follow(match, ruling, line)
        self.scene.startle(self.now_ms)
        if not self.opened.is_resumed:
            raise WrongError("another match was begun")
        if self.table.match.hands != self._truth.hands or self.table.match.turn != self._truth.turn:
            raise WrongError("the resumed table stands elsewhere")

    # -- what happens ------------------------------------------------------------------------------------------

    def _post(self, signal: Signal) -> None:
        if isinstance(signal, ButtonPressed):
            self.auditor.pressed(signal.button, self.table.match)
        self.table.hear(signal)

    def signal(self, signal: Signal) -> None:
        meaning = self._uids.get(signal.uid) if isinstance(signal, TagPlaced) else None
        if isinstance(meaning, str):
            self.auditor.pressed(meaning, self.table.match)

    def noticed(self, notice: Notice, signal: Signal | None) -> None:
        """A tag that the table does not know (the wrong one of two equal cards was forgotten): pick it, it says."""
        tapped = [
            card for card, tag in self.scene.tags.items() if isinstance(signal, TagPlaced) and tag.uid == signal.uid
        ]
        if tapped and notice.text.startswith("Unknown tag"):
            self.scene.dead.update(tapped)
        if isinstance(signal, TagPlaced) and signal.lay_there:
            return  # nobody tapped it: it lay there when the power came back
        for card in tapped:
            self.auditor.told(notice, card, self.table.match)

    def judged(self, judged: Judged) -> None:
        if judged.signal is None and self.table.state.pause is not None:
            raise WrongError(f"{judged.line} though the table is paused")
        if isinstance(judged.signal, TagPlaced) and judged.signal.lay_there:
            raise WrongError(f"{judged.line} though its card lay there before the start")
        before = self._truth
        self._follow(judged.match, judged.ruling, judged.line)
        self.deeds.judged(judged, before, by_tag=isinstance(judged.signal, TagPlaced))

    def _follow(self, match: Match, ruling: Ruling, line: str) -> None:
        before, self._truth = self._truth, match
        if action_text(ruling.action) != line:
            raise WrongError(f"{line} reads as another action")
        self._heard.append(line)
        if isinstance(ruling.action, GoOut) and ruling.is_ok:
            self._deal_what_is_left(match)
        if ruling.is_ok:
            self.deeds.take_up_unseen(ruling.action)
        self.auditor.heard(before, match, ruling)
        self.scene.heard(before, match, ruling)
        self.auditor.moved(before, ruling)
        self._must_check = True

    def _deal_what_is_left(self, match: Match) -> None:
        """At a table for the score alone nobody saw the play: some cards are left in the hands."""
        assert match.out is not None
        cards = self.scene.cards
        cards.deal(self.chance.randint(1, 7), match.from_left_of(match.out))

    def run(self) -> Outcome:
        """Play to the end of the last round.

        :raises WrongError: if the referee was wrong, or the table stands still.
        """
        for _step in range(STEPS_MAX):
            if self._is_done():
                break
            self._make_trouble()
            with suppress(PowerCutError):
                self._step()
                continue
            self._cut_power()
        else:
            raise WrongError(f"the table stands still: {self.table.state.match.phase}, {self._heard[-3:]}")
        self.auditor.settle()
        if self.auditor.rulings != len(self._heard):
            raise WrongError("a ruling was heard twice")
        faults = redacted_faults(self.opened.journal.path, self._truth)
        if faults:
            raise WrongError("; ".join(faults[:3]))
        outcome = self.outcome
        outcome.rounds, outcome.rulings = self.auditor.rounds, self.auditor.rulings
        outcome.given_wrongly = self.scene.given_wrongly
        outcome.pressed, outcome.wished = dict(self.people.mending.pressed), dict(self.people.mending.wished)
        outcome.presses_to_mend, outcome.presses_wished = sum(outcome.pressed.values()), sum(outcome.wished.values())
        outcome.questions = self.people.mending.answered
        outcome.words = dict(self.auditor.words)
        outcome.kinds = self._kinds()
        return outcome

    def output_faults(self) -> list[str]:
        """What is wrong with all that can be had of the match once it was played (`outputs`)."""
        return output_faults(Path(self._folder.name), self._truth)

    def _kinds(self) -> dict[str, int]:
        kinds = self.deeds.done + self.people.did
        kinds["dead sticker named by hand"] = self.scene.named_dead
        kinds["given to another seat"] = self.outcome.given_wrongly
        kinds["power cut"], kinds["reader unplugged"] = self.outcome.power_cuts, self.outcome.unplugs
        return {kind: count for kind, count in kinds.items() if count}

    def _is_done(self) -> bool:
        state = self.table.state
        match, mending = state.match, self.people.mending
        if mending.presses or (state.shown and match.setup.refereed and mending.left_to_show(state.shown[-1])):
            return False
        if match.phase is Phase.OVER:
            return self.table.state.pause is None and not self._is_wrongly_over(match)
        return match.phase is Phase.BETWEEN and match.round_number >= self.case.rounds

    def _is_wrongly_over(self, match: Match) -> bool:
        """With no points, a match that ends on a card drawn in silence is over while cards are held."""
        return match.out is not None and bool(self.scene.cards.hands[match.out]) and match.setup.refereed

    def _step(self) -> None:
        due = [self.scene.next_ms, self.now_ms + STEP_MS_MAX, *(pad.next_poll_ms for pad in self.pads)]
        wake = self.table.next_wake_ms()
        if wake is not None:
            due.append(wake)
        self.now_ms = max(min(due), self.now_ms)
        self.scene.act(self.now_ms, self.table.state)
        self.table.step(self.now_ms)
        self.now_ms = max(self.now_ms, self.clock.now_ms())
        if self._must_check and self.scene.is_idle and not self.people.mending.presses:
            self._must_check = False
            self.auditor.check(self.table.match)
            self.deeds.consider(self.table.state, self.now_ms)
        self.deeds.stepped(self.table.state)

    def _make_trouble(self) -> None:
        if self._unplugs and self.now_ms >= self._unplugs[0] and self.pads and not self.scene.is_moving:
            self._unplugs.pop(0)
            self.outcome.unplugs += 1
            self.scene.unplug(self.now_ms)
        match = self.table.match
        if match.phase is not Phase.BETWEEN or match.round_number <= self._asked_round or match.setup.teams:
            return
        self._asked_round = match.round_number
        if match.round_number >= self.case.rounds:
            return
        if match.players_left > 2 and self.chance.random() < LEAVES:
            seat = self.chance.choice([seat for seat, plays in enumerate(match.playing) if plays])
            self.people.mending.presses.append(Wish(("form:leave", f"seat:{seat}")))
        elif match.players_left < 8 and self.chance.random() < JOINS:
            free = next(name for name in ("Fox", "Owl", "Bear") if name not in match.names)
            self.people.mending.presses.append(Wish(("form:join", f"join:{free}")))

    def close(self) -> None:
        self.opened.close()
        for pad in self.pads:
            pad.close()
        self._folder.cleanup()


def simulate(
    case: Case,
    *,
    is_chip: bool = False,
    observers: Sequence[Observer] = (),
    show: Callable[[TableState, int], None] | None = None,
) -> Outcome:
    """One match to its end.

    :raises WrongError: if the referee was wrong, or the table stands still.
    """
    world = World(case, is_chip=is_chip, observers=observers, show=show)
    try:
        return world.run()
    finally:
        world.close()
