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
from table_app.cli.typed_here import cards_here, nearest_here, no_answer_here, not_theirs, presses_here, words_here
from table_app.cli.typed_words import AsTyped, button_of, local_answer, which_card
from table_app.play.notices import Notice, NoticeKind
from table_app.printing import printable
from table_app.rules.messages import Translate, _, untranslated
from table_app.table import Judged, Observer, TableState
from table_app.view.present import notice_text, present
from table_app.view.table_view import TableView, TextScreen

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
    :param state: the table, by which a number or a name is understood; without it a line means what it does everywhere.
    """

    name = "keyboard"

    def __init__(
        self,
        stream: TextIO,
        now_ms: Callable[[], int],
        wake: Callable[[], None],
        state: Callable[[], TableState] | None = None,
        translate: Translate = untranslated,
    ) -> None:
        self._stream = stream
        self._now_ms = now_ms
        self._wake = wake
        self._state = state
        self._translate = translate
        self._lines: deque[tuple[str, int]] = deque()
        self._signals: deque[Signal] = deque()
        self._room = threading.Semaphore(LINES_MAX)
        self._has_ended = False
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    @property
    def is_at_end(self) -> bool:
        return self._has_ended and not self._signals and not self._lines

    def poll(self, now_ms: int) -> Sequence[Signal]:
        """One signal at a time, so that a file is played line after line and each is answered."""
        del now_ms
        while self._lines and not self._signals:
            self._signals.extend(self._understood(*self._lines.popleft()))
            self._room.release()
        signals = (self._signals.popleft(),) if self._signals else ()
        if self._signals or self._lines:
            self._wake()
        return signals

    def _understood(self, line: str, at_ms: int) -> Sequence[Signal]:
        """The signals of a line; what the terminal itself answers is printed."""
        if self._state is not None:
            state = self._state()
            view = present(state, at_ms, self._translate)
            answer = not_theirs(line, state, self._translate) or no_answer_here(line, state, view, self._translate)
            if answer:
                click.echo(answer)
                return ()
            presses = presses_here(line, state, view, self._translate)
            if presses is not None:
                if not presses:
                    click.echo(self._translate(_("No number is asked for now.")))
                return [ButtonPressed(at_ms, press, Source.KEYBOARD) for press in presses]
            deck = state.match.setup.deck
            if answer := which_card(line, deck):
                click.echo(answer)
                return ()
            if named := cards_here(line, state, self._translate):
                code, *buttons = named
                card = CardPicked(at_ms, code, Source.KEYBOARD)
                return [card, *(ButtonPressed(at_ms, button, Source.KEYBOARD) for button in buttons)]
        if answer := local_answer(line):
            click.echo(answer)
            return ()
        return signals_of(line, at_ms)

    def _read(self) -> None:
        try:
            for line in self._stream:
                self._room.acquire()
                self._lines.append((line[:LINE_LENGTH_MAX], self._now_ms()))
                self._wake()
        except (OSError, ValueError):  # the terminal is gone, or what comes is no text
            pass
        self._has_ended = True
        self._wake()


class Printer(Observer):
    """Prints what is ruled and answered, a line each, what is awaited and what can be typed where that is new.

    Faces of hands never. After a refusal what is awaited is said again: nobody should have to look for it above.
    """

    def __init__(self, translate: Translate) -> None:
        self._translate = AsTyped(translate)
        self._said: tuple[str, ...] = ()
        self._words: tuple[str, ...] = ()
        self._is_refused = False
        self._screen: object = None
        self._unread = ""

    def judged(self, judged: Judged) -> None:
        self._is_refused = not judged.ruling.is_ok
        mark = "✓" if judged.ruling.is_ok else "✗"
        self.say(f"{mark} {judged.cues.headline} ({judged.ruling.rule})")

    def noticed(self, notice: Notice, signal: Signal | None) -> None:
        is_refused = notice.kind is NoticeKind.REFUSED
        self._is_refused = self._is_refused or is_refused
        if is_refused and isinstance(signal, CardPicked) and signal.source is Source.KEYBOARD:
            self._unread = signal.code

    def show(self, state: TableState, now_ms: int) -> None:
        """What was answered, is asked and is awaited, after everything that was ruled."""
        view = present(state, now_ms, self._translate)
        if state.notice is not None:
            self.say(f"· {notice_text(state.match, state.notice, self._translate)}")
            self._help_with_word(state, view)
        elif self._is_refused and state.match.refused_lay is not None:
            self.say(self._translate(_("  That card goes back to the hand; allow lets it stand.")))
        self._page(view.screen)
        banners = [f"! {banner.text}" for banner in view.banners]
        awaited = f"? {view.question.text}" if view.question is not None else f"  {view.prompt}"
        for line in banners:
            if line not in self._said:
                self.say(line)
        if awaited not in self._said or self._is_refused:
            self.say(awaited)
        self._hint(words_here(view, self._translate))
        self._said = (*banners, awaited)
        self._is_refused = False

    def _help_with_word(self, state: TableState, view: TableView) -> None:
        """After a word that nobody understands: the nearest one, and what lists them all."""
        typed, self._unread = self._unread, ""
        if not typed or typed.partition("#")[0] in {face.code for face in state.match.setup.deck.kinds}:
            return
        near = nearest_here(typed, state, view)
        if "," in typed:
            self.say(
                self._translate(_("  To play with others type who-plays. help lists everything that can be typed."))
            )
        elif near is not None:
            message = self._translate(_("  Did you mean {word}? help lists everything that can be typed."))
            self.say(message.format(word=near))
        else:
            self.say(self._translate(_("  help lists everything that can be typed.")))

    def _page(self, screen: object) -> None:
        """Pages to read, such as the rules, as a whole."""
        if isinstance(screen, TextScreen) and screen != self._screen:
            for text in (screen.title, *screen.paragraphs):
                self.say(text.removeprefix("# ") if text.startswith("# ") else f"  {text}")
        self._screen = screen

    def _hint(self, words: tuple[str, ...]) -> None:
        """What can be typed, where something of it could not be typed just before."""
        if not set(words) <= set(self._words):
            self.say(self._translate(_("  type: {words}")).format(words=" · ".join(words)))
        self._words = words

    @staticmethod
    def say(text: str) -> None:
        """Print one line; a terminal obeys nothing that stands in it."""
        click.echo(printable(text))
