"""The update of the maintenance corner on whole Debian systems with a real systemd: the table asks as it does at a
press, root installs, the table comes back with its record; and a package that is no good changes nothing.

    sudo python -m pytest -m long tests/systemd/test_update.py

About two minutes once the roots are made.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.machines import SHELL, BootedMachine, machine, requires_machines
from tests.systemd.newer import BROKEN_PROGRAM, BROKEN_SCRIPT, newer_package, repository_index

SYSTEMD = Path(__file__).parents[2] / "systemd"
pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

HALF = "/boot/firmware/lastcard_7.0.0_all.deb"
SCRIPT = r"""
cd /srv/card
echo "== install"; ./install.sh --yes --kiosk; echo "exit $?"
systemctl stop lastcard-request.path; mv /etc/apt/sources.list /etc/apt/sources.list.d /srv/ 2>/dev/null
mkdir -p /etc/apt/sources.list.d; echo 'deb [trusted=yes] file:/srv/repository ./' >/etc/apt/sources.list
systemctl start lastcard-request.path
sed -i 's/^# players = .*/players = ["Eva", "Tom"]/' /etc/lastcard/lastcard.toml
echo '# A teacher was here.' >>/etc/lastcard/lastcard.toml
systemctl restart lastcard; wait_for 300 is_active
# What a press in the corner does, as the table's own user: table_app/appliance/requests.py.
ask() {
    rm -f /run/lastcard-answer
    runuser -u lastcard -- python3 -I -c '
import sys; sys.path.insert(0, "/usr/lib/lastcard")
from table_app.appliance.requests import Request, ask_root
ask_root(Request.UPDATE, str)'
    wait_for 300 [ -f /run/lastcard-answer ]; cat /run/lastcard-answer
}
kept() { tail -n 3 /etc/lastcard/lastcard.toml; stat -c %i /var/lib/lastcard/journal.sqlite; sqlite; }
sqlite() {
    python3 -c 'import sqlite3; c = sqlite3.connect("/var/lib/lastcard/journal.sqlite");
tables = [row[0] for row in c.execute("select name from sqlite_master where type = \"table\" order by name")]
print([(t, c.execute(f"select count(*) from \"{t}\"").fetchone()[0]) for t in tables])'
}
told() { journalctl -u lastcard -o cat | grep "^Update: " | tail -n 1; }
same_program() { [ "$(main_pid)" = "$1" ] && echo "the same program runs" || echo "another program runs"; }
kept >/srv/kept

echo "== nothing newer"; pid=$(main_pid); ask; same_program "$pid"; wait_for 300 eval 'told | grep -q Nothing'; told

mkdir -p /boot/firmware
echo "== half a file"; head -c 200000 /srv/packages/lastcard_7.0.0_all.deb >/boot/firmware/lastcard_7.0.0_all.deb
pid=$(main_pid); ask; version; same_program "$pid"; is_active && echo active
wait_for 300 eval 'told | grep -q whole'; told
rm /boot/firmware/*

echo "== a script that fails"; cp /srv/packages/lastcard_8.0.0_all.deb /boot/firmware
pid=$(main_pid); ask; same_program "$pid"; is_active && echo active; wait_for 300 eval 'told | grep -q installed'; told
rm /boot/firmware/*

echo "== a good one"; cp /srv/packages/lastcard_9.0.0_all.deb /boot/firmware
pid=$(main_pid); ask; version; same_program "$pid"; wait_for 300 is_active && echo active
wait_for 300 eval 'told | grep -q 9.0.0'; told; kept | diff /srv/kept - && echo "all kept"
dpkg --audit; rm /boot/firmware/*

echo "== one that does not run"; cp /srv/packages/lastcard_9.5.0_all.deb /boot/firmware
ask; version; wait_for 300 is_active && echo active; wait_for 300 eval 'told | grep -q 9.5.0'; told
kept | diff /srv/kept - && echo "all kept"; rm /boot/firmware/*

echo "== from the repository"; cp /srv/packages/lastcard_10.0.0_all.deb /srv/packages/Packages /srv/repository/
pid=$(main_pid); ask; version; same_program "$pid"; wait_for 300 is_active && echo active
kept | diff /srv/kept - && echo "all kept"; ls /var/lib/lastcard-install/packages

echo "== the plug in the middle"; dpkg --unpack /srv/packages/lastcard_11.0.0_all.deb >/dev/null 2>&1
dpkg-query -W -f '${db:Status-Abbrev}\n' lastcard; ask; dpkg-query -W -f '${db:Status-Abbrev}\n' lastcard; version
echo "== no network"; rm -rf /srv/repository; ask; is_active && echo active
"""


@pytest.fixture(params=["bookworm", "trixie"])
def box(request: pytest.FixtureRequest, package: Path, tmp_path: Path) -> Iterator[BootedMachine]:
    requires_machines()
    with machine(request.param, tmp_path) as booted:
        booted.put(SYSTEMD / "install.sh", "srv/card/install.sh")
        booted.put(package, f"srv/card/{package.name}")
        bad_script, bad_program = {"postinst": BROKEN_SCRIPT}, {"launcher": BROKEN_PROGRAM}
        files: dict[str, dict[str, str]] = {"8.0.0": bad_script, "9.5.0": bad_program}
        for version in ("7.0.0", "8.0.0", "9.0.0", "9.5.0", "10.0.0", "11.0.0"):
            made = newer_package(package, version, tmp_path, **files.get(version, {}))
            booted.put(made, f"srv/packages/{made.name}")
            if version == "10.0.0":
                booted.write("srv/packages/Packages", repository_index([made]))
        booted.write("srv/repository/Packages", repository_index([package]))
        shutil.copy(package, booted.root / "srv/repository")
        yield booted


def test_the_corner_updates_the_table_and_a_bad_package_leaves_it_running(box: BootedMachine) -> None:
    said = box.run(SHELL + SCRIPT)
    assert said["install"].endswith("exit 0\n"), said["install"]

    lines = said["nothing newer"].splitlines()
    assert lines[0].startswith("nothing-newer "), said
    assert lines[1] == "the same program runs"
    assert lines[2].startswith("Update: Nothing newer than "), "the table has heard it"

    lines = said["half a file"].splitlines()
    assert lines[0].startswith("not-whole /boot/firmware/"), lines
    assert lines[2:] == [
        "the same program runs",
        "active",
        f"Update: {HALF} is not whole: copy it there again.",
    ]

    lines = said["a script that fails"].splitlines()
    assert lines[0] == "not-installed /boot/firmware/lastcard_8.0.0_all.deb", lines
    assert lines[1:3] == ["the same program runs", "active"]
    assert "can't be installed" in lines[3]

    lines = said["a good one"].splitlines()
    assert lines[0].endswith(" 9.0.0"), lines
    assert lines[0].startswith("updated ")
    assert lines[1:4] == ["9.0.0", "another program runs", "active"]
    assert lines[4].endswith("to 9.0.0."), "told by the new program"
    assert lines[5:] == ["all kept"], "the record, and settings that somebody changed"

    lines = said["one that does not run"].splitlines()
    assert lines[:3] == ["went-back 9.0.0 9.5.0", "9.0.0", "active"], lines
    assert "9.0.0 is back" in lines[3]
    assert lines[4:] == ["all kept"]

    lines = said["from the repository"].splitlines()
    assert lines[:5] == ["updated 9.0.0 10.0.0", "10.0.0", "another program runs", "active", "all kept"], lines
    assert "lastcard_9.0.0_all.deb" in lines[5:], "the way back"

    lines = said["the plug in the middle"].splitlines()
    assert lines[0].startswith("iU"), lines
    assert lines[1].startswith("nothing-newer 11.0.0")
    assert lines[2:] == ["ii ", "11.0.0"]
    assert said["no network"] == "no-network\nactive\n"
