"""The settings file: its commented default is the list of keys, and a wrong one is named with the nearest right one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from table_app.decks import DeckFileError, load_deck
from table_app.rules import HouseRule
from table_app.settings import (
    SettingsError,
    defaults,
    read_settings,
    settings_path,
    state_directory,
    template_text,
)
from table_app.transcript.header import KEYS, read_header


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "lastcard.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_commented_default_file_changes_nothing(tmp_path: Path) -> None:
    assert tomllib.loads(template_text()) == {section: {} for section in defaults()}
    settings = read_settings(written(tmp_path, template_text()))
    assert settings.values == read_settings(None).values
    assert settings.given == frozenset()


def test_every_default_uncommented_is_a_valid_file_that_says_the_same(tmp_path: Path) -> None:
    text = "\n".join(
        line.removeprefix("# ") if " = " in line and line.startswith("# ") else line
        for line in template_text().splitlines()
    )
    settings = read_settings(written(tmp_path, text))
    assert settings.setup() == read_header(["players: Ann, Ben, Cy", "dealer: Cy"])


def test_every_key_of_a_transcripts_header_is_a_setting() -> None:
    assert set(defaults()["rules"]) == set(KEYS) - {"players"}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[rules]\ntargett = 300", ("[rules]", "targett", "did you mean target?")),
        ("[ruels]\ntarget = 300", ("[ruels]", "did you mean rules?")),
        ("[table]\nplayer = ['A', 'B']", ("[table]", "player", "did you mean players?")),
        ("[reader]\nbus = 'one'", ("[reader] bus", "a whole number", "'one'")),
        ("[reader]\nreset-pin = 'x'", ("[reader] reset-pin", 'a number or "none"')),
        ("[display]\nfull-screen = 1", ("[display] full-screen", "true or false")),
        ("[table]\nplayers = 'Ann, Ben'", ("[table] players", "a list of texts")),
        ("[buttons]\ndraw = '26'", ("[buttons] draw", "a pin")),
        ("target = 300", ("target", "section")),
        ("[rules", ("not TOML",)),
        ('[rules]\ndealer = "A\\nB"', ("[rules] dealer", "one line")),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, text: str, parts: tuple[str, ...]) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        read_settings(path)
    for part in (str(path), *parts):
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[rules]\ntarget = 0", ("[rules] target", "at least 1")),
        ("[rules]\nedition = '2017'", ("[rules] edition", "2018")),
        ("[table]\nplayers = ['Ann']", ("[table] players", "2 to 10")),
        ("[rules]\nhouse = ['staking']", ("[rules] house", "did you mean stacking?")),
    ],
)
def test_rules_that_make_no_sense_are_named_by_their_key(tmp_path: Path, text: str, parts: tuple[str, ...]) -> None:
    settings = read_settings(written(tmp_path, text))
    with pytest.raises(SettingsError) as caught:
        settings.setup()
    for part in parts:
        assert part in str(caught.value)


def test_files_that_are_no_text_are_told(tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="UTF-8"):
        read_settings(path)
    with pytest.raises(SettingsError, match="can't be read"):
        read_settings(tmp_path / "nowhere.toml")


def test_rules_and_players_reach_the_match(tmp_path: Path) -> None:
    text = """
[table]
players = ["Dee", "Eve"]
[rules]
target = "none"
grace = 2.5
house = ["stacking", "jump-in"]
"""
    agreed = read_settings(written(tmp_path, text)).setup()
    assert agreed.players == ("Dee", "Eve")
    assert (agreed.target, agreed.grace_ns) == (None, 2_500_000_000)
    assert agreed.house == {HouseRule.STACKING, HouseRule.JUMP_IN}
    assert read_settings(None).setup(("X", "Y")).players == ("X", "Y")


def test_giving_a_button_replaces_all_of_them(tmp_path: Path) -> None:
    settings = read_settings(written(tmp_path, '[buttons]\n"seat:0" = 4\n'))
    assert settings.pins("buttons") == {"seat:0": 4}
    assert settings.pins("lamps") == {"0": 17, "1": 27, "2": 22, "3": 23}


def test_paths_follow_the_file_the_service_and_xdg_in_this_order(tmp_path: Path) -> None:
    plain = read_settings(None)
    assert state_directory(plain, {"XDG_STATE_HOME": "/x/state"}) == Path("/x/state/lastcard")
    assert state_directory(plain, {"XDG_STATE_HOME": "relative"}) == Path.home() / ".local/state/lastcard"
    service = {"XDG_STATE_HOME": "/x/state", "STATE_DIRECTORY": "/var/lib/lastcard:/var/lib/more"}
    assert state_directory(plain, service) == Path("/var/lib/lastcard")
    named = read_settings(written(tmp_path, "[storage]\ndirectory = '/y'\n"))
    assert state_directory(named, service) == Path("/y")
    assert settings_path({"XDG_CONFIG_HOME": str(tmp_path)}) is None
    (tmp_path / "lastcard").mkdir()
    (tmp_path / "lastcard" / "lastcard.toml").write_text("")
    assert settings_path({"XDG_CONFIG_HOME": str(tmp_path)}) == tmp_path / "lastcard" / "lastcard.toml"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[table]\ncards-each = -1\n", "from 1 to 25"),
        ("[table]\ncards-each = 200\n", "from 1 to 25"),
        ('[table]\nhands = "trakced"\n', "did you mean tracked?"),
        ("[rules]\nuno-penalty = 100000000\n", "from 0 to 20"),
        ('[reader]\nkind = "magic"\n', "one of auto, spi"),
        ("[reader]\ngain-db = 40\n", "one of 18, 23"),
        ("[reader]\nspeed-hz = 0\n", "from 100000"),
        ("[reader]\nbus = 99999999999999999999\n", "from 0 to 9"),
        ('[pins]\nuse = "maybe"\n', "one of auto, on, off"),
        ("[buttons]\ndraw = 5\nkeep = 5\n", "give each its own"),
        ("[buttons]\ndraw = 99\n", "from 0 to 27"),
        ("[buttons]\nchalenge = 5\n", "did you mean challenge?"),
        ('[buttons]\n"seat:99" = 5\n', "seat:0 to seat:9"),
        ("[lamps]\nx = 5\n", "the number of a seat"),
    ],
)
def test_what_can_t_be_meant_is_refused_by_name(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=re.escape(words)) as caught:
        read_settings(path)
    assert str(path) in str(caught.value)


def test_a_file_without_an_end_is_no_settings_file() -> None:
    with pytest.raises(SettingsError, match="a device"):
        read_settings(Path("/dev/zero"))


def test_several_customizable_rules_are_one_each(tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text('[rules]\nedition = "2018"\ncustom = ["next 2", "again"]\n')
    assert len([kind for kind in read_settings(path).setup().deck.kinds.values() if kind.custom]) == 2


@pytest.mark.parametrize("text", ["[rules]\ntarget = " + "9" * 5_000, "[rules]\ntarget = " + "[" * 5_000])
def test_what_python_itself_can_not_read_is_a_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as said:
        read_settings(path)
    assert str(said.value).startswith(f"{path}")
    with pytest.raises(DeckFileError):
        load_deck(path)
