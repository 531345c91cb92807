"""The serial port of a board: found, opened for this program alone, kept open, opened again.

The only module that imports pyserial. What the bytes mean is ``link``; nothing here sleeps, and time is
input. A port that is opened is not yet a board: only one that answers our greeting is kept, so another
device is let go after three seconds, and one whose USB id isn't a board's is never touched unasked.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, Protocol

import serial
from serial.tools import list_ports

from firmware_bridge.access import Identity, how_to_let_in
from firmware_bridge.errors import (
    BoardBusyError,
    BoardFaultError,
    BoardForeignError,
    BoardNotFoundError,
    BoardPermissionError,
    BoardSilentError,
    BoardVersionError,
    BridgeError,
)
from firmware_bridge.link import Disconnected, Event, Incompatible, Link, State
from firmware_bridge.messages import PROTOCOL_LOWEST, PROTOCOL_VERSION

fcntl: Any
termios: Any
try:
    import fcntl
    import termios
except ImportError:  # Windows, where the system itself keeps others off a port
    fcntl = termios = None

# What a line can raise when its device goes away; pyserial lets termios's own error through, which is no OSError, and
# stumbles over a descriptor that was closed just then.
LINE_FAULTS: Final[tuple[type[Exception], ...]] = (OSError, TypeError, *([termios.error] if termios else []))
_OPENING_FAULTS: Final[tuple[type[Exception], ...]] = (*LINE_FAULTS, ValueError, OverflowError)
# MicroPython on Raspberry Pi's boards, Pico and Pico 2 (usb.org: Raspberry Pi Ltd; MicroPython's own number).
BOARD_USB_IDS: Final = frozenset({(0x2E8A, 0x0005)})
# USB doesn't care; a real UART behind a socket or an adapter does.
BAUD: Final = 115_200
# One poll reads so much at most, so that a flood can't keep the table from its other work.
READ_MAX: Final = 4_096
# So many bytes without one good frame are no boot text any more.
FLOOD_BYTES: Final = 65_536
# A board greets within one turn of its loop, and its start takes about a second.
GREETING_MS: Final = 3_000
# First soon, since most losses are a bumped plug; never slower than every two seconds, so that a board that
# is plugged in again is back while people still look at the plug.
RETRY_FIRST_MS: Final = 100
RETRY_LONGEST_MS: Final = 2_000
# pyserial spins without end on a full line if it may not wait at all; a full line is a dead one.
_WRITE_TIMEOUT_S: Final = 0.02
# What is kept of unframed text to recognise MicroPython's prompt.
_TEXT_MAX: Final = 256
_PROMPT_MARKS: Final = (b">>>", b"MicroPython", b"raw REPL", b"MPY: soft reboot")
# CircuitPython says so in its banner, and where its program has ended; its prompt looks like MicroPython's.
_CIRCUITPYTHON_MARKS: Final = (b"CircuitPython", b"code.py output:", b"Press any key to enter the REPL")
# CircuitPython on Pico and Pico W, where the system does not tell the name of the interface.
_CIRCUITPYTHON_USB_IDS: Final = frozenset({(0x239A, 0x80F4), (0x239A, 0x8120)})
# Where udev keeps names that stay the same when a plug is pulled and put in again.
BY_ID: Final = Path("/dev/serial/by-id")
_NAME_IT: Final = "Name a device such as /dev/ttyACM0, or an address such as socket://table.local:4000."
_INSTALL: Final = "Put the firmware on it with: lastcard firmware install"


class Line(Protocol):
    """An open serial line, as pyserial has it."""

    def read(self, size: int = 1, /) -> bytes: ...

    def write(self, data: bytes, /) -> int | None: ...

    def close(self) -> None: ...


def find_boards() -> list[str]:
    """The ports whose USB id is a board's, in order of name."""
    return sorted(port.device for port in list_ports.comports() if (port.vid, port.pid) in BOARD_USB_IDS)


def lasting_name(device: str) -> str:
    """The name that what is at *device* keeps when it is plugged in again; *device* where the system gives it none."""
    try:
        real = Path(device).resolve()
        return next((str(link) for link in sorted(BY_ID.iterdir()) if link.resolve() == real), device)
    except (OSError, ValueError, RuntimeError):  # no such folder; a name that can be none; links in a circle
        return device


def _usb_ports() -> list[Any]:
    try:
        return sorted((port for port in list_ports.comports() if port.vid is not None), key=lambda port: port.device)
    except Exception:  # pyserial reads what the system says of devices that may be leaving just then
        return []


def _has_circuitpython(port: Any) -> bool:
    said = " ".join(str(getattr(port, name, "")) for name in ("product", "interface", "description"))
    return "circuitpython" in said.lower() or (port.vid, port.pid) in _CIRCUITPYTHON_USB_IDS


def refuse_circuitpython(address: str) -> None:
    """Look at what the system knows of *address*, without opening it.

    :raises BoardForeignError: if that is a board with CircuitPython.
    """
    try:
        real = str(Path(address).resolve())
    except (OSError, ValueError, RuntimeError):
        return
    if any(port.device == real and _has_circuitpython(port) for port in _usb_ports()):
        raise _circuitpython(address)


def _circuitpython(address: str) -> BoardForeignError:
    return BoardForeignError(
        f"The board at {address} runs CircuitPython, and our firmware needs MicroPython. Hold BOOTSEL while you plug "
        "it in, copy MicroPython's .uf2 file (from micropython.org) onto the drive that appears, and run: lastcard "
        "firmware install"
    )


def none_found(how_to_name: str) -> BridgeError:
    """Why no board was found on USB, by what else is there. *how_to_name* ends the advice for another board."""
    ports = _usb_ports()
    for port in ports:
        if _has_circuitpython(port):
            return _circuitpython(port.device)
    there = ", ".join(lasting_name(port.device) for port in ports)
    also = f" There are: {there}." if there else ""
    return BoardNotFoundError(
        "No board was found on USB. Plug in a Pico with a cable that carries data; if it is another board, "
        f"{how_to_name}.{also}"
    )


def _not_there(address: str) -> BoardNotFoundError:
    """A named port is gone; numbers such as that of /dev/ttyACM0 change when a board is plugged in again."""
    boards = [port.device for port in _usb_ports() if (port.vid, port.pid) in BOARD_USB_IDS]
    if boards:
        names = ", ".join(lasting_name(board) for board in boards)
        stays = (
            ", which stays when it is plugged in again" if any(lasting_name(board) != board for board in boards) else ""
        )
        return BoardNotFoundError(f"{address} is not there, but a board is. Name that one{stays}: {names}")
    there = ", ".join(lasting_name(port.device) for port in _usb_ports())
    also = f" There are: {there}." if there else ""
    return BoardNotFoundError(f"{address} is not there. Plug the board in, or name its port.{also}")


def open_line(address: str) -> Line:
    """Open a device or any pyserial URL (``socket://host:port``) for this program alone.

    :raises BridgeError: of the fitting kind, with what to do.
    """
    try:
        line = _OwnLine(
            serial.serial_for_url(address, baudrate=BAUD, timeout=0, write_timeout=_WRITE_TIMEOUT_S, exclusive=True)
        )
    except _OPENING_FAULTS as error:  # pyserial's own error is an OSError
        raise _explain(error, address) from error
    return line


def _explain(error: Exception, address: str) -> BridgeError:
    # pyserial packs what the system said of a socket, and a terminal's error, into one of its own.
    inner = error.__context__ if isinstance(error.__context__, Exception) else error
    number = getattr(error, "errno", None) or next((part for part in inner.args if isinstance(part, int)), None)
    if not address:
        return BoardNotFoundError(f"The name of the port is empty. {_NAME_IT}")
    if isinstance(inner, socket.gaierror):
        return BoardNotFoundError(
            f"The computer in {address} can't be found. Check its name, and that both are on the same network."
        )
    if isinstance(inner, TimeoutError):
        return BoardNotFoundError(f"{address} does not answer. Check the network, and that the computer there is on.")
    if number == errno.ECONNREFUSED:
        return BoardNotFoundError(
            f"Nothing takes calls at {address}. Start the program there that passes the board's line on."
        )
    if number in (errno.EACCES, errno.EPERM):
        return BoardPermissionError(f"This user may not open {address}. {how_to_let_in(address, Identity.current())}")
    if number in (errno.EAGAIN, errno.EBUSY):
        return BoardBusyError(
            f"{address} is in use by another program. Stop it (another table, a terminal, ModemManager), "
            "or name another port."
        )
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return _not_there(address)
    if number in (errno.ENOTTY, errno.EISDIR, errno.EINVAL):
        return BoardNotFoundError(f"{address} is no serial port. {_NAME_IT}")
    if number is None:
        return BoardNotFoundError(f"{address} is no serial port and no address that can be understood. {_NAME_IT}")
    return BoardNotFoundError(
        f"{address} can't be opened: {os.strerror(number)}. Unplug the board and plug it in again, or name another "
        "port."
    )


class _OwnLine:
    """A pyserial line that no other program can open meanwhile, and that is closed whatever became of it."""

    def __init__(self, line: serial.Serial) -> None:
        self._line = line
        self._claim("TIOCEXCL")

    def read(self, size: int = 1, /) -> bytes:
        return bytes(self._line.read(size))

    def write(self, data: bytes, /) -> int | None:
        return self._line.write(data)

    def close(self) -> None:
        self._claim("TIOCNXCL")
        # pyserial 3.5 leaves a socket open whose far end is gone.
        far_end = getattr(self._line, "_socket", None)
        with contextlib.suppress(*LINE_FAULTS):  # the device may be gone already
            self._line.close()
        if far_end is not None:
            far_end.close()

    def _claim(self, request: str) -> None:
        """Ask the kernel to refuse others, or to let them in again: pyserial's lock holds off only who asks for it."""
        if termios is not None:
            with contextlib.suppress(*LINE_FAULTS, AttributeError):  # a socket, or a device that is gone already
                fcntl.ioctl(self._line.fd, getattr(termios, request))


class BoardPort:
    """A board's line with the conversation over it.

    ``fault`` is why there is no board now, as an error whose text is a sentence; None while one is there or
    may still answer.

    :param address: a device, a pyserial URL, or None for the first board that is found by its USB id.
    """

    def __init__(
        self,
        link: Link,
        address: str | None = None,
        *,
        find: Callable[[], Iterable[str]] = find_boards,
        open_line: Callable[[str], Line] = open_line,
    ) -> None:
        self.link = link
        self.fault: BridgeError | None = None
        self.address: str | None = None
        """The port that is open."""
        self.unsent_bytes = 0
        """Bytes that a full line did not take."""
        self._wanted = address
        self._lasting: str | None = None
        self._find = find
        self._open_line = open_line
        self._line: Line | None = None
        self._tried = 0
        self._next_try_ms: int | None = None
        self._retry_ms = RETRY_FIRST_MS
        self._greeting_since_ms = 0
        self._text = b""
        self._is_circuitpython = False
        self._good = self._skipped = 0
        self._closed = False

    @property
    def is_connected(self) -> bool:
        return self.link.state is State.TALKING

    def poll(self, now_ms: int) -> list[Event]:
        """Do what is due and return what happened, in order."""
        if self._closed:
            return []
        if self._line is None:
            self._try_to_open(now_ms)
        if self._line is not None:
            self._pump(now_ms)
        events: list[Event] = []
        while (event := self.link.next_event()) is not None:
            events.append(event)
            if isinstance(event, Disconnected):
                self._greeting_since_ms = now_ms
                self._text = b""  # what it said before is no answer to the next greeting
            elif isinstance(event, Incompatible):
                refuse = event.refuse
                self._give_up(
                    BoardVersionError(
                        f"The board at {self.address} has firmware {refuse.firmware}, which speaks protocol "
                        f"{refuse.lowest} to {refuse.highest}; this program speaks "
                        f"{PROTOCOL_LOWEST} to {PROTOCOL_VERSION}. "
                        "Put the fitting one on it with: lastcard firmware install",
                        refuse.firmware,
                    ),
                    now_ms,
                )
        if self.is_connected:
            self.fault = None
            self._retry_ms = RETRY_FIRST_MS
        return events

    def close(self) -> None:
        """Say goodbye and release the port; may be called twice."""
        self._closed = True
        if self._line is not None:
            self.link.say_goodbye()
            with contextlib.suppress(*LINE_FAULTS):
                self._line.write(self.link.data_to_send())
        self._release()

    # Opening.

    def _try_to_open(self, now_ms: int) -> None:
        if self._next_try_ms is not None and now_ms < self._next_try_ms:
            return
        candidates = [self._named(self._wanted)] if self._wanted is not None else self._look_around()
        if not candidates:
            self._give_up(none_found("name its port"), now_ms)
            return
        address = candidates[self._tried % len(candidates)]
        self._tried += 1
        try:
            self._line = self._open_line(address)
        except BridgeError as fault:
            self._give_up(fault, now_ms)
            return
        self.address = address
        self._lasting = lasting_name(address)
        self._greeting_since_ms = now_ms
        self._text = b""
        self._is_circuitpython = False
        self._good = self.link.counters.frames.good
        self._skipped = self.link.counters.frames.skipped_bytes
        self.link.line_opened(now_ms)

    def _named(self, wanted: str) -> str:
        """Where to look for a board whose port was named: the board that was there may be back under another number."""
        lasting = self._lasting
        return lasting if lasting is not None and lasting != wanted and os.access(lasting, os.F_OK) else wanted

    def _look_around(self) -> list[str]:
        try:
            return list(self._find())
        except Exception:  # pyserial reads what the system says of devices that may be leaving just then
            return []

    def _give_up(self, fault: BridgeError, now_ms: int) -> None:
        self.fault = fault
        self._release()
        self.link.line_closed(now_ms)
        self._next_try_ms = now_ms + self._retry_ms
        self._retry_ms = min(self._retry_ms * 2, RETRY_LONGEST_MS)

    def _release(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(*LINE_FAULTS):  # the device may be gone already
                line.close()

    # An open line.

    def _pump(self, now_ms: int) -> None:
        line = self._line
        assert line is not None
        try:
            data = line.read(READ_MAX)
            if data:
                self.link.receive_data(data, now_ms)
            self.link.tick(now_ms)
            out = self.link.data_to_send()
            if out:
                try:
                    written = line.write(out)
                    self.unsent_bytes += len(out) - (written or 0)
                except serial.SerialTimeoutException:
                    self.unsent_bytes += len(out)
        except LINE_FAULTS:
            self._give_up(
                BoardNotFoundError(
                    f"The board at {self.address} was unplugged, or its cable has a bad contact. Plug it in again."
                ),
                now_ms,
            )
            return
        self._judge(data, now_ms)

    def _judge(self, data: bytes, now_ms: int) -> None:
        """Let go of a device that floods, or that does not greet in time."""
        counters = self.link.counters.frames
        if counters.good != self._good:
            self._good, self._skipped = counters.good, counters.skipped_bytes
        elif counters.skipped_bytes - self._skipped > FLOOD_BYTES:
            self._give_up(
                BoardFaultError(
                    f"The device at {self.address} sends without end what no board of ours says. "
                    "Unplug it, or name the board's port."
                ),
                now_ms,
            )
            return
        if self.link.state is not State.GREETING:
            return
        text = self._text + data
        self._is_circuitpython |= any(mark in text for mark in _CIRCUITPYTHON_MARKS)
        self._text = text[-_TEXT_MAX:]
        if now_ms - self._greeting_since_ms >= GREETING_MS:
            self._give_up(self._explain_silence(), now_ms)

    def _explain_silence(self) -> BridgeError:
        if self._is_circuitpython:
            return _circuitpython(str(self.address))
        try:
            refuse_circuitpython(str(self.address))
        except BoardForeignError as fault:
            return fault
        if any(mark in self._text for mark in _PROMPT_MARKS):
            return BoardFaultError(
                f"The board at {self.address} is at MicroPython's prompt: no firmware of ours runs. {_INSTALL}"
            )
        if self._text.strip(b"\x00"):
            return BoardFaultError(
                f"The device at {self.address} answers, but not as a board of ours. Name the board's port, or "
                f"{_INSTALL[0].lower()}{_INSTALL[1:]}"
            )
        return BoardSilentError(
            f"The device at {self.address} does not answer. If it is the board, unplug it and plug it in again; "
            f"if it is new, {_INSTALL[0].lower()}{_INSTALL[1:]}"
        )
