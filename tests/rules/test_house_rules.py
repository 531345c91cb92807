"""A house rule is one row: everything that tells of it reads that row, and its needs and exclusions hold."""

from __future__ import annotations

import dataclasses

import pytest

from table_app.rules import HouseRule, Setup
from table_app.rules.house_rules import PRICES, HouseRow, Price, contradiction
from table_app.settings import RANGES, defaults
from table_app.transcript.header import header_text, read_header

BASE = HouseRow("base", "", "")
EXTRA = HouseRow("extra", "", "", needs="base")
RIVAL = HouseRow("rival", "", "", excludes=("base",))


@pytest.mark.parametrize("rule", HouseRule)
def test_a_house_rule_is_its_word_with_a_sentence_and_a_paragraph(rule: HouseRule) -> None:
    assert rule == rule.row.word
    assert HouseRule[rule.row.word.upper().replace("-", "_")] is rule
    assert rule.row.sentence.endswith(".")
    assert rule.row.text.endswith((".", "{points}"))


@pytest.mark.parametrize("rule", HouseRule)
def test_what_a_house_rule_needs_and_excludes_is_known(rule: HouseRule) -> None:
    assert {*rule.row.excludes, *filter(None, [rule.row.needs])} <= {*HouseRule} - {rule}


def test_a_house_rule_that_needs_another_is_not_played_without_it() -> None:
    assert contradiction([EXTRA]) == "extra needs base; add it, or leave extra out"
    assert contradiction([BASE, EXTRA]) is None
    assert contradiction([EXTRA, BASE]) is None


def test_house_rules_that_exclude_each_other_are_not_played_together() -> None:
    assert contradiction([BASE, RIVAL]) == "rival and base can't be combined; leave one of them out"
    assert contradiction([RIVAL]) is None
    assert contradiction([]) is None


@pytest.mark.parametrize("price", PRICES, ids=lambda price: price.key)
def test_a_price_is_in_the_set_up_the_header_and_the_settings(price: Price) -> None:
    field = {each.name: each for each in dataclasses.fields(Setup)}[price.field]
    assert field.default == price.default == defaults()["rules"][price.key]
    assert RANGES[f"rules.{price.key}"] == (0, price.highest)
    said = read_header(["players: Ann, Ben", f"{price.key}: 7"])
    assert price.cards(said) == 7
    assert header_text(said) == f"players: Ann, Ben\n{price.key}: 7\n"
