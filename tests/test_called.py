"""A command that a person is told to type can be pasted where they are."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from table_app.called import as_called


def test_what_is_told_runs_where_no_program_is_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    done = subprocess.run(as_called("--help"), shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "a referee for a real card table" in done.stdout


def test_a_program_in_an_environment_here_is_told_by_its_short_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/lastcard").touch()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv/bin/python"))
    monkeypatch.chdir(tmp_path)
    assert as_called("judge a.table") == ".venv/bin/lastcard judge a.table"


def test_a_program_on_the_path_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert as_called("play") == "lastcard play"
