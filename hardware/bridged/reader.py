"""A reader on a board: what it tells of tags, and its radio for whoever talks to one.

Presence and looks are the board's; what is written on a tag is ``type2``'s, which can't tell this radio from a
local one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from firmware_bridge import messages as m
from firmware_bridge.link import Connected, Event, Happened
from hardware.bridged.parts import Part
from hardware.ports import Answer, Collision, DeviceFaultError, Noise, Reply, Silence, Transceiver
from hardware.signals import (
    DeviceBack,
    DeviceLost,
    DeviceNote,
    ReaderDisturbed,
    SeveralTags,
    Signal,
    TagPlaced,
    TagRemoved,
)
from hardware.tags.iso14443a import Tag
from hardware.tags.reader import Result, converse

if TYPE_CHECKING:
    from hardware.bridged.bridge import Bridge


# A board has a note on its settings and one on each chip; more is a board that makes them up.
NOTES_MAX = 8


def old_firmware_text(firmware: str) -> str:
    """Why a board with this version can't let tags be talked to, and what to do."""
    return (
        f"The board's firmware {firmware} is too old to read or write what is on a tag. "
        "Put the newer one on it with: lastcard firmware install"
    )


def decode_reply(text: str) -> Reply:
    """What the board says came back: ``answer BITS HEX``, ``silence``, ``noise REASON`` or ``collision BIT``.

    :raises DeviceFaultError: if it is none of these.
    """
    word, _, rest = text.partition(" ")
    try:
        if word == "answer":
            bits, data = rest.split(" ")
            return Answer(bytes.fromhex(data), int(bits))
        if word == "collision":
            return Collision(int(rest))
    except ValueError:
        word = ""
    if word == "noise":
        return Noise(rest)
    if text == "silence":
        return Silence()
    raise DeviceFaultError(f"The board's answer can't be understood ({text[:40]!r}). Run: lastcard firmware install")


class BridgedTransceiver:
    """A :class:`hardware.ports.Transceiver` at the far end of the line: one command an exchange.

    While it is used, the board's own looks at the field wait.
    """

    def __init__(self, bridge: Bridge, reader: str) -> None:
        self._bridge = bridge
        self._reader = reader

    @property
    def chip_note(self) -> str:
        """Empty: the board tells of its chips by itself."""
        return ""

    def start(self) -> None:
        """Nothing: the board starts its chips, and starts them anew when they fail."""

    def check(self) -> None:
        """Nothing: the board checks its chips at each look."""

    def exchange(self, frame: bytes, *, last_bits: int = 0, answer_bytes: int, timeout_us: int) -> Reply:
        return decode_reply(self._ask(m.Exchange(self._reader, frame, last_bits, answer_bytes, timeout_us)))

    def send(self, frame: bytes) -> None:
        self._ask(m.Exchange(self._reader, frame))

    def close(self) -> None:
        """Nothing: the field is the board's, which looks for the next tag."""

    def _ask(self, exchange: m.Exchange) -> str:
        done = self._bridge.ask(exchange)
        if done.result is not m.Result.DONE:
            raise DeviceFaultError(done.text or "The board refused. Unplug it and plug it in again.")
        return done.text


class BridgedReader(Part):
    """A :class:`hardware.ports.TagReader` on a board.

    The board tells what lies there whenever a session begins, and this is compared with what was told
    before: a card that stayed on the pad through a pulled cable is not laid a second time. What it tells first of all
    lay there before.
    """

    is_reader = True

    def __init__(self, bridge: Bridge, name: str) -> None:
        self._name = name
        self.present: Tag | None = None
        """The tag that lies there, as long as it is the one told of."""
        self._has_begun = False  # the board has told what lies there
        self._lost = ""  # the reason that was told last
        self._notes: set[str] = set()
        super().__init__(bridge)

    @property
    def name(self) -> str:
        return self._name

    @property
    def next_poll_ms(self) -> int:
        """A board tells by itself what lies there: there is no time before which it need not be asked."""
        return 0

    def poll(self, now_ms: int) -> Sequence[Signal]:
        return self._drain(now_ms)

    def talk(self, conversation: Callable[[Transceiver, Tag], Result]) -> Result:
        """Select the tag that lies there, let *conversation* use it, and put it back to rest.

        To be called on the thread that polls this reader; the line is moved on meanwhile.

        :raises TagGoneError: if no tag lies there, or it can't be read.
        :raises TagRefusedError: if several do, or the board's firmware is too old to talk to tags.
        :raises DeviceFaultError: if the reader failed or the board went away meanwhile.
        """
        return converse(BridgedTransceiver(self._bridge, self._name), conversation)

    def lose(self, now_ms: int, reason: str) -> None:
        if reason != self._lost:
            self._lost = reason
            self._tell(DeviceLost(now_ms, self._name, reason))

    def _note(self, now_ms: int, text: str) -> None:
        """Tell what is worth telling once, however often a board comes back with it."""
        if text not in self._notes:
            if len(self._notes) >= NOTES_MAX:
                self._notes.clear()
            self._notes.add(text)
            self._tell(DeviceNote(now_ms, self._name, text))

    def take(self, event: Event, now_ms: int) -> None:
        if isinstance(event, Connected):
            is_first = event.welcome.readers[:1] == (self._name,)  # the same of each reader helps nobody
            if event.welcome.protocol < m.EXCHANGE_VERSION and is_first:
                self._note(now_ms, old_firmware_text(event.welcome.firmware))
            if self._name not in event.welcome.readers:
                there = ", ".join(event.welcome.readers) or "none at all"
                self.lose(
                    now_ms,
                    f"The board has no reader called {self._name} (it has {there}). Wire one and tell the board its "
                    f"chip select, such as GP20: lastcard firmware set readers.{self._name}.cs 20",
                )
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
            case m.Several():  # a reader that can say so works
                self._found(at_ms)
                self._tell(SeveralTags(at_ms, self._name))
            case m.Disturbed():
                self._found(at_ms)
                self._tell(ReaderDisturbed(at_ms, self._name))
            case m.ReaderLost(_, _, text):
                self.lose(at_ms, text)
            case m.ReaderBack():
                self._found(at_ms)
            case m.ReaderNote(_, _, text):
                self._note(at_ms, text)

    def _found(self, at_ms: int) -> None:
        if self._lost:
            self._lost = ""
            self._tell(DeviceBack(at_ms, self._name))

    def _lies(self, at_ms: int, tag: Tag | None) -> None:
        before, self.present = self.present, tag
        lay_there, self._has_begun = not self._has_begun, True
        if before is not None and tag is not None and before.uid == tag.uid:
            return
        if before is not None:
            self._tell(TagRemoved(at_ms, self._name, before.uid))
        if tag is not None:
            self._tell(TagPlaced(at_ms, self._name, tag.uid, sak=tag.sak, lay_there=lay_there))
