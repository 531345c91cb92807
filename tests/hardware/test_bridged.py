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
from firmware_bridge.link import COMMANDS_MAX, Link
from firmware_bridge.payloads import decode_message, encode_message
from firmware_bridge.port import FLOOD_BYTES, GREETING_MS, BoardPort, Line
from hardware.bridged.bridge import SIGNALS_MAX, Bridge, as_hardware_error
from hardware.bridged.parts import BridgedButtons, BridgedBuzzer, BridgedLamps, BridgedReader, open_bridged_reader
from hardware.ports import (
    DeviceBusyError,
    DeviceFaultError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
    Tone,
)
from hardware.signals import ButtonPressed, DeviceBack, DeviceLost, DeviceNote, TagPlaced
from hardware.simulated import VirtualClock

WELCOME = m.Welcome(1, 99, "1.0.0", "Pico", 7, 4, ("pad",))


class FarEnd:
    """A board's end of a line, which greets and answers every command with done, unless it is deaf to them."""

    def __init__(self) -> None:
        self.heard: list[m.Message] = []
        self.session = 0
        self.is_broken = False
        self.is_closed = False
        self.is_deaf = False
        self.fault: BridgeError | None = None
        self._reader = FrameReader()
        self._out = bytearray()
        self._number = 0

    def flood(self) -> None:
        self._out += b"\xa5" * (4 * FLOOD_BYTES)

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
            elif isinstance(envelope.message, m.HostAlive):
                self._say(0, m.BoardAlive(0, 0))
            elif not self.is_deaf:
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
        if far.fault is not None:
            raise far.fault
        far.is_broken = False
        return far

    return Bridge(BoardPort(Link(lambda: next(sessions)), "far", open_line=open_far))


def run(poll: Callable[[int], object], from_ms: int, to_ms: int) -> None:
    for now_ms in range(from_ms, to_ms, 5):
        poll(now_ms)


def test_a_table_of_buttons_alone_hears_of_a_lost_board(far: FarEnd) -> None:
    buttons = BridgedButtons(bridge_to(far))
    run(buttons.poll, 0, 100)
    far.is_broken = True
    signals = [signal for now_ms in range(100, 1_000, 5) for signal in buttons.poll(now_ms)]
    assert [type(signal) for signal in signals] == [DeviceLost, DeviceBack]
    assert isinstance(signals[0], DeviceLost) and signals[0].reason.startswith("The board was unplugged.")


def test_presses_that_nobody_takes_are_bounded(far: FarEnd) -> None:
    bridge = bridge_to(far)
    buttons = BridgedButtons(bridge)
    run(bridge.poll, 0, 50)
    for number in range(3 * SIGNALS_MAX):
        far.tell(m.Pressed(0, f"seat:{number}"))
        bridge.poll(50 + number)
    signals = buttons.poll(1_000)
    assert len(signals) == SIGNALS_MAX
    assert isinstance(signals[-1], ButtonPressed) and signals[-1].button == f"seat:{3 * SIGNALS_MAX - 1}"


def test_parts_on_threads_of_their_own_never_wait_for_each_other(far: FarEnd) -> None:
    bridge = bridge_to(far)
    reader, buzzer = BridgedReader(bridge), BridgedBuzzer(bridge)
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
    lamps = BridgedLamps(bridge)
    run(bridge.poll, 0, 50)
    for seat in range(10):
        lamps.show(frozenset({seat}))
    run(bridge.poll, 50, 200)
    shown = [message for message in far.heard if isinstance(message, m.Show)]
    assert shown[-1] == m.Show(frozenset({9}))
    assert len(shown) <= 3


def test_closing_the_last_part_leaves_the_board_dark_and_silent(far: FarEnd) -> None:
    bridge = bridge_to(far)
    buzzer, lamps = BridgedBuzzer(bridge), BridgedLamps(bridge)
    lamps.show(frozenset({1}))
    buzzer.sound((Tone(440, on_ms=60_000),), 10)
    run(bridge.poll, 10, 200)
    buzzer.close()
    run(lamps._bridge.poll, 200, 300)
    session = far.session
    lamps.close()
    assert far.heard[-2:] == [m.Show(frozenset()), m.Hello()]
    assert m.Sound(()) in far.heard
    assert far.session != session, "the board's session ended, and with it every sound"
    assert far.is_closed
    lamps.close()


def test_closing_waits_for_no_command_that_is_under_way(far: FarEnd) -> None:
    bridge = bridge_to(far)
    buzzer = BridgedBuzzer(bridge)
    run(bridge.poll, 0, 50)
    session, far.is_deaf = far.session, True
    buzzer.sound((Tone(440, on_ms=60_000),), 60)
    buzzer.close()
    assert far.heard[-1] == m.Hello() and far.session != session


@pytest.mark.parametrize("tones", [65, -1])
def test_a_pattern_that_cant_be_played_is_an_error_at_once(far: FarEnd, tones: int) -> None:
    buzzer = BridgedBuzzer(bridge_to(far))
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


GONE = BoardNotFoundError("The board is not there.")
BUSY = BoardBusyError("Another program holds the board.")
FORBIDDEN = BoardPermissionError("This user may not.")
UNPLUGGED = "The board was unplugged. Plug it in again; until then pick cards on the screen."


def reasons(far: FarEnd, part: str, *steps: BridgeError | str) -> list[str]:
    """What a table reads while one thing after the other stands in the way, each for five seconds; "" is its return."""
    bridge = bridge_to(far)
    device = BridgedReader(bridge) if part == "reader" else BridgedButtons(bridge)
    told: list[str] = []
    now_ms = session = 0
    for step in steps:
        if isinstance(step, BridgeError):
            far.fault, far.is_broken = step, True
        elif step == "there":
            far.fault = None
        elif step == "flood":
            far.flood()
        for _ in range(1_000):
            now_ms += 5
            for signal in device.poll(now_ms):
                if isinstance(signal, DeviceLost | DeviceBack):
                    told.append(signal.reason if isinstance(signal, DeviceLost) else "")
            if bridge.is_connected and far.session != session:
                session = far.session
                far.tell(m.Lying(0, "pad", b""))
    return told


@pytest.mark.parametrize("part", ["reader", "buttons"])
@pytest.mark.parametrize(
    ("steps", "read"),
    [
        (("there", GONE, "there"), [UNPLUGGED, ""]),
        (("there", GONE, BUSY, "there"), [UNPLUGGED, str(BUSY), ""]),
        (("there", GONE, BUSY, GONE, BUSY, FORBIDDEN), [UNPLUGGED, str(BUSY), str(FORBIDDEN)]),
        ((GONE, FORBIDDEN, "there"), [str(GONE), str(FORBIDDEN), ""]),
        ((BUSY, "there", BUSY), [str(BUSY), "", UNPLUGGED, str(BUSY)]),
    ],
)
def test_each_reason_that_stands_in_the_way_is_told_once(
    far: FarEnd, part: str, steps: tuple[BridgeError | str, ...], read: list[str]
) -> None:
    assert reasons(far, part, *steps) == read


def test_a_board_that_is_let_go_is_not_told_as_unplugged(far: FarEnd) -> None:
    told = reasons(far, "reader", "there", "flood")
    assert told[0].startswith("The device at far sends without end what no board of ours says.")


def test_a_reader_that_is_dead_when_its_board_is_back_says_so_again(far: FarEnd) -> None:
    bridge = bridge_to(far)
    reader = BridgedReader(bridge)
    told = []
    dead = m.ReaderLost(0, "pad", "The RC522 reader does not answer.")
    run(bridge.poll, 0, 50)
    far.tell(dead)
    told += [signal for now_ms in range(50, 100, 5) for signal in reader.poll(now_ms)]
    far.is_broken = True
    told += [signal for now_ms in range(100, 1_000, 5) for signal in reader.poll(now_ms)]
    far.tell(dead)
    told += [signal for now_ms in range(1_000, 1_100, 5) for signal in reader.poll(now_ms)]
    assert [signal.reason for signal in told if isinstance(signal, DeviceLost)] == [dead.text, UNPLUGGED, dead.text]


def test_a_part_that_joins_late_hears_why_there_is_no_board(far: FarEnd) -> None:
    far.fault = BUSY
    bridge = bridge_to(far)
    run(bridge.poll, 0, 1_000)
    (lost,) = BridgedReader(bridge).poll(1_000)
    assert isinstance(lost, DeviceLost) and lost.reason == str(BUSY)


@pytest.mark.parametrize("state", [m.Several(0, "pad"), m.Disturbed(0, "pad"), m.Lying(0, "pad", b"")])
def test_a_reader_is_back_whatever_its_board_says_of_it(far: FarEnd, state: m.BoardEvent) -> None:
    reader = BridgedReader(bridge_to(far))
    run(reader.poll, 0, 50)
    far.is_broken = True
    run(reader.poll, 50, 1_000)
    far.tell(state)
    signals = [signal for now_ms in range(1_000, 1_100, 5) for signal in reader.poll(now_ms)]
    assert [type(signal) for signal in signals[:1]] == [DeviceBack]


def test_what_a_board_tells_first_lay_there_and_nothing_that_it_tells_later(far: FarEnd) -> None:
    def placed(*events: m.BoardEvent) -> list[bool]:
        bridge = bridge_to(far)
        reader = BridgedReader(bridge)
        run(bridge.poll, 0, 50)
        for event in events:
            far.tell(event)
        signals = [signal for now_ms in range(50, 400, 5) for signal in reader.poll(now_ms)]
        return [signal.lay_there for signal in signals if isinstance(signal, TagPlaced)]

    one, other = (m.Placed(0, "pad", bytes((4, 0, 0, 0, 0, 0, last))) for last in (1, 2))
    lies = m.Lying(0, "pad", one.uid)
    assert placed(lies) == placed(m.Several(0, "pad"), lies) == [True]
    assert placed(m.ReaderLost(0, "pad", "It does not answer."), m.ReaderBack(0, "pad"), lies) == [True]
    assert placed(lies, m.Removed(0, "pad", one.uid), one, other) == [True, False, False]
    assert placed(m.Lying(0, "pad", b""), one) == [False]
    # A board that went away and is back in the middle of play tells how things stand once more.
    assert placed(m.Lying(0, "pad", b""), lies) == [False]


def test_a_note_is_told_once_however_often_the_board_comes_back(far: FarEnd) -> None:
    reader = BridgedReader(bridge_to(far))
    notes = []
    for session in range(4):
        for text in ("a clone", "settings that can't be"):
            far.tell(m.ReaderNote(0, "pad", text))
        polled = [reader.poll(now_ms) for now_ms in range(session * 5_000, session * 5_000 + 4_000, 5)]
        notes += [signal.text for signals in polled for signal in signals if isinstance(signal, DeviceNote)]
        far.tell(m.ReaderNote(0, "pad", "a clone"))
        polled = [reader.poll(now_ms) for now_ms in range(session * 5_000 + 4_000, session * 5_000 + 4_500, 5)]
        notes += [signal.text for signals in polled for signal in signals if isinstance(signal, DeviceNote)]
        far.is_broken = True
    assert notes.count("a clone") == 1 and len(notes) == len(set(notes))


def test_what_nobody_takes_in_time_is_counted(far: FarEnd) -> None:
    bridge = bridge_to(far)
    BridgedButtons(bridge)
    lamps = BridgedLamps(bridge)
    run(bridge.poll, 0, 50)
    for number in range(SIGNALS_MAX + 3):
        far.tell(m.Pressed(0, "draw"))
        bridge.poll(50 + number)
    for seat in range(COMMANDS_MAX + 2):
        lamps.show(frozenset({seat}))
    assert (bridge.counters.signals, bridge.counters.commands) == (3, 2)


def test_closing_does_not_wait_for_a_port_that_is_slow_to_open(far: FarEnd) -> None:
    is_opening, may_open = threading.Event(), threading.Event()

    def open_slowly(_: str) -> Line:
        is_opening.set()
        assert may_open.wait(10), "closing waited for the port"
        return far

    bridge = Bridge(BoardPort(Link(lambda: 7), "far", open_line=open_slowly))
    reader, buzzer = BridgedReader(bridge), BridgedBuzzer(bridge)
    thread = threading.Thread(target=reader.poll, args=(1,))
    thread.start()
    assert is_opening.wait(10)
    buzzer.close()
    reader.close()
    assert not far.is_closed
    may_open.set()
    thread.join()
    assert far.is_closed, "whoever was moving the line closes it"
    assert reader.poll(100) == []


def test_opening_goes_on_to_the_next_board_when_the_first_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    silent, far = FarEnd(), FarEnd()
    monkeypatch.setattr(silent, "write", len)
    ends = {"first": silent, "second": far}
    plain = BoardPort.__init__

    def with_two(self: BoardPort, link: Link, address: str | None = None) -> None:
        plain(self, link, address, find=lambda: ["first", "second"], open_line=lambda name: ends[name])

    monkeypatch.setattr(BoardPort, "__init__", with_two)
    open_bridged_reader(None, clock=VirtualClock()).close()
    assert silent.is_closed and far.session


def test_opening_waits_for_a_port_that_appears_in_time(far: FarEnd, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = VirtualClock()
    plain = BoardPort.__init__

    def open_late(_: str) -> Line:
        if clock.now_ms() < GREETING_MS:
            raise GONE
        return far

    def late(self: BoardPort, link: Link, address: str | None = None) -> None:
        plain(self, link, address, open_line=open_late)

    monkeypatch.setattr(BoardPort, "__init__", late)
    open_bridged_reader("far", clock=clock).close()
    assert far.session
