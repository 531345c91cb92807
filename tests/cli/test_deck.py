"""``lastcard deck check``: a good deck is called good, a bad one is told with every key and reason; no traceback."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from table_app.cli import lastcard
from table_app.decks import load_deck
from table_app.rules import DECKS, Effect, face

ROOT = Path(__file__).parents[2]
PLAIN = "[cards]\n1 = 2\n2 = 2\n3 = 2\n"


def check(folder: Path, text: str | bytes) -> Result:
    path = folder / "own.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return CliRunner().invoke(lastcard, ["deck", "check", str(path)])


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "decks").glob("*.toml")), ids=lambda path: path.stem)
def test_example_decks_can_be_played(path: Path) -> None:
    result = CliRunner().invoke(lastcard, ["deck", "check", str(path)])
    assert result.exit_code == 0, result.output
    assert f"{load_deck(path).size} cards" in result.output


def test_children_s_deck_has_36_cards() -> None:
    assert load_deck(ROOT / "docs" / "decks" / "children-36.toml").size == 36


def test_themed_deck_has_special_cards_of_its_own() -> None:
    deck = load_deck(ROOT / "docs" / "decks" / "farm.toml")
    hen = deck.kinds[deck.face("WHEN")]
    assert (hen.title, hen.effect, hen.copies, hen.points) == ("Wild Hen", Effect.CUSTOMIZABLE, 2, 40)


def test_a_rank_without_a_colour_is_in_all_colours_and_an_exact_card_overrules_it(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(PLAIN + "r1 = 1\nb3 = 0\n")
    deck = load_deck(tmp_path / "own.toml")
    assert deck.kinds[face("r1")].copies == 1
    assert deck.kinds[face("g1")].copies == 2
    assert face("b3") not in deck
    assert deck.size == 3 * 4 * 2 - 1 - 2


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        (PLAIN + "q7 = 1\n", "cards.q7", "it is no card"),
        (PLAIN + "r5 = -1\n", "cards.r5", "a number from 0 to 20"),
        (PLAIN + "r5 = true\n", "cards.r5", "a number from 0 to 20"),
        (PLAIN + 'r5 = "two"\n', "cards.r5", "a number from 0 to 20"),
        (PLAIN + "r5 = 21\n", "cards.r5", "a number from 0 to 20"),
        (PLAIN + "wcustom1 = 1\n", "cards.wcustom1", "custom"),
        (PLAIN + "[points]\nr9 = 5\n", "points.r9", "the deck has no r9"),
        (PLAIN + "[points]\n1 = 2000\n", "points.1", "a number from 0 to 1000"),
        ('nam = "x"\n' + PLAIN, "nam", "did you mean name?"),
        ('name = "classic"\n' + PLAIN, "name", "built-in"),
        ("name = 5\n" + PLAIN, "name", "words in quotes"),
        ("cards = 5\n", "cards", "[cards]"),
        ("[cards]\nr1 = 1\n", "cards", "at least 15"),
        (PLAIN + '[[special]]\ncode = "w+4"\n', "special 1.code", "another card already"),
        (PLAIN + '[[special]]\ncode = "r5"\n', "special 1.code", "it must be w"),
        (PLAIN + '[[special]]\ncode = "panda"\n', "special 1.code", "it must be w"),
        (PLAIN + '[[special]]\ncode = "wa"\n[[special]]\ncode = "WA"\n', "special 2.code", "another card already"),
        (PLAIN + '[[special]]\ncode = "wa"\neffect = "explode"\n', "special 1.effect", "no effect"),
        (PLAIN + '[[special]]\ncode = "wa"\neffect = "next"\n', "special 1.effect", "needs a number"),
        (PLAIN + '[[special]]\ncode = "wa"\neffect = "downpour 99"\n', "special 1.effect", "needs a number"),
        (PLAIN + '[[special]]\ncode = "wa"\ncolour = "red"\n', "special 1.colour", "no such key"),
        (PLAIN + "[special]\ncode = 1\n", "special", "[[special]]"),
        ("[cards\n", "file", "not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_file_key_and_reason(tmp_path: Path, text: str, key: str, reason: str) -> None:
    result = check(tmp_path, text)
    assert result.exit_code == 2
    assert re.search(rf"own\.toml(, line \d+)?: {re.escape(key)}: ", result.stderr)
    assert reason in result.stderr


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    result = check(tmp_path, PLAIN + "q1 = 1\nq2 = 1\n[points]\nr9 = 1\n")
    assert len(result.stderr.splitlines()) == 3


@pytest.mark.parametrize("junk", [b"\xff\xfe\x00", b"\x00" * 100, bytes(range(256))])
def test_junk_is_one_sentence(tmp_path: Path, junk: bytes) -> None:
    result = check(tmp_path, junk)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_a_file_that_is_not_there_is_one_sentence() -> None:
    result = CliRunner().invoke(lastcard, ["deck", "check", "nowhere.toml"])
    assert result.exit_code == 2
    assert "nowhere.toml is not there; put it there" in result.stderr


@pytest.mark.parametrize("name", sorted(DECKS))
def test_a_deck_that_comes_along_is_checked_by_its_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(lastcard, ["deck", "check", name])
    assert result.exit_code == 0 and f"{name}: {DECKS[name].size} cards" in result.output


def test_a_file_goes_before_a_deck_of_its_name_and_a_name_that_is_none_hears_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "classic").write_text("[cards\n", encoding="utf-8")
    assert "not TOML" in CliRunner().invoke(lastcard, ["deck", "check", "classic"]).stderr
    assert "did you mean h2o?" in CliRunner().invoke(lastcard, ["deck", "check", "h20"]).stderr


def test_a_deck_file_is_played_by_the_judge(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(PLAIN + '[[special]]\ncode = "wcow"\nname = "Wild Cow"\neffect = "next 2"\n')
    (tmp_path / "match.table").write_text(
        "players: Ann, Ben\ndeck: own.toml\n\ntable: deal 3\ntable: start r1\nAnn: wcow blue\n"
        "= ok; owes Ben 2; turn Ben; colour blue; rule customizable\nBen: r9\n= refused unknown-card\n"
    )
    result = CliRunner().invoke(lastcard, ["judge", "--check", str(tmp_path / "match.table")])
    assert result.exit_code == 0, result.output
    told = CliRunner().invoke(lastcard, ["judge", str(tmp_path / "match.table")]).stdout
    assert "Wild Cow" in told


def test_decks_have_the_numbers_of_the_rulebook() -> None:
    assert {name: deck.size for name, deck in DECKS.items()} == {
        "classic": 108,
        "2018": 112,
        "2018-swap": 112,
        "h2o": 112,
        "playing-cards": 108,
    }


def test_everything_that_is_wrong_with_a_special_card_is_told_at_once(tmp_path: Path) -> None:
    special = '[[special]]\ncode = "panda"\nname = ""\ncount = 99\npoints = -1\neffect = "explode"\ndare = 7\n'
    result = check(tmp_path, PLAIN + special)
    assert result.exit_code == 2
    told = re.findall(r"special 1\.(\w+): ", result.output)
    assert sorted(told) == ["code", "count", "dare", "effect", "name", "points"], result.output


@pytest.mark.parametrize("number", ["0", "21", "99999", "9" * 5_000, "two", ""])
@pytest.mark.parametrize("word", ["downpour", "next", "others", "dare"])
def test_an_effect_with_a_number_says_its_limit(tmp_path: Path, word: str, number: str) -> None:
    effect = f"{word} {number}".strip()
    result = check(tmp_path, PLAIN + f'[[special]]\ncode = "wa"\neffect = "{effect}"\ndare = "Sing"\n')
    assert result.exit_code == 2 and f"{word} needs a number of cards from 1 to 20" in result.output


def test_a_dare_without_words_is_refused(tmp_path: Path) -> None:
    special = '[[special]]\ncode = "wa"\neffect = "dare 3"\n'
    result = check(tmp_path, PLAIN + special)
    assert result.exit_code == 2 and "special 1.dare: it is missing: say what the next player does" in result.output
    assert check(tmp_path, PLAIN + special + 'dare = "Sing"\n').exit_code == 0


@pytest.mark.parametrize(("cards", "said"), [("", "the deck has no 9"), ("r9 = 1\ny9 = 1\n", "the deck has no g9, b9")])
def test_points_for_a_rank_that_is_missing_are_one_line(tmp_path: Path, cards: str, said: str) -> None:
    result = check(tmp_path, PLAIN + cards + "[points]\n9 = 9\n")
    assert result.output.count("points.9") == 1 and result.output.strip().endswith(said), result.output
