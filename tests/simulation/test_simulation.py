"""Simulated people at every set-up: the referee is right after every ruling, and no face of a hand gets out.

More of it: ``python -m tests.simulation --rounds 1000``, through whole chips with ``--chip``.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from table_app.rules import Phase
from table_app.table.records import open_records, record_of, transcript
from tests.cli.test_records import judged_scores
from tests.simulation.cases import Way, case
from tests.simulation.leaks import Listener
from tests.simulation.world import World, simulate
from tests.table.rig import Rig, setup
from tests.table.test_tracked import ONE, deal

SEEDS = range(15, 39)
CHIP_SEED = 4


@pytest.mark.parametrize("first", SEEDS[::6])
def test_the_referee_agrees_with_the_truth_and_shows_no_hand(first: int) -> None:
    for seed in range(first, first + 6):
        found = case(seed)
        listener = Listener(found.setup)
        outcome = simulate(found, observers=[listener], show=listener.show)
        repeat = f"python -m tests.simulation --seed {seed} --matches 1"
        assert outcome.rounds >= 1, repeat
        assert listener.heard > outcome.rulings, repeat
        assert listener.leaks == [], repeat


def test_the_seeds_have_every_set_up_and_every_fault() -> None:
    cases = [case(seed) for seed in SEEDS]
    assert {found.way for found in cases} == set(Way)
    assert any(found.cuts for found in cases) and any(found.unplugs_ms for found in cases)
    assert sum(found.rounds for found in cases) >= 30
    manners = Counter(manner.word for found in cases for manner in found.manners)
    assert len(manners) == 7


def test_a_match_through_the_whole_chip_is_refereed_right() -> None:
    outcome = simulate(case(CHIP_SEED), is_chip=True)
    assert outcome.rounds >= 1, f"python -m tests.simulation --seed {CHIP_SEED} --matches 1 --chip"


def test_the_same_seed_gives_the_same_match() -> None:
    assert simulate(case(2)) == simulate(case(2))


def test_a_redacted_export_of_a_simulated_match_has_no_hand_and_the_same_scores() -> None:
    """Every set-up that is refereed, by seeds that have them."""
    for seed in (5, 8, 412, 430, 487):
        world = World(case(seed))
        with closing(world):
            world.run()
            _check_redacted(world, seed)


def _check_redacted(world: World, seed: int) -> None:
    match = world.table.match
    path = world.opened.journal.path
    with open_records(path) as journal:
        lines = list(transcript(journal, record_of(journal, None), is_redacted=True))
    scores = judged_scores("".join(f"{line}\n" for line in lines), Path(path).parent)
    told = {name: int(value) for name, value in re.findall(r'"([^"]+)": (\d+)', scores)}
    assert told == dict(zip(match.names, match.scores, strict=True)), f"seed {seed}"
    assert not any(re.search(r": (shows|draw) [a-z]|: deal \D", line) for line in lines), f"seed {seed}"


def test_a_leak_is_found_where_there_is_one() -> None:
    """The listener itself: a face of a hand in a line is reported, a card laid is not."""
    rig = Rig(setup(), options=ONE)
    listener = Listener(rig.setup)
    rig.table.add_observer(listener)
    deal(rig)
    rig.tap("r9", "r1")
    assert listener.leaks == [] and rig.phase() is Phase.PLAY
    listener._hear("Ben holds the blue 5", "Ben: shows b5 w+4", "Ann: r1")
    assert listener.leaks == ["b5 in 'Ben holds the blue 5'", "b5 in 'Ben: shows b5 w+4'", "w+4 in 'Ben: shows b5 w+4'"]
