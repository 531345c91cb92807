"""A card named by hand while the reader was away, and tapped when it is back: the table asks, and never guesses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.signals import DeviceBack, DeviceLost
from table_app.display.present import present
from table_app.rules import Colour, Phase
from table_app.table import open_table
from table_app.table.situations import Answer
from table_app.table.state import Options, SameQuestion, ShuffleQuestion
from tests.table.rig import Rig, files, setup


def without_a_reader(rig: Rig, *codes: str) -> None:
    rig.send(DeviceLost(rig.now_ms, "pad", "The reader is gone."))
    rig.pick(*codes)
    rig.send(DeviceBack(rig.now_ms, "pad"))


def test_the_same_card_tidied_up_on_the_pad_is_asked_for_and_not_laid_again() -> None:
    rig = Rig()
    rig.begin()
    without_a_reader(rig, "r7")
    before = rig.state.match
    rig.tap("r7")
    assert rig.state.match is before
    asked = present(rig.state, rig.now_ms).question
    assert asked is not None
    assert asked.text == "The red 7 was laid by hand as the card of Ann: is this the same card?"
    rig.press("yes")
    assert rig.state.match is before
    rig.tap("r7")
    assert rig.state.match is before
    assert rig.heard.notices[-1].text == "The {} lies on top already."


def test_another_card_like_it_is_laid_by_whoever_has_the_turn() -> None:
    rig = Rig()
    rig.begin()
    without_a_reader(rig, "r7")
    rig.tap("r7#2")
    rig.press("no")
    assert rig.lines[-1] == "Ben: r7#2"
    rig.tap("r7")
    assert isinstance(rig.state.question, SameQuestion), "one of the two is still known by its face alone"


def test_a_card_named_by_hand_while_the_reader_was_there_is_a_dead_sticker_and_asks_nothing() -> None:
    rig = Rig()
    rig.begin()
    rig.pick("r7")
    rig.tap("r7")
    assert rig.lines[-1] == "Ben: r7#1"


def test_a_card_that_was_taken_back_is_not_asked_for() -> None:
    rig = Rig()
    rig.begin()
    without_a_reader(rig, "r7")
    rig.press("undo")
    rig.tap("r7")
    assert rig.lines[-1] == "Ann: r7#1"


def test_it_asks_for_the_player_to_whom_the_card_was_given() -> None:
    rig = Rig()
    rig.begin()
    without_a_reader(rig, "r7")
    rig.press("give:1")
    rig.tap("r7")
    asked = present(rig.state, rig.now_ms).question
    assert asked is not None
    assert "as the card of Ben" in asked.text


def test_it_is_still_asked_for_after_a_power_cut_and_so_is_the_answer_known(tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path)
    rig.begin()
    without_a_reader(rig, "r7", "r6")
    rig.tap("r7")
    rig.press("yes")
    rig.opened.close()
    again = Rig(directory=tmp_path)
    assert again.state.places == rig.state.places and not again.state.lost
    again.press("yes")
    again.tap("r6")
    assert isinstance(again.state.question, SameQuestion)
    again.opened.close()


def shown(way: str) -> tuple[Rig, str]:
    """A table where cards of a hand are being tapped, and a card that was named by hand while the reader was away."""
    if way == "count":
        rig = Rig(cards_each=2)
        rig.begin()
        without_a_reader(rig, "r7")
        rig.press("uno:0", "draw", "keep", "draw", "keep")
        rig.tap("r5")
        assert rig.phase() is Phase.OUT
        return rig, "r7"
    if way == "discard":
        rig = Rig(setup("edition: 2018", "custom: discard-wilds"), cards_each=4)
        rig.begin()
        without_a_reader(rig, "w")
        rig.press("colour:red")
        rig.pick("wcustom")
        rig.press("colour:red")
        return rig, "w"
    rig = Rig(setup("wild4: prove") if way == "prove" else setup(), cards_each=3)
    rig.begin()
    without_a_reader(rig, "w+4")
    if way == "challenge":
        rig.press("colour:red", "challenge")
    return rig, "w+4"


@pytest.mark.parametrize("way", ["challenge", "prove", "count", "discard"])
def test_a_card_of_the_pile_is_not_taken_for_one_of_a_hand_that_is_shown(way: str) -> None:
    rig, card = shown(way)
    before = rig.state
    rig.tap(card)
    assert isinstance(rig.state.question, SameQuestion) and rig.state.showing == before.showing
    asked = present(rig.state, rig.now_ms).question
    assert asked is not None and (
        way == "discard" or asked.text == "Is that the card that was laid by hand and lies there already?"
    )
    rig.press("yes")
    assert rig.state.showing.cards == () and rig.state.match is before.match
    rig.tap(card)
    assert rig.state.showing.cards == () and rig.state.match is before.match


@pytest.mark.parametrize("way", ["challenge", "prove", "count", "discard"])
def test_another_card_like_it_is_one_of_the_hand(way: str) -> None:
    rig, card = shown(way)
    rig.tap(f"{card}#2")
    rig.press("no")
    assert [one.copy for one in rig.state.showing.cards] == [2] or rig.lines[-1].endswith(f"shows {card}#2")


def back_after_a_power_cut(rig: Rig, folder: Path) -> Rig:
    rig.opened.close()
    again = Rig(directory=folder)
    if again.state.pause is not None:
        again.press("yes")
    return again


def is_asked(rig: Rig, code: str) -> bool:
    """Whether the table asks about this card, and lays nothing."""
    before = rig.state.match
    rig.tap(code)
    return isinstance(rig.state.question, SameQuestion) and rig.state.match is before


def away_at_the_start(rig: Rig, folder: Path) -> Rig:
    rig.table.state = replace(rig.state, lost=(("reader", "There is no reader."),))
    return rig


def away_across_a_power_cut(rig: Rig, folder: Path) -> Rig:
    rig.send(DeviceLost(rig.now_ms, "pad", "The reader is gone."))
    rig.press("deal")
    rig.pick("g9")
    again = back_after_a_power_cut(rig, folder)
    return away_at_the_start(again, folder)


def away_when_the_match_was_left(rig: Rig, folder: Path) -> Rig:
    rig.send(DeviceLost(rig.now_ms, "pad", "The reader is gone."))
    rig.press("deal")
    rig.pick("g9")
    rig.opened.close()
    open_table(files(folder), setup(), 0, tags={}, is_new=True).close()
    again = away_at_the_start(Rig(directory=folder), folder)
    again.press("older", "take-up:1", "yes")
    return again


def away_from_the_match_before(rig: Rig, folder: Path) -> Rig:
    rig.send(DeviceLost(rig.now_ms, "pad", "The reader is gone."))
    rig.press("deal", "again")
    rig.table._carry_out(Answer(rig.state, begins_match=True), None, rig.now_ms, rig.now_ms)
    return rig


@pytest.mark.parametrize(
    "goes_away",
    [away_at_the_start, away_across_a_power_cut, away_when_the_match_was_left, away_from_the_match_before],
)
def test_however_the_reader_came_to_be_away_what_was_laid_by_hand_is_asked_for_after_a_power_cut(
    tmp_path: Path, goes_away: Callable[[Rig, Path], Rig]
) -> None:
    rig = goes_away(Rig(directory=tmp_path), tmp_path)
    if rig.state.match.phase is Phase.BETWEEN:
        rig.press("deal")
        rig.pick("r9")
    rig.pick("g5" if rig.state.match.colour is Colour.GREEN else "r5")
    named = rig.state.match.top
    assert named is not None
    again = back_after_a_power_cut(rig, tmp_path)
    assert is_asked(again, named.code)
    again.press("no")
    again.press("undo")
    other = "g7" if named.code == "g5" else "r7"
    again.pick(other)
    third = back_after_a_power_cut(again, tmp_path)
    third.tap(other)
    assert third.state.question is None, "the reader was back then: a dead sticker, which asks nothing"


@pytest.mark.parametrize("device", ["buttons", "GpioButtons", "pile"])
def test_what_could_see_no_card_laid_is_missing_without_a_question(device: str) -> None:
    rig = Rig(options=Options(pile_reader="pile"))
    rig.begin()
    rig.send(DeviceLost(rig.now_ms, device, "It is gone."))
    rig.pick("r7")
    assert not is_asked(rig, "r7")


def test_the_one_of_two_that_does_not_lie_on_top_is_asked_for_and_not_called_the_top_card() -> None:
    """By the record both red 7s lie in the pile, one by its face alone, and the other one on top is known."""
    rig = Rig()
    rig.begin()
    rig.pick("r7")
    rig.tap("r3", "r7#2")
    before = rig.state.match
    rig.tap("r7#2")
    assert rig.state.question is None and rig.heard.notices[-1].text == "The {} lies on top already."
    rig.tap("r7#1")
    assert rig.state.match is before and isinstance(rig.state.question, ShuffleQuestion)
    rig.press("yes")
    assert rig.lines[-1] == "Ann: r7#1" and rig.last.ruling.is_ok


def test_one_of_two_that_may_lie_on_top_is_asked_for_too() -> None:
    """Both lie in the pile by the record; whether this is the top one or came out of the pile only people know."""
    rig = Rig()
    rig.begin()
    rig.tap("r7#2")
    rig.pick("r7")
    before = rig.state.match
    rig.tap("r7#1")
    assert isinstance(rig.state.question, ShuffleQuestion)
    rig.press("no")
    assert rig.state.match is before


def test_a_third_of_two_named_on_the_screen_asks_whether_the_pile_was_shuffled() -> None:
    """Without a reader nothing tells which of the equal cards it is: it may come from a pile shuffled in silence."""
    rig = Rig()
    rig.begin()
    rig.pick("r7", "r7", "r3")
    before = rig.state.match
    rig.pick("r7")
    asked = present(rig.state, rig.now_ms).question
    assert asked is not None and asked.text == "The red 7 lies in the discard pile. Was that shuffled?"
    rig.press("no")
    assert rig.state.match is before
    rig.pick("r7")
    rig.press("yes")
    assert rig.lines[-1] == "Ann: r7" and rig.last.ruling.is_ok
    assert not rig.state.match.owes[0] and rig.state.match.draw_pile > before.draw_pile


def test_one_that_another_player_is_known_to_hold_is_refused_and_given_to_that_player() -> None:
    """Not all of them lie in the pile: whoever holds the other one named it, before their turn."""
    rig = Rig(setup("house: jump-in"), options=Options(is_tracked=True, cards_each=3))
    rig.tap("r1", "g2", "b2", "r4", "g4", "b4", "r7", "g6", "r7#2", "r9")
    rig.pick("r7")
    assert rig.lines[-1] == "Ann: r7" and rig.last.ruling.is_ok and rig.state.match.turn == 1
    rig.pick("r7")
    assert rig.state.question is None and rig.lines[-1] == "Ben: r7" and not rig.last.ruling.is_ok
    rig.press("give:2")
    assert rig.lines[-1] == "Cy: r7" and rig.last.ruling.is_ok


@pytest.mark.parametrize("is_tapped", [True, False])
def test_the_only_one_of_its_kind_named_again_lies_on_top_already(is_tapped: bool) -> None:
    rig = Rig()
    rig.begin()
    if is_tapped:
        rig.tap("r0")
    else:
        rig.pick("r0")
    before = rig.state.match
    rig.pick("r0")
    assert rig.state.match is before and rig.state.question is None
    assert rig.heard.notices[-1].text == "The {} lies on top already."
