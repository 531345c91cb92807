"""Ports that are no board, or can't be had: each one sentence, bounded memory, and the next try comes."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import os
import pty
import socket
import sys
import termios
import threading
import tty
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import serial
from serial.tools import list_ports

from firmware_bridge import messages as m
from firmware_bridge import port as port_module
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
from firmware_bridge.frames import ENCODED_MAX, FrameReader, encode_frame
from firmware_bridge.link import Connected, Link, State
from firmware_bridge.payloads import decode_message, encode_message
from firmware_bridge.port import (
    FLOOD_BYTES,
    GREETING_MS,
    READ_MAX,
    RETRY_LONGEST_MS,
    BoardPort,
    Line,
    find_boards,
    open_line,
)
from hardware.bridged.bridge import Bridge
from hardware.bridged.parts import BridgedReader
from hardware.signals import DeviceLost, Signal
from table_app.table.threads import ThreadedDevice

WELCOME = m.Welcome(1, 99, "1.0.0", "Pico", 7, 4, ("pad",))


class Device:
    """The far end of a pty: something that is plugged in."""

    def __init__(self) -> None:
        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self.path = os.ttyname(self._theirs)

    def say(self, data: bytes) -> None:
        os.write(self._ours, data)

    def heard(self) -> bytes:
        try:
            return os.read(self._ours, 65_536)
        except BlockingIOError:
            return b""

    def unplug(self) -> None:
        os.close(self._ours)
        os.close(self._theirs)
        self._ours = -1

    def close(self) -> None:
        if self._ours >= 0:
            self.unplug()


@pytest.fixture
def device() -> Iterator[Device]:
    device = Device()
    yield device
    device.close()


def new_link() -> Link:
    sessions = iter(range(1, 10_000))
    return Link(lambda: next(sessions))


def answer_greeting(device: Device, port: BoardPort, now_ms: int) -> int:
    """Be a board: answer the greeting once it has arrived; return the time."""
    reader = FrameReader()
    for _ in range(1_000):
        port.poll(now_ms)
        for payload in reader.receive_data(device.heard()):
            envelope = decode_message(payload)
            device.say(encode_frame(encode_message(m.Envelope(envelope.session, 0, WELCOME))))
        if port.is_connected:
            return now_ms
        now_ms += 1
    raise AssertionError("the greeting was never answered")


def sentence_of(port: BoardPort, now_ms: int = GREETING_MS + 1_000) -> BridgeError:
    for at_ms in range(0, now_ms, 100):
        port.poll(at_ms)
        if port.fault is not None:
            return port.fault
    raise AssertionError("no fault was found")


def test_no_board_at_all() -> None:
    fault = sentence_of(BoardPort(new_link(), find=list))
    assert isinstance(fault, BoardNotFoundError)
    assert str(fault) == (
        "No board was found on USB. Plug in a Pico with a cable that carries data; if it is another board, "
        "name its port."
    )


def test_a_port_that_is_not_there() -> None:
    fault = sentence_of(BoardPort(new_link(), "/dev/ttyACM77"))
    assert isinstance(fault, BoardNotFoundError)
    assert str(fault) == "/dev/ttyACM77 is not there. Plug the board in, or name its port."


def test_a_port_that_another_program_holds(device: Device) -> None:
    other = open_line(device.path)
    fault = sentence_of(BoardPort(new_link(), device.path))
    assert isinstance(fault, BoardBusyError)
    assert f"{device.path} is in use by another program" in str(fault)
    other.close()
    open_line(device.path).close()


@pytest.mark.parametrize(
    ("number", "kind", "said"),
    [
        (errno.EACCES, BoardPermissionError, "sudo usermod -aG dialout $USER"),
        (errno.EBUSY, BoardBusyError, "in use by another program"),
        (errno.EIO, BoardNotFoundError, "Input/output error"),
    ],
)
def test_a_port_that_the_system_refuses(
    monkeypatch: pytest.MonkeyPatch, number: int, kind: type[BridgeError], said: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise serial.SerialException(number, f"could not open port: {os.strerror(number)}")

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    fault = sentence_of(BoardPort(new_link(), "/dev/ttyACM0"))
    assert isinstance(fault, kind) and said in str(fault)


def test_a_device_that_says_nothing(device: Device) -> None:
    fault = sentence_of(BoardPort(new_link(), device.path))
    assert isinstance(fault, BoardFaultError)
    assert str(fault) == (
        f"The device at {device.path} does not answer. If it is the board, unplug it and plug it in again; "
        "if it is new, put the firmware on it with: lastcard firmware install"
    )


def test_a_board_at_its_prompt(device: Device) -> None:
    port = BoardPort(new_link(), device.path)
    port.poll(0)
    device.say(b'MicroPython v1.29.0 on 2026-06-01; Raspberry Pi Pico\r\nType "help()".\r\n>>> ')
    assert "is at MicroPython's prompt: no firmware of ours runs" in str(sentence_of(port))


def test_a_device_of_another_kind(device: Device) -> None:
    port = BoardPort(new_link(), device.path)
    port.poll(0)
    device.say(b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n")
    assert "answers, but not as a board of ours" in str(sentence_of(port))


def test_an_old_firmware(device: Device) -> None:
    port = BoardPort(new_link(), device.path)
    port.poll(0)
    device.say(encode_frame(encode_message(m.Envelope(1, 0, m.Refuse(0, 0, "0.9.0")))))
    fault = sentence_of(port)
    assert str(fault) == (
        f"The board at {device.path} has firmware 0.9.0, which speaks protocol 0 to 0; this program speaks 1 to 2. "
        "Put the fitting one on it with: lastcard firmware install"
    )


def test_a_device_that_floods_is_let_go_with_memory_bounded(device: Device) -> None:
    link = new_link()
    port = BoardPort(link, device.path)
    sent = 0
    for now_ms in range(1, 2_000):
        port.poll(now_ms)
        if port.fault is not None:
            break
        assert len(link._reader._pending) <= ENCODED_MAX
        try:
            sent += os.write(device._ours, b"\xa5" * READ_MAX)
        except BlockingIOError:
            continue
    assert isinstance(port.fault, BoardFaultError)
    assert "sends without end what no board of ours says" in str(port.fault)
    assert sent < 2 * FLOOD_BYTES


def test_a_flood_of_well_formed_events_is_taken_at_a_bounded_pace(device: Device) -> None:
    link = new_link()
    port = BoardPort(link, device.path)
    now_ms = answer_greeting(device, port, 0)
    frames = b"".join(
        encode_frame(encode_message(m.Envelope(link.session, number % 256, m.Pressed(0, "draw"))))
        for number in range(1, 2_000)
    )
    taken = []
    while frames and now_ms < 5_000:
        with contextlib.suppress(BlockingIOError):
            frames = frames[os.write(device._ours, frames) :]
        now_ms += 1
        events = port.poll(now_ms)
        taken.append(len(events))
        device.heard()
    assert max(taken) <= READ_MAX // 16
    assert port.is_connected


def test_a_full_line_does_not_hang_the_table(device: Device) -> None:
    port = BoardPort(new_link(), device.path)
    now_ms = answer_greeting(device, port, 0)
    # Nobody reads at the far end any more, but it still talks and answers, so the session goes on.
    for step in range(400):
        now_ms += 10
        device.say(encode_frame(encode_message(m.Envelope(port.link.session, 0, m.BoardAlive(step, 0)))))
        number = port.link.send(m.Sound((m.Beep(440, 100),) * 64), now_ms)
        port.poll(now_ms)
        assert number is not None
        device.say(encode_frame(encode_message(m.Envelope(port.link.session, number, m.Done(m.Result.DONE)))))
        if port.unsent_bytes:
            break
    assert port.unsent_bytes > 0
    assert len(port.link._out) == 0


def test_a_pulled_plug_is_a_sentence_and_the_next_try_comes_ever_later_but_not_too_late(device: Device) -> None:
    opened: list[int] = []
    now_ms = 0

    def counting(address: str) -> Line:
        opened.append(now_ms)
        return open_line(address)

    port = BoardPort(new_link(), device.path, open_line=counting)
    now_ms = answer_greeting(device, port, 0)
    device.unplug()
    for _ in range(2_000):
        now_ms += 10
        port.poll(now_ms)
    assert "is not there" in str(port.fault)
    pauses = [after - before for before, after in itertools.pairwise(opened[1:])]
    assert pauses[:4] == [200, 400, 800, 1_600]
    assert set(pauses[4:]) == {RETRY_LONGEST_MS}


@dataclass
class Found:
    device: str
    vid: int | None
    pid: int | None
    product: str = ""
    interface: str = ""


PICO = (0x2E8A, 0x0005)
GPS = Found("/dev/ttyACM1", 0x1546, 0x01A7, "u-blox 7")
CIRCUITPYTHON = (
    Found("/dev/ttyACM0", 0x239A, 0x80F4, "Pico"),
    Found("/dev/ttyACM0", 0x239A, 0x8106, "Feather RP2040", "CircuitPython CDC control"),
    Found("/dev/ttyACM0", 0x303A, 0x7001, "TinyS3", "CircuitPython CDC control"),
)


@pytest.fixture
def by_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the lasting names, as udev keeps it."""
    folder = tmp_path / "by-id"
    folder.mkdir()
    monkeypatch.setattr(port_module, "BY_ID", folder)
    return folder


def test_a_board_that_came_back_under_another_number_is_found_by_its_lasting_name(
    device: Device, by_id: Path, tmp_path: Path
) -> None:
    """As when a table has the port open while the cable is pulled: the kernel gives the next free number."""
    first, second = tmp_path / "ttyACM0", tmp_path / "ttyACM1"
    first.symlink_to(device.path)
    lasting = by_id / "usb-MicroPython_Board_in_FS_mode_e660-if00"
    lasting.symlink_to(first)
    port = BoardPort(new_link(), str(first))
    now_ms = answer_greeting(device, port, 0)
    device.unplug()
    for path in (first, lasting):
        path.unlink()
    again = Device()
    for later_ms in range(now_ms, now_ms + 3_000, 50):
        port.poll(later_ms)
    assert not port.is_connected
    second.symlink_to(again.path)
    lasting.symlink_to(second)
    answer_greeting(again, port, now_ms + 6_000)
    assert port.address == str(lasting)
    port.close()
    again.close()


def test_a_named_port_that_is_another_now_is_told_with_the_name_that_stays(
    by_id: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = [Found("/dev/ttyACM78", *PICO), GPS]
    monkeypatch.setattr(list_ports, "comports", lambda: there)
    wanted = "/dev/ttyACM77"
    assert str(sentence_of(BoardPort(new_link(), wanted))) == (
        f"{wanted} is not there, but a board is. Name that one: /dev/ttyACM78"
    )
    (by_id / "usb-MicroPython_Board_in_FS_mode_e660-if00").symlink_to("/dev/ttyACM78")
    assert str(sentence_of(BoardPort(new_link(), wanted))) == (
        f"{wanted} is not there, but a board is. Name that one, which stays when it is plugged in again: "
        f"{by_id}/usb-MicroPython_Board_in_FS_mode_e660-if00"
    )
    del there[0]
    assert str(sentence_of(BoardPort(new_link(), wanted))).endswith("or name its port. There are: /dev/ttyACM1.")


@pytest.mark.parametrize("found", CIRCUITPYTHON)
def test_a_board_with_circuitpython_is_told_from_none(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", lambda: [GPS, found])
    fault = sentence_of(BoardPort(new_link(), find=find_boards))
    assert isinstance(fault, BoardForeignError)
    assert str(fault).startswith("The board at /dev/ttyACM0 runs CircuitPython, and our firmware needs MicroPython. ")
    assert "micropython.org" in str(fault)


@pytest.mark.parametrize(
    "said",
    [
        b"\r\nAdafruit CircuitPython 9.2.1 on 2024-11-20; Raspberry Pi Pico with rp2040\r\n>>> ",
        b"Auto-reload is on. Simply save files over USB to run them or enter REPL to disable.\r\ncode.py output:\r\n",
        b"\r\nCode done running.\r\n\r\nPress any key to enter the REPL. Use CTRL-D to reload.\r\n",
        b"Adafruit CircuitPython 9.2.1 on 2024-11-20\r\n" + b">>> x\r\n" * 200,
    ],
)
def test_circuitpython_s_prompt_is_not_taken_for_micropython_s(said: bytes, device: Device) -> None:
    port = BoardPort(new_link(), device.path)
    port.poll(0)
    device.say(said)
    assert isinstance(sentence_of(port), BoardForeignError)


def test_nothing_on_usb_but_others_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", lambda: [GPS, Found("/dev/ttyS0", None, None)])
    assert str(sentence_of(BoardPort(new_link(), find=find_boards))).endswith("name its port. There are: /dev/ttyACM1.")


def test_only_boards_are_opened_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    there = [
        Found("/dev/ttyUSB0", 0x1A86, 0x7523),
        Found("/dev/ttyS0", None, None),
        Found("/dev/ttyACM1", 0x2E8A, 0x0005),
        Found("/dev/ttyACM0", 0x2E8A, 0x000A),
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: there)
    assert find_boards() == ["/dev/ttyACM1"]
    opened: list[str] = []

    def refuse(address: str) -> Line:
        opened.append(address)
        raise BoardNotFoundError("not there")

    port = BoardPort(new_link(), open_line=refuse)
    for now_ms in range(0, 10_000, 50):
        port.poll(now_ms)
    assert set(opened) == {"/dev/ttyACM1"}


def test_the_next_of_several_boards_is_tried_when_the_first_does_not_answer(device: Device) -> None:
    silent = Device()
    port = BoardPort(new_link(), find=lambda: [silent.path, device.path])
    for now_ms in range(0, GREETING_MS + 500, 50):
        port.poll(now_ms)
    now_ms = answer_greeting(device, port, GREETING_MS + 500)
    assert port.address == device.path
    silent.close()


def test_a_board_behind_a_socket() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"socket://127.0.0.1:{server.getsockname()[1]}"
        port = BoardPort(new_link(), address)
        port.poll(0)
        board, _ = server.accept()
        board.settimeout(10)
        payloads: list[bytes] = []
        reader = FrameReader()
        while not payloads:
            payloads = reader.receive_data(board.recv(4096))
        session = decode_message(payloads[0]).session
        board.sendall(encode_frame(encode_message(m.Envelope(session, 0, WELCOME))))
        events = [event for now_ms in range(1, 200) for event in port.poll(now_ms)]
        assert events == [Connected(WELCOME)]
        board.close()
        for now_ms in range(200, 250):
            port.poll(now_ms)
        assert not port.is_connected and "was unplugged" in str(port.fault)
        port.close()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("", "The name of the port is empty."),
        ("carrier-pigeon://x", "is no serial port and no address that can be understood."),
        ("socket://127.0.0.1", "is no serial port and no address that can be understood."),
        ("socket://127.0.0.1:99999", "is no serial port and no address that can be understood."),
        ("/dev/tty\0", "is no serial port and no address that can be understood."),
        ("/dev/null", "/dev/null is no serial port."),
        ("/", "/ is no serial port."),
        ("socket://no-such-table.invalid:4000", "The computer in socket://no-such-table.invalid:4000 can't be found."),
    ],
)
def test_an_address_that_is_no_line_is_told_in_our_own_words(address: str, said: str) -> None:
    fault = sentence_of(BoardPort(new_link(), address))
    assert isinstance(fault, BoardNotFoundError) and said in str(fault)
    told, *to_do = str(fault).removesuffix(".").split(". ")
    assert to_do and to_do[0].startswith(("Name a device such as /dev/ttyACM0", "Check its name")), told
    assert not any(foreign in str(fault) for foreign in ("Errno", "NoneType", "null byte", "debug|info", "protocol"))


def test_an_address_where_nobody_takes_calls() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"socket://127.0.0.1:{server.getsockname()[1]}"
    fault = sentence_of(BoardPort(new_link(), address))
    assert str(fault) == (f"Nothing takes calls at {address}. Start the program there that passes the board's line on.")


@pytest.mark.parametrize("call", ["tcgetattr", "tcsetattr", "tcflush"])
def test_a_device_that_leaves_while_it_is_opened_is_not_there(
    device: Device, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    plain, opening = getattr(termios, call), iter((True,))

    def leave(*arguments: Any) -> Any:
        if next(opening, False):
            raise termios.error(errno.EIO, "Input/output error")
        return plain(*arguments)

    monkeypatch.setattr(termios, call, leave)
    port = BoardPort(new_link(), device.path)
    reader = BridgedReader(Bridge(port))
    told: list[Signal] = []
    woken = threading.Event()
    clock = itertools.count(0, 50)
    threaded = ThreadedDevice(reader, lambda: next(clock), woken.set)
    try:
        while port.link.state is not State.GREETING:
            woken.wait(0.02)
            told += threaded.poll(0)
            assert threaded._thread.is_alive(), "its thread lives on, and tries again"
        told += threaded.poll(0)  # what came between the last look and the greeting
    finally:
        threaded.close()
    (lost,) = [signal for signal in told if isinstance(signal, DeviceLost)][:1]
    assert lost.reason.startswith(f"{device.path} can't be opened: Input/output error. Unplug the board")


@pytest.mark.parametrize("error", [termios.error(errno.EIO, "gone"), OSError(errno.EIO, "gone"), TypeError("no fd")])
@pytest.mark.parametrize("call", ["read", "write", "close"])
def test_a_line_that_breaks_in_any_way_is_tried_again(error: Exception, call: str) -> None:
    class Breaking:
        def read(self, size: int = 1, /) -> bytes:
            self._do("read")
            return b""

        def write(self, data: bytes, /) -> int:
            self._do("write")
            return len(data)

        def close(self) -> None:
            self._do("close")

        def _do(self, name: str) -> None:
            if name == call:
                raise error

    opened: list[str] = []

    def open_breaking(address: str) -> Line:
        opened.append(address)
        return Breaking()

    port = BoardPort(new_link(), "far", open_line=open_breaking)
    for now_ms in range(0, 2 * GREETING_MS, 50):
        port.poll(now_ms)
    assert len(opened) > 1 and port.fault is not None
    port.close()


def test_a_search_that_fails_finds_nothing_and_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []

    def stumble() -> list[Found]:
        searched.append(1)
        raise TypeError("int() can't convert non-string with explicit base")

    monkeypatch.setattr(list_ports, "comports", stumble)
    assert "No board was found on USB" in str(sentence_of(BoardPort(new_link(), find=find_boards)))
    assert searched


# <asm-generic/ioctls.h>; Python's termios has its two companions only.
TIOCGEXCL = 0x80045440


def test_no_other_program_can_open_the_port_meanwhile(device: Device) -> None:
    """The kernel then refuses everybody but root, who may be running this test."""

    def is_exclusive() -> bool:
        return bool(int.from_bytes(fcntl.ioctl(device._theirs, TIOCGEXCL, bytes(4)), sys.byteorder))

    line = open_line(device.path)
    assert is_exclusive()
    line.close()
    assert not is_exclusive()


def test_a_board_that_fell_silent_is_not_taken_for_another_device(device: Device) -> None:
    port = BoardPort(new_link(), device.path)
    port.poll(0)
    device.say(encode_frame(encode_message(m.Envelope(0, 0, m.Announce(1, 1, 99, "1.0.0")))))
    now_ms = answer_greeting(device, port, 10)
    for later_ms in range(now_ms, now_ms + 2 * GREETING_MS, 50):
        port.poll(later_ms)
    assert isinstance(port.fault, BoardSilentError) and "does not answer" in str(port.fault)


def test_a_board_of_an_unknown_version_is_named_as_such(device: Device) -> None:
    port = BoardPort(new_link(), device.path)
    port.poll(0)
    device.say(encode_frame(encode_message(m.Envelope(1, 0, m.Welcome(9, 1, "7.0.0", "Pico", 7, 4, ("pad",))))))
    fault = sentence_of(port)
    assert isinstance(fault, BoardVersionError) and fault.firmware == "7.0.0"
    assert "has firmware 7.0.0, which speaks protocol 9 to 9" in str(fault)
