"""The rulebook tells the rules that are in force at this table, each once, and no other."""

from __future__ import annotations

import pytest

from table_app.rules.rulebook import rulebook
from table_app.transcript import read_header

SCORED = {"out", "order", "score", "target", "time", "leave", "join", "typed-points", "undo", "set"}
"""What holds in a match to 500, also where the table is used for the score alone."""

REFEREED = SCORED | {
    *("dealer", "deal", "first-card", "turn", "match", "wild", "draw", "drawn-card", "exchange", "reshuffle"),
    *("skip", "reverse", "draw-two", "wild-draw-four", "challenge", "uno-call", "uno-catch", "called", "owes"),
    *("cards", "drawn-round", "belief", "allow"),
}
NO_POINTS = {"score", "target", "time", "typed-points"}


def told(*agreed: str) -> list[tuple[str, str]]:
    return list(rulebook(read_header(["players: Ann, Ben, Cy, Dee", *agreed])))


@pytest.mark.parametrize(
    ("agreed", "names"),
    [
        ([], REFEREED),
        (["plays: unrefereed"], SCORED | {"unrefereed"}),
        (["plays: unrefereed", "target: none"], SCORED - NO_POINTS | {"unrefereed", "single"}),
        (["plays: unrefereed", "scoring: lowest"], SCORED - {"target"} | {"unrefereed", "lowest"}),
        (["plays: unrefereed", "house: teams"], SCORED - {"score", "leave", "join"} | {"unrefereed", "teams"}),
        (
            [
                "plays: unrefereed",
                "house: stacking",
                "wrong-play: 1",
                "false-catch: 1",
                "turn-clock: 3",
                "uno: players",
            ],
            SCORED | {"unrefereed"},
        ),
        (["edition: 2018"], REFEREED | {"shuffle-hands", "customizable"}),
        (["edition: 2022"], REFEREED - NO_POINTS | {"shuffle-hands", "customizable", "single"}),
        (["edition: h2o"], REFEREED | {"downpour"}),
        (["deck: 2018-swap"], REFEREED | {"swap-hands", "customizable"}),
        (["scoring: elimination"], REFEREED - {"target"} | {"elimination"}),
        (["scoring: lowest"], REFEREED - {"target"} | {"lowest"}),
        (["house: teams"], REFEREED - {"score", "leave", "join"} | {"teams"}),
        (["house: stacking, must-play"], REFEREED | {"stacking", "must-play"}),
        (["wild4: strict"], REFEREED),
        (["wild4: prove"], REFEREED),
        (["uno: players"], REFEREED),
        (["turn-clock: 30"], REFEREED | {"turn-clock"}),
        (["wrong-play: 2"], REFEREED | {"wrong-play"}),
        (["false-catch: 2"], REFEREED | {"false-catch"}),
    ],
    ids=lambda given: ", ".join(given) if isinstance(given, list) else "",
)
def test_each_rule_in_force_is_told_once_and_no_other(agreed: list[str], names: set[str]) -> None:
    assert sorted(name for name, _ in told(*agreed)) == sorted(names)


@pytest.mark.parametrize(
    ("rule", "one", "other"),
    [
        ("uno-call", "uno: referee", "uno: players"),
        ("challenge", "wild4: challenge", "wild4: prove"),
        ("challenge", "wild4: strict", "wild4: prove"),
        ("score", "scoring: winner", "scoring: lowest"),
        ("join", "scoring: winner", "scoring: elimination"),
        ("first-card", "edition: classic", "edition: 2022"),
        ("dealer", "edition: classic", "edition: 2022"),
    ],
)
def test_a_rule_that_differs_between_two_tables_is_told_differently(rule: str, one: str, other: str) -> None:
    assert dict(told(one))[rule] != dict(told(other))[rule]


@pytest.mark.parametrize(
    ("rule", "agreed", "words"),
    [
        ("challenge", "house: no-bluff", "4"),
        ("challenge", "players: Ann, Ben", "6"),
        ("wrong-play", "wrong-play: 3", "costs 3;"),
        ("false-catch", "false-catch: 4", "costs 4."),
        ("turn-clock", "turn-clock: 1", "within 1 second "),
        ("turn-clock", "turn-clock: 2.5", "within 2.5 seconds "),
        ("elimination", "scoring: elimination", "reaches 500"),
        ("join", "scoring: winner", "with no points"),
        ("uno-call", "uno: players", "another player says that the call was missed"),
        ("score", "wild-points: 40", "wilds 40, 50."),
        ("score", "deck: h2o", "wilds 50."),
    ],
)
def test_a_rule_is_told_with_the_numbers_of_the_table(rule: str, agreed: str, words: str) -> None:
    agreed_lines = [] if agreed.startswith("players") else [agreed]
    assert words in dict(told(*agreed_lines))[rule]
