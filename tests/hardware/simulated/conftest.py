"""A chip as it comes out of its reset, and one that is set up and has its field on."""

from __future__ import annotations

import pytest

from tests.hardware.simulated.bench import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def ready(bench: Bench) -> Bench:
    bench.set_up()
    return bench
