"""The tests read nothing of whoever runs them: a sample of them, run from a home that would spoil each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = ("tests/test_settings.py", "tests/cli/test_records.py", "tests/cli/test_doctor.py")


@pytest.mark.timeout(300)
def test_a_hostile_home_changes_nothing_and_is_left_as_it_is(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in (
        ".config/lastcard/lastcard.toml",
        ".local/state/lastcard/journal.sqlite",
        ".config/lastcard/tags.sqlite",
    ):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(b"[nonsense\xff")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_RUNTIME_DIR": "/nowhere",
        "STATE_DIRECTORY": str(home / ".local/state/lastcard"),
        "LASTCARD_DEMO_CHILD": "1",
        "LANG": "de_DE.UTF-8",
        "LANGUAGE": "de",
        "TZ": "Pacific/Kiritimati",
        "TERM": "nonsense",
        "NO_COLOR": "1",
        "COLUMNS": "20",
        "DISPLAY": ":4711",
        "SDL_VIDEODRIVER": "nonsense",
        "NOTIFY_SOCKET": "/nowhere/notify",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *SAMPLE]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-1_000:]
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before
