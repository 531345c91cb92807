"""Files that people write are read as their editors save them, and what is wrong in one names its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import ButtonPressed
from table_app.decks import DeckFileError, load_deck
from table_app.settings import SettingsError, read_settings, template_text
from table_app.setup.box_settings import settings_in_force
from table_app.setup.dialogue import change_players
from table_app.setup.steps import FirstStart
from table_app.toml_text import TomlFileError, read_toml
from table_app.transcript.header import deck_loader_beside

SETTINGS = '[table]\nplayers = ["Ann", "Ben"]\n\n[rules]\ntarget = 300\n'
DECK = 'name = "farm"\n\n[cards]\n1 = 2\n2 = 2\n3 = 2\n'
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16")  # the latter with its byte order mark, as Notepad and PowerShell write it


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_settings_and_decks_are_read_whatever_the_editor_makes_of_them(
    tmp_path: Path, encoding: str, ending: str
) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(SETTINGS.replace("\n", ending).encode(encoding))
    assert read_settings(path).setup().target == 300
    path.write_bytes(template_text().replace("\n", ending).encode(encoding))
    assert read_settings(path).given == frozenset()
    path.write_bytes(DECK.replace("\n", ending).encode(encoding))
    assert load_deck(path).size == 24


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_names_are_changed_in_such_a_file_too(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_bytes(SETTINGS.encode(encoding))
    asked = FirstStart("counted", 2, has_board=True, listens=True).choose("Fox").choose("orange")
    asked = asked.hear(ButtonPressed(0, "seat:0")).choose("Owl").choose("blue").hear(ButtonPressed(0, "seat:1"))
    change_players(asked, path, read_settings(path))
    assert read_settings(path).setup().players == ("Fox", "Owl") and read_settings(path).setup().target == 300


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[rules]\ntarget = \n", 2, "not TOML"),
        ("[rules]\ntarget = 300\n[rules]\nuno = 1\n", 3, "there twice"),
        ("[rules]\ntarget = 300\ntarget = 200\n", 3, "there twice"),
        ("[rules]\nuno = “referee”\n", 2, "quotes like"),
        ("[table]\nplayers = [\n  “Ann”,\n]\n", 3, "quotes like"),
        ("[rules]\ntarget = 300\n\0\0\0\0", 3, "power cut"),
        ("\0" * 400, 1, "power cut"),
        ("[cards]\n1 = 2\n+2 = 2\n", 3, 'such a key stands in quotes; write "+2" ='),
        ("[cards]\nw+4 = 4\n", 2, 'such a key stands in quotes; write "w+4" ='),
        ("[lamps]\nseat one = 4\n", 2, 'such a key stands in quotes; write "seat one" ='),
        ("[cards]\nr5 = two\n", 2, "not TOML: Invalid value"),
        ('[table]\nplayers = ["Ann"', 2, "not TOML"),
        ("[" * 5_000, 1, "not TOML"),
    ],
)
def test_what_can_not_be_read_names_file_and_line_and_the_reason(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    path = tmp_path / "file.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TomlFileError) as caught:
        read_toml(path, 100_000)
    assert caught.value.line == line and said in caught.value.reason
    for read in (read_settings, load_deck):
        with pytest.raises((SettingsError, DeckFileError)) as told:
            read(path)
        assert f"{path}, line {line}: " in str(told.value) and said in str(told.value)


def test_each_key_is_found_in_its_line_however_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_text(
        "# one\ntop = 1\n\n[rules]\ntarget = 1\nhouse = [\n  'a', # ]\n  'b',\n]\n'uno' = '''\n[no]\nhead'''\n"
        "[buttons] # two\n\"seat:0\" = 5\n[[special]]\ncode = 'wa'\n[[special]]\nname = 'x'\n\ncode = 'wb'\n"
        "[table]\ncards.each = 7\nin = { line = 3 }\n",
        encoding="utf-8",
    )
    file = read_toml(path, 10_000)
    expected = {
        ("top",): 2,
        ("rules",): 4,
        ("rules", "target"): 5,
        ("rules", "house"): 6,
        ("rules", "uno"): 10,
        ("buttons",): 13,
        ("buttons", "seat:0"): 14,
        ("special",): 15,
        ("special", "1", "code"): 16,
        ("special", "2"): 17,
        ("special", "2", "code"): 20,
        ("table", "cards", "each"): 22,
        ("table", "in", "line"): 23,
        ("no",): 0,
        ("rules", "nothing"): 0,
    }
    assert {keys: file.line(*keys) for keys in expected} == expected


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("\n[rules]\ntarget = 0\n", "line 3: [rules] target"),
        ("[rules]\n\n\nedition = '2017'\n", "line 4: [rules] edition"),
        ("[rules]\ntarget = 200\nhouse = [\n  'staking',\n]\n", "line 3: [rules] house"),
        ("[rules]\ndealer = 'Nobody'\n", "line 2: [rules] dealer"),
        ("[rules]\ndeck = 'farm.toml'\n", "line 2: [rules] deck"),
        ("[table]\ncards-each = 7\nplayers = ['Ann']\n", "line 3: [table] players"),
        ("rules.target = 0\n", "line 1: [rules] target"),
    ],
)
def test_rules_that_make_no_sense_name_their_line(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "farm.toml").write_text(DECK + "q7 = 1\n", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        read_settings(path).setup(load_deck=deck_loader_beside(path))
    assert f"{path}, {place}" in str(caught.value)
    if "deck" in text:
        assert "farm.toml, line 7: cards.q7" in str(caught.value)


def test_what_was_chosen_on_the_box_s_screen_is_told_of_its_own_file(tmp_path: Path) -> None:
    base = tmp_path / "lastcard.toml"
    base.write_text(SETTINGS, encoding="utf-8")
    upper = tmp_path / "upper.toml"
    upper.write_text("\n\n[rules]\ntarget = 0\n", encoding="utf-8")
    together = read_settings(base).below(read_settings(upper, is_whole=False))
    with pytest.raises(SettingsError, match=r"upper\.toml, line 4: "):
        together.setup()
    assert settings_in_force(read_settings(base), tmp_path).setup().target == 300


def test_every_problem_of_a_deck_names_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        DECK + "q7 = 1\nr5 = -1\n[points]\nr9 = 1\n[[special]]\ncode = 'wa'\n[[special]]\ncount = 99\ncode = 'wb'\n"
        "[[special]]\nname = 'x'\n",
        encoding="utf-8",
    )
    with pytest.raises(DeckFileError) as caught:
        load_deck(path)
    found = {problem.key: problem.line for problem in caught.value.problems}
    assert found == {
        "cards.q7": 7,
        "cards.r5": 8,
        "points.r9": 10,
        "special 2.count": 14,
        "special 3.code": 16,
    }
