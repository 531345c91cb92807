"""The MFRC522 at register level: what the chip does with each transfer on its SPI bus.

Registers, commands, buffer, timer, interrupts and CRC unit live here, on virtual time. Tags and the air are
``field``; the bus, its cost and its faults are ``spidev``. Source: MFRC522 data sheet rev. 3.9, sections 8
to 10. Two things the sheet leaves open are marked "unverified": no real chip was at hand.

Simplified on purpose: received bytes enter the buffer at the end of their frame, not one by one, and the
analogue registers only keep what is written.
"""

from __future__ import annotations

import random
from typing import Final

from hardware import mfrc522_registers as reg
from hardware.simulated.clock import VirtualClock
from hardware.simulated.field import NEVER_NS, Field, Reception

_RESET_VALUES: Final = {
    reg.COMMAND: 0x20,
    reg.COM_INTERRUPT_ENABLE: 0x80,
    reg.COM_INTERRUPTS: 0x14,
    reg.STATUS_1: 0x21,
    reg.WATER_LEVEL: 0x08,
    reg.CONTROL: 0x10,
    reg.COLLISION: 0xA0,
    reg.MODE: 0x3F,
    reg.TX_CONTROL: 0x80,
    reg.TX_SELECT: 0x10,
    reg.RX_SELECT: 0x84,
    reg.RX_THRESHOLD: 0x84,
    reg.DEMODULATOR: 0x4D,
    reg.MIFARE_TX: 0x62,
    reg.SERIAL_SPEED: 0xEB,
    reg.CRC_RESULT_HIGH: 0xFF,
    reg.CRC_RESULT_LOW: 0xFF,
    reg.MODULATION_WIDTH: 0x26,
    reg.RECEIVER_GAIN: 0x48,
    reg.GS_N: 0x88,
    reg.CW_GS_P: 0x20,
    reg.MODULATION_GS_P: 0x20,
    reg.AUTO_TEST: 0x40,
}
_READ_ONLY: Final = frozenset(
    {
        reg.ERROR,
        reg.STATUS_1,
        reg.CRC_RESULT_HIGH,
        reg.CRC_RESULT_LOW,
        reg.TIMER_COUNTER_HIGH,
        reg.TIMER_COUNTER_LOW,
        reg.VERSION,
    }
)
_CRC_PRESETS: Final = (0x0000, 0x6363, 0xA671, 0xFFFF)
_ETU_NS: Final = reg.ELEMENTARY_TIME_NS
# The oscillator's start after a reset (38 µs) and the crystal's own.
_WAKE_NS: Final = 1_000_000
# Token exchange of MFAuthent: about 188 bit times and three frame delays.
_AUTHENTICATION_NS: Final = 188 * _ETU_NS + 300_000
# The timer is stopped by the fifth bit that is received (section 8.5).
_TIMER_STOP_BITS: Final = 6


def _frame_ns(bits: int) -> int:
    """Air time: a start bit, the data with a parity bit for each whole byte, an end."""
    return (bits + bits // 8 + 2) * _ETU_NS


class SimulatedMfrc522:
    """A chip with its antenna in *field*.

    :param clock: shared with the bus, which spends the transfers' time on it.
    :param version: value of the version register; clones have 12h, 88h, 89h or B2h.
    """

    def __init__(self, clock: VirtualClock, field: Field, *, version: int = 0x92) -> None:
        self.clock = clock
        self.field = field
        self.version = version
        self.wake_ns = _WAKE_NS
        self.timer_works = True
        # Unverified: whether a StartSend left at 1 starts the next Transceive by itself.
        self.start_is_sticky = False
        self.registers = [0] * reg.REGISTER_COUNT
        self.fifo = bytearray()
        self._internal = bytearray(25)
        self._random = random.Random(version)
        self._command = reg.IDLE
        self._reception: Reception | None = None
        self._due_ns = self._sent_ns = self._received_ns = self._timer_ns = self._wakes_ns = NEVER_NS
        self._timer_from_ns = NEVER_NS
        self._is_sent = True
        self._authenticates = False
        self._crc = 0
        self.brown_out()

    # What a test may do to a chip.

    def brown_out(self) -> None:
        """Fall back to the values after power-on, as after a dip of the supply; the field goes off."""
        self.registers[:] = [0] * reg.REGISTER_COUNT
        for register, value in _RESET_VALUES.items():
            self.registers[register] = value
        self.registers[reg.VERSION] = self.version
        self._crc = 0xFFFF
        self.fifo.clear()
        self._command = reg.IDLE
        self._abort()
        self._timer_ns = self._timer_from_ns = self._wakes_ns = NEVER_NS
        self._plan()
        self.field.switch(False, self.clock.now_ns)

    def overheat(self) -> None:
        """Raise the temperature error, which switches the antenna drivers off."""
        self.registers[reg.ERROR] |= reg.TEMPERATURE_ERROR
        self.turn_antenna_off()

    def turn_antenna_off(self) -> None:
        self._write_tx_control(self.registers[reg.TX_CONTROL] & ~reg.ANTENNA_DRIVERS)

    def stick_crypto(self) -> None:
        """Set MFCrypto1On as if an authentication had succeeded and nobody had ended it."""
        self.registers[reg.STATUS_2] |= reg.CRYPTO_ON

    @property
    def interrupt_line(self) -> bool:
        """The level of the IRQ pin."""
        self._run()
        requested = self.registers[reg.COM_INTERRUPTS] & self.registers[reg.COM_INTERRUPT_ENABLE] & 0x7F
        requested |= self.registers[reg.DIV_INTERRUPTS] & self.registers[reg.DIV_INTERRUPT_ENABLE] & 0x14
        inverted = bool(self.registers[reg.COM_INTERRUPT_ENABLE] & 0x80)
        return bool(requested) != inverted

    # The bus.

    def transfer(self, data: list[int]) -> list[int]:
        """Take one transfer, framed by chip select, and return the bytes that came back meanwhile.

        A write goes to one register byte by byte; a read may name another register with each byte (8.1.2).
        """
        if self.clock.now_ns >= self._due_ns:
            self._run()
        first = data[0]
        if not first & 0x80:
            register = first >> 1 & 0x3F
            if register == reg.FIFO_DATA:
                self._write_fifo(data)
            else:
                for value in data[1:]:
                    self._write(register, value)
            return [0] * len(data)
        reply = [0]
        registers = self.registers
        fifo = self.fifo
        for address in data[:-1]:
            register = address >> 1 & 0x3F
            if register == reg.FIFO_DATA:
                reply.append(fifo.pop(0) if fifo else 0)
            elif register in _COMPUTED:
                reply.append(self._read(register))
            else:
                reply.append(registers[register])
        if len(fifo) <= registers[reg.WATER_LEVEL]:
            registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_LOW_ALERT
        return reply

    def _read(self, register: int) -> int:
        if register == reg.FIFO_LEVEL:
            return len(self.fifo)
        value = self.registers[register]
        if register == reg.COMMAND:
            return value & 0x30 | self._command
        if register == reg.STATUS_1:
            return self._status_1()
        if register == reg.STATUS_2:
            return value & 0xF8 | self._modem_state()
        counter = self._timer_value()
        return counter >> 8 if register == reg.TIMER_COUNTER_HIGH else counter & 0xFF

    def _write(self, register: int, value: int) -> None:
        registers = self.registers
        if register == reg.COMMAND:
            self._write_command(value)
        elif register in (reg.COM_INTERRUPTS, reg.DIV_INTERRUPTS):
            if value & reg.SET_BITS:
                registers[register] |= value & 0x7F
            else:
                registers[register] &= ~value & 0x7F
            self._raise_alerts()
        elif register == reg.BIT_FRAMING:
            was_set = registers[register] & reg.START_SEND
            registers[register] = value
            # Unverified: a repeated 1 starts nothing while an answer is awaited.
            starts = value & reg.START_SEND and (not was_set or self._sent_ns == NEVER_NS)
            if starts and self._command == reg.TRANSCEIVE:
                self._send()
        elif register == reg.FIFO_LEVEL:
            if value & reg.FLUSH:
                self.fifo.clear()
                registers[reg.ERROR] &= ~reg.BUFFER_OVERFLOW
                self._raise_alerts()
        elif register == reg.TX_CONTROL:
            self._write_tx_control(value)
        elif register == reg.CONTROL:
            self._write_control(value)
        elif register == reg.STATUS_2:  # MFCrypto1On can only be cleared by hand
            registers[register] = value & 0xC0 | value & registers[register] & reg.CRYPTO_ON
        elif register == reg.COLLISION:
            registers[register] = value & 0x80 | registers[register] & 0x3F
        elif register == reg.WATER_LEVEL:
            registers[register] = value & 0x3F
            self._raise_alerts()
        elif register not in _READ_ONLY:
            registers[register] = value

    def _write_fifo(self, data: list[int]) -> None:
        if self._authenticates or self._sent_ns <= self.clock.now_ns < self._received_ns < NEVER_NS:
            self.registers[reg.ERROR] |= reg.WRITE_ERROR
        fifo = self.fifo
        fifo += bytes(data[1:])
        if len(fifo) > reg.FIFO_BYTES:
            del fifo[reg.FIFO_BYTES :]
            self.registers[reg.ERROR] |= reg.BUFFER_OVERFLOW
        if self._command == reg.CALCULATE_CRC:
            self._calculate_crc()
        elif self._command == reg.MIFARE_AUTHENTICATE:
            self._authenticate()
        self._raise_alerts()

    def _write_tx_control(self, value: int) -> None:
        was_on = self.registers[reg.TX_CONTROL] & reg.ANTENNA_DRIVERS
        self.registers[reg.TX_CONTROL] = value
        if bool(value & reg.ANTENNA_DRIVERS) != bool(was_on):
            self.field.switch(bool(value & reg.ANTENNA_DRIVERS), self.clock.now_ns)

    def _write_control(self, value: int) -> None:
        if value & reg.TIMER_STOP:
            self._timer_ns = NEVER_NS
        elif value & reg.TIMER_START:
            self._start_timer(self.clock.now_ns)
        self._plan()

    # Commands.

    def _write_command(self, value: int) -> None:
        if self._wakes_ns != NEVER_NS:
            return  # still waking up
        registers = self.registers
        command = value & 0x0F
        if command == reg.SOFT_RESET:
            self.brown_out()
            self._power_down(self.clock.now_ns + self.wake_ns)
            return
        if value & reg.POWER_DOWN:
            registers[reg.COMMAND] = value & 0x30
            self._abort()
            self._plan()
            return
        if registers[reg.COMMAND] & reg.POWER_DOWN:
            self._power_down(self.clock.now_ns + self.wake_ns)
        registers[reg.COMMAND] = value & reg.RECEIVER_OFF | registers[reg.COMMAND] & reg.POWER_DOWN
        if command != reg.NO_COMMAND_CHANGE:
            self._begin(command)

    def _begin(self, command: int) -> None:
        registers = self.registers
        if command == reg.RECEIVE and self._reception is not None:
            self._command = command  # the answer to a Transmit is on its way already
            return
        self._abort()
        self._command = command
        if command != reg.IDLE:
            registers[reg.ERROR] &= reg.TEMPERATURE_ERROR
        if command == reg.CALCULATE_CRC:
            self._crc = _CRC_PRESETS[registers[reg.MODE] & 0x03]
            self._calculate_crc()
        elif command == reg.TRANSCEIVE:
            if self.start_is_sticky and registers[reg.BIT_FRAMING] & reg.START_SEND:
                self._send()
        elif command == reg.TRANSMIT:
            self._send()
        elif command == reg.MIFARE_AUTHENTICATE:
            self._authenticate()
        elif command == reg.MEMORY:
            self._move_memory()
        elif command == reg.RANDOM_ID:
            self._internal[:10] = self._random.randbytes(10)
            self._finish()
        elif command not in (reg.IDLE, reg.RECEIVE):
            self._finish()  # an unknown code ends at once (section 10.3)
        self._plan()

    def _finish(self) -> None:
        """End a command by itself, which, unlike an Idle that the host writes, is an interrupt."""
        self._command = reg.IDLE
        self.registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_IDLE

    def _abort(self) -> None:
        self._sent_ns = self._received_ns = NEVER_NS
        self._is_sent = True
        self._reception = None
        self._authenticates = False

    def _power_down(self, until_ns: int) -> None:
        self.registers[reg.COMMAND] |= reg.POWER_DOWN
        self._wakes_ns = until_ns
        self._plan()

    def _move_memory(self) -> None:
        """Move 25 bytes into the internal buffer, or out of it if the FIFO is empty (section 10.3.1.2)."""
        if self.fifo:
            moved = self.fifo[:25]
            self._internal[: len(moved)] = moved
            del self.fifo[:25]
        else:
            self.fifo += self._internal
        self._finish()

    def _calculate_crc(self) -> None:
        """Run the buffer through the CRC unit; it goes on until another command begins."""
        registers = self.registers
        self._crc = crc16(bytes(self.fifo), self._crc, reversed_bits=bool(registers[reg.MODE] & 0x80))
        self.fifo.clear()
        registers[reg.CRC_RESULT_HIGH] = self._crc >> 8
        registers[reg.CRC_RESULT_LOW] = self._crc & 0xFF
        registers[reg.DIV_INTERRUPTS] |= reg.INTERRUPT_CRC
        self._raise_alerts()

    def _authenticate(self) -> None:
        """Begin once key type, block, key and UID (12 bytes) are in the buffer (section 10.3.1.9)."""
        if self._authenticates or len(self.fifo) < 12:
            return
        data = bytes(self.fifo[:12])
        del self.fifo[:12]
        now_ns = self.clock.now_ns
        self._authenticates = True
        self._sent_ns = now_ns + _frame_ns(32)
        self._is_sent = False
        if self.field.authenticate(data[0], data[1], data[2:8], data[8:12], now_ns):
            self._received_ns = now_ns + _AUTHENTICATION_NS
        self._raise_alerts()
        self._plan()

    # Frames.

    def _send(self) -> None:
        """Put the buffer on the air. The answer is computed at once and arrives at its own time."""
        registers = self.registers
        frame = bytes(self.fifo)
        self.fifo.clear()
        self._raise_alerts()
        last_bits = registers[reg.BIT_FRAMING] & 0x07
        if registers[reg.TX_MODE] & reg.CRC_ENABLE:
            frame += crc16(frame, _CRC_PRESETS[registers[reg.MODE] & 0x03]).to_bytes(2, "little")
        bits = len(frame) * 8 - (8 - last_bits if last_bits else 0)
        now_ns = self.clock.now_ns
        self._sent_ns = now_ns + _frame_ns(bits)
        self._is_sent = False
        self._received_ns = NEVER_NS
        self._reception = None
        can_be_heard = (
            frame
            and registers[reg.TX_CONTROL] & reg.ANTENNA_DRIVERS
            and registers[reg.TX_ASK] & reg.FORCE_FULL_MODULATION
        )
        if can_be_heard:
            encrypted = bool(registers[reg.STATUS_2] & reg.CRYPTO_ON)
            reception = self.field.transmit(frame, bits, now_ns, encrypted=encrypted)
            guard_ns = (registers[reg.RX_SELECT] & 0x3F) * _ETU_NS
            if reception is not None and reception.delay_ns >= guard_ns:
                self._reception = reception
                self._received_ns = self._sent_ns + reception.delay_ns + _frame_ns(reception.bits)
        self._plan()

    def _run(self) -> None:
        """Let everything happen whose time has come, in the order of its time."""
        now_ns = self.clock.now_ns
        while self._due_ns <= now_ns:
            due_ns = self._due_ns
            if due_ns == self._wakes_ns:
                self._wakes_ns = NEVER_NS
                self.registers[reg.COMMAND] &= ~reg.POWER_DOWN
            elif due_ns == self._timer_ns:
                self._expire_timer(due_ns)
            elif due_ns == self._sent_ns:
                self._end_sending(due_ns)
            else:
                self._end_receiving()
            self._plan()

    def _plan(self) -> None:
        sent_ns = self._sent_ns if not self._is_sent else NEVER_NS
        self._due_ns = min(sent_ns, self._received_ns, self._timer_ns, self._wakes_ns)

    def _end_sending(self, due_ns: int) -> None:
        self._is_sent = True
        registers = self.registers
        registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_TX
        # The receiver starts: its own errors are cleared (section 9.3.1.7).
        registers[reg.ERROR] &= ~(reg.COLLISION_ERROR | reg.CRC_ERROR | reg.PARITY_ERROR | reg.PROTOCOL_ERROR)
        registers[reg.COLLISION] |= reg.COLLISION_POSITION_INVALID
        if registers[reg.TIMER_MODE] & reg.TIMER_AUTO:
            self._start_timer(due_ns)
            self._stop_timer_in_time(due_ns)
        if self._command == reg.TRANSMIT:
            self._finish()

    def _end_receiving(self) -> None:
        received_ns, self._received_ns = self._received_ns, NEVER_NS
        registers = self.registers
        if self._authenticates:
            self._authenticates = False
            registers[reg.STATUS_2] |= reg.CRYPTO_ON
            self._finish()
            return
        reception, self._reception = self._reception, None
        if reception is None or self._command not in (reg.TRANSCEIVE, reg.RECEIVE):
            return
        self._store(reception)
        interrupts = reg.INTERRUPT_RX
        if registers[reg.ERROR]:
            interrupts |= reg.INTERRUPT_ERROR
        registers[reg.COM_INTERRUPTS] |= interrupts
        self._raise_alerts()
        if self._command == reg.RECEIVE and not registers[reg.RX_MODE] & reg.RX_MULTIPLE:
            self._finish()
        self._sent_ns = received_ns

    def _store(self, reception: Reception) -> None:
        """Put an answer into the buffer, shifted by RxAlign and cut at a collision."""
        registers = self.registers
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
            preset = _CRC_PRESETS[registers[reg.MODE] & 0x03]
            if crc16(data[:-2], preset).to_bytes(2, "little") != data[-2:]:
                error |= reg.CRC_ERROR
            data = data[:-2]
        room = reg.FIFO_BYTES - len(self.fifo)
        if len(data) > room:
            error |= reg.BUFFER_OVERFLOW
        self.fifo += data[:room]
        registers[reg.CONTROL] = registers[reg.CONTROL] & ~0x07 | bits % 8
        registers[reg.ERROR] |= error

    # Timer, alerts and status.

    def _tick_ns(self) -> float:
        registers = self.registers
        prescaler = (registers[reg.TIMER_MODE] & 0x0F) << 8 | registers[reg.TIMER_PRESCALER]
        extra = 2 if registers[reg.DEMODULATOR] & reg.PRESCALER_EVEN else 1
        return (2 * prescaler + extra) * 1e9 / reg.CARRIER_HZ

    def _timer_length_ns(self) -> int:
        reload = self.registers[reg.TIMER_RELOAD_HIGH] << 8 | self.registers[reg.TIMER_RELOAD_LOW]
        return int((reload + 1) * self._tick_ns())

    def _start_timer(self, from_ns: int) -> None:
        self._timer_from_ns = from_ns
        self._timer_ns = from_ns + self._timer_length_ns()

    def _stop_timer_in_time(self, sent_ns: int) -> None:
        """Stop the timer beforehand if the fifth bit of the answer will come before it runs out."""
        if self.registers[reg.RX_MODE] & reg.RX_MULTIPLE:
            return
        if self._reception is not None:
            fifth_bit_ns = sent_ns + self._reception.delay_ns + _TIMER_STOP_BITS * _ETU_NS
        else:
            fifth_bit_ns = self._received_ns  # an authentication, or nothing at all
        if fifth_bit_ns <= self._timer_ns:
            self._timer_ns = NEVER_NS

    def _expire_timer(self, due_ns: int) -> None:
        self._timer_ns = NEVER_NS
        if self.timer_works:
            self.registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_TIMER
        if self.registers[reg.TIMER_MODE] & reg.TIMER_AUTO_RESTART:
            self._start_timer(due_ns)

    def _timer_value(self) -> int:
        reload = self.registers[reg.TIMER_RELOAD_HIGH] << 8 | self.registers[reg.TIMER_RELOAD_LOW]
        if self._timer_ns == NEVER_NS:
            return 0
        return max(0, reload - int((self.clock.now_ns - self._timer_from_ns) / self._tick_ns()))

    def _raise_alerts(self) -> None:
        """The two level alerts come back at once after being cleared, for as long as the level stands."""
        level = len(self.fifo)
        water = self.registers[reg.WATER_LEVEL]
        if level <= water:
            self.registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_LOW_ALERT
        if reg.FIFO_BYTES - level <= water:
            self.registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_HIGH_ALERT

    def _status_1(self) -> int:
        registers = self.registers
        level = len(self.fifo)
        status = 0x20 if self._command != reg.CALCULATE_CRC or registers[reg.DIV_INTERRUPTS] & 0x04 else 0
        status |= 0x40 if self._crc == 0 else 0
        requested = registers[reg.COM_INTERRUPTS] & registers[reg.COM_INTERRUPT_ENABLE] & 0x7F
        requested |= registers[reg.DIV_INTERRUPTS] & registers[reg.DIV_INTERRUPT_ENABLE] & 0x14
        status |= 0x10 if requested else 0
        status |= 0x08 if self._timer_ns != NEVER_NS else 0
        status |= 0x02 if reg.FIFO_BYTES - level <= registers[reg.WATER_LEVEL] else 0
        return status | (0x01 if level <= registers[reg.WATER_LEVEL] else 0)

    def _modem_state(self) -> int:
        """Status2Reg bits 2..0: idle, waiting for StartSend, sending, waiting for data, receiving."""
        if self._sent_ns == NEVER_NS:
            return 1 if self._command == reg.TRANSCEIVE else 0
        now_ns = self.clock.now_ns
        if now_ns < self._sent_ns:
            return 3
        if self._reception is not None and now_ns >= self._sent_ns + self._reception.delay_ns:
            return 6
        return 5


# Registers whose value is worked out when they are read.
_COMPUTED: Final = frozenset(
    {
        reg.COMMAND,
        reg.STATUS_1,
        reg.STATUS_2,
        reg.FIFO_LEVEL,
        reg.TIMER_COUNTER_HIGH,
        reg.TIMER_COUNTER_LOW,
    }
)


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
