"""Cards shown for a count or a challenge stay shown, whatever is done meanwhile that is nothing to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from table_app.play.state import Options
from table_app.rules import Phase
from tests.table.rig import Rig, setup

LIMIT_MS = 100_000

MEANWHILE: dict[str, Callable[[Rig], None]] = {
    "bell": lambda rig: rig.press("bell"),
    "time limit": lambda rig: rig.wait(LIMIT_MS),
    "score": lambda rig: rig.press("form:score", "seat:0", "digit:5", "yes"),
    "called": lambda rig: rig.press("called:0"),
    "catch": lambda rig: rig.press("catch:1"),
    "call": lambda rig: rig.press("uno:1"),
    "refused": lambda rig: rig.press("allow"),
}


def counting(directory: Path) -> Rig:
    """Ann is out; Ben shows the first of three cards."""
    rig = Rig(setup(), directory, options=Options(cards_each=2, time_limit_ms=LIMIT_MS))
    rig.begin()
    rig.tap("r1")
    rig.press("uno:0", "draw", "keep", "draw", "keep")
    rig.tap("r2")
    assert rig.phase() is Phase.OUT
    rig.tap("g1")
    return rig


def challenged(directory: Path) -> Rig:
    """Ann shows the first of two cards for a challenge; she forgot to call, and that was seen."""
    rig = Rig(setup(), directory, options=Options(cards_each=3, time_limit_ms=LIMIT_MS))
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("g1")
    return rig


@pytest.mark.parametrize("meanwhile", MEANWHILE)
@pytest.mark.parametrize("begun", [counting, challenged])
def test_what_was_tapped_of_a_hand_is_not_forgotten(
    begun: Callable[[Path], Rig], meanwhile: str, tmp_path: Path
) -> None:
    rig = begun(tmp_path)
    shown = rig.state.showing
    assert len(shown.cards) == 1
    MEANWHILE[meanwhile](rig)
    assert rig.state.showing == shown
    rig.opened.close()
    rig = Rig(setup(), tmp_path, options=rig.state.options)
    assert rig.state.showing == shown
    rig.press("yes")
    for card in ("g2", "g3", "g4"):
        if "shows" in rig.lines[-1]:
            break
        if rig.state.match.is_owing():
            rig.press(*["draw"] * sum(rig.state.match.owes))
        rig.tap(card)
    assert "shows g1#1 g2#1" in rig.lines[-1] and rig.last.ruling.is_ok


def test_a_hand_that_was_counted_is_not_begun_with_the_cards_of_the_one_before(tmp_path: Path) -> None:
    rig = counting(tmp_path)
    rig.tap("g2", "g3")
    assert rig.lines[-1] == "Ben: shows g1#1 g2#1 g3#1" and rig.state.showing.cards == ()
    rig.tap("g4")
    rig.press("digit:9", "yes")
    assert rig.lines[-1] == "Cy: points 9" and rig.state.showing.cards == ()
