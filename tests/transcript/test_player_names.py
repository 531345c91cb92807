"""A name that can be given is read back from every line in which it stands; one that can't be is refused everywhere."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from table_app.record.journal import open_journal
from table_app.rules import COLOURS, Card, Match, face, new_match
from table_app.rules import actions as act
from table_app.rules.actions import Action
from table_app.settings import SettingsError, read_settings
from table_app.setup.steps import FirstStart
from table_app.table.opening import JOURNAL_FILE, open_table
from table_app.transcript import BadLineError, HeaderError, action_text, parse_action, read_header
from table_app.transcript.header import KEYS
from table_app.transcript.notation import PLAYER_WORDS, PLAYER_WORDS_ALONE, TABLE_WORDS, TABLE_WORDS_ALONE
from table_app.transcript.player_names import NOBODY, TABLE, check_name
from tests.table.rig import Rig, files, setup

WORDS = sorted(
    {
        *KEYS,
        *PLAYER_WORDS,
        *PLAYER_WORDS_ALONE,
        *TABLE_WORDS,
        *TABLE_WORDS_ALONE,
        *COLOURS,
        TABLE,
        NOBODY,
        *("turn", "hand", "score", "colour", "direction", "top", "guilty", "innocent", "clockwise", "none", "yes"),
        *("r5", "w", "w+4", "r5#2", "-", "5", "@5", "=", "7a"),
    }
)
RESERVED = {TABLE, NOBODY}
TOGETHER = (("Ann", "Ann 3"), ("Ann", "Ann 3 4"), ("set", "set hand"), ("r5", "r5 nobody"), ("Ann", "Ann Weber"))
MISTAKEN = (("Ann", "Ann r5"), ("Ann r5 b7", "Ann"), ("Ann Lee", "Ann Lee w"))


def is_free(name: str) -> bool:
    try:
        return check_name(name) == name
    except BadLineError:
        return False


def table_of(*names: str) -> Match:
    return new_match(read_header([f"players: {', '.join(names)}", "edition: 2018"]))


def actions(name: str, other: str) -> list[Action]:
    card, more = Card(face("r5"), 2), Card(face("w"))
    return [
        act.DealCards(name, (card,)),
        act.DealCards(name, (more, card, card)),
        act.Lay(name, card),
        act.Lay(name, more, COLOURS[0]),
        act.Draw(name, 3),
        act.Draw(name, 1, (card,)),
        act.DrawForDeal(name, card),
        act.Keep(name),
        act.Call(name),
        act.Catch(name, other),
        act.Challenge(name),
        act.Shows(name, (card, more)),
        act.Finds(name, True),
        act.Points(name, 12),
        act.Swap(name, other),
        act.Charade(name, other),
        act.Charade(name, None),
        act.AnswerDare(name, True),
        act.Discard(name, (more,)),
        act.NameColour(name, COLOURS[1]),
        act.GoOut(name),
        act.Leaves(name),
        act.Joins(name),
        act.Called(name),
        act.SetTurn(name),
        act.SetHand(name, 3),
        act.SetScore(name, 4),
    ]


def assert_is_read_back(names: tuple[str, ...]) -> None:
    match = table_of(*names)
    for name, other in permutations(names, 2):
        for action in actions(name, other):
            assert parse_action(action_text(action), match) == action, action_text(action)
            assert parse_action(f"@3.5 {action_text(action)}", match) == replace(action, at_ns=3_500_000_000)


@pytest.mark.parametrize("word", [word for word in WORDS if is_free(word)])
def test_a_word_of_the_notation_that_may_be_a_name_is_read_back(word: str) -> None:
    assert_is_read_back((word, "Ann", f"{word} Bo", f"Ann {word} Bo"))


@pytest.mark.parametrize("names", TOGETHER)
def test_names_that_begin_alike_are_told_apart(names: tuple[str, str]) -> None:
    assert_is_read_back(names)


def test_the_words_that_stand_for_a_player_are_no_names() -> None:
    assert {word for word in WORDS if not is_free(word)} >= RESERVED
    assert {word for word in WORDS if not is_free(word)} == RESERVED | {"5", "@5", "=", "r5#2"}


@pytest.mark.parametrize("names", [*((word, "Ann") for word in sorted(RESERVED)), *MISTAKEN])
def test_such_names_are_refused_wherever_names_are_given(names: tuple[str, str]) -> None:
    first, second = names
    with pytest.raises(HeaderError, match="name"):
        read_header([f"players: {first}, {second}"])
    with pytest.raises(SettingsError, match="name"):
        read_settings(None).setup(names)
    refused, other = (first, second) if first in RESERVED else (second, first)
    rig = Rig(setup(f"players: {other}, Ben", "plays: unrefereed"))
    rig.press(f"join:{refused}")
    assert rig.lines == [] and rig.state.notice is not None and "name" in str(rig.state.notice.parts[0])
    asked = FirstStart(names=(other,))._name(refused)
    assert asked.names == (other,) and "name" in asked.problem


@pytest.mark.parametrize("names", ["nobody, Ann", "Ann, Ann r5"])
def test_a_match_of_before_with_such_a_name_says_why_it_does_not_go_on(tmp_path: Path, names: str) -> None:
    opened = open_journal(tmp_path / JOURNAL_FILE, wall_time=lambda: "2026-01-01T00:00:00Z", boot="boot")
    opened.journal.begin_match(f"players: {names}\n")
    opened.journal.close()
    table = open_table(files(tmp_path), setup(), 0, tags={})
    told = " ".join(map(str, table.state.messages))
    assert "can't go on" in told and repr(names.split(", ")[-1 if "r5" in names else 0]) in told
    assert table.state.match.names == ("Ann", "Ben", "Cy")
    table.close()
