"""MIFARE Classic cards against their data sheet (MF1S50yyX): keys, access conditions, trailers, values."""

from __future__ import annotations

import pytest

from hardware.simulated import MifareClassic1K
from hardware.simulated.classic import FACTORY_KEY
from hardware.simulated.tags import WRITE_NS, State
from hardware.tags.iso14443a import with_crc

UID = b"\x12\x34\x56\x78"
KEY_A, KEY_B = b"keys A", b"keys B"
ACK = (b"\x0a", 4, 0)
WRITTEN = (b"\x0a", 4, WRITE_NS)
REFUSED = (b"\x04", 4, 0)
A, B = 0x60, 0x61
VALUE_10 = bytes.fromhex("0a000000 f5ffffff 0a000000 08f708f7")


def access_bits(data: int, trailer: int) -> bytes:
    """Bytes 6 to 8 of a trailer (section 8.7.1), with the same C1 C2 C3 for the three data blocks."""
    first, second, third = (
        sum((block >> bit & 1) << place for place, block in enumerate((data, data, data, trailer))) for bit in (2, 1, 0)
    )
    return bytes(((second ^ 0xF) << 4 | first ^ 0xF, first << 4 | third ^ 0xF, third << 4 | second))


def card_with(data: int, trailer: int, block: bytes = bytes(16)) -> MifareClassic1K:
    card = MifareClassic1K(UID, keys={2: KEY_A}, keys_b={2: KEY_B})
    card.memory[11 * 16 + 6 : 11 * 16 + 9] = access_bits(data, trailer)
    card.memory[128:144] = block
    return card


def opened(card: MifareClassic1K, key_type: int, key: bytes | None = None) -> MifareClassic1K:
    card.lose_power()
    card.receive(b"\x26", 7, encrypted=False)
    card.receive(with_crc(b"\x93\x70" + UID + bytes((0x12 ^ 0x34 ^ 0x56 ^ 0x78,))), 72, encrypted=False)
    assert card.state is State.ACTIVE
    assert card.authenticate(key_type, 8, key or (KEY_A if key_type == A else KEY_B), UID)
    return card


def send(card: MifareClassic1K, body: bytes) -> tuple[bytes, int, int] | None:
    return card.receive(with_crc(body), (len(body) + 2) * 8, encrypted=True)


def may_read(card: MifareClassic1K, key_type: int, block: int = 8) -> bool:
    answer = send(opened(card, key_type), bytes((0x30, block)))
    assert answer is not None
    return answer[1] == 144


def may_begin(card: MifareClassic1K, key_type: int, command: int) -> bool:
    return send(opened(card, key_type), bytes((command, 8))) == ACK


# Table 8 of the sheet: who may read, write, increment, and decrement, transfer or restore.
@pytest.mark.parametrize(
    ("bits", "reads", "writes", "increments", "decrements"),
    [
        (0b000, "AB", "AB", "AB", "AB"),
        (0b010, "AB", "", "", ""),
        (0b100, "AB", "B", "", ""),
        (0b110, "AB", "B", "B", "AB"),
        (0b001, "AB", "", "", "AB"),
        (0b011, "B", "B", "", ""),
        (0b101, "B", "", "", ""),
        (0b111, "", "", "", ""),
    ],
)
def test_a_data_block_obeys_its_access_bits(
    bits: int, reads: str, writes: str, increments: str, decrements: str
) -> None:
    card = card_with(bits, 0b011, VALUE_10)
    for key_type, name in ((A, "A"), (B, "B")):
        assert may_read(card, key_type) == (name in reads)
        assert may_begin(card, key_type, 0xA0) == (name in writes)
        assert may_begin(card, key_type, 0xC1) == (name in increments)
        assert may_begin(card, key_type, 0xC0) == (name in decrements)
        assert may_begin(card, key_type, 0xC2) == (name in decrements)


# Table 7: what a write of the trailer changes, by either key.
@pytest.mark.parametrize(
    ("bits", "by_a", "by_b"),
    [
        (0b000, "A B", None),
        (0b010, None, None),
        (0b100, None, "A B"),
        (0b110, None, None),
        (0b001, "A access B", None),
        (0b011, None, "A access B"),
        (0b101, None, "access"),
        (0b111, None, None),
    ],
)
def test_a_trailer_obeys_its_own_access_bits(bits: int, by_a: str | None, by_b: str | None) -> None:
    new = b"new  A" + access_bits(0b100, 0b011) + b"\x42" + b"new  B"
    for key_type, changes in ((A, by_a), (B, by_b)):
        card = opened(card_with(0b000, bits), key_type)
        before = bytes(card.memory[176:192])
        if changes is None:
            assert send(card, b"\xa0\x0b") == REFUSED
            continue
        assert send(card, b"\xa0\x0b") == ACK
        assert send(card, new) == WRITTEN
        after = bytes(card.memory[176:192])
        assert after[:6] == (new if "A" in changes.split() else before)[:6]
        assert after[6:10] == (new if "access" in changes else before)[6:10]
        assert after[10:] == (new if "B" in changes.split() else before)[10:]


def test_a_new_key_opens_and_the_old_one_no_longer_does() -> None:
    card = opened(card_with(0b000, 0b011), B)
    send(card, b"\xa0\x0b")
    send(card, b"secret" + bytes(card.memory[182:186]) + KEY_B)
    opened(card, A, b"secret")
    card.lose_power()
    card.receive(b"\x26", 7, encrypted=False)
    card.receive(with_crc(b"\x93\x70" + UID + bytes((0x08,))), 72, encrypted=False)
    assert not card.authenticate(A, 8, KEY_A, UID)


def test_key_b_that_can_be_read_opens_nothing() -> None:
    """The grey lines of table 7: the authentication succeeds, and every access after it is refused."""
    card = card_with(0b000, 0b001)
    answer = send(opened(card, A), b"\x30\x0b")
    assert answer is not None
    assert answer[0][:16] == bytes(6) + bytes(card.memory[182:186]) + KEY_B
    assert not may_read(card, B)
    assert not may_begin(card, B, 0xA0)


def test_access_bits_that_contradict_their_inverse_block_the_sector() -> None:
    card = card_with(0b000, 0b001)
    card.memory[11 * 16 + 6] ^= 0x01
    assert not may_read(card, A)
    assert not may_read(card, A, 11)


def test_the_maker_s_block_is_never_written() -> None:
    card = MifareClassic1K(UID)
    card.receive(b"\x26", 7, encrypted=False)
    card.receive(with_crc(b"\x93\x70" + UID + bytes((0x08,))), 72, encrypted=False)
    assert card.authenticate(A, 0, FACTORY_KEY, UID)
    assert send(card, b"\xa0\x00") == REFUSED


@pytest.mark.parametrize(
    ("command", "operand", "result"),
    [
        (0xC0, 3, "07000000 f8ffffff 07000000 08f708f7"),
        (0xC0, 12, "feffffff 01000000 feffffff 08f708f7"),
        (0xC1, 3, "0d000000 f2ffffff 0d000000 08f708f7"),
        (0xC2, 3, "0a000000 f5ffffff 0a000000 08f708f7"),
    ],
)
def test_a_value_is_changed_in_the_card_s_buffer_and_stored_by_a_transfer(
    command: int, operand: int, result: str
) -> None:
    card = opened(card_with(0b110, 0b011, VALUE_10), A if command != 0xC1 else B)
    assert send(card, bytes((command, 8))) == ACK
    assert send(card, operand.to_bytes(4, "little")) is None, "a card that agrees says nothing"
    assert bytes(card.memory[128:144]) == VALUE_10, "not yet"
    assert send(card, b"\xb0\x09") == WRITTEN
    assert bytes(card.memory[144:160]) == bytes.fromhex(result)
    assert bytes(card.memory[128:144]) == VALUE_10, "and only there"


def test_what_is_no_value_block_is_not_counted() -> None:
    for damage in (0, 5, 9, 12, 15):
        block = bytearray(VALUE_10)
        block[damage] ^= 0x10
        assert not may_begin(card_with(0b000, 0b011, bytes(block)), A, 0xC0)


def test_a_value_does_not_run_over() -> None:
    most = bytes.fromhex("ffffff7f 00000080 ffffff7f 08f708f7")
    card = opened(card_with(0b110, 0b011, most), B)
    assert send(card, b"\xc1\x08") == ACK
    assert send(card, b"\x01\x00\x00\x00") == REFUSED


def test_a_transfer_without_a_value_is_refused_and_a_refusal_tells_of_a_value_that_waits() -> None:
    card = opened(card_with(0b000, 0b011, VALUE_10), A)
    assert send(card, b"\xb0\x08") == REFUSED
    opened(card, A)
    send(card, b"\xc0\x08")
    send(card, b"\x01\x00\x00\x00")
    assert send(card, b"\x77\x08") == (b"\x00", 4, 0)
    opened(card, A)
    send(card, b"\xc0\x08")
    send(card, b"\x01\x00\x00\x00")
    assert card.receive(b"\x30\x08\x00\x00", 32, encrypted=True) == (b"\x01", 4, 0)
    opened(card, A)
    assert card.receive(b"\x30\x08\x00\x00", 32, encrypted=True) == (b"\x05", 4, 0)


def test_an_authentication_out_of_a_session_must_come_encrypted() -> None:
    card = opened(card_with(0b000, 0b011), A)
    assert card.authenticate(B, 8, KEY_B, UID, encrypted=True)
    assert not opened(card, A).authenticate(B, 8, KEY_B, UID)
    assert send(card, b"\x30\x08") is None, "and the plain one ended the session"
