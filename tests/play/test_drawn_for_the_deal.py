"""In the draw for the deal each card is one player's alone."""

from __future__ import annotations

from pathlib import Path

from tests.table.rig import Rig, setup


def test_a_card_tapped_twice_is_drawn_once() -> None:
    rig = Rig()
    rig.press("high")
    rig.tap("r7", "r7")
    assert rig.lines == ["Ann: high r7#1"]
    assert rig.state.notice is not None and "drawn already" in rig.state.notice.text
    rig.tap("r7#2", "r5")
    assert rig.lines[1:] == ["Ben: high r7#2", "Cy: high r5#1"]


def test_after_a_tie_the_last_card_does_not_count_again_by_a_fumble_but_all_may_be_drawn_anew() -> None:
    rig = Rig()
    rig.press("high")
    rig.tap("r1", "b7", "r7", "r7")
    assert rig.lines == ["Ann: high r1#1", "Ben: high b7#1", "Cy: high r7#1"]
    rig.tap("r7", "r2", later_ms=6_000)  # shuffled back, and drawn once more
    assert rig.lines[3:] == ["Ben: high r7#1", "Cy: high r2#1"]
    assert rig.state.match.dealer == 1


def test_a_card_whose_draw_was_taken_back_may_be_drawn() -> None:
    rig = Rig()
    rig.press("high")
    rig.tap("r7")
    rig.press("undo")
    rig.tap("r7")
    assert rig.lines[-1] == "Ann: high r7#1"


def test_a_table_that_comes_back_still_knows_what_was_drawn(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    rig.press("high")
    rig.tap("r7")
    rig.opened.close()
    again = Rig(setup(), tmp_path)
    again.press("yes")
    again.tap("r7")
    assert again.lines == ["Ann: high r7#1"]
    again.opened.close()
