"""The MFRC522's transmitter and receiver: one frame out, one answer in, each at its own time.

Works on the chip's registers, buffer and timer; which command runs is the chip's business. Source: MFRC522
data sheet rev. 3.9, sections 8.3 (buffer), 9.3.1 (error, control, framing and collision registers) and
10.3.1.
"""

from __future__ import annotations

from typing import Final

from hardware import mfrc522_registers as reg
from hardware.simulated.chip_units import CRC_PRESETS, Timer, crc16, raise_alerts
from hardware.simulated.clock import NEVER_NS
from hardware.simulated.field import Field, Reception

_ETU_NS: Final = reg.ELEMENTARY_TIME_NS
# Token exchange of MFAuthent: about 188 bit times and three frame delays.
_AUTHENTICATION_NS: Final = 188 * _ETU_NS + 300_000
AUTHENTICATION_BYTES: Final = 12  # key type, block, key, UID
# The timer is stopped by the fifth bit that is received (section 8.5).
_TIMER_STOP_BITS: Final = 6
_RECEIVER_ERRORS: Final = reg.COLLISION_ERROR | reg.CRC_ERROR | reg.PARITY_ERROR | reg.PROTOCOL_ERROR


def _frame_ns(bits: int) -> int:
    """Air time: a start bit, the data with a parity bit for each whole byte, an end."""
    return (bits + bits // 8 + 2) * _ETU_NS


class Radio:
    """One exchange at a time, whose answer is worked out when it begins.

    ``sent_ns`` is when the last bit sent goes out, ``received_ns`` when the last bit of the answer is in;
    NEVER_NS if there is none. ``due_ns`` is the next of the two that has not happened yet.
    """

    def __init__(self, registers: list[int], fifo: bytearray, timer: Timer, field: Field) -> None:
        self._registers = registers
        self._fifo = fifo
        self._timer = timer
        self._field = field
        self._reception: Reception | None = None
        self._is_sent = True
        self.authenticates = False
        self.sent_ns = self.received_ns = NEVER_NS

    @property
    def due_ns(self) -> int:
        return self.received_ns if self._is_sent else min(self.sent_ns, self.received_ns)

    @property
    def is_sending(self) -> bool:
        return not self._is_sent

    @property
    def awaits_answer(self) -> bool:
        """Whether an answer is known to be on its way."""
        return self._reception is not None

    def abort(self) -> None:
        self.sent_ns = self.received_ns = NEVER_NS
        self._is_sent = True
        self._reception = None
        self.authenticates = False

    def refuses_fifo(self, now_ns: int) -> bool:
        """Whether a byte written to the buffer now is a write error."""
        return self.authenticates or self.sent_ns <= now_ns < self.received_ns < NEVER_NS

    def send(self, now_ns: int) -> None:
        """Put the buffer on the air. The answer is computed at once and arrives at its own time."""
        registers = self._registers
        frame = bytes(self._fifo)
        self._fifo.clear()
        raise_alerts(registers, self._fifo)
        last_bits = registers[reg.BIT_FRAMING] & 0x07
        if registers[reg.TX_MODE] & reg.CRC_ENABLE:
            frame += crc16(frame, CRC_PRESETS[registers[reg.MODE] & 0x03]).to_bytes(2, "little")
        bits = len(frame) * 8 - (8 - last_bits if last_bits else 0)
        self.sent_ns = now_ns + _frame_ns(bits)
        self._is_sent = False
        self.received_ns = NEVER_NS
        self._reception = None
        can_be_heard = (
            frame
            and registers[reg.TX_CONTROL] & reg.ANTENNA_DRIVERS
            and registers[reg.TX_ASK] & reg.FORCE_FULL_MODULATION
        )
        if can_be_heard:
            encrypted = bool(registers[reg.STATUS_2] & reg.CRYPTO_ON)
            reception = self._field.transmit(frame, bits, now_ns, encrypted=encrypted)
            guard_ns = (registers[reg.RX_SELECT] & 0x3F) * _ETU_NS
            if reception is not None and reception.delay_ns >= guard_ns:
                self._reception = reception
                self.received_ns = self.sent_ns + reception.delay_ns + _frame_ns(reception.bits)

    def authenticate(self, now_ns: int) -> None:
        """Begin an authentication with what is in the buffer (section 10.3.1.9)."""
        data = bytes(self._fifo[:AUTHENTICATION_BYTES])
        del self._fifo[:AUTHENTICATION_BYTES]
        raise_alerts(self._registers, self._fifo)
        self.authenticates = True
        self.sent_ns = now_ns + _frame_ns(32)
        self._is_sent = False
        if self._field.authenticate(data[0], data[1], data[2:8], data[8:], now_ns):
            self.received_ns = now_ns + _AUTHENTICATION_NS

    def end_sending(self) -> None:
        self._is_sent = True
        registers = self._registers
        registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_TX
        # The receiver starts: its own errors are cleared (section 9.3.1.7).
        registers[reg.ERROR] &= ~_RECEIVER_ERRORS
        registers[reg.COLLISION] |= reg.COLLISION_POSITION_INVALID
        if registers[reg.TIMER_MODE] & reg.TIMER_AUTO:
            self._timer.start(self.sent_ns)
            self._stop_timer_in_time()

    def _stop_timer_in_time(self) -> None:
        """Stop the timer beforehand if the fifth bit of the answer will come before it runs out."""
        if self._registers[reg.RX_MODE] & reg.RX_MULTIPLE:
            return
        if self._reception is not None:
            fifth_bit_ns = self.sent_ns + self._reception.delay_ns + _TIMER_STOP_BITS * _ETU_NS
        else:
            fifth_bit_ns = self.received_ns  # an authentication, or nothing at all
        if fifth_bit_ns <= self._timer.due_ns:
            self._timer.stop()

    def end_receiving(self, *, listens: bool) -> None:
        """Take the answer into the buffer, if the chip listens, and raise what an answer raises."""
        self.sent_ns, self.received_ns = self.received_ns, NEVER_NS
        registers = self._registers
        if self.authenticates:
            self.authenticates = False
            registers[reg.STATUS_2] |= reg.CRYPTO_ON
            return
        reception, self._reception = self._reception, None
        if reception is None or not listens:
            return
        self._store(reception)
        registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_RX
        if registers[reg.ERROR]:
            registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_ERROR
        raise_alerts(registers, self._fifo)

    def _store(self, reception: Reception) -> None:
        """Put an answer into the buffer, shifted by RxAlign and cut at a collision."""
        registers = self._registers
        align = registers[reg.BIT_FRAMING] >> 4 & 0x07
        data, bits = reception.data, reception.bits + align
        error = 0
        if reception.collision_bit >= 0:
            error |= reg.COLLISION_ERROR
            # Unverified: the position counts bits of the buffer, RxAlign included (NXP's RC523 code).
            position = reception.collision_bit + align + 1
            if position <= 32:
                registers[reg.COLLISION] = registers[reg.COLLISION] & 0x80 | position & 0x1F
            if not registers[reg.COLLISION] & reg.VALUES_AFTER_COLLISION:
                kept = int.from_bytes(data, "little") & ((1 << reception.collision_bit) - 1)
                data = kept.to_bytes(len(data), "little")
        if align:
            data = (int.from_bytes(data, "little") << align).to_bytes((bits + 7) // 8, "little")
        if reception.parity_wrong and not registers[reg.MIFARE_RX] & 0x10:
            error |= reg.PARITY_ERROR
        if reception.start_wrong:
            error |= reg.PROTOCOL_ERROR
        if registers[reg.RX_MODE] & reg.CRC_ENABLE and bits >= 24:
            # Unverified: the two bytes of the CRC do not stay in the buffer.
            preset = CRC_PRESETS[registers[reg.MODE] & 0x03]
            if crc16(data[:-2], preset).to_bytes(2, "little") != data[-2:]:
                error |= reg.CRC_ERROR
            data = data[:-2]
        room = reg.FIFO_BYTES - len(self._fifo)
        if len(data) > room:
            error |= reg.BUFFER_OVERFLOW
        self._fifo += data[:room]
        registers[reg.CONTROL] = registers[reg.CONTROL] & ~0x07 | bits % 8
        registers[reg.ERROR] |= error

    def state(self, now_ns: int, *, is_transceive: bool) -> int:
        """Status2Reg bits 2..0: idle, waiting for StartSend, sending, waiting for data, receiving."""
        if self.sent_ns == NEVER_NS:
            return 1 if is_transceive else 0
        if now_ns < self.sent_ns:
            return 3
        if self._reception is not None and now_ns >= self.sent_ns + self._reception.delay_ns:
            return 6
        return 5
