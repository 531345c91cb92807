"""The history of a round at this table, one memory a deed: what an undo brings back, and what an answer took back.

The core undoes a match by itself; all that the table remembers beside it (hands shown, the last play, what rounds
brought) steps back with it, in one chain. Followed from rulings; nothing is decided here, and no words are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from table_app.play.places import Places, follow_places
from table_app.rules import (
    Action,
    Call,
    Called,
    Card,
    Catch,
    Discard,
    Draw,
    DrawForDeal,
    LastRound,
    Lay,
    Match,
    NameColour,
    Phase,
    Points,
    Reshuffle,
    Ruling,
    SetColour,
    SetDirection,
    SetHand,
    SetScore,
    SetTop,
    Shows,
    Undo,
    Wait,
)

ASIDE = (
    *(Draw, Call, Called, Catch, Wait, LastRound),
    *(SetScore, SetHand, SetColour, SetDirection, SetTop),
)
"""What leaves a hand that was shown where it is: in the memory of the table."""


@dataclass(frozen=True, slots=True)
class Showing:
    """A hand being tapped, card by card, for the referee alone. *seat* is None until it is clear whose it is.

    *is_free*: it was said that there are no more, and asked for the rest; Yes once more ends it. *is_close*: its first
    card came right after another hand, of which it may be one more.
    """

    seat: int | None = None
    cards: tuple[Card, ...] = ()
    is_free: bool = False
    is_close: bool = False

    def has(self, card: Card) -> bool:
        """True if this very card was tapped already."""
        return card.copy > 0 and card in self.cards

    def and_one(self, seat: int, card: Card) -> Showing:
        """With one more card, of *seat*."""
        return replace(self, seat=seat, cards=(*self.cards, card))

    def but_last(self) -> Showing:
        """Without the card tapped last."""
        return replace(self, cards=self.cards[:-1])


def still_showing(showing: Showing, before: Match, after: Match, ruling: Ruling, *, has_undone: bool) -> Showing:
    """What *ruling* leaves of a hand being shown; *has_undone*: its answer took something back before.

    It is shown anew only after a showing, an undo, or where something else is asked for now: whatever else is done
    meanwhile does not touch it. Nor does the undo of a verdict that one card more led to (`just_shown`).
    """
    action = ruling.action
    if isinstance(action, Shows):
        return Showing()
    if not ruling.is_ok:
        return showing
    if isinstance(action, Undo):
        return showing if showing.is_free and showing.cards else Showing()
    is_asked_still = after.phase is before.phase and after.question == before.question
    return showing if is_asked_still and not has_undone and not isinstance(action, Points | Discard) else Showing()


def follow_shown(shown: tuple[Showing, ...], showing: Showing, before: Match, ruling: Ruling) -> tuple[Showing, ...]:
    """The hands shown after *ruling*, which was given when *before* stood: all of the count of this round.

    In play it is the last one, while no card is laid and no turn put right.
    """
    action = ruling.action
    if not ruling.is_ok or isinstance(action, ASIDE):
        return shown
    is_in_play = before.phase is Phase.PLAY
    if isinstance(action, Shows | Points):
        return (*(() if is_in_play else shown), _just_shown(showing, before.seat_of(action.player), action))
    return () if is_in_play else shown


def _just_shown(showing: Showing, seat: int, action: Shows | Points) -> Showing:
    """The hand as it was read here; nothing is known of a hand whose points were typed."""
    if showing.seat == seat and (isinstance(action, Points) or showing.cards == action.cards):
        return showing
    cards = action.cards if isinstance(action, Shows) else ()
    return Showing(seat, cards)


class RoundPoints(NamedTuple):
    """What round *number* brought, by name."""

    number: int
    points: tuple[tuple[str, int], ...]

    def of(self, name: str) -> int:
        return dict(self.points).get(name, 0)


class LastPlay(NamedTuple):
    """The card laid last, as long as one tap can give it to another seat.

    *seat* laid it, by the record. *undo* actions take it back (none where it was refused). *calls* are the seats
    that called since.
    """

    seat: int
    lay: Lay
    undo: int
    calls: tuple[int, ...] = ()


class Deed(NamedTuple):
    """A ruling that changed the match.

    *begins_answer*: it is the first of its answer. *restores* is what the same answer took back before, and what an
    undo of it does again.
    """

    ruling: Ruling
    begins_answer: bool = True
    restores: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """All that an undo brings back, as it stands after *deed* (none before the first of a round).

    *places* is where tagged cards lie, *last_play* what one tap can give to another seat, *shown* the hands that were
    shown (`follow_shown`), *round_points* what each round brought. *before* is how all of it stood before the deed.
    """

    match: Match
    places: Places = field(default_factory=Places)
    last_play: LastPlay | None = None
    shown: tuple[Showing, ...] = ()
    round_points: tuple[RoundPoints, ...] = ()
    deed: Deed | None = None
    before: Memory | None = field(default=None, repr=False)


class TakenBack(NamedTuple):
    """A deed that was undone: its ruling, and the matches *before* and *after* the undo."""

    ruling: Ruling
    before: Match
    after: Match


class AnswerUnderWay(NamedTuple):
    """An answer of several actions that is being ruled: *left* are still to come.

    *is_undo*: somebody pressed Undo. *popped* is what it has taken back so far, *has_deed*: it has done something, too.
    """

    left: int
    is_undo: bool
    is_begun: bool = False
    popped: tuple[Action, ...] = ()
    has_deed: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """How everything stands *now*, and before that; *taken_back* is what the last answer undid, the latest deed first.

    *assumed* is what the last answer took for granted before its last act: untold draws, a shuffle, a card that waited.
    *refused* is a card that was refused, changed nothing, and has had nothing after it.
    """

    now: Memory
    answer: AnswerUnderWay | None = None
    taken_back: tuple[TakenBack, ...] = ()
    assumed: tuple[Draw | Reshuffle | Lay, ...] = ()
    refused: Lay | None = None

    def deeds(self) -> Iterator[Deed]:
        """The deeds of this round, the latest first."""
        memory: Memory | None = self.now
        while memory is not None and memory.deed is not None:
            yield memory.deed
            memory = memory.before

    @property
    def last(self) -> Ruling | None:
        """The ruling of the last deed."""
        return None if self.now.deed is None else self.now.deed.ruling

    @property
    def laid(self) -> Lay | None:
        """The card that the last answer which did anything laid, if it laid one."""
        for deed in self.deeds():
            if isinstance(deed.ruling.action, Lay):
                return deed.ruling.action
            if deed.begins_answer:
                return None
        return None

    def begin(self, count: int, *, is_undo: bool) -> History:
        """The next *count* actions are one answer."""
        return replace(self, answer=AnswerUnderWay(count, is_undo))

    def knows(self, places: Places) -> History:
        """Where cards lie was found out, with no ruling."""
        return replace(self, now=replace(self.now, places=places))

    def undo(self, *, is_bell_kept: bool = False) -> tuple[Action, ...]:
        """The actions that take the last answer back whole, and do again what it took back itself.

        *is_bell_kept*: a bell is no answer to be taken back by itself; it is passed over and rings again. Nothing
        where there is nothing else.
        """
        bells: tuple[Action, ...] = ()
        for number, deed in enumerate(self.deeds(), 1):
            if is_bell_kept and isinstance(deed.ruling.action, LastRound):
                bells = (LastRound(),)
            elif deed.begins_answer:
                rung = any(isinstance(action, LastRound) for action in deed.restores)
                return (*(Undo() for _ in range(number)), *deed.restores, *(() if rung else bells))
        return () if bells else (Undo(),)

    def drawn_for_the_deal(self) -> tuple[Card, ...]:
        """The cards drawn for the deal so far, those of a tie before included."""
        rulings = reversed([deed.ruling for deed in self.deeds()])
        return tuple(done.action.card for done in rulings if done.is_ok and isinstance(done.action, DrawForDeal))


def is_deed(before: Match, after: Match) -> bool:
    """True where a ruling that made *after* of *before* can be undone; before a deal nothing can."""
    return after.before is before or after.round_number > before.round_number


def follow(
    history: History, after: Match, ruling: Ruling, *, showing: Showing, correction: RoundPoints | None
) -> History:
    """The history after *ruling*, which made the match *after*.

    *showing* is the hand being shown when it was given, and *correction* what a round is to have brought by it.
    """
    now, answer = history.now, history.answer or AnswerUnderWay(1, isinstance(ruling.action, Undo))
    before = now.match
    has_deed = is_deed(before, after)
    taken_back = history.taken_back if answer.is_begun else ()
    assumed = history.assumed if answer.is_begun else ()
    if isinstance(ruling.action, Undo):
        if ruling.is_ok:
            taken_back, answer = _undone(history, after, taken_back, answer)
            now = _back(now, after)
        else:
            now = replace(now, match=after)
    else:
        taken_back = taken_back if answer.is_undo else ()
        deed = None
        if has_deed:
            restores = () if answer.is_undo or answer.has_deed else answer.popped
            deed = Deed(ruling, not answer.has_deed, restores)
            answer = answer._replace(has_deed=True)
        now = _next(now, after, ruling, deed, showing, correction)
    left = answer.left - 1
    if left and isinstance(ruling.action, Draw | Reshuffle | Lay) and ruling.is_ok and not answer.is_undo:
        assumed = (*assumed, ruling.action)
    is_idle = history.answer is None and after.before is not before
    refused = ruling.action if is_idle and not ruling.is_ok and isinstance(ruling.action, Lay) else None
    going_on = answer._replace(left=left, is_begun=True) if left else None
    return History(now, going_on, taken_back, assumed, refused)


def _undone(
    history: History, after: Match, taken_back: tuple[TakenBack, ...], answer: AnswerUnderWay
) -> tuple[tuple[TakenBack, ...], AnswerUnderWay]:
    if history.last is None:
        return taken_back, answer
    action = history.last.action
    if not isinstance(action, Wait):  # what only the clock did comes again by itself
        answer = answer._replace(popped=(replace(action, at_ns=None), *answer.popped))
    return (*taken_back, TakenBack(history.last, history.now.match, after)), answer


def _back(now: Memory, after: Match) -> Memory:
    """One step back; the core says how the match stands there, which keeps its clock."""
    return replace(now.before if now.before is not None else Memory(now.match), match=after)


def _next(
    now: Memory, after: Match, ruling: Ruling, deed: Deed | None, showing: Showing, correction: RoundPoints | None
) -> Memory:
    """How everything stands after *ruling*, which is a *deed* if the match can be taken back to the one before."""
    before = now.match
    is_new_round = after.round_number > before.round_number
    last_play = _follow_last_play(now.last_play, before, after, ruling)
    points = _follow_points(now.round_points, after, ruling, correction)
    shown = () if is_new_round else follow_shown(now.shown, showing, before, ruling)
    if deed is None:
        return replace(now, match=after, last_play=last_play, shown=shown, round_points=points)
    if is_new_round:  # nothing before a deal can be undone, and every card is somewhere else
        now = Memory(before, round_points=now.round_points)
    places = follow_places(now.places, before, after, ruling)
    return Memory(after, places, last_play, shown, points, deed, now)


def _follow_last_play(last: LastPlay | None, before: Match, match: Match, ruling: Ruling) -> LastPlay | None:
    """What can still be given to another seat: the last card, with only its colour, calls and the clock since."""
    action = ruling.action
    has_changed = match.before is before
    if isinstance(action, Lay):
        return LastPlay(match.seat_of(action.player), replace(action, at_ns=None), int(has_changed))
    if last is None or not has_changed:
        return last
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


def _follow_points(
    points: tuple[RoundPoints, ...], match: Match, ruling: Ruling, right: RoundPoints | None
) -> tuple[RoundPoints, ...]:
    """What each round brought; *right* is what one of them is to have brought once its score is put right."""
    if right is not None and isinstance(ruling.action, SetScore) and ruling.is_ok:
        return tuple(right if one.number == right.number else one for one in points)
    scored = tuple((str(done.player), int(done.value or 0)) for done in ruling.effects if done.word == "score")
    return (*points, RoundPoints(match.round_number, scored)) if scored else points
