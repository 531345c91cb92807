"""SPI on the header, on trees of each Pi: what is there, what config.txt says for this very board, and what to do.

That installer and doctor never disagree about it is in ``tests/systemd/test_spi_agreement.py``.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from hardware.header_spi import SpiState, blacklisted, configured_spi, header_spi, spi_devices
from tests.systemd import trees
from tests.systemd.trees import MadeUp, put, with_spi

PI_1 = MadeUp("Raspberry Pi Model B Plus Rev 1.2", "bookworm 32 bit", "6.6", {0: trees.BCM2835})
PI_2 = MadeUp("Raspberry Pi 2 Model B Rev 1.1", "bookworm 32 bit", "6.6", {0: trees.BCM2835})
CM_4 = MadeUp("Raspberry Pi Compute Module 4 Rev 1.0", "bookworm", "6.6", {0: trees.BCM2711})
CM_4S = MadeUp("Raspberry Pi Compute Module 4S Rev 1.0", "bookworm", "6.6", {0: trees.BCM2711})
CM_5 = MadeUp("Raspberry Pi Compute Module 5 Rev 1.0", "bookworm", "6.6", {0: trees.RP1})
ZERO = MadeUp("Raspberry Pi Zero Rev 1.3", "bookworm 32 bit", "6.6", {0: trees.BCM2835})
PI_400 = MadeUp("Raspberry Pi 400 Rev 1.0", "bookworm", "6.6", {0: trees.BCM2711})
# Each board with the sections that are its own, of those of the documentation's table of models.
SECTIONS = (
    (PI_1, {"pi1"}),
    (PI_2, {"pi2"}),
    (trees.PI_3_HEADLESS, {"pi3"}),
    (trees.PI_3_HDMI, {"pi3", "pi3+"}),
    (trees.PI_4_HDMI, {"pi4"}),
    (PI_400, {"pi4", "pi400"}),
    (CM_4, {"pi4", "cm4"}),
    (CM_4S, {"pi4", "cm4s"}),
    (trees.PI_5_TRIXIE, {"pi5"}),
    (CM_5, {"pi5", "cm5"}),
    (ZERO, {"pi0"}),
    (trees.ZERO_2, {"pi0", "pi0w", "pi02"}),
)
BOARDS = [made for made, _ in SECTIONS]
IDS = [made.model for made in BOARDS]
KNOWN = sorted(
    set().union(*(names for _, names in SECTIONS)) | {"cm1", "cm3", "cm3+", "pi500", "cm0", "none", "Pi4", "pi6"}
)


@pytest.mark.parametrize(("made", "sections"), SECTIONS, ids=IDS)
def test_a_line_counts_in_the_sections_of_its_own_board_alone(made: MadeUp, sections: set[str], tmp_path: Path) -> None:
    with_spi(made, tmp_path, None)
    counts = set()
    for name in KNOWN:
        put(tmp_path, trees.CONFIG, f"[{name}]\ndtparam=spi=on\n[all]\ndtparam=audio=on\n")
        if configured_spi(root=tmp_path).chip_selects:
            counts.add(name)
        else:
            assert configured_spi(root=tmp_path).elsewhere == (f"[{name}]",)
    assert counts == sections


ON_A_PI_4 = {
    "nothing": ("", 0),
    "on": ("dtparam=spi=on\n", 2),
    "on, from Windows": ("dtparam=spi=on\r\n", 2),
    "without a value": ("dtparam=spi\n", 2),
    "by the older name": ("device_tree_param=spi=on\n", 2),
    "joined": ("dtparam=i2c_arm=on,spi=on\n", 2),
    "joined, the other way round": ("dtparam=spi=on,i2c_arm=on\n", 2),
    "joined, off": ("dtparam=i2c_arm=on,spi=off\n", 0),
    "commented out": ("#dtparam=spi=on\n", 0),
    "another parameter": ("dtparam=spi_max=on\ndtparam=i2s=on\n", 0),
    "on, then off": ("dtparam=spi=on\ndtparam=spi=off\n", 0),
    "off, then on": ("dtparam=spi=off\n[all]\ndtparam=spi=on\n", 2),
    "off for another board": ("dtparam=spi=on\n[pi5]\ndtparam=spi=off\n", 2),
    "off for this board": ("dtparam=spi=on\n[pi4]\ndtparam=spi=off\n", 0),
    "the last section of a kind": ("[pi5]\n[pi4]\ndtparam=spi=on\n", 2),
    "sections of two kinds": ("[pi4]\n[board-type=0x17]\ndtparam=spi=on\n", 0),
    "another kind that fits": ("[pi4]\n[board-type=0x11]\ndtparam=spi=on\n", 2),
    "its own number": ("[0x12345678]\ndtparam=spi=on\n", 2),
    "another's number": ("[0x12345679]\ndtparam=spi=on\n", 0),
    "a screen's name, which nobody knows here": ("[EDID=VSC-TD2220]\ndtparam=spi=on\n", 0),
    "off for a screen": ("dtparam=spi=on\n[EDID=VSC-TD2220]\ndtparam=spi=off\n", 0),
    "an overlay with one chip select": ("dtoverlay=spi0-1cs,cs0_pin=8\n", 1),
    "an overlay with none": ("dtparam=spi=on\ndtoverlay=spi0-0cs\n", 0),
    "another bus's overlay": ("dtoverlay=spi1-3cs\n", 0),
    "in an included file": ("include user.txt\n", 2),
    "nonsense": ("\x00\xff[[[\n=\ndtparam\n[pi4\n", 0),
}


@pytest.mark.parametrize("case", ON_A_PI_4)
def test_what_config_txt_says_is_read_as_the_firmware_does(case: str, tmp_path: Path) -> None:
    config, chip_selects = ON_A_PI_4[case]
    with_spi(trees.PI_4_HDMI, tmp_path, config)
    put(tmp_path, "boot/firmware/user.txt", "dtparam=spi=on\ninclude user.txt\n")
    put(tmp_path, "proc/cpuinfo", "Hardware\t: BCM2835\nRevision\t: c03114\n")
    put(tmp_path, "proc/device-tree/serial-number", "1000000012345678\0")
    assert configured_spi(root=tmp_path).chip_selects == chip_selects


def test_a_pi_5_s_boot_memory_is_not_on_the_header(tmp_path: Path) -> None:
    with_spi(trees.PI_5_TRIXIE, tmp_path, "dtparam=audio=on\n")
    assert spi_devices(tmp_path) == []
    found = header_spi(root=tmp_path)
    assert found.state is SpiState.OFF
    assert found.fix.startswith("Add the lines [all] and dtparam=spi=on at the end of /boot/firmware/config.txt")


@pytest.mark.parametrize("made", BOARDS, ids=IDS)
def test_with_its_devices_it_is_on_whatever_the_files_say(made: MadeUp, tmp_path: Path) -> None:
    with_spi(made, tmp_path, "dtparam=spi=off\n", is_there=True)
    assert header_spi(root=tmp_path).state is SpiState.THERE


def test_raspi_config_is_advised_only_where_it_is_there_and_would_do(tmp_path: Path) -> None:
    """It changes a line where that stands: in another board's section SPI would be off again after the next start."""
    off = with_spi(trees.PI_5_TRIXIE, tmp_path / "off", "dtparam=audio=on\n", has_raspi_config=True)
    assert header_spi(root=off).fix.startswith("Run: sudo raspi-config nonint do_spi 0")
    elsewhere = "[pi4]\ndtparam=spi=on\n[all]\ndtparam=audio=on\n"
    other = with_spi(trees.PI_5_TRIXIE, tmp_path / "other", elsewhere, has_raspi_config=True)
    found = header_spi(root=other)
    assert found.sentence.endswith("has it on under [pi4], which is not for this board.")
    assert found.fix.startswith("Add the lines [all] and dtparam=spi=on at the end")
    assert header_spi(1, 1, other).fix.startswith("Add the lines [all] and dtoverlay=spi1-2cs at the end")


def test_an_older_system_s_file_is_named_by_its_own_place(tmp_path: Path) -> None:
    trees.PI_4_HDMI.build(tmp_path)
    assert "Find the firmware's config.txt" in header_spi(root=tmp_path).fix
    put(tmp_path, "boot/config.txt", "")
    assert "at the end of /boot/config.txt" in header_spi(root=tmp_path).fix


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (trees.BLACKLIST, "# quiet\nblacklist spi-bcm2835\n"),
        (trees.BLACKLIST, "blacklist spi_bcm2708\n"),
        ("etc/modprobe.d/no-spi.conf", "install spidev /bin/false\n"),
        ("lib/modprobe.d/vendor.conf", "blacklist spidev\n"),
        ("proc/cmdline", "quiet module_blacklist=foo,spidev rootwait\n"),
        ("proc/cmdline", "modprobe.blacklist=spi_bcm2835\n"),
    ],
)
def test_a_module_that_is_kept_from_loading_is_named_and_no_restart_asked_for(
    place: str, text: str, tmp_path: Path
) -> None:
    with_spi(trees.PI_4_HDMI, tmp_path, "dtparam=spi=on\n")
    put(tmp_path, place, text)
    found = header_spi(root=tmp_path)
    assert found.state is SpiState.BLACKLISTED
    assert found.fix.startswith("Take spi") and "then restart" in found.fix


def test_what_is_kept_from_loading_elsewhere_is_none_of_ours(tmp_path: Path) -> None:
    put(tmp_path, trees.BLACKLIST, "#blacklist spi-bcm2835\nblacklist snd_bcm2835\noptions spidev bufsiz=65536\n")
    put(tmp_path, "etc/modprobe.d/README", "blacklist spidev\n")
    assert blacklisted(tmp_path) is None


def test_a_display_that_has_both_chip_selects_is_named_and_no_restart_asked_for(tmp_path: Path) -> None:
    """An RC522 beside a 3.5 inch touch screen, SPI on in raspi-config (raspberrypi.stackexchange.com 130819)."""
    for config in ("dtparam=spi=on\ndtoverlay=tft35a:rotate=90\n", "dtoverlay=tft35a:rotate=90\n"):
        root = with_spi(trees.PI_4_HDMI, tmp_path / str(len(config)), config, has_raspi_config=True)
        for device, driver in ((0, "fb_ili9486"), (1, "ads7846")):
            link = root / f"sys/bus/spi/devices/spi0.{device}/driver"
            link.parent.mkdir(parents=True)
            link.symlink_to(f"../../../../bus/spi/drivers/{driver}")
        found = header_spi(root=root)
        assert found.state is SpiState.HELD
        assert found.sentence == "SPI is on, and belongs to ads7846 (a touch screen), fb_ili9486 (a small display)."
        assert "dtoverlay=spi1-1cs" in found.fix


def test_a_restart_is_asked_for_once(tmp_path: Path) -> None:
    with_spi(trees.PI_4_HDMI, tmp_path, "dtparam=spi=on\n")
    assert header_spi(root=tmp_path).state is SpiState.WAITING, "nothing is known of the last start"
    os.utime(tmp_path / trees.CONFIG, (2_000, 2_000))
    put(tmp_path, "proc/stat", "cpu 1 2 3\nbtime 1000\n")
    assert header_spi(root=tmp_path).fix == "Restart the Raspberry Pi."
    put(tmp_path, "proc/stat", "cpu 1 2 3\nbtime 3000\n")
    found = header_spi(root=tmp_path)
    assert found.state is SpiState.PASSED_OVER
    assert "findmnt /boot/firmware" in found.fix
    put(tmp_path, "proc/device-tree/aliases/spi0", "/soc/spi@7e204000\0")
    put(tmp_path, "proc/device-tree/soc/spi@7e204000/status", "okay\0")
    assert "sudo modprobe spidev" in header_spi(root=tmp_path).fix


def test_each_sentence_ends_and_each_fault_has_something_to_do(tmp_path: Path) -> None:
    for number, (config, _) in enumerate(ON_A_PI_4.values()):
        found = header_spi(root=with_spi(trees.PI_4_HDMI, tmp_path / str(number), config))
        assert re.search(r"\.$", found.sentence) and found.fix, found
