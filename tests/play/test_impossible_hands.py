"""No hand has more of a card than the deck: one too many is refused as it is tapped, without being named."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import CardPicked
from table_app.play.notices import NoticeKind
from table_app.rules import Phase
from table_app.view.present import notice_text
from tests.table.rig import PLAYERS, Rig, setup


def out(directory: Path | None = None) -> Rig:
    """Ann is out with the red 5; Ben and Cy hold some cards each."""
    rig = Rig(setup(PLAYERS), directory, cards_each=3)
    rig.begin()
    hers = ["r1", "r3", "r5"]
    while rig.phase() is not Phase.OUT:
        if rig.state.match.turn != 0:
            rig.press("draw", "keep")
            continue
        rig.tap(hers.pop(0))
        if rig.state.match.hands[0].size == 1:
            rig.press("uno:0")
    return rig


def refused(rig: Rig, code: str) -> None:
    """The card is refused with what to do, and without its name; nothing is shown but what was before."""
    before = rig.state.showing
    rig.pick(code)
    assert rig.state.showing == before
    notice = rig.state.notice
    assert notice is not None and notice.kind is NoticeKind.REFUSED
    text = notice_text(rig.state.match, notice)
    assert "Undo" in text and not notice.parts


@pytest.mark.parametrize("codes", [("b9", "b9"), ("r0",), ("r7", "r7")])
def test_one_hand_has_no_more_of_a_card_than_the_deck(codes: tuple[str, ...]) -> None:
    rig = out()
    rig.press("seat:1")
    rig.pick(*codes)
    refused(rig, codes[0])
    rig.tap(f"{codes[0]}#1")
    assert [card.face.code for card in rig.state.showing.cards] == list(codes)
    rig.press("undo")
    rig.tap(f"{codes[0]}#1")
    assert len(rig.state.showing.cards) == len(codes)


def test_all_hands_of_a_round_have_no_more_of_a_card_than_the_deck() -> None:
    rig = out()
    rig.press("seat:1")
    size = rig.state.match.hands[1].size
    others = ["g1", "g1", "g2", "g2", "g3", "g3", "g4", "g4"][: size - 2]
    rig.pick("b9", "b9", *others)
    assert rig.state.match.counted[1] is not None
    refused(rig, "b9")


def test_a_resumed_table_still_knows_what_other_hands_have_shown(tmp_path: Path) -> None:
    rig = out(tmp_path)
    rig.press("seat:1")
    rig.pick("b9", "b9")
    rig.press("yes", "yes")  # that is all, and fewer than believed
    assert rig.state.match.counted[1] == 18
    counted = rig.state.shown
    rig.opened.close()
    again = Rig(setup(PLAYERS), tmp_path, cards_each=3)
    again.press("yes")
    assert again.state.shown == counted
    refused(again, "b9")
    again.opened.close()


def test_in_a_challenge_the_card_too_many_is_refused_and_not_the_whole_hand() -> None:
    rig = Rig(cards_each=4)
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    rig.pick("b9", "b9")
    refused(rig, "b9")
    rig.pick("g1")
    assert rig.lines[-1].startswith("Ann: shows b9 b9 g1")


def test_where_the_score_alone_is_kept_a_hand_is_looked_at_in_the_same_way() -> None:
    rig = Rig(setup("plays: unrefereed"))
    rig.press("seat:0")
    rig.pick("b9", "b9")
    refused(rig, "b9")
    rig.press("yes")
    assert rig.state.match.counted[1] == 18
    refused(rig, "b9")


def test_cards_that_a_special_card_lets_go_are_no_more_than_the_deck_has() -> None:
    rig = Rig(setup("edition: 2018", "custom: discard-wilds"))
    rig.begin()
    rig.tap("wcustom")
    rig.press("colour:red")
    rig.press("seat:1")
    rig.pick("w", "w", "w", "w")
    before = rig.state.showing
    rig.send(CardPicked(rig.now_ms, "w"))
    assert len(before.cards) == 4 and rig.state.showing == before
