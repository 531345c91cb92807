"""The package's own scripts under Debian's real dpkg and apt, on a card that people have changed: settings edited or
deleted, a data partition, a desktop. In a clean root without booting it.

    sudo python -m pytest -m long tests/systemd/test_package_scripts.py

About 75 s for each suite once the roots are made; one machine for all tests, each of which begins without us.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.machines import BootedMachine, machine, requires_machines
from tests.systemd.newer import newer_package

SYSTEMD = Path(__file__).parents[2] / "systemd"
TIMEOUT_S = 900
pytestmark = [pytest.mark.long, pytest.mark.timeout(2 * TIMEOUT_S)]

# systemd does not run here. What it would be asked is told; what it would say of the table is in the file `running`.
SERVICES = """\
#!/bin/sh
echo "${0##*/} $*" >>/srv/asked
case "${0##*/} $*" in
*"show -P ActiveState lastcard.service") cat /srv/running ;;
*"is-active --quiet display-manager.service") [ -e /srv/desktop-runs ] ;;
*get-default) cat /srv/target ;;
*set-default*) echo "$2" >/srv/target ;;
*is-enabled*) exit 1 ;;
esac
"""
# Lists are fetched once for all tests.
APT_GET = """\
#!/bin/sh
if [ "$1" = update ] && [ -e /srv/lists-are-new ]; then exit 0; fi
if [ "$1" = update ]; then : >/srv/lists-are-new; fi
exec /usr/bin/apt-get "$@"
"""
PREPARE = """\
exec 2>&1
export DEBIAN_FRONTEND=noninteractive PATH=/srv/tools:$PATH
{
    dpkg --purge lastcard
    rm -rf /var/lib/lastcard* /etc/lastcard /srv/data /srv/before /srv/desktop-runs /srv/card/lastcard_9*
    userdel -r teacher
} >/dev/null 2>&1
: >/srv/asked
echo inactive >/srv/running
echo graphical.target >/srv/target
# Where systemd runs, as far as a package's script looks.
mkdir -p /run/systemd/system
cd /srv/card
tell() { echo "$1: exit $?"; }
"""


class Card:
    """A root with a shell in it."""

    def __init__(self, booted: BootedMachine) -> None:
        self.root = booted.root
        # In their very places: apt gives the package's scripts a PATH of its own.
        places = {"usr/bin/systemctl": SERVICES, "usr/bin/deb-systemd-invoke": SERVICES, "srv/tools/apt-get": APT_GET}
        for place, program in places.items():
            (self.root / place).unlink(missing_ok=True)
            booted.write(place, program)
            (self.root / place).chmod(0o755)
        booted.write("etc/systemd/system/display-manager.service", "")

    def run(self, script: str) -> str:
        command = ["systemd-nspawn", "--quiet", f"--directory={self.root}", "--register=no", "--keep-unit", "--pipe"]
        done = subprocess.run(
            [*command, "/bin/bash", "-c", PREPARE + script],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
        return done.stdout

    def asked(self) -> str:
        return (self.root / "srv/asked").read_text(encoding="utf-8")


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def card(request: pytest.FixtureRequest, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Card]:
    requires_machines()
    scratch = tmp_path_factory.mktemp("card")
    with machine(request.param, scratch) as booted:
        booted.put(SYSTEMD / "install.sh", "srv/card/install.sh")
        booted.put(package, f"srv/card/{package.name}")
        newer = newer_package(package, "9.0.0", scratch)
        booted.put(newer, f"srv/newer/{newer.name}")
        yield Card(booted)


NEWER = """\
cp /srv/newer/*.deb .; ./install.sh --yes >/srv/log 2>&1; tell newer
dpkg-query -W -f '${Status} ${Version}\n' lastcard
"""


def test_an_edited_settings_file_is_kept_by_a_newer_package(card: Card) -> None:
    said = card.run(
        "./install.sh --yes >/srv/log 2>&1; tell install\n"
        "echo '# A teacher was here.' >>/etc/lastcard/lastcard.toml\n"
        + NEWER
        + "tail -n 1 /etc/lastcard/lastcard.toml; stat -c '%U:%G %a' /etc/lastcard/lastcard.toml"
    )
    assert said.splitlines() == [
        "install: exit 0",
        "newer: exit 0",
        "install ok installed 9.0.0",
        "# A teacher was here.",
        "root:lastcard 640",
    ], said


def test_a_deleted_settings_file_stays_deleted_and_stops_nothing(card: Card) -> None:
    said = card.run(
        "./install.sh --yes >/srv/log 2>&1; tell install\nrm /etc/lastcard/lastcard.toml\n"
        + NEWER
        + "ls -A /etc/lastcard; dpkg --purge lastcard >/dev/null 2>&1; tell purge; ls -d /etc/lastcard 2>&1"
    )
    lines = said.splitlines()
    assert lines[:3] == ["install: exit 0", "newer: exit 0", "install ok installed 9.0.0"], said
    assert lines[-2] == "purge: exit 0", said
    assert "No such file" in lines[-1]


@pytest.mark.parametrize("mounted", ["/var/lib/lastcard", "/etc/lastcard"])
def test_purging_empties_a_data_partition_and_is_not_stopped_by_it(mounted: str, card: Card) -> None:
    said = card.run(
        f"./install.sh --yes >/srv/log 2>&1; tell install\n"
        f"mkdir -p {mounted}; cp -a {mounted} /srv/before\n"
        f"mount -t tmpfs none {mounted} && cp -a /srv/before/. {mounted}\n"
        f"mkdir {mounted}/deep; touch {mounted}/deep/journal.sqlite {mounted}/.hidden\n"
        f"apt-get purge -y lastcard >/srv/log 2>&1; tell purge; ls -A {mounted}\n"
        "grep -c 'stays; a file system' /srv/log\n"
        "dpkg-query -W lastcard >/dev/null 2>&1; tell known; getent passwd lastcard"
    )
    assert said.splitlines() == ["install: exit 0", "purge: exit 0", "1", "known: exit 1"], said


def test_a_record_behind_a_link_is_not_followed(card: Card) -> None:
    said = card.run(
        "./install.sh --yes >/srv/log 2>&1; rm -rf /var/lib/lastcard; mkdir /srv/data; touch /srv/data/other\n"
        "ln -s /srv/data /var/lib/lastcard; apt-get purge -y lastcard >/srv/log 2>&1; tell purge\n"
        "ls /srv/data; ls -d /var/lib/lastcard 2>&1; grep pointed /srv/log"
    )
    lines = said.splitlines()
    assert lines[:2] == ["purge: exit 0", "other"], said
    assert "No such file" in lines[2]
    assert lines[3] == "What /var/lib/lastcard pointed to stays: /srv/data"


@pytest.mark.parametrize("way", ["apt-get purge -y lastcard", "apt-get remove -y lastcard", "dpkg --purge lastcard"])
def test_the_desktop_comes_back_whoever_takes_the_package_away(way: str, card: Card) -> None:
    said = card.run(
        "useradd -m teacher; getent group spi >/dev/null || groupadd spi\n"
        "./install.sh --yes --kiosk --user teacher >/srv/log 2>&1; tell install; cat /srv/target\n"
        f"id -nG teacher | grep -cw spi; {way} >/srv/log 2>&1; tell gone\n"
        "cat /srv/target; id -nG teacher; ls -d /var/lib/lastcard-install 2>&1"
    )
    lines = said.splitlines()
    assert lines[:3] == ["install: exit 0", "multi-user.target", "1"], said
    assert lines[3:6] == ["gone: exit 0", "graphical.target", "teacher"], said
    assert "No such file" in lines[6]


@pytest.mark.parametrize(
    ("running", "has_desktop", "is_prompt_started"),
    [
        ("active", False, True),
        ("activating", False, True),
        ("inactive", False, False),
        ("inactive", True, False),
        # A desktop may sit on the same console: GNOME's conflicts with the prompt and would be ended.
        ("active", True, False),
    ],
)
def test_the_prompt_comes_back_only_where_the_table_took_its_place(
    running: str, has_desktop: bool, is_prompt_started: bool, card: Card
) -> None:
    said = card.run(
        f"./install.sh --yes >/srv/log 2>&1; tell install; echo {running} >/srv/running\n"
        f"{'touch /srv/desktop-runs' if has_desktop else ':'}; : >/srv/asked\n"
        "apt-get remove -y lastcard >/srv/log 2>&1; tell gone; ls /run/lastcard-had-console 2>/dev/null"
    )
    assert said.splitlines() == ["install: exit 0", "gone: exit 0"], said
    assert ("start getty@tty1.service" in card.asked()) is is_prompt_started
