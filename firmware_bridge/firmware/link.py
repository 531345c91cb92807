"""The board's half of the conversation: one session, numbered events repeated until they are acknowledged.

No pin, no port and no clock may live here: bytes and times are input, ``out`` holds what must be sent. The
host's half is ``firmware_bridge/link.py``, and the rules of both are in ``PROTOCOL.md``.
"""

from . import FIRMWARE_VERSION
from . import messages as m
from .frames import PAYLOAD_MAX, FrameReader, encode_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ALIVE_PERIOD_MS = 500
# The host shows itself twice a second; after three times nothing, the outputs are made safe.
SILENCE_MS = 1600
ANNOUNCE_PERIOD_MS = 1000
REPEAT_MS = 100
# How many events may be under way; a whole deal of taps in one breath is fewer than that.
WINDOW = 8
# Events that wait while the line is slow. A board senses at most 20 cards a second and its session ends
# after 1.6 s of silence, so this is only reached by a button that chatters for seconds.
EVENTS_MAX = 64
# What one answer can hold beside kind, session, number and result.
REASON_MAX = PAYLOAD_MAX - 5
# What may wait to be written; a line that takes nothing for so long gets whole frames dropped.
OUT_MAX = 2048


class Link:
    """``events`` of the session's own: ``connected`` and ``disconnected`` are set by it and cleared by the app.

    :param boot: another number after each start.
    :param welcome: the body of a WELCOME, but for the version.
    """

    def __init__(self, boot: int, welcome: bytes) -> None:
        self._announce = m.announce_body(boot, FIRMWARE_VERSION)
        self._welcome = welcome
        self._reader = FrameReader()
        self.session = 0
        self.connected = False
        self.disconnected = False
        self.out = bytearray()
        self.commands: list[Any] = []  # (number, command), at most one: the next is taken when it is answered
        self._waiting: list[Any] = []  # (happened_ms, kind, body)
        self._under_way: list[Any] = []  # [number, happened_ms, kind, body]
        self._last_event = 0
        self._resend_ms = 0
        self._last_command = 0
        self._last_done = b""
        self._heard_ms = 0
        self._sent_ms = 0
        self._announced_ms: int | None = None
        self._started_ms: int | None = None
        self.stale = 0
        self.unknown = 0
        self.dropped_events = 0
        self.dropped_frames = 0
        self.repeated_events = 0
        self.repeated_commands = 0

    @property
    def dropped(self) -> int:
        """Everything that was dropped, for the heartbeat."""
        reader = self._reader
        lost = self.dropped_events + self.dropped_frames + self.stale + self.unknown
        return lost + reader.damaged + reader.too_long

    def counters(self) -> "dict[str, int]":
        reader = self._reader
        return {
            "frames": reader.good,
            "damaged": reader.damaged,
            "too_long": reader.too_long,
            "stale": self.stale,
            "unknown": self.unknown,
            "dropped_events": self.dropped_events,
            "dropped_frames": self.dropped_frames,
            "repeated_events": self.repeated_events,
            "repeated_commands": self.repeated_commands,
        }

    def receive(self, byte: int, now_ms: int) -> None:
        payload = self._reader.receive(byte)
        if payload is not None:
            self._take(payload, now_ms)

    def tell(self, kind: int, body: bytes, now_ms: int) -> bool:
        """Send an event, as often as it takes; False if it was dropped. Without a session nobody wants it.

        Where there is no room the newest press goes first: of presses that nobody hears there are enough, of a
        card there is one.
        """
        if not self.session:
            return False
        if len(self._waiting) >= EVENTS_MAX:
            self.dropped_events += 1
            presses = [at for at, waiting in enumerate(self._waiting) if waiting[1] == m.PRESSED]
            if kind == m.PRESSED or not presses:
                return False
            self._waiting.pop(presses[-1])
        self._waiting.append((now_ms, kind, body))
        self._fill_window(now_ms)
        return True

    def done(self, number: int, result: int, reason: str = "") -> None:
        """Answer the command of *number*; its repeats get the same answer."""
        if len(reason.encode()) > REASON_MAX:
            result, reason = m.RESULT_REFUSED, "the answer is too long for one frame"
        self.commands.clear()
        self._last_command = number
        self._last_done = m.pack(m.DONE, self.session, number, bytes((result,)) + reason.encode())
        self._send(self._last_done)

    def tick(self, now_ms: int) -> None:
        if self._started_ms is None:
            self._started_ms = now_ms
        if not self.session:
            if self._announced_ms is None or now_ms - self._announced_ms >= ANNOUNCE_PERIOD_MS:
                self._say_announce(now_ms)
            return
        if now_ms - self._heard_ms >= SILENCE_MS:
            self._end()
            return
        if self._under_way and now_ms - self._resend_ms >= REPEAT_MS:
            self._resend_ms = now_ms
            self.repeated_events += len(self._under_way)
            for item in self._under_way:
                self._send_event(item, now_ms)
        if now_ms - self._sent_ms >= ALIVE_PERIOD_MS:
            self._sent_ms = now_ms
            body = m.board_alive_body((now_ms - self._started_ms) // 1000, self.dropped)
            self._send(m.pack(m.BOARD_ALIVE, self.session, self._last_event, body))

    def _take(self, payload: bytes, now_ms: int) -> None:
        kind, session, number, body = m.unpack(payload)
        command = m.command(kind, body)
        if command is None:
            self.unknown += 1
            return
        if kind == m.HELLO:
            self._greet(session, command[1], command[2], now_ms)
            return
        # A restart is obeyed outside any session, too: it is the way out for a host of another version.
        if session != self.session or not (session or kind == m.RESTART):
            self.stale += 1
            if not self.session:
                self._say_announce(now_ms)
            return
        self._heard_ms = now_ms
        if kind == m.HOST_ALIVE:
            self._acknowledge(number, now_ms)
        elif number == self._last_command:
            self.repeated_commands += 1
            self._send(self._last_done)
        elif not self.commands:
            self.commands.append((number, command))

    def _greet(self, session: int, lowest: int, highest: int, now_ms: int) -> None:
        version = min(highest, m.PROTOCOL_VERSION)
        if version < max(lowest, m.PROTOCOL_LOWEST):
            self._send(m.pack(m.REFUSE, session, 0, m.refuse_body(FIRMWARE_VERSION)))
            return
        if not session:
            self.unknown += 1
            return
        if session != self.session:
            if self.session:
                self._end()
            self.session = session
            self.connected = True
            self._last_event = 0
            self._last_command = 0
            self._sent_ms = now_ms
        self._heard_ms = now_ms
        # With the last event's number a host sees that it drew the number of a session that it did not begin.
        self._send(m.pack(m.WELCOME, session, self._last_event, bytes((version,)) + self._welcome))

    def _end(self) -> None:
        """Forget the session and all that belonged to it; the next one begins with what lies there then."""
        self.session = 0
        self.connected = False
        self.disconnected = True
        self._last_command = 0
        self._announced_ms = None
        self.commands.clear()
        self._waiting.clear()
        self._under_way.clear()

    def _acknowledge(self, number: int, now_ms: int) -> None:
        while self._under_way and (number - self._under_way[0][0]) % 256 < 128:
            self._under_way.pop(0)
        self._fill_window(now_ms)

    def _fill_window(self, now_ms: int) -> None:
        while self._waiting and len(self._under_way) < WINDOW:
            happened_ms, kind, body = self._waiting.pop(0)
            self._last_event = (self._last_event + 1) % 256
            item = [self._last_event, happened_ms, kind, body]
            if not self._under_way:
                self._resend_ms = now_ms
            self._under_way.append(item)
            self._send_event(item, now_ms)

    def _send_event(self, item: "Any", now_ms: int) -> None:
        number, happened_ms, kind, body = item
        self._send(m.pack(kind, self.session, number, m.age(now_ms - happened_ms) + body))

    def _say_announce(self, now_ms: int) -> None:
        self._announced_ms = now_ms
        self._send(m.pack(m.ANNOUNCE, 0, 0, self._announce))

    def _send(self, payload: bytes) -> None:
        frame = encode_frame(payload)
        if len(self.out) + len(frame) > OUT_MAX:
            self.dropped_frames += 1
            return
        self.out.extend(frame)
