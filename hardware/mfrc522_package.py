"""The PyPI package ``mfrc522`` under our own driver, for tables that are wired and installed for it.

Only the package's register access is used. Its own reading of tags gives four-byte ids, waits two thousand
transfers for an empty field and takes silence for success; and its clean-up resets every pin of the
process, so it is never called: this module frees its own pin alone.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any, Final

from hardware.ports import Clock, DeviceFaultError, DeviceNotFoundError, DevicePermissionError
from hardware.rc522 import Rc522
from hardware.spi import SingleTransfers

if TYPE_CHECKING:
    from hardware.board import ReaderSettings

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


def open_package(settings: ReaderSettings, clock: Clock) -> Rc522:
    """Build the driver on the package.

    :raises DeviceNotFoundError: if the package, RPi.GPIO or the SPI device is missing.
    :raises DevicePermissionError: if this user may not open them.
    """
    try:
        gpio = importlib.import_module("RPi.GPIO")
        package = importlib.import_module("mfrc522")
    except (ImportError, RuntimeError) as error:
        # RPi.GPIO and rpi-lgpio raise RuntimeError on a machine they don't know, a Pi 5 with RPi.GPIO too.
        raise DeviceNotFoundError(
            f"The package mfrc522 can't be used here ({error}). Install it: {sys.executable} -m pip install "
            "--no-deps mfrc522==0.0.7; "
            "on a Raspberry Pi 5 replace RPi.GPIO with rpi-lgpio. Or choose the reader 'spi', "
            "which needs neither."
        ) from error
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
        raise DeviceNotFoundError(
            f"{settings.path} is not there. On a Raspberry Pi switch SPI on: "
            "sudo raspi-config nonint do_spi 0, then restart."
        ) from error
    except PermissionError as error:
        raise DevicePermissionError(
            f"This user may not open {settings.path} or the GPIO pins. "
            "Run: sudo usermod -aG spi,gpio $USER, then log out and in again."
        ) from error
    # SingleTransfers does the splitting; the package has nothing larger than one register.
    transfer = SingleTransfers(PackageTransfer(reader, gpio, reset_pin))
    return Rc522(transfer, clock, gain_db=settings.gain_db)
