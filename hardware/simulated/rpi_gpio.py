"""A module like ``RPi.GPIO`` on the pins of a ``SimulatedGpio``, for libraries that import it by name.

Only what drivers of the RC522 use. Its ``cleanup`` without a channel resets every pin of the
process, as the real one does to whoever shares the library, gpiozero on its RPi.GPIO back-end included.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from hardware.simulated.gpio import SimulatedGpio

BOARD = 10
BCM = 11
OUT = 0
IN = 1
LOW = 0
HIGH = 1
PUD_UP = 22
FALLING = 32


class _Channels:
    """Channels by BCM number, in one numbering mode for the whole process."""

    def __init__(self, gpio: SimulatedGpio) -> None:
        self._gpio = gpio
        self._mode: int | None = None

    def getmode(self) -> int | None:
        return self._mode

    def setmode(self, mode: int) -> None:
        if self._mode not in (None, mode):
            raise ValueError("A different mode has already been set!")
        self._mode = mode

    def _pin(self, channel: int) -> Any:
        if self._mode is None:
            raise RuntimeError("Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or (GPIO.BCM)")
        name = channel if self._mode == BCM else f"BOARD{channel}"
        return self._gpio.pin_factory.pin(name)

    def setup(self, channel: int, direction: int, pull_up_down: int | None = None) -> None:
        pin = self._pin(channel)
        pin.function = "output" if direction == OUT else "input"
        if pull_up_down == PUD_UP:
            pin.pull = "up"

    def output(self, channel: int, value: int) -> None:
        self._pin(channel).state = bool(value)

    def add_event_detect(self, channel: int, edge: int, callback: Callable[[int], None]) -> None:
        pin = self._pin(channel)
        pin.edges = "falling" if edge == FALLING else "rising"
        pin.when_changed = lambda _ticks, _state: callback(channel)

    def cleanup(self, channel: int | None = None) -> None:
        pins = list(self._gpio.pin_factory.pins.values()) if channel is None else [self._pin(channel)]
        for pin in pins:
            pin.when_changed = None
            pin.function = "input"
            pin.pull = pin.info.pull or "floating"
        if channel is None:
            self._mode = None


def as_modules(gpio: SimulatedGpio, package: str = "RPi") -> dict[str, ModuleType]:
    """The modules ``RPi`` and ``RPi.GPIO``, to be put where Python looks for imported modules.

    :param package: ``Jetson`` for the library of the same shape on other boards.
    """
    channels = _Channels(gpio)
    module = ModuleType(f"{package}.GPIO")
    vars(module).update(
        BOARD=BOARD,
        BCM=BCM,
        OUT=OUT,
        IN=IN,
        LOW=LOW,
        HIGH=HIGH,
        PUD_UP=PUD_UP,
        FALLING=FALLING,
        getmode=channels.getmode,
        setmode=channels.setmode,
        setup=channels.setup,
        output=channels.output,
        add_event_detect=channels.add_event_detect,
        cleanup=channels.cleanup,
    )
    parent = ModuleType(package)
    vars(parent).update(GPIO=module, __path__=[])
    return {package: parent, f"{package}.GPIO": module}
