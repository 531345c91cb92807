"""The live table at one moment, as data: the match, and what the interpreter has to remember between two signals.

`ruled` follows a ruling, so that a table resumed from its journal remembers what a table that never stopped does.
Nothing is decided here about what a signal means (`interpreter`) or what is allowed (`table_app.rules`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from table_app.rules import (
    Action,
    Allow,
    Call,
    Called,
    Card,
    Discard,
    Lay,
    Match,
    NameColour,
    Phase,
    Ruling,
    Shows,
    Start,
    Undo,
    Wait,
)
from table_app.table.notices import Notice

NANOSECONDS_PER_MS = 1_000_000

CARDS_EACH = 7
"""What everybody is dealt (rulebook section 3)."""

QUESTION_MS = 20_000
"""How long an open question of the table waits: long enough to look around, too short to surprise the next turn."""

ALARM_MS = 6_000
"""How long a missed call stands large on the screen, unless something happens sooner."""


# -- open questions of the table itself ------------------------------------------------------------------------


class StartQuestion(NamedTuple):
    """A card was tapped between two rounds: has everybody been dealt to, and is it the first card?"""

    card: Card
    until_ms: int


class DebtQuestion(NamedTuple):
    """A card was tapped while somebody owes: have they drawn, without saying so?"""

    card: Card
    until_ms: int


class ShuffleQuestion(NamedTuple):
    """A card was tapped that lies in the discard pile: was that shuffled?"""

    card: Card
    until_ms: int


class CatcherQuestion(NamedTuple):
    """Somebody was caught on the screen, and it matters who caught *seat*."""

    seat: int
    until_ms: int


TableQuestion = StartQuestion | DebtQuestion | ShuffleQuestion | CatcherQuestion


class Alarm(NamedTuple):
    """A missed call that stands large on the screen: the ruling that says so, and until when."""

    ruling: Ruling
    until_ms: int


# -- what is remembered ----------------------------------------------------------------------------------------


class LastPlay(NamedTuple):
    """The card laid last, as long as one tap can give it to another seat.

    *seat* laid it, by the record. *undo* actions take it back (none where it was refused). *calls* are the seats
    that called since.
    """

    seat: int
    lay: Lay
    undo: int
    calls: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pile:
    """The physical cards known to lie in the discard pile, lowest first; *before* is the pile an undo brings back.

    A match knows faces; only the table knows which of two red fives is which, by its tag.
    """

    cards: tuple[Card, ...] = ()
    before: Pile | None = None


@dataclass(frozen=True, slots=True)
class Showing:
    """A hand being tapped, card by card, for the referee alone. *seat* is None until it is clear whose it is."""

    seat: int | None = None
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class TableState:
    """All that the interpreter knows.

    *tags* says which tag is which card, or which button a command tag stands for. *round_began_ms* is when the
    round's time was 0, on the table's clock. *lost* are devices that stopped answering, with the reason. *ruling* is
    the last one, given at *ruled_ms* on the match *previous*; *counted* are physical cards shown for the count of this
    round. *messages* are what the start had to tell; *trouble* is not empty while nothing is kept.
    """

    match: Match
    tags: Mapping[bytes, Card | str] = field(default_factory=lambda: MappingProxyType({}))
    cards_each: int = CARDS_EACH
    round_began_ms: int = 0
    on_pad: tuple[tuple[str, bytes], ...] = ()
    question: TableQuestion | None = None
    showing: Showing = Showing()
    last_play: LastPlay | None = None
    pile: Pile = Pile()
    counted: tuple[Card, ...] = ()
    lost: tuple[tuple[str, str], ...] = ()
    is_menu_open: bool = False
    ruling: Ruling | None = None
    ruled_ms: int = 0
    previous: Match | None = None
    alarm: Alarm | None = None
    notice: Notice | None = None
    messages: tuple[str, ...] = ()
    trouble: str = ""

    def at_ns(self, at_ms: int) -> int:
        """The round's time at *at_ms*, which never falls."""
        return max((at_ms - self.round_began_ms) * NANOSECONDS_PER_MS, self.match.now_ns)

    def lies_in_pile(self, card: Card) -> bool:
        """True if this very card, known by its tag, lies in the discard pile."""
        return card.copy > 0 and card in self.pile.cards

    def lies_on_top(self, card: Card) -> bool:
        """True if this very card is the top card."""
        return card.copy > 0 and bool(self.pile.cards) and self.pile.cards[-1] == card


def new_table(match: Match, tags: Mapping[bytes, Card | str], *, cards_each: int = CARDS_EACH) -> TableState:
    """The table before the first signal."""
    return TableState(match, MappingProxyType(dict(tags)), cards_each)


def begin_at(state: TableState, now_ms: int) -> TableState:
    """The clock of a table that was resumed: no time passed while it was off."""
    return replace(state, round_began_ms=now_ms - state.match.now_ns // NANOSECONDS_PER_MS)


# -- following a ruling ----------------------------------------------------------------------------------------


def ruled(state: TableState, match: Match, ruling: Ruling, at_ms: int) -> TableState:
    """The table after *ruling*, which made *match* of the match before.

    What was asked is answered, unless only the clock spoke; a hand being shown is shown anew only after an act that
    was accepted, or a showing that was not.
    """
    action = ruling.action
    is_new_round = match.round_number > state.match.round_number and match.phase is Phase.DEALING
    is_aside = isinstance(action, Call | Wait) or not (ruling.is_ok or isinstance(action, Shows))
    return replace(
        state,
        match=match,
        question=state.question if isinstance(action, Wait) else None,
        notice=None,
        ruling=ruling,
        ruled_ms=at_ms,
        previous=state.match,
        alarm=_alarm(state, match, ruling, at_ms),
        last_play=_last_play(state, match, ruling),
        pile=Pile() if is_new_round else _pile(state, match, ruling),
        showing=state.showing if is_aside else Showing(),
        counted=() if is_new_round else _counted(state, match, ruling),
        round_began_ms=at_ms if is_new_round else state.round_began_ms,
    )


def _alarm(state: TableState, match: Match, ruling: Ruling, at_ms: int) -> Alarm | None:
    """A missed call is shown for its time, or until it is lifted, taken back or drawn."""
    if any(happening.word == "uno-missed" for happening in ruling.effects):
        return Alarm(ruling, at_ms + ALARM_MS)
    is_settled = not match.is_owing() or (ruling.is_ok and isinstance(ruling.action, Called | Undo))
    return None if is_settled else state.alarm


def _pile(state: TableState, match: Match, ruling: Ruling) -> Pile:
    """Mirror the core's own stack of pasts: what it can take back, the pile can, too."""
    pile, before = state.pile, state.match
    if isinstance(ruling.action, Undo):
        return pile.before or Pile() if ruling.is_ok else pile
    if match.before is not before:
        return pile
    cards = pile.cards
    grown = len(match.discard_pile) - len(before.discard_pile)
    if grown > 0:
        cards = _with_laid(state, cards, ruling.action)
    elif len(match.discard_pile) <= 1 < len(before.discard_pile):
        cards = cards[-1:]  # shuffled
    elif grown < 0:
        cards = cards[:grown]  # taken back
    return Pile(cards, pile)


def _with_laid(state: TableState, cards: tuple[Card, ...], action: Action) -> tuple[Card, ...]:
    refused = state.match.refused_lay
    if isinstance(action, Lay | Start):
        return (*cards, action.card)
    if isinstance(action, Allow) and refused is not None:
        return (*cards, refused.action.card)
    if isinstance(action, Discard):  # discards go under the top card (rulebook section 8)
        return (*cards[:-1], *action.cards, *cards[-1:])
    return cards


def _last_play(state: TableState, match: Match, ruling: Ruling) -> LastPlay | None:
    """What can still be given to another seat: the last card, with only its colour, calls and the clock since."""
    action, last = ruling.action, state.last_play
    has_changed = match.before is state.match
    if isinstance(action, Lay):
        return LastPlay(match.seat_of(action.player), replace(action, at_ns=None), int(has_changed))
    if last is None or not has_changed:
        return None if isinstance(action, Undo) and ruling.is_ok else last
    if not ruling.is_ok or not last.undo:
        return None
    if isinstance(action, NameColour) and match.seat_of(action.player) == last.seat:
        return last._replace(lay=replace(last.lay, colour=action.colour), undo=last.undo + 1)
    if isinstance(action, Call):
        return last._replace(undo=last.undo + 1, calls=(*last.calls, match.seat_of(action.player)))
    if isinstance(action, Wait):
        return last._replace(undo=last.undo + 1)
    return None


def _counted(state: TableState, match: Match, ruling: Ruling) -> tuple[Card, ...]:
    """The physical cards shown for the count of this round; an undo starts the list anew."""
    action = ruling.action
    if isinstance(action, Undo) and ruling.is_ok:
        return ()
    if isinstance(action, Shows) and ruling.is_ok and match.phase is not Phase.PLAY:
        return state.counted + tuple(card for card in action.cards if card.copy)
    return state.counted
