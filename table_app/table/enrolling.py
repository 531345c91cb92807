"""Putting a name to each tag, card by card: which card is asked for next, and what a tag laid on the pad does.

Pure but for the registry it writes to; terminals and screens are elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hardware.signals import DeviceBack, DeviceLost, ReaderDisturbed, SeveralTags, Signal, TagPlaced
from table_app.rules import Card, Deck
from table_app.table.errors import CardTakenError
from table_app.table.registry import Registry, uid_text


class Outcome(StrEnum):
    """What a signal did to an enrolment."""

    ENROLLED = "enrolled"
    REFUSED = "refused"
    TOLD = "told"


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The answer to one signal: *card* was given its tag, or *text* says why not."""

    outcome: Outcome
    text: str
    card: Card | None = None


class Enrolment:
    """Asks for the cards of *deck* that have no tag yet, one after the other, in the deck's order.

    :param is_move: a tag or a card that has a meaning already is given the new one; else that is refused.
    :param only: the codes to ask for, each with all its copies; None: every card.
    """

    def __init__(
        self, registry: Registry, deck: Deck, *, is_move: bool = False, only: tuple[str, ...] | None = None
    ) -> None:
        self._registry = registry
        self._deck = deck
        self._is_move = is_move
        wanted = None if only is None else {deck.face(code).code for code in only}
        if is_move and wanted is not None:
            every = [(face.code, copy) for face, kind in deck.kinds.items() for copy in range(1, kind.copies + 1)]
        else:
            every = registry.missing(deck)
        self._asked = [Card(deck.face(code), copy) for code, copy in every if wanted is None or code in wanted]
        self._next = 0

    @property
    def asked(self) -> Card | None:
        """The card that is to be laid on the pad now; None when all are done."""
        return self._asked[self._next] if self._next < len(self._asked) else None

    @property
    def left(self) -> int:
        """How many cards are still to come, this one included."""
        return len(self._asked) - self._next

    def skip(self) -> None:
        """Leave this card out for now."""
        self._next = min(self._next + 1, len(self._asked))

    def back(self) -> None:
        """Ask for the card before again; a tag that it was given by mistake is forgotten."""
        if self._next == 0:
            return
        self._next -= 1
        card = self._asked[self._next]
        given = self._registry.tag_of(self._deck, card.face.code, card.copy)
        if given is not None:
            self._registry.forget(given.uid)

    def take(self, signal: Signal) -> Enrolled | None:
        """What *signal* does; None if nothing need be said.

        :raises StoreError: if the tag list can't be written.
        """
        if isinstance(signal, SeveralTags):
            return Enrolled(Outcome.REFUSED, "One card at a time: take them all off and lay one.")
        if isinstance(signal, ReaderDisturbed):
            return Enrolled(Outcome.REFUSED, "The tag can't be read; lay it flat on the pad again.")
        if isinstance(signal, DeviceLost):
            return Enrolled(Outcome.TOLD, signal.reason)
        if isinstance(signal, DeviceBack):
            return Enrolled(Outcome.TOLD, "The reader answers again.")
        card = self.asked
        if not isinstance(signal, TagPlaced) or card is None:
            return None
        enrol = self._registry.move if self._is_move else self._registry.enrol
        try:
            enrol(signal.uid, self._deck, card.face.code, card.copy)
        except CardTakenError as error:
            return Enrolled(Outcome.REFUSED, str(error))
        self._next += 1
        return Enrolled(Outcome.ENROLLED, f"{uid_text(signal.uid)} is {card.code}.", card)
