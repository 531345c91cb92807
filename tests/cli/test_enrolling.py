"""A whole deck gets its tags within ten minutes of a person's taps, mistakes included, and every tag is right.

To see the figures: ``python -m pytest -s tests/cli/test_enrolling.py``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hardware.tags.type2 import read_label
from table_app.rules import DECKS
from table_app.tags.enrolling import Enrolment
from table_app.tags.registry import Registry
from tests.cli.tapper import Tapper

DECK = DECKS["classic"]
TEN_MINUTES_MS = 600_000


@pytest.mark.parametrize("seed", range(3))
def test_a_deck_is_enrolled_in_under_ten_minutes_of_a_persons_taps(tmp_path: Path, seed: int) -> None:
    registry = Registry(tmp_path / "tags.sqlite")
    tapper = Tapper(Enrolment(registry, DECK), seed)
    tapper.enrol_all()
    minutes = tapper.now_ms / 60_000
    slowest = f"{max(tapper.answers_ms)} ms from laying to the sound at most"
    sys.stdout.write(f"seed {seed}: {minutes:.1f} min, {len(tapper.mistakes)} mistakes, {slowest}\n")
    assert len(tapper.mistakes) >= 4, f"seed {seed} makes no mistakes to speak of"
    assert tapper.now_ms < TEN_MINUTES_MS, f"seed {seed}"
    assert registry.cards(DECK) == {tag.uid: card for card, tag in tapper.truth.items()}, f"seed {seed}"
    # The table's own share of it: a period, two reads, the loop's pace.
    assert max(tapper.answers_ms) <= 200, f"seed {seed}"
    assert tapper.sounds >= DECK.size, f"seed {seed}: each card is heard"
    registry.close()


def test_an_enrolment_that_writes_leaves_labels_that_can_be_read(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "tags.sqlite")
    tapper = Tapper(Enrolment(registry, DECK, only=("r5", "w#3")), seed=1, is_writing=True)
    tapper.enrol_all()
    for code in ("r5#1", "r5#2", "w#3"):
        card = next(card for card in tapper.truth if card.code == code)
        tag = tapper.truth[card]
        tapper.pad.place(tag)
        tapper.pad.clock.wait_us(10_000)
        label = tapper.pad.talk(read_label)
        tapper.pad.lift(tag)
        assert label is not None and (label.code, label.deck) == (code, "classic")
    registry.close()
