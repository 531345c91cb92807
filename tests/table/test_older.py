"""A match that was put aside has a way back: it is listed while it is unfinished, and goes on where it stood."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from hardware.signals import ButtonPressed
from table_app.cli.records import export, history
from table_app.cli.terminal import signal_of
from table_app.play.presses import OLDER_SHOWN
from table_app.play.state import MenuPage, Options, Pause
from table_app.record.errors import StoreDamagedError
from table_app.record.journal import Entry
from table_app.rules import Phase, face
from table_app.table import Table, open_table
from table_app.table import older as older_module
from table_app.table.resume import replay
from table_app.view.present import present, prompt
from table_app.view.table_view import StartScreen, TableView
from tests.table.honest import HonestPeople
from tests.table.rig import Rig, files, setup


def view(rig: Rig) -> TableView:
    return present(rig.state, rig.now_ms)


def buttons(rig: Rig) -> list[str]:
    return [control.button for control in view(rig).controls]


def listed(rig: Rig) -> list[str]:
    return [button for button in buttons(rig) if button.startswith("take-up:")]


def put_aside(folder: Path, count: int) -> None:
    """That many matches, each left in the first turn of Ben."""
    for _match in range(count):
        opened = open_table(files(folder), setup(), 0, tags={}, is_new=True)
        table = Table(opened.state, opened.journal)
        for moment, button in enumerate(("deal",)):
            table.hear(ButtonPressed(moment, button))
            table.step(moment)
        opened.close()


def begun_anew(folder: Path) -> Rig:
    """A table where another match is begun though one is under way, as in a box that was left alone."""
    open_table(files(folder), setup(), 0, tags={}, is_new=True).close()
    return Rig(setup(), folder)


def test_beside_go_on_another_match_begins_and_the_one_that_lay_there_can_be_taken_up(tmp_path: Path) -> None:
    first = Rig(directory=tmp_path)
    first.begin()
    first.tap("r3")
    first.opened.close()
    rig = Rig(directory=tmp_path)
    offered = [control.button for control in present(rig.state, rig.now_ms).controls]
    assert offered[0] == "yes" and "again" in offered
    rig.press("again")
    assert rig.state.pause is None and rig.state.match.round_number == 0 and not rig.lines
    rig.press("older")
    assert [older.number for older in rig.state.older] == [1]
    rig.press("take-up:1", "yes")
    assert rig.state.match.top is face("r3")
    rig.opened.close()


def test_a_match_left_for_another_one_is_taken_up_in_the_same_turn(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    HonestPeople(rig, 4).play_round()
    rig.begin()
    rig.tap("r3")
    scores, turn, lines = rig.state.match.scores, rig.state.match.turn, rig.lines
    rig.opened.close()
    again = begun_anew(tmp_path)
    assert again.journal.match == 2 and "older" in buttons(again)
    again.press("older")
    assert listed(again) == ["take-up:1"]
    screen = view(again).screen
    assert isinstance(screen, StartScreen)
    assert screen.paragraphs == (
        f"Match 1, 2026-01-01 00:00: round 2; Ann {scores[0]}, Ben {scores[1]}, Cy {scores[2]}",
    )
    again.press("take-up:1")
    assert again.state.pause is Pause.RESUMED and again.state.match.scores == scores
    assert again.state.match.turn == turn and view(again).screen == present(again.state, 0).screen
    again.press("yes")
    again.tap("r4")
    assert again.lines == [*lines, "Cy: r4#1"]
    again.opened.close()
    third = Rig(setup(), tmp_path)
    assert third.opened.is_resumed and third.journal.match == 1 and third.state.match.turn == again.state.match.turn
    third.opened.close()


def test_from_the_question_whether_to_go_on_another_match_can_be_chosen(tmp_path: Path) -> None:
    put_aside(tmp_path, 1)
    rig = begun_anew(tmp_path)
    rig.begin()
    rig.opened.close()
    again = Rig(setup(), tmp_path)
    assert again.state.pause is Pause.RESUMED and buttons(again)[-1] == "older"
    again.press("older")
    assert listed(again) == ["take-up:1"]
    again.press("older")
    assert again.state.menu is MenuPage.CLOSED and again.state.pause is Pause.RESUMED
    again.press("older", "take-up:1")
    assert again.journal.match == 1
    again.press("older")
    assert listed(again) == ["take-up:2"], "the match that was left for it is unfinished, too"
    again.opened.close()


def test_a_handful_a_page_and_the_last_page_is_followed_by_the_first(tmp_path: Path) -> None:
    put_aside(tmp_path, OLDER_SHOWN + 2)
    rig = begun_anew(tmp_path)
    rig.press("older")
    numbers = [f"take-up:{number}" for number in range(OLDER_SHOWN + 2, 0, -1)]
    assert listed(rig) == numbers[:OLDER_SHOWN]
    rig.press("older-next")
    assert listed(rig) == numbers[OLDER_SHOWN:]
    rig.press("older-next")
    assert listed(rig) == numbers[:OLDER_SHOWN]
    rig.opened.close()


def test_finished_and_empty_matches_are_not_offered(tmp_path: Path) -> None:
    rig = Rig(setup("target: 50"), tmp_path)
    people = HonestPeople(rig, 3)
    while rig.phase() is not Phase.OVER:
        people.play_round()
    rig.opened.close()
    again = begun_anew(tmp_path)
    again.press("older")
    assert again.state.notice is not None and again.state.notice.text == "No other match is unfinished."
    assert "older" not in buttons(again) and again.state.menu is MenuPage.CLOSED
    again.opened.close()


def test_in_the_middle_of_a_round_no_match_is_swapped_for_another(tmp_path: Path) -> None:
    put_aside(tmp_path, 1)
    rig = begun_anew(tmp_path)
    rig.begin()
    rig.press("menu")
    assert "older" not in buttons(rig)
    rig.press("older", "take-up:1")
    assert rig.journal.match == 2 and rig.state.menu is not MenuPage.OLDER
    rig.opened.close()


def test_play_goes_on_by_card_though_the_list_is_open(tmp_path: Path) -> None:
    put_aside(tmp_path, 1)
    rig = begun_anew(tmp_path)
    rig.press("older", "deal")
    rig.tap("r9")
    assert rig.state.menu is MenuPage.CLOSED and rig.state.match.phase is Phase.PLAY
    rig.opened.close()


def test_a_match_that_can_not_be_read_any_more_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_aside(tmp_path, 1)
    rig = begun_anew(tmp_path)
    rig.press("older")

    def damaged(*_: object) -> None:
        raise StoreDamagedError("The line is not what was written.")

    monkeypatch.setattr(older_module, "replay", damaged)
    rig.press("take-up:1")
    assert rig.state.notice is not None and rig.state.notice.text == "That match can't go on: {}"
    assert rig.journal.match == 2
    rig.opened.close()


def test_a_match_of_another_deck_finds_its_own_tags(tmp_path: Path) -> None:
    first = setup("deck: h2o")
    open_table(files(tmp_path), first, 0).close()
    opened = open_table(files(tmp_path), first, 0)
    table = Table(opened.state, opened.journal, older=opened.older)
    table.hear(ButtonPressed(0, "deal"))
    table.step(0)
    opened.close()
    other = open_table(files(tmp_path), setup(), 0, is_new=True)
    table = Table(other.state, other.journal, older=other.older)
    for moment, button in enumerate(("older", "take-up:1"), 1):
        table.hear(ButtonPressed(moment, button))
        table.step(moment)
    assert table.match.setup.deck.name == "h2o" and table.match.phase is Phase.DEALING
    other.close()


def test_history_marks_what_is_not_ended_and_export_takes_the_last_match_that_was_played(tmp_path: Path) -> None:
    put_aside(tmp_path, 2)
    open_table(files(tmp_path), setup(), 0, tags={}, is_new=True).close()
    lines = CliRunner().invoke(history, ["--state-directory", str(tmp_path)]).stdout.splitlines()
    assert [line.rpartition("(")[2] for line in lines] == ["not ended)", "not ended)", "not begun)"]
    result = CliRunner().invoke(export, ["--state-directory", str(tmp_path)])
    assert "This is match 2, of 1 January 2026." in result.stderr and "table: deal 7" in result.stdout


def test_an_export_of_a_record_in_which_nothing_was_played_writes_no_file(tmp_path: Path) -> None:
    open_table(files(tmp_path), setup(), 0, tags={}).close()
    target = tmp_path / "out.table"
    result = CliRunner().invoke(export, ["--state-directory", str(tmp_path), "--to", str(target)])
    assert result.exit_code != 0 and not target.exists()


def test_on_a_terminal_the_list_says_what_to_type(tmp_path: Path) -> None:
    put_aside(tmp_path, 1)
    rig = begun_anew(tmp_path)
    for line in ("older", "take-up 1"):
        assert rig.journal.match == 2
        signal = signal_of(line, rig.now_ms)
        assert signal is not None
        rig.send(signal)
        if line == "older":
            assert "Match 1, 2026-01-01 00:00: round 1; Ann 0, Ben 0, Cy 0" in prompt(rig.state)
    assert rig.journal.match == 1
    rig.opened.close()


WAYS = (
    Options(cards_each=3, is_tracked=True, time_limit_ms=3_600_000, colours=(2, 3, 4)),
    Options(cards_each=5),
    Options(is_tracked=True, colours=(1, 0)),
    Options(time_limit_ms=60_000),
)


def way(options: Options) -> tuple[object, ...]:
    """What of a set-up belongs to the match."""
    return options.cards_each, options.is_tracked, options.time_limit_ms, options.colours


@pytest.mark.parametrize("today", WAYS)
@pytest.mark.parametrize("then", WAYS)
def test_a_match_goes_on_in_its_own_way_however_the_table_is_set_up_today(
    tmp_path: Path, then: Options, today: Options
) -> None:
    rig = Rig(setup(), tmp_path, options=then)
    if then.is_tracked:
        rig.tap(*(f"{colour}{number}" for colour in "rgb" for number in range(1, then.cards_each + 1)))
    else:
        rig.press("deal")
    rig.tap("y9")
    hands = rig.state.match.hands
    rig.opened.close()
    resumed = Rig(setup(), tmp_path, options=today._replace(pile_reader="pile", can_change_players=True))
    assert way(resumed.state.options) == way(then) and resumed.state.match.hands == hands
    assert resumed.state.options.pile_reader == "pile" and resumed.state.options.can_change_players
    resumed.opened.close()
    open_table(files(tmp_path), setup(), 0, tags={}, is_new=True).close()
    other = Rig(setup(), tmp_path, options=today)
    assert way(other.state.options) == way(today), "another match is played as the table is set up"
    other.press("older", "take-up:1")
    assert way(other.state.options) == way(then) and other.state.match.hands == hands
    other.opened.close()


def test_a_match_of_before_its_way_was_kept_goes_on_as_the_table_is_set_up() -> None:
    state = replay(setup(), [Entry("table: deal 7", 1), Entry("table: start r9", 1)], {}, WAYS[0])
    assert state.options == WAYS[0] and state.match.phase is Phase.PLAY


def test_the_other_matches_stay_when_more_is_opened(tmp_path: Path) -> None:
    put_aside(tmp_path, 1)
    rig = begun_anew(tmp_path)
    assert "older" in buttons(rig)
    rig.press("menu")
    assert "older" in buttons(rig)
    rig.press("menu")
    assert "older" in buttons(rig)
