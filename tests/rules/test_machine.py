"""A rule-based state machine over random tables: every property of `driver`, shrinking to a transcript.

The long run: ``python -m pytest -m long tests/rules/test_machine.py``; it takes about ten minutes.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from table_app.rules import DealCards, DealUnseen, Phase, Setup
from tests.rules.driver import Driver
from tests.rules.tables import free_faces, setups

NUMBERS = st.integers(0, 1_000_000)
PLAYERS = st.integers(0, 9)


class Table(RuleBasedStateMachine):
    """People at a table: mostly they do what is awaited, now and then anything at all."""

    driver: Driver

    @initialize(setup=setups(), cards=st.integers(1, 5), seen=st.booleans())
    def sit_down(self, setup: Setup, cards: int, seen: bool) -> None:
        self.driver = Driver(setup)
        if setup.refereed:
            if seen:
                self.driver.act(DealCards(setup.players[0], free_faces(self.driver.match, cards)))
            self.driver.act(DealUnseen(cards))

    @rule(numbers=st.lists(NUMBERS, min_size=1, max_size=8))
    def do_what_is_awaited(self, numbers: list[int]) -> None:
        for number in numbers:
            self.driver.listed(number)

    @rule(player=PLAYERS, number=NUMBERS)
    def do_anything(self, player: int, number: int) -> None:
        self.driver.anything(player, number)

    @rule(number=NUMBERS)
    def do_something_beside(self, number: int) -> None:
        self.driver.beside(number)

    @rule(player=PLAYERS, number=NUMBERS)
    def do_anything_and_undo_it(self, player: int, number: int) -> None:
        self.driver.do_and_undo(player, number)

    @rule(milliseconds=st.sampled_from([500, 2500, 6000]))
    def let_time_pass(self, milliseconds: int) -> None:
        self.driver.time(milliseconds)

    @precondition(lambda self: self.driver.match.phase is not Phase.BETWEEN)
    @rule()
    def undo(self) -> None:
        self.driver.undo()

    @rule()
    def look_at_what_is_awaited(self) -> None:
        self.driver.check_waits()

    def teardown(self) -> None:
        if hasattr(self, "driver"):
            self.driver.check_again()


HEALTH = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
SHORT = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=HEALTH,
)
LONG = settings(max_examples=2000, stateful_step_count=60, deadline=None, suppress_health_check=HEALTH)


class LongTable(Table):
    """The same people, for longer."""


TestTable = Table.TestCase
TestTable.settings = SHORT
TestLongTable = pytest.mark.long(pytest.mark.timeout(3600)(LongTable.TestCase))
TestLongTable.settings = LONG
