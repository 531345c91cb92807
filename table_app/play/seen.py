"""Whether anything that can be seen of a table has changed from one state to the next; nothing is shown here."""

from __future__ import annotations

from table_app.play.state import TableState
from table_app.rules import Match, Phase

SEEN_FIELDS = (
    "question",
    "showing",
    "dealing",
    "form",
    "pause",
    "is_deal_drawn_for",
    "lost",
    "menu",
    "older_from",
    "alarm",
    "notice",
    "messages",
    "trouble",
)
"""What of a table's state can be seen, beside what its match and its last ruling say."""


def looks_new(before: TableState, after: TableState) -> bool:
    """Whether anything to be seen is another object; comparing whole matches would walk through all their pasts."""
    if after.pause is not None and after.on_pad is not before.on_pad:
        return True  # the screen of a table that stands still says what lies there
    return any(getattr(before, name) is not getattr(after, name) for name in SEEN_FIELDS)


def has_ended_round(before: Match, after: Match) -> bool:
    """True if the round under way came to its end; not where its deal was taken back."""
    ended = (Phase.BETWEEN, Phase.OVER)
    is_same_round = after.round_number == before.round_number
    return is_same_round and after.phase in ended and before.phase not in ended
