"""Buttons, buzzer and lamps: the real gpiozero devices on simulated pins, in virtual time."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from firmware_bridge.access import Identity
from hardware import gpio as gpio_module
from hardware.gpio import (
    ACTIVE_BUZZER_HZ,
    CLOSED_MS,
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
    why_no_pins,
)
from hardware.ports import DeviceBusyError, DeviceFaultError, DeviceNotFoundError, HardwareError, Tone
from hardware.signals import ButtonPressed, Signal
from hardware.simulated import VirtualClock
from hardware.simulated.gpio import SimulatedGpio
from tests.systemd import trees
from tests.systemd.trees import put

LOW = Tone(300, on_ms=100, off_ms=50)
HIGH = Tone(1200, on_ms=100)


@pytest.fixture
def gpio() -> Iterator[SimulatedGpio]:
    simulated = SimulatedGpio()
    yield simulated
    simulated.close()


def presses(contact: Debouncer, edges: list[tuple[bool, int]], until_ms: int) -> list[int]:
    """When each press was told, to somebody who looks every millisecond."""
    waiting = list(edges)
    told = []
    for now_ms in range(until_ms):
        is_press = False
        while waiting and waiting[0][1] == now_ms:
            is_press |= contact.feed(*waiting.pop(0))
        if is_press or contact.look(now_ms):
            told.append(now_ms)
    return told


def test_chatter_of_a_contact_is_one_press() -> None:
    edges = [(True, 0), (False, 1), (True, 2), (False, 4), (True, 5), (False, 200), (True, 203), (False, 204)]
    assert presses(Debouncer(), edges, 300) == [5 + CLOSED_MS]


def test_a_second_press_counts_after_the_contact_was_open_long_enough() -> None:
    edges = [(True, 0), (False, 100), (True, 100 + DEBOUNCE_MS - 1), (False, 300), (True, 300 + DEBOUNCE_MS)]
    assert presses(Debouncer(), edges, 500) == [CLOSED_MS, 300 + DEBOUNCE_MS + CLOSED_MS]


def test_a_held_button_is_one_press() -> None:
    assert presses(Debouncer(), [(True, 0)], 5_000) == [CLOSED_MS]


@pytest.mark.parametrize("spike_ms", range(CLOSED_MS))
def test_a_spike_on_the_wire_is_no_press_and_hides_none(spike_ms: int) -> None:
    """Twenty of them, and a finger right after; a spike that opens a held contact makes no second press either."""
    edges = [edge for start in range(0, 20 * 15, 15) for edge in ((True, start), (False, start + spike_ms))]
    held = [(True, 400), (False, 500), (True, 500 + spike_ms), (False, 600)]
    assert presses(Debouncer(), [*edges, *held], 700) == [400 + CLOSED_MS]


def test_a_tap_that_lies_between_two_looks_counts() -> None:
    contact = Debouncer()
    assert not contact.feed(True, 0)
    assert contact.feed(False, CLOSED_MS), "a table that was busy for half a second hears it all the same"
    assert not contact.look(500)


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


class Bench:
    """Buttons on simulated pins, and the table that polls them every 20 ms, as it does."""

    def __init__(self, pins: Mapping[str, int], gpio: SimulatedGpio, clock: VirtualClock) -> None:
        self.clock = clock
        self.buttons = GpioButtons(pins, pin_factory=gpio.pin_factory, clock=clock)

    def run_ms(self, duration_ms: int) -> list[Signal]:
        signals: list[Signal] = []
        for _ in range(duration_ms // 20):
            self.clock.wait_us(20_000)
            signals += self.buttons.poll(self.clock.now_us() // 1000)
        return signals


def test_a_press_is_signalled_with_its_logical_name(gpio: SimulatedGpio, clock: VirtualClock) -> None:
    bench = Bench(DEFAULT_BUTTON_PINS, gpio, clock)
    gpio.press(DEFAULT_BUTTON_PINS["seat:2"])
    gpio.press(DEFAULT_BUTTON_PINS["draw"])
    assert bench.run_ms(20) == [ButtonPressed(20, "seat:2"), ButtonPressed(20, "draw")]
    assert bench.run_ms(1_000) == []
    bench.buttons.close()


def test_twenty_spikes_of_microseconds_are_no_press(gpio: SimulatedGpio, clock: VirtualClock) -> None:
    bench = Bench({"draw": 26}, gpio, clock)
    for wait_us in (7, 133, 9_000, 20_000, 31_000) * 4:
        gpio.press(26)
        clock.wait_us(5)
        gpio.release(26)
        clock.wait_us(wait_us)
        assert bench.run_ms(20) == []
    gpio.press(26)
    assert len(bench.run_ms(200)) == 1
    bench.buttons.close()


def test_a_tap_between_two_polls_that_are_far_apart_is_one_press(gpio: SimulatedGpio, clock: VirtualClock) -> None:
    bench = Bench({"draw": 26}, gpio, clock)
    for level in (gpio.press, gpio.release, gpio.press):
        level(26)
        clock.wait_us(2_000)
    clock.wait_us(30_000)
    gpio.release(26)
    clock.wait_us(400_000)
    assert bench.run_ms(20) == [ButtonPressed(456, "draw")]
    bench.buttons.close()


def test_a_storm_of_edges_stays_within_the_queue_and_keeps_how_the_contact_stands(
    gpio: SimulatedGpio, clock: VirtualClock
) -> None:
    bench = Bench({"draw": 26}, gpio, clock)
    for _ in range(2 * EDGES_MAX):
        gpio.press(26)
        gpio.release(26)
    assert bench.run_ms(100) == []
    gpio.press(26)
    assert len(bench.run_ms(100)) == 1
    bench.buttons.close()


def test_an_edge_that_was_lost_makes_no_press(gpio: SimulatedGpio, clock: VirtualClock) -> None:
    """The kernel keeps sixteen edges of a line; what a storm leaves out is found by a look at the pin."""
    bench = Bench({"draw": 26}, gpio, clock)
    gpio.press(26)
    bench.buttons._devices["draw"].when_released = None
    gpio.release(26)
    assert bench.run_ms(200) == []
    bench.buttons.close()


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


def pins_of(root: Path, mode: int = 0o660) -> Path:
    """A Pi 5 whose pins' chip only its group may open."""
    trees.PI_5_6_12_96.build(root)
    put(root, "dev/gpiochip15", "")
    (root / "dev/gpiochip15").chmod(mode)
    put(root, "etc/group", f"gpio:x:{(root / 'dev/gpiochip15').stat().st_gid}:\n")
    return root


NOBODY = Identity(65_534, frozenset({65_534}))


def test_what_keeps_somebody_from_the_pins_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No header, no leave, no library, an empty one: each has its own mend, and only that."""
    trees.LAPTOP.build(tmp_path / "laptop")
    told = str(why_no_pins(tmp_path / "laptop", NOBODY))
    assert "no Raspberry Pi" in told and "lgpio" not in told
    root = pins_of(tmp_path / "pi")
    told = str(why_no_pins(root, NOBODY))
    assert "may not open the GPIO pins (/dev/gpiochip15). Run: sudo usermod -aG gpio" in told and "lgpio" not in told
    monkeypatch.setitem(sys.modules, "lgpio", None)
    told = str(why_no_pins(pins_of(tmp_path / "open", 0o666), NOBODY))
    assert told.startswith("The Python library lgpio is missing. ") and "usermod" not in told
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    assert "empty stub" in str(why_no_pins(tmp_path / "open", NOBODY))
    sys.modules["lgpio"].__dict__["gpiochip_open"] = None
    assert why_no_pins(tmp_path / "open", NOBODY) is None


def test_pins_without_tones_are_told_apart_from_pins_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    class WithoutTones(MockFactory):  # type: ignore[misc]  # gpiozero is untyped
        def __init__(self) -> None:
            super().__init__(revision="c03111", pin_class=MockPin)  # as gpiozero's own native pins

    factory = WithoutTones()
    with pytest.raises(DeviceNotFoundError, match="this is no Raspberry Pi"):
        GpioBuzzer(18, pin_factory=factory)
    monkeypatch.setattr(gpio_module, "why_no_pins", lambda: None)
    with pytest.raises(DeviceFaultError, match="buzzer-is-passive to false"):
        GpioBuzzer(18, pin_factory=factory)
    GpioBuzzer(18, passive=False, pin_factory=factory).close()
    factory.close()
