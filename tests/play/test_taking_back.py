"""One Undo takes one answer back, whole, names it, and says what hands must do; the same after a power cut."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from table_app.play.interpreter import interpret
from table_app.play.state import Options
from table_app.rules import face
from table_app.rules.engine import HANDLERS
from table_app.view.present import present
from tests.table.rig import Rig, setup


def said(rig: Rig) -> str:
    """What stands large on the screen."""
    headline = present(rig.state, rig.now_ms).headline
    assert headline is not None
    return headline.text


def test_a_card_given_to_another_seat_is_taken_back_in_one_press_and_no_hand_moves() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3")
    before = rig.state.match
    rig.press("give:2")
    assert rig.lines[-6:] == ["table: undo", "Ann: draw", "Ann: keep", "Ben: draw", "Ben: keep", "Cy: r3#1"]
    rig.press("undo")
    after = rig.state.match
    assert (after.hands, after.turn, after.top) == (before.hands, before.turn, before.top)
    assert rig.lines[-1] == "Ann: r3#1"
    assert said(rig) == "Taken back: the red 3 was given to Cy. It is the card of Ann again; no hand moves."
    rig.press("undo")
    assert said(rig) == "Taken back: Ann laid the red 3. Ann takes the red 3 back. It is Ann to play."


def test_undoing_a_gift_does_not_go_round_in_a_circle() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3")
    rig.press("give:1", "undo", "undo", "undo", "undo")
    assert rig.state.match.before is None


def test_a_wild_given_away_comes_back_with_its_colour_and_call() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("w")
    rig.press("colour:blue", "uno:0")
    before = rig.state.match
    assert before.window is None
    rig.press("give:1")
    rig.press("undo")
    after = rig.state.match
    assert (after.colour, after.hands, after.turn, after.window) == (before.colour, before.hands, before.turn, None)
    assert "the Wild was given to Ben. It is the card of Ann again" in said(rig)


def test_resync_is_one_answer_and_says_what_holds_again() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3")
    before = rig.state.match
    rig.press("form:resync", "seat:2")
    rig.tap("b7")
    assert (rig.state.match.turn, str(rig.state.match.colour)) == (2, "blue")
    rig.press("undo")
    after = rig.state.match
    assert (after.turn, after.top, after.colour) == (before.turn, before.top, before.colour)
    assert said(rig) == (
        "Taken back: The turn goes to Cy. The top card is the blue 7. The top card is the red 3 again. "
        "The colour is red again. It is Ben to play."
    )


@pytest.mark.parametrize(
    ("presses", "words"),
    [
        (("form:count", "seat:1", "digit:4", "yes"), "Cards in the hand of Ben: 4. Ben has 7 cards again."),
        (("form:turn", "seat:2"), "The turn goes to Cy. It is Ann to play."),
        (("form:colour", "colour:green"), "The colour is green. The colour is red again."),
        (("form:direction", "direction:anticlockwise"), "The turn goes anticlockwise. The turn goes clockwise again."),
        (("form:score", "seat:0", "digit:9", "yes"), "Ann has 9 points. Ann has 0 points again."),
    ],
)
def test_what_was_put_right_is_named_and_what_holds_again_too(presses: Sequence[str], words: str) -> None:
    rig = Rig()
    rig.begin()
    before = rig.state.match
    rig.press(*presses, "undo")
    assert words in said(rig)
    assert "draw pile" not in said(rig), "the record was wrong, no card has to move"
    after = rig.state.match
    assert (after.hands, after.turn, after.colour, after.direction, after.scores) == (
        before.hands,
        before.turn,
        before.colour,
        before.direction,
        before.scores,
    )


DEEDS: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "deal": ((), ("deal",), "Everybody has 7 cards. All cards go back; deal anew."),
    "start": ((), ("deal", "tap r5"), "The first card is the red 5. The red 5 goes back into the draw pile."),
    "draw": ((), ("deal", "tap r5", "draw"), "Ann drew 1. Ann puts 1 back on the draw pile."),
    "keep": ((), ("deal", "tap r5", "draw", "keep"), "Ann ends the turn."),
    "colour": ((), ("deal", "tap r5", "tap w", "colour:blue"), "Ann names blue."),
    "challenge": ((), ("deal", "tap r5", "tap w+4", "colour:blue", "challenge"), "Ben challenges the Wild Draw Four."),
    "finds": (
        (),
        ("deal", "tap r5", "tap w+4", "colour:blue", "challenge", "finds:guilty"),
        "Ben has seen the hand.",
    ),
    "allow": ((), ("deal", "tap r5", "tap b7", "allow"), "The table lets the card stand. Ann takes the blue 7 back."),
    "swap": (("house: seven-o",), ("deal", "tap r5", "tap r7", "swap:2"), "Ann and Cy swap hands back."),
    "pass-hands": (("house: seven-o",), ("deal", "tap r5", "tap r0"), "All hands move back by one seat."),
    "leaves": (
        (),
        ("deal", "tap r5", "form:leave", "seat:2"),
        "had open lapses. Cy sits down again and takes 7 cards from under the draw pile.",
    ),
    "bell": ((), ("deal", "tap r5", "bell"), "This is the last round."),
    "fine": (
        ("wrong-play: 2",),
        ("deal", "tap r5", "tap b7"),
        "The blue 7 does not go on the red 5.",
    ),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_each_kind_of_act_is_named_when_it_is_taken_back(deed: str) -> None:
    agreed, acts, words = DEEDS[deed]
    rig = Rig(setup(*agreed))
    for act in acts:
        word, _, code = act.partition(" ")
        if word == "tap":
            rig.tap(code)
        else:
            rig.press(word)
    rig.press("undo")
    assert said(rig).startswith("Taken back: ") and words in said(rig), said(rig)


def test_every_action_of_the_core_has_words_for_its_undo() -> None:
    """Named either by itself or by what came of it: no undo may say only that something was undone."""
    from table_app.rules.words import DEEDS as WORDS

    by_effect = {
        "Draw",
        "Points",
        "Swap",
        "AnswerDare",
        "Leaves",
        "Joins",
        "LastRound",
        "GoOut",
        "SetDirection",
    }
    assert {action.__name__ for action in HANDLERS if not WORDS[action]} == by_effect


def test_the_first_card_with_the_deal_it_stood_for_is_one_answer() -> None:
    rig = Rig()
    rig.tap("r9")
    rig.press("undo")
    assert rig.phase() == "between"
    assert said(rig).startswith("Taken back: Everybody has 7 cards. The first card is the red 9.")


def test_a_debt_drawn_in_silence_goes_back_with_the_card_after_it() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r+2")
    before = rig.state.match
    rig.tap("r4")
    rig.press("seat:2", "undo")
    assert (rig.state.match.owes, rig.state.match.hands) == (before.owes, before.hands)
    assert "Cy takes the red 4 back. Ben puts 2 back on the draw pile." in said(rig)


def test_an_answer_is_still_whole_after_a_power_cut(tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path)
    rig.begin()
    rig.tap("r3")
    before = rig.state.match
    rig.press("give:2")
    rig.opened.close()
    again = Rig(directory=tmp_path)
    assert list(again.state.history.deeds()) == list(rig.state.history.deeds())
    again.press("yes", "undo")
    assert (again.state.match.hands, again.state.match.top) == (before.hands, before.top)
    assert again.lines[-1] == "Ann: r3#1"
    again.opened.close()


def test_a_deal_seen_card_by_card_is_one_answer_also_in_the_record() -> None:
    rig = Rig(options=Options(cards_each=1, is_tracked=True))
    rig.tap("r5", "b2", "y4")
    rig.press("undo")
    assert rig.phase() == "between" and not list(rig.state.history.deeds())


def test_an_undo_with_nothing_to_take_back_is_still_answered() -> None:
    from hardware.signals import ButtonPressed

    rig = Rig()
    assert len(interpret(ButtonPressed(11_000, "undo"), rig.state).actions) == 1
    rig.press("undo")
    assert said(rig) == "There is nothing left to take back in this round."


def test_a_debt_that_stands_again_is_named_and_not_who_plays_after_it() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r+2")
    rig.press("draw", "undo")
    assert said(rig).endswith("Ben must draw 2.")


def test_undo_right_after_a_refused_card_means_that_card() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3", "b5")
    before = rig.state.match
    rig.press("undo")
    assert said(rig) == (
        "The blue 5 goes back to the hand of Ben: nothing was laid. Undo once more takes back the red 3 of Ann."
    )
    assert rig.state.match is before
    rig.press("undo")
    assert said(rig).startswith("Taken back: Ann laid the red 3.")


def test_a_refused_card_can_still_be_allowed_after_undo_told_of_it() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3", "b5")
    rig.press("undo", "allow")
    assert rig.state.match.top == face("b5")


def test_undo_after_a_refused_card_and_anything_else_takes_back_that() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3", "b5", "r4")
    rig.press("undo")
    assert said(rig).startswith("Taken back: Ben laid the red 4.")
    rig.tap("b5")
    rig.press("draw", "undo")
    assert said(rig).startswith("Taken back: Ben drew 1.")


def test_a_refused_card_before_anything_was_done_leaves_nothing_to_take_back() -> None:
    rig = Rig()
    rig.begin()
    rig.press("undo")
    assert rig.state.match.top is None
    rig.tap("r9", "b5")
    rig.press("undo")
    assert "nothing was laid. Undo once more takes back what was done before." in said(rig)


def test_a_card_refused_for_cards_takes_its_fine_back_at_once() -> None:
    """There Undo has something of the refused card to take back."""
    rig = Rig(setup("wrong-play: 2"))
    rig.begin()
    rig.tap("b5")
    assert rig.state.match.owes[0] == 2
    rig.press("undo")
    assert rig.state.match.owes[0] == 0


def test_undo_after_a_power_cut_means_the_refused_card_too(tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path)
    rig.begin()
    rig.tap("r3", "b5")
    rig.opened.close()
    again = Rig(directory=tmp_path)
    again.press("undo")
    assert "nothing was laid" in said(again)
    assert again.state.match.top == face("r3")
