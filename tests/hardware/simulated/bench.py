"""A bare simulated chip with its registers in reach, for the tests of it; nothing of the driver."""

from __future__ import annotations

from hardware.rc522 import registers as reg
from hardware.simulated import SimulatedTag
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.clock import VirtualClock
from hardware.simulated.field import Field
from hardware.tags.iso14443a import with_crc


class Bench:
    """A bare chip, its registers in reach."""

    def __init__(self, *, version: int = 0x92) -> None:
        self.clock = VirtualClock()
        self.field = Field(self.clock)
        self.chip = SimulatedMfrc522(self.clock, self.field, version=version)

    def write(self, register: int, *values: int) -> None:
        self.chip.transfer([register << 1, *values])

    def read(self, register: int) -> int:
        return self.chip.transfer([register << 1 | 0x80, 0])[1]

    def wait(self, duration_us: int) -> None:
        self.clock.wait_us(duration_us)

    def set_up(self, timeout_us: int = 1_000) -> None:
        """A usual set-up: 25 µs a tick, full modulation, CRC preset 6363h, antenna on."""
        for register, value in (
            (reg.TIMER_MODE, 0x80),
            (reg.TIMER_PRESCALER, 0xA9),
            (reg.TIMER_RELOAD_HIGH, (timeout_us // 25) >> 8),
            (reg.TIMER_RELOAD_LOW, (timeout_us // 25) & 0xFF),
            (reg.TX_ASK, 0x40),
            (reg.MODE, 0x3D),
            (reg.TX_CONTROL, 0x83),
        ):
            self.write(register, value)
        self.wait(5_000)

    def begin(self, frame: bytes, framing: int = 0) -> None:
        self.write(reg.COMMAND, reg.IDLE)
        self.write(reg.COM_INTERRUPTS, 0x7F)
        self.write(reg.FIFO_LEVEL, reg.FLUSH)
        self.write(reg.FIFO_DATA, *frame)
        self.write(reg.BIT_FRAMING, framing)
        self.write(reg.COMMAND, reg.TRANSCEIVE)
        self.write(reg.BIT_FRAMING, framing | reg.START_SEND)

    def transceive(self, frame: bytes, framing: int = 0, wait_us: int = 5_000) -> bytes:
        self.begin(frame, framing)
        self.wait(wait_us)
        level = self.read(reg.FIFO_LEVEL)
        return bytes(self.chip.transfer([*[reg.FIFO_DATA << 1 | 0x80] * level, 0])[1:])

    def wake(self) -> bytes:
        return self.transceive(b"\x52", 0x07)

    def wake_without_crc(self) -> bytes:
        kept = self.read(reg.TX_MODE)
        self.write(reg.TX_MODE, kept & ~reg.CRC_ENABLE)
        answer = self.wake()
        self.write(reg.TX_MODE, kept)
        return answer


def lay(bench: Bench, *tags: SimulatedTag) -> None:
    for tag in tags:
        bench.field.place(tag)
    bench.wait(5_000)


def select_classic(bench: Bench, uid: bytes) -> None:
    bench.wake()
    check = bytes((uid[0] ^ uid[1] ^ uid[2] ^ uid[3],))
    assert bench.transceive(with_crc(b"\x93\x70" + uid + check))[0] == 0x08


def authenticate(bench: Bench, uid: bytes, key: bytes, block: int = 8) -> None:
    bench.write(reg.COMMAND, reg.IDLE)
    bench.write(reg.COM_INTERRUPTS, 0x7F)
    bench.write(reg.FIFO_LEVEL, reg.FLUSH)
    bench.write(reg.FIFO_DATA, 0x60, block, *key, *uid)
    bench.write(reg.COMMAND, reg.MIFARE_AUTHENTICATE)
    bench.wait(10_000)
