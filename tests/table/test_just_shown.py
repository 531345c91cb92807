"""A card tapped right after a hand was shown to the referee alone: of that hand again, one card more, or a play.

Nothing that is said or asked names a face before somebody says that it is laid.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hardware.signals import TagPlaced, TagRemoved
from table_app.display.present import notice_text, present
from table_app.rules import Card, Phase, Setup, Shows, face
from table_app.table.just_shown import RIGHT_AFTER_MS
from table_app.table.resume import replay
from table_app.table.state import DebtQuestion, MoreQuestion, StartQuestion
from table_app.table.stickers import sticker_card
from tests.simulation.leaks import Listener, view_texts
from tests.table.rig import Rig, setup, uid

ALREADY = "That card was shown already."


def challenged(agreed: Setup | None = None, directory: Path | None = None, cards_each: int = 4) -> Rig:
    """Ann laid a Wild Draw Four on red, names blue, and is challenged."""
    rig = Rig(agreed, directory, cards_each=cards_each)
    rig.begin("r9")
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    return rig


def counted() -> Rig:
    """Everybody laid all but one card, and Ann the last one; by the record Ben and Cy hold one each."""
    rig = Rig(cards_each=2)
    rig.begin("r9")
    for seat, code in enumerate(("r1", "r2", "r3")):
        rig.tap(code)
        rig.press(f"uno:{seat}")
    rig.tap("r4")
    assert rig.phase() is Phase.OUT
    return rig


def last_notice(rig: Rig) -> str:
    return notice_text(rig.state.match, rig.heard.notices[-1])


def question(rig: Rig) -> str:
    view = present(rig.state, rig.now_ms)
    assert view.question is not None
    return view.question.text


def assert_names(rig: Rig, *names: str, is_named: bool = False) -> None:
    """Whether the screen and what was said last have any of these *names* of cards."""
    texts = [*view_texts(present(rig.state, rig.now_ms)), *([last_notice(rig)] if rig.heard.notices else [])]
    assert any(name in text for name in names for text in texts) is is_named


def assert_replays(rig: Rig) -> None:
    resumed = replay(rig.setup, rig.entries, rig.tags)
    for name in ("match", "shown", "showing", "places", "past"):
        assert getattr(resumed, name) == getattr(rig.state, name), name


def verdict(rig: Rig) -> str:
    """What the last showing that stands came to."""
    deeds = [deed.ruling for deed in rig.state.past.deeds if isinstance(deed.ruling.action, Shows)]
    return " ".join(done.word for done in deeds[-1].effects)


# -- once more -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["y1", "y3"])
@pytest.mark.parametrize("later_ms", [1000, 60_000])
def test_after_a_verdict_a_card_of_that_hand_was_shown_already(code: str, later_ms: int) -> None:
    rig = challenged()
    rig.tap("y1", "y2", "y3")
    told = len(rig.lines)
    rig.tap(code, later_ms=later_ms)
    assert last_notice(rig) == ALREADY and rig.lines[told:] == [] and rig.state.question is None
    rig.press("draw", "draw")
    rig.tap(code)
    assert last_notice(rig) == ALREADY
    assert_names(rig, "yellow")
    assert_replays(rig)


def test_a_card_of_the_hand_that_lies_on_the_pad_when_the_power_comes_back_was_shown_already(tmp_path: Path) -> None:
    rig = challenged(directory=tmp_path)
    rig.tap("y1", "y2", "y3")
    rig.opened.close()
    rig = Rig(directory=tmp_path, cards_each=4)
    rig.tap("y3")
    assert last_notice(rig) == ALREADY and rig.state.question is None
    assert_names(rig, "yellow")


def test_a_card_of_which_only_the_tag_is_known_was_shown_already_too() -> None:
    rig = challenged(cards_each=2)
    rig.table.state = replace(rig.state, tags={**rig.tags, uid(900): sticker_card(face("y1"), uid(900), ())})
    for _time in range(2):
        rig.now_ms += 1000
        rig.send(TagPlaced(rig.now_ms, "pad", uid(900)))
        rig.send(TagRemoved(rig.now_ms, "pad", uid(900)))
    assert rig.lines[-1].startswith("Ann: shows y1#") and last_notice(rig) == ALREADY


def test_after_the_last_hand_of_the_count_no_card_of_it_is_the_first_of_the_next_round() -> None:
    rig = counted()
    rig.show_hands("y1", "g5")
    assert rig.phase() is Phase.BETWEEN
    rig.tap("g5")
    assert last_notice(rig) == ALREADY and rig.state.question is None
    rig.tap("g6", later_ms=3_500)
    assert isinstance(rig.state.question, MoreQuestion)
    rig.tap("g5", later_ms=60_000)  # gathered, shuffled and dealt without a word
    assert isinstance(rig.state.question, StartQuestion)


def test_with_two_players_a_card_of_that_hand_is_a_play_once_the_cards_may_be_drawn() -> None:
    rig = challenged(setup("players: Ann, Ben"))
    rig.tap("y1", "y2", "y3")
    rig.tap("y3")
    assert last_notice(rig) == ALREADY
    rig.tap("y3", later_ms=10_000)
    assert question(rig) == "Have the cards been drawn that are owed (Ben 6)?"
    rig.press("no")
    assert_names(rig, "yellow")
    rig.tap("y3", later_ms=10_000)
    rig.press("yes")
    assert rig.lines[-2:] == ["Ben: draw 6", "Ann: y3#1"]


# -- one card more ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", [(), ("players: Ann, Ben, Cy, Dan", "house: teams")])
@pytest.mark.parametrize("more", ["y5", "r5"])
def test_one_card_more_in_a_challenge_is_asked_for_and_judged(lines: tuple[str, ...], more: str) -> None:
    rig = challenged(setup(*lines))
    rig.tap("y1", "y2", "y3")
    assert "innocent" in verdict(rig)
    rig.tap(more)
    assert question(rig) == "One card more: does it belong to the hand of Ann, too?"
    assert_names(rig, "yellow", "red 5")
    rig.press("yes")
    assert rig.lines[-1] == "table: undo" and len(rig.state.showing.cards) == 4
    assert "yes" in [control.button for control in present(rig.state, rig.now_ms).controls]
    assert_replays(rig)
    rig.press("yes")
    assert rig.lines[-2:] == ["table: set hand Ann 4", f"Ann: shows y1#1 y2#1 y3#1 {more}#1"]
    assert ("guilty" in verdict(rig)) is (more == "r5")
    assert_replays(rig)


def test_a_fine_for_a_call_that_was_never_due_is_lifted_with_the_card_more() -> None:
    rig = challenged(cards_each=2)
    assert rig.state.match.fines[0] == 2
    rig.tap("y1", "r5")
    rig.press("yes", "yes")
    assert rig.state.match.fines[0] == 0 and rig.state.match.owes == (4, 0, 0)
    assert "guilty" in verdict(rig)
    assert_replays(rig)


def test_no_means_a_play_which_asks_for_the_debts_without_a_face() -> None:
    rig = challenged()
    rig.tap("y1", "y2", "y3", "b5")
    assert isinstance(rig.state.question, MoreQuestion)
    rig.press("no")
    assert isinstance(rig.state.question, DebtQuestion)
    assert question(rig) == "Have the cards been drawn that are owed (Ben 6)?"
    rig.press("seat:1")
    assert last_notice(rig) == "That card can't be Ben's: it could not be their turn."
    rig.press("yes")
    assert rig.lines[-2:] == ["Ben: draw 6", "Cy: b5#1"]
    assert_replays(rig)


def test_later_or_after_a_draw_a_further_card_is_asked_about_the_debts_without_a_face() -> None:
    for press in ((), ("draw",)):
        rig = challenged()
        rig.tap("y1", "y2", "y3")
        rig.press(*press)
        rig.tap("b5", later_ms=1000 if press else RIGHT_AFTER_MS + 1000)
        assert question(rig).startswith("Have the cards been drawn that are owed (Ben")
        told = len(rig.lines)
        rig.press("no")
        assert last_notice(rig) == "First the cards are drawn that are owed." and rig.lines[told:] == []
        assert_names(rig, "blue 5")


def test_one_card_more_in_a_proof_is_judged() -> None:
    rig = Rig(setup("wild4: prove"), cards_each=3)
    rig.begin("r9")
    rig.tap("w+4")
    rig.press("colour:blue")
    rig.tap("y1", "y2", "r5")
    assert isinstance(rig.state.question, MoreQuestion)
    rig.press("yes", "yes")
    assert rig.lines[-2:] == ["table: set hand Ann 3", "Ann: shows y1#1 y2#1 r5#1"]
    assert "guilty" in verdict(rig)
    assert_replays(rig)


def test_the_card_of_a_proof_that_failed_is_no_card_more_of_the_hand() -> None:
    rig = Rig(setup("wild4: prove"), cards_each=3)
    rig.begin("r9")
    rig.tap("w+4")
    rig.press("colour:blue")
    rig.tap("y1", "r5")
    assert "guilty" in verdict(rig)
    rig.tap("w+4")
    assert not isinstance(rig.state.question, MoreQuestion)
    rig.tap("r5")  # which is laid instead
    assert rig.lines[-1] == "Ann: r5#1" and rig.last.ruling.is_ok


def test_one_card_more_in_the_count_counts_for_that_hand_and_not_for_the_next() -> None:
    rig = counted()
    rig.show_hands("y1")
    rig.tap("y9")
    assert question(rig) == "One card more: does it belong to the hand of Ben, too?"
    assert_names(rig, "yellow")
    rig.press("yes", "yes")
    assert rig.lines[-1] == "Ben: points 10"
    rig.show_hands("g5")
    assert rig.lines[-1] == "Cy: shows g5#1" and rig.state.match.scores[0] == 15
    assert_replays(rig)


def test_in_teams_one_card_more_in_the_count_counts_for_that_hand() -> None:
    rig = Rig(setup("players: Ann, Ben, Cy, Dan", "house: teams"), cards_each=1)
    rig.begin("r9")
    rig.tap("r1")
    assert rig.phase() is Phase.OUT
    rig.show_hands("y1 y9")
    rig.press("yes", "yes")
    assert rig.lines[-1] == "Ben: points 10"
    rig.show_hands("g5")
    assert rig.lines[-1] == "Dan: shows g5#1" and rig.phase() is Phase.BETWEEN
    assert_replays(rig)


def test_one_card_more_after_the_last_hand_takes_the_end_of_the_round_back() -> None:
    rig = counted()
    rig.show_hands("y1", "g5 g6")
    assert isinstance(rig.state.question, MoreQuestion) and rig.phase() is Phase.BETWEEN
    rig.press("yes", "yes")
    assert rig.lines[-1] == "Cy: points 11" and rig.state.match.scores[0] == 12
    assert_replays(rig)


def test_no_means_the_first_card_of_the_next_hand() -> None:
    rig = counted()
    rig.tap("y1", "g5")
    rig.press("no")
    assert rig.lines[-2:] == ["Ben: shows y1#1", "Cy: shows g5#1"]


def test_with_the_usual_pause_between_two_hands_nothing_is_asked() -> None:
    rig = counted()
    rig.show_hands("y1", "g5")
    assert rig.phase() is Phase.BETWEEN and rig.state.match.scores[0] == 6


def test_whoever_touches_the_next_seat_is_asked_nothing() -> None:
    rig = counted()
    rig.tap("y1")
    rig.press("seat:2")
    rig.tap("g5")
    assert rig.lines[-1] == "Cy: shows g5#1"


# -- fewer cards than the record says --------------------------------------------------------------------------


@pytest.mark.parametrize("prove", [False, True])
def test_a_seat_touched_twice_shows_its_hand_however_many_cards_there_are(prove: bool) -> None:
    if prove:
        rig = Rig(setup("wild4: prove"), cards_each=4)
        rig.begin("r9")
        rig.tap("w+4")
        rig.press("colour:blue")
    else:
        rig = challenged()
    rig.press("seat:0", "seat:0")
    rig.tap("y1", "y2")
    view = present(rig.state, rig.now_ms)
    assert "2 so far" in view.prompt and "yes" in [control.button for control in view.controls]
    rig.press("yes")
    assert rig.lines[-2:] == ["table: set hand Ann 2", "Ann: shows y1#1 y2#1"]
    assert_replays(rig)


def test_a_hand_that_was_fined_since_is_judged_without_what_was_drawn_since() -> None:
    rig = Rig(cards_each=2)
    rig.begin("r9")
    rig.tap("w+4")
    rig.press("colour:blue")
    rig.press("catch:0", "draw")  # half the fine is drawn before the challenge
    rig.press("challenge", "seat:0", "seat:0")
    rig.tap("y1", "r5")
    rig.press("yes")
    assert "guilty" in verdict(rig) and rig.state.match.hands[0].size == 3
    assert_replays(rig)


def test_a_number_put_right_to_what_is_shown_gives_the_verdict_at_once() -> None:
    rig = challenged()
    rig.tap("y1", "y2")
    rig.press("form:count", "seat:0", "digit:2", "yes")
    assert rig.lines[-2:] == ["table: set hand Ann 2", "Ann: shows y1#1 y2#1"]
    assert "innocent" in verdict(rig)
    assert_replays(rig)


# -- the last debts --------------------------------------------------------------------------------------------


def last_debts() -> Rig:
    """Ann goes out with a Draw Two, and Ben draws without a word."""
    rig = Rig(cards_each=1)
    rig.begin("r9")
    rig.tap("r+2")
    assert rig.phase() is Phase.OUT and rig.state.match.owes[1] == 2
    return rig


def test_a_card_before_the_last_debts_are_drawn_asks_for_them_and_is_the_first_of_its_hand() -> None:
    rig = last_debts()
    rig.tap("y1")
    assert question(rig) == "Have the cards been drawn that are owed (Ben 2)?"
    assert_names(rig, "yellow")
    rig.press("yes")
    assert rig.lines[-1] == "Ben: draw 2" and rig.state.showing.cards == (rig.tags[rig.uid("y1")],)
    assert_replays(rig)
    rig.tap("y1")
    assert last_notice(rig) == "That card was shown already; take the next one."
    rig.tap("y2", "y3")
    assert rig.lines[-1] == "Ben: shows y1#1 y2#1 y3#1"
    assert_replays(rig)


def test_the_card_may_be_of_another_hand_that_is_touched() -> None:
    rig = last_debts()
    rig.tap("y1")
    rig.press("seat:2")
    assert rig.lines[-2:] == ["Ben: draw 2", "Cy: shows y1#1"]
    assert_replays(rig)


def test_a_seat_touched_before_the_last_debts_are_drawn_asks_for_them_and_shows_its_hand() -> None:
    rig = last_debts()
    rig.press("seat:2")
    assert question(rig) == "Have the cards been drawn that are owed (Ben 2)?"
    rig.press("yes")
    assert rig.lines[-1] == "Ben: draw 2"
    rig.tap("y1")
    assert rig.lines[-1] == "Cy: shows y1#1"
    assert_replays(rig)


def test_a_card_picked_on_the_screen_asks_for_the_last_debts_too() -> None:
    rig = last_debts()
    assert present(rig.state, rig.now_ms).picker is not None
    rig.pick("y1")
    rig.press("yes")
    assert rig.lines[-1] == "Ben: draw 2" and rig.state.showing.cards == (Card(face("y1")),)
    assert_replays(rig)


def test_no_means_that_the_last_debts_are_drawn_first() -> None:
    rig = last_debts()
    rig.tap("y1")
    rig.press("no")
    assert last_notice(rig) == "First the cards are drawn that are owed."
    rig.press("draw", "draw")
    rig.tap("y1", "y2", "y3")
    assert rig.lines[-1] == "Ben: shows y1#1 y2#1 y3#1"


# -- nobody hears a face ---------------------------------------------------------------------------------------


def test_none_of_this_names_a_card_of_a_hand() -> None:
    for rig, deeds in (
        (challenged(), ("y1 y2 y3 y3 b5", "no no", "b5", "no")),
        (counted(), ("y1 y9", "yes yes", "g5 g6", "yes yes")),
        (last_debts(), ("y1", "yes", "y2 y3 y4", "no")),
    ):
        listener = Listener(rig.setup)
        rig.table.add_observer(listener)
        for deed in deeds:
            for word in deed.split():
                rig.press(word) if word in ("yes", "no") else rig.tap(word)
                listener.show(rig.state, rig.now_ms)
        assert listener.leaks == []


def failed_proof() -> Rig:
    """Ann's proof has failed, by two cards that were picked on the screen; the turn is hers."""
    rig = Rig(setup("wild4: prove"), cards_each=3)
    rig.begin("r9")
    rig.tap("w+4")
    rig.pick("r1", "g2")
    assert any(happening.word == "guilty" for happening in rig.last.ruling.effects)
    return rig


def test_after_a_refused_card_the_next_one_is_a_play_too_and_not_one_card_more() -> None:
    rig = failed_proof()
    rig.tap("w+4", later_ms=500)
    assert not rig.last.ruling.is_ok
    rig.tap("g7", later_ms=500)
    assert rig.state.question is None and rig.lines[-1] == "Ann: g7#1"


def test_a_card_like_one_that_was_picked_for_the_hand_is_a_play() -> None:
    rig = failed_proof()
    rig.tap("r1#2", later_ms=500)
    assert rig.state.question is None and rig.lines[-1] == "Ann: r1#2" and rig.last.ruling.is_ok


def test_the_card_of_a_failed_proof_is_no_card_more_also_where_it_was_picked() -> None:
    rig = Rig(setup("wild4: prove"), cards_each=3)
    rig.begin("r9")
    rig.pick("w+4", "r1", "g2")
    rig.tap("w+4#3", later_ms=500)
    assert rig.state.question is None and rig.lines[-1] == "Ann: w+4#3"
