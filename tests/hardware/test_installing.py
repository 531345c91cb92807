"""What is advised for a library that is missing, on each Python and system: only what would work there."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.installing import Environment, how_to_install, import_trouble
from tests.systemd.trees import put

CLONE = Environment(
    "/home/ann/last-card/.venv/bin/python", "/home/ann/last-card/.venv", True, False, True, 13, "aarch64"
)
BOX = replace(CLONE, executable="/usr/bin/python3", prefix="/usr", is_virtual=False, sees_system=True)
BUILDERS = ("gcc", "python3-dev", "swig", "liblgpio-dev")
RASPBERRY_PI_OS = frozenset({"python3-spidev", "python3-lgpio", "python3-rpi-lgpio", *BUILDERS})
DEBIAN_12 = frozenset({"python3-spidev", "gcc", "python3-dev", "swig"})


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What apt can install; no compiler is there, nor anything else."""
    there: set[str] = set(RASPBERRY_PI_OS)
    monkeypatch.setattr(Environment, "archive_has", lambda _self, package: package in there)
    monkeypatch.setattr(Environment, "_has_package", lambda self, package: (self.root / "has" / package).exists())
    return there


@pytest.fixture
def here(tmp_path: Path) -> Environment:
    return replace(CLONE, root=tmp_path)


def test_a_box_takes_debian_s_package(archive: set[str]) -> None:
    assert how_to_install("spidev", BOX) == "Run: sudo apt install python3-spidev"
    assert how_to_install("lgpio", BOX) == "Run: sudo apt install python3-lgpio"
    assert how_to_install("pygame", replace(BOX, root=BOX.root / "nowhere")).endswith("python3-pygame") is False
    archive.add("python3-pygame")
    assert how_to_install("pygame", BOX) == "Run: sudo apt install python3-pygame"


def test_a_box_whose_archive_has_none_is_not_told_to_install_it(archive: set[str]) -> None:
    archive.clear()
    archive.update(DEBIAN_12)
    for module in ("lgpio", "mfrc522"):
        advice = how_to_install(module, BOX)
        assert "apt install" not in advice and "pip install" not in advice, "Debian's own Python takes nothing from pip"


@pytest.mark.parametrize(("minor", "is_wheel"), [(11, True), (12, True), (13, False), (14, False)])
def test_pip_alone_is_advised_where_a_wheel_fits(
    minor: int, is_wheel: bool, archive: set[str], here: Environment
) -> None:
    advice = how_to_install("lgpio", replace(here, minor=minor))
    assert advice.endswith("-m pip install 'lgpio>=0.2.2.0'"), "older ones are empty"
    assert ("It has to be compiled" in advice) is not is_wheel
    assert ("apt install gcc python3-dev swig liblgpio-dev" in advice) is not is_wheel


def test_what_compiling_needs_and_is_there_is_not_named(archive: set[str], here: Environment) -> None:
    put(here.root, "has/gcc", "")
    assert "apt install python3-dev swig liblgpio-dev, then" in how_to_install("lgpio", here)
    for name in BUILDERS:
        put(here.root, f"has/{name}", "")
    assert how_to_install("lgpio", here) == f"Run: {here.executable} -m pip install 'lgpio>=0.2.2.0'"


def test_where_it_can_not_be_compiled_debian_s_is_made_visible(archive: set[str], here: Environment) -> None:
    archive.clear()
    archive.add("python3-lgpio")
    advice = how_to_install("lgpio", here)
    assert advice.startswith("Run: sudo apt install python3-lgpio, and set include-system-site-packages = true in ")


def test_where_nothing_would_do_nothing_is_advised(archive: set[str], here: Environment) -> None:
    archive.clear()
    advice = how_to_install("lgpio", here)
    assert "apt install" not in advice and "pip install" not in advice


def test_what_debian_has_brought_is_not_installed_again_but_made_visible(archive: set[str], here: Environment) -> None:
    put(here.root, "usr/lib/python3/dist-packages/lgpio.py", "")
    advice = how_to_install("lgpio", here)
    assert advice.startswith("Debian's python3-lgpio is installed, and this environment does not look there: ")
    assert "apt install" in how_to_install("lgpio", replace(here, is_debians=False)), "another Python can't use it"


def test_an_environment_that_sees_debian_s_packages_takes_them(archive: set[str], here: Environment) -> None:
    assert how_to_install("spidev", replace(here, sees_system=True)) == "Run: sudo apt install python3-spidev"


def test_32_bit_raspberry_pi_os_has_wheels_of_its_own(archive: set[str], here: Environment) -> None:
    put(here.root, "etc/pip.conf", "[global]\nextra-index-url=https://www.piwheels.org/simple\n")
    assert how_to_install("spidev", replace(here, machine="armv7l")) == f"Run: {here.executable} -m pip install spidev"
    assert "compiled" in how_to_install("spidev", replace(here, machine="aarch64"))


def missing(name: str) -> ModuleNotFoundError:
    return ModuleNotFoundError(f"No module named {name!r}", name=name)


NO_PI_5 = RuntimeError("Cannot determine SOC peripheral base address")
NO_PI = RuntimeError("This module can only be run on a Raspberry Pi!")


@pytest.mark.parametrize(
    ("module", "error", "is_pi", "said", "fix", "never"),
    [
        ("mfrc522", missing("mfrc522"), True, "mfrc522 is missing", "--no-deps mfrc522==0.0.7", "uninstall"),
        ("mfrc522", missing("RPi"), True, "RPi.GPIO is missing", "rpi-lgpio", "uninstall"),
        ("mfrc522", missing("spidev"), True, "spidev is missing", "spidev", "mfrc522"),
        ("RPi.GPIO", NO_PI_5, True, "is installed, and does not run on this machine", "uninstall RPi.GPIO", "mfrc522"),
        ("mfrc522", NO_PI_5, True, "is installed, and does not run on this machine", "rpi-lgpio", "install mfrc522"),
        ("mfrc522", NO_PI, False, "is installed, and does not run on this machine", "another reader", "pip install"),
        ("RPi.GPIO", NO_PI, False, "(This module can only be run on a Raspberry Pi!)", "another reader", "pip"),
        ("lgpio", OSError("libfoo.so: no"), True, "is installed", "uninstall lgpio", "is missing"),
    ],
)
def test_what_is_missing_is_told_from_what_can_not_run_here(
    module: str, error: Exception, is_pi: bool, said: str, fix: str, never: str, archive: set[str], here: Environment
) -> None:
    sentence, advice = import_trouble(module, error, is_pi=is_pi, environment=here)
    assert said in sentence and fix in advice
    assert never not in advice, advice


def test_this_very_environment_is_told_right() -> None:
    here = Environment.current()
    assert here.is_virtual is (sys.prefix != sys.base_prefix)
    assert here.minor == sys.version_info[1]
    assert how_to_install("mfrc522", here)
