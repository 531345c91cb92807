"""The MFRC522's transmitter and receiver: one frame out, one answer in, each bit at its own time.

Works on the chip's registers, buffer and timer; which command runs and whether there is a carrier is the chip's
business. Source: MFRC522 data sheet rev. 3.9, sections 8.3 (buffer), 9.3 (registers) and 10.3.1 (commands).

Simplified on purpose: a frame leaves the buffer at once when it begins (no tag takes one longer than the
buffer), and a tag answers at 106 kbit/s alone.
"""

from __future__ import annotations

from typing import Final

from hardware.rc522 import registers as reg
from hardware.simulated.chip_units import CRC_PRESET_ON_THE_AIR, Timer, crc16, raise_alerts, raise_error
from hardware.simulated.clock import NEVER_NS
from hardware.simulated.field import Field, Reception

_ETU_NS: Final = reg.ELEMENTARY_TIME_NS
# Token exchange of MFAuthent: about 188 bit times and three frame delays.
_AUTHENTICATION_NS: Final = 188 * _ETU_NS + 300_000
_FRAME_DELAY_NS: Final = 91_150
AUTHENTICATION_BYTES: Final = 12  # key type, block, key, UID
# The timer is stopped by the fifth bit that is received (section 8.5).
_TIMER_STOP_BITS: Final = 6
_RECEIVER_ERRORS: Final = reg.COLLISION_ERROR | reg.CRC_ERROR | reg.PARITY_ERROR | reg.PROTOCOL_ERROR
_DRIVEN_BY_THE_ENCODER: Final = 0x10  # TX_SELECT bits 5..4
_FED_BY_THE_ANTENNA: Final = 0x80  # RX_SELECT bits 7..6


def _frame_ns(bits: int) -> int:
    """Air time: a start bit, the data with a parity bit for each whole byte, an end."""
    return (bits + bits // 8 + 2) * _ETU_NS


class Radio:
    """One exchange at a time, whose answer is worked out when it begins.

    ``sent_ns`` is when the last bit sent goes out, ``received_ns`` when the last bit of the answer is in;
    NEVER_NS if there is none. ``due_ns`` is the next moment at which something happens. ``listens``,
    ``has_guard_time`` and ``has_carrier`` are set by the chip.
    """

    def __init__(self, registers: list[int], fifo: bytearray, timer: Timer, field: Field) -> None:
        self._registers = registers
        self._fifo = fifo
        self._timer = timer
        self._field = field
        self._reception: Reception | None = None
        self._is_sent = True
        self._begins_ns = NEVER_NS
        self._incoming = b""  # what is left of the answer that comes in
        self._last_bits = self._errors = 0
        self._next_byte_ns = NEVER_NS
        self.authenticates = False
        self.waits_for_field = False
        self.listens = self.has_carrier = False
        self.has_guard_time = True
        self.sent_ns = self.received_ns = NEVER_NS

    @property
    def due_ns(self) -> int:
        if not self._is_sent:
            return self.sent_ns
        return min(self._begins_ns, self._next_byte_ns, self.received_ns)

    @property
    def is_sending(self) -> bool:
        return not self._is_sent

    @property
    def awaits_answer(self) -> bool:
        """Whether an answer is known to be on its way."""
        return self._reception is not None

    def abort(self) -> None:
        self.sent_ns = NEVER_NS
        self._is_sent = True
        self.authenticates = self.waits_for_field = False
        self._stop_receiving()

    def refuses_fifo(self, now_ns: int) -> bool:
        """Whether a byte written to the buffer now is a write error: from the last bit sent to the last one received
        (ErrorReg, WrErr)."""
        return self.listens and self.sent_ns <= now_ns

    def send(self, now_ns: int, *, last_bits: int) -> None:
        """Put the buffer on the air. The answer is computed at once and arrives at its own time."""
        registers = self._registers
        is_multiple = registers[reg.RX_MODE] & reg.RX_MULTIPLE and self.sent_ns != NEVER_NS
        if not self._is_sent or is_multiple:
            return  # the last bit must be out, and with RxMultiple the receiver is never left (section 10.3.1.8)
        self._stop_receiving()
        if registers[reg.MODE] & reg.TX_WAIT_FIELD and not self.has_carrier:
            self.waits_for_field = True
            return
        self.waits_for_field = False
        frame = bytes(self._fifo)
        self._fifo.clear()
        raise_alerts(registers, self._fifo)
        if registers[reg.TX_MODE] & reg.CRC_ENABLE:
            frame += crc16(frame, CRC_PRESET_ON_THE_AIR).to_bytes(2, "little")
        bits = len(frame) * 8 - (8 - last_bits if last_bits else 0)
        has_parity = not registers[reg.MIFARE_RX] & reg.PARITY_OFF
        speed = (registers[reg.TX_MODE] & reg.SPEED) >> 4
        self.sent_ns = now_ns + ((bits + (bits // 8 if has_parity else 0) + 2) * _ETU_NS >> speed)
        self._is_sent = False
        if not frame or not self._is_understood():
            return
        heard = (frame, bits) if has_parity else _without_parity(frame, bits)
        if heard is not None:
            encrypted = bool(registers[reg.STATUS_2] & reg.CRYPTO_ON)
            self._reception = self._field.transmit(*heard, now_ns, encrypted=encrypted)

    def _is_understood(self) -> bool:
        """Whether what is sent is a frame that a tag can read: carrier, speed, modulation, nothing tested."""
        registers = self._registers
        return bool(
            self.has_carrier
            and registers[reg.TX_ASK] & reg.FORCE_FULL_MODULATION
            and not registers[reg.TX_MODE] & (reg.SPEED | reg.INVERTED_MODULATION)
            and registers[reg.TX_SELECT] & 0x30 == _DRIVEN_BY_THE_ENCODER
            and not registers[reg.AUTO_TEST] & reg.SELF_TEST
        )

    def authenticate(self, now_ns: int) -> None:
        """Begin an authentication with what is in the buffer (section 10.3.1.9)."""
        registers = self._registers
        data = bytes(self._fifo[:AUTHENTICATION_BYTES])
        del self._fifo[:AUTHENTICATION_BYTES]
        raise_alerts(registers, self._fifo)
        self.authenticates = True
        self.sent_ns = now_ns + _frame_ns(32)
        self._is_sent = False
        encrypted = bool(registers[reg.STATUS_2] & reg.CRYPTO_ON)
        registers[reg.STATUS_2] &= ~reg.CRYPTO_ON
        if self._is_understood() and self._field.authenticate(
            data[0], data[1], data[2:8], data[8:], now_ns, encrypted=encrypted
        ):
            self.received_ns = now_ns + _AUTHENTICATION_NS

    def end_sending(self) -> None:
        self._is_sent = True
        registers = self._registers
        if not self.authenticates:  # MFAuthent blocks TxIRq and RxIRq
            registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_TX
        self.start_receiver()
        if registers[reg.TIMER_MODE] & reg.TIMER_AUTO:
            self._timer.start(self.sent_ns)
            # A card that will agree sends its first token at once, and so on until the last one.
            first_token_ns = self.sent_ns + _FRAME_DELAY_NS + _TIMER_STOP_BITS * _ETU_NS
            if self.received_ns != NEVER_NS and first_token_ns <= self._timer.due_ns:
                self._timer.stop(first_token_ns)
        if self._reception is not None:
            self._begins_ns = self.sent_ns + self._reception.delay_ns

    def start_receiver(self) -> None:
        """Clear what the last reception left: errors of its own, and where a collision was (section 9.3.1.7)."""
        self._registers[reg.ERROR] &= ~_RECEIVER_ERRORS
        self._registers[reg.COLLISION] |= reg.COLLISION_POSITION_INVALID

    def receive(self, now_ns: int) -> None:
        """Let what has come until now happen; the end of an answer is left to :meth:`end_receiving`."""
        if self._begins_ns <= now_ns:
            self._begin_receiving()
        data = self._incoming
        if not data:
            return
        while data and self._next_byte_ns <= now_ns:
            if len(self._fifo) < reg.FIFO_BYTES:
                self._fifo.append(data[0])
            else:
                raise_error(self._registers, reg.BUFFER_OVERFLOW)
            data = data[1:]
            self._next_byte_ns = min(self._next_byte_ns + 9 * _ETU_NS, self.received_ns) if data else NEVER_NS
        self._incoming = data
        raise_alerts(self._registers, self._fifo)

    def end_receiving(self) -> None:
        """Raise what the end of an answer raises."""
        registers = self._registers
        if self.authenticates:
            self.abort()
            registers[reg.STATUS_2] |= reg.CRYPTO_ON
            return
        self.receive(self.received_ns)
        registers[reg.CONTROL] = registers[reg.CONTROL] & ~0x07 | self._last_bits
        raise_error(registers, self._errors)
        registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_RX
        if not registers[reg.RX_MODE] & reg.RX_MULTIPLE:
            self.sent_ns = NEVER_NS
        elif len(self._fifo) < reg.FIFO_BYTES:
            self._fifo.append(registers[reg.ERROR])  # an error byte ends each stream (RxModeReg, RxMultiple)
        raise_alerts(registers, self._fifo)
        self._stop_receiving()

    def _stop_receiving(self) -> None:
        self._reception = None
        self._incoming = b""
        self._begins_ns = self._next_byte_ns = self.received_ns = NEVER_NS

    def _begin_receiving(self) -> None:
        """The first bit of an answer is there: take it in, unless the receiver is off, deaf or not at this speed."""
        reception, registers = self._reception, self._registers
        began_ns, self._begins_ns = self._begins_ns, NEVER_NS
        is_too_short = reception is not None and reception.bits < 4 and registers[reg.RX_MODE] & reg.RX_NO_ERROR
        if (
            reception is None
            or not self.listens
            or registers[reg.RX_MODE] & reg.SPEED
            or registers[reg.RX_SELECT] & 0xC0 != _FED_BY_THE_ANTENNA
            or began_ns < self.sent_ns + self._guard_ns
            or is_too_short
        ):
            self._reception = None
            return
        if not registers[reg.RX_MODE] & reg.RX_MULTIPLE:
            fifth_bit_ns = began_ns + _TIMER_STOP_BITS * _ETU_NS
            if fifth_bit_ns <= self._timer.due_ns:
                self._timer.stop(fifth_bit_ns)
        self.received_ns = began_ns + _frame_ns(reception.bits)
        self._incoming = self._decode(reception)
        align = registers[reg.BIT_FRAMING] >> 4 & 0x07
        first_ns = began_ns + (10 - align) * _ETU_NS
        self._next_byte_ns = min(first_ns, self.received_ns) if self._incoming else NEVER_NS

    @property
    def _guard_ns(self) -> int:
        """How long after its own frame the receiver is deaf (RxSelReg, RxWait); Receive knows no such time."""
        return (self._registers[reg.RX_SELECT] & 0x3F) * _ETU_NS if self.has_guard_time else 0

    def _decode(self, reception: Reception) -> bytes:
        """The bytes that an answer puts into the buffer, shifted by RxAlign and cut at a collision; its errors and
        the bits of its last byte are kept for its end."""
        registers = self._registers
        align = registers[reg.BIT_FRAMING] >> 4 & 0x07
        data, bits = reception.data, reception.bits
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
        if registers[reg.MIFARE_RX] & reg.PARITY_OFF:
            data, bits = _with_parity(data, bits, last_is_wrong=reception.parity_wrong)
        elif reception.parity_wrong:
            error |= reg.PARITY_ERROR
        bits += align
        if align:
            data = (int.from_bytes(data, "little") << align).to_bytes((bits + 7) // 8, "little")
        if reception.start_wrong:
            error |= reg.PROTOCOL_ERROR
        if registers[reg.RX_MODE] & reg.CRC_ENABLE:
            # An answer without a CRC, an ATQA for one, fails like one with a wrong one. Unverified: the two bytes
            # of the CRC do not stay in the buffer.
            if crc16(data[:-2], CRC_PRESET_ON_THE_AIR).to_bytes(2, "little") != data[-2:]:
                error |= reg.CRC_ERROR
            if bits >= 16:
                data = data[:-2]
        self._errors = error
        self._last_bits = bits % 8
        return data

    def state(self, now_ns: int, *, is_transceive: bool) -> int:
        """Status2Reg bits 2..0: idle, waiting for StartSend, for the field, sending, deaf, waiting for data,
        receiving."""
        if self.waits_for_field:
            return 2
        if not self._is_sent:
            return 3
        if self.received_ns != NEVER_NS and not self.authenticates:
            return 6
        if self.listens and self.sent_ns != NEVER_NS:
            return 4 if now_ns < self.sent_ns + self._guard_ns else 5
        if is_transceive:
            return 1
        return 5 if self.listens else 0


def _bits_of(data: bytes, bits: int) -> list[int]:
    value = int.from_bytes(data, "little")
    return [value >> place & 1 for place in range(bits)]


def _packed(bits: list[int]) -> tuple[bytes, int]:
    value = sum(bit << place for place, bit in enumerate(bits))
    return value.to_bytes((len(bits) + 7) // 8, "little"), len(bits)


def _with_parity(data: bytes, bits: int, *, last_is_wrong: bool) -> tuple[bytes, int]:
    """What came in with each parity bit as one more bit of data (MfRxReg, ParityDisable)."""
    stream: list[int] = []
    for start in range(0, bits, 8):
        byte = _bits_of(data, bits)[start : start + 8]
        stream += byte
        if len(byte) == 8:
            stream.append(1 - sum(byte) % 2)
    if last_is_wrong and bits >= 8:
        stream[bits // 8 * 9 - 1] ^= 1
    return _packed(stream)


def _without_parity(data: bytes, bits: int) -> tuple[bytes, int] | None:
    """The frame that a tag reads from bits sent without added parity, or None where a parity bit is not right."""
    stream = _bits_of(data, bits)
    frame: list[int] = []
    for start in range(0, bits, 9):
        group = stream[start : start + 9]
        if len(group) == 9 and sum(group) % 2 == 0:
            return None
        if len(group) == 8:
            return None  # a whole byte without its parity bit
        frame += group[:8]
    return _packed(frame)
