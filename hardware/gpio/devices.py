"""Buttons, buzzer and lamps on a Raspberry Pi's pins, through gpiozero.

gpiozero calls back on a thread of its own: callbacks here only note the time and put into a bounded queue, and
everything else happens in ``poll``. What a press means and which pattern sounds when is not known here. No other
module imports gpiozero but ``simulated.gpio``. Pins are BCM numbers throughout.
"""

from __future__ import annotations

import importlib
import os
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import gpiozero

from firmware_bridge.access import Identity, how_to_let_in
from hardware.clock import SystemClock
from hardware.gpio.tones import ToneSteps
from hardware.header_spi import config_name
from hardware.installing import how_to_install, import_trouble
from hardware.machine import header_chip, is_raspberry_pi
from hardware.ports import (
    DeviceBusyError,
    DeviceFaultError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
    Pattern,
)
from hardware.signals import ButtonPressed, Signal, Source

# Pins that leave SPI 0 (GPIO 7 to 11), I2C (2, 3), the serial port (14, 15) and a reset line (25) free.
DEFAULT_BUZZER_PIN: Final = 18
DEFAULT_BUTTON_PINS: Final[Mapping[str, int]] = MappingProxyType(
    {"seat:0": 5, "seat:1": 6, "seat:2": 13, "seat:3": 19, "draw": 26, "challenge": 16, "undo": 20}
)
DEFAULT_LAMP_PINS: Final[Mapping[int, int]] = MappingProxyType({0: 17, 1: 27, 2: 22, 3: 23})

# The shortest press of a hand is some 50 ms; what a switched lamp, a motor or a finger couples into a wire of seat
# length is over after microseconds, or a few milliseconds (gpiozero issue 559, alubbock/rpi-vidlooper issue 8).
CLOSED_MS: Final = 10
# A mechanical contact chatters for 5 to 20 ms; nobody presses twice within 30.
OPEN_MS: Final = 30
# Edges between two polls: a dozen buttons chattering at once. When it is full the oldest edges go, so that
# the last one, which tells how the contact stands, is always kept.
EDGES_MAX: Final = 256
# What an active buzzer sounds like; the pin itself only switches it.
ACTIVE_BUZZER_HZ: Final = 2300
# The share of each period that a passive buzzer is pushed. The strength of the tone is the sine of half the angle, so
# that half of the period is loudest, and a fortieth is 22 dB less (Fourier series of a pulse train).
LOUD_DUTY: Final = 0.5
QUIET_DUTY: Final = 0.025


class Debouncer:
    """Tells presses from the chatter of one contact and from spikes on its wire. Pure; times are input.

    A press counts once the contact has been closed for `CLOSED_MS` without a break, and the next one only after it has
    been open for `OPEN_MS` without a break. A contact that is not heard of is open.
    """

    def __init__(self) -> None:
        self.is_closed = False
        self._is_pressed = False
        self.since_ms = 0
        """Since when the contact has stood as it stands."""

    def feed(self, closed: bool, at_ms: int) -> bool:
        """Take one edge and return whether there was a press before it that no `tick` has told of."""
        # An edge to how it stands already means that the one between was lost: then it did not stand unbroken.
        is_press = closed is not self.is_closed and self.tick(at_ms)
        self.is_closed, self.since_ms = closed, at_ms
        return is_press

    def tick(self, now_ms: int) -> bool:
        """Let time pass and return whether it makes a press of how the contact stands."""
        stood_ms = now_ms - self.since_ms
        if self.is_closed and not self._is_pressed and stood_ms >= CLOSED_MS:
            self._is_pressed = True
            return True
        if not self.is_closed and stood_ms >= OPEN_MS:
            self._is_pressed = False
        return False


class GpioButtons:
    """A :class:`hardware.ports.Buttons` on pins, each between its pin and ground.

    :param pins: logical name of a button (see :class:`hardware.signals.ButtonPressed`) to BCM pin.
    :param pin_factory: a gpiozero factory; the default one of gpiozero if it is None.
    :param now_ms: the clock of ``poll``, asked on gpiozero's thread at each edge; the system's if it is None.
    :raises HardwareError: if a pin can't be had, with what to do.
    """

    def __init__(
        self,
        pins: Mapping[str, int] = DEFAULT_BUTTON_PINS,
        *,
        pin_factory: Any = None,
        now_ms: Callable[[], int] | None = None,
    ) -> None:
        self._edges: deque[tuple[str, bool, int]] = deque(maxlen=EDGES_MAX)
        self._debouncers = {name: Debouncer() for name in pins}
        self._now_ms = now_ms or SystemClock().now_ms
        self._devices: list[Any] = []
        for name, pin in pins.items():
            # gpiozero's own bounce_time stays off: it hides what comes after an edge, so that a spike would still be
            # a press, and loses releases (gpiozero issues 550, 559).
            button = _open(self.close, gpiozero.Button, pin, pull_up=True, pin_factory=pin_factory)
            button.when_pressed = self._recorder(name, True)
            button.when_released = self._recorder(name, False)
            self._devices.append(button)

    def _recorder(self, name: str, closed: bool) -> Callable[[], None]:
        edges, now_ms = self._edges, self._now_ms
        return lambda: edges.append((name, closed, now_ms()))

    def poll(self, now_ms: int) -> Sequence[Signal]:
        """The presses that have become certain, whoever touched first being first."""
        pressed: list[tuple[int, str]] = []
        for _ in range(EDGES_MAX):
            try:
                name, closed, at_ms = self._edges.popleft()
            except IndexError:
                break
            contact = self._debouncers[name]
            touched_ms = contact.since_ms
            if contact.feed(closed, at_ms):
                pressed.append((touched_ms, name))
        for (name, contact), device in zip(self._debouncers.items(), self._devices, strict=False):  # none once closed
            # Where it stands otherwise by now an edge is on its way, and that one knows when.
            if bool(device.is_pressed) is contact.is_closed and contact.tick(now_ms):
                pressed.append((contact.since_ms, name))
        pressed.sort(key=lambda press: press[0])
        return [ButtonPressed(now_ms, name, Source.BUTTON) for _touched_ms, name in pressed]

    def close(self) -> None:
        _close_all(self._devices)


class GpioBuzzer:
    """A :class:`hardware.ports.Buzzer` on one pin.

    :param passive: true for a buzzer without an oscillator of its own, which is driven with the tone's
        frequency; false for one that sounds by itself when the pin is high.
    :param quiet: drive a passive one with short pulses, which have the same pitch and far less strength; an active
        one knows on and off alone.
    :raises HardwareError: if the pin can't be had, with what to do.
    """

    def __init__(
        self, pin: int = DEFAULT_BUZZER_PIN, *, passive: bool = True, quiet: bool = False, pin_factory: Any = None
    ) -> None:
        self._passive = passive
        self._duty = QUIET_DUTY if quiet else LOUD_DUTY
        self._devices: list[Any] = []
        self._steps = ToneSteps(self._drive)
        if passive:
            device = _open(self.close, gpiozero.PWMOutputDevice, pin, frequency=440, pin_factory=pin_factory)
        else:
            device = _open(self.close, gpiozero.DigitalOutputDevice, pin, pin_factory=pin_factory)
        self._devices.append(device)

    @property
    def next_change_ms(self) -> int | None:
        """When ``poll`` has something to do next; None if the buzzer is silent for good."""
        return self._steps.next_change_ms

    def sound(self, pattern: Pattern, now_ms: int) -> None:
        """Start *pattern* in place of what is sounding.

        :raises ValueError: if it has more than 64 tones.
        """
        self._steps.sound(pattern, now_ms)

    def poll(self, now_ms: int) -> None:
        self._steps.poll(now_ms)

    def close(self) -> None:
        self._steps.silence()
        _close_all(self._devices)

    def _drive(self, frequency_hz: int | None) -> None:
        if not self._devices:
            return
        device = self._devices[0]
        if frequency_hz is None:
            device.off()
        elif self._passive:
            device.frequency = frequency_hz
            device.value = self._duty
        else:
            device.on()


class GpioLamps:
    """A :class:`hardware.ports.Lamps`: one lamp a seat, from its pin through a resistor to ground.

    :param pins: seat, from 0, to BCM pin.
    :raises HardwareError: if a pin can't be had, with what to do.
    """

    def __init__(self, pins: Mapping[int, int] = DEFAULT_LAMP_PINS, *, pin_factory: Any = None) -> None:
        self._devices: list[Any] = []
        self._lamps: dict[int, Any] = {}
        for seat, pin in pins.items():
            lamp = _open(self.close, gpiozero.LED, pin, pin_factory=pin_factory)
            self._devices.append(lamp)
            self._lamps[seat] = lamp

    def show(self, seats: frozenset[int]) -> None:
        if not self._devices:
            return
        for seat, lamp in self._lamps.items():
            lamp.value = seat in seats

    def close(self) -> None:
        if self._devices:
            self.show(frozenset())
        _close_all(self._devices)


def open_output(pin: int, *, initially_high: bool, pin_factory: Any = None) -> Any:
    """Open a single output with ``on``, ``off`` and ``close``, such as a reader's reset line.

    :raises HardwareError: if the pin can't be had, with what to do.
    """
    return _open(
        lambda: None,
        gpiozero.DigitalOutputDevice,
        pin,
        initial_value=initially_high,
        pin_factory=pin_factory,
    )


def header_factory(root: Path = Path("/"), environment: Mapping[str, str] = os.environ) -> Any:
    """gpiozero's factory on the chip that carries the header's pins; None leaves the choice to gpiozero.

    gpiozero takes the chip by number, 4 or 0, which is wrong on a Pi 5 with some kernels (gpiozero issue 1166). Whoever
    names a factory in ``GPIOZERO_PIN_FACTORY`` gets that one.
    """
    chip = None if environment.get("GPIOZERO_PIN_FACTORY") else header_chip(root)
    if chip is None:
        return None
    try:
        back_end = importlib.import_module("gpiozero.pins.lgpio")
        return back_end.LGPIOFactory(chip=chip.number)
    except Exception:  # lgpio is missing, a stub, or may not open the chip: gpiozero tries its others and explains
        return None


# One for all devices: a chip is opened once.
_shared_header_factory = cache(header_factory)


def _open(release: Callable[[], None], device: Callable[..., Any], pin: int, **options: Any) -> Any:
    """Open one gpiozero device; if that fails, give back what was opened before and say what to do."""
    if options.get("pin_factory") is None and gpiozero.Device.pin_factory is None:
        options["pin_factory"] = _shared_header_factory()
    try:
        with warnings.catch_warnings():
            # Each back-end that gpiozero tries in vain is a warning; the error at the end says it all.
            warnings.simplefilter("ignore", gpiozero.PinFactoryFallback)
            return device(pin, **options)
    except Exception as error:  # gpiozero's back-ends raise errors of their own libraries
        release()
        raise _explain(error, pin) from error


def _explain(error: Exception, pin: int) -> HardwareError:
    if isinstance(error, gpiozero.GPIOPinInUse):
        return DeviceBusyError(f"GPIO {pin} is used twice. Give each button, lamp and buzzer a pin of its own.")
    if isinstance(error, gpiozero.PinInvalidPin):
        return DeviceNotFoundError(f"GPIO {pin} does not exist on this board. Use BCM numbers 2 to 27.")
    if "busy" in str(error).lower():
        return DeviceBusyError(
            f"GPIO {pin} is held by another program or by a kernel overlay. "
            f"Stop that program, or look for the pin in {config_name()}."
        )
    # Where lgpio can't be used gpiozero takes another back-end, whose own complaint hides the cause.
    cause = why_no_pins()
    if cause is not None:
        return cause
    if isinstance(error, gpiozero.PinPWMUnsupported):
        return DeviceFaultError(
            f"GPIO {pin} gives no tones through the back-end that GPIOZERO_PIN_FACTORY names. Take that variable away, "
            "or an active buzzer: set [pins] buzzer-is-passive to false."
        )
    return DeviceFaultError(f"GPIO {pin} can't be opened: {error}. Look for the cause with: lastcard doctor")


def why_no_pins(root: Path = Path("/"), identity: Identity | None = None) -> HardwareError | None:
    """What keeps this user from the header's pins: no header, no leave, or no library; None: nothing that is known."""
    if not is_raspberry_pi(root):
        return DeviceNotFoundError(
            "No GPIO pins were found: this is no Raspberry Pi. Set [pins] use to off, or take a board on USB."
        )
    chip = header_chip(root)
    identity = identity or Identity.current()
    place = root / chip.path.lstrip("/") if chip is not None else None
    if chip is not None and place is not None and place.exists() and not identity.may(place):
        return DevicePermissionError(
            f"This user may not open the GPIO pins ({chip.path}). {how_to_let_in(chip.path, identity, root)}"
        )
    try:
        library = importlib.import_module("lgpio")
    except (ImportError, RuntimeError, OSError) as error:
        return DeviceNotFoundError(" ".join(import_trouble("lgpio", error, is_pi=True)))
    if not hasattr(library, "gpiochip_open"):
        return DeviceNotFoundError(
            f"The installed lgpio is an empty stub: GPIO needs it whole. {how_to_install('lgpio')}"
        )
    return None


def _close_all(devices: list[Any]) -> None:
    while devices:
        devices.pop().close()
