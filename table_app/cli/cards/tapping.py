"""One loop for all that is done by tapping cards outside a match: reader polled, keys obeyed, answers said and sounded.

What a tap or a key comes to is the session's; what a session is about is in ``taps``.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TextIO

import click

from hardware.gpio import open_buzzer
from hardware.ports import Buzzer, HardwareError
from hardware.rc522.spi import NoSpiHereError
from hardware.readers import NO_READER, READER_KINDS, Attached, open_reader, split_word
from hardware.signals import DeviceBack, DeviceLost, Signal
from hardware.tags.labels import TalkingReader
from hardware.tags.sticker import WANTED
from table_app.cli.cards.place import Place
from table_app.printing import printable, ring_bell, say
from table_app.settings import Settings
from table_app.sound import PATTERNS, BuzzerCue
from table_app.table import TableError
from table_app.table.devices import (
    LOUDSPEAKER,
    make_loudspeaker,
    reader_settings,
    second_reader,
    wants_buzzer,
    wants_loudspeaker,
)
from table_app.tags.enrolling import Enrolled, Outcome

if TYPE_CHECKING:
    from table_app.table.simulated_hand import StickerHand

LOOK_EVERY_MS = 20
"""As often as a live table looks; a key or a card is answered well within 200 ms."""

NOTHING_SEEN_MS = 20_000
"""Whoever was asked for a card and has laid one sees this long that nothing happens."""

NOTHING_SEEN = f"Nothing is seen on the pad. Lay the sticker flat on its middle, no metal near. {WANTED}"

KEYS_MAX = 64
"""Lines typed ahead of the reader; more is a cat on the keyboard."""

MARKS: Mapping[Outcome, str] = MappingProxyType(
    {Outcome.ENROLLED: "✓", Outcome.ASKED: "?", Outcome.REFUSED: "✗", Outcome.TOLD: "·"}
)
SOUNDS: Mapping[Outcome, BuzzerCue] = MappingProxyType(
    {
        Outcome.ENROLLED: BuzzerCue.ACCEPTED,
        Outcome.ASKED: BuzzerCue.ASKED,
        Outcome.REFUSED: BuzzerCue.REFUSED,
        Outcome.TOLD: BuzzerCue.TICK,
    }
)


_WORDS: Mapping[str, str] = MappingProxyType(
    {word: long for long in ("skip", "back", "yes", "no", "quit") for word in (long, long[0])} | {"": "skip"}
)


def word_of(key: str) -> str:
    """What a typed line or a button's name means; nothing for an unknown one."""
    return _WORDS.get(key, "")


def unknown_key(keys: str) -> Enrolled:
    """The answer to a line that means nothing here."""
    return Enrolled(Outcome.TOLD, f"That means nothing here. {keys}")


class Session(Protocol):
    """What is done by tapping."""

    @property
    def is_over(self) -> bool: ...

    @property
    def needs_answer(self) -> bool:
        """True while only a key can go on: no card is asked for."""
        ...

    def prompt(self) -> str:
        """What is awaited, in words; said again whenever it changes."""
        ...

    def take(self, signal: Signal) -> Enrolled | None: ...

    def obey(self, key: str) -> Enrolled | None:
        """Do what a typed line or a button says; an unknown one is answered with what there is."""
        ...


# -- devices -----------------------------------------------------------------------------------------------------


STOP_KEYS = "q: stop"


class Stoppable:
    """What sessions share whose one key stops them."""

    needs_answer = False

    def __init__(self) -> None:
        self._is_stopped = False

    def obey(self, key: str) -> Enrolled | None:
        self._is_stopped = self._is_stopped or word_of(key) == "quit"
        return None if self._is_stopped or word_of(key) else unknown_key(STOP_KEYS)


def open_tapped(place: Place, reader: str | None) -> TalkingReader:
    """The reader that a command was asked for, else that of the settings.

    :raises HardwareError: if it is not there.
    :raises TableError: if there shall be none.
    """
    said = reader or place.settings.text("reader", "kind")
    if said == NO_READER:
        raise TableError("The settings say that there is no reader; name one with --reader.")
    *others, last = (kind.word for kind in READER_KINDS if kind.attached is not Attached.NOTHING)
    try:
        kind, _address = split_word(said)
    except ValueError as error:
        raise TableError(f"There is no such reader: {error}.") from error
    if kind is not None and kind.attached is Attached.NOTHING:
        named = f"{', '.join(others)} or {last}"
        raise TableError(f"A simulated reader has no hand to lay these tags; name {named}.")
    if kind is not None and kind.attached is not Attached.HEADER:
        return open_reader(said)
    try:
        return open_reader(said, reader_settings(place.settings), besides=second_reader(place.settings))
    except NoSpiHereError as error:
        # At a table cards can be picked on the screen; tags can't.
        raise NoSpiHereError(
            "There is no reader here: no SPI device (/dev/spidev*), and this is no Raspberry Pi. Put the reader on a "
            "Raspberry Pi Pico on USB and name it with --reader serial, or serial:PORT; to try this without one: "
            "--reader simulated."
        ) from error


class Sounds:
    """The buzzer if there is one, else the terminal's bell. *buzzer* is moved on by `poll`."""

    def __init__(self, buzzer: Buzzer | None, *, has_bell: bool = False) -> None:
        self._buzzer = buzzer
        self._has_bell = has_bell

    def sound(self, cue: BuzzerCue, now_ms: int) -> None:
        if self._buzzer is not None:
            self._buzzer.sound(PATTERNS[cue], now_ms)
        elif self._has_bell:
            ring_bell()

    def poll(self, now_ms: int) -> None:
        if self._buzzer is not None:
            self._buzzer.poll(now_ms)

    def close(self) -> None:
        if self._buzzer is not None:
            self._buzzer.close()


def open_sounds(settings: Settings, *, has_window: bool = False) -> Sounds:
    """The buzzer on its pin; where there is none, a loudspeaker for a window, or where the settings ask for one, else
    the terminal's bell. Their lack is no reason to complain."""
    loudness = settings.text("pins", "buzzer-loudness")
    if loudness == "off":
        return Sounds(None)
    if settings.text("pins", "use") != "off" and wants_buzzer(settings):
        try:
            passive = settings.flag("pins", "buzzer-is-passive")
            return Sounds(open_buzzer(settings.number("pins", "buzzer"), passive=passive, quiet=loudness == "quiet"))
        except HardwareError as error:
            if settings.text("pins", "use") == "on":
                say(str(error), err=True)
    if wants_loudspeaker(settings) and (has_window or settings.text("pins", "sound") == LOUDSPEAKER):
        speaker = make_loudspeaker(settings)
        speaker.open()
        return Sounds(speaker)
    return Sounds(None, has_bell=sys.stdout.isatty() and not has_window)


# -- the loop ----------------------------------------------------------------------------------------------------


class Keys:
    """Lines from a terminal, read on a thread of its own; at their end the session goes on by the pad alone."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: deque[str] = deque(maxlen=KEYS_MAX)
        self._pressed = threading.Event()
        self._has_ended = False
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    @property
    def is_at_end(self) -> bool:
        """True when no more lines can come."""
        return self._has_ended and not self._lines

    def take(self) -> list[str]:
        found = []
        while self._lines:
            found.append(self._lines.popleft())
        return found

    def wait(self, timeout_ms: int) -> None:
        """Until a line has come, or so long."""
        self._pressed.wait(timeout_ms / 1000)
        self._pressed.clear()

    def _read(self) -> None:
        try:
            for line in self._stream:
                self._lines.append(line.strip().lower())
                self._pressed.set()
        except (OSError, ValueError):  # the terminal is gone, or what comes is no text
            pass
        self._has_ended = True
        self._pressed.set()


class Tapping:
    """A session at a reader, step by step; whoever calls `step` says what time it is.

    *said* is the last answer, *trouble* why the reader does not answer, while it does not.
    """

    def __init__(self, session: Session, reader: TalkingReader, sounds: Sounds) -> None:
        self.said: Enrolled | None = None
        self.trouble = ""
        self._session = session
        self._reader = reader
        self._sounds = sounds
        self._seen_ms: int | None = None
        self._is_quiet_told = False

    def step(self, now_ms: int, keys: list[str]) -> list[Enrolled]:
        """Poll the reader and obey *keys*; what came of it, in order."""
        answers = [self._session.obey(key) for key in keys]
        if not self._session.is_over:
            signals = self._reader.poll(now_ms)
            answers.append(self._nothing_seen(now_ms, is_busy=bool(keys or signals)))
            for signal in signals:
                answers.append(self._session.take(signal))
                if isinstance(signal, DeviceLost | DeviceBack):
                    self.trouble = signal.reason if isinstance(signal, DeviceLost) else ""
        found = [answer for answer in answers if answer is not None]
        if found:
            self.said = found[-1]
            self._sounds.sound(SOUNDS[found[-1].outcome], now_ms)
        self._sounds.poll(now_ms)
        return found

    def _nothing_seen(self, now_ms: int, *, is_busy: bool) -> Enrolled | None:
        """Told once where a card is awaited and nothing comes: a sticker of another kind is no signal at all."""
        if is_busy or self._seen_ms is None or self.trouble or self._session.needs_answer:
            self._seen_ms = now_ms
            self._is_quiet_told = self._is_quiet_told and not is_busy
        if self._is_quiet_told or now_ms - self._seen_ms < NOTHING_SEEN_MS:
            return None
        self._is_quiet_told = True
        return Enrolled(Outcome.TOLD, NOTHING_SEEN)


def run_on_terminal(
    session: Session,
    reader: TalkingReader,
    sounds: Sounds,
    now_ms: Callable[[], int],
    hand: StickerHand[Any] | None = None,
    *,
    is_aside: bool = False,
) -> None:
    """Until the session is over; Ctrl-C is a way to stop, too. *is_aside*: talk on standard error."""
    keys = Keys(sys.stdin)
    tapping = Tapping(session, reader, sounds)
    prompt = ""
    try:
        while not session.is_over:
            if session.prompt() != prompt:
                prompt = session.prompt()
                click.echo(printable(prompt), err=is_aside)
            for answer in tapping.step(now_ms(), keys.take()):
                click.echo(f"  {MARKS[answer.outcome]} {printable(answer.text)}", err=is_aside)
            if keys.is_at_end and session.needs_answer:
                click.echo("Nobody is there to answer: it stays as it is, and that card is left out.", err=is_aside)
                tapping.step(now_ms(), ["no", "skip"])
            if hand is not None and hand.is_done and not session.is_over:
                click.echo("The simulated hand has laid all its cards.", err=is_aside)
                break
            keys.wait(LOOK_EVERY_MS)
    except KeyboardInterrupt:
        click.echo(err=is_aside)
