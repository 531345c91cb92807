"""The bell of a time limit, and Undo: it rings once for each table, however much is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.display.present import present
from table_app.rules import face
from table_app.table.state import Options
from tests.table.rig import Rig, setup

LIMIT_MS = 60_000


def rung(directory: Path | None = None) -> Rig:
    """A table whose time limit was reached after the first two cards."""
    rig = Rig(directory=directory, options=Options(time_limit_ms=LIMIT_MS))
    rig.begin()
    rig.tap("r1", "r2")
    rig.wait(LIMIT_MS)
    assert rig.lines[-1] == "table: last-round"
    return rig


def test_undo_passes_over_the_bell_that_the_clock_rang() -> None:
    rig = rung()
    for top, turn in (("r1", 1), ("r9", 0)):
        rig.press("undo")
        rig.wait(10)
        assert (rig.state.match.top, rig.state.match.turn) == (face(top), turn)
        assert rig.state.match.last_round
        headline = present(rig.state, rig.now_ms).headline
        assert headline is not None and "last round" not in headline.text and "is to play" not in headline.text
        assert headline.text.startswith("Taken back: ")
    rings = rig.lines.count("table: last-round")
    rig.wait(LIMIT_MS)
    assert rig.lines.count("table: last-round") == rings == 3  # once, and once after each answer taken back


def test_undo_passes_over_the_bell_after_a_power_cut_too(tmp_path: Path) -> None:
    rung(tmp_path).opened.close()
    rig = Rig(directory=tmp_path, options=Options(time_limit_ms=LIMIT_MS))
    rig.press("yes", "undo")
    assert rig.state.match.top is face("r1") and rig.state.match.last_round


def test_a_bell_with_nothing_before_it_stays() -> None:
    rig = Rig(setup("plays: unrefereed"), options=Options(time_limit_ms=LIMIT_MS))
    rig.wait(LIMIT_MS)
    assert rig.state.match.last_round
    told = len(rig.lines)
    rig.press("undo")
    assert rig.lines[told:] == [] and "bell can't be taken back" in rig.heard.notices[-1].text


def test_a_bell_rung_by_hand_before_the_limit_is_taken_back_by_itself() -> None:
    rig = Rig(options=Options(time_limit_ms=LIMIT_MS))
    rig.begin()
    rig.tap("r1")
    rig.press("bell", "undo")
    assert rig.state.match.top is face("r1") and not rig.state.match.last_round


@pytest.mark.parametrize("way", ["clock", "button"])
def test_a_card_is_given_to_another_seat_across_the_bell(way: str) -> None:
    rig = Rig(options=Options(time_limit_ms=LIMIT_MS if way == "clock" else None))
    rig.begin()
    rig.tap("r1")
    if way == "clock":
        rig.wait(LIMIT_MS)
    else:
        rig.press("bell")
    rig.press("give:1")
    assert rig.lines[-2:] == ["Ben: r1#1", "table: last-round"] and rig.state.match.last_round
    rig.press("undo")
    assert rig.lines[-2:] == ["Ann: r1#1", "table: last-round"] and rig.state.match.last_round
