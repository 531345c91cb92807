"""The round's clock at the table: what holds it up, when it goes on, and when a time limit rings.

Only times are compared here; what a clock comes to is the core's, and when it is looked at `interpreter`'s.
"""

from __future__ import annotations

from collections.abc import Iterable

from hardware.signals import Signal, TagPlaced
from table_app.play.state import (
    NANOSECONDS_PER_MS,
    QUESTION_MS,
    DrawnQuestion,
    LabelQuestion,
    TableState,
    start_clock,
    stop_clock,
)
from table_app.rules import Phase, Ruling
from table_app.rules.clock import grace_end, turn_end

PAD_HOLD_MS = 10_000
"""How long a card left lying on the pad holds up the grace time: nobody gains by leaving it there."""


def is_held_by_question(state: TableState) -> bool:
    """True while the turn clock waits for a word about a card: it was tapped in time. A question itself lapses."""
    is_about_a_card = isinstance(state.question, DrawnQuestion | LabelQuestion) or state.held is not None
    return is_about_a_card and turn_end(state.match) is not None and grace_end(state.match) is None


def held_too_long(state: TableState, now_ms: int) -> bool:
    """True once a card has held up the clock for all the time that it may."""
    end_ms = pad_hold_end_ms(state)
    return end_ms is not None and now_ms > end_ms


def pad_hold_end_ms(state: TableState) -> int | None:
    """Until when a card on the pad, or one that waits for a word, may hold up the clock; None where nothing does, or a
    question, which lapses by itself."""
    if state.stopped_ms is None or state.question is not None:
        return None if state.stopped_ms is None or is_held_by_question(state) else state.stopped_ms + PAD_HOLD_MS
    return state.stopped_ms + (QUESTION_MS if is_held_by_question(state) else PAD_HOLD_MS)


def follow_clock(
    before: TableState, state: TableState, rulings: Iterable[Ruling], signal: Signal | None, at_ms: int
) -> TableState:
    """The clock after a signal that led from *before* to *state*.

    It stands still once a question is open about a card of the turn, and goes on with its answer; the grace time of a
    call begins when the card that makes it due is lifted off the pad.
    """
    if is_held_by_question(state):
        state = stop_clock(state, at_ms)
    elif is_held_by_question(before):
        state = start_clock(state, at_ms)
    is_due = any(happening.word == "uno-due" for ruling in rulings for happening in ruling.effects)
    return stop_clock(state, at_ms) if is_due and isinstance(signal, TagPlaced) else state


def bell_ms(state: TableState) -> int | None:
    """When the time limit of the match is reached; None where there is none, or it rang already."""
    limit_ms, match = state.options.time_limit_ms, state.match
    if limit_ms is None or match.last_round or match.phase is Phase.OVER or state.stopped_ms is not None:
        return None
    if match.setup.refereed and match.round_number == 0:
        return None
    return state.round_began_ms + max(limit_ms - state.earlier_ms, 0)


def is_past_limit(state: TableState, at_ms: int) -> bool:
    """True if the time of play is up at *at_ms*: a bell that is taken back rings again at once."""
    limit_ms = state.options.time_limit_ms
    return limit_ms is not None and state.earlier_ms + state.at_ns(at_ms) // NANOSECONDS_PER_MS >= limit_ms
