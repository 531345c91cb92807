"""What is read from and written to stickers, through the real driver, chip and tag state machines."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import TagGoneError, TagRefusedError
from hardware.signals import CardLabel
from hardware.simulated import FudanClone, MifareClassic1K, Ntag213, Ntag215, Ntag216, SimulatedPad
from hardware.simulated import tags as simulated
from hardware.simulated.faults import AirFaults
from hardware.tags import iso14443a
from hardware.tags.iso14443a import Tag
from hardware.tags.type2 import (
    LABEL_TYPE,
    MESSAGE_BYTES_MAX,
    Type2Tag,
    decode_label,
    describe_message,
    encode_label,
)

UID = bytes.fromhex("04112233445566")
LABEL = CardLabel("r7", "family deck")


@pytest.fixture
def pad() -> SimulatedPad:
    pad = SimulatedPad()
    pad.driver.start()
    return pad


def select(pad: SimulatedPad, sticker: simulated.SimulatedTag) -> Type2Tag:
    pad.place(sticker)
    pad.clock.wait_us(5_000)
    found = iso14443a.activate(pad.driver)
    assert isinstance(found, Tag)
    return Type2Tag(pad.driver, found)


def below_user_pages(sticker: simulated.Type2Tag) -> bytes:
    return bytes(sticker.memory[:16])


def test_a_clone_without_a_version_is_still_usable(pad: SimulatedPad) -> None:
    sticker = select(pad, FudanClone(UID))
    assert sticker.version() is None
    sticker.write_message(encode_label(LABEL))
    assert decode_label(sticker.read_message()) == LABEL


@pytest.mark.parametrize("make", [Ntag213, Ntag215, Ntag216])
def test_a_label_is_written_and_read_back_and_nothing_is_locked(
    pad: SimulatedPad, make: type[simulated.Type2Tag]
) -> None:
    sticker = make(UID)
    head = below_user_pages(sticker)
    tail = bytes(sticker.memory[sticker.user_pages.stop * 4 :])
    select(pad, sticker).write_message(encode_label(LABEL))
    assert below_user_pages(sticker) == head
    assert bytes(sticker.memory[sticker.user_pages.stop * 4 :]) == tail
    again = SimulatedPad()
    again.driver.start()
    sticker.lose_power()
    assert decode_label(select(again, sticker).read_message()) == LABEL


def test_a_factory_fresh_tag_holds_no_message(pad: SimulatedPad) -> None:
    assert select(pad, Ntag213(UID)).read_message() == b""


def test_what_stands_before_the_message_is_kept(pad: SimulatedPad) -> None:
    sticker = Ntag213(UID)
    select(pad, sticker).write_message(encode_label(LABEL))
    assert bytes(sticker.memory[16:21]) == bytes.fromhex("0103a00c34"), "the lock control block"


def test_a_label_can_be_written_over(pad: SimulatedPad) -> None:
    sticker = select(pad, Ntag213(UID))
    for label in (LABEL, CardLabel("wd4", "a deck with a much longer name"), CardLabel("b0", "x")):
        sticker.write_message(encode_label(label))
        assert decode_label(sticker.read_message()) == label


def test_writing_what_is_there_already_writes_nothing(pad: SimulatedPad) -> None:
    sticker = select(pad, Ntag213(UID))
    sticker.write_message(encode_label(LABEL))
    began_us = pad.clock.now_us()
    sticker.write_message(encode_label(LABEL))
    assert pad.clock.now_us() - began_us < 25_000, "not one page of 4 ms each, only reads"


def test_a_uid_and_four_pages_cost_at_most_forty_eight_transfers(pad: SimulatedPad) -> None:
    iso14443a.identify(pad.driver)
    pad.place(Ntag213(UID))
    pad.clock.wait_us(50_000)
    before = pad.spi.transfers
    found = iso14443a.activate(pad.driver)
    assert isinstance(found, Tag)
    Type2Tag(pad.driver, found).read(4)
    assert pad.spi.transfers - before <= 48


@pytest.mark.parametrize("frames", range(1, 40))
def test_a_tag_that_leaves_while_it_is_written_holds_the_old_label_none_or_the_new_one(
    pad: SimulatedPad, frames: int
) -> None:
    sticker = Ntag213(UID)
    old = CardLabel("y9", "the old deck with a long name")
    writer = select(pad, sticker)
    writer.write_message(encode_label(old))
    pad.field.lift(sticker, after_frames=frames)
    try:
        writer.write_message(encode_label(LABEL))
        finished = True
    except TagGoneError:
        finished = False
    pad.lift(sticker)
    held = select(pad, sticker).read_message()
    assert held == b"" or decode_label(held) in (old, LABEL)
    if finished:
        assert decode_label(held) == LABEL


def test_rough_air_does_not_spoil_a_written_label(pad: SimulatedPad) -> None:
    seed = 11
    sticker = Ntag213(UID)
    writer = select(pad, sticker)
    pad.field.disturb = AirFaults(random.Random(seed), silence=0.01, flip=0.01, cut=0.005)
    for number in range(30):
        label = CardLabel(f"r{number}", "rough")
        writer.write_message(encode_label(label))
        assert decode_label(writer.read_message()) == label, f"SEED={seed}"


def test_another_tag_laid_in_between_is_not_written(pad: SimulatedPad) -> None:
    sticker = Ntag213(UID)
    other = Ntag213(UID[:-1] + b"\x99")
    writer = select(pad, sticker)
    pad.lift(sticker)
    pad.place(other)
    pad.clock.wait_us(5_000)
    before = bytes(other.memory)
    with pytest.raises(TagGoneError):
        writer.write_message(encode_label(LABEL))
    assert bytes(other.memory) == before


def test_a_locked_tag_is_refused_before_anything_is_written(pad: SimulatedPad) -> None:
    sticker = Ntag213(UID)
    sticker.memory[15] = 0x0F
    with pytest.raises(TagRefusedError, match="protected against writing"):
        select(pad, sticker).write_message(encode_label(LABEL))


def test_single_locked_pages_and_a_password_are_sentences(pad: SimulatedPad) -> None:
    sticker = Ntag213(UID)
    sticker.memory[10] = 0xF0
    with pytest.raises(TagRefusedError, match="locked or protected"):
        select(pad, sticker).write_message(encode_label(LABEL))
    pad.lift(sticker)
    guarded = Ntag213(UID)
    guarded.memory[0x29 * 4 + 3] = 0x04
    with pytest.raises(TagRefusedError, match="locked or protected"):
        select(pad, guarded).write_message(encode_label(LABEL))


def test_a_tag_without_capability_container_is_a_sentence(pad: SimulatedPad) -> None:
    sticker = Ntag213(UID)
    sticker.memory[12:16] = bytes(4)
    tag = select(pad, sticker)
    with pytest.raises(TagRefusedError, match="isn't formatted"):
        tag.read_message()


def test_a_message_that_does_not_fit_is_refused_before_anything_is_written(pad: SimulatedPad) -> None:
    sticker = Ntag213(UID)
    tag = select(pad, sticker)
    before = bytes(sticker.memory)
    with pytest.raises(TagRefusedError, match="too small"):
        tag.write_message(bytes(150))
    with pytest.raises(ValueError, match="at most 254"):
        tag.write_message(bytes(MESSAGE_BYTES_MAX + 1))
    assert bytes(sticker.memory) == before


def test_a_message_that_fills_the_tag_to_the_last_byte_is_kept(pad: SimulatedPad) -> None:
    tag = select(pad, Ntag213(UID))
    message = bytes(range(144 - 5 - 2))
    tag.write_message(message)
    assert tag.read_message() == message


def test_a_tag_that_does_not_keep_what_is_written_is_found_out(pad: SimulatedPad) -> None:
    class WornOut(Ntag213):
        def _write(self, page: int, data: bytes) -> simulated.Burst:
            return b"\x0a", 4, simulated.WRITE_NS

    with pytest.raises(TagRefusedError, match="did not keep"):
        select(pad, WornOut(UID)).write_message(encode_label(LABEL))


def test_a_page_beyond_the_end_is_refused_and_the_tag_stays_usable(pad: SimulatedPad) -> None:
    tag = select(pad, Ntag213(UID))
    with pytest.raises(TagRefusedError, match="page 200"):
        tag.read(200)
    assert tag.read(0)[:3] == UID[:3]


def test_a_classic_is_left_alone(pad: SimulatedPad) -> None:
    card = MifareClassic1K(b"\x12\x34\x56\x78")
    before = bytes(card.memory)
    with pytest.raises(TagRefusedError, match="not an NTAG"):
        select(pad, card)
    assert bytes(card.memory) == before


def test_long_messages_of_others_are_read(pad: SimulatedPad) -> None:
    sticker = Ntag215(UID)
    sticker.memory[16:20] = bytes.fromhex("03ff012c")
    sticker.memory[20:320] = bytes(index % 251 for index in range(300))
    assert select(pad, sticker).read_message() == bytes(index % 251 for index in range(300))


def test_broken_block_lengths_end_the_search(pad: SimulatedPad) -> None:
    sticker = Ntag213(UID)
    sticker.memory[16:20] = bytes.fromhex("fdffffff")
    assert select(pad, sticker).read_message() == b""


codes = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=5)
names = st.text(min_size=1, max_size=20).filter(lambda text: text.strip() and text.isprintable())


@given(codes, names)
def test_labels_survive_encoding(code: str, deck: str) -> None:
    assert decode_label(encode_label(CardLabel(code, deck))) == CardLabel(code, deck)


@given(st.binary(max_size=80))
def test_any_bytes_are_read_without_an_exception(message: bytes) -> None:
    decode_label(message)
    describe_message(message)


@given(st.binary(max_size=30))
def test_any_payload_under_our_type_is_a_label_or_none(payload: bytes) -> None:
    kind = LABEL_TYPE.encode()
    message = bytes((0xD2, len(kind), len(payload))) + kind + payload
    label = decode_label(message)
    assert label is None or payload == f"1 {label.code} {label.deck}".encode()


def test_messages_of_others_are_described_for_people() -> None:
    link = bytes.fromhex("d1010c5504") + b"example.org"
    text = bytes.fromhex("d101055402") + b"enhi"
    assert describe_message(link) == ["link: https://example.org"]
    assert describe_message(text) == ["text: hi"]
    assert describe_message(b"") == []
    assert describe_message(b"\xff\xff\xff") == ["a message that can't be read"]
    assert describe_message(encode_label(LABEL)) == [f"{LABEL_TYPE}, {len('1 r7 family deck')} bytes"]


@pytest.mark.parametrize(("code", "deck"), [("", "x"), ("r 7", "x"), ("r7", ""), ("r7", "  "), ("r7", "a\nb")])
def test_labels_that_could_not_be_read_again_are_refused(code: str, deck: str) -> None:
    with pytest.raises(ValueError, match=r"no card's code|no deck's name"):
        CardLabel(code, deck)
