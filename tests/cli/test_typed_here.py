"""On a terminal a number or a name is read by what is asked for, and what can be typed there is said."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.signals import ButtonPressed
from table_app.cli import typed_words
from table_app.cli.terminal import Printer, TypedLines
from table_app.cli.typed_here import presses_here, words_here
from table_app.play.state import MenuPage, OlderMatch, Options
from table_app.rules import face
from table_app.rules.messages import untranslated
from table_app.rules.words import face_name
from table_app.table import Table
from table_app.translations import translator
from table_app.view.present import present
from tests.table.rig import Rig, setup

SCORE_ALONE = ("plays: unrefereed",)


def typed(rig: Rig, *lines: str) -> None:
    """Each line as a terminal takes it, by the table as it stands then."""
    for line in lines:
        presses = presses_here(line, rig.state, present(rig.state, rig.now_ms))
        assert presses, line
        rig.press(*presses)


def here(rig: Rig) -> tuple[str, ...]:
    return words_here(present(rig.state, rig.now_ms), untranslated)


@pytest.mark.parametrize("line", ["2", "Ben", "ben", "seat Ben", "out Ben"])
def test_a_seat_that_is_asked_for_is_a_number_or_a_name(line: str) -> None:
    rig = Rig()
    rig.begin()
    rig.press("form:leave")
    assert {"1 (Ann)", "2 (Ben)", "3 (Cy)", "no"} <= set(here(rig))
    typed(rig, line)
    assert rig.lines[-1] == "table: leaves Ben"


def test_a_number_of_cards_is_put_right_by_two_numbers() -> None:
    rig = Rig()
    rig.begin()
    rig.press("form:count")
    typed(rig, "2", "12")
    assert rig.state.match.hands[1].size == 12


@pytest.mark.parametrize("line", ["2", "Ben", "out Ben", "Ben is out", "ben is out", "Ben out", "Ben: out"])
def test_where_the_score_alone_is_kept_whoever_is_out_is_named_in_any_way(line: str) -> None:
    rig = Rig(setup(*SCORE_ALONE))
    typed(rig, line)
    assert rig.lines[-1] == "Ben: out"


def test_points_are_typed_bare_or_behind_their_word() -> None:
    rig = Rig(setup(*SCORE_ALONE))
    typed(rig, "2", "3")
    typed(rig, "points 12")
    assert rig.state.match.scores == (0, 15, 0)


def test_a_match_that_lies_aside_is_taken_up_by_its_number() -> None:
    rig = Rig()
    older = (OlderMatch(3, "2026-11-01T20:15", ("Ann", "Ben"), (0, 0), 2),)
    state = replace(rig.state, menu=MenuPage.OLDER, older=older)
    view = present(state, rig.now_ms)
    assert presses_here("3", state, view) == ["take-up:3"]
    assert "take-up 3" in words_here(view, untranslated)


def test_a_number_nobody_asked_for_is_one_answer_and_no_press(capsys: pytest.CaptureFixture[str]) -> None:
    rig = Rig()
    rig.begin()
    lines = TypedLines(io.StringIO("12\nundo\n"), lambda: 7, lambda: None, lambda: rig.state)
    pressed: list[str] = []
    while not lines.is_at_end:
        pressed += [signal.button for signal in lines.poll(7) if isinstance(signal, ButtonPressed)]
    assert pressed == ["undo"]
    assert capsys.readouterr().out.splitlines() == ["No number is asked for now."]


def printed(rig: Rig, presses: Sequence[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What a terminal says to these presses and cards."""
    printer = Printer(untranslated)
    rig.table = Table(rig.state, rig.journal, show=printer.show, observers=[rig.heard, printer])
    rig.table.step(rig.now_ms)
    if presses:
        capsys.readouterr()
    for press in presses:
        if press in ("r9", "g9", "g3"):
            rig.pick(press)
        else:
            rig.press(press)
    return capsys.readouterr().out.splitlines()


def test_after_a_refused_card_the_terminal_says_where_it_goes_and_whose_turn_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rig = Rig()
    rig.begin("r5")
    said = printed(rig, ["r9", "g3"], capsys)
    refused = next(number for number, line in enumerate(said) if line.startswith("✗"))
    assert said[refused + 1] == "  That card goes back to the hand; allow lets it stand."
    assert said[refused + 2] == "  Ben: lay a card or draw."
    assert "allow" in said[refused + 3]


def test_the_rules_and_the_rarer_words_are_printed_when_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    rig = Rig()
    rig.begin("r5")
    said = printed(rig, ["rules", "rules", "menu"], capsys)
    assert "wild-draw-four" in said
    assert any("pause" in line and "put-right" in line for line in said if line.startswith("  type:"))


def test_what_can_be_typed_is_said_only_where_something_is_new(capsys: pytest.CaptureFixture[str]) -> None:
    rig = Rig()
    rig.begin("r5")
    said = printed(rig, ["r9", "r9", "g9"], capsys)
    assert sum(line.startswith("  type:") for line in said) <= 1


def test_other_matches_in_the_middle_of_a_round_say_to_pause_first() -> None:
    rig = Rig()
    rig.begin()
    rig.press("older")
    assert rig.heard.notices[-1].text.startswith("Pause first")


def test_a_word_that_is_nothing_is_not_called_a_card() -> None:
    rig = Rig()
    rig.begin("r5")
    rig.pick("shuffel")
    said = present(rig.state, rig.now_ms).headline
    assert said is not None and said.text == "shuffel is no card of this deck, and no other word that this table knows."


def test_a_colour_may_be_named_in_the_language_of_the_table() -> None:
    rig = Rig()
    rig.begin("r5")
    view = present(rig.state, rig.now_ms)
    assert presses_here("Blau", rig.state, view, translator("de")) == ["colour:blue"]
    assert presses_here("blue", rig.state, view) == ["colour:blue"]


# -- the table's own words ---------------------------------------------------------------------------------------------


def said(rig: Rig, *lines: str, language: str = "") -> list[str]:
    """What these lines are to the table: buttons, and cards by their codes."""
    translate = translator(language) if language else untranslated
    found: list[str] = []
    typed_lines = TypedLines(
        io.StringIO("".join(f"{line}\n" for line in lines)), lambda: 7, lambda: None, lambda: rig.state, translate
    )
    while not typed_lines.is_at_end:
        for signal in typed_lines.poll(7):
            found.append(signal.button if isinstance(signal, ButtonPressed) else str(getattr(signal, "code", signal)))
    return found


@pytest.mark.parametrize("code", [face.code for face in setup().deck.kinds])
@pytest.mark.parametrize("language", ["", "de"])
def test_every_card_is_understood_by_the_name_that_the_table_gives_it(code: str, language: str) -> None:
    rig = Rig()
    rig.begin()
    name = face_name(face(code), translator(language) if language else untranslated)
    assert said(rig, name, name.upper(), f"Ann: {name}", language=language) == [code] * 3


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("green 2", ["g2"]),
        ("2 green", ["g2"]),
        ("5r", ["r5"]),
        ("green two", ["g2"]),
        ("Red Eight", ["r8"]),
        ("Green Skip", ["gs"]),
        ("skip green", ["gs"]),
        ("red Draw 2", ["r+2"]),
        ("red +2", ["r+2"]),
        ("w green", ["w", "colour:green"]),
        ("wild blue", ["w", "colour:blue"]),
        ("+4 blue", ["w+4", "colour:blue"]),
        ("Ann: w+4 red", ["w+4", "colour:red"]),
        ("w b", ["w", "colour:blue"]),
        ("stop", ["quit"]),
        ("exit", ["quit"]),
        ("pass", ["keep"]),
        ("Ann passes", ["keep"]),
        ("shuffle", ["reshuffle"]),
        ("table: shuffle", ["reshuffle"]),
        ("ann: draw", ["draw"]),
        ("draw 1", ["draw"]),
        ("Ann: uno!", ["uno:0"]),
        ("Ann calls", ["uno:0"]),
        ("Ben catches Ann", ["catch:0"]),
        ("Ben: catch Ann", ["catch:0"]),
        ("Ben: challenge", ["challenge"]),
        ("last round", ["bell"]),
        ("Allow anyway", ["allow"]),
    ],
)
def test_what_people_type_at_a_table_is_understood(line: str, expected: list[str]) -> None:
    rig = Rig()
    rig.begin()
    assert said(rig, line) == expected


def test_whatever_stands_on_a_button_can_be_typed_in_the_language_of_the_table() -> None:
    for language in ("", "de"):
        translate = translator(language) if language else untranslated
        for steps in ((), ("deal",), ("deal", "menu"), ("deal", "pause"), ("form:dealer",)):
            rig = Rig()
            rig.press(*steps)
            view = present(rig.state, rig.now_ms, translate)
            answers = view.question.answers if view.question is not None else ()
            for control in (*answers, *view.controls):
                assert said(rig, control.label, language=language) == [control.button], control.label


def test_a_call_needs_no_seat_where_only_one_player_can_call() -> None:
    rig = Rig(cards_each=2)
    rig.begin("r9")
    assert said(rig, "uno") == ["uno:0"] == said(rig, "Uno!")


def test_what_is_owed_is_drawn_at_once_and_no_more(capsys: pytest.CaptureFixture[str]) -> None:
    rig = Rig()
    rig.begin("r9")
    rig.tap("r+2")
    assert said(rig, "draw 2") == said(rig, "Ben draws 2") == ["draw", "draw"]
    assert said(rig, "draw 3") == []
    assert "Nobody owes so many cards" in capsys.readouterr().out


@pytest.mark.parametrize(("line", "codes"), [("skip", "rs, ys, gs, bs"), ("Reverse!", "rr, yr, gr, br")])
def test_a_sign_without_its_colour_is_answered_with_the_cards_it_may_be(
    line: str, codes: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = Rig()
    rig.begin()
    assert said(rig, line) == []
    assert capsys.readouterr().out == f"Which one? Type its code: {codes}.\n"


def test_a_terminal_never_speaks_of_touching_or_of_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    """Every message of the program that does has a form for the terminal, and what is printed has none of them."""
    package = Path(typed_words.__file__).parents[1]
    spoken = [*map(package.joinpath, ("play", "record", "table", "tags")), *(package / "view").glob("[pc]*s*n*t*.py")]
    files = [file for path in spoken for file in ([path] if path.is_file() else sorted(path.glob("*.py")))]
    of_screens = {
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith((".", "?"))
        if re.search(r"[Tt]ouch (?:the|or) |pick it on the screen|presses (?:Guilty|Innocent)", node.value)
        and "\n" not in node.value
    }
    documented = {text for text in of_screens if text.startswith(("In this order", "Whose hand"))}
    missing = of_screens - set(typed_words.TYPED_TEXTS) - documented - NOT_SAID_AT_A_TERMINAL
    assert not missing
    assert not [text for text in typed_words.TYPED_TEXTS.values() if re.search("[Tt]ouch|press|screen", text)]
    rig = Rig(setup("plays: unrefereed"), options=Options(has_reader=False))
    assert "  Who is out?" in printed(rig, [], capsys)


NOT_SAID_AT_A_TERMINAL: set[str] = set()


def test_what_is_said_of_another_than_the_one_who_does_it_is_not_done(capsys: pytest.CaptureFixture[str]) -> None:
    """*Ben: draw* in the turn of Ann was a card of hers."""
    rig = Rig()
    rig.begin("r9")
    for line in ("Ben: draw", "Cy draws", "Ben draws 1", "Cy: keep", "Ben passes"):
        assert said(rig, line) == []
        assert "Ann" in capsys.readouterr().out, line
    assert said(rig, "Ann: draw") == ["draw"] == said(rig, "draw")
    rig.tap("w+4")
    rig.press("colour:red")
    assert said(rig, "Cy: challenge") == [] and said(rig, "Ben challenges") == ["challenge"]
    assert "Ben" in capsys.readouterr().out


# -- what nobody understands -----------------------------------------------------------------------------------------


def answered(rig: Rig, line: str, capsys: pytest.CaptureFixture[str], language: str = "") -> list[str]:
    """What the terminal prints to a line, with the table behind it."""
    translate = translator(language) if language else untranslated
    printer = Printer(translate)
    rig.table = Table(rig.state, rig.journal, show=printer.show, observers=[rig.heard, printer])
    rig.table.step(rig.now_ms)
    capsys.readouterr()
    lines = TypedLines(io.StringIO(f"{line}\n"), lambda: rig.now_ms, lambda: None, lambda: rig.state, translate)
    while not lines.is_at_end:
        for signal in lines.poll(rig.now_ms):
            rig.send(signal)
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("line", "meant"),
    [("hlep", "help"), ("undp", "undo"), ("gren 2", "green 2"), ("Ben chalenge", "challenge"), ("Annn", "Ann")],
)
def test_a_word_that_nobody_understands_is_answered_with_the_nearest_and_with_help(
    line: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = Rig()
    rig.begin()
    said = answered(rig, line, capsys)
    assert said[0].startswith("· ") and "no card of this deck" in said[0]
    assert said[1] == f"  Did you mean {meant}? help lists everything that can be typed."


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("xyzzy", "  help lists everything that can be typed."),
        ("Eva, Tom, Jo", "  To play with others type who-plays. help lists everything that can be typed."),
    ],
)
def test_a_word_like_no_other_and_names_are_answered_with_what_helps(
    line: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = Rig()
    rig.begin()
    assert answered(rig, line, capsys)[1] == hint


def test_a_card_that_is_refused_was_understood(capsys: pytest.CaptureFixture[str]) -> None:
    rig = Rig()
    rig.begin()
    rig.press("pause")
    assert "help lists" not in "".join(answered(rig, "r5", capsys))


@pytest.mark.parametrize("line", ["yes", "No", "no!"])
def test_yes_and_no_to_a_challenge_are_answered_with_what_is_typed(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = Rig(options=Options(has_reader=False))
    rig.press("deal")
    rig.pick("r9", "w+4")
    rig.press("colour:green")
    assert answered(rig, line, capsys) == ["Yes and no are no answer to that: type challenge or draw."]
    rig.press("challenge")
    verdict = "type guilty if it was a bluff, innocent if not."
    assert answered(rig, line, capsys) == [f"Yes and no are no verdict: {verdict}"]
    assert any(said.endswith(verdict) for said in printed(rig, [], capsys)), "and the question says it, too"
    assert answered(rig, "guilty", capsys)[0].startswith("✓ ")


def test_in_german_yes_and_no_are_said_in_german(capsys: pytest.CaptureFixture[str]) -> None:
    rig = Rig(options=Options(has_reader=False))
    rig.press("deal")
    rig.pick("r9", "w+4")
    rig.press("colour:green", "challenge")
    for line in ("ja", "Nein"):
        (said,) = answered(rig, line, capsys, "de")
        assert "guilty" in said and "innocent" in said
