"""Which pin of the header the settings give to what, and whether two things were given one.

Numbers only; no pin is opened, and whether a machine has pins at all is not asked. Sources of the SPI pins: BCM2835 ARM
Peripherals, table 6-31 (alternative functions), and the overlays' README of the Raspberry Pi's kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hardware.readers import Attached, ReaderKind, split_word

# Data and clock of a bus, and its chip selects by device number. From the third bus on they differ between boards.
_SPI_LINES: Final[Mapping[int, Mapping[str, int]]] = {
    0: {"MISO": 9, "MOSI": 10, "SCLK": 11},
    1: {"MISO": 19, "MOSI": 20, "SCLK": 21},
}
_SPI_SELECTS: Final[Mapping[int, tuple[int, ...]]] = {0: (8, 7), 1: (18, 17, 16)}


@dataclass(frozen=True, slots=True)
class PinUse:
    """*pin* belongs to *key* of *section*; *line* names which line of several it is, empty for a pin by itself."""

    pin: int
    section: str
    key: str
    line: str = ""

    def __str__(self) -> str:
        said = f"[{self.section}] {self.key}"
        return f"{said} ({self.line})" if self.line else said


def pin_uses(values: Mapping[str, Mapping[str, Any]]) -> list[PinUse]:
    """Every pin that a table with these settings takes on its own header, in the order of the settings file.

    A board on USB has pins of its own, which its own file names; then, and with ``use = "off"``, there are none here.
    """
    kind, _address = split_word(str(values["reader"]["kind"]))
    if kind is not None and kind.attached is Attached.BOARD:
        return []
    uses = _reader_uses(values, kind) if kind is not None and kind.attached is Attached.HEADER else []
    if values["pins"]["use"] != "off":
        if values["pins"]["buzzer-loudness"] != "off" and values["pins"]["sound"] != "loudspeaker":
            uses.append(PinUse(values["pins"]["buzzer"], "pins", "buzzer"))
        for section in ("buttons", "lamps"):
            uses += [PinUse(pin, section, key) for key, pin in values[section].items()]
    return uses


def _reader_uses(values: Mapping[str, Mapping[str, Any]], kind: ReaderKind) -> list[PinUse]:
    sections = ["reader"]
    if values["pile-reader"]["use"] and kind.open_second is not None:
        sections.append("pile-reader")
    uses: list[PinUse] = []
    buses: set[int] = set()
    for section in sections:
        bus, device = values[section]["bus"], values[section]["device"]
        if bus not in buses:  # two readers may share a bus, not a chip select
            buses.add(bus)
            lines = _SPI_LINES.get(bus, {})
            uses += [PinUse(pin, section, "bus", f"{name} of SPI {bus}") for name, pin in lines.items()]
        selects = _SPI_SELECTS.get(bus, ())
        if device < len(selects):
            uses.append(PinUse(selects[device], section, "device", f"CE{device} of SPI {bus}"))
        reset = values[section]["reset-pin"]
        if isinstance(reset, int):
            uses.append(PinUse(reset, section, "reset-pin"))
        elif kind.reset_pin is not None:
            uses.append(PinUse(kind.reset_pin, section, "reset-pin", "as the package has it"))
    return uses


def first_clash(values: Mapping[str, Mapping[str, Any]]) -> tuple[PinUse, PinUse] | None:
    """The first two uses of one pin, or None if every pin has one."""
    taken: dict[int, PinUse] = {}
    for use in pin_uses(values):
        if use.pin in taken:
            return taken[use.pin], use
        taken[use.pin] = use
    return None
