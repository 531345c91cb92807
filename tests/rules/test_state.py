"""A match is a value: it can't be changed, and judging an action leaves it as it was."""

from __future__ import annotations

import dataclasses

import pytest

from table_app.rules import (
    Card,
    DealCards,
    DealUnseen,
    Leaves,
    Match,
    SetHand,
    Setup,
    Start,
    apply,
    face,
    new_match,
)
from table_app.rules.actions import Lay
from table_app.rules.cards import COLOURS, DECKS
from table_app.rules.state import Draft
from tests.rules.driver import FIELDS
from tests.rules.tables import NAMES, anything, beside
from tests.rules.test_totality import FOUR, SCENARIOS, reached


@pytest.fixture
def match() -> Match:
    return new_match(Setup(NAMES[:3]))


def test_a_match_cannot_be_changed(match: Match) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        match.turn = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del match.turn
    with pytest.raises(AttributeError):
        match.anything_else = 2


def test_an_action_cannot_be_changed() -> None:
    action = Lay("Ann", Card(face("r5")), at_ns=3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        action.player = "Ben"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        action.at_ns = 4  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del action.card
    assert action == Lay("Ann", Card(face("r5")), at_ns=3)
    assert action != Lay("Ann", Card(face("r5")))
    assert len({action, Lay("Ann", Card(face("r5")), at_ns=3)}) == 1
    assert dataclasses.replace(action, at_ns=None) == Lay("Ann", Card(face("r5")))
    assert repr(action).startswith("Lay(at_ns=3, player='Ann'")


def test_a_draft_becomes_the_match_with_all_its_values(match: Match) -> None:
    values = {name: getattr(match, name) for name in FIELDS}
    draft = Draft.of(match)
    draft.direction = -1
    frozen = draft.freeze()
    assert type(frozen) is Match
    assert frozen.direction == -1
    assert match.direction == 1
    assert {name: getattr(frozen, name) for name in FIELDS} == values | {"direction": -1}
    with pytest.raises(dataclasses.FrozenInstanceError):
        draft.direction = 1


@pytest.mark.parametrize("name", SCENARIOS)
def test_judging_leaves_the_match_as_it_was(name: str) -> None:
    match = reached(SCENARIOS[name], [], name in FOUR)
    values = {field: getattr(match, field) for field in FIELDS}
    actions = [anything(match, match.names[0], kind) for kind in range(60)]
    actions += [beside(match, number) for number in range(30)]
    for action in actions:
        first, again = apply(match, action), apply(match, action)
        assert first == again, "the same action at the same match is ruled the same"
        assert all(getattr(match, field) is values[field] for field in FIELDS)


def test_a_long_match_can_be_compared_and_printed(match: Match) -> None:
    """However many actions lie behind it: nothing walks the whole past."""
    match, _ = apply(match, DealUnseen(7))
    match, _ = apply(match, Start(Card(face("r5"))))
    for _ in range(5000):
        match, ruling = apply(match, SetHand("Ann", 7))
        assert ruling.is_ok
    assert match == apply(match, SetHand("Ann", 7))[0]
    assert "Ann" in repr(match)
    assert len(repr(match)) < 200


def dealt(cards: str) -> Match:
    """Three at the table, Ben with these cards, all seen; the red 9 on top."""
    deck = DECKS["2018"]
    match = new_match(Setup(NAMES[:3], deck=deck))
    for action in (
        DealCards("Ann", tuple(map(Card, map(face, ("wshuffle", "y1", "y2"))))),
        DealCards("Ben", tuple(map(Card, map(face, cards.split())))),
        DealUnseen(3),
        Start(Card(face("r9"))),
    ):
        match, ruling = apply(match, action)
        assert ruling.is_ok
    return match


FORGETTING = {
    "shuffled": Lay("Ann", Card(face("wshuffle")), COLOURS[0]),
    "counted anew": SetHand("Ben", 4),
    "given back": Leaves("Ben"),
}


@pytest.mark.parametrize("forgetting", FORGETTING.values(), ids=FORGETTING)
def test_what_the_referee_no_longer_sees_it_no_longer_knows(forgetting: Lay | SetHand | Leaves) -> None:
    """Two tables that differ in cards which nobody sees any more are one and the same table."""
    first, _ = apply(dealt("g0 b0 w+4 r3"), forgetting)
    other, _ = apply(dealt("b1 b2 b3 b4"), forgetting)
    assert first == other
