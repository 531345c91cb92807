"""The board's pins, bus, clock and USB line: the only file that touches ``machine``.

What is done with them is decided elsewhere. Outputs are made safe before anything else is opened.
"""

import os
import select
import sys
import time

import machine

from .rc522 import Rc522

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A tone outside of this can't be heard, and the RP2040's PWM can't go below 8 Hz.
TONE_HZ_LOWEST = 20
TONE_HZ_HIGHEST = 20_000
_HALF = 32_768
# The sheet asks for 100 ns of low level at RST.
_RESET_PULSE_US = 1_000


class Clock:
    """Microseconds since the start, counted on through the wrap-around of the board's own ticks."""

    def __init__(self) -> None:
        self._last: int = time.ticks_us()  # type: ignore[attr-defined]  # MicroPython's own
        self._now_us = 0

    def now_us(self) -> int:
        ticks: int = time.ticks_us()  # type: ignore[attr-defined]  # MicroPython's own
        self._now_us += time.ticks_diff(ticks, self._last)  # type: ignore[attr-defined]  # MicroPython's own
        self._last = ticks
        return self._now_us

    def now_ms(self) -> int:
        return self.now_us() // 1000

    def wait_us(self, duration_us: int) -> None:
        if duration_us > 0:
            time.sleep_us(duration_us)  # type: ignore[attr-defined]  # MicroPython's own


class Bus:
    """One chip on the SPI bus, behind its chip select."""

    def __init__(self, spi: "Any", select_pin: "Any") -> None:
        self._spi = spi
        self._select = select_pin

    def xfer(self, data: bytes) -> bytes:
        reply = bytearray(len(data))
        self._select.value(0)
        try:
            self._spi.write_readinto(data, reply)
        finally:
            self._select.value(1)
        return bytes(reply)


def was_reset_by_program() -> bool:
    """True after a reset by the watchdog or by the program itself; the RP2040 does not tell these two apart."""
    return bool(machine.reset_cause() == machine.WDT_RESET)


class Board:
    """Everything that *settings* say is wired."""

    def __init__(self, settings: "Any") -> None:
        pin = machine.Pin
        buzzer = settings["buzzer"]
        self._passive = bool(buzzer and buzzer["passive"])
        self._buzzer = pin(buzzer["pin"], pin.OUT, value=0) if buzzer else None
        self._tone: Any = None
        self._lamps = [pin(number, pin.OUT, value=0) for number in settings["lamps"]]
        # Chip selects go high before the bus is opened, so that no chip listens to what comes first.
        selects = [pin(reader["cs"], pin.OUT, value=1) for reader in settings["readers"]]
        self.button_names = list(settings["buttons"])
        self._buttons = [pin(settings["buttons"][name], pin.IN, pin.PULL_UP) for name in self.button_names]
        self.lamp_count = len(self._lamps)
        self.clock = Clock()
        self.radios: list[tuple[str, Rc522]] = []
        wires = settings["spi"]
        if selects:
            spi = machine.SPI(
                wires["bus"],
                baudrate=wires["speed_hz"],
                polarity=0,
                phase=0,
                sck=pin(wires["sck"]),
                mosi=pin(wires["mosi"]),
                miso=pin(wires["miso"]),
            )
            for reader, select_pin in zip(settings["readers"], selects):
                chip = Rc522(Bus(spi, select_pin), self.clock, reader["gain_db"], self._reset_line(reader["reset"]))
                self.radios.append((reader["name"], chip))
        self._watchdog: Any = None
        self._watchdog_ms = settings["watchdog_ms"]
        self._input = sys.stdin.buffer
        self._output = sys.stdout.buffer
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    @property
    def name(self) -> str:
        return getattr(sys.implementation, "_machine", sys.platform)

    def _reset_line(self, number: "int | None") -> "Any":
        if number is None:
            return None
        line = machine.Pin(number, machine.Pin.OUT, value=1)

        def pulse() -> None:
            line.value(0)
            self.clock.wait_us(_RESET_PULSE_US)
            line.value(1)

        return pulse

    def start_watchdog(self) -> None:
        if self._watchdog_ms:
            self._watchdog = machine.WDT(timeout=self._watchdog_ms)

    def feed_watchdog(self) -> None:
        if self._watchdog is not None:
            self._watchdog.feed()

    def buttons_closed(self) -> "list[bool]":
        return [not button.value() for button in self._buttons]

    def drive_buzzer(self, frequency_hz: int) -> None:
        """Sound, or be silent with 0. An active buzzer has a pitch of its own."""
        if self._buzzer is None:
            return
        if not self._passive:
            self._buzzer.value(1 if frequency_hz else 0)
        elif frequency_hz:
            if self._tone is None:
                self._tone = machine.PWM(self._buzzer)
            self._tone.freq(max(TONE_HZ_LOWEST, min(frequency_hz, TONE_HZ_HIGHEST)))
            self._tone.duty_u16(_HALF)
        elif self._tone is not None:
            self._tone.duty_u16(0)

    def show_lamps(self, seats: "list[int]") -> None:
        for seat, lamp in enumerate(self._lamps):
            lamp.value(1 if seat in seats else 0)

    def read(self, limit: int) -> bytes:
        """Return the bytes that have come over USB, at most *limit*; never waits."""
        data = bytearray()
        while len(data) < limit and self._poll.poll(0):
            piece = self._input.read(1)
            if not piece:
                break
            data.extend(piece)
        return bytes(data)

    def wait(self, duration_ms: int) -> None:
        """Return when something comes over USB, or after *duration_ms*."""
        self._poll.poll(max(0, duration_ms))

    def write(self, data: bytes) -> int:
        """Send what the line takes, and return how many bytes that were."""
        try:
            return self._output.write(data) or 0
        except OSError:
            return 0

    def boot_number(self) -> int:
        return int.from_bytes(os.urandom(4), "little")

    def restart(self) -> None:
        machine.reset()
