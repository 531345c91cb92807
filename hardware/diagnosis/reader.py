"""The facts behind ``lastcard doctor``: one check a question about reader and pins, with the one thing to do.

Everything about the machine is read below one root directory, so that a made-up machine can be examined;
only the libraries and the live reader are this process's own. How a check is printed is not known here.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from firmware_bridge.access import Identity, how_to_let_in
from hardware.clock import SystemClock
from hardware.diagnosis.checks import Check, Status, failed, guarded, not_checked, passed
from hardware.header_spi import HEADER_BUSES, OVERLAY_DRIVERS, config_name, header_spi, spi_devices
from hardware.installing import how_to_install, import_trouble
from hardware.machine import header_chip
from hardware.ports import Clock, Collision, DeviceBusyError, DeviceFaultError, TagGoneError, TagRefusedError
from hardware.rc522.chip import Rc522
from hardware.rc522.opening import Found, find_there
from hardware.rc522.spi import ReaderSettings
from hardware.tags import iso14443a
from hardware.tags.iso14443a import Tag
from hardware.tags.reader import converse
from hardware.tags.sticker import WANTED

# More of a longer file, or of more processes, would not change what is said.
_FILE_BYTES_MAX: Final = 64 * 1024
_PROCESSES_MAX: Final = 10_000
_LOOK_PERIOD_US: Final = 50_000
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


def check_machine(machine: Machine) -> list[Check]:
    """What holds whichever reader there is."""
    return [*guarded("board", lambda: check_board(machine)), *guarded("system", lambda: check_system(machine))]


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


def check_settings(settings: ReaderSettings, about: str) -> Check:
    reset = "no reset line" if settings.reset_pin is None else f"reset on GPIO {settings.reset_pin}"
    return passed(
        "reader settings",
        f"{settings.path}, {settings.speed_hz / 1e6:g} MHz, gain {settings.gain_db} dB, {reset}; {about}.",
    )


def check_second_reader(settings: ReaderSettings, machine: Machine, clock: Clock | None = None) -> Check:
    """The reader at the draw pile, which a table opens on its own device and nowhere else."""
    found = find_there(settings, clock or SystemClock(), machine.root)
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
"""What only a Raspberry Pi needs, by the name that an empty stub lacks; each kind of reader says which it needs."""


def examine_rc522(
    found: Found,
    wanted: ReaderSettings,
    about: str,
    libraries: Sequence[str],
    machine: Machine,
    clock: Clock,
    card: CardTest,
    is_for_sure: bool,
) -> list[Check]:
    """Wires, leave, *libraries* and the live chip of an RC522 that was looked for at *wanted*.

    *about* says more of it; *is_for_sure*: it was named, so its lack is a fault on a machine without SPI too.
    """
    chip = header_chip(machine.root)
    pins = "/dev/gpiochip0" if chip is None else chip.path
    asked: list[tuple[str, Callable[[], Check]]] = [
        ("spi", lambda: check_spi(machine, found.settings, wanted)),
        ("owner", lambda: check_owner(machine, found.settings)),
        ("permission spi", lambda: check_permission(machine, "permission spi", found.settings.path, "the reader")),
        ("permission gpio", lambda: check_permission(machine, "permission gpio", pins, "buttons, buzzer and lamps")),
        *((f"library {name}", partial(check_library, machine, name, _LIBRARIES[name])) for name in libraries),
        ("reader settings", lambda: check_settings(found.settings, about)),
    ]
    checks = [check for name, one in asked for check in guarded(name, one)]
    is_asked_for = machine.pi_model is not None or is_for_sure
    live = guarded("chip", lambda: check_reader(found, clock, card, root=machine.root, is_asked_for=is_asked_for))
    return [*checks, *live]


# -- the reader itself -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardTest:
    """How long the live test waits for a card (0: it is left out), and what is called when it begins to."""

    wait_ms: int = 0
    ask: Callable[[], object] = lambda: None


LIVE_CHECKS: Final = ("chip", "registers", "antenna", "card")


def check_reader(found: Found, clock: Clock, card: CardTest, *, root: Path, is_asked_for: bool) -> list[Check]:
    """Try the reader that was found: chip, registers, antenna and, if a card is asked for, a card; then close it."""
    fault = found.fault
    if found.driver is not None:
        try:
            return _try_reader(found.driver, found.settings, clock, card)
        finally:
            found.driver.close()
    if isinstance(fault, DeviceBusyError):
        return [not_checked(name, str(fault)) for name in LIVE_CHECKS]
    if not is_asked_for and not spi_devices(root):
        return [not_checked(name, "There is no reader on this machine.") for name in LIVE_CHECKS]
    sentence, _, fix = str(fault).partition(". ")
    rest = [not_checked(name, "The chip could not be reached.") for name in LIVE_CHECKS[1:]]
    return [failed("chip", sentence.rstrip(".") + ".", fix or "Switch the reader off and on."), *rest]


def examine_simulated(settings: ReaderSettings, card: CardTest) -> list[Check]:
    """A simulated reader, on a clock of its own; a simulated tag lies on it, and nothing of the machine is asked."""
    from hardware.simulated import Ntag213, SimulatedPad

    pad = SimulatedPad(speed_hz=settings.speed_hz, gain_db=settings.gain_db)
    pad.place(Ntag213(bytes.fromhex("04112233445566")))
    about = passed("reader settings", "The reader is a simulated one, as was asked for.")
    return [about, *guarded("chip", lambda: _try_reader(pad.driver, settings, pad.clock, card))]


def _try_reader(driver: Rc522, settings: ReaderSettings, clock: Clock, card: CardTest) -> list[Check]:
    checks: list[Check] = []
    steps: tuple[tuple[str, Callable[[], Check]], ...] = (
        ("chip", lambda: _check_chip(driver)),
        ("registers", lambda: _check_registers(driver, settings)),
        ("antenna", lambda: _check_antenna(driver)),
        ("card", lambda: _check_card(driver, clock, card)),
    )
    for name, step in steps:
        if any(check.status is Status.FAILED for check in checks):
            checks.append(not_checked(name, "An earlier check of the reader failed."))
            continue
        try:
            checks.append(step())
        except DeviceFaultError as fault:
            sentence, _, fix = str(fault).partition(". ")
            checks.append(failed(name, sentence.rstrip(".") + ".", fix or "Switch the reader off and on."))
    return checks


def _check_chip(driver: Rc522) -> Check:
    driver.start()
    if driver.chip_note:
        return passed("chip", driver.chip_note)
    return passed("chip", f"An MFRC522 answers (version {driver.version:02X}h).")


def _check_registers(driver: Rc522, settings: ReaderSettings) -> Check:
    changed = driver.test_bus()
    if changed:
        return failed(
            "registers",
            f"{changed} of 1024 bytes came back changed over SPI.",
            "Use shorter wires (under 20 cm), or a lower SPI speed in the settings.",
        )
    return passed("registers", f"1024 bytes came back unchanged at {settings.speed_hz / 1e6:g} MHz.")


def _check_antenna(driver: Rc522) -> Check:
    driver.check()
    return passed("antenna", "The field is on and the chip keeps its settings.")


def _check_card(driver: Rc522, clock: Clock, card: CardTest) -> Check:
    wait_ms = card.wait_ms
    if wait_ms <= 0:
        return not_checked("card", "No card was asked for.", "Ask for the card test and lay a card on the reader.")
    card.ask()
    until_us = clock.now_us() + wait_ms * 1000
    while True:
        found = iso14443a.identify(driver)
        if isinstance(found, Tag):
            return _read_card(driver, found)
        if isinstance(found, Collision):
            return failed("card", "Several cards lie on the reader.", "Lay one card alone.")
        if clock.now_us() >= until_us:
            break
        clock.wait_us(_LOOK_PERIOD_US)
    return failed(
        "card",
        f"No card was read within {wait_ms / 1000:g} s.",
        f"Lay the sticker on the middle of the coil, no metal near; then try another. {WANTED}",
    )


def _read_card(driver: Rc522, found: Tag) -> Check:
    """The reader works; what it read is judged as everywhere."""
    from hardware.diagnosis.examining import examine  # ndeflib is needed only where a tag is looked at

    read = f"A card was read: {found.uid.hex(' ').upper()}"
    try:
        sticker = converse(driver, examine)
    except (TagGoneError, TagRefusedError):
        return passed("card", f"{read}. It left before more could be told.")
    return passed("card", f"{read}, {sticker.chip}. {sticker.sentence} {sticker.mend}".rstrip())
