"""``lastcard rules``: prints what is in force at a table, and nothing that is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from table_app.cli import lastcard
from table_app.rules import HouseRule


def printed(*options: str) -> str:
    result = CliRunner().invoke(lastcard, ["rules", *options])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def names(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith(" ")]


def test_classic_game_has_no_house_rule_and_no_special_card() -> None:
    said = names(printed())
    assert {"turn", "match", "wild-draw-four", "challenge", "uno-call", "score", "target"} <= set(said)
    assert not set(said) & ({rule.value for rule in HouseRule} | {"swap-hands", "downpour", "customizable"})


@pytest.mark.parametrize("rule", sorted(HouseRule))
def test_a_house_rule_is_printed_where_it_is_on(rule: HouseRule) -> None:
    assert rule.value in names(printed("--house", rule.value))


def test_numbers_are_those_of_the_table() -> None:
    text = " ".join(printed("--target", "300", "--grace", "2.5", "--uno-penalty", "4").split())
    assert "300 points" in text
    assert "2.5 seconds" in text
    assert "draws 4 cards" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--house", "stackng"], "did you mean stacking?"),
        (["--edition", "2019"], "2018"),
        (["--house", "teams", "--players", "5"], "even number"),
        (["--target", "0"], "at least 1 point"),
        (["--scoring", "lowest", "--target", "none"], "needs a target"),
        (["--lang", "xx"], "no translation"),
        (["--deck", "nowhere.toml"], "is not there; put it there"),
    ],
)
def test_what_can_t_be_is_one_sentence_with_the_option(options: list[str], words: str) -> None:
    result = CliRunner().invoke(lastcard, ["rules", *options])
    assert result.exit_code == 2
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_the_rules_are_those_of_the_table_s_settings_and_an_option_goes_before_them(tmp_path: Path) -> None:
    file = tmp_path / "lastcard.toml"
    file.write_text('[table]\nplayers = ["Ann", "Ben"]\n[rules]\nhouse = ["stacking"]\ntarget = 300\n')
    text = printed("--settings", str(file))
    assert "stacking" in names(text) and "300 points" in " ".join(text.split())
    other = printed("--settings", str(file), "--target", "200", "--players", "3")
    assert "stacking" in names(other) and "200 points" in " ".join(other.split())


def test_the_rules_are_printed_in_the_table_s_language(tmp_path: Path) -> None:
    file = tmp_path / "lastcard.toml"
    file.write_text('[table]\nlanguage = "de"\n')
    assert printed("--settings", str(file)) == printed("--lang", "de")
