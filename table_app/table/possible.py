"""Whether a card can be in a hand at all, by how many of its face the deck has; no screen hears of which face it is.

What a card means is in `cards_read`; whether the whole hand can be the one is the core's question.
"""

from __future__ import annotations

from table_app.rules import Face, Phase
from table_app.table.notices import Notice, refused
from table_app.table.state import TableState


def too_many(state: TableState, wanted: Face) -> Notice | None:
    """What is said to one more card of this face, where all the deck has of it were shown in this round."""
    hands = (*(state.shown if state.match.phase is Phase.OUT else ()), state.showing)
    seen = [card.face for hand in hands for card in hand.cards]
    if seen.count(wanted) < state.match.kind(wanted).copies:
        return None
    return refused(
        "The deck has no more cards like that one than were shown already. Show the next one; "
        "Undo takes back what was shown by mistake."
    )
