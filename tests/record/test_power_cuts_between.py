"""A power cut outside a round: final scores, the draw for the deal, and a refused card come back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.play.state import Options
from table_app.record.copies import COPIES_MAX, copies
from table_app.rules import Phase, Setup
from table_app.table import open_table
from table_app.view.present import present
from tests.table.rig import Rig, files, setup


def cut(rig: Rig, folder: Path, agreed: Setup | None = None, options: Options | None = None) -> Rig:
    """The table after a power cut, with what it is set up for then."""
    rig.opened.close()
    return Rig(agreed or rig.setup, folder, options=options or rig.state.options)


def ended(folder: Path) -> Rig:
    rig = Rig(setup("target: 10"), folder, cards_each=1)
    rig.begin()
    rig.tap("r5")
    rig.press("digit:9", "yes", "digit:9", "yes")
    assert rig.phase() is Phase.OVER
    return rig


def test_a_match_that_is_over_comes_back_to_its_scores(tmp_path: Path) -> None:
    rig = ended(tmp_path)
    again = cut(rig, tmp_path)
    assert again.opened.is_resumed and again.state.match == rig.state.match and again.state.pause is None
    words = [control.button for control in present(again.state, again.now_ms).controls]
    assert words == [control.button for control in present(rig.state, rig.now_ms).controls]
    again.press("undo")
    assert again.phase() is Phase.OUT
    again.press("digit:9", "yes")
    assert again.phase() is Phase.OVER
    again = cut(again, tmp_path)
    again.press("again")
    assert again.phase() is Phase.BETWEEN and again.journal.match == 2
    assert cut(again, tmp_path).state.match.round_number == 0


@pytest.mark.parametrize("what", ["players", "cards", "asked"])
def test_a_table_that_is_set_up_otherwise_then_begins_another_match(tmp_path: Path, what: str) -> None:
    rig = ended(tmp_path)
    rig.opened.close()
    others = setup("players: Dee, Eve", "target: 10") if what == "players" else rig.setup
    options = Options(5 if what == "cards" else 1)
    opened = open_table(files(tmp_path), others, 0, tags=rig.tags, options=options, is_new=what == "asked")
    assert not opened.is_resumed and opened.state.match.round_number == 0
    assert (opened.state.match.names, opened.state.cards_each) == (others.players, options.cards_each)
    opened.close()


def test_the_draw_for_the_deal_goes_on(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    rig.press("high")
    rig = cut(rig, tmp_path)
    rig.tap("r9")
    assert rig.lines == ["Ann: high r9#1"]
    rig.press("undo", "high")
    assert not cut(rig, tmp_path).state.is_deal_drawn_for


def test_a_refused_card_is_put_back_once(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    rig.begin()
    rig.tap("r3", "b8")
    rig.press("undo")
    assert "goes back to the hand" in rig.heard.notices[-1].text
    rig = cut(rig, tmp_path)
    rig.press("yes", "undo")
    assert rig.lines[-1] == "table: undo" and rig.state.match.turn == 0


def test_a_deal_that_is_taken_back_makes_no_copy(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path, cards_each=1)
    for _time in range(COPIES_MAX + 1):
        rig.press("deal", "undo")
        rig.begin()
        rig.press("undo", "undo")
    assert copies(rig.journal.path) == []
    rig.begin()
    rig.tap("r5")
    rig.press("digit:9", "yes", "digit:9", "yes")
    assert len(copies(rig.journal.path)) == 1
