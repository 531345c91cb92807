"""The time limit of a match: when the bell rings by itself, and that no Undo can keep it from ringing.

Only times are compared here; what the bell does is the core's (rule `time`).
"""

from __future__ import annotations

from table_app.play.state import NANOSECONDS_PER_MS, TableState
from table_app.rules import Phase


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
