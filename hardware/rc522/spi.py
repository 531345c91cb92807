"""SPI on the header, as an RC522 needs it: how it is wired, the device opened, and in a sentence why it can't be.

What a healthy machine looks like in detail, check by check, is ``hardware.diagnosis``; which devices are tried in which
order is ``opening``.
"""

from __future__ import annotations

import errno
import importlib
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from firmware_bridge.access import Identity, how_to_let_in
from hardware.header_spi import HEADER_BUSES, config_name, header_spi, spi_devices
from hardware.installing import how_to_install
from hardware.machine import is_raspberry_pi
from hardware.ports import (
    Clock,
    DeviceBusyError,
    DeviceFaultError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
)
from hardware.rc522.chip import DEFAULT_GAIN_DB, DEFAULT_SPEED_HZ, GAINS_DB, SpiTransfer

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
    from hardware.gpio.devices import open_output  # gpiozero is needed only where a reset line is wired

    line = open_output(pin, initially_high=True, pin_factory=pin_factory)

    def pulse() -> None:
        line.off()
        clock.wait_us(_RESET_PULSE_US)
        line.on()

    return pulse
