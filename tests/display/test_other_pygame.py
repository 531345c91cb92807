"""Screens and sounds on the other package that imports as pygame.

    python -m pytest -m long tests/display/test_other_pygame.py

pip fetches it into a directory of its own, which goes before the installed pygame-ce; Debian's pygame is tried in
``tests/systemd/test_distribution_pygame.py``. About a minute.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="PyPI has no wheel of pygame for this Python")
def test_display_and_sound_hold_on_pypis_pygame(tmp_path: Path) -> None:
    fetch = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*fetch, "--target", str(tmp_path), "pygame>=2.6"], check=True, timeout=900)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(REPOSITORY)])}
    version = "import pygame, importlib; print(hasattr(pygame, 'IS_CE'))"
    said = subprocess.run([sys.executable, "-c", version], env=environment, check=True, capture_output=True, text=True)
    assert said.stdout.splitlines()[-1] == "False"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "tests/display",
        "tests/sound",
        "tests/appliance",
    ]
    done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
    assert re.search(r"\d\d passed|\[100%\]", done.stdout)
