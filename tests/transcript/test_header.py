"""A header that can't be used is one sentence, with its line, and names the nearest right word where there is one."""

from __future__ import annotations

import pytest

from table_app.rules import NANOSECONDS, HouseRule, Scoring, UnoMode, WildFourMode, face
from table_app.transcript import HeaderError, read_header

THREE = "players: Ann, Ben, Cy"

WRONG = {
    "teams with five": (
        ["players: A, B, C, D, E", "house: teams"],
        2,
        ["teams", "even", "5"],
    ),
    "teams with two": (["players: A, B", "house: teams"], 2, ["teams", "four"]),
    "teams with elimination": (
        ["players: A, B, C, D", "house: teams", "scoring: elimination"],
        2,
        ["teams", "elimination"],
    ),
    "teams with lowest": (["players: A, B, C, D", "scoring: lowest", "house: teams"], 3, ["teams", "lowest"]),
    "elimination without a target": ([THREE, "scoring: elimination", "target: none"], 2, ["elimination", "target"]),
    "lowest without a target": ([THREE, "edition: 2022", "scoring: lowest"], 3, ["lowest", "target"]),
    "a target of nothing": ([THREE, "target: 0"], 2, ["target", "1"]),
    "a target below nothing": ([THREE, "target: -5"], 2, ["target", "'-5'"]),
    "a score at the target": ([THREE, "target: 50", "scores: Ann 50"], 3, ["score", "50"]),
    "a score over the target": ([THREE, "scores: Ann 3, Ben 700"], 2, ["score", "500"]),
    "a dealer who does not play": ([THREE, "dealer: Dee"], 2, ["Dee", "does not play"]),
    "a score of somebody else": ([THREE, "scores: Dee 4"], 2, ["'Dee'", "does not play"]),
    "two scores of one": ([THREE, "scores: Ann 4, Ann 5"], 2, ["Ann"]),
    "custom in a deck without": ([THREE, "custom: again"], 2, ["Customizable", "classic"]),
    "custom none in a deck without": ([THREE, "edition: h2o", "custom: none"], 3, ["Customizable", "h2o"]),
    "an unknown custom": ([THREE, "edition: 2018", "custom: agian"], 3, ["'agian'", "again"]),
    "a custom without its number": ([THREE, "edition: 2018", "custom: next"], 3, ["next", "number"]),
    "a custom with no cards": ([THREE, "edition: 2018", "custom: dare 0"], 3, ["dare", "number"]),
    "four customs": ([THREE, "edition: 2018", "custom: none|none|none|again"], 3, ["three"]),
    "an unknown key": ([THREE, "huose: stacking"], 2, ["'huose'", "house"]),
    "a key twice": ([THREE, "target: 5", "target: 6"], 3, ["target", "line 2"]),
    "an unknown house rule": ([THREE, "house: stackign"], 2, ["'stackign'", "stacking"]),
    "an unknown edition": ([THREE, "edition: clasic"], 2, ["'clasic'", "classic"]),
    "an unknown deck": ([THREE, "deck: playing-card"], 2, ["'playing-card'", "playing-cards"]),
    "an unknown scoring": ([THREE, "scoring: eliminate"], 2, ["'eliminate'", "elimination"]),
    "an unknown mode": ([THREE, "wild4: chalenge"], 2, ["'chalenge'", "challenge"]),
    "an unknown uno": ([THREE, "uno: player"], 2, ["'player'", "players"]),
    "an unknown plays": ([THREE, "plays: unreferred"], 2, ["'unreferred'", "unrefereed"]),
    "other wild points": ([THREE, "wild-points: 45"], 2, ["'45'", "50"]),
    "no number": ([THREE, "wrong-play: two"], 2, ["'two'", "number"]),
    "no seconds": ([THREE, "grace: soon"], 2, ["'soon'", "seconds"]),
    "a clock of nothing": ([THREE, "turn-clock: 0"], 2, ["turn clock"]),
    "one player": (["players: Ann"], 1, ["1 player", "2 to 10"]),
    "eleven players": (["players: a, b, c, d, e, f, g, h, i, j, k"], 1, ["11 players", "2 to 10"]),
    "the same name twice": (["players: Ann, Ben, Ann"], 1, ["same name"]),
    "no name": (["players: Ann,, Ben"], 1, ["no name"]),
    "a name with an at": (["players: @Ann, Ben"], 1, ["'@Ann'"]),
    "a name with equals": (["players: =Ann, Ben"], 1, ["'=Ann'"]),
    "a number for a name": (["players: 7, Ben"], 1, ["'7'", "number"]),
    "the table for a name": (["players: table, Ben"], 1, ["'table'"]),
    "no players": (["edition: 2018"], 1, ["players"]),
    "nothing": ([], 1, ["players"]),
    "no colon": (["players Ann, Ben"], 1, ["key: value"]),
}


@pytest.mark.parametrize("what", WRONG)
def test_it_says_what_is_wrong_in_which_line(what: str) -> None:
    lines, line, words = WRONG[what]
    with pytest.raises(HeaderError) as caught:
        read_header(lines)
    assert caught.value.line == line
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message, message


def test_defaults() -> None:
    setup = read_header([THREE])
    assert (setup.edition.name, setup.deck.name, setup.target) == ("classic", "classic", 500)
    assert (setup.scoring, setup.wild_four, setup.uno) == (Scoring.WINNER, WildFourMode.CHALLENGE, UnoMode.REFEREE)
    assert (setup.grace_ns, setup.turn_clock_ns, setup.house) == (5 * NANOSECONDS, None, frozenset())
    assert (setup.wrong_play, setup.false_catch, setup.uno_penalty, setup.refereed) == (0, 0, 2, True)


def test_every_key() -> None:
    setup = read_header(
        [
            "# a comment",
            "players: Ann ,Ben,  Cy,Dee",
            "",
            "edition: 2018",
            "deck: 2018-swap",
            "dealer: Ben",
            "target: 200",
            "scoring: winner",
            "wild4: prove",
            "uno: players",
            "grace: 2.5",
            "house: stacking seven-o, jump-in,no-bluff teams must-play draw-until call-to-go-out",
            "plays: refereed",
            "wild-points: 40",
            "wrong-play: 1",
            "false-catch: 2",
            "uno-penalty: 4",
            "turn-clock: 30",
            "custom: dare 3 | next 1",
            "scores: Ann 120, Ben 35",
        ]
    )
    assert setup.players == ("Ann", "Ben", "Cy", "Dee")
    assert setup.house == frozenset(HouseRule)
    assert setup.grace_ns == 2_500_000_000
    assert setup.turn_clock_ns == 30 * NANOSECONDS
    assert setup.scores == (120, 35, 120, 35)
    kinds = setup.deck.kinds
    assert kinds[face("w")].points == 40
    assert face("wcustom") not in kinds
    assert [kinds[face(f"wcustom{number}")].copies for number in (1, 2)] == [1, 1]
    assert face("wcustom3") not in kinds


def test_the_edition_2022_has_no_target_of_its_own_and_prices_its_wilds() -> None:
    setup = read_header([THREE, "edition: 2022", "wild-points: 40"])
    assert setup.target is None
    assert {kind.points for wanted, kind in setup.deck.kinds.items() if wanted.is_wild} == {50}
    assert read_header([THREE, "edition: 2022", "target: 300"]).target == 300
