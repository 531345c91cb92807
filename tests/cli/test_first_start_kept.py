"""What was answered at the first start is on the disk whole or not at all, wherever the plug is pulled."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from table_app.settings import SettingsError, read_settings
from table_app.setup.dialogue import write_settings
from table_app.setup.steps import Asked, FirstStart


class PlugPulledError(BaseException):
    """Nothing of ours runs any more."""


def answered() -> FirstStart:
    asked = FirstStart()
    while asked.asked is not Asked.READY:
        asked = asked.choose(asked.choices()[0])
    return asked


@pytest.mark.parametrize("call", ["fsync", "replace", "open"])
@pytest.mark.parametrize("number", range(3))
def test_the_plug_pulled_at_any_moment_leaves_no_half_a_file(
    call: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state/set-up.toml"
    real: Callable[..., object] = getattr(os, call)
    calls = []

    def pulled(*arguments: object, **named: object) -> object:
        calls.append(arguments)
        if len(calls) > number:
            raise PlugPulledError
        return real(*arguments, **named)

    monkeypatch.setattr(os, call, pulled)
    with suppress(PlugPulledError):
        write_settings(answered(), path)
    monkeypatch.undo()
    if path.exists():
        assert read_settings(path).given, "whole"
    else:
        write_settings(answered(), path)
        assert tomllib.loads(path.read_text(encoding="utf-8"))["table"]["players"]
    assert len(list(path.parent.glob("*.toml"))) == 1


def test_an_empty_file_that_the_plug_left_behind_is_filled_and_no_other_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "set-up.toml"
    path.touch()
    write_settings(answered(), path)
    before = path.read_bytes()
    assert before
    with pytest.raises(SettingsError, match="File exists"):
        write_settings(answered(), path)
    assert path.read_bytes() == before


def test_a_directory_that_can_not_be_written_to_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="name another with --settings"):
        write_settings(answered(), tmp_path / "file/set-up.toml")
