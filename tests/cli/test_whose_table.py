"""One rule for all commands about whose table is meant, on made-up machines and for made-up users."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_bridge.access import Identity
from hardware.diagnosis.checks import Check
from hardware.diagnosis.reader import Machine
from table_app.appliance.checks import BOX_SETTINGS, BOX_STATE, SERVICE_ENABLED, SERVICE_PATH
from table_app.called import as_called
from table_app.cli import lastcard, whose_table
from table_app.cli.doctor.examiners import Patient, examine
from table_app.cli.whose_table import WhoseTable, find_table
from table_app.settings import SettingsError
from table_app.setup.box_settings import SET_UP_FILE
from table_app.table.opening import REGISTRY_FILE
from table_app.tags.registry import Registry
from tests.programs import requires_program

ROOT, SERVICE, ANN = 0, 64_321, 64_322
NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
TAGS = "uid,deck,card\n04a15c226b8080,classic,r5\n"
TARGET = "[rules]\ntarget = 200\n"


def put(root: Path, path: str, text: str = "") -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A machine with the package, whose service nobody has switched on yet."""
    put(tmp_path, SERVICE_PATH)
    put(tmp_path, BOX_SETTINGS, TARGET)
    put(tmp_path, "etc/passwd", f"root:x:0:0::/root:/bin/sh\nlastcard:x:{SERVICE}:{SERVICE}::/var/lib/lastcard:/none\n")
    (tmp_path / "var/lib").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def box(package: Path) -> Path:
    """One on which the table starts by itself, and has not done so yet."""
    link = package / SERVICE_ENABLED
    link.parent.mkdir(parents=True)
    link.symlink_to("/usr/lib/systemd/system/lastcard.service")
    return package


def asked(root: Path, user: int, *, caller: str = "", **named: Path) -> WhoseTable:
    """The table that somebody means; *caller* came with sudo."""
    home = root / "home" / str(user)
    environment = {"XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state"), "SUDO_USER": caller}
    return find_table(named.get("settings"), named.get("directory"), root, environment, user)


def place(table: WhoseTable) -> Path:
    return table.directory(table.settings())


@pytest.mark.parametrize("is_enabled", [True, False])
@pytest.mark.parametrize("has_run", [True, False])
def test_with_sudo_the_box_is_meant_also_before_its_service_first_ran(
    package: Path, is_enabled: bool, has_run: bool
) -> None:
    if is_enabled:
        link = package / SERVICE_ENABLED
        link.parent.mkdir(parents=True)
        link.symlink_to("/usr/lib/systemd/system/lastcard.service")
    if has_run:
        (package / BOX_STATE).mkdir()
    table = asked(package, ROOT, caller="ann")
    assert place(table) == package / BOX_STATE
    assert table.settings().setup().target == 200
    assert str(package / BOX_STATE) in table.note(table.settings())


@NEEDS_ROOT
def test_the_service_s_own_user_means_the_box_as_root_does(box: Path) -> None:
    (box / BOX_STATE).mkdir()
    os.chown(box / BOX_STATE, SERVICE, SERVICE)
    assert place(asked(box, SERVICE)) == place(asked(box, ROOT)) == box / BOX_STATE


def test_everybody_else_means_a_table_of_their_own_and_is_told_so_on_a_box(box: Path) -> None:
    (box / BOX_STATE).mkdir()
    table = asked(box, ANN)
    assert place(table) == box / "home" / str(ANN) / "state/lastcard"
    assert table.settings().setup().target == 500
    assert "yours" in table.note(table.settings()) and "sudo" in table.note(table.settings())


def test_where_nothing_is_installed_root_has_a_table_like_anybody_and_hears_whose_it_is(tmp_path: Path) -> None:
    table = asked(tmp_path, ROOT, caller="ann")
    assert place(table) == tmp_path / "home/0/state/lastcard"
    assert "root's own" in table.note(table.settings()) and "ann" in table.note(table.settings())
    assert asked(tmp_path, ROOT).note(table.settings()) == asked(tmp_path, ANN).note(table.settings()) == ""


def test_what_is_named_is_meant_by_everybody(box: Path) -> None:
    own = put(box, "own.toml", "[rules]\ntarget = 300\n")
    for user in (ROOT, ANN):
        table = asked(box, user, settings=own, directory=box / "named")
        assert (place(table), table.settings().setup().target) == (box / "named", 300)
        assert table.note(table.settings()) == ""


def test_settings_alone_named_leave_the_record_where_it_was(box: Path) -> None:
    own = put(box, "own.toml", "[rules]\ntarget = 300\n")
    assert place(asked(box, ROOT, settings=own)) == box / BOX_STATE
    assert place(asked(box, ANN, settings=own)) == box / "home" / str(ANN) / "state/lastcard"


def test_naming_the_box_s_own_settings_file_is_naming_the_box(box: Path) -> None:
    put(box, f"{BOX_STATE}/{SET_UP_FILE}", '[table]\nplayers = ["Eva", "Tom"]\n')
    for table in (asked(box, ROOT), asked(box, ROOT, settings=box / BOX_SETTINGS)):
        assert table.settings().setup().players == ("Eva", "Tom")
        assert table.layers(table.settings()) == [box / BOX_STATE / SET_UP_FILE]


@pytest.mark.parametrize(
    ("said", "found"), [("/mnt/stick", "/mnt/stick"), ("~/table", f"{BOX_STATE}/table"), ("here", f"{BOX_STATE}/here")]
)
def test_a_directory_in_the_box_s_settings_is_found_as_its_service_finds_it(box: Path, said: str, found: str) -> None:
    put(box, BOX_SETTINGS, f'[storage]\ndirectory = "{said}"\n')
    assert place(asked(box, ROOT)) == box / found


def test_a_box_whose_owner_took_the_settings_file_away_is_a_box_all_the_same(box: Path) -> None:
    (box / BOX_SETTINGS).unlink()
    table = asked(box, ROOT)
    assert table.settings_file is None and place(table) == box / BOX_STATE


@NEEDS_ROOT
def test_what_is_made_before_the_service_first_ran_is_the_service_s(box: Path) -> None:
    table = asked(box, ROOT)
    table.prepare(place(table))
    made = (box / BOX_STATE).stat()
    assert (made.st_uid, made.st_gid, made.st_mode & 0o777) == (SERVICE, SERVICE, 0o750)


# -- every command -----------------------------------------------------------------------------------------------

ASKING = ("cards.place", "doctor.command", "kiosk.command", "play", "records", "rules", "settings")
"""The modules of commands that ask whose table is meant."""

COMMANDS = Path(whose_table.__file__).parent
COMMAND_MODULES = sorted(".".join(path.relative_to(COMMANDS).with_suffix("").parts) for path in COMMANDS.rglob("*.py"))


@pytest.fixture
def sudo(box: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This machine is such a box, and whoever calls came with sudo."""

    def find(settings_file: Path | None = None, directory: Path | None = None, root: Path = box) -> WhoseTable:
        del root
        return find_table(
            settings_file, directory, box, {"SUDO_USER": "ann", "XDG_STATE_HOME": str(box / "home")}, ROOT
        )

    for module in ASKING:
        monkeypatch.setattr(f"table_app.cli.{module}.find_table", find)
    return box


def call(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(lastcard, arguments, input=typed)


def test_every_command_means_the_box_with_sudo_and_before_its_service_first_ran(sudo: Path) -> None:
    state = sudo / BOX_STATE
    tags = put(sudo, "tags.csv", TAGS)
    assert "1 tag imported" in call("cards", "import", str(tags)).stdout
    with closing(Registry(state / REGISTRY_FILE)) as registry:
        assert registry.tags()[0].code == "r5"
    assert "1 card of the deck classic has a tag" in call("cards", "list").stdout
    played = ("--display", "none", "--reader", "none", "--players", "Ana,Ben")
    assert call("play", *played, typed="deal\nr9\nquit\n").exit_code == 0
    assert "Ana 0, Ben 0" in call("history").stdout
    assert "start r9" in call("export").stdout
    assert call("stats").exit_code == 0
    assert "200" in call("rules").stdout
    where = call("settings", "--where").stdout
    assert f"settings: {sudo / BOX_SETTINGS}" in where and f"kept in: {state}" in where
    examined = json.loads(call("doctor", "--json", "--reader", "none").stdout)["checks"]
    checks = {check["name"]: check for check in examined}
    assert str(state) in checks["storage"]["sentence"] and str(state) in checks["journal"]["sentence"]
    assert "1 of 108" in checks["cards"]["sentence"]
    for command in ("cards list", "history", "stats", "settings --where", "rules"):
        assert f"The table of this box is meant, kept in {state}." in call(*command.split()).stderr
    assert not (sudo / "home").exists(), "and nothing of root's own was made"


@NEEDS_ROOT
def test_with_real_processes_and_files_where_they_really_lie(box: Path) -> None:
    """In a mount namespace of its own this machine is a box that never ran; nothing here decides which one is meant."""
    requires_program("unshare", "util-linux")
    if Path("/etc/ld.so.cache").exists():  # the loader's, which Python needs
        shutil.copy("/etc/ld.so.cache", box / "etc")
    tags = put(box, "tags.csv", TAGS)
    command = f"{sys.executable} -m table_app"
    steps = [
        f"mount --bind {box / 'etc'} /etc",
        f"mount --bind {box / 'usr/lib/systemd'} /usr/lib/systemd",
        f"mount --bind {box / 'var/lib'} /var/lib",
        f"{command} cards import {tags}",
        f"{command} settings --where",
        f"{command} doctor --card 0 --reader none || true",
    ]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-ec", "; ".join(steps)],
        env={"PATH": os.environ["PATH"], "HOME": str(box / "home"), "SUDO_USER": "ann"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    if done.returncode and ("unshare: " in done.stderr or "mount: " in done.stderr):
        pytest.skip(f"this root may not mount anything: {done.stderr}")
    assert done.returncode == 0, done.stderr
    assert "1 tag imported" in done.stdout and "kept in: /var/lib/lastcard" in done.stdout
    assert "settings: /etc/lastcard/lastcard.toml" in done.stdout and "1 of 108" in done.stdout
    assert (box / BOX_STATE / REGISTRY_FILE).stat().st_uid == SERVICE
    assert not (box / "home").exists()


def test_a_box_is_not_set_up_from_a_terminal(sudo: Path) -> None:
    for option in ("--set-up", "--who-plays"):
        result = call("play", option)
        assert isinstance(result.exception, SettingsError) and "own screen" in str(result.exception)


@pytest.mark.parametrize("module", COMMAND_MODULES)
def test_no_command_has_a_rule_of_its_own(module: str) -> None:
    text = (COMMANDS / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    if module != "whose_table":
        assert not re.search(r"(?<!default_)settings_path|BOX_STATE|BOX_SETTINGS|STATE_DIRECTORY", text)
        assert ("find_table(" in text) == (module in ASKING or module == "doctor.examiners")


# -- the doctor --------------------------------------------------------------------------------------------------


def examined(root: Path, user: int, directory: Path | None = None) -> dict[str, Check]:
    table = asked(root, user) if directory is None else asked(root, user, directory=directory)
    settings = table.settings()
    machine = Machine(root, Identity(user, frozenset({user})))
    return {
        check.name: check
        for check in examine(Patient(settings, table.directory(settings), "none", machine=machine, table=table))
    }


@pytest.mark.parametrize("user", [ROOT, ANN])
@pytest.mark.parametrize("is_named", [True, False])
def test_the_doctor_never_advises_what_it_was_just_called_with(box: Path, user: int, is_named: bool) -> None:
    (box / BOX_STATE).mkdir()
    checks = examined(box, user, box / "named" if is_named else None)
    if user == ROOT and not is_named:
        assert "box" not in checks
        return
    fix = checks["box"].fix
    assert fix.startswith("Run: sudo ") is (user == ANN), "sudo is for those who have not come with it"
    assert "doctor" in fix and "--state-directory" not in fix


def test_a_laptop_hears_nothing_of_boxes(tmp_path: Path) -> None:
    assert "box" not in examined(tmp_path, ANN)


def test_whoever_came_with_sudo_is_told_to_come_with_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setenv("SUDO_USER", "ann")
    assert as_called("cards enrol").startswith("sudo ")
    monkeypatch.delenv("SUDO_USER")
    assert not as_called("cards enrol").startswith("sudo ")


# -- what sudo writes ----------------------------------------------------------------------------------------------


@NEEDS_ROOT
def test_an_export_with_sudo_is_the_caller_s_to_read(sudo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = ("--display", "none", "--reader", "none", "--players", "Ana,Ben")
    call("play", *played, typed="deal\nr9\nquit\n")
    monkeypatch.setenv("SUDO_UID", str(ANN))
    monkeypatch.setenv("SUDO_GID", str(ANN))
    for arguments, name in ((("export", "--to"), "match.table"), (("cards", "export"), "tags.csv")):
        assert call(*arguments, str(sudo / name)).exit_code == 0
        assert (sudo / name).stat().st_uid == ANN


@NEEDS_ROOT
def test_all_that_root_makes_in_the_box_s_directory_is_the_service_s(sudo: Path) -> None:
    tags = put(sudo, "tags.csv", TAGS)
    call("cards", "import", str(tags))
    for command in ("play", "score"):
        call(command, "--display", "none", "--reader", "none", "--players", "Ana,Ben", typed="deal\nr9\nquit\n")
    made = [sudo / BOX_STATE, *(sudo / BOX_STATE).rglob("*")]
    assert len(made) > 6
    assert [path for path in made if path.stat().st_uid != SERVICE] == []
