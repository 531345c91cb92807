"""A module like ``RPi.GPIO`` on the pins of a ``SimulatedGpio``, for libraries that import it by name.

Only what the PyPI package ``mfrc522`` uses. Its ``cleanup`` without a channel resets every pin of the
process, as the real one does to whoever shares the library, gpiozero on its RPi.GPIO back-end included.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from hardware.simulated.gpio import SimulatedGpio

BOARD = 10
BCM = 11
OUT = 0
IN = 1


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

    def setup(self, channel: int, direction: int) -> None:
        self._pin(channel).function = "output" if direction == OUT else "input"

    def output(self, channel: int, value: int) -> None:
        self._pin(channel).state = bool(value)

    def cleanup(self, channel: int | None = None) -> None:
        pins = list(self._gpio.pin_factory.pins.values()) if channel is None else [self._pin(channel)]
        for pin in pins:
            pin.when_changed = None
            pin.function = "input"
            pin.pull = pin.info.pull or "floating"
        if channel is None:
            self._mode = None


def as_modules(gpio: SimulatedGpio) -> dict[str, ModuleType]:
    """The modules ``RPi`` and ``RPi.GPIO``, to be put where Python looks for imported modules."""
    channels = _Channels(gpio)
    module = ModuleType("RPi.GPIO")
    vars(module).update(
        BOARD=BOARD,
        BCM=BCM,
        OUT=OUT,
        IN=IN,
        getmode=channels.getmode,
        setmode=channels.setmode,
        setup=channels.setup,
        output=channels.output,
        cleanup=channels.cleanup,
    )
    package = ModuleType("RPi")
    vars(package).update(GPIO=module, __path__=[])
    return {"RPi": package, "RPi.GPIO": module}
