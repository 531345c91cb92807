"""A simulated reader for ``lastcard play``: a card that is picked on the screen is laid on it as a tag for a moment.

So the whole way from the chip's registers to the ruling can be tried on any computer. People who play by themselves
are the demonstration's business.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from hardware.signals import CardPicked, Signal
from hardware.simulated import Ntag213, SimulatedPad
from table_app.rules import Card, Deck

LAID_MS = 300
"""How long a picked card lies on the pad: as a hand would tap it."""

AWAY_MS = 200
"""How long the pad is empty before the next card, so that each is seen to go."""

PICKED_MAX = 64
"""Cards picked faster than they can be laid; a hand holds fewer."""

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
        self._until_ms = 0

    def lay(self, picked: CardPicked) -> bool:
        """Lay that card next, the copies of a face in turn; False if the deck has no such card."""
        copies = self._by_face.get(picked.code.lower())
        if copies is None:
            return False
        self._wanted.append(copies[0])
        copies.rotate(-1)
        return True

    def poll(self, now_ms: int) -> Sequence[Signal]:
        self._pad.clock.advance_to_ms(now_ms)
        if now_ms >= self._until_ms:
            if self._lying is not None:
                self._pad.lift(self._lying)
                self._lying = None
                self._until_ms = now_ms + AWAY_MS
            elif self._wanted:
                self._lying = Ntag213(self._wanted.popleft())
                self._pad.place(self._lying)
                self._until_ms = now_ms + LAID_MS
        return self._pad.poll(now_ms)

    def close(self) -> None:
        self._pad.close()
