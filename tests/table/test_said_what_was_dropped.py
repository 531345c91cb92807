"""Nothing that somebody tapped is dropped without a word, and a slip of a finger is asked before it is believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import DeviceLost, TagPlaced, TagRemoved
from table_app.display.present import present, prompt
from table_app.rules import Phase
from table_app.rules.words import ruling_text
from table_app.table.last_play import GiveQuestion
from table_app.table.state import DebtQuestion, Options
from tests.table.rig import Rig, setup

EIGHT = "players: Ann, Ben, Cy, Dan, Eve, Fay, Gus, Hal"
DROPPED = "The card that was asked about did not count: tap or pick it again."


def headline(rig: Rig) -> str:
    found = present(rig.state, rig.now_ms).headline
    assert found is not None
    return found.text


def asked_of_a_debt() -> Rig:
    rig = Rig()
    rig.begin()
    rig.tap("r+2", "r5")
    assert isinstance(rig.state.question, DebtQuestion)
    return rig


# -- a card that was asked about -------------------------------------------------------------------------------


@pytest.mark.parametrize("presses", [("draw",), ("pause",), ("pause", "yes"), ("undo",), ("form:count",), ("keep",)])
def test_a_card_whose_question_gives_way_to_something_else_is_to_be_tapped_again(presses: tuple[str, ...]) -> None:
    rig = asked_of_a_debt()
    rig.press(*presses)
    assert rig.state.question is None
    assert DROPPED in [banner.text for banner in present(rig.state, rig.now_ms).banners]


def test_an_answer_the_same_card_once_more_and_the_next_ruling_say_nothing_of_it() -> None:
    for press in ("yes", "no"):
        rig = asked_of_a_debt()
        rig.press(press)
        assert rig.state.messages == ()
    rig = asked_of_a_debt()
    rig.tap("r5")
    assert isinstance(rig.state.question, DebtQuestion) and rig.state.messages == ()
    rig.press("draw", "draw")
    assert rig.state.messages == ()


def test_a_first_card_that_gives_way_is_said_too() -> None:
    rig = Rig()
    rig.tap("r9")
    assert rig.state.question is not None
    rig.press("pause")
    assert rig.state.messages == (DROPPED,)


# -- a hand half tapped ----------------------------------------------------------------------------------------


def test_cards_tapped_for_one_hand_are_said_to_be_dropped_when_another_is_chosen() -> None:
    rig = Rig(setup("plays: unrefereed"))
    rig.press("seat:0")
    rig.tap("r5", "r6")
    first = rig.state.showing.seat
    assert first is not None
    other = next(seat for seat in (1, 2) if seat != first)
    rig.press(f"seat:{other}")
    names = rig.state.match.names
    assert headline(rig) == (
        f"{names[other]}: tap the cards. The 2 cards tapped for {names[first]} do not count; tap them again later."
    )
    rig.press(f"seat:{first}")
    assert headline(rig) == f"{names[first]}: tap the cards of the hand, one by one."


# -- the reader is gone in the middle of a deal ----------------------------------------------------------------


@pytest.mark.parametrize(("pile_reader", "lost", "says"), [("", "pad", True), ("pile", "pad", False)])
def test_a_deal_that_no_reader_sees_any_more_is_prompted_so(pile_reader: str, lost: str, says: bool) -> None:
    rig = Rig(options=Options(cards_each=3, is_tracked=True, pile_reader=pile_reader))
    rig.tap("r1", "r2")
    rig.send(DeviceLost(rig.now_ms, lost, "gone"))
    assert prompt(rig.state).startswith("The reader is gone: deal the rest unseen") is says
    rig.press("deal")
    assert rig.phase() is not Phase.BETWEEN


# -- undo ------------------------------------------------------------------------------------------------------


def test_who_left_between_rounds_takes_no_cards_back() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r3")
    rig.show_hands("g4", "g5")
    assert rig.phase() is Phase.BETWEEN
    rig.press("form:leave", "seat:2", "undo")
    assert rig.state.match.playing[2] and "Cy sits down again." in headline(rig) and "0 cards" not in headline(rig)


def test_undo_after_a_new_tag_takes_no_card_back(tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path)
    rig.begin()
    rig.tap("r1")
    before = rig.state.match
    rig.press("form:tag")
    rig.pick("r5")
    rig.send(TagPlaced(rig.now_ms, "pad", bytes((4, 7, 7, 7, 7, 7, 7))))
    rig.send(TagRemoved(rig.now_ms, "pad", bytes((4, 7, 7, 7, 7, 7, 7))))
    rig.press("undo")
    assert rig.state.match is before
    assert headline(rig) == "The new tag stays the red 5. Undo once more takes back what was done before."
    rig.press("undo")
    assert headline(rig).startswith("Taken back: Ann laid the red 1.")


# -- a turn clock left alone -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", ["players: Ann, Ben, Cy", EIGHT])
def test_a_turn_clock_left_alone_says_who_drew_how_much_once_each(players: str) -> None:
    rig = Rig(setup(players, "turn-clock: 10"))
    rig.begin()
    rig.wait(480_000)
    said = [ruling_text(done.match, done.ruling) for done in rig.heard.done]
    most = len(rig.state.match.names) + 2
    assert all(text.count(" drew ") <= most for text in said)
    drawn = sum(hand.size for hand in rig.state.match.hands) - 7 * len(rig.state.match.names)
    assert drawn >= 40


# -- a stray touch ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", ["seat:6", "give:6"])
def test_a_touch_that_makes_many_draw_without_a_word_is_asked_first(button: str) -> None:
    rig = Rig(setup(EIGHT))
    rig.begin()
    rig.tap("r1")
    before = rig.state.match
    rig.press(button)
    assert isinstance(rig.state.question, GiveQuestion) and rig.state.match is before
    asked = present(rig.state, rig.now_ms).question
    assert asked is not None
    assert asked.text == "Did Gus lay the red 1? Then 6 players drew without a word."
    rig.press("no")
    assert rig.state.match is before and headline(rig) == "The red 1 stays the card of Ann."
    for yes in ("yes", button):
        rig.press(button, yes)
        assert rig.state.question is None and rig.lines[-1] == "Gus: r1#1"
        rig.press("undo")
    rig.press(button, "seat:1")
    assert rig.lines[-1] == "Ben: r1#1"


def test_one_or_two_who_drew_in_silence_are_not_worth_a_question() -> None:
    rig = Rig(setup(EIGHT))
    rig.begin()
    rig.tap("r1")
    rig.press("give:2")
    assert rig.lines[-1] == "Cy: r1#1"
    rig.press("form:give", "seat:6")
    assert rig.lines[-1] == "Gus: r1#1"


def test_a_touch_that_answers_for_a_debt_is_asked_too() -> None:
    rig = Rig(setup(EIGHT))
    rig.begin()
    rig.tap("r+2", "r5")
    before, last = rig.state.match, rig.state.last_play
    rig.press("seat:6")
    assert isinstance(rig.state.question, GiveQuestion) and rig.state.match is before
    rig.press("no")
    assert isinstance(rig.state.question, DebtQuestion) and rig.state.last_play == last
    rig.press("seat:6", "pause")
    assert rig.state.messages == (DROPPED,) and rig.state.last_play == last
    rig.press("yes")
    rig.tap("r5")
    rig.press("seat:6", "yes")
    assert rig.lines[-1] == "Gus: r5#1"
    rig.press("undo")
    assert rig.state.match.hands == before.hands and rig.state.match.owes == before.owes
