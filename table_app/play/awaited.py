"""Whose act the table waits for: the seats that are lit, by lamps and on the screen. Nothing is decided here."""

from __future__ import annotations

from table_app.play.hands_tapped import shown_seat
from table_app.play.situations import Situation, situation
from table_app.play.state import TableState
from table_app.play.tracked import dealt_to
from table_app.rules import public_waits

NOBODYS = (Situation.DEAL, Situation.FIRST_CARD, Situation.SCORE_ALONE, Situation.OVER)
"""Where nobody in particular is waited for: the dealer's hands are, or whoever happens to be out."""

BESIDE = ("find", "points", "out")
"""What may be said instead of the act that is waited for, by somebody else too."""


def awaited_seats(state: TableState) -> frozenset[int]:
    """The seats that must act now: whose turn it is, or who owes, is asked, is dealt to or shows a hand."""
    match = state.match
    found = situation(state)
    if found is Situation.DEAL_SEEN:
        return frozenset({dealt_to(state)})
    if found in NOBODYS:
        return frozenset()
    if found in (Situation.SHOW, Situation.COUNT):
        seat = shown_seat(state)
        return frozenset() if seat is None else frozenset({seat})
    asked = [(name, word) for name, word in public_waits(match) if word not in BESIDE]
    seats = frozenset(match.seat_of(name) for name, _word in asked if name is not None)
    # Where only the table itself is asked, to shuffle, it is still somebody's turn.
    return seats or (frozenset() if match.turn is None else frozenset({match.turn}))
