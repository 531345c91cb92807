"""The field: who lies there when, and how answers mix; and the bus on top of it."""

from __future__ import annotations

import pytest

from hardware.simulated import Ntag213, SimulatedPad, VirtualClock
from hardware.simulated.field import TAGS_MAX, Field
from hardware.simulated.spidev import TRANSFER_NS, SimulatedSpiDev

UID = bytes.fromhex("04112233445566")


def sticker(number: int) -> Ntag213:
    return Ntag213(b"\x04" + number.to_bytes(6, "big"))


@pytest.fixture
def field() -> Field:
    field = Field(VirtualClock())
    field.switch(True, 0)
    return field


def wake(field: Field) -> bool:
    return field.transmit(b"\x52", 7, field.clock.now_ns) is not None


def test_a_tag_lies_there_from_its_moment_to_its_end(field: Field) -> None:
    tag = sticker(1)
    field.place(tag, at_us=10_000, until_us=20_000)
    heard = {}
    for at_ms in (5, 12, 19, 21):
        field.clock.advance_to_ms(at_ms)
        tag.lose_power()
        heard[at_ms] = (wake(field), field.tags == (tag,))
    assert heard == {5: (False, False), 12: (True, True), 19: (True, True), 21: (False, False)}


def test_a_tag_needs_power_for_a_while_before_it_answers(field: Field) -> None:
    tag = sticker(1)
    field.place(tag)
    assert not wake(field)
    field.clock.wait_us(tag.start_up_ns // 1000)
    assert wake(field)


def test_a_tag_leaves_after_so_many_frames(field: Field) -> None:
    tag = sticker(1)
    field.place(tag)
    field.clock.wait_us(5_000)
    field.lift(tag, after_frames=2)
    answers = [wake(field) for _ in range(4)]
    assert answers == [True, False, False, False], "the second falls back in silence, the third is gone"
    assert field.tags == ()


def test_a_tag_can_t_lie_there_twice_and_the_field_has_an_end(field: Field) -> None:
    tag = sticker(0)
    field.place(tag)
    with pytest.raises(ValueError, match="lies in the field already"):
        field.place(tag)
    for number in range(1, TAGS_MAX):
        field.place(sticker(number))
    with pytest.raises(ValueError, match="32 tags"):
        field.place(sticker(99))
    field.clear()
    assert field.tags == ()
    field.lift(tag)
    field.place(tag)


def test_two_equal_tags_are_one_on_the_air(field: Field) -> None:
    for _ in range(2):
        field.place(Ntag213(UID))
    field.clock.wait_us(5_000)
    assert wake(field)
    reception = field.transmit(b"\x93\x20", 16, field.clock.now_ns)
    assert reception is not None
    assert reception.collision_bit == -1


def test_the_first_differing_bit_is_the_collision_and_ones_win(field: Field) -> None:
    for uid in (UID, UID[:2] + b"\x20" + UID[3:]):
        field.place(Ntag213(uid))
    field.clock.wait_us(5_000)
    wake(field)
    reception = field.transmit(b"\x93\x20", 16, field.clock.now_ns)
    assert reception is not None
    assert (reception.collision_bit, reception.data[3]) == (25, 0x22)


def test_answers_that_begin_apart_spoil_each_other_from_the_first_bit(field: Field) -> None:
    slow, quick = Ntag213(UID), Ntag213(UID)
    for tag in (slow, quick):
        field.place(tag)
    field.clock.wait_us(5_000)
    slow.receive = lambda *_args, **_options: (b"\x0a", 4, 4_000_000)  # type: ignore[method-assign]
    quick.receive = lambda *_args, **_options: (b"\x0a", 4, 0)  # type: ignore[method-assign]
    reception = field.transmit(b"\xa2", 8, field.clock.now_ns)
    assert reception is not None
    assert reception.collision_bit == 0


def test_a_transfer_costs_its_call_and_its_bits() -> None:
    pad = SimulatedPad(speed_hz=500_000)
    before_ns = pad.clock.now_ns
    pad.spi.xfer2([0x02, 0x00])
    assert pad.clock.now_ns - before_ns == TRANSFER_NS + 2 * 16_000
    assert (pad.spi.transfers, pad.spi.bytes_moved) == (1, 2)


def test_a_bus_behaves_like_spidev_when_nothing_is_open() -> None:
    spi = SimulatedSpiDev()
    with pytest.raises(FileNotFoundError):
        spi.open(0, 0)
    with pytest.raises(OSError, match="Bad file descriptor"):
        spi.xfer2([0x00])
    spi.close()


def test_a_clock_moves_forward_only() -> None:
    clock = VirtualClock(5)
    clock.advance_to_ms(3)
    clock.wait_us(-1)
    assert (clock.now_ms(), clock.now_us()) == (5, 5_000)
    clock.wait_us(1_500)
    assert clock.now_us() == 6_500
