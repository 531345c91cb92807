"""Finds and opens the devices of a table, and says in a sentence what is missing and what to do.

Libraries that only a Raspberry Pi has are imported inside the openers. What a healthy board looks like in
detail, check by check, is ``diagnosis``; which devices a table wants is its settings' business, not this
module's.
"""

from __future__ import annotations

import errno
import importlib
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal

from firmware_bridge.access import Identity, how_to_let_in
from hardware.clock import SystemClock
from hardware.header_spi import HEADER_BUSES, config_name, header_spi, spi_devices
from hardware.installing import how_to_install
from hardware.machine import is_raspberry_pi
from hardware.ports import (
    Buttons,
    Buzzer,
    Clock,
    DeviceBusyError,
    DeviceFaultError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
    Lamps,
)
from hardware.rc522.chip import DEFAULT_GAIN_DB, DEFAULT_SPEED_HZ, GAINS_DB, Rc522
from hardware.rc522.spi import SpiTransfer
from hardware.tags.reader import PollingTagReader

if TYPE_CHECKING:
    from hardware.simulated.pad import SimulatedPad

ReaderKind = Literal["auto", "spi", "mfrc522", "simulated"]
READER_KINDS: Final[tuple[ReaderKind, ...]] = ("auto", "spi", "mfrc522", "simulated")

# Above 10 MHz the chip's sheet promises nothing; below 100 kHz a poll takes longer than its period.
SPEED_HZ_LOWEST: Final = 100_000
SPEED_HZ_HIGHEST: Final = 10_000_000
# The sheet asks for 100 ns of low level; a long wire and a weak pull-up want more.
_RESET_PULSE_US: Final = 1_000


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """How an RC522 is wired.

    :param bus: SPI bus, 0 on the usual pins.
    :param device: chip select: 0 is CE0 (GPIO 8, pin 24), 1 is CE1 (GPIO 7, pin 26).
    :param speed_hz: SPI clock; 1 MHz, because long wires fail at 8 and the air is slower anyway.
    :param gain_db: receiver gain: 18, 23, 33, 38, 43 or 48; 38, because more mostly amplifies noise.
    :param reset_pin: BCM number of the pin at RST, or None if RST is left open or tied to 3.3 V.
    :param can_burst: false for a clone that fails when several registers are read at once.
    :raises ValueError: if a value can't be.
    """

    bus: int = 0
    device: int = 0
    speed_hz: int = DEFAULT_SPEED_HZ
    gain_db: int = DEFAULT_GAIN_DB
    reset_pin: int | None = None
    can_burst: bool = True

    def __post_init__(self) -> None:
        if self.bus < 0 or self.device < 0:
            raise ValueError("an SPI bus and its device are counted from 0")
        if not SPEED_HZ_LOWEST <= self.speed_hz <= SPEED_HZ_HIGHEST:
            raise ValueError(f"an SPI speed of {self.speed_hz} Hz is outside 100,000 to 10,000,000")
        if self.gain_db not in GAINS_DB:
            raise ValueError(f"a gain of {self.gain_db} dB does not exist; take one of {sorted(GAINS_DB)}")

    @property
    def path(self) -> str:
        return f"/dev/spidev{self.bus}.{self.device}"


def open_reader(
    kind: ReaderKind = "auto",
    settings: ReaderSettings | None = None,
    *,
    name: str = "pad",
    clock: Clock | None = None,
    root: Path = Path("/"),
    besides: ReaderSettings | None = None,
) -> PollingTagReader | SimulatedPad:
    """Open a reader that works.

    ``spi`` takes the device of *settings*; ``auto`` tries that one first and then every other device on the
    header; ``mfrc522`` goes through the PyPI package of that name, for tables wired to it;
    ``simulated`` is a whole simulated reader on a clock of its own, and is never taken unless asked for.

    *besides* is where another reader of the same table is: ``auto`` does not look there.

    :raises DeviceNotFoundError: if no device, no library or no chip is there.
    :raises DevicePermissionError: if this user may not open the device.
    :raises DeviceBusyError: if another program holds it.
    """
    settings = settings or ReaderSettings()
    if kind == "simulated":
        from hardware.simulated.pad import SimulatedPad

        return SimulatedPad(name=name, gain_db=settings.gain_db, speed_hz=settings.speed_hz)
    found = find_driver(kind, settings, clock or SystemClock(), root, besides)
    if found.driver is None:
        assert found.fault is not None
        raise found.fault
    return PollingTagReader(found.driver, name=name, started=True)


@dataclass(frozen=True, slots=True)
class Found:
    """Where a table's reader is, and its driver, started; where there is no driver *fault* says why, of that place."""

    settings: ReaderSettings
    driver: Rc522 | None
    fault: HardwareError | None = None


def find_driver(
    kind: ReaderKind,
    settings: ReaderSettings,
    clock: Clock,
    root: Path = Path("/"),
    besides: ReaderSettings | None = None,
) -> Found:
    """Find the RC522 that a table would use, and start it. ``kind`` is that of a real reader.

    *besides* is where another reader of the same table is; it is not looked for there.
    Of several devices without a reader the one that is told about is one that another Last Card holds, else the one
    that is set, else the first that is there.
    """
    if kind == "mfrc522":
        from hardware.rc522.package import open_package

        try:
            return Found(settings, _started(open_package(settings, clock, root)))
        except HardwareError as fault:
            return Found(settings, None, fault)
    # auto: every other device on the header after the one that is set.
    choices = [settings]
    for bus, device in spi_devices(root) if kind == "auto" else ():
        if besides is None or (bus, device) != (besides.bus, besides.device):
            choices.append(replace(settings, bus=bus, device=device))
    tried: list[Found] = []
    for choice in dict.fromkeys(choices):
        try:
            return Found(choice, _open_spi_driver(choice, clock, root))
        except HardwareError as fault:
            tried.append(Found(choice, None, fault))
    held = [found for found in tried if isinstance(found.fault, DeviceBusyError)]
    there = [found for found in tried if (root / found.settings.path.lstrip("/")).exists()]
    return [*held, *there, *tried][0]


def _open_spi_driver(settings: ReaderSettings, clock: Clock, root: Path) -> Rc522:
    spi = open_spi(settings, root)
    try:
        reset = None if settings.reset_pin is None else reset_line(settings.reset_pin, clock)
        return _started(Rc522(spi, clock, gain_db=settings.gain_db, reset=reset, can_burst=settings.can_burst))
    except BaseException:
        spi.close()
        raise


def _started(driver: Rc522) -> Rc522:
    try:
        driver.start()
    except DeviceFaultError as fault:
        driver.close()
        raise DeviceNotFoundError(str(fault)) from fault
    return driver


class OwnedSpi:
    """An open SPI device that no other Last Card can open at the same time."""

    def __init__(self, spi: Any, lock: IO[bytes]) -> None:
        self._spi = spi
        self._lock = lock
        self.xfer2: Callable[[list[int]], list[int]] = spi.xfer2

    def close(self) -> None:
        self._spi.close()
        self._lock.close()


def open_spi(settings: ReaderSettings, root: Path = Path("/")) -> SpiTransfer:
    """Open the SPI device of *settings* for this program alone.

    :raises HardwareError: of the fitting kind, with what to do.
    """
    path = root / settings.path.lstrip("/")
    if settings.bus not in HEADER_BUSES and is_raspberry_pi(root):
        raise DeviceNotFoundError(
            f"{settings.path} is no device of the header's: on a Raspberry Pi 5 its boot memory is there. Set [reader] "
            "bus to 0."
        )
    if not path.exists():
        raise _explain(FileNotFoundError(errno.ENOENT, "No such file"), settings, root)
    try:
        spidev = importlib.import_module("spidev")
    except (ImportError, RuntimeError) as error:
        raise DeviceNotFoundError(f"The Python library spidev is missing. {how_to_install('spidev')}") from error
    if not hasattr(spidev, "SpiDev"):
        raise DeviceNotFoundError(
            f"The installed Python library spidev is an empty stub. Remove it: {sys.executable} -m pip uninstall "
            f"spidev. {how_to_install('spidev')}"
        )
    import fcntl  # only Unix has it, and only Linux comes this far

    with ExitStack() as on_failure:
        try:
            lock = on_failure.enter_context(path.open("rb", buffering=0))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            spi = spidev.SpiDev()
            on_failure.callback(spi.close)
            spi.open(settings.bus, settings.device)
            spi.mode = 0
            spi.max_speed_hz = settings.speed_hz
        except OSError as error:
            raise _explain(error, settings, root) from error
        on_failure.pop_all()
    return OwnedSpi(spi, lock)


def _explain(error: OSError, settings: ReaderSettings, root: Path) -> HardwareError:
    path = settings.path
    if isinstance(error, PermissionError):
        return DevicePermissionError(f"This user may not open {path}. {how_to_let_in(path, Identity.current(), root)}")
    if isinstance(error, BlockingIOError) or error.errno == errno.EBUSY:
        return DeviceBusyError(f"{path} is in use by another program. Stop it, or set another SPI device.")
    if isinstance(error, FileNotFoundError):
        return missing_spi(settings, root)
    return DeviceFaultError(f"{path} can't be opened: {error.strerror or error}.")


class NoSpiHereError(DeviceNotFoundError):
    """There is no SPI device, and this is no Raspberry Pi on which one could be switched on."""


def missing_spi(settings: ReaderSettings, root: Path = Path("/")) -> DeviceNotFoundError:
    """Why the SPI device of *settings* is not there, and what to do."""
    others = ", ".join(f"/dev/spidev{bus}.{device}" for bus, device in spi_devices(root))
    if others:
        overlay = ""
        if is_raspberry_pi(root):
            file = config_name(root)
            overlay = f", or remove the overlay that took the chip select (a small display often does) from {file}"
        return DeviceNotFoundError(
            f"{settings.path} is not there, but {others} is. Set the reader to that one{overlay}."
        )
    if not is_raspberry_pi(root):
        return NoSpiHereError(
            "No SPI device is there (/dev/spidev*), and this is no Raspberry Pi. Put the reader on a Raspberry Pi Pico "
            "on USB, or pick the cards on the screen: set [reader] kind to serial, or none."
        )
    found = header_spi(settings.bus, settings.device, root)
    return DeviceNotFoundError(f"No SPI device is there (/dev/spidev*). {found.sentence} {found.fix}")


def reset_line(pin: int, clock: Clock, *, pin_factory: Any = None) -> Callable[[], None]:
    """A function that pulses the reader's RST line, held high otherwise.

    :raises HardwareError: if the pin can't be had.
    """
    from hardware.gpio.devices import open_output

    line = open_output(pin, initially_high=True, pin_factory=pin_factory)

    def pulse() -> None:
        line.off()
        clock.wait_us(_RESET_PULSE_US)
        line.on()

    return pulse


def open_buttons(
    pins: Mapping[str, int] | None = None, *, pin_factory: Any = None, now_ms: Callable[[], int] | None = None
) -> Buttons:
    """Open push buttons, by logical name; see :class:`hardware.gpio.devices.GpioButtons`."""
    from hardware.gpio.devices import DEFAULT_BUTTON_PINS, GpioButtons

    return GpioButtons(DEFAULT_BUTTON_PINS if pins is None else pins, pin_factory=pin_factory, now_ms=now_ms)


def open_buzzer(
    pin: int | None = None, *, passive: bool = True, quiet: bool = False, pin_factory: Any = None
) -> Buzzer:
    """Open the buzzer; see :class:`hardware.gpio.devices.GpioBuzzer`."""
    from hardware.gpio.devices import DEFAULT_BUZZER_PIN, GpioBuzzer

    number = DEFAULT_BUZZER_PIN if pin is None else pin
    return GpioBuzzer(number, passive=passive, quiet=quiet, pin_factory=pin_factory)


def open_lamps(pins: Mapping[int, int] | None = None, *, pin_factory: Any = None) -> Lamps:
    """Open the seats' lamps; see :class:`hardware.gpio.devices.GpioLamps`."""
    from hardware.gpio.devices import DEFAULT_LAMP_PINS, GpioLamps

    return GpioLamps(DEFAULT_LAMP_PINS if pins is None else pins, pin_factory=pin_factory)
