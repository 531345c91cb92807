"""Which command tag people lay on the reader in place of a button, at a table that has no buttons.

Only what means the same just now; what a tag means is the table's to say.
"""

from __future__ import annotations

from table_app.play.calling import was_fined
from table_app.rules import Match


def command_of(button: str, match: Match | None) -> str:
    """The command tag that means here what *button* does: a seat's own tag calls, catches and swaps."""
    word, _, number = button.partition(":")
    if match is None or word not in ("uno", "catch", "swap"):
        return button
    seat, window = int(number), match.window
    is_early = window is None and seat == match.turn and match.hands[seat].size == 2 and not match.has_called_early
    if word == "swap":
        return f"seat:{seat}"
    if any(was_fined(match, fined) for fined in (seat, match.after(seat))):
        return button  # there a seat's own tag lifts the fine
    if word == "uno" and (is_early or (window is not None and window.seat == seat)):
        return f"seat:{seat}"
    if word == "catch" and window is not None and window.seat == seat:
        return f"seat:{match.after(seat)}"
    return button
