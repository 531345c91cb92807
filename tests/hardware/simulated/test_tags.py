"""The simulated tags against their data sheets, frame by frame."""

from __future__ import annotations

from typing import TypeVar

import pytest

from hardware.simulated import FudanClone, MifareClassic1K, Ntag213, Ntag215, Ntag216, Phone, SimulatedTag
from hardware.simulated.tags import WRITE_NS, State, Type2Tag
from hardware.tags.iso14443a import SELECT_CODES, with_crc

UID = bytes.fromhex("04112233445566")
ACK = (b"\x0a", 4)
NAK_ADDRESS = (b"\x00", 4)
NAK_CHECK_SUM = (b"\x01", 4)
NAK_AUTHENTICATION = (b"\x04", 4)

Kind = TypeVar("Kind", bound=SimulatedTag)


def send(tag: SimulatedTag, frame: bytes, bits: int | None = None) -> tuple[bytes, int] | None:
    answer = tag.receive(frame, len(frame) * 8 if bits is None else bits, encrypted=False)
    return None if answer is None else (answer[0], answer[1])


def command(tag: SimulatedTag, body: bytes) -> tuple[bytes, int] | None:
    return send(tag, with_crc(body))


def data(tag: SimulatedTag, body: bytes) -> bytes:
    answer = command(tag, body)
    assert answer is not None
    assert answer[1] == len(answer[0]) * 8
    assert with_crc(answer[0][:-2]) == answer[0]
    return answer[0][:-2]


def selected(tag: Kind) -> Kind:
    assert send(tag, b"\x52", 7) is not None
    for code in SELECT_CODES[: len(tag.uid) // 3]:
        part = send(tag, bytes((code, 0x20)))
        assert part is not None
        assert command(tag, bytes((code, 0x70)) + part[0]) is not None
        if tag.state is State.ACTIVE:
            break
    assert tag.state is State.ACTIVE
    return tag


def test_a_request_wakes_an_idle_tag_and_not_a_halted_one() -> None:
    tag = selected(Ntag213(UID))
    assert command(tag, b"\x50\x00") is None
    assert tag.state is State.HALT
    assert send(tag, b"\x26", 7) is None
    assert send(tag, b"\x52", 7) == (b"\x44\x00", 16)


def test_a_request_in_the_middle_of_a_selection_sends_the_tag_back() -> None:
    tag = Ntag213(UID)
    send(tag, b"\x26", 7)
    assert send(tag, b"\x26", 7) is None
    assert tag.state is State.IDLE
    assert send(tag, b"\x26", 7) is not None


def test_a_tag_that_came_out_of_halt_falls_back_into_it() -> None:
    tag = selected(Ntag213(UID))
    command(tag, b"\x50\x00")
    send(tag, b"\x52", 7)
    send(tag, b"\x93\x20\x00")
    assert tag.state.name == "HALT"
    tag.lose_power()
    assert tag.state.name == "IDLE"


@pytest.mark.parametrize(
    "frame",
    [b"\x95\x20", b"\x93\x30", b"\x93\x70" + bytes(7), b"\x93", b"\x93\x40\x88\x05", b"\x30\x04\x00\x00"],
)
def test_a_frame_that_does_not_match_is_answered_by_nobody(frame: bytes) -> None:
    tag = Ntag213(UID)
    send(tag, b"\x26", 7)
    assert send(tag, frame) is None
    assert tag.state is State.IDLE


def test_a_prefix_of_bits_is_answered_with_the_rest() -> None:
    tag = Ntag213(UID)
    send(tag, b"\x26", 7)
    # 88h and the low four bits of 04h are known: 28 bits remain of the 40.
    answer = send(tag, b"\x93\x34\x88\x04", 28)
    assert answer is not None
    assert answer[1] == 28
    part = bytes((0x88, 0x04, 0x11, 0x22, 0x88 ^ 0x04 ^ 0x11 ^ 0x22))
    assert int.from_bytes(answer[0], "little") == int.from_bytes(part, "little") >> 12


def test_a_read_of_page_zero_is_taken_while_the_tag_is_being_selected() -> None:
    tag = Ntag213(UID)
    send(tag, b"\x26", 7)
    assert data(tag, b"\x30\x00")[:3] == UID[:3]
    assert tag.state is State.ACTIVE


def test_a_read_gives_four_pages_and_rolls_over_at_the_end() -> None:
    tag = selected(Ntag213(UID))
    tag.memory[16:32] = bytes(range(16))
    assert data(tag, b"\x30\x04") == bytes(range(16))
    assert data(tag, b"\x30\x2b")[8:] == bytes(tag.memory[:8])
    assert command(tag, b"\x30\x2d") == NAK_ADDRESS
    assert tag.state is State.IDLE


def test_a_fast_read_gives_a_range_and_does_not_roll_over() -> None:
    tag = selected(Ntag213(UID))
    assert data(tag, b"\x3a\x00\x0b") == bytes(tag.memory[:48])
    assert command(tag, b"\x3a\x04\x2d") == NAK_ADDRESS
    assert command(selected(tag), b"\x3a\x05\x04") == NAK_ADDRESS


@pytest.mark.parametrize(
    ("make", "storage"), [(Ntag213, 0x0F), (Ntag215, 0x11), (Ntag216, 0x13)], ids=lambda value: str(value)
)
def test_versions_and_sizes_are_those_of_the_sheet(make: type[Type2Tag], storage: int) -> None:
    tag = selected(make(UID))
    assert data(tag, b"\x60") == bytes((0, 4, 4, 2, 1, 0, storage, 3))
    assert tag.memory[15 - 1] * 8 <= len(tag.user_pages) * 4
    assert tag.memory[3] == 0x88 ^ UID[0] ^ UID[1] ^ UID[2]
    assert tag.memory[8] == UID[3] ^ UID[4] ^ UID[5] ^ UID[6]
    assert len(data(tag, b"\x3c\x00")) == 32


def test_a_clone_refuses_version_and_signature() -> None:
    assert command(selected(FudanClone(UID)), b"\x60") == NAK_ADDRESS
    assert command(selected(FudanClone(UID)), b"\x3c\x00") == NAK_ADDRESS


def test_a_write_takes_its_time_and_keeps_four_bytes() -> None:
    tag = selected(Ntag213(UID))
    assert tag.receive(with_crc(b"\xa2\x05abcd"), 64, encrypted=False) == (b"\x0a", 4, WRITE_NS)
    assert data(tag, b"\x30\x05")[:4] == b"abcd"


def test_a_compatible_write_has_two_steps_and_keeps_four_of_sixteen_bytes() -> None:
    tag = selected(Ntag213(UID))
    before = bytes(tag.memory[24:28])
    assert command(tag, b"\xa0\x05") == ACK
    assert command(tag, b"abcd" + bytes(range(12))) == ACK
    assert bytes(tag.memory[20:28]) == b"abcd" + before
    assert command(tag, b"\xa0\x05") == ACK
    assert command(tag, b"abcd") == NAK_ADDRESS


def test_serial_number_and_lock_bits_can_t_be_undone() -> None:
    tag = selected(Ntag213(UID))
    assert command(tag, b"\xa2\x00abcd") == NAK_ADDRESS
    command(selected(tag), b"\xa2\x02\x00\x00\x20\x00")
    command(tag, b"\xa2\x02\x00\x00\x00\x00")
    assert tag.memory[10] == 0x20
    command(tag, b"\xa2\x03\x00\x00\x00\x0f")
    assert tag.memory[12:16] == bytes.fromhex("e110120f")
    assert command(tag, b"\xa2\x05abcd") == NAK_ADDRESS, "bit 5 locks page 5"
    assert command(selected(tag), b"\xa2\x06abcd") == ACK
    assert command(tag, b"\xa2\x2d\x00\x00\x00\x00") == NAK_ADDRESS


def test_a_password_protects_pages_from_its_first_one_on() -> None:
    tag = selected(Ntag213(UID))
    for page, value in ((0x2B, b"pass"), (0x2C, b"OK\x00\x00"), (0x29, b"\x04\x00\x00\x10")):
        assert command(tag, bytes((0xA2, page)) + value) == ACK
    assert data(tag, b"\x30\x2b")[:8] == bytes(8), "password and answer read as zero"
    assert command(tag, b"\xa2\x0fabcd") == ACK
    assert command(tag, b"\xa2\x10abcd") == NAK_ADDRESS
    assert command(selected(tag), b"\x1bnope") == NAK_AUTHENTICATION
    assert data(selected(tag), b"\x1bpass") == b"OK"
    assert command(tag, b"\xa2\x10abcd") == ACK
    tag.lose_power()
    assert command(selected(tag), b"\xa2\x10abcd") == NAK_ADDRESS


def test_damaged_and_unknown_commands_are_refused_and_end_the_selection() -> None:
    tag = selected(Ntag213(UID))
    assert send(tag, b"\x30\x04\x00\x00") == NAK_CHECK_SUM
    assert tag.state is State.IDLE
    assert command(selected(tag), b"\x77") == NAK_ADDRESS
    assert send(selected(tag), b"\x30\x04\x26", 20) == NAK_CHECK_SUM


def test_a_classic_without_a_session_refuses_everything() -> None:
    assert command(selected(MifareClassic1K(b"\x12\x34\x56\x78")), b"\x30\x00") == NAK_AUTHENTICATION


def test_a_classic_s_session_covers_its_sector_and_ends_with_power() -> None:
    card = selected(MifareClassic1K(b"\x12\x34\x56\x78", keys={1: b"sector"}))
    assert card.authenticate(0x60, 5, b"sector", card.uid)

    def secret(body: bytes) -> tuple[bytes, int, int] | None:
        return card.receive(with_crc(body), (len(body) + 2) * 8, encrypted=True)

    assert secret(b"\xa0\x05") == (b"\x0a", 4, 0)
    assert secret(bytes(range(16))) == (b"\x0a", 4, WRITE_NS)
    answer = secret(b"\x30\x05")
    assert answer is not None
    assert answer[0][:-2] == bytes(range(16))
    trailer = secret(b"\x30\x07")
    assert trailer is not None
    assert trailer[0][:6] == bytes(6), "key A reads as zero"
    assert secret(b"\xa0\x08") == (b"\x04", 4, 0)
    assert secret(b"\x30\x05") is None, "the refusal ended the session"


@pytest.mark.parametrize(
    ("block", "key", "uid"),
    [
        (5, b"\xff" * 6, b"\x12\x34\x56\x78"),
        (5, b"sector", b"\x00" * 4),
        (64, b"sector", b"\x12\x34\x56\x78"),
    ],
)
def test_a_classic_refuses_a_wrong_key_uid_or_block_in_silence(block: int, key: bytes, uid: bytes) -> None:
    card = selected(MifareClassic1K(b"\x12\x34\x56\x78", keys={1: b"sector"}))
    assert not card.authenticate(0x60, block, key, uid)
    assert card.state is State.IDLE


def test_an_authentication_makes_a_sticker_fall_back() -> None:
    tag = selected(Ntag213(UID))
    assert not tag.authenticate(0x60, 8, b"\xff" * 6, UID[:4])
    assert tag.state is State.IDLE


def test_a_phone_draws_a_new_uid_each_time_it_gets_power() -> None:
    phone = Phone(seed=5)
    uids = set()
    for _ in range(20):
        assert phone.uid[0] == 0x08
        uids.add(phone.uid)
        phone.lose_power()
    assert len(uids) == 20
    assert Phone(seed=5).uid in uids


@pytest.mark.parametrize(
    "make",
    [
        lambda: SimulatedTag(b"\x01\x02\x03", atqa=b"\x04\x00", sak=0),
        lambda: Ntag213(b"\x01\x02\x03\x04"),
        lambda: MifareClassic1K(UID),
    ],
)
def test_a_uid_of_a_wrong_length_is_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match="bytes"):
        make()
