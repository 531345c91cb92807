"""What is simulated, by seed: the set-up, the rules agreed, the people and what goes wrong. One seed, one match."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum

from table_app.play.state import Options
from table_app.rules import HouseRule, Setup
from table_app.simulation.cards import make_chance
from table_app.simulation.manners import (
    ALL_THUMBS,
    BLUFFING,
    CLUMSY,
    FORGETFUL,
    HONEST,
    NAMES,
    SILENT,
    WATCHFUL,
    Manner,
)
from table_app.transcript import HeaderError, read_header

MANNERS = (HONEST, BLUFFING, FORGETFUL, CLUMSY, ALL_THUMBS, SILENT, WATCHFUL)
ROUNDS_MAX = 3
CUSTOM = ("none", "next 2", "others 1", "again", "dare 2", "discard-wilds", "charade", "next 1 | dare 1")


class Way(StrEnum):
    """The set-ups."""

    COUNTED = "counted"
    TRACKED = "tracked"
    TWO_READERS = "two-readers"
    NO_READER = "no-reader"
    SCORE = "score"


@dataclass(frozen=True)
class Habits:
    """What people do beside playing (`deeds`): *deeds* by name, and how often they *type* the points of a hand."""

    deeds: frozenset[str]
    types: float
    draws_for_deal: bool
    has_command_tags: bool
    has_dead_sticker: bool


@dataclass(frozen=True)
class Case:
    """One match to be simulated. *cuts* are the appends at which the power goes, before they are kept or after."""

    seed: int
    way: Way
    setup: Setup
    options: Options
    manners: tuple[Manner, ...]
    rounds: int
    cuts: tuple[tuple[int, bool], ...]
    unplugs_ms: tuple[int, ...]
    habits: Habits

    @property
    def has_silence(self) -> bool:
        return any(manner.keeps_mum for manner in self.manners) and not self.options.is_tracked


def case(seed: int) -> Case:
    """The match of this seed."""
    chance = make_chance(seed, "case")
    way = chance.choices(tuple(Way), (45, 20, 15, 10, 10))[0]
    setup = _setup(chance, way)
    is_tracked = way in (Way.TRACKED, Way.TWO_READERS)
    options = Options(is_tracked=is_tracked, pile_reader="pile" if way is Way.TWO_READERS else "")
    faults = chance.random() < 0.5
    cuts = [(chance.randrange(150), chance.random() < 0.5) for _ in range(chance.randint(1, 3))]
    unplugs_ms = [chance.randrange(60_000) for _ in range(chance.randint(0, 2))]
    manners = tuple(chance.choice(MANNERS) for _ in setup.players)
    rounds = chance.randint(1, ROUNDS_MAX)
    # Chance of their own, so that one more habit changes no match of those that were played before it.
    habits, limit_ms = _habits(make_chance(seed, "habits"), way, setup)
    if habits.has_command_tags:
        manners = tuple(WATCHFUL if manner is SILENT else manner for manner in manners)
    has_quiet_readers = habits.has_command_tags or habits.has_dead_sticker or "shuffle" in habits.deeds
    return Case(
        seed,
        way,
        setup,
        options._replace(time_limit_ms=limit_ms),
        manners,
        rounds,
        tuple(sorted(cuts)) if faults else (),
        tuple(sorted(unplugs_ms)) if faults and not has_quiet_readers else (),
        habits,
    )


DEEDS = ("pause", "resync", "unseen", "undo", "bell", "shuffle", "set", "leave", "allow")


def _habits(chance: random.Random, way: Way, setup: Setup) -> tuple[Habits, int | None]:
    """In half of the matches people only play. A pile shuffled early and a dead sticker don't meet: nobody could know
    which of two equal cards it is that comes back."""
    deeds = frozenset(deed for deed in DEEDS if chance.random() < 0.4) if chance.random() < 0.5 else frozenset()
    has_reader = way not in (Way.NO_READER, Way.SCORE)
    has_dead_sticker = has_reader and "shuffle" not in deeds and chance.random() < 0.2
    may_draw = setup.refereed and setup.dealer is None and not setup.edition.dealer_is_named
    habits = Habits(
        deeds | {"sticker"} if has_dead_sticker and chance.random() < 0.5 else deeds,
        chance.choice((0.0, 0.0, 0.5)),
        may_draw and chance.random() < 0.15,
        has_reader and chance.random() < 0.2,
        has_dead_sticker,
    )
    return habits, chance.randrange(20_000, 150_000) if chance.random() < 0.1 else None


def _setup(chance: random.Random, way: Way) -> Setup:
    """Rules in a random combination; one that contradicts itself is thrown again."""
    while True:
        number = chance.choices(range(2, 11), (20, 25, 25, 10, 8, 5, 3, 2, 2))[0]
        lines = [f"players: {', '.join(NAMES[:number])}"]
        edition = chance.choices(("classic", "2018", "2022", "h2o"), (60, 20, 10, 10))[0]
        lines.append(f"edition: {edition}")
        if edition in ("2018", "2022") and chance.random() < 0.7:
            lines.append(f"custom: {chance.choice(CUSTOM)}")
        if edition == "classic" and chance.random() < 0.1:
            lines.append("deck: playing-cards")
        house = [rule.value for rule in HouseRule if chance.random() < 0.2]
        if house:
            lines.append(f"house: {', '.join(house)}")
        if chance.random() < 0.4:
            lines.append(f"wild4: {chance.choice(('strict', 'prove'))}")
        if chance.random() < 0.3:
            lines.append("uno: players")
        if chance.random() < 0.3:
            lines.append(f"scoring: {chance.choice(('elimination', 'lowest'))}")
        lines.append(f"target: {chance.choice(('150', '500', 'none'))}")
        for line in ("wrong-play: 1", "wrong-play: 2", "false-catch: 1", "uno-penalty: 4", "turn-clock: 90"):
            if chance.random() < 0.12:
                lines.append(line)
        if way is Way.SCORE:
            lines.append("plays: unrefereed")
        try:
            return read_header(lines)
        except HeaderError:
            continue
