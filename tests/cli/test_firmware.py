"""``lastcard firmware``: what people read, on a simulated board, and a sentence where there is none."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_bridge import FIRMWARE_VERSION, adjusting
from firmware_bridge import install as installing
from firmware_bridge.adjusting import SettingNameError, changed
from firmware_bridge.errors import BoardFaultError
from firmware_bridge.firmware.settings import DEFAULTS
from firmware_bridge.messages import Done, Result, Welcome
from hardware.diagnosis.board import board_checks
from hardware.simulated.microcontroller import (
    SimulatedMicrocontroller,
    flash_firmware,
)
from table_app.cli import main
from table_app.cli.doctor.command import doctor
from table_app.cli.firmware import firmware
from tests.programs import requires_micropython


@pytest.fixture
def port(tmp_path: Path) -> str:
    requires_micropython()
    flash = tmp_path / "board" / "flash"
    flash.mkdir(parents=True)
    flash_firmware(flash)
    return str(tmp_path / "board" / "port")


def test_status_shows_version_readers_wiring_and_counters(port: str) -> None:
    board = SimulatedMicrocontroller(Path(port).with_name("flash"), Path(port), real_time=True)
    board.plug_in()
    try:
        text = CliRunner().invoke(firmware, ["status", "--port", port], catch_exceptions=False).output
        report = json.loads(CliRunner().invoke(firmware, ["status", "--port", port, "--json"]).output)
    finally:
        board.close()
    first, *rest = text.splitlines()
    assert first.startswith(f"{port}: ") and first.endswith(f"firmware {FIRMWARE_VERSION}, readers: pad")
    assert "  reader pad: works, chip version 92h" in rest
    assert "  buzzer: GP15, passive" in rest
    assert any(line.startswith("  counted by the board since its start: ") and "damaged 0" in line for line in rest)
    assert any(line.startswith("  counted here while asking: good ") and "repeated 0" in line for line in rest)
    assert report["host"]["good"] > 0 and report["host"]["sessions"] == 1
    assert report["welcome"]["firmware"] == FIRMWARE_VERSION
    assert report["readers"] == [{"name": "pad", "version": 0x92, "fault": ""}]


@pytest.mark.parametrize("command", ["status", "install", "settings", "set"])
def test_without_a_board_there_is_one_sentence(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(installing, "find_boards", list)
    with pytest.raises(SystemExit) as ended:
        main(["firmware", command, *(("lamps", "10") if command == "set" else ())])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("lastcard: No board was found on USB. Plug in a Pico")
    assert len(said.splitlines()) == 1


@pytest.fixture
def board(port: str) -> Iterator[SimulatedMicrocontroller]:
    board = SimulatedMicrocontroller(Path(port).with_name("flash"), Path(port), real_time=True)
    board.plug_in()
    yield board
    board.close()


def run(*arguments: str) -> str:
    return CliRunner().invoke(firmware, arguments, catch_exceptions=False).output


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence with which the command ends."""
    with pytest.raises(SystemExit) as ended:
        main(["firmware", *arguments])
    assert ended.value.code == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    return sentence


def test_a_second_reader_is_set_kept_and_shown(port: str, board: SimulatedMicrocontroller) -> None:
    said = run("set", "readers.pile.cs", "20", "lamps", "10,11", "buttons.undo", "none", "--port", port)
    assert said.splitlines() == [
        "readers.pile.cs 20",
        "lamps 10,11",
        "buttons.undo none",
        "The board has restarted with it.",
    ]
    assert board.starts == 2
    kept = json.loads((board.flash / "settings.json").read_text())
    assert [reader["name"] for reader in kept["readers"]] == ["pad", "pile"]
    assert "undo" not in kept["buttons"] and kept["lamps"] == [10, 11]
    lines = run("status", "--port", port).splitlines()
    assert lines[0].endswith("readers: pad, pile")
    assert "  reader pad: works, chip version 92h" in lines and "  reader pile: works, chip version 92h" in lines


def test_settings_are_shown_as_they_are_set(port: str, board: SimulatedMicrocontroller) -> None:
    shown = [line.split(" ", 1) for line in run("settings", "--port", port).splitlines()]
    whole = json.loads(run("settings", "--port", port, "--json"))
    assert whole == DEFAULTS
    assert (
        ["buttons.seat:0", "2"] in shown
        and ["lamps", "10,11,12,13"] in shown
        and ["readers.pad.reset", "none"] in shown
    )
    for name, value in shown:
        assert changed(whole, name, value) == whole


def test_settings_that_the_board_refuses_stay_as_they_were(
    port: str, board: SimulatedMicrocontroller, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "set", "watchdog_ms", "4000", "buzzer.pin", "10", "--port", port)
    assert said == "lastcard: The board keeps its settings as they are: lamp 0 and buzzer are both on GP10."
    assert board.starts == 1 and not (board.flash / "settings.json").exists()


def test_settings_with_which_the_board_cant_start_are_taken_back(
    port: str, board: SimulatedMicrocontroller, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "set", "spi.sck", "9", "--port", port)
    assert "can't be set up as its settings.json says (bad SCK pin)" in said
    assert said.endswith("The settings are again what they were; choose other pins.")
    assert json.loads(run("settings", "--port", port, "--json")) == DEFAULTS
    assert board.starts == 3


def test_a_board_that_does_not_come_back_is_said_with_the_way_back(
    port: str, board: SimulatedMicrocontroller, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: installing.Conversation, within_ms: int) -> None:
        raise BoardFaultError("The board did not restart. Unplug it.")

    monkeypatch.setattr(installing.Conversation, "await_end", gone)
    said = refused(capsys, "set", "lamps", "none", "readers.pile.cs", "20", "buttons.yes", "26", "--port", port)
    assert said == (
        "lastcard: The board did not restart. Unplug it. It keeps what was set. To set it back: "
        "lastcard firmware set buttons.yes none lamps 10,11,12,13 readers.pile none"
    )


def test_a_file_that_the_board_cant_use_is_named_in_its_status(port: str, board: SimulatedMicrocontroller) -> None:
    board.unplug()
    (board.flash / "settings.json").write_text('{"lamp": []}')
    board.plug_in()
    status = run("status", "--port", port)
    assert "The board's settings.json can't be used (the file has no setting lamp" in status


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("lamp", "10", "The board has no setting lamp; did you mean lamps? It knows buttons, buzzer, lamps"),
        ("xyz", "10", "The board has no setting xyz. It knows buttons, buzzer, lamps"),
        ("buzzer.pn", "10", "There is no setting buzzer.pn; there is buzzer.pin, buzzer.passive."),
        ("watchdog_ms.x", "10", "There is no setting watchdog_ms.x; there is watchdog_ms."),
        ("buzzer", "10", "buzzer has several parts; set one of them, such as buzzer.pin."),
        ("readers.pile", "10", "There is no setting readers.pile; there is readers.pile.cs"),
        ("readers.pile.pin", "10", "There is no setting readers.pile.pin; there is readers.pile.cs"),
    ],
)
def test_a_name_that_is_no_setting_is_a_sentence(name: str, value: str, said: str) -> None:
    with pytest.raises(SettingNameError) as error:
        changed(DEFAULTS, name, value)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("buzzer", "none", {"buzzer": None}),
        ("buzzer.passive", "false", {"buzzer": {"pin": 15, "passive": False}}),
        ("lamps", "none", {"lamps": []}),
        ("lamps", "26", {"lamps": [26]}),
        ("lamps", "[26, 27]", {"lamps": [26, 27]}),
        ("readers.pad", "none", {"readers": []}),
        ("readers.pad.gain_db", "48", {"readers": [{"name": "pad", "cs": 17, "reset": None, "gain_db": 48}]}),
        ("watchdog_ms", "soon", {"watchdog_ms": "soon"}),
    ],
)
def test_a_value_takes_its_place_and_nothing_else_changes(name: str, value: str, part: dict[str, Any]) -> None:
    assert changed(DEFAULTS, name, value) == {**DEFAULTS, **part}


def test_a_buzzer_taken_away_comes_back_with_its_pin() -> None:
    without = changed(DEFAULTS, "buzzer", "none")
    assert changed(without, "buzzer.pin", "14")["buzzer"] == {"pin": 14, "passive": True}


def test_a_name_without_a_value_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["firmware", "set", "buzzer.pin"])
    assert "buzzer.pin has no value; write NAME VALUE, such as: buzzer.pin 14" in capsys.readouterr().err


def examined(tmp_path: Path, port: str, content: str = "") -> dict[str, dict[str, str]]:
    """What the doctor says of the reader's board and its readers, by name."""
    settings = tmp_path / "lastcard.toml"
    settings.write_text(content)
    arguments = [
        "--json",
        "--reader",
        f"serial:{port}",
        "--settings",
        str(settings),
        "--state-directory",
        str(tmp_path),
    ]
    report = json.loads(CliRunner().invoke(doctor, arguments).output)
    return {check["name"]: check for check in report["checks"]}


def test_the_doctor_examines_board_and_reader(tmp_path: Path, port: str, board: SimulatedMicrocontroller) -> None:
    found = examined(tmp_path, port, "[pile-reader]\nuse = true\n")
    assert found["reader's board"]["status"] == found["reader pad"]["status"] == "passed"
    assert found["reader's board"]["sentence"].endswith(f"answers, with firmware {FIRMWARE_VERSION}.")
    assert found["reader pile"]["status"] == "failed"
    assert found["reader pile"]["fix"].endswith("lastcard firmware set readers.pile.cs 20")
    assert "reader pile" not in examined(tmp_path, port)


def test_the_doctor_names_the_wire_of_a_reader_on_a_board(
    tmp_path: Path, port: str, board: SimulatedMicrocontroller
) -> None:
    board.unplug()
    board.pad().spi.stuck_at = 0xFF
    board.plug_in()
    pad = examined(tmp_path, port)["reader pad"]
    assert (pad["status"], pad["sentence"]) == ("failed", "The RC522 reader does not answer.")
    assert pad["fix"].startswith("All bits read 1: check the SDA (chip select) and MISO wires")


def test_the_doctor_says_that_there_is_no_board(tmp_path: Path) -> None:
    gone = examined(tmp_path, str(tmp_path / "nothing"))["reader's board"]
    assert gone["status"] == "failed"
    assert gone["sentence"] == f"{tmp_path}/nothing is not there."
    assert gone["fix"] == "Plug the board in, or name its port."


WHOLE_REPORT: dict[str, Any] = {
    "counters": {"uptime_s": 5, "memory_free": 90_000, "counters": {"damaged": 0}, "last_fault": "", "note": ""},
    "readers": [{"name": "pad", "version": 0x92, "fault": ""}],
    "settings": dict(DEFAULTS),
}
NONSENSE: tuple[Any, ...] = (
    None,
    True,
    -1,
    1e9,
    "x",
    "\x1b[2J\n",
    [],
    [[]],
    [None],
    {},
    {"name": 1},
    [{"name": "pad", "version": "x"}],
)
HOSTILE = "\x1b]0;title\x07\x9b2J\u202e\nlastcard: forged"


def places_in(report: object, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where in a report there is a value, from the whole down to the last part."""
    yield above
    parts: list[tuple[str | int, Any]] = []
    if isinstance(report, dict):
        parts = list(report.items())
    elif isinstance(report, list):
        parts = list(enumerate(report))
    for name, part in parts:
        yield from places_in(part, (*above, name))


def replaced(report: Any, place: tuple[str | int, ...], value: object) -> Any:
    if not place:
        return value
    changed_report = copy.deepcopy(report)
    holder = changed_report
    for name in place[:-1]:
        holder = holder[name]
    if value is ...:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    return changed_report


def tell(monkeypatch: pytest.MonkeyPatch, texts: dict[str, str]) -> None:
    """Let a board be there that answers each question with one of *texts*, by topic."""
    welcome = Welcome(2, 99, "0.9.0", "Pico", 7, 4, ("pad",))
    monkeypatch.setattr(installing, "choose_board", lambda address: address or "/dev/ttyACM0")
    monkeypatch.setattr(adjusting, "choose_board", lambda address: address or "/dev/ttyACM0")
    monkeypatch.setattr(installing.Conversation, "connect", lambda self, within_ms: welcome)
    monkeypatch.setattr(
        installing.Conversation, "ask", lambda self, asked: Done(Result.DONE, texts[asked.topic.name.lower()])
    )


def told_by(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What the command says; a sentence and status 2, or no trouble at all."""
    try:
        main(command)
    except SystemExit as ended:
        assert ended.code in (None, 0, 1, 2)
    said = capsys.readouterr()
    assert all(character == "\n" or character.isprintable() for character in said.out + said.err)
    assert not any(line.startswith("lastcard: forged") for line in (said.out + said.err).splitlines())
    return said.out + said.err


@pytest.mark.parametrize("part", list(WHOLE_REPORT))
def test_a_report_of_another_shape_ends_no_command(
    part: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for place in places_in(WHOLE_REPORT[part]):
        for value in (*NONSENSE, HOSTILE, *((...,) if place else ())):
            wrong = {**WHOLE_REPORT, part: replaced(WHOLE_REPORT[part], place, value)}
            tell(monkeypatch, {topic: json.dumps(report) for topic, report in wrong.items()})
            assert "firmware 0.9.0" in told_by(["firmware", "status"], capsys), (place, value)
            json.loads(told_by(["firmware", "status", "--json"], capsys))
            assert told_by(["firmware", "settings"], capsys)
            checks = board_checks("/dev/ttyACM0", ["pad", "pile"])
            assert checks[0].name == "reader's board", (place, value)


@pytest.mark.parametrize("text", ["", "[", "[" * 100_000, "NaN", "[1e400]", '{"note": "', HOSTILE, "9" * 5_000])
def test_a_report_that_is_no_json_is_one_sentence(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tell(monkeypatch, dict.fromkeys(WHOLE_REPORT, text))
    for command in (["firmware", "status"], ["firmware", "status", "--json"], ["firmware", "settings"]):
        said = told_by(command, capsys)
        assert len(said.splitlines()) == 1 and ("can't be" in said or "firmware install" in said), said


def test_settings_that_cant_be_understood_are_not_changed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {**DEFAULTS, "readers": [{"name": "pad"}]}
    tell(monkeypatch, {"settings": json.dumps(wrong), "counters": "{}"})
    said = told_by(["firmware", "set", "lamps", "10"], capsys)
    assert said == "lastcard: The board's settings can't be understood (readers). Run: lastcard firmware install\n"
