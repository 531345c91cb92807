"""What the installer does as root, step by step, also where a step fails: every program that would change this machine
is replaced by one that only tells what it was asked. Whole systems: ``test_machines``."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.programs import requires_program
from tests.systemd import trees
from tests.systemd.test_install import INSTALLER, Card, with_raspi_config
from tests.systemd.trees import MadeUp, put

# Each tells what it was asked, fails where a test says so, and else does this.
TOOLS = {
    "apt-get": "",
    # As on a German machine; only in the locale C it is as its manual has it.
    "apt-cache": 'if [ "$LC_ALL" = C ]; then echo "  Candidate: 1.0"; else echo "  Installationskandidat: 1.0"; fi',
    "apt-mark": "",
    "dpkg": 'if [ "$1" = --compare-versions ]; then exec /usr/bin/dpkg "$@"; fi',
    "dpkg-query": '[ "$*" = "-W lastcard" ]',
    "dpkg-deb": 'if [ "$1" = --fsys-tarfile ]; then tar -cC "$HERE/package" ./usr; else echo 1.0; fi',
    "systemctl": 'case $1 in get-default) cat "$HERE/target" ;; set-default) echo "$2" >"$HERE/target" ;; '
    'is-enabled) [ -e "$HERE/enabled" ] ;; enable) : >"$HERE/enabled" ;; disable) rm -f "$HERE/enabled" ;; esac',
    # A number is taken for a user's too.
    "getent": 'case $1:$2 in passwd:ann|passwd:1001) echo ann:x:1001: ;; group:*) echo "$2:x:1:" ;; *) exit 2 ;; esac',
    "id": 'if [ "$1" = -u ]; then echo 0; else cat "$HERE/groups"; fi',
    "usermod": 'sed -i "s/$/ $2/" "$HERE/groups"',
    # As the real one: 3 for who is no member.
    "gpasswd": 'grep -qw "$3" "$HERE/groups" || exit 3; sed -i "s/ $3//" "$HERE/groups"',
    "raspi-config": 'if [ "$3" = 0 ]; then mkdir -p "$LASTCARD_ROOT/dev"; : >"$LASTCARD_ROOT/dev/spidev0.0"; fi',
    "udevadm": "",
    "lastcard": "echo 'ok: the doctor'",
}
LOOKS_ONLY = (
    "apt-cache",
    "getent",
    "id",
    "dpkg-deb",
    "dpkg-query",
    "udevadm",
    "systemctl get-default",
    "systemctl is-",
)


class LiveCard(Card):
    """A card whose installer really runs, as root, below the tree."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        (self.place / "lastcard_0.9.0_all.deb").unlink()
        self.asked = self.tools / "asked"
        self.failing = self.tools / "failing"
        self.failing.touch()
        (self.tools / "target").write_text("graphical.target\n", encoding="utf-8")
        (self.tools / "groups").write_text("ann\n", encoding="utf-8")
        for name, body in TOOLS.items():
            program = self.tools / name
            program.write_text(
                f'#!/bin/sh\nHERE={self.tools}\necho "{name} $*" >>$HERE/asked\n'
                f'while read -r which; do case "{name} $*" in $which) exit 100 ;; esac; done <$HERE/failing\n{body}\n',
                encoding="utf-8",
            )
            program.chmod(0o755)

    def fail(self, *which: str) -> None:
        """Let every command fail that one of these shell patterns fits."""
        self.failing.write_text("".join(f"{pattern}\n" for pattern in which), encoding="utf-8")

    def live(self, *arguments: str, status: int = 0) -> tuple[list[str], str]:
        """The commands that change something, and what was said."""
        self.asked.unlink(missing_ok=True)
        done = self.run(*arguments)
        said = done.stdout + done.stderr
        assert done.returncode == status, said
        asked = self.asked.read_text(encoding="utf-8").splitlines() if self.asked.exists() else []
        changing = [line for line in asked if not line.startswith(LOOKS_ONLY) and "--compare-versions" not in line]
        return changing, said

    @property
    def target(self) -> str:
        return (self.tools / "target").read_text(encoding="utf-8").strip()

    @property
    def groups(self) -> list[str]:
        return (self.tools / "groups").read_text(encoding="utf-8").split()


@pytest.fixture
def card(tmp_path: Path) -> LiveCard:
    requires_program("dpkg", "dpkg")
    return LiveCard(tmp_path)


def desktop(card: LiveCard, made: MadeUp = trees.PI_5_TRIXIE) -> None:
    with_raspi_config(made, card.root)
    put(card.root, "etc/systemd/system/display-manager.service", "")


@pytest.mark.parametrize("language", ["", "C.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8"])
def test_whatever_language_a_machine_speaks_it_gets_its_reader(
    language: str, card: LiveCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", language)
    monkeypatch.setenv("LC_ALL", language)
    monkeypatch.setenv("LANGUAGE", language[:2])
    with_raspi_config(trees.PI_4_HDMI, card.root)
    asked, _ = card.live("--yes")
    (install,) = (line for line in asked if line.startswith("apt-get install"))
    assert "python3-spidev" in install
    assert "python3-lgpio" in install


def test_settings_that_somebody_changed_are_no_question_to_dpkg(card: LiveCard) -> None:
    trees.LAPTOP.build(card.root)
    asked, _ = card.live("--yes")
    (install,) = (line for line in asked if line.startswith("apt-get install"))
    assert "-o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold" in install


@pytest.mark.parametrize("name", ["nobody-here", "1001", "-v"])
def test_a_user_who_is_not_there_is_named_before_anything_is_changed(name: str, card: LiveCard) -> None:
    with_raspi_config(trees.PI_4_HDMI, card.root)
    asked, said = card.live("--yes", "--user", name, status=2)
    assert asked == []
    assert f"There is no user {name}. Name one that is there with --user." in said


@pytest.mark.parametrize("arguments", [("--yes", "--kiosk", "--user", "ann"), ("--uninstall", "--yes")])
def test_whatever_step_fails_has_a_sentence(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Each command that the installer gives fails once; nothing ends with a message of the shell's alone."""
    whole = LiveCard(tmp_path)
    requires_program("dpkg", "dpkg")
    desktop(whole)
    steps, _ = whole.live("--yes", "--kiosk", "--user", "ann")
    if arguments[0] == "--uninstall":
        steps, _ = whole.live(*arguments)
    assert len(steps) >= 6
    for number, step in enumerate(steps):
        directory = tmp_path / str(number)
        directory.mkdir()
        card = LiveCard(directory)
        desktop(card)
        if arguments[0] == "--uninstall":
            card.live("--yes", "--kiosk", "--user", "ann")
        step = step.replace(str(whole.place), str(card.place))
        card.fail(step)
        done = card.run(*arguments)
        said = done.stdout + done.stderr
        assert "line " not in said, (step, said)
        if done.returncode != 0:
            assert done.returncode == 2, (step, said)
            assert said.splitlines()[-1].startswith("install.sh: "), (step, said)
            card.fail()
            assert card.run(*arguments).returncode == 0, f"run again after {step}, it goes on"


def test_a_source_that_can_not_be_read_does_not_keep_ours_from_being_installed(card: LiveCard) -> None:
    trees.LAPTOP.build(card.root)
    card.fail("apt-get update*")
    asked, said = card.live("--yes")
    assert any(line.startswith("apt-get install") for line in asked)
    assert "Not every source of packages can be read" in said


def test_what_the_plug_left_half_done_is_mended_first(card: LiveCard) -> None:
    trees.LAPTOP.build(card.root)
    asked, _ = card.live("--yes")
    assert asked[0].startswith("dpkg --configure -a")
    asked, _ = card.live("--uninstall", "--yes")
    assert asked.index("dpkg --configure -a --force-confdef --force-confold") < asked.index(
        "apt-get remove -y -o DPkg::Lock::Timeout=300 lastcard"
    )


def test_a_package_that_was_copied_halfway_is_named_and_nothing_changed(card: LiveCard) -> None:
    trees.LAPTOP.build(card.root)
    card.fail("dpkg-deb*")
    asked, said = card.live("--yes", status=2)
    assert asked == []
    assert "lastcard_0.10.0_all.deb is not whole." in said


# -- which package ---------------------------------------------------------------------------------------------------


def test_of_two_directories_the_newer_package_is_taken(card: LiveCard) -> None:
    trees.LAPTOP.build(card.root)
    sources = card.place.parent / "sources/systemd"
    built = sources.parent / "dist"
    for directory, version in ((sources, "0.9.0"), (built, "0.10.0"), (built, "0.10.0~rc1")):
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"lastcard_{version}_all.deb").touch()
    shutil.copy(INSTALLER, sources)
    card.place = sources
    assert any("/dist/lastcard_0.10.0_all.deb" in line for line in card.live("--yes")[0])
    (sources / "lastcard_0.11.0_all.deb").touch()
    assert any("/systemd/lastcard_0.11.0_all.deb" in line for line in card.live("--yes")[0])


def test_no_package_is_taken_from_where_the_caller_stands(card: LiveCard, tmp_path: Path) -> None:
    trees.LAPTOP.build(card.root)
    (card.place / "lastcard_99_all.deb").touch()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(INSTALLER, elsewhere)
    program = [str(elsewhere / "install.sh")]
    environment = {"PATH": f"{card.tools}:/usr/bin:/bin", "LASTCARD_ROOT": str(card.root)}
    done = subprocess.run(
        ["bash", *program, "--yes"], cwd=card.place, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "No lastcard_…_all.deb lies beside this script." in done.stderr + done.stdout


@pytest.mark.parametrize("name", ["a [b]", "*", "Ann's card", "$HOME"])
def test_a_directory_may_have_any_name(name: str, card: LiveCard) -> None:
    trees.LAPTOP.build(card.root)
    card.place = card.place.rename(card.place.parent / name)
    assert any(f"/{name}/lastcard_0.10.0_all.deb" in line for line in card.live("--yes")[0])


# -- SPI -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "is_on"),
    [
        ("", False),
        ("dtparam=spi=on\n", True),
        ("dtparam=spi=on\r\n", True),
        ("dtparam=i2c_arm=on,spi=on\n", True),
        ("#dtparam=spi=on\n", False),
        ("dtparam=spi=on\ndtparam=spi=off\n", False),
        ("dtparam=spi=off\n[all]\ndtparam=spi=on\n", True),
        ("[pi4]\ndtparam=spi=on\n", True),
        ("[pi5]\ndtparam=spi=on\n", False),
        ("[pi4]\ndtparam=audio=on\n[all]\ndtparam=spi=on\n", True),
        ("dtparam=spi=on\n[pi5]\ndtparam=spi=off\n", True),
        ("dtparam=spi=on\n[pi4]\ndtparam=spi=off\n", False),
        ("dtparam=spi=on\n[cm4]\ndtoverlay=dwc2\n", True),
    ],
)
def test_spi_counts_as_on_only_where_it_is(config: str, is_on: bool, card: LiveCard) -> None:
    trees.PI_4_HDMI.build(card.root)
    put(card.root, "boot/firmware/config.txt", config)
    place = card.root / "boot/firmware/config.txt"
    before = place.read_bytes()
    _, said = card.live("--yes")
    assert (place.read_bytes() == before) is is_on
    assert ("SPI is switched on in" in said) is is_on
    assert "Restart this machine" in said
    once = place.read_bytes()
    card.live("--yes")
    assert place.read_bytes() == once, "twice the same"
    card.live("--uninstall", "--yes")
    assert place.read_bytes() == before, "taken back"


def test_what_was_written_after_it_goes_on_counting_for_all_boards(card: LiveCard) -> None:
    trees.PI_4_HDMI.build(card.root)
    put(card.root, "boot/firmware/config.txt", "[pi4]\narm_boost=1\n")
    card.live("--yes")
    place = card.root / "boot/firmware/config.txt"
    with place.open("a", encoding="utf-8") as stream:
        stream.write("dtparam=audio=on\n")
    card.live("--uninstall", "--yes")
    assert place.read_text(encoding="utf-8") == "[pi4]\narm_boost=1\n\n[all]\ndtparam=audio=on\n"


def test_all_that_was_added_to_config_txt_goes_again_and_nothing_else(card: LiveCard) -> None:
    trees.PI_4_HDMI.build(card.root)
    put(card.root, "boot/firmware/config.txt", "dtparam=audio=on\n")
    config = card.root / "boot/firmware/config.txt"
    card.live("--yes", "--power-button", "21")
    added = config.read_text(encoding="utf-8")
    assert {"dtparam=spi=on", "dtoverlay=gpio-shutdown,gpio_pin=21,debounce=2000"} <= set(added.splitlines())
    card.live("--yes", "--power-button", "21")
    assert config.read_text(encoding="utf-8") == added, "twice the same"
    card.live("--uninstall", "--yes")
    assert config.read_text(encoding="utf-8") == "dtparam=audio=on\n"
    assert not (card.root / "var/lib/lastcard-install").exists()


def test_a_line_whose_mark_somebody_took_away_stays_and_that_is_said(card: LiveCard) -> None:
    trees.PI_4_HDMI.build(card.root)
    put(card.root, "boot/firmware/config.txt", "dtparam=audio=on\n")
    config = card.root / "boot/firmware/config.txt"
    card.live("--yes")
    kept = "".join(line for line in config.read_text(encoding="utf-8").splitlines(True) if not line.startswith("#"))
    assert "dtparam=spi=on\n" in kept
    config.write_text(kept, encoding="utf-8")
    said = card.live("--uninstall", "--yes")[1]
    assert "dtparam=spi=on stays in config.txt; take it out by hand." in said
    assert config.read_text(encoding="utf-8") == kept


@pytest.mark.parametrize("config", [None, "dtoverlay=gpio-shutdown,gpio_pin=3\n"])
def test_a_power_button_that_can_not_be_is_named_before_anything_is_changed(config: str | None, card: LiveCard) -> None:
    trees.PI_4_HDMI.build(card.root)
    if config is not None:
        put(card.root, "boot/firmware/config.txt", config)
    assert card.live("--yes", "--power-button", "21", status=2)[0] == []


def test_a_config_txt_that_can_not_be_written_leaves_the_rest_installed(card: LiveCard) -> None:
    trees.PI_4_HDMI.build(card.root)
    put(card.root, "boot/firmware/config.txt", "")
    # Root writes through any mode; a directory in the way is what stops it.
    (card.root / "boot/firmware/config.txt.new").mkdir()
    asked, said = card.live("--yes", "--user", "ann")
    assert "config.txt can't be written. Add the line dtparam=spi=on to it by hand." in said
    assert "usermod -aG spi ann" in asked


def test_raspi_config_switches_spi_on_at_once_so_the_kiosk_starts(card: LiveCard) -> None:
    with_raspi_config(trees.PI_4_HDMI, card.root)
    asked, said = card.live("--yes", "--kiosk")
    assert "raspi-config nonint do_spi 0" in asked
    assert "systemctl start lastcard.service" in asked
    assert "Restart this machine" not in said
    asked, _ = card.live("--uninstall", "--yes")
    assert "raspi-config nonint do_spi 1" in asked, "taken back"


def test_where_spi_was_on_before_it_stays_on_after(card: LiveCard) -> None:
    with_raspi_config(trees.PI_4_HDMI, card.root)
    put(card.root, "dev/spidev0.0", "")
    card.live("--yes")
    asked, _ = card.live("--uninstall", "--yes")
    assert not any("do_spi" in line for line in asked)


# -- taking back -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [("--uninstall", "--yes"), ("--uninstall", "--purge", "--yes"), ("--take-back",)])
def test_a_desktop_and_a_login_are_as_they_were(way: tuple[str, ...], card: LiveCard) -> None:
    desktop(card)
    card.live("--yes", "--kiosk", "--user", "ann")
    assert card.target == "multi-user.target"
    assert "spi" in card.groups
    card.live(*way)
    assert card.target == "graphical.target"
    assert card.groups == ["ann"]
    assert not (card.root / "var/lib/lastcard-install").exists()
    assert card.live("--take-back")[0] == [], "once"


@pytest.mark.parametrize("way", [("--uninstall", "--yes"), ("--take-back",)])
def test_what_somebody_changed_by_hand_since_keeps_nothing_from_being_taken_back(
    way: tuple[str, ...], card: LiveCard
) -> None:
    desktop(card)
    card.live("--yes", "--kiosk", "--user", "ann")
    (card.tools / "groups").write_text("ann video\n", encoding="utf-8")
    asked, _ = card.live(*way)
    assert [line for line in asked if line.startswith("gpasswd")] == ["gpasswd -d ann video"]
    assert card.target == "graphical.target"
    assert card.groups == ["ann"]


@pytest.mark.parametrize("way", [("--uninstall", "--yes"), ("--uninstall", "--purge", "--yes"), ("--take-back",)])
def test_a_service_that_the_installer_switched_on_is_switched_off_again(way: tuple[str, ...], card: LiveCard) -> None:
    trees.PI_4_HDMI.build(card.root)
    for _ in range(2):
        card.live("--yes", "--kiosk")
        assert (card.tools / "enabled").exists()
    card.live(*way)
    assert not (card.tools / "enabled").exists()


def test_a_service_that_somebody_had_switched_on_before_stays_on(card: LiveCard) -> None:
    trees.PI_4_HDMI.build(card.root)
    (card.tools / "enabled").touch()
    card.live("--yes", "--kiosk")
    card.live("--take-back")
    assert (card.tools / "enabled").exists()


def test_a_service_that_can_not_be_switched_off_is_told_and_the_rest_is_taken_back(card: LiveCard) -> None:
    desktop(card)
    card.live("--yes", "--kiosk")
    card.fail("systemctl disable*")
    _, said = card.live("--take-back")
    assert "systemctl disable lastcard.service" in said and card.target == "graphical.target"


def test_another_target_that_somebody_chose_since_stays(card: LiveCard) -> None:
    desktop(card)
    card.live("--yes", "--kiosk")
    (card.tools / "target").write_text("rescue.target\n", encoding="utf-8")
    card.live("--uninstall", "--yes")
    assert card.target == "rescue.target"


def test_one_step_that_can_not_be_taken_back_does_not_keep_the_others(card: LiveCard) -> None:
    desktop(card)
    card.live("--yes", "--kiosk", "--user", "ann")
    card.fail("gpasswd -d ann spi", "raspi-config*")
    asked, said = card.live("--uninstall", "--yes")
    assert card.groups == ["ann", "spi"]
    assert "ann stays in the group spi." in said
    assert "SPI stays on" in said
    assert card.target == "graphical.target"
    assert any(line.startswith("apt-get remove") for line in asked)


# -- the script itself -----------------------------------------------------------------------------------------------


def test_a_download_that_was_cut_short_does_nothing(card: LiveCard) -> None:
    """Every shorter file is a syntax error or does nothing, also one that lacks a few letters of the last lines."""
    trees.PI_4_HDMI.build(card.root)
    whole = INSTALLER.read_bytes()
    body = whole.rstrip(b"}\n")
    cuts = [*range(0, len(body), 331), *range(len(body) - 40, len(body) + 1)]
    for cut in cuts:
        (card.place / "install.sh").write_bytes(whole[:cut])
        done = card.run("--yes")
        assert not card.asked.exists(), f"{cut} bytes: {done.stdout}"
        assert "run:" not in done.stdout
    (card.place / "install.sh").write_bytes(whole)
    assert card.live("--yes")[0], "the whole file does something here"
