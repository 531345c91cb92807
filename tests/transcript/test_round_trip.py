"""What is written is read again as the same: every action, every header."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_app.rules import (
    COLOURS,
    DECKS,
    NANOSECONDS,
    Action,
    Allow,
    AnswerDare,
    Call,
    Called,
    Card,
    Catch,
    Challenge,
    Charade,
    DealCards,
    DealUnseen,
    Discard,
    Draw,
    DrawForDeal,
    Finds,
    GoOut,
    Joins,
    Keep,
    LastRound,
    Lay,
    Leaves,
    NameColour,
    Points,
    Reshuffle,
    SetColour,
    SetDealer,
    SetDirection,
    SetHand,
    SetOwes,
    SetScore,
    SetTarget,
    SetTop,
    SetTurn,
    Setup,
    Shows,
    Start,
    Swap,
    Undo,
    Wait,
    new_match,
)
from table_app.rules.engine import HANDLERS
from table_app.transcript import action_text, header_text, parse_action, read_header
from tests.rules.tables import NAMES, setups

PLAYERS = ("Ann", "Ann Lee", "Ann Lee 3", "draw", "red", "Zoë", "小明", "O'Hara-Smith", "undo", "r5")
MATCH = new_match(Setup(PLAYERS, deck=DECKS["2018"]))

names = st.sampled_from(PLAYERS)
faces = st.sampled_from(sorted(MATCH.setup.deck.kinds, key=lambda wanted: wanted.code))
cards = st.builds(Card, faces, st.integers(0, 4))
hands = st.lists(cards, max_size=12).map(tuple)
some_cards = st.lists(cards, min_size=1, max_size=12).map(tuple)
colours = st.sampled_from(COLOURS)
numbers = st.integers(0, 999)
counts = st.integers(1, 99)
times = st.none() | st.integers(0, 10**6 * NANOSECONDS)
wilds = cards.filter(lambda card: card.face.is_wild)

ACTIONS: dict[type[Action], st.SearchStrategy[Action]] = {
    DealCards: st.builds(DealCards, names, some_cards, at_ns=times),
    DealUnseen: st.builds(DealUnseen, counts, at_ns=times),
    Start: st.builds(Start, cards, at_ns=times),
    Lay: st.builds(Lay, names, cards, at_ns=times) | st.builds(Lay, names, wilds, colours, at_ns=times),
    Draw: st.builds(Draw, names, counts, at_ns=times)
    | some_cards.flatmap(lambda seen: st.builds(Draw, names, st.just(len(seen)), st.just(seen), at_ns=times)),
    DrawForDeal: st.builds(DrawForDeal, names, cards, at_ns=times),
    Keep: st.builds(Keep, names, at_ns=times),
    Call: st.builds(Call, names, at_ns=times),
    Catch: st.builds(Catch, names, names, at_ns=times),
    Challenge: st.builds(Challenge, names, at_ns=times),
    Shows: st.builds(Shows, names, hands, at_ns=times),
    Finds: st.builds(Finds, names, st.booleans(), at_ns=times),
    Points: st.builds(Points, names, numbers, at_ns=times),
    Swap: st.builds(Swap, names, names, at_ns=times),
    Charade: st.builds(Charade, names, st.none() | names, at_ns=times),
    AnswerDare: st.builds(AnswerDare, names, st.booleans(), at_ns=times),
    Discard: st.builds(Discard, names, hands, at_ns=times),
    NameColour: st.builds(NameColour, names, colours, at_ns=times),
    GoOut: st.builds(GoOut, names, at_ns=times),
    Reshuffle: st.builds(Reshuffle, at_ns=times),
    Leaves: st.builds(Leaves, names, at_ns=times),
    Joins: st.builds(Joins, st.sampled_from(["Eve", "Eve the Second", "Ève"]), at_ns=times),
    Called: st.builds(Called, names, at_ns=times),
    Allow: st.builds(Allow, at_ns=times),
    SetDealer: st.builds(SetDealer, names, at_ns=times),
    SetTurn: st.builds(SetTurn, names, at_ns=times),
    SetHand: st.builds(SetHand, names, numbers, at_ns=times),
    SetOwes: st.builds(SetOwes, names, numbers, at_ns=times),
    SetTarget: st.builds(SetTarget, counts, at_ns=times),
    SetScore: st.builds(SetScore, names, numbers, at_ns=times),
    SetColour: st.builds(SetColour, colours, at_ns=times),
    SetDirection: st.builds(SetDirection, st.booleans(), at_ns=times),
    SetTop: st.builds(SetTop, cards, at_ns=times),
    LastRound: st.builds(LastRound, at_ns=times),
    Wait: st.builds(Wait, at_ns=times),
    Undo: st.builds(Undo, at_ns=times),
}


def test_every_kind_of_action_is_tried() -> None:
    assert set(ACTIONS) == {*HANDLERS, Undo}


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda kind: kind.__name__)
def test_an_action_written_is_read_again(kind: type[Action]) -> None:
    @given(ACTIONS[kind])
    def check(action: Action) -> None:
        text = action_text(action)
        assert "\n" not in text
        assert parse_action(text, MATCH) == action

    check()


@given(st.sampled_from(list(ACTIONS.values())).flatmap(lambda actions: actions), st.integers(0, 3))
def test_blanks_and_case_do_not_matter(action: Action, blanks: int) -> None:
    text = action_text(action)
    wide = text.replace(": ", ":" + " " * (blanks + 1) + "\t", 1)
    assert parse_action(f"  {wide} ", MATCH) == action


def test_cards_in_either_case() -> None:
    assert parse_action("Ann: W+4 BLUE", MATCH) == parse_action("Ann: w+4 blue", MATCH)
    assert parse_action("Ann: DRAW R5#2 bS", MATCH) == parse_action("Ann: draw r5#2 bs", MATCH)


def same_setup(first: Setup, other: Setup) -> bool:
    """Decks are made anew by a header; they are the same if they hold the same cards at the same points."""
    decks = first.deck.kinds == other.deck.kinds and first.deck.size == other.deck.size
    values = [
        (getattr(first, name), getattr(other, name))
        for name in Setup.__dataclass_fields__
        if name not in ("deck", "scores")
    ]
    scores = (first.scores or (0,) * len(first.players)) == (other.scores or (0,) * len(other.players))
    return decks and scores and all(one == two for one, two in values)


@given(setups())
def test_a_header_written_is_read_again(setup: Setup) -> None:
    again = read_header(header_text(setup).splitlines())
    assert same_setup(setup, again), header_text(setup)


def test_scores_are_written() -> None:
    setup = Setup(NAMES[:3], scores=(10, 0, 490))
    assert read_header(header_text(setup).splitlines()) == setup
