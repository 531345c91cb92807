"""The state of a match as data: hands, piles, whose turn it is, what is owed and what is still open.

Nothing here decides; `table_app.rules.engine` and what it asks make the next state from the last. A `Match` is never
changed: while a ruling is being made the rules work on a `Draft`, its mutable twin, and freeze that.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field
from enum import Enum, StrEnum
from typing import NamedTuple, TypeVar

from table_app.rules.actions import Lay
from table_app.rules.cards import Colour, CustomKind, Face, Kind
from table_app.rules.setup import Setup

Item = TypeVar("Item")

CLOCKWISE = 1
ANTICLOCKWISE = -1


class Phase(StrEnum):
    """Where the match stands. `OUT`: somebody is out, and debts and counts are still to come."""

    BETWEEN = "between"
    DEALING = "dealing"
    PLAY = "play"
    OUT = "out"
    OVER = "over"


class Hand(NamedTuple):
    """The cards a player holds: *known* faces the referee has seen, and a number of *unseen* ones."""

    known: tuple[Face, ...] = ()
    unseen: int = 0

    @property
    def size(self) -> int:
        return len(self.known) + self.unseen

    @property
    def is_tracked(self) -> bool:
        """True if the referee has seen every card in it."""
        return not self.unseen

    def with_cards(self, faces: tuple[Face, ...], unseen: int = 0) -> Hand:
        return Hand(self.known + faces, self.unseen + unseen)

    def without(self, wanted: Face) -> Hand:
        """This hand less one such card: a seen one where there is one, else an unseen one."""
        if wanted in self.known:
            index = self.known.index(wanted)
            return Hand(self.known[:index] + self.known[index + 1 :], self.unseen)
        return Hand(self.known, self.unseen - 1)

    def without_unseen(self) -> Hand:
        return Hand(self.known, self.unseen - 1)


class Unseen(Enum):
    """The drawn card, where the referee did not see it."""

    CARD = "unseen"


class Drawn(NamedTuple):
    """What the player whose turn it is drew. *spent*: it can't be played, and with `draw-until` they go on."""

    card: Face | Unseen
    spent: bool = False


class Window(NamedTuple):
    """The time in which *seat* may be caught. *opened_ns* is None while the card's colour is still to be named."""

    seat: int
    opened_ns: int | None


class Penalty(NamedTuple):
    """The debt that costs *seat* the turn, once paid. *kind* is what made it, where it can be stacked on.

    *open*: nothing of it is drawn yet, so that it may still be added to.
    """

    seat: int
    cards: int
    kind: str | None
    open: bool = True


class WildFour(NamedTuple):
    """An open Wild Draw Four: who laid it, against which colour, with which hand left, and who may challenge."""

    layer: int
    victim: int
    colour_before: Colour | None
    hand: Hand
    challengeable: bool

    @property
    def legal(self) -> bool | None:
        """Whether it was legal (rule `wild-draw-four`); None is not known."""
        return is_legal_wild_four(self.hand, self.colour_before)


def is_legal_wild_four(hand_left: Hand, colour: Colour | None) -> bool | None:
    """Whether a player left with *hand_left* held no card of *colour*; None where unseen cards decide."""
    if colour is None:
        return True
    for held in hand_left.known:
        if held.colour is colour:
            return False
    return None if hand_left.unseen else True


class ColourQuestion(NamedTuple):
    """*seat* has to name the colour of *face*. *colour_before* was in force; *stacked* cards are owed already.

    *opening*: it is the first card, turned and not played. *allowed*: the table let it stand after a refusal.
    """

    seat: int
    face: Face
    colour_before: Colour | None
    hand: Hand
    stacked: int = 0
    opening: bool = False
    allowed: bool = False


class SwapQuestion(NamedTuple):
    """*seat* has to choose whom to swap hands with; *rule* is the rule that says so."""

    seat: int
    rule: str


class ShowQuestion(NamedTuple):
    """*seat* has to show the hand for a challenge by *challenger*."""

    seat: int
    challenger: int


class ProofQuestion(NamedTuple):
    """Mode `prove`: *seat* has to show the rest of the hand before the Wild Draw Four stands."""

    seat: int
    face: Face
    colour: Colour | None
    colour_before: Colour | None
    top_before: Face | None
    top_was_turned: bool
    stacked: Penalty | None
    was_known: bool


class DareQuestion(NamedTuple):
    """*seat* does the dare or draws *cards*."""

    seat: int
    cards: int


class CharadeQuestion(NamedTuple):
    """*seat*, who laid the card, says who guessed."""

    seat: int


class DiscardQuestion(NamedTuple):
    """*seats* may still discard for *layer*'s card: all wilds, or cards of the colour that was named."""

    layer: int
    seats: tuple[int, ...]
    kind: CustomKind


Question = (
    ColourQuestion | SwapQuestion | ShowQuestion | ProofQuestion | DareQuestion | CharadeQuestion | DiscardQuestion
)


class HighDraw(NamedTuple):
    """The draw for the deal: the seats that *must* draw in this go, and what each has drawn."""

    must: tuple[int, ...]
    drawn: tuple[tuple[int, Face], ...] = ()


class RefusedLay(NamedTuple):
    """The card refused on the line before, which the table may allow; *fine* is what it cost."""

    action: Lay
    fine: int


@dataclass(slots=True, repr=False)
class State:
    """The fields that `Match` and `Draft` share. Seats are indices into *names*, times nanoseconds.

    *gone* are those who left, and not those who are only out of the match. *passing* is the debt on which a card was
    allowed to be laid: nobody's, until that card is complete.
    """

    setup: Setup
    names: tuple[str, ...]
    playing: tuple[bool, ...]
    scores: tuple[int, ...]
    dealer: int
    phase: Phase = Phase.BETWEEN
    round_number: int = 0
    last_round: bool = False
    high: HighDraw | None = None
    dealer_is_drawn: bool = False
    winners: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()
    now_ns: int = 0
    hands: tuple[Hand, ...] = ()
    dealt: tuple[bool, ...] = ()
    discard_pile: tuple[Face, ...] = ()
    top: Face | None = None
    top_is_turned: bool = False
    colour: Colour | None = None
    direction: int = CLOCKWISE
    turn: int | None = None
    drawn: Drawn | None = None
    has_called_early: bool = False
    may_swap_first: bool = False
    passes: int = 0
    question: Question | None = None
    owes: tuple[int, ...] = ()
    fines: tuple[int, ...] = ()
    penalty: Penalty | None = None
    passing: Penalty | None = None
    wild_four: WildFour | None = None
    window: Window | None = None
    uncalled: frozenset[int] = frozenset()
    last_caught: int | None = None
    refused_lay: RefusedLay | None = None
    clock_from_ns: int = 0
    counted: tuple[int | None, ...] = ()
    out: int | None = None
    before: Match | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        whose = self.names[self.turn] if self.turn is not None else "nobody"
        top = self.top.code if self.top is not None else "nothing"
        players = ", ".join(self.names)
        return f"<{type(self).__name__} of {players}: round {self.round_number}, {self.phase}, {whose} to act on {top}>"

    # -- read by everybody ---------------------------------------------------------------------------------

    @property
    def draw_pile(self) -> int:
        """How many cards the draw pile holds: the deck less what was dealt, drawn and laid, as far as that is known.

        Hands that were believed smaller than they are (rule `belief`) may come to more than the deck.
        """
        held = len(self.discard_pile)
        for hand in self.hands:
            held += len(hand.known) + hand.unseen
        return max(self.setup.deck.size - held, 0)

    @property
    def nothing_to_draw(self) -> bool:
        """True if the draw pile is empty and there is nothing to shuffle either."""
        return len(self.discard_pile) <= 1 and self.draw_pile == 0

    @property
    def players_left(self) -> int:
        return sum(self.playing)

    def seat_of(self, name: str) -> int:
        """The seat of the player called *name*.

        :raises ValueError: if nobody is called so.
        """
        return self.names.index(name)

    def after(self, seat: int, step: int | None = None) -> int:
        """The next seat still in the match, in the current direction (or in that of *step*)."""
        step = step or self.direction
        number = len(self.names)
        seat = (seat + step) % number
        while not self.playing[seat]:
            seat = (seat + step) % number
        return seat

    def from_left_of(self, seat: int) -> list[int]:
        """All other seats still in the match, clockwise from the left of *seat*."""
        number = len(self.names)
        return [other for step in range(1, number) if self.playing[other := (seat + step) % number]]

    def kind(self, wanted: Face) -> Kind:
        return self.setup.deck.kinds[wanted]

    def seen_elsewhere(self, wanted: Face, seat: int | None = None) -> int:
        """How many copies of a face lie in the discard pile and in seen hands, *seat*'s own apart."""
        copies = self.discard_pile.count(wanted)
        for other, hand in enumerate(self.hands):
            if other != seat:
                copies += hand.known.count(wanted)
        return copies

    def is_owing(self) -> bool:
        return any(self.owes)


class Match(State):
    """A match at one moment; it can't be changed. `table_app.rules.new_match` makes one, `apply` the next."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"a Match can't be changed; {name} is made anew by apply()")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"a Match can't be changed; {name} stays")


class Draft(State):
    """The next match in the making; only the rules see it."""

    __slots__ = ()

    @classmethod
    def of(cls, match: Match) -> Draft:
        """A copy of every field. Written out, it takes half the time of the constructor: a tenth of a ruling."""
        draft = cls.__new__(cls)
        draft.setup = match.setup
        draft.names = match.names
        draft.playing = match.playing
        draft.scores = match.scores
        draft.dealer = match.dealer
        draft.phase = match.phase
        draft.round_number = match.round_number
        draft.last_round = match.last_round
        draft.high = match.high
        draft.dealer_is_drawn = match.dealer_is_drawn
        draft.winners = match.winners
        draft.gone = match.gone
        draft.now_ns = match.now_ns
        draft.hands = match.hands
        draft.dealt = match.dealt
        draft.discard_pile = match.discard_pile
        draft.top = match.top
        draft.top_is_turned = match.top_is_turned
        draft.colour = match.colour
        draft.direction = match.direction
        draft.turn = match.turn
        draft.drawn = match.drawn
        draft.has_called_early = match.has_called_early
        draft.may_swap_first = match.may_swap_first
        draft.passes = match.passes
        draft.question = match.question
        draft.owes = match.owes
        draft.fines = match.fines
        draft.penalty = match.penalty
        draft.passing = match.passing
        draft.wild_four = match.wild_four
        draft.window = match.window
        draft.uncalled = match.uncalled
        draft.last_caught = match.last_caught
        draft.refused_lay = match.refused_lay
        draft.clock_from_ns = match.clock_from_ns
        draft.counted = match.counted
        draft.out = match.out
        draft.before = match.before
        return draft

    def freeze(self) -> Match:
        """This draft as a match; the draft is the match from now on.

        Both classes have the same slots, so changing the class costs nothing, where copying every field once more would
        be a tenth of a ruling.
        """
        self.__class__ = Match  # type: ignore[assignment]  # checked by tests/rules/test_state.py
        return self  # type: ignore[return-value]  # as the line above has made it

    def set_hand(self, seat: int, hand: Hand) -> None:
        self.hands = replaced(self.hands, seat, hand)

    def next_turn(self, seat: int) -> None:
        """The turn is *seat*'s, and nothing of the last one clings to it."""
        self.turn = seat
        self.drawn = None
        self.has_called_early = False
        self.may_swap_first = False


def replaced(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """*items* with another one at *index*."""
    return (*items[:index], item, *items[index + 1 :])
