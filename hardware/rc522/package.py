"""The PyPI package ``mfrc522`` under our own driver, for tables that are wired and installed for it.

Only the package's register access is used. Its own reading of tags gives four-byte ids, waits two thousand
transfers for an empty field and takes silence for success; and its clean-up resets every pin of the
process, so it is never called: this module frees its own pin alone.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Final

from firmware_bridge.access import Identity, how_to_let_in
from hardware.header_spi import HEADER_BUSES
from hardware.installing import import_trouble
from hardware.machine import header_chip, is_raspberry_pi
from hardware.ports import Clock, DeviceFaultError, DeviceNotFoundError, DevicePermissionError
from hardware.rc522.chip import Rc522, SingleTransfers
from hardware.rc522.spi import ReaderSettings, missing_spi

# RPi.GPIO's numbers for "pins are BCM numbers" and the reset pin that wiring guides use. The package's own
# default in BCM mode is GPIO 15, the serial port's.
_BCM: Final = 11
DEFAULT_RESET_PIN: Final = 25


class PackageTransfer:
    """``xfer2`` and ``close`` over an ``mfrc522.MFRC522`` object's register access, one byte a transfer."""

    def __init__(self, package_reader: Any, gpio: Any, reset_pin: int) -> None:
        self._reader = package_reader
        self._gpio = gpio
        self._reset_pin = reset_pin
        self._closed = False

    def xfer2(self, data: list[int]) -> list[int]:
        register = data[0] >> 1 & 0x3F
        if data[0] & 0x80:
            return [0, self._reader.Read_MFRC522(register)]
        self._reader.Write_MFRC522(register, data[1])
        return [0, 0]

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._reader.spi.close()
        self._gpio.cleanup(self._reset_pin)


def open_package(settings: ReaderSettings, clock: Clock, root: Path = Path("/")) -> Rc522:
    """Build the driver on the package.

    :raises DeviceNotFoundError: if the package, RPi.GPIO or the SPI device is missing.
    :raises DevicePermissionError: if this user may not open them.
    """
    gpio, package = (_import(module, root) for module in ("RPi.GPIO", "mfrc522"))
    if settings.bus not in HEADER_BUSES and is_raspberry_pi(root):
        raise DeviceNotFoundError(f"{settings.path} is no device of the header's. Set [reader] bus to 0.")
    reset_pin = DEFAULT_RESET_PIN if settings.reset_pin is None else settings.reset_pin
    try:
        if gpio.getmode() is None:
            gpio.setmode(gpio.BCM)
        elif gpio.getmode() != gpio.BCM:
            raise DeviceFaultError(
                "Another part of this program numbers GPIO pins by their place on the header (BOARD). "
                "Choose the reader 'spi', which needs no GPIO."
            )
        reader = package.MFRC522(
            bus=settings.bus,
            device=settings.device,
            spd=settings.speed_hz,
            pin_mode=_BCM,
            pin_rst=reset_pin,
            debugLevel="CRITICAL",
        )
    except FileNotFoundError as error:
        raise missing_spi(settings, root) from error
    except PermissionError as error:
        raise DevicePermissionError(_lacking_leave(settings, root)) from error
    # SingleTransfers does the splitting; the package has nothing larger than one register.
    transfer = SingleTransfers(PackageTransfer(reader, gpio, reset_pin))
    return Rc522(transfer, clock, gain_db=settings.gain_db)


def _import(module: str, root: Path) -> Any:
    try:
        return importlib.import_module(module)
    except (ImportError, RuntimeError, OSError) as error:
        # RPi.GPIO and rpi-lgpio raise RuntimeError on a machine they don't know, a Pi 5 with RPi.GPIO too.
        said, fix = import_trouble(module, error, is_pi=is_raspberry_pi(root))
        raise DeviceNotFoundError(f"{said} {fix}") from error


def _lacking_leave(settings: ReaderSettings, root: Path) -> str:
    """Which of the two devices this user may not open, and what to do."""
    chip = header_chip(root)
    places = (settings.path, "/dev/gpiomem" if chip is None else chip.path)
    identity = Identity.current()
    for place in places:
        path = root / place.lstrip("/")
        if path.exists() and not identity.may(path):
            return f"This user may not open {place}. {how_to_let_in(place, identity, root)}"
    return f"This user may not open {' or '.join(places)}. {how_to_let_in(settings.path, identity, root)}"
