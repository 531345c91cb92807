"""Runs an evening: in a window at some pace, or as lines of text, to the end or until somebody has seen enough.

Reads the clock on the wall, which nothing below it does. What happens is in `evening`, the pane in `pane`.
"""

from __future__ import annotations

import math
import os
import shlex
import signal as signals
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from hardware.signals import ButtonPressed, Signal
from table_app.called import as_called
from table_app.demo.pane import FASTER, SLOWER, STOP, Log, NoticeEar, PowerCutError, do, make_pane, other_speed
from table_app.rules.messages import Translate, _, _n, in_number
from table_app.simulation.evening import Evening, EveningOptions
from table_app.table.loop import Judged, Observer
from table_app.table.opening import TableFiles
from table_app.view.present import present
from table_app.view.table_view import Labelled, ScoresScreen, TableView

FASTEST_STEP_MS = 2_000
"""How much of an evening one frame may hold at speed *max*."""

ROUND_MIN, MATCH_MIN = 3, 30
"""The longest round, and the longest match to `USUAL_TARGET` points beside it, in minutes of the table's clock: of ten
seeds each with 2, 3, 4, 6 and 10 players none took more."""
USUAL_TARGET = 500


def longest_min(target: int, speed: float) -> int:
    """How many minutes a match to *target* points takes at most, or nearly so, at this pace.

    >>> longest_min(500, 1.0)
    33
    """
    return math.ceil((ROUND_MIN + MATCH_MIN * target / USUAL_TARGET) / speed)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run it. *speed* is a factor, None as fast as it goes; times are milliseconds of the table's clock.

    *until_ms* ends the run early, *power_cut_ms* cuts the power then; *screenshot* is written at the end.
    *size* is the window's in pixels, None as fits the screen.
    """

    speed: float | None = 1.0
    until_ms: int | None = None
    power_cut_ms: int | None = None
    screenshot: Path | None = None
    with_sound: bool = True
    size: tuple[int, int] | None = None


def without_time(line: str) -> str:
    """A transcript line without its ``@seconds``."""
    return line.partition(" ")[2] if line.startswith("@") else line


class Lines(Observer):
    """Says every ruling as a line."""

    def __init__(self, say: Callable[[str], None], translate: Translate) -> None:
        self._say = say
        self._translate = translate

    def judged(self, judged: Judged) -> None:
        mark = "✓" if judged.ruling.is_ok else "✗"
        alarm = "  " + self._translate(_("ALARM")) if judged.cues.alarm is not None else ""
        line = without_time(judged.public_line)
        rule = judged.ruling.rule
        self._say(f"{judged.at_ms / 1000:8.1f} s {mark} {line:<22} {judged.cues.headline} ({rule}){alarm}")


class Runner:
    """One run of a demonstration.

    :param files: where journal and transcript go.
    :param say: prints a line.
    """

    def __init__(
        self,
        options: EveningOptions,
        run: RunOptions,
        files: TableFiles,
        say: Callable[[str], None],
        translate: Translate,
        *,
        go_on: bool = False,
    ) -> None:
        self._run = run
        self._say = say
        self._translate = translate
        self._log = Log(translate)
        ear = NoticeEar(self._log)
        observers: list[Observer] = [self._log, ear, Lines(say, translate)]
        self.evening = Evening(options, files, observers=observers, translate=translate, go_on=go_on)
        ear.evening = self.evening
        if go_on:
            self._log.tell(translate(_("The power was cut. The table goes on in the same turn.")))
        self.transcript = files.directory / f"seed-{options.seed}.table"
        self._is_written = False
        self._is_stopped = False
        speed = self.evening.speed_before if self.evening.has_world else run.speed
        self._pace = _Pace(speed, self.evening.now_ms)
        self._parent = os.getppid()

    # -- the screen -------------------------------------------------------------------------------------------

    def view(self) -> TableView:
        """The table's screen with the pane beside it; at the end the scores and how to judge them again."""
        evening = self.evening
        view = present(evening.table.state, evening.now_ms, self._translate)
        if isinstance(view.screen, ScoresScreen):
            notes = (
                Labelled(self._translate(_("Transcript")), str(self.transcript)),
                Labelled(self._translate(_("Every ruling again")), self._judge_command()),
            )
            view = replace(view, screen=replace(view.screen, notes=notes))
        return replace(view, demo=make_pane(evening, self._log, self._translate, self._pace.speed))

    def _note_end(self) -> None:
        """When the match is over, write its transcript, and say where it is; a new match may follow."""
        if not self.evening.is_over:
            self._is_written = False
        elif not self._is_written:
            self._is_written = True
            self.tell_end()

    def tell_end(self) -> None:
        """Write the transcript; say the scores, where it lies, and how to judge it again."""
        self.evening.write_transcript(self.transcript)
        match = self.evening.match
        scores = sorted(zip(match.scores, match.names, strict=True), reverse=True)
        self._say("")
        for score, name in scores:
            self._say(f"{name:>8}  {score}")
        self._say(self._translate(_("transcript: {path}")).format(path=self.transcript))
        self._say(self._translate(_("The times in it begin at 0 with each round's deal; those above ran on.")))
        self._say(self._translate(_("judge it again: {command}")).format(command=self._judge_command()))

    def _judge_command(self) -> str:
        """What is typed here to have every ruling again."""
        return as_called(f"judge {shlex.quote(str(self.transcript))}")

    def _is_done(self) -> bool:
        until = self._run.until_ms
        has_nobody = os.getppid() != self._parent  # whoever started this is gone, and nobody looks any more
        return has_nobody or (until is not None and self.evening.now_ms >= until)

    def _limit(self, to_ms: int) -> int:
        """No further than the end, or the power cut, that was asked for."""
        limits = [limit for limit in (self._run.until_ms, self._run.power_cut_ms) if limit is not None]
        return min([to_ms, *limits])

    def _check_power(self) -> None:
        cut = self._run.power_cut_ms
        if cut is not None and self.evening.now_ms >= cut:
            raise PowerCutError

    # -- without a window -------------------------------------------------------------------------------------

    def run_lines(self) -> None:
        """To the end of the match, every ruling a line."""
        pace, evening = self._pace, self.evening
        self._tell_what_comes()
        pace.begin(evening.now_ms)
        while not evening.is_over and not self._is_done():
            target = self._limit(pace.target(evening.now_ms))
            evening.advance(target, until=lambda: evening.is_over)
            self._check_power()
            pace.rest(evening.next_ms())
        self.tell_end()
        if self._run.screenshot is not None:
            from table_app.demo.picture import save

            save(self.view(), self._run.screenshot)

    def _tell_what_comes(self) -> None:
        """How long it takes where people are waited for, how it is ended, and how it goes faster."""
        speed = self._pace.speed
        if speed is None or self.evening.now_ms:
            return  # nobody waits, or it was told before the power was cut
        target, minutes = self.evening.options.target, longest_min(self.evening.options.target, speed)
        if self._run.until_ms is None:
            one = _n(
                "A match to {points} points takes up to {minutes} minute at this pace, often half of that.",
                "A match to {points} points takes up to {minutes} minutes at this pace, often half of that.",
            )
            self._say(in_number(one, minutes, self._translate).format(points=target, minutes=minutes))
        self._say(self._translate(_("Ctrl-C ends it and tells the scores; --speed max plays it in seconds.")))
        self._say("")

    # -- in a window ------------------------------------------------------------------------------------------

    def run_window(self) -> None:
        """In a window, until it is closed.

        :raises NoDisplayError: where there is no screen.
        """
        from table_app.display.window import TableWindow, WindowOptions
        from table_app.sound.loudspeaker import Loudspeaker

        evening = self.evening
        options = WindowOptions(title=self._translate(_("Last Card: demonstration")), size=self._run.size)
        with TableWindow(lambda: evening.now_ms, options, has_demo=True, glass_clock=_glass_ms) as window:
            speaker = Loudspeaker() if self._run.with_sound and self._run.speed is not None else None
            if speaker is not None:
                if speaker.problem:
                    self._say(speaker.problem)
                evening.gpio.watch_buzzer(speaker.pin_changed)
            pace = self._pace
            pace.begin(evening.now_ms)
            try:
                while not (window.is_quit_wanted or self._is_stopped or self._is_done()):
                    evening.advance(self._limit(pace.target(evening.now_ms)))
                    self._check_power()
                    self._note_end()
                    window.show(self.view())
                    for signal in window.wait(pace.wait_ms(evening.next_ms())):
                        self._take(signal)
                if self._run.screenshot is not None:
                    window.show(self.view())
                    window.save_screenshot(self._run.screenshot)
                if not self._is_written:
                    self.tell_end()
            finally:
                if speaker is not None:
                    speaker.close()

    def _take(self, signal: Signal) -> None:
        """A press in the window: the end and the pace are this room's, all else the pane's or the table's."""
        button = signal.button if isinstance(signal, ButtonPressed) else ""
        if button == STOP:
            self._is_stopped = True
        elif button in (SLOWER, FASTER):
            self._pace.change(other_speed(self._pace.speed, button), self.evening.now_ms)
        else:
            do(self.evening, signal)

    def cut_power(self) -> None:
        """End as a machine ends whose plug is pulled: no goodbye, nothing closed, nothing flushed."""
        self.evening.save_world(self._pace.speed)
        os.kill(os.getpid(), signals.SIGKILL)


def _glass_ms() -> int:
    """The time of whoever presses, however fast the evening goes."""
    return round(time.monotonic() * 1000)


class _Pace:
    """How table time follows the clock on the wall."""

    def __init__(self, speed: float | None, from_ms: int) -> None:
        self.speed = speed
        self.begin(from_ms)

    def begin(self, from_ms: int) -> None:
        """The evening stands at *from_ms* now."""
        self._from_ms = from_ms
        self._began = time.monotonic()

    def change(self, speed: float | None, now_ms: int) -> None:
        """Another pace, from the evening's *now_ms* on."""
        self.speed = speed
        self.begin(now_ms)

    def target(self, now_ms: int) -> int:
        """How far the evening should be by now."""
        if self.speed is None:
            return now_ms + FASTEST_STEP_MS
        return self._from_ms + int((time.monotonic() - self._began) * 1000 * self.speed)

    def wait_ms(self, due_ms: int) -> int:
        """How long nothing is due."""
        if self.speed is None:
            return 0
        elapsed_ms = (time.monotonic() - self._began) * 1000
        return max(int((due_ms - self._from_ms) / self.speed - elapsed_ms), 0)

    def rest(self, due_ms: int) -> None:
        """Wait until something is due; there is nobody here who could press anything."""
        wait_ms = self.wait_ms(due_ms)
        if wait_ms:
            threading.Event().wait(wait_ms / 1000)
