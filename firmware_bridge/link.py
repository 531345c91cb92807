"""The host's half of the conversation with a board: sessions, numbers, acknowledgements, repeats, heartbeats.

Sans-I/O: bytes go in through :meth:`Link.receive_data` and come out of :meth:`Link.data_to_send`, time is
input, what happened comes out of :meth:`Link.next_event`. No port and no clock may live here (``port``), and
nothing of what a tag or a button means (``hardware.bridged.bridge``). The board's half is ``firmware/link.py``.

A session begins with each opening of the port, each silence and each restart of the board, always with a
fresh number, so that nothing left over from an earlier one can be taken for new. Within a session events
arrive in order, none is lost and none comes twice; across sessions the board tells what lies on its readers
as the new one begins.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from firmware_bridge.counters import LinkCounters
from firmware_bridge.frames import FrameReader, encode_frame
from firmware_bridge.messages import (
    EXCHANGE_VERSION,
    NO_SESSION,
    PROTOCOL_LOWEST,
    PROTOCOL_VERSION,
    Announce,
    BoardAlive,
    BoardEvent,
    Command,
    Done,
    Envelope,
    Exchange,
    Hello,
    HostAlive,
    Message,
    MessageError,
    Refuse,
    Show,
    Sound,
    Welcome,
)
from firmware_bridge.payloads import decode_message, encode_message

# Two frames a second each way are 60 bytes a second; three lost ones in a row are no accident.
ALIVE_PERIOD_MS: Final = 500
SILENCE_MS: Final = 1_600
# A board answers within one turn of its loop, 10 ms; on a slow line a frame takes as long again.
REPEAT_MS: Final = 100
HELLO_PERIOD_MS: Final = 250
# A phrase, the lamps, and a few questions; a caller that asks for more has not waited for answers.
COMMANDS_MAX: Final = 8
# The board has at most 8 events under way; more than this unread means that nobody polls. What does not fit
# is not acknowledged, so the board keeps it.
EVENTS_MAX: Final = 64
# Before any event: a board's first one may be older than this program.
_LONG_AGO_MS: Final = -(1 << 62)


class State(Enum):
    """Where the conversation stands."""

    CLOSED = "closed"
    """No line."""
    GREETING = "greeting"
    """The line is open; the board has not welcomed this session yet."""
    TALKING = "talking"


class Cause(Enum):
    """Why a session ended."""

    LINE_CLOSED = "line closed"
    SILENCE = "silence"
    RESTARTED = "restarted"


@dataclass(frozen=True, slots=True)
class Connected:
    """A session began; commands sent from now on belong to it."""

    welcome: Welcome


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The session ended; commands that were not answered are forgotten."""

    cause: Cause


@dataclass(frozen=True, slots=True)
class Incompatible:
    """The board speaks none of our versions."""

    refuse: Refuse


@dataclass(frozen=True, slots=True)
class Happened:
    """*event* happened on the board at *at_ms* of the host's clock."""

    at_ms: int
    event: BoardEvent


@dataclass(frozen=True, slots=True)
class Answered:
    """The command of *number*, as :meth:`Link.send` returned it, ended."""

    number: int
    command: Command
    done: Done


Event = Connected | Disconnected | Incompatible | Happened | Answered


@dataclass(slots=True)
class _Waiting:
    number: int
    command: Command
    frame: bytes


class Link:
    """One conversation.

    :param new_session: gives a number from 1 to 65535, another one each time; random, so that a restarted
        host is not taken for the old one.
    """

    def __init__(self, new_session: Callable[[], int]) -> None:
        self._new_session = new_session
        self._reader = FrameReader()
        self.counters = LinkCounters(self._reader.counters)
        self.state = State.CLOSED
        self.session = NO_SESSION
        self.welcome: Welcome | None = None
        self.board: BoardAlive | None = None
        """The board's latest heartbeat in this session."""
        self._events: deque[Event] = deque()
        self._out = bytearray()
        self._taken = 0
        self._told_ms = _LONG_AGO_MS
        self._commands: deque[_Waiting] = deque()
        self._last_number = 0
        self._now_ms = 0
        self._heard_ms = 0
        self._sent_ms = 0
        self._hello_ms = 0
        self._command_ms: int | None = None  # when the first of them was sent last
        self._asked_ms = 0  # and when first
        self._owes_answer = False

    # The line.

    def line_opened(self, now_ms: int) -> None:
        """Begin to greet whoever is at the other end."""
        self._now_ms = now_ms
        self._reader.reset()
        self._out.clear()
        self._greet()

    def say_goodbye(self) -> None:
        """Begin another session that nobody will go on with: the board ends this one, and is silent and dark at once.

        Unlike a command it needs no answer, so whoever closes the line need not wait.
        """
        if self.state is State.TALKING:
            self.welcome = self.board = None
            self._commands.clear()
            self._command_ms = None
            self._greet()

    def line_closed(self, now_ms: int) -> None:
        """The port is gone; nothing is sent until it is opened again."""
        self._now_ms = now_ms
        self._end_session(Cause.LINE_CLOSED)
        self._out.clear()
        self.state = State.CLOSED

    def receive_data(self, data: bytes, now_ms: int) -> None:
        """Take what came over the line, in stretches of any length."""
        self._now_ms = max(self._now_ms, now_ms)
        for payload in self._reader.receive_data(data):
            try:
                envelope = decode_message(payload)
            except MessageError:
                self.counters.unknown += 1
                continue
            self._take(envelope)

    def data_to_send(self) -> bytes:
        """Return what must go over the line now, and forget it."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def next_event(self) -> Event | None:
        """Return what happened next, or None."""
        if not self._events:
            return None
        event = self._events.popleft()
        if isinstance(event, Happened):
            self._told_ms = event.at_ms
        return event

    # Commands.

    @property
    def can_exchange(self) -> bool:
        """True while a board is there that lets tags be talked to."""
        return self.welcome is not None and self.welcome.protocol >= EXCHANGE_VERSION

    def send(self, command: Command, now_ms: int) -> int | None:
        """Send *command*, as often as it takes; return its number, or None if there is no session.

        A newer sound or set of lamps takes the place of one that has not been sent yet.

        :raises OverflowError: if eight commands wait already.
        :raises ValueError: if the command can't be said, or not in the version that this board speaks: it would
            never be answered, and hold up all that come after it.
        """
        self._now_ms = max(self._now_ms, now_ms)
        if self.state is not State.TALKING:
            return None
        if isinstance(command, Exchange) and not self.can_exchange:
            raise ValueError(f"a board of a protocol before {EXCHANGE_VERSION} does not know this command")
        for waiting in list(self._commands)[1:]:
            if isinstance(command, Sound | Show) and type(waiting.command) is type(command):
                waiting.frame = self._frame(waiting.number, command)
                waiting.command = command
                return waiting.number
        if len(self._commands) >= COMMANDS_MAX:
            raise OverflowError(f"{COMMANDS_MAX} commands wait for the board already")
        number = self._last_number % 255 + 1
        frame = self._frame(number, command)
        self._last_number = number
        self._commands.append(_Waiting(number, command, frame))
        if len(self._commands) == 1:
            self._begin_command()
        return number

    def tick(self, now_ms: int) -> None:
        """Do what is due by *now_ms*: greet, repeat, show that the host is there, give up on a silent board."""
        self._now_ms = max(self._now_ms, now_ms)
        if self.state is State.GREETING:
            if self._now_ms - self._hello_ms >= HELLO_PERIOD_MS:
                self._say_hello()
            return
        if self.state is not State.TALKING:
            return
        # A board that is there and answers no command would keep the first of them, and all behind it, for ever.
        is_stuck = self._command_ms is not None and self._now_ms - self._asked_ms >= SILENCE_MS
        if is_stuck or self._now_ms - self._heard_ms >= SILENCE_MS:
            self._end_session(Cause.SILENCE)
            self._greet()
            return
        if self._command_ms is not None and self._now_ms - self._command_ms >= REPEAT_MS:
            self.counters.repeated += 1
            self._send_command()
        if self._owes_answer or self._now_ms - self._sent_ms >= ALIVE_PERIOD_MS:
            self._owes_answer = False
            self._say(Envelope(self.session, self._taken, HostAlive()))
            self._sent_ms = self._now_ms

    # Sessions.

    def _greet(self) -> None:
        self.state = State.GREETING
        self.session = self._new_session()
        self._say_hello()

    def _say_hello(self) -> None:
        self._hello_ms = self._now_ms
        self._say(Envelope(self.session, 0, Hello()))

    def _begin_session(self, welcome: Welcome) -> None:
        self.state = State.TALKING
        self.welcome = welcome
        self.board = None
        self._taken = 0
        self._last_number = 0
        self._heard_ms = self._sent_ms = self._now_ms
        self._owes_answer = True
        self.counters.sessions += 1
        self._events.append(Connected(welcome))

    def _end_session(self, cause: Cause) -> None:
        if self.state is not State.TALKING:
            return
        self.welcome = None
        self.board = None
        self._commands.clear()
        self._command_ms = None
        self._owes_answer = False
        self._events.append(Disconnected(cause))

    # What the board says.

    def _take(self, envelope: Envelope) -> None:
        message = envelope.message
        if self.state is State.CLOSED:
            return
        if isinstance(message, Announce):
            if self.welcome is not None:
                # The same start of the board: it had heard nothing from here for too long, and ended the session.
                is_same_start = message.boot == self.welcome.boot
                self._end_session(Cause.SILENCE if is_same_start else Cause.RESTARTED)
                self._greet()
            return
        if envelope.session != self.session:
            self.counters.stale += 1
            return
        self._heard_ms = self._now_ms
        if self.state is State.GREETING:
            self._take_greeting(envelope.number, message)
        elif isinstance(message, BoardAlive):
            self.board = message
        elif isinstance(message, Done):
            self._take_done(envelope.number, message)
        elif isinstance(message, BoardEvent):
            self._take_event(envelope.number, message)
        elif not isinstance(message, Welcome | Refuse):  # those two are repeats
            self.counters.unknown += 1

    def _take_greeting(self, number: int, message: Message) -> None:
        if isinstance(message, Welcome):
            if number:  # a session of this number goes on there: an earlier host's, and its events are not ours
                self.counters.stale += 1
                self._greet()
                return
            if PROTOCOL_LOWEST <= message.protocol <= PROTOCOL_VERSION:
                self._begin_session(message)
                return
            message = Refuse(message.protocol, message.protocol, message.firmware)
        if isinstance(message, Refuse) and not any(isinstance(event, Incompatible) for event in self._events):
            self._events.append(Incompatible(message))

    def _take_event(self, number: int, event: BoardEvent) -> None:
        self._owes_answer = True
        ahead = (number - self._taken) % 256
        if ahead != 1:
            if ahead == 0 or ahead > 128:
                self.counters.doubled += 1
                self._correct(-ahead % 256, self._now_ms - event.age_ms)
            else:
                self.counters.early += 1
            return
        if len(self._events) >= EVENTS_MAX:
            self.counters.crowded += 1
            return
        self._taken = number
        self._events.append(Happened(self._not_before(len(self._events), self._now_ms - event.age_ms), event))

    def _correct(self, back: int, at_ms: int) -> None:
        """Take the time of a repeat for the event told *back* events before the last one, if it is the earlier time.

        Each copy's age is that of its sending, so the one that waited least on the line is nearest to the truth.
        """
        places = [place for place, event in enumerate(self._events) if isinstance(event, Happened)]
        if back < len(places):
            place = places[-1 - back]
            event = self._events[place]
            assert isinstance(event, Happened)
            self._events[place] = replace(event, at_ms=self._not_before(place, min(at_ms, event.at_ms)))

    def _not_before(self, place: int, at_ms: int) -> int:
        """*at_ms*, or the time of the event before *place*: in the order of their numbers times never fall."""
        before = [event.at_ms for event in list(self._events)[:place] if isinstance(event, Happened)]
        return max(at_ms, before[-1] if before else self._told_ms)

    def _take_done(self, number: int, done: Done) -> None:
        if not self._commands or self._commands[0].number != number:
            self.counters.doubled += 1
            return
        waiting = self._commands.popleft()
        self._command_ms = None
        self._events.append(Answered(number, waiting.command, done))
        if self._commands:
            self._begin_command()

    # Sending.

    def _frame(self, number: int, command: Command) -> bytes:
        return encode_frame(encode_message(Envelope(self.session, number, command)))

    def _begin_command(self) -> None:
        self._asked_ms = self._now_ms
        self._send_command()

    def _send_command(self) -> None:
        self._command_ms = self._now_ms
        self._out += self._commands[0].frame

    def _say(self, envelope: Envelope) -> None:
        self._out += encode_frame(encode_message(envelope))
