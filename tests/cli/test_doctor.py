"""The doctor: a line a check, exit status 1 if one failed, and every complaint with the one thing to do."""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge.access import SERVICE_USER, Identity
from hardware.diagnosis.checks import Check, Status, failed, passed
from hardware.diagnosis.reader import Machine
from table_app.cli import lastcard
from table_app.cli.doctor import examiners
from table_app.cli.doctor.command import line
from table_app.cli.doctor.examiners import Patient, examine
from table_app.record.copies import copies
from table_app.record.journal import Entry, open_journal
from table_app.rules import DECKS
from table_app.settings import read_settings
from table_app.setup.box_settings import CORNER_FILE, SET_UP_FILE, settings_in_force
from table_app.tags.registry import Registry, open_registry
from table_app.tags.stickers import STICKERS_FROM
from table_app.transcript import header_text
from tests.cli.test_commands import run
from tests.record.test_damage import record, spoil
from tests.systemd import trees
from tests.table.rig import setup, uid

# The package's own name for it is the command.
doctor_command = importlib.import_module("table_app.cli.doctor.command")


def patient(directory: Path, kind: str = "auto", machine: Path = Path("/nowhere")) -> Patient:
    return Patient(read_settings(None), directory, kind, machine=Machine(machine, Identity(0, frozenset({0}))))


def statuses(checked: Patient) -> dict[str, Status]:
    return {check.name: check.status for check in examine(checked)}


def test_on_a_laptop_nothing_fails_and_what_could_not_be_checked_is_said(tmp_path: Path) -> None:
    result = run("doctor", "--state-directory", str(tmp_path))
    lines = result.stdout.splitlines()
    assert result.returncode == 0 and "✗" not in result.stdout
    assert any(said.startswith("– chip: ") for said in lines)
    assert lines[-1].endswith("not checked.") and ", 0 failed, " in lines[-1]
    assert all(said[0] in "✓–" for said in lines[:-1]), "one line a check"


def test_json_says_the_same(tmp_path: Path) -> None:
    data = json.loads(run("doctor", "--json", "--state-directory", str(tmp_path)).stdout)
    assert data["ok"] is True
    assert {"name", "status", "sentence", "fix"} == set(data["checks"][0])
    names = [check["name"] for check in data["checks"]]
    assert len(names) == len(set(names)) and {"settings", "chip", "storage", "cards"} <= set(names)


def test_a_simulated_reader_is_examined_whole_a_card_included(tmp_path: Path) -> None:
    result = run("doctor", "--reader", "simulated", "--card", "1", "--state-directory", str(tmp_path))
    for name in ("chip", "registers", "antenna", "card"):
        assert f"✓ {name}: " in result.stdout
    assert "Lay a card on the reader" in result.stderr


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("[reader]\ngain-db = 39\n", "settings", "gain-db must be one of 18"),
        ("[reader]\nspeed-hz = 1\n", "settings", "speed-hz must be from 100000"),
        ("[reder]\n", "settings", "did you mean reader?"),
        ("[rules]\ntarget = 'many'\n", "settings", "target"),
        ("nonsense", "settings", "is not TOML"),
    ],
)
def test_settings_that_can_not_be_are_a_complaint_and_not_the_end(
    tmp_path: Path, text: str, name: str, said: str
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    result = run("doctor", "--settings", str(file), "--state-directory", str(tmp_path))
    assert result.returncode == 1 and result.stderr == ""
    (complaint,) = [found for found in result.stdout.splitlines() if found.startswith("✗")]
    assert complaint.startswith(f"✗ {name}: ") and said in complaint and " → " in complaint
    assert "✓ system: " in result.stdout, "the rest is examined all the same"


def test_a_reader_through_a_package_that_is_not_there_fails_because_it_was_asked_for(tmp_path: Path) -> None:
    result = run("doctor", "--reader", "mfrc522", "--state-directory", str(tmp_path))
    assert result.returncode == 1 and "✗ chip: " in result.stdout and "mfrc522" in result.stdout


def test_a_table_without_a_reader_has_nothing_to_examine_there(tmp_path: Path) -> None:
    found = statuses(patient(tmp_path, "none"))
    assert found["reader"] is Status.NOT_CHECKED and "chip" not in found


@pytest.mark.parametrize(("kind", "why"), [("auto", "are picked"), ("none", "are picked"), ("simulated", "their own")])
@pytest.mark.parametrize("is_begun", [False, True], ids=["no list", "empty list"])
def test_on_a_laptop_no_tags_are_asked_for_and_the_table_is_silent_in_its_terminal(
    tmp_path: Path, kind: str, why: str, is_begun: bool
) -> None:
    if is_begun:
        registry = Registry(tmp_path / "tags.sqlite")
        registry.enrol(uid(1), DECKS["2018"], "r5", 1)
        registry.close()
    found = {check.name: check for check in examine(patient(tmp_path, kind))}
    assert found["cards"].status is Status.NOT_CHECKED and not found["cards"].fix
    assert "none needs one" in found["cards"].sentence and why in found["cards"].sentence
    assert found["audio"].sentence == "There is no sound card, and no pin for a buzzer; the table is silent."


def test_where_a_reader_can_be_tags_and_a_buzzer_are_spoken_of(tmp_path: Path) -> None:
    trees.PI_4_HDMI.build(tmp_path / "pi")
    for checked in (patient(tmp_path, machine=tmp_path / "pi"), patient(tmp_path, "spi"), patient(tmp_path, "serial")):
        found = {check.name: check for check in examine(checked)}
        assert "cards enrol" in found["cards"].fix, checked.reader_kind
    assert "only voice" in found["audio"].sentence, "a board brings a buzzer"


def test_which_cards_have_tags_is_told_and_a_damaged_list_is_left_as_it_is(tmp_path: Path) -> None:
    assert statuses(patient(tmp_path))["cards"] is Status.NOT_CHECKED
    registry = Registry(tmp_path / "tags.sqlite")
    registry.enrol(uid(1), DECKS["classic"], "r5", 1)
    registry.close()
    (told,) = [check for check in examine(patient(tmp_path)) if check.name == "cards"]
    assert told.sentence == "Cards of the deck classic that have tags: 1 of 108; 1 copy."
    assert told.status is Status.NOT_CHECKED and "cards enrol" in told.fix
    registry = Registry(tmp_path / "tags.sqlite")
    registry.enrol(uid(2), DECKS["classic"], "r5", STICKERS_FROM)
    registry.close()
    (told,) = [check for check in examine(patient(tmp_path)) if check.name == "cards"]
    assert "1 of 108; 2 copies. New tags in the place of lost ones: red 5." in told.sentence
    (tmp_path / "tags.sqlite").write_bytes(b"junk" * 99)
    assert statuses(patient(tmp_path))["cards"] is Status.FAILED
    assert (tmp_path / "tags.sqlite").read_bytes() == b"junk" * 99


def test_settings_that_a_power_cut_emptied_or_filled_with_zeros_are_told(tmp_path: Path) -> None:
    file = tmp_path / "lastcard.toml"
    for content, said in ((b"", "is empty"), (b"\0" * 300, "power cut")):
        file.write_bytes(content)
        result = run("doctor", "--card", "0", "--settings", str(file), "--state-directory", str(tmp_path))
        told = next(line for line in result.stdout.splitlines() if line[2:].startswith("settings: "))
        assert said in told and "→" in told


def test_a_tag_list_that_is_gone_or_was_not_to_be_read_is_told_each_time(tmp_path: Path) -> None:
    def cards() -> Check:
        return next(check for check in examine(patient(tmp_path)) if check.name == "cards")

    path = tmp_path / "tags.sqlite"
    registry = Registry(path)
    registry.enrol(uid(1), DECKS["classic"], "r5", 1)
    registry.close()
    for content in (b"\0" * 8192, b"", None):
        path.write_bytes(content) if content is not None else path.unlink()
        assert cards().status is Status.FAILED and cards().fix.startswith("Start the table")
    open_registry(path).tags.close()
    assert "1 of 108" in cards().sentence
    for copy in copies(path):
        copy.unlink()
    path.write_bytes(b"\0" * 8192)
    assert "import" in cards().fix
    open_registry(path).tags.close()
    for _ in range(2):
        assert "tags.damaged-1.sqlite" in cards().sentence and "enrol" in cards().fix


def test_the_record_is_examined_and_left_as_it_is(tmp_path: Path) -> None:
    def journal() -> Check:
        return next(check for check in examine(patient(tmp_path)) if check.name == "journal")

    path = tmp_path / "journal.sqlite"
    assert journal().status is Status.NOT_CHECKED
    record(path, copied=(1, 2))
    said = journal()
    assert said.status is Status.PASSED
    assert "is whole: 4 matches, 2 copies, " in said.sentence and " are free." in said.sentence
    spoil(path, 4, 1, 4)
    content = path.read_bytes()
    said = journal()
    assert said.status is Status.FAILED and "the match of 29 November 2026 from round 1 on" in said.sentence
    assert said.fix.startswith("Start the table") and path.read_bytes() == content
    path.unlink()
    said = journal()
    assert said.status is Status.FAILED and "is gone; 2 copies are left" in said.sentence


@pytest.mark.parametrize(
    ("matches", "begun", "said"),
    [
        (1, 0, "1 match, not begun yet, "),
        (1, 1, "1 match, 0 copies"),
        (3, 0, "3 matches, none of them begun yet, "),
        (3, 2, "3 matches, 1 of them not begun yet, "),
    ],
)
def test_matches_that_wait_for_their_first_deal_are_told_apart(
    tmp_path: Path, matches: int, begun: int, said: str
) -> None:
    journal = open_journal(tmp_path / "journal.sqlite", wall_time=lambda: "2026-11-29T18:00:00", boot="boot").journal
    for number in range(matches):
        journal.begin_match(header_text(setup()))
        if number < begun:
            journal.append([Entry("@0 table: deal 7", 1)])
    journal.close()
    (told,) = [check for check in examine(patient(tmp_path)) if check.name == "journal"]
    assert said in told.sentence and "played" not in told.sentence


def test_a_directory_that_can_not_be_written_is_a_complaint(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert statuses(patient(tmp_path / "file" / "below"))["storage"] is Status.FAILED


def test_more_is_examined_by_adding_an_examiner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examiners, "EXAMINERS", (lambda _: [passed("one", "It is well.")], lambda _: []))
    assert statuses(patient(tmp_path)) == {"one": Status.PASSED}


def test_a_complaint_and_its_mending_stand_in_one_line() -> None:
    assert line(failed("spi", "SPI is off.", "Switch it on.")) == "✗ spi: SPI is off. → Switch it on."


def test_what_was_chosen_on_the_boxs_screen_is_examined_with_its_file_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / SET_UP_FILE).write_text('[table]\nplayers = ["Eva", "Tom"]\n[reader]\nkind = "none"\n')
    (tmp_path / CORNER_FILE).write_text("[kiosk]\ndim-after = 2\n")
    seen = settings_in_force(read_settings(None), tmp_path)
    assert seen.text("reader", "kind") == "none"
    assert seen.number("kiosk", "dim-after") == 2
    for name in (SET_UP_FILE, CORNER_FILE):
        (tmp_path / name).write_text("[cut")
    assert settings_in_force(read_settings(None), tmp_path).given == frozenset()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((SET_UP_FILE, CORNER_FILE))


def test_a_language_that_play_would_refuse_is_found(tmp_path: Path) -> None:
    file = tmp_path / "lastcard.toml"
    file.write_text('[table]\nlanguage = "fr"\n')
    result = run("doctor", "--card", "0", "--settings", str(file), "--state-directory", str(tmp_path))
    assert result.returncode == 1
    assert any(line.startswith("✗ settings:") and "'fr'" in line for line in result.stdout.splitlines())


NOBODY = 65534


@contextmanager
def somebody_else() -> Iterator[None]:
    """This process as a user who has nothing here, and root again afterwards."""
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    groups = os.getgroups()
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, 0)
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
        os.setgroups(groups)


def ask_json(directory: Path) -> dict[str, dict[str, str]]:
    result = CliRunner().invoke(lastcard, ["doctor", "--json", "--card", "0", "--state-directory", str(directory)])
    assert isinstance(result.exception, SystemExit | None), result.exception
    return {check["name"]: check for check in json.loads(result.stdout)["checks"]}


@pytest.mark.parametrize("mode", [0o777, 0o755, 0o711, 0o700])
def test_what_belongs_to_somebody_else_is_a_finding_and_ends_nothing(
    mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pytest's own folders can't be entered by others."""
    monkeypatch.delenv("HOME", raising=False)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        record(directory / "journal.sqlite", copied=(1,))
        Registry(directory / "tags.sqlite").close()
        for path in directory.iterdir():
            path.chmod(0o600)
        whole = ask_json(directory)  # also imports all that this user may not read
        directory.chmod(mode)
        with somebody_else():
            found = ask_json(directory)
    assert set(found) == set(whole), "no check is missing"
    blamed = "journal" if mode == 0o777 else "storage"
    assert found[blamed]["status"] == "failed"
    if mode == 0o777:
        assert "it belongs to root" in found["journal"]["sentence"] and "sudo chown nobody: " in found["journal"]["fix"]
        assert found["cards"]["status"] == "failed"


def test_an_examiner_that_breaks_off_ends_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def examine_storage(_: Patient) -> Sequence[Check]:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(
        examiners, "EXAMINERS", (examiners.examine_settings, examine_storage, lambda _: [passed("last", "It is.")])
    )
    found = statuses(patient(tmp_path))
    assert found == {"settings": Status.PASSED, "storage": Status.FAILED, "last": Status.PASSED}


def test_a_box_is_examined_as_the_user_who_runs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that root alone may open is no reader of the box's."""
    device = tmp_path / "dev/spidev0.0"
    device.parent.mkdir()
    device.touch()
    device.chmod(0o600)
    box_user = Identity(990, frozenset({990}), SERVICE_USER)
    machine = Machine(tmp_path, box_user, held={})
    found = {check.name: check for check in examine(Patient(read_settings(None), tmp_path, "auto", machine=machine))}
    assert found["permission spi"].status is Status.FAILED
    assert found["permission spi"].sentence.startswith("The user lastcard may not open /dev/spidev0.0")


def test_root_becomes_the_box_s_user_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a child: there is no way back. The user nobody stands for the box's."""
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    monkeypatch.setattr(doctor_command, "SERVICE_USER", "nobody")
    monkeypatch.setattr(os, "access", lambda *_, **__: True)  # this program may lie where others can't read it
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            doctor_command.become_the_tables_user()
            said = f"{os.getresuid()} {os.getresgid()} {0 in os.getgroups()}"
        except BaseException as error:
            said = repr(error)
        os.write(writing, said.encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    assert os.read(reading, 1_000).decode() == f"{(NOBODY,) * 3} {(NOBODY,) * 3} False"
    os.close(reading)
