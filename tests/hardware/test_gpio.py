"""Buttons, buzzer and lamps: the real gpiozero devices on simulated pins, in virtual time."""

from __future__ import annotations

from collections.abc import Iterator

import gpiozero
import pytest

from hardware.gpio import (
    ACTIVE_BUZZER_HZ,
    DEBOUNCE_MS,
    DEFAULT_BUTTON_PINS,
    DEFAULT_BUZZER_PIN,
    DEFAULT_LAMP_PINS,
    EDGES_MAX,
    LOUD_DUTY,
    QUIET_DUTY,
    Debouncer,
    GpioButtons,
    GpioBuzzer,
    GpioLamps,
)
from hardware.ports import DeviceBusyError, DeviceNotFoundError, HardwareError, Tone
from hardware.signals import ButtonPressed
from hardware.simulated.gpio import SimulatedGpio

LOW = Tone(300, on_ms=100, off_ms=50)
HIGH = Tone(1200, on_ms=100)


@pytest.fixture
def gpio() -> Iterator[SimulatedGpio]:
    simulated = SimulatedGpio()
    yield simulated
    simulated.close()


def test_chatter_of_a_contact_is_one_press() -> None:
    contact = Debouncer()
    edges = [(True, 0), (False, 1), (True, 2), (False, 4), (True, 5), (False, 200), (True, 203), (False, 204)]
    assert [at_ms for closed, at_ms in edges if contact.feed(closed, at_ms)] == [0]


def test_a_second_press_counts_after_the_contact_was_open_long_enough() -> None:
    contact = Debouncer()
    assert contact.feed(True, 0)
    contact.feed(False, 100)
    assert not contact.feed(True, 100 + DEBOUNCE_MS - 1)
    contact.feed(False, 300)
    assert contact.feed(True, 300 + DEBOUNCE_MS)


def test_a_held_button_is_one_press() -> None:
    contact = Debouncer()
    assert [contact.feed(True, at_ms) for at_ms in (0, 1000, 2000)] == [True, False, False]


def test_a_press_is_signalled_with_its_logical_name(gpio: SimulatedGpio) -> None:
    buttons = GpioButtons(pin_factory=gpio.pin_factory)
    gpio.press(DEFAULT_BUTTON_PINS["seat:2"])
    gpio.press(DEFAULT_BUTTON_PINS["draw"])
    assert buttons.poll(70) == [ButtonPressed(70, "seat:2"), ButtonPressed(70, "draw")]
    assert buttons.poll(80) == []
    buttons.close()


def test_chatter_on_a_pin_between_two_polls_is_one_press(gpio: SimulatedGpio) -> None:
    buttons = GpioButtons({"draw": 26}, pin_factory=gpio.pin_factory)
    for _ in range(5):
        gpio.press(26)
        gpio.release(26)
    assert buttons.poll(10) == [ButtonPressed(10, "draw")]
    gpio.press(26)
    assert buttons.poll(10 + DEBOUNCE_MS) == [ButtonPressed(10 + DEBOUNCE_MS, "draw")]
    buttons.close()


def test_a_storm_of_edges_stays_within_the_queue_and_keeps_how_the_contact_stands(
    gpio: SimulatedGpio,
) -> None:
    buttons = GpioButtons({"draw": 26}, pin_factory=gpio.pin_factory)
    for _ in range(2 * EDGES_MAX):
        gpio.press(26)
        gpio.release(26)
    assert len(buttons.poll(0)) <= 1
    gpio.press(26)
    assert buttons.poll(100) == [ButtonPressed(100, "draw")]
    buttons.close()


def test_closed_buttons_are_silent_and_may_be_closed_twice(gpio: SimulatedGpio) -> None:
    buttons = GpioButtons({"draw": 26}, pin_factory=gpio.pin_factory)
    buttons.close()
    buttons.close()
    gpio.press(26)
    assert buttons.poll(0) == []


def test_gpiozero_s_global_factory_is_left_alone(gpio: SimulatedGpio) -> None:
    before = gpiozero.Device.pin_factory
    GpioButtons(pin_factory=gpio.pin_factory).close()
    assert gpiozero.Device.pin_factory is before


def test_a_passive_buzzer_plays_a_pattern_in_time(gpio: SimulatedGpio) -> None:
    heard: list[tuple[int, float | None]] = []
    now_ms = 0
    gpio.watch_buzzer(lambda frequency_hz: heard.append((now_ms, frequency_hz)))
    buzzer = GpioBuzzer(pin_factory=gpio.pin_factory)
    buzzer.sound((LOW, LOW, HIGH), now_ms)
    while buzzer.next_change_ms is not None:
        now_ms = buzzer.next_change_ms
        buzzer.poll(now_ms)
    assert heard == [(0, 300), (100, None), (150, 300), (250, None), (300, 1200), (400, None)]
    buzzer.close()


def test_a_quiet_buzzer_keeps_the_pitch_and_is_pushed_for_less_of_each_period(gpio: SimulatedGpio) -> None:
    heard: list[float | None] = []
    gpio.watch_buzzer(heard.append)
    shares = []
    for quiet in (False, True):
        buzzer = GpioBuzzer(quiet=quiet, pin_factory=gpio.pin_factory)
        buzzer.sound((LOW,), 0)
        shares.append(gpio.pin_factory.pin(DEFAULT_BUZZER_PIN).state)
        buzzer.close()
    assert [pitch for pitch in heard if pitch] == [300, 300]
    assert shares == [LOUD_DUTY, QUIET_DUTY]


def test_an_active_buzzer_is_switched_and_keeps_its_own_pitch(gpio: SimulatedGpio) -> None:
    heard: list[float | None] = []
    gpio.watch_buzzer(heard.append)
    buzzer = GpioBuzzer(passive=False, pin_factory=gpio.pin_factory)
    buzzer.sound((LOW,), 0)
    assert gpio.is_high(DEFAULT_BUZZER_PIN)
    buzzer.poll(100)
    assert not gpio.is_high(DEFAULT_BUZZER_PIN)
    assert heard == [ACTIVE_BUZZER_HZ, None]
    buzzer.close()


def test_a_new_pattern_replaces_the_one_that_sounds(gpio: SimulatedGpio) -> None:
    heard: list[float | None] = []
    buzzer = GpioBuzzer(pin_factory=gpio.pin_factory)
    gpio.watch_buzzer(heard.append)
    buzzer.sound((LOW, LOW, LOW), 0)
    buzzer.sound((HIGH,), 20)
    buzzer.poll(1000)
    assert heard == [300, None, 1200, None]
    buzzer.close()


def test_a_late_poll_keeps_the_tempo(gpio: SimulatedGpio) -> None:
    heard: list[float | None] = []
    buzzer = GpioBuzzer(pin_factory=gpio.pin_factory)
    gpio.watch_buzzer(heard.append)
    buzzer.sound((LOW, LOW, HIGH), 0)
    buzzer.poll(310)
    buzzer.poll(420)
    assert heard == [300, 1200, None]
    buzzer.close()


def test_a_closed_buzzer_leaves_its_pin_low_and_stays_silent(gpio: SimulatedGpio) -> None:
    heard: list[float | None] = []
    buzzer = GpioBuzzer(pin_factory=gpio.pin_factory)
    gpio.watch_buzzer(heard.append)
    buzzer.sound((LOW,), 0)
    buzzer.close()
    buzzer.close()
    buzzer.sound((LOW,), 10)
    assert heard == [300, None]
    assert not gpio.is_high(DEFAULT_BUZZER_PIN)


def test_lamps_show_exactly_who_is_awaited(gpio: SimulatedGpio) -> None:
    lamps = GpioLamps(pin_factory=gpio.pin_factory)
    lamps.show(frozenset({1, 3, 7}))
    assert {seat for seat, pin in DEFAULT_LAMP_PINS.items() if gpio.is_high(pin)} == {1, 3}
    lamps.show(frozenset())
    assert not any(gpio.is_high(pin) for pin in DEFAULT_LAMP_PINS.values())
    lamps.close()
    lamps.show(frozenset({1}))
    lamps.close()


def test_a_pin_used_twice_is_a_sentence_and_frees_the_others(gpio: SimulatedGpio) -> None:
    buzzer = GpioBuzzer(26, pin_factory=gpio.pin_factory)
    with pytest.raises(DeviceBusyError, match="GPIO 26 is used twice"):
        GpioButtons({"draw": 5, "undo": 26}, pin_factory=gpio.pin_factory)
    GpioButtons({"draw": 5}, pin_factory=gpio.pin_factory).close()
    buzzer.close()


def test_a_pin_that_does_not_exist_is_a_sentence(gpio: SimulatedGpio) -> None:
    with pytest.raises(DeviceNotFoundError, match="GPIO 99 does not exist"):
        GpioLamps({0: 99}, pin_factory=gpio.pin_factory)


def test_any_other_fault_of_a_back_end_is_a_sentence() -> None:
    class Broken:
        def reserve_pins(self, *_: object) -> None:
            raise RuntimeError("GPIO busy")

    with pytest.raises(HardwareError, match="held by another program"):
        GpioBuzzer(18, pin_factory=Broken())
