"""The loop of a table on a terminal, from its first line to what is said at its end.

What a line means is in `terminal`, what is printed too; nothing is interpreted here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from table_app.cli.terminal import Printer, TypedLines
from table_app.cli.wake import QUIT, WHO_PLAYS, Wake, is_button, timeout_ms
from table_app.cli.wanted import Wanted
from table_app.rules.messages import Translate, _, words_of
from table_app.table import Table, TableState
from table_app.table.clock import now_ms
from table_app.table.devices import Devices

Show = Callable[[TableState, int], None]


def run_on_terminal(
    make_table: Callable[[Show], Table], devices: Devices, translate: Translate, wake: Wake, wanted: Wanted
) -> None:
    """Until it is stopped, or nothing can come any more."""
    running = _OnTerminal(make_table, devices, translate, wake, wanted)
    wake.listen()
    while not wake.is_stopped and running.turn():
        wake.event.wait(running.timeout_ms / 1000)
        wake.event.clear()


class _OnTerminal:
    """The table, its lines and its printer; one `turn` after the other."""

    def __init__(
        self,
        make_table: Callable[[Show], Table],
        devices: Devices,
        translate: Translate,
        wake: Wake,
        wanted: Wanted,
    ) -> None:
        self._devices = devices
        self._translate = translate
        self._wanted = wanted
        self._printer = Printer(translate)
        self._table = table = make_table(self._show)
        self._is_owing = table.journal.unsaved > 0
        self._is_end_told = False
        if table.journal.is_on_disk:
            self._say(_("help lists everything that can be typed; quit ends, and the match is kept."))
        else:
            self._say(_("help lists everything that can be typed; quit ends."))
        table.add_observer(self._printer)
        self._lines = TypedLines(sys.stdin, now_ms, wake, lambda: table.state, translate)

    @property
    def timeout_ms(self) -> int:
        return timeout_ms(self._table)

    def turn(self) -> bool:
        """Do what is there to be done; False once the table has ended."""
        # Looked at before the step, so that what the hand has laid by then is done in it.
        is_laying = self._devices.is_laying
        self._table.step(now_ms())
        if is_laying or self._table.is_busy:
            return True  # what was typed before comes first
        for signal in self._lines.poll(now_ms()):
            if is_button(signal, QUIT):
                self._say_end()
                return False
            if is_button(signal, WHO_PLAYS):
                self._say(
                    _("Stop with quit; then this asks for the names: {command}"),
                    command=self._wanted.again(asks_who_plays=True),
                )
                continue
            self._devices.hear(self._table, signal)
        return not self._lines.is_at_end or self._goes_on_without_lines()

    def _goes_on_without_lines(self) -> bool:
        """Whether anything can still come once nothing more can be typed; on a terminal that is said."""
        if self._table.is_busy or self._devices.is_laying:
            return True
        is_terminal = sys.stdin.isatty()
        if not self._devices.has_senses:
            if is_terminal:
                self._say_end()
            return False
        if is_terminal and not self._is_end_told:
            self._is_end_told = True
            self._say(
                _("Nothing more can be typed; the table goes on with its reader and its buttons. Ctrl-C ends it.")
            )
        return True

    def _show(self, state: TableState, at_ms: int) -> None:
        self._printer.show(state, at_ms)
        is_owing = self._table.journal.unsaved > 0
        if self._is_owing and not is_owing:
            self._say(_("Everything is kept again."))
        self._is_owing = is_owing

    def _say_end(self) -> None:
        """Whether what was played is kept, and how it goes on."""
        trouble = self._table.journal.trouble_now()
        if trouble:
            self._printer.say(f"! {words_of(trouble, self._translate)}")
            self._say(_("What was not kept is lost with this end."))
            return
        self._say(_("The match is kept; it goes on with: {command}"), command=self._wanted.again())

    def _say(self, text: str, **places: object) -> None:
        self._printer.say(self._translate(text).format(**places))
