"""SPI on the header's pins: which devices there are, whether config.txt switches it on here, and what to do if not.

The one parser of config.txt, for the program and for the installer, which runs this file by itself before anything else
of the package is there: it imports the standard library alone, and nothing is opened or changed here. Who may open a
device is ``firmware_bridge.access``; the chip behind it is ``rc522``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

# Buses on the 40-pin header: 0 to 6 on a Pi 4, 0 to 5 on a Pi 5. A Pi 5's bus 10 leads to its boot memory, to which the
# RC522's frames would be orders to write and to erase.
HEADER_BUSES: Final = range(7)
_FILE_BYTES_MAX: Final = 256 * 1024
# An include in an include; deeper ones are a circle.
_INCLUDES_MAX: Final = 4
# What the firmware's device tree code takes for yes.
_YES: Final = frozenset({"", "on", "yes", "y", "true", "okay", "1"})
# Kernel drivers of the header's SPI, then and now, and the one that makes devices of it.
_MODULES: Final = frozenset({"spidev", "spi_bcm2708", "spi_bcm2835", "spi_bcm2835aux", "spi_dw", "spi_dw_mmio"})
# Kernel drivers that overlays bind to a chip select, by what people know them as.
OVERLAY_DRIVERS: Final = {
    "ads7846": "a touch screen",
    "fb_ili9341": "a small display",
    "ili9341": "a small display",
    "fb_ili9486": "a small display",
    "mcp251x": "a CAN interface",
    "enc28j60": "a network interface",
}
# What each filter of config.txt fits, told by the board's name in the device tree (Raspberry Pi documentation,
# "Conditional filters", table of models). A newer board of a family is in its family's section.
_MODELS: Final[dict[str, str]] = {
    "pi1": r"Pi (Model [AB]|Compute Module Rev)",
    "pi2": r"Pi 2 ",
    "pi3": r"Pi (3 |Compute Module 3)",
    "pi3+": r"Pi 3 Model [AB] Plus",
    "pi4": r"Pi (4 |400|Compute Module 4)",
    "pi5": r"Pi (5 |500|Compute Module 5)",
    "pi400": r"Pi 400",
    "pi500": r"Pi 500",
    "pi0": r"Pi Zero",
    "pi0w": r"Pi Zero (W|2 W)",
    "pi02": r"Pi Zero 2",
    "cm0": r"Pi Compute Module 0",
    "cm1": r"Pi Compute Module Rev",
    "cm3": r"Pi Compute Module 3",
    "cm3+": r"Pi Compute Module 3 Plus",
    "cm4": r"Pi Compute Module 4(?!S)",
    "cm4s": r"Pi Compute Module 4S",
    "cm5": r"Pi Compute Module 5",
}


def spi_devices(root: Path = Path("/")) -> list[tuple[int, int]]:
    """The SPI devices on the header, as (bus, device), in order."""
    found = []
    for path in (root / "dev").glob("spidev*"):
        match = re.fullmatch(r"spidev(\d+)\.(\d+)", path.name)
        if match and int(match[1]) in HEADER_BUSES:
            found.append((int(match[1]), int(match[2])))
    return sorted(found)


def _text(path: Path) -> str:
    """The file's text; empty where it can't be read."""
    try:
        with path.open("rb") as file:
            return file.read(_FILE_BYTES_MAX).decode("utf-8", "replace").replace("\0", "")
    except OSError:
        return ""


# -- config.txt ------------------------------------------------------------------------------------------------------


def config_path(root: Path = Path("/")) -> Path | None:
    """The firmware's config.txt, below *root*; None where there is none, as on another computer."""
    for place in ("boot/firmware/config.txt", "boot/config.txt"):
        if (root / place).is_file():
            return root / place
    return None


def config_name(root: Path = Path("/")) -> str:
    """What to call the firmware's config.txt in a sentence: its path as the program sees it."""
    path = config_path(root)
    return "/boot/firmware/config.txt" if path is None else f"/{path.relative_to(root)}"


@dataclass(frozen=True, slots=True)
class ConfiguredSpi:
    """What config.txt says of one bus on this board.

    *chip_selects* is how many devices it makes, 0 if the bus is off; *elsewhere* are the sections, such as ``[pi4]``,
    in which a line that would switch it on does not count here.
    """

    chip_selects: int = 0
    elsewhere: tuple[str, ...] = ()


def configured_spi(bus: int = 0, root: Path = Path("/")) -> ConfiguredSpi:
    """What config.txt says of *bus*; the last line that counts for this board decides.

    A section whose filter can't be judged here (a screen's name, a pin's level) does not count where it says on, and
    does where it says off: then one line more in the file is no harm.
    """
    path = config_path(root)
    chip_selects, elsewhere = 0, []
    for section, counts, line in () if path is None else _lines(path, root):
        found = _said_of(bus, line)
        if found and counts:
            chip_selects = found
        elif found and section not in elsewhere:
            elsewhere.append(section)
        elif found == 0 and counts is not False:
            chip_selects = 0
    return ConfiguredSpi(chip_selects, tuple(elsewhere))


def says_for_this_board(pattern: str, root: Path = Path("/")) -> bool:
    """Whether a line of config.txt that counts here begins as the regular expression *pattern* does."""
    path = config_path(root)
    lines = () if path is None else _lines(path, root)
    return any(counts and re.match(pattern, line) is not None for _, counts, line in lines)


def _lines(path: Path, root: Path) -> Iterator[tuple[str, bool | None, str]]:
    """Each line with its section and whether that counts for this board; None: it can't be told."""
    filters: dict[str, bool | None] = {}
    section = "[all]"
    for line in _included(path, _INCLUDES_MAX):
        if line.startswith("["):
            section = line.partition("]")[0] + "]"
            name = section[1:-1].strip()
            if name == "all":
                filters.clear()
            else:
                kind, fits = _filter(name, root)
                filters[kind] = fits
        elif not line.startswith("#"):
            verdicts = set(filters.values())
            yield section, False if False in verdicts else None if None in verdicts else True, line


def _included(path: Path, deeper: int) -> Iterator[str]:
    for raw in _text(path).splitlines():
        line = raw.strip()
        if deeper and (match := re.fullmatch(r"include\s+(\S+)", line)):
            yield from _included(path.parent / match[1], deeper - 1)
        elif line:
            yield line


def _filter(name: str, root: Path) -> tuple[str, bool | None]:
    """A section's kind and whether it fits this board. Filters of one kind replace each other, others add up."""
    if match := re.fullmatch(r"board-type=(?:0x)?([0-9a-fA-F]+)", name):
        revision = re.search(r"^Revision\s*:\s*([0-9a-fA-F]+)$", _text(root / "proc/cpuinfo"), re.MULTILINE)
        return "board-type", None if revision is None else int(revision[1], 16) >> 4 & 0xFF == int(match[1], 16)
    if match := re.fullmatch(r"0x([0-9a-fA-F]+)", name):
        serial = _text(root / "proc/device-tree/serial-number").strip()
        is_known = re.fullmatch(r"[0-9a-fA-F]+", serial)
        return "serial", int(serial[-8:], 16) == int(match[1], 16) if is_known else None
    if "=" in name or name.startswith("HDMI:") or name == "tryboot":
        return re.split("[=:0-9]", name)[0], None
    pattern = _MODELS.get(name)
    return "model", pattern is not None and bool(re.search(pattern, _text(root / "proc/device-tree/model")))


def _said_of(bus: int, line: str) -> int | None:
    """How many chip selects this line gives *bus*, 0 if it switches the bus off; None: it says nothing of it."""
    setting, _, value = line.partition("=")
    found = None
    if bus == 0 and setting in ("dtparam", "device_tree_param"):
        for parameter in value.split(","):
            name, _, state = parameter.strip().partition("=")
            if name == "spi":
                found = 2 if state.strip().lower() in _YES else 0
    elif setting in ("dtoverlay", "device_tree_overlay"):
        match = re.match(rf"spi{bus}-(\d)cs(-pi5)?(,|$)", value.strip())
        found = int(match[1]) if match else None
    return found


# -- what keeps it away ----------------------------------------------------------------------------------------------


def blacklisted(root: Path = Path("/")) -> tuple[str, str] | None:
    """A kernel module of the header's SPI that is kept from loading, and the file that says so; None: none is."""
    for folder in ("etc/modprobe.d", "run/modprobe.d", "usr/lib/modprobe.d", "lib/modprobe.d"):
        for path in sorted((root / folder).glob("*.conf")):
            for line in _text(path).splitlines():
                words = line.split()
                is_kept_out = words[:1] == ["blacklist"] or (
                    words[:1] == ["install"] and words[2:3] in (["/bin/true"], ["/bin/false"])
                )
                if len(words) > 1 and is_kept_out and words[1].replace("-", "_") in _MODULES:
                    return words[1], f"/{folder}/{path.name}"
    for word in _text(root / "proc/cmdline").split():
        name, _, value = word.partition("=")
        if name in ("modprobe.blacklist", "module_blacklist"):
            for module in value.split(","):
                if module.replace("-", "_") in _MODULES:
                    return module, config_name(root).replace("config.txt", "cmdline.txt")
    return None


class SpiState(StrEnum):
    """How it stands with a bus of the header."""

    THERE = "there"
    WAITING = "waiting"  # switched on, and works from the next start
    OFF = "off"
    HELD = "held"  # on, and an overlay has all its chip selects
    BLACKLISTED = "blacklisted"
    PASSED_OVER = "passed over"  # switched on and started anew since, and still not there


@dataclass(frozen=True, slots=True)
class HeaderSpi:
    """How it stands, in a sentence, and the one thing to do; empty where nothing is."""

    state: SpiState
    sentence: str
    fix: str = ""


def header_spi(bus: int = 0, device: int = 0, root: Path = Path("/")) -> HeaderSpi:
    """How it stands with *bus* on this Raspberry Pi. *device* is the chip select that is wanted of it."""
    if any(found == bus for found, _ in spi_devices(root)):
        return HeaderSpi(SpiState.THERE, "SPI is on.")
    name = config_name(root)
    what = "SPI" if bus == 0 else f"SPI bus {bus}"
    taken = ", ".join(f"{one} ({OVERLAY_DRIVERS.get(one, 'another device')})" for one in _drivers(bus, root))
    if taken:
        return HeaderSpi(
            SpiState.HELD,
            f"{what} is on, and belongs to {taken}.",
            f"Remove that overlay from {name}, or put the reader on the other bus: add the lines [all] and "
            "dtoverlay=spi1-1cs at its end, restart, and set [reader] bus to 1.",
        )
    said = configured_spi(bus, root)
    kept_out = blacklisted(root)
    if not said.chip_selects:
        return HeaderSpi(SpiState.OFF, _why_off(what, name, said), _switch_on(bus, device, name, said, root))
    if kept_out is not None:
        module, place = kept_out
        return HeaderSpi(
            SpiState.BLACKLISTED,
            f"{what} is switched on in {name}, and {place} keeps its kernel module {module} from loading.",
            f"Take {module} out of {place}, then restart the Raspberry Pi.",
        )
    if not _has_restarted_since(root):
        return HeaderSpi(SpiState.WAITING, f"{what} is switched on in {name}.", "Restart the Raspberry Pi.")
    if _is_in_device_tree(bus, root):
        return HeaderSpi(
            SpiState.PASSED_OVER,
            f"{what} is switched on in {name}, and the kernel made no device of it.",
            "Run: sudo modprobe spidev; what it says is the reason.",
        )
    return HeaderSpi(
        SpiState.PASSED_OVER,
        f"{what} is switched on in {name}, this Raspberry Pi was started since, and no device is there.",
        f"Look whether the boot partition is mounted there: findmnt {Path(name).parent}; if it is not, the Raspberry "
        "Pi never reads that file.",
    )


def _why_off(what: str, name: str, said: ConfiguredSpi) -> str:
    if not said.elsewhere:
        return f"{what} is switched off."
    return f"{what} is switched off: {name} has it on under {', '.join(said.elsewhere)}, which is not for this board."


def _switch_on(bus: int, device: int, name: str, said: ConfiguredSpi, root: Path) -> str:
    """By raspi-config, where it is there and would do: it changes a line where that stands, in any board's section."""
    if bus == 0 and not said.elsewhere and (root / "usr/bin/raspi-config").exists():
        return "Run: sudo raspi-config nonint do_spi 0, then restart the Raspberry Pi."
    line = "dtparam=spi=on" if bus == 0 else f"dtoverlay=spi{bus}-{device + 1}cs"
    if config_path(root) is None:
        return f"Find the firmware's config.txt (in the first partition of the card), and add the line {line} to it."
    return f"Add the lines [all] and {line} at the end of {name}, then restart the Raspberry Pi."


def _drivers(bus: int, root: Path) -> list[str]:
    """The kernel drivers that have the bus's chip selects, but for the one that makes devices of them."""
    links = [entry / "driver" for entry in (root / "sys/bus/spi/devices").glob(f"spi{bus}.*")]
    return sorted({link.readlink().name for link in links if link.is_symlink()} - {"spidev"})


def _has_restarted_since(root: Path) -> bool:
    """Whether the machine was started after config.txt was last written; false where that can't be told."""
    started = re.search(r"^btime (\d+)$", _text(root / "proc/stat"), re.MULTILINE)
    path = config_path(root)
    return started is not None and path is not None and path.stat().st_mtime < int(started[1])


def _is_in_device_tree(bus: int, root: Path) -> bool:
    """Whether the firmware switched *bus* on at this start."""
    tree = root / "proc/device-tree"
    node = _text(tree / f"aliases/spi{bus}").strip().lstrip("/")
    return bool(node) and _text(tree / node / "status").strip() in ("okay", "ok")


def main() -> None:
    """For the installer: ``header_spi.py ROOT``; the state, whether config.txt has it on, then why, then what to do."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else "/")
    found = header_spi(root=root)
    is_configured = bool(configured_spi(root=root).chip_selects)
    lines = (found.state, "on" if is_configured else "off", found.sentence, found.fix)
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
