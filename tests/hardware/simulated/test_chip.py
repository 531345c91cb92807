"""The simulated MFRC522 against its data sheet (rev. 3.9): registers, buffer, power, commands, timer, CRC, self-test.

What goes over the air is ``test_chip_radio``.
"""

from __future__ import annotations

import pytest

from hardware.rc522 import registers as reg
from hardware.simulated.chip_units import crc16
from hardware.tags.iso14443a import crc_a
from tests.hardware.simulated.bench import Bench


@pytest.mark.parametrize(
    ("register", "value"),
    [
        (0x01, 0x20),
        (0x02, 0x80),
        (0x04, 0x14),
        (0x07, 0x21),
        (0x0B, 0x08),
        (0x0C, 0x10),
        (0x11, 0x3F),
        (0x14, 0x80),
        (0x17, 0x84),
        (0x18, 0x84),
        (0x19, 0x4D),
        (0x1C, 0x62),
        (0x1F, 0xEB),
        (0x21, 0xFF),
        (0x22, 0xFF),
        (0x23, 0x88),
        (0x24, 0x26),
        (0x25, 0x87),
        (0x26, 0x48),
        (0x27, 0x88),
        (0x28, 0x20),
        (0x29, 0x20),
        (0x33, 0x80),
        (0x36, 0x40),
        (0x37, 0x92),
        (0x3C, 0xFF),
        (0x3D, 0x00),
        (0x3E, 0x03),
    ],
)
def test_registers_have_the_sheet_s_values_after_a_reset(bench: Bench, register: int, value: int) -> None:
    assert bench.read(register) == value


def test_one_transfer_reads_many_registers_and_writes_one(bench: Bench) -> None:
    bench.write(reg.FIFO_DATA, 1, 2, 3)
    reply = bench.chip.transfer(
        [reg.VERSION << 1 | 0x80, reg.FIFO_LEVEL << 1 | 0x80, *[reg.FIFO_DATA << 1 | 0x80] * 4, 0]
    )
    assert reply[1:] == [0x92, 3, 1, 2, 3, 0]


def test_read_only_registers_stay_as_they_are(bench: Bench) -> None:
    for register in (reg.VERSION, reg.ERROR, reg.STATUS_1, reg.CRC_RESULT_HIGH, reg.TIMER_COUNTER_LOW, reg.TEST_ADC):
        before = bench.read(register)
        bench.write(register, 0x5A)
        assert bench.read(register) == before


def test_interrupt_bits_are_cleared_by_ones_and_set_with_the_set_bit(bench: Bench) -> None:
    bench.write(reg.COM_INTERRUPTS, 0x7F)
    assert bench.read(reg.COM_INTERRUPTS) == reg.INTERRUPT_LOW_ALERT, "an empty buffer raises it again at once"
    bench.write(reg.COM_INTERRUPTS, reg.SET_BITS | reg.INTERRUPT_IDLE | reg.INTERRUPT_RX)
    bench.write(reg.COM_INTERRUPTS, reg.INTERRUPT_RX)
    assert bench.read(reg.COM_INTERRUPTS) == reg.INTERRUPT_LOW_ALERT | reg.INTERRUPT_IDLE
    bench.write(reg.DIV_INTERRUPTS, reg.SET_BITS | reg.INTERRUPT_CRC)
    bench.write(reg.DIV_INTERRUPTS, 0x00)
    assert bench.read(reg.DIV_INTERRUPTS) == reg.INTERRUPT_CRC, "bits written as 0 are left alone"


def test_the_interrupt_line_follows_enabled_bits_and_its_inversion(bench: Bench) -> None:
    bench.write(reg.COM_INTERRUPTS, 0x7F)
    bench.write(reg.COM_INTERRUPT_ENABLE, reg.INTERRUPT_IDLE)
    assert not bench.chip.interrupt_line
    bench.write(reg.COM_INTERRUPTS, reg.SET_BITS | reg.INTERRUPT_IDLE)
    assert bench.chip.interrupt_line
    assert bench.read(reg.STATUS_1) & 0x10
    bench.write(reg.COM_INTERRUPT_ENABLE, 0x80 | reg.INTERRUPT_IDLE)
    assert not bench.chip.interrupt_line


def test_the_buffer_overflows_at_sixty_four_bytes(bench: Bench) -> None:
    bench.write(reg.FIFO_DATA, *range(60))
    assert bench.read(reg.STATUS_1) & 0x03 == 0x02, "high alert, no low one"
    assert bench.read(reg.ERROR) == 0
    bench.write(reg.FIFO_DATA, *range(5))
    assert bench.read(reg.FIFO_LEVEL) == 64
    assert bench.read(reg.ERROR) == reg.BUFFER_OVERFLOW
    bench.write(reg.FIFO_LEVEL, reg.FLUSH)
    assert (bench.read(reg.FIFO_LEVEL), bench.read(reg.ERROR)) == (0, 0)
    assert bench.read(reg.FIFO_DATA) == 0


@pytest.mark.parametrize(
    ("register", "written", "kept"),
    [
        (reg.DIV_INTERRUPT_ENABLE, 0xFF, 0x94),
        (reg.WATER_LEVEL, 0xFF, 0x3F),
        (reg.BIT_FRAMING, 0xFF, 0x77),
        (reg.MODE, 0x00, 0x14),
        (reg.MODE, 0x3D, 0x3D),
        (reg.TX_MODE, 0xFF, 0xF8),
        (reg.RX_MODE, 0xFF, 0xFC),
        (reg.TX_CONTROL, 0xFC, 0xF8),
        (reg.TX_ASK, 0xFF, 0x40),
        (reg.TX_SELECT, 0xFF, 0x3F),
        (reg.RX_THRESHOLD, 0xFF, 0xF7),
        (reg.MIFARE_TX, 0x00, 0x60),
        (reg.MIFARE_RX, 0xFF, 0x10),
        (reg.RECEIVER_GAIN, 0x70, 0x78),
        (reg.CW_GS_P, 0xFF, 0x3F),
        (reg.AUTO_TEST, 0x00, 0x00),
        (0x0F, 0xFF, 0x00),
        (0x1A, 0xFF, 0x00),
        (0x23, 0x00, 0x88),
        (0x3C, 0x00, 0xFF),
    ],
)
def test_reserved_bits_keep_their_value(bench: Bench, register: int, written: int, kept: int) -> None:
    bench.write(register, written)
    assert bench.read(register) == kept


def test_only_version_2_has_the_even_prescaler(bench: Bench) -> None:
    bench.write(reg.DEMODULATOR, 0x5D)
    assert bench.read(reg.DEMODULATOR) == 0x5D
    older = Bench(version=0x91)
    older.write(reg.DEMODULATOR, 0x5D)
    assert older.read(reg.DEMODULATOR) == 0x4D


def test_a_soft_reset_takes_tens_of_microseconds_where_the_clock_runs(bench: Bench) -> None:
    bench.set_up()
    bench.write(reg.COMMAND, reg.SOFT_RESET)
    assert bench.read(reg.COMMAND) == reg.RECEIVER_OFF | reg.POWER_DOWN
    assert bench.read(reg.TX_CONTROL) == 0x80
    bench.write(reg.COMMAND, reg.CALCULATE_CRC)
    assert bench.read(reg.COMMAND) & 0x0F == reg.IDLE, "commands are lost while it wakes up"
    bench.wait(37)
    assert bench.read(reg.COMMAND) & reg.POWER_DOWN
    bench.wait(1)
    assert bench.read(reg.COMMAND) == 0x20


def test_a_soft_reset_keeps_the_internal_buffer_and_can_t_power_down(bench: Bench) -> None:
    bench.write(reg.FIFO_DATA, *range(25))
    bench.write(reg.COMMAND, reg.MEMORY)
    bench.write(reg.COMMAND, reg.POWER_DOWN | reg.SOFT_RESET)
    bench.wait(50)
    assert bench.read(reg.COMMAND) == 0x20
    bench.write(reg.COMMAND, reg.MEMORY)
    assert bench.chip.fifo == bytes(range(25))


def test_a_soft_reset_is_heard_while_the_chip_wakes_up_and_in_soft_power_down(bench: Bench) -> None:
    bench.write(reg.COMMAND, reg.POWER_DOWN)
    bench.write(reg.TX_ASK, 0x40)
    bench.write(reg.COMMAND, reg.IDLE)
    bench.wait(100)
    bench.write(reg.COMMAND, reg.SOFT_RESET)
    assert bench.read(reg.TX_ASK) == 0
    bench.wait(437)
    assert bench.read(reg.COMMAND) & reg.POWER_DOWN, "the crystal takes as long as it takes"
    bench.wait(1)
    assert bench.read(reg.COMMAND) == 0x20
    bench.write(reg.COMMAND, reg.POWER_DOWN)
    bench.write(reg.TX_ASK, 0x40)
    bench.write(reg.COMMAND, reg.SOFT_RESET)
    bench.wait(538)
    assert (bench.read(reg.COMMAND), bench.read(reg.TX_ASK)) == (0x20, 0)


def test_power_down_by_hand_reads_10h_and_ends_after_the_wake_up_time(bench: Bench) -> None:
    bench.write(reg.COMMAND, reg.POWER_DOWN)
    bench.wait(50_000)
    assert bench.read(reg.COMMAND) == 0x10
    bench.write(reg.COMMAND, reg.IDLE)
    bench.wait(bench.chip.crystal_ns // 1_000)
    assert bench.read(reg.COMMAND) == 0x10, "1024 cycles more"
    bench.wait(38)
    assert bench.read(reg.COMMAND) == 0


def test_a_low_reset_pin_cuts_the_chip_off_and_loses_all_but_the_internal_buffer(bench: Bench) -> None:
    bench.set_up()
    bench.write(reg.FIFO_DATA, *range(25))
    bench.write(reg.COMMAND, reg.MEMORY)
    bench.chip.hold_reset(is_low=True)
    assert bench.read(reg.VERSION) == 0
    bench.write(reg.TX_ASK, 0x40)
    bench.chip.hold_reset(is_low=False)
    assert bench.read(reg.COMMAND) & reg.POWER_DOWN
    bench.wait(538)
    assert (bench.read(reg.COMMAND), bench.read(reg.TX_ASK), bench.read(reg.TX_CONTROL)) == (0x20, 0, 0x80)
    bench.write(reg.COMMAND, reg.MEMORY)
    assert bench.chip.fifo == bytes(range(25))
    bench.chip.brown_out()
    bench.wait(538)
    bench.write(reg.COMMAND, reg.MEMORY)
    assert bench.chip.fifo == bytes(25), "without its supply it forgets these too"


def self_test(bench: Bench, *, zeros: int = 25, start: bytes = b"\x00") -> bytes:
    """Section 16.1.1: reset, clear the internal buffer, switch the test on, one zero, CalcCRC."""
    bench.write(reg.COMMAND, reg.SOFT_RESET)
    bench.wait(50)
    bench.write(reg.FIFO_DATA, *bytes(zeros))
    bench.write(reg.COMMAND, reg.MEMORY)
    bench.write(reg.AUTO_TEST, reg.SELF_TEST_ON)
    bench.write(reg.FIFO_LEVEL, reg.FLUSH)
    bench.write(reg.FIFO_DATA, *start)
    bench.write(reg.COMMAND, reg.CALCULATE_CRC)
    bench.wait(5_000)
    assert bench.read(reg.FIFO_LEVEL) == 64
    return bytes(bench.chip.fifo)


@pytest.mark.parametrize(
    ("version", "begins", "ends"),
    [
        (0x91, "00 C6 37 D5", "25 1D 29 79"),
        (0x92, "00 EB 66 BA", "7D 95 3B 2F"),
        (0x88, "00 D6 78 8C", "EA 2A 62"),
    ],
)
def test_the_self_test_gives_the_sheet_s_bytes(version: int, begins: str, ends: str) -> None:
    result = self_test(Bench(version=version))
    assert result.startswith(bytes.fromhex(begins))
    assert result.endswith(bytes.fromhex(ends))


def test_a_self_test_that_was_begun_in_another_way_gives_other_bytes(bench: Bench) -> None:
    right = self_test(bench)
    bench.write(reg.COMMAND, reg.RANDOM_ID)
    assert self_test(bench, zeros=1) != right
    assert self_test(bench, start=b"") != right
    assert self_test(bench) == right


@pytest.mark.parametrize("version", [0x12, 0x89, 0xB2])
def test_clones_fail_the_self_test_as_people_report(version: int) -> None:
    assert self_test(Bench(version=version)) != self_test(Bench())


def test_while_the_self_test_runs_the_buffer_holds_no_result_and_afterwards_the_crc_unit_works(bench: Bench) -> None:
    bench.write(reg.AUTO_TEST, reg.SELF_TEST_ON)
    bench.write(reg.FIFO_DATA, 0x00)
    bench.write(reg.COMMAND, reg.CALCULATE_CRC)
    assert bench.read(reg.FIFO_LEVEL) == 1
    bench.wait(5_000)
    assert bench.read(reg.FIFO_LEVEL) == 64
    bench.write(reg.COMMAND, reg.IDLE)
    bench.write(reg.AUTO_TEST, 0x00)
    bench.write(reg.FIFO_LEVEL, reg.FLUSH)
    bench.write(reg.FIFO_DATA, 0x50, 0x00)
    bench.write(reg.MODE, 0x3D)
    bench.write(reg.COMMAND, reg.CALCULATE_CRC)
    assert bench.read(reg.CRC_RESULT_HIGH) << 8 | bench.read(reg.CRC_RESULT_LOW) == 0xCD57


def test_a_stopped_timer_goes_on_showing_where_it_stopped(bench: Bench) -> None:
    bench.set_up()
    bench.write(reg.CONTROL, reg.TIMER_START)
    bench.wait(260)
    bench.write(reg.CONTROL, reg.TIMER_STOP)
    bench.wait(5_000)
    assert bench.read(reg.TIMER_COUNTER_LOW) == 30
    assert not bench.read(reg.STATUS_1) & 0x08
    bench.write(reg.CONTROL, reg.TIMER_START)
    assert bench.read(reg.TIMER_COUNTER_LOW) == 40, "a start loads it anew"


def test_a_new_reload_value_waits_for_the_next_start(bench: Bench) -> None:
    bench.set_up()
    bench.write(reg.COM_INTERRUPTS, 0x7F)
    bench.write(reg.CONTROL, reg.TIMER_START)
    bench.write(reg.TIMER_RELOAD_LOW, 200)
    bench.wait(500)
    assert bench.read(reg.TIMER_COUNTER_LOW) == 20
    bench.wait(530)
    assert bench.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TIMER
    bench.write(reg.CONTROL, reg.TIMER_START)
    assert bench.read(reg.TIMER_COUNTER_LOW) == 200


def test_a_gated_timer_waits_for_a_pin_that_nobody_drives(bench: Bench) -> None:
    bench.set_up()
    bench.write(reg.TIMER_MODE, 0x20)
    bench.write(reg.COM_INTERRUPTS, 0x7F)
    bench.write(reg.CONTROL, reg.TIMER_START)
    bench.wait(50_000)
    assert not bench.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TIMER
    assert bench.read(reg.TIMER_COUNTER_LOW) == 40


def test_an_idle_by_the_host_is_no_interrupt_and_an_unknown_command_is_one(bench: Bench) -> None:
    bench.write(reg.COM_INTERRUPTS, 0x7F)
    bench.write(reg.COMMAND, reg.IDLE)
    assert not bench.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_IDLE
    bench.write(reg.COMMAND, 0x05)
    assert bench.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_IDLE
    assert bench.read(reg.COMMAND) & 0x0F == reg.IDLE


def test_memory_keeps_twenty_five_bytes(bench: Bench) -> None:
    bench.write(reg.FIFO_DATA, *range(25))
    bench.write(reg.COMMAND, reg.MEMORY)
    assert bench.read(reg.FIFO_LEVEL) == 0
    bench.write(reg.COMMAND, reg.RANDOM_ID)
    bench.write(reg.COMMAND, reg.MEMORY)
    kept = bench.chip.transfer([*[reg.FIFO_DATA << 1 | 0x80] * 25, 0])[1:]
    assert kept[10:] == list(range(10, 25)), "a random id fills the first ten"
    assert kept[:10] != list(range(10))


@pytest.mark.parametrize(
    ("mode", "data", "expected"),
    [
        (0x3D, b"\x12\x34", 0xCF26),
        (0x3D, b"\x50\x00", 0xCD57),
        (0x3C, b"123456789", 0x2189),  # CRC-16/KERMIT, check value of the catalogue
        (0x3F, b"123456789", 0x6F91),  # CRC-16/MCRF4XX
    ],
)
def test_the_crc_unit_gives_known_values(bench: Bench, mode: int, data: bytes, expected: int) -> None:
    bench.write(reg.MODE, mode)
    bench.write(reg.FIFO_DATA, *data)
    bench.write(reg.COMMAND, reg.CALCULATE_CRC)
    assert bench.read(reg.DIV_INTERRUPTS) & reg.INTERRUPT_CRC
    assert bench.read(reg.CRC_RESULT_HIGH) << 8 | bench.read(reg.CRC_RESULT_LOW) == expected


def test_the_crc_unit_goes_on_with_what_is_written_later(bench: Bench) -> None:
    bench.write(reg.MODE, 0x3D)
    bench.write(reg.FIFO_DATA, 0x12)
    bench.write(reg.COMMAND, reg.CALCULATE_CRC)
    bench.write(reg.FIFO_DATA, 0x34)
    assert bench.read(reg.CRC_RESULT_LOW) == 0x26
    assert bench.read(reg.FIFO_LEVEL) == 0


def test_the_crc_unit_can_take_the_most_significant_bit_first() -> None:
    data = bytes.fromhex("8041")
    mirrored = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
    assert crc16(data, 0x6363, reversed_bits=True) == crc16(mirrored, 0x6363)


def test_a_started_timer_counts_without_a_frame_and_can_repeat(bench: Bench) -> None:
    bench.set_up()
    bench.write(reg.TIMER_MODE, 0x00)
    bench.write(reg.COM_INTERRUPTS, 0x7F)
    bench.write(reg.CONTROL, reg.TIMER_START)
    bench.wait(1_100)
    assert bench.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TIMER
    bench.write(reg.TIMER_MODE, reg.TIMER_AUTO_RESTART)
    bench.write(reg.CONTROL, reg.TIMER_START)
    for _ in range(3):
        bench.write(reg.COM_INTERRUPTS, 0x7F)
        bench.wait(1_100)
        assert bench.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TIMER
    bench.write(reg.CONTROL, reg.TIMER_STOP)
    bench.write(reg.COM_INTERRUPTS, 0x7F)
    bench.wait(5_000)
    assert not bench.read(reg.COM_INTERRUPTS) & reg.INTERRUPT_TIMER


def test_the_chip_s_crc_unit_agrees_with_the_driver_s_software() -> None:
    for data in (b"\x30\x04", bytes(range(64))):
        assert crc_a(data) == crc16(data, 0x6363).to_bytes(2, "little")
