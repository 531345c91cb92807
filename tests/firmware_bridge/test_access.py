"""Who may open a device, and what lets them in: no group that is not there, none that the device does not let in."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.access import SERVICE_USER, Identity, how_to_let_in

SPI = "/dev/spidev0.0"
ANN = Identity(1_001, frozenset({1_001}))
BOX = Identity(990, frozenset({990}), SERVICE_USER)


@pytest.fixture
def device(tmp_path: Path) -> Path:
    """Its group is whatever the one who tests has."""
    path = tmp_path / "dev/spidev0.0"
    path.parent.mkdir()
    path.touch()
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("ann:x:1001:1001::/home/ann:/bin/bash\n")
    return path


def set_up(device: Path, group: str, mode: int, members: str = "", others: str = "") -> Path:
    root = device.parents[1]
    device.chmod(mode)
    (root / "etc/group").write_text(f"{group}:x:{device.stat().st_gid}:{members}\n{others}")
    return root


def test_a_group_that_lets_in_is_named(device: Path) -> None:
    root = set_up(device, "spi", 0o660)
    assert how_to_let_in(SPI, ANN, root) == "Run: sudo usermod -aG spi $USER, then log out and in again."
    assert how_to_let_in(SPI, BOX, root) == (
        "Run: sudo usermod -aG spi lastcard, then restart the table: sudo systemctl restart lastcard."
    )


def test_who_is_in_the_group_already_is_told_to_log_in_anew(device: Path) -> None:
    root = set_up(device, "spi", 0o660, members="pi,ann")
    assert how_to_let_in(SPI, ANN, root).endswith("and was not yet when this began: log out and in again.")


def test_who_is_let_in_by_the_file_is_not_told_to_join_a_group(device: Path) -> None:
    """A service's DeviceAllow, or a container, refuses what the file allows."""
    advice = how_to_let_in(SPI, ANN, set_up(device, "spi", 0o666))
    assert "usermod" not in advice and "DeviceAllow" in advice


@pytest.mark.parametrize(("group", "mode"), [("root", 0o600), ("root", 0o660), ("spi", 0o600), ("spi", 0o640)])
def test_nobody_is_told_to_join_root_or_a_group_that_is_not_let_in(group: str, mode: int, device: Path) -> None:
    advice = how_to_let_in(SPI, ANN, set_up(device, group, mode))
    assert "usermod -aG root" not in advice
    assert 'SUBSYSTEM=="spidev", KERNEL=="spidev*", GROUP="spi", MODE="0660"' in advice
    assert ("groupadd -r spi" in advice) is (group != "spi"), "a group that is not there has to be made"


def test_a_group_without_a_name_is_nobody_s_to_join(device: Path) -> None:
    root = set_up(device, "spi", 0o660)
    (root / "etc/group").write_text("")
    assert "usermod -aG 0 " not in how_to_let_in(SPI, ANN, root)


def test_a_device_that_has_left_is_spoken_of_by_its_usual_group(device: Path) -> None:
    root = set_up(device, "spi", 0o660, others="dialout:x:20:\n")
    assert "usermod -aG dialout $USER" in how_to_let_in("/dev/ttyACM0", ANN, root)
    assert how_to_let_in("/dev/input/event3", ANN, root) == "Run it as an administrator (sudo)."


@pytest.mark.parametrize(
    ("mode", "is_owner", "is_member", "may"),
    [
        (0o600, True, False, True),
        (0o060, True, True, False),  # the owner is judged as the owner alone
        (0o660, False, True, True),
        (0o640, False, True, False),
        (0o606, False, True, False),
        (0o606, False, False, True),
        (0o660, False, False, False),
    ],
)
def test_leave_is_judged_as_the_kernel_does(
    mode: int, is_owner: bool, is_member: bool, may: bool, device: Path
) -> None:
    device.chmod(mode)
    status = device.stat()
    user = (status.st_uid or 0) if is_owner else status.st_uid + 1_000
    identity = Identity(user, frozenset({status.st_gid if is_member else status.st_gid + 1}))
    assert identity.may(device) is (may or user == 0)
