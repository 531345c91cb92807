"""The wiring page says what the code uses and what the board's header has."""

from __future__ import annotations

import re
from pathlib import Path

from hardware.gpio.devices import DEFAULT_BUTTON_PINS, DEFAULT_BUZZER_PIN, DEFAULT_LAMP_PINS
from hardware.rc522.chip import DEFAULT_GAIN_DB, DEFAULT_SPEED_HZ
from hardware.rc522.package import DEFAULT_RESET_PIN
from hardware.simulated.gpio import SimulatedGpio

PAGE = (Path(__file__).parents[2] / "docs/building-the-reader.md").read_text()


def documented_pins() -> dict[str, tuple[int, int]]:
    """What is wired, as (BCM number, place on the header)."""
    rows = re.findall(r"^\| ([^|]+) \| GPIO (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    return {what: (int(bcm), int(place)) for what, bcm, place in rows}


def test_the_page_lists_the_default_pins() -> None:
    expected = {"buzzer": DEFAULT_BUZZER_PIN}
    for button, pin in DEFAULT_BUTTON_PINS.items():
        name, _, seat = button.partition(":")
        expected[f"button, seat {int(seat) + 1}" if seat else f"button, {name}"] = pin
    for seat_number, pin in DEFAULT_LAMP_PINS.items():
        expected[f"lamp, seat {seat_number + 1}"] = pin
    assert {what: bcm for what, (bcm, _) in documented_pins().items()} == expected


def test_every_pin_is_where_the_header_has_it() -> None:
    gpio = SimulatedGpio()
    reader = re.findall(r"^\| [^|]+ \| (\d+) \| GPIO (\d+) \|", PAGE, re.MULTILINE)
    assert len(reader) == 4
    places = [*documented_pins().values(), *((int(bcm), int(place)) for place, bcm in reader)]
    for bcm, place in [*places, (DEFAULT_RESET_PIN, 22)]:
        [(_, info)] = list(gpio.pin_factory.board_info.find_pin(f"GPIO{bcm}"))
        assert f"BOARD{place}" in info.names, (bcm, place, info.names)
    gpio.close()


def test_no_pin_is_used_twice_and_none_that_must_stay_free() -> None:
    used = [bcm for bcm, _ in documented_pins().values()]
    assert len(used) == len(set(used))
    assert not set(used) & {2, 3, 7, 8, 9, 10, 11, 14, 15, DEFAULT_RESET_PIN}


def test_the_page_names_the_reader_s_defaults() -> None:
    assert f"{DEFAULT_SPEED_HZ // 1_000_000} MHz and a gain of {DEFAULT_GAIN_DB} dB" in PAGE
