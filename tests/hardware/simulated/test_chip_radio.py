"""The simulated MFRC522 on the air, against its data sheet (rev. 3.9) and captures from real chips."""

from __future__ import annotations

import pytest

from hardware.rc522 import registers as reg
from hardware.simulated import MifareClassic1K, Ntag213
from hardware.simulated.field import Reception
from hardware.tags.iso14443a import with_crc
from tests.hardware.simulated.bench import Bench, authenticate, lay, select_classic

UID = bytes.fromhex("04112233445566")


# Values of ComIrqReg that people printed from real chips: 44h while waiting, 64h for an answer, 45h for none.
def test_the_interrupts_of_an_exchange_are_those_of_real_chips(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.begin(b"\x26", 0x07)
    ready.wait(150)
    assert ready.read(reg.COM_INTERRUPTS) == 0x44
    ready.wait(1_000)
    assert ready.read(reg.COM_INTERRUPTS) == 0x64
    assert ready.read(reg.CONTROL) == 0x10
    assert ready.read(reg.FIFO_LEVEL) == 2


def test_without_an_answer_the_timer_ends_the_wait(ready: Bench) -> None:
    ready.begin(b"\x26", 0x07)
    ready.wait(1_000)
    assert ready.read(reg.COM_INTERRUPTS) == 0x44
    assert ready.read(reg.STATUS_1) & 0x08, "the timer runs"
    assert ready.read(reg.TIMER_COUNTER_LOW) > 0
    ready.wait(150)
    assert ready.read(reg.COM_INTERRUPTS) == 0x45
    assert ready.read(reg.STATUS_2) & 0x07 == 5, "the chip goes on listening"
    assert ready.read(reg.TIMER_COUNTER_LOW) == 0


def test_an_answer_takes_its_air_time(ready: Bench) -> None:
    """REQA is 9 bit times, ATQA 20, and 86 µs lie between: 360 µs in all."""
    lay(ready, Ntag213(UID))
    ready.begin(b"\x26", 0x07)
    ready.wait(355)
    assert not ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_RX
    ready.wait(10)
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_RX


def test_the_modem_s_state_can_be_watched(ready: Bench) -> None:
    """Status2Reg, ModemState: waiting for StartSend, sending, deaf, waiting for data, receiving, and again."""
    lay(ready, Ntag213(UID))
    ready.write(reg.FIFO_DATA, 0x26)
    ready.write(reg.COMMAND, reg.TRANSCEIVE)
    states = [ready.read(reg.STATUS_2) & 7]
    ready.write(reg.BIT_FRAMING, 0x87)
    for wait_us in (10, 100, 50, 50, 500):
        ready.wait(wait_us)
        states.append(ready.read(reg.STATUS_2) & 7)
    assert states == [1, 3, 4, 5, 6, 1]


def test_start_send_reads_as_zero_and_each_one_starts_a_transmission(ready: Bench) -> None:
    ready.begin(b"\x26", 0x07)
    assert ready.read(reg.BIT_FRAMING) == 0x07
    ready.write(reg.BIT_FRAMING, 0x87)
    assert ready.field.frames == 1, "the last bit is not out yet"
    ready.wait(5_000)
    ready.write(reg.BIT_FRAMING, 0x87)
    assert ready.field.frames == 1, "an empty buffer is no frame"
    ready.wait(5_000)
    ready.write(reg.COMMAND, reg.TRANSCEIVE)
    ready.write(reg.FIFO_DATA, 0x26)
    assert ready.field.frames == 1
    ready.write(reg.BIT_FRAMING, 0x87)
    assert ready.field.frames == 2


@pytest.mark.parametrize("command", [reg.IDLE, reg.RECEIVE, reg.CALCULATE_CRC])
def test_start_send_starts_nothing_outside_transceive(ready: Bench, command: int) -> None:
    ready.write(reg.COMMAND, command)
    ready.write(reg.FIFO_DATA, 0x26)
    ready.write(reg.BIT_FRAMING, 0x87)
    assert ready.field.frames == 0


def test_a_second_start_while_an_answer_comes_gives_it_up(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.begin(b"\x52", 0x07)
    ready.wait(250)
    ready.write(reg.FIFO_DATA, 0x52)
    ready.write(reg.BIT_FRAMING, 0x87)
    ready.wait(2_000)
    assert ready.field.frames == 2
    assert not ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_RX, "the tag fell back at the second call"


def test_writing_the_buffer_while_an_answer_is_due_is_an_error(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.begin(b"\x26", 0x07)
    ready.wait(150)
    ready.write(reg.FIFO_DATA, 0x00)
    assert ready.read(reg.ERROR) & reg.WRITE_ERROR


@pytest.mark.parametrize(
    ("register", "value"),
    [
        (reg.TX_ASK, 0x00),
        (reg.TX_MODE, 0x10),  # 212 kbit/s
        (reg.TX_MODE, reg.INVERTED_MODULATION),
        (reg.RX_MODE, 0x10),
        (reg.TX_SELECT, 0x00),  # drivers in three-state
        (reg.RX_SELECT, 0x04),  # receiver fed with a constant
        (reg.AUTO_TEST, 0x49),
    ],
)
def test_set_up_for_something_else_no_tag_is_read(ready: Bench, register: int, value: int) -> None:
    lay(ready, Ntag213(UID))
    ready.write(register, value)
    assert ready.wake() == b""
    assert ready.read(reg.COM_INTERRUPTS) & (reg.INTERRUPT_TX | reg.INTERRUPT_RX) == reg.INTERRUPT_TX


def test_a_faster_frame_takes_less_time(ready: Bench) -> None:
    ready.write(reg.TX_MODE, 0x30)  # 848 kbit/s
    ready.begin(b"\x52", 0x07)
    ready.wait(15)
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TX


def test_the_transmitter_waits_for_the_field_if_it_is_told_to(ready: Bench) -> None:
    """ModeReg, TxWaitRF: nothing goes out, no timer starts, until the antenna is on."""
    lay(ready, Ntag213(UID))
    ready.write(reg.TX_CONTROL, 0x80)
    ready.begin(b"\x52", 0x07)
    ready.wait(10_000)
    assert ready.read(reg.STATUS_2) & 7 == 2
    assert ready.read(reg.COM_INTERRUPTS) & 0x71 == 0
    ready.write(reg.TX_CONTROL, 0x83)
    ready.wait(100)
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TX
    assert ready.field.frames == 1


def test_without_waiting_for_the_field_a_frame_goes_out_unheard(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.write(reg.MODE, 0x1D)
    ready.write(reg.TX_CONTROL, 0x80)
    assert ready.wake() == b""
    assert ready.read(reg.COM_INTERRUPTS) & 0x61 == reg.INTERRUPT_TX | reg.INTERRUPT_TIMER
    assert ready.field.frames == 0


def test_a_switched_field_makes_tags_forget_their_state(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.wake()
    assert ready.wake() == b"", "a second wake-up finds the tag half selected"
    ready.write(reg.TX_CONTROL, 0x80)
    ready.write(reg.TX_CONTROL, 0x83)
    assert ready.wake() == b"", "it needs power for a while first"
    ready.wait(5_000)
    assert ready.wake() == b"\x44\x00"


def test_a_collision_is_reported_with_its_position(ready: Bench) -> None:
    lay(ready, Ntag213(bytes.fromhex("04112233445566")), Ntag213(bytes.fromhex("04112033445566")))
    ready.write(reg.COLLISION, 0x00)
    ready.wake()
    data = ready.transceive(b"\x93\x20")
    assert ready.read(reg.ERROR) & reg.COLLISION_ERROR
    # 22h and 20h differ in bit 1 of the fourth byte: bit 26 counted from 1.
    assert ready.read(reg.COLLISION) & 0x3F == 26
    assert data == bytes.fromhex("8804110000"), "bits from the collision on read as 0"
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_ERROR


def test_a_collision_in_the_thirty_second_bit_reads_as_zero_and_later_ones_as_none(ready: Bench) -> None:
    ready.field.disturb = lambda _frame, _reception: Reception(b"\xff" * 5, 40, 91_150, collision_bit=31)
    ready.transceive(b"\x93\x20")
    assert ready.read(reg.COLLISION) & 0x3F == 0
    ready.field.disturb = lambda _frame, _reception: Reception(b"\xff" * 5, 40, 91_150, collision_bit=32)
    ready.transceive(b"\x93\x20")
    assert ready.read(reg.COLLISION) & 0x20


def test_bits_after_a_collision_can_be_kept(ready: Bench) -> None:
    ready.write(reg.COLLISION, reg.VALUES_AFTER_COLLISION)
    ready.field.disturb = lambda _frame, _reception: Reception(b"\xff\xff", 16, 91_150, collision_bit=3)
    assert ready.transceive(b"\x93\x20") == b"\xff\xff"


def test_anticollision_with_a_prefix_finds_each_of_two_tags(ready: Bench) -> None:
    """The bit frames of ISO/IEC 14443-3, 6.5.3: a prefix selects, and RxAlign puts the rest in its place."""
    first, second = bytes.fromhex("04112233445566"), bytes.fromhex("04112033445566")
    lay(ready, Ntag213(first), Ntag213(second))
    for bit, uid in ((1, first), (0, second)):
        assert ready.wake() or ready.wake(), "the one that was not chosen before needs a second call"
        prefix = bytes.fromhex("880411") + bytes((bit << 1,))
        rest = ready.transceive(b"\x93\x52" + prefix, 0x22)
        assert ready.read(reg.ERROR) == 0
        part = bytes((0x88, *uid[:3]))
        check = part[0] ^ part[1] ^ part[2] ^ part[3]
        assert bytes((rest[0] | bit << 1, rest[1])) == bytes((part[3], check))


def test_a_parity_error_can_be_told_not_to_matter(ready: Bench) -> None:
    ready.field.disturb = lambda _frame, _reception: Reception(b"\x44\x00", 16, 91_150, parity_wrong=True)
    ready.wake()
    assert ready.read(reg.ERROR) == reg.PARITY_ERROR
    ready.write(reg.MIFARE_RX, 0x10)
    ready.wake()
    assert ready.read(reg.ERROR) == 0


def test_the_chip_can_add_and_check_the_crc_itself(ready: Bench) -> None:
    tag = Ntag213(UID)
    lay(ready, tag)
    ready.wake()
    for code, part in ((0x93, b"\x88\x04\x11\x22"), (0x95, b"\x33\x44\x55\x66")):
        check = bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))
        ready.transceive(with_crc(bytes((code, 0x70)) + part + check))
    ready.write(reg.TX_MODE, reg.CRC_ENABLE)
    ready.write(reg.RX_MODE, reg.CRC_ENABLE)
    assert ready.transceive(b"\x30\x00") == bytes(tag.memory[:16])
    assert ready.read(reg.ERROR) == 0
    ready.field.disturb = lambda _frame, _reception: Reception(b"\x01\x02\x03", 24, 91_150)
    ready.transceive(b"\x30\x00")
    assert ready.read(reg.ERROR) & reg.CRC_ERROR


def test_an_answer_within_the_guard_time_is_not_heard(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.write(reg.RX_SELECT, 0x80 | 0x3F)
    assert ready.wake() == b""


def test_an_answer_in_parts_reports_its_last_bits(ready: Bench) -> None:
    ready.field.disturb = lambda _frame, _reception: Reception(b"\x0a", 4, 91_150)
    assert ready.transceive(b"\xa2") == b"\x0a"
    assert ready.read(reg.CONTROL) & 7 == 4


def test_transmit_ends_by_itself_and_receive_takes_the_answer(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.write(reg.COM_INTERRUPTS, 0x7F)
    ready.write(reg.BIT_FRAMING, 0x07)
    ready.write(reg.FIFO_DATA, 0x26)
    ready.write(reg.COMMAND, reg.TRANSMIT)
    ready.wait(100)
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_IDLE
    ready.write(reg.COMMAND, reg.RECEIVE)
    ready.wait(500)
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_RX
    assert [ready.read(reg.FIFO_DATA), ready.read(reg.FIFO_DATA)] == [0x44, 0x00]


def test_an_accepted_authentication_opens_one_sector(ready: Bench) -> None:
    card = MifareClassic1K(b"\x12\x34\x56\x78")
    card.memory[8 * 16 : 9 * 16] = bytes(range(16))
    lay(ready, card)
    select_classic(ready, card.uid)
    authenticate(ready, card.uid, b"\xff" * 6)
    assert ready.read(reg.STATUS_2) & reg.CRYPTO_ON
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_IDLE
    assert ready.transceive(with_crc(b"\x30\x08"))[:-2] == bytes(range(16))
    assert ready.transceive(with_crc(b"\x30\x0c")) == b"\x04", "another sector is closed"


def test_a_refused_authentication_ends_by_the_timer_and_sets_nothing(ready: Bench) -> None:
    card = MifareClassic1K(b"\x12\x34\x56\x78", keys={2: b"secret"})
    lay(ready, card)
    select_classic(ready, card.uid)
    authenticate(ready, card.uid, b"\xff" * 6)
    assert not ready.read(reg.STATUS_2) & reg.CRYPTO_ON
    assert ready.read(reg.COM_INTERRUPTS) & 0x11 == reg.INTERRUPT_TIMER
    assert ready.transceive(with_crc(b"\x30\x08")) == b"", "the card has gone to rest"


def test_the_crypto_flag_can_be_cleared_but_not_set_and_spoils_plain_frames(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.write(reg.STATUS_2, reg.CRYPTO_ON)
    assert not ready.read(reg.STATUS_2) & reg.CRYPTO_ON
    ready.chip.stick_crypto()
    assert ready.wake() == b""
    ready.write(reg.STATUS_2, 0x00)
    assert ready.wake() == b"\x44\x00"


def test_a_receiver_that_is_off_hears_nothing(ready: Bench) -> None:
    """CommandReg, RcvOff: may be changed by a command or beside one that runs."""
    lay(ready, Ntag213(UID))
    ready.write(reg.FIFO_DATA, 0x52)
    ready.write(reg.COMMAND, reg.RECEIVER_OFF | reg.TRANSCEIVE)
    ready.write(reg.BIT_FRAMING, 0x87)
    ready.wait(5_000)
    assert ready.read(reg.COM_INTERRUPTS) & 0x61 == reg.INTERRUPT_TX | reg.INTERRUPT_TIMER
    assert ready.read(reg.COMMAND) == reg.RECEIVER_OFF | reg.TRANSCEIVE
    ready.write(reg.COMMAND, reg.NO_COMMAND_CHANGE)
    assert ready.read(reg.COMMAND) == reg.TRANSCEIVE
    ready.write(reg.FIFO_DATA, 0x26)
    ready.write(reg.BIT_FRAMING, 0x87)  # sends the tag back
    ready.wait(5_000)
    ready.write(reg.FIFO_DATA, 0x26)
    ready.write(reg.BIT_FRAMING, 0x87)
    ready.wait(5_000)
    assert ready.read(reg.FIFO_LEVEL) == 2


def test_a_long_answer_fills_the_buffer_byte_by_byte_and_can_be_drained_meanwhile(ready: Bench) -> None:
    answer = bytes(range(100))
    ready.field.disturb = lambda _frame, _reception: Reception(answer, 800, 91_150)
    ready.begin(b"\x3a\x00\x18")
    got = bytearray()
    levels = []
    for _ in range(200):
        ready.wait(100)
        level = ready.read(reg.FIFO_LEVEL)
        levels.append(level)
        got += bytes(ready.chip.transfer([*[reg.FIFO_DATA << 1 | 0x80] * level, 0])[1:])
    assert bytes(got) == answer
    assert set(levels) <= {0, 1, 2}, "a byte takes 85 µs"
    assert ready.read(reg.ERROR) == 0


def test_an_answer_that_nobody_drains_overflows_at_sixty_four_bytes(ready: Bench) -> None:
    ready.field.disturb = lambda _frame, _reception: Reception(bytes(range(66)), 66 * 8, 91_150)
    ready.begin(b"\x3a\x00\x10")
    ready.wait(3_000)
    assert 0 < ready.read(reg.FIFO_LEVEL) < 64
    assert not ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_HIGH_ALERT
    ready.wait(4_000)
    assert (ready.read(reg.FIFO_LEVEL), ready.read(reg.ERROR)) == (64, reg.BUFFER_OVERFLOW)
    wanted = reg.INTERRUPT_HIGH_ALERT | reg.INTERRUPT_ERROR | reg.INTERRUPT_RX
    assert ready.read(reg.COM_INTERRUPTS) & wanted == wanted
    assert ready.chip.fifo == bytes(range(64))


def test_the_air_takes_its_own_crc_preset_whatever_is_set_for_the_crc_unit(ready: Bench) -> None:
    tag = Ntag213(UID)
    lay(ready, tag)
    ready.write(reg.MODE, 0x3F)
    ready.write(reg.TX_MODE, reg.CRC_ENABLE)
    ready.wake_without_crc()
    ready.write(reg.RX_MODE, reg.CRC_ENABLE)
    assert ready.transceive(b"\x30\x00") == bytes(tag.memory[:16]), "read in the state of selection"
    assert ready.read(reg.ERROR) == 0


def test_an_atqa_fails_where_a_crc_is_expected(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.write(reg.RX_MODE, reg.CRC_ENABLE)
    assert ready.wake() == b""
    assert ready.read(reg.ERROR) == reg.CRC_ERROR
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_ERROR


def test_with_parity_off_each_parity_bit_is_data_and_the_host_must_send_its_own(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.write(reg.MIFARE_RX, reg.PARITY_OFF)
    # 44h has an even number of ones, 00h too: both parity bits are 1, and 18 bits come.
    assert ready.wake() == bytes((0x44, 0x01, 0x02))
    assert ready.read(reg.CONTROL) & 7 == 2
    assert ready.read(reg.ERROR) == 0
    # 93h has four ones and 20h one: 18 bits, of which the ninth is 1 and the last 0.
    rest = ready.transceive(bytes((0x93, 0x41, 0x00)), 0x02)
    assert len(rest) == 6, "45 bits for five bytes"
    ready.wake()
    assert ready.wake() == bytes((0x44, 0x01, 0x02))
    assert ready.transceive(b"\x93\x20") == b"", "bytes without parity are no frame"


def test_a_wrong_parity_bit_shows_among_the_data(ready: Bench) -> None:
    ready.write(reg.MIFARE_RX, reg.PARITY_OFF)
    ready.field.disturb = lambda _frame, _reception: Reception(b"\x44\x00", 16, 91_150, parity_wrong=True)
    assert ready.wake() == bytes((0x44, 0x01, 0x00))
    assert ready.read(reg.ERROR) == 0


def test_too_short_an_answer_can_be_left_aside(ready: Bench) -> None:
    ready.field.disturb = lambda _frame, _reception: Reception(b"\x05", 3, 91_150)
    assert ready.wake() == b"\x05"
    ready.write(reg.RX_MODE, reg.RX_NO_ERROR)
    assert ready.wake() == b""
    assert not ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_RX


def test_with_multiple_reception_the_receiver_is_never_left(ready: Bench) -> None:
    """RxModeReg, RxMultiple: an error byte ends each stream, the timer is not stopped, StartSend starts nothing."""
    lay(ready, Ntag213(UID))
    ready.write(reg.RX_MODE, reg.RX_MULTIPLE)
    assert ready.wake() == b"\x44\x00\x00"
    assert ready.read(reg.STATUS_2) & 7 == 5
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TIMER
    frames = ready.field.frames
    ready.write(reg.BIT_FRAMING, 0x87)
    assert ready.field.frames == frames


def test_an_overflow_and_a_write_at_a_wrong_time_are_error_interrupts(ready: Bench) -> None:
    ready.write(reg.COM_INTERRUPTS, 0x7F)
    ready.write(reg.FIFO_DATA, *range(65))
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_ERROR
    ready.begin(b"\x26", 0x07)
    ready.wait(2_000)
    assert not ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_ERROR
    ready.write(reg.FIFO_DATA, 0x00)
    assert ready.read(reg.ERROR) == reg.WRITE_ERROR, "after the last bit sent, and none received yet"
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_ERROR


def test_the_timer_stops_at_the_fifth_bit_and_shows_where(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.begin(b"\x52", 0x07)
    ready.wait(5_000)
    # 40 steps of 25 µs; 86 µs and six bits of 9.4 µs after the frame it has counted five.
    assert ready.read(reg.TIMER_COUNTER_LOW) == 40 - 5
    assert not ready.read(reg.STATUS_1) & 0x08
    assert not ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TIMER


def test_a_receive_that_begins_after_the_answer_began_gets_none_of_it(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.write(reg.BIT_FRAMING, 0x07)
    ready.write(reg.FIFO_DATA, 0x26)
    ready.write(reg.COMMAND, reg.TRANSMIT)
    ready.wait(200)
    ready.write(reg.COMMAND, reg.RECEIVE)
    ready.wait(2_000)
    assert ready.read(reg.COMMAND) & 0x0F == reg.RECEIVE, "it still waits"
    assert ready.read(reg.FIFO_LEVEL) == 0


def test_a_receive_knows_no_guard_time(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.write(reg.RX_SELECT, 0xBF)
    ready.write(reg.BIT_FRAMING, 0x07)
    ready.write(reg.FIFO_DATA, 0x26)
    ready.write(reg.COMMAND, reg.TRANSMIT)
    ready.wait(100)
    ready.write(reg.COMMAND, reg.RECEIVE)
    ready.wait(2_000)
    assert ready.read(reg.FIFO_LEVEL) == 2


def test_an_authentication_blocks_the_interrupts_of_sending_and_receiving(ready: Bench) -> None:
    """Section 10.3.1.9; and whatever the host writes into the buffer meanwhile is a write error."""
    card = MifareClassic1K(b"\x12\x34\x56\x78")
    lay(ready, card)
    select_classic(ready, card.uid)
    authenticate(ready, card.uid, b"\xff" * 6)
    assert ready.read(reg.COM_INTERRUPTS) & 0x71 == reg.INTERRUPT_IDLE
    ready.write(reg.COMMAND, reg.MIFARE_AUTHENTICATE)
    ready.write(reg.FIFO_DATA, 0x60)
    assert ready.read(reg.ERROR) == reg.WRITE_ERROR


def test_a_hot_chip_loses_its_carrier_and_keeps_its_settings(ready: Bench) -> None:
    tag = Ntag213(UID)
    lay(ready, tag)
    ready.wake()
    ready.write(reg.COM_INTERRUPTS, 0x7F)
    ready.chip.overheat(lasts=True)
    assert (ready.read(reg.ERROR), ready.read(reg.TX_CONTROL)) == (reg.TEMPERATURE_ERROR, 0x83)
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_ERROR
    assert tag.state.name == "IDLE"
    for register, value in ((reg.STATUS_2, reg.TEMPERATURE_CLEAR), (reg.TX_CONTROL, 0x83)):
        ready.write(register, value)
        assert ready.read(reg.ERROR) == reg.TEMPERATURE_ERROR, "it is hot still"
    ready.chip.cool_down()
    ready.write(reg.COMMAND, reg.TRANSCEIVE)
    assert ready.read(reg.ERROR) == reg.TEMPERATURE_ERROR, "no command clears it"
    ready.write(reg.STATUS_2, reg.TEMPERATURE_CLEAR)
    assert ready.read(reg.ERROR) == 0
    ready.wait(5_000)
    assert ready.wake() == b"\x44\x00"


def test_a_soft_reset_clears_the_heat_only_of_a_chip_that_is_cool(ready: Bench) -> None:
    ready.chip.overheat(lasts=True)
    ready.write(reg.COMMAND, reg.SOFT_RESET)
    assert ready.read(reg.ERROR) == reg.TEMPERATURE_ERROR
    ready.chip.cool_down()
    ready.write(reg.COMMAND, reg.SOFT_RESET)
    assert ready.read(reg.ERROR) == 0


def test_soft_power_down_takes_clock_carrier_and_timer_and_keeps_registers_and_buffer(ready: Bench) -> None:
    tag = Ntag213(UID)
    lay(ready, tag)
    ready.wake()
    ready.write(reg.FIFO_DATA, 1, 2, 3)
    ready.write(reg.CONTROL, reg.TIMER_START)
    ready.wait(500)
    ready.write(reg.COM_INTERRUPTS, 0x7F)
    ready.write(reg.COMMAND, reg.POWER_DOWN)
    assert ready.read(reg.COMMAND) == reg.POWER_DOWN
    assert tag.state.name == "IDLE"
    shown = ready.read(reg.TIMER_COUNTER_LOW)
    ready.wait(50_000)
    assert ready.read(reg.TIMER_COUNTER_LOW) == shown == 20
    assert not ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TIMER
    assert (ready.read(reg.TX_CONTROL), ready.read(reg.FIFO_LEVEL)) == (0x83, 3)
    ready.write(reg.COMMAND, reg.IDLE)
    ready.wait(1_000)
    assert ready.read(reg.COMMAND) == 0
    ready.wait(500)
    assert ready.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TIMER, "it went on from where it stood"
    ready.wait(5_000)
    assert ready.wake() == b"\x44\x00", "the carrier is back with the clock"


def test_the_carrier_comes_back_when_the_clock_does_and_not_when_the_host_next_looks(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.write(reg.COMMAND, reg.POWER_DOWN)
    ready.write(reg.COMMAND, reg.IDLE)
    ready.wait(10_000)
    assert ready.wake() == b"\x44\x00", "the tag has had its time to start"
