"""What was done in this round, deed by deed: so one undo takes a whole answer back, and can say what it was.

A match knows the one before it; only the table knows which actions were one answer to one press. Followed from rulings,
with the same stack of pasts as the core's. Nothing is decided here, and no words are made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from table_app.rules import Action, Card, Draw, High, LastRound, Lay, Match, Reshuffle, Ruling, Undo, Wait
from table_app.table.last_play import LastPlay


class RoundPoints(NamedTuple):
    """What round *number* brought, by name."""

    number: int
    points: tuple[tuple[str, int], ...]

    def of(self, name: str) -> int:
        return dict(self.points).get(name, 0)


class Deed(NamedTuple):
    """A ruling that changed the match.

    *begins_answer*: it is the first of its answer. *restores* is what the same answer took back before, and what an
    undo of it does again. *round_points* is what each round had brought before it, and *last_play* the card that
    could be given to another seat until then.
    """

    ruling: Ruling
    begins_answer: bool = True
    restores: tuple[Action, ...] = ()
    round_points: tuple[RoundPoints, ...] = ()
    last_play: LastPlay | None = None


class TakenBack(NamedTuple):
    """A deed that was undone: its ruling, and the matches *before* and *after* the undo."""

    ruling: Ruling
    before: Match
    after: Match


class Together(NamedTuple):
    """An answer of several actions that is being ruled: *left* are still to come.

    *is_undo*: somebody pressed Undo. *popped* is what it has taken back so far, *has_deed*: it has done something, too.
    """

    left: int
    is_undo: bool
    is_begun: bool = False
    popped: tuple[Action, ...] = ()
    has_deed: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """The *deeds* of this round, oldest first; *taken_back* is what the last answer undid, the latest deed first.

    *draws* are those of the last answer before its last act: cards that nobody said they drew, and a shuffle. *refused*
    is a card that was refused, changed nothing, and has had nothing after it.
    """

    deeds: tuple[Deed, ...] = ()
    together: Together | None = None
    taken_back: tuple[TakenBack, ...] = ()
    draws: tuple[Draw | Reshuffle, ...] = ()
    refused: Lay | None = None

    @property
    def laid(self) -> Lay | None:
        """The card that the last answer which did anything laid, if it laid one."""
        for deed in reversed(self.deeds):
            if isinstance(deed.ruling.action, Lay):
                return deed.ruling.action
            if deed.begins_answer:
                return None
        return None

    def begin(self, count: int, *, is_undo: bool) -> Past:
        """The next *count* actions are one answer."""
        return replace(self, together=Together(count, is_undo))

    def undo(self, *, is_bell_kept: bool = False) -> tuple[Action, ...]:
        """The actions that take the last answer back whole, and do again what it took back itself.

        *is_bell_kept*: a bell is no answer to be taken back by itself; it is passed over and rings again. Nothing
        where there is nothing else.
        """
        bells: tuple[Action, ...] = ()
        for number, deed in enumerate(reversed(self.deeds), 1):
            if is_bell_kept and isinstance(deed.ruling.action, LastRound):
                bells = (LastRound(),)
            elif deed.begins_answer:
                rung = any(isinstance(action, LastRound) for action in deed.restores)
                return (*(Undo() for _ in range(number)), *deed.restores, *(() if rung else bells))
        return () if bells else (Undo(),)

    def drawn_for_the_deal(self) -> tuple[Card, ...]:
        """The cards drawn for the deal so far, those of a tie before included."""
        rulings = (deed.ruling for deed in self.deeds)
        return tuple(done.action.card for done in rulings if done.is_ok and isinstance(done.action, High))


def follow(
    past: Past,
    before: Match,
    after: Match,
    ruling: Ruling,
    *,
    round_points: tuple[RoundPoints, ...],
    last_play: LastPlay | None,
) -> Past:
    """The past after *ruling*, which made *after* of *before*."""
    together = past.together or Together(1, isinstance(ruling.action, Undo))
    taken_back = past.taken_back if together.is_begun else ()
    draws = past.draws if together.is_begun else ()
    deeds = past.deeds
    if isinstance(ruling.action, Undo):
        if ruling.is_ok and deeds:
            undone = deeds[-1].ruling
            deeds = deeds[:-1]
            taken_back = (*taken_back, TakenBack(undone, before, after))
            if not isinstance(undone.action, Wait):  # what only the clock did comes again by itself
                together = together._replace(popped=(replace(undone.action, at_ns=None), *together.popped))
    else:
        taken_back = taken_back if together.is_undo else ()
        is_first = after.round_number > before.round_number  # nothing before a deal can be undone
        if is_first or after.before is before:
            restores = () if together.is_undo or together.has_deed else together.popped
            deed = Deed(ruling, not together.has_deed, restores, round_points, last_play)
            deeds = (deed,) if is_first else (*deeds, deed)
            together = together._replace(has_deed=True)
    left = together.left - 1
    if left and isinstance(ruling.action, Draw | Reshuffle) and ruling.is_ok and not together.is_undo:
        draws = (*draws, ruling.action)
    is_idle = past.together is None and after.before is not before
    refused = ruling.action if is_idle and not ruling.is_ok and isinstance(ruling.action, Lay) else None
    going_on = together._replace(left=left, is_begun=True) if left else None
    return Past(deeds, going_on, taken_back, draws, refused)
