"""The MFRC522's timer, CRC unit and buffer alerts, which work beside the rest of the chip.

Source: MFRC522 data sheet rev. 3.9, sections 8.5 (timer) and 8.1.4 (CRC coprocessor).
"""

from __future__ import annotations

from typing import Final

from hardware import mfrc522_registers as reg
from hardware.simulated.clock import NEVER_NS

CRC_PRESETS: Final = (0x0000, 0x6363, 0xA671, 0xFFFF)


class Timer:
    """Counts down from the reload value, on the chip's *registers*.

    ``due_ns`` is when it runs out, or NEVER_NS while it stands still. ``works`` is false for a chip whose
    timer never reports its end.
    """

    def __init__(self, registers: list[int]) -> None:
        self._registers = registers
        self._from_ns = NEVER_NS
        self.due_ns = NEVER_NS
        self.works = True

    def start(self, from_ns: int) -> None:
        self._from_ns = from_ns
        self.due_ns = from_ns + int((self._reload() + 1) * self._tick_ns())

    def stop(self) -> None:
        self.due_ns = NEVER_NS

    def expire(self) -> None:
        """Run out: raise the interrupt, and begin again if that is set."""
        registers = self._registers
        due_ns, self.due_ns = self.due_ns, NEVER_NS
        if self.works:
            registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_TIMER
        if registers[reg.TIMER_MODE] & reg.TIMER_AUTO_RESTART:
            self.start(due_ns)

    def value(self, now_ns: int) -> int:
        """What the counter shows."""
        if self.due_ns == NEVER_NS:
            return 0
        return max(0, self._reload() - int((now_ns - self._from_ns) / self._tick_ns()))

    def _reload(self) -> int:
        return self._registers[reg.TIMER_RELOAD_HIGH] << 8 | self._registers[reg.TIMER_RELOAD_LOW]

    def _tick_ns(self) -> float:
        registers = self._registers
        prescaler = (registers[reg.TIMER_MODE] & 0x0F) << 8 | registers[reg.TIMER_PRESCALER]
        extra = 2 if registers[reg.DEMODULATOR] & reg.PRESCALER_EVEN else 1
        return (2 * prescaler + extra) * 1e9 / reg.CARRIER_HZ


def raise_alerts(registers: list[int], fifo: bytearray) -> None:
    """The two level alerts come back at once after being cleared, for as long as the level stands."""
    level = len(fifo)
    water = registers[reg.WATER_LEVEL]
    if level <= water:
        registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_LOW_ALERT
    if reg.FIFO_BYTES - level <= water:
        registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_HIGH_ALERT


def crc16(data: bytes, preset: int, *, reversed_bits: bool = False) -> int:
    """The CRC unit: ISO/IEC 13239, polynomial 1021h, least significant bit first unless *reversed_bits*."""
    value = preset
    for byte in data:
        if reversed_bits:
            byte = int(f"{byte:08b}"[::-1], 2)
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ 0x8408 if value & 1 else value >> 1
    return value
