"""The MFRC522 on the board: frames out and back through its registers.

The board's own source for what the host has in ``hardware/rc522/chip.py``, transfer for transfer the same; the
reasons for its times are there. Registers and commands are in the MFRC522 data sheet rev. 3.9, sections 9
and 10. Nothing about tags may live here.
"""

from .iso14443a import ANSWER, COLLISION, NOISE, SILENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GAINS_DB = {18: 0x20, 23: 0x30, 33: 0x40, 38: 0x50, 43: 0x60, 48: 0x70}
CLONES = {0x12: "a counterfeit", 0x88: "an FM17522", 0x89: "an FM17522E", 0xB2: "an FM17522 version 1"}

_PRESCALER = 338
_STEP_US = 50
_SETTLE_US = 20
_FRAME_DELAY_US = 100
_PROMPT_US = 500
_GRACE_US = 5_000
_STATUS_PAUSE_US = 200
_CLEAN_US = 1_000
_CHECK_PERIOD_US = 1_000_000
_RESET_LIMIT_US = 150_000
_RESET_PAUSE_US = 1_000
_FIELD_START_US = 5_000

_RX = 0x20
_FINISHED = 0x21
# Interrupts, error, level, control, collision, status 2 and antenna; behind them come settings and answer.
_STATUS = b"\x88\x8c\x94\x98\x9c\x90\xa8"
_STATUS_END = 8
_READ_STATUS = _STATUS + b"\x00"
_WRITE_IDLE = b"\x02\x00"
_CLEAR_INTERRUPTS = b"\x08\x7f"
_FLUSH = b"\x14\x80"
_WRITE_TRANSCEIVE = b"\x02\x0c"
_READ_FIFO = b"\x92"
# Version, error, antenna and status 2, then the settings in the order in which they are written.
_SETTINGS = (0x2A, 0x2B, 0x2C, 0x15, 0x11, 0x26, 0x12, 0x13)
# Left as the chip has them after a reset, which differs between chips; a change is a fault too.
_UNTOUCHED = (0x16, 0x17, 0x18, 0x19, 0x1C, 0x1D, 0x24, 0x27, 0x28, 0x29)


class ReaderError(Exception):
    """The chip or its bus failed; the text says what to do."""


def _bits_us(bits: int) -> int:
    return (bits + bits // 8 + 2) * 9440 // 1000 + 1


class Rc522:
    """A chip on *bus*, which has ``xfer(bytes)`` and returns as many bytes; *clock* waits and tells time.

    *reset* pulses the module's reset line, if one is wired.
    """

    def __init__(self, bus: "Any", clock: "Any", gain_db: int = 38, reset: "Any" = None) -> None:
        self._bus = bus
        self._clock = clock
        self._reset = reset
        self._reload = 0
        self._clean_until_us = 0
        self._check_us = 0
        self.version = 0
        self._kept = bytes((0x80 | _PRESCALER >> 8, _PRESCALER & 0xFF, 0, 0x40, 0x3D, 0x08 | GAINS_DB[gain_db], 0, 0))
        self._read_settings = bytes(r << 1 | 0x80 for r in (0x37, 0x06, 0x14, 0x08) + _SETTINGS + _UNTOUCHED)
        self._expected = b""

    def chip_note(self) -> str:
        if self.version in (0x90, 0x91, 0x92):
            return ""
        kind = CLONES.get(self.version, "an unknown chip")
        return (
            f"The reader's chip is {kind} (version {self.version:02X}h), not a genuine MFRC522. "
            "It may read worse; if cards are missed, try another module."
        )

    def start(self) -> None:
        """Reset the chip, set it up and switch the field on, or raise ReaderError."""
        if self._reset is not None:
            self._reset()
        self._write(0x01, 0x0F)
        waited_us = 0
        while True:
            command = self._read(0x01)
            if not command & 0x10 or command == 0xFF:
                break
            if waited_us >= _RESET_LIMIT_US:
                raise ReaderError(_explain(self._read(0x37), "does not wake up"))
            self._clock.wait_us(_RESET_PAUSE_US)
            waited_us += _RESET_PAUSE_US
        self.version = self._read(0x37)
        if self.version in (0x00, 0xFF):
            raise ReaderError(_explain(self.version, "does not answer"))
        for register, value in zip(_SETTINGS, self._kept):
            self._write(register, value)
        self._reload = 0
        self._clean_until_us = self._check_us = 0
        self._write(0x14, 0x83)
        untouched = self._transfer(bytes(r << 1 | 0x80 for r in _UNTOUCHED) + b"\x00")[1:]
        self._expected = self._kept + untouched
        self.check()
        self._clock.wait_us(_FIELD_START_US)

    def check(self) -> None:
        """Compare the chip with how it was set up, in one transfer."""
        self._check_settings(self._transfer(self._read_settings + b"\x00")[1:])

    def exchange(self, frame: bytes, last_bits: int, answer_bytes: int, timeout_us: int) -> "Any":
        self._set_timeout(timeout_us)
        sent_us = self._start_sending(frame, last_bits)
        answer_us = _FRAME_DELAY_US + _bits_us(answer_bytes * 8)
        if timeout_us > _PROMPT_US:
            self._clock.wait_us(sent_us + answer_us + _SETTLE_US)
            self._await_end(timeout_us)
            return self._judge(self._read_all(answer_bytes), answer_bytes)
        self._clock.wait_us(sent_us + max(timeout_us, answer_us) + _SETTLE_US)
        reply = self._read_all(answer_bytes)
        if reply[1] & _FINISHED:
            return self._judge(reply, answer_bytes)
        if self._await_end(answer_us) & _RX:
            return NOISE, "the answer came too late"
        return (SILENCE,)

    def send(self, frame: bytes) -> None:
        self._clock.wait_us(self._start_sending(frame, 0) + _SETTLE_US)

    def _start_sending(self, frame: bytes, last_bits: int) -> int:
        transfer = self._transfer
        transfer(_WRITE_IDLE)
        transfer(_CLEAR_INTERRUPTS)
        if self._clock.now_us() >= self._clean_until_us:
            transfer(_FLUSH)
        transfer(b"\x12" + frame)
        transfer(bytes((0x1A, last_bits)))
        transfer(_WRITE_TRANSCEIVE)
        transfer(bytes((0x1A, 0x80 | last_bits)))
        self._clean_until_us = 0
        return _bits_us(len(frame) * 8 - (8 - last_bits if last_bits else 0))

    def _read_all(self, answer_bytes: int) -> bytes:
        fifo = _READ_FIFO * answer_bytes + b"\x00"
        now_us = self._clock.now_us()
        if now_us < self._check_us:
            reply = self._transfer(_STATUS + fifo)
        else:
            reply = self._transfer(_STATUS + self._read_settings + fifo)
            end = _STATUS_END + len(self._read_settings)
            self._check_settings(reply[_STATUS_END:end])
            reply = reply[:_STATUS_END] + reply[end:]
            self._check_us = now_us + _CHECK_PERIOD_US
        if reply[1] & _FINISHED and reply[3] <= answer_bytes:
            self._clean_until_us = now_us + _CLEAN_US
        return reply

    def _set_timeout(self, timeout_us: int) -> None:
        steps = -(-timeout_us // _STEP_US)
        if steps != self._reload:
            self._write(0x2D, steps - 1)
            self._reload = steps

    def _judge(self, reply: bytes, answer_bytes: int) -> "Any":
        interrupts, error, level, control, collision, status, antenna = reply[1:_STATUS_END]
        if interrupts == 0xFF or antenna & 0x03 != 0x03 or status & 0x08 or error & 0x40:
            self._check_bus(reply)
            _check_field(error, antenna, status)
        if not interrupts & _RX:
            return (SILENCE,)
        if error & 0x08:
            if collision & 0x20:
                return NOISE, "answers ran into each other beyond the first four bytes"
            return COLLISION, ((collision & 0x1F) or 32) - 1
        if error & 0x02:
            return NOISE, "a parity bit is wrong"
        if error & 0x01:
            return NOISE, "the start of the answer is damaged"
        if error & 0x10 or level > answer_bytes:
            return NOISE, "the answer is longer than it may be"
        if level == 0:
            return NOISE, "the answer is empty"
        return ANSWER, bytes(reply[_STATUS_END : _STATUS_END + level]), control & 0x07

    def _await_end(self, allowed_us: int) -> int:
        give_up_us = self._clock.now_us() + allowed_us + _GRACE_US
        while True:
            reply = self._transfer(_READ_STATUS)
            self._check_bus(reply)
            _check_field(reply[2], reply[7], reply[6])
            if reply[1] & _FINISHED:
                return reply[1]
            if self._clock.now_us() >= give_up_us:
                break
            self._clock.wait_us(_STATUS_PAUSE_US)
        self.check()
        raise ReaderError(
            "The reader did not finish a transmission, and its settings look right. "
            "If this comes back, switch the reader off and on."
        )

    def _transfer(self, data: bytes) -> bytes:
        try:
            reply: bytes = self._bus.xfer(data)
            return reply
        except OSError as error:
            raise ReaderError(f"The SPI bus failed ({error}). Check the reader's wires.")

    def _write(self, register: int, value: int) -> None:
        self._transfer(bytes((register << 1, value)))

    def _read(self, register: int) -> int:
        return self._transfer(bytes((register << 1 | 0x80, 0)))[1]

    def _check_settings(self, values: bytes) -> None:
        if values == values[:1] * len(values):
            raise ReaderError(_explain(values[0], "does not answer"))
        _check_field(values[1], values[2], values[3])
        if values[0] != self.version or values[4:] != self._expected:
            raise ReaderError("The reader lost its settings. Its supply may have dipped: check the 3.3 V wire.")

    @staticmethod
    def _check_bus(reply: bytes) -> None:
        values = reply[1:]
        if values[0] in (0x00, 0xFF) and values == values[:1] * len(values):
            raise ReaderError(_explain(values[0], "does not answer"))


def _check_field(error: int, antenna: int, status: int) -> None:
    if error & 0x40:
        raise ReaderError(
            "The reader's chip is too hot and has switched its field off. Let it cool down; it comes back by "
            "itself. If it gets hot again, check that it has 3.3 V, not 5, and that no metal lies on the reader."
        )
    if antenna & 0x03 != 0x03:
        raise ReaderError(
            "The reader's field is off: it lost its settings. Its supply may have dipped: check the 3.3 V wire."
        )
    if status & 0x08:
        raise ReaderError("The reader is stuck in its encrypted mode, in which no sticker can be read.")


def _explain(version: int, what: str) -> str:
    if version == 0x00:
        hint = "All bits read 0: check 3.3 V, GND and the MISO wire."
    elif version == 0xFF:
        hint = "All bits read 1: check the SDA (chip select) and MISO wires, and which pin is set."
    else:
        hint = "Check the 3.3 V supply and the RST wire."
    return f"The RC522 reader {what}. {hint}"
