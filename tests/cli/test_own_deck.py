"""A match with a deck file of one's own is kept like any other: gone on with, listed, exported, judged."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from table_app.decks import load_deck
from table_app.rules import DECKS, EDITIONS, CustomKind, CustomRule, Setup, agreed_deck
from table_app.transcript import header_text, read_header
from table_app.transcript.header import deck_loader_beside
from tests.cli.test_commands import run

DECK_FILES = sorted((Path(__file__).parents[2] / "docs" / "decks").glob("*.toml"))
FARM = next(path for path in DECK_FILES if path.stem == "farm")
SETTINGS = '[table]\nplayers = ["Ann", "Ben"]\n[rules]\ndeck = "{}"\n'
BLANKS = 'name = "blank"\n[cards]\n1 = 9\nwcustom = 3\n[[special]]\ncode = "when"\neffect = "others 1"\n'


@pytest.fixture
def deck_file(tmp_path: Path) -> Path:
    """The farm as somebody copied it beside their settings."""
    (tmp_path / "settings.toml").write_text(SETTINGS.format("farm.toml"), encoding="utf-8")
    return Path(shutil.copy(FARM, tmp_path))


def table(command: str, deck_file: Path, *options: str, typed: str = "") -> str:
    """What *command* says of the table whose settings lie beside the deck, errors too."""
    folder = deck_file.parent
    where = ("--settings", str(folder / "settings.toml"), "--state-directory", str(folder / "table"))
    devices = ("--display", "none", "--reader", "none") if command == "play" else ()
    result = run(command, *options, *devices, *where, typed=typed)
    assert "Traceback" not in result.stderr
    return result.stdout + result.stderr


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("wild_points", [40, 50])
@pytest.mark.parametrize("path", DECK_FILES, ids=lambda path: path.stem)
def test_a_header_with_a_deck_file_is_read_again(path: Path, wild_points: int, edition: str) -> None:
    deck = agreed_deck(load_deck(path), EDITIONS[edition], wild_points=wild_points)
    setup = Setup(("Ann", "Ben"), EDITIONS[edition], deck)
    again = read_header(header_text(setup).splitlines(), deck_loader_beside(None))
    assert (again.deck.name, again.deck.kinds) == (deck.name, deck.kinds)
    assert header_text(again) == header_text(setup)


@pytest.mark.parametrize("rules", [(), (CustomRule(CustomKind.DARE, 2),), (CustomRule(CustomKind.AGAIN),) * 2])
def test_only_what_was_agreed_for_the_blank_cards_is_written(rules: tuple[CustomRule, ...], tmp_path: Path) -> None:
    path = tmp_path / "blank.toml"
    path.write_text(BLANKS, encoding="utf-8")
    setup = Setup(("Ann", "Ben"), deck=agreed_deck(load_deck(path), EDITIONS["classic"], rules))
    again = read_header(header_text(setup).splitlines(), deck_loader_beside(None))
    assert again.deck.kinds == setup.deck.kinds
    assert "others" not in header_text(setup)


def test_a_match_with_an_own_deck_goes_on_and_is_listed_and_exported(deck_file: Path) -> None:
    table("play", deck_file, typed="deal\nr9\nwhen\nblue\ndraw\nb1\nquit\n")
    assert "Go on?" in table("play", deck_file, typed="quit\n")
    assert "1 round " in table("history", deck_file)
    for redact in ((), ("--redact",)):
        exported = deck_file.parent / "export.table"
        table("export", deck_file, *redact, "--to", str(exported))
        assert "when" in exported.read_text(encoding="utf-8")
        judged = run("judge", str(exported))
        assert judged.returncode == 0, judged.stdout + judged.stderr


def test_another_match_of_the_same_evening_goes_on_too(deck_file: Path) -> None:
    with (deck_file.parent / "settings.toml").open("a", encoding="utf-8") as settings:
        settings.write("target = 1\n")
    first = "deal\nr9\n" + "form:count\n" + "seat 1\n1\nyes\n" + "r1\nuno 1\n10\nyes\n"
    said = table("play", deck_file, typed=f"{first}again\ndeal\nr8\nquit\n")
    assert "r8" in table("export", deck_file), said
    assert "Go on?" in table("play", deck_file, typed="quit\n")


def test_of_a_deck_file_that_changed_it_is_said_what_to_do(deck_file: Path) -> None:
    table("play", deck_file, typed="deal\nr9\nr1\nquit\n")
    deck_file.write_text(FARM.read_text(encoding="utf-8").replace("points = 40", "points = 30"), encoding="utf-8")
    said = re.sub(r"\s+", " ", table("play", deck_file, typed="quit\n"))
    assert "can't go on: the deck file" in said and "make the file what it was, and start again" in said
    assert "make the file what it was" in table("history", deck_file)
    shutil.copy(FARM, deck_file)
    assert "1 round " in table("history", deck_file)


def test_a_new_title_is_no_other_deck(deck_file: Path) -> None:
    table("play", deck_file, typed="deal\nr9\nr1\nquit\n")
    deck_file.write_text(FARM.read_text(encoding="utf-8").replace("Wild Hen", "Hen"), encoding="utf-8")
    assert "Go on?" in table("play", deck_file, typed="quit\n")


def test_of_a_deck_file_that_is_gone_it_is_said_which(deck_file: Path) -> None:
    table("play", deck_file, typed="deal\nr9\nr1\nquit\n")
    deck_file.unlink()
    assert f"the deck file {deck_file} is not there; put it there" in table("history", deck_file)
    assert f"the deck file {deck_file} is not there" in table("play", deck_file)
    settings = deck_file.parent / "settings.toml"
    settings.write_text(SETTINGS.format("classic"), encoding="utf-8")
    assert f"the deck file {deck_file} is not there" in table("play", deck_file, typed="quit\n")


def test_a_built_in_deck_goes_by_its_name() -> None:
    assert not any(deck.file for deck in DECKS.values())
