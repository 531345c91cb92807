"""Simulated devices, standing as low as can be, under the real drivers.

``SimulatedPad`` is a reader with its chip, bus and field; the tags are what can be laid on it.
``SimulatedGpio`` (in ``hardware.simulated.gpio``, which alone needs gpiozero) is a set of pins.
"""

from hardware.simulated.classic import MifareClassic1K
from hardware.simulated.clock import VirtualClock
from hardware.simulated.pad import SimulatedPad
from hardware.simulated.tags import (
    FudanClone,
    Ntag213,
    Ntag215,
    Ntag216,
    Phone,
    SimulatedTag,
)
from hardware.simulated.ultralight import Ultralight, UltralightC

__all__ = [
    "FudanClone",
    "MifareClassic1K",
    "Ntag213",
    "Ntag215",
    "Ntag216",
    "Phone",
    "SimulatedPad",
    "SimulatedTag",
    "Ultralight",
    "UltralightC",
    "VirtualClock",
]
