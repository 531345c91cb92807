"""Whatever went wrong can be put right by a few presses; each is in the record, and none deletes."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.cli.terminal import signals_of
from table_app.play.forms import FORM_MS
from table_app.play.notices import NoticeKind
from table_app.play.state import Options, Pause
from table_app.rules import Phase
from table_app.table.resume import replay
from table_app.view.present import present
from tests.table.rig import Rig, files, setup


def typed(rig: Rig, number: int) -> None:
    """A number on the keys of the screen, and Yes."""
    rig.press(*(f"digit:{digit}" for digit in str(number)), "yes", later_ms=100)


def test_a_number_of_cards_is_put_right() -> None:
    rig = Rig()
    rig.begin()
    rig.press("menu", "put-right", "form:count", "seat:1")
    view = present(rig.state, rig.now_ms)
    assert view.question is not None and view.question.text.startswith("How many cards does Ben hold?")
    typed(rig, 12)
    assert rig.lines[-1] == "table: set hand Ben 12"
    assert rig.state.match.hands[1].size == 12 and rig.state.match.draw_pile == 108 - 1 - 14 - 12


@pytest.mark.parametrize(
    ("presses", "line"),
    [
        (("form:turn", "seat:2"), "table: set turn Cy"),
        (("form:colour", "colour:blue"), "table: set colour blue"),
        (("form:direction", "direction:anticlockwise"), "table: set direction anticlockwise"),
        (("form:score", "seat:0", "digit:4", "digit:5", "yes"), "table: set score Ann 45"),
        (("form:leave", "seat:1"), "table: leaves Ben"),
        (("bell",), "table: last-round"),
    ],
)
def test_each_thing_can_be_put_right_by_presses(presses: tuple[str, ...], line: str) -> None:
    rig = Rig()
    rig.begin()
    rig.press(*presses)
    assert rig.lines[-1] == line and rig.last.ruling.is_ok
    rig.press("undo")
    assert rig.lines[-2:] == [line, "table: undo"]


def test_the_top_card_is_tapped_and_a_wild_s_colour_named() -> None:
    rig = Rig()
    rig.begin()
    rig.press("form:top")
    rig.tap("g4")
    assert rig.lines[-1] == "table: set top g4#1"
    rig.press("form:top")
    rig.tap("w")
    rig.press("colour:green")
    assert rig.lines[-2:] == ["table: set top w#1", "table: set colour green"]
    assert str(rig.state.match.colour) == "green"


def test_out_of_any_confusion_by_top_card_turn_and_colour() -> None:
    for confusion in ([], ["w"], ["w+4"], ["r+2"], ["w+4", "b1"]):
        rig = Rig()
        rig.begin()
        rig.tap(*confusion)
        began_ms = rig.now_ms
        rig.press("form:resync")
        rig.tap("y7")
        rig.press("seat:2")
        match = rig.state.match
        assert rig.now_ms - began_ms <= 15_000
        assert (match.turn, str(match.colour), match.question, match.is_owing()) == (2, "yellow", None, False)
        rig.tap("y3")
        assert rig.last.ruling.is_ok and rig.lines[-1] == "Cy: y3#1", confusion


def test_a_first_wild_without_a_colour_can_be_resynced() -> None:
    rig = Rig()
    rig.begin("w")
    rig.press("form:resync")
    rig.tap("w#2")
    rig.press("seat:1", "colour:red")
    match = rig.state.match
    assert (match.turn, str(match.colour), match.question) == (1, "red", None)


def test_an_earlier_round_s_score_is_put_right() -> None:
    rig = Rig(cards_each=1)
    for _round in range(2):
        rig.begin()
        rig.tap("r5")
        rig.press("digit:9", "yes")
        rig.press("digit:2", "digit:0", "yes")
    assert sorted(rig.state.match.scores) in ([0, 29, 29], [0, 0, 58])
    winner = rig.state.round_points[0].points[0][0]
    seat = rig.state.match.seat_of(winner)
    rig.press("form:round-score", "digit:1", "yes", f"seat:{seat}")
    typed(rig, 54)
    assert rig.lines[-1] == f"table: set score {winner} 54"
    # And once more: it is the corrected number that is corrected.
    rig.press("form:round-score", "digit:1", "yes", f"seat:{seat}")
    typed(rig, 50)
    assert rig.state.match.scores[seat] == 50
    rig.press("form:round-score", "digit:7", "yes")
    assert rig.heard.notices[-1].text == "There is no such round with points."


def test_the_rounds_points_survive_the_power(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path, cards_each=1)
    rig.begin()
    rig.tap("r5")
    rig.press("digit:9", "yes", "digit:9", "yes")
    seat = rig.state.match.seat_of(rig.state.round_points[0].points[0][0])
    rig.press("form:round-score", "digit:1", "yes", f"seat:{seat}", "digit:7", "yes")
    points = rig.state.round_points
    rig.opened.close()
    again = Rig(setup(), tmp_path, cards_each=1)
    assert again.state.round_points == points and again.state.match.scores[seat] == 7


def test_partners_are_put_right_together_and_survive_the_power(tmp_path: Path) -> None:
    teams = setup("players: Ann, Ben, Cy, Dee", "house: teams")
    rig = Rig(teams, tmp_path, cards_each=1)
    rig.begin()
    rig.tap("r5")
    rig.press("digit:5", "yes", "digit:6", "yes")
    assert rig.state.match.scores == (11, 0, 11, 0)
    for seat, points in ((0, 7), (2, 7), (2, 3), (0, 4)):
        rig.press("form:round-score", "digit:1", "yes", f"seat:{seat}", f"digit:{points}", "yes")
        assert rig.state.match.scores == (points, 0, points, 0)
        assert dict(rig.state.round_points[0].points) == {"Ann": points, "Cy": points}
    recorded = replay(teams, rig.entries, rig.tags)
    assert (recorded.round_points, recorded.match) == (rig.state.round_points, rig.state.match)
    # Undo brings both back.
    rig.press("undo")
    assert dict(rig.state.round_points[0].points) == {"Ann": 3, "Cy": 3}


def test_somebody_joins_between_rounds_and_plays_in_the_next() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.press("form:join")
    assert rig.state.form is None and rig.heard.notices[-1].kind is NoticeKind.REFUSED
    rig.tap("r5")
    rig.press("digit:9", "yes", "digit:9", "yes")
    rig.press("menu", "form:join")
    view = present(rig.state, rig.now_ms)
    assert view.question is not None
    assert "join:Fox" in {answer.button for answer in view.question.answers}
    rig.press("join:Fox")
    assert rig.lines[-1] == "table: joins Fox" and rig.state.match.names == ("Ann", "Ben", "Cy", "Fox")
    rig.press("join:Fox", "join:=Fox")
    assert not rig.last.ruling.is_ok and rig.heard.notices[-1].kind is NoticeKind.REFUSED
    rig.begin("r2")
    assert [hand.size for hand in rig.state.match.hands] == [1, 1, 1, 1]


def test_a_form_left_alone_closes_itself_and_so_does_no() -> None:
    rig = Rig()
    rig.begin()
    rig.press("form:count", "no")
    assert rig.state.form is None
    rig.press("form:count")
    rig.tap("r3")
    assert rig.lines[-1] == "table: start r9#1"  # the card was not laid: another step is awaited
    assert rig.heard.notices[-1].kind is NoticeKind.REFUSED
    rig.wait(FORM_MS + 1)
    assert rig.state.form is None
    rig.tap("r3")
    assert rig.lines[-1] == "Ann: r3#1"


def test_a_call_is_heard_also_while_something_is_put_right() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r3")
    rig.press("form:score", "uno:0")
    assert rig.lines[-1] == "Ann: uno" and rig.state.form is not None


def test_who_drew_in_silence_and_seems_out_is_not() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r5")
    assert rig.phase() is Phase.OUT
    assert "form:holds" in {control.button for control in present(rig.state, 0).controls}
    rig.press("form:holds", "digit:2", "yes")
    assert rig.phase() is Phase.PLAY
    assert rig.state.match.hands[0].size == 2 and rig.state.match.turn == 1
    assert rig.lines[-3:] == ["table: undo", "table: set hand Ann 3", "Ann: r5#1"]


def test_a_fine_for_a_call_that_was_never_due_goes_with_the_right_number() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r3")
    rig.wait(6_000)
    assert rig.state.match.owes[0] == 2
    rig.press("form:count", "seat:0", "digit:3", "yes")
    assert not rig.state.match.is_owing() and rig.state.match.hands[0].size == 3


def test_a_hand_with_another_number_than_the_record_is_counted_as_it_is() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r3")
    rig.press("uno:0", "draw", "keep", "draw", "keep")
    rig.tap("r4")
    rig.tap("g1", "g2", "g5", "g6")  # Ben has three by the record; what comes after those is Cy's
    assert rig.lines[-1] == "Ben: shows g1#1 g2#1 g5#1" and rig.state.showing.seat == 2
    rig.press("seat:1")
    assert rig.lines[-1] == "Ben: shows g1#1 g2#1 g5#1 g6#1" and rig.state.match.counted[1] == 14
    assert "more than was thought" in rig.last.cues.headline


def test_typed_points_are_deleted_one_by_one() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r5")
    rig.press("form:points", "yes")
    assert rig.heard.notices[-1].kind is NoticeKind.REFUSED
    rig.press(*["digit:1"] * 5, "undo", "undo", "undo", "yes")
    assert rig.lines[-1] == "Ben: points 11"


@pytest.mark.parametrize("form", ["form:points", "form:score", "form:count", "form:round-score"])
@pytest.mark.parametrize("front", ["terminal", "keys"])
def test_a_number_that_is_too_long_is_not_taken_for_its_beginning(front: str, form: str) -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    if form != "form:count":
        rig.tap("r5")
    if form == "form:round-score":
        rig.press("digit:5", "yes", "digit:5", "yes")
    rig.press(form, *["seat:1"] * (form in ("form:score", "form:count")))
    before = len(rig.lines)
    if front == "terminal":
        for signal in signals_of("123456", rig.now_ms):
            rig.send(signal)
    else:
        rig.press(*(f"digit:{digit}" for digit in "123456"), "yes")
    assert len(rig.lines) == before or rig.lines[-1].startswith("table: set")  # as it stands
    assert any("too long" in notice.text for notice in rig.heard.notices[-2:])


def held_points(rig: Rig) -> int:
    """Go out with Ann, who held one card; what the other two cards of Ben can come to at most."""
    rig.begin()
    rig.tap("r3")
    rig.press("uno:0", "draw", "keep", "draw", "keep")
    rig.tap("r4")
    assert rig.phase() is Phase.OUT
    return 50 * rig.state.match.hands[1].size


def test_no_hand_has_more_points_than_its_cards_can_have() -> None:
    rig = Rig(cards_each=2)
    most = held_points(rig)
    rig.press(*(f"digit:{digit}" for digit in str(most + 1)), "yes")
    assert rig.lines[-1] == "Ann: r4#1" and rig.heard.notices[-1].kind is NoticeKind.REFUSED
    assert rig.heard.notices[-1].parts == ("Ben", most + 1, 0, most)
    rig.press(*(f"digit:{digit}" for digit in str(most)), "yes")
    assert rig.lines[-1] == f"Ben: points {most}"


def test_with_the_score_alone_points_are_bounded_by_the_deck() -> None:
    rig = Rig(setup("plays: unrefereed"))
    rig.press("seat:0", *(f"digit:{digit}" for digit in "99999"), "yes")
    assert rig.lines[-1] == "Ann: out" and rig.heard.notices[-1].parts == ("Ben", 99_999, 0, 1_240)
    rig.press(*(f"digit:{digit}" for digit in "1240"), "yes")
    assert rig.lines[-1] == "Ben: points 1240"


# -- pause, resume, bell ---------------------------------------------------------------------------------------


def test_while_paused_no_clock_runs_and_any_card_goes_on() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r3")
    rig.press("pause")
    rig.wait(3_600_000)
    assert rig.state.match.window is not None and rig.state.pause is Pause.ASKED
    rig.press("yes")
    rig.wait(2_000)
    assert rig.state.match.window is not None
    rig.wait(3_000)
    assert rig.state.match.owes[0] == 2
    rig.press("pause")
    rig.press("draw")
    assert rig.state.pause is None and rig.lines[-1] == "Ann: draw 2"
    assert [entry.line for entry in rig.entries if entry.line in ("paused", "goes-on")] == ["paused", "goes-on"] * 2


def test_a_resumed_table_asks_whether_to_go_on_and_shows_the_top_card(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    rig.begin()
    rig.tap("r3")
    rig.opened.close()
    again = Rig(setup(), tmp_path)
    view = present(again.state, 0)
    assert view.screen is not None and view.screen.title == "Go on?"
    assert getattr(view.screen, "card", None) is not None and view.screen.card.code == "r3"  # type: ignore[union-attr]
    again.press("yes")
    assert again.state.pause is None and again.state.match.turn == 1
    assert present(again.state, 0).screen is None


def test_another_top_card_after_a_power_cut_is_put_right_at_once(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    rig.begin()
    rig.tap("r3")
    rig.opened.close()
    again = Rig(setup(), tmp_path)
    again.press("no")
    again.tap("b3")
    again.press("seat:2")
    assert (again.state.match.turn, str(again.state.match.colour)) == (2, "blue")


def test_the_next_card_after_a_power_cut_is_simply_laid(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    rig.begin()
    rig.opened.close()
    again = Rig(setup(), tmp_path)
    again.tap("r3")
    assert again.lines[-1] == "Ann: r3#1" and again.state.pause is None


def test_the_bell_rings_after_the_time_limit_of_play_alone(tmp_path: Path) -> None:
    options = Options(cards_each=1, time_limit_ms=600_000)
    rig = Rig(setup(), tmp_path, options=options)
    rig.wait(700_000)
    rig.begin()
    rig.wait(400_000)
    assert not rig.state.match.last_round
    rig.press("draw")
    rig.opened.close()
    rig = Rig(setup(), tmp_path, options=options)
    rig.wait(10_000_000)
    rig.press("yes")
    rig.wait(150_000)
    assert not rig.state.match.last_round
    rig.wait(50_000)
    assert rig.state.match.last_round and rig.lines[-1] == "table: last-round"


# -- the grace time --------------------------------------------------------------------------------------------


def test_the_grace_time_begins_when_the_pad_is_clear() -> None:
    from hardware.signals import TagPlaced, TagRemoved

    rig = Rig(cards_each=2)
    rig.begin()
    rig.now_ms += 1_000
    rig.send(TagPlaced(rig.now_ms, "pad", rig.uid("r3")))
    rig.wait(7_000)
    assert rig.state.match.window is not None
    rig.send(TagRemoved(rig.now_ms, "pad", rig.uid("r3")))
    rig.wait(4_900)
    assert rig.state.match.window is not None
    rig.wait(200)
    assert rig.state.match.owes[0] == 2


def test_a_card_left_on_the_pad_does_not_hold_up_the_grace_time_for_ever() -> None:
    from hardware.signals import TagPlaced

    rig = Rig(cards_each=2)
    rig.begin()
    rig.send(TagPlaced(rig.now_ms, "pad", rig.uid("r3")))
    for _second in range(16):
        rig.wait(1_000)
    assert rig.state.match.owes[0] == 2


# -- the draw for the deal -------------------------------------------------------------------------------------


def test_the_deal_is_drawn_for_by_taps() -> None:
    rig = Rig()
    rig.press("menu", "high")
    assert "Ann" in present(rig.state, 0).prompt
    rig.tap("r3", "g9", "b9")
    rig.tap("y1", "y2")
    assert rig.lines == ["Ann: high r3#1", "Ben: high g9#1", "Cy: high b9#1", "Ben: high y1#1", "Cy: high y2#1"]
    assert rig.state.match.dealer == 2
    rig.begin()
    assert rig.state.match.turn == 0
    rig.press("high")
    assert rig.heard.notices[-1].text == "The dealer is known already."


# -- the score alone -------------------------------------------------------------------------------------------


def test_the_score_alone_is_kept_by_taps_and_typed_points(tmp_path: Path) -> None:
    rig = Rig(setup("plays: unrefereed", "target: 100"), tmp_path)
    rig.press("seat:0")
    rig.tap("r5", "w")
    rig.press("yes")
    rig.press("digit:2", "digit:0", "yes")
    assert list(rig.state.match.scores) == [75, 0, 0]
    rig.press("form:join", "join:Owl")
    rig.press("seat:3", "digit:1", "yes")
    rig.tap("r5")  # the very card that was counted in the round before
    rig.press("yes", "seat:2", "form:points", "digit:9", "yes")
    assert list(rig.state.match.scores) == [75, 0, 0, 15]
    rig.press("seat:0", "digit:5", "digit:0", "yes", "digit:1", "yes", "digit:1", "yes")
    assert rig.phase() is Phase.OVER and rig.state.match.winners == (0,)
    assert files(tmp_path).directory == tmp_path


def test_a_clock_on_the_wall_that_jumps_changes_nothing(tmp_path: Path) -> None:
    """A Raspberry Pi has no clock of its own: what it believes before it finds a network is kept and never used."""
    from table_app.table import TableFiles, open_table
    from table_app.table.loop import Table
    from tests.table.rig import Heard

    times = iter(["2026-05-01T10:00:00Z", "1970-01-01T00:00:00Z", "2031-01-01T00:00:00Z"] * 20)
    options = Options(cards_each=2)
    table_files = TableFiles(tmp_path, lambda: next(times), "boot")
    rig = Rig(setup(), cards_each=2)
    opened = open_table(table_files, setup(), 0, tags=rig.tags, options=options)
    heard = Heard()
    rig.table = Table(opened.state, opened.journal, observers=[heard])
    rig.begin()
    rig.tap("r3")
    rig.press("uno:0")
    opened.close()
    again = open_table(table_files, setup(), 99_000_000, tags=rig.tags, options=options)
    assert again.state.match.turn == 1 and again.state.match.hands == rig.table.match.hands
    assert [entry.line for entry in again.journal.entries(1)] == [done.line for done in heard.done]
    again.close()


def test_seats_have_the_colours_that_were_chosen() -> None:
    rig = Rig(options=Options(colours=(3, 5)))
    assert [seat.colour_index for seat in present(rig.state, 0).seats] == [3, 5, 0]


def test_a_lost_tag_is_replaced_in_the_middle_of_a_match(tmp_path: Path) -> None:
    from hardware.signals import TagPlaced
    from table_app.rules import Card, face
    from table_app.table import Table, open_table
    from table_app.table.opening import REGISTRY_FILE
    from table_app.tags.registry import open_registry
    from tests.table.rig import uid

    registry = open_registry(tmp_path / REGISTRY_FILE).tags
    registry.enrol(uid(1), setup().deck, "r3", 1)
    registry.enrol(uid(2), setup().deck, "r3", 2)
    registry.close()
    opened = open_table(files(tmp_path), setup(), 0)
    rig = Rig()
    rig.table = Table(opened.state, opened.journal, observers=[rig.heard], enrol=opened.enrol)
    rig.press("deal")
    rig.pick("r9")
    rig.send(TagPlaced(rig.now_ms, "pad", uid(1)))
    rig.press("form:tag")
    rig.pick("r3")
    rig.send(TagPlaced(rig.now_ms, "pad", uid(2)))
    assert rig.heard.notices[-1].kind is NoticeKind.REFUSED and rig.state.form is not None
    rig.send(TagPlaced(rig.now_ms, "pad", uid(99)))
    assert rig.state.tags[uid(99)] == Card(face("r3"), 2) and uid(2) not in rig.state.tags
    rig.send(TagPlaced(rig.now_ms + 1_000, "pad", uid(99)))
    assert rig.heard.done[-1].line.endswith("Ben: r3#2")
    opened.close()
    kept = open_registry(tmp_path / REGISTRY_FILE).tags
    assert kept.cards(setup().deck) == {uid(1): Card(face("r3"), 1), uid(99): Card(face("r3"), 2)}
    kept.close()


def score_of_two_rounds(folder: Path) -> Rig:
    """With the score alone, two rounds: Ben, then Cy has points."""
    rig = Rig(setup("plays: unrefereed"), folder)
    rig.press("seat:0", "digit:6", "yes", "digit:0", "yes")
    rig.press("seat:0", "digit:0", "yes", "digit:8", "yes")
    return rig


def test_undo_of_what_put_an_earlier_round_right_makes_the_list_of_rounds_what_it_was(tmp_path: Path) -> None:
    rig = score_of_two_rounds(tmp_path)
    looked = [(rig.state.match.scores, rig.state.round_points)]
    changes = (("1", "9"), ("2", "3"), ("1", "4"))
    for number, points in changes:
        rig.press("form:round-score", f"digit:{number}", "yes", "seat:0", f"digit:{points}", "yes")
        looked.append((rig.state.match.scores, rig.state.round_points))
    assert rig.state.match.scores[0] == 4 + 3 and len(set(looked)) == len(looked)
    rig.opened.close()
    rig = Rig(setup("plays: unrefereed"), tmp_path)
    rig.press("yes")
    while looked:
        assert (rig.state.match.scores, rig.state.round_points) == looked.pop()
        rig.press("undo")
    assert len(rig.state.round_points) == 1, "the last undo took the count of the round itself back"


def test_an_earlier_round_put_right_again_after_an_undo_counts_once(tmp_path: Path) -> None:
    rig = score_of_two_rounds(tmp_path)
    rig.press("form:round-score", "digit:1", "yes", "seat:0", "digit:9", "yes", "undo")
    rig.press("form:round-score", "digit:1", "yes", "seat:0", "digit:6", "yes")
    assert rig.state.match.scores == (6 + 8, 0, 0)
    assert [points.of("Ann") for points in rig.state.round_points] == [6, 8]
