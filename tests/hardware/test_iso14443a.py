"""The tag protocol over the real driver on the simulated chip, and over replies from a script."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.ports import Answer, Collision, Noise, Reply, Silence
from hardware.simulated import MifareClassic1K, Ntag213, Phone, SimulatedPad, SimulatedTag
from hardware.simulated.tags import State
from hardware.tags import iso14443a
from hardware.tags.iso14443a import Tag, crc_a, with_crc

UID = bytes.fromhex("04112233445566")
READY_US = 5_000


class Script:
    """A transceiver that answers from a list."""

    chip_note = ""

    def __init__(self, replies: Sequence[Reply]) -> None:
        self.replies = list(replies)
        self.sent: list[bytes] = []

    def start(self) -> None: ...

    def check(self) -> None: ...

    def close(self) -> None: ...

    def exchange(self, frame: bytes, *, last_bits: int = 0, answer_bytes: int, timeout_us: int) -> Reply:
        self.sent.append(frame)
        return self.replies.pop(0)

    def send(self, frame: bytes) -> None:
        self.sent.append(frame)


@pytest.fixture
def pad() -> SimulatedPad:
    pad = SimulatedPad()
    pad.driver.start()
    return pad


def lay(pad: SimulatedPad, *tags: SimulatedTag) -> None:
    for tag in tags:
        pad.place(tag)
    pad.clock.wait_us(READY_US)


# Known answers: ISO/IEC 14443-3 annex B gives the first two; the rest are frames seen on real air.
@pytest.mark.parametrize(
    ("data", "expected"),
    [("0000", "a01e"), ("1234", "26cf"), ("5000", "57cd"), ("3000", "02a8"), ("6003", "6e49")],
)
def test_crc_a_gives_known_values(data: str, expected: str) -> None:
    assert crc_a(bytes.fromhex(data)).hex() == expected


@given(st.binary(min_size=1, max_size=60), st.integers(min_value=0))
def test_crc_a_sees_every_single_flipped_bit(data: bytes, bit: int) -> None:
    frame = bytearray(with_crc(data))
    bit %= len(frame) * 8
    frame[bit // 8] ^= 1 << bit % 8
    assert crc_a(bytes(frame[:-2])) != frame[-2:]


@pytest.mark.parametrize("size", [4, 7, 10])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_uid_of_every_size_is_read_whole(size: int, data: st.DataObject) -> None:
    uid = data.draw(st.binary(min_size=size, max_size=size))
    if size > 4 and uid[:1] == b"\x88":
        return  # no maker has the cascade tag for its code
    pad = SimulatedPad()
    pad.driver.start()
    lay(pad, SimulatedTag(uid, atqa=b"\x44\x00", sak=0x18))
    assert iso14443a.identify(pad.driver) == Tag(uid, b"\x44\x00", 0x18)


def test_a_single_size_uid_may_begin_with_the_cascade_tag(pad: SimulatedPad) -> None:
    lay(pad, MifareClassic1K(b"\x88\x01\x02\x03"))
    found = iso14443a.identify(pad.driver)
    assert isinstance(found, Tag)
    assert (found.uid, found.is_classic) == (b"\x88\x01\x02\x03", True)


def test_an_empty_field_is_silence(pad: SimulatedPad) -> None:
    assert iso14443a.identify(pad.driver) == Silence()


@pytest.mark.parametrize("bit", range(56))
def test_two_stickers_collide_whichever_bit_differs(pad: SimulatedPad, bit: int) -> None:
    other = (int.from_bytes(UID, "little") ^ 1 << bit).to_bytes(7, "little")
    if bit < 8 and other[0] == 0x88:
        pytest.skip("no maker has the cascade tag for its code")
    lay(pad, Ntag213(UID), Ntag213(other))
    found = iso14443a.identify(pad.driver)
    assert isinstance(found, Collision)
    # Level 1 carries 88h and three bytes, level 2 the other four.
    assert found.bit == (bit + 8 if bit < 24 else bit - 24)


def test_tags_of_different_kinds_collide(pad: SimulatedPad) -> None:
    lay(pad, Ntag213(UID), MifareClassic1K(b"\x01\x02\x03\x04"))
    assert isinstance(iso14443a.identify(pad.driver), Collision)


def test_a_resting_tag_is_found_at_every_look(pad: SimulatedPad) -> None:
    tag = Ntag213(UID)
    lay(pad, tag)
    for _ in range(1000):
        assert isinstance(iso14443a.identify(pad.driver), Tag)
        assert tag.state is State.HALT


def test_a_request_leaves_a_resting_tag_alone_and_finds_a_new_one(pad: SimulatedPad) -> None:
    lay(pad, Ntag213(UID))
    iso14443a.identify(pad.driver)
    assert iso14443a.wake(pad.driver, halted_too=False) == Silence()
    other = Ntag213(UID[:-1] + b"\x99")
    lay(pad, other)
    found = iso14443a.activate(pad.driver, halted_too=False)
    assert isinstance(found, Tag)
    assert found.uid == other.uid


def test_after_a_collision_the_tag_that_stays_is_found_at_once(pad: SimulatedPad) -> None:
    first, second = Ntag213(UID), Ntag213(UID[:-1] + b"\x99")
    lay(pad, first, second)
    iso14443a.identify(pad.driver)
    pad.lift(first)
    assert iso14443a.identify(pad.driver) == Tag(second.uid, b"\x44\x00", 0)


def test_a_phone_is_known_by_its_random_uid_and_its_sak(pad: SimulatedPad) -> None:
    phone = Phone(seed=3)
    lay(pad, phone)
    first = iso14443a.identify(pad.driver)
    pad.lift(phone)
    lay(pad, phone)
    second = iso14443a.identify(pad.driver)
    assert isinstance(first, Tag)
    assert isinstance(second, Tag)
    assert first.uid != second.uid
    assert first.has_random_uid
    assert first.is_smart_card
    assert not first.is_type2


ATQA = Answer(b"\x44\x00")
PART = bytes((0x88, 0x04, 0x11, 0x22, 0x88 ^ 0x04 ^ 0x11 ^ 0x22))
LAST = bytes((0x33, 0x44, 0x55, 0x66, 0x33 ^ 0x44 ^ 0x55 ^ 0x66))
MORE, DONE = Answer(with_crc(b"\x04")), Answer(with_crc(b"\x00"))


def test_the_script_of_a_good_read() -> None:
    script = Script([ATQA, Answer(PART), MORE, Answer(LAST), DONE])
    assert iso14443a.identify(script) == Tag(UID, b"\x44\x00", 0)
    assert script.sent[-1] == iso14443a.HALT_FRAME


@pytest.mark.parametrize(
    "replies",
    [
        [Noise("x")],
        [Answer(b"\x44")],
        [Answer(b"\x44\x00", last_bits=3)],
        [ATQA, Silence()],
        [ATQA, Answer(PART[:4])],
        [ATQA, Answer(PART[:4] + b"\x00")],
        [ATQA, Answer(PART, last_bits=1)],
        [ATQA, Answer(PART), Silence()],
        [ATQA, Answer(PART), Answer(b"\x04\x00\x00")],
        [ATQA, Answer(PART), Answer(b"\x04")],
        [ATQA, Answer(PART), Collision(3)],
        [ATQA, Answer(LAST), MORE],
        [ATQA, Answer(PART), MORE, Silence()],
        [ATQA, Answer(PART), MORE, Answer(PART), MORE, Answer(PART), MORE],
    ],
    ids=lambda replies: f"{len(replies)} replies",
)
def test_every_damaged_read_is_noise_and_ends_in_a_halt(replies: list[Reply]) -> None:
    script = Script(replies)
    assert isinstance(iso14443a.identify(script), Noise)
    assert script.replies == []
    assert script.sent[-1] == iso14443a.HALT_FRAME


def test_a_collision_in_the_uid_names_no_tag() -> None:
    assert iso14443a.identify(Script([Collision(3), Collision(17)])) == Collision(17)
