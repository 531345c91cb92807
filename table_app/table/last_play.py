"""The card laid last, as long as one tap can give it to another seat: followed from rulings, never decided here."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from table_app.rules import Call, Called, LastRound, Lay, Match, NameColour, Ruling, Undo, Wait


class LastPlay(NamedTuple):
    """The card laid last, as long as one tap can give it to another seat.

    *seat* laid it, by the record. *undo* actions take it back (none where it was refused). *calls* are the seats
    that called since.
    """

    seat: int
    lay: Lay
    undo: int
    calls: tuple[int, ...] = ()


def follow_last_play(
    last: LastPlay | None, before: Match, match: Match, ruling: Ruling, earlier: LastPlay | None = None
) -> LastPlay | None:
    """What can still be given to another seat: the last card, with only its colour, calls and the clock since.

    *earlier* is what it was before the last deed, which an undo takes back.
    """
    action = ruling.action
    has_changed = match.before is before
    if isinstance(action, Lay):
        return LastPlay(match.seat_of(action.player), replace(action, at_ns=None), int(has_changed))
    if last is None or not has_changed:
        return earlier if isinstance(action, Undo) and ruling.is_ok else last
    if not last.undo and isinstance(action, Wait | LastRound | Call | Called):
        return last  # it was refused, and may be laid by a touch still
    if not ruling.is_ok or not last.undo:
        return None
    if isinstance(action, NameColour) and match.seat_of(action.player) == last.seat:
        return last._replace(lay=replace(last.lay, colour=action.colour), undo=last.undo + 1)
    if isinstance(action, Call):
        return last._replace(undo=last.undo + 1, calls=(*last.calls, match.seat_of(action.player)))
    if isinstance(action, Wait | LastRound):
        return last._replace(undo=last.undo + 1)
    return None
