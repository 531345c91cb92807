"""How fast a table in a box starts, and how large its package is; prints one JSON object.

    python tests/benchmarks/appliance.py

Needs Xvfb (Debian's package xvfb). The first frame is what systemd is told with READY=1, counted from the start of the
process. With ``--package FILE`` the sizes of that package are told as well; with ``--machines`` too, as root and with
mmdebstrap and systemd-nspawn there, it is measured as a service of a real systemd on Debian 12 and 13: from the moment
systemd begins to start the unit as it is shipped to READY=1, once with no screen and once with a frame on Xvfb. KMSDRM
is not measured: a container has no DRM card. The first start after the installation is told apart; the disk is warm.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY))

from tests.display.under_xvfb import x_server  # noqa: E402  # the path first
from tests.systemd.machines import SHELL, machine  # noqa: E402  # the path first

STARTS = 5
PROGRAM = "from table_app.cli import main; main()"


def start_s(environment: Mapping[str, str]) -> float:
    """From the start of the process to READY=1, in seconds."""
    with tempfile.TemporaryDirectory() as scratch, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        address = f"{scratch}/notify"
        notify.bind(address)
        notify.settimeout(60)
        settings = Path(scratch, "lastcard.toml")
        settings.write_text('[table]\nplayers = ["Ann", "Ben", "Cy", "Dee"]\n', encoding="utf-8")
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "kiosk", "--reader", "none", "--settings", str(settings)],
            env={
                **environment,
                "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path]),
                "NOTIFY_SOCKET": address,
                "STATE_DIRECTORY": f"{scratch}/state",
                "RUNTIME_DIRECTORY": scratch,
                "HOME": scratch,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while not notify.recv(4096).startswith(b"READY=1"):
                pass
            return time.perf_counter() - began
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


# The only change of the unit as it is shipped: where the X server is, whose socket lies in the /tmp that it can't see.
MACHINE_SCRIPT = r"""
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq && apt-get install -y -qq --no-install-recommends xvfb /srv/lastcard_*_all.deb >/dev/null
sed -i 's/^# players = .*/players = ["Ann", "Ben", "Cy", "Dee"]/' /etc/lastcard/lastcard.toml
took() {
    systemctl restart lastcard; wait_for 300 is_active
    echo $(($(systemctl show -P ActiveEnterTimestampMonotonic lastcard) -
        $(systemctl show -P InactiveExitTimestampMonotonic lastcard)))
}
echo "== first"; took
echo "== none"; for _ in 1 2 3 4 5; do took; done; systemctl show -P StatusText lastcard >/srv/none
Xvfb :9 -screen 0 800x480x24 -ac -nolisten tcp >/dev/null 2>&1 & wait_for 300 [ -S /tmp/.X11-unix/X9 ]
mkdir -p /run/systemd/system/lastcard.service.d
printf '[Service]\nEnvironment=DISPLAY=:9\nBindReadOnlyPaths=/tmp/.X11-unix\n' \
    >/run/systemd/system/lastcard.service.d/screen.conf
systemctl daemon-reload
echo "== x11"; for _ in 1 2 3 4 5; do took; done; systemctl show -P StatusText lastcard >/srv/x11
echo "== status"; cat /srv/none /srv/x11
echo "== size"; du -s --apparent-size --block-size=1 /usr/lib/lastcard
"""


def service_figures(suite: str, package: Path) -> dict[str, float | int]:
    """Of the package as a service on a whole machine: seconds to READY=1, and bytes with byte code."""
    with tempfile.TemporaryDirectory() as scratch, machine(suite, Path(scratch)) as booted:
        booted.put(package, f"srv/{package.name}")
        said = booted.run(SHELL + MACHINE_SCRIPT)
    no_screen, screen = said["status"].splitlines()
    assert no_screen.startswith("no screen") and screen.startswith("x11"), said
    starts = {name: [int(line) / 1_000_000 for line in said[name].split()] for name in ("first", "none", "x11")}
    return {
        f"{suite}_service_first_start_s": round(starts["first"][0], 3),
        f"{suite}_service_start_without_screen_s": round(statistics.median(starts["none"]), 3),
        f"{suite}_service_start_to_first_frame_s": round(statistics.median(starts["x11"]), 3),
        f"{suite}_service_start_to_first_frame_worst_s": round(max(starts["x11"]), 3),
        f"{suite}_installed_with_byte_code_bytes": int(said["size"].split()[0]),
    }


BUNDLED = ("gpiozero", "colorzero", "ndef")


def package_sizes(package: Path) -> dict[str, int]:
    """Of the file, as dpkg says it, and unpacked with all its byte code but without the libraries that lie inside."""
    installed = subprocess.run(
        ["dpkg-deb", "--field", str(package), "Installed-Size"], check=True, capture_output=True, text=True
    )
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["dpkg-deb", "--extract", str(package), scratch], check=True)
        code = Path(scratch, "usr/lib/lastcard")
        # All of it is compiled here; the package leaves out what a box never runs, so there it is less.
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(code)], check=True)
        files = [path for path in code.rglob("*") if path.is_file() and not path.is_symlink()]
        own = [path for path in files if not path.relative_to(code).parts[0].startswith(BUNDLED)]
        own_bytes = sum(path.stat().st_size for path in own)
    sizes = {"package_bytes": package.stat().st_size, "installed_kib": int(installed.stdout)}
    return {**sizes, "own_with_byte_code_bytes": own_bytes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", type=Path)
    parser.add_argument("--machines", action="store_true")
    arguments = parser.parse_args()
    package = arguments.package
    if arguments.machines and package is None:
        parser.error("--machines needs the --package to try")
    xvfb = shutil.which("Xvfb")
    if xvfb is None:
        sys.exit("Xvfb is not installed; Debian's package xvfb brings it.")
    with x_server(xvfb, "800x480x24") as environment:
        found = [start_s(environment) for _ in range(STARTS)]
    figures: dict[str, float | int] = {
        "start_to_first_frame_s": round(statistics.median(found), 3),
        "start_to_first_frame_worst_s": round(max(found), 3),
    }
    if package is not None:
        figures |= package_sizes(package)
    if arguments.machines:
        for suite in ("bookworm", "trixie"):
            figures |= service_figures(suite, package)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
