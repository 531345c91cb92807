"""The self-healing reader on the simulated chip: presence in a rough field, outages, clones, talk."""

from __future__ import annotations

import random

import pytest

from hardware.ports import TagGoneError, TagRefusedError, Transceiver
from hardware.rc522 import registers as reg
from hardware.signals import (
    CardLabel,
    DeviceBack,
    DeviceLost,
    DeviceNote,
    ReaderDisturbed,
    SeveralTags,
    Signal,
    TagPlaced,
    TagRemoved,
)
from hardware.simulated import MifareClassic1K, Ntag213, Phone, SimulatedPad
from hardware.simulated.faults import AirFaults, Flicker
from hardware.simulated.field import Reception
from hardware.tags.iso14443a import Tag
from hardware.tags.type2 import read_label, write_label

UID = bytes.fromhex("04112233445566")
OTHER = bytes.fromhex("04112233445599")
PERIOD_MS = 50


class Table:
    """A pad that is polled at its pace."""

    def __init__(self, version: int = 0x92) -> None:
        self.pad = SimulatedPad(version=version)
        self.now_ms = 0

    def polls(self, times: int) -> list[Signal]:
        signals: list[Signal] = []
        for _ in range(times):
            self.now_ms += PERIOD_MS
            signals += self.pad.poll(self.now_ms)
        return signals

    def lay(self, uid: bytes = UID) -> Ntag213:
        tag = Ntag213(uid)
        self.pad.place(tag)
        return tag


def kinds(signals: list[Signal]) -> list[type[Signal]]:
    return [type(signal) for signal in signals]


@pytest.fixture
def table() -> Table:
    table = Table()
    assert table.polls(3) == []
    return table


def test_a_card_is_placed_once_and_removed_once(table: Table) -> None:
    tag = table.lay()
    signals = table.polls(200)
    assert signals == [TagPlaced(signals[0].at_ms, "pad", UID)]
    assert table.pad.present == Tag(UID, b"\x44\x00", 0)
    table.pad.lift(tag)
    assert kinds(table.polls(10)) == [TagRemoved]
    assert table.pad.present is None


def test_a_card_that_was_removed_counts_again(table: Table) -> None:
    for _ in range(5):
        tag = table.lay()
        assert kinds(table.polls(3)) == [TagPlaced]
        table.pad.lift(tag)
        assert kinds(table.polls(8)) == [TagRemoved]


def test_a_poll_before_its_time_does_nothing(table: Table) -> None:
    table.lay()
    before = table.pad.spi.transfers
    assert table.pad.poll(table.now_ms + PERIOD_MS - 1) == ()
    assert table.pad.spi.transfers == before


def test_polls_that_were_missed_are_not_made_up_for(table: Table) -> None:
    table.now_ms += 60_000
    table.pad.poll(table.now_ms)
    before = table.pad.spi.transfers
    assert table.pad.next_poll_ms > table.now_ms - PERIOD_MS
    table.pad.poll(table.now_ms)
    table.pad.poll(table.now_ms)
    assert table.pad.spi.transfers - before <= 8


@pytest.mark.parametrize("every", [2, 3, 7])
def test_a_card_that_flickers_is_placed_once_and_never_removed(table: Table, every: int) -> None:
    table.pad.field.disturb = Flicker(every)
    table.lay()
    assert kinds(table.polls(400)) == [TagPlaced]


@pytest.mark.parametrize("frames", range(1, 14))
def test_a_card_that_leaves_in_the_middle_of_a_look_is_never_misread(table: Table, frames: int) -> None:
    tag = table.lay()
    table.pad.clock.wait_us(5_000)
    table.pad.field.lift(tag, after_frames=frames)
    signals = table.polls(12)
    assert kinds(signals) in ([], [TagPlaced, TagRemoved])
    assert all(signal.uid == UID for signal in signals if isinstance(signal, TagPlaced))


def test_two_cards_are_several_and_nothing_else(table: Table) -> None:
    table.lay()
    table.lay(OTHER)
    assert kinds(table.polls(100)) == [SeveralTags]
    assert table.pad.present is None


def test_a_second_card_beside_a_resting_one_is_several(table: Table) -> None:
    table.lay()
    table.polls(5)
    other = table.lay(OTHER)
    assert kinds(table.polls(20)) == [SeveralTags]
    table.pad.lift(other)
    assert table.polls(20) == []


def test_of_two_cards_the_one_that_stays_counts(table: Table) -> None:
    first = table.lay()
    table.lay(OTHER)
    table.polls(5)
    table.pad.lift(first)
    signals = table.polls(10)
    assert kinds(signals) == [TagPlaced]
    assert table.pad.present is not None
    assert table.pad.present.uid == OTHER


def test_classics_and_phones_are_told_by_what_they_are(table: Table) -> None:
    classic = MifareClassic1K(b"\x12\x34\x56\x78")
    table.pad.place(classic)
    assert kinds(table.polls(3)) == [TagPlaced]
    assert table.pad.present is not None
    assert table.pad.present.is_classic
    table.pad.lift(classic)
    table.polls(10)
    table.pad.place(Phone(seed=1))
    assert kinds(table.polls(3)) == [TagPlaced]
    assert table.pad.present.has_random_uid


def test_lasting_noise_is_told_after_a_second_and_a_half(table: Table) -> None:
    table.pad.field.disturb = lambda _frame, _reception: Reception(b"\x44\x00", 16, 91_150, parity_wrong=True)
    began_ms = table.now_ms
    signals = table.polls(60)
    assert kinds(signals) == [ReaderDisturbed]
    assert 1_500 <= signals[0].at_ms - began_ms <= 1_600


def test_a_new_card_needs_two_equal_reads(table: Table) -> None:
    """Every read sees another UID, as if damage had slipped through check byte and SELECT alike."""
    seeds = iter(range(1_000))

    def exchange_tag(frame: bytes, reception: Reception | None) -> Reception | None:
        if frame != b"\x52":
            return reception
        table.pad.field.clear()
        phone = Phone(seed=next(seeds))
        phone.start_up_ns = 0
        table.pad.place(phone)
        answer = phone.receive(frame, 7, encrypted=False)
        assert answer is not None
        return Reception(answer[0], answer[1], 91_150)

    table.pad.field.disturb = exchange_tag
    assert table.polls(10) == []
    assert next(seeds) >= 30, "three reads a look"


def test_rough_air_never_invents_a_card(table: Table) -> None:
    table.pad.field.disturb = AirFaults(random.Random(5), invented=0.5)
    assert set(kinds(table.polls(2_000))) <= {ReaderDisturbed}


BLOWS = {
    "brown-out": lambda pad: pad.chip.brown_out(),
    "stuck crypto": lambda pad: pad.chip.stick_crypto(),
    "antenna off": lambda pad: pad.chip.turn_antenna_off(),
    "overheated": lambda pad: pad.chip.overheat(),
    "no timer setting": lambda pad: pad.chip.registers.__setitem__(reg.TIMER_MODE, 0),
    "no modulation": lambda pad: pad.chip.registers.__setitem__(reg.TX_ASK, 0),
    "deaf receiver": lambda pad: pad.chip.registers.__setitem__(reg.RX_SELECT, 0xBF),
}


@pytest.mark.parametrize("blow", BLOWS)
def test_a_blow_is_mended_at_once_and_a_resting_card_stays_placed(table: Table, blow: str) -> None:
    table.lay()
    table.polls(5)
    BLOWS[blow](table.pad)
    signals = table.polls(30)
    assert kinds(signals) == [DeviceLost, DeviceBack]
    assert signals[1].at_ms - signals[0].at_ms <= PERIOD_MS


@pytest.mark.parametrize("blow", BLOWS)
def test_a_blow_on_an_empty_field_is_mended_within_two_seconds(table: Table, blow: str) -> None:
    BLOWS[blow](table.pad)
    began_ms = table.now_ms
    signals = table.polls(50)
    assert kinds(signals) == [DeviceLost, DeviceBack]
    assert signals[1].at_ms - began_ms <= 2_000


@pytest.mark.parametrize("polls", range(1, 200, 9))
def test_an_unplugged_reader_is_lost_once_and_back_within_two_seconds(table: Table, polls: int) -> None:
    """Whenever it is plugged in again, also right after a try."""
    table.pad.unplug()
    signals = table.polls(polls)
    assert kinds(signals) == [DeviceLost]
    assert isinstance(signals[0], DeviceLost)
    assert "check the SDA (chip select) and MISO wires" in signals[0].reason
    table.pad.plug_in()
    began_ms = table.now_ms
    signals = table.polls(50)
    assert kinds(signals) == [DeviceBack]
    assert signals[0].at_ms - began_ms <= 2_000


def test_a_card_taken_away_while_the_reader_was_out_is_removed_after_it_is_back(table: Table) -> None:
    tag = table.lay()
    table.polls(5)
    table.pad.unplug()
    table.polls(50)
    table.pad.lift(tag)
    table.pad.plug_in()
    assert kinds(table.polls(50)) == [DeviceBack, TagRemoved]


def test_a_card_exchanged_while_the_reader_was_out_is_told_as_such(table: Table) -> None:
    tag = table.lay()
    table.polls(5)
    table.pad.unplug()
    table.polls(50)
    table.pad.lift(tag)
    table.lay(OTHER)
    table.pad.plug_in()
    assert kinds(table.polls(50)) == [DeviceBack, TagRemoved, TagPlaced]


def test_a_lost_reader_is_asked_less_and_less_often(table: Table) -> None:
    table.pad.unplug()
    table.polls(200)
    before = table.pad.spi.transfers
    table.polls(200)
    assert table.pad.spi.transfers - before <= 10 * 6


def test_a_reader_that_is_not_there_at_first_is_lost_and_then_back() -> None:
    table = Table()
    table.pad.unplug()
    assert kinds(table.polls(20)) == [DeviceLost]
    table.pad.plug_in()
    assert kinds(table.polls(50)) == [DeviceBack]


@pytest.mark.parametrize("version", [0x12, 0x88, 0x89, 0xB2])
def test_a_clone_is_noted_once_and_works(version: int) -> None:
    table = Table(version)
    table.lay()
    assert kinds(table.polls(20)) == [DeviceNote, TagPlaced]
    table.pad.chip.brown_out()
    assert kinds(table.polls(20)) == [DeviceLost, DeviceBack]


def test_a_conversation_reaches_the_card_and_leaves_presence_alone(table: Table) -> None:
    table.lay()
    table.polls(3)
    assert table.pad.talk(lambda _radio, tag: tag.uid) == UID
    assert table.polls(20) == []


def test_a_conversation_with_nobody_is_silence(table: Table) -> None:
    with pytest.raises(TagGoneError, match="No card can be read"):
        table.pad.talk(lambda _radio, tag: tag.uid)


def test_a_conversation_with_several_is_refused(table: Table) -> None:
    table.lay()
    table.lay(OTHER)
    table.polls(3)
    with pytest.raises(TagRefusedError, match="Several"):
        table.pad.talk(lambda _radio, tag: tag.uid)


def test_a_label_is_written_and_read_through_the_reader(table: Table) -> None:
    label = CardLabel("wd4", "family")
    table.lay()
    table.polls(3)
    table.pad.talk(lambda radio, tag: write_label(radio, tag, label))
    assert table.pad.talk(read_label) == label
    assert table.polls(20) == []


def test_a_conversation_that_fails_leaves_the_card_readable(table: Table) -> None:
    table.lay()
    table.polls(3)

    def fail(_radio: Transceiver, _tag: Tag) -> None:
        raise RuntimeError("the caller's own fault")

    with pytest.raises(RuntimeError):
        table.pad.talk(fail)
    assert table.polls(20) == []


def test_a_conversation_in_noise_says_so(table: Table) -> None:
    table.pad.field.disturb = lambda _frame, _reception: Reception(b"\x44", 8, 91_150, start_wrong=True)
    with pytest.raises(TagGoneError):
        table.pad.talk(lambda _radio, tag: tag.uid)
