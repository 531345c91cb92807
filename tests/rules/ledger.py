"""Where the cards are, kept apart from the rules: only from what was done and the effects that the ruling tells.

No test in here. The rules count the draw pile as what remains; here every card is moved from place to place, so that
a card that a ruling loses or doubles shows.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from table_app.rules import (
    Allow,
    DealCards,
    DealUnseen,
    Discard,
    Lay,
    Match,
    Phase,
    Reshuffle,
    Ruling,
    SetHand,
    Start,
)
from table_app.rules.ruling import Happening
from table_app.rules.state import ProofQuestion


@dataclass
class Ledger:
    """Numbers of cards: in each hand, in the draw pile, in the discard pile.

    A draw pile below nothing: that many more are in the hands, by what was shown, than the deck has left.
    """

    draw_pile: int
    discard_pile: int = 0
    hands: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Ledger:
        return Ledger(self.draw_pile, self.discard_pile, dict(self.hands))

    def record(self, before: Match, ruling: Ruling, after: Match) -> None:
        """Move the cards that this ruling says were moved."""
        for name in after.names:
            self.hands.setdefault(name, 0)
        if before.phase is Phase.BETWEEN and after.phase is Phase.DEALING:
            self._gather()
        drawn_late = [happening for happening in ruling.effects if happening.word not in ("drew", "number")]
        for happening in ruling.effects:
            if happening.word == "drew":
                self._take(str(happening.player), int(str(happening.value)))
            elif happening.word == "number":
                name, count = str(happening.player), int(str(happening.value))
                self._take(name, count - self.hands[name])
        if ruling.is_ok:
            self._deed(before, ruling, after)
        for happening in drawn_late:
            self._happened(happening, after, _actor(before, ruling))

    def _gather(self) -> None:
        self.draw_pile += self.discard_pile + sum(self.hands.values())
        self.discard_pile = 0
        self.hands = dict.fromkeys(self.hands, 0)

    def _take(self, name: str, count: int) -> None:
        self.draw_pile -= count
        self.hands[name] += count

    def _lay(self, name: str, count: int = 1) -> None:
        self.hands[name] -= count
        self.discard_pile += count

    def _deed(self, before: Match, ruling: Ruling, after: Match) -> None:
        action = ruling.action
        if isinstance(action, DealCards):
            self._take(action.player, len(action.cards))
        elif isinstance(action, DealUnseen):
            begins = before.phase is Phase.BETWEEN
            for seat, name in enumerate(after.names):
                if after.playing[seat] and (begins or not before.dealt[seat]):
                    self._take(name, action.count)
        elif isinstance(action, Start) and not any(happening.word == "put-back" for happening in ruling.effects):
            self.draw_pile -= 1
            self.discard_pile += 1
        elif isinstance(action, Lay):
            self._lay(action.player)
        elif isinstance(action, Allow):
            assert before.refused_lay is not None
            self._lay(before.refused_lay.action.player)
        elif isinstance(action, Discard):
            self._lay(action.player, len(action.cards))
        elif isinstance(action, Reshuffle):
            stays = 2 if isinstance(before.question, ProofQuestion) else 1
            self.draw_pile += self.discard_pile - stays
            self.discard_pile = stays
        elif isinstance(action, SetHand):
            self.draw_pile += self.hands[action.player] - action.count
            self.hands[action.player] = action.count

    def _happened(self, happening: Happening, after: Match, actor: str) -> None:
        player = str(happening.player)
        if happening.word == "swap":
            other = str(happening.other)
            self.hands[player], self.hands[other] = self.hands[other], self.hands[player]
        elif happening.word == "pass-hands":
            circle = [name for seat, name in enumerate(after.names) if after.playing[seat]]
            sizes = [self.hands[name] for name in circle]
            for place, size in enumerate(sizes):
                self.hands[circle[(place + after.direction) % len(circle)]] = size
        elif happening.word == "shuffle-hands":
            seat = after.seat_of(actor)
            order = [*after.from_left_of(seat), seat]
            total = sum(self.hands.values())
            self.hands = dict.fromkeys(self.hands, 0)
            for place in range(total):
                self.hands[after.names[order[place % len(order)]]] += 1
        elif happening.word == "take-back":
            self.discard_pile -= 1
            self.hands[actor] += 1
        elif happening.word == "left":
            self.draw_pile += self.hands[player]
            self.hands[player] = 0


def _actor(before: Match, ruling: Ruling) -> str:
    if isinstance(ruling.action, Allow) and before.refused_lay is not None:
        return before.refused_lay.action.player
    return str(getattr(ruling.action, "player", ""))
