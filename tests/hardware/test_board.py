"""What opening says when something is missing, and that it opens what is there."""

from __future__ import annotations

import fcntl
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from hardware import (
    ButtonPressed,
    DeviceBusyError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
    ReaderSettings,
    TagPlaced,
    open_buttons,
    open_buzzer,
    open_lamps,
    open_reader,
)
from hardware.header_spi import spi_devices
from hardware.rc522.spi import reset_line
from hardware.simulated import Ntag213, SimulatedPad, VirtualClock
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.field import Field
from hardware.simulated.gpio import SimulatedGpio
from hardware.simulated.spidev import as_module
from tests.systemd import trees
from tests.systemd.trees import with_spi

UID = bytes.fromhex("04112233445566")


class Machine:
    """A directory that looks like a Pi's root, with simulated chips behind its SPI devices."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.clock = VirtualClock()
        self.chips: dict[tuple[int, int], SimulatedMfrc522] = {}
        (root / "dev").mkdir(exist_ok=True)
        monkeypatch.setitem(sys.modules, "spidev", as_module(self.chips))

    def add(self, bus: int, device: int, *, version: int = 0x92) -> SimulatedMfrc522:
        (self.root / f"dev/spidev{bus}.{device}").touch()
        chip = SimulatedMfrc522(self.clock, Field(self.clock), version=version)
        self.chips[bus, device] = chip
        return chip

    def open(self, kind: str = "spi") -> None:
        open_reader(kind, clock=self.clock, root=self.root).close()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_a_reader_on_spi_opens_and_reads(machine: Machine) -> None:
    chip = machine.add(0, 0)
    reader = open_reader("spi", clock=machine.clock, root=machine.root)
    chip.field.place(Ntag213(UID))
    machine.clock.wait_us(5_000)
    assert reader.poll(0) == [TagPlaced(0, "pad", UID)]
    reader.close()
    assert not chip.registers[0x14] & 0x03, "closing switches the field off"


def test_without_any_spi_device_the_sentence_says_how_to_switch_spi_on(machine: Machine) -> None:
    with_spi(trees.PI_4_HDMI, machine.root, "", has_raspi_config=True)
    with pytest.raises(DeviceNotFoundError, match="raspi-config nonint do_spi 0"):
        machine.open()


def test_on_no_raspberry_pi_nobody_is_told_to_switch_spi_on(machine: Machine) -> None:
    with pytest.raises(DeviceNotFoundError, match="this is no Raspberry Pi") as raised:
        machine.open()
    assert "raspi-config" not in str(raised.value)


@pytest.mark.parametrize("kind", ["auto", "spi"])
def test_a_pi_5_s_boot_memory_is_never_spoken_to(kind: str, machine: Machine) -> None:
    """The driver's frames would be orders to write and to erase: 02h, 06h, 20h, C7h."""
    with_spi(trees.PI_5_TRIXIE, machine.root, "")
    chip = machine.add(10, 0)
    told: list[list[int]] = []

    def transfer(data: list[int]) -> list[int]:
        told.append(data)
        return data

    chip.transfer = transfer  # type: ignore[method-assign]
    with pytest.raises(DeviceNotFoundError, match="SPI is switched off"):
        machine.open(kind)
    with pytest.raises(DeviceNotFoundError, match="boot memory"):
        open_reader(kind, ReaderSettings(bus=10), clock=machine.clock, root=machine.root)
    assert told == []


def test_a_missing_device_names_the_ones_that_are_there(machine: Machine) -> None:
    machine.add(0, 1)
    machine.add(1, 2)
    with pytest.raises(DeviceNotFoundError, match=r"but /dev/spidev0\.1, /dev/spidev1\.2 is"):
        machine.open()


def test_auto_finds_the_reader_on_another_device(machine: Machine) -> None:
    machine.add(0, 0, version=0x00)
    chip = machine.add(1, 1)
    reader = open_reader("auto", clock=machine.clock, root=machine.root)
    assert chip.registers[0x14] & 0x03, "the field of the one that answers is on"
    reader.close()


def test_auto_that_finds_nothing_explains_the_device_that_is_set(machine: Machine) -> None:
    machine.add(0, 0, version=0xFF)
    machine.add(0, 1, version=0x00)
    with pytest.raises(DeviceNotFoundError, match="does not answer"):
        machine.open("auto")


def test_auto_leaves_the_second_reader_its_device(machine: Machine) -> None:
    machine.add(0, 0, version=0x00)
    chip = machine.add(0, 1)
    with pytest.raises(DeviceNotFoundError, match="does not answer"):
        open_reader("auto", clock=machine.clock, root=machine.root, besides=ReaderSettings(device=1))
    assert not chip.registers[0x14] & 0x03, "it was not touched"


def test_auto_tells_of_the_one_that_another_table_holds(machine: Machine) -> None:
    machine.add(0, 0, version=0x00)
    machine.add(0, 1)
    with (machine.root / "dev/spidev0.1").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(DeviceBusyError, match=r"spidev0\.1 is in use"):
            machine.open("auto")


def test_auto_tells_of_the_device_that_is_there(machine: Machine) -> None:
    machine.add(0, 1, version=0x00)
    with pytest.raises(DeviceNotFoundError, match="does not answer"):
        machine.open("auto")


def test_a_missing_library_is_a_sentence(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.add(0, 0)
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DeviceNotFoundError, match=r"spidev is missing\. "):
        machine.open()


def test_an_empty_stub_of_the_library_is_a_sentence(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.add(0, 0)
    monkeypatch.setitem(sys.modules, "spidev", ModuleType("spidev"))
    with pytest.raises(DeviceNotFoundError, match="empty stub"):
        machine.open()


@pytest.mark.parametrize(
    ("error", "expected", "words"),
    [
        (PermissionError(13, "Permission denied"), DevicePermissionError, "This user may not open /dev/spidev0.0"),
        (OSError(16, "Device or resource busy"), DeviceBusyError, "in use by another program"),
        (OSError(5, "Input/output error"), HardwareError, "Input/output error"),
    ],
)
def test_errors_of_the_kernel_are_sentences(
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    error: OSError,
    expected: type[HardwareError],
    words: str,
) -> None:
    machine.add(0, 0)

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(sys.modules["spidev"].SpiDev, "open", fail)
    with pytest.raises(expected, match=words):
        machine.open()


def test_a_second_owner_of_the_reader_is_refused(machine: Machine) -> None:
    machine.add(0, 0)
    with (machine.root / "dev/spidev0.0").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(DeviceBusyError, match="in use by another program"):
            machine.open()


def test_a_failed_opening_leaves_the_device_free(machine: Machine) -> None:
    chip = machine.add(0, 0, version=0xFF)
    with pytest.raises(DeviceNotFoundError):
        machine.open()
    chip.version = 0x92
    machine.open()


@pytest.mark.parametrize(("stuck", "words"), [(0x00, "MISO wire"), (0xFF, "chip select")])
def test_a_dead_bus_is_a_sentence_about_wires(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, stuck: int, words: str
) -> None:
    machine.add(0, 0)
    monkeypatch.setattr(sys.modules["spidev"].SpiDev, "xfer2", lambda _self, data: [stuck] * len(data), raising=True)
    with pytest.raises(DeviceNotFoundError, match=words):
        machine.open()


@pytest.mark.parametrize(
    "make",
    [
        lambda: ReaderSettings(bus=-1),
        lambda: ReaderSettings(speed_hz=20_000_000),
        lambda: ReaderSettings(gain_db=40),
    ],
)
def test_settings_that_can_t_be_are_refused(make: Callable[[], ReaderSettings]) -> None:
    with pytest.raises(ValueError, match=r"counted from 0|outside|does not exist"):
        make()


def test_spi_devices_are_listed_in_order(machine: Machine) -> None:
    for bus, device in ((1, 0), (0, 1), (0, 0)):
        machine.add(bus, device)
    (machine.root / "dev/spidev-notes").touch()
    assert spi_devices(machine.root) == [(0, 0), (0, 1), (1, 0)]


def test_a_simulated_reader_is_one_only_when_asked_for() -> None:
    assert isinstance(open_reader("simulated"), SimulatedPad)


def test_a_reset_line_is_pulsed_low_and_rests_high() -> None:
    gpio = SimulatedGpio(buzzer_pin=25)
    clock = VirtualClock()
    pulse = reset_line(25, clock, pin_factory=gpio.pin_factory)
    levels: list[float | None] = []
    gpio.watch_buzzer(levels.append)
    assert gpio.is_high(25)
    pulse()
    assert gpio.is_high(25)
    assert levels[0] is None
    assert clock.now_us() >= 1
    gpio.close()


def test_gpio_devices_open_on_given_pins() -> None:
    gpio = SimulatedGpio()
    buttons = open_buttons({"draw": 5}, pin_factory=gpio.pin_factory, now_ms=lambda: 0)
    buzzer = open_buzzer(18, pin_factory=gpio.pin_factory)
    lamps = open_lamps({0: 17}, pin_factory=gpio.pin_factory)
    gpio.press(5)
    assert buttons.poll(20) == [ButtonPressed(20, "draw")]
    lamps.show(frozenset({0}))
    assert gpio.is_high(17)
    for device in (buttons, buzzer, lamps):
        device.close()
    gpio.close()


def test_gpio_on_a_machine_without_pins_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for back_end in ("lgpio", "RPi", "RPi.GPIO", "pigpio"):
        monkeypatch.setitem(sys.modules, back_end, None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    with pytest.raises(HardwareError, match="GPIO"):
        open_buzzer()
