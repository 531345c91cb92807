"""A reader, a buzzer, cards and stickers: whoever knows only what can be heard plays a whole match to its end."""

from __future__ import annotations

import pytest

from table_app.rules import Phase
from tests.table.by_ear import PeopleByEar
from tests.table.rig import Rig, setup

HAPPENINGS = {
    "caught",
    "challenged",
    "drawn unsaid",
    "given",
    "given while a call was due",
    "paused",
    "shouted",
    "undone",
    "wrong card",
}


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_whole_match_is_played_by_ear(seed: int) -> None:
    rig = Rig(setup("target: 200"))
    people = PeopleByEar(rig, seed)
    people.play_match()
    assert rig.phase() is Phase.OVER
    assert (rig.state.match.scores, rig.state.match.winners) == (people.mind.scores, people.mind.winners), seed
    assert max(people.mind.scores) >= 200
    assert set(people.done) >= HAPPENINGS, (seed, people.done)
