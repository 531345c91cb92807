"""The Debian package, built once for all tests that install it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BUILDER = Path(__file__).parents[2] / "systemd/package/build.py"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = subprocess.run(
        [sys.executable, str(BUILDER), "--into", str(tmp_path_factory.mktemp("package"))],
        check=True,
        capture_output=True,
        text=True,
    )
    return Path(built.stdout.strip())
