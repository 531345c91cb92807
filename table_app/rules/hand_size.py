"""How many cards each a deck can give to a table, and what is said where that is fewer than were wanted.

Counting only; the deal itself is in `dealing`.
"""

from __future__ import annotations

from table_app.rules.messages import Sentence, _

DRAW_PILE_MIN = 4
"""Cards left to draw once the first one is turned: what one Wild Draw Four takes."""


def most_cards_each(deck_size: int, players: int) -> int:
    """The largest number of cards each that leaves the first card and some to draw, at least 1."""
    return max((deck_size - 1 - DRAW_PILE_MIN) // players, 1)


def too_few_cards_text(deck_size: int, players: int, wanted: int) -> Sentence | None:
    """That the deck is too small for so many, and what to do; None where it is not."""
    most = most_cards_each(deck_size, players)
    if wanted <= most:
        return None
    message = _(
        "{players} players can't have {wanted} cards each of a deck of {size}, with some left to draw: {most} each at "
        "most. Write cards-each = {most} under [table] in the settings, or let fewer play."
    )
    return Sentence(message, players=players, wanted=wanted, size=deck_size, most=most)
