"""The live table at one moment, as data: the match, and what the interpreter has to remember between two signals.

`ruled` follows a ruling, so that a table resumed from its journal remembers what a table that never stopped does.
Nothing is decided here about what a signal means (`interpreter`) or what is allowed (`table_app.rules`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from table_app.play.history import History, LastPlay, Memory, RoundPoints, Showing, follow, still_showing
from table_app.play.notices import Notice
from table_app.play.places import Places
from table_app.rules import (
    Action,
    Call,
    Called,
    Card,
    Catch,
    Colour,
    LastRound,
    Match,
    Phase,
    Ruling,
    Undo,
    Wait,
)
from table_app.rules.setup import most_cards_each
from table_app.tags.stickers import is_sticker


class Recorded(NamedTuple):
    """What the journal says already of a match, beside its actions: its *way* of play.

    The *way* is what of the set-up belongs to the match and not to the table, in the words of the note; *deck* is the
    note by which a deck file is known again. *is_vouched_for*: when the record was opened, its mark said that the last
    ruling in it is the last that was given; *kept_to* is when that one was written, ISO 8601.
    """

    way: str = ""
    deck: str = ""
    is_vouched_for: bool = False
    kept_to: str = ""


class OlderMatch(NamedTuple):
    """A match that was put aside unfinished: its number in the journal, when it began, and how it stood."""

    number: int
    began_at: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    round_number: int


NANOSECONDS_PER_MS = 1_000_000
CARDS_EACH = 7
"""What everybody is dealt (rulebook section 3)."""

QUESTION_MS = 20_000
"""How long an open question of the table waits: long enough to look around, too short to surprise the next turn."""

ASKED_AGAIN_MS = 7_000
"""How long before it lapses a question is asked again: enough to answer it still."""

STANDS_ASIDE = (Wait, LastRound, Call, Catch, Called)
"""What changes nothing for a card that waits for a word."""

ALARM_MS = 6_000
"""How long a missed call stands large on the screen, unless something happens sooner."""


# -- open questions of the table itself ------------------------------------------------------------------------


class DrawnQuestion(NamedTuple):
    """A card was tapped that may have been drawn or laid (one reader, and a hand that is not wholly known).

    If it was drawn nobody else may know it, so it can't be taken for laid; unanswered, it was drawn.
    """

    card: Card
    until_ms: int


class LabelQuestion(NamedTuple):
    """A tag that is in no list says that it is *card*, and the list has a tag for each of those: is it a new one?"""

    card: Card
    tag: bytes
    reader: str
    until_ms: int


class CatcherQuestion(NamedTuple):
    """Somebody was caught on the screen, and it matters who caught *seat*."""

    seat: int
    until_ms: int


TableQuestion = DrawnQuestion | LabelQuestion | CatcherQuestion


class Held(NamedTuple):
    """A card that was tapped and can't be taken as it is: it waits for a word, and is not lost.

    *lies_in_pile* by the record, until somebody says that this was shuffled; else cards are owed, and nobody may hear
    its face before somebody says whose it is. *reader* is where it was tapped.
    """

    card: Card
    reader: str
    lies_in_pile: bool = False


class Alarm(NamedTuple):
    """A missed call that stands large on the screen: the ruling that says so, and until when."""

    ruling: Ruling
    until_ms: int


# -- what is remembered ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Form:
    """Something that is put right or entered in steps, such as a count: what was chosen so far (see `forms`)."""

    kind: str
    until_ms: int
    seat: int | None = None
    card: Card | None = None
    colour: Colour | None = None
    clockwise: bool | None = None
    round_number: int | None = None
    digits: str = ""


class Pause(StrEnum):
    """Why the table stands still: somebody asked for it, or the power was away and it asks whether to go on."""

    ASKED = "asked"
    RESUMED = "resumed"


class MenuPage(StrEnum):
    """Which of the rarer buttons are shown."""

    CLOSED = "closed"
    MORE = "more"
    PUT_RIGHT = "put-right"
    RULES = "rules"
    OLDER = "older"


SEAT_COLOURS = ("orange", "sky", "purple", "fern", "amber", "pink", "teal", "sand", "indigo", "lime")
"""The colours that mark the seats, by name, in the order of the display's palette; none is called as a card's is."""

FORMER_SEAT_COLOURS = {"blue": "sky", "green": "fern", "yellow": "amber"}
"""What settings of earlier versions call them, by their names now."""


class Options(NamedTuple):
    """How the table is set up, beside its rules.

    *is_tracked*: every card that is dealt or drawn passes a reader; *pile_reader* is the name of the one at the draw
    pile, or empty where the one reader does both. After *time_limit_ms* of play the bell rings (None: never).
    *colours* are the seats' own, as places in `SEAT_COLOURS`; seats without one have those left over, in order.
    *can_change_players*: whoever runs this table can ask anew who plays; *can_stop*: pressing *Stop* ends it.
    *has_reader*: cards are tapped, not picked. *trusts_labels*: what is written on a tag that no list knows is taken
    for true, also where the list has a tag for each such card.
    """

    cards_each: int = CARDS_EACH
    is_tracked: bool = False
    pile_reader: str = ""
    time_limit_ms: int | None = None
    colours: tuple[int, ...] = ()
    can_change_players: bool = False
    can_stop: bool = True
    has_reader: bool = True
    trusts_labels: bool = False

    def colour_of(self, seat: int) -> int:
        """The place of a seat's colour in `SEAT_COLOURS`, which no other seat has while there is one for each."""
        order = (*self.colours, *(place for place in range(len(SEAT_COLOURS)) if place not in self.colours))
        return order[seat % len(order)]


@dataclass(frozen=True, slots=True)
class TableState:
    """All that the interpreter knows.

    *tags* says which tag is which card, or which button a command tag stands for; of *strangers* somebody said
    that they are no cards, whatever is written on them. *round_began_ms* is when the round's time was 0, on the table's
    clock. *lost* are devices that stopped answering, with the reason. *ruling* is
    the last one, given at *ruled_ms*. *messages* are what the
    start had to tell; *trouble* is not empty while nothing is kept.

    *history* is what was done in this round, to be taken back: the match, and all that an undo brings back with it.
    *recorded* is what stands in the journal as it is now.
    *may_have_older*: earlier matches may be unfinished; *older* are those that are, once they were asked for, and
    *older_from* is the first of them that is shown.

    *held* is a card that waits for a word; *announced* is the seat that was touched for the card or the draw to come,
    and *next_card* one that was laid on a wild before its colour was named.
    *asked_again_ms* is when the open question, or what is being put right, lapses, once it was asked again.

    *dealing* are the cards dealt one by one so far, where they are seen. From *stopped_ms* on the round's time stands
    still: while the table is paused, or the card that makes a call due lies on the pad. *earlier_ms* is how long the
    rounds before took (with the score alone, all time until somebody was out); *round_points* what each of them
    brought, by name, and *correction* is what one of them is to have brought once the total is put right with it.
    """

    history: History
    tags: Mapping[bytes, Card | str] = field(default_factory=lambda: MappingProxyType({}))
    options: Options = field(default_factory=Options)
    round_began_ms: int = 0
    on_pad: tuple[tuple[str, bytes], ...] = ()
    question: TableQuestion | None = None
    asked_again_ms: int = 0
    held: Held | None = None
    announced: int | None = None
    next_card: Card | None = None
    showing: Showing = field(default_factory=Showing)
    recorded: Recorded = field(default_factory=Recorded)
    dealing: tuple[Card, ...] = ()
    form: Form | None = None
    pause: Pause | None = None
    stopped_ms: int | None = None
    earlier_ms: int = 0
    correction: RoundPoints | None = None
    is_deal_drawn_for: bool = False
    lost: tuple[tuple[str, str], ...] = ()
    menu: MenuPage = MenuPage.CLOSED
    ruling: Ruling | None = None
    ruled_ms: int = 0
    alarm: Alarm | None = None
    notice: Notice | None = None
    messages: tuple[str, ...] = ()
    trouble: str = ""
    may_have_older: bool = False
    older: tuple[OlderMatch, ...] = ()
    older_from: int = 0
    strangers: frozenset[bytes] = frozenset()

    @property
    def match(self) -> Match:
        return self.history.now.match

    @property
    def places(self) -> Places:
        return self.history.now.places

    @property
    def last_play(self) -> LastPlay | None:
        return self.history.now.last_play

    @property
    def shown(self) -> tuple[Showing, ...]:
        return self.history.now.shown

    @property
    def round_points(self) -> tuple[RoundPoints, ...]:
        return self.history.now.round_points

    def at(self, match: Match) -> TableState:
        """This table, were the match to stand so; nothing else is followed."""
        return replace(self, history=replace(self.history, now=replace(self.history.now, match=match)))

    def at_ns(self, at_ms: int) -> int:
        """The round's time at *at_ms*, which never falls."""
        if self.stopped_ms is not None:
            at_ms = min(at_ms, self.stopped_ms)
        return max((at_ms - self.round_began_ms) * NANOSECONDS_PER_MS, self.match.now_ns)

    def lies_in_pile(self, card: Card) -> bool:
        """True if this very card, known by its tag, lies in the discard pile."""
        return card.copy > 0 and card in self.places.discard_pile

    def lies_on_top(self, card: Card) -> bool:
        """True if this very card is the top card."""
        top = self.places.discard_pile[-1] if self.places.discard_pile else None
        if top is None or top.face is not card.face:
            return False
        return (top == card and card.copy > 0) or self.match.kind(card.face).copies == 1

    def may_hold(self, seat: int, card: Card) -> bool:
        """True if *seat* may hold this card though no tag says so: an unseen card, or one named on the screen."""
        hand = self.match.hands[seat]
        if is_sticker(card.copy) and card.face in hand.known:
            return True  # it may be one that was seen there before it lost its tag
        placed = self.places.hands[seat] if seat < len(self.places.hands) else ()
        return hand.unseen > 0 or hand.known.count(card.face) > [own.face for own in placed].count(card.face)

    @property
    def cards_each(self) -> int:
        """What is dealt to each: as the table is set up, or fewer where more have joined than there are cards for."""
        return min(self.options.cards_each, most_cards_each(self.match.setup.deck.size, sum(self.match.playing)))


def new_table(match: Match, tags: Mapping[bytes, Card | str], options: Options | None = None) -> TableState:
    """The table before the first signal."""
    return TableState(History(Memory(match)), MappingProxyType(dict(tags)), options or Options())


def resumed_at(state: TableState, now_ms: int) -> TableState:
    """A table that comes back from its journal, and asks whether to go on where a match is under way."""
    state = begin_at(state, now_ms)
    is_under_way = state.match.round_number > 0 and state.match.phase is not Phase.OVER
    return stop_clock(replace(state, pause=Pause.RESUMED), now_ms) if is_under_way else state


def begin_at(state: TableState, now_ms: int) -> TableState:
    """The clock of a table that begins, or was resumed: no time passed while it was off."""
    return replace(state, round_began_ms=now_ms - state.match.now_ns // NANOSECONDS_PER_MS)


# -- the round's clock -----------------------------------------------------------------------------------------


def stop_clock(state: TableState, at_ms: int) -> TableState:
    """The round's time stands still from *at_ms* on; one that stands already stays as it is."""
    return state if state.stopped_ms is not None else replace(state, stopped_ms=at_ms)


def start_clock(state: TableState, at_ms: int) -> TableState:
    """The round's time goes on at *at_ms* where it stopped, unless the table is paused."""
    if state.stopped_ms is None or state.pause is not None:
        return state
    stood_ms = max(at_ms - state.stopped_ms, 0)
    return replace(state, stopped_ms=None, round_began_ms=state.round_began_ms + stood_ms)


# -- following a ruling ----------------------------------------------------------------------------------------


def ruled(state: TableState, match: Match, ruling: Ruling, at_ms: int) -> TableState:
    """The table after *ruling*, which made *match* of the match before.

    What was asked is answered, unless only the clock spoke, or somebody called or was caught (`_is_asked_still`).
    """
    action = ruling.action
    is_new_round = match.round_number > state.match.round_number
    has_undone = state.history.answer is not None and bool(state.history.answer.popped)
    is_refereed_round = is_new_round and match.setup.refereed  # with the score alone a note says it (`presses.out`)
    return replace(
        state,
        history=follow(state.history, match, ruling, showing=state.showing, correction=state.correction),
        question=state.question if _is_asked_still(state, match, action) else None,
        held=state.held if isinstance(action, STANDS_ASIDE) else None,
        announced=state.announced if isinstance(action, STANDS_ASIDE) else None,
        next_card=state.next_card if isinstance(action, STANDS_ASIDE) else None,
        notice=None,
        ruling=ruling,
        ruled_ms=at_ms,
        alarm=_alarm(state, match, ruling, at_ms),
        showing=still_showing(state.showing, state.match, match, ruling, has_undone=has_undone),
        dealing=state.dealing if match.phase is Phase.BETWEEN else (),
        round_began_ms=at_ms if is_new_round else state.round_began_ms,
        stopped_ms=None if is_new_round else state.stopped_ms,
        earlier_ms=state.earlier_ms + (state.match.now_ns // NANOSECONDS_PER_MS if is_refereed_round else 0),
        correction=None,
    )


def _is_asked_still(state: TableState, match: Match, action: Action) -> bool:
    """Whether the question is open still: only the clock spoke, or somebody called or was caught."""
    if isinstance(action, Wait | LastRound):
        return match.turn == state.match.turn
    return isinstance(action, STANDS_ASIDE)


def _alarm(state: TableState, match: Match, ruling: Ruling, at_ms: int) -> Alarm | None:
    """A missed call is shown for its time, or until it is lifted, taken back or drawn."""
    if any(happening.word == "uno-missed" for happening in ruling.effects):
        return Alarm(ruling, at_ms + ALARM_MS)
    is_settled = not match.is_owing() or (ruling.is_ok and isinstance(ruling.action, Called | Undo))
    return None if is_settled else state.alarm
