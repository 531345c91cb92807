"""No pin has two owners: every pair of things that settings give a pin to, told in one sentence with file and line."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from table_app.cli.settings import settings as settings_command
from table_app.pin import Pin
from table_app.settings import SettingsError, read_settings
from table_app.settings_pins import first_clash, pin_uses

# Everything that can be given a pin, each with one of its own.
OWN = {
    ("reader", "reset-pin"): 25,
    ("pile-reader", "reset-pin"): 24,
    ("pins", "buzzer"): 18,
    ("buttons", "seat:0"): 5,
    ("buttons", "draw"): 26,
    ("lamps", "0"): 17,
    ("lamps", "1"): 27,
}
# What the reader's bus takes, and the key that it belongs to.
BUS = {
    ("reader", "bus", "MISO of SPI 0"): 9,
    ("reader", "bus", "MOSI of SPI 0"): 10,
    ("reader", "bus", "SCLK of SPI 0"): 11,
    ("reader", "device", "CE0 of SPI 0"): 8,
    ("pile-reader", "device", "CE1 of SPI 0"): 7,
}
PAIRS = [*itertools.combinations(OWN, 2), *itertools.product(OWN, BUS)]


def text_of(pins: dict[tuple[str, str], int], *more: str) -> str:
    sections = {"reader": ["bus = 0", "device = 0"], "pile-reader": ["use = true", "bus = 0", "device = 1"]}
    for (section, key), pin in pins.items():
        sections.setdefault(section, []).append(f'"{key}" = {pin}')
    lines = [*more]
    for section, keys in sections.items():
        lines += [f"[{section}]", *keys]
    return "\n".join(lines) + "\n"


def told(tmp_path: Path, text: str) -> str:
    path = tmp_path / "lastcard.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        read_settings(path)
    return str(caught.value).removeprefix(str(path))


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=lambda use: "-".join(use[:2]))
def test_two_owners_of_one_pin_are_named_with_file_and_line(
    one: tuple[str, str], other: tuple[str, ...], tmp_path: Path
) -> None:
    pin = OWN[(other[0], other[1])] if len(other) == 2 else BUS[(other[0], other[1], other[2])]
    text = text_of({**OWN, one: pin})
    said = told(tmp_path, text)
    lines = text.splitlines()
    number = re.match(r", line (\d+): ", said)
    assert number is not None, said
    line = lines[int(number[1]) - 1]
    assert line in {f'"{one[1]}" = {pin}', f'"{other[1]}" = {pin}', f"{other[1]} = 0", f"{other[1]} = 1"}, said
    headings = [text for text in lines[: int(number[1])] if text.startswith("[")]
    assert said.partition(": ")[2].startswith(headings[-1]), "the section that the line is in"
    assert f"has pin {pin}" in said
    for section, key in (one, other[:2]):
        assert f"[{section}] {key}" in said
    assert said.endswith("; give each its own.")
    assert "as it comes" not in said, "both stand in the file"


def test_each_with_a_pin_of_its_own_is_right(tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text(text_of(OWN), encoding="utf-8")
    uses = pin_uses(read_settings(path).values)
    assert {use.pin for use in uses} == {*OWN.values(), *BUS.values()}
    assert len(uses) == len(OWN) + len(BUS)


def test_what_comes_by_itself_has_no_clash_and_is_named_as_such(tmp_path: Path) -> None:
    assert first_clash(read_settings(None).values) is None
    said = told(tmp_path, "[table]\ncards-each = 7\n\n[pins]\nbuzzer = 26\n")
    expected = ", line 5: [pins] buzzer has pin 26, and so has [buttons] draw as it comes; give each its own."
    assert said == expected


@pytest.mark.parametrize(
    "text",
    [
        "[pins]\nuse = 'off'\nbuzzer = 5\n",
        "[pins]\nbuzzer = 5\nbuzzer-loudness = 'off'\n",
        "[reader]\nkind = 'serial'\n[pins]\nbuzzer = 5\n",
        "[reader]\nkind = 'none'\nreset-pin = 5\n[pins]\nbuzzer = 11\n",
        "[pile-reader]\nreset-pin = 5\n",
        "[reader]\nkind = 'spi'\nbus = 2\n",
    ],
)
def test_what_is_not_used_clashes_with_nothing(text: str, tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text(text, encoding="utf-8")
    read_settings(path)


def test_the_second_bus_and_the_packages_own_reset_line_are_known(tmp_path: Path) -> None:
    assert "SPI 1" in told(tmp_path, "[reader]\nbus = 1\n")
    said = told(tmp_path, "[reader]\nkind = 'mfrc522'\n[pins]\nbuzzer = 25\n")
    assert "[reader] reset-pin (as the package has it) as it comes" in said
    assert "[pile-reader] device" in told(tmp_path, "[pile-reader]\nuse = true\ndevice = 0\n")


@pytest.mark.parametrize("pin", ["12a4", "123456789", "-123", "１２３４", "12 34", "\\u0661"])
def test_a_pin_that_the_pad_can_not_type_is_refused_and_not_printed(pin: str, tmp_path: Path) -> None:
    said = told(tmp_path, f'[kiosk]\ndim-after = 5\npin = "{pin}"\n')
    assert said == ", line 3: [kiosk] pin must be as lastcard settings --pin writes it."


@pytest.mark.parametrize("pin", ["", "0", "0000", "12345678"])
def test_a_pin_of_digits_is_taken(pin: str, tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text(f'[kiosk]\npin = "{pin}"\n', encoding="utf-8")
    assert read_settings(path).text("kiosk", "pin") == pin


def set_pin(path: Path, typed: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What ``lastcard settings --pin`` says; the settings lie at *path*."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(path.parents[1]))
    result = CliRunner().invoke(settings_command, ["--pin"], input=typed, catch_exceptions=False)
    return result.output


def test_the_pin_is_set_and_all_else_in_the_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lastcard" / "lastcard.toml"
    assert "The PIN is set" in set_pin(path, "4711\n", monkeypatch)
    assert read_settings(path).given == {"kiosk.pin"}
    text = '# ours\n[table]\nplayers = ["Eva", "Tom"]\n[kiosk]\n# five\npin = "1234"  # old\ndim-after = 2\n'
    path.write_text(text, encoding="utf-8")
    path.chmod(0o640)
    assert "The PIN is set" in set_pin(path, "471147\n", monkeypatch)
    found = read_settings(path)
    assert Pin(found.text("kiosk", "pin")).fits("471147")
    assert found.values["table"]["players"] == ["Eva", "Tom"] and found.number("kiosk", "dim-after") == 2
    assert "# ours" in path.read_text() and "4711" not in path.read_text() and "1234" not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o640
    assert "No PIN is asked for" in set_pin(path, "\n", monkeypatch)
    assert read_settings(path).text("kiosk", "pin") == ""


@pytest.mark.parametrize("typed", ["1", "123", "123456789", "abcd", "12 34", "\x1b[2J"])
def test_what_is_no_pin_changes_nothing(typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lastcard" / "lastcard.toml"
    with pytest.raises(SettingsError, match="4 to 8 digits"):
        set_pin(path, typed, monkeypatch)
    assert not path.exists()


@pytest.mark.parametrize("text", ['kiosk = {pin = "1234"}\n', 'kiosk.pin = "1234"\n'])
def test_a_file_that_no_pin_can_be_written_into_stays_and_what_to_do_is_said(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is good TOML; a line below another [kiosk] would not be, and named a line that the file has not."""
    path = tmp_path / "lastcard" / "lastcard.toml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match="write \\[kiosk\\] in it on a line of its own"):
        set_pin(path, "4711\n", monkeypatch)
    assert path.read_text(encoding="utf-8") == text
