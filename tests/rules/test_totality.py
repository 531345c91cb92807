"""Every phase, every kind of action, every house rule: there is always an answer, in words, and never an exception."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from table_app.rules import HouseRule, Match, Phase, actions, apply, waits
from table_app.rules.actions import Action, PlayerAction, Undo
from table_app.rules.engine import HANDLERS, new_match
from table_app.rules.state import (
    CharadeQuestion,
    ColourQuestion,
    DareQuestion,
    DiscardQuestion,
    ProofQuestion,
    ShowQuestion,
    SwapQuestion,
)
from table_app.rules.words import ruling_text, wait_text
from table_app.transcript import parse_action, read_header
from tests.rules.tables import NAMES, anything, beside


class Scenario(NamedTuple):
    """How a phase is reached, and how it is known."""

    lines: tuple[str, ...]
    is_there: Callable[[Match], bool]
    header: tuple[str, ...] = ()
    house: tuple[str, ...] = ()


R9 = "table: start r9"
DEALT = ("table: deal 3", R9)
WILD = (*DEALT, "Ann: w+4 blue")


def asks(kind: type) -> Callable[[Match], bool]:
    return lambda match: isinstance(match.question, kind)


SCENARIOS = {
    "before the first deal": Scenario((), lambda match: match.phase is Phase.BETWEEN),
    "the draw for the deal": Scenario(("Ann: high r7",), lambda match: match.high is not None),
    "dealing": Scenario(("table: deal Ann r1 r2",), lambda match: match.phase is Phase.DEALING),
    "set aside": Scenario(
        ("table: deal 3", "table: start rs"), lambda match: bool(match.discard_pile), ("edition: 2022", "target: 60")
    ),
    "a turn": Scenario(DEALT, lambda match: match.question is None and match.phase is Phase.PLAY),
    "drawn": Scenario((*DEALT, "Ann: draw r5"), lambda match: match.drawn is not None),
    "drawn unseen": Scenario((*DEALT, "Ann: draw"), lambda match: match.drawn is not None),
    "a colour": Scenario((*DEALT, "Ann: w"), asks(ColourQuestion)),
    "the first colour": Scenario(("table: deal 3", "table: start w"), asks(ColourQuestion)),
    "a swap": Scenario((*DEALT, "Ann: r7"), asks(SwapQuestion), house=("seven-o",)),
    "an opening swap": Scenario(
        ("table: deal 3", "table: start wswap", "Ann: red"),
        lambda match: match.may_swap_first,
        ("edition: 2018", "deck: 2018-swap"),
    ),
    "an open Wild Draw Four": Scenario(WILD, lambda match: match.wild_four is not None),
    "a showing": Scenario((*WILD, "Ben: challenge"), asks(ShowQuestion)),
    "a proof": Scenario(WILD, asks(ProofQuestion), ("wild4: prove",)),
    "a proof, unnamed": Scenario((*DEALT, "Ann: w+4"), asks(ProofQuestion), ("wild4: prove",)),
    "a proof of a stack": Scenario(
        (*WILD, "Ann: shows b1 b2", "Ben: w+4 red"), asks(ProofQuestion), ("wild4: prove",), ("stacking",)
    ),
    "a debt": Scenario((*DEALT, "Ann: r+2"), lambda match: match.penalty is not None),
    "a stack": Scenario((*DEALT, "Ann: r+2", "Ben: r+2"), lambda match: match.owes[2] == 4, house=("stacking",)),
    "a rain": Scenario((*DEALT, "Ann: wrain2 red"), lambda match: match.is_owing(), ("edition: h2o",)),
    "a fine": Scenario(("table: deal Ann r1 r2", *DEALT, "Ann: r1", "Cy: catch Ann"), lambda match: match.fines[0] > 0),
    "a window": Scenario(("table: deal Ann r1 r2", *DEALT, "Ann: r1"), lambda match: match.window is not None),
    "a refused card": Scenario((*DEALT, "Ben: r1"), lambda match: match.refused_lay is not None),
    "a dare": Scenario((*DEALT, "Ann: wcustom red"), asks(DareQuestion), ("edition: 2018", "custom: dare 2")),
    "a charade": Scenario((*DEALT, "Ann: wcustom red"), asks(CharadeQuestion), ("edition: 2018", "custom: charade")),
    "discards": Scenario(
        (*DEALT, "Ann: wcustom red"), asks(DiscardQuestion), ("edition: 2018", "custom: discard-wilds")
    ),
    "an empty pile": Scenario(
        ("table: deal 35", "table: start r9", "Ann: r5", "Ben: draw", "Ben: keep", "Cy: draw"),
        lambda match: match.draw_pile == 0,
    ),
    "nothing to draw": Scenario(("table: deal 27", "table: start r9"), lambda match: match.nothing_to_draw),
    "the last card's debt": Scenario(
        ("table: deal Ann r+2", *DEALT, "Ann: r+2"), lambda match: match.phase is Phase.OUT and match.is_owing()
    ),
    "counting": Scenario(("table: deal Ann r1", *DEALT, "Ann: r1"), lambda match: match.phase is Phase.OUT),
    "between rounds": Scenario(
        (
            *(f"table: deal {name} r{number}" for number, name in enumerate(NAMES[:4], 1)),
            R9,
            "Ann: r1",
        ),
        lambda match: match.phase is Phase.BETWEEN and match.round_number == 1,
    ),
    "over": Scenario(
        ("table: deal Ann r1", *DEALT, "Ann: r1"), lambda match: match.phase is Phase.OVER, ("target: none",)
    ),
    "unrefereed": Scenario((), lambda match: not match.setup.refereed, ("plays: unrefereed",)),
    "unrefereed, counting": Scenario(("Ann: out",), lambda match: match.phase is Phase.OUT, ("plays: unrefereed",)),
}
FOUR = {"nothing to draw", "between rounds"}
HOUSES = [*([rule.value] for rule in HouseRule), [], [rule.value for rule in HouseRule]]
PUT_RIGHT = 28
PRICED = ("wrong-play: 1", "false-catch: 1", "turn-clock: 6")


def reached(scenario: Scenario, house: list[str], is_four: bool) -> Match:
    """The match in this phase, with the house rules given beside those that the phase needs."""
    is_four = is_four or "teams" in house
    players = "players: Ann, Ben, Cy, Dee" if is_four else "players: Ann, Ben, Cy"
    rules = sorted({*house, *scenario.house})
    match = new_match(read_header([players, *scenario.header, *PRICED, f"house: {' '.join(rules)}"]))
    for line in scenario.lines:
        match, _ = apply(match, parse_action(line, match))
    return match


def every_action(match: Match) -> list[Action]:
    """A sample of each kind of action, of every player, at this table."""
    acts = [anything(match, name, kind + 30 * more) for name in match.names for kind in range(30) for more in (0, 8)]
    acts += [anything(match, match.names[0], PUT_RIGHT + 30 * more) for more in range(10)]
    return acts + [beside(match, number) for number in range(270)]


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: "+".join(house) or "none")
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_action_has_an_answer(name: str, house: list[str]) -> None:
    scenario = SCENARIOS[name]
    match = reached(scenario, house, name in FOUR)
    needs_other_pile = name in {"an empty pile"} and "teams" in house
    if not needs_other_pile:
        assert scenario.is_there(match), f"{name} is not reached with {house}"
    for action in every_action(match):
        after, ruling = apply(match, action)
        assert ruling.is_ok is (ruling.code is None)
        assert ruling.rule
        words = ruling_text(after, ruling)
        assert words and "{" not in words
        for player, word in waits(after):
            assert wait_text(player, word)


def test_the_sample_has_every_kind_of_action() -> None:
    kinds: set[type[Action]] = set()
    for name, scenario in SCENARIOS.items():
        match = reached(scenario, [], name in FOUR)
        kinds |= {type(action) for action in every_action(match)}
    assert kinds == set(HANDLERS)


def test_every_kind_of_action_has_a_room() -> None:
    kinds = {kind for kind in vars(actions).values() if isinstance(kind, type) and issubclass(kind, Action)}
    assert kinds - {Action, PlayerAction, Undo} == set(HANDLERS)
