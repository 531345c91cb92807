"""Who answers anew who plays is heard, unless a match is under way; that one goes on as it was begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.table.rig import Rig, setup


def begun(directory: Path, *lines: str) -> Rig:
    rig = Rig(setup(*lines), directory)
    rig.opened.close()
    return rig


@pytest.mark.parametrize("changed", [("players: Zoe, Max",), ("players: Ann, Ben, Cy", "target: 200")])
def test_a_match_in_which_nothing_was_done_gives_way(changed: tuple[str, ...], tmp_path: Path) -> None:
    begun(tmp_path, "players: Ann, Ben, Cy")
    rig = begun(tmp_path, *changed)
    assert rig.state.match.setup == setup(*changed)
    assert not rig.opened.is_resumed
    again = begun(tmp_path, *changed)
    assert again.opened.is_resumed, "the same answers begin nothing again"


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_match_in_which_something_was_done_goes_on_as_it_was_begun(is_undone: bool, tmp_path: Path) -> None:
    first = Rig(setup("players: Ann, Ben, Cy"), tmp_path)
    first.begin()
    if is_undone:
        first.press("undo")
    first.opened.close()
    rig = begun(tmp_path, "players: Zoe, Max")
    assert rig.state.match.setup.players == ("Ann", "Ben", "Cy")
    assert rig.opened.is_resumed
