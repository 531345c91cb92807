"""The package on a 64-bit ARM userland, as Raspberry Pi OS has it, under qemu's user emulation: installed and started.

    sudo apt-get install qemu-user-static binfmt-support arch-test
    sudo python -m pytest -m long tests/systemd/test_arm64.py

About ten minutes the first time, when the root is made; three after that. No virtual machine: the kernel is this one.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.programs import requires_program
from tests.systemd.machines import machine, requires_machines

SYSTEMD = Path(__file__).parents[2] / "systemd"
pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]
BINFMT = Path("/proc/sys/fs/binfmt_misc")

SCRIPT = r"""
set -u
echo "== machine"; uname -m; python3 --version
cd /srv/card; ./install.sh --yes; echo "exit $?"
echo "== doctor"; lastcard doctor
echo "== kiosk"
mkdir -p /tmp/state /tmp/run
python3 - <<'PYTHON'
import os, signal, socket, subprocess
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
    notify.bind("/tmp/notify")
    notify.settimeout(300)
    kiosk = subprocess.Popen(
        ["lastcard", "kiosk", "--reader", "none"],
        env=os.environ
        | {"NOTIFY_SOCKET": "/tmp/notify", "STATE_DIRECTORY": "/tmp/state", "RUNTIME_DIRECTORY": "/tmp/run"},
    )
    print(notify.recv(4096).decode())
    kiosk.send_signal(signal.SIGTERM)
    print("exit", kiosk.wait(300))
PYTHON
echo "== screen"
SDL_VIDEODRIVER=dummy lastcard play --display window --reader none --state-directory /tmp/other --full-screen & sleep 20
kill -TERM $!; wait $!; echo "exit $?"
"""


@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
def test_the_package_works_on_arm64(suite: str, package: Path, tmp_path: Path) -> None:
    requires_machines()
    requires_program("qemu-aarch64-static", "qemu-user-static")
    requires_program("arch-test", "arch-test")
    if not (BINFMT / "qemu-aarch64").exists():
        pytest.skip("this kernel is not told to run ARM programs with qemu: systemctl restart binfmt-support")
    with machine(suite, tmp_path, "arm64") as made:
        made.put(SYSTEMD / "install.sh", "srv/card/install.sh")
        made.put(package, f"srv/card/{package.name}")
        made.write("srv/job.sh", SCRIPT)
        command = ["systemd-nspawn", "--quiet", f"--directory={made.root}", "--register=no", "--keep-unit", "--pipe"]
        done = subprocess.run(
            [*command, "/bin/bash", "/srv/job.sh"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=3000,
        )
    parts = dict(part.split("\n", 1) for part in done.stdout.split("== ")[1:])
    assert "aarch64" in parts["machine"]
    assert parts["machine"].endswith("exit 0\n"), parts["machine"][-2000:] + done.stderr[-2000:]
    assert "pygame" in parts["doctor"]
    assert "READY=1" in parts["kiosk"]
    assert "exit 0" in parts["kiosk"]
    assert parts["screen"].endswith("exit 0\n"), parts["screen"] + done.stderr[-2000:]
