"""Whatever happens at a table, the record makes the same table again: what counts is in the journal, and nothing else.

Random signals at random set-ups, by seed; after every few of them the live table is held against the replay of its
entries, by a table that is set up another way. Longer: ``pytest -m long tests/table/test_live_and_recorded.py``.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence

import pytest

from hardware.signals import (
    ButtonPressed,
    CardPicked,
    DeviceBack,
    DeviceLost,
    SeveralTags,
    Signal,
    TagPlaced,
    TagRemoved,
)
from table_app.play.state import MenuPage, Options, TableState
from table_app.rules import Card, Phase
from table_app.table.older import OlderMatches
from table_app.table.resume import replay
from tests.simulation.cases import case
from tests.table.rig import Rig

SIGNALS = 150
LOOKED_AT_EVERY = 6

OF_THE_MOMENT = {
    "tags": "the tag list has its own file",
    "options": "in part: what is the table's own is another table's",
    "round_began_ms": "the table's clock, which a start sets anew",
    "on_pad": "the reader says what lies there",
    "question": "a power cut leaves none open: the card is tapped again",
    "held": "a power cut leaves no card waiting: it is tapped again",
    "announced": "a power cut leaves no seat announced: it is touched again",
    "next_card": "a power cut leaves no card waiting: it is tapped again",
    "asked_again_ms": "a power cut leaves no question open",
    "form": "a power cut leaves none half filled in",
    "pause": "a start asks by itself whether to go on",
    "stopped_ms": "the table's clock, which a start sets anew",
    "lost": "the devices say so at the start",
    "menu": "what is shown",
    "ruled_ms": "the table's clock",
    "alarm": "for a moment on the screen",
    "notice": "for a moment on the screen",
    "messages": "the start's own",
    "trouble": "the disk's own",
    "may_have_older": "the journal says so at the start",
    "older": "asked for anew",
    "older_from": "what is shown",
    "correction": "until the ruling that is in the same transaction",
}
"""What of a table's state the journal need not know, and why. All other fields must come back as they were."""

WORDS = (
    *("deal", "deal", "deal", "draw", "draw", "draw", "keep", "keep", "keep", "challenge", "allow", "undo", "undo"),
    *("reshuffle", "yes", "yes", "yes", "no", "again", "menu", "put-right", "rules", "pause", "bell", "high", "older"),
    *("finds:guilty", "finds:innocent", "direction:clockwise", "direction:anticlockwise", "join:Eve", "join:Fox"),
    *("form:resync", "form:count", "form:turn", "form:colour", "form:direction", "form:top", "form:score"),
    *("form:round-score", "form:round-score", "form:tag", "form:leave", "form:join", "form:give", "form:points"),
    *("form:dealer", "form:holds", "digit:1", "digit:1", "digit:2", "digit:2"),
    *(f"colour:{colour}" for colour in ("red", "yellow", "green", "blue") * 2),
    *(f"digit:{digit}" for digit in range(10)),
    *(f"{word}:{seat}" for word in ("seat", "seat", "give", "uno", "catch", "called", "swap") for seat in range(4)),
)


class Fuzzed:
    """A table with a set-up of its own, and signals by chance; *log* is what happened, for whoever looks into it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        simulated = case(seed)
        setup = dataclasses.replace(
            simulated.setup, wrong_play=simulated.setup.wrong_play or self.chance.choice((0, 1, 2))
        )
        limit_ms = self.chance.choice((None, None, None, 60_000, 300_000))
        options = simulated.options._replace(
            cards_each=self.chance.choice((1, 2, 3, 7)),
            time_limit_ms=limit_ms,
            colours=tuple(self.chance.sample(range(10), len(simulated.setup.players))),
        )
        self.rig = Rig(setup, options=options)
        self.rig.table._older = OlderMatches(self.rig.journal, lambda deck: self.rig.tags, self._another_way())
        self.tags = list(self.rig.tags)
        self.codes = [face.code for face in simulated.setup.deck.kinds]
        self.log: list[str] = []

    def _another_way(self) -> Options:
        """How a table is set up that has nothing to do with this one; the reader at its draw pile is its own."""
        return Options(9, not self.rig.state.options.is_tracked, self.rig.state.options.pile_reader, 77_000, (9, 8))

    def step(self) -> None:
        chance, rig = self.chance, self.rig
        rig.now_ms += chance.choice((10, 300, 1000, 1000, 3000, 9000, 25_000))
        if chance.random() < 0.02:
            refuses = chance.random() < 0.6
            rig.journal._connection.execute(f"PRAGMA query_only={'ON' if refuses else 'OFF'}")
            self.log.append(f"the disk refuses: {refuses}")
        for signal in self._signals():
            self.log.append(str(signal))
            rig.now_ms = max(rig.now_ms, signal.at_ms)
            rig.send(signal)

    def _signals(self) -> Sequence[Signal]:
        chance, at_ms = self.chance, self.rig.now_ms
        reader = self.rig.state.options.pile_reader if chance.random() < 0.5 else "pad"
        what = chance.random()
        if what < 0.40:
            tag = self._tag()
            lifted_ms = at_ms + chance.choice((0, 0, 0, 2000))
            return TagPlaced(at_ms, reader or "pad", tag), TagRemoved(lifted_ms, reader or "pad", tag)
        if what < 0.46:
            return (CardPicked(at_ms, chance.choice(self.codes)),)
        if what < 0.49:
            device = chance.choice(("pad", "pad", "buttons", "pile"))
            return (DeviceLost(at_ms, device, "gone.") if chance.random() < 0.5 else DeviceBack(at_ms, device),)
        if what < 0.50:
            return (SeveralTags(at_ms, "pad"),)
        older = self.rig.state.older if self.rig.state.menu is MenuPage.OLDER else ()
        if older and chance.random() < 0.8:
            return (ButtonPressed(at_ms, f"take-up:{chance.choice(older).number}"),)
        return (ButtonPressed(at_ms, chance.choice(WORDS)),)

    def _tag(self) -> bytes:
        """As a rule a card that goes on the top card, so that matches get somewhere."""
        colour = self.rig.state.match.colour
        tag = self.chance.choice(self.tags)
        for _try in range(8):
            card = self.rig.tags[tag]
            if isinstance(card, Card) and (card.face.is_wild or card.face.colour == colour):
                break
            tag = self.chance.choice(self.tags)
        return tag

    def recorded(self) -> TableState:
        """The table that another one would make of the record."""
        return replay(self.rig.setup, self.rig.entries, self.rig.tags, self._another_way())


def differences(live: TableState, recorded: TableState) -> list[str]:
    """Each field that counts and is not the same, with both its values."""
    fields = [field.name for field in dataclasses.fields(TableState) if field.name not in OF_THE_MOMENT]
    found = [(name, getattr(live, name), getattr(recorded, name)) for name in fields]
    if live.match.round_number:
        found += [("options", live.options, recorded.options._replace(can_change_players=False))]
    return [f"{name}\n  live:     {was}\n  recorded: {now}" for name, was, now in found if was != now]


def compare(seed: int, signals: int) -> set[Phase]:
    """Play *signals* by *seed*, and compare; the phases that were seen."""
    fuzzed = Fuzzed(seed)
    seen = set()
    for number in range(signals):
        fuzzed.step()
        seen.add(fuzzed.rig.state.match.phase)
        if number % LOOKED_AT_EVERY == 0:
            found = differences(fuzzed.rig.state, fuzzed.recorded())
            latest = [*fuzzed.log[-12:], *(entry.line for entry in fuzzed.rig.entries[-10:])]
            assert not found, "\n".join((f"seed {seed}, signal {number}:", *found, *latest))
    return seen


@pytest.mark.parametrize("seed", range(30))
def test_the_record_makes_the_same_table_again(seed: int) -> None:
    compare(seed, SIGNALS)


@pytest.mark.long
def test_the_record_makes_the_same_table_again_a_thousand_times() -> None:
    seen: set[Phase] = set()
    for seed in range(1000, 2000):
        seen |= compare(seed, SIGNALS)
    assert seen == set(Phase), "the signals lead everywhere"


def test_every_field_that_the_record_need_not_know_is_one() -> None:
    assert set(OF_THE_MOMENT) < {field.name for field in dataclasses.fields(TableState)}
