"""The MFRC522 as a Transceiver, over any object with ``xfer2``.

Knows the chip's registers and its timing, and nothing about tags (``iso14443a``), presence
(``tags.tracker``) or where the bus comes from (``rc522.spi``). No interrupt line and no GPIO are used: the chip
only reports the end of what the host began, so a computed wait and one burst read do the same with no wire.

A frame costs seven transfers, each framed by chip select: idle, clear interrupts, fill the buffer, framing,
transceive, start, and one read of everything that came back; an eighth flushes the buffer if something may
have come in since. Sources: MFRC522 data sheet rev. 3.9, sections 8.1.2 (SPI), 8.5 (timer), 9 (registers)
and 10 (commands); ISO/IEC 14443-2 and -3 for times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from hardware.ports import Answer, Clock, Collision, DeviceFaultError, Noise, Reply, Silence
from hardware.rc522 import registers as reg

# 1 MHz: the sheet allows 10, but long wires on a table fail at 8 and a frame's air time dwarfs the
# difference.
DEFAULT_SPEED_HZ: Final = 1_000_000
# 38 dB is what NXP's own reader library takes; 48 dB mostly amplifies noise from the supply.
DEFAULT_GAIN_DB: Final = 38
GAINS_DB: Final = {18: 0x20, 23: 0x30, 33: 0x40, 38: 0x50, 43: 0x60, 48: 0x70}  # RECEIVER_GAIN bits 6..4

GENUINE_VERSIONS: Final = frozenset({0x90, 0x91, 0x92})
CLONES: Final = {
    0x12: "a counterfeit",
    0x88: "an FM17522",
    0x89: "an FM17522E",
    0xB2: "an FM17522 version 1",
}

# The timer counts in steps of 50 µs: 13.56 MHz / (2 * 338 + 1). One reload byte then reaches 12.8 ms, which
# is longer than the slowest answer of a tag (10 ms for a write), so the high byte never has to be written
# again.
_PRESCALER: Final = 338
TIMER_STEP_US: Final = 50
TIMER_STEPS_MAX: Final = 0xFF
# Transfers of a whole burst happen one after the other; the answer is surely in when this has passed on top.
_SETTLE_US: Final = 20
# Frame delay time (ISO/IEC 14443-3, 6.2.1.1): 91 µs from the last bit sent to the first one received.
_FRAME_DELAY_US: Final = 100
# Up to this timeout one read at its end costs less time than asking twice.
_PROMPT_US: Final = 500
# If the chip reports neither an answer nor its own timer this long after both were due, the chip failed.
_GRACE_US: Final = 5_000
_STATUS_PAUSE_US: Final = 200
# The chip keeps listening after a frame; a buffer read empty is taken to be empty still for this long.
_CLEAN_US: Final = 1_000
# How often an exchange also reads the settings back, in the same transfer.
CHECK_PERIOD_US: Final = 1_000_000
# The oscillator needs 38 µs plus the crystal's own start; weak modules took 50 ms. 150 ms is a hard limit.
_RESET_LIMIT_US: Final = 150_000
_RESET_PAUSE_US: Final = 1_000
# ISO/IEC 14443-3: a tag may take 5 ms from field to first request.
_FIELD_START_US: Final = 5_000


def _read_addresses(*registers: int) -> list[int]:
    return [register << 1 | 0x80 for register in registers]


# COM_INTERRUPTS first: the level and bytes that follow are at least as new.
_STATUS: Final = _read_addresses(
    reg.COM_INTERRUPTS,
    reg.ERROR,
    reg.FIFO_LEVEL,
    reg.CONTROL,
    reg.COLLISION,
    reg.STATUS_2,
    reg.TX_CONTROL,
)
_READ_STATUS: Final = [*_STATUS, 0]
_STATUS_END: Final = 1 + len(_STATUS)
_READ_FIFO: Final = reg.FIFO_DATA << 1 | 0x80
_FINISHED: Final = reg.INTERRUPT_RX | reg.INTERRUPT_TIMER
# Registers that are left as the chip has them after a reset, which differs between chips; a change is a
# fault too.
_UNTOUCHED: Final = (
    reg.TX_SELECT,
    reg.RX_SELECT,
    reg.RX_THRESHOLD,
    reg.DEMODULATOR,
    reg.MIFARE_TX,
    reg.MIFARE_RX,
    reg.MODULATION_WIDTH,
    reg.GS_N,
    reg.CW_GS_P,
    reg.MODULATION_GS_P,
)

_WRITE_IDLE: Final = [reg.COMMAND << 1, reg.IDLE]
_CLEAR_INTERRUPTS: Final = [reg.COM_INTERRUPTS << 1, 0x7F]
_FLUSH: Final = [reg.FIFO_LEVEL << 1, reg.FLUSH]
_WRITE_FIFO: Final = reg.FIFO_DATA << 1
_WRITE_TRANSCEIVE: Final = [reg.COMMAND << 1, reg.TRANSCEIVE]
_WRITE_FRAMING: Final = reg.BIT_FRAMING << 1


def _bits_us(bits: int) -> int:
    """Air time of a frame of so many data bits, with parity, start and end."""
    return (bits + bits // 8 + 2) * reg.ELEMENTARY_TIME_NS // 1000 + 1


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


class Rc522:
    """An MFRC522 on an SPI bus.

    :param spi: an open bus with ``xfer2``, mode 0.
    :param clock: real or virtual; the driver waits on nothing else.
    :param gain_db: receiver gain, one of 18, 23, 33, 38, 43, 48.
    :param reset: pulses the module's reset line, if one is wired.
    :param can_burst: false for clones that fail when several registers are read in one transfer.
    """

    def __init__(
        self,
        spi: SpiTransfer,
        clock: Clock,
        *,
        gain_db: int = DEFAULT_GAIN_DB,
        reset: Callable[[], None] | None = None,
        can_burst: bool = True,
    ) -> None:
        if gain_db not in GAINS_DB:
            raise ValueError(f"a gain of {gain_db} dB does not exist; the chip knows {sorted(GAINS_DB)}")
        self._spi = spi if can_burst else SingleTransfers(spi)
        self._clock = clock
        self._reset = reset
        self._reload = 0
        self._clean_until_us = 0
        self._check_us = 0
        self._closed = False
        self.version = 0
        self._signature = {
            reg.TIMER_MODE: reg.TIMER_AUTO | _PRESCALER >> 8,
            reg.TIMER_PRESCALER: _PRESCALER & 0xFF,
            reg.TIMER_RELOAD_HIGH: 0x00,
            reg.TX_ASK: reg.FORCE_FULL_MODULATION,
            reg.MODE: 0x3D,  # CRC preset 6363h, as ISO/IEC 14443-3 type A wants
            reg.RECEIVER_GAIN: 0x08 | GAINS_DB[gain_db],
            reg.TX_MODE: 0x00,
            reg.RX_MODE: 0x00,
        }
        self._read_signature = _read_addresses(
            reg.VERSION, reg.ERROR, reg.TX_CONTROL, reg.STATUS_2, *self._signature, *_UNTOUCHED
        )
        self._expected: list[int] = []

    @property
    def chip_note(self) -> str:
        if self.version in GENUINE_VERSIONS:
            return ""
        kind = CLONES.get(self.version, "an unknown chip")
        return (
            f"The reader's chip is {kind} (version {self.version:02X}h), not a genuine MFRC522. "
            "It may read worse; if cards are missed, try another module."
        )

    def start(self) -> None:
        if self._reset is not None:
            self._reset()
        self._write(reg.COMMAND, reg.SOFT_RESET)
        waited_us = 0
        while (command := self._read(reg.COMMAND)) & reg.POWER_DOWN:
            if command == 0xFF:  # bits 7 and 6 are never set: nobody drives the wire
                break
            if waited_us >= _RESET_LIMIT_US:
                raise DeviceFaultError(self._explain_version(self._read(reg.VERSION), "does not wake up"))
            self._clock.wait_us(_RESET_PAUSE_US)
            waited_us += _RESET_PAUSE_US
        self.version = self._read(reg.VERSION)
        if self.version in (0x00, 0xFF):
            raise DeviceFaultError(self._explain_version(self.version, "does not answer"))
        for register, value in self._signature.items():
            self._write(register, value)
        self._reload = 0
        self._clean_until_us = self._check_us = 0
        self._write(reg.TX_CONTROL, 0x80 | reg.ANTENNA_DRIVERS)
        untouched = self._transfer([*_read_addresses(*_UNTOUCHED), 0])[1:]
        self._expected = [*self._signature.values(), *untouched]
        self.check()
        self._clock.wait_us(_FIELD_START_US)

    def check(self) -> None:
        self._check_settings(self._transfer([*self._read_signature, 0])[1:])

    def test_bus(self, rounds: int = 16) -> int:
        """Send patterns through the chip's buffer and return how many bytes came back changed.

        Each round is 64 bytes; a good bus changes none in thousands. Long wires or a high speed do.

        :raises DeviceFaultError: if the bus itself fails.
        """
        changed = 0
        self._transfer(_WRITE_IDLE)
        for number in range(rounds):
            pattern = [(index * 73 + number * 31) & 0xFF for index in range(reg.FIFO_BYTES - 2)] + [
                0x00,
                0xFF,
            ]
            self._transfer(_FLUSH)
            self._transfer([_WRITE_FIFO, *pattern])
            back = self._transfer([*[_READ_FIFO] * len(pattern), 0])[1:]
            changed += sum(sent != came for sent, came in zip(pattern, back, strict=True))
        self._transfer(_FLUSH)
        return changed

    def exchange(self, frame: bytes, *, last_bits: int = 0, answer_bytes: int, timeout_us: int) -> Reply:
        self._set_timeout(timeout_us)
        sent_us = self._start_sending(frame, last_bits)
        answer_us = _FRAME_DELAY_US + _bits_us(answer_bytes * 8)
        if timeout_us > _PROMPT_US:
            # The answer may begin at any moment: ask for the end first, then fetch the bytes.
            self._clock.wait_us(sent_us + answer_us + _SETTLE_US)
            self._await_end(timeout_us)
            return self._judge(self._read_all(answer_bytes), answer_bytes)
        # The answer begins when the standard says or never: one read after that moment tells all.
        self._clock.wait_us(sent_us + max(timeout_us, answer_us) + _SETTLE_US)
        reply = self._read_all(answer_bytes)
        if reply[1] & _FINISHED:
            return self._judge(reply, answer_bytes)
        interrupts = self._await_end(answer_us)
        return Noise("the answer came too late") if interrupts & reg.INTERRUPT_RX else Silence()

    def send(self, frame: bytes) -> None:
        sent_us = self._start_sending(frame, 0)
        self._clock.wait_us(sent_us + _SETTLE_US)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self._write(reg.COMMAND, reg.IDLE)
            self._write(reg.TX_CONTROL, 0x80)
        except DeviceFaultError:
            pass  # a dead bus has no field to switch off
        finally:
            self._spi.close()

    # How a frame goes out and what comes back.

    def _start_sending(self, frame: bytes, last_bits: int) -> int:
        """Put *frame* on the air and return how many microseconds it takes."""
        transfer = self._transfer
        transfer(_WRITE_IDLE)
        transfer(_CLEAR_INTERRUPTS)
        if self._clock.now_us() >= self._clean_until_us:
            transfer(_FLUSH)
        transfer([_WRITE_FIFO, *frame])
        # The sheet has StartSend written only; a clone that kept it at 1 would start the old framing with the
        # command, so it is cleared before it.
        transfer([_WRITE_FRAMING, last_bits])
        transfer(_WRITE_TRANSCEIVE)
        transfer([_WRITE_FRAMING, reg.START_SEND | last_bits])
        self._clean_until_us = 0
        return _bits_us(len(frame) * 8 - (8 - last_bits if last_bits else 0))

    def _read_all(self, answer_bytes: int) -> list[int]:
        """Read status and answer in one transfer; once a second the settings too, at no further transfer."""
        fifo = [_READ_FIFO] * answer_bytes
        now_us = self._clock.now_us()
        if now_us < self._check_us:
            reply = self._transfer([*_STATUS, *fifo, 0])
        else:
            reply = self._transfer([*_STATUS, *self._read_signature, *fifo, 0])
            end = _STATUS_END + len(self._read_signature)
            self._check_settings(reply[_STATUS_END:end])
            del reply[_STATUS_END:end]
            self._check_us = now_us + CHECK_PERIOD_US
        if reply[1] & _FINISHED and reply[3] <= answer_bytes:
            self._clean_until_us = now_us + _CLEAN_US
        return reply

    def _set_timeout(self, timeout_us: int) -> None:
        steps = -(-timeout_us // TIMER_STEP_US)
        if not 1 <= steps <= TIMER_STEPS_MAX:
            raise ValueError(f"a timeout of {timeout_us} µs is outside 1 to {TIMER_STEPS_MAX * TIMER_STEP_US}")
        if steps != self._reload:
            # The counter runs through reload + 1 steps.
            self._write(reg.TIMER_RELOAD_LOW, steps - 1)
            self._reload = steps

    def _judge(self, reply: list[int], answer_bytes: int) -> Reply:
        """Turn one burst read into an outcome."""
        _, interrupts, error, level, control, collision, status, tx_control, *fifo = reply
        if (
            interrupts == 0xFF
            or tx_control & reg.ANTENNA_DRIVERS != reg.ANTENNA_DRIVERS
            or status & reg.CRYPTO_ON
            or error & reg.TEMPERATURE_ERROR
        ):
            self._check_bus(reply)
            self._check_field(error, tx_control, status)
        if not interrupts & reg.INTERRUPT_RX:
            return Silence()
        if error & reg.COLLISION_ERROR:
            if collision & reg.COLLISION_POSITION_INVALID:
                return Noise("answers ran into each other beyond the first four bytes")
            return Collision(((collision & 0x1F) or 32) - 1)
        if error & reg.PARITY_ERROR:
            return Noise("a parity bit is wrong")
        if error & reg.PROTOCOL_ERROR:
            return Noise("the start of the answer is damaged")
        if error & reg.BUFFER_OVERFLOW or level > answer_bytes:
            return Noise("the answer is longer than it may be")
        if level == 0:
            return Noise("the answer is empty")
        return Answer(bytes(fifo[:level]), control & 0x07)

    def _await_end(self, allowed_us: int) -> int:
        """Wait, a little longer than *allowed_us*, for the chip to end an exchange; return the interrupts.

        :raises DeviceFaultError: if neither an answer nor the chip's timer ends it: then the chip failed.
        """
        give_up_us = self._clock.now_us() + allowed_us + _GRACE_US
        while True:
            reply = self._transfer(_READ_STATUS)
            self._check_bus(reply)
            self._check_field(reply[2], reply[7], reply[6])
            if reply[1] & _FINISHED:
                return reply[1]
            if self._clock.now_us() >= give_up_us:
                break
            self._clock.wait_us(_STATUS_PAUSE_US)
        self.check()
        raise DeviceFaultError(
            "The reader did not finish a transmission, and its settings look right. "
            "If this comes back, switch the reader off and on."
        )

    # Bus and health.

    def _transfer(self, data: list[int]) -> list[int]:
        try:
            return self._spi.xfer2(data)
        except OSError as error:
            raise DeviceFaultError(
                f"The SPI bus failed ({error.strerror or error}). Check the reader's wires."
            ) from error

    def _write(self, register: int, value: int) -> None:
        self._transfer([register << 1, value])

    def _read(self, register: int) -> int:
        return self._transfer([register << 1 | 0x80, 0])[1]

    def _check_settings(self, values: list[int]) -> None:
        if len(set(values)) == 1:
            raise DeviceFaultError(self._explain_version(values[0], "does not answer"))
        version, error, tx_control, status, *kept = values
        self._check_field(error, tx_control, status)
        if version != self.version or kept != self._expected:
            raise DeviceFaultError("The reader lost its settings. Its supply may have dipped: check the 3.3 V wire.")

    def _check_bus(self, reply: list[int]) -> None:
        values = set(reply[1:])
        if values in ({0x00}, {0xFF}):
            raise DeviceFaultError(self._explain_version(reply[1], "does not answer"))

    @staticmethod
    def _check_field(error: int, tx_control: int, status: int) -> None:
        # The chip switches its drivers off by itself when it is too hot, and only this bit tells (ErrorReg, TempErr).
        if error & reg.TEMPERATURE_ERROR:
            raise DeviceFaultError(
                "The reader's chip is too hot and has switched its field off. Let it cool down; it comes back by "
                "itself. If it gets hot again, check that it has 3.3 V, not 5, and that no metal lies on the reader."
            )
        if tx_control & reg.ANTENNA_DRIVERS != reg.ANTENNA_DRIVERS:
            raise DeviceFaultError(
                "The reader's field is off: it lost its settings. Its supply may have dipped: check the 3.3 V wire."
            )
        if status & reg.CRYPTO_ON:
            raise DeviceFaultError("The reader is stuck in its encrypted mode, in which no sticker can be read.")

    @staticmethod
    def _explain_version(version: int, what: str) -> str:
        if version == 0x00:
            hint = "All bits read 0: check 3.3 V, GND and the MISO wire."
        elif version == 0xFF:
            hint = "All bits read 1: check the SDA (chip select) and MISO wires, and which device is set."
        else:
            hint = "Check the 3.3 V supply and the RST wire."
        return f"The RC522 reader {what}. {hint}"
