"""The simulated MFRC522 against what the data sheet and captures from real chips say."""

from __future__ import annotations

import pytest

from hardware import mfrc522_registers as reg
from hardware.iso14443a import crc_a, with_crc
from hardware.simulated import MifareClassic1K, Ntag213, SimulatedTag
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.chip_units import crc16
from hardware.simulated.clock import VirtualClock
from hardware.simulated.field import Field, Reception

UID = bytes.fromhex("04112233445566")


class Bench:
    """A bare chip, its registers in reach."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.field = Field(self.clock)
        self.chip = SimulatedMfrc522(self.clock, self.field)

    def write(self, register: int, *values: int) -> None:
        self.chip.transfer([register << 1, *values])

    def read(self, register: int) -> int:
        return self.chip.transfer([register << 1 | 0x80, 0])[1]

    def wait(self, duration_us: int) -> None:
        self.clock.wait_us(duration_us)

    def set_up(self, timeout_us: int = 1_000) -> None:
        """A usual set-up: 25 µs a tick, full modulation, CRC preset 6363h, antenna on."""
        for register, value in (
            (reg.TIMER_MODE, 0x80),
            (reg.TIMER_PRESCALER, 0xA9),
            (reg.TIMER_RELOAD_HIGH, (timeout_us // 25) >> 8),
            (reg.TIMER_RELOAD_LOW, (timeout_us // 25) & 0xFF),
            (reg.TX_ASK, 0x40),
            (reg.MODE, 0x3D),
            (reg.TX_CONTROL, 0x83),
        ):
            self.write(register, value)
        self.wait(5_000)

    def begin(self, frame: bytes, framing: int = 0) -> None:
        self.write(reg.COMMAND, reg.IDLE)
        self.write(reg.COM_INTERRUPTS, 0x7F)
        self.write(reg.FIFO_LEVEL, reg.FLUSH)
        self.write(reg.FIFO_DATA, *frame)
        self.write(reg.BIT_FRAMING, framing)
        self.write(reg.COMMAND, reg.TRANSCEIVE)
        self.write(reg.BIT_FRAMING, framing | reg.START_SEND)

    def transceive(self, frame: bytes, framing: int = 0, wait_us: int = 5_000) -> bytes:
        self.begin(frame, framing)
        self.wait(wait_us)
        level = self.read(reg.FIFO_LEVEL)
        return bytes(self.chip.transfer([*[reg.FIFO_DATA << 1 | 0x80] * level, 0])[1:])

    def wake(self) -> bytes:
        return self.transceive(b"\x52", 0x07)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def ready(bench: Bench) -> Bench:
    bench.set_up()
    return bench


def lay(bench: Bench, *tags: SimulatedTag) -> None:
    for tag in tags:
        bench.field.place(tag)
    bench.wait(5_000)


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
        (0x24, 0x26),
        (0x26, 0x48),
        (0x27, 0x88),
        (0x28, 0x20),
        (0x29, 0x20),
        (0x37, 0x92),
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
    for register in (reg.VERSION, reg.ERROR, reg.STATUS_1, reg.CRC_RESULT_HIGH):
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


def test_a_soft_reset_powers_down_until_the_crystal_runs(bench: Bench) -> None:
    bench.set_up()
    bench.write(reg.COMMAND, reg.SOFT_RESET)
    assert bench.read(reg.COMMAND) & reg.POWER_DOWN
    assert bench.read(reg.TX_CONTROL) == 0x80
    bench.write(reg.COMMAND, reg.CALCULATE_CRC)
    assert bench.read(reg.COMMAND) & 0x0F == reg.IDLE, "commands are lost while it wakes up"
    bench.wait(2_000)
    assert bench.read(reg.COMMAND) == 0x20


def test_power_down_by_hand_ends_after_the_wake_up_time(bench: Bench) -> None:
    bench.write(reg.COMMAND, reg.POWER_DOWN)
    bench.wait(50_000)
    assert bench.read(reg.COMMAND) & reg.POWER_DOWN
    bench.write(reg.COMMAND, reg.IDLE)
    assert bench.read(reg.COMMAND) & reg.POWER_DOWN
    bench.wait(2_000)
    assert not bench.read(reg.COMMAND) & reg.POWER_DOWN


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
    lay(ready, Ntag213(UID))
    ready.write(reg.FIFO_DATA, 0x26)
    ready.write(reg.COMMAND, reg.TRANSCEIVE)
    states = [ready.read(reg.STATUS_2) & 7]
    ready.write(reg.BIT_FRAMING, 0x87)
    for wait_us in (10, 100, 100):
        ready.wait(wait_us)
        states.append(ready.read(reg.STATUS_2) & 7)
    assert states == [1, 3, 5, 6]


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


def test_a_set_start_bit_sends_again_only_in_a_new_transceive(ready: Bench) -> None:
    ready.begin(b"\x26", 0x07)
    ready.wait(5_000)
    frames = ready.field.frames
    ready.write(reg.FIFO_DATA, 0x26)
    ready.write(reg.BIT_FRAMING, 0x87)
    assert ready.field.frames == frames
    ready.write(reg.COMMAND, reg.TRANSCEIVE)
    assert ready.field.frames == frames
    ready.write(reg.BIT_FRAMING, 0x87)
    assert ready.field.frames == frames + 1


def test_writing_the_buffer_while_an_answer_is_due_is_an_error(ready: Bench) -> None:
    lay(ready, Ntag213(UID))
    ready.begin(b"\x26", 0x07)
    ready.wait(150)
    ready.write(reg.FIFO_DATA, 0x00)
    assert ready.read(reg.ERROR) & reg.WRITE_ERROR


@pytest.mark.parametrize(("register", "value"), [(reg.TX_CONTROL, 0x80), (reg.TX_ASK, 0x00)])
def test_without_field_or_full_modulation_no_tag_answers(ready: Bench, register: int, value: int) -> None:
    lay(ready, Ntag213(UID))
    ready.write(register, value)
    assert ready.wake() == b""


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


def select_classic(bench: Bench, uid: bytes) -> None:
    bench.wake()
    check = bytes((uid[0] ^ uid[1] ^ uid[2] ^ uid[3],))
    assert bench.transceive(with_crc(b"\x93\x70" + uid + check))[0] == 0x08


def authenticate(bench: Bench, uid: bytes, key: bytes, block: int = 8) -> None:
    bench.write(reg.COMMAND, reg.IDLE)
    bench.write(reg.COM_INTERRUPTS, 0x7F)
    bench.write(reg.FIFO_LEVEL, reg.FLUSH)
    bench.write(reg.FIFO_DATA, 0x60, block, *key, *uid)
    bench.write(reg.COMMAND, reg.MIFARE_AUTHENTICATE)
    bench.wait(10_000)


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


def test_the_chip_s_crc_unit_agrees_with_the_driver_s_software() -> None:
    for data in (b"\x30\x04", bytes(range(64))):
        assert crc_a(data) == crc16(data, 0x6363).to_bytes(2, "little")
