"""What machine this is: board, system, the gpiochip with the header's pins, where files really are, supply, clock.

Everything is read below one root directory, ``/`` or a tree in the tests; nothing is opened, changed or asked of a
device. What to do about a fact is said elsewhere: ``diagnosis`` for reader and pins, ``table_app`` for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

# As many links as the kernel follows in one path (path_resolution(7)); more of them go round in a circle.
_LINKS_MAX: Final = 40
# Longer files of /proc and /sys than this are none that we look for.
_FILE_BYTES_MAX: Final = 256 * 1024
# Labels of the chips that carry the 40-pin header, as their kernel drivers name them, and the same in the device tree.
# Numbers are no guide: on a Pi 5 the chip was gpiochip4, from kernel 6.6.45 gpiochip0, and with some 6.12 neither.
HEADER_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
_HEADER_COMPATIBLES: Final = {
    "raspberrypi,rp1-gpio": "pinctrl-rp1",
    "brcm,bcm2711-gpio": "pinctrl-bcm2711",
    "brcm,bcm2835-gpio": "pinctrl-bcm2835",
}
# Those that Debian has beside systemd-timesyncd.
_TIMEKEEPERS: Final = {
    "chrony": "run/chrony/chronyd.pid",
    "ntpd": "run/ntpd.pid",
    "openntpd": "run/ntpd.sock",
    "systemd-timesyncd": "run/systemd/timesync",
}
# The first of January 2024; no table is older than this program.
_EARLIEST_S: Final = 1_704_067_200
# A coin cell that is empty has 2 V; without one the socket has next to nothing.
_BATTERY_UV_MIN: Final = 1_000_000
# Bits of the firmware's "throttled" word: under-voltage now, and at any time since the start.
_UNDERVOLTAGE_NOW: Final = 0x1
_UNDERVOLTAGE_BEFORE: Final = 0x10000


@dataclass(frozen=True, slots=True)
class System:
    """The operating system. *codename* is Debian's, such as ``bookworm``; *kernel* is the release, such as 6.12.25."""

    name: str
    codename: str
    is_raspberry_pi_os: bool
    kernel: str


@dataclass(frozen=True, slots=True)
class GpioChip:
    """A chip of pins: /dev/gpiochip\\ *number*. *label* is the kernel driver's name for it; empty: not known."""

    number: int
    label: str

    @property
    def path(self) -> str:
        return f"/dev/gpiochip{self.number}"


class Keeping(StrEnum):
    """What becomes of a file when the power goes."""

    KEPT = "kept"
    LOST = "lost"  # it lies in memory
    READ_ONLY = "read only"
    UNKNOWN = "unknown"


class Supply(StrEnum):
    """How the supply holds its voltage."""

    GOOD = "good"
    WEAK_NOW = "weak now"
    WEAK_BEFORE = "weak since the start"
    UNKNOWN = "unknown"


class ClockState(StrEnum):
    """Whether the time of day can be believed."""

    SYNCHRONISED = "set by a server"
    KEPT = "set by a server as soon as one answers"
    HAS_RTC = "has a clock of its own"
    DOUBTFUL = "doubtful"


def _text(path: Path) -> str:
    """The file's text without trailing blanks and zeros; empty where it can't be read."""
    try:
        with path.open("rb") as file:
            return file.read(_FILE_BYTES_MAX).decode("utf-8", "replace").strip("\0 \t\r\n")
    except OSError:
        return ""


def model(root: Path = Path("/")) -> str:
    """The board's name, such as ``Raspberry Pi 5 Model B Rev 1.0``; empty where there is no device tree."""
    return _text(root / "proc/device-tree/model")


def is_raspberry_pi(root: Path = Path("/")) -> bool:
    return "Raspberry Pi" in model(root)


def system(root: Path = Path("/")) -> System:
    """The operating system; 64-bit Raspberry Pi OS calls itself Debian, and is told by its own issue file."""
    values = dict(re.findall(r'^([A-Z_]+)="?([^"\n]*)"?$', _text(root / "etc/os-release"), re.MULTILINE))
    is_raspberry = values.get("ID") == "raspbian" or (root / "etc/rpi-issue").exists()
    kernel = _text(root / "proc/sys/kernel/osrelease")
    return System(values.get("PRETTY_NAME", ""), values.get("VERSION_CODENAME", ""), is_raspberry, kernel)


# -- pins ------------------------------------------------------------------------------------------------------


def gpio_chips(root: Path = Path("/")) -> list[GpioChip]:
    """All chips of pins, by number.

    The label stands in the old sysfs interface, whose numbers are not those of /dev; both hang below one device.
    Where a kernel is built without it, the device tree's name for the chip says the same.
    """
    chips = []
    for entry in (root / "sys/bus/gpio/devices").glob("gpiochip*"):
        number = entry.name.removeprefix("gpiochip")
        if number.isdigit():
            chips.append(GpioChip(int(number), _label(entry)))
    return sorted(chips, key=lambda chip: chip.number)


def _label(entry: Path) -> str:
    chip = entry.resolve()
    own = _text(chip / "label")
    if own:
        return own
    for old in sorted((chip.parent / "gpio").glob("gpiochip*")):
        label = _text(old / "label")
        if label:
            return label
    for node in (chip / "of_node", chip.parent / "of_node"):
        for compatible in _text(node / "compatible").split("\0"):
            if compatible in _HEADER_COMPATIBLES:
                return _HEADER_COMPATIBLES[compatible]
    return ""


def header_chip(root: Path = Path("/")) -> GpioChip | None:
    """The chip that has the header's pins, by its label; None where there is none."""
    chips = gpio_chips(root)
    for label in HEADER_LABELS:
        for chip in chips:
            if chip.label == label:
                return chip
    return None


# -- files -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mount:
    place: PurePosixPath
    kind: str
    options: frozenset[str]

    def option(self, name: str) -> str:
        """The value of ``name=value``; empty where it is not given."""
        return next((option.partition("=")[2] for option in self.options if option.startswith(f"{name}=")), "")


def _mounts(root: Path) -> Iterator[_Mount]:
    """Where what is mounted. The format is that of fstab(5): blanks in names are written as octal."""
    for line in _text(root / "proc/mounts").splitlines():
        fields = line.split(" ")
        if len(fields) >= 4:
            place = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[1])
            yield _Mount(PurePosixPath(place), fields[2], frozenset(fields[3].split(",")))


def _real(path: PurePosixPath, root: Path) -> PurePosixPath | None:
    """Where *path* leads, with every link on the way followed below *root*; None where they go round in a circle."""
    left, real = list(reversed(path.parts[1:])), PurePosixPath("/")
    links = 0
    while left:
        part = left.pop()
        if part == "..":
            real = real.parent
            continue
        try:
            target = PurePosixPath((root / str(real / part).lstrip("/")).readlink())
        except OSError:  # no link, or nothing there yet
            real /= part
            continue
        links += 1
        if links > _LINKS_MAX:
            return None
        if target.is_absolute():
            real = PurePosixPath("/")
        left += reversed([step for step in target.parts if step != "/"])
    return real


def _mount_of(path: PurePosixPath, root: Path) -> _Mount | None:
    """The file system that *path* lies on; of several at one place the last was mounted over the others."""
    found: _Mount | None = None
    for mount in _mounts(root):
        if path.is_relative_to(mount.place) and (found is None or len(mount.place.parts) >= len(found.place.parts)):
            found = mount
    return found


def keeping(path: Path, root: Path = Path("/")) -> Keeping:
    """What becomes of files in the directory *path* (absolute, as the program sees it) when the power goes.

    An overlay keeps what its upper layer keeps; where that can't be seen any more, as after the initial RAM disk
    mounted it, the kernel's command line says whether it lies in memory. Links on the way are followed.
    """
    real = _real(PurePosixPath(path), root)
    mount = None if real is None else _mount_of(real, root)
    if mount is None:
        return Keeping.UNKNOWN
    if mount.kind in ("tmpfs", "ramfs", "rootfs"):
        return Keeping.LOST
    if mount.kind == "overlay":
        return _keeping_of_overlay(mount, root)
    return Keeping.READ_ONLY if "ro" in mount.options else Keeping.KEPT


class Overlay(StrEnum):
    """Whether the system's own files lie under an overlay in memory, against what the kernel was told."""

    OFF = "off"
    ON = "on"
    NOT_ACTIVE = "asked for and not active"


def overlay_word(root: Path = Path("/")) -> str:
    """What the kernel's command line says about an overlay, such as ``overlayroot=tmpfs:recurse=0``; empty: nothing."""
    for word in _text(root / "proc/cmdline").split():
        if word == "boot=overlay" or (word.startswith("overlayroot=") and word != "overlayroot=disabled"):
            return word
    return ""


def overlay(root: Path = Path("/")) -> Overlay:
    """How it stands with the overlay. Asked for and not there, without a word from anybody, was reported of kernels
    whose initial RAM disk had not been made anew (raspi-config 219, 241, 266)."""
    mount = _mount_of(PurePosixPath("/"), root)
    if mount is not None and mount.kind == "overlay":
        return Overlay.ON if overlay_word(root) else Overlay.OFF  # without the word it is a container's
    return Overlay.NOT_ACTIVE if overlay_word(root) and mount is not None else Overlay.OFF


def _keeping_of_overlay(mount: _Mount, root: Path) -> Keeping:
    if "ro" in mount.options or not mount.option("upperdir"):
        return Keeping.READ_ONLY
    command_line = _text(root / "proc/cmdline").split()
    if "boot=overlay" in command_line or any(word.startswith("overlayroot=tmpfs") for word in command_line):
        return Keeping.LOST
    if not _may_exist(root / mount.option("upperdir").lstrip("/")):
        return Keeping.UNKNOWN  # a container's: the path is one of another system
    upper = _mount_of(PurePosixPath(mount.option("upperdir")), root)
    if upper is None or upper is mount or upper.place == mount.place:
        return Keeping.UNKNOWN
    return Keeping.LOST if upper.kind in ("tmpfs", "ramfs", "rootfs") else Keeping.KEPT


def _may_exist(path: Path) -> bool:
    """False only if it is certain that nothing is there; root alone may look into some of these."""
    try:
        path.stat()
    except PermissionError:
        return True
    except OSError:
        return False
    return True


# -- supply and clock ------------------------------------------------------------------------------------------


def supply(root: Path = Path("/")) -> Supply:
    """How the supply holds its voltage, from the kernel's monitor or the firmware's word, whichever complains more.

    The monitor (``rpi_volt``) knows the present alone; the firmware's file remembers, but is missing or stuck at zero
    on some kernels. Neither: not known, as on a Pi Zero or a laptop.
    """
    known = [state for state in (_monitored(root), _throttled(root)) if state is not None]
    for state in (Supply.WEAK_NOW, Supply.WEAK_BEFORE, Supply.GOOD):
        if state in known:
            return state
    return Supply.UNKNOWN


def _monitored(root: Path) -> Supply | None:
    for monitor in (root / "sys/class/hwmon").glob("hwmon*"):
        if _text(monitor / "name") == "rpi_volt":
            alarm = _text(monitor / "in0_lcrit_alarm")
            if alarm in ("0", "1"):
                return Supply.WEAK_NOW if alarm == "1" else Supply.GOOD
    return None


def _throttled(root: Path) -> Supply | None:
    for place in ("soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware", "soc:firmware"):
        try:
            flags = int(_text(root / "sys/devices/platform" / place / "get_throttled"), 16)
        except ValueError:
            continue
        if flags & _UNDERVOLTAGE_NOW:
            return Supply.WEAK_NOW
        return Supply.WEAK_BEFORE if flags & _UNDERVOLTAGE_BEFORE else Supply.GOOD
    return None


def clock_state(root: Path = Path("/"), *, is_synchronised: bool | None = None) -> ClockState:
    """Whether the time of day can be believed.

    *is_synchronised* is what the kernel says (``clock.is_synchronised``), whichever program keeps the time; None: it
    was not asked, and systemd-timesyncd's mark counts.
    """
    if is_synchronised or (root / "run/systemd/timesync/synchronized").exists():
        return ClockState.SYNCHRONISED
    if any(_is_a_clock(entry) for entry in (root / "sys/class/rtc").glob("rtc*")):
        return ClockState.HAS_RTC
    return ClockState.KEPT if timekeeper(root) else ClockState.DOUBTFUL


def timekeeper(root: Path = Path("/")) -> str:
    """The program that asks servers for the time, by the file in which each keeps its process; empty: there is none."""
    for name, place in _TIMEKEEPERS.items():
        if (root / place).exists():
            return name
    return ""


def _is_a_clock(entry: Path) -> bool:
    """Whether a battery-backed clock knows the time. A Pi 5's begins in 1970 at each start where no battery is in."""
    voltage = _text(entry / "battery_voltage")
    if voltage.isdigit() and int(voltage) < _BATTERY_UV_MIN:
        return False
    seconds = _text(entry / "since_epoch")
    return not seconds.isdigit() or int(seconds) >= _EARLIEST_S
