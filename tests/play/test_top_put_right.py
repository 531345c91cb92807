"""A top card that is put right moves the physical cards, too: the table knows by the tags what lies where then."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.play.state import Options
from table_app.rules import face
from tests.play.test_tracked import ONE
from tests.table.rig import Rig, setup


def put_right(rig: Rig, way: str, card: str, seat: int) -> None:
    """By taps: this card lies on top, and this seat has the turn."""
    if way == "resync":
        rig.press("form:resync", f"seat:{seat}")
        rig.tap(card)
        return
    rig.press("form:top")
    rig.tap(card)
    rig.press("form:turn", f"seat:{seat}")


@pytest.mark.parametrize("way", ["resync", "top"])
@pytest.mark.parametrize("between", [(), ("r5",)])
def test_a_card_tapped_by_mistake_is_laid_later(way: str, between: tuple[str, ...], tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path)
    rig.begin()
    rig.tap("r1")
    put_right(rig, way, "r9", 0)
    rig.opened.close()
    rig = Rig(directory=tmp_path)
    rig.press("yes")
    rig.tap(*between, "r1")
    assert rig.state.question is None
    assert rig.last.ruling.is_ok and rig.lines[-1].endswith(": r1#1") and rig.state.match.top is face("r1")


@pytest.mark.parametrize("way", ["resync", "top"])
def test_the_card_that_was_put_on_top_by_a_tap_is_nobodys_play(way: str) -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r1")
    put_right(rig, way, "g5", 2)
    told = len(rig.lines)
    rig.tap("g5")
    assert rig.lines[told:] == [] and rig.heard.notices[-1].text == "The {} lies on top already."
    rig.tap("g7", "g5#2")
    assert rig.lines[told:] == ["Cy: g7#1", "Ann: g5#2"] and rig.last.ruling.is_ok


@pytest.mark.parametrize("way", ["resync", "top"])
def test_a_card_put_on_top_that_lay_further_down_lies_in_the_pile_once(way: str) -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r1")
    put_right(rig, way, "r9", 0)
    tagged = [card for card in rig.state.places.discard_pile if card.copy]
    assert len(tagged) == len(set(tagged)) == 1 and rig.state.places.discard_pile[-1] == tagged[0]


@pytest.mark.parametrize("way", ["resync", "top"])
def test_a_card_on_top_that_a_known_hand_held_was_laid_by_it(way: str) -> None:
    """Also where there is another one like it, so that the record alone would see nothing odd."""
    rig = Rig(setup(), options=ONE)
    for cards in (("r0", "r2", "y4"), ("r3", "b5", "y5"), ("g5", "w+4", "b9")):
        rig.tap(*cards)
    rig.tap("r9")
    held = next(seat for seat, hand in enumerate(rig.state.places.hands) if any(c.face is face("r2") for c in hand))
    sizes = [hand.size for hand in rig.state.match.hands]
    put_right(rig, way, "r2", 2)
    sizes[held] -= 1
    assert [hand.size for hand in rig.state.match.hands] == sizes and rig.state.match.top is face("r2")
    assert all(card.face is not face("r2") for hand in rig.state.places.hands for card in hand)
    rig.press(*["undo"] * (1 if way == "resync" else 2))
    assert rig.state.places.holder(rig.tags[rig.uid("r2")]) == held  # type: ignore[arg-type]  # a card, no button


def test_undoing_what_was_put_right_brings_the_cards_back() -> None:
    rig = Rig(options=Options(cards_each=3))
    rig.begin()
    rig.tap("r1")
    before = rig.state.places.discard_pile
    put_right(rig, "resync", "r9", 0)
    rig.press("undo")
    assert rig.state.places.discard_pile == before
