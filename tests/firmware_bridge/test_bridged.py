"""The bridged devices by themselves: parts on threads of their own, opening, and closing."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from firmware_bridge import messages as m
from firmware_bridge.errors import (
    BoardBusyError,
    BoardFaultError,
    BoardNotFoundError,
    BoardPermissionError,
    BridgeError,
)
from firmware_bridge.frames import FrameReader, encode_frame
from firmware_bridge.link import Link
from firmware_bridge.payloads import decode_message, encode_message
from firmware_bridge.port import BoardPort, Line
from hardware.bridged import Bridge, as_hardware_error, open_bridged_reader
from hardware.bridged_parts import SIGNALS_MAX
from hardware.ports import (
    DeviceBusyError,
    DeviceFaultError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
    Tone,
)
from hardware.signals import ButtonPressed, DeviceBack, DeviceLost
from hardware.simulated import VirtualClock

WELCOME = m.Welcome(1, 99, "1.0.0", "Pico", 7, 4, ("pad",))


class FarEnd:
    """A board's end of a line, which greets and answers every command with done."""

    def __init__(self) -> None:
        self.heard: list[m.Message] = []
        self.session = 0
        self.is_broken = False
        self.is_closed = False
        self._reader = FrameReader()
        self._out = bytearray()
        self._number = 0

    def tell(self, event: m.BoardEvent) -> None:
        self._number += 1
        self._say(self._number, event)

    def _say(self, number: int, message: m.Message) -> None:
        self._out += encode_frame(encode_message(m.Envelope(self.session, number, message)))

    def read(self, size: int = 1, /) -> bytes:
        if self.is_broken:
            raise OSError(5, "Input/output error")
        data = bytes(self._out[:size])
        del self._out[:size]
        return data

    def write(self, data: bytes, /) -> int:
        for payload in self._reader.receive_data(data):
            envelope = decode_message(payload)
            self.heard.append(envelope.message)
            if isinstance(envelope.message, m.Hello):
                self.session, self._number = envelope.session, 0
                self._say(0, WELCOME)
            elif not isinstance(envelope.message, m.HostAlive):
                self._say(envelope.number, m.Done(m.Result.DONE))
        return len(data)

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def far() -> FarEnd:
    return FarEnd()


def bridge_to(far: FarEnd) -> Bridge:
    sessions = iter(range(1, 1_000))

    def open_far(_: str) -> Line:
        far.is_broken = False
        return far

    return Bridge(BoardPort(Link(lambda: next(sessions)), "far", open_line=open_far))


def run(poll: Callable[[int], object], from_ms: int, to_ms: int) -> None:
    for now_ms in range(from_ms, to_ms, 5):
        poll(now_ms)


def test_a_table_of_buttons_alone_hears_of_a_lost_board(far: FarEnd) -> None:
    buttons = bridge_to(far).buttons()
    run(buttons.poll, 0, 100)
    far.is_broken = True
    signals = [signal for now_ms in range(100, 1_000, 5) for signal in buttons.poll(now_ms)]
    assert [type(signal) for signal in signals] == [DeviceLost, DeviceBack]
    assert isinstance(signals[0], DeviceLost) and signals[0].reason.startswith("The board was unplugged.")


def test_presses_that_nobody_takes_are_bounded(far: FarEnd) -> None:
    bridge = bridge_to(far)
    buttons = bridge.buttons()
    run(bridge.poll, 0, 50)
    for number in range(3 * SIGNALS_MAX):
        far.tell(m.Pressed(0, f"seat:{number}"))
        bridge.poll(50 + number)
    signals = buttons.poll(1_000)
    assert len(signals) == SIGNALS_MAX
    assert isinstance(signals[-1], ButtonPressed) and signals[-1].button == f"seat:{3 * SIGNALS_MAX - 1}"


def test_parts_on_threads_of_their_own_never_wait_for_each_other(far: FarEnd) -> None:
    bridge = bridge_to(far)
    reader, buzzer = bridge.reader(), bridge.buzzer()
    run(bridge.poll, 0, 50)
    is_reading, may_end = threading.Event(), threading.Event()
    read = far.read

    def slow_read(size: int = 1, /) -> bytes:
        is_reading.set()
        assert may_end.wait(10), "the buzzer waited for the reader"
        return read(size)

    far.read = slow_read  # type: ignore[method-assign]
    thread = threading.Thread(target=reader.poll, args=(60,))
    thread.start()
    assert is_reading.wait(10)
    buzzer.sound((Tone(440, on_ms=100),), 61)  # returns although the reader's poll is under way
    may_end.set()
    thread.join()
    buzzer.poll(70)
    assert m.Sound((m.Beep(440, 100, 0),)) in far.heard


def test_the_newest_lamps_are_shown_when_many_changed(far: FarEnd) -> None:
    bridge = bridge_to(far)
    lamps = bridge.lamps()
    run(bridge.poll, 0, 50)
    for seat in range(10):
        lamps.show(frozenset({seat}))
    run(bridge.poll, 50, 200)
    shown = [message for message in far.heard if isinstance(message, m.Show)]
    assert shown[-1] == m.Show(frozenset({9}))
    assert len(shown) <= 3


def test_closing_the_last_part_leaves_the_board_dark_and_silent(far: FarEnd) -> None:
    bridge = bridge_to(far)
    buzzer, lamps = bridge.buzzer(), bridge.lamps()
    lamps.show(frozenset({1}))
    buzzer.sound((Tone(440, on_ms=60_000),), 10)
    run(bridge.poll, 10, 200)
    buzzer.close()
    run(lamps._bridge.poll, 200, 300)
    lamps.close()
    assert far.heard[-1] == m.Show(frozenset())
    assert m.Sound(()) in far.heard
    assert far.is_closed
    lamps.close()


@pytest.mark.parametrize("tones", [65, -1])
def test_a_pattern_that_cant_be_played_is_an_error_at_once(far: FarEnd, tones: int) -> None:
    buzzer = bridge_to(far).buzzer()
    pattern = (Tone(440, on_ms=10),) * tones if tones > 0 else (Tone(-440, on_ms=10),)
    with pytest.raises(ValueError):
        buzzer.sound(pattern, 0)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (BoardNotFoundError, DeviceNotFoundError),
        (BoardPermissionError, DevicePermissionError),
        (BoardBusyError, DeviceBusyError),
        (BoardFaultError, DeviceFaultError),
    ],
)
def test_a_fault_of_the_line_is_a_fault_of_a_device(fault: type[BridgeError], kind: type[HardwareError]) -> None:
    error = as_hardware_error(fault("what to do"))
    assert type(error) is kind and str(error) == "what to do"


def test_opening_a_board_that_is_not_there_says_so() -> None:
    with pytest.raises(DeviceNotFoundError, match="/dev/ttyACM77 is not there"):
        open_bridged_reader("/dev/ttyACM77", clock=VirtualClock())
