"""One card after the other gets its tag; what is laid by mistake changes nothing without being asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.signals import ButtonPressed, DeviceBack, DeviceLost, SeveralTags, TagPlaced
from table_app.rules import DECKS, Card, face
from table_app.tags.enrolling import Enrolled, Enrolment, Outcome
from table_app.tags.registry import Registry
from tests.table.rig import uid

DECK = DECKS["classic"]


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    opened = Registry(tmp_path / "tags.sqlite")
    yield opened
    opened.close()


def tap(enrolment: Enrolment, number: int, sak: int | None = 0) -> Enrolled:
    answer = enrolment.take(TagPlaced(0, "pad", uid(number), sak))
    assert answer is not None
    return answer


def test_it_asks_in_a_fixed_order_counts_and_names_what_is_missing(registry: Registry) -> None:
    enrolment = Enrolment(registry, DECK)
    asked = []
    for number in range(4):
        assert enrolment.asked is not None
        asked.append(enrolment.asked.code)
        assert tap(enrolment, number).outcome is Outcome.ENROLLED
    assert asked == ["r0#1", "r1#1", "r1#2", "r2#1"]
    assert (enrolment.tags, enrolment.left, len(enrolment.missing())) == (4, 104, 104)


def test_it_goes_on_another_day_where_it_stopped(registry: Registry) -> None:
    first = Enrolment(registry, DECK)
    tap(first, 1)
    first.skip()
    tap(first, 2)
    again = Enrolment(registry, DECK)
    assert again.asked == Card(face("r1"), 1), "what was left out comes again"
    assert again.left == 106


def test_a_tag_that_is_used_says_for_which_card_and_moves_only_when_told(registry: Registry) -> None:
    enrolment = Enrolment(registry, DECK)
    tap(enrolment, 1)
    answer = tap(enrolment, 1)
    assert answer.outcome is Outcome.ASKED and "is the red 0 already." in answer.text
    assert "the two have one number" in answer.text and answer.text.endswith("Move it to the red 1 (1 of 2)?")
    stays = enrolment.answer(False)
    assert stays is not None and stays.outcome is Outcome.TOLD
    assert registry.cards(DECK) == {uid(1): Card(face("r0"), 1)}
    tap(enrolment, 1)
    moved = enrolment.answer(True)
    assert moved is not None and moved.outcome is Outcome.ENROLLED
    assert registry.cards(DECK) == {uid(1): Card(face("r1"), 1)}
    assert enrolment.answer(True) is None, "an offer is answered once"


def test_another_tag_in_place_of_an_answer_withdraws_the_offer(registry: Registry) -> None:
    enrolment = Enrolment(registry, DECK)
    tap(enrolment, 1)
    tap(enrolment, 1)
    assert tap(enrolment, 2).outcome is Outcome.ENROLLED
    assert enrolment.answer(True) is None
    assert registry.cards(DECK) == {uid(1): Card(face("r0"), 1), uid(2): Card(face("r1"), 1)}


def test_a_tag_of_another_deck_or_pack_is_named_with_it(registry: Registry) -> None:
    registry.enrol(uid(1), DECKS["h2o"], "wrain1", 1)
    registry.enrol(uid(2), DECK, "r5", 1, "blue")
    enrolment = Enrolment(registry, DECK)
    assert "wrain1#1 of the deck h2o already" in tap(enrolment, 1).text
    assert "r5#1 of the deck classic, pack blue already" in tap(enrolment, 2).text
    enrolment.answer(True)
    assert registry.tags("classic", "blue") == []


def test_back_asks_again_and_the_card_keeps_its_tag_until_another_is_laid(registry: Registry) -> None:
    enrolment = Enrolment(registry, DECK)
    tap(enrolment, 1)
    enrolment.back()
    enrolment.back()
    assert enrolment.asked == Card(face("r0"), 1) and enrolment.tags == 1
    assert tap(enrolment, 1).outcome is Outcome.ENROLLED, "the same tag is no mistake"
    enrolment.back()
    assert tap(enrolment, 2).outcome is Outcome.ENROLLED
    assert registry.cards(DECK) == {uid(2): Card(face("r0"), 1)}


@pytest.mark.parametrize(
    ("number", "sak", "said"),
    [
        (uid(1), 0x20, "bank card"),  # ISO/IEC 14443-4
        (uid(1), 0x28, "bank card"),  # a Classic in a smart card
        (bytes.fromhex("08123456"), 0x00, "another number each time"),
        (bytes.fromhex("08123456"), None, "another number each time"),
    ],
)
def test_bank_cards_and_phones_are_refused(registry: Registry, number: bytes, sak: int | None, said: str) -> None:
    enrolment = Enrolment(registry, DECK)
    answer = enrolment.take(TagPlaced(0, "pad", number, sak))
    assert answer is not None and answer.outcome is Outcome.REFUSED and said in answer.text
    assert enrolment.tags == 0 and enrolment.asked == Card(face("r0"), 1)


def test_a_mifare_classic_card_is_known_by_its_number(registry: Registry) -> None:
    enrolment = Enrolment(registry, DECK)
    answer = enrolment.take(TagPlaced(0, "pad", bytes.fromhex("9A123456"), 0x08))
    assert answer is not None and answer.outcome is Outcome.ENROLLED


def test_only_asks_for_the_cards_named_also_where_they_have_tags(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "w", 3)
    enrolment = Enrolment(registry, DECK, only=("W#3", "g0"))
    assert [enrolment.left, enrolment.asked] == [2, Card(face("g0"), 1)]
    enrolment.skip()
    tap(enrolment, 2)
    assert registry.cards(DECK) == {uid(2): Card(face("w"), 3)}
    for wrong in ("zz", "wrain1", "r5#3", "r5#x"):
        with pytest.raises(ValueError, match=r".+"):
            Enrolment(registry, DECK, only=(wrong,))


def test_what_the_reader_says_is_told_and_presses_are_not_its_business(registry: Registry) -> None:
    enrolment = Enrolment(registry, DECK)
    said = [
        enrolment.take(SeveralTags(0, "pad")),
        enrolment.take(DeviceLost(0, "pad", "The reader is gone.")),
        enrolment.take(DeviceBack(0, "pad")),
        enrolment.take(ButtonPressed(0, "draw")),
    ]
    assert [answer and answer.outcome for answer in said] == [Outcome.REFUSED, Outcome.REFUSED, Outcome.TOLD, None]
