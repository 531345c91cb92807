"""``lastcard kiosk``: the table as a box, as the service runs it, with a screen or without.

The loop and the putting together only. What the box does is in ``table_app.appliance``, what the table does in
``table``; its parts are opened in ``table`` and ``screen`` here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import click

from hardware.diagnosis.checks import Check
from hardware.machine import Keeping, keeping, supply
from hardware.signals import ButtonPressed, Signal
from table_app.appliance import console
from table_app.appliance.idle import IdleTimes
from table_app.appliance.kiosk import Kiosk, KioskSettings, minutes_to_ms
from table_app.appliance.maintenance import Finger
from table_app.appliance.pages import farewell_view
from table_app.appliance.power import SupplyWatch, is_all_kept
from table_app.appliance.service import Notifier, Watchdog, watchdog_interval_ms
from table_app.appliance.standstill import Standstill
from table_app.cli.kiosk.corner import Corner
from table_app.cli.kiosk.screen import BoxScreen
from table_app.cli.kiosk.table import BoxTable
from table_app.cli.kiosk.texts import busy_view, refused_view, spoken
from table_app.cli.wake import LONGEST_WAIT_MS, QUIT, Wake
from table_app.cli.wanted import READER_METAVAR, check_reader
from table_app.cli.whose_table import find_table
from table_app.printing import say
from table_app.rules.messages import Translate, _
from table_app.settings import Settings, SettingsError, read_settings
from table_app.settings import state_directory as directory_of
from table_app.setup.box_settings import (
    SET_UP_FILE,
    chosen_settings,
    file_stamp,
    is_missing,
    keep_text,
    open_adjusting,
    read_set_up,
)
from table_app.setup.dialogue import Listening, asking, keep_tags, listening_at
from table_app.setup.presenting import BACK, CHOOSE, present_first_start
from table_app.setup.steps import Asked, FirstStart
from table_app.table import Observer, TableBusyError, TableState
from table_app.table.clock import now_ms
from table_app.table.devices import has_reader
from table_app.table.opening import JOURNAL_FILE
from table_app.view.present import present
from table_app.view.table_view import TableView

BUSY_AGAIN_MS = 5_000
"""How often a table that found another one in its place tries again: people close that one by hand."""


@click.command()
@click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="The settings file.")
@click.option("--reader", metavar=READER_METAVAR, callback=check_reader, help="Which card reader (auto).")
def kiosk(settings_file: Path | None, reader: str | None) -> None:
    """Run the table as a box: full screen, watched over by systemd, never stopping."""
    table = find_table(settings_file)
    path = settings_file or table.settings_file
    if path is not None and is_missing(path):
        log(f"There is no {path}: everything is as it comes. All there is to set: lastcard settings")
        path = None
    refused = ""
    try:
        settings = read_settings(path)
    except SettingsError as error:
        settings, refused = replace(read_settings(None), path=path), str(error)
    run_directory = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    run_path = Path(run_directory) if run_directory else None
    with ExitStack() as ending:
        notifier = ending.enter_context(Notifier(run_directory=run_path))
        if console.quieten():
            ending.callback(console.restore)
        directory = table.directory(settings)
        table.prepare(directory)
        ending.enter_context(closing(Box(settings, reader, notifier, run_path, refused, directory))).run()


class Box(Observer):
    """Everything of one table in a box, from its start to its end."""

    def __init__(
        self,
        settings: Settings,
        reader: str | None,
        notifier: Notifier,
        run_directory: Path | None,
        refused: str = "",
        directory: Path | None = None,
    ) -> None:
        """*refused* is why the settings file can't be used, if it can't; *settings* are the usual ones then.

        :param directory: where record and tags are; where the settings say if it is None.
        """
        self._refused = refused
        self._directory = directory or directory_of(settings)
        self._base = settings
        self._reader = reader
        self._notifier = notifier
        chosen = read_set_up(settings, self._directory, log)
        # Everything has a usual value, but who sits here; with that in the file nobody needs to be asked.
        self._must_ask = chosen is None and "table.players" not in settings.given
        below = settings if chosen is None else settings.below(chosen)
        self.settings, self._adjusting = open_adjusting(below, self._directory, log)
        self._translate: Translate = spoken(self.settings.text("table", "language"))
        self._keeping = keeping(self._directory.absolute())
        self._wake = Wake()
        self._watchdog = Watchdog(notifier, now_ms, watchdog_interval_ms())
        self._table: BoxTable | None = None
        self._is_another_wanted = self._is_asking_wanted = False
        self._standstill = Standstill()
        # What the farewell needs of a table that is closed by then.
        self._is_kept_known = False
        self._trouble = ""
        self._corner = Corner(self, self._directory, self._translate, log)
        self._kiosk = self._make_kiosk(run_directory)
        self._screen = BoxScreen(
            self._wake,
            log,
            on_finger=self._finger,
            on_idle_key=lambda: self._kiosk.key(now_ms()),
            width_mm=self.settings.number_or_none("display", "width-mm"),
            run_directory=run_directory,
        )

    def _make_kiosk(self, run_directory: Path | None) -> Kiosk:
        dim, ask = (minutes_to_ms(self.settings.number("kiosk", key)) for key in ("dim-after", "ask-after"))
        return Kiosk(
            KioskSettings(self.settings.text("kiosk", "pin"), IdleTimes(dim, ask)),
            now_ms(),
            carry_out=lambda choice: self._corner.carry_out(choice, now_ms()),
            adjusting=self._adjusting,
            begin_another=self._want_another,
            supply=SupplyWatch(supply, run_directory),
            keeping=self._keeping,
            directory=self._directory,
            translate=self._translate,
            log=log,
        )

    def close(self) -> None:
        self._screen.close()

    # -- from the start to the end ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Run until systemd or the maintenance corner says stop."""
        self._wake.listen()
        self._screen.look(now_ms())
        if self._refused:
            self._wait_for_better_settings(self._refused)
        while not self._wake.is_stopped:
            if self._is_to_ask:
                self._ask_set_up()
            if not self._wake.is_stopped:
                self._open_and_play()
        self._notifier.stopping()
        known = self._keeping if self._is_kept_known else Keeping.UNKNOWN
        is_coming_back = self._corner.is_coming_back or self._corner.is_updating
        farewell = farewell_view(known, self._trouble, is_coming_back, self._translate)
        self._screen.show(farewell, False, now_ms())

    @property
    def _is_to_ask(self) -> bool:
        """Whether to ask who plays: at the first start, also on a screen that comes late; or when that was chosen.

        Nobody is asked over a match that is under way, which goes on as it was begun; so a record is looked into first.
        """
        if not self._screen.is_there or not self._must_ask or self._is_asking_wanted:
            return self._screen.is_there and self._is_asking_wanted
        if self._table is None:
            return not (self._directory / JOURNAL_FILE).exists()
        return self._table.is_untouched

    def _open_and_play(self) -> None:
        try:
            table = BoxTable(
                self.settings,
                self._directory,
                self._reader,
                wake=self._wake,
                translate=self._translate,
                observer=self,
                show=self._show_state,
                watchdog=self._watchdog,
            )
        except SettingsError as error:
            self._wait_for_better_settings(str(error))
            return
        except TableBusyError as error:
            self._wait_for_the_other(str(error))
            return
        self._table = table
        self._standstill.forget()
        try:
            self._play(table)
        finally:
            self._trouble, self._is_kept_known = table.trouble, True
            self._table = None
            table.close()

    def _play(self, table: BoxTable) -> None:
        self._work(table)
        self._notifier.ready(f"{self._screen.driver or 'no screen'}; record in {self._directory}")
        while not (self._wake.is_stopped or self._is_to_ask):
            self._work(table)
            due_ms = self._kiosk.next_change_ms(now_ms(), table.table.match)
            until_ms = LONGEST_WAIT_MS if due_ms is None else max(due_ms - now_ms(), 0)
            for signal in self._heard(min(table.timeout_ms(), until_ms)):
                table.hear(signal)
        self._is_asking_wanted = not self._wake.is_stopped

    def _work(self, table: BoxTable) -> None:
        """One step of the table and of the box, and show what came of it."""
        if self._is_another_wanted:
            self._is_another_wanted = False
            self._standstill.forget()
            table.begin_another()
        table.table.step(now_ms())
        moment = now_ms()
        self._tick(moment)
        pressed = self._standstill.press(self._kiosk.idle.presence, table.table.state)
        if pressed:
            table.hear(self._kiosk.own_press(pressed, moment))
        self._show_state(table.table.state, moment)

    # -- while there is no table -----------------------------------------------------------------------------------

    def _wait_for_better_settings(self, sentence: str) -> None:
        """Say what is wrong, on the screen too: starting anew every two seconds would only leave it dark. Once the file
        was written to, the end; systemd starts the table anew."""
        before = file_stamp(self._base.path)
        self._stand_by(f"the settings can't be used: {sentence}", refused_view(sentence, self._translate))
        # The answers of the dialogue lie over the file, so they may be what mends it.
        while not (self._wake.is_stopped or (self._is_asking_wanted and self._screen.is_there)):
            if file_stamp(self._base.path) != before:
                self._corner.is_coming_back = True
                self._wake.stop()
            self._stand_by("", refused_view(sentence, self._translate))

    def _wait_for_the_other(self, sentence: str) -> None:
        """Another table runs in the same place; as soon as it is closed this one goes on."""
        until_ms = now_ms() + BUSY_AGAIN_MS
        view = busy_view(sentence, self._translate)
        self._stand_by(sentence, view)
        while not self._wake.is_stopped and now_ms() < until_ms:
            self._stand_by("", view)

    def _stand_by(self, status: str, view: TableView) -> None:
        """Show *view* for a moment, and the box's own pages over it. A *status* is told to systemd and the log."""
        self._tick(now_ms())
        self._show(view, now_ms())
        self._watchdog()
        if status:
            if status != self._notifier.last_status:
                log(status)
            self._notifier.ready(status)
        self._heard(LONGEST_WAIT_MS)

    def _ask_set_up(self) -> None:
        """The first start's dialogue; what was chosen is kept beside the record, where the service may write."""
        listening = listening_at(self.settings, self._reader, self._directory, self._wake, now_ms)
        listening.on_signal = self.signal
        with closing(listening):
            asked = self._ask(listening)
        if asked is not None:
            self._take_answers(asked)

    def _ask(self, listening: Listening) -> FirstStart | None:
        """Ask by the screen, the seats' buttons and their tags; None if the screen is gone, or the box is to stop."""
        asked = asking(self.settings, is_reader_there=has_reader(self.settings, self._reader))
        is_ready = False
        self._kiosk.corner.close()  # it may be what led here
        while not self._wake.is_stopped and self._screen.is_there:
            self._tick(now_ms())
            asked = listening.follow(asked)
            self._show(present_first_start(asked, self._translate, is_box=True), now_ms())
            self._watchdog()
            if not is_ready:
                is_ready = True
                self._notifier.ready("asking how the table is set up")
            for signal in self._heard(LONGEST_WAIT_MS):
                button = signal.button if isinstance(signal, ButtonPressed) else ""
                if button == BACK:
                    asked = asked.back()
                elif button.startswith(CHOOSE) and asked.asked is Asked.READY:
                    return asked
                elif button.startswith(CHOOSE):
                    asked = asked.choose(button.removeprefix(CHOOSE))
        return None

    def _take_answers(self, asked: FirstStart) -> None:
        """The answers hold; where they can't be kept they hold until the end, and that is told."""
        self._must_ask = self._is_asking_wanted = False
        text = asked.settings_text(self.settings.pins("buttons"))
        self.settings, _adjusting = open_adjusting(self._base.below(chosen_settings(text)), self._directory, log)
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            keep_text(self._directory / SET_UP_FILE, text)
            keep_tags(asked, self._directory)
        except OSError as error:  # also a StoreError, which is a sentence
            said = _("The answers can't be kept ({reason}); the table asks again at its next start.")
            reason = error.strerror or str(error)
            log(said.format(reason=reason))
            self._kiosk.tell("", self._translate(said).format(reason=reason), now_ms())

    # -- the parts of a turn ---------------------------------------------------------------------------------------

    def _tick(self, moment: int) -> None:
        """Let the box's own parts move on."""
        self._screen.look(moment)
        if self._refused:
            return  # nobody knows the PIN, so nothing of the box is open
        self._kiosk.tick(moment, None if self._table is None else self._table.table.match)
        told = self._corner.look(moment)
        if told is not None:
            title, sentences = told
            self._kiosk.tell(title, " ".join(sentences), moment)

    def _heard(self, timeout_ms: int) -> list[Signal]:
        """Wait for what comes from screen and keyboard; what of it was not for the box."""
        fed_ms = LONGEST_WAIT_MS if self._watchdog.interval_ms is None else self._watchdog.interval_ms // 2
        came = self._screen.wait(min(timeout_ms, fed_ms))
        heard = []
        for signal in (*self._kiosk.released(), *came):
            if isinstance(signal, ButtonPressed) and signal.button == QUIT:
                # A box never stops by a key; run by hand on a desktop it is closed as any window is.
                if not self._notifier.is_supervised:
                    self._wake.stop()
                continue
            passed = self._kiosk.take(signal, now_ms())
            if passed is not None:
                heard.append(passed)
        return heard

    def _show_state(self, state: TableState, at_ms: int) -> None:
        if self._screen.is_there:
            self._show(present(state, at_ms, self._translate), at_ms)

    def _show(self, view: TableView, at_ms: int) -> None:
        table = self._table
        if not self._refused:
            match = None if table is None else table.table.match
            trouble = "" if table is None else table.trouble
            # The record may be saved, and a program that is half unpacked is not: it must not look safe to switch off.
            is_busy = table is not None and (table.table.is_busy or self._corner.is_updating)
            view = self._kiosk.view(view, match, at_ms, trouble=trouble, is_busy=is_busy)
        self._screen.show(view, self._kiosk.idle.is_dim(at_ms), at_ms)

    def _finger(self, is_down: bool, x: float, y: float) -> None:
        self._kiosk.finger(Finger(now_ms(), is_down, x, y))
        if self._kiosk.has_released:
            self._wake()

    def signal(self, signal: Signal) -> None:
        """A device of the table sensed something."""
        self._kiosk.sensed(signal, now_ms())

    # -- what the corner asks for ----------------------------------------------------------------------------------

    @property
    def is_all_kept(self) -> bool:
        table = self._table
        return table is not None and is_all_kept(self._keeping, table.trouble, table.table.is_busy)

    def restart(self) -> None:
        self._wake.stop()

    def set_up_anew(self) -> None:
        self._is_asking_wanted = True

    def device_checks(self) -> Iterable[Check]:
        return () if self._table is None else self._table.checks()

    def _want_another(self) -> None:
        self._is_another_wanted = True


def log(sentence: str) -> None:
    """One line for the journal."""
    say(sentence, err=True)
