"""Somebody is out although the record says otherwise, or the other way round: a few presses say so."""

from __future__ import annotations

import pytest

from table_app.play.notices import NoticeKind
from table_app.play.state import Options
from table_app.rules import Phase, face
from table_app.view.present import present
from tests.table.rig import Rig, setup

ZERO = ("digit:0", "yes")


def offered(rig: Rig) -> set[str]:
    return {control.button for control in present(rig.state, rig.now_ms).controls}


@pytest.mark.parametrize(
    ("cards_each", "last", "colour"),
    [(3, "r5", ()), (2, "r5", ()), (3, "w", ("colour:blue",)), (2, "w", ("colour:blue", "uno:0")), (3, "r+2", ())],
)
def test_the_number_0_for_who_laid_last_is_out_with_that_card(
    cards_each: int, last: str, colour: tuple[str, ...]
) -> None:
    rig = Rig(cards_each=cards_each)
    rig.begin()
    rig.tap(last)
    rig.press(*colour)
    before = rig.state.match
    rig.press("form:count", "seat:0", *ZERO)
    match = rig.state.match
    assert rig.phase() is Phase.OUT and match.out == 0
    assert match.top is before.top and match.owes == before.owes
    rig.press("undo")
    assert (rig.phase(), rig.state.match.hands) == (Phase.PLAY, before.hands)


def test_a_card_laid_before_and_one_never_seen_are_said_in_a_few_presses() -> None:
    rig = Rig(cards_each=3)
    rig.begin()
    rig.tap("r5", "r6")
    rig.press("form:count", "seat:0", *ZERO)
    assert rig.heard.notices[-1].kind is NoticeKind.REFUSED and "Undo" in rig.heard.notices[-1].text
    rig.press("undo", "form:count", "seat:0", *ZERO)
    assert rig.phase() is Phase.OUT and rig.state.match.top is face("r5")
    rig = Rig(cards_each=3)
    rig.begin()
    rig.press("form:count", "seat:1", *ZERO)
    assert rig.heard.notices[-1].kind is NoticeKind.REFUSED and "lay it now" in rig.heard.notices[-1].text
    rig.tap("r6")
    rig.press("form:count", "seat:1", *ZERO)
    assert "touch the seat" in rig.heard.notices[-1].text
    rig.press("give:1", "form:count", "seat:1", *ZERO)
    assert rig.phase() is Phase.OUT and rig.state.match.out == 1


def test_the_bell_rings_on() -> None:
    rig = Rig(cards_each=3, options=Options(3))
    rig.begin()
    rig.tap("r5")
    rig.press("bell", "form:count", "seat:0", *ZERO)
    assert rig.state.match.last_round and rig.state.match.out == 0


def test_a_tracked_hand_that_was_laid_unseen_is_out_too() -> None:
    rig = Rig(options=Options(cards_each=2, is_tracked=True))
    rig.tap("r1", "r3", "y4", "b5", "b6", "y5", "r9")
    rig.tap("r1")
    rig.press("form:count", "seat:0", *ZERO)
    assert rig.phase() is Phase.BETWEEN and rig.state.match.scores[0] > 0  # all other hands are known


def test_while_the_last_debts_are_open_the_screen_says_that_nobody_is_out_or_another_one_is() -> None:
    rig = Rig(setup(), cards_each=1)
    rig.begin()
    rig.tap("r+2")
    assert rig.phase() is Phase.OUT and rig.state.match.is_owing()
    assert {"form:holds", "form:give"} <= offered(rig)
    rig.press("form:holds", "digit:2", "yes")
    assert rig.phase() is Phase.PLAY and rig.state.match.hands[0].size == 2
    rig.press("undo", "form:give", "seat:1")
    assert rig.state.match.out == 1
    rig.press("draw")
    rig.press("undo")
    assert {"form:holds", "form:give"} <= offered(rig)


def test_a_wrong_first_card_goes_back_by_undo() -> None:
    rig = Rig()
    rig.begin("r+2")
    assert rig.state.match.is_owing()
    rig.press("undo")
    rig.tap("r9")
    assert rig.state.match.top is face("r9") and not rig.state.match.is_owing()
