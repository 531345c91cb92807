"""The MFRC522 at register level: what the chip does with each transfer on its SPI bus.

Registers, commands, buffer and power live here, on virtual time; sending and receiving is ``chip_radio``, timer,
CRC and tables are ``chip_units``. Tags and the air are ``field``; the bus and its faults are ``spidev``. Source:
MFRC522 data sheet rev. 3.9, sections 8 to 10 and 16.1. What the sheet leaves open is marked "unverified": no real
chip was at hand. The analogue registers only keep what is written.
"""

from __future__ import annotations

import random
from typing import Final

from hardware.rc522 import registers as reg
from hardware.simulated.chip_radio import AUTHENTICATION_BYTES, Radio
from hardware.simulated.chip_units import (
    CRC_PRESETS,
    Timer,
    crc16,
    raise_alerts,
    raise_error,
    self_test_result,
    writable_bits,
)
from hardware.simulated.clock import NEVER_NS, VirtualClock
from hardware.simulated.field import Field

# 1024 cycles of the oscillator, from the moment it is stable (sections 8.6.2 and 8.8.2).
_WAKE_NS: Final = 37_740
# Unverified: the sheet leaves the crystal's own start to the crystal. Half a millisecond is usual for 27 MHz.
_CRYSTAL_NS: Final = 500_000
# Unverified: the sheet only says that the buffer holds the result when the test is over.
_SELF_TEST_NS: Final = 1_000_000
_INTERNAL_BYTES: Final = 25


class SimulatedMfrc522:
    """A chip with its antenna in *field*.

    :param clock: shared with the bus, which spends the transfers' time on it.
    :param version: value of the version register; clones have 12h, 88h, 89h or B2h.

    ``crystal_ns`` is how long the crystal takes to start. ``keeps_start_send`` makes a clone that is not in the
    sheet's sense: StartSend stays at 1, and starts the next Transceive by itself.
    """

    def __init__(self, clock: VirtualClock, field: Field, *, version: int = 0x92) -> None:
        self.clock = clock
        self.field = field
        self.version = version
        self.crystal_ns = _CRYSTAL_NS
        self.keeps_start_send = False
        self.registers = [0] * reg.REGISTER_COUNT
        self.timer = Timer(self.registers)
        self.fifo = bytearray()
        self._writable = writable_bits(version)
        self._internal = bytearray(_INTERNAL_BYTES)
        self._random = random.Random(version)
        self._command = reg.IDLE
        self._radio = Radio(self.registers, self.fifo, self.timer, field)
        self._is_held = self._is_hot = False
        self._crc = 0
        self._due_ns = self._wakes_ns = self._tested_ns = NEVER_NS
        self._reset()

    # What a test or a wire may do to a chip.

    def brown_out(self) -> None:
        """Fall back to the values after power-on, as after a dip of the supply, and start the crystal anew."""
        self._internal = bytearray(_INTERNAL_BYTES)
        self._reset()
        self._wake(self.crystal_ns)

    def hold_reset(self, *, is_low: bool) -> None:
        """Pull the NRSTPD pin: low is hard power-down, from low to high is a reset (sections 8.6.1 and 8.8.1).

        The 25 bytes of the internal buffer outlast it.
        """
        if is_low:
            self._is_held = True
            self._reset()
        elif self._is_held:
            self._is_held = False
            self._wake(self.crystal_ns)

    def overheat(self, *, lasts: bool = False) -> None:
        """Raise the temperature error, which switches the antenna drivers off inside: TxControlReg keeps its bits.

        The chip is cool again at once unless it *lasts* until :meth:`cool_down`; the error then waits to be cleared.
        """
        self._is_hot = lasts
        raise_error(self.registers, reg.TEMPERATURE_ERROR)
        self._switch_carrier()

    def cool_down(self) -> None:
        """Fall below the alarm limit; what the heat has set stays until the host clears it."""
        self._is_hot = False

    def turn_antenna_off(self) -> None:
        self.registers[reg.TX_CONTROL] &= ~reg.ANTENNA_DRIVERS
        self._switch_carrier()

    def stick_crypto(self) -> None:
        """Set MFCrypto1On as if an authentication had succeeded and nobody had ended it."""
        self.registers[reg.STATUS_2] |= reg.CRYPTO_ON

    @property
    def interrupt_line(self) -> bool:
        """The level of the IRQ pin."""
        self._run()
        inverted = bool(self.registers[reg.COM_INTERRUPT_ENABLE] & 0x80)
        return bool(self._requested()) != inverted

    # The bus.

    def transfer(self, data: list[int]) -> list[int]:
        """Take one transfer, framed by chip select, and return the bytes that came back meanwhile.

        A write goes to one register byte by byte; a read may name another register with each byte (8.1.2).
        """
        if self._is_held:
            return [0] * len(data)  # the pins are cut off; MISO stays where it was
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
            bits = value & (0x7F if register == reg.COM_INTERRUPTS else 0x14)
            registers[register] = registers[register] | bits if value & reg.SET_BITS else registers[register] & ~bits
            raise_alerts(self.registers, self.fifo)
        elif register == reg.BIT_FRAMING:
            was_set = registers[register] & reg.START_SEND
            kept = reg.START_SEND if self.keeps_start_send else 0
            registers[register] = value & (self._writable[register] | kept)
            if value & reg.START_SEND & ~was_set and self._command == reg.TRANSCEIVE:
                self._send(value & 0x07)
        elif register == reg.FIFO_LEVEL:
            if value & reg.FLUSH:
                self.fifo.clear()
                registers[reg.ERROR] &= ~reg.BUFFER_OVERFLOW
                raise_alerts(self.registers, self.fifo)
        elif register == reg.CONTROL:
            self._write_control(value)
        elif register == reg.STATUS_2:
            self._write_status_2(value)
        else:
            writable = self._writable[register]
            registers[register] = registers[register] & ~writable | value & writable
            if register == reg.TX_CONTROL:
                self._switch_carrier()
            elif register == reg.WATER_LEVEL:
                raise_alerts(self.registers, self.fifo)

    def _write_fifo(self, data: list[int]) -> None:
        if self._command == reg.MIFARE_AUTHENTICATE or self._radio.refuses_fifo(self.clock.now_ns):
            raise_error(self.registers, reg.WRITE_ERROR)
        fifo = self.fifo
        fifo += bytes(data[1:])
        if len(fifo) > reg.FIFO_BYTES:
            del fifo[reg.FIFO_BYTES :]
            raise_error(self.registers, reg.BUFFER_OVERFLOW)
        if self._command == reg.CALCULATE_CRC and self._tested_ns == NEVER_NS:
            self._calculate_crc()
        elif self._command == reg.MIFARE_AUTHENTICATE:
            self._authenticate()
        raise_alerts(self.registers, self.fifo)

    def _write_control(self, value: int) -> None:
        if value & reg.TIMER_STOP:
            self.timer.stop(self.clock.now_ns)
        elif value & reg.TIMER_START:
            self.timer.start(self.clock.now_ns)
        self._plan()

    def _write_status_2(self, value: int) -> None:
        registers = self.registers
        # MFCrypto1On can only be cleared by hand.
        registers[reg.STATUS_2] = value & 0xC0 | value & registers[reg.STATUS_2] & reg.CRYPTO_ON
        if value & reg.TEMPERATURE_CLEAR and not self._is_hot:
            registers[reg.ERROR] &= ~reg.TEMPERATURE_ERROR
            self._switch_carrier()

    # Power.

    def _reset(self) -> None:
        """All registers as after power-on; the internal buffer and a temperature that is still too high stay."""
        self.registers[:] = [0] * reg.REGISTER_COUNT
        for register, value in reg.RESET_VALUES.items():
            self.registers[register] = value
        self.registers[reg.VERSION] = self.version
        self._crc = 0xFFFF
        self.fifo.clear()
        self._stop_command(reg.IDLE)
        self._wakes_ns = NEVER_NS
        self.timer.reset()
        self._plan()
        if self._is_hot:
            raise_error(self.registers, reg.TEMPERATURE_ERROR)
        self._switch_carrier()

    def _wake(self, crystal_ns: int) -> None:
        self.registers[reg.COMMAND] |= reg.POWER_DOWN
        self._wakes_ns = self.clock.now_ns + crystal_ns + _WAKE_NS
        self._plan()
        self._switch_carrier()

    def _end_waking(self) -> None:
        woken_ns, self._wakes_ns = self._wakes_ns, NEVER_NS
        self.timer.thaw(woken_ns)
        self.registers[reg.COMMAND] &= ~reg.POWER_DOWN
        self._switch_carrier(woken_ns)

    def _switch_carrier(self, at_ns: int | None = None) -> None:
        """Let the carrier follow what it needs: drivers that are on, a clock, and a chip that is not too hot."""
        registers = self.registers
        on = bool(
            registers[reg.TX_CONTROL] & reg.ANTENNA_DRIVERS
            and not registers[reg.COMMAND] & reg.POWER_DOWN
            and not registers[reg.ERROR] & reg.TEMPERATURE_ERROR
            and not self._is_held
        )
        if on == self._radio.has_carrier:
            return
        self._radio.has_carrier = on
        at_ns = self.clock.now_ns if at_ns is None else at_ns
        self.field.switch(on, at_ns)
        if on and self._radio.waits_for_field:
            self._radio.send(at_ns, last_bits=registers[reg.BIT_FRAMING] & 0x07)
            self._plan()

    # Commands.

    def _write_command(self, value: int) -> None:
        registers = self.registers
        command = value & 0x0F
        now_ns = self.clock.now_ns
        if command == reg.SOFT_RESET:  # heard also while the chip wakes up
            left_ns = 0
            if self._wakes_ns != NEVER_NS:
                left_ns = max(0, self._wakes_ns - _WAKE_NS - now_ns)
            elif registers[reg.COMMAND] & reg.POWER_DOWN:
                left_ns = self.crystal_ns
            self._reset()
            self._wake(left_ns)
        elif value & reg.POWER_DOWN:
            self._stop_command(reg.IDLE)
            self.timer.freeze(now_ns)
            self._wakes_ns = NEVER_NS
            registers[reg.COMMAND] = value & 0x30
            self._plan()
            self._switch_carrier()
        elif self._wakes_ns != NEVER_NS:
            pass  # other commands are lost until the clock runs
        elif registers[reg.COMMAND] & reg.POWER_DOWN:
            registers[reg.COMMAND] = value & reg.RECEIVER_OFF | reg.POWER_DOWN
            self._wake(self.crystal_ns)
        else:
            registers[reg.COMMAND] = value & reg.RECEIVER_OFF
            if command == reg.NO_COMMAND_CHANGE:
                self._switch_receiver()
            else:
                self._begin(command)

    def _stop_command(self, next_command: int) -> None:
        self._radio.abort()
        self._tested_ns = NEVER_NS
        self._command = next_command
        self._switch_receiver()

    def _switch_receiver(self) -> None:
        is_receiving = self._command in (reg.TRANSCEIVE, reg.RECEIVE)
        self._radio.listens = is_receiving and not self.registers[reg.COMMAND] & reg.RECEIVER_OFF
        self._radio.has_guard_time = self._command != reg.RECEIVE

    def _begin(self, command: int) -> None:
        registers = self.registers
        if command == reg.RECEIVE and self._radio.awaits_answer:
            self._command = command  # the answer to a Transmit is on its way already
            self._switch_receiver()
            return
        self._stop_command(command)
        if command != reg.IDLE:
            registers[reg.ERROR] &= reg.TEMPERATURE_ERROR
        if command == reg.CALCULATE_CRC:
            if registers[reg.AUTO_TEST] & reg.SELF_TEST == reg.SELF_TEST_ON:
                self._tested_ns = self.clock.now_ns + _SELF_TEST_NS
            else:
                self._crc = CRC_PRESETS[registers[reg.MODE] & 0x03]
                self._calculate_crc()
        elif command == reg.TRANSCEIVE:
            if registers[reg.BIT_FRAMING] & reg.START_SEND:
                self._send(registers[reg.BIT_FRAMING] & 0x07)
        elif command == reg.TRANSMIT:
            self._send(registers[reg.BIT_FRAMING] & 0x07)
        elif command == reg.RECEIVE:
            self._radio.start_receiver()
        elif command == reg.MIFARE_AUTHENTICATE:
            self._authenticate()
        elif command == reg.MEMORY:
            self._move_memory()
        elif command == reg.RANDOM_ID:
            self._internal[:10] = self._random.randbytes(10)
            self._finish()
        elif command != reg.IDLE:
            self._finish()  # an unknown code ends at once (section 10.3)
        self._plan()

    def _finish(self) -> None:
        """End a command by itself, which, unlike an Idle that the host writes, is an interrupt."""
        self._command = reg.IDLE
        self._switch_receiver()
        self.registers[reg.COM_INTERRUPTS] |= reg.INTERRUPT_IDLE

    def _move_memory(self) -> None:
        """Move 25 bytes into the internal buffer, or out of it if the FIFO is empty (section 10.3.1.2)."""
        if self.fifo:
            moved = self.fifo[:_INTERNAL_BYTES]
            self._internal[: len(moved)] = moved
            del self.fifo[:_INTERNAL_BYTES]
        else:
            self.fifo += self._internal
        self._finish()
        raise_alerts(self.registers, self.fifo)

    def _calculate_crc(self) -> None:
        """Run the buffer through the CRC unit; it goes on until another command begins."""
        registers = self.registers
        self._crc = crc16(bytes(self.fifo), self._crc, reversed_bits=bool(registers[reg.MODE] & 0x80))
        self.fifo.clear()
        registers[reg.CRC_RESULT_HIGH] = self._crc >> 8
        registers[reg.CRC_RESULT_LOW] = self._crc & 0xFF
        registers[reg.DIV_INTERRUPTS] |= reg.INTERRUPT_CRC
        raise_alerts(self.registers, self.fifo)

    def _end_self_test(self) -> None:
        """Leave the result in the buffer (section 16.1.1): right only after 25 zeros in the internal buffer and one
        zero in this one. Unverified: whether CRCIRq tells of it; reports say that it does not everywhere."""
        self._tested_ns = NEVER_NS
        seed = bytes(self._internal) + (bytes(self.fifo) if len(self.fifo) == 1 else b"\xff")
        self.fifo[:] = self_test_result(self.version, seed)
        raise_alerts(self.registers, self.fifo)

    def _authenticate(self) -> None:
        if not self._radio.authenticates and len(self.fifo) >= AUTHENTICATION_BYTES:
            self._radio.authenticate(self.clock.now_ns)
            self._plan()

    def _send(self, last_bits: int) -> None:
        self._radio.send(self.clock.now_ns, last_bits=last_bits)
        self._plan()

    def _run(self) -> None:
        """Let everything happen whose time has come, in the order of its time."""
        now_ns = self.clock.now_ns
        radio = self._radio
        while self._due_ns <= now_ns:
            due_ns = self._due_ns
            if due_ns == self._wakes_ns:
                self._end_waking()
            elif due_ns == self._tested_ns:
                self._end_self_test()
            elif due_ns == self.timer.due_ns:
                self.timer.expire()
            elif radio.is_sending:
                radio.end_sending()
                if self._command == reg.TRANSMIT:
                    self._finish()
            elif due_ns == radio.received_ns:
                self._end_receiving()
            else:
                radio.receive(min(now_ns, self.timer.due_ns, radio.received_ns))
            self._plan()

    def _end_receiving(self) -> None:
        is_authentication = self._radio.authenticates
        self._radio.end_receiving()
        ends = self._command == reg.RECEIVE and not self.registers[reg.RX_MODE] & reg.RX_MULTIPLE
        if is_authentication or ends:
            self._finish()

    def _plan(self) -> None:
        self._due_ns = min(self._radio.due_ns, self.timer.due_ns, self._wakes_ns, self._tested_ns)

    # Status.

    def _requested(self) -> int:
        registers = self.registers
        requested = registers[reg.COM_INTERRUPTS] & registers[reg.COM_INTERRUPT_ENABLE] & 0x7F
        return requested | registers[reg.DIV_INTERRUPTS] & registers[reg.DIV_INTERRUPT_ENABLE] & 0x14

    def _status_1(self) -> int:
        registers = self.registers
        level = len(self.fifo)
        status = 0x20 if self._command != reg.CALCULATE_CRC or registers[reg.DIV_INTERRUPTS] & 0x04 else 0
        status |= 0x40 if self._crc == 0 else 0
        status |= 0x10 if self._requested() else 0
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
