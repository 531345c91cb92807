"""The units: nothing in them is unknown to systemd, the service is confined, and all agree with the program.

Needs Debian's package systemd for its ``systemd-analyze``; systemd itself need not run.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from table_app.appliance.requests import REQUESTS, Request
from table_app.cli import lastcard
from tests.programs import requires_program

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = ("lastcard.service", "lastcard-request.path", "lastcard-request.service")
EXPOSURE_MAX = 3.0
PAGE = (SYSTEMD / "README.md").read_text(encoding="utf-8")


def build_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("package_build", SYSTEMD / "package/build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def options(unit: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (SYSTEMD / unit).read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A root with our files where the package puts them, among this machine's own units."""
    for name, place, mode in build_module().FILES:
        target = tmp_path / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SYSTEMD / name, target)
        target.chmod(mode)
    return tmp_path


def verify(tree: Path, unit: str) -> str:
    """What `systemd-analyze verify` prints. Its exit status is no help: it is 0 for an unknown key."""
    requires_program("systemd-analyze", "systemd")
    for directory in (Path("/usr/lib/systemd/system"), Path("/lib/systemd/system")):
        if directory.is_dir():
            shutil.copytree(directory, tree / "usr/lib/systemd/system", symlinks=True, dirs_exist_ok=True)
            break
    command = ["systemd-analyze", "verify", "--man=no", f"--root={tree}", unit]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    # What this machine's other packages have wrong in their own units is not ours to mend.
    lines = [line for line in (done.stdout + done.stderr).splitlines() if "lastcard" in line]
    return "\n".join(lines)


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_finds_nothing_to_say_about_a_unit(unit: str, tree: Path) -> None:
    assert verify(tree, unit) == ""


def test_a_mistyped_key_would_be_seen(tree: Path) -> None:
    unit = tree / "usr/lib/systemd/system/lastcard.service"
    unit.write_text(unit.read_text(encoding="utf-8").replace("WatchdogSec", "WachdogSec"), encoding="utf-8")
    assert "WachdogSec" in verify(tree, "lastcard.service")


def test_the_service_is_confined() -> None:
    requires_program("systemd-analyze", "systemd")
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(SYSTEMD / "lastcard.service")]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    exposure = re.search(r"Overall exposure level for lastcard.service: ([0-9.]+)", said)
    assert exposure is not None, said
    assert float(exposure[1]) <= EXPOSURE_MAX
    told = re.search(r"`systemd-analyze security` of systemd (\d+) says ([0-9.]+) ", PAGE)
    assert told is not None
    version = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True, check=True).stdout
    if version.split()[1] == told[1]:  # others weigh other options
        assert exposure[1] == told[2]


def test_nothing_can_listen_or_call_out_as_long_as_nothing_does() -> None:
    """Whoever lets the table serve a page opens the unit for it, and says so on the page of the unit."""
    assert set(options("lastcard.service")["RestrictAddressFamilies"][0].split()) == {"AF_UNIX", "AF_NETLINK"}
    code = [path for package in ("table_app", "hardware") for path in sorted((SYSTEMD.parent / package).rglob("*.py"))]
    assert not [path for path in code if "AF_INET" in path.read_text(encoding="utf-8")]


def test_nothing_that_breaks_the_table_is_switched_on() -> None:
    """Each of these was seen to break such a table; the README says which and how."""
    unit = options("lastcard.service")
    for name in ("PrivateDevices", "MemoryDenyWriteExecute", "PrivateUsers", "ProcSubset", "DynamicUser"):
        assert name not in unit
    assert "AF_NETLINK" in unit["RestrictAddressFamilies"][0]
    allowed = {line.split()[0] for line in unit["DeviceAllow"]}
    assert {"char-drm", "char-input", "char-spi", "char-gpiochip", "char-alsa", "char-tty"} <= allowed


def test_it_is_never_given_up() -> None:
    unit = options("lastcard.service")
    assert unit["Restart"] == ["always"]
    assert unit["StartLimitIntervalSec"] == ["0"]
    assert unit["Type"] == ["notify"]
    assert unit["NotifyAccess"] == ["main"], "no helper may speak for a hung table"


def test_every_option_has_its_reason_in_the_readme() -> None:
    reasons = (SYSTEMD / "README.md").read_text(encoding="utf-8")
    missing = [name for unit in UNITS for name in options(unit) if f"`{name}" not in reasons]
    assert missing == []


def test_the_command_that_the_unit_runs_is_there() -> None:
    program, command, *arguments = options("lastcard.service")["ExecStart"][0].split()
    assert program == "/usr/bin/lastcard"
    result = CliRunner().invoke(lastcard, [command, "--help"])
    assert result.exit_code == 0, result.output
    for option in (argument for argument in arguments if argument.startswith("--")):
        assert option in result.output


def test_groups_and_directories_agree_with_each_other() -> None:
    unit = options("lastcard.service")
    members = set(re.findall(r"^m lastcard (\S+)$", (SYSTEMD / "lastcard.sysusers").read_text("utf-8"), re.MULTILINE))
    assert set(unit["SupplementaryGroups"][0].split()) == members
    assert unit["WorkingDirectory"] == [f"/var/lib/{unit['StateDirectory'][0]}"], "lgpio writes where it stands"
    assert f"/{REQUESTS}" in unit["ReadWritePaths"][0]
    assert f"/{REQUESTS} " in (SYSTEMD / "lastcard.tmpfiles").read_text(encoding="utf-8")
    assert options("lastcard-request.path")["DirectoryNotEmpty"] == [f"/{REQUESTS}"]


def test_the_installed_rules_reach_devices_that_are_there_already() -> None:
    """What postinst triggers is what each rule waits for: udevadm by itself says "change"."""
    script = (SYSTEMD / "package/postinst").read_text(encoding="utf-8")
    (trigger,) = re.findall(r"udevadm trigger (.*)", script)
    action = re.search(r"--action=(\w+)", trigger)
    triggered = action[1] if action else "change"
    lines = (SYSTEMD / "60-lastcard.rules").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert len(rules) >= 4
    for rule in rules:
        awaited = re.search(r'ACTION=="([^"]+)"', rule)
        assert awaited is None or triggered in awaited[1].split("|"), rule
        subsystem = re.search(r'SUBSYSTEM=="(\w+)"', rule)
        assert subsystem is not None
        assert subsystem[1] == "tty" or f"--subsystem-match={subsystem[1]}" in trigger


def test_dpkg_is_never_ended_in_the_middle() -> None:
    unit = options("lastcard-request.service")
    assert unit["TimeoutStartSec"] == ["infinity"]
    assert unit["KillMode"] == ["mixed"], "only the script hears that it is to stop"


def test_root_knows_every_request_that_can_be_made() -> None:
    script = (SYSTEMD / "carry-out-request.sh").read_text(encoding="utf-8")
    known = set(re.findall(r"^    ([a-z-]+)\) ", script, re.MULTILINE))
    assert known == {str(request) for request in Request}


def test_user_and_groups_are_made_on_a_system_that_has_none(tmp_path: Path) -> None:
    requires_program("systemd-sysusers", "systemd")
    (tmp_path / "etc").mkdir()
    directory = tmp_path / "usr/lib/sysusers.d"
    directory.mkdir(parents=True)
    shutil.copy(SYSTEMD / "lastcard.sysusers", directory / "lastcard.conf")
    shutil.copy("/usr/lib/sysusers.d/basic.conf", directory)
    for _ in range(2):  # twice the same
        subprocess.run(["systemd-sysusers", f"--root={tmp_path}"], check=True, capture_output=True, timeout=60)
    passwd = (tmp_path / "etc/passwd").read_text(encoding="utf-8")
    assert re.search(
        r"^lastcard:[^:]*:\d+:\d+:Last Card table:/var/lib/lastcard:/usr/sbin/nologin$", passwd, re.MULTILINE
    )
    groups = (tmp_path / "etc/group").read_text(encoding="utf-8")
    for name in options("lastcard.service")["SupplementaryGroups"][0].split():
        assert re.search(rf"^{name}:[^:]*:\d+:.*lastcard", groups, re.MULTILINE), name


def test_the_scripts_satisfy_shellcheck() -> None:
    requires_program("shellcheck", "shellcheck")
    scripts = [SYSTEMD / "install.sh", SYSTEMD / "carry-out-request.sh"]
    scripts += [SYSTEMD / "package" / name for name in ("postinst", "prerm", "postrm")]
    done = subprocess.run(["shellcheck", *map(str, scripts)], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == ""
    assert done.returncode == 0
