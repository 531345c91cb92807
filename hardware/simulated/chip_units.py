"""What works beside the MFRC522's command and radio: timer, CRC unit, buffer alerts, which bits a write reaches,
and what the self-test leaves.

Each is a small thing on the chip's registers, with no idea of commands or the air. Source: MFRC522 data sheet
rev. 3.9, sections 8.5 (timer), 8.1.4 (CRC coprocessor), 9.3 (registers) and 16.1.1 (self-test).
"""

from __future__ import annotations

from typing import Final

from hardware.rc522 import registers as reg
from hardware.simulated.clock import NEVER_NS

CRC_PRESETS: Final = (0x0000, 0x6363, 0xA671, 0xFFFF)
# While the chip communicates it takes this one by itself, whatever is set for its CRC unit (ModeReg, CRCPreset).
CRC_PRESET_ON_THE_AIR: Final = 0x6363


class Timer:
    """Counts down from the reload value, on the chip's *registers*.

    The reload value and the step are taken over when it starts; a change meanwhile waits for the next start.
    ``due_ns`` is when it runs out, or NEVER_NS while it stands still. ``works`` is false for a chip whose
    timer never reports its end.
    """

    def __init__(self, registers: list[int]) -> None:
        self._registers = registers
        self._from_ns = 0
        self._reload = 0
        self._tick_ns = 0.0
        self._stands_at = 0
        self._left_ns = 0
        self.due_ns = NEVER_NS
        self.works = True

    def reset(self) -> None:
        self.due_ns = NEVER_NS
        self._stands_at = self._left_ns = 0

    def start(self, from_ns: int) -> None:
        registers = self._registers
        self._left_ns = 0
        self._reload = registers[reg.TIMER_RELOAD_HIGH] << 8 | registers[reg.TIMER_RELOAD_LOW]
        if registers[reg.TIMER_MODE] & reg.TIMER_GATED:
            # Counts only while the gate pin is high; nothing is wired to it.
            self._stands_at = self._reload
            self.due_ns = NEVER_NS
            return
        prescaler = (registers[reg.TIMER_MODE] & 0x0F) << 8 | registers[reg.TIMER_PRESCALER]
        extra = 2 if registers[reg.DEMODULATOR] & reg.PRESCALER_EVEN else 1
        self._tick_ns = (2 * prescaler + extra) * 1e9 / reg.CARRIER_HZ
        self._from_ns = from_ns
        self.due_ns = from_ns + int((self._reload + 1) * self._tick_ns)

    def stop(self, now_ns: int) -> None:
        """Stand still; the counter goes on showing what it had come to."""
        if self.due_ns != NEVER_NS:
            self._stands_at = self.value(now_ns)
            self.due_ns = NEVER_NS
        self._left_ns = 0

    def freeze(self, now_ns: int) -> None:
        """Lose the clock, as in soft power-down."""
        if self.due_ns != NEVER_NS:
            left_ns = self.due_ns - now_ns
            self.stop(now_ns)
            self._left_ns = left_ns

    def thaw(self, now_ns: int) -> None:
        """Go on from where the clock was lost."""
        if self._left_ns:
            self.due_ns = now_ns + self._left_ns
            self._from_ns = self.due_ns - int((self._reload + 1) * self._tick_ns)
            self._left_ns = 0

    def expire(self) -> None:
        """Run out: raise the interrupt, and begin again if that is set."""
        registers = self._registers
        due_ns, self.due_ns = self.due_ns, NEVER_NS
        self._stands_at = 0
        if self.works:
            registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_TIMER
        if registers[reg.TIMER_MODE] & reg.TIMER_AUTO_RESTART:
            self.start(due_ns)

    def value(self, now_ns: int) -> int:
        """What the counter shows."""
        if self.due_ns == NEVER_NS:
            return self._stands_at
        return max(0, self._reload - int((now_ns - self._from_ns) / self._tick_ns))


def raise_alerts(registers: list[int], fifo: bytearray) -> None:
    """The two level alerts come back at once after being cleared, for as long as the level stands."""
    level = len(fifo)
    water = registers[reg.WATER_LEVEL]
    if level <= water:
        registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_LOW_ALERT
    if reg.FIFO_BYTES - level <= water:
        registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_HIGH_ALERT


def raise_error(registers: list[int], error: int) -> None:
    """Set bits of ErrorReg; any of them is an interrupt (ComIrqReg, ErrIRq)."""
    if error:
        registers[reg.ERROR] |= error
        registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_ERROR


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


# Which bits of a register a write reaches; the others are reserved, read-only or act by themselves, and keep
# their value. A register that is not named here takes nothing at all.
_WRITABLE_BITS: Final = {
    reg.COM_INTERRUPT_ENABLE: 0xFF,
    reg.DIV_INTERRUPT_ENABLE: 0x94,
    reg.WATER_LEVEL: 0x3F,
    reg.BIT_FRAMING: 0x77,  # StartSend is written only and always reads 0
    reg.COLLISION: 0x80,
    reg.MODE: 0xAB,
    reg.TX_MODE: 0xF8,
    reg.RX_MODE: 0xFC,
    reg.TX_CONTROL: 0xFB,
    reg.TX_ASK: 0x40,
    reg.TX_SELECT: 0x3F,
    reg.RX_SELECT: 0xFF,
    reg.RX_THRESHOLD: 0xF7,
    reg.DEMODULATOR: 0xFF,
    reg.MIFARE_TX: 0x03,
    reg.MIFARE_RX: 0x10,
    reg.SERIAL_SPEED: 0xFF,
    reg.MODULATION_WIDTH: 0xFF,
    reg.RECEIVER_GAIN: 0x70,
    reg.GS_N: 0xFF,
    reg.CW_GS_P: 0x3F,
    reg.MODULATION_GS_P: 0x3F,
    reg.TIMER_MODE: 0xFF,
    reg.TIMER_PRESCALER: 0xFF,
    reg.TIMER_RELOAD_HIGH: 0xFF,
    reg.TIMER_RELOAD_LOW: 0xFF,
    reg.TEST_SELECT_1: 0x07,
    reg.TEST_SELECT_2: 0xFF,
    reg.TEST_PIN_ENABLE: 0xFE,
    reg.TEST_PIN_VALUE: 0xFE,
    reg.AUTO_TEST: 0x4F,
    reg.ANALOG_TEST: 0xFF,
    reg.TEST_DAC_1: 0x3F,
    reg.TEST_DAC_2: 0x3F,
}


def writable_bits(version: int) -> list[int]:
    """For each register the bits that a plain write reaches; version 1.0 has no TPrescalEven."""
    bits = [_WRITABLE_BITS.get(register, 0) for register in range(reg.REGISTER_COUNT)]
    if version in (0x90, 0x91):
        bits[reg.DEMODULATOR] &= ~reg.PRESCALER_EVEN
    return bits


# What the buffer holds after the self-test (section 16.1.1 for versions 1.0 and 2.0; 0.0 and the FM17522 as
# people reported them). Other clones fail it in every report.
_SELF_TEST_RESULTS: Final = {
    0x90: "00 87 98 0F 49 FF 07 19 BF 22 30 49 59 63 AD CA 7F E3 4E 03 5C 4E 49 50 47 9A 37 61 E7 E2 C6 2E"
    "75 5A ED 04 3D 02 4B 78 32 FF 58 3B 7C E9 00 94 B4 4A 59 5B FD C9 29 DF 35 96 98 9E 4F 30 32 8D",
    0x91: "00 C6 37 D5 32 B7 57 5C C2 D8 7C 4D D9 70 C7 73 10 E6 D2 AA 5E A1 3E 5A 14 AF 30 61 C9 70 DB 2E"
    "64 22 72 B5 BD 65 F4 EC 22 BC D3 72 35 CD AA 41 1F A7 F3 53 14 DE 7E 02 D9 0F B5 5E 25 1D 29 79",
    0x92: "00 EB 66 BA 57 BF 23 95 D0 E3 0D 3D 27 89 5C DE 9D 3B A7 00 21 5B 89 82 51 3A EB 02 0C A5 00 49"
    "7C 84 4D B3 CC D2 1B 81 5D 48 76 D5 71 61 21 A9 86 96 83 38 CF 9D 5B 6D DC 15 BA 3E 7D 95 3B 2F",
    0x88: "00 D6 78 8C E2 AA 0C 18 2A B8 7A 7F D3 6A CF 0B B1 37 63 4B 69 AE 91 C7 C3 97 AE 77 F4 37 D7 9B"
    "7C F5 3C 11 8F 15 C3 D7 C1 5B 00 2A D0 75 DE 9E 51 64 AB 3E E9 15 B5 AB 56 9A 98 82 26 EA 2A 62",
}


def self_test_result(version: int, seed: bytes) -> bytes:
    """The 64 bytes of a self-test that began with *seed*, which is zeros if it was begun as the sheet says.

    Unverified: what another seed gives. Here each gives something else, so that a skipped step shows.
    """
    result = bytes.fromhex(_SELF_TEST_RESULTS.get(version, "00" * reg.FIFO_BYTES))
    if any(seed):
        result = bytes(byte ^ seed[place % len(seed)] for place, byte in enumerate(result))
    return result
