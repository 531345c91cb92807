"""Continuous integration on machines that can't boot others, and on ones that can: the probe on stub programs, and
``.ci/run`` itself with every program that it calls replaced. Real machines: ``test_machines``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.programs import requires_program
from tests.systemd import machines

CI = Path(__file__).parents[2] / ".ci/run"
# Longer than any bound here: what hangs must be ended.
HANGS = "exec sleep 3600"
BOOTS = """\
for word in "$@"; do case $word in --directory=*) root=${word#--directory=} ;; esac; done
printf '%s' '== systemd
active
== network
reached
' >"$root/srv/out"
"""
WORKS = {
    "mmdebstrap": 'for word in "$@"; do case $word in *.unfinished) mkdir -p "$word/srv" ;; esac; done',
    "systemd-nspawn": BOOTS,
    "mount": "exit 1",
    "umount": "",
}
BOUNDS = {
    "mmdebstrap": "PROBE_ROOT_S",
    "mount": "PROBE_COPY_S",
    "cp": "PROBE_COPY_S",
    "systemd-nspawn": "PROBE_BOOT_S",
}


def put_programs(directory: Path, programs: dict[str, str]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for name, body in programs.items():
        (directory / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (directory / name).chmod(0o755)


Probe = Callable[[dict[str, str]], tuple[int, str]]


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Probe:
    """Run the probe with some programs in the place of the ones that work; its exit status and what it said."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:{os.environ['PATH']}")
    monkeypatch.setattr(machines, "ROOTS", tmp_path / "roots")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(sys, "argv", ["machines", "--probe"])

    def run(programs: dict[str, str]) -> tuple[int, str]:
        put_programs(tmp_path / "tools", WORKS | programs)
        for name, body in programs.items():
            if HANGS in body:
                monkeypatch.setattr(machines, BOUNDS[name], 0.2)
        status = 0
        try:
            machines.main()
        except SystemExit as ended:
            assert isinstance(ended.code, int)
            status = ended.code
        return status, capfd.readouterr().out

    return run


@pytest.mark.parametrize("mount", ["exit 0", "exit 1"])
def test_where_a_machine_boots_the_probe_has_nothing_to_say(mount: str, probe: Probe) -> None:
    assert probe({"mount": mount}) == (0, "")


@pytest.mark.parametrize(
    ("programs", "said"),
    [
        ({"mmdebstrap": "exit 1"}, "mmdebstrap can't make a root of bookworm"),
        ({"mmdebstrap": HANGS}, "mmdebstrap makes no root of bookworm"),
        ({"mmdebstrap": "exit 0"}, "A machine's files can't be made here"),
        ({"mount": HANGS}, "mount does not end here"),
        ({"cp": "exit 1"}, "cp fails here, with exit status 1."),
        ({"cp": HANGS}, "cp does not end here"),
        ({"mount": "exit 0", "umount": "exit 32"}, "umount fails here, with exit status 32."),
        ({"systemd-nspawn": "echo no such luck; exit 1"}, "systemd-nspawn boots no machine here: no such luck"),
        # PID 1 froze: nothing more is said, and nothing ends.
        ({"systemd-nspawn": HANGS}, "systemd-nspawn does not end here"),
        ({"systemd-nspawn": f"{BOOTS}\n{HANGS}"}, "systemd-nspawn does not end here"),
        ({"systemd-nspawn": BOOTS.replace("active", "offline")}, "systemd does not run in it"),
        ({"systemd-nspawn": BOOTS.replace("reached", "Temporary failure")}, "can't reach http://deb.debian.org"),
    ],
)
def test_where_none_boots_it_is_a_sentence_and_exit_status_3(programs: dict[str, str], said: str, probe: Probe) -> None:
    status, text = probe(programs)
    assert status == machines.MACHINES_MISSING, text
    assert said in text
    assert len(text.splitlines()) == 1, text


def test_the_probes_bounds_are_three_minutes_together() -> None:
    # Each of two steps that hang may take twice the end's time: asked, and killed.
    steps = machines.PROBE_ROOT_S + machines.PROBE_COPY_S + machines.PROBE_BOOT_S
    assert steps + 2 * machines.END_S < 180


def is_running(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    put_programs(tmp_path, {"stubborn": f"trap '' TERM; sleep 3600 & echo $! >{tmp_path}/child; wait; wait; {HANGS}"})
    with (tmp_path / "said").open("wb") as output, pytest.raises(subprocess.TimeoutExpired):
        machines.run_bounded([str(tmp_path / "stubborn")], 0.5, output)
    child = (tmp_path / "child").read_text(encoding="utf-8").strip()
    # It has been killed; on a busy machine the kernel takes its time to carry that out.
    looks = 0
    while is_running(child):
        looks += 1
        assert looks < 1_000_000, "it runs on"


class Ci:
    """``.ci/run`` in a tree of its own, whose programs tell what they were asked."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "tree"
        (self.root / ".ci").mkdir(parents=True)
        shutil.copy(CI, self.root / ".ci/run")
        self.asked = directory / "asked"
        self.tools = directory / "tools"

    def run(self, probe_status: int, failing: str = "nothing") -> tuple[int, str, list[str]]:
        """The exit status, what was said, and what was run; whatever matches *failing* fails."""
        requires_program("bash", "bash")
        self.asked.write_text("", encoding="utf-8")
        tell = f'echo "${{0##*/}} $*" >>{self.asked}\ncase "$*" in *{failing}*) exit 1 ;; esac\n'
        put_programs(self.tools, dict.fromkeys(("apt-get", "make", "lintian"), tell))
        is_failing = f"case {failing} in other-python) exit 1 ;; esac"
        put_programs(self.root / ".ci", {"tested-with": tell, "other-python": f"{tell}{is_failing}"})
        answer = f'case "$*" in *--probe) echo "It is so."; exit {probe_status} ;; esac\n'
        put_programs(self.root / ".venv/bin", {"python": tell + answer})
        done = subprocess.run(
            ["bash", str(self.root / ".ci/run")],
            env={"PATH": f"{self.tools}:/usr/bin:/bin"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        return done.returncode, done.stdout, self.asked.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def ci(tmp_path: Path) -> Ci:
    return Ci(tmp_path)


# What of the long tests needs no machine, and what does.
ALONE = ("tests/firmware_bridge", "tests/display/test_other_pygame.py")
IN_MACHINES = tuple(
    f"tests/systemd/test_{name}.py" for name in ("machines", "update", "package_scripts", "distribution_pygame")
)


@pytest.mark.parametrize("name", [*ALONE, *IN_MACHINES])
def test_where_machines_boot_each_failing_test_fails(name: str, ci: Ci) -> None:
    status, _, asked = ci.run(0)
    assert status == 0
    assert sum(name in line for line in asked) == 1
    assert ci.run(0, failing=name)[0] != 0


def test_the_other_python_is_tried_and_its_failure_fails(ci: Ci) -> None:
    status, _, asked = ci.run(0)
    assert status == 0 and "other-python " in asked
    assert ci.run(0, failing="other-python")[0] != 0


def test_where_none_boots_it_is_said_and_everything_else_runs(ci: Ci) -> None:
    status, said, asked = ci.run(machines.MACHINES_MISSING)
    assert status == 0
    assert "because none can be booted here. It is so." in said
    assert all(any(name in line for line in asked) for name in ALONE)
    assert not any(name in line for name in IN_MACHINES for line in asked)
    assert ci.run(machines.MACHINES_MISSING, failing=ALONE[1])[0] != 0


def test_a_fault_of_the_probe_itself_fails(ci: Ci) -> None:
    assert ci.run(1)[0] == 1
