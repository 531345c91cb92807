"""What a sticker is, told by one look, for every kind that people have brought; and what is said is what holds."""

from __future__ import annotations

import random

import pytest

from hardware.diagnosis.examining import examine
from hardware.ports import HardwareError
from hardware.signals import CardLabel
from hardware.simulated import (
    FudanClone,
    Ntag213,
    Ntag215,
    Ntag216,
    SimulatedPad,
    SimulatedTag,
    Ultralight,
    UltralightC,
)
from hardware.simulated.tags import Type2Tag
from hardware.tags.sticker import Condition, Sticker
from hardware.tags.type2 import read_label, write_label
from tests.hardware.stickers_to_lay import STICKERS, UID, changed, holding

LABEL = CardLabel("w+4#1", "classic")


def lay(tag: SimulatedTag) -> SimulatedPad:
    pad = SimulatedPad()
    pad.driver.start()
    pad.place(tag)
    pad.clock.wait_us(10_000)
    return pad


def look(tag: SimulatedTag, wanted: CardLabel = LABEL) -> Sticker:
    return lay(tag).talk(lambda transceiver, found: examine(transceiver, found, wanted))


@pytest.mark.parametrize("name", STICKERS)
def test_every_sticker_is_told_by_one_look_that_changes_nothing(name: str) -> None:
    make, condition = STICKERS[name]
    tag = make()
    before = bytes(getattr(tag, "memory", b""))
    found = look(tag)
    assert found.condition is condition
    assert found.sentence.endswith(".") and "{" not in found.sentence + found.mend
    assert bytes(getattr(tag, "memory", b"")) == before


@pytest.mark.parametrize("name", [name for name, (make, _) in STICKERS.items() if isinstance(make(), Type2Tag)])
def test_a_label_can_be_written_exactly_where_nothing_is_said_to_be_in_the_way(name: str) -> None:
    """Of its own accord the tag takes the label if there is no barrier, and does not keep it if there is one.

    Where a password keeps what stands there or what is locked from being read, nothing is begun that may not be ended.
    """
    tag = STICKERS[name][0]()
    assert isinstance(tag, Type2Tag)
    barrier = look(tag).barrier
    pad = lay(tag)
    try:
        pad.talk(lambda transceiver, found: write_label(transceiver, found, LABEL))
        is_written = pad.talk(read_label) == LABEL
    except HardwareError:
        is_written = False
    assert is_written if barrier is None else (not is_written or _hides(tag)), name


def _hides(tag: Type2Tag) -> bool:
    """True where a password keeps the user's pages, or what locks them, from being read."""
    return tag.is_reading_protected and tag.first_protected_page <= tag.user_pages.stop


@pytest.mark.parametrize("name", STICKERS)
def test_whatever_is_wrong_has_a_mend_and_the_number_is_enough_for_all_but_phones(name: str) -> None:
    found = look(STICKERS[name][0]())
    is_wrong = found.condition not in (Condition.BLANK, Condition.LABELLED)
    assert bool(found.mend) is is_wrong
    if is_wrong:
        assert ("number alone is enough" in found.mend) is found.can_be_card
    assert bool(found.barrier_text) is (found.barrier is not None)


def test_a_label_is_seen_also_where_it_is_locked() -> None:
    tag = Ntag213(UID)
    lay(tag).talk(lambda transceiver, found: write_label(transceiver, found, LABEL))
    assert (look(tag).condition, look(tag).label, look(tag).barrier) == (Condition.LABELLED, LABEL, None)
    tag.memory[10:12] = b"\xf0\xff"
    assert (look(tag).condition, look(tag).barrier) == (Condition.LABELLED, Condition.LOCKED)


def test_what_is_too_small_depends_on_the_label() -> None:
    tag = changed(Ultralight, (3, 0, bytes.fromhex("E1100600")))
    assert look(tag).condition is Condition.TOO_SMALL
    assert look(tag, CardLabel("r5", "own")).condition is Condition.BLANK


def test_what_stands_on_it_is_named_and_a_long_text_is_cut() -> None:
    assert look(STICKERS["a link"][0]()).contents == ("link: https://example.org",)
    text = b"\x02en" + b"x" * 90
    found = look(holding(bytes((0xD1, 1, len(text))) + b"T" + text))
    assert "text: xxx" in found.sentence and len(found.sentence) < 130


@pytest.mark.parametrize(
    ("name", "chip", "room"),
    [
        ("new NTAG213", "NTAG213", 144),
        ("new NTAG215", "NTAG215", 496),
        ("new NTAG216", "NTAG216", 872),
        ("new clone", "clone", 144),
        ("new Ultralight", "Ultralight", 0),
        ("new Ultralight C", "Ultralight C", 144),
        ("Classic 1K", "MIFARE Classic 1K", None),
    ],
)
def test_chips_are_named(name: str, chip: str, room: int | None) -> None:
    found = look(STICKERS[name][0]())
    assert chip in found.chip and found.message_bytes == room


def test_a_chip_that_claims_more_than_it_has_is_judged_by_what_it_has() -> None:
    """Sold as NTAG216, with the pages of an NTAG213 (Adafruit's NTAG203 were such, too)."""

    class Boaster(Ntag213):
        version = Ntag216.version
        capability = Ntag216.capability

    assert "sold as NTAG216" in look(Boaster(UID)).chip and look(Boaster(UID)).condition is Condition.BLANK
    wiped = Boaster(UID)
    wiped.memory[16 : 0x28 * 4] = bytes(144)
    found = look(wiped)
    behind = bytes(wiped.memory[0x28 * 4 :])
    lay(wiped).talk(lambda transceiver, tag: write_label(transceiver, tag, LABEL, found.pages_end))
    assert look(wiped).label == LABEL and bytes(wiped.memory[0x28 * 4 :]) == behind


@pytest.mark.parametrize("seed", range(150))
def test_whatever_a_memory_holds_one_look_tells_whether_a_label_is_kept_and_nothing_else_is_touched(seed: int) -> None:
    source = random.Random(seed)
    tag = _of_chance(source)
    found = look(tag)
    behind, head = bytes(tag.memory[tag.user_pages.stop * 4 :]), bytes(tag.memory[:16])
    pad = lay(tag)
    try:
        pad.talk(lambda transceiver, one: write_label(transceiver, one, LABEL, found.pages_end))
        is_kept = pad.talk(read_label) == LABEL
    except HardwareError:
        is_kept = False
    is_right = is_kept if found.barrier is None else (not is_kept or _hides(tag))
    assert is_right, f"SEED={seed}: {found}"
    assert (bytes(tag.memory[tag.user_pages.stop * 4 :]), bytes(tag.memory[:16])) == (behind, head), f"SEED={seed}"


def _of_chance(source: random.Random) -> Type2Tag:
    """A tag with locks, a capability, a password and contents of its own, each as likely as not as from the factory."""
    make = source.choice((Ntag213, Ntag215, Ntag216, FudanClone, UltralightC))
    tag = make(UID)

    def may(page: int, byte: int, data: bytes) -> None:
        if source.random() < 0.4:
            tag.memory[page * 4 + byte : page * 4 + byte + len(data)] = data

    end = tag.user_pages.stop
    may(2, 2, bytes((source.choice((0, 0x0F, 0x10, 0xF0)), 1 << source.randrange(8))))
    may(3, 0, bytes((source.choice((0xE1, 0xE1, 0xE1, 0, 0xF1)), 0x10, tag.capability, source.choice((0, 0, 0x0F)))))
    may(end, 0, bytes((1 << source.randrange(8), 0)))
    is_c = isinstance(tag, UltralightC)
    auth0 = source.choice((0, 4, 5, source.randrange(4, end), end, end + 2, 255))
    may(end + (2 if is_c else 1), 0 if is_c else 3, bytes((auth0,)))
    may(end + (3 if is_c else 2), 0, bytes((source.choice((0, 1) if is_c else (0, 0x80)),)))
    starts = (b"\x03", b"\x00\x00\x03", b"\x01\x03\xa0\x0c\x34\x03", b"\xfd\x02\x00\x00\x03", b"\xfe", b"", bytes(60))
    may(4, 0, source.choice(starts) + source.randbytes(source.randrange(1, 60)))
    return tag
