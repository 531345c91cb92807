"""Finds the RC522 that a table means, and starts its driver: at one place, anywhere on the header, or by a package.

Why a place can't be had is ``spi``'s to say, and ``package``'s; which of these ways a word of the settings means is
``hardware.readers``'.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from hardware.header_spi import spi_devices
from hardware.ports import Clock, DeviceBusyError, DeviceFaultError, DeviceNotFoundError, HardwareError
from hardware.rc522.chip import Rc522
from hardware.rc522.package import open_package
from hardware.rc522.spi import ReaderSettings, open_spi, reset_line


@dataclass(frozen=True, slots=True)
class Found:
    """Where a table's reader is, and its driver, started; where there is no driver *fault* says why, of that place."""

    settings: ReaderSettings
    driver: Rc522 | None
    fault: HardwareError | None = None


Finder = Callable[[ReaderSettings, Clock, Path, ReaderSettings | None], Found]
"""From a reader's wiring, a clock, the machine's root and the place of this table's other reader."""


def find_there(settings: ReaderSettings, clock: Clock, root: Path, besides: ReaderSettings | None = None) -> Found:
    """The RC522 on the device of *settings*, and nowhere else."""
    return _found(settings, lambda: _open_on_spi(settings, clock, root))


def find_by_package(settings: ReaderSettings, clock: Clock, root: Path, besides: ReaderSettings | None = None) -> Found:
    """The RC522 of *settings* by the PyPI package ``mfrc522``."""
    return _found(settings, lambda: open_package(settings, clock, root))


def find_anywhere(settings: ReaderSettings, clock: Clock, root: Path, besides: ReaderSettings | None = None) -> Found:
    """The RC522 on the device of *settings*, else on any other of the header but that of *besides*.

    Of several devices without a reader the one that is told about is one that another Last Card holds, else the one
    that is set, else the first that is there.
    """
    choices = [settings]
    for bus, device in spi_devices(root):
        if besides is None or (bus, device) != (besides.bus, besides.device):
            choices.append(replace(settings, bus=bus, device=device))
    tried: list[Found] = []
    for choice in dict.fromkeys(choices):
        tried.append(find_there(choice, clock, root))
        if tried[-1].driver is not None:
            return tried[-1]
    held = [found for found in tried if isinstance(found.fault, DeviceBusyError)]
    there = [found for found in tried if (root / found.settings.path.lstrip("/")).exists()]
    return [*held, *there, *tried][0]


def find_guarded(
    find: Finder, settings: ReaderSettings, clock: Clock, root: Path, besides: ReaderSettings | None
) -> Found:
    """As *find*; what no driver put into a sentence is a fault too, for whoever examines."""
    try:
        return find(settings, clock, root, besides)
    except Exception as error:
        return Found(settings, None, DeviceFaultError(f"{settings.path} fails ({error!r}). Please report this."))


def _found(settings: ReaderSettings, open_driver: Callable[[], Rc522]) -> Found:
    try:
        driver = open_driver()
    except HardwareError as fault:
        return Found(settings, None, fault)
    try:
        driver.start()
    except DeviceFaultError as fault:
        driver.close()
        return Found(settings, None, DeviceNotFoundError(str(fault)))
    except BaseException:
        driver.close()
        raise
    return Found(settings, driver)


def _open_on_spi(settings: ReaderSettings, clock: Clock, root: Path) -> Rc522:
    spi = open_spi(settings, root)
    try:
        reset = None if settings.reset_pin is None else reset_line(settings.reset_pin, clock)
    except BaseException:
        spi.close()
        raise
    return Rc522(spi, clock, gain_db=settings.gain_db, reset=reset, can_burst=settings.can_burst)
