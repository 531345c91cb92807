"""The facts behind ``lastcard doctor``: one check a question about reader and pins, with the one thing to do.

Everything about the machine is read below one root directory, so that a made-up machine can be examined;
only the libraries and the live reader are this process's own. How a check is printed is not known here.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from firmware_bridge.access import Identity, how_to_let_in
from hardware.board import Found, ReaderKind, ReaderSettings, find_driver
from hardware.clock import SystemClock
from hardware.diagnosis.checks import Check, Status, failed, guarded, not_checked, passed
from hardware.diagnosis.live import LIVE_CHECKS, CardTest, check_reader, check_simulated_reader
from hardware.header_spi import HEADER_BUSES, OVERLAY_DRIVERS, config_name, header_spi, spi_devices
from hardware.installing import how_to_install, import_trouble
from hardware.machine import header_chip
from hardware.ports import Clock, DeviceBusyError, DeviceFaultError

__all__ = [
    "LIVE_CHECKS",
    "CardTest",
    "Check",
    "Identity",
    "Machine",
    "Status",
    "check_board",
    "check_reader",
    "check_second_reader",
    "check_system",
    "diagnose",
    "holders",
]

# More of a longer file, or of more processes, would not change what is said.
_FILE_BYTES_MAX: Final = 64 * 1024
_PROCESSES_MAX: Final = 10_000
# What the kernel calls a process of ours: the name of its program.
_PROGRAM: Final = "lastcard"


@dataclass(frozen=True, slots=True)
class Machine:
    """What is examined, and as whom: whoever runs the table.

    *held* is which programs have which device open, where somebody who sees more than *identity* has looked already.
    """

    root: Path = Path("/")
    identity: Identity = field(default_factory=Identity.current)
    held: Mapping[str, list[str]] | None = None

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

    def may_use(self, place: str) -> bool:
        """Whether the user may read and write the device file *place*, such as ``/dev/spidev0.0``.

        :raises OSError: if it is not there.
        """
        return self.identity.may(self.root / place.lstrip("/"))

    def how_to_let_in(self, place: str) -> str:
        """What lets the user, who may not, open *place*."""
        return how_to_let_in(place, self.identity, self.root)


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


def check_spi(machine: Machine, settings: ReaderSettings, wanted: ReaderSettings | None = None) -> Check:
    """The device that the table opens (*settings*), against the one that is set (*wanted*)."""
    if settings.bus not in HEADER_BUSES and machine.pi_model is not None:
        said = f"{settings.path} is no device of the header's: on a Raspberry Pi 5 its boot memory is there."
        return failed("spi", said, "Set [reader] bus to 0.")
    if machine.exists(settings.path.lstrip("/")):
        also = "" if wanted in (None, settings) else f"; the settings name {wanted.path if wanted else ''}"
        return passed("spi", f"{settings.path} is there{also}.")
    others = [f"/dev/spidev{bus}.{device}" for bus, device in spi_devices(machine.root)]
    if others:
        said = f"{settings.path} is not there, but {', '.join(others)} is."
        return failed("spi", said, "Set the reader to that device.")
    if machine.pi_model is None:
        return not_checked("spi", "This machine has no SPI device.")
    found = header_spi(settings.bus, settings.device, machine.root)
    return failed("spi", found.sentence, found.fix)


def check_owner(machine: Machine, settings: ReaderSettings) -> Check:
    """Which kernel driver and which program hold the reader's chip select."""
    device = f"spi{settings.bus}.{settings.device}"
    link = machine.root / f"sys/bus/spi/devices/{device}/driver"
    if link.is_symlink():
        driver = link.readlink().name
        if driver != "spidev":
            what = OVERLAY_DRIVERS.get(driver, "another device")
            return failed(
                "owner",
                f"{device} belongs to the kernel driver {driver} ({what}).",
                f"Set the reader to another device, or remove that overlay from {config_name(machine.root)}.",
            )
    elif not machine.exists(settings.path.lstrip("/")):
        return not_checked("owner", "Without an SPI device nobody can own it.")
    held = holders(machine.root) if machine.held is None else machine.held
    users = held.get(settings.path, [])
    if users and all(user.startswith(f"{_PROGRAM} ") for user in users):
        fix = "To try the reader itself, end that table first."
        return not_checked("owner", f"A table that runs has {settings.path} open: {', '.join(users)}.", fix)
    if users:
        return failed(
            "owner",
            f"{settings.path} is open in {', '.join(users)}.",
            "Stop that program, or check with it stopped.",
        )
    seen = "" if machine.held is not None or machine.identity.user == 0 else " that this user can see"
    return passed("owner", f"No other program{seen} holds {settings.path}.")


def holders(root: Path = Path("/")) -> dict[str, list[str]]:
    """Which other processes have which SPI device open, as far as this user may see them."""
    held: dict[str, list[str]] = {}
    for process in sorted((root / "proc").glob("[0-9]*"))[:_PROCESSES_MAX]:
        if process.name == str(os.getpid()):
            continue
        try:
            targets = {str(entry.readlink()) for entry in (process / "fd").iterdir()}
        except OSError:
            continue
        for target in sorted(targets):
            if target.startswith("/dev/spidev"):
                name = Machine(root).text(f"proc/{process.name}/comm") or "a program"
                held.setdefault(target, []).append(f"{name} (process {process.name})")
    return held


def check_permission(machine: Machine, name: str, path: str, purpose: str) -> Check:
    """Whether the user of the table may use the device file *path*."""
    if not machine.exists(path.lstrip("/")):
        return not_checked(name, f"{path} is not there, so nobody needs leave to open it.")
    user = "This user" if machine.identity.name == "$USER" else f"The user {machine.identity.name}"
    if machine.may_use(path):
        return passed(name, f"{user} may open {path} ({purpose}).")
    return failed(name, f"{user} may not open {path} ({purpose}).", machine.how_to_let_in(path))


def check_library(machine: Machine, name: str, needed: str) -> Check:
    """Whether a library that only a Raspberry Pi needs is there and is no empty stub."""
    is_pi = machine.pi_model is not None
    try:
        library = importlib.import_module(name)
    except (ImportError, RuntimeError, OSError) as error:
        said, fix = import_trouble(name, error, is_pi=is_pi)
        if not is_pi:
            return not_checked(f"library {name}", f"{said} Only a Raspberry Pi needs it.")
        return failed(f"library {name}", said, fix)
    if not hasattr(library, needed):
        fix = f"Remove it: {sys.executable} -m pip uninstall {name}. {how_to_install(name)}"
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


def check_second_reader(settings: ReaderSettings, machine: Machine, clock: Clock | None = None) -> Check:
    """The reader at the draw pile, which a table opens on its own device and nowhere else."""
    found = find_driver("spi", settings, clock or SystemClock(), machine.root)
    name = "reader pile"
    if found.driver is not None:
        version = found.driver.version
        found.driver.close()
        return passed(name, f"It answers on {settings.path}; its chip's version is {version:02X}h.")
    sentence, _, fix = str(found.fault).partition(". ")
    if isinstance(found.fault, DeviceBusyError):
        return not_checked(name, sentence.rstrip(".") + ".", fix)
    return failed(name, sentence.rstrip(".") + ".", fix or "Look at its wires.")


_LIBRARIES: Final = {"spidev": "SpiDev", "mfrc522": "MFRC522", "RPi.GPIO": "setup", "lgpio": "gpiochip_open"}
"""What only a Raspberry Pi needs, by the name that an empty stub lacks; the middle two for their own reader alone."""


def diagnose(
    settings: ReaderSettings | None = None,
    *,
    kind: ReaderKind = "auto",
    machine: Machine | None = None,
    clock: Clock | None = None,
    card: CardTest | None = None,
    besides: ReaderSettings | None = None,
) -> list[Check]:
    """Examine the machine and the reader that a table would open; the order is the one in which to mend.

    *besides* is where the table's other reader is.

    A simulated reader is tried on its own clock, and nothing of the machine's SPI is asked for it.
    """
    wanted = settings or ReaderSettings()
    machine = machine or Machine()
    card = card or CardTest()
    checks = [*guarded("board", lambda: check_board(machine)), *guarded("system", lambda: check_system(machine))]
    if kind == "simulated":
        checks.append(check_settings(wanted, kind))
        return [*checks, *guarded("chip", lambda: check_simulated_reader(wanted, card))]
    clock = clock or SystemClock()
    try:
        found = find_driver(kind, wanted, clock, machine.root, besides)
    except Exception as error:  # what no driver put into a sentence is a finding too
        found = Found(wanted, None, DeviceFaultError(f"{wanted.path} fails ({error!r}). Please report this."))
    chip = header_chip(machine.root)
    pins = "/dev/gpiochip0" if chip is None else chip.path
    asked: list[tuple[str, Callable[[], Check]]] = [
        ("spi", lambda: check_spi(machine, found.settings, wanted)),
        ("owner", lambda: check_owner(machine, found.settings)),
        ("permission spi", lambda: check_permission(machine, "permission spi", found.settings.path, "the reader")),
        ("permission gpio", lambda: check_permission(machine, "permission gpio", pins, "buttons, buzzer and lamps")),
    ]
    for name, one in asked:
        checks += guarded(name, one)
    for name, needed in _LIBRARIES.items():
        if name in ("spidev", "lgpio") or kind == "mfrc522":
            checks += guarded(f"library {name}", partial(check_library, machine, name, needed))
    checks.append(check_settings(found.settings, kind))
    # On a laptop without SPI nothing is wrong, unless the reader was asked for by its name.
    is_asked_for = machine.pi_model is not None or kind == "mfrc522"
    live = guarded("chip", lambda: check_reader(found, clock, card, root=machine.root, is_asked_for=is_asked_for))
    return [*checks, *live]
