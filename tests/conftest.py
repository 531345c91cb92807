"""What holds for all tests: nothing of the caller's own is read, Hypothesis finds the same on every machine, and
whoever opens a database closes it. No fixture of a single package may live here.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import time
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.connections import Watched, close_what_was_dropped, left_open, watch

KEPT = ("PATH", "TMPDIR", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "SYSTEMROOT")
"""What the tests need of the caller's environment to find programs and room."""

KEPT_BEGINNINGS = ("PYTEST_", "COVERAGE_", "PIP_", "http_", "https_", "no_proxy", "LASTCARD_REQUIRE_", "LASTCARD_ROOTS")
"""How the tests themselves are told what to do, and where package registries are, for those that install."""

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "xterm",
    "COLUMNS": "80",
    "LINES": "24",
}


def _leave_the_caller_alone() -> None:
    """Give this process, and whatever it starts, an environment and a home of its own, before anything is imported."""
    home = tempfile.mkdtemp(prefix="lastcard-home-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith(KEPT_BEGINNINGS)}
    os.environ.clear()
    os.environ.update(kept | ENVIRONMENT | {"HOME": home})
    time.tzset()
    os.umask(0o022)


_leave_the_caller_alone()

settings.register_profile("everywhere", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("everywhere")

watch()


@pytest.fixture(autouse=True)
def whoever_opens_a_database_closes_it() -> Iterator[None]:
    """Fail a test that leaves a connection open: Python 3.13 warns of it whenever the garbage collector comes by."""
    before = set(Watched.opened)
    yield
    close_what_was_dropped()
    places = left_open(before)
    assert not places, "opened and never closed:\n" + "\n".join(places)
