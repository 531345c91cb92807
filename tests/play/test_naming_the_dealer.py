"""Who deals is named at the table, on terminal, screen and by seat tags; it is in the record and can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import TagPlaced
from table_app.cli.terminal import signals_of
from table_app.play.state import Options
from table_app.table.resume import replay
from table_app.view.present import present, prompt
from tests.cli.test_commands import run
from tests.play.test_taking_back import said
from tests.table.rig import Rig, setup


@pytest.mark.parametrize("edition", ["classic", "2022"])
def test_the_dealer_is_named_by_a_seat_and_the_left_one_begins(edition: str) -> None:
    rig = Rig(setup(f"edition: {edition}"))
    assert "form:dealer" in [control.button for control in present(rig.state, rig.now_ms).controls]
    rig.press("form:dealer")
    question = present(rig.state, rig.now_ms).question
    assert question is not None and question.text == "Who deals? Touch the seat."
    rig.press("seat:0")
    assert rig.lines == ["table: set dealer Ann"]
    assert prompt(rig.state).startswith("Ann deals 7 cards each")
    assert replay(rig.setup, rig.entries, rig.tags).match == rig.state.match
    rig.begin()
    assert rig.state.match.turn == 1


def test_it_is_named_by_a_seat_tag_and_by_typed_words(tmp_path: Path) -> None:
    rig = Rig()
    tag = b"\x04seat-1"
    rig.table.know_tags({**rig.tags, tag: "seat:1"})
    rig.press("form:dealer")
    rig.send(TagPlaced(rig.now_ms, "pad", tag))
    assert rig.lines == ["table: set dealer Ben"]
    for line in ("dealer", "seat 3"):
        for signal in signals_of(line, rig.now_ms):
            rig.send(signal)
    assert rig.lines[1:] == ["table: set dealer Cy"]
    options = ("--display", "none", "--reader", "none", "--state-directory", str(tmp_path), "--players", "Ana,Ben")
    result = run("play", *options, typed="set dealer\nAna\ndeal\nr9\nquit\n")
    assert "dealer" in result.stdout.split("type: ")[1].splitlines()[0]
    assert "✓ Ana deals. That is put right. (set)" in result.stdout and "Ben: lay a card or draw." in result.stdout


def test_undo_gives_the_deal_back_and_the_draw_for_it() -> None:
    rig = Rig()
    rig.press("form:dealer", "seat:0", "high")
    assert rig.heard.notices[-1].text == "The dealer is known already."
    rig.press("undo")
    assert rig.state.match.dealer == 2
    assert said(rig) == "Taken back: Ann deals. Cy deals again."
    rig.press("high")
    rig.tap("r9")
    assert rig.lines[-1] == "Ann: high r9#1"


def test_it_ends_the_draw_and_has_no_place_while_cards_are_dealt_or_in_a_round() -> None:
    rig = Rig(options=Options(is_tracked=True))
    rig.press("high")
    rig.tap("r9")
    rig.press("form:dealer", "seat:1")
    assert rig.state.match.high is None and rig.state.match.dealer == 1  # it ends the draw
    rig.press("undo", "undo", "high")
    rig.tap("r1")
    rig.press("form:dealer")
    assert rig.state.form is None and "before the first card" in rig.heard.notices[-1].text
    rig.press("undo", "deal")
    rig.tap("r9")
    rig.press("form:dealer")
    assert rig.state.form is None and "before the first card" in rig.heard.notices[-1].text


def test_before_a_later_round_it_can_be_put_right() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r5")
    rig.press("digit:9", "yes", "digit:9", "yes")
    assert rig.state.match.dealer == 0
    rig.press("menu")
    assert "form:dealer" in [control.button for control in present(rig.state, rig.now_ms).controls]
    rig.press("form:dealer", "seat:2")
    rig.begin()
    assert rig.state.match.turn == 0
