"""The package on 64- and 32-bit ARM userlands, as Raspberry Pi OS has them, under qemu's user emulation: installed and
started.

    sudo apt-get install qemu-user-static binfmt-support arch-test
    sudo python -m pytest -m long tests/systemd/test_arm.py

About ten minutes each the first time, when the root is made; three after that. No virtual machine: the kernel is this
one. Debian's armhf asks for a newer processor (ARMv7) than Raspberry Pi OS for the first Pi Zero does.
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
mkdir -p /tmp/state /tmp/run
printf '[table]\nplayers = ["Ann", "Ben"]\n' >/tmp/lastcard.toml
cat >/tmp/kiosk.py <<'PYTHON'
import os, signal, socket, subprocess
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
    notify.bind("/tmp/notify")
    notify.settimeout(900)
    kiosk = subprocess.Popen(
        ["lastcard", "kiosk", "--reader", "none", "--settings", "/tmp/lastcard.toml"],
        env=os.environ
        | {"NOTIFY_SOCKET": "/tmp/notify", "STATE_DIRECTORY": "/tmp/state", "RUNTIME_DIRECTORY": "/tmp/run"},
    )
    print(notify.recv(4096).decode())
    kiosk.send_signal(signal.SIGTERM)
    print("exit", kiosk.wait(900))
os.unlink("/tmp/notify")
PYTHON
echo "== kiosk"; python3 /tmp/kiosk.py
echo "== screen"; SDL_VIDEODRIVER=dummy python3 /tmp/kiosk.py
"""


# Debian's name of the architecture, qemu's, and what the machine then calls itself.
PROCESSORS = {"arm64": ("qemu-aarch64", "aarch64"), "armhf": ("qemu-arm", "armv7l")}


@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
@pytest.mark.parametrize("architecture", PROCESSORS)
def test_the_package_works_on_arm(architecture: str, suite: str, package: Path, tmp_path: Path) -> None:
    requires_machines()
    emulator, name = PROCESSORS[architecture]
    requires_program(f"{emulator}-static", "qemu-user-static")
    requires_program("arch-test", "arch-test")
    if not (BINFMT / emulator).exists():
        pytest.skip("this kernel is not told to run ARM programs with qemu: systemctl restart binfmt-support")
    with machine(suite, tmp_path, architecture) as made:
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
    assert parts["machine"].startswith(name)
    assert parts["machine"].endswith("exit 0\n"), parts["machine"][-2000:] + done.stderr[-2000:]
    assert "pygame" in parts["doctor"]
    assert "READY=1" in parts["kiosk"]
    assert "exit 0" in parts["kiosk"]
    assert "no screen" in parts["kiosk"]
    assert "READY=1" in parts["screen"], parts["screen"] + done.stderr[-2000:]
    assert "dummy" in parts["screen"]
    assert "exit 0" in parts["screen"]
