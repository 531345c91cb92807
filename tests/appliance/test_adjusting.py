"""What is turned in the corner is kept as a settings file of its own, whole, and goes before the owner's."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from table_app.rules.messages import untranslated
from table_app.settings import read_settings
from table_app.setup.adjusting import KNOBS, LANGUAGE_NAMES, Adjusting, text_of
from table_app.setup.box_settings import CORNER_FILE, keep_text, open_adjusting
from table_app.translations import languages


def opened(directory: Path, said: list[str] | None = None) -> Adjusting:
    owners = directory / "lastcard.toml"
    base = read_settings(owners if owners.exists() else None)
    return open_adjusting(base, directory, (said if said is not None else []).append)[1]


@pytest.mark.parametrize("name", KNOBS)
def test_each_knob_goes_round_through_settings_that_hold(name: str, tmp_path: Path) -> None:
    knob, adjusting = KNOBS[name], opened(tmp_path)
    first, seen = adjusting.value(name), []
    for _ in knob.values:
        adjusting.turn(name, untranslated)
        seen.append(adjusting.value(name))
        settings, again = open_adjusting(read_settings(None), tmp_path, lambda said: pytest.fail(said))
        assert settings.values[knob.section][knob.key] == seen[-1], "the file is read as any settings file"
        assert again.value(name) == seen[-1]
    assert sorted(map(str, seen)) == sorted(map(str, knob.values))
    assert seen[-1] == first


@pytest.mark.parametrize("name", KNOBS)
def test_each_value_has_a_label_of_its_own(name: str, tmp_path: Path) -> None:
    adjusting = opened(tmp_path)
    labels = set()
    for _ in KNOBS[name].values:
        adjusting.turn(name, untranslated)
        labels.add(adjusting.label(name, untranslated))
    assert len(labels) == len(KNOBS[name].values)


def test_every_language_calls_itself_by_its_name() -> None:
    assert set(languages()) == set(LANGUAGE_NAMES)


def test_the_owners_file_stays_as_it_is_and_can_be_gone_back_to(tmp_path: Path) -> None:
    owners = tmp_path / "lastcard.toml"
    owners.write_text("# mine\n[kiosk]\ndim-after = 7\n", encoding="utf-8")
    adjusting = opened(tmp_path)
    assert adjusting.label("dim", untranslated) == "Screen dims: after 7 min"
    adjusting.turn("dim", untranslated)
    assert adjusting.value("dim") == 10, "from a value of the owner's to the next higher one"
    assert owners.read_text(encoding="utf-8") == "# mine\n[kiosk]\ndim-after = 7\n"
    assert opened(tmp_path).value("dim") == 10
    adjusting.forget(untranslated)
    assert not (tmp_path / CORNER_FILE).exists()
    assert opened(tmp_path).value("dim") == 7


def test_a_restart_is_due_for_what_it_takes_one_for_alone(tmp_path: Path) -> None:
    adjusting = opened(tmp_path)
    adjusting.turn("dim", untranslated)
    assert not adjusting.is_restart_due
    adjusting.turn("buzzer", untranslated)
    assert adjusting.is_restart_due
    for _ in range(len(KNOBS["buzzer"].values) - 1):
        adjusting.turn("buzzer", untranslated)
    assert not adjusting.is_restart_due, "turned back to what holds now"


def test_what_can_not_be_kept_is_said_and_not_changed() -> None:
    def full(text: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    adjusting = Adjusting(read_settings(None), {}, full)
    adjusting.turn("dim", untranslated)
    assert adjusting.problem == "This can't be kept (No space left on device); nothing was changed."
    assert adjusting.value("dim") == 5


def test_a_corner_file_that_can_not_be_used_is_said_and_left_aside(tmp_path: Path) -> None:
    (tmp_path / CORNER_FILE).write_text("[kiosk]\ndim-after = 'later'\n", encoding="utf-8")
    said: list[str] = []
    adjusting = opened(tmp_path, said)
    assert len(said) == 1
    assert "dim-after must be a whole number" in said[0]
    adjusting.turn("dim", untranslated)
    assert opened(tmp_path).value("dim") == 10


def test_only_what_the_corner_can_change_holds_of_its_file(tmp_path: Path) -> None:
    text = '[kiosk]\ndim-after = 2\npin = "1234"\n[table]\nplayers = ["Eva", "Tom"]\n'
    (tmp_path / CORNER_FILE).write_text(text, encoding="utf-8")
    said: list[str] = []
    settings, adjusting = open_adjusting(read_settings(None), tmp_path, said.append)
    assert adjusting.value("dim") == settings.number("kiosk", "dim-after") == 2
    assert settings.given == {"kiosk.dim-after"}
    assert settings.text("kiosk", "pin") == read_settings(None).text("kiosk", "pin")
    assert [name for name in ("kiosk.pin", "table.players") if any(name in line for line in said)] == [
        "kiosk.pin",
        "table.players",
    ]


@pytest.mark.parametrize("fails_at", ["fsync", "replace"])
def test_a_cut_while_it_is_written_leaves_the_file_before(
    fails_at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / CORNER_FILE
    keep_text(path, text_of({"dim": 10}))

    def cut(*_arguments: object) -> None:
        raise OSError(errno.EIO, "cut")

    monkeypatch.setattr(os if fails_at == "fsync" else Path, fails_at, cut)
    with pytest.raises(OSError, match="cut"):
        keep_text(path, text_of({"dim": 60}))
    monkeypatch.undo()
    assert opened(tmp_path).value("dim") == 10
