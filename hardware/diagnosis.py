"""The facts behind ``lastcard doctor``: one check a question about reader and pins, with the one thing to do.

Everything about the machine is read below one root directory, so that a made-up machine can be examined;
only the libraries and the live reader are this process's own. How a check is printed is not known here.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from hardware import iso14443a
from hardware.board import ReaderSettings, open_spi, reset_line, spi_devices
from hardware.clock import SystemClock
from hardware.iso14443a import Tag
from hardware.ports import Clock, Collision, DeviceBusyError, DeviceFaultError, HardwareError
from hardware.rc522 import Rc522

# More of a longer file, or of more processes, would not change what is said.
_FILE_BYTES_MAX: Final = 64 * 1024
_PROCESSES_MAX: Final = 10_000
_LOOK_PERIOD_US: Final = 50_000
_UNDER_VOLTAGE_NOW: Final = 0x1
_UNDER_VOLTAGE_BEFORE: Final = 0x10000
# Kernel drivers that overlays bind to a chip select, by what people know them as.
_OVERLAY_DRIVERS: Final = {
    "ads7846": "a touch screen",
    "fb_ili9341": "a small display",
    "ili9341": "a small display",
    "fb_ili9486": "a small display",
    "mcp251x": "a CAN interface",
    "enc28j60": "a network interface",
}


class Status(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Check:
    """One question and its answer. *fix* is the one thing to do; empty if nothing is wrong."""

    name: str
    status: Status
    sentence: str
    fix: str = ""


def _passed(name: str, sentence: str) -> Check:
    return Check(name, Status.PASSED, sentence)


def _failed(name: str, sentence: str, fix: str) -> Check:
    return Check(name, Status.FAILED, sentence, fix)


def _not_checked(name: str, sentence: str, fix: str = "") -> Check:
    return Check(name, Status.NOT_CHECKED, sentence, fix)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who runs the program: user and group numbers."""

    user: int
    groups: frozenset[int]

    @classmethod
    def current(cls) -> Identity:
        return cls(os.geteuid(), frozenset((os.getegid(), *os.getgroups())))


@dataclass(frozen=True, slots=True)
class Machine:
    """What is examined, and as whom."""

    root: Path = Path("/")
    identity: Identity = field(default_factory=Identity.current)

    def text(self, path: str) -> str | None:
        """The text of a small file, or None if it can't be read."""
        try:
            with (self.root / path).open("rb") as file:
                return file.read(_FILE_BYTES_MAX).decode("utf-8", "replace").replace("\0", "").strip()
        except OSError:
            return None

    def exists(self, path: str) -> bool:
        return (self.root / path).exists()

    @property
    def pi_model(self) -> str | None:
        """The board's name if it is a Raspberry Pi."""
        model = self.text("proc/device-tree/model") or ""
        return model if "Raspberry Pi" in model else None

    def group_name(self, number: int) -> str:
        for line in (self.text("etc/group") or "").splitlines():
            parts = line.split(":")
            if len(parts) >= 3 and parts[2] == str(number):
                return parts[0]
        return str(number)

    def lacks_group(self, path: str) -> str | None:
        """The group that would let this user read and write *path*; None if nothing is lacking."""
        status = (self.root / path).stat()
        if self.identity.user in (0, status.st_uid):
            return None
        wanted = 0o060 if status.st_gid in self.identity.groups else 0o006
        return None if status.st_mode & wanted == wanted else self.group_name(status.st_gid)


def check_board(machine: Machine) -> Check:
    model = machine.pi_model
    if model is None:
        return _not_checked("board", "This is not a Raspberry Pi, so nothing of its pins can be checked.")
    return _passed("board", f"This is a {model}.")


def check_system(machine: Machine) -> Check:
    match = re.search(r'^PRETTY_NAME="?([^"\n]*)', machine.text("etc/os-release") or "", re.MULTILINE)
    system = match[1] if match else "An unknown system"
    version = ".".join(str(part) for part in sys.version_info[:3])
    return _passed("system", f"{system}, Python {version}.")


def check_power(machine: Machine) -> Check:
    text = machine.text("sys/devices/platform/soc/soc:firmware/get_throttled")
    try:
        flags = int(text or "", 16)
    except ValueError:
        return _not_checked("power", "This system does not tell whether its supply is good.")
    if flags & (_UNDER_VOLTAGE_NOW | _UNDER_VOLTAGE_BEFORE):
        when = "now" if flags & _UNDER_VOLTAGE_NOW else "since the last start"
        return _failed(
            "power",
            f"The supply is too weak ({when}).",
            "Use the board's own power supply and a short cable.",
        )
    return _passed("power", "The supply has held its voltage since the last start.")


def check_spi(machine: Machine, settings: ReaderSettings) -> Check:
    if machine.exists(settings.path.lstrip("/")):
        return _passed("spi", f"{settings.path} is there.")
    others = [f"/dev/spidev{bus}.{device}" for bus, device in spi_devices(machine.root)]
    if others:
        return _failed(
            "spi",
            f"{settings.path} is not there, but {', '.join(others)} is.",
            "Set the reader to that device.",
        )
    if machine.pi_model is None:
        return _not_checked("spi", "This machine has no SPI device.")
    if "dtparam=spi=on" in _active_lines(machine.text("boot/firmware/config.txt") or ""):
        return _failed("spi", "SPI is switched on, but no device is there.", "Restart the Raspberry Pi.")
    return _failed(
        "spi",
        "SPI is switched off.",
        "Run: sudo raspi-config nonint do_spi 0, then restart the Raspberry Pi.",
    )


def _active_lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]


def check_owner(machine: Machine, settings: ReaderSettings) -> Check:
    """Which kernel driver and which program hold the reader's chip select."""
    device = f"spi{settings.bus}.{settings.device}"
    link = machine.root / f"sys/bus/spi/devices/{device}/driver"
    if link.is_symlink():
        driver = link.readlink().name
        if driver != "spidev":
            what = _OVERLAY_DRIVERS.get(driver, "another device")
            return _failed(
                "owner",
                f"{device} belongs to the kernel driver {driver} ({what}).",
                "Set the reader to another device, or remove that overlay from /boot/firmware/config.txt.",
            )
    elif not machine.exists(settings.path.lstrip("/")):
        return _not_checked("owner", "Without an SPI device nobody can own it.")
    users = _users_of(machine, settings.path)
    if users:
        return _failed(
            "owner",
            f"{settings.path} is open in {', '.join(users)}.",
            "Stop that program, or check with it stopped.",
        )
    return _passed("owner", f"No other program holds {settings.path}.")


def _users_of(machine: Machine, path: str) -> list[str]:
    """Other processes that have *path* open, as far as this user may see them."""
    users = []
    for process in sorted((machine.root / "proc").glob("[0-9]*"))[:_PROCESSES_MAX]:
        if process.name == str(os.getpid()):
            continue
        try:
            targets = [str(entry.readlink()) for entry in (process / "fd").iterdir()]
        except OSError:
            continue
        if path in targets:
            name = machine.text(f"proc/{process.name}/comm") or "a program"
            users.append(f"{name} (process {process.name})")
    return users


def check_permission(machine: Machine, name: str, path: str, purpose: str) -> Check:
    """Whether this user may use the device file *path*."""
    if not machine.exists(path.lstrip("/")):
        return _not_checked(name, f"{path} is not there, so nobody needs leave to open it.")
    group = machine.lacks_group(path.lstrip("/"))
    if group is None:
        return _passed(name, f"This user may open {path} ({purpose}).")
    return _failed(
        name,
        f"This user may not open {path} ({purpose}).",
        f"Run: sudo usermod -aG {group} $USER, then log out and in again.",
    )


def check_library(machine: Machine, name: str, needed: str, fix: str) -> Check:
    """Whether a library that only a Raspberry Pi needs is there and is no empty stub."""
    try:
        library = importlib.import_module(name)
    except (ImportError, RuntimeError, OSError) as error:
        if machine.pi_model is None:
            return _not_checked(f"library {name}", f"{name} is not installed; only a Raspberry Pi needs it.")
        return _failed(f"library {name}", f"{name} can't be imported ({error}).", fix)
    if not hasattr(library, needed):
        return _failed(f"library {name}", f"The installed {name} is an empty stub.", fix)
    return _passed(f"library {name}", f"{name} is installed.")


def check_settings(settings: ReaderSettings) -> Check:
    reset = "no reset line" if settings.reset_pin is None else f"reset on GPIO {settings.reset_pin}"
    return _passed(
        "reader settings",
        f"{settings.path}, {settings.speed_hz / 1e6:g} MHz, gain {settings.gain_db} dB, {reset}.",
    )


LIVE_CHECKS: Final = ("chip", "registers", "antenna", "card")


def check_reader(machine: Machine, settings: ReaderSettings, clock: Clock, card_wait_ms: int) -> list[Check]:
    """Open the reader and try it: chip, registers, antenna and, if *card_wait_ms* is given, a card."""
    try:
        spi = open_spi(settings, machine.root)
    except HardwareError as error:
        if machine.pi_model is None and not spi_devices(machine.root):
            return [_not_checked(name, "There is no reader on this machine.") for name in LIVE_CHECKS]
        if isinstance(error, DeviceBusyError):
            return [_not_checked(name, str(error)) for name in LIVE_CHECKS]
        rest = [_not_checked(name, "The chip could not be reached.") for name in LIVE_CHECKS[1:]]
        return [_failed("chip", "The reader can't be opened.", str(error)), *rest]
    try:
        reset = None if settings.reset_pin is None else reset_line(settings.reset_pin, clock)
        driver = Rc522(spi, clock, gain_db=settings.gain_db, reset=reset, can_burst=settings.can_burst)
    except HardwareError as error:
        spi.close()
        rest = [_not_checked(name, "The chip could not be reached.") for name in LIVE_CHECKS[1:]]
        return [_failed("chip", "The reset line can't be opened.", str(error)), *rest]
    try:
        return _try_reader(driver, settings, clock, card_wait_ms)
    finally:
        driver.close()


def _try_reader(driver: Rc522, settings: ReaderSettings, clock: Clock, card_wait_ms: int) -> list[Check]:
    checks: list[Check] = []
    steps: tuple[tuple[str, Callable[[], Check]], ...] = (
        ("chip", lambda: _check_chip(driver)),
        ("registers", lambda: _check_registers(driver, settings)),
        ("antenna", lambda: _check_antenna(driver)),
        ("card", lambda: _check_card(driver, clock, card_wait_ms)),
    )
    for name, step in steps:
        if any(check.status is Status.FAILED for check in checks):
            checks.append(_not_checked(name, "An earlier check of the reader failed."))
            continue
        try:
            checks.append(step())
        except DeviceFaultError as fault:
            sentence, _, fix = str(fault).partition(". ")
            checks.append(_failed(name, sentence.rstrip(".") + ".", fix or "Switch the reader off and on."))
    return checks


def _check_chip(driver: Rc522) -> Check:
    driver.start()
    if driver.chip_note:
        return _passed("chip", driver.chip_note)
    return _passed("chip", f"An MFRC522 answers (version {driver.version:02X}h).")


def _check_registers(driver: Rc522, settings: ReaderSettings) -> Check:
    changed = driver.test_bus()
    if changed:
        return _failed(
            "registers",
            f"{changed} of 1024 bytes came back changed over SPI.",
            "Use shorter wires (under 20 cm), or a lower SPI speed in the settings.",
        )
    return _passed("registers", f"1024 bytes came back unchanged at {settings.speed_hz / 1e6:g} MHz.")


def _check_antenna(driver: Rc522) -> Check:
    driver.check()
    return _passed("antenna", "The field is on and the chip keeps its settings.")


def _check_card(driver: Rc522, clock: Clock, wait_ms: int) -> Check:
    if wait_ms <= 0:
        return _not_checked("card", "No card was asked for.", "Ask for the card test and lay a card on the reader.")
    until_us = clock.now_us() + wait_ms * 1000
    while True:
        found = iso14443a.identify(driver)
        if isinstance(found, Tag):
            return _passed("card", f"A card was read: {found.uid.hex(' ').upper()}.")
        if isinstance(found, Collision):
            return _failed("card", "Several cards lie on the reader.", "Lay one card alone.")
        if clock.now_us() >= until_us:
            break
        clock.wait_us(_LOOK_PERIOD_US)
    return _failed(
        "card",
        f"No card was read within {wait_ms / 1000:g} s.",
        "Lay the sticker on the middle of the coil, no metal near; then try another sticker.",
    )


def diagnose(
    settings: ReaderSettings | None = None,
    *,
    machine: Machine | None = None,
    clock: Clock | None = None,
    card_wait_ms: int = 0,
) -> list[Check]:
    """Examine the machine and its reader; the order is the one in which to mend.

    :param card_wait_ms: how long to wait for a card in the live test; 0 leaves the test out.
    """
    settings = settings or ReaderSettings()
    machine = machine or Machine()
    return [
        check_board(machine),
        check_system(machine),
        check_power(machine),
        check_spi(machine, settings),
        check_owner(machine, settings),
        check_permission(machine, "permission spi", settings.path, "the reader"),
        check_permission(machine, "permission gpio", "/dev/gpiochip0", "buttons, buzzer and lamps"),
        check_library(machine, "spidev", "SpiDev", "Run: sudo apt install python3-spidev."),
        check_library(machine, "lgpio", "gpiochip_open", "Run: sudo apt install python3-lgpio."),
        check_settings(settings),
        *check_reader(machine, settings, clock or SystemClock(), card_wait_ms),
    ]
