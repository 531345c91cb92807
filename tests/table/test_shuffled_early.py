"""A pile that was shuffled while the record had cards left, and cards that lie elsewhere than the record says.

Each of these was found by the simulation.
"""

from __future__ import annotations

import pytest

from hardware.signals import TagPlaced
from table_app.display.present import present
from table_app.rules import Card, Phase, face
from table_app.rules.ruling import Code
from table_app.table.notices import NoticeKind
from table_app.table.planning import FEW_LEFT
from table_app.table.state import Options, ShuffleQuestion
from table_app.table.stickers import is_sticker
from table_app.transcript.redacting import redacted
from tests.table.rig import Rig, setup, uid
from tests.table.test_tracked import ONE, TWO, begun, on_pile


def test_a_card_drawn_from_a_pile_shuffled_early_is_drawn_and_not_laid() -> None:
    rig = begun(TWO)
    rig.tap("r1", "r3")
    on_pile(rig, "r1")
    assert isinstance(rig.state.question, ShuffleQuestion)
    rig.press("yes")
    assert rig.lines[-1] == "Cy: draw r1#1" and rig.last.ruling.is_ok
    assert rig.state.match.hands[2].size == 4 and rig.state.match.top is face("r3")
    assert len(rig.state.match.discard_pile) == 1


def test_a_counted_card_that_the_record_has_in_the_pile_is_asked_about_without_its_name() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r3")
    assert rig.phase() is Phase.OUT
    rig.tap("r9")  # turned first; it came back into Ben's hand
    assert isinstance(rig.state.question, ShuffleQuestion)
    question = present(rig.state, rig.now_ms).question
    assert question is not None and "red 9" not in question.text
    rig.press("no")
    notice = rig.heard.notices[-1]
    assert notice.kind is NoticeKind.REFUSED and not notice.parts
    rig.tap("r9")
    rig.press("yes")
    assert rig.lines[-1] == "Ben: shows r9#1" and rig.last.ruling.is_ok


def test_a_known_card_that_lies_on_top_was_laid_unseen() -> None:
    """Resync at a tracked table: the hand that held it has one card fewer, and nothing was shuffled."""
    rig = Rig(setup(), options=ONE)
    for cards in (("r0", "r3", "y4"), ("r2", "b5", "y5"), ("g5", "w+4", "r9#2")):
        rig.tap(*cards)
    rig.tap("r9")
    rig.press("form:resync")
    rig.pick("r0")
    rig.press("seat:1")
    assert rig.lines[-3:] == ["table: set turn Ben", "table: set hand Ann 2", "table: set top r0"]
    assert rig.last.ruling.is_ok


def test_who_must_choose_a_swap_calls_with_the_own_seat() -> None:
    """A table of tags alone has no other button for it."""
    rig = Rig(setup("house: seven-o"), cards_each=2)
    rig.begin()
    rig.tap("r7")
    rig.press("seat:0")
    assert rig.lines[-1] == "Ann: uno" and rig.last.ruling.is_ok
    rig.press("seat:1")
    assert rig.lines[-1] == "Ann: swap Ben" and rig.last.ruling.is_ok


def test_a_new_tag_for_one_of_two_equal_cards_makes_neither_unknown() -> None:
    rig = Rig()
    rig.begin()
    rig.press("form:tag")
    rig.pick("r3")
    rig.send(TagPlaced(rig.now_ms, "pad", uid(999)))
    meaning = rig.state.tags[uid(999)]
    assert isinstance(meaning, Card) and meaning.face is face("r3") and is_sticker(meaning.copy)
    rig.tap("r3", "r3#2")
    assert [line for line in rig.lines if "r3" in line] == ["Ann: r3#1", "Ben: r3#2"]


def test_a_redacted_match_goes_on_after_an_early_shuffle() -> None:
    """Its onlooker counts other cards left than the referee does, and is told to shuffle all the same."""
    rig = begun(TWO)
    rig.tap("r1", "r3")
    on_pile(rig, "r1")
    rig.press("yes")
    rig.tap("r1")
    actions = [done.ruling.action for done in rig.heard.done]
    lines = list(redacted(rig.setup, actions))
    assert any(line.endswith("table: reshuffle") for line in lines) and lines[-1].endswith("Cy: r1#1")


@pytest.mark.parametrize("way", ["prove", "challenge", "prove, a call since", "challenge, points put right since"])
def test_a_hand_with_a_card_of_a_pile_shuffled_in_silence_is_shown(way: str) -> None:
    """While a hand is shown the core shuffles nothing: the shuffle stands before the question in the record."""
    proves = way.startswith("prove")
    rig = Rig(setup("wild4: prove") if proves else setup(), options=Options(cards_each=6))
    rig.begin()
    rig.tap("r0", "r2", "r3", "w+4")
    if not proves:
        rig.press("colour:blue", "challenge")
    if "call" in way:
        rig.press("uno:1")
    if "points" in way:
        rig.press("form:score", "seat:1", "digit:7", "yes")
    before = rig.state.match
    rig.tap("r0")
    rig.press("yes")
    rig.tap("y1", "y2", "y3")
    assert rig.last.ruling.is_ok and rig.lines[-1] == "Ann: shows r0#1 y1#1 y2#1 y3#1"
    assert rig.state.match.scores == before.scores
    if not proves:
        assert rig.state.match.owes == (4, 0, 0)
    rig.press("undo")
    after = rig.state.match
    assert (after.question, after.hands, after.top) == (before.question, before.hands, before.top)
    assert (after.scores, after.draw_pile) == (before.scores, before.draw_pile)


def test_a_shuffle_of_a_pile_of_one_card_changes_nothing_and_is_no_foul() -> None:
    rig = Rig()
    rig.begin()
    told = len(rig.lines)
    rig.press("reshuffle")
    assert rig.lines[told:] == [] and rig.state.notice is not None and rig.state.notice.kind is NoticeKind.SAID


@pytest.mark.parametrize("ways", ["discard-wilds", "charade"])
def test_a_discarded_card_of_a_pile_shuffled_in_silence_is_discarded(ways: str) -> None:
    """The shuffle stands in the record before the card that asked for discards, and one Undo takes all of it back."""
    rig = Rig(setup("edition: 2018", f"custom: {ways}"), options=Options(cards_each=6))
    rig.begin()
    wild, code = ways == "discard-wilds", "w" if ways == "discard-wilds" else "r0"
    rig.tap(code)
    rig.press(*["colour:red"] * wild)
    rig.tap("r2", "r3", "wcustom")
    rig.press("colour:red", *["seat:1"] * (not wild))
    before = rig.state.match
    assert before.question is not None
    rig.tap(code)
    rig.press("yes", "yes")
    assert rig.last.ruling.is_ok and rig.lines[-1].endswith(f": discard {code}#1"), rig.lines[-3:]
    rig.press("undo")
    assert (rig.state.match.question, rig.state.match.hands) == (before.question, before.hands)


def test_a_card_that_lies_in_the_pile_without_its_copy_is_asked_about() -> None:
    """There is one red 0: what was named by hand must be the card that is tapped now, so the pile was shuffled."""
    rig = Rig()
    rig.begin()
    rig.pick("r0")
    rig.tap("r2", "r3")
    rig.tap("r0")
    assert isinstance(rig.state.question, ShuffleQuestion)
    rig.press("yes")
    assert rig.last.ruling.is_ok and rig.lines[-1] == "Ann: r0#1"
    rig.press("undo", "draw")  # the card drawn may be none that lies in the pile
    rig.tap("r0")
    assert isinstance(rig.state.question, ShuffleQuestion)
    rig.press("yes")
    assert rig.last.ruling.is_ok and rig.lines[-1] == "Ann: r0#1"
    rig.press("undo")
    rig.tap("r0")
    rig.press("no")
    assert rig.state.match.top is face("r3")


def test_a_card_named_by_hand_and_tapped_then_lies_on_top_already() -> None:
    rig = Rig()
    rig.press("deal")
    rig.pick("r0")
    told = len(rig.lines)
    rig.tap("r0")
    assert rig.lines[told:] == [] and rig.state.notice is not None and rig.state.question is None


def test_a_shuffle_that_the_record_cannot_be_told_is_asked_about_once() -> None:
    """Nobody holds a card that could stand aside for it: the card is refused, and nothing is asked again."""
    rig = Rig()
    rig.begin()
    rig.pick("r0")
    rig.tap("r2", "r3")
    for seat in range(3):
        rig.press("form:count", f"seat:{seat}", "digit:0", "yes")
    rig.tap("r0")
    rig.press("yes")
    assert rig.state.question is None


def few_left(rig: Rig, left: int, seat: int) -> None:
    """Put the number of *seat*'s cards so that the record has *left* to draw."""
    match = rig.state.match
    count = match.hands[seat].size + match.draw_pile - left
    rig.press("form:count", f"seat:{seat}", *(f"digit:{digit}" for digit in str(count)), "yes")
    assert rig.state.match.draw_pile == left


def shuffled_in_a_challenge(left: int) -> Rig:
    """The pile with the red 0 was shuffled while a hand was shown, which the record could not be told. Cy to play."""
    rig = Rig(setup("wrong-play: 2"))
    rig.begin()
    rig.tap("r0", "r2", "r3")
    few_left(rig, left, 2)
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("r0")
    rig.press("yes", "finds:innocent")
    rig.press(*["draw"] * 6)
    assert rig.state.match.turn == 2 and not rig.state.match.is_owing()
    return rig


def test_a_card_of_a_shuffled_pile_that_does_not_match_is_refused_for_that() -> None:
    """So it costs what a wrong card costs, and can be allowed."""
    rig = shuffled_in_a_challenge(FEW_LEFT)
    rig.tap("r0")
    assert rig.last.ruling.code is Code.NO_MATCH and rig.state.match.owes[2] == 2
    rig.press("allow")
    assert rig.last.ruling.is_ok and rig.state.match.top is face("r0")
    rig.press("undo", "undo")
    assert "reshuffle" in " ".join(rig.lines) and rig.state.match.top is face("w+4")


@pytest.mark.parametrize("left", [0, 5])
@pytest.mark.parametrize("way", ["yes", "button", "shown", "top"])
def test_undo_of_a_shuffle_says_what_was_done_and_that_cards_stay_mixed(way: str, left: int) -> None:
    """Not the bookkeeping of it: a hand that had ninety cards for a moment is nobody's business."""
    rig = Rig(setup("wild4: prove"), options=Options(cards_each=6))
    rig.begin()
    rig.tap("r0", "r2", "r3")
    few_left(rig, left, 2)
    if way == "yes":
        rig.tap("r0")
        rig.press("yes")
    elif way == "button":
        rig.press("reshuffle")
    elif way == "shown":
        rig.tap("w+4", "r0")
        rig.press("yes")
        rig.tap("y1", "y2", "y3")
    else:
        rig.press("form:top")
        rig.tap("r0")
    assert rig.last.ruling.is_ok and any("reshuffle" in line for line in rig.lines[-4:])
    rig.press("undo")
    headline = present(rig.state, rig.now_ms).headline
    assert headline is not None
    assert "shuffled and becomes the draw pile" in headline.text and "can't be sorted again" in headline.text
    assert "Cards in the hand" not in headline.text and "more act" not in headline.text
    if way == "yes":
        assert "Ann takes the red 0 back." in headline.text


def test_undo_of_a_number_of_cards_beside_a_shuffle_still_says_it() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r0", "r2")
    rig.press("form:count", "seat:0", "digit:3", "yes", "undo")
    headline = present(rig.state, rig.now_ms).headline
    assert headline is not None and "Cards in the hand of Ann: 3." in headline.text
