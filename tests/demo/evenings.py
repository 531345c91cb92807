"""Evenings for tests: a journal in a folder of its own, and an auditor that keeps books on the real cards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from table_app.rules import Match, Phase
from table_app.simulation.evening import Evening, EveningOptions
from table_app.table.loop import Judged, Observer
from table_app.table.opening import TableFiles


def files(folder: Path) -> TableFiles:
    return TableFiles(folder, wall_time=lambda: "2026-11-29T12:00:00+00:00", boot="test")


class Memory(Observer):
    """Remembers every ruling."""

    def __init__(self) -> None:
        self.judged_all: list[Judged] = []

    def judged(self, judged: Judged) -> None:
        self.judged_all.append(judged)

    @property
    def words(self) -> Counter[str]:
        return Counter(happening.word for judged in self.judged_all for happening in judged.ruling.effects)

    def first_ms(self, word: str) -> int | None:
        """When an effect first stood on a ruling."""
        for judged in self.judged_all:
            if any(happening.word == word for happening in judged.ruling.effects):
                return judged.at_ms
        return None

    def first_refusal_ms(self) -> int | None:
        return next((judged.at_ms for judged in self.judged_all if not judged.ruling.is_ok), None)


class Auditor:
    """Compares what the referee believes with where the cards really are."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self.checks = 0

    def check(self) -> None:
        evening, match = self._evening, self._evening.match
        if match.phase in (Phase.BETWEEN, Phase.DEALING):
            return
        cards = evening.scene.cards
        self.checks += 1
        for seat, hand in enumerate(cards.hands):
            where = f"seed {evening.options.seed} at {evening.now_ms} ms, {match.names[seat]}"
            believed = match.hands[seat]
            assert believed.size == len(hand), f"{where}: {believed.size} cards believed, {len(hand)} held"
            held = Counter(card.face for card in hand)
            assert not Counter(believed.known) - held, f"{where}: a card believed that is not held"
        assert match.draw_pile == len(cards.draw_pile), f"seed {evening.options.seed}: the draw pile"
        assert match.top is cards.discard_pile[-1].face, f"seed {evening.options.seed}: the top card"


def play(
    folder: Path, seed: int, players: int = 3, target: int = 500, to_ms: int = 4_000_000
) -> tuple[Evening, Memory]:
    """A whole match, audited after every ruling."""
    memory = Memory()
    evening = Evening(EveningOptions(seed, players, target), files(folder), observers=[memory])
    auditor = Auditor(evening)
    heard = 0
    while not evening.is_over and evening.now_ms < to_ms:
        evening.advance(evening.now_ms + 200, until=lambda: evening.is_over)
        if len(memory.judged_all) != heard and not evening.scene.is_moving:
            heard = len(memory.judged_all)
            auditor.check()
    assert auditor.checks or to_ms < 10_000
    return evening, memory


def points_in_hands(evening: Evening, match: Match) -> dict[str, int]:
    """What everybody really holds, in points."""
    kinds = match.setup.deck.kinds
    return {
        name: sum(kinds[card.face].points for card in evening.scene.cards.hands[seat])
        for seat, name in enumerate(match.names)
    }
