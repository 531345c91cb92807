"""The board's program: one loop that reads the line, the buttons and the readers, and says what happened.

Joins the other files; each of them holds a part that can be understood alone. What a tag or a button means
is the host's business. The board is given, so that this file runs on any; how a program starts, and what
happens to one that fails, is ``start``.
"""

import gc
import json

from . import FIRMWARE_VERSION, settings
from . import messages as m
from .buttons import Buttons
from .buzzer import Buzzer
from .link import REASON_MAX, Link
from .rc522 import ReaderError
from .reader import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# After so long a session the program is taken to be sound.
SOUND_AFTER_MS = 10_000
# A turn of the loop: buttons are sampled at this pace, and a frame waits for no longer.
TURN_MS = 5
IDLE_TURN_MS = 20
# What one turn reads of a line that floods, so that readers and watchdog get their turn.
READ_MAX = 256
# How long a restart waits for its answer to leave the board.
FAREWELL_MS = 100
# How much of a fault's text and of the note on the settings a report carries: as much as fits.
REPORT_TEXT_LENGTHS = (200, 80, 0)


class App:
    def __init__(self, board: "Any", in_force: "Any", note: str = "", last_fault: str = "") -> None:
        self._board = board
        self._clock = board.clock
        self._settings = in_force
        self._note = note
        self._last_fault = last_fault
        self._boot = board.boot_number()
        self._buttons = Buttons(board.button_names)
        self._buzzer = Buzzer(board.drive_buzzer)
        self._readers = [Reader(name, radio) for name, radio in board.radios]
        # Whether the session has been told how things stand on each reader.
        self._stated = [False] * len(self._readers)
        names = [reader.name for reader in self._readers]
        welcome = m.welcome_body(
            self._boot, FIRMWARE_VERSION, board.name, len(board.button_names), board.lamp_count, names
        )
        self._link = Link(self._boot, welcome)
        self._next_reader = 0
        self._session_ms: int | None = None
        self.is_sound = False
        """True once a session lasted long enough to call the program sound."""
        self.restart_into: int | None = None
        """Set when the host asked for a restart and its answer has left."""
        self._restart_ms: int | None = None
        self._asked_into = m.RESTART_FIRMWARE

    def turn(self) -> int:
        """Do what is due and return how many milliseconds there is nothing to do."""
        now_ms = self._clock.now_ms()
        self._board.feed_watchdog()
        link = self._link
        for byte in self._board.read(READ_MAX):
            link.receive(byte, now_ms)
        self._mind_session(now_ms)
        if link.commands:
            number, command = link.commands[0]
            self._obey(number, command, now_ms)
        for name in self._buttons.poll(self._board.buttons_closed(), now_ms):
            link.tell(m.PRESSED, m.text(name), now_ms)
        self._poll_reader(now_ms)
        self._buzzer.poll(now_ms)
        link.tick(self._clock.now_ms())
        self._flush()
        if self._restart_ms is not None and now_ms >= self._restart_ms:
            self.make_safe()
            self.restart_into = self._asked_into
        return TURN_MS if link.session else IDLE_TURN_MS

    def _mind_session(self, now_ms: int) -> None:
        link = self._link
        if link.disconnected:
            link.disconnected = False
            self._session_ms = None
            self.make_safe()
        if link.connected:
            link.connected = False
            self._session_ms = now_ms
            self.make_safe()
            for index, reader in enumerate(self._readers):
                self._stated[index] = False
                if reader.is_lost:
                    link.tell(m.READER_LOST, m.text(reader.name) + m.text(reader.fault), now_ms)
                if reader.note():
                    link.tell(m.READER_NOTE, m.text(reader.name) + m.text(reader.note()), now_ms)
                for kind in reader.disorder():
                    link.tell(kind, m.text(reader.name), now_ms)
                self._state(index, now_ms)
            if self._note and self._readers:
                link.tell(m.READER_NOTE, m.text(self._readers[0].name) + m.text(self._note), now_ms)
        if self._session_ms is not None and now_ms - self._session_ms >= SOUND_AFTER_MS:
            self.is_sound = True

    def _poll_reader(self, now_ms: int) -> None:
        """Look with one reader a turn: a look takes up to 15 ms, and buttons should not wait for two."""
        if not self._readers:
            return
        index = self._next_reader
        self._next_reader = (index + 1) % len(self._readers)
        reader = self._readers[index]
        for kind, body in reader.poll(now_ms):
            # What comes and goes before the session knows how things stand is part of how they stand.
            if self._stated[index] or kind not in (m.PLACED, m.REMOVED):
                is_told = self._link.tell(kind, body, now_ms)
                # What found no room, the state of things makes good.
                if kind == m.READER_LOST or not is_told:
                    self._stated[index] = False
        self._state(index, now_ms)

    def _state(self, index: int, now_ms: int) -> None:
        """Tell once, as soon as it is sure, what lies on a reader."""
        reader = self._readers[index]
        if self._link.session and not self._stated[index] and reader.settled:
            self._stated[index] = self._link.tell(m.LYING, reader.lying(), now_ms)

    def _obey(self, number: int, command: "Any", now_ms: int) -> None:
        kind = command[0]
        if kind == m.SOUND:
            self._buzzer.sound(command[1], now_ms)
            self._link.done(number, m.RESULT_DONE)
        elif kind == m.SHOW:
            self._board.show_lamps(command[1])
            self._link.done(number, m.RESULT_DONE)
        elif kind == m.CHANGE:
            try:
                self._settings = settings.change(self._settings, command[1])
                self._link.done(number, m.RESULT_DONE, "they count from the next start of the board on")
            except (ValueError, OSError) as error:
                self._link.done(number, m.RESULT_REFUSED, str(error))
        elif kind == m.RESTART:
            self._asked_into = command[1]
            self._restart_ms = now_ms + FAREWELL_MS
            self._link.done(number, m.RESULT_DONE)
        elif kind == m.EXCHANGE:
            self._exchange(number, command, now_ms)
        else:
            self._link.done(number, m.RESULT_DONE, self._report(command[1]))

    def _exchange(self, number: int, command: "Any", now_ms: int) -> None:
        for reader in self._readers:
            if reader.name == command[1]:
                try:
                    reply = reader.exchange(command[2], command[3], command[4], command[5], now_ms)
                    self._link.done(number, m.RESULT_DONE, reply)
                except ReaderError as fault:
                    self._link.done(number, m.RESULT_REFUSED, str(fault))
                return
        self._link.done(number, m.RESULT_REFUSED, f"The board has no reader called {command[1]}.")

    def _report(self, topic: int) -> str:
        if topic == m.TOPIC_READERS:
            return json.dumps(
                [{"name": reader.name, "version": reader.version, "fault": reader.fault} for reader in self._readers]
            )
        if topic == m.TOPIC_SETTINGS:
            return json.dumps(self._settings)
        gc.collect()
        report = {
            "firmware": FIRMWARE_VERSION,
            "boot": self._boot,
            "uptime_s": self._clock.now_ms() // 1000,
            "memory_free": gc.mem_free(),  # type: ignore[attr-defined]  # MicroPython's own
            "counters": self._link.counters(),
        }
        text = ""
        for length in REPORT_TEXT_LENGTHS:
            report["last_fault"] = self._last_fault[:length]
            report["note"] = self._note[:length]
            text = json.dumps(report)
            if len(text.encode()) <= REASON_MAX:
                break
        return text

    def _flush(self) -> None:
        out = self._link.out
        if out:
            written = self._board.write(bytes(out))
            self._link.out = bytearray(memoryview(out)[written:])

    def make_safe(self) -> None:
        """Be silent and dark: nobody is there who could say otherwise."""
        self._buzzer.sound([], self._clock.now_ms())
        self._board.show_lamps([])
