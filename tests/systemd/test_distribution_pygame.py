"""The screens and sounds on the distribution's own pygame and Python, as the package runs them.

    sudo python -m pytest -m long tests/systemd/test_distribution_pygame.py

Bookworm has pygame 2.1.2 on SDL 2.26 and Python 3.11, Trixie pygame 2.6.1 on SDL 2.32 and Python 3.13. About a minute.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.systemd.machines import machine, requires_machines

REPOSITORY = Path(__file__).parents[2]
pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]
SOURCES = ("firmware_bridge", "hardware", "table_app", "tests", "systemd", "pyproject.toml", "docs")
PROGRAMS = (
    "python3-pygame python3-click python3-pytest python3-pytest-timeout python3-hypothesis xvfb xdotool x11-utils xauth"
)


@pytest.mark.parametrize(("suite", "version"), [("bookworm", "2.1.2"), ("trixie", "2.6.1")])
def test_display_and_sound_hold_on_debians_pygame(suite: str, version: str, package: Path, tmp_path: Path) -> None:
    requires_machines()
    with machine(suite, tmp_path) as booted:
        for name in SOURCES:
            source, target = REPOSITORY / name, booted.root / "srv/source" / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        booted.put(package, f"srv/{package.name}")
        said = booted.run(
            f"""
export DEBIAN_FRONTEND=noninteractive
echo "== install"; apt-get update -qq; apt-get install -y -qq --no-install-recommends {PROGRAMS} >/dev/null
echo "exit $?"
apt-get install -y -qq --no-install-recommends /srv/{package.name} >/dev/null; echo "exit $?"
cd /srv/source; export PYTHONPATH=/srv/source:/usr/lib/lastcard
echo "== pygame"; python3 -c 'import pygame; print(pygame.version.ver)'
echo "== tests"; LASTCARD_REQUIRE_PROGRAMS=1 python3 -m pytest -p no:cacheprovider -o addopts="" \
    -m "not long" -W "ignore:Your system is avx2" --strict-markers --import-mode=importlib \\
    tests/display tests/sound tests/appliance; echo "exit $?"
"""
        )
    assert said["install"].endswith("exit 0\n"), said["install"]
    assert version in said["pygame"]
    assert said["tests"].endswith("exit 0\n"), said["tests"]
    assert re.search(r"\d\d passed", said["tests"])
