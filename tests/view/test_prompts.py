"""What the table says it waits for is true of this very table: its debts, its readers, what was not done yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import DeviceBack, DeviceLost
from table_app.cli.terminal import Printer
from table_app.play.state import Options
from table_app.rules.messages import untranslated
from table_app.rules.words import ruling_text
from table_app.table import Table
from table_app.view.present import present, prompt
from table_app.view.table_view import ColourView, StartScreen
from tests.table.rig import Rig, setup, table_at


def without_reader(*lines: str) -> Rig:
    return Rig(setup(*lines), options=Options(has_reader=False))


def lead(rig: Rig) -> str:
    screen = present(rig.state, rig.now_ms).screen
    assert isinstance(screen, StartScreen)
    return screen.lead


def test_a_pause_names_who_has_to_draw_and_not_who_plays_after() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r+2")
    rig.press("pause")
    assert lead(rig) == "Ben draws 2."
    rig.press("yes", "draw", "draw", "pause")
    assert lead(rig) == "It is Cy to play."


def test_a_pause_on_the_terminal_is_sentences() -> None:
    rig = Rig()
    rig.begin()
    rig.press("pause")
    assert prompt(rig.state) == "Paused. It is Ann to play. No clock runs."


def test_an_open_challenge_is_not_said_as_if_it_were_done() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:green")
    assert prompt(rig.state) == "Did Ann hold a red card? Ben: challenge the Wild Draw Four, or draw 4."


def test_a_table_without_a_reader_speaks_of_none() -> None:
    rig = without_reader()
    rig.press("deal")
    assert prompt(rig.state) == "Turn the first card and pick it on the screen."
    rig.pick("r9", "w+4")
    rig.press("colour:green", "challenge")
    asked = "Did Ann hold a red card? Ben looks at the hand of Ann and presses Guilty or Innocent."
    assert prompt(rig.state) == asked


def test_a_count_without_a_reader_asks_for_points() -> None:
    rig = Rig(options=Options(cards_each=1, has_reader=False))
    rig.press("deal")
    rig.pick("r9", "r3")
    assert prompt(rig.state) == "Ben: type the points left in the hand, or pick the cards; 0 so far."


def test_with_a_reader_both_ways_of_a_challenge_are_said() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("w+4")
    rig.press("colour:green", "challenge")
    assert prompt(rig.state) == (
        "Did Ann hold a red card? "
        "Ann: tap the hand, for the referee alone: 0 of 6. Or Ben looks at it and presses Guilty or Innocent."
    )


@pytest.mark.parametrize("device", ["pad", "reader"])
def test_while_the_reader_is_away_nobody_is_told_to_tap(device: str) -> None:
    rig = Rig()
    rig.press("deal")
    rig.send(DeviceLost(rig.now_ms, device, "The reader is gone."))
    assert "pick it on the screen" in prompt(rig.state)
    rig.send(DeviceBack(rig.now_ms, device))
    assert "tap it on the pad" in prompt(rig.state)


def test_after_a_power_cut_what_goes_on_is_what_lies_on_the_table(tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path)
    rig.begin()
    rig.opened.close()
    again = Rig(directory=tmp_path)
    assert "A card on the pad or a button at the table goes on, too." in prompt(again.state)
    again.tap("r3")
    assert again.state.pause is None
    assert again.lines[-1] == "Ann: r3#1"


# -- what is looked for behind a Wild Draw Four ------------------------------------------------------------------------


def asked_at(rig: Rig) -> tuple[str, str]:
    """The prompt, and the colour it stands on."""
    view = present(rig.state, rig.now_ms)
    return view.prompt, view.sought.key if view.sought is not None else ""


def test_a_challenge_asks_for_the_colour_before_and_its_verdict_names_it() -> None:
    rig = Rig(cards_each=3)
    rig.begin("g4")
    rig.tap("w+4")
    rig.press("colour:blue")
    assert present(rig.state, rig.now_ms).colour == ColourView("blue", "blue", "B")
    words, colour = asked_at(rig)
    assert words.startswith("Did Ann hold a green card? ") and colour == "green"
    rig.press("challenge")
    words, colour = asked_at(rig)
    assert words.startswith("Did Ann hold a green card? ") and colour == "green"
    rig.tap("b1", "r2")
    assert "Ann held no green card: innocent." in rig.last.cues.headline
    assert asked_at(rig)[1] == ""


def test_of_stacked_wild_draw_fours_the_colour_is_the_one_that_the_last_one_named() -> None:
    rig = Rig(setup("house: stacking"))
    rig.begin("r5")
    rig.tap("w+4")
    rig.press("colour:green")
    assert asked_at(rig) == (
        "Did Ann hold a red card? Ben: challenge the Wild Draw Four, lay another one on it, or draw 4.",
        "red",
    )
    rig.tap("w+4#2")
    rig.press("colour:blue")
    words, colour = asked_at(rig)
    assert words.startswith("Did Ben hold a green card? ") and colour == "green"
    rig.press("challenge", "finds:guilty")
    assert "Ben held a green card: guilty." in rig.last.cues.headline


def test_a_proof_asks_for_the_colour_too() -> None:
    rig = Rig(setup("wild4: prove"), cards_each=2)
    rig.begin("y4")
    rig.tap("w+4")
    words, colour = asked_at(rig)
    assert words.startswith("Did Ann hold a yellow card? Ann: tap the cards of the hand") and colour == "yellow"
    rig.tap("b1")
    assert asked_at(rig)[1] == ""


def test_a_hand_that_is_known_is_judged_at_once_and_the_verdict_names_the_colour() -> None:
    state = table_at(
        ["table: deal Ann r1 b2 w+4", "table: deal 3", "table: start r9", "Ann: w+4 blue", "Ben: challenge"]
    )
    assert state.ruling is not None
    assert "Ann held a red card: guilty." in ruling_text(state.match, state.ruling)


def test_the_terminal_names_the_colour_as_the_screen_does(capsys: pytest.CaptureFixture[str]) -> None:
    rig = Rig()
    rig.begin("r5")
    printer = Printer(untranslated)
    rig.table = Table(rig.state, rig.journal, show=printer.show, observers=[printer])
    rig.tap("w+4")
    rig.press("colour:green")
    assert "Did Ann hold a red card?" in capsys.readouterr().out


# -- what may be stacked -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "laid", "said", "lit"),
    [
        ("r9", "r+2", "Ben draws 2, or lays another Draw Two on it.", {"r+2", "y+2", "g+2", "b+2"}),
        ("r9", "g9", "Ben: lay a card or draw.", set()),
    ],
)
def test_where_a_debt_may_be_stacked_on_it_is_said_and_the_cards_are_lit(
    first: str, laid: str, said: str, lit: set[str]
) -> None:
    rig = Rig(setup("house: stacking"), options=Options(has_reader=False))
    rig.begin(first)
    rig.pick(laid)
    view = present(rig.state, rig.now_ms)
    assert view.prompt == said
    assert view.picker is not None and view.picker.lit == lit
    if lit:
        assert view.picker.control.emphasis
        rig.pick("b+2")
        assert prompt(rig.state) == "Cy draws 4, or lays another Draw Two on it."


def test_a_stacked_wild_draw_four_is_offered_beside_the_challenge() -> None:
    rig = Rig(setup("house: stacking"), options=Options(has_reader=False))
    rig.begin()
    rig.pick("w+4")
    rig.press("colour:green")
    view = present(rig.state, rig.now_ms)
    assert view.picker is not None and view.picker.lit == {"w+4"}
    assert {"challenge", "draw"} <= {control.button for control in view.controls if control.emphasis}


def test_one_card_that_is_owed_is_the_card_and_several_are_all() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r+2")
    labels = []
    for _ in range(2):
        view = present(rig.state, rig.now_ms)
        labels.append(next(control.label for control in view.controls if control.button == "draw"))
        rig.press("draw-one")
    assert labels == ["Ben drew all 2", "Ben drew the card"]


def test_points_that_cannot_be_are_told_with_what_can_be_at_most() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r3")
    rig.press("digit:9", "digit:9", "yes")
    assert rig.state.notice is not None
    words = rig.state.notice.words(untranslated, str)
    assert words.startswith("Ben can't have 99 points in the hand: from 0 to 50 are possible.")


def test_nothing_is_offered_where_nothing_may_be_stacked_any_more() -> None:
    rig = Rig(setup("house: stacking"))
    rig.begin()
    rig.tap("r+2")
    rig.press("draw-one")
    assert prompt(rig.state) == "Ben draws 1."
    plain = Rig()
    plain.begin()
    plain.tap("r+2")
    assert prompt(plain.state) == "Ben draws 2."


# -- the score alone ---------------------------------------------------------------------------------------------------


def test_where_the_score_alone_is_kept_nothing_that_is_lit_records_zero_and_digits_count_at_once() -> None:
    rig = Rig(setup("plays: unrefereed"), options=Options(has_reader=False))
    rig.press("seat:0")
    view = present(rig.state, rig.now_ms)
    assert view.prompt == "Ben: type the points left in the hand, or pick the cards; 0 so far."
    assert not [control for control in view.controls if control.emphasis]
    assert [control.button for control in view.controls if control.button.startswith("digit:")] == [
        f"digit:{digit}" for digit in "1234567890"
    ]
    for control in view.controls:
        if control.button not in ("undo", "menu") and not control.button.startswith("digit:"):
            rig.press(control.button)
    assert rig.lines == ["Ann: out"]
    rig.press("digit:4", "digit:2", "yes")
    assert rig.lines[-1] == "Ben: points 42"


def test_cards_that_were_picked_light_that_is_all() -> None:
    rig = Rig(setup("plays: unrefereed"), options=Options(has_reader=False))
    rig.press("seat:0")
    rig.pick("r5")
    assert [control.button for control in present(rig.state, rig.now_ms).controls if control.emphasis] == ["yes"]
    rig.press("yes")
    assert rig.lines[-1] == "Ben: shows r5"


def test_a_refereed_count_takes_digits_from_the_keyboard_at_once() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r3")
    view = present(rig.state, rig.now_ms)
    assert [control.button for control in view.shortcuts] == [f"digit:{digit}" for digit in "1234567890"]
    assert not [control for control in view.controls if control.button.startswith("digit:")]
    rig.press(view.shortcuts[6].button, "yes")
    assert rig.lines[-1] == "Ben: points 7"
