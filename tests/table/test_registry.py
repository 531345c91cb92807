"""A tag means one card and a card has one tag; the tag list outlives damage to the record."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import ButtonPressed, SeveralTags, TagPlaced
from hardware.simulated import Ntag213, SimulatedPad
from table_app.rules import DECKS, Card, face
from table_app.table import CardTakenError, open_table
from table_app.table.enrolling import Enrolment, Outcome
from table_app.table.opening import REGISTRY_FILE
from table_app.table.registry import Registry, open_registry
from tests.table.rig import files, setup, uid

DECK = DECKS["classic"]


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return open_registry(tmp_path / REGISTRY_FILE).registry


def test_a_tag_is_the_card_that_it_was_enrolled_as(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "R5", 2)
    registry.enrol(uid(2), DECK, "w+4", 4)
    assert registry.cards(DECK) == {uid(1): Card(face("r5"), 2), uid(2): Card(face("w+4"), 4)}
    assert ("r5", 2) not in registry.missing(DECK) and ("r5", 1) in registry.missing(DECK)
    assert len(registry.missing(DECK)) == 106


def test_a_tag_or_a_card_that_is_taken_is_refused_with_a_sentence(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "r5", 1)
    with pytest.raises(CardTakenError, match="04 00 00 00 00 00 01 is already r5#1"):
        registry.enrol(uid(1), DECK, "r6", 1)
    with pytest.raises(CardTakenError, match="r5#1 of the deck classic already has the tag"):
        registry.enrol(uid(2), DECK, "r5", 1)
    assert registry.cards(DECK) == {uid(1): Card(face("r5"), 1)}


def test_moving_takes_the_old_tag_and_the_old_card_away(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "r5", 1)
    registry.enrol(uid(2), DECK, "r6", 1)
    registry.move(uid(2), DECK, "r5", 1)
    assert registry.cards(DECK) == {uid(2): Card(face("r5"), 1)}


def test_a_forgotten_tag_means_nothing(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "r5", 1)
    forgotten = registry.forget(uid(1))
    assert forgotten is not None and forgotten.name == "r5#1"
    assert registry.forget(uid(1)) is None
    assert registry.cards(DECK) == {}


@pytest.mark.parametrize(
    ("number", "code", "copy"),
    [(uid(1), "r0", 2), (uid(1), "r5", 0), (uid(1), "wrain1", 1), (uid(1), "zz", 1), (b"\x04\x01", "r5", 1)],
)
def test_what_can_not_be_is_refused(registry: Registry, number: bytes, code: str, copy: int) -> None:
    with pytest.raises(ValueError, match=r".+"):
        registry.enrol(number, DECK, code, copy)
    assert registry.cards(DECK) == {}


def test_decks_are_kept_apart(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "r5", 1)
    registry.enrol(uid(2), DECKS["h2o"], "r5", 1)
    assert registry.cards(DECK) == {uid(1): Card(face("r5"), 1)}


def test_the_tags_survive_a_damaged_journal_and_a_damaged_list_is_moved_aside(tmp_path: Path) -> None:
    registry = open_registry(tmp_path / REGISTRY_FILE).registry
    registry.enrol(uid(1), DECK, "r5", 1)
    registry.close()
    (tmp_path / "journal.sqlite").write_bytes(b"junk" * 999)
    table = open_table(files(tmp_path), setup(), 0)
    assert table.state.tags == {uid(1): Card(face("r5"), 1)}
    table.close()
    (tmp_path / REGISTRY_FILE).write_bytes(b"junk" * 999)
    table = open_table(files(tmp_path), setup(), 0)
    assert "tags.damaged-1.sqlite" in table.state.messages[0]
    table.close()


def test_a_whole_deck_is_enrolled_from_a_simulated_reader_card_by_card(registry: Registry) -> None:
    pad = SimulatedPad()
    enrolment = Enrolment(registry, DECK)
    now_ms, number = 0, 0
    while enrolment.asked is not None:
        number += 1
        tag = Ntag213(uid(number))
        pad.place(tag)
        asked = enrolment.asked
        for _ in range(40):
            now_ms += 50
            for signal in pad.poll(now_ms):
                answer = enrolment.take(signal)
                if answer is not None:
                    assert (answer.outcome, answer.card) == (Outcome.ENROLLED, asked)
            if enrolment.asked != asked:
                break
        pad.lift(tag)
        for _ in range(10):
            now_ms += 50
            assert [enrolment.take(signal) for signal in pad.poll(now_ms)] in ([], [None])
    assert number == DECK.size and registry.missing(DECK) == []


def test_an_enrolment_can_be_skipped_gone_back_and_refuses_doubles(registry: Registry) -> None:
    enrolment = Enrolment(registry, DECK, only=("r5", "w"))
    assert enrolment.left == 6
    enrolment.skip()
    assert enrolment.asked == Card(face("r5"), 2)
    assert enrolment.take(TagPlaced(0, "pad", uid(1))) is not None
    again = enrolment.take(TagPlaced(0, "pad", uid(1)))
    assert again is not None and again.outcome is Outcome.REFUSED and "already r5#2" in again.text
    several = enrolment.take(SeveralTags(0, "pad"))
    assert several is not None and several.outcome is Outcome.REFUSED
    assert enrolment.take(ButtonPressed(0, "draw")) is None
    enrolment.back()
    assert enrolment.asked == Card(face("r5"), 2) and registry.tag(uid(1)) is None
