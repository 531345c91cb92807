"""The board's settings: whatever is sent, they are taken whole or refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from firmware_bridge.firmware import settings
from firmware_bridge.frames import PAYLOAD_MAX

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 40) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(("name", "cs", "reset", "gain_db", "pin", "passive", "bus", "sck", "seat:0", "")), inner
        )
    ),
    max_leaves=8,
)
CHANGES = st.dictionaries(st.sampled_from((*settings.DEFAULTS, "lamp", "")), ANYTHING, max_size=3)


@hypothesis_settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(CHANGES)
def test_any_change_is_whole_or_refused(changes: dict[str, Any]) -> None:
    try:
        whole = settings.check(settings.merged(settings.DEFAULTS, changes))
    except settings.SettingsError as error:
        assert str(error)
        return
    assert set(whole) == set(settings.DEFAULTS)
    pins = [*whole["buttons"].values(), *whole["lamps"], *(reader["cs"] for reader in whole["readers"])]
    assert len(pins) == len(set(pins)) and all(pin in settings.PINS for pin in pins)


def test_the_most_that_can_be_wired_fits_into_one_report() -> None:
    most = {
        "readers": [{"name": f"reader-number-{n}!", "cs": 17 + 3 * n, "reset": 21 + n, "gain_db": 38} for n in (0, 1)],
        "buttons": {f"colour:yellow-{n:02}": n for n in range(10)},
        "lamps": [10, 11, 12, 13, 14, 26, 27, 28],
    }
    whole = settings.check(settings.merged(settings.DEFAULTS, most))
    assert len(json.dumps(whole)) <= settings.REPORT_BYTES_MAX <= PAYLOAD_MAX - 5
    with pytest.raises(settings.SettingsError, match="too long"):
        settings.check(settings.merged(whole, {"buttons": {"\u017e" * 7 + f"{n:02}": n for n in range(10)}}))


@pytest.mark.parametrize("watchdog_ms", [0, 1_000, 8_388])
def test_a_watchdog_may_be_off_or_patient(watchdog_ms: int) -> None:
    assert (
        settings.check(settings.merged(settings.DEFAULTS, {"watchdog_ms": watchdog_ms}))["watchdog_ms"] == watchdog_ms
    )


@pytest.mark.parametrize("watchdog_ms", [1, 150, 999, 8_389, -1, False, True, 0.5, "0"])
def test_a_watchdog_that_would_bite_a_sound_program_is_refused(watchdog_ms: object) -> None:
    with pytest.raises(
        settings.SettingsError, match="watchdog_ms must be 0, or it must be a whole number from 1000 to"
    ):
        settings.check(settings.merged(settings.DEFAULTS, {"watchdog_ms": watchdog_ms}))


def test_a_change_is_stored_whole_beside_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert settings.load() == (settings.DEFAULTS, "")
    settings.change(settings.DEFAULTS, json.dumps({"watchdog_ms": 4_000}))
    in_force, why = settings.load()
    assert (in_force["watchdog_ms"], in_force["spi"], why) == (4_000, settings.DEFAULTS["spi"], "")
    with pytest.raises(settings.SettingsError, match="two readers are named pad"):
        settings.change(in_force, json.dumps({"readers": [settings.DEFAULTS["readers"][0]] * 2}))
    assert settings.load() == (in_force, "")
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]
