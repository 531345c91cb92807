"""The reader's benchmark keeps its limits; its figures are virtual time, the same on every machine."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

LIMITS = {
    "idle_poll_transfers": 8,
    "uid7_transfers": 40,
    "uid7_four_pages_transfers": 48,
    "placed_p99_ms": 70,
    "uid7_air_ratio_1mhz": 1.5,
    "four_pages_air_ratio_1mhz": 1.5,
}


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    path = Path(__file__).parents[1] / "benchmarks/reader.py"
    spec = importlib.util.spec_from_file_location("reader_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, Any] = module.results()
    return found


@pytest.mark.parametrize("key", LIMITS)
def test_reading_stays_within_its_limits(results: dict[str, Any], key: str) -> None:
    assert 0 < results[key] <= LIMITS[key]


def test_every_key_is_there(results: dict[str, Any]) -> None:
    assert set(results) == {*LIMITS, "mfrc522_idle_poll_transfers"}
    assert results["mfrc522_idle_poll_transfers"] in (None, 2_013)
