"""Tests that need a program outside Python ask for it here; a missing one is named with the package that
brings it.

With ``LASTCARD_REQUIRE_PROGRAMS=1``, as in continuous integration, a missing program is a failure.
"""

from __future__ import annotations

import os
import shutil

import pytest

REQUIRE_VARIABLE = "LASTCARD_REQUIRE_PROGRAMS"


def requires_program(name: str, package: str) -> str:
    """The path of the program *name*; without it the test is skipped, and the Debian *package* named."""
    path = shutil.which(name)
    if path:
        return path
    message = f"{name} is not installed; Debian's package {package} brings it"
    if os.environ.get(REQUIRE_VARIABLE) == "1":
        pytest.fail(message)
    pytest.skip(message)
