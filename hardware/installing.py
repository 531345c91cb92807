"""How a library that is missing comes to where this program runs: by pip, by Debian's packages, or compiled.

Words only; nothing is installed here. What is advised is looked up first: whether a wheel fits this Python, whether the
archive has the package, whether it is there already and only not seen, whether there is a compiler.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

# Reading the lists of packages takes a second on a Pi Zero.
_APT_S: Final = 20
_SYSTEM_LIBRARIES: Final = "usr/lib/python3/dist-packages"


@dataclass(frozen=True, slots=True)
class Library:
    """Where a library comes from.

    *wheels_to* is the last Python 3.x with a wheel on PyPI for a Pi's Linux: None if every one has, 0 if none has.
    *to_build* are Debian's packages that compiling it needs.
    """

    pip: str
    debian: str = ""
    wheels_to: int | None = None
    to_build: tuple[str, ...] = ()


LIBRARIES: Final = {
    "spidev": Library("spidev", "python3-spidev", 0, ("gcc", "python3-dev")),
    # What is older on PyPI is an empty module; the wheels end with Python 3.12 (joan2937/lg issue 43).
    "lgpio": Library("'lgpio>=0.2.2.0'", "python3-lgpio", 12, ("gcc", "python3-dev", "swig", "liblgpio-dev")),
    "RPi.GPIO": Library("rpi-lgpio", "python3-rpi-lgpio", 12, ("gcc", "python3-dev", "swig", "liblgpio-dev")),
    "mfrc522": Library("--no-deps mfrc522==0.0.7"),
    # PyPI's pygame has no way to a screen without a desktop; pygame-ce, of the same name inside, has.
    "pygame": Library("pygame-ce", "python3-pygame"),
}


@dataclass(frozen=True, slots=True)
class Environment:
    """Where this program runs: its Python, and the system around it, whose files are below *root*.

    *sees_system*: what Debian's packages bring is seen. *is_debians*: it is the Python that they are made for.
    """

    executable: str
    prefix: str
    is_virtual: bool
    sees_system: bool
    is_debians: bool
    minor: int
    machine: str
    root: Path = Path("/")

    @classmethod
    def current(cls) -> Environment:
        is_virtual = sys.prefix != sys.base_prefix
        options = _text(Path(sys.prefix) / "pyvenv.cfg").lower().replace(" ", "")
        return cls(
            executable=sys.executable,
            prefix=sys.prefix,
            is_virtual=is_virtual,
            sees_system=not is_virtual or "include-system-site-packages=true" in options,
            is_debians=sys.base_prefix == "/usr",
            minor=sys.version_info[1],
            machine=platform.machine(),
        )

    def lies_outside(self, module: str) -> bool:
        """Whether Debian's package has brought *module*, to where this Python does not look."""
        if self.sees_system:
            return False
        place = self.root / _SYSTEM_LIBRARIES / module.split(".")[0]
        return place.is_dir() or any(place.parent.glob(f"{place.name}.*"))

    def has_wheel(self, library: Library) -> bool:
        """Whether pip finds *library* compiled already; piwheels has all of them for 32-bit Raspberry Pi OS."""
        if library.wheels_to is None or self.minor <= library.wheels_to:
            return True
        return self.machine.startswith("armv") and "piwheels" in _text(self.root / "etc/pip.conf")

    def lacks_to_build(self, library: Library) -> list[str]:
        """The packages that compiling *library* still needs."""
        return [package for package in library.to_build if not self._has_package(package)]

    def _has_package(self, package: str) -> bool:
        if package == "gcc" and shutil.which("cc"):
            return True
        if package == "python3-dev" and os.access(Path(sysconfig.get_paths()["include"]) / "Python.h", os.R_OK):
            return True
        info = self.root / "var/lib/dpkg/info"
        return (info / f"{package}.list").exists() or any(info.glob(f"{package}:*.list"))

    def archive_has(self, package: str) -> bool:
        """Whether apt can install *package*; where its lists are not there yet, it is not known, and true."""
        lists = self.root / "var/lib/apt/lists"
        if shutil.which("apt-cache") is None:
            return False
        return not any(lists.glob("*_Packages*")) or _has_candidate(package)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@cache
def _has_candidate(package: str) -> bool:
    try:
        asked = subprocess.run(
            ["apt-cache", "policy", package],
            capture_output=True,
            text=True,
            errors="replace",
            env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
            timeout=_APT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return any(line.strip().startswith("Candidate: ") and "(none)" not in line for line in asked.stdout.splitlines())


def how_to_install(module: str, environment: Environment | None = None) -> str:
    """The one thing to do for a library that is not there, as a sentence."""
    here = environment or Environment.current()
    library = LIBRARIES[module]
    pip = f"{here.executable} -m pip install {library.pip}"
    see_it = f"set include-system-site-packages = true in {here.prefix}/pyvenv.cfg"
    if here.is_debians and here.lies_outside(module):
        return f"Debian's {library.debian} is installed, and this environment does not look there: {see_it}."
    if here.is_debians and here.sees_system and library.debian and here.archive_has(library.debian):
        return f"Run: sudo apt install {library.debian}"
    if here.is_debians and not here.is_virtual:  # into Debian's own Python pip installs nothing (PEP 668)
        return (
            f"This system's archive does not have it ({library.debian or library.pip.split()[-1]}). Run Last Card in "
            "an environment of its own: docs/building-the-reader.md."
        )
    if here.has_wheel(library):
        return f"Run: {pip}"
    lacking = here.lacks_to_build(library)
    if not lacking:
        return f"Run: {pip}"
    if all(here.archive_has(package) for package in lacking):
        return (
            f"It has to be compiled for Python 3.{here.minor}. Run: sudo apt install {' '.join(lacking)}, then: {pip}"
        )
    if here.is_debians and library.debian and here.archive_has(library.debian):
        return f"Run: sudo apt install {library.debian}, and {see_it}."
    return (
        f"It has to be compiled for Python 3.{here.minor}, which needs {', '.join(lacking)}; this system's archive "
        "does not have all of them. Raspberry Pi OS does."
    )


def import_trouble(
    module: str, error: Exception, *, is_pi: bool, environment: Environment | None = None
) -> tuple[str, str]:
    """Why *module* could not be imported, and what to do: it is missing, or it is there and does not run here.

    A library that *module* itself lacks is named in its place.
    """
    if isinstance(error, ModuleNotFoundError):
        lacking = (error.name or module).split(".")[0]
        wanted = next((library for library in LIBRARIES if library.split(".")[0] == lacking), None)
        if wanted is not None:
            return f"The Python library {wanted} is missing.", how_to_install(wanted, environment)
    here = environment or Environment.current()
    said = f"{module} is installed, and does not run on this machine ({' '.join(str(error).split())})."
    if not is_pi:
        return said, "It is for a Raspberry Pi alone: choose another reader, such as serial, simulated or none."
    away = f"{here.executable} -m pip uninstall {module}"
    if module not in ("RPi.GPIO", "mfrc522"):
        return said, f"Take it away and install it anew: {away}. {how_to_install(module, here)}"
    # RPi.GPIO does not know a Pi 5, and hears no buttons on kernels since 6.6; rpi-lgpio takes its name and place.
    away = f"{here.executable} -m pip uninstall RPi.GPIO" if here.is_virtual else "sudo apt remove python3-rpi.gpio"
    return (
        said,
        f"Choose the reader spi, which needs none of it; or replace it: {away}. {how_to_install('RPi.GPIO', here)}",
    )
