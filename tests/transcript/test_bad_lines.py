"""A line that can't be read is a ruling too: its text says what is wrong, and where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_app.rules import Code, Setup, new_match
from table_app.transcript import BadLineError, Judge, Judgement, Line, parse_action

MATCH = new_match(Setup(("Ann", "Ben")))

BAD = {
    "Ann r5": ["colon", "Ann: r5"],
    "Ann:": ["nothing", "Ann: r5"],
    "Zoe: r5": ["'Zoe'", "Ann, Ben"],
    "ann: r5": ["'ann'", "Ann, Ben"],
    "Ann: r10": ["'r10'", "not a card"],
    "Ann: wpanda": ["'wpanda'", "not a card"],
    "Ann: r5 b7": ["'b7'", "only a wild"],
    "Ann: w purple": ["'purple'", "red, yellow, green, blue"],
    "Ann: w red blue": ["'blue'", "does not belong"],
    "Ann: draw 0": ["'0'"],
    "Ann: draw -1": ["'-1'"],
    "Ann: draw 2 r5": ["'r5'", "does not belong"],
    "Ann: draw r5 2": ["'2'"],
    "Ann: draw 99999999999": ["'99999999999'"],
    "Ann: draw ²": ["'²'"],
    "Ann: keep r5": ["'r5'", "does not belong after keep"],
    "Ann: finds": ["guilty or innocent"],
    "Ann: finds perhaps": ["'perhaps'"],
    "Ann: points": ["a number"],
    "Ann: points many": ["'many'"],
    "Ann: points 3 4": ["a number"],
    "Ann: catch": ["Ann, Ben"],
    "Ann: catch Zoe": ["'Zoe'"],
    "Ann: swap Ben Ann": ["'Ben Ann'"],
    "Ann: charade": ["Ann, Ben"],
    "Ann: high": ["one card"],
    "Ann: shows r5 x": ["'x'"],
    "Ann: discard w w+5": ["'w+5'"],
    "Ann: leaves": ["'leaves'"],
    "Ann: r5#": ["'r5#'"],
    "table: r5": ["'r5'", "the table"],
    "table: deal": ["does not begin with a player"],
    "table: deal Ann": ["the cards that were dealt to Ann are missing"],
    "table: deal Zoe r5": ["'Zoe r5'"],
    "table: deal 0": ["'0'"],
    "table: deal Ann 7": ["'7'"],
    "table: start": ["one card"],
    "table: start r5 r6": ["one card"],
    "table: set": ["turn, hand, owes, score, colour, direction, top"],
    "table: set weather fine": ["'weather'", "dealer"],
    "table: set dealer Zoe": ["'Zoe'"],
    "table: set hand Ann": ["number"],
    "table: set hand Ann five": ["'five'"],
    "table: set colour pink": ["'pink'"],
    "table: set direction left": ["'left'", "clockwise or anticlockwise"],
    "table: set top x": ["'x'"],
    "table: set turn Zoe": ["'Zoe'"],
    "table: leaves": ["Ann, Ben"],
    "table: joins": ["no name"],
    "table: joins a,b": ["'a,b'"],
    "table: joins 12": ["'12'"],
    "table: joins @x": ["'@x'"],
    "table: joins table": ["'table'"],
    "table: called": ["Ann, Ben"],
    "table: undo 2": ["'2'", "does not belong"],
    "table: wait 2": ["'2'"],
    "@ Ann: r5": ["'@'", "time"],
    "@x Ann: r5": ["'@x'", "time"],
    "@-1 Ann: r5": ["'@-1'", "time"],
    "@1.2.3 Ann: r5": ["'@1.2.3'", "time"],
    "@1e3 Ann: r5": ["'@1e3'", "time"],
    "@5": ["colon"],
}


@pytest.mark.parametrize("line", BAD)
def test_the_text_says_what_and_where(line: str) -> None:
    with pytest.raises(BadLineError) as caught:
        parse_action(line, MATCH)
    for words in BAD[line]:
        assert words in str(caught.value)


def judged(*lines: str) -> list[Judgement]:
    judge = Judge()
    answers = [judge.take(Line(number, text)) for number, text in enumerate(("players: Ann, Ben", *lines), 1)]
    return [answer for answer in answers if isinstance(answer, Judgement)]


@pytest.mark.parametrize("line", BAD)
def test_it_is_a_ruling_and_changes_nothing(line: str) -> None:
    before, ruled, after = judged("table: deal 7", line, "table: start r9")
    assert ruled.ruling.code is Code.BAD_LINE
    assert ruled.ruling.rule == "order"
    assert ruled.match is before.match
    assert after.ruling.is_ok
    assert ruled.words()


def test_a_time_before_the_last_says_so() -> None:
    *_, ruled = judged("table: deal 7", "table: start r9", "@9 Ann: r5", "@8 Ben: r6")
    assert ruled.ruling.code is Code.BAD_LINE
    assert "time" in ruled.words()


@given(st.text())
def test_any_text_is_an_action_or_a_bad_line(text: str) -> None:
    try:
        parse_action(text, MATCH)
    except BadLineError as error:
        assert str(error)
        assert len(str(error)) < 400


@given(st.sampled_from(["Ann: ", "table: ", "@5 Ann: ", "table: set ", "table: deal Ann ", "Ann: draw "]), st.text())
def test_any_text_behind_a_good_beginning(beginning: str, text: str) -> None:
    try:
        parse_action(beginning + text, MATCH)
    except BadLineError as error:
        assert str(error)
