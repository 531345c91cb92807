"""Reader, buttons, buzzer and lamps on a microcontroller, behind the same ports as local devices.

The table can't tell the difference: a pulled cable is a lost reader, and what lies there when it is back is
told once. How the line works is ``firmware_bridge``'s; which devices a table wants is its settings'.
"""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from firmware_bridge import messages as m
from firmware_bridge.errors import (
    BoardBusyError,
    BoardNotFoundError,
    BoardPermissionError,
    BridgeError,
)
from firmware_bridge.link import COMMANDS_MAX, Cause, Connected, Disconnected, Event, Happened, Link
from firmware_bridge.payloads import encode_message
from firmware_bridge.port import GREETING_MS, BoardPort
from hardware.clock import SystemClock
from hardware.iso14443a import Tag
from hardware.ports import (
    Clock,
    DeviceBusyError,
    DeviceFaultError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
    Pattern,
)
from hardware.signals import (
    ButtonPressed,
    DeviceBack,
    DeviceLost,
    DeviceNote,
    ReaderDisturbed,
    SeveralTags,
    Signal,
    Source,
    TagPlaced,
    TagRemoved,
)

# Signals between two polls of a part. A board sends 64 at most before somebody takes them; if a part is not
# polled for so long, the oldest go.
SIGNALS_MAX: Final = 64
# How long a table waits at its start for a board that may be starting too.
OPENING_MS: Final = GREETING_MS + 1_000
_OPENING_PAUSE_US: Final = 5_000
_LOST_TEXTS: Final = {
    Cause.SILENCE: "The board stopped answering. Check its cable, or unplug it and plug it in again.",
    Cause.RESTARTED: "The board restarted. If this comes back, its supply is too weak: take another cable or port.",
    Cause.LINE_CLOSED: "The board was unplugged. Plug it in again; until then pick cards on the screen.",
}


def as_hardware_error(fault: BridgeError) -> HardwareError:
    """The same sentence as an error of ``hardware.ports``, which is what a table expects."""
    for kind, ours in (
        (BoardNotFoundError, DeviceNotFoundError),
        (BoardPermissionError, DevicePermissionError),
        (BoardBusyError, DeviceBusyError),
    ):
        if isinstance(fault, kind):
            return ours(str(fault))
    return DeviceFaultError(str(fault))


class Bridge:
    """One board and the parts on it. Whichever part is polled moves the line; each takes what is its own.

    Parts may be polled on threads of their own. None ever waits for another: while one moves the line, the
    others only look into their queues.

    :param port: the board's line, which the bridge closes when its last part is closed.
    """

    def __init__(self, port: BoardPort) -> None:
        self._port = port
        self._parts: list[_Part] = []
        self._polled_ms: int | None = None
        self._was_connected = False
        self._moving = threading.Lock()
        self._outbox: deque[m.Command] = deque(maxlen=COMMANDS_MAX)

    @property
    def fault(self) -> HardwareError | None:
        """Why there is no board now; None while one is there or may still answer."""
        return None if self._port.fault is None else as_hardware_error(self._port.fault)

    @property
    def is_connected(self) -> bool:
        return self._port.is_connected

    def reader(self, name: str = "pad") -> BridgedReader:
        """The reader that the board's settings call *name*."""
        return BridgedReader(self, name)

    def buttons(self) -> BridgedButtons:
        return BridgedButtons(self)

    def buzzer(self) -> BridgedBuzzer:
        return BridgedBuzzer(self)

    def lamps(self) -> BridgedLamps:
        return BridgedLamps(self)

    def poll(self, now_ms: int) -> None:
        """Move the line on to *now_ms* and hand out what happened."""
        if not self._moving.acquire(blocking=False):
            return
        try:
            self._move(now_ms)
        finally:
            self._moving.release()

    def _move(self, now_ms: int) -> None:
        if self._polled_ms is not None and now_ms <= self._polled_ms and not self._outbox:
            return
        self._polled_ms = now_ms = max(now_ms, self._polled_ms or now_ms)
        while self._outbox:
            self._port.link.send(self._outbox.popleft(), now_ms)
        for event in self._port.poll(now_ms):
            self._was_connected = self._was_connected or isinstance(event, Connected)
            for part in self._parts:
                part.take(event, now_ms)
        # A board that has never been there is told of once, with the reason.
        if not self._was_connected and self._port.fault is not None:
            reason = str(self._port.fault)
            for part in self._parts:
                part.lose(now_ms, reason)

    def join(self, part: _Part) -> None:
        with self._moving:
            self._parts.append(part)
            welcome = self._port.link.welcome
            if welcome is not None:
                part.take(Connected(welcome), self._polled_ms or 0)

    def leave(self, part: _Part) -> None:
        with self._moving:
            if part in self._parts:
                self._parts.remove(part)
                if not self._parts:
                    self._port.close()

    def send(self, command: m.Command) -> None:
        """Send *command* with the next poll, if there is a board; to one that is gone it does not matter."""
        self._outbox.append(command)

    def has_readers(self) -> bool:
        return any(isinstance(part, BridgedReader) for part in self._parts)

    def close(self) -> None:
        """Close the port, whatever parts there still are; may be called twice."""
        self._port.close()

    def flush(self) -> None:
        """Let out what was sent just now."""
        self.poll(self._polled_ms or 0)


class _Part:
    """What every part has: a queue of its signals and a place at the bridge."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._signals: deque[Signal] = deque(maxlen=SIGNALS_MAX)
        bridge.join(self)

    def take(self, event: Event, now_ms: int) -> None:
        """Look at everything that happens on the board."""

    def lose(self, now_ms: int, reason: str) -> None:
        """The board is gone."""

    def _drain(self, now_ms: int) -> Sequence[Signal]:
        self._bridge.poll(now_ms)
        signals = []
        while self._signals:
            signals.append(self._signals.popleft())
        return signals

    def close(self) -> None:
        """Leave the board; the last part to do so closes its port. May be called twice."""
        self._bridge.leave(self)


class BridgedReader(_Part):
    """A :class:`hardware.ports.TagReader` on a board.

    The board tells what lies there whenever a session begins, and this is compared with what was told
    before: a card that stayed on the pad through a pulled cable is not laid a second time.
    """

    def __init__(self, bridge: Bridge, name: str) -> None:
        self._name = name
        self.present: Tag | None = None
        """The tag that lies there, as long as it is the one told of."""
        self._lost_told = False
        super().__init__(bridge)

    @property
    def name(self) -> str:
        return self._name

    def poll(self, now_ms: int) -> Sequence[Signal]:
        return self._drain(now_ms)

    def lose(self, now_ms: int, reason: str) -> None:
        if not self._lost_told:
            self._lost_told = True
            self._signals.append(DeviceLost(now_ms, self._name, reason))

    def take(self, event: Event, now_ms: int) -> None:
        if isinstance(event, Connected):
            if self._name not in event.welcome.readers:
                there = ", ".join(event.welcome.readers) or "none at all"
                self.lose(
                    now_ms,
                    f"The board has no reader called {self._name} (it has {there}). "
                    "Set the readers in the board's settings.json.",
                )
        elif isinstance(event, Disconnected):
            self.lose(now_ms, _LOST_TEXTS[event.cause])
        elif isinstance(event, Happened):
            reading = event.event
            if not isinstance(reading, m.Pressed) and reading.reader == self._name:
                self._take_reading(event.at_ms, reading)

    def _take_reading(self, at_ms: int, event: m.BoardEvent) -> None:
        match event:
            case m.Lying(_, _, uid, atqa, sak):
                self._found(at_ms)
                self._lies(at_ms, Tag(uid, atqa, sak) if uid else None)
            case m.Placed(_, _, uid, atqa, sak):
                self._lies(at_ms, Tag(uid, atqa, sak))
            case m.Removed(_, _, uid):
                if self.present is not None and self.present.uid == uid:
                    self._lies(at_ms, None)
            case m.Several():
                self._signals.append(SeveralTags(at_ms, self._name))
            case m.Disturbed():
                self._signals.append(ReaderDisturbed(at_ms, self._name))
            case m.ReaderLost(_, _, text):
                self.lose(at_ms, text)
            case m.ReaderBack():
                self._found(at_ms)
            case m.ReaderNote(_, _, text):
                self._signals.append(DeviceNote(at_ms, self._name, text))

    def _found(self, at_ms: int) -> None:
        if self._lost_told:
            self._lost_told = False
            self._signals.append(DeviceBack(at_ms, self._name))

    def _lies(self, at_ms: int, tag: Tag | None) -> None:
        before, self.present = self.present, tag
        if before is not None and tag is not None and before.uid == tag.uid:
            return
        if before is not None:
            self._signals.append(TagRemoved(at_ms, self._name, before.uid))
        if tag is not None:
            self._signals.append(TagPlaced(at_ms, self._name, tag.uid))


class BridgedButtons(_Part):
    """A :class:`hardware.ports.Buttons` on a board, which debounces them and knows their names."""

    def __init__(self, bridge: Bridge) -> None:
        self._lost_told = False
        super().__init__(bridge)

    def poll(self, now_ms: int) -> Sequence[Signal]:
        return self._drain(now_ms)

    def lose(self, now_ms: int, reason: str) -> None:
        # Where there are readers they have told it; twice the same sentence helps nobody.
        if not self._lost_told and not self._bridge.has_readers():
            self._lost_told = True
            self._signals.append(DeviceLost(now_ms, "buttons", reason))

    def take(self, event: Event, now_ms: int) -> None:
        if isinstance(event, Disconnected):
            self.lose(now_ms, _LOST_TEXTS[event.cause])
        elif isinstance(event, Connected):
            if self._lost_told:
                self._lost_told = False
                self._signals.append(DeviceBack(now_ms, "buttons"))
        elif isinstance(event, Happened) and isinstance(event.event, m.Pressed):
            self._signals.append(ButtonPressed(event.at_ms, event.event.button, Source.BUTTON))


class BridgedBuzzer(_Part):
    """A :class:`hardware.ports.Buzzer` on a board, which keeps the pattern's time itself."""

    def sound(self, pattern: Pattern, now_ms: int) -> None:
        """Start *pattern* in place of what is sounding; without a board nothing sounds.

        :raises ValueError: if it has more than 64 tones, or one that no buzzer could play.
        """
        beeps = tuple(m.Beep(tone.frequency_hz, tone.on_ms, tone.off_ms) for tone in pattern)
        encode_message(m.Envelope(0, 0, m.Sound(beeps)))
        self._bridge.send(m.Sound(beeps))
        self._bridge.poll(now_ms)

    def poll(self, now_ms: int) -> None:
        self._bridge.poll(now_ms)

    def close(self) -> None:
        self._bridge.send(m.Sound(()))
        self._bridge.flush()
        super().close()


class BridgedLamps(_Part):
    """A :class:`hardware.ports.Lamps` on a board. A board that comes back is shown the lamps again."""

    def __init__(self, bridge: Bridge) -> None:
        self._seats: frozenset[int] = frozenset()
        super().__init__(bridge)

    def show(self, seats: frozenset[int]) -> None:
        seats = frozenset(seat for seat in seats if 0 <= seat < m.SEATS_MAX)
        if seats != self._seats:
            self._seats = seats
            self._bridge.send(m.Show(seats))

    def take(self, event: Event, now_ms: int) -> None:
        # The board starts each session dark.
        if isinstance(event, Connected) and self._seats:
            self._bridge.send(m.Show(self._seats))

    def close(self) -> None:
        self.show(frozenset())
        self._bridge.flush()
        super().close()


def random_session() -> int:
    """A number for a session, another one than before with all likelihood."""
    return random.SystemRandom().randint(1, 0xFFFF)


def make_bridge(address: str | None = None, *, new_session: Callable[[], int] = random_session) -> Bridge:
    """A bridge that looks for its board when it is polled, and never gives up."""
    return Bridge(BoardPort(Link(new_session), address))


def open_bridge(address: str | None = None, *, clock: Clock | None = None, opening_ms: int = OPENING_MS) -> Bridge:
    """Return a bridge whose board has answered.

    :param address: a device, a pyserial URL such as ``socket://table.local:4000``, or None to look on USB.
    :raises HardwareError: of the fitting kind, with what to do, if none does within *opening_ms*.
    """
    clock = clock or SystemClock()
    bridge = make_bridge(address)
    give_up_us = clock.now_us() + opening_ms * 1000
    while clock.now_us() < give_up_us:
        bridge.poll(clock.now_us() // 1000)
        if bridge.is_connected:
            return bridge
        if bridge.fault is not None:
            break
        clock.wait_us(_OPENING_PAUSE_US)
    bridge.close()
    raise bridge.fault or DeviceNotFoundError("No board answered in time. Unplug it and plug it in again.")
