"""What a bus is to the driver: one transfer, framed by chip select, at a time.

Shapes and adapters only; opening a bus is ``board``, and what the bytes mean is ``rc522``.
"""

from __future__ import annotations

from typing import Protocol


class SpiTransfer(Protocol):
    """What the driver needs of a bus; ``spidev.SpiDev`` has it."""

    def xfer2(self, data: list[int]) -> list[int]: ...

    def close(self) -> None: ...


class SingleTransfers:
    """A bus that moves one byte a transfer, for clones and libraries that can't do more."""

    def __init__(self, spi: SpiTransfer) -> None:
        self._spi = spi

    def xfer2(self, data: list[int]) -> list[int]:
        first = data[0]
        if first & 0x80:
            return [0, *(self._spi.xfer2([address, 0])[1] for address in data[:-1])]
        for value in data[1:]:
            self._spi.xfer2([first, value])
        return [0] * len(data)

    def close(self) -> None:
        self._spi.close()
