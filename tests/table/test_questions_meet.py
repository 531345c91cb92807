"""The table's own questions, met by something else: a call, a catch, the bell, a correction, another seat."""

from __future__ import annotations

import pytest

from table_app.rules import Phase
from table_app.rules.messages import Sentence
from table_app.table.interpreter import DROPPED
from table_app.table.last_play import GiveQuestion
from table_app.table.state import MoreQuestion
from tests.table.rig import Rig, setup

TEN = "players: A1, B2, C3, D4, E5, F6, G7, H8, I9, J0"


def begun(*lines: str, cards_each: int = 3) -> Rig:
    rig = Rig(setup(*lines), cards_each=cards_each)
    rig.begin("r9")
    return rig


def shown(*lines: str) -> Rig:
    """Ann has shown two cards, of the colour before: she owes four."""
    rig = begun(*lines)
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("r5", "r6")
    assert rig.state.match.owes[0] == 4
    return rig


def asked_of_more() -> Rig:
    rig = shown()
    rig.tap("y3", later_ms=500)
    assert isinstance(rig.state.question, MoreQuestion)
    return rig


def test_another_seat_touched_after_a_slip_is_given_the_card_that_was_asked_about() -> None:
    rig = begun(TEN)
    rig.tap("r+2", "r5")
    rig.press("seat:7")
    assert isinstance(rig.state.question, GiveQuestion) and rig.state.question.is_owed
    rig.press("seat:2")
    assert rig.lines[-2:] == ["B2: draw 2", "C3: r5#1"]


@pytest.mark.parametrize("button", ["uno:0", "bell"])
def test_one_card_more_can_not_be_said_any_more_once_something_else_was_done(button: str) -> None:
    rig = asked_of_more()
    rig.press(button)
    assert rig.state.question is None
    rig.press("yes")
    assert "table: undo" not in rig.lines and rig.state.match.owes[0] == 4


ASIDE = (("uno:0", "undo"), ("bell", "undo"), ("bell",), ("form:direction", "direction:clockwise"))


@pytest.mark.parametrize("presses", ASIDE)
def test_a_shown_hand_is_remembered_whatever_else_is_said(presses: tuple[str, ...]) -> None:
    rig = shown()
    rig.wait(5_000)
    rig.press(*presses)
    rig.tap("r5")
    assert rig.state.question is None
    assert rig.heard.notices[-1].text == "That card was shown already."


def test_a_card_that_was_counted_is_not_counted_again_after_a_bell_that_was_taken_back() -> None:
    rig = begun(cards_each=1)
    rig.tap("r5")
    rig.show_hands("b1")
    rig.press("bell", "undo")
    rig.show_hands("b1")
    assert rig.lines[-1] == "table: undo" and rig.phase() is Phase.OUT


def test_touched_once_more_the_seat_says_yes_also_while_a_call_is_due() -> None:
    rig = begun(TEN, cards_each=2)
    rig.tap("r3")
    rig.press("give:5")
    assert isinstance(rig.state.question, GiveQuestion) and rig.state.match.window is not None
    rig.press("seat:5")
    assert rig.lines[-1] == "F6: r3#1" and rig.state.question is None


def test_a_question_of_whose_card_it_was_ends_with_a_catch() -> None:
    rig = begun(TEN, cards_each=2)
    rig.tap("r3")
    rig.press("give:5", "catch:0")
    assert rig.state.question is None and rig.state.match.owes[0] == 2


def test_no_debt_is_asked_for_that_was_lifted_meanwhile() -> None:
    rig = begun(TEN, cards_each=2)
    rig.tap("r3")
    rig.wait(6_000)
    rig.tap("r5")
    rig.press("seat:7", "called:0")
    assert isinstance(rig.state.question, GiveQuestion), "the card is tapped, and waits"
    rig.press("no")
    assert rig.state.question is None and rig.lines[-1] == "B2: r5#1"


def test_while_the_own_hand_is_asked_for_the_seat_says_that_it_did_call() -> None:
    rig = begun(cards_each=2)
    rig.tap("w+4")
    rig.press("colour:blue")
    rig.wait(6_000)
    assert rig.state.match.fines[0] == 2
    rig.press("challenge", "seat:0")
    assert rig.lines[-1] == "table: called Ann" and rig.state.match.fines[0] == 0


def test_while_discards_are_asked_for_the_seat_says_that_it_did_call() -> None:
    rig = begun("edition: 2018", "custom: discard-wilds", "uno: players", cards_each=2)
    rig.tap("wcustom")
    rig.press("colour:red", "catch:0")
    assert rig.state.match.fines[0] == 2
    rig.press("seat:0")
    assert rig.lines[-1] == "table: called Ann"


def test_asked_whose_card_it_is_a_fined_seat_says_whose_and_nothing_else() -> None:
    rig = begun("players: A1, B2")
    rig.tap("r3")
    rig.press("draw", "keep")
    rig.tap("r4")
    rig.wait(6_000)
    assert rig.state.match.fines[0] == 2
    rig.tap("r6")
    rig.press("form:give", "seat:0")
    assert "table: called A1" not in rig.lines


def test_the_turn_waits_while_it_is_asked_whether_a_card_belongs_to_a_hand() -> None:
    rig = begun("turn-clock: 8", "wild4: prove")
    rig.tap("w+4", "r5", "b6")
    rig.tap("y3", later_ms=500)
    assert isinstance(rig.state.question, MoreQuestion)
    rig.wait(9_000)
    assert isinstance(rig.state.question, MoreQuestion) and rig.state.match.turn == 0


def test_a_card_of_a_hand_that_is_asked_for_is_no_digit() -> None:
    rig = begun()
    rig.tap("w+4")
    rig.press("colour:blue", "challenge", "form:count", "seat:0")
    rig.tap("r5")
    form = rig.state.form
    assert form is not None and form.digits == ""


def test_why_a_name_is_refused_can_be_said_in_the_readers_language() -> None:
    rig = Rig()
    rig.press("form:join", "join:a,b")
    assert isinstance(rig.heard.notices[-1].parts[0], Sentence)


def test_that_a_card_did_not_count_is_said_until_one_is_tapped() -> None:
    rig = begun()
    rig.tap("r1", "r2", "r1")
    rig.press("draw")
    assert Sentence(DROPPED) in rig.state.messages
    rig.tap("r5")
    assert Sentence(DROPPED) not in rig.state.messages
