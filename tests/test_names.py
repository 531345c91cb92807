"""Nobody sits at a table by a name that its screen can't show, whichever way they came there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame
import pygame.freetype
import pytest

from table_app.display import text as words
from table_app.names import DRAWN, NAME_LENGTH_MAX, TOO_LONG, name_trouble
from table_app.settings import SettingsError, read_settings
from table_app.setup.steps import FirstStart
from table_app.translations import translator
from table_app.view.present import present
from tests.table.rig import Rig

SHOWN = [
    "Anna",
    "Ōé",
    "Łukasz",
    "O’Neil",
    "Αθηνά",
    "Юлия",
    "Đặng",
    "שלום",
    "محمد",
    "پریا",
    "Անի",
    "ნინო",
    "Zoe\u0308",
    "Ana ★",
]
NOT_SHOWN = ["😀", "Ann 🎉", "日本語", "สมชาย", "अनु", "𝓐nn", "한나", "a\u20e3", "W" * 25]


def can_join(name: str) -> bool:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r3")
    rig.show_hands("y4", "y6")
    rig.press(f"join:{name}")
    return len(rig.state.match.names) == 4


def can_sit_at_the_first_start(name: str) -> bool:
    asked = FirstStart("counted", 2).choose(name)
    return len(asked.names) == 1 and not asked.problem


def can_be_in_the_settings(name: str) -> bool:
    try:
        return len(read_settings(None).setup((name, "Ben")).players) == 2
    except SettingsError as error:
        assert repr(name) in str(error), "which of them it is"
        return False


@pytest.mark.parametrize("way_in", [can_join, can_sit_at_the_first_start, can_be_in_the_settings])
def test_a_name_gets_to_the_table_if_the_screen_can_show_it(way_in: Callable[[str], bool]) -> None:
    assert [name for name in SHOWN if not way_in(name)] == []
    assert [name for name in NOT_SHOWN if way_in(name)] == []


def test_a_settings_file_with_such_a_name_is_told_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text('[table]\nplayers = ["Ann", "日本語"]\n')
    with pytest.raises(SettingsError, match=r"lastcard\.toml, line 2: \[table\] players: '日本語': .*other letters"):
        read_settings(path).setup()


def test_two_names_that_look_the_same_are_the_same(tmp_path: Path) -> None:
    asked = FirstStart("counted", 2).choose("Zoë").choose("orange").choose("Zoe\u0308")
    assert asked.names == ("Zoë",) and "sits here already" in asked.problem
    path = tmp_path / "lastcard.toml"
    path.write_text('[table]\nplayers = ["Zoë", "Ben"]\n[rules]\ndealer = "Zoe\u0308"\nscores = "Zoe\u0308 50"\n')
    agreed = read_settings(path).setup()
    assert agreed.dealer == "Zoë" and max(agreed.scores) == 50


def test_every_character_of_a_name_has_a_picture_in_both_weights_and_none_is_left_out() -> None:
    pygame.freetype.init()
    fonts = [pygame.freetype.Font(str(words.FONT_DIRECTORY / file), 20) for file in words.FONT_FILES.values()]
    letters = [chr(code) for first, last in DRAWN for code in range(first, last + 1) if chr(code).isprintable()]
    for letter in letters:
        assert all(font.get_metrics(letter)[0] is not None for font in fonts), f"U+{ord(letter):04X} has no picture"
        assert letter == " " or words.clean(letter), f"U+{ord(letter):04X} is left out"


def test_the_longest_name_there_can_be_is_the_one_that_is_said() -> None:
    assert f" {NAME_LENGTH_MAX} " in TOO_LONG
    assert not name_trouble("W" * NAME_LENGTH_MAX) and name_trouble("W" * (NAME_LENGTH_MAX + 1))


def test_who_joins_is_told_in_their_language_why_not() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r3")
    rig.show_hands("y4", "y6")
    rig.press("join:日本語")
    headline = present(rig.state, rig.now_ms, translator("de")).headline
    assert headline is not None and "mit anderen Buchstaben" in headline.text
