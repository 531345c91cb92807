"""The box's part of ``lastcard doctor``: screen, fingers, pins, sound, service, disk, supply and clock.

Facts come from ``hardware.machine`` and ``display.bring_up``, below the same root; here each becomes a check with the
one thing to do. Reader and pins in detail are ``hardware.diagnosis.reader``; how a check is printed is not known here.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware.clock import is_synchronised
from hardware.diagnosis.checks import Check, Status, guarded
from hardware.diagnosis.reader import Machine
from hardware.header_spi import config_name, says_for_this_board
from hardware.installing import how_to_install
from hardware.machine import (
    ClockState,
    Keeping,
    Overlay,
    Supply,
    clock_state,
    gpio_chips,
    header_chip,
    is_raspberry_pi,
    keeping,
    overlay,
    overlay_word,
    supply,
    timekeeper,
)
from table_app.appliance.service import READY_FILE
from table_app.display.bring_up import connectors, plan
from table_app.settings import Settings

# A match is some kilobytes; below this the system itself soon stops working.
FREE_BYTES_MIN: Final = 50 * 1024 * 1024
SERVICE_PATH: Final = "usr/lib/systemd/system/lastcard.service"
SERVICE_ENABLED: Final = "etc/systemd/system/multi-user.target.wants/lastcard.service"
BOX_SETTINGS: Final = "etc/lastcard/lastcard.toml"
BOX_STATE: Final = "var/lib/lastcard"
OVERLAY_PAGE: Final = "/usr/share/doc/lastcard/README.md"
"""Where the package puts ``systemd/README.md``."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How the table shall sound: the settings ``sound`` and ``buzzer-loudness``, and whether a buzzer can be there."""

    sound: str = "auto"
    loudness: str = "loud"
    has_buzzer: bool = True


def voice_of(settings: Settings) -> Voice:
    """How the table shall sound."""
    return Voice(settings.text("pins", "sound"), settings.text("pins", "buzzer-loudness"))


def is_box(machine: Machine) -> bool:
    """Whether a table starts by itself on this machine."""
    return (machine.root / SERVICE_ENABLED).is_symlink()


def appliance_checks(
    machine: Machine, directory: Path, environment: Mapping[str, str] = os.environ, voice: Voice = Voice()
) -> list[Check]:
    """All checks of the box, in the order in which to mend. *directory* is where the record is kept."""
    asked: dict[str, Callable[[], Check]] = {
        "pygame": check_pygame,
        "display": lambda: check_display(machine, environment),
        "drm card": lambda: check_card(machine),
        "input": lambda: check_input(machine),
        "gpiochip": lambda: check_gpiochip(machine),
        "audio": lambda: check_audio(machine, voice),
        "service": lambda: check_service(machine),
        "disk": lambda: check_disk(machine, directory),
        "overlay": lambda: check_keeping(machine, directory),
        "undervoltage": lambda: check_supply(machine),
        "clock": lambda: check_clock(machine),
    }
    return [check for name, examine in asked.items() for check in guarded(name, examine)]


def check_pygame() -> Check:
    """Exactly one of the two packages that import as pygame; with both, which one wins is chance."""
    found = {}
    for name in ("pygame-ce", "pygame"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    if len(found) > 1:
        pip = f"{sys.executable} -m pip"
        fix = f"Run: {pip} uninstall pygame pygame-ce, then: {pip} install pygame-ce"
        return Check(
            "pygame", Status.FAILED, "pygame and pygame-ce are both installed; they overwrite each other.", fix
        )
    if not found:
        return Check("pygame", Status.FAILED, "Neither pygame-ce nor pygame is installed.", how_to_install("pygame"))
    name, version = next(iter(found.items()))
    return Check("pygame", Status.PASSED, f"{name} {version} is installed, and no second one.")


def check_display(machine: Machine, environment: Mapping[str, str]) -> Check:
    """Which driver the table would take, and why not the others."""
    made = plan(machine.root, environment)
    asked = environment.get("SDL_VIDEODRIVER")
    if asked:
        return Check("display", Status.PASSED, made.left_out[0])
    why_not = " ".join(f"Not {sentence}" for sentence in made.left_out)
    if not made.attempts:
        # No fault: a terminal, or in a box reader, buttons and buzzer, make a table. What is broken fails below.
        way = "runs with buzzer, buttons and tags" if is_box(machine) else "goes on in the terminal"
        said = f"There is no screen; the table {way}. {why_not}"
        return Check("display", Status.NOT_CHECKED, said, _how_to_force_a_screen(machine))
    first = made.attempts[0]
    return Check("display", Status.PASSED, f"{first.driver}: {first.reason}. {why_not}".strip())


def _how_to_force_a_screen(machine: Machine) -> str:
    """What makes a screen seen that is plugged in and does not say so; empty where there is no HDMI socket on a Pi.

    Many small panels leave the hot-plug line open. config.txt's ``hdmi_force_hotplug`` is for the driver before this
    one (raspberrypi/linux issue 5178).
    """
    sockets = sorted(
        {entry.name.partition("-")[2] for entry in (machine.root / "sys/class/drm").glob("card*-HDMI-A-*")}
    )
    if not sockets or not is_raspberry_pi(machine.root):
        return ""
    place = config_name(machine.root).replace("config.txt", "cmdline.txt")
    forced = re.findall(r"\bvideo=(HDMI-A-\d+):\S*[eD](?:\s|$)", machine.text("proc/cmdline") or "")
    free = [name for name in sockets if name not in forced]
    also = ""
    if says_for_this_board("hdmi_force_hotplug", machine.root):
        also = " hdmi_force_hotplug in config.txt does nothing for this driver."
    if forced and not free:
        return f"{' and '.join(forced)} is forced on in {place}, and not there all the same: restart the Raspberry Pi."
    return (
        "If one is plugged in, switch it on and restart. If it has no hot-plug line, add "
        f"video={free[0]}:1024x600@60D, with its own size, to the one line of {place}, then restart.{also}"
    )


def check_card(machine: Machine) -> Check:
    """The DRM cards and what is plugged into them, and whether this user may open the one."""
    cards = sorted(entry.name for entry in (machine.root / "dev/dri").glob("card*"))
    if not cards:
        if not is_raspberry_pi(machine.root):
            return Check("drm card", Status.NOT_CHECKED, "This machine has no DRM card.")
        place = config_name(machine.root)
        if says_for_this_board("dtoverlay=vc4-f?kms-v3d", machine.root):
            fix = f"{place} has its line already: restart, and if it is still missing: journalctl -k --grep vc4"
        else:
            fix = f"Put the lines [all] and dtoverlay=vc4-kms-v3d at the end of {place} and restart."
        return Check("drm card", Status.FAILED, "There is no DRM card.", fix)
    plugged = connectors(machine.root)
    said = ", ".join(f"{one.name} of card{one.card}" for one in plugged) or "nothing"
    for one in plugged:
        place = f"/dev/dri/card{one.card}"
        if _is_closed(machine, place):
            said = f"This user may not open {place}."
            return Check("drm card", Status.FAILED, said, machine.how_to_let_in(place))
    return Check("drm card", Status.PASSED, f"{', '.join(cards)}; plugged in: {said}.")


def check_input(machine: Machine) -> Check:
    """Touch and keys need the event devices; SDL says nothing when it may not read them."""
    devices = sorted((machine.root / "dev/input").glob("event*"))
    if not devices:
        return Check("input", Status.NOT_CHECKED, "There is no touch screen, mouse or keyboard.")
    for device in devices:
        place = f"/dev/input/{device.name}"
        if _is_closed(machine, place):
            said = f"This user may not read {place}: without a desktop touch and keys would be dead."
            return Check("input", Status.FAILED, said, machine.how_to_let_in(place))
    return Check("input", Status.PASSED, f"This user may read {len(devices)} input devices.")


def _is_closed(machine: Machine, place: str) -> bool:
    """Whether the device *place* is there and the user may not open it."""
    try:
        return not machine.may_use(place)
    except OSError:
        return False


def check_gpiochip(machine: Machine) -> Check:
    """Which chip has the header's pins; told by its label."""
    chip = header_chip(machine.root)
    if chip is not None:
        return Check("gpiochip", Status.PASSED, f"The header's pins are those of {chip.path} ({chip.label}).")
    if not is_raspberry_pi(machine.root):
        return Check("gpiochip", Status.NOT_CHECKED, "This machine has no header with pins.")
    known = ", ".join(f"{chip.path} ({chip.label or 'no label'})" for chip in gpio_chips(machine.root)) or "none"
    fix = "Update the kernel: sudo apt update, then sudo apt full-upgrade, then restart."
    return Check("gpiochip", Status.FAILED, f"No gpiochip carries the header's pins (there are: {known}).", fix)


def check_audio(machine: Machine, voice: Voice = Voice()) -> Check:
    """Whether there is a sound card, and what the table does with it; a table can do without."""
    lines = [line for line in (machine.text("proc/asound/cards") or "").splitlines() if "]:" in line]
    names = ", ".join(line.partition("]:")[2].strip() for line in lines)
    found = f"Sound: {names}" if lines else "There is no sound card"
    if voice.loudness == "off":
        return Check("audio", Status.NOT_CHECKED, f"{found}; the settings say that the table makes no sound.")
    if not voice.has_buzzer and (voice.sound == "buzzer" or (not lines and voice.sound == "auto")):
        return Check("audio", Status.NOT_CHECKED, f"{found}, and no pin for a buzzer; the table is silent.")
    if voice.sound == "buzzer":
        return Check(
            "audio", Status.PASSED if lines else Status.NOT_CHECKED, f"{found}; the table uses its buzzer alone."
        )
    if not lines and voice.sound == "loudspeaker":
        fix = "Connect a sound card, or set sound in [pins] to auto."
        return Check("audio", Status.FAILED, f"{found}, and the settings ask for a loudspeaker.", fix)
    if not lines:
        return Check("audio", Status.NOT_CHECKED, f"{found}; the buzzer is the table's only voice.")
    for device in sorted((machine.root / "dev/snd").glob("pcm*p")):
        place = f"/dev/snd/{device.name}"
        if _is_closed(machine, place):
            said = f"This user may not play on {place}."
            return Check("audio", Status.FAILED, said, machine.how_to_let_in(place))
    use = "the table's voice" if voice.sound == "loudspeaker" else "the table's voice where no buzzer opens"
    return Check("audio", Status.PASSED, f"{found}: {use}, {voice.loudness}.")


def check_service(machine: Machine) -> Check:
    """Whether the table starts by itself, and runs."""
    if not machine.exists(SERVICE_PATH):
        return Check(
            "service", Status.NOT_CHECKED, "The package lastcard is not installed, so nothing starts by itself."
        )
    runs = _is_ready(machine)
    state = "runs" if runs else "does not run"
    if not (machine.root / SERVICE_ENABLED).is_symlink():
        said = f"The service {state} and does not start by itself."
        return Check("service", Status.NOT_CHECKED, said, "To change that run: sudo systemctl enable --now lastcard.")
    if not runs:
        fix = "Look why: journalctl -u lastcard -b."
        return Check("service", Status.FAILED, "The service should have started, and does not run.", fix)
    return Check("service", Status.PASSED, "The service starts by itself and runs.")


def _is_ready(machine: Machine) -> bool:
    """Whether the process that last said that it is ready is still there. The directory alone says nothing: it
    outlives a crash, and a table that falls over at each start has it all the time."""
    process = (machine.text(f"run/lastcard/{READY_FILE}") or "").strip()
    return process.isdigit() and machine.exists(f"proc/{process}")


def _standing(directory: Path) -> Path:
    """The directory or the nearest one above it that is there."""
    return next((place for place in (directory, *directory.parents) if place.exists()), Path("/"))


def check_disk(machine: Machine, directory: Path) -> Check:
    """Room for the record."""
    try:
        free = shutil.disk_usage(_standing(machine.root / str(directory).lstrip("/"))).free
    except OSError as error:
        return Check("disk", Status.NOT_CHECKED, f"The disk can't be asked ({error.strerror}).")
    if free < FREE_BYTES_MIN:
        fix = "Make room: sudo apt clean, and take away what is not needed."
        return Check("disk", Status.FAILED, f"Only {free // 1_000_000} MB are free where the record is kept.", fix)
    return Check("disk", Status.PASSED, f"{free // 1_000_000} MB are free where the record is kept.")


def check_keeping(machine: Machine, directory: Path) -> Check:
    """Whether what is written there is still there after the plug was pulled."""
    found, stands = keeping(directory, machine.root), overlay(machine.root)
    if stands is Overlay.NOT_ACTIVE and found is Keeping.KEPT:
        said = f"{overlay_word(machine.root)} was asked for and is not active: all that is written goes to the card."
        fix = "Make it anew: sudo update-initramfs -u, then restart. Or take that word out of cmdline.txt."
        return Check("overlay", Status.NOT_CHECKED, said, fix)
    if found is Keeping.KEPT:
        also = "; the rest of the system is protected by the overlay" if stands is Overlay.ON else ""
        return Check("overlay", Status.PASSED, f"{directory} is on a disk that keeps it{also}.")
    if found is Keeping.UNKNOWN:
        return Check("overlay", Status.NOT_CHECKED, f"What {directory} lies on can't be told.")
    if found is Keeping.READ_ONLY:
        fix = f"Mount it for writing: sudo mount -o remount,rw {directory}."
        return Check("overlay", Status.FAILED, f"{directory} can't be written to.", fix)
    if not overlay_word(machine.root):
        fix = "Keep the record on a disk: set [storage] directory to a place there."
        return Check("overlay", Status.FAILED, f"{directory} lies in memory: scores are lost with the power.", fix)
    off = "sudo raspi-config nonint do_overlayfs 1"
    if "recurse=0" in overlay_word(machine.root):
        # raspi-config knows its own form of the word alone.
        off = f"sudo sed -i 's/overlayroot=[^ ]* *//' {config_name(machine.root).replace('config.txt', 'cmdline.txt')}"
    fix = (
        f"Switch the overlay off: {off}, then sudo reboot. Or keep it and give the matches a partition of their own: "
        f"{OVERLAY_PAGE} has the commands."
    )
    return Check("overlay", Status.FAILED, f"{directory} lies in memory: scores are lost with the power.", fix)


def check_supply(machine: Machine) -> Check:
    found = supply(machine.root)
    if found is Supply.UNKNOWN:
        return Check("undervoltage", Status.NOT_CHECKED, "This machine does not tell whether its supply is good.")
    if found is Supply.GOOD:
        return Check("undervoltage", Status.PASSED, "The supply holds its voltage.")
    fix = "Use the board's own power supply and a short cable."
    return Check("undervoltage", Status.FAILED, f"The supply is too weak ({found.removeprefix('weak ')}).", fix)


def check_clock(machine: Machine) -> Check:
    """The time of day; scores do not need it, their dates do."""
    found = clock_state(machine.root, is_synchronised=is_synchronised() if machine.root == Path("/") else None)
    keeper = timekeeper(machine.root)
    if found is ClockState.SYNCHRONISED:
        return Check("clock", Status.PASSED, f"The clock is {found}{keeper and f' ({keeper})'}.")
    if found is ClockState.HAS_RTC:
        return Check("clock", Status.PASSED, f"The machine {found}.")
    set_it = "Connect a network, or set it: sudo date -s '2026-01-31 18:00'."
    if found is ClockState.KEPT:
        said = f"{keeper} has the clock {found}; until then dates may be wrong."
        return Check("clock", Status.NOT_CHECKED, said, set_it)
    said = "No program sets the clock, and this machine has none that goes on without power: dates may be wrong."
    return Check("clock", Status.NOT_CHECKED, said, set_it)
