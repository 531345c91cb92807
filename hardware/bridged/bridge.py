"""One microcontroller and the line to it, shared by the devices that are on it.

The table can't tell the difference: a pulled cable is a lost reader, and what lies there when it is back is
told once. How the line works is ``firmware_bridge``'s; which devices a table wants is its settings'.
"""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from firmware_bridge import messages as m
from firmware_bridge.errors import (
    BoardBusyError,
    BoardFaultError,
    BoardNotFoundError,
    BoardPermissionError,
    BoardSilentError,
    BridgeError,
)
from firmware_bridge.link import COMMANDS_MAX, Answered, Cause, Connected, Disconnected, Event, Link
from firmware_bridge.port import BoardPort
from firmware_bridge.sessions import SESSIONS_MAX, Sessions
from hardware.clock import SystemClock
from hardware.ports import (
    Clock,
    DeviceBusyError,
    DeviceFaultError,
    DeviceNotFoundError,
    DevicePermissionError,
    HardwareError,
    TagRefusedError,
)
from hardware.signals import Signal

# How long one answer is waited for: ten repeats of the command, on a line that would end its session at 1.6 s.
ANSWER_MS: Final = 1_000
# Short against the 5 ms of a turn of the board's loop: a label is some twenty answers one after the other.
_ANSWER_PAUSE_US: Final = 500
NO_BOARD: Final = "There is no board to ask. Plug it in, and lay the card again when the reader is back."
# Signals between two polls of a part. A board sends 64 at most before somebody takes them; if a part is not
# polled for so long, the oldest go.
SIGNALS_MAX: Final = 64
LOST_TEXTS: Final = {
    Cause.SILENCE: "The board stopped answering. Check its cable, or unplug it and plug it in again.",
    Cause.RESTARTED: "The board restarted. If this comes back, its supply is too weak: take another cable or port.",
    Cause.LINE_CLOSED: "The board was unplugged. Plug it in again; until then pick cards on the screen.",
}


def old_firmware_text(firmware: str) -> str:
    """Why a board with this version can't let tags be talked to, and what to do."""
    return (
        f"The board's firmware {firmware} is too old to read or write what is on a tag. "
        "Put the newer one on it with: lastcard firmware install"
    )


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


@dataclass(slots=True, eq=False)
class _Question:
    """A command that somebody waits for: its answer, or why there will be none."""

    command: m.Command
    done: m.Done | None = None
    fault: str = ""


@dataclass(slots=True)
class BridgeCounters:
    """What was dropped between the line and those who use it."""

    signals: int = 0
    """Signals that a part did not take in time."""
    commands: int = 0
    """Commands that were given faster than the line is moved, or than the board answers."""


class Bridge:
    """One board and the parts on it. Whichever part is polled moves the line; each takes what is its own.

    Parts may be polled on threads of their own. None ever waits for another: while one moves the line, the
    others only look into their queues.

    :param port: the board's line, which the bridge closes when its last part is closed.
    :param clock: tells how long an answer takes that somebody waits for; nothing else waits.
    """

    def __init__(self, port: BoardPort, clock: Clock | None = None) -> None:
        self._port = port
        self._clock = clock or SystemClock()
        self._questions: list[_Question] = []
        self._parts: list[Part] = []
        self._polled_ms: int | None = None
        self.counters = BridgeCounters()
        # Why there is no board, as told, and what kinds of reason have been told since it was there last.
        self._lost = ""
        self._lost_kinds: set[object] = set()
        self._moving = threading.Lock()
        self._is_closing = False
        self._outbox: deque[m.Command] = deque(maxlen=COMMANDS_MAX)

    @property
    def fault(self) -> HardwareError | None:
        """Why there is no board now; None while one is there or may still answer."""
        return None if self._port.fault is None else as_hardware_error(self._port.fault)

    @property
    def is_connected(self) -> bool:
        return self._port.is_connected

    def poll(self, now_ms: int) -> None:
        """Move the line on to *now_ms* and hand out what happened."""
        if not self._moving.acquire(blocking=False):
            return
        try:
            self._move(now_ms)
        finally:
            self._moving.release()
        self._close_if_due()

    def _move(self, now_ms: int) -> None:
        if self._polled_ms is not None and now_ms <= self._polled_ms and not self._outbox:
            return
        self._polled_ms = now_ms = max(now_ms, self._polled_ms or now_ms)
        while self._outbox:
            self._send(self._outbox.popleft(), now_ms)
        for event in self._port.poll(now_ms):
            self._answer(event)
            if isinstance(event, Connected):
                self._lost = ""
                self._lost_kinds.clear()
            elif isinstance(event, Disconnected):
                self._lose(now_ms, event.cause)
            for part in list(self._parts):
                part.take(event, now_ms)
        if self._port.fault is not None:
            self._lose(now_ms, self._port.fault)

    def _lose(self, now_ms: int, why: Cause | BridgeError) -> None:
        """Tell each kind of reason once as long as the board stays away.

        That it is gone is no news to people who have heard another reason, and may have pulled it out for that.
        """
        fault = self._port.fault
        if why is Cause.LINE_CLOSED and fault is not None and not isinstance(fault, BoardNotFoundError):
            why = fault  # it was let go
        kind: object = why if isinstance(why, Cause) else type(why)
        if isinstance(why, BoardNotFoundError):
            kind = Cause.LINE_CLOSED
        elif isinstance(why, BoardSilentError):
            kind = Cause.SILENCE
        elif isinstance(why, BoardFaultError):
            kind = str(why)
        if kind in self._lost_kinds or (kind is Cause.LINE_CLOSED and self._lost_kinds):
            return
        self._lost_kinds.add(kind)
        self._lost = LOST_TEXTS[why] if isinstance(why, Cause) else str(why)
        for part in list(self._parts):
            part.lose(now_ms, self._lost)

    def _send(self, command: m.Command, now_ms: int) -> None:
        # The board may be another one than when the command was given.
        can_go = self._port.link.can_exchange or not isinstance(command, m.Exchange)
        fault = NO_BOARD
        try:
            if can_go and self._port.link.send(command, now_ms) is not None:
                return
        except OverflowError:  # it takes commands slower than they are given
            self.counters.commands += 1
            fault = LOST_TEXTS[Cause.SILENCE]
        for question in list(self._questions):
            if question.command is command:
                question.fault = fault

    def _answer(self, event: Event) -> None:
        for question in list(self._questions):  # another thread may ask meanwhile
            if isinstance(event, Disconnected):
                question.fault = LOST_TEXTS[event.cause]
            elif isinstance(event, Answered) and event.command is question.command:
                question.done = event.done

    def ask(self, exchange: m.Exchange) -> m.Done:
        """Send *exchange* and move the line on until its answer is there.

        :raises TagRefusedError: if the board's firmware does not know this command.
        :raises DeviceFaultError: if there is no board, it goes away, or no answer comes in time.
        """
        welcome = self._port.link.welcome
        if welcome is None:
            raise DeviceFaultError(NO_BOARD)
        if welcome.protocol < m.EXCHANGE_VERSION:
            raise TagRefusedError(old_firmware_text(welcome.firmware))
        question = _Question(exchange)
        self._questions.append(question)
        self._outbox.append(exchange)
        started_ms, started_us = self._polled_ms or 0, self._clock.now_us()
        try:
            while question.done is None:
                waited_ms = (self._clock.now_us() - started_us) // 1000
                self.poll(started_ms + waited_ms)
                if question.done is None:
                    if question.fault or waited_ms >= ANSWER_MS:
                        raise DeviceFaultError(question.fault or LOST_TEXTS[Cause.SILENCE])
                    self._clock.wait_us(_ANSWER_PAUSE_US)
            return question.done
        finally:
            self._questions.remove(question)
            with suppress(ValueError):  # never sent; the next board shall not get it
                self._outbox.remove(exchange)

    def join(self, part: Part) -> None:
        with self._moving:
            self._parts.append(part)
            welcome = self._port.link.welcome
            if welcome is not None:
                part.take(Connected(welcome), self._polled_ms or 0)
            elif self._lost:
                part.lose(self._polled_ms or 0, self._lost)

    def leave(self, part: Part) -> None:
        """Take *part* away, and close the port after the last one.

        Never waits: a thread may be moving the line, and be kept by a network for seconds. It then closes the port.
        """
        if part in self._parts:
            self._parts.remove(part)
            if not self._parts:
                self.close()

    def send(self, command: m.Command) -> None:
        """Send *command* with the next poll, if there is a board; to one that is gone it does not matter."""
        if len(self._outbox) == COMMANDS_MAX:
            self.counters.commands += 1
        self._outbox.append(command)

    def has_readers(self) -> bool:
        return any(part.is_reader for part in self._parts)

    def close(self) -> None:
        """Close the port, whatever parts there still are; may be called twice."""
        self._is_closing = True
        self._close_if_due()

    def _close_if_due(self) -> None:
        # Whoever moves the line looks here after it has let go of it, so one of the two closes the port.
        if self._is_closing and self._moving.acquire(blocking=False):
            try:
                self._port.close()
            finally:
                self._moving.release()

    def flush(self) -> None:
        """Let out what was sent just now."""
        self.poll(self._polled_ms or 0)


class Part:
    """What every part has: a queue of its signals and a place at the bridge."""

    is_reader = False

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._signals: deque[Signal] = deque(maxlen=SIGNALS_MAX)
        bridge.join(self)

    def take(self, event: Event, now_ms: int) -> None:
        """Look at everything that happens on the board."""

    def lose(self, now_ms: int, reason: str) -> None:
        """The board is gone, or there is another reason for it now."""

    def _tell(self, signal: Signal) -> None:
        if len(self._signals) == SIGNALS_MAX:
            self._bridge.counters.signals += 1
        self._signals.append(signal)

    def _drain(self, now_ms: int) -> Sequence[Signal]:
        self._bridge.poll(now_ms)
        signals = []
        while self._signals:
            signals.append(self._signals.popleft())
        return signals

    def close(self) -> None:
        """Leave the board; the last part to do so closes its port. May be called twice."""
        self._bridge.leave(self)


_sessions: Final = Sessions(lambda: random.SystemRandom().randint(1, SESSIONS_MAX))


def random_session() -> int:
    """A number for a session, none again before 32,767 others."""
    return _sessions()


def make_bridge(
    address: str | None = None, *, new_session: Callable[[], int] = random_session, clock: Clock | None = None
) -> Bridge:
    """A bridge that looks for its board when it is polled, and never gives up."""
    return Bridge(BoardPort(Link(new_session), address), clock)
