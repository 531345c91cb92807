"""While the disk refuses, all is as if it did not; once it takes again, nothing is missing and all is in order."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from table_app.play.state import MenuPage, TableState
from table_app.record.copies import copies
from table_app.record.errors import StoreError
from table_app.rules import Card, Phase
from table_app.table import open_table
from table_app.table.resume import replay
from tests.table.rig import Rig, files, setup

ACTS = ("draw", "keep", "draw", "keep", "undo", "colour:red", "seat:0", "seat:1")


def refuse(rig: Rig, refuses: bool) -> None:
    """The disk takes nothing more, or takes again."""
    rig.journal._connection.execute(f"PRAGMA query_only={'ON' if refuses else 'OFF'}")


def standing(state: TableState) -> tuple[object, ...]:
    match = state.match
    return (
        match.phase,
        match.turn,
        match.top,
        match.colour,
        match.hands,
        match.scores,
        match.owes,
        tuple(state.history.deeds()),
    )


def recorded(rig: Rig) -> TableState:
    return replay(rig.setup, rig.entries, rig.tags, rig.state.options)


def two_matches(folder: Path) -> Rig:
    """A table whose first match is put aside, and whose second is under way."""
    rig = Rig(setup(), folder)
    rig.begin()
    rig.tap("r1")
    rig.opened.close()
    open_table(files(folder), setup(), 0, tags={}, is_new=True).close()
    rig = Rig(setup(), folder)
    rig.begin("g9")
    return rig


def test_a_match_left_while_the_disk_refuses_goes_on_where_it_stood(tmp_path: Path) -> None:
    rig = two_matches(tmp_path)
    refuse(rig, refuses=True)
    rig.tap("g2", "g3")
    left = standing(rig.state)
    rig.press("pause", "older", "take-up:1", "older", "take-up:2")
    assert standing(rig.state) == left and rig.journal.unsaved
    refuse(rig, refuses=False)
    rig.press("yes")
    rig.tap("g4")
    assert rig.state.trouble == "" and rig.lines[-3:] == ["Ann: g2#1", "Ben: g3#1", "Cy: g4#1"]
    live = standing(rig.state)
    rig.opened.close()
    assert standing(Rig(setup(), tmp_path).state) == live


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_done_while_the_disk_comes_and_goes_the_record_is_the_table(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    rig = two_matches(tmp_path)
    tags = sorted(rig.tags)
    codes = [card.code for card in (rig.tags[tag] for tag in tags) if isinstance(card, Card)]
    for _step in range(60):
        what = chance.random()
        if what < 0.15:
            refuse(rig, refuses=chance.random() < 0.6)
        elif what < 0.3:
            rig.press("older")
            if rig.state.menu is MenuPage.OLDER:
                rig.press(f"take-up:{chance.choice(rig.state.older).number}", "yes")
        elif what < 0.6:
            rig.tap(chance.choice(codes))
        else:
            rig.press(chance.choice(ACTS))
        assert standing(recorded(rig)) == standing(rig.state), f"seed {seed}"
    refuse(rig, refuses=False)
    rig.press("draw")
    rig.press("draw")
    assert not rig.journal.unsaved, f"seed {seed}"
    live = standing(rig.state)
    rig.opened.close()
    assert standing(Rig(setup(), tmp_path).state) == live, f"seed {seed}"


def test_a_match_begun_while_the_disk_refuses_can_be_left_and_taken_up(tmp_path: Path) -> None:
    rig = two_matches(tmp_path)
    refuse(rig, refuses=True)
    with pytest.raises(StoreError):
        rig.journal.begin_match("players: Ann, Ben, Cy\n")
    assert [record.number for record in rig.journal.matches()] == [1, 2, 3]
    assert rig.journal.last_match() is not None and rig.journal.match == 3
    assert rig.journal.played() == {1, 2}


def remove_file(folder: Path) -> None:
    (folder / "journal.sqlite").unlink()


def remove_all_files(folder: Path) -> None:
    for part in folder.glob("journal.*"):
        part.unlink()


def move_file(folder: Path) -> None:
    (folder / "journal.sqlite").rename(folder / "elsewhere.sqlite")


def put_another(folder: Path) -> None:
    (folder / "another").write_text("somebody's own")
    (folder / "another").replace(folder / "journal.sqlite")


@pytest.mark.parametrize("lose", [remove_file, remove_all_files, move_file, put_another])
def test_a_record_taken_away_during_play_is_there_again_with_the_next_act(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    rig = Rig(setup(), tmp_path, cards_each=2)
    rig.begin()
    rig.tap("r1")
    rig.press("uno:0")
    lose(tmp_path)
    rig.press("draw", "keep", "draw", "keep")
    rig.tap("r2")
    rig.press("digit:5", "yes", "digit:5", "yes")  # the round's end, which makes a copy
    assert rig.phase() is Phase.BETWEEN and rig.state.trouble == ""
    live, lines = standing(rig.state), rig.lines
    assert copies(tmp_path / "journal.sqlite")
    rig.opened.close()
    if lose is put_another:
        assert (tmp_path / "journal.other-1.sqlite").read_text() == "somebody's own"
    again = Rig(setup(), tmp_path)
    assert standing(again.state) == live and again.lines == lines and not again.state.messages
    assert (tmp_path / "journal.sqlite").stat().st_mode & 0o077 == 0


def test_a_record_whose_directory_is_gone_is_told_and_comes_back_with_it(tmp_path: Path) -> None:
    folder, away = tmp_path / "state", tmp_path / "away"
    rig = Rig(setup(), folder, cards_each=2)
    rig.begin()
    folder.rename(away)
    rig.tap("r1")
    rig.press("uno:0", "draw", "keep", "draw", "keep")
    rig.tap("r2")
    rig.press("digit:5", "yes", "digit:5", "yes")
    assert "Nothing is kept" in rig.state.trouble and rig.phase() is Phase.BETWEEN
    away.rename(folder)
    rig.press("deal")
    assert rig.state.trouble == ""
    live = standing(rig.state)
    rig.opened.close()
    assert standing(Rig(setup(), folder).state) == live
