"""A deck with too few cards is told before the first deal, with the number that works; who joins later is dealt to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from table_app.decks import load_deck
from table_app.play.state import Options
from table_app.rules import Phase
from table_app.rules.setup import DRAW_PILE_MIN, most_cards_each, too_few_cards_text
from table_app.settings import SettingsError, read_settings
from table_app.setup.dialogue import asking, asking_again
from table_app.setup.steps import Asked
from table_app.transcript.header import deck_loader_beside
from table_app.view.present import prompt
from tests.cli.test_commands import run
from tests.table.rig import Rig, setup

CHILDREN = Path(__file__).parents[2] / "docs" / "decks" / "children-36.toml"
NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")


def settings_file(folder: Path, players: int, *lines: str) -> Path:
    path = folder / "lastcard.toml"
    names = ", ".join(f'"{name}"' for name in NAMES[:players])
    lines = (*lines, "[rules]", f'deck = "{CHILDREN}"')
    path.write_text("\n".join((f"[table]\nplayers = [{names}]", *lines)) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("players", range(2, 11))
@pytest.mark.parametrize("size", [15, 36, 108, 112])
def test_the_number_that_is_named_works_and_the_next_does_not(size: int, players: int) -> None:
    most = most_cards_each(size, players)
    assert too_few_cards_text(size, players, most) is None
    said = too_few_cards_text(size, players, most + 1)
    assert said is not None and f"cards-each = {most}" in said
    assert players * most < size
    assert players * most + 1 + DRAW_PILE_MIN <= size or most == 1


def test_a_table_with_too_few_cards_does_not_begin_and_says_what_to_set(tmp_path: Path) -> None:
    where = ("--display", "none", "--reader", "none", "--state-directory", str(tmp_path / "table"), "--settings")
    result = run("play", *where, str(settings_file(tmp_path, 8)), typed="deal\n")
    assert result.returncode != 0 and "Traceback" not in result.stderr
    assert "cards-each = 3 under [table]" in result.stderr and "8 players" in result.stderr
    result = run("play", *where, str(settings_file(tmp_path, 8, "cards-each = 3")), typed="deal\nr3\n")
    assert "Everybody has 3 cards." in result.stdout


def test_players_named_at_the_start_are_counted_too(tmp_path: Path) -> None:
    settings = read_settings(settings_file(tmp_path, 3))
    load_deck = deck_loader_beside(settings.path)
    assert settings.setup(None, load_deck).deck.size == load_deck(str(CHILDREN)).size
    with pytest.raises(SettingsError, match="cards-each = 3"):
        settings.setup(NAMES[:8], load_deck)


def test_the_score_alone_needs_no_cards(tmp_path: Path) -> None:
    where = ("--display", "none", "--state-directory", str(tmp_path / "table"))
    path = settings_file(tmp_path, 8)
    result = run("score", *where, "--settings", str(path), typed="seat 1\n")
    assert result.returncode == 0 and "cards-each" not in result.stderr


@pytest.mark.parametrize("is_box", [True, False])
def test_the_dialogue_takes_no_more_players_than_the_cards_are_enough_for(tmp_path: Path, is_box: bool) -> None:
    settings = read_settings(settings_file(tmp_path, 8))
    asked = asking(settings).choose("counted") if is_box else asking_again(settings)
    refused = asked.choose("8")
    assert refused.asked is Asked.PLAYERS and "cards-each = 3" in refused.problem
    assert asked.choose("4").asked is Asked.NAME
    assert not is_box or asked.back().choose("counted").choose("8").problem
    assert not is_box or asked.back().choose("score").choose("8").asked is Asked.NAME


@pytest.mark.parametrize("is_tracked", [False, True])
def test_who_joins_is_dealt_to_though_there_are_fewer_cards_for_each_then(is_tracked: bool) -> None:
    rig = Rig(replace(setup(), deck=load_deck(CHILDREN)), options=Options(is_tracked=is_tracked))
    rig.press("deal")
    rig.tap("r3")
    rig.press("form:count", "seat:0", "digit:1", "yes")
    rig.pick("r4")
    for _seat in range(2):
        rig.press("form:points", "digit:9", "yes")
    assert rig.phase() is Phase.BETWEEN
    for name in NAMES[3:8]:
        rig.press(f"join:{name}")
    assert prompt(rig.state).startswith("The deck has too few cards for 7 each, so everybody gets 3.")
    rig.press("deal")
    assert [hand.size for hand in rig.state.match.hands] == [3] * 8
    rig.tap("g3")
    assert rig.phase() is Phase.PLAY and rig.state.match.draw_pile == 36 - 8 * 3 - 1
