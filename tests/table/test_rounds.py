"""Whole matches by signals in virtual time: honest people are never refused, and the scores are the true ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.rules import Phase
from table_app.table.resume import replay
from table_app.transcript import Judge, header_text, read_lines
from tests.table.honest import HonestPeople, play_fair_round
from tests.table.rig import Rig, setup

SEEDS = range(6)
PLAYERS = ("Ann, Ben", "Ann, Ben, Cy", "Ann, Ben, Cy, Dee, Eve, Flo")


@pytest.mark.parametrize("seed", SEEDS)
def test_an_honest_match_is_refereed_without_a_refusal(seed: int, tmp_path: Path) -> None:
    agreed = setup(f"players: {PLAYERS[seed % 3]}", "target: 200")
    rig = Rig(agreed, tmp_path)
    people = HonestPeople(rig, seed)
    while rig.state.match.phase is not Phase.OVER:
        play_fair_round(people, seed)
        missed = [done.line for done in rig.heard.done if done.cues.alarm]
        assert missed == [], f"seed {seed}"
    assert max(rig.state.match.scores) >= 200


def test_the_record_of_a_match_is_a_transcript_that_is_judged_the_same(tmp_path: Path) -> None:
    rig = Rig(setup("target: 100"), tmp_path)
    people = HonestPeople(rig, 11)
    while rig.state.match.phase is not Phase.OVER:
        people.play_round()
    record = rig.journal.last_match()
    assert record is not None
    text = record.header + "\n" + "".join(f"{entry.line}\n" for entry in rig.journal.entries(record.number))
    path = tmp_path / "match.table"
    path.write_text(text, encoding="utf-8")
    judge = Judge()
    with path.open("rb") as stream:
        rulings = [judgement for line in read_lines(stream) if (judgement := judge.take(line)) is not None]
    assert len(rulings) == len(rig.heard.done)
    assert judge.match is not None and judge.match.scores == rig.state.match.scores


def test_a_resumed_table_remembers_what_one_that_never_stopped_does(tmp_path: Path) -> None:
    rig = Rig(setup("target: 300"), tmp_path)
    people = HonestPeople(rig, 5)
    people.play_round()
    people.deal()
    for _ in range(12):
        people.act()
    record = rig.journal.last_match()
    assert record is not None
    resumed = replay(rig.setup, rig.entries, rig.tags)
    assert resumed.places.discard_pile == rig.state.places.discard_pile
    assert resumed.last_play == rig.state.last_play
    assert resumed.shown == rig.state.shown
    assert resumed.match.hands == rig.state.match.hands
    assert (resumed.match.turn, resumed.match.colour) == (rig.state.match.turn, rig.state.match.colour)
    assert header_text(resumed.match.setup) == record.header
