"""Buttons, buzzer and lamps: the real gpiozero devices on simulated pins, in virtual time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from firmware_bridge.access import Identity
from hardware.gpio import devices as gpio_module
from hardware.gpio.devices import (
    ACTIVE_BUZZER_HZ,
    CLOSED_MS,
    DEFAULT_BUTTON_PINS,
    DEFAULT_BUZZER_PIN,
    DEFAULT_LAMP_PINS,
    EDGES_MAX,
    LOUD_DUTY,
    OPEN_MS,
    QUIET_DUTY,
    Debouncer,
    GpioButtons,
    GpioBuzzer,
    GpioLamps,
    why_no_pins,
)
from hardware.ports import DeviceBusyError, DeviceFaultError, DeviceNotFoundError, HardwareError, Tone
from hardware.signals import ButtonPressed
from hardware.simulated.gpio import SimulatedGpio
from tests.systemd import trees
from tests.systemd.trees import put

LOW = Tone(300, on_ms=100, off_ms=50)
HIGH = Tone(1200, on_ms=100)
DRAW = {"draw": 26}


@pytest.fixture
def gpio() -> Iterator[SimulatedGpio]:
    simulated = SimulatedGpio()
    yield simulated
    simulated.close()


class Hands:
    """Fingers, and what is coupled into the wires, at buttons that are polled every `POLL_MS`, in virtual time."""

    POLL_MS = 20

    def __init__(self, gpio: SimulatedGpio, pins: dict[str, int] = DRAW) -> None:
        self.now_ms = 0
        self.gpio = gpio
        self.buttons = GpioButtons(pins, pin_factory=gpio.pin_factory, now_ms=lambda: self.now_ms)
        self.heard: list[tuple[int, str]] = []

    def wait(self, duration_ms: int) -> None:
        for _ in range(duration_ms):
            self.now_ms += 1
            if self.now_ms % self.POLL_MS == 0:
                self.poll()

    def poll(self) -> None:
        for signal in self.buttons.poll(self.now_ms):
            assert isinstance(signal, ButtonPressed) and signal.at_ms == self.now_ms
            self.heard.append((self.now_ms, signal.button))

    def close(self, closed_ms: int, pin: int = 26) -> None:
        self.gpio.press(pin)
        self.wait(closed_ms)
        self.gpio.release(pin)


def fed(edges: list[tuple[bool, int]], until_ms: int) -> list[int]:
    """When one contact was pressed, looked at every millisecond."""
    contact, pressed, due = Debouncer(), [], {at_ms: closed for closed, at_ms in edges}
    for at_ms in range(until_ms):
        if (at_ms in due and contact.feed(due[at_ms], at_ms)) or contact.tick(at_ms):
            pressed.append(at_ms)
    return pressed


def test_chatter_of_a_contact_is_one_press_as_soon_as_it_has_settled() -> None:
    edges = [(True, 0), (False, 1), (True, 2), (False, 4), (True, 5), (False, 200), (True, 203), (False, 204)]
    assert fed(edges, 300) == [5 + CLOSED_MS]


def test_a_second_press_counts_after_the_contact_was_open_long_enough() -> None:
    assert fed([(True, 0), (False, 100), (True, 100 + OPEN_MS - 1)], 300) == [CLOSED_MS]
    assert fed([(True, 0), (False, 100), (True, 100 + OPEN_MS)], 300) == [CLOSED_MS, 100 + OPEN_MS + CLOSED_MS]


def test_a_held_button_is_one_press() -> None:
    assert fed([(True, 0)], 3_000) == [CLOSED_MS]


@pytest.mark.parametrize("closed_ms", range(CLOSED_MS + 3))
def test_a_contact_is_pressed_once_it_was_closed_for_ten_milliseconds_and_never_before(closed_ms: int) -> None:
    assert fed([(True, 0), (False, closed_ms)], 100) == ([CLOSED_MS] if closed_ms >= CLOSED_MS else [])


def test_a_spike_right_before_a_press_does_not_swallow_it() -> None:
    assert fed([(True, 0), (False, 1), (True, 5), (False, 80)], 200) == [5 + CLOSED_MS]


def test_a_spike_that_opens_a_held_button_is_no_second_press() -> None:
    assert fed([(True, 0), (False, 50), (True, 52), (False, 60), (True, 61)], 300) == [CLOSED_MS]


def test_an_edge_that_got_lost_breaks_what_seems_to_stand_unbroken() -> None:
    assert fed([(True, 0), (True, CLOSED_MS)], CLOSED_MS + 1) == []


def test_a_press_is_signalled_with_its_logical_name(gpio: SimulatedGpio) -> None:
    hands = Hands(gpio, dict(DEFAULT_BUTTON_PINS))
    gpio.press(DEFAULT_BUTTON_PINS["seat:2"])
    gpio.press(DEFAULT_BUTTON_PINS["draw"])
    hands.wait(100)
    assert hands.heard == [(20, "seat:2"), (20, "draw")]
    hands.buttons.close()


def test_of_two_presses_the_one_that_touched_first_is_first(gpio: SimulatedGpio) -> None:
    hands = Hands(gpio, {"draw": 26, "undo": 20})
    gpio.press(20)
    hands.wait(3)
    gpio.press(26)
    hands.wait(40)
    assert [button for _at_ms, button in hands.heard] == ["undo", "draw"]
    hands.buttons.close()


def test_spikes_on_a_wire_of_any_length_under_ten_milliseconds_are_no_press(gpio: SimulatedGpio) -> None:
    """Lights that are switched, a motor, a hand near a three metre wire (alubbock/rpi-vidlooper issue 8)."""
    hands = Hands(gpio)
    for closed_ms in (*(0,) * 20, *range(1, CLOSED_MS)):
        hands.close(closed_ms)
        hands.wait(37 - closed_ms)
    hands.wait(100)
    assert hands.heard == []
    hands.close(60)
    assert len(hands.heard) == 1, "and the button works as before"
    hands.buttons.close()


def test_a_burst_of_spikes_is_no_press_however_the_polls_fall(gpio: SimulatedGpio) -> None:
    hands = Hands(gpio)
    for turn in range(400):
        hands.close(1 + turn % 9)
        hands.wait(1 + turn % 4)
    assert hands.heard == []
    hands.buttons.close()


def test_a_press_that_is_over_before_anybody_looks_counts_all_the_same(gpio: SimulatedGpio) -> None:
    """The poll that comes late, behind a slow disk say, still knows how long the contact was closed."""
    hands = Hands(gpio)
    hands.POLL_MS = 1_000
    hands.close(60)
    hands.wait(200)
    hands.close(60)
    hands.wait(1_000)
    assert [button for _at_ms, button in hands.heard] == ["draw", "draw"]
    hands.buttons.close()


def test_a_contact_that_opened_a_moment_ago_waits_for_its_edge(gpio: SimulatedGpio) -> None:
    """gpiozero's thread may be late with the second edge of a spike; the pin itself is not."""
    hands = Hands(gpio)
    gpio.press(26)
    hands.now_ms = CLOSED_MS
    released = hands.buttons._devices[0].when_released
    hands.buttons._devices[0].when_released = None
    gpio.release(26)
    hands.poll()
    assert hands.heard == []
    hands.now_ms = 1
    released()
    hands.now_ms = 100
    hands.poll()
    assert hands.heard == []
    hands.buttons.close()


def test_chatter_on_a_pin_between_two_polls_is_one_press(gpio: SimulatedGpio) -> None:
    hands = Hands(gpio)
    for _ in range(5):
        hands.close(1)
        hands.wait(1)
    gpio.press(26)
    hands.wait(100)
    assert [button for _at_ms, button in hands.heard] == ["draw"]
    hands.buttons.close()


def test_a_storm_of_edges_stays_within_the_queue_and_keeps_how_the_contact_stands(gpio: SimulatedGpio) -> None:
    hands = Hands(gpio)
    for _ in range(2 * EDGES_MAX):
        gpio.press(26)
        gpio.release(26)
    hands.wait(100)
    assert hands.heard == []
    gpio.press(26)
    hands.wait(40)
    assert [button for _at_ms, button in hands.heard] == ["draw"]
    hands.buttons.close()


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
