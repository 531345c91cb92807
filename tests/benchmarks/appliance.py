"""How fast a table in a box starts, and how large its package is; prints one JSON object.

    python tests/benchmarks/appliance.py

Needs Xvfb (Debian's package xvfb). The first frame is what systemd is told with READY=1, counted from the start of the
process. With ``--package FILE`` the sizes of that package are told as well.
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

from tests.display.under_xvfb import x_server  # noqa: E402

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


def package_sizes(package: Path) -> dict[str, int]:
    installed = subprocess.run(
        ["dpkg-deb", "--field", str(package), "Installed-Size"], check=True, capture_output=True, text=True
    )
    return {"package_bytes": package.stat().st_size, "installed_kib": int(installed.stdout)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", type=Path)
    package = parser.parse_args().package
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
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
