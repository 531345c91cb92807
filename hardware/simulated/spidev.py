"""The SPI bus as ``spidev`` offers it, with simulated chips at its chip selects.

A transfer costs virtual time, and the bus can fail: stuck lines, a missing device, an error of the kernel.
What a chip does with the bytes is ``chip``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType
from typing import Final, Protocol, cast

from hardware.simulated.clock import VirtualClock

# What one transfer costs beside its bits: the system call, the controller, chip select.
TRANSFER_NS: Final = 20_000


class SpiChip(Protocol):
    """A chip behind a chip select."""

    clock: VirtualClock

    def transfer(self, data: list[int]) -> list[int]: ...


class SimulatedSpiDev:
    """An object like ``spidev.SpiDev``.

    :param chips: chip by (bus, device); any other address is a file that does not exist.

    ``transfers`` and ``bytes_moved`` count what went over the bus. ``stuck_at`` (00h or FFh) makes MISO a
    dead wire, ``error`` is raised by each transfer as the kernel would, ``damage`` changes what comes back.
    """

    def __init__(self, chips: Mapping[tuple[int, int], SpiChip] = MappingProxyType({})) -> None:
        self._chips = chips
        self._chip: SpiChip | None = None
        self.max_speed_hz = 500_000
        self.mode = 0
        self.bits_per_word = 8
        self.transfers = 0
        self.bytes_moved = 0
        self.stuck_at: int | None = None
        self.error: OSError | None = None
        self.damage: Callable[[list[int]], list[int]] | None = None

    def open(self, bus: int, device: int) -> None:
        chip = self._chips.get((bus, device))
        if chip is None:
            raise FileNotFoundError(2, "No such file or directory")
        self._chip = chip

    def close(self) -> None:
        self._chip = None

    def xfer2(self, data: list[int]) -> list[int]:
        chip = self._chip
        if chip is None:
            raise OSError(9, "Bad file descriptor")
        if self.error is not None:
            raise self.error
        size = len(data)
        self.transfers += 1
        self.bytes_moved += size
        chip.clock.now_ns += TRANSFER_NS + size * 8_000_000_000 // self.max_speed_hz
        if self.stuck_at is not None:
            return [self.stuck_at] * size
        reply = chip.transfer(data)
        return reply if self.damage is None else self.damage(reply)

    # py-spidev's other names for a transfer; both send a single one in its default build.
    xfer = xfer2


def as_module(chips: Mapping[tuple[int, int], SpiChip]) -> ModuleType:
    """A module that stands in for ``spidev`` where a library imports it by name."""

    class SpiDev(SimulatedSpiDev):
        def __init__(self) -> None:
            super().__init__(chips)

    module = ModuleType("spidev")
    cast("dict[str, object]", vars(module))["SpiDev"] = SpiDev
    return module
