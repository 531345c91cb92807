"""The driver on the simulated chip: what it costs, what it survives, what it says."""

from __future__ import annotations

import pytest

from hardware.ports import Answer, DeviceFaultError, Noise, Reply, Silence
from hardware.rc522 import registers as reg
from hardware.rc522.chip import CHECK_PERIOD_US, CLONES, GAINS_DB, Rc522, SingleTransfers
from hardware.rc522.spi import reset_line
from hardware.simulated import Ntag213, SimulatedPad, VirtualClock
from hardware.simulated.field import Reception
from hardware.simulated.gpio import SimulatedGpio
from hardware.tags import iso14443a
from hardware.tags.iso14443a import Tag

UID = bytes.fromhex("04112233445566")


@pytest.fixture
def pad() -> SimulatedPad:
    pad = SimulatedPad()
    pad.driver.start()
    iso14443a.identify(pad.driver)  # the first frame also sets the timer
    return pad


def lay(pad: SimulatedPad) -> Ntag213:
    tag = Ntag213(UID)
    pad.place(tag)
    pad.clock.wait_us(50_000)
    return tag


def wake(pad: SimulatedPad) -> Reply:
    return iso14443a.wake(pad.driver)


def test_an_idle_look_costs_eight_transfers_also_when_settings_are_checked(pad: SimulatedPad) -> None:
    for _ in range(50):
        pad.clock.wait_us(CHECK_PERIOD_US // 10)
        before = pad.spi.transfers
        iso14443a.identify(pad.driver)
        assert pad.spi.transfers - before <= 8


def test_a_seven_byte_uid_costs_at_most_forty_transfers(pad: SimulatedPad) -> None:
    lay(pad)
    before = pad.spi.transfers
    assert isinstance(iso14443a.activate(pad.driver), Tag)
    assert pad.spi.transfers - before <= 40


def test_starting_sets_the_chip_up_from_any_state() -> None:
    pad = SimulatedPad()
    for register in range(0x11, 0x30):
        pad.chip.registers[register] ^= 0xFF
    pad.driver.start()
    pad.driver.check()
    lay(pad)
    assert isinstance(iso14443a.identify(pad.driver), Tag)


def test_a_stale_start_bit_does_not_send_the_old_framing(pad: SimulatedPad) -> None:
    pad.chip.keeps_start_send = True
    lay(pad)
    assert isinstance(iso14443a.identify(pad.driver), Tag)


def test_bytes_that_came_in_between_frames_do_not_spoil_the_next_one(pad: SimulatedPad) -> None:
    lay(pad)
    pad.chip.fifo += b"\x55\xaa"
    pad.clock.wait_us(50_000)
    assert isinstance(iso14443a.identify(pad.driver), Tag)


@pytest.mark.parametrize("gain_db", sorted(GAINS_DB))
def test_the_gain_that_was_asked_for_is_set(gain_db: int) -> None:
    pad = SimulatedPad(gain_db=gain_db)
    pad.driver.start()
    assert pad.chip.registers[reg.RECEIVER_GAIN] >> 4 & 7 == GAINS_DB[gain_db] >> 4


def test_a_gain_that_does_not_exist_is_refused() -> None:
    pad = SimulatedPad()
    with pytest.raises(ValueError, match="40 dB does not exist"):
        Rc522(pad.spi, pad.clock, gain_db=40)


@pytest.mark.parametrize("timeout_us", [0, -1, 13_000])
def test_a_timeout_the_timer_can_t_count_is_refused(pad: SimulatedPad, timeout_us: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        pad.driver.exchange(b"\x30\x00", answer_bytes=18, timeout_us=timeout_us)


def test_a_long_answer_that_starts_late_is_waited_for(pad: SimulatedPad) -> None:
    pad.field.disturb = lambda _frame, _reception: Reception(b"\x01\x02\x03", 24, 4_000_000)
    assert pad.driver.exchange(b"\x60", answer_bytes=3, timeout_us=5_000) == Answer(b"\x01\x02\x03")


def test_an_answer_that_comes_later_than_the_standard_allows_is_noise(pad: SimulatedPad) -> None:
    pad.field.disturb = lambda _frame, _reception: Reception(b"\x44\x00", 16, 240_000)
    assert wake(pad) == Noise("the answer came too late")


@pytest.mark.parametrize(
    ("reception", "words"),
    [
        (Reception(b"\x44\x00", 16, 91_150, parity_wrong=True), "parity"),
        (Reception(b"\x44\x00", 16, 91_150, start_wrong=True), "start of the answer"),
        (Reception(bytes(9), 72, 91_150), "longer than it may be"),
        (Reception(bytes(9), 72, 91_150, collision_bit=50), "ran into each other"),
    ],
)
def test_damage_on_the_air_is_noise_with_a_reason(pad: SimulatedPad, reception: Reception, words: str) -> None:
    pad.field.disturb = lambda _frame, _reception: reception
    # Nine bytes asked for where two are due, so that a too long answer ends in time.
    size = 2 if reception.bits == 16 else 8
    reply = pad.driver.exchange(b"\x52", last_bits=7, answer_bytes=size, timeout_us=300)
    assert isinstance(reply, Noise)
    assert words in reply.reason


def test_a_dead_bus_raises_with_the_wire_to_look_at(pad: SimulatedPad) -> None:
    for stuck_at, words in ((0x00, "MISO"), (0xFF, "chip select")):
        pad.spi.stuck_at = stuck_at
        for act in (pad.driver.start, pad.driver.check, lambda: wake(pad)):
            with pytest.raises(DeviceFaultError, match=words):
                act()


def test_an_error_of_the_kernel_raises_a_device_fault(pad: SimulatedPad) -> None:
    pad.spi.error = OSError(5, "Input/output error")
    with pytest.raises(DeviceFaultError, match="Input/output error"):
        wake(pad)


def test_the_antenna_and_the_crypto_flag_are_watched_at_every_frame(pad: SimulatedPad) -> None:
    pad.chip.stick_crypto()
    with pytest.raises(DeviceFaultError, match="encrypted mode"):
        wake(pad)
    pad.driver.start()
    pad.chip.turn_antenna_off()
    with pytest.raises(DeviceFaultError, match="field is off"):
        wake(pad)


def test_a_hot_chip_is_a_fault_that_is_told_and_not_a_card_that_left(pad: SimulatedPad) -> None:
    """ErrorReg, TempErr: the drivers go off inside, and every setting, TxControlReg too, stays as it was."""
    lay(pad)
    pad.chip.overheat(lasts=True)
    assert pad.chip.registers[reg.TX_CONTROL] & reg.ANTENNA_DRIVERS == reg.ANTENNA_DRIVERS
    for act in (lambda: wake(pad), pad.driver.check, pad.driver.start):
        with pytest.raises(DeviceFaultError, match=r"too hot .* cool down"):
            act()
    pad.chip.cool_down()
    pad.driver.start()
    assert isinstance(iso14443a.identify(pad.driver), Tag)


def test_a_chip_that_grows_hot_while_a_tag_is_read_is_found_in_that_exchange(pad: SimulatedPad) -> None:
    def grow_hot(_frame: bytes, reception: Reception | None) -> Reception | None:
        pad.chip.overheat(lasts=True)
        return reception

    lay(pad)
    pad.field.disturb = grow_hot
    with pytest.raises(DeviceFaultError, match="too hot"):
        wake(pad)


@pytest.mark.parametrize(
    "register", [reg.MODE, reg.TX_MODE, reg.RX_MODE, reg.RX_SELECT, reg.RECEIVER_GAIN, reg.TIMER_RELOAD_HIGH]
)
def test_a_changed_setting_is_found_within_a_second(pad: SimulatedPad, register: int) -> None:
    pad.chip.registers[register] ^= 0x01
    pad.clock.wait_us(CHECK_PERIOD_US)
    with pytest.raises(DeviceFaultError, match="lost its settings"):
        wake(pad)


def test_a_chip_that_ends_nothing_is_a_fault_and_not_a_silence(pad: SimulatedPad) -> None:
    pad.chip.timer.works = False
    before_us = pad.clock.now_us()
    with pytest.raises(DeviceFaultError, match="did not finish"):
        wake(pad)
    assert pad.clock.now_us() - before_us < 20_000


def test_a_chip_that_never_wakes_up_is_given_up_in_time() -> None:
    pad = SimulatedPad()
    pad.chip.crystal_ns = 10**12
    pad.chip.brown_out()
    with pytest.raises(DeviceFaultError, match="does not wake up"):
        pad.driver.start()
    assert pad.clock.now_us() < 200_000


def test_a_slow_crystal_is_waited_for() -> None:
    pad = SimulatedPad()
    pad.chip.crystal_ns = 60_000_000
    pad.chip.brown_out()
    pad.driver.start()


@pytest.mark.parametrize("version", [*CLONES, 0x15])
def test_a_clone_works_and_is_named(version: int) -> None:
    pad = SimulatedPad(version=version)
    pad.driver.start()
    assert f"version {version:02X}h" in pad.driver.chip_note
    lay(pad)
    assert isinstance(iso14443a.identify(pad.driver), Tag)


def test_a_genuine_chip_has_no_note(pad: SimulatedPad) -> None:
    assert pad.driver.chip_note == ""


def test_a_reset_line_is_pulsed_before_the_chip_is_asked() -> None:
    pad = SimulatedPad()
    pulses: list[int] = []
    Rc522(pad.spi, pad.clock, reset=lambda: pulses.append(pad.spi.transfers)).start()
    assert pulses == [0]


def test_a_wired_reset_line_resets_a_chip_that_hears_nothing_else() -> None:
    """The real line of ``spi`` on simulated pins, at the chip's NRSTPD; the soft reset comes while it wakes up."""
    pad = SimulatedPad()
    gpio = SimulatedGpio()
    levels: list[bool] = []

    def nrstpd(is_high: bool) -> None:
        levels.append(is_high)
        pad.chip.hold_reset(is_low=not is_high)

    pulse = reset_line(25, pad.clock, pin_factory=gpio.pin_factory)
    gpio.wire(25, nrstpd)
    pad.chip.registers[reg.TEST_SELECT_2] = 0xFF  # nothing that the driver sets or checks
    driver = Rc522(pad.spi, pad.clock, reset=pulse)
    driver.start()
    assert levels == [False, True]
    assert pad.chip.registers[reg.TEST_SELECT_2] == 0
    lay(pad)
    assert isinstance(iso14443a.identify(driver), Tag)
    gpio.pin_factory.pin(25).state = False
    with pytest.raises(DeviceFaultError, match="All bits read 0"):
        wake(pad)
    gpio.close()


def test_a_chip_without_burst_reads_is_driven_byte_by_byte() -> None:
    pad = SimulatedPad()

    class NoBursts:
        def xfer2(self, data: list[int]) -> list[int]:
            assert len(data) == 2
            return pad.spi.xfer2(data)

        def close(self) -> None:
            pad.spi.close()

    driver = Rc522(NoBursts(), pad.clock, can_burst=False)
    driver.start()
    lay(pad)
    found = iso14443a.identify(driver)
    assert isinstance(found, Tag)
    assert found.uid == UID
    driver.close()


def test_single_transfers_split_reads_and_writes() -> None:
    sent: list[list[int]] = []

    class Wire:
        def xfer2(self, data: list[int]) -> list[int]:
            sent.append(data)
            return [0, data[0]]

        def close(self) -> None: ...

    bus = SingleTransfers(Wire())
    assert bus.xfer2([0x8C, 0x94, 0x00]) == [0, 0x8C, 0x94]
    bus.xfer2([0x12, 1, 2])
    assert sent == [[0x8C, 0], [0x94, 0], [0x12, 1], [0x12, 2]]


def test_closing_switches_the_field_off_and_may_be_repeated_on_a_dead_bus(pad: SimulatedPad) -> None:
    pad.spi.error = OSError(5, "Input/output error")
    pad.driver.close()
    pad.driver.close()


def test_waiting_is_done_on_the_given_clock_alone() -> None:
    clock = VirtualClock()
    pad = SimulatedPad(clock=clock)
    pad.driver.start()
    before_us = clock.now_us()
    assert wake(pad) == Silence()
    assert 500 < clock.now_us() - before_us < 2_000
