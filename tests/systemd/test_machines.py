"""The package and its installer on whole Debian systems with a real systemd: installed twice, run, watched over, taken
away.

    sudo python -m pytest -m long tests/systemd/test_machines.py

Takes about two minutes once the roots are made (``python -m tests.systemd.machines bookworm trixie``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.machines import SHELL, BootedMachine, machine, requires_machines

REPOSITORY = Path(__file__).parents[2]
SYSTEMD = REPOSITORY / "systemd"
pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

# Everything but what apt, dpkg, the log and the clock write by themselves.
LISTING = r"""
listing() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /srv \
        -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log \
        -o -path /var/lib/systemd -o -path /var/tmp \) -prune -o -print | sort
}
state() {
    { dpkg-query -W -f '${Package} ${Version} ${Status}\n'; getent passwd; getent group; listing
      sha256sum /etc/lastcard/lastcard.toml; systemctl get-default; systemctl is-enabled lastcard.service
      cat /var/lib/lastcard-install/changes; } 2>&1
}
"""


@pytest.fixture(params=["bookworm", "trixie"])
def box(request: pytest.FixtureRequest, package: Path, tmp_path: Path) -> Iterator[BootedMachine]:
    requires_machines()
    with machine(request.param, tmp_path) as booted:
        booted.put(SYSTEMD / "install.sh", "srv/card/install.sh")
        booted.put(package, f"srv/card/{package.name}")
        yield booted


def test_a_box_is_installed_runs_is_watched_over_and_taken_away(box: BootedMachine) -> None:
    first = box.run(
        SHELL
        + LISTING
        + r"""
useradd -m teacher
listing >/srv/before; getent passwd >/srv/users-before; getent group >/srv/groups-before
cd /srv/card
echo "== dry run"; ./install.sh --dry-run --yes --kiosk --user teacher; listing | diff /srv/before - && echo unchanged
echo "== install"; ./install.sh --yes --kiosk --user teacher; echo "exit $?"
state >/srv/once
echo "== install again"; ./install.sh --yes --kiosk --user teacher; echo "exit $?"
state >/srv/twice; echo "== twice the same"; diff /srv/once /srv/twice && echo same
echo "== started"; wait_for 300 is_active; show ActiveState SubState NRestarts StatusText
systemctl status --no-pager lastcard
echo "== identity"; stat -c '%U %a' /var/lib/lastcard /var/lib/lastcard/journal.sqlite /etc/lastcard/lastcard.toml
id -nG teacher; tr '\0' '\n' </proc/$(main_pid)/environ | sort; ls -l /proc/$(main_pid)/fd/0
echo "== killed"; before=$(restarts); kill -9 "$(main_pid)"; wait_for 300 has_restarted "$before"; echo "exit $?"
echo "== hung"
mkdir -p /run/systemd/system/lastcard.service.d
printf '[Service]\nWatchdogSec=8\n' >/run/systemd/system/lastcard.service.d/quick.conf
systemctl daemon-reload; systemctl restart lastcard; wait_for 300 is_active
before=$(restarts); sleep 12; echo "restarts while it runs: $(($(restarts) - before))"
kill -STOP "$(main_pid)"; wait_for 300 has_restarted "$before"; echo "exit $?"
journalctl -u lastcard -o cat | grep -i watchdog
echo "== requests"
runuser -u lastcard -- touch /run/lastcard-requests/make-me-root /run/lastcard-requests/.hidden
is_empty() { [ -z "$(ls -A /run/lastcard-requests)" ]; }
wait_for 300 is_empty; echo "exit $?"; journalctl -u lastcard-request -o cat | grep unknown
runuser -u teacher -- touch /run/lastcard-requests/shut-down; echo "others: $?"
echo "== verify"; systemd-analyze verify --man=no lastcard.service lastcard-request.path; echo "exit $?"
echo "== doctor"; lastcard doctor
echo "== demonstration"
runuser -u teacher -- lastcard demo --display none --speed max --seconds 5 --seed 1 --directory /tmp | tail -n 3
echo "exit ${PIPESTATUS[0]}"
echo "== size"; cd /usr/lib/lastcard
du -s --apparent-size --block-size=1 --exclude='gpiozero*' --exclude='colorzero*' --exclude='ndef*' .
dpkg-query -W -f '${Installed-Size}\n' lastcard
echo "== switched off"; runuser -u lastcard -- touch /run/lastcard-requests/shut-down
sleep 300; echo "still here"
"""
    )
    assert first["dry run"].endswith("unchanged\n"), first["dry run"]
    assert "would run: apt-get install" in first["dry run"]
    assert first["install"].endswith("exit 0\n"), first["install"]
    assert first["install again"].endswith("exit 0\n"), first["install again"]
    assert first["twice the same"] == "same\n"
    assert first["started"].startswith("active\nrunning\n0\n"), first["started"]
    assert "no screen; record in /var/lib/lastcard" in first["started"]
    identity = first["identity"].splitlines()
    assert identity[:3] == ["lastcard 750", "lastcard 600", "root 640"]
    assert {"spi", "gpio", "video", "input"} <= set(identity[3].split())
    assert "STATE_DIRECTORY=/var/lib/lastcard" in identity
    assert "/dev/pts/" in identity[-1], "standard input is the console"
    assert first["killed"] == "exit 0\n"
    assert "restarts while it runs: 0" in first["hung"], "the watchdog is fed while the loop turns"
    assert "exit 0" in first["hung"]
    assert re.search(r"[Ww]atchdog timeout", first["hung"]), first["hung"]
    assert "exit 0" in first["requests"]
    assert "make-me-root" in first["requests"]
    assert "others: 1" in first["requests"]
    assert first["verify"] == "exit 0\n"
    code_bytes, installed_kib = (int(line.split()[0]) for line in first["size"].splitlines())
    assert installed_kib < 5_000, "what the package brings"
    # Ours without the libraries that lie inside because Debian's own are too old or missing.
    assert code_bytes < 5_000_000, "with the byte code that Python makes of it on the machine"
    assert first["demonstration"].endswith("exit 0\n"), "what is left out of the bundle is needed by nothing"
    assert "/var/lib/lastcard" in first["doctor"], "root's doctor looks at the box"
    assert "Traceback" not in first["doctor"] + first["demonstration"]
    assert "still here" not in first["switched off"]

    second = box.run(
        SHELL
        + LISTING
        + r"""
cd /srv/card
echo "== by itself"; wait_for 300 is_active; show ActiveState NRestarts
journalctl -b -u lastcard -o cat | head -20
echo "== uninstall"; ./install.sh --uninstall --yes; echo "exit $?"
ls /var/lib/lastcard /etc/lastcard; command -v lastcard
id -nG teacher; systemctl is-active lastcard; systemctl get-default
echo "== install after"; ./install.sh --yes >/dev/null; echo "exit $?"; systemctl is-enabled lastcard
echo "== purge"; ./install.sh --uninstall --purge --yes; echo "exit $?"
apt-get autoremove --purge -y -qq -o APT::AutoRemove::SuggestsImportant=false >/dev/null
echo "== left over"
listing | diff /srv/before - ; getent passwd | diff /srv/users-before -; getent group | diff /srv/groups-before -
ls -d /var/log/lastcard* /run/lastcard* 2>/dev/null; systemctl list-unit-files --no-legend 'lastcard*'
"""
    )
    assert second["by itself"].startswith("active\n0\n"), second["by itself"]
    uninstalled = second["uninstall"].splitlines()
    assert "exit 0" in uninstalled
    assert "journal.sqlite" in uninstalled
    assert "lastcard.toml" in uninstalled
    assert "/usr/bin/lastcard" not in uninstalled
    assert "inactive" in uninstalled
    assert "teacher" in uninstalled, "a login's groups are as they were"
    assert second["install after"].startswith("exit 0\n"), second["install after"]
    assert "exit 0" in second["purge"], second["purge"]
    assert second["left over"] == "", second["left over"]
