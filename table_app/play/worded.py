"""Meanings that have other words, or other outcomes, in one situation than elsewhere; and what a meaning may come to.

What a meaning does stands in its own module; here is only what is said of it, for the documents and the tests that
compare it with what happens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from table_app.play.situations import Answer, Moment


class Outcome(StrEnum):
    """What a signal may come to."""

    ACTS = "acts"
    """An action that the core accepts is in the record, or another match lies on the table."""
    ASKS = "asks"
    """The table asks, or waits for the next step of what is put right."""
    REFUSES = "refuses"
    """The core refuses an action, or the table says that it can't be."""
    TELLS = "tells"
    """A sentence; at most the table remembers something."""
    SHOWS = "shows"
    """Only what is seen or remembered changes."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A meaning, *does*, with its own *words* and with what it may come to in this place."""

    does: Callable[[Moment], Answer]
    words: str
    comes_to: frozenset[Outcome]

    def __call__(self, moment: Moment) -> Answer:
        return self.does(moment)


def refused_here(does: Callable[[Moment], Answer], words: str) -> Worded:
    """A meaning that the core, asked all the same, refuses in this place, with its reason."""
    return Worded(does, words, frozenset({Outcome.REFUSES}))


def here(does: Callable[[Moment], Answer], words: str, *comes_to: Outcome) -> Worded:
    """A meaning that comes to this in this place."""
    return Worded(does, words, frozenset(comes_to))
