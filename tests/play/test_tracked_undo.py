"""Undo after a deal that was seen card by card takes the whole deal back: no hand of the old deal stays known."""

from __future__ import annotations

from dataclasses import replace

from table_app.play.state import Options
from tests.table.rig import Rig


def test_a_seen_deal_is_taken_back_whole_and_dealt_anew() -> None:
    rig = Rig(cards_each=2)
    rig.table.state = replace(rig.state, options=Options(cards_each=2, is_tracked=True))
    first = ("r5", "b2", "y4", "r7", "g8", "y6")
    rig.tap(*first)
    assert rig.state.match.phase == "dealing"
    rig.press("undo")
    assert rig.state.match.phase == "between"
    second = ("r1", "b1", "r3", "g2", "y9", "b6")
    rig.tap(*second)
    held = [sorted(face.code for face in hand.known) for hand in rig.state.match.hands]
    assert sorted(code for hand in held for code in hand) == sorted(second)
