"""The list of readers: each word opens and examines its own kind, and everything that offers readers offers all."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge import FIRMWARE_VERSION
from firmware_bridge.errors import BoardNotFoundError
from firmware_bridge.install import BoardStatus
from firmware_bridge.messages import Welcome
from hardware import DeviceNotFoundError, ReaderSettings, open_reader
from hardware.diagnosis import board as board_module
from hardware.diagnosis.checks import Check, Status
from hardware.diagnosis.reader import CardTest, Machine
from hardware.readers import (
    READER_KINDS,
    READER_WORDS,
    Attached,
    diagnose,
    is_on_a_board,
    is_simulated,
    split_word,
)
from hardware.simulated import VirtualClock
from hardware.simulated.pad import SimulatedPad


def by_name(checks: list[Check]) -> dict[str, Check]:
    assert len({check.name for check in checks}) == len(checks)
    return {check.name: check for check in checks}


def test_every_word_leads_to_its_own_kind() -> None:
    assert len(set(READER_WORDS)) == len(READER_KINDS) + 1
    for kind in READER_KINDS:
        assert split_word(kind.word) == (kind, None)
    assert split_word("none") == (None, None)


def test_an_address_stands_behind_the_words_that_take_one() -> None:
    kind, address = split_word("serial:socket://table.local:4000")
    assert kind is not None and kind.attached is Attached.BOARD
    assert address == "socket://table.local:4000"
    assert split_word("serial:") == (kind, None), "an empty address is none"


@pytest.mark.parametrize("said", ["", "serials", "auto:0", "none:1", "simulated:pad", "SPI"])
def test_another_word_is_refused_with_those_that_there_are(said: str) -> None:
    with pytest.raises(ValueError, match="is none of auto, spi, mfrc522, simulated, serial, none; serial may name"):
        split_word(said)


def test_what_else_is_there_is_known_by_the_word() -> None:
    assert [word for word in READER_WORDS if is_simulated(word)] == ["simulated"]
    assert [word for word in (*READER_WORDS, "serial:/dev/ttyACM0") if is_on_a_board(word)] == [
        "serial",
        "serial:/dev/ttyACM0",
    ]


def test_where_there_shall_be_no_reader_none_is_opened() -> None:
    with pytest.raises(ValueError, match="none is no reader"):
        open_reader("none")


def test_a_simulated_reader_has_the_name_and_the_wiring_that_were_asked_for() -> None:
    reader = open_reader("simulated", ReaderSettings(speed_hz=500_000, gain_db=23), name="pile")
    assert isinstance(reader, SimulatedPad)
    assert reader.name == "pile"


def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(DeviceNotFoundError, match="/dev/ttyACM77"):
        open_reader("serial:/dev/ttyACM77", clock=VirtualClock())


# -- what doctor asks ------------------------------------------------------------------------------------------------


def test_without_a_reader_the_machine_alone_is_examined(tmp_path: Path) -> None:
    checks = by_name(diagnose(kind="none", machine=Machine(tmp_path)))
    assert list(checks) == ["board", "system", "reader"]
    assert checks["reader"].status is Status.NOT_CHECKED


def test_a_simulated_reader_is_tried_whole_and_the_machine_s_spi_left_alone(tmp_path: Path) -> None:
    asked: list[str] = []
    card = CardTest(1_000, lambda: asked.append("lay a card"))
    checks = by_name(diagnose(kind="simulated", machine=Machine(tmp_path), card=card))
    assert list(checks) == ["board", "system", "reader settings", "chip", "registers", "antenna", "card"]
    assert {checks[name].status for name in ("chip", "registers", "antenna", "card")} == {Status.PASSED}
    assert asked == ["lay a card"]


def told_by_a_board(
    monkeypatch: pytest.MonkeyPatch,
    *,
    firmware: str = FIRMWARE_VERSION,
    note: str = "",
    readers: tuple[dict[str, object], ...] = ({"name": "pad", "fault": "", "version": 0x92},),
    besides: ReaderSettings | None = None,
) -> tuple[dict[str, Check], list[object]]:
    """What doctor finds out about a board that tells this of itself, and with which address it was asked."""
    asked: list[object] = []

    def status(address: str | None, *_: object) -> BoardStatus:
        asked.append(address)
        welcome = Welcome(1, 1, firmware, "Raspberry Pi Pico", 7, 4, ("pad",))
        return BoardStatus("/dev/ttyACM0", welcome, {"note": note} if note else {}, [*readers], {}, {})

    monkeypatch.setattr(board_module, "status", status)
    return by_name(diagnose(kind="serial:/dev/ttyACM0", besides=besides)), asked


def test_a_healthy_board_passes_with_its_firmware_and_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    checks, asked = told_by_a_board(monkeypatch)
    assert asked == ["/dev/ttyACM0"]
    assert list(checks) == ["board", "system", "reader's board", "reader pad"]
    assert checks["reader's board"].status is checks["reader pad"].status is Status.PASSED
    said = f"Raspberry Pi Pico at /dev/ttyACM0 answers, with firmware {FIRMWARE_VERSION}."
    assert checks["reader's board"].sentence == said
    assert "version is 92h" in checks["reader pad"].sentence


def test_another_firmware_is_no_fault_and_can_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    checks, _ = told_by_a_board(monkeypatch, firmware="0.1.0")
    assert checks["reader's board"].status is Status.NOT_CHECKED
    assert "firmware install" in checks["reader's board"].fix


def test_what_is_wrong_on_a_board_is_named_with_its_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    readers: tuple[dict[str, object], ...] = (
        {"name": "pad", "fault": "The chip is silent. Look at its wires.", "version": None},
    )
    checks, _ = told_by_a_board(monkeypatch, note="GP99 is no pin.", readers=readers, besides=ReaderSettings(device=1))
    assert checks["board's settings"].sentence == "GP99 is no pin."
    assert (checks["reader pad"].sentence, checks["reader pad"].fix) == ("The chip is silent.", "Look at its wires.")
    assert "readers.pile.cs" in checks["reader pile"].fix, "the second reader, which this board lacks"
    assert {checks[name].status for name in ("board's settings", "reader pad", "reader pile")} == {Status.FAILED}


def test_a_reader_whose_version_is_not_told_answers_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    checks, _ = told_by_a_board(monkeypatch, readers=({"name": "pad", "fault": "", "version": None},))
    assert checks["reader pad"].status is Status.PASSED
    assert "not told" in checks["reader pad"].sentence


def test_the_doctor_names_its_own_option_for_a_board_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_board(*_: object) -> BoardStatus:
        raise BoardNotFoundError("No board was found on USB. Plug it in, or name its port with --port.")

    monkeypatch.setattr(board_module, "status", no_board)
    *_, found = diagnose(kind="serial")
    assert found.status is Status.FAILED
    assert "--reader serial:PORT" in found.fix and "--port" not in found.fix


# -- what is offered -------------------------------------------------------------------------------------------------


def test_the_sample_of_the_settings_names_every_word() -> None:
    sample = (Path(__file__).parents[2] / "table_app/lastcard.toml").read_text(encoding="utf-8")
    told = sample.split("# kind: ", 1)[1].split("or none.", 1)[0] + "or none."
    for word in READER_WORDS:
        assert word in told, word
