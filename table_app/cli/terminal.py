"""A table on a terminal: lines typed are signals, rulings are printed. For a table without a screen.

Translation between lines and signals only; nothing is interpreted here.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TextIO

import click

from hardware.signals import ButtonPressed, CardPicked, Signal, Source
from table_app.cli.judge import printable
from table_app.cli.typed_words import button_of, local_answer
from table_app.display.present import notice_text, present
from table_app.rules.messages import Translate
from table_app.table import Judged, Observer, TableState
from table_app.table.notices import Notice

LINES_MAX = 256
"""Lines read ahead of the table; a file at standard input waits for it."""

LINE_LENGTH_MAX = 64
"""Longer than any button's name or face code; the rest of a line is no signal's."""


def signals_of(line: str, now_ms: int) -> list[Signal]:
    """What a typed line means: a number is its digits and Yes, as on the screen; else one signal or none."""
    text = line[:LINE_LENGTH_MAX].strip()
    if text.isascii() and text.isdigit():
        presses = [*(f"digit:{digit}" for digit in text), "yes"]
        return [ButtonPressed(now_ms, press, Source.KEYBOARD) for press in presses]
    signal = signal_of(line, now_ms)
    return [] if signal is None else [signal]


def signal_of(line: str, now_ms: int) -> Signal | None:
    """What a typed line means as a signal; None of an empty one. Seats are counted from 1, as people do."""
    # "Ann: r5" is how a transcript says it; at the table the turn says who.
    said = line[:LINE_LENGTH_MAX].partition(": ")[2] or line[:LINE_LENGTH_MAX]
    if not said.strip() or local_answer(said) is not None:
        return None
    button = button_of(said)
    if button is not None:
        return ButtonPressed(now_ms, button, Source.KEYBOARD)
    return CardPicked(now_ms, " ".join(said.lower().replace(":", " ").split()), Source.KEYBOARD)


class TypedLines:
    """A device that reads lines on a thread of its own; `is_at_end` once there are no more.

    :param wake: called when a line has come.
    """

    name = "keyboard"

    def __init__(self, stream: TextIO, now_ms: Callable[[], int], wake: Callable[[], None]) -> None:
        self._stream = stream
        self._now_ms = now_ms
        self._wake = wake
        self._signals: deque[Signal] = deque()
        self._room = threading.Semaphore(LINES_MAX)
        self._has_ended = False
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    @property
    def is_at_end(self) -> bool:
        return self._has_ended and not self._signals

    def poll(self, now_ms: int) -> Sequence[Signal]:
        """One line at a time, so that a file is played line after line and each is answered."""
        del now_ms
        if not self._signals:
            return ()
        self._room.release()
        signal = self._signals.popleft()
        if self._signals or self._has_ended:
            self._wake()
        return (signal,)

    def _read(self) -> None:
        try:
            for line in self._stream:
                if answer := local_answer(line[:LINE_LENGTH_MAX]):
                    click.echo(answer)
                for signal in signals_of(line, self._now_ms()):
                    self._room.acquire()
                    self._signals.append(signal)
                    self._wake()
        except (OSError, ValueError):  # the terminal is gone, or what comes is no text
            pass
        self._has_ended = True
        self._wake()


class Printer(Observer):
    """Prints what is ruled and answered, a line each, and what is awaited when that is new; faces of hands never."""

    def __init__(self, translate: Translate) -> None:
        self._translate = translate
        self._said: tuple[str, ...] = ()
        self._must_prompt = False

    def noticed(self, notice: Notice, signal: Signal | None) -> None:
        self._must_prompt = True

    def judged(self, judged: Judged) -> None:
        mark = "✓" if judged.ruling.is_ok else "✗"
        self.say(f"{mark} {judged.cues.headline} ({judged.ruling.rule})")
        # Nothing has changed then, and whose turn it still is must be said all the same.
        self._must_prompt = not judged.ruling.is_ok

    def show(self, state: TableState, now_ms: int) -> None:
        """What was answered, is asked and is awaited, after everything that was ruled."""
        view = present(state, now_ms, self._translate)
        lines = [f"! {banner.text}" for banner in view.banners]
        lines.append(f"? {view.question.text}" if view.question is not None else f"  {view.prompt}")
        if state.notice is not None:
            self.say(f"· {notice_text(state.match, state.notice, self._translate)}")
        for line in lines:
            if line not in self._said or (self._must_prompt and line is lines[-1]):
                self.say(line)
        self._must_prompt = False
        self._said = tuple(lines)

    @staticmethod
    def say(text: str) -> None:
        """Print one line; a terminal obeys nothing that stands in it."""
        click.echo(printable(text))
