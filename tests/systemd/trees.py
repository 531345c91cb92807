"""Made-up machines as directory trees: what /proc, /sys, /dev and /etc hold on each Pi, as far as the program reads it.

Numbers and labels of gpiochips and cards are those that users reported: raspberrypi/linux pull request 6144 (kernels
before and after 6.6.45), Adafruit_Blinka issue 1119 (6.12.96), SDL issue 13705 and batocera issue 16559 (a Pi 5's
cards).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

RP1, BCM2711, BCM2835 = "pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"
COMPATIBLES = {RP1: "raspberrypi,rp1-gpio", BCM2711: "brcm,bcm2711-gpio", BCM2835: "brcm,bcm2835-gpio"}
EXPANDER = "raspberrypi-exp-gpio"
BRCMSTB = tuple(f"gpio-brcmstb@107d{part}" for part in ("508500", "508520", "517c00", "517c20"))

OS_RELEASE = {
    "bookworm": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\nID=debian\n',
    "bookworm 32 bit": 'PRETTY_NAME="Raspbian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\nID=raspbian\n',
    "trixie": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_CODENAME=trixie\nID=debian\n',
    "bullseye": 'PRETTY_NAME="Debian GNU/Linux 11 (bullseye)"\nVERSION_CODENAME=bullseye\nID=debian\n',
}


@dataclass(frozen=True)
class MadeUp:
    """One machine. *gpio* is label by number; *cards* is connector and status by card."""

    model: str
    system: str
    kernel: str
    gpio: dict[int, str]
    cards: dict[int, dict[str, str]] = field(default_factory=dict)
    is_raspberry_os: bool = True

    def build(self, root: Path, has_old_gpio: bool = True) -> Path:
        """Write it below *root*. *has_old_gpio* is false for a kernel without /sys/class/gpio."""
        put(root, "proc/device-tree/model", self.model + "\0")
        put(root, "etc/os-release", OS_RELEASE[self.system])
        put(root, "proc/sys/kernel/osrelease", self.kernel + "\n")
        if self.is_raspberry_os:
            put(root, "etc/rpi-issue", "Raspberry Pi reference\n")
        for number, label in self.gpio.items():
            add_gpio_chip(root, number, label, has_old_gpio)
        for card, connectors in self.cards.items():
            put(root, f"dev/dri/card{card}", "")
            for name, status in connectors.items():
                put(root, f"sys/class/drm/card{card}-{name}/status", status + "\n")
        return root


def put(root: Path, place: str, text: str) -> None:
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def add_gpio_chip(root: Path, number: int, label: str, has_old_gpio: bool) -> None:
    """As sysfs has it: the chip and its old interface, under another number, hang below one device."""
    device = root / "sys/devices/platform" / re.sub(r"\W", "-", label)
    chip = device / f"gpiochip{number}"
    chip.mkdir(parents=True)
    put(device, "of_node/compatible", COMPATIBLES.get(label, "brcm,other") + "\0")
    if has_old_gpio:
        put(device, f"gpio/gpiochip{512 + 60 * number}/label", label + "\n")
    bus = root / "sys/bus/gpio/devices"
    bus.mkdir(parents=True, exist_ok=True)
    (bus / f"gpiochip{number}").symlink_to(chip)


# How SPI stands on a machine: the files that say so.
SPI_0 = ("dev/spidev0.0", "dev/spidev0.1")
BOOT_MEMORY = "dev/spidev10.0"
CONFIG = "boot/firmware/config.txt"
BLACKLIST = "etc/modprobe.d/raspi-blacklist.conf"


def with_spi(
    made: MadeUp, root: Path, config: str | None, *, is_there: bool = False, has_raspi_config: bool = False
) -> Path:
    """*made* below *root*, with this config.txt, with or without the header's devices; a Pi 5 has its boot memory's."""
    made.build(root)
    if config is not None:
        put(root, CONFIG, config)
    for place in (*(SPI_0 if is_there else ()), *((BOOT_MEMORY,) if "Pi 5" in made.model else ())):
        put(root, place, "")
    if has_raspi_config:
        put(root, "usr/bin/raspi-config", "#!/bin/sh\n")
        (root / "usr/bin/raspi-config").chmod(0o755)
    return root


HDMI = {"HDMI-A-1": "connected", "HDMI-A-2": "disconnected", "Writeback-1": "unknown"}
NO_HDMI = {"HDMI-A-1": "disconnected", "HDMI-A-2": "disconnected", "Writeback-1": "unknown"}
DSI = {"DSI-1": "connected"}

ZERO_2 = MadeUp(
    "Raspberry Pi Zero 2 W Rev 1.0",
    "bookworm 32 bit",
    "6.1.21-v7+",
    {0: BCM2835, 1: EXPANDER},
    {0: {"HDMI-A-1": "connected"}},
)
PI_3_HDMI = MadeUp(
    "Raspberry Pi 3 Model B Plus Rev 1.3",
    "bookworm",
    "6.6.31-v8+",
    {0: BCM2835, 1: EXPANDER},
    {0: {"HDMI-A-1": "connected"}},
)
PI_3_HEADLESS = MadeUp(
    "Raspberry Pi 3 Model B Rev 1.2",
    "trixie",
    "6.12.25-v8",
    {0: BCM2835, 1: EXPANDER},
    {0: {"HDMI-A-1": "disconnected"}},
)
PI_4_HDMI = MadeUp(
    "Raspberry Pi 4 Model B Rev 1.4", "bookworm", "6.1.0-rpi7-rpi-v8", {0: BCM2711, 1: EXPANDER}, {0: {}, 1: HDMI}
)
PI_4_DSI = MadeUp(
    "Raspberry Pi 4 Model B Rev 1.5", "trixie", "6.12.34", {0: BCM2711, 1: EXPANDER}, {0: {**NO_HDMI, **DSI}, 1: {}}
)
PI_5_OLD = MadeUp(
    "Raspberry Pi 5 Model B Rev 1.0",
    "bookworm",
    "6.1.0-rpi7-rpi-2712",
    {**dict(enumerate(BRCMSTB)), 4: RP1},
    {0: {}, 1: HDMI},
)
PI_5_6_6_20 = MadeUp(
    "Raspberry Pi 5 Model B Rev 1.0",
    "bookworm",
    "6.6.20+rpt-rpi-2712",
    {**dict(enumerate(BRCMSTB)), 4: RP1},
    {0: HDMI, 1: {}},
)
PI_5_6_6_47 = MadeUp(
    "Raspberry Pi 5 Model B Rev 1.0",
    "bookworm",
    "6.6.47+rpt-rpi-2712",
    {0: RP1, **dict(enumerate(BRCMSTB, 10))},
    {0: {}, 1: NO_HDMI, 2: DSI},
)
PI_5_6_12_96 = MadeUp(
    "Raspberry Pi 5 Model B Rev 1.1",
    "bookworm",
    "6.12.96+rpt-rpi-2712",
    {**dict(enumerate(BRCMSTB, 11)), 15: RP1},
    {0: {}, 1: DSI, 2: NO_HDMI},
)
PI_5_TRIXIE = MadeUp(
    "Raspberry Pi 5 Model B Rev 1.1",
    "trixie",
    "6.12.47+rpt-rpi-2712",
    {0: RP1, **dict(enumerate(BRCMSTB, 10))},
    {0: NO_HDMI, 1: {}},
)
LAPTOP = MadeUp("", "trixie", "6.12.48+deb13-amd64", {}, {1: {"eDP-1": "connected"}}, is_raspberry_os=False)
