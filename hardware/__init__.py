"""The table's senses and voices: readers, buttons, buzzer and lamps, real or simulated.

This door holds signals, ports and openers. Simulated devices are behind ``hardware.simulated``, asked for
by name.
"""

from hardware.clock import SystemClock
from hardware.gpio import open_buttons, open_buzzer, open_lamps
from hardware.ports import (
    Buttons,
    Buzzer,
    Clock,
    DeviceBusyError,
    DeviceFaultError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
    Lamps,
    Pattern,
    TagGoneError,
    TagReader,
    TagRefusedError,
    Tone,
    Transceiver,
)
from hardware.rc522.spi import ReaderSettings
from hardware.readers import READER_KINDS, ReaderKind, open_reader
from hardware.signals import (
    ButtonPressed,
    CardLabel,
    CardPicked,
    DeviceBack,
    DeviceLost,
    DeviceNote,
    ReaderDisturbed,
    SeveralTags,
    Signal,
    Source,
    TagPlaced,
    TagRemoved,
)
from hardware.tags.iso14443a import Tag
from hardware.tags.labels import LabelReader
from hardware.tags.reader import PollingTagReader

__all__ = [
    "READER_KINDS",
    "ButtonPressed",
    "Buttons",
    "Buzzer",
    "CardLabel",
    "CardPicked",
    "Clock",
    "DeviceBack",
    "DeviceBusyError",
    "DeviceFaultError",
    "DeviceLost",
    "DeviceNotFoundError",
    "DeviceNote",
    "DevicePermissionError",
    "HardwareError",
    "LabelReader",
    "Lamps",
    "Pattern",
    "PollingTagReader",
    "ReaderDisturbed",
    "ReaderKind",
    "ReaderSettings",
    "SeveralTags",
    "Signal",
    "Source",
    "SystemClock",
    "Tag",
    "TagGoneError",
    "TagPlaced",
    "TagReader",
    "TagRefusedError",
    "TagRemoved",
    "Tone",
    "Transceiver",
    "open_buttons",
    "open_buzzer",
    "open_lamps",
    "open_reader",
]
