"""The doctor's part of the box, on trees: the right finding, and the one thing to do."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge.access import Identity
from hardware.diagnosis.checks import Check, Status
from hardware.diagnosis.reader import Machine
from table_app.appliance import checks as checks_module
from table_app.appliance.checks import (
    OVERLAY_PAGE,
    SERVICE_ENABLED,
    SERVICE_PATH,
    appliance_checks,
    check_audio,
    check_card,
    check_clock,
    check_display,
    check_gpiochip,
    check_input,
    check_keeping,
    check_pygame,
    check_service,
    check_supply,
)
from table_app.appliance.service import Notifier
from table_app.cli import lastcard
from tests.systemd import trees
from tests.systemd.test_units import build_module
from tests.systemd.trees import MadeUp, put

REPOSITORY = Path(__file__).parents[2]
DIRECTORY = Path("/var/lib/lastcard")
NOBODY = Identity(65534, frozenset({65534}))
GROUPS = "video:x:44:\ninput:x:105:\n"


def test_every_check_has_an_answer_on_an_empty_tree(tmp_path: Path) -> None:
    checks = appliance_checks(Machine(tmp_path), DIRECTORY, {})
    names = [check.name for check in checks]
    assert names == [
        "pygame",
        "display",
        "drm card",
        "input",
        "gpiochip",
        "audio",
        "service",
        "disk",
        "overlay",
        "undervoltage",
        "clock",
    ]
    assert all(check.sentence.endswith(".") for check in checks)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (trees.PI_5_6_6_47, "kmsdrm: DSI-1 of /dev/dri/card2 is connected."),
        (trees.PI_4_HDMI, "kmsdrm: HDMI-A-1 of /dev/dri/card1 is connected."),
    ],
)
def test_the_driver_and_why_are_told(made: MadeUp, said: str, tmp_path: Path) -> None:
    check = check_display(Machine(made.build(tmp_path)), {})
    assert check.status is Status.PASSED
    assert check.sentence.startswith(said)
    assert "Not wayland: WAYLAND_DISPLAY is not set." in check.sentence


def test_no_screen_is_no_fault(tmp_path: Path) -> None:
    machine = Machine(trees.PI_3_HEADLESS.build(tmp_path))
    told = check_display(machine, {})
    assert told.status is Status.NOT_CHECKED and "goes on in the terminal" in told.sentence
    enabled = tmp_path / SERVICE_ENABLED
    enabled.parent.mkdir(parents=True, exist_ok=True)
    enabled.symlink_to("/usr/lib/systemd/system/lastcard.service")
    assert "with buzzer, buttons and tags" in check_display(machine, {}).sentence, "a box has no terminal"


def closed(root: Path, place: str) -> None:
    """A device that root and its group alone may use."""
    put(root, place, "")
    (root / place).chmod(0o660)


def test_a_card_that_may_not_be_opened_names_the_group(tmp_path: Path) -> None:
    trees.PI_4_HDMI.build(tmp_path)
    closed(tmp_path, "dev/dri/card1")
    put(tmp_path, "etc/group", f"grp:x:{(tmp_path / 'dev/dri/card1').stat().st_gid}:\n")
    check = check_card(Machine(tmp_path, NOBODY))
    assert check.status is Status.FAILED
    assert check.fix == "Run: sudo usermod -aG grp $USER, then log out and in again."
    assert check_card(Machine(tmp_path, Identity(0, frozenset()))).status is Status.PASSED


def test_a_pi_without_a_card_names_the_line(tmp_path: Path) -> None:
    MadeUp("Raspberry Pi 4 Model B Rev 1.4", "bookworm", "6.6", {}).build(tmp_path)
    check = check_card(Machine(tmp_path))
    assert check.status is Status.FAILED
    assert "vc4-kms-v3d" in check.fix


def test_dead_touch_is_found_before_sdl_says_nothing(tmp_path: Path) -> None:
    assert check_input(Machine(tmp_path)).status is Status.NOT_CHECKED
    closed(tmp_path, "dev/input/event0")
    check = check_input(Machine(tmp_path, NOBODY))
    assert check.status is Status.FAILED
    assert "touch and keys would be dead" in check.sentence


def test_the_headers_chip_is_told_or_missed(tmp_path: Path) -> None:
    machine = Machine(trees.PI_5_6_12_96.build(tmp_path / "new"))
    assert "/dev/gpiochip15 (pinctrl-rp1)" in check_gpiochip(machine).sentence
    made = MadeUp("Raspberry Pi 5 Model B Rev 1.0", "trixie", "6.12", dict(enumerate(trees.BRCMSTB)))
    check = check_gpiochip(Machine(made.build(tmp_path / "odd")))
    assert check.status is Status.FAILED
    assert "/dev/gpiochip0 (gpio-brcmstb@107d508500)" in check.sentence


def test_sound_cards_are_named(tmp_path: Path) -> None:
    put(
        tmp_path, "proc/asound/cards", " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n                      vc4-hdmi-0\n"
    )
    assert check_audio(Machine(tmp_path)).sentence.startswith("Sound: vc4-hdmi - vc4-hdmi-0: ")


def test_the_services_states_are_told_apart(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert "not installed" in check_service(machine).sentence
    put(tmp_path, SERVICE_PATH, "")
    assert "does not start by itself" in check_service(machine).sentence
    link = tmp_path / SERVICE_ENABLED
    link.parent.mkdir(parents=True)
    link.symlink_to("/usr/lib/systemd/system/lastcard.service")
    assert check_service(machine).status is Status.FAILED
    (tmp_path / "run/lastcard").mkdir(parents=True)
    assert check_service(machine).status is Status.FAILED, "the directory outlives every crash"
    Notifier({}, tmp_path / "run/lastcard").ready("no screen")
    assert check_service(machine).status is Status.FAILED, "and so does the word of a process that is gone"
    put(tmp_path, f"proc/{os.getpid()}/comm", "lastcard\n")
    assert check_service(machine).status is Status.PASSED
    Notifier({}, tmp_path / "run/lastcard").stopping()
    assert check_service(machine).status is Status.FAILED


def test_an_overlay_a_weak_supply_and_a_doubtful_clock_say_what_to_do(tmp_path: Path) -> None:
    put(tmp_path, "proc/mounts", "overlay / overlay rw,upperdir=/u,lowerdir=/l 0 0\n")
    put(tmp_path, "proc/cmdline", "boot=overlay")
    put(tmp_path, "sys/devices/platform/soc/soc:firmware/get_throttled", "50000\n")
    machine = Machine(tmp_path)
    assert "do_overlayfs 1" in check_keeping(machine, DIRECTORY).fix
    assert check_supply(machine).sentence == "The supply is too weak (since the start)."
    assert "sudo date -s" in check_clock(machine).fix


def test_both_forms_of_the_overlay_are_switched_off_by_their_own_command(tmp_path: Path) -> None:
    """raspi-config can't take back the form that leaves other partitions alone; sed does, and nothing else with it."""
    put(tmp_path, "proc/mounts", "overlayroot / overlay rw,upperdir=/u,lowerdir=/l 0 0\n")
    put(tmp_path, "proc/cmdline", "console=tty1 overlayroot=tmpfs:recurse=0 rootwait")
    fix = check_keeping(Machine(tmp_path), DIRECTORY).fix
    command = re.search(r"sudo (sed -i '[^']*') /boot/firmware/cmdline.txt", fix)
    assert command is not None, fix
    put(tmp_path, "cmdline.txt", "console=tty1 overlayroot=tmpfs:recurse=0 rootwait\n")
    subprocess.run([*shlex.split(command[1]), str(tmp_path / "cmdline.txt")], check=True)
    assert (tmp_path / "cmdline.txt").read_text(encoding="utf-8") == "console=tty1 rootwait\n"
    assert OVERLAY_PAGE in fix
    (place,) = (place for name, place, _mode in build_module().FILES if name == "README.md")
    assert f"/{place}" == OVERLAY_PAGE
    assert "overlayroot=tmpfs:recurse=0" in (REPOSITORY / "systemd/README.md").read_text(encoding="utf-8")


def test_an_overlay_that_is_not_active_and_one_that_leaves_the_record_alone(tmp_path: Path) -> None:
    put(tmp_path, "proc/mounts", "/dev/root / ext4 rw 0 0\n")
    put(tmp_path, "proc/cmdline", "overlayroot=tmpfs")
    check = check_keeping(Machine(tmp_path), DIRECTORY)
    assert (check.status, "is not active" in check.sentence) == (Status.NOT_CHECKED, True)
    put(tmp_path, "proc/mounts", "o / overlay rw,upperdir=/u 0 0\n/dev/sda1 /var/lib/lastcard ext4 rw 0 0\n")
    put(tmp_path, "proc/cmdline", "overlayroot=tmpfs:recurse=0")
    check = check_keeping(Machine(tmp_path), DIRECTORY)
    assert (check.status, "protected by the overlay" in check.sentence) == (Status.PASSED, True)


def test_a_screen_that_does_not_say_that_it_is_there_is_forced_by_a_word(tmp_path: Path) -> None:
    """Small panels often leave the hot-plug line open; config.txt's word for it is not heeded by today's driver."""
    root = trees.PI_3_HEADLESS.build(tmp_path)
    check = check_display(Machine(root), {})
    assert check.status is Status.NOT_CHECKED
    assert (
        "add video=HDMI-A-1:1024x600@60D, with its own size, to the one line of /boot/firmware/cmdline.txt" in check.fix
    )
    assert "hdmi_force_hotplug" not in check.fix
    put(root, trees.CONFIG, "[pi4]\nhdmi_force_hotplug=1\n")
    assert "hdmi_force_hotplug" not in check_display(Machine(root), {}).fix, "it is for another board"
    put(root, trees.CONFIG, "hdmi_force_hotplug=1\n")
    assert "hdmi_force_hotplug in config.txt does nothing" in check_display(Machine(root), {}).fix
    put(root, "proc/cmdline", "console=tty1 video=HDMI-A-1:800x480@60D quiet")
    assert "is forced on" in check_display(Machine(root), {}).fix


def test_the_other_socket_is_named_where_one_is_forced_already(tmp_path: Path) -> None:
    made = MadeUp("Raspberry Pi 4 Model B Rev 1.4", "bookworm", "6.6", {}, {1: trees.NO_HDMI})
    root = made.build(tmp_path)
    put(root, "proc/cmdline", "video=HDMI-A-1:e")
    assert "video=HDMI-A-2:" in check_display(Machine(root), {}).fix


def test_nobody_on_a_laptop_is_told_to_force_a_screen(tmp_path: Path) -> None:
    made = MadeUp("", "trixie", "6.12", {}, {1: {"HDMI-A-1": "disconnected"}}, is_raspberry_os=False)
    assert check_display(Machine(made.build(tmp_path)), {}).fix == ""


def test_a_forced_screen_is_taken_as_one_that_is_plugged_in(tmp_path: Path) -> None:
    """The kernel calls it connected then, and so does the table."""
    root = trees.PI_4_HDMI.build(tmp_path)
    put(root, "proc/cmdline", "video=HDMI-A-1:800x480@60D")
    assert check_display(Machine(root), {}).status is Status.PASSED


CLOCKS = {
    "nothing": ({}, Status.NOT_CHECKED, "No program sets the clock"),
    "a Pi 5 without a battery": (
        {"sys/class/rtc/rtc0/name": "rpi_rtc", "sys/class/rtc/rtc0/since_epoch": "93"},
        Status.NOT_CHECKED,
        "No program sets the clock, and this machine has none that goes on without power",
    ),
    "a Pi 5 whose time a server told, without a battery": (
        {"sys/class/rtc/rtc0/since_epoch": "1796000000", "sys/class/rtc/rtc0/battery_voltage": "12000"},
        Status.NOT_CHECKED,
        "No program sets the clock",
    ),
    "a Pi 5 with a battery": (
        {"sys/class/rtc/rtc0/since_epoch": "1796000000", "sys/class/rtc/rtc0/battery_voltage": "3000000"},
        Status.PASSED,
        "The machine has a clock of its own.",
    ),
    "a DS3231": ({"sys/class/rtc/rtc1/since_epoch": "1796000000"}, Status.PASSED, "has a clock of its own"),
    "timesyncd, that has heard a server": (
        {"run/systemd/timesync/synchronized": ""},
        Status.PASSED,
        "The clock is set by a server (systemd-timesyncd).",
    ),
    "chrony": (
        {"run/chrony/chronyd.pid": "512"},
        Status.NOT_CHECKED,
        "chrony has the clock set by a server as soon as",
    ),
    "ntpd": ({"run/ntpd.pid": "512"}, Status.NOT_CHECKED, "ntpd has the clock set by a server as soon as one answers"),
    "chrony on a Pi 5 without a battery": (
        {"run/chrony/chronyd.pid": "512", "sys/class/rtc/rtc0/since_epoch": "41"},
        Status.NOT_CHECKED,
        "chrony has the clock set",
    ),
}


@pytest.mark.parametrize("case", CLOCKS)
def test_whose_word_the_clock_is(case: str, tmp_path: Path) -> None:
    files, status, said = CLOCKS[case]
    for place, text in files.items():
        put(tmp_path, place, text + "\n")
    check = check_clock(Machine(tmp_path))
    assert check.status is status
    assert said in check.sentence
    assert "not set by a network" not in check.sentence
    assert bool(check.fix) is (status is Status.NOT_CHECKED)


def test_a_record_in_memory_without_an_overlay_is_not_blamed_on_one(tmp_path: Path) -> None:
    put(tmp_path, "proc/mounts", "/dev/root / ext4 rw 0 0\ntmpfs /var/lib tmpfs rw 0 0\n")
    check = check_keeping(Machine(tmp_path), DIRECTORY)
    assert check.status is Status.FAILED
    assert check.fix == "Keep the record on a disk: set [storage] directory to a place there."


def test_a_driver_line_that_stands_already_is_not_asked_for_again(tmp_path: Path) -> None:
    MadeUp("Raspberry Pi 4 Model B Rev 1.4", "bookworm", "6.6", {}).build(tmp_path)
    put(tmp_path, trees.CONFIG, "dtoverlay=vc4-kms-v3d\n")
    assert "has its line already" in check_card(Machine(tmp_path)).fix
    put(tmp_path, trees.CONFIG, "[pi5]\ndtoverlay=vc4-kms-v3d\n")
    assert "Put the lines [all] and dtoverlay=vc4-kms-v3d" in check_card(Machine(tmp_path)).fix


def test_a_check_of_the_box_that_breaks_off_ends_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> Check:
        raise PermissionError(13, "Permission denied", "/dev/input")

    whole = [check.name for check in appliance_checks(Machine(tmp_path), DIRECTORY, {})]
    monkeypatch.setattr(checks_module, "check_input", stumble)
    found = {check.name: check for check in appliance_checks(Machine(tmp_path), DIRECTORY, {})}
    assert list(found) == whole
    assert found["input"].sentence == "This could not be examined (Permission denied: /dev/input)."


def test_two_pygames_are_one_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_with(*names: str) -> Check:
        def version(name: str) -> str:
            if name in names:
                return "2.6.1"
            raise importlib_metadata.PackageNotFoundError(name)

        import importlib.metadata as importlib_metadata

        monkeypatch.setattr("importlib.metadata.version", version)
        return check_pygame()

    assert check_with("pygame", "pygame-ce").status is Status.FAILED
    assert check_with().status is Status.FAILED
    assert check_with("pygame").status is Status.PASSED
    assert check_with("pygame-ce").status is Status.PASSED


def test_the_doctor_asks_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    # A directory of its own: on a machine with the box's service root would become the service's user for good.
    command = ["doctor", "--json", "--state-directory", str(tmp_path)]
    names = [check["name"] for check in json.loads(CliRunner().invoke(lastcard, command).output)["checks"]]
    asked = [check.name for check in appliance_checks(Machine(), tmp_path)]
    assert asked
    assert set(asked) <= set(names)
    assert len(names) == len(set(names))
