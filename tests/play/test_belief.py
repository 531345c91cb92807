"""At a counted table real cards go before the record: what is laid, shown or said puts it right, is told, and one Undo
takes it back. Nothing that was tapped is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import DeviceBack, DeviceLost
from table_app.play.hands_tapped import RIGHT_AFTER_MS
from table_app.play.state import QUESTION_MS, DrawnQuestion, Options
from table_app.rules import Phase
from table_app.view.present import present
from tests.simulation.leaks import view_texts
from tests.table.rig import Rig, setup


def headline(rig: Rig) -> str:
    view = present(rig.state, rig.now_ms)
    assert view.headline is not None
    return view.headline.text


# -- whose card it was -----------------------------------------------------------------------------------------


def test_a_seat_touched_before_the_card_says_whose_it_is() -> None:
    rig = Rig()
    rig.begin()
    rig.press("seat:2")
    assert rig.heard.notices[-1].text.startswith("{}: the card that is tapped")
    rig.tap("r3")
    assert rig.lines[-5:] == ["Ann: draw", "Ann: keep", "Ben: draw", "Ben: keep", "Cy: r3#1"]
    assert "Ann and Ben drew 1 each." in headline(rig)
    rig.press("undo")
    assert [hand.size for hand in rig.state.match.hands] == [7, 7, 7]


def test_a_seat_touched_before_draw_says_who_drew() -> None:
    rig = Rig()
    rig.begin()
    rig.press("seat:1", "draw")
    assert rig.lines[-3:] == ["Ann: draw", "Ann: keep", "Ben: draw"]


def test_a_card_of_a_hand_that_was_shown_is_named_as_that_players() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("b1", "g2", "g3", "g4", "g5", "g6")
    rig.press("draw")  # Ann draws four
    rig.tap("g6")  # it is the turn of Ben
    assert rig.lines[-1] == "Ann: g6#1" and rig.last.ruling.code == "not-your-turn"
    rig.press("seat:0")
    assert rig.lines[-1] == "Ann: g6#1"


def test_a_card_drawn_without_a_word_into_a_known_hand_is_laid() -> None:
    rig = Rig(setup("players: Ann, Ben"))
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("g1", "g2", "g3", "g4", "g5", "g6")  # innocent, and known from now on
    rig.press("draw")
    rig.tap("b7")
    assert rig.lines[-2:] == ["Ann: draw", "Ann: b7#1"] and "Ann drew 1." in headline(rig)
    rig.press("undo")
    assert rig.state.match.hands[0].size == 6


# -- the pile --------------------------------------------------------------------------------------------------


def test_where_few_cards_are_left_a_card_of_the_pile_says_itself_that_it_was_shuffled() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3", "r4")
    rig.press("form:count", "seat:0", "digit:8", "digit:5", "yes")
    rig.tap("r3")
    assert rig.lines[-2:] == ["table: reshuffle", "Cy: r3#1"]
    assert headline(rig).endswith("The discard pile was shuffled.")
    rig.press("undo")
    assert rig.state.match.turn == 2 and len(rig.state.match.discard_pile) == 3


def test_a_card_that_waits_is_not_laid_where_another_one_is() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3", "r4", "r3", "r5")
    assert rig.lines[-1] == "Cy: r5#1" and rig.state.held is None
    rig.press("reshuffle")
    assert rig.lines[-1] == "table: reshuffle"


def test_a_hand_with_a_card_of_the_pile_is_shown_and_the_pile_was_shuffled() -> None:
    rig = Rig(cards_each=3)
    rig.begin()
    rig.tap("r3", "r4", "r5", "w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("r3")
    assert rig.lines[-2:] == ["table: reshuffle", "Ann: shows r3#1"]


def test_a_card_named_by_hand_that_the_reader_reads_after_all_is_not_laid_twice() -> None:
    rig = Rig()
    rig.begin()
    rig.send(DeviceLost(rig.now_ms, "pad", "The reader is gone."))
    rig.pick("r3")
    rig.send(DeviceBack(rig.now_ms, "pad"))
    rig.tap("r3", later_ms=300)
    assert rig.lines[-1] == "Ann: r3" and rig.state.lies_in_pile(rig.state.places.discard_pile[-1])
    rig.tap("r3#2")
    assert rig.lines[-1] == "Ben: r3#2"


# -- hands -----------------------------------------------------------------------------------------------------


LATER_MS = RIGHT_AFTER_MS + 1_000
"""After a hand: somebody may have drawn what is owed."""


def challenged() -> Rig:
    rig = Rig(cards_each=3)
    rig.begin("r9")
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    return rig


def test_a_challenged_hand_that_goes_on_is_judged_by_all_of_its_cards() -> None:
    """HardlyDifficult/HardlyBot 56: the record knew of two cards, and the only red one came last."""
    rig = challenged()
    rig.tap("g1", "g2")
    assert [str(done) for done in rig.last.ruling.effects][:1] == ["innocent Ann"]
    rig.tap("g3", "r7")
    assert rig.lines[-1] == "Ann: shows g1#1 g2#1 g3#1 r7#1" and rig.state.held is None
    assert [str(done) for done in rig.last.ruling.effects][:2] == ["number Ann 4", "guilty Ann"]
    assert rig.state.match.owes == (4, 0, 0)
    rig.press("undo")
    assert rig.lines[-1] == "Ann: shows g1#1 g2#1 g3#1" and rig.state.match.owes == (0, 6, 0)


@pytest.mark.parametrize("touch", ["seat:0", "give:0"])
def test_one_card_more_is_given_to_its_hand_by_a_touch_and_never_named(touch: str) -> None:
    rig = challenged()
    rig.tap("g1", "g2")
    assert rig.lines[-1] == "Ann: shows g1#1 g2#1"
    rig.tap("r7", later_ms=LATER_MS)
    assert rig.lines[-1] == "Ann: shows g1#1 g2#1" and rig.state.held is not None
    assert not any("red 7" in text for text in view_texts(present(rig.state, rig.now_ms)))
    rig.press(touch)
    assert rig.lines[-1] == "Ann: shows g1#1 g2#1 r7#1"
    assert [str(done) for done in rig.last.ruling.effects][:2] == ["number Ann 3", "guilty Ann"]
    assert "Ann shows 3, more than was thought" in headline(rig)
    rig.press("undo")
    assert rig.state.match.owes == (0, 6, 0)


def test_a_card_tapped_after_a_verdict_is_the_next_players_once_the_seat_says_so() -> None:
    rig = challenged()
    rig.tap("g1", "g2")
    rig.tap("b7", later_ms=LATER_MS)
    rig.press("seat:2")
    assert rig.lines[-2:] == ["Ben: draw 6", "Cy: b7#1"]


def test_who_shows_fewer_is_asked_for_the_rest_and_says_yes_twice() -> None:
    rig = challenged()
    rig.tap("b1")
    rig.press("yes")
    assert "tap the rest" in rig.heard.notices[-1].text and rig.lines[-1] == "Ben: challenge"
    rig.press("yes")
    assert rig.lines[-2:] == ["table: set hand Ann 1", "Ann: shows b1#1"] and rig.state.match.owes == (0, 6, 0)


def test_the_last_hand_of_the_count_takes_one_card_more_by_itself() -> None:
    rig = Rig(setup("players: Ann, Ben"), cards_each=1)
    rig.begin("r9")
    rig.tap("r3", "b1", "b2")
    assert rig.lines[-1] == "Ben: shows b1#1 b2#1" and rig.state.match.scores == (3, 0)
    assert rig.phase() is Phase.BETWEEN
    rig.tap("b2")
    assert rig.heard.notices[-1].text == "That card was shown already."
    rig.wait(10_000)
    rig.tap("g5")
    assert rig.state.match.round_number == 2


def test_what_is_owed_before_the_count_is_drawn_when_a_hand_is_shown() -> None:
    rig = Rig(cards_each=1)
    rig.begin("r9")
    rig.tap("r+2", "g1", "g2", "g3")
    assert rig.lines[-2:] == ["Ben: draw 2", "Ben: shows g1#1 g2#1 g3#1"]


# -- the one question about a card -----------------------------------------------------------------------------


@pytest.mark.parametrize("later", ["wait", "press"])
def test_a_card_that_was_asked_about_is_drawn_where_nobody_says_a_word(later: str) -> None:
    rig = Rig(options=Options(2, is_tracked=True))
    rig.press("deal")
    rig.tap("r9", "r1")
    assert isinstance(rig.state.question, DrawnQuestion)
    if later == "wait":
        rig.wait(QUESTION_MS + 1)
        assert rig.lines[-1] == "Ann: draw r1#1"
    else:
        rig.press("keep")
        assert rig.lines[-2:] == ["Ann: draw r1#1", "Ann: keep"]


# -- putting right ---------------------------------------------------------------------------------------------


def test_a_debt_and_the_target_are_put_right() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r+2")
    rig.press("form:owes", "seat:1", "digit:0", "yes")
    assert rig.lines[-1] == "table: set owes Ben 0" and rig.state.match.turn == 1
    rig.press("form:target", "digit:7", "digit:5", "digit:0", "yes")
    assert rig.lines[-1] == "table: set target 750"
    rig.press("form:score", "seat:1", "yes")  # as it stands
    assert rig.lines[-1] == "table: set score Ben 0"


def test_direction_and_the_colour_of_a_wild_are_put_right_by_one_press() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w")
    rig.press("colour:red", "colour:blue", "direction:anticlockwise")
    assert rig.lines[-2:] == ["table: set colour blue", "table: set direction anticlockwise"]


def test_a_card_laid_unseen_is_told_by_the_top_card_and_the_turn() -> None:
    rig = Rig()
    rig.begin()
    rig.press("form:resync", "seat:1")
    rig.tap("r3")
    assert rig.lines[-1] == "Ann: r3#1" and rig.state.match.hands[0].size == 6


CONFUSIONS = {
    "a turn": (),
    "a drawn card": ("draw",),
    "a wild": ("=w",),
    "a Wild Draw Four": ("=w+4", "colour:red"),
    "a challenge": ("=w+4", "colour:red", "challenge"),
    "a hand half shown": ("=w+4", "colour:red", "challenge", "=g1"),
    "a debt": ("=r+2",),
    "a fine": ("form:count", "seat:0", "digit:2", "yes", "=r1", "wait"),
    "a card that waits": ("=r3", "=r4", "=r3"),
    "a form": ("form:score", "seat:1", "digit:4"),
    "a pause": ("pause",),
    "somebody out": ("form:count", "seat:0", "digit:1", "yes", "=r1"),
    "a count begun": ("form:count", "seat:0", "digit:1", "yes", "=r1", "=g1"),
    "a last debt": ("form:count", "seat:0", "digit:1", "yes", "=r+2"),
    "a match that is over": ("form:count", "seat:0", "digit:1", "yes", "=r1"),
    "a first wild": ("=first",),
    "a swap": ("=r7",),
    "a proof": ("=w+4",),
    "a dare": ("=wcustom", "colour:red"),
    "discards": ("=wcustom", "colour:red"),
    "an empty pile": ("form:count", "seat:2", "digit:9", "digit:3", "yes"),
}
HEADERS = {
    "a match that is over": ("target: none",),
    "a swap": ("house: seven-o",),
    "a proof": ("wild4: prove",),
    "a dare": ("edition: 2018", "custom: dare 2"),
    "discards": ("edition: 2018", "custom: discard-wilds"),
}


@pytest.mark.parametrize("confusion", CONFUSIONS)
@pytest.mark.parametrize("is_cut", [False, True])
def test_out_of_any_state_in_at_most_five_presses(confusion: str, is_cut: bool, tmp_path: Path) -> None:
    rig = Rig(setup("players: Ann, Ben, Cy", *HEADERS.get(confusion, ())), tmp_path)
    rig.begin("w" if confusion == "a first wild" else "r9")
    for step in CONFUSIONS[confusion]:
        if step == "wait":
            rig.wait(7_000)
        elif step.startswith("=") and step != "=first":
            rig.tap(step[1:])
        elif not step.startswith("="):
            rig.press(step)
    if is_cut:
        rig.opened.close()
        rig = Rig(rig.setup, tmp_path)
    before = len(rig.heard.signals)
    rig.press("form:resync", "seat:2")
    rig.tap("w#2")
    rig.press("colour:yellow")
    presses = [signal for signal in rig.heard.signals[before:] if type(signal).__name__ != "TagRemoved"]
    match = rig.state.match
    assert len(presses) <= 5
    assert (match.phase, match.turn, str(match.colour), match.question) == (Phase.PLAY, 2, "yellow", None)
    rig.tap("y3")
    assert rig.lines[-1] == "Cy: y3#1" and rig.last.ruling.is_ok
