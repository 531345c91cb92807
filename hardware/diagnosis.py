"""The facts behind ``lastcard doctor``: one check a question about reader and pins, with the one thing to do.

Everything about the machine is read below one root directory, so that a made-up machine can be examined;
only the libraries and the live reader are this process's own. How a check is printed is not known here.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hardware.board import ReaderKind, ReaderSettings, spi_devices
from hardware.checks import Check, Status, failed, not_checked, passed
from hardware.clock import SystemClock
from hardware.diagnosis_live import LIVE_CHECKS, CardTest, check_reader
from hardware.installing import how_to_install
from hardware.ports import Clock

__all__ = [
    "LIVE_CHECKS",
    "CardTest",
    "Check",
    "Identity",
    "Machine",
    "Status",
    "check_board",
    "check_reader",
    "check_system",
    "diagnose",
]

# More of a longer file, or of more processes, would not change what is said.
_FILE_BYTES_MAX: Final = 64 * 1024
_PROCESSES_MAX: Final = 10_000
# Kernel drivers that overlays bind to a chip select, by what people know them as.
_OVERLAY_DRIVERS: Final = {
    "ads7846": "a touch screen",
    "fb_ili9341": "a small display",
    "ili9341": "a small display",
    "fb_ili9486": "a small display",
    "mcp251x": "a CAN interface",
    "enc28j60": "a network interface",
}


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
        return not_checked("board", "This is not a Raspberry Pi, so nothing of its pins can be checked.")
    return passed("board", f"This is a {model}.")


def check_system(machine: Machine) -> Check:
    match = re.search(r'^PRETTY_NAME="?([^"\n]*)', machine.text("etc/os-release") or "", re.MULTILINE)
    system = match[1] if match else "An unknown system"
    version = ".".join(str(part) for part in sys.version_info[:3])
    return passed("system", f"{system}, Python {version}.")


def check_spi(machine: Machine, settings: ReaderSettings) -> Check:
    if machine.exists(settings.path.lstrip("/")):
        return passed("spi", f"{settings.path} is there.")
    others = [f"/dev/spidev{bus}.{device}" for bus, device in spi_devices(machine.root)]
    if others:
        return failed(
            "spi",
            f"{settings.path} is not there, but {', '.join(others)} is.",
            "Set the reader to that device.",
        )
    if machine.pi_model is None:
        return not_checked("spi", "This machine has no SPI device.")
    if "dtparam=spi=on" in _active_lines(machine.text("boot/firmware/config.txt") or ""):
        return failed("spi", "SPI is switched on, but no device is there.", "Restart the Raspberry Pi.")
    return failed(
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
            return failed(
                "owner",
                f"{device} belongs to the kernel driver {driver} ({what}).",
                "Set the reader to another device, or remove that overlay from /boot/firmware/config.txt.",
            )
    elif not machine.exists(settings.path.lstrip("/")):
        return not_checked("owner", "Without an SPI device nobody can own it.")
    users = _users_of(machine, settings.path)
    if users:
        return failed(
            "owner",
            f"{settings.path} is open in {', '.join(users)}.",
            "Stop that program, or check with it stopped.",
        )
    return passed("owner", f"No other program holds {settings.path}.")


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
        return not_checked(name, f"{path} is not there, so nobody needs leave to open it.")
    group = machine.lacks_group(path.lstrip("/"))
    if group is None:
        return passed(name, f"This user may open {path} ({purpose}).")
    return failed(
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
            return not_checked(f"library {name}", f"{name} is not installed; only a Raspberry Pi needs it.")
        return failed(f"library {name}", f"{name} can't be imported ({error}).", fix)
    if not hasattr(library, needed):
        return failed(f"library {name}", f"The installed {name} is an empty stub.", fix)
    return passed(f"library {name}", f"{name} is installed.")


def check_settings(settings: ReaderSettings, kind: ReaderKind = "auto") -> Check:
    if kind == "simulated":
        return passed("reader settings", "The reader is a simulated one, as was asked for.")
    reset = "no reset line" if settings.reset_pin is None else f"reset on GPIO {settings.reset_pin}"
    return passed(
        "reader settings",
        f"{settings.path}, {settings.speed_hz / 1e6:g} MHz, gain {settings.gain_db} dB, {reset}; kind {kind}.",
    )


def check_libraries(machine: Machine, kind: ReaderKind) -> list[Check]:
    """The libraries that this kind of reader and the pins need."""
    needed = [check_library(machine, "lgpio", "gpiochip_open", f"Run: {how_to_install('lgpio', 'python3-lgpio')}")]
    if kind == "mfrc522":
        pip = f"Run: {sys.executable} -m pip install --no-deps mfrc522==0.0.7"
        needed.insert(0, check_library(machine, "mfrc522", "MFRC522", pip))
        lgpio = f"Run: {how_to_install('rpi-lgpio', 'python3-rpi-lgpio')}"
        needed.insert(1, check_library(machine, "RPi.GPIO", "setup", lgpio))
    return [check_library(machine, "spidev", "SpiDev", f"Run: {how_to_install('spidev', 'python3-spidev')}"), *needed]


def diagnose(
    settings: ReaderSettings | None = None,
    *,
    kind: ReaderKind = "auto",
    machine: Machine | None = None,
    clock: Clock | None = None,
    card: CardTest | None = None,
) -> list[Check]:
    """Examine the machine and its reader; the order is the one in which to mend.

    A simulated reader is tried on its own clock, and nothing of the machine's SPI is asked for it.
    """
    settings = settings or ReaderSettings()
    machine = machine or Machine()
    wires = []
    if kind != "simulated":
        wires = [
            check_spi(machine, settings),
            check_owner(machine, settings),
            check_permission(machine, "permission spi", settings.path, "the reader"),
            check_permission(machine, "permission gpio", "/dev/gpiochip0", "buttons, buzzer and lamps"),
            *check_libraries(machine, kind),
        ]
    return [
        check_board(machine),
        check_system(machine),
        *wires,
        check_settings(settings, kind),
        *check_reader(
            settings,
            kind,
            clock or SystemClock(),
            card or CardTest(),
            root=machine.root,
            is_pi=machine.pi_model is not None,
        ),
    ]
