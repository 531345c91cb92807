"""The MFRC522 at register level: what the chip does with each transfer on its SPI bus.

Registers, commands and buffer live here, on virtual time; sending and receiving is ``chip_radio``, timer and
CRC are ``chip_units``. Tags and the air are ``field``; the bus and its faults are ``spidev``. Source:
MFRC522 data sheet rev. 3.9, sections 8 to 10. What the sheet leaves open is marked "unverified": no real chip
was at hand.

Simplified on purpose: received bytes enter the buffer at the end of their frame, not one by one, and the
analogue registers only keep what is written.
"""

from __future__ import annotations

import random
from typing import Final

from hardware import mfrc522_registers as reg
from hardware.simulated.chip_radio import AUTHENTICATION_BYTES, Radio
from hardware.simulated.chip_units import CRC_PRESETS, Timer, crc16, raise_alerts
from hardware.simulated.clock import NEVER_NS, VirtualClock
from hardware.simulated.field import Field

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
# The oscillator's start after a reset (38 µs) and the crystal's own.
_WAKE_NS: Final = 1_000_000


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
        # Unverified: whether a StartSend left at 1 starts the next Transceive by itself.
        self.start_is_sticky = False
        self.registers = [0] * reg.REGISTER_COUNT
        self.timer = Timer(self.registers)
        self.fifo = bytearray()
        self._internal = bytearray(25)
        self._random = random.Random(version)
        self._command = reg.IDLE
        self._radio = Radio(self.registers, self.fifo, self.timer, field)
        self._due_ns = self._wakes_ns = NEVER_NS
        self._crc = 0
        self.brown_out()

    # What a test may do to a chip.

    def brown_out(self) -> None:
        """Fall back to the values after power-on, as after a dip of the supply; the field goes off."""
        self.registers[:] = [0] * reg.REGISTER_COUNT
        for register, value in reg.RESET_VALUES.items():
            self.registers[register] = value
        self.registers[reg.VERSION] = self.version
        self._crc = 0xFFFF
        self.fifo.clear()
        self._command = reg.IDLE
        self._radio.abort()
        self._wakes_ns = NEVER_NS
        self.timer.stop()
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
            return value & 0xF8 | self._radio.state(self.clock.now_ns, is_transceive=self._command == reg.TRANSCEIVE)
        counter = self.timer.value(self.clock.now_ns)
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
            raise_alerts(self.registers, self.fifo)
        elif register == reg.BIT_FRAMING:
            was_set = registers[register] & reg.START_SEND
            registers[register] = value
            # Unverified: a repeated 1 starts nothing while an answer is awaited.
            starts = value & reg.START_SEND and (not was_set or self._radio.sent_ns == NEVER_NS)
            if starts and self._command == reg.TRANSCEIVE:
                self._send()
        elif register == reg.FIFO_LEVEL:
            if value & reg.FLUSH:
                self.fifo.clear()
                registers[reg.ERROR] &= ~reg.BUFFER_OVERFLOW
                raise_alerts(self.registers, self.fifo)
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
            raise_alerts(self.registers, self.fifo)
        elif register not in _READ_ONLY:
            registers[register] = value

    def _write_fifo(self, data: list[int]) -> None:
        if self._radio.refuses_fifo(self.clock.now_ns):
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
        raise_alerts(self.registers, self.fifo)

    def _write_tx_control(self, value: int) -> None:
        was_on = self.registers[reg.TX_CONTROL] & reg.ANTENNA_DRIVERS
        self.registers[reg.TX_CONTROL] = value
        if bool(value & reg.ANTENNA_DRIVERS) != bool(was_on):
            self.field.switch(bool(value & reg.ANTENNA_DRIVERS), self.clock.now_ns)

    def _write_control(self, value: int) -> None:
        if value & reg.TIMER_STOP:
            self.timer.stop()
        elif value & reg.TIMER_START:
            self.timer.start(self.clock.now_ns)
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
            self._radio.abort()
            self._plan()
            return
        if registers[reg.COMMAND] & reg.POWER_DOWN:
            self._power_down(self.clock.now_ns + self.wake_ns)
        registers[reg.COMMAND] = value & reg.RECEIVER_OFF | registers[reg.COMMAND] & reg.POWER_DOWN
        if command != reg.NO_COMMAND_CHANGE:
            self._begin(command)

    def _begin(self, command: int) -> None:
        registers = self.registers
        if command == reg.RECEIVE and self._radio.awaits_answer:
            self._command = command  # the answer to a Transmit is on its way already
            return
        self._radio.abort()
        self._command = command
        if command != reg.IDLE:
            registers[reg.ERROR] &= reg.TEMPERATURE_ERROR
        if command == reg.CALCULATE_CRC:
            self._crc = CRC_PRESETS[registers[reg.MODE] & 0x03]
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
        raise_alerts(self.registers, self.fifo)

    def _authenticate(self) -> None:
        if not self._radio.authenticates and len(self.fifo) >= AUTHENTICATION_BYTES:
            self._radio.authenticate(self.clock.now_ns)
            self._plan()

    def _send(self) -> None:
        self._radio.send(self.clock.now_ns)
        self._plan()

    def _run(self) -> None:
        """Let everything happen whose time has come, in the order of its time."""
        now_ns = self.clock.now_ns
        while self._due_ns <= now_ns:
            due_ns = self._due_ns
            if due_ns == self._wakes_ns:
                self._wakes_ns = NEVER_NS
                self.registers[reg.COMMAND] &= ~reg.POWER_DOWN
            elif due_ns == self.timer.due_ns:
                self.timer.expire()
            elif self._radio.is_sending:
                self._radio.end_sending()
                if self._command == reg.TRANSMIT:
                    self._finish()
            else:
                self._end_receiving()
            self._plan()

    def _end_receiving(self) -> None:
        is_authentication = self._radio.authenticates
        self._radio.end_receiving(listens=self._command in (reg.TRANSCEIVE, reg.RECEIVE))
        ends = self._command == reg.RECEIVE and not self.registers[reg.RX_MODE] & reg.RX_MULTIPLE
        if is_authentication or ends:
            self._finish()

    def _plan(self) -> None:
        self._due_ns = min(self._radio.due_ns, self.timer.due_ns, self._wakes_ns)

    # Alerts and status.

    def _status_1(self) -> int:
        registers = self.registers
        level = len(self.fifo)
        status = 0x20 if self._command != reg.CALCULATE_CRC or registers[reg.DIV_INTERRUPTS] & 0x04 else 0
        status |= 0x40 if self._crc == 0 else 0
        requested = registers[reg.COM_INTERRUPTS] & registers[reg.COM_INTERRUPT_ENABLE] & 0x7F
        requested |= registers[reg.DIV_INTERRUPTS] & registers[reg.DIV_INTERRUPT_ENABLE] & 0x14
        status |= 0x10 if requested else 0
        status |= 0x08 if self.timer.due_ns != NEVER_NS else 0
        status |= 0x02 if reg.FIFO_BYTES - level <= registers[reg.WATER_LEVEL] else 0
        return status | (0x01 if level <= registers[reg.WATER_LEVEL] else 0)


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
