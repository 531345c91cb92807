"""Counted play on one reader, by signals alone, through the real loop and journal in virtual time."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import ButtonPressed, CardPicked, DeviceBack, DeviceLost, SeveralTags, TagPlaced
from table_app.play.state import ALARM_MS
from table_app.rules import Phase
from table_app.view.present import notice_text, present
from tests.table.rig import Rig, setup, uid


def test_a_card_is_laid_by_whoever_has_the_turn() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3", "r4", "r5")
    assert rig.lines[-3:] == ["Ann: r3#1", "Ben: r4#1", "Cy: r5#1"]
    assert rig.last.cues.headline == "Cy laid the red 5."


def test_a_card_tapped_before_the_deal_says_that_everybody_was_dealt_to() -> None:
    rig = Rig()
    rig.tap("r9")
    assert rig.lines == ["table: deal 7", "table: start r9#1"]
    rig.press("undo")
    assert rig.phase() is Phase.BETWEEN


def test_a_tap_on_the_next_seat_says_that_the_turn_holder_drew_and_kept() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3")
    rig.press("give:1")
    assert rig.lines[-4:] == ["table: undo", "Ann: draw", "Ann: keep", "Ben: r3#1"]
    hands = [hand.size for hand in rig.state.match.hands]
    assert hands == [8, 6, 7]
    assert rig.state.match.turn == 2


def test_a_seats_own_button_gives_the_card_too() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3")
    rig.press("seat:2")  # two silent draws in between
    assert rig.lines[-6:] == ["table: undo", "Ann: draw", "Ann: keep", "Ben: draw", "Ben: keep", "Cy: r3#1"]


def test_a_gift_right_after_a_gift_replaces_it_draws_and_all() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3")
    rig.press("give:2", "give:1")
    assert rig.lines[-3:] == ["Ann: draw", "Ann: keep", "Ben: r3#1"]
    assert [hand.size for hand in rig.state.match.hands] == [8, 6, 7]
    rig.press("undo")
    assert [hand.size for hand in rig.state.match.hands] == [8, 8, 6]


def test_a_card_given_back_to_whom_it_was_taken_for_leaves_nothing_of_the_gift() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w")
    rig.press("give:2", "colour:green", "give:0")
    assert rig.lines[-1] == "Ann: w#1 green"
    assert [hand.size for hand in rig.state.match.hands] == [6, 7, 7]


def test_a_gift_that_the_rules_refused_is_replaced_too() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("g1", "g2", "g3", "g4", "g5", "g6")  # innocent, and known from now on
    rig.press("draw")
    rig.tap("b1")
    rig.press("give:0")
    assert rig.lines[-1] == "Ann: b1#1" and rig.last.ruling.code == "not-in-hand"
    rig.press("give:2")
    assert rig.lines[-1] == "Cy: b1#1" and rig.last.ruling.is_ok
    assert [hand.size for hand in rig.state.match.hands] == [6, 13, 6]


def test_a_stacked_card_that_is_given_back_lies_on_the_debt_again() -> None:
    rig = Rig(setup("house: stacking"))
    rig.begin()
    rig.tap("r+2", "b+2")
    rig.press("give:2", "give:0", "give:1")
    assert rig.lines[-1] == "Ben: b+2#1" and rig.state.match.owes == (0, 0, 4)
    assert [hand.size for hand in rig.state.match.hands] == [6, 6, 7]


def test_a_known_draw_is_only_kept_when_the_card_is_given_away() -> None:
    rig = Rig()
    rig.begin()
    rig.press("draw")
    rig.tap("r3")
    rig.press("give:1")
    assert rig.lines[-3:] == ["table: undo", "Ann: keep", "Ben: r3#1"]


def test_a_refused_card_can_be_given_too_and_is_ruled_anew() -> None:
    rig = Rig()
    rig.begin("r9")
    rig.tap("r+2")  # Ben owes two
    rig.tap("b5")  # asks whether Ben drew them
    rig.press("no")
    assert rig.last.ruling.code == "owes-cards"
    rig.press("give:2")
    assert rig.lines[-2:] == ["Ben: draw 2", "Cy: b5#1"]
    assert rig.last.ruling.code == "no-match"


def test_a_card_given_to_another_keeps_its_colour_and_the_call_of_its_layer() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("w")
    rig.press("colour:green")
    rig.press("uno:1")
    rig.press("give:1")
    assert rig.lines[-7:] == [
        "table: undo",
        "table: undo",
        "table: undo",
        "Ann: draw",
        "Ann: keep",
        "Ben: w#1 green",
        "Ben: uno",
    ]
    assert rig.state.match.window is None


def test_the_card_can_still_be_given_after_the_clock_caught_the_wrong_player() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r3")
    rig.wait(6_000)
    assert rig.last.cues.alarm is not None
    rig.press("give:1")
    assert rig.lines[-1] == "Ben: r3#1"
    assert rig.state.match.owes == (0, 0, 0)


def test_an_early_jump_in_needs_no_silent_draws() -> None:
    rig = Rig(setup("house: jump-in"))
    rig.begin()
    rig.tap("r3")
    rig.tap("r3#2")  # taken for Ben's
    rig.press("give:2")
    assert rig.lines[-2:] == ["table: undo", "Cy: r3#2"]
    assert rig.last.ruling.rule == "jump-in"


def test_a_debt_is_drawn_by_one_press_or_counted_down() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r+2")
    rig.press("draw")
    assert rig.lines[-1] == "Ben: draw 2" and rig.state.match.turn == 2
    rig.press("undo", "draw-one")
    assert present(rig.state, rig.now_ms).prompt == "Ben draws 1."
    rig.press("draw")
    assert rig.state.match.owes == (0, 0, 0) and rig.state.match.turn == 2


def test_a_debt_drawn_without_a_word_is_entered_with_whose_the_next_card_was() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r+2", "r4")
    assert rig.last.ruling.code == "owes-cards"
    rig.press("seat:2")
    assert rig.lines[-2:] == ["Ben: draw 2", "Cy: r4#1"]


def test_a_seat_touched_while_a_debt_is_in_question_says_whose_card_it_was() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r+2", "r4")
    rig.press("seat:0")
    assert rig.lines[-4:] == ["Ben: draw 2", "Cy: draw", "Cy: keep", "Ann: r4#1"]


def test_a_wild_waits_for_its_colour_from_a_button() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w")
    controls = [control.button for control in present(rig.state, rig.now_ms).controls]
    assert controls[:4] == ["colour:red", "colour:yellow", "colour:green", "colour:blue"]
    rig.press("colour:green")
    assert rig.lines[-1] == "Ann: green"


def test_the_drawn_card_is_a_tap_in_the_same_turn() -> None:
    rig = Rig()
    rig.begin()
    rig.press("draw")
    rig.tap("r4")
    assert rig.lines[-2:] == ["Ann: draw", "Ann: r4#1"]
    assert rig.state.match.hands[0].size == 7


def test_an_own_button_calls_and_anybody_elses_catches() -> None:
    for button, line in (("seat:0", "Ann: uno"), ("seat:2", "Cy: catch Ann")):
        rig = Rig(cards_each=2)
        rig.begin()
        rig.tap("r3")
        rig.press(button)
        assert rig.lines[-1] == line


def test_an_early_call_is_the_own_button_in_the_own_turn_with_two_cards() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.press("seat:0")
    rig.tap("r3")
    assert rig.lines[-2:] == ["Ann: uno", "Ann: r3#1"]
    assert rig.state.match.window is None


def test_a_missed_call_is_announced_by_the_clock_and_lifted_with_one_tap() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r3")
    assert rig.table.next_wake_ms() == rig.now_ms + 5_001
    rig.wait(5_000)
    assert rig.state.match.owes == (0, 0, 0)  # at the very end it is in time
    rig.wait(1)
    assert rig.lines[-1] == "table: wait"
    assert rig.heard.sounds[-1] == "missed-call"
    alarm = present(rig.state, rig.now_ms).alarm
    assert alarm is not None and alarm.title == "Ann did not call Uno!"
    rig.press("called:0")
    assert rig.lines[-1] == "table: called Ann"
    assert rig.state.match.owes == (0, 0, 0)
    assert present(rig.state, rig.now_ms).alarm is None


def test_an_alarm_goes_by_itself_and_the_table_wakes_for_it() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r3")
    rig.wait(5_001)
    assert rig.table.next_wake_ms() == rig.now_ms + ALARM_MS + 1
    assert not rig.table.step(rig.now_ms)
    rig.now_ms += ALARM_MS + 1
    assert rig.table.step(rig.now_ms)
    assert present(rig.state, rig.now_ms).alarm is None


def test_a_catch_on_the_screen_asks_who_only_where_a_wrong_one_costs() -> None:
    plain = Rig()
    plain.begin()
    plain.press("catch:1")
    assert plain.lines[-1] == "Ann: catch Ben"
    priced = Rig(setup("false-catch: 2"))
    priced.begin()
    priced.press("catch:1")
    assert priced.lines[-1] == "table: start r9#1"
    seats = present(priced.state, priced.now_ms).seats
    assert [seat.is_choice for seat in seats] == [True, False, True]
    priced.press("seat:2")
    assert priced.lines[-1] == "Cy: catch Ben"
    assert priced.state.match.owes == (0, 0, 2)


def test_a_challenge_is_judged_by_taps_that_show_only_a_number() -> None:
    rig = Rig(cards_each=4)
    rig.begin("r9")
    rig.tap("w+4")
    rig.press("colour:blue")
    rig.press("challenge")
    rig.tap("g1", "y2")
    view = present(rig.state, rig.now_ms)
    assert "2 of 3" in view.prompt
    rig.tap("r7")
    assert rig.lines[-1] == "Ann: shows g1#1 y2#1 r7#1"
    assert rig.last.cues.headline.startswith("Ann shows the hand to the referee. Ann held a red card: guilty.")
    assert rig.last.public_line == "Ann: shows 3"


def test_no_face_of_a_shown_hand_is_ever_put_into_words() -> None:
    rig = Rig(cards_each=4)
    rig.begin("r9")
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    secrets = ("green 1", "yellow 2", "red 7", "g1", "y2", "r7")
    said: list[str] = []
    for code in ("g1", "g1", "y2", "r7"):
        rig.tap(code)
        view = present(rig.state, rig.now_ms)
        said += [str((view.headline, view.prompt, view.banners, view.question, view.alarm, view.seats))]
    said += [notice_text(rig.state.match, notice) for notice in rig.heard.notices]
    said += [done.cues.headline + done.public_line for done in rig.heard.done]
    for text in said:
        assert not any(secret in text for secret in secrets), text


def test_undo_while_showing_takes_back_the_card_shown_last() -> None:
    rig = Rig(cards_each=4)
    rig.begin("r9")
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("g1", "y2")
    rig.press("undo")
    assert "1 of 3" in present(rig.state, rig.now_ms).prompt
    assert rig.lines[-1] == "Ben: challenge"
    rig.press("undo", "undo")
    assert rig.lines[-1] == "table: undo"


def test_a_card_of_the_pile_or_shown_already_does_not_count_as_shown() -> None:
    rig = Rig(cards_each=4)
    rig.begin("r9")
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("g1", "g1", "w+4")
    assert rig.state.showing.cards == (rig.tags[rig.uid("g1")],)


def test_a_round_is_counted_by_taps_and_the_next_is_dealt() -> None:
    rig = Rig(cards_each=1)
    rig.begin("r9")
    rig.tap("r3")  # Ann is out
    assert rig.phase() == Phase.OUT
    rig.press("seat:2")
    rig.tap("b+2")
    assert rig.lines[-1] == "Cy: shows b+2#1"
    rig.tap("b+2")
    assert rig.heard.notices[-1].text == "That card was shown already."
    rig.show_hands("w")
    assert rig.state.match.scores == (70, 0, 0)
    assert rig.phase() == Phase.BETWEEN
    rig.press("deal")
    rig.tap("g4")
    assert rig.state.match.round_number == 2
    assert rig.state.places.discard_pile == (rig.tags[rig.uid("g4")],)


def test_the_same_card_read_again_lies_there_already() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3", "r3")
    assert rig.lines[-1] == "Ann: r3#1"
    assert "lies on top already" in rig.heard.notices[-1].text
    rig.tap("r3#2")  # its twin is another card
    assert rig.lines[-1] == "Ben: r3#2"


def test_the_card_that_ends_a_round_read_again_lies_there_already_also_while_cards_are_owed() -> None:
    rig = Rig(cards_each=1)
    rig.begin("r9")
    rig.tap("r+2", "r+2")
    assert rig.phase() == Phase.OUT and rig.state.match.owes[1] == 2
    assert rig.heard.notices[-1].text == "The {} lies on top already."


def test_a_card_of_the_discard_pile_waits_for_shuffled() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3", "r4", "r3")
    assert "discard pile" in rig.heard.notices[-1].text and rig.lines[-1] == "Ben: r4#1"
    view = present(rig.state, rig.now_ms)
    assert view.question is None and "reshuffle" in [control.button for control in view.controls]
    rig.press("reshuffle")
    assert rig.lines[-2:] == ["table: reshuffle", "Cy: r3#1"]
    rig.press("undo")
    assert rig.lines[-2:] == ["table: undo", "table: undo"] and rig.state.match.turn == 2


def test_after_an_undo_the_card_may_be_laid_again() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3", "r4")
    rig.press("undo")
    assert rig.last.cues.headline == "Taken back: Ben laid the red 4. Ben takes the red 4 back. It is Ben to play."
    rig.tap("r4")
    assert rig.lines[-1] == "Ben: r4#1"


def test_a_refused_card_may_be_allowed_and_lies_on_the_pile() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("b3")
    assert rig.heard.sounds[-1] == "refused"
    assert "allow" in [control.button for control in present(rig.state, rig.now_ms).controls]
    rig.press("allow")
    assert rig.lines[-1] == "table: allow"
    assert rig.state.lies_on_top(rig.state.places.discard_pile[-1])
    assert rig.state.places.discard_pile[-1].face.code == "b3"


def test_an_unknown_tag_is_named_and_changes_nothing() -> None:
    rig = Rig()
    rig.begin()
    before = rig.state.match
    rig.now_ms += 1_000
    rig.send(TagPlaced(rig.now_ms, "pad", uid(4_000)))
    assert rig.state.match is before
    headline = present(rig.state, rig.now_ms).headline
    assert headline is not None and "04 00 00 00 00 0F A0" in headline.text


def test_two_cards_at_once_are_one_card_at_a_time() -> None:
    rig = Rig()
    rig.begin()
    rig.send(SeveralTags(rig.now_ms, "pad"))
    assert rig.heard.sounds[-1] == "several"
    assert "One card at a time" in rig.heard.notices[-1].text


def test_play_goes_on_by_hand_while_the_reader_is_away() -> None:
    rig = Rig()
    rig.begin()
    rig.send(DeviceLost(rig.now_ms, "pad", "The reader does not answer."))
    assert present(rig.state, rig.now_ms).banners[0].text == "The reader does not answer."
    rig.pick("r3")
    assert rig.lines[-1] == "Ann: r3"
    rig.send(DeviceBack(rig.now_ms, "pad"))
    assert present(rig.state, rig.now_ms).banners == ()
    rig.tap("r4")
    assert rig.lines[-1] == "Ben: r4#1"


def test_a_signal_counts_at_its_own_time_however_late_it_is_heard() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r3")
    pressed_ms = rig.now_ms + 4_900
    rig.now_ms += 5_600  # the disk was slow
    rig.send(ButtonPressed(pressed_ms, "seat:0"))
    assert rig.lines[-1] == "Ann: uno"
    assert rig.state.match.owes == (0, 0, 0)


def test_the_first_action_of_a_round_is_at_time_zero_and_time_never_falls() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r3")
    match = rig.journal.last_match()
    assert match is not None
    times = [float(entry.line.partition(" ")[0][1:]) for entry in rig.journal.entries(match.number)]
    assert times == [0, 1, 2]


@pytest.mark.parametrize("button", ["again", "deal"])
def test_another_match_begins_with_the_same_players(button: str) -> None:
    rig = Rig(setup("target: none"), cards_each=1)
    rig.begin()
    rig.tap("r3")
    assert rig.phase() == Phase.OVER
    screen = present(rig.state, rig.now_ms).screen
    assert screen is not None and "Ann" in screen.title
    rig.press(button)
    assert rig.phase() == Phase.BETWEEN
    assert [record.number for record in rig.journal.matches()] == [1, 2]
    rig.begin()
    assert rig.lines == ["table: deal 1", "table: start r9#1"]


def test_the_score_alone_is_kept_by_seats_and_taps() -> None:
    rig = Rig(setup("plays: unrefereed"))
    rig.press("seat:1")
    rig.tap("r5", "w")
    rig.press("yes")
    rig.press("yes")  # a press too many is no hand of nothing
    assert rig.lines == ["Ben: out", "Cy: shows r5#1 w#1"]
    assert rig.heard.notices[-1].text.startswith("Nothing of {} was counted")
    rig.press("digit:0", "yes")
    assert rig.lines[-1] == "Ann: points 0"
    assert rig.state.match.scores == (0, 55, 0)


def test_two_signals_of_one_step_are_taken_in_the_order_of_their_times() -> None:
    rig = Rig()
    rig.begin()
    rig.table.hear(CardPicked(rig.now_ms + 20, "r4"))
    rig.table.hear(CardPicked(rig.now_ms + 10, "r3"))
    rig.now_ms += 50
    rig.table.step(rig.now_ms)
    assert rig.lines[-2:] == ["Ann: r3", "Ben: r4"]


def test_a_hand_half_shown_is_half_shown_after_a_power_cut(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path, cards_each=4)
    rig.begin("r9")
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    rig.tap("g1", "y2")
    rig.opened.close()
    again = Rig(setup(), tmp_path, cards_each=4)
    assert again.state.showing == rig.state.showing
    again.tap("r7")
    assert again.lines[-1] == "Ann: shows g1#1 y2#1 r7#1"


def test_a_wild_draw_four_that_goes_back_right_after_the_first_card_can_be_laid_later() -> None:
    rig = Rig(setup("wild4: prove"), cards_each=2)
    rig.begin()
    rig.tap("w+4", "r5")
    assert [done.word for done in rig.last.ruling.effects] == ["guilty", "take-back"]
    assert [card.face.code for card in rig.state.places.discard_pile] == ["r9"]


def test_a_first_card_that_was_set_aside_and_is_tapped_again_is_not_turned_twice() -> None:
    rig = Rig(setup("edition: 2022"))
    rig.press("deal")
    rig.tap("ys", "ys", "y4")
    assert rig.lines[1:] == ["table: start ys#1", "table: start y4#1"]
    assert rig.state.match.draw_pile == 112 - 21 - 2
