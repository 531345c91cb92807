"""Screens and sounds on the other package that imports as pygame.

    python -m pytest -m long tests/display/test_other_pygame.py

It is installed in an environment of its own, where there is no pygame-ce; Debian's pygame is tried in
``tests/systemd/test_distribution_pygame.py``. Two minutes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]


TESTS = ("tests/display", "tests/sound", "tests/appliance")
PROGRAMS = ("pytest", "pytest-timeout", "hypothesis")
# Which of the two it is, and that the other is not there as well.
ASK = """
import importlib.metadata, pygame
print(hasattr(pygame, "IS_CE"), sorted(d.name for d in importlib.metadata.distributions() if "pygame" in d.name))
"""


def requirements() -> list[str]:
    """Ours, with PyPI's pygame in the place of pygame-ce, and what these tests need."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ours = [line for line in project["dependencies"] if not line.startswith("pygame-ce")]
    assert len(ours) == len(project["dependencies"]) - 1
    tools = [line for line in project["optional-dependencies"]["dev"] if re.split(r"[<>=]", line)[0] in PROGRAMS]
    assert len(tools) == len(PROGRAMS)
    return ["pygame>=2.6", *ours, *tools]


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="PyPI has no wheel of pygame for this Python")
def test_display_and_sound_hold_on_pypis_pygame(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True, timeout=300)
    python = str(tmp_path / "venv/bin/python")
    fetch = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--only-binary", ":all:"]
    subprocess.run([*fetch, *requirements()], check=True, timeout=900)
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    said = subprocess.run([python, "-c", ASK], env=environment, check=True, capture_output=True, text=True)
    assert said.stdout.splitlines()[-1] == "False ['pygame']"
    # -v takes the settings' -q back, so that the number of tests is said.
    command = [python, "-m", "pytest", "-p", "no:cacheprovider", "-v", "-rs", *TESTS]
    done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
    assert re.search(r"\d\d passed", done.stdout)
    assert "pygame" not in "".join(line for line in done.stdout.splitlines() if line.startswith("SKIPPED"))
