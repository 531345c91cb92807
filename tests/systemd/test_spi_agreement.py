"""Installer and doctor on the same machines: what the one says of SPI the other says too, and what the installer did is
what the doctor wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.access import Identity
from hardware.diagnosis.checks import Status
from hardware.diagnosis.reader import Machine, check_spi
from hardware.rc522.spi import ReaderSettings
from tests.programs import requires_program
from tests.systemd import trees
from tests.systemd.test_install_changes import LiveCard
from tests.systemd.trees import MadeUp, put, with_spi

BOARDS = (trees.ZERO_2, trees.PI_3_HDMI, trees.PI_4_HDMI, trees.PI_5_TRIXIE)
CONFIGS = {
    "nothing": "",
    "on": "dtparam=spi=on\n",
    "joined": "dtparam=i2c_arm=on,spi=on\n",
    "for a Pi 4": "[pi4]\ndtparam=spi=on\n[all]\ndtparam=audio=on\n",
    "for a Pi 5": "[pi5]\ndtparam=spi=on\n",
    "off for a Zero": "dtparam=spi=on\n[pi02]\ndtparam=spi=off\n",
    "a display's": "dtoverlay=spi0-0cs\n",
}


@pytest.mark.parametrize("made", BOARDS, ids=lambda made: made.model)
@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("has_raspi_config", [False, True])
@pytest.mark.parametrize("kept_out", ["", "blacklist spi-bcm2835\n"])
def test_installer_and_doctor_agree(
    made: MadeUp, config: str, has_raspi_config: bool, kept_out: str, tmp_path: Path
) -> None:
    requires_program("dpkg", "dpkg")
    card = LiveCard(tmp_path)
    with_spi(made, card.root, CONFIGS[config], has_raspi_config=has_raspi_config)
    put(card.root, trees.BLACKLIST, kept_out)
    machine = Machine(card.root, Identity(0, frozenset({0})))
    before = check_spi(machine, ReaderSettings())
    assert before.status is Status.FAILED, "nothing is there yet"
    _, said = card.live("--yes")
    assert "SPI is on already" not in said
    after = check_spi(machine, ReaderSettings())
    if "switched off" in before.sentence:
        assert ("raspi-config nonint do_spi 0" in said) is has_raspi_config
        lines = (card.root / trees.CONFIG).read_text(encoding="utf-8").splitlines()
        assert lines[-2:] == ["[all]", "dtparam=spi=on"], "for this board, whatever stands before it"
        if has_raspi_config:
            assert after.status is Status.PASSED, "raspi-config has made the devices at once"
            return
    else:
        assert before.sentence in said and before.fix in said, "the same words"
    assert after.status is Status.FAILED
    assert after.fix == (
        f"Take spi-bcm2835 out of /{trees.BLACKLIST}, then restart the Raspberry Pi."
        if kept_out
        else "Restart the Raspberry Pi."
    )


@pytest.mark.parametrize("made", BOARDS, ids=lambda made: made.model)
def test_where_the_devices_are_both_say_that_it_is_on(made: MadeUp, tmp_path: Path) -> None:
    requires_program("dpkg", "dpkg")
    card = LiveCard(tmp_path)
    with_spi(made, card.root, "", is_there=True)
    assert "SPI is on already." in card.live("--yes")[1]
    assert check_spi(Machine(card.root), ReaderSettings()).status is Status.PASSED
