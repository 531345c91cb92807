"""A simulated reader with a hand: for ``lastcard play`` it lays cards that are picked, for ``lastcard cards`` stickers.

So the whole way from the chip's registers to the ruling can be tried on any computer. People who play by themselves
are the demonstration's business.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

from hardware.ports import Transceiver
from hardware.signals import CardPicked, Signal, TagPlaced
from hardware.simulated import Ntag213, SimulatedPad
from hardware.tags.iso14443a import Tag
from table_app.rules import Card, Deck
from table_app.rules.setup import MAXIMUM_PLAYERS
from table_app.small_files import open_new, read_small
from table_app.tags.buttons import command_buttons

LAID_MS = 300
"""How long a picked card lies on the pad: as a hand would tap it."""

AWAY_MS = 200
"""How long the pad is empty before the next card, so that each is seen to go."""

PICKED_MAX = 64
"""Cards picked faster than they can be laid; a hand holds fewer."""

REACTION_MS = 250
"""From the sound to the hand lifting."""

GIVE_UP_MS = 3_000
"""A hand lifts a card that is not read after this long."""

STICKERS_BYTES_MAX = 1_048_576
"""What a box of simulated stickers keeps: some hundreds of 180 bytes, in two letters each."""

MANUFACTURER = 0x04
"""NXP: the first byte of an NTAG's seven."""


def deck_tags(deck: Deck) -> dict[bytes, Card]:
    """A tag for each card of *deck*, the same each time."""
    tags: dict[bytes, Card] = {}
    for face, kind in deck.kinds.items():
        for copy in range(1, kind.copies + 1):
            number = len(tags) + 1
            tags[bytes((MANUFACTURER, 0x4C, 0x43, 0, 0, number >> 8, number & 0xFF))] = Card(face, copy)
    return tags


class SimulatedHand:
    """A device: the simulated pad, and the hand that lays picked cards on it one after the other."""

    name = "pad"

    def __init__(self, deck: Deck) -> None:
        self.tags = deck_tags(deck)
        self._pad = SimulatedPad(name=self.name)
        self._by_face: dict[str, deque[bytes]] = {}
        for uid, card in self.tags.items():
            self._by_face.setdefault(card.face.code, deque()).append(uid)
        self._wanted: deque[bytes] = deque(maxlen=PICKED_MAX)
        self._lying: Ntag213 | None = None
        self._until_ms: int | None = None

    def lay(self, picked: CardPicked) -> bool:
        """Lay that card next, the copies of a face in turn; False if the deck has no such card."""
        copies = self._by_face.get(picked.code.lower())
        if copies is None:
            return False
        self._wanted.append(copies[0])
        copies.rotate(-1)
        return True

    @property
    def is_busy(self) -> bool:
        """True while a card waits to be laid, or lies there; any thread may ask."""
        return bool(self._wanted) or self._lying is not None

    def poll(self, now_ms: int) -> Sequence[Signal]:
        self._pad.clock.advance_to_ms(now_ms)
        if self._until_ms is None:  # the reader first sees that nothing lies there
            self._until_ms = now_ms + 2 * AWAY_MS
        if now_ms >= self._until_ms:
            if self._lying is not None:
                self._pad.lift(self._lying)
                self._lying = None
                self._until_ms = now_ms + AWAY_MS
            elif self._wanted:
                self._lying = Ntag213(self._wanted[0])  # before it is taken off the list: there is no moment between
                self._wanted.popleft()
                self._pad.place(self._lying)
                self._until_ms = now_ms + LAID_MS
        return self._pad.poll(now_ms)

    def close(self) -> None:
        self._pad.close()


# -- stickers ----------------------------------------------------------------------------------------------------

Result = TypeVar("Result")
Thing = TypeVar("Thing", bound=Hashable)
"""What a sticker is for: a card, or a button's name."""


def deck_stickers(deck: Deck) -> dict[Card, bytes]:
    """The number of each card's sticker."""
    return {card: uid for uid, card in deck_tags(deck).items()}


def command_stickers() -> dict[str, bytes]:
    """The number of each button's sticker, for a table of any size; none of them is a card's."""
    buttons = command_buttons(MAXIMUM_PLAYERS)
    return {button: bytes((MANUFACTURER, 0x4C, 0x43, 1, 0, 0, number)) for number, button in enumerate(buttons, 1)}


class Stickers(Generic[Thing]):
    """A box of simulated stickers; what is written on them is kept in *path*."""

    def __init__(self, numbers: Mapping[Thing, bytes], path: Path) -> None:
        self._path = path
        self.tags = {thing: Ntag213(uid) for thing, uid in numbers.items()}
        try:
            kept = json.loads(read_small(path, STICKERS_BYTES_MAX))
            for tag in self.tags.values():
                memory = bytes.fromhex(kept[tag.uid.hex()])
                if len(memory) == len(tag.memory):
                    tag.memory[:] = memory
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            pass  # a box never opened before, or of another deck: its stickers are blank

    def keep(self) -> None:
        """Write down what stands on them; a simulation that can't is none the worse."""
        kept = {tag.uid.hex(): tag.memory.hex() for tag in self.tags.values()}
        with suppress(OSError), os.fdopen(open_new(self._path, 0o644), "w", encoding="utf-8") as stream:
            json.dump(kept, stream)


class StickerHand(Generic[Thing]):
    """A simulated pad and a hand that lays a sticker, waits until it is read, lifts it, and takes the next.

    A :class:`hardware.tags.labels.TalkingReader`. *wanted* says whose sticker to lay next, None if there is none; the
    one laid last is not laid again at once.
    """

    def __init__(self, stickers: Stickers[Thing], wanted: Callable[[], Thing | None]) -> None:
        self._stickers = stickers
        self._wanted = wanted
        self._pad = SimulatedPad()
        self._lying: Ntag213 | None = None
        self._last: Thing | None = None
        self._next_ms = 0
        self.is_done = False
        """True when nothing lies on the pad and there was nothing more to be laid."""

    @property
    def name(self) -> str:
        return self._pad.name

    @property
    def next_poll_ms(self) -> int:
        return self._pad.next_poll_ms

    def talk(self, conversation: Callable[[Transceiver, Tag], Result]) -> Result:
        return self._pad.talk(conversation)

    def poll(self, now_ms: int) -> Sequence[Signal]:
        self._pad.clock.advance_to_ms(now_ms)
        if now_ms >= self._next_ms:
            self._move(now_ms)
        signals = self._pad.poll(now_ms)
        if any(isinstance(signal, TagPlaced) for signal in signals):
            self._next_ms = now_ms + REACTION_MS
        return signals

    def _move(self, now_ms: int) -> None:
        if self._lying is not None:
            self._pad.lift(self._lying)
            self._lying, self._next_ms = None, now_ms + AWAY_MS
            return
        thing = self._wanted()
        self.is_done = thing is None
        if thing is not None and thing != self._last:
            self._last = thing
            self._lying, self._next_ms = self._stickers.tags[thing], now_ms + GIVE_UP_MS
            self._pad.place(self._lying)

    def close(self) -> None:
        self._pad.close()
        self._stickers.keep()
