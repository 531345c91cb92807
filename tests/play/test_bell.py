"""The bell of a time limit, and Undo: it rings once for each table, however much is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.play.state import Options
from table_app.rules import Phase, face
from table_app.table import Table, TableFiles, open_table
from table_app.view.present import present
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


# -- the score alone -------------------------------------------------------------------------------------------


def score_table(directory: Path) -> Rig:
    return Rig(setup("plays: unrefereed"), directory, options=Options(time_limit_ms=600_000))


def a_round(rig: Rig) -> None:
    """Ann is out; the others' points are typed."""
    rig.press("seat:0", "digit:5", "yes", "digit:5", "yes")


@pytest.mark.parametrize("way", ["one sitting", "a power cut after the first round", "a round taken back"])
def test_with_the_score_alone_all_time_until_somebody_is_out_counts(way: str, tmp_path: Path) -> None:
    rig = score_table(tmp_path)
    rig.wait(400_000)
    a_round(rig)
    if way == "a power cut after the first round":
        rig.opened.close()
        rig = score_table(tmp_path)
        rig.press("yes")
    elif way == "a round taken back":
        rig.press("seat:1", "undo")
    rig.wait(150_000)
    assert not rig.state.match.last_round
    rig.wait(50_000)
    assert rig.state.match.last_round and rig.lines[-1] == "table: last-round"


@pytest.mark.parametrize("refereed", ["plays: unrefereed", "target: 500"])
def test_no_bell_rings_as_soon_as_a_table_is_opened_on_a_machine_long_on(refereed: str, tmp_path: Path) -> None:
    files_of = TableFiles(tmp_path, lambda: "2026-01-01T00:00:00.000+00:00", "boot")
    options = Options(time_limit_ms=600_000)
    opened = open_table(files_of, setup(refereed), 50_000_000, tags={}, options=options)
    table = Table(opened.state, opened.journal)
    table.step(50_000_000)
    assert not table.match.last_round and table.state.at_ns(50_000_000) == 0
    opened.close()


def test_another_match_has_its_whole_time(tmp_path: Path) -> None:
    rig = Rig(setup("plays: unrefereed", "target: 10"), tmp_path, options=Options(time_limit_ms=600_000))
    rig.wait(500_000)
    a_round(rig)
    assert rig.phase() is Phase.OVER
    rig.press("again")
    rig.wait(590_000)
    assert not rig.state.match.last_round
    rig.wait(10_000)
    assert rig.state.match.last_round
