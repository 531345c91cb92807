"""Whole Debian systems with a real systemd inside, for tests: a clean root, made once, below a layer thrown away.

``mmdebstrap`` makes the roots, kept in ``LASTCARD_ROOTS`` (by default below /var/tmp, outside the repository);
``systemd-nspawn`` boots them. Both need root. A root holds nothing of ours: only Debian, and in apt's cache the
packages that the table depends on, so that installing them again and again costs no download.

    python -m tests.systemd.machines bookworm trixie    makes the roots
    python -m tests.systemd.machines --probe            boots a machine; exit status 3: it can't be done here, and why
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

import pytest

from tests.programs import requires_program

ROOTS = Path(os.environ.get("LASTCARD_ROOTS", "/var/tmp/lastcard-roots"))
MIRROR = "http://deb.debian.org/debian"
# A mirror that stumbles once must not fail a test of something else.
RETRIES = 'Acquire::Retries "5"'
# What a freshly written card has and minbase has not.
SYSTEM = "systemd,systemd-sysv,dbus,udev,procps,python3,ca-certificates,kmod,adduser"
WANTED = "fonts-dejavu-core python3-click python3-pygame python3-serial python3-spidev python3-lgpio libgl1-mesa-dri"
# Far more than a script takes on two busy cores (a minute or two): they only end what hangs.
BOOT_TIMEOUT_S = 900
ROOT_TIMEOUT_S = 1_800
# A copy of half a gigabyte, or a file system that is busy.
COPY_TIMEOUT_S = 300
# What doesn't end when it is asked to is killed after this, and what even that doesn't end is left alone.
END_S = 5

# A pty in the place of a virtual console, so that the unit is tried as it is shipped; the machine of whoever runs the
# tests keeps its own consoles to itself.
CONSOLE_PROGRAM = """\
import os, pathlib, pty
master, slave = pty.openpty()
for name in ("tty0", "tty1"):
    path = pathlib.Path("/dev", name)
    path.unlink(missing_ok=True)
    path.symlink_to(os.ttyname(slave))
os.chmod(os.ttyname(slave), 0o666)
notify = os.environ["NOTIFY_SOCKET"]
import socket
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
    supervisor.sendto(b"READY=1", "\\0" + notify[1:] if notify.startswith("@") else notify)
while True:
    try:
        os.read(master, 65536)
    except OSError:
        pass
"""
CONSOLE_UNIT = """\
[Unit]
Before=lastcard.service getty@tty1.service
[Service]
Type=notify
ExecStart=/usr/bin/python3 /srv/console.py
[Install]
WantedBy=basic.target
"""
JOB_UNIT = """\
[Unit]
After=basic.target console.service
[Service]
Type=oneshot
ExecStart=/bin/bash /srv/job.sh
StandardOutput=append:/srv/out
StandardError=append:/srv/out
ExecStopPost=-/bin/sh -c "systemctl poweroff --no-block 2>/dev/null"
[Install]
WantedBy=multi-user.target
"""

# What scripts use to look and to wait. Waits end as soon as what is waited for holds; their bounds are for a machine so
# loaded that nothing is to be had of it, and are never reached on one that works.
SHELL = r"""
# wait_for SECONDS COMMAND…: until it succeeds.
wait_for() {
    local until=$((SECONDS + $1)); shift
    until "$@"; do [ $SECONDS -lt $until ] || return 1; sleep 0.1; done
}
is_active() { [ "$(systemctl show -P ActiveState lastcard)" = active ]; }
restarts() { systemctl show -P NRestarts lastcard; }
has_restarted() { [ "$(restarts)" -gt "$1" ] && is_active; }
show() { for property in "$@"; do systemctl show -P "$property" lastcard; done; }
main_pid() { systemctl show -P MainPID lastcard; }
version() { dpkg-query -W -f '${Version}\n' lastcard; }
"""

MACHINES_MISSING = 3
"""The probe's exit status where no machine can be booted; any other but 0 is a fault of the probe's own."""

PROBE_SUITE = "bookworm"
PROBE_SCRIPT = """\
echo "== systemd"; systemctl is-active basic.target
echo "== network"; apt-get update -qq --error-on=any -o Acquire::Retries=1 && echo reached
"""
# Together less than three minutes, whatever hangs. On two busy cores a root takes 45 s, a boot 10 s, a copy 5 s. Where
# they take longer than this the box's tests would take hours.
PROBE_ROOT_S = 90.0
PROBE_COPY_S = 15.0
PROBE_BOOT_S = 50.0


class NoMachineError(Exception):
    """No machine can be made or booted here; the text is a sentence that says why."""


def run_bounded(command: list[str], timeout_s: float, output: BinaryIO | TextIO) -> int:
    """Run *command* with all that it starts; its exit status.

    :raises subprocess.TimeoutExpired: after *timeout_s*, when it and what it started has been ended.
    """
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        try:
            return process.wait(timeout_s)
        except BaseException:
            # First asked: mmdebstrap takes its mounts away.
            for how in (signal.SIGTERM, signal.SIGKILL):
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, how)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(END_S)
            raise


def requires_machines() -> None:
    """Skip the test where no machine can be booted."""
    requires_program("systemd-nspawn", "systemd-container")
    requires_program("mmdebstrap", "mmdebstrap")
    if os.geteuid() != 0:
        pytest.skip("only root can boot a machine: run it with sudo")


def clean_root(suite: str, architecture: str = "", *, timeout_s: float = ROOT_TIMEOUT_S) -> Path:
    """The clean root of *suite*, made now if it is not there: 20 s and 350 MB, minutes for another processor.

    :raises NoMachineError: if it can't be made, or not within *timeout_s*.
    """
    root = ROOTS / (f"{suite}-{architecture}" if architecture else suite)
    if root.exists():
        return root
    ROOTS.mkdir(parents=True, exist_ok=True)
    unfinished = root.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    # What the suite does not have is left out, as the installer does.
    fetch = (
        f'for package in {WANTED}; do chroot "$1" apt-get install -y --download-only --no-install-recommends '
        '"$package" || true; done'
    )
    command = ["mmdebstrap", "--variant=minbase", f"--include={SYSTEM}", f"--customize-hook={fetch}"]
    command += [f"--architectures={architecture}"] if architecture else []
    command += [f"--aptopt={RETRIES}", "--skip=cleanup/apt/cache", suite, str(unfinished), MIRROR]
    try:
        status = run_bounded(command, timeout_s, sys.stderr)
    except subprocess.TimeoutExpired:
        raise NoMachineError(f"mmdebstrap makes no root of {suite} from {MIRROR} within {timeout_s:g} s.") from None
    if status != 0:
        raise NoMachineError(f"mmdebstrap can't make a root of {suite} from {MIRROR}; what it said is above.")
    unfinished.rename(root)
    return root


@dataclass(frozen=True, slots=True)
class BootedMachine:
    """A machine that is booted for each script and keeps what the scripts did to it."""

    root: Path

    def put(self, source: Path, place: str) -> None:
        target = self.root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)

    def write(self, place: str, text: str) -> None:
        target = self.root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def run(self, script: str, timeout_s: float = BOOT_TIMEOUT_S) -> dict[str, str]:
        """Boot, run *script* under bash, power off; what it printed below each line ``== name``.

        :raises NoMachineError: if no machine boots.
        :raises subprocess.TimeoutExpired: if it is not off again after *timeout_s*.
        """
        self.write("srv/console.py", CONSOLE_PROGRAM)
        self.write("srv/job.sh", script)
        (self.root / "srv/out").unlink(missing_ok=True)
        for name, unit, target in (("console", CONSOLE_UNIT, "basic"), ("job", JOB_UNIT, "multi-user")):
            self.write(f"etc/systemd/system/{name}.service", unit)
            link = self.root / f"etc/systemd/system/{target}.target.wants/{name}.service"
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.is_symlink():
                link.symlink_to(f"/etc/systemd/system/{name}.service")
        command = ["systemd-nspawn", "--quiet", f"--directory={self.root}", "--boot", "--register=no", "--keep-unit"]
        console = self.root.parent / "console"
        with console.open("wb") as output:
            run_bounded([*command, "--console=pipe"], timeout_s, output)
        if not (self.root / "srv/out").exists():
            last = console.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-3:]
            raise NoMachineError(f"systemd-nspawn boots no machine here: {' / '.join(last) or 'it said nothing'}")
        said: dict[str, str] = {}
        name = ""
        for line in (self.root / "srv/out").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("== "):
                name = line.removeprefix("== ")
                said[name] = ""
            else:
                said[name] = said.get(name, "") + line + "\n"
        return said


@contextmanager
def machine(
    suite: str, scratch: Path, architecture: str = "", copy_timeout_s: float = COPY_TIMEOUT_S
) -> Iterator[BootedMachine]:
    """A machine with *suite* on it, as if freshly installed; all traces go with the block."""
    base = clean_root(suite, architecture)
    root, upper, work = (scratch / name for name in ("root", "upper", "work"))
    for directory in (root, upper, work):
        directory.mkdir()
    options = f"lowerdir={base},upperdir={upper},workdir={work}"
    mount = ["mount", "-t", "overlay", "overlay", "-o", options, str(root)]
    is_mounted = subprocess.run(mount, check=False, capture_output=True, timeout=copy_timeout_s).returncode == 0
    if not is_mounted:
        # An overlay can't lie on another, as in most containers: a whole copy then, which takes some seconds more.
        subprocess.run(["cp", "-a", "--reflink=auto", f"{base}/.", str(root)], check=True, timeout=copy_timeout_s)
    try:
        made = BootedMachine(root)
        made.write("etc/apt/apt.conf.d/80retries", f"{RETRIES};\n")
        yield made
    finally:
        if is_mounted:
            subprocess.run(["umount", str(root)], check=True, timeout=copy_timeout_s)
        # Half a gigabyte each, which pytest would keep.
        for directory in (root, upper, work):
            shutil.rmtree(directory)


def probe() -> None:
    """Boot a machine and reach the archive from inside, within three minutes.

    :raises NoMachineError: if that can't be done here.
    """
    for name in ("mmdebstrap", "systemd-nspawn"):
        if shutil.which(name) is None:
            raise NoMachineError(f"{name} is not installed.")
    if os.geteuid() != 0:
        raise NoMachineError("Only root can boot a machine.")
    try:
        clean_root(PROBE_SUITE, timeout_s=PROBE_ROOT_S)
        with (
            tempfile.TemporaryDirectory(dir=ROOTS) as scratch,
            machine(PROBE_SUITE, Path(scratch), copy_timeout_s=PROBE_COPY_S) as booted,
        ):
            said = booted.run(PROBE_SCRIPT, PROBE_BOOT_S)
    except subprocess.TimeoutExpired as error:
        raise NoMachineError(f"{_name(error.cmd)} does not end here; it was given {error.timeout:g} s.") from None
    except subprocess.CalledProcessError as error:
        raise NoMachineError(f"{_name(error.cmd)} fails here, with exit status {error.returncode}.") from None
    except OSError as error:
        raise NoMachineError(f"A machine's files can't be made here: {error}.") from None
    if said.get("systemd") != "active\n":
        raise NoMachineError(f"A machine boots here, but systemd does not run in it: {said}.")
    if "reached" not in said.get("network", ""):
        why = " / ".join(said.get("network", "").split("\n")).strip(" /")
        raise NoMachineError(f"A machine boots here, but can't reach {MIRROR} from inside: {why}")


def _name(command: object) -> str:
    return str(command[0]) if isinstance(command, list) else str(command)


def main() -> None:
    try:
        if sys.argv[1:] == ["--probe"]:
            probe()
            return
        for wanted in sys.argv[1:]:
            sys.stdout.write(f"{clean_root(*wanted.split('-', 1))}\n")
    except NoMachineError as error:
        sys.stdout.write(f"{error}\n")
        sys.exit(MACHINES_MISSING)


if __name__ == "__main__":
    main()
