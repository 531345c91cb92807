"""What the installer would do on each machine, told by trees; what it does is tried on whole systems in
``test_machines``."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import requires_program
from tests.systemd import trees
from tests.systemd.test_units import build_module
from tests.systemd.trees import MadeUp, put

REPOSITORY = Path(__file__).parents[2]
INSTALLER = REPOSITORY / "systemd/install.sh"
# As in the package, which the installer takes it out of.
PARSER = "usr/lib/lastcard/hardware/header_spi.py"
# What the answers of apt and of the system are in the tree; everything that changes something is only said.
TOOLS = {
    "apt-get": "exit 99",
    "dpkg": 'if [ "$1" = --compare-versions ]; then exec /usr/bin/dpkg "$@"; fi; exit 99',
    "apt-cache": "printf '  Candidate: 1.0\\n'",
    "dpkg-query": "exit 1",
    "dpkg-deb": 'if [ "$1" = --fsys-tarfile ]; then tar -cC "$(dirname "$0")/package" ./usr; fi',
    "systemctl": '[ "$1" = get-default ] && echo graphical.target; [ "$1" != is-enabled ]',
    "getent": "echo $2:x:1:",
    "id": 'if [ "$1" = -u ]; then echo 1000; else echo somebody; fi',
}


class Card:
    """A written card with the installer and the package on it."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "root"
        self.root.mkdir()
        self.place = directory / "card"
        self.place.mkdir()
        shutil.copy(INSTALLER, self.place)
        (self.place / "lastcard_0.9.0_all.deb").touch()
        (self.place / "lastcard_0.10.0_all.deb").touch()
        self.tools = directory / "tools"
        self.tools.mkdir()
        put(self.tools / "package", PARSER, (REPOSITORY / "hardware/header_spi.py").read_text(encoding="utf-8"))
        for name, body in TOOLS.items():
            self.tool(name, body)

    def tool(self, name: str, body: str) -> None:
        program = self.tools / name
        program.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        program.chmod(0o755)

    def run(self, *arguments: str, user: str = "") -> subprocess.CompletedProcess[str]:
        requires_program("bash", "bash")
        environment = {**os.environ, "PATH": f"{self.tools}:/usr/bin:/bin", "LASTCARD_ROOT": str(self.root)}
        environment.pop("SUDO_USER", None)
        if user:
            environment["SUDO_USER"] = user
        return subprocess.run(
            ["bash", str(self.place / "install.sh"), *arguments],
            env=environment,
            cwd=self.place,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def would(self, *arguments: str, user: str = "") -> list[str]:
        done = self.run("--dry-run", *arguments, user=user)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        return [line.removeprefix("would run: ") for line in lines if line.startswith("would ")]


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path)


def with_raspi_config(made: MadeUp, root: Path) -> None:
    made.build(root)
    put(root, "usr/bin/raspi-config", "#!/bin/sh\n")
    (root / "usr/bin/raspi-config").chmod(0o755)


def test_the_parser_is_in_the_package_where_it_is_looked_for_and_runs_by_itself(tmp_path: Path) -> None:
    """Taken out of the package before anything of it is installed: it may need nothing but Python."""
    assert f"{build_module().LIBRARY}/hardware/header_spi.py" == PARSER
    assert PARSER in INSTALLER.read_text(encoding="utf-8")
    trees.with_spi(trees.PI_5_TRIXIE, tmp_path, "")
    told = subprocess.run(
        [sys.executable, "-I", "-S", "-", str(tmp_path)],
        input=(REPOSITORY / "hardware/header_spi.py").read_text(encoding="utf-8"),
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
    )
    assert told.stdout.splitlines()[:3] == ["off", "off", "SPI is switched off."]


def test_without_python_the_installer_says_that_it_can_not_tell(card: Card) -> None:
    with_raspi_config(trees.PI_5_TRIXIE, card.root)
    card.tool("python3", "exit 127")
    assert "Whether SPI is on can't be told without python3" in card.run("--dry-run", "--yes").stdout


@pytest.mark.parametrize("made", [trees.ZERO_2, trees.PI_3_HEADLESS, trees.PI_4_DSI, trees.PI_5_6_12_96])
def test_on_a_pi_spi_is_switched_on_and_what_a_pi_needs_installed(made: MadeUp, card: Card) -> None:
    with_raspi_config(made, card.root)
    would = card.would("--yes")
    assert any(line.startswith("apt-get install") and "python3-lgpio" in line for line in would)
    assert "raspi-config nonint do_spi 0" in would
    assert not any("enable lastcard" in line for line in would), "a kiosk only where it was asked for"


def test_the_newest_package_beside_it_is_taken(card: Card) -> None:
    trees.PI_5_TRIXIE.build(card.root)
    assert any("lastcard_0.10.0_all.deb" in line for line in card.would("--yes"))


def test_where_spi_is_on_nothing_is_switched(card: Card) -> None:
    with_raspi_config(trees.PI_4_HDMI, card.root)
    put(card.root, "dev/spidev0.0", "")
    assert not any("spi" in line and "raspi-config" in line for line in card.would("--yes"))


def test_without_raspi_config_the_line_goes_into_config_txt(card: Card) -> None:
    trees.PI_4_HDMI.build(card.root)
    put(card.root, "boot/firmware/config.txt", "dtparam=audio=on\n")
    (line,) = (line for line in card.would("--yes") if "dtparam" in line)
    assert line == f"would add dtparam=spi=on to {card.root}/boot/firmware/config.txt"


def test_a_power_button_is_the_kernels_own_and_named_once(card: Card) -> None:
    trees.PI_4_HDMI.build(card.root)
    put(card.root, "dev/spidev0.0", "")
    put(card.root, "boot/firmware/config.txt", "dtparam=audio=on\n")
    line = "dtoverlay=gpio-shutdown,gpio_pin=21,debounce=2000"
    assert f"would add {line} to {card.root}/boot/firmware/config.txt" in card.would("--yes", "--power-button", "21")
    put(card.root, "boot/firmware/config.txt", f"dtparam=audio=on\n{line}\n")
    assert not any("would add" in said for said in card.would("--yes", "--power-button", "21"))
    other = card.run("--dry-run", "--yes", "--power-button", "20")
    assert other.returncode == 2
    assert "has a power button already" in other.stderr


def test_a_power_button_is_for_a_pi_alone(card: Card) -> None:
    trees.LAPTOP.build(card.root)
    done = card.run("--dry-run", "--yes", "--power-button", "21")
    assert done.returncode == 2
    assert "this is none" in done.stderr


def test_a_kiosk_on_a_desktop_card_starts_without_the_desktop(card: Card) -> None:
    with_raspi_config(trees.PI_5_TRIXIE, card.root)
    put(card.root, "etc/systemd/system/display-manager.service", "")
    would = card.would("--yes", "--kiosk")
    assert "systemctl set-default multi-user.target" in would
    assert "systemctl enable lastcard.service" in would
    assert "systemctl start lastcard.service" not in would, "the desktop holds the screen until the restart"


def test_a_kiosk_on_a_lite_card_starts_at_once(card: Card) -> None:
    trees.LAPTOP.build(card.root)
    would = card.would("--yes", "--kiosk")
    assert "systemctl start lastcard.service" in would
    assert not any("set-default" in line for line in would)


def test_a_laptop_gets_nothing_that_only_a_pi_has(card: Card) -> None:
    trees.LAPTOP.build(card.root)
    assert not any("spi 0" in line or "dtparam" in line for line in card.would("--yes"))


def test_whoever_called_sudo_may_use_the_reader_from_a_login(card: Card) -> None:
    trees.PI_4_HDMI.build(card.root)
    assert "usermod -aG spi ann" in card.would("--yes", user="ann")
    assert "usermod -aG spi ben" in card.would("--yes", "--user", "ben", user="ann")


def test_a_dry_run_changes_nothing(card: Card) -> None:
    with_raspi_config(trees.PI_4_HDMI, card.root)
    put(card.root, "boot/firmware/config.txt", "dtparam=audio=on\n")
    before = {path: path.read_bytes() for path in card.root.rglob("*") if path.is_file()}
    card.would("--yes", "--kiosk", "--user", "ann")
    assert {path: path.read_bytes() for path in card.root.rglob("*") if path.is_file()} == before


def test_a_dry_run_ends_with_what_it_is_and_does_not_say_that_anything_is_done(card: Card) -> None:
    with_raspi_config(trees.PI_4_HDMI, card.root)
    told = card.run("--dry-run", "--yes", "--user", "ann").stdout
    assert told.splitlines()[-1] == "Nothing was changed: this was a dry run."


@pytest.mark.parametrize("is_purge", [False, True], ids=["uninstall", "purge"])
@pytest.mark.parametrize("is_yes", [False, True], ids=["asked", "yes"])
def test_a_dry_run_says_what_taking_away_would_do_though_nobody_can_be_asked(
    card: Card, is_purge: bool, is_yes: bool
) -> None:
    card.tool("dpkg-query", "exit 0")
    arguments = ["--uninstall"] + ["--purge"] * is_purge + ["--yes"] * is_yes
    done = card.run("--dry-run", *arguments)
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert any(line.startswith(f"would run: apt-get {'purge' if is_purge else 'remove'} ") for line in told), told
    assert any(line.startswith("would ask: Take Last Card away") for line in told) is not is_yes
    assert told[-1] == "Nothing was changed: this was a dry run."


def test_every_option_of_the_installer_is_on_its_page() -> None:
    page = (INSTALLER.parent / "README.md").read_text(encoding="utf-8")
    told = subprocess.run([INSTALLER, "--help"], capture_output=True, text=True, check=True).stdout
    for option in re.findall(r"^  (--[\w-]+)", told, re.MULTILINE):
        assert re.search(rf"`(--uninstall )?{option}\b", page), option


def test_no_command_of_it_upgrades_the_system_or_breaks_packages() -> None:
    text = INSTALLER.read_text(encoding="utf-8")
    for never in ("apt-get upgrade", "full-upgrade", "dist-upgrade", "break-system-packages", "pip install --", "curl"):
        assert never not in text


@pytest.mark.parametrize(
    ("arguments", "system", "said"),
    [
        (["--frobnicate"], "bookworm", "Unknown option --frobnicate; install.sh --help lists them."),
        (["--user"], "bookworm", "--user needs a name."),
        (["--power-button"], "bookworm", "--power-button needs a pin's BCM number, from 0 to 27."),
        (["--power-button", "28"], "bookworm", "--power-button needs a pin's BCM number, from 0 to 27."),
        (["--purge"], "bookworm", "--purge goes with --uninstall."),
        (["--dry-run", "--yes"], "bullseye", "This system (bullseye) is too old: Python 3.11 is needed."),
        (["--yes"], "bookworm", "Run it as root"),
    ],
)
def test_what_can_not_be_is_one_sentence_and_exit_status_2(
    arguments: list[str], system: str, said: str, card: Card
) -> None:
    MadeUp("Raspberry Pi 4 Model B Rev 1.4", system, "6.1", {}).build(card.root)
    done = card.run(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_without_a_package_it_says_where_one_comes_from(card: Card) -> None:
    trees.PI_4_HDMI.build(card.root)
    for path in card.place.glob("*.deb"):
        path.unlink()
    done = card.run("--dry-run", "--yes")
    assert done.returncode == 2
    assert "make deb" in done.stderr
