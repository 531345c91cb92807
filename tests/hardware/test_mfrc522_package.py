"""The unmodified PyPI package ``mfrc522`` on the simulated chip, by itself and under our driver.

It is installed without its dependencies, which only build on a Raspberry Pi: ``pip install --no-deps
mfrc522==0.0.7``. ``spidev`` and ``RPi.GPIO`` are the simulated ones.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware import (
    DeviceFaultError,
    DeviceNotFoundError,
    DevicePermissionError,
    PollingTagReader,
    ReaderSettings,
    TagPlaced,
    TagRemoved,
)
from hardware.gpio.devices import GpioButtons
from hardware.rc522.package import DEFAULT_RESET_PIN, open_package
from hardware.signals import ButtonPressed
from hardware.simulated import MifareClassic1K, Ntag213, SimulatedTag, VirtualClock
from hardware.simulated import rpi_gpio as simulated_rpi_gpio
from hardware.simulated import spidev as simulated_spidev
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.field import Field
from hardware.simulated.gpio import SimulatedGpio
from tests.systemd import trees
from tests.systemd.trees import put

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("mfrc522") is None,
        reason="the package mfrc522 is not installed: pip install --no-deps mfrc522==0.0.7",
    ),
    # The package negates booleans with ~, which Python 3.12 began to warn about; it is the fault shown below.
    pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning"),
]

UID = bytes.fromhex("04112233445566")
CLASSIC_UID = b"\x12\x34\x56\x78"


class Machine:
    """A machine with a simulated chip on SPI 0.0, whose pins the package and gpiozero share."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = VirtualClock()
        self.field = Field(self.clock)
        self.chip = SimulatedMfrc522(self.clock, self.field)
        self.gpio = SimulatedGpio()
        monkeypatch.setitem(sys.modules, "spidev", simulated_spidev.as_module({(0, 0): self.chip}))
        for name, module in simulated_rpi_gpio.as_modules(self.gpio).items():
            monkeypatch.setitem(sys.modules, name, module)
        for name in [name for name in sys.modules if name.split(".")[0] == "mfrc522"]:
            monkeypatch.delitem(sys.modules, name)
        self.package: Any = importlib.import_module("mfrc522")

    def lay(self, tag: SimulatedTag) -> None:
        self.field.place(tag)
        self.clock.wait_us(5_000)

    def reader(self) -> Any:
        reader = self.package.MFRC522()
        self.clock.wait_us(10_000)
        return reader

    def simple(self) -> Any:
        simple = self.package.SimpleMFRC522()
        self.clock.wait_us(10_000)
        return simple


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    machine = Machine(monkeypatch)
    yield machine
    logging.getLogger("mfrc522Logger").handlers.clear()
    for name in [name for name in sys.modules if name.split(".")[0] == "mfrc522"]:
        del sys.modules[name]
    machine.gpio.close()


def test_the_package_reads_a_classic_s_id_with_its_check_byte(machine: Machine) -> None:
    machine.lay(MifareClassic1K(CLASSIC_UID))
    check = 0x12 ^ 0x34 ^ 0x56 ^ 0x78
    assert machine.simple().read_id_no_block() == int.from_bytes(CLASSIC_UID + bytes((check,)), "big")


def test_the_package_writes_text_to_a_classic_and_reads_it(machine: Machine) -> None:
    card = MifareClassic1K(CLASSIC_UID)
    machine.lay(card)
    simple = machine.simple()
    assert simple.write_no_block("red seven")[1] == "red seven"
    assert bytes(card.memory[8 * 16 : 8 * 16 + 9]) == b"red seven"
    # Each session leaves the card selected, so that it answers every second request only.
    assert simple.read_no_block() == (None, None)
    assert simple.read_no_block()[1].rstrip() == "red seven"


def test_the_package_is_refused_by_a_classic_with_another_key(machine: Machine) -> None:
    machine.lay(MifareClassic1K(CLASSIC_UID, keys={2: b"secret"}))
    reader = machine.reader()
    reader.MFRC522_Request(reader.PICC_REQIDL)
    _, uid = reader.MFRC522_Anticoll()
    assert reader.MFRC522_SelectTag(uid) == 0x08
    reader.MFRC522_Auth(reader.PICC_AUTHENT1A, 11, [0xFF] * 6, uid)
    assert not reader.Read_MFRC522(0x08) & 0x08


def test_the_package_s_known_faults_show_on_the_simulated_chip(machine: Machine) -> None:
    """Published figures: 2,013 transfers for an empty field; of a seven-byte UID the first three bytes."""
    reader = machine.reader()
    before = reader.spi.transfers
    assert reader.MFRC522_Request(reader.PICC_REQIDL)[0] == reader.MI_ERR
    assert reader.spi.transfers - before == 2_013
    machine.lay(Ntag213(UID))
    reader.MFRC522_Request(reader.PICC_REQIDL)
    _, data = reader.MFRC522_Anticoll()
    assert data == [0x88, 0x04, 0x11, 0x22, 0x88 ^ 0x04 ^ 0x11 ^ 0x22]


def test_our_driver_over_the_package_reads_whole_uids(machine: Machine) -> None:
    driver = open_package(ReaderSettings(), machine.clock)
    reader = PollingTagReader(driver)
    tag = Ntag213(UID)
    machine.lay(tag)
    assert list(reader.poll(100)) == [TagPlaced(100, "pad", UID)]
    machine.field.lift(tag)
    signals = [signal for at_ms in range(150, 800, 50) for signal in reader.poll(at_ms)]
    assert [type(signal) for signal in signals] == [TagRemoved]
    reader.close()


def test_our_close_frees_its_own_pin_and_leaves_the_buttons_alone(machine: Machine) -> None:
    buttons = GpioButtons({"draw": 26}, pin_factory=machine.gpio.pin_factory, now_ms=lambda: 0)
    driver = open_package(ReaderSettings(), machine.clock)
    assert machine.gpio.is_high(DEFAULT_RESET_PIN), "a reset line held low would keep the chip off"
    driver.start()
    driver.close()
    driver.close()
    assert machine.gpio.pin_factory.pin(DEFAULT_RESET_PIN).function == "input"
    machine.gpio.press(26)
    assert buttons.poll(20) == [ButtonPressed(20, "draw")]
    buttons.close()


def test_the_package_s_own_clean_up_would_take_the_buttons_along(machine: Machine) -> None:
    """Why we never call it; also shows that the test above can fail."""
    buttons = GpioButtons({"draw": 26}, pin_factory=machine.gpio.pin_factory, now_ms=lambda: 0)
    machine.reader().Close_MFRC522()
    machine.gpio.press(26)
    assert buttons.poll(20) == []
    buttons.close()


def test_the_default_reset_pin_is_not_the_serial_port_s(machine: Machine) -> None:
    driver = open_package(ReaderSettings(), machine.clock)
    used = {int(info.name.removeprefix("GPIO")) for info in machine.gpio.pin_factory.pins}
    assert used == {DEFAULT_RESET_PIN}
    driver.close()


def test_a_process_that_numbers_pins_by_the_header_is_told_so(machine: Machine) -> None:
    sys.modules["RPi.GPIO"].setmode(simulated_rpi_gpio.BOARD)
    with pytest.raises(DeviceFaultError, match="BOARD"):
        open_package(ReaderSettings(), machine.clock)


def test_a_missing_spi_device_is_a_sentence(machine: Machine, tmp_path: Path) -> None:
    root = trees.PI_4_HDMI.build(tmp_path)
    with pytest.raises(DeviceNotFoundError, match=r"SPI is switched off\. Find the firmware's config\.txt"):
        open_package(ReaderSettings(device=1), machine.clock, root)


def test_a_pi_5_s_boot_memory_is_never_spoken_to(machine: Machine, tmp_path: Path) -> None:
    root = trees.PI_5_TRIXIE.build(tmp_path)
    with pytest.raises(DeviceNotFoundError, match="bus to 0"):
        open_package(ReaderSettings(bus=10), machine.clock, root)


def test_missing_permission_is_a_sentence(machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put(tmp_path, "etc/group", "spi:x:995:\ngpio:x:993:\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(sys.modules["spidev"].SpiDev, "open", refuse)
    with pytest.raises(DevicePermissionError, match="usermod -aG spi "):
        open_package(ReaderSettings(), machine.clock, tmp_path)


def test_a_library_that_refuses_this_machine_is_a_sentence(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "RPi.GPIO", None)
    with pytest.raises(DeviceNotFoundError, match=r"RPi\.GPIO is missing"):
        open_package(ReaderSettings(), machine.clock)
