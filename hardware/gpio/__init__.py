"""What is wired to pins of the header: buttons, buzzer, lamps, the screen's light; here they are opened.

gpiozero is imported inside the openers: a table with another reader, or with none, need not have it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hardware.ports import Buttons, Buzzer, Lamps


def open_buttons(
    pins: Mapping[str, int] | None = None, *, pin_factory: Any = None, now_ms: Callable[[], int] | None = None
) -> Buttons:
    """Open push buttons, by logical name; see :class:`hardware.gpio.devices.GpioButtons`."""
    from hardware.gpio.devices import DEFAULT_BUTTON_PINS, GpioButtons

    return GpioButtons(DEFAULT_BUTTON_PINS if pins is None else pins, pin_factory=pin_factory, now_ms=now_ms)


def open_buzzer(
    pin: int | None = None, *, passive: bool = True, quiet: bool = False, pin_factory: Any = None
) -> Buzzer:
    """Open the buzzer; see :class:`hardware.gpio.devices.GpioBuzzer`."""
    from hardware.gpio.devices import DEFAULT_BUZZER_PIN, GpioBuzzer

    number = DEFAULT_BUZZER_PIN if pin is None else pin
    return GpioBuzzer(number, passive=passive, quiet=quiet, pin_factory=pin_factory)


def open_lamps(pins: Mapping[int, int] | None = None, *, pin_factory: Any = None) -> Lamps:
    """Open the seats' lamps; see :class:`hardware.gpio.devices.GpioLamps`."""
    from hardware.gpio.devices import DEFAULT_LAMP_PINS, GpioLamps

    return GpioLamps(DEFAULT_LAMP_PINS if pins is None else pins, pin_factory=pin_factory)
