"""The simulated evening: people's gestures become tags in the reader's field and presses, and rulings move real cards.

Sits below the table as its devices do: the table sees signals only. What people decide is in `people`; where the cards
lie is in `cards`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from hardware.signals import ButtonPressed, CardPicked, Signal, Source
from hardware.simulated import SimulatedPad, SimulatedTag
from table_app.demo.cards import PhysicalCards, chance_data, restore_chance
from table_app.demo.people import Gesture, People, Place, Press
from table_app.rules import (
    Card,
    Happening,
    Lay,
    Match,
    Reshuffle,
    Ruling,
    Start,
    Undo,
)
from table_app.rules.actions import DealUnseen

SETTLE_MS = 250
"""How long people look at the screen before anybody moves again."""

UNPLUGGED_MS = 6_000
"""How long the reader stays unplugged when somebody pulls it out: long enough to see play go on by hand."""

TOGETHER_MS = 900
"""How long two cards lie on the reader together."""


class Scene:
    """Hands, cards and reader of one simulated table.

    *post* takes the signals of presses, as a button or a touch would send them.
    """

    def __init__(
        self,
        cards: PhysicalCards,
        people: People,
        pad: SimulatedPad,
        tags: Mapping[Card, SimulatedTag],
        post: Callable[[Signal], None],
    ) -> None:
        self.cards = cards
        self.people = people
        self._pad = pad
        self._tags = tags
        self._post = post
        self._gestures: deque[Gesture] = deque()
        self._due_ms: int | None = None
        self._on_pad: tuple[Card, ...] = ()
        self._lift_ms = 0
        self._quiet_ms = 0
        self._plug_in_ms: int | None = None
        self._picked: Card | None = None

    # -- time -------------------------------------------------------------------------------------------------

    @property
    def next_ms(self) -> int:
        """When hands move next; a time that is past means now."""
        if self._on_pad:
            return self._lift_ms
        if self._due_ms is not None:
            return self._due_ms
        return self._quiet_ms

    @property
    def is_moving(self) -> bool:
        """True while a card lies on the reader: then nobody can say where it belongs."""
        return bool(self._on_pad)

    def act(self, now_ms: int, match: Match) -> None:
        """Let hands do what is due."""
        if self._plug_in_ms is not None and now_ms >= self._plug_in_ms:
            self._plug_in_ms = None
            self._pad.plug_in()
        if self._on_pad:
            if now_ms >= self._lift_ms:
                self._lift(now_ms)
            return
        if self._due_ms is None:
            if now_ms >= self._quiet_ms:
                self._take_up(self.people.plan(match), now_ms)
            return
        if now_ms >= self._due_ms:
            self._do(self._gestures.popleft(), now_ms)
            self._schedule(now_ms)

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
            self.press(gesture.deed.button, now_ms)
        else:
            self._place(gesture.deed, now_ms)

    def press(self, button: str, now_ms: int) -> None:
        """Somebody presses a button."""
        self._post(ButtonPressed(now_ms, button, Source.SIMULATED))

    def _place(self, deed: Place, now_ms: int) -> None:
        if self._plug_in_ms is not None and len(deed.cards) == 1:
            # The reader is out: the card is named on the screen instead.
            self._picked = deed.cards[0]
            self._post(CardPicked(now_ms, self._picked.face.code, Source.SIMULATED))
            return
        for card in deed.cards:
            self._pad.place(self._tags[card])
        self._on_pad = deed.cards
        self._lift_ms = now_ms + deed.hold_ms

    def _lift(self, now_ms: int) -> None:
        for card in self._on_pad:
            self._pad.lift(self._tags[card])
        self._on_pad = ()
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
        """Somebody pulls the reader's plug, and puts it back after a while."""
        self._pad.unplug()
        self._plug_in_ms = now_ms + UNPLUGGED_MS

    # -- what rulings do to real cards ------------------------------------------------------------------------

    def heard(self, before: Match, after: Match, ruling: Ruling) -> None:
        """The referee has spoken: people move their cards accordingly."""
        action = ruling.action
        self.people.notice(before, after)
        if isinstance(action, Undo):
            if ruling.is_ok:
                self.cards.go_back()
            return
        if isinstance(action, DealUnseen) and ruling.is_ok:
            self.cards.deal(action.count)
            return
        if after.before is not None and after.before is not before.before:
            self.cards.remember()
        if ruling.is_ok and isinstance(action, Lay):
            self.cards.lay(self._meant(action.card))
        elif ruling.is_ok and isinstance(action, Start):
            card = self._meant(action.card)
            if any(happening.word == "put-back" for happening in ruling.effects):
                self.cards.put_back(card)
            else:
                self.cards.lay(card)
        elif ruling.is_ok and isinstance(action, Reshuffle):
            self.cards.reshuffle()
        for happening in ruling.effects:
            self._follow(happening, after)

    def _meant(self, card: Card) -> Card:
        """The physical card; picked on the screen it has no copy, and is the one that was held up then."""
        if card.copy:
            return card
        if self._picked is not None and self._picked.face is card.face:
            return self._picked
        held = [own for hand in self.cards.hands for own in hand if own.face is card.face]
        return held[0] if held else next(own for own in self.cards.draw_pile if own.face is card.face)

    def _follow(self, happening: Happening, match: Match) -> None:
        if happening.player is None:
            if happening.word == "pass-hands":
                self.cards.pass_on(_in_order(match))
            return
        seat = match.seat_of(happening.player)
        if happening.word == "drew":
            assert isinstance(happening.value, int)
            for _ in range(happening.value):
                self.cards.draw(seat)
        elif happening.word == "swap" and happening.other is not None:
            self.cards.swap(seat, match.seat_of(happening.other))

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


def _in_order(match: Match) -> list[int]:
    """All players still in, in the direction of play."""
    first = match.playing.index(True)
    order = [first]
    seat = match.after(first)
    while seat != first:
        order.append(seat)
        seat = match.after(seat)
    return order
