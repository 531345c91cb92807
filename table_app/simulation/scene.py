"""The simulated evening: people's gestures become tags in the reader's field and presses, and rulings move real cards.

Sits below the table as its devices do: the table sees signals only. What people decide is in `people`; where the cards
lie is in `cards`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from hardware.signals import ButtonPressed, CardPicked, Signal, Source
from hardware.simulated import SimulatedTag
from table_app.play.state import TableState
from table_app.rules import (
    Action,
    Call,
    Card,
    Code,
    Draw,
    Happening,
    Lay,
    Match,
    Phase,
    Reshuffle,
    Ruling,
    Shows,
    Start,
    Undo,
)
from table_app.rules.actions import Allow, DealCards, DealUnseen, Discard, Joins, Leaves
from table_app.rules.state import ProofQuestion, ShowQuestion
from table_app.simulation.cards import PhysicalCards, chance_data, restore_chance
from table_app.simulation.command_tags import command_of
from table_app.simulation.glance import in_order, still_to_show
from table_app.simulation.manners import HONEST, SHOW_HOLD_MS, Gesture, Pick, Place, Press
from table_app.simulation.pads import Pad
from table_app.simulation.people import People

SETTLE_MS = 250
"""How long people look at the screen before anybody moves again."""

UNPLUGGED_MS = 6_000
"""How long the reader stays unplugged when somebody pulls it out: long enough to see play go on by hand."""

TOGETHER_MS = 900
"""How long two cards lie on the reader together."""


class Hold(Enum):
    """Whether hands rest because somebody at the screen wants a pause, and whether the table has been told."""

    FREE = "free"
    WANTED = "wanted"
    TOLD = "told"


class Scene:
    """Hands, cards and reader of one simulated table.

    *pad* is the reader (None: every card is picked on the screen), *pile* a second one at the draw pile. *post* takes
    the signals of presses, as a button or a touch would send them. *given_wrongly* counts the cards that the referee
    first took for another player's. *commands* are command tags by their button, where the table has them; *dead* are
    cards whose stickers no reader reads: they are named on the screen.
    """

    def __init__(
        self,
        cards: PhysicalCards,
        people: People,
        pad: Pad | None,
        tags: Mapping[Card, SimulatedTag],
        post: Callable[[Signal], None],
        pile: Pad | None = None,
        commands: Mapping[str, SimulatedTag] | None = None,
    ) -> None:
        self.commands = commands or {}
        self.dead: set[Card] = set()
        self.named_dead = 0
        self._match: Match | None = None
        self.cards = cards
        self.people = people
        self.given_wrongly = 0
        self._pad = pad
        self._pile = pile
        self._lying_on: Pad | None = None
        self._phase = Phase.BETWEEN
        self.tags = dict(tags)
        self._post = post
        self._gestures: deque[Gesture] = deque()
        self._due_ms: int | None = None
        self._on_pad: tuple[SimulatedTag, ...] = ()
        self._lift_ms = 0
        self._quiet_ms = 0
        self._plug_in_ms: int | None = None
        self._hold = Hold.FREE
        self._picked: Card | None = None
        self._held_up: Card | None = None
        self._deal: list[Card] = []

    # -- time -------------------------------------------------------------------------------------------------

    @property
    def next_ms(self) -> int:
        """When hands move next; a time that is past means now."""
        if self._on_pad:
            return self._lift_ms
        if self._hold is Hold.TOLD:
            return self._quiet_ms
        if self._due_ms is not None:
            return self._due_ms
        return self._quiet_ms

    @property
    def is_moving(self) -> bool:
        """True while a card lies on the reader: then nobody can say where it belongs."""
        return bool(self._on_pad)

    @property
    def is_idle(self) -> bool:
        """True if nobody is in the middle of doing something."""
        return not self._gestures and not self._on_pad

    def act(self, now_ms: int, state: TableState) -> None:
        """Let hands do what is due; *state* is what the screen shows."""
        self._phase = state.match.phase
        self._match = state.match
        if self._plug_in_ms is not None and now_ms >= self._plug_in_ms:
            self._plug_in_ms = None
            for pad in (self._pad, self._pile):
                if pad is not None:
                    pad.plug_in()
        if self._on_pad:
            if now_ms >= self._lift_ms:
                self._lift(now_ms)
            return
        if self._hold is not Hold.FREE and self._rests(state, now_ms):
            return
        if self._due_ms is None:
            if now_ms >= self._quiet_ms:
                self._take_up(self.people.plan(state), now_ms)
            return
        if now_ms >= self._due_ms:
            self._do(self._gestures.popleft(), now_ms)
            self._schedule(now_ms)

    def hold(self) -> None:
        """Somebody at the screen wants a pause: hands come to rest, and then the table is told; nobody but whoever
        asked for it goes on."""
        if self._hold is Hold.FREE:
            self._hold = Hold.WANTED

    def _rests(self, state: TableState, now_ms: int) -> bool:
        """Whether hands still rest; they go on where they were once the table does."""
        if self._hold is Hold.TOLD and state.pause is None:
            self._hold = Hold.FREE
            self._schedule(now_ms)
            return False
        if self._hold is Hold.WANTED:
            self._hold = Hold.TOLD
            self.press("pause", now_ms)
        self._quiet_ms = now_ms + SETTLE_MS
        return True

    def _take_up(self, gestures: list[Gesture], now_ms: int) -> None:
        self._gestures = deque(gestures)
        self._schedule(now_ms)
        if not gestures:
            self._quiet_ms = now_ms + SETTLE_MS  # nobody but the human is awaited: look again

    def _schedule(self, now_ms: int) -> None:
        if self._gestures:
            self._due_ms = now_ms + self._gestures[0].wait_ms
        else:
            self._due_ms = None
            self._quiet_ms = now_ms + SETTLE_MS

    # -- hands ------------------------------------------------------------------------------------------------

    def _do(self, gesture: Gesture, now_ms: int) -> None:
        if isinstance(gesture.deed, Press):
            self._command(gesture.deed.button, now_ms)
        elif isinstance(gesture.deed, Pick):
            self._pick(gesture.deed.card, now_ms)
        else:
            self._place(gesture.deed, now_ms)

    def press(self, button: str, now_ms: int) -> None:
        """Somebody presses a button."""
        self._post(ButtonPressed(now_ms, button, Source.SIMULATED))

    def _command(self, button: str, now_ms: int) -> None:
        """The tag that stands for a button is laid on the reader; where there is none, the button is pressed."""
        tag = self.commands.get(command_of(button, self._match))
        if tag is None or self._pad is None or self._plug_in_ms is not None:
            self.press(button, now_ms)
            return
        self._lay_down(self._pad, (tag,), now_ms + SHOW_HOLD_MS)

    def _pick(self, card: Card, now_ms: int) -> None:
        self._picked = self._held_up = card
        self._post(CardPicked(now_ms, card.face.code, Source.SIMULATED))

    def stick_anew(self, card: Card, tag: SimulatedTag) -> None:
        """A card gets another sticker; the table does not know it yet."""
        self.tags[card] = tag

    def _lay_down(self, pad: Pad, tags: tuple[SimulatedTag, ...], until_ms: int) -> None:
        for tag in tags:
            pad.place(tag)
        self._on_pad, self._lying_on, self._lift_ms = tags, pad, until_ms

    def _place(self, deed: Place, now_ms: int) -> None:
        self.people.mending.is_drawing = deed.draws
        if self._picked in deed.cards and self._picked in self.cards.discard_pile:
            return  # a fumbling hand taps twice; but nobody taps what was just named on the screen
        pad = self._pile if deed.draws and self._pile is not None else self._pad
        if pad is None or (self._plug_in_ms is not None and len(deed.cards) == 1):
            self._do_by_hand(deed, now_ms)
            return
        self._held_up = deed.cards[0]
        if len(deed.cards) == 1 and deed.cards[0] in self.dead and not deed.is_new:
            self._name_dead(deed, now_ms)
            return
        self._lay_down(pad, tuple(self.tags[card] for card in deed.cards), now_ms + deed.hold_ms)

    def _name_dead(self, deed: Place, now_ms: int) -> None:
        """The reader is alive, the sticker is not: the card is named on the screen, also where cards are dealt."""
        self.named_dead += 1
        if deed.draws and self._phase is Phase.BETWEEN:
            self._pick(deed.cards[0], now_ms)
        else:
            self._do_by_hand(deed, now_ms)

    def _do_by_hand(self, deed: Place, now_ms: int) -> None:
        """The reader is out: the card is named on the screen instead; what is drawn or dealt is only said."""
        if deed.draws:
            self.press("deal" if self._phase is Phase.BETWEEN else "draw", now_ms)
            return
        if deed.cards[0] in self.cards.discard_pile:
            return  # the second tap of a fumbling hand; nobody names on the screen what lies there
        self._pick(deed.cards[0], now_ms)

    def _lift(self, now_ms: int) -> None:
        assert self._lying_on is not None
        for tag in self._on_pad:
            self._lying_on.lift(tag)
        self._on_pad = ()
        self._schedule(now_ms)

    def lay_on(self, pad: Pad | None = None, pile: Pad | None = None) -> None:
        """Other readers lie where those lay that were there, and what lay on them lies on these."""
        old = (self._pad, self._pile)
        self._pad, self._pile = pad, pile
        if self._lying_on is not None:
            self._lying_on = (pad, pile)[old.index(self._lying_on)]
        for tag in self._on_pad:
            assert self._lying_on is not None
            self._lying_on.place(tag)
        for new in (pad, pile):
            if new is not None and self._plug_in_ms is not None:
                new.unplug()

    def startle(self, now_ms: int) -> None:
        """The screen went dark: everybody stops, and looks again at what it shows when it is back."""
        self._gestures.clear()
        self.people.mending.startle()
        if not self._on_pad:
            self._schedule(now_ms)

    def interrupt(self, now_ms: int, *gestures: Gesture) -> None:
        """Somebody at the screen does something: it comes before what the others had in mind."""
        if self._on_pad:
            self._gestures.extendleft(reversed(gestures))
        else:
            self._take_up(list(gestures), now_ms)

    def two_cards(self, now_ms: int) -> None:
        """Somebody lays two cards on the reader at once."""
        hands = [hand for hand in self.cards.hands if len(hand) > 1]
        if hands and not self._on_pad:
            self.interrupt(now_ms, Gesture(0, Place((hands[0][0], hands[0][1]), TOGETHER_MS)))

    def unplug(self, now_ms: int) -> None:
        """Somebody pulls the readers' plug, and puts it back after a while."""
        for pad in (self._pad, self._pile):
            if pad is not None:
                pad.unplug()
        self._plug_in_ms = now_ms + UNPLUGGED_MS

    @property
    def is_unplugged(self) -> bool:
        """True from the moment the plug is pulled until it is back."""
        return self._plug_in_ms is not None

    def plug_in(self, now_ms: int) -> None:
        """Somebody puts the plug back sooner."""
        if self._plug_in_ms is not None:
            self._plug_in_ms = now_ms

    # -- what rulings do to real cards ------------------------------------------------------------------------

    def heard(self, before: Match, after: Match, ruling: Ruling) -> None:
        """The referee has spoken: people move their cards accordingly."""
        action = ruling.action
        self.people.notice(before, after)
        self.people.mending.under_way = ()
        if isinstance(action, Undo):
            if ruling.is_ok:
                self.cards.go_back()
                self._note_drawn(before, after, action)
            return
        self._correct(after, ruling)
        if isinstance(action, Shows) and ruling.is_ok:
            self._show_the_rest(before, action)
        if isinstance(action, Lay) and ruling.code in (Code.NO_MATCH, Code.WILD_DRAW_FOUR, Code.DRAWN_CARD):
            self.people.refused.add(self.real(action.card))  # nobody tries the same card over and over
        if isinstance(action, DealUnseen) and ruling.is_ok:
            self.cards.deal(action.count, [seat for seat, plays in enumerate(after.playing) if plays])
            return
        if isinstance(action, Joins) and ruling.is_ok:
            self.cards.sit_down()
            self.people.manners = (*self.people.manners, HONEST)
        if after.before is not None and after.before is not before.before:
            self.cards.remember()
        refused = before.refused_lay
        if ruling.is_ok and isinstance(action, Lay):
            self.cards.lay(self.real(action.card))
        elif ruling.is_ok and isinstance(action, Allow) and refused is not None:
            self.cards.lay(self.real(refused.action.card))
        elif ruling.is_ok and isinstance(action, DealCards):
            self.cards.give(after.seat_of(action.player), self._dealt(before, action.cards))
        elif ruling.is_ok and isinstance(action, Discard):
            self.cards.discard(self._held(after.seat_of(action.player), action.cards))
        elif ruling.is_ok and isinstance(action, Leaves):
            self.cards.leave(after.seat_of(action.player))
        elif ruling.is_ok and isinstance(action, Start):
            if any(happening.word == "put-back" for happening in ruling.effects):
                self.cards.put_back()
            else:
                self.cards.lay(self.real(action.card))
        elif ruling.is_ok and isinstance(action, Reshuffle):
            self.cards.reshuffle(2 if isinstance(before.question, ProofQuestion) else 1)
        for happening in ruling.effects:
            if happening.word == "shuffle-hands":
                layer = after.seat_of(getattr(action, "player", after.names[0]))
                self.cards.deal_hands_anew([*after.from_left_of(layer), layer])
            elif happening.word == "take-back":
                assert isinstance(before.question, ProofQuestion)
                self.cards.take_back(before.question.seat)
            else:
                self._follow(happening, after)
        self._note_drawn(before, after, action)

    def _show_the_rest(self, before: Match, action: Shows) -> None:
        """Whoever shows a hand lays down all of it, also where the referee believed it to be smaller."""
        seat = before.seat_of(action.player)
        hand = self.cards.hands[seat]
        if isinstance(before.question, ShowQuestion) and before.wild_four is not None:
            hand = hand[: len(hand) - (before.hands[seat].size - before.wild_four.hand.size)]
        elif not isinstance(before.question, ProofQuestion):
            return  # in a count `mending` sees to it
        rest = still_to_show(self.cards, hand, action.cards)
        if rest and not before.hands[seat].is_tracked:
            self.people.mending.presses.appendleft(tuple(Place((card,), SHOW_HOLD_MS) for card in rest))

    def _dealt(self, before: Match, cards: Sequence[Card]) -> list[Card]:
        """The physical cards of a deal: they were dealt from the top, one by one; the table may know a face alone."""
        place = sum(before.dealt) if before.phase is Phase.DEALING else 0
        self._deal = self._deal if place else self.cards.draw_pile[::-1]
        return self._deal[place :: before.players_left][: len(cards)]

    def _held(self, seat: int, cards: Iterable[Card]) -> list[Card]:
        """The physical cards of a hand; of those picked on the screen any will do, but each only once."""
        found: list[Card] = []
        for card in cards:
            same = [own for own in self.cards.hands[seat] if own.face is card.face and own not in found]
            found += [self.cards.physical(card)] if card.copy else same[:1]
        return found

    def _correct(self, after: Match, ruling: Ruling) -> None:
        """The referee took a card for another's: whose it was touches the seat; one laid in a hurry is taken back."""
        people, action = self.people, ruling.action
        if isinstance(action, Draw) and action.cards and ruling.is_ok and not people.mending.is_drawing:
            people.mending.presses.append(("undo",))  # it was laid, and can't be
        elif isinstance(action, Call | Lay) and ruling.is_ok and people.mending.undoes_one_more():
            people.tapping, people.is_hurried = None, False
            return
        if not isinstance(action, Lay):
            return
        # Nobody tapped: an undo brought a card back to whom it had been taken for.
        is_tapped = people.tapping is not None
        owner = people.tapping if is_tapped else self.cards.holder(self.real(action.card))
        is_hurried, people.tapping, people.is_hurried = people.is_hurried, None, False
        if owner is None or after.names[owner] == action.player or (owner == people.human and not is_tapped):
            return
        self.given_wrongly += 1
        if is_hurried:
            people.mending.presses += [("undo",)] if ruling.is_ok else []
        elif after.phase is Phase.PLAY:
            people.mending.presses.append((f"give:{owner}",))
        else:
            people.mending.presses.append(("form:give", f"seat:{owner}"))

    def real(self, card: Card) -> Card:
        """The physical card; without a copy (picked on the screen) it is the one that was held up."""
        if card.copy:
            return self.cards.physical(card)
        held_up = self._held_up
        if held_up is not None and held_up.face is card.face and held_up not in self.cards.discard_pile:
            return held_up
        # Somebody at the screen may name any card, also one that nobody holds.
        places = (*self.cards.hands, self.cards.draw_pile, self.cards.discard_pile)
        return next(own for place in places for own in place if own.face is card.face)

    def _follow(self, happening: Happening, match: Match) -> None:
        if happening.player is None:
            if happening.word == "pass-hands":
                self.cards.pass_on(in_order(match))
            return
        seat = match.seat_of(happening.player)
        if happening.word == "drew":
            assert isinstance(happening.value, int)
            for _ in range(happening.value):
                self.cards.draw(seat)
        elif happening.word == "swap" and happening.other is not None:
            self.cards.swap(seat, match.seat_of(happening.other))

    def _note_drawn(self, before: Match, after: Match, action: Action) -> None:
        """Which card was drawn in this turn; cards drawn for a debt are not it."""
        turn = after.turn
        if after.drawn is None or turn is None:
            self.people.drawn = None
            return
        is_drawing = isinstance(action, Draw) and action.player == after.names[turn] and not before.owes[turn]
        is_drawn_again = isinstance(action, Undo) and after.owes[turn] <= before.owes[turn]
        if is_drawing or is_drawn_again:
            self.people.drawn = next(reversed(self.cards.hands[turn]), None)

    # -- the power ---------------------------------------------------------------------------------------------

    def as_data(self) -> dict[str, Any]:
        """What a power cut can't touch: the cards, and the people's minds."""
        return {
            "cards": self.cards.as_data(),
            "minds": chance_data(self.people.chance),
            "human": self.people.human,
        }

    def restore(self, data: dict[str, Any]) -> None:
        """The evening goes on where `as_data` left it."""
        self.cards.restore(data["cards"])
        restore_chance(self.people.chance, data["minds"])
        self.people.human = data["human"]
