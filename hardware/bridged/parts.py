"""Reader, buttons, buzzer and lamps on a microcontroller, behind the same ports as local devices.

Each makes its own of what happens on the board; the line itself, and which thread moves it, is ``bridge``'s. What is
written on a tag is ``type2``'s, which can't tell a board's radio from a local one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from firmware_bridge import messages as m
from firmware_bridge.link import Connected, Event, Happened
from firmware_bridge.payloads import encode_message
from firmware_bridge.port import GREETING_MS
from hardware.bridged.bridge import Bridge, Part, make_bridge, old_firmware_text
from hardware.clock import SystemClock
from hardware.ports import (
    Answer,
    Clock,
    Collision,
    DeviceFaultError,
    DeviceNotFoundError,
    Noise,
    Pattern,
    Reply,
    Silence,
    Transceiver,
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
from hardware.tags.iso14443a import Tag
from hardware.tags.reader import Result, converse

# How long a table waits at its start for a board that may be starting too.
OPENING_MS: Final = GREETING_MS + 1_000
_OPENING_PAUSE_US: Final = 5_000
# A board has a note on its settings and one on each chip; more is a board that makes them up.
NOTES_MAX = 8


class BridgedButtons(Part):
    """A :class:`hardware.ports.Buttons` on a board, which debounces them and knows their names."""

    def __init__(self, bridge: Bridge) -> None:
        self._lost = ""  # the reason that was told last
        super().__init__(bridge)

    def poll(self, now_ms: int) -> Sequence[Signal]:
        return self._drain(now_ms)

    def lose(self, now_ms: int, reason: str) -> None:
        # Where there are readers they have told it; twice the same sentence helps nobody.
        if reason != self._lost and not self._bridge.has_readers():
            self._lost = reason
            self._tell(DeviceLost(now_ms, "buttons", reason))

    def take(self, event: Event, now_ms: int) -> None:
        if isinstance(event, Connected):
            if self._lost:
                self._lost = ""
                self._tell(DeviceBack(now_ms, "buttons"))
        elif isinstance(event, Happened) and isinstance(event.event, m.Pressed):
            self._tell(ButtonPressed(event.at_ms, event.event.button, Source.BUTTON))


class BridgedBuzzer(Part):
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


class BridgedLamps(Part):
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


# -- the reader ------------------------------------------------------------------------------------------------------


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

    def __init__(self, bridge: Bridge, name: str = "pad") -> None:
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


def open_bridged_reader(
    address: str | None = None, *, name: str = "pad", clock: Clock | None = None, opening_ms: int = OPENING_MS
) -> BridgedReader:
    """Return a reader whose board has answered; closing it closes the board's port.

    It is there before the board is greeted, because a card that lies on it is told of with the greeting. A port that
    can't be had yet, and the next one after one that is silent, are tried again until the time is up.

    :param address: a device, a pyserial URL such as ``socket://table.local:4000``, or None to look on USB.
    :raises HardwareError: of the fitting kind, with what to do, if none does within *opening_ms*.
    """
    clock = clock or SystemClock()
    bridge = make_bridge(address, clock=clock)
    reader = BridgedReader(bridge, name)
    give_up_us = clock.now_us() + opening_ms * 1000
    while clock.now_us() < give_up_us:
        bridge.poll(clock.now_us() // 1000)
        if bridge.is_connected:
            return reader
        clock.wait_us(_OPENING_PAUSE_US)
    reader.close()
    raise bridge.fault or DeviceNotFoundError("No board answered in time. Unplug it and plug it in again.")
