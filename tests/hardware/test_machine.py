"""What machine this is, on trees of each Pi, kernel and system: the right choice in each."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.clock import is_synchronised
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
    model,
    overlay,
    supply,
    system,
    timekeeper,
)
from tests.systemd import trees
from tests.systemd.trees import MadeUp, put

HEADER = [
    (trees.ZERO_2, 0),
    (trees.PI_3_HDMI, 0),
    (trees.PI_3_HEADLESS, 0),
    (trees.PI_4_HDMI, 0),
    (trees.PI_4_DSI, 0),
    (trees.PI_5_OLD, 4),
    (trees.PI_5_6_6_20, 4),
    (trees.PI_5_6_6_47, 0),
    (trees.PI_5_6_12_96, 15),
    (trees.PI_5_TRIXIE, 0),
]
IDS = [f"{made.model} {made.kernel}" for made, _ in HEADER]


@pytest.mark.parametrize("has_old_gpio", [True, False], ids=["labels", "device tree alone"])
@pytest.mark.parametrize(("made", "number"), HEADER, ids=IDS)
def test_the_headers_chip_is_told_by_its_label(made: MadeUp, number: int, has_old_gpio: bool, tmp_path: Path) -> None:
    chip = header_chip(made.build(tmp_path, has_old_gpio))
    assert chip is not None
    assert chip.path == f"/dev/gpiochip{number}"


def test_a_laptop_has_no_header(tmp_path: Path) -> None:
    trees.LAPTOP.build(tmp_path)
    assert header_chip(tmp_path) is None
    assert gpio_chips(tmp_path) == []
    assert not is_raspberry_pi(tmp_path)


def test_an_expander_alone_is_not_taken_for_the_header(tmp_path: Path) -> None:
    trees.add_gpio_chip(tmp_path, 0, trees.EXPANDER, has_old_gpio=True)
    assert header_chip(tmp_path) is None


@pytest.mark.parametrize("made", [made for made, _ in HEADER], ids=IDS)
def test_board_and_system_are_named(made: MadeUp, tmp_path: Path) -> None:
    made.build(tmp_path)
    assert model(tmp_path) == made.model
    assert is_raspberry_pi(tmp_path)
    found = system(tmp_path)
    assert found.codename == made.system.split()[0]
    assert found.is_raspberry_pi_os
    assert found.kernel == made.kernel


def test_plain_debian_is_not_taken_for_raspberry_pi_os(tmp_path: Path) -> None:
    trees.LAPTOP.build(tmp_path)
    assert not system(tmp_path).is_raspberry_pi_os
    assert system(tmp_path).name == "Debian GNU/Linux 13 (trixie)"


def test_an_empty_tree_is_no_error(tmp_path: Path) -> None:
    assert model(tmp_path) == ""
    assert system(tmp_path).codename == ""
    assert keeping(Path("/var/lib/lastcard"), tmp_path) is Keeping.UNKNOWN
    assert supply(tmp_path) is Supply.UNKNOWN
    assert clock_state(tmp_path) is ClockState.DOUBTFUL


EXT4 = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n"
OVERLAYROOT = (
    "/dev/mmcblk0p2 /media/root-ro ext4 ro,relatime 0 0\n"
    "tmpfs-root /media/root-rw tmpfs rw,relatime 0 0\n"
    "overlayroot / overlay rw,relatime,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/w 0 0\n"
)
DATA = "/dev/mmcblk0p3 /var/lib/lastcard ext4 rw,noatime 0 0\n"


@pytest.mark.parametrize(
    ("mounts", "command_line", "expected"),
    [
        pytest.param(EXT4, "", Keeping.KEPT, id="an SD card"),
        pytest.param(EXT4.replace("rw", "ro"), "", Keeping.READ_ONLY, id="mounted read-only"),
        pytest.param(OVERLAYROOT, "overlayroot=tmpfs", Keeping.LOST, id="raspi-config's overlay"),
        pytest.param(OVERLAYROOT, "", Keeping.LOST, id="overlay told by its upper layer"),
        pytest.param(
            OVERLAYROOT + DATA, "overlayroot=tmpfs:recurse=0", Keeping.KEPT, id="overlay with a data partition"
        ),
        pytest.param(
            OVERLAYROOT
            + DATA.replace("/dev/mmcblk0p3 ", "overlayroot ").replace(
                "ext4 rw,noatime", "overlay rw,lowerdir=/a,upperdir=/media/root-rw/overlay/var,workdir=/w"
            ),
            "overlayroot=tmpfs",
            Keeping.LOST,
            id="the data partition under the overlay as well",
        ),
        pytest.param(
            "overlay / overlay rw,noatime,lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work 0 0\n",
            "boot=overlay root=PARTUUID=1",
            Keeping.LOST,
            id="the older overlay, its layers out of sight",
        ),
        pytest.param(
            "/dev/sda1 / ext4 rw 0 0\noverlay /var overlay rw,lowerdir=/a,upperdir=/disk/b,workdir=/disk/c 0 0\n",
            "",
            Keeping.KEPT,
            id="an overlay whose upper layer is a disk",
        ),
        pytest.param(EXT4 + "tmpfs /var/lib tmpfs rw 0 0\n", "", Keeping.LOST, id="a tmpfs above it"),
        pytest.param(EXT4 + "tmpfs /var/lib/last tmpfs rw 0 0\n", "", Keeping.KEPT, id="a tmpfs of a like name"),
        pytest.param(EXT4 + "tmpfs /var/lib/lastcard\\040old tmpfs rw 0 0\n", "", Keeping.KEPT, id="a blank in a name"),
        pytest.param("tmpfs / tmpfs rw 0 0\n" + EXT4, "", Keeping.KEPT, id="the later mount lies on top"),
    ],
)
def test_files_that_go_with_the_power_are_found(
    mounts: str, command_line: str, expected: Keeping, tmp_path: Path
) -> None:
    put(tmp_path, "proc/mounts", mounts)
    put(tmp_path, "proc/cmdline", command_line)
    for upper in ("media/root-rw/overlay/var", "disk/b"):
        (tmp_path / upper).mkdir(parents=True)
    assert keeping(Path("/var/lib/lastcard"), tmp_path) is expected


LINKS = {
    "the directory itself": ({"var/lib/lastcard": "/run/scores"}, Keeping.LOST),
    "one above it": ({"var": "run"}, Keeping.LOST),
    "by a way that goes up": ({"var/lib/lastcard": "../../run/scores"}, Keeping.LOST),
    "one link after another": ({"var/lib/lastcard": "/var/next", "var/next": "/run"}, Keeping.LOST),
    "out of memory again": ({"var/lib/lastcard": "/run/back", "run/back": "/data"}, Keeping.KEPT),
    "round in a circle": ({"var/lib/lastcard": "/var/next", "var/next": "/var/lib/lastcard"}, Keeping.UNKNOWN),
    "to what is not there yet": ({"var/lib/lastcard": "/run/none/yet"}, Keeping.LOST),
}


@pytest.mark.parametrize("case", LINKS)
def test_a_link_is_followed_to_where_the_files_really_are(case: str, tmp_path: Path) -> None:
    links, expected = LINKS[case]
    put(tmp_path, "proc/mounts", "/dev/mmcblk0p2 / ext4 rw 0 0\ntmpfs /run tmpfs rw 0 0\n")
    for name, target in links.items():
        link = tmp_path / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
    assert keeping(Path("/var/lib/lastcard"), tmp_path) is expected


@pytest.mark.parametrize(
    ("mounts", "command_line", "expected"),
    [
        (OVERLAYROOT, "quiet overlayroot=tmpfs", Overlay.ON),
        (OVERLAYROOT + DATA, "overlayroot=tmpfs:recurse=0", Overlay.ON),
        (OVERLAYROOT, "boot=overlay", Overlay.ON),
        (EXT4, "overlayroot=tmpfs quiet", Overlay.NOT_ACTIVE),
        (EXT4, "overlayroot=disabled", Overlay.OFF),
        (EXT4, "quiet", Overlay.OFF),
        (OVERLAYROOT, "", Overlay.OFF),
        ("", "overlayroot=tmpfs", Overlay.OFF),
    ],
)
def test_an_overlay_that_was_asked_for_and_is_not_there_is_seen(
    mounts: str, command_line: str, expected: Overlay, tmp_path: Path
) -> None:
    put(tmp_path, "proc/mounts", mounts)
    put(tmp_path, "proc/cmdline", command_line)
    assert overlay(tmp_path) is expected


def test_a_containers_overlay_is_not_judged_by_a_path_of_another_system(tmp_path: Path) -> None:
    put(
        tmp_path,
        "proc/mounts",
        "overlay / overlay rw,lowerdir=/a,upperdir=/tmp/b,workdir=/c 0 0\ntmpfs /tmp tmpfs rw 0 0\n",
    )
    assert keeping(Path("/var/lib/lastcard"), tmp_path) is Keeping.UNKNOWN
    (tmp_path / "tmp/b").mkdir(parents=True)
    assert keeping(Path("/var/lib/lastcard"), tmp_path) is Keeping.LOST


MONITOR = "sys/class/hwmon/hwmon1"
FIRMWARE = "sys/devices/platform/soc/soc:firmware/get_throttled"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({f"{MONITOR}/name": "rpi_volt", f"{MONITOR}/in0_lcrit_alarm": "0"}, Supply.GOOD),
        ({f"{MONITOR}/name": "rpi_volt", f"{MONITOR}/in0_lcrit_alarm": "1"}, Supply.WEAK_NOW),
        ({f"{MONITOR}/name": "cpu_thermal", f"{MONITOR}/in0_lcrit_alarm": "1"}, Supply.UNKNOWN),
        ({FIRMWARE: "0"}, Supply.GOOD),
        ({FIRMWARE: "50005"}, Supply.WEAK_NOW),
        ({FIRMWARE: "50000"}, Supply.WEAK_BEFORE),
        ({FIRMWARE: "80008"}, Supply.GOOD),  # too warm is not too weak
        ({FIRMWARE: "nonsense"}, Supply.UNKNOWN),
        ({FIRMWARE: "0", f"{MONITOR}/name": "rpi_volt", f"{MONITOR}/in0_lcrit_alarm": "1"}, Supply.WEAK_NOW),
        ({FIRMWARE: "50000", f"{MONITOR}/name": "rpi_volt", f"{MONITOR}/in0_lcrit_alarm": "0"}, Supply.WEAK_BEFORE),
    ],
)
def test_a_weak_supply_is_told_by_whichever_source_complains(
    files: dict[str, str], expected: Supply, tmp_path: Path
) -> None:
    for place, text in files.items():
        put(tmp_path, place, text + "\n")
    assert supply(tmp_path) is expected


def test_what_the_kernel_says_of_its_clock_counts_whichever_program_set_it(tmp_path: Path) -> None:
    put(tmp_path, "run/chrony/chronyd.pid", "512\n")
    assert clock_state(tmp_path) is ClockState.KEPT
    assert clock_state(tmp_path, is_synchronised=False) is ClockState.KEPT
    assert clock_state(tmp_path, is_synchronised=True) is ClockState.SYNCHRONISED
    assert timekeeper(tmp_path) == "chrony"


def test_the_kernel_is_asked_and_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_synchronised() in (True, False, None)
    monkeypatch.setattr("sys.platform", "win32")
    assert is_synchronised() is None


def test_the_clock_is_believed_once_a_server_or_a_battery_vouches_for_it(tmp_path: Path) -> None:
    put(tmp_path, "sys/class/rtc/rtc0/name", "rpi_rtc\n")
    assert clock_state(tmp_path) is ClockState.HAS_RTC
    put(tmp_path, "run/systemd/timesync/synchronized", "")
    assert clock_state(tmp_path) is ClockState.SYNCHRONISED
