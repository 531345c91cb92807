"""One paragraph of the rulebook: its shape, and the conditions under which a rule is in force.

No rule's words stand here; those are in `rulebook_play` and `rulebook_round`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from table_app.rules.cards import Effect
from table_app.rules.setup import HouseRule, Setup, WildFourMode


def mark(message: str) -> str:
    """Mark a message for the catalogue; it is translated where it is said."""
    return message


Condition = Callable[[Setup], bool]


def always(setup: Setup) -> bool:
    del setup
    return True


def refereed(setup: Setup) -> bool:
    return setup.refereed


def house(rule: HouseRule) -> Condition:
    return lambda setup: setup.refereed and rule in setup.house


def has(effect: Effect) -> Condition:
    return lambda setup: setup.refereed and any(kind.effect is effect for kind in setup.deck.kinds.values())


def mode(wanted: WildFourMode) -> Condition:
    return lambda setup: setup.refereed and setup.wild_four is wanted


class Paragraph(NamedTuple):
    """One paragraph: the rule's short *name*, its words, and *when* it holds.

    *reason*: why it is ruled so, where printed sheets disagree or are silent.
    """

    name: str
    text: str
    when: Condition = refereed
    reason: str = ""
