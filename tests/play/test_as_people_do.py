"""What people do in a real evening, and what others who keep a game were told of: play goes on as it stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.signals import TagPlaced
from table_app.play.interpreter import interpret
from table_app.play.places import Places
from table_app.play.planning import FEW_LEFT
from table_app.play.state import Options
from table_app.rules import Card, Colour, Phase, face
from table_app.view.present import present, prompt
from tests.table.rig import Rig, remembering, setup, table_at


def test_a_card_laid_on_a_wild_before_its_colour_was_named_is_laid_with_the_name() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w", "b5")
    assert rig.lines[-1] == "Ann: w#1"
    assert rig.state.notice is not None and rig.state.notice.text.startswith("First {} names a colour")
    rig.press("colour:blue")
    assert rig.lines[-2:] == ["Ann: blue", "Ben: b5#1"] and rig.state.match.turn == 2
    rig.press("undo")
    assert rig.state.match.colour is None and rig.state.match.hands[1].size == 7


def test_a_card_that_does_not_fit_the_named_colour_is_refused_with_the_name() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w", "b5")
    rig.press("colour:red")
    assert rig.lines[-1] == "Ben: b5#1" and not rig.last.ruling.is_ok and rig.state.match.turn == 1


def test_the_wild_tapped_twice_waits_for_nothing() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w", "w")
    rig.press("colour:blue")
    assert rig.lines[-1] == "Ann: blue" and rig.state.match.turn == 1


def test_a_call_between_card_and_colour_leaves_the_next_card_waiting() -> None:
    """letsuno/uno-online 149: the choice of a colour hid the Uno button."""
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("w", "b5")
    rig.press("uno:0", "colour:blue")
    assert rig.lines[-3:] == ["Ann: uno", "Ann: blue", "Ben: b5#1"]


def test_nobody_is_told_to_shuffle_while_cards_are_left_to_draw() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w")
    assert prompt(rig.state) == "Ann names a colour."
    rig.press("colour:red")
    assert "huffle" not in prompt(rig.state)


@pytest.mark.parametrize("count", [1, 3])
def test_play_goes_on_after_takebacks_with_the_same_cards(count: int) -> None:
    """pychess 1005, lucaschessR2 165, lichobile 1863: after some takebacks nobody could move."""
    rig = Rig()
    rig.begin()
    cards = ("r1", "r2", "r3")
    rig.tap(*cards)
    rig.press(*["undo"] * count)
    rig.tap(*cards[-count:])
    assert rig.lines[-1] == "Cy: r3#1" and [hand.size for hand in rig.state.match.hands] == [6, 6, 6]


def test_everything_can_be_taken_back_to_the_first_deal_and_no_further() -> None:
    """tosca07/picochess 49: takeback of the very first move."""
    rig = Rig()
    rig.begin()
    rig.tap("r1")
    rig.press("undo", "undo", "undo", "undo")
    assert rig.phase() is Phase.BETWEEN
    headline = present(rig.state, rig.now_ms).headline
    assert headline is not None and "nothing left to take back" in headline.text
    rig.begin()
    assert rig.state.match.turn == 0


def test_two_wild_draw_fours_in_a_row_are_judged_by_the_named_colour() -> None:
    """pokemon-showdown 3713: the second one was refused because a wild lay on top."""
    rig = Rig()
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:blue", "draw")
    rig.tap("w+4#2")
    assert rig.last.ruling.is_ok
    rig.press("colour:red")
    assert rig.state.match.colour is Colour.RED


def test_a_call_with_two_cards_of_which_none_fits_is_no_offence() -> None:
    """CompSciLauren/uno 44: by the sheet an early call costs nothing; the turn just goes on."""
    rig = Rig(cards_each=2)
    rig.begin()
    rig.press("uno:0", "draw", "keep")
    assert [hand.size for hand in rig.state.match.hands] == [3, 2, 2] and not any(rig.state.match.fines)


def test_a_second_draw_in_one_turn_is_refused_with_its_reason() -> None:
    """tk-codes/uno 3, andreybutenko/uno 27: people drew for ever."""
    rig = Rig()
    rig.begin()
    rig.press("draw", "draw")
    headline = present(rig.state, rig.now_ms).headline
    assert headline is not None and headline.text.startswith("Only one card may be drawn in a turn")
    assert rig.state.match.hands[0].size == 8


def test_a_reverse_between_two_skips_the_other() -> None:
    """guilhermebkel/uno-game 17."""
    rig = Rig(setup("players: Ann, Ben"))
    rig.begin()
    rig.tap("rr")
    assert rig.state.match.turn == 0


def test_an_empty_pile_asks_to_be_shuffled_and_the_draw_goes_on() -> None:
    """townteki/townsquare 497, terraforming-mars 5163: the deck ran out and the play stood still."""
    rig = Rig()
    rig.begin()
    rig.tap("r1", "r2", "r3")
    for _turn in range(rig.state.match.draw_pile):
        rig.press("draw", "keep")
    assert "huffle" in prompt(rig.state)
    rig.press("reshuffle", "draw")
    assert rig.last.ruling.is_ok and rig.state.match.draw_pile == 2


def test_a_card_of_the_pile_is_not_taken_for_laid_where_one_reader_sees_every_card() -> None:
    """It may have been drawn from a pile that was shuffled: its face is nobody's business."""
    few_left = table_at(["table: deal 7", "table: start r9", "Ann: r0#1", "table: set hand Cy 88"])
    assert few_left.match.draw_pile <= FEW_LEFT
    tags = {b"zero": Card(face("r0"), 1)}
    lying = remembering(few_left, places=Places((Card(face("r9"), 1), Card(face("r0"), 1), Card(face("r9"), 2))))
    state = replace(few_left, tags=tags, options=Options(is_tracked=True), history=lying)
    answer = interpret(TagPlaced(300_000, "pad", b"zero"), state)
    assert not answer.actions and answer.state.held is not None and answer.state.held.lies_in_pile


def test_a_card_that_somebody_claims_lies_in_no_pile() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r0", "r+2")
    rig.tap("r0")  # by the record it lies in the pile, and Cy owes two
    rig.press("give:0")
    assert rig.last.ruling.is_ok and rig.lines[-1] == "Ann: r0#1"
    assert "table: reshuffle" in rig.lines


def test_a_card_that_waits_for_a_shuffle_is_laid_once_the_next_one_goes_only_on_it() -> None:
    """The pile was shuffled and nobody said so; people play on, and no card that was tapped is lost."""
    rig = Rig()
    rig.begin("r9")
    rig.tap("r0", "r5", "y5", "r5#2")
    rig.tap("r0")  # Ben, by the record from the pile
    assert rig.state.held is not None
    rig.tap("y0")  # Cy: goes on the red 0 alone
    assert rig.lines[-3:] == ["table: reshuffle", "Ben: r0#1", "Cy: y0#1"]
    headline = present(rig.state, rig.now_ms).headline
    assert headline is not None
    assert headline.text == "Cy laid the yellow 0. The discard pile was shuffled. Ben laid the red 0."
    rig.press("undo")
    assert rig.state.match.turn == 1 and rig.state.match.top is face("r5")


def test_a_card_that_goes_on_the_top_card_leaves_the_waiting_one_aside() -> None:
    rig = Rig()
    rig.begin("r9")
    rig.tap("r0", "r5", "y5", "r5#2")
    rig.tap("r0")
    rig.tap("r7")
    assert rig.lines[-1] == "Ben: r7#1"
