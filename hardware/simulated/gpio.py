"""Simulated pins under gpiozero's own device classes, so that buttons, buzzer and lamps run unchanged.

The factory is passed to each device by hand; gpiozero's global default is never touched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.gpio.devices import ACTIVE_BUZZER_HZ, DEFAULT_BUZZER_PIN

Watcher = Callable[[float | None], None]
Wire = Callable[[bool], None]

# Loudspeaker, screen and a test at most; more would be a leak of watchers.
WATCHERS_MAX: Final = 8
# A Raspberry Pi 4 B, whose header has every BCM pin from 2 to 27.
_REVISION: Final = "c03111"


class _WatchedPin(MockPWMPin):  # type: ignore[misc]  # gpiozero is untyped
    """A pin that tells its watchers what a buzzer on it would sound like."""

    def __init__(self, factory: Any, info: Any) -> None:
        self.watchers: list[Watcher] = []
        self.wires: list[Wire] = []
        self._told: float | None = None
        super().__init__(factory, info)

    @property
    def sound_hz(self) -> float | None:
        if self._function != "output" or not self._state:
            return None
        return float(self._frequency) if self._frequency is not None else float(ACTIVE_BUZZER_HZ)

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        if changed:
            for wire in self.wires:
                wire(bool(value))
        self._tell()
        return changed

    def _set_frequency(self, value: float | None) -> None:
        super()._set_frequency(value)
        self._tell()

    def _tell(self) -> None:
        sound_hz = self.sound_hz if hasattr(self, "_frequency") else None
        if sound_hz != self._told:
            self._told = sound_hz
            for watcher in self.watchers:
                watcher(sound_hz)


class SimulatedGpio:
    """The pins of a Pi that isn't there.

    ``pin_factory`` goes to :class:`hardware.gpio.devices.GpioButtons` and its siblings. Pins are BCM numbers.

    :param buzzer_pin: the pin that :meth:`watch_buzzer` listens to.
    """

    def __init__(self, *, buzzer_pin: int = DEFAULT_BUZZER_PIN) -> None:
        self.pin_factory = MockFactory(revision=_REVISION, pin_class=_WatchedPin)
        self._buzzer_pin = buzzer_pin

    def press(self, pin: int) -> None:
        """Close the button between *pin* and ground."""
        self.pin_factory.pin(pin).drive_low()

    def release(self, pin: int) -> None:
        """Open the button again; the pull-up brings the pin back."""
        self.pin_factory.pin(pin).drive_high()

    def is_high(self, pin: int) -> bool:
        """Whether *pin* carries a level, a lamp's for instance."""
        return bool(self.pin_factory.pin(pin).state)

    def wire(self, pin: int, wire: Wire) -> None:
        """Lay a wire from *pin* to something that is told each new level, a reader's reset pin for instance."""
        self.pin_factory.pin(pin).wires.append(wire)

    def watch_buzzer(self, callback: Watcher) -> None:
        """Call *callback* with a frequency in hertz, or None for silence, whenever the buzzer's pin changes.

        :raises ValueError: if eight watchers listen already.
        """
        watchers = self.pin_factory.pin(self._buzzer_pin).watchers
        if len(watchers) >= WATCHERS_MAX:
            raise ValueError(f"{WATCHERS_MAX} watchers listen to the buzzer already")
        watchers.append(callback)

    def close(self) -> None:
        """Release every pin."""
        self.pin_factory.close()
