"""``lastcard kiosk``: the table as a box, as the service runs it, with a screen or without.

Putting parts together only. What the box does is in ``table_app.appliance``, what the table does in ``table``.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardware.backlight import Backlight
from hardware.diagnosis import Machine
from hardware.machine import Keeping, keeping, supply
from hardware.signals import ButtonPressed, Signal
from table_app.appliance import console
from table_app.appliance.checks import appliance_checks
from table_app.appliance.idle import IdleTimes
from table_app.appliance.kiosk import Kiosk, KioskSettings, minutes_to_ms
from table_app.appliance.kiosk import Page as KioskPage
from table_app.appliance.maintenance import Choice, Finger
from table_app.appliance.pages import farewell_view
from table_app.appliance.power import SupplyWatch
from table_app.appliance.requests import Request, RequestError, answer, answer_stamp, ask_root
from table_app.appliance.service import Notifier, Watchdog, watchdog_interval_ms
from table_app.cli.box_settings import file_stamp, open_adjusting
from table_app.cli.devices import READER_METAVAR, check_reader, open_devices
from table_app.cli.first_start import write_settings
from table_app.cli.kiosk_texts import network_paragraphs, refused_view, settings_paragraphs, spoken
from table_app.cli.play import LONGEST_WAIT_MS, Wake, header_writer, start_messages, table_options, timeout_ms
from table_app.display.bring_up import Screen
from table_app.display.present import present
from table_app.display.present_first_start import BACK, CHOOSE, present_first_start
from table_app.rules.words import Translate, untranslated
from table_app.settings import Settings, SettingsError, read_settings, settings_path
from table_app.settings import state_directory as directory_of
from table_app.table import Observer, OpenedTable, StoreError, Table, TableFiles, TableState, open_table
from table_app.table.clock import boot_id, now_ms, wall_time
from table_app.table.first_start import Asked, FirstStart
from table_app.table.opening import REGISTRY_FILE
from table_app.table.store import move_aside
from table_app.transcript.header import deck_loader_beside

if TYPE_CHECKING:
    from table_app.display.window import TableWindow

DIM = 0.85
"""How dark a dim screen is: readable in the dark, no lamp."""

SET_UP_FILE = "set-up.toml"
"""What was chosen on the screen at the first start; the settings file holds the rest, and is its owner's."""


def _(message: str) -> str:
    """Mark a message for the catalogue; it is translated where it is said."""
    return message


@click.command()
@click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="The settings file.")
@click.option("--reader", metavar=READER_METAVAR, callback=check_reader, help="Which card reader (auto).")
def kiosk(settings_file: Path | None, reader: str | None) -> None:
    """Run the table as a box: full screen, watched over by systemd, never stopping."""
    path = settings_file or settings_path()
    path = path if path is not None and path.exists() else None
    refused = ""
    try:
        settings = read_settings(path)
    except SettingsError as error:
        settings, refused = replace(read_settings(None), path=path), str(error)
    with ExitStack() as closing:
        notifier = closing.enter_context(Notifier())
        if console.quieten():
            closing.callback(console.restore)
        Box(settings, reader, notifier, closing, refused).run()


def set_up_settings(base: Settings, directory: Path) -> Settings:
    """The settings with what was chosen on the screen, kept as *SET_UP_FILE* in *directory*, over them.

    A file that can't be read is moved aside and told in the log: the table asks again.
    """
    path = directory / SET_UP_FILE
    if not path.exists():
        return base
    try:
        chosen = read_settings(path)
    except SettingsError as error:
        log(str(error))
        with suppress(StoreError):
            log(f"It is kept as {move_aside(path)}; the table asks again how it is set up.")
        return base
    return base.below(chosen)


def is_set_up(settings: Settings) -> bool:
    """Whether somebody has said who plays what, in the file or on the screen."""
    return any(name.startswith(("table.", "rules.")) and name != "table.language" for name in settings.given)


class Box:
    """Everything of one table in a box, from its start to its end."""

    def __init__(
        self, settings: Settings, reader: str | None, notifier: Notifier, closing: ExitStack, refused: str = ""
    ) -> None:
        """*refused* is why the settings file can't be used, if it can't; *settings* are the usual ones then."""
        self._refused = refused
        self._directory = directory_of(settings)
        self._base = settings
        self._read_layers()
        self._reader = reader or settings.text("reader", "kind")
        self._notifier = notifier
        self._closing = closing
        self._translate: Translate = spoken(self._settings.text("table", "language"))
        self._keeping = keeping(self._directory.absolute())
        self._wake = Wake()
        self._watchdog = Watchdog(notifier, now_ms, watchdog_interval_ms())
        run_directory = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        self._run_directory = Path(run_directory) if run_directory else None
        self._screen: Screen[TableWindow] = Screen(self._open_window, log, run_directory=self._run_directory)
        self._window: TableWindow | None = None
        self._light = Backlight()
        closing.callback(self._light.turn_up)
        self._is_another_wanted = False
        self._answer_seen = answer_stamp()
        self._kiosk = self._make_kiosk()

    def _read_layers(self) -> None:
        """The settings in force, and the corner's knobs over them."""
        below = set_up_settings(self._base, self._directory)
        self._settings, self._adjusting = open_adjusting(below, self._directory, log)

    # -- parts -----------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Open devices and record."""
        settings = self._settings
        settings.check_pins()  # each file for itself was right, which says nothing of all together
        load_deck = deck_loader_beside(settings.path)
        self._setup = settings.setup(None, load_deck)
        registry = self._directory / REGISTRY_FILE
        header = header_writer(settings)
        self._files = TableFiles(self._directory, wall_time, boot_id(), load_deck, header, registry)
        self._devices = open_devices(settings, self._reader, self._setup.deck, now_ms, self._wake)
        self._closing.callback(self._devices.close)
        self._opened = self._open(is_new=False)
        self._closing.callback(lambda: self._opened.close())
        self._table = self._make_table(self._opened)

    def _open(self, is_new: bool) -> OpenedTable:
        opened = open_table(
            self._files,
            self._setup,
            now_ms(),
            tags=self._devices.tags,
            options=table_options(self._settings),
            is_new=is_new,
        )
        opened.state = replace(
            opened.state, lost=self._devices.missing, messages=start_messages(opened, self._devices, self._translate)
        )
        return opened

    def _make_table(self, opened: OpenedTable) -> Table:
        table = Table(
            opened.state,
            opened.journal,
            devices=self._devices.senses,
            buzzer=self._devices.buzzer,
            lamps=self._devices.lamps,
            show=self._show,
            translate=self._translate,
            watchdog=self._watchdog,
        )
        table.add_observer(_Sensed(self))
        return table

    def _make_kiosk(self) -> Kiosk:
        dim, ask = (minutes_to_ms(self._settings.number("kiosk", key)) for key in ("dim-after", "ask-after"))
        return Kiosk(
            KioskSettings(self._settings.text("kiosk", "pin"), IdleTimes(dim, ask)),
            now_ms(),
            carry_out=self._carry_out,
            adjusting=self._adjusting,
            begin_another=self._want_another,
            supply=SupplyWatch(supply, self._run_directory),
            keeping=self._keeping,
            directory=self._directory,
            translate=self._translate,
        )

    def _open_window(self) -> TableWindow:
        from table_app.display.window import TableWindow, WindowOptions

        width_mm = self._settings.number_or_none("display", "width-mm")
        options = WindowOptions(is_full_screen=True, width_mm=width_mm, has_pointer=False)
        window = TableWindow(now_ms, options)
        window.on_finger = lambda is_down, x, y: self._kiosk.finger(Finger(now_ms(), is_down, x, y))
        return window

    # -- the loop --------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run until systemd or the maintenance corner says stop."""
        self._wake.listen()
        self._use(self._screen.bring_up(now_ms()))
        if self._refused:
            self._wait_for_better_settings(self._refused)
            return
        if self._window is not None and not is_set_up(self._settings):
            self._notifier.ready("asking how the table is set up")
            self._ask_set_up(self._window)
        if not self._wake.is_stopped:
            try:
                self._start()
            except SettingsError as error:
                self._wait_for_better_settings(str(error))
                return
            self._work()
            self._notifier.ready(f"{self._screen.driver or 'no screen'}; record in {self._directory}")
        while not self._wake.is_stopped:
            self._work()
            self._listen()
        self._notifier.stopping()
        if self._window is not None:
            self._window.dim(0)
            self._window.show(farewell_view(self._keeping is Keeping.KEPT, self._translate))

    def _wait_for_better_settings(self, sentence: str) -> None:
        """Say what is wrong, on the screen too: starting anew every two seconds would only leave it dark. Once the file
        was written to, the end; systemd starts the table anew."""
        log(sentence)
        self._notifier.ready(f"the settings can't be used: {sentence}")
        path = self._base.path
        before = file_stamp(path)
        while not self._wake.is_stopped and file_stamp(path) == before:
            self._use(self._screen.poll(now_ms()))
            if self._window is not None:
                self._window.show(refused_view(sentence, self._translate))
            self._watchdog()
            self._wait(self._fed_ms())
        self._notifier.stopping()

    def _ask_set_up(self, window: TableWindow) -> None:
        """The first start's dialogue; what was chosen is kept beside the record, where the service may write."""
        asked = FirstStart()
        while not self._wake.is_stopped:
            window.show(present_first_start(asked, self._translate))
            self._watchdog()
            for signal in window.wait(self._fed_ms()):
                if not isinstance(signal, ButtonPressed):
                    continue
                if signal.button == BACK:
                    asked = asked.back()
                elif signal.button.startswith(CHOOSE):
                    if asked.asked is Asked.READY:
                        write_settings(asked, self._directory / SET_UP_FILE)
                        self._settings = self._settings.below(read_settings(self._directory / SET_UP_FILE))
                        return
                    asked = asked.choose(signal.button.removeprefix(CHOOSE))

    def _use(self, window: TableWindow | None) -> None:
        if window is not None:
            self._window = window
            self._wake.target = window.wake
            self._closing.callback(window.close)

    def _work(self) -> None:
        """One step of the table and of the box, and show what came of it."""
        if self._is_another_wanted:
            self._begin_another()
        self._table.step(now_ms())
        self._use(self._screen.poll(now_ms()))
        moment = now_ms()
        self._kiosk.tick(moment, self._table.match)
        self._look_for_update()
        self._show(self._table.state, moment)

    def _listen(self) -> None:
        """Wait for the next thing to happen, and give it to whom it is for."""
        for signal in self._wait(self._timeout_ms(now_ms())):
            passed = self._kiosk.take(signal, now_ms())
            if passed is not None:
                self._devices.hear(self._table, passed)

    def _wait(self, timeout_ms: int) -> list[Signal]:
        if self._window is not None:
            return self._window.wait(timeout_ms)
        self._wake.event.wait(timeout_ms / 1_000)
        self._wake.event.clear()
        return []

    def _timeout_ms(self, moment: int) -> int:
        due_ms = self._kiosk.next_change_ms(moment, self._table.match)
        until_ms = LONGEST_WAIT_MS if due_ms is None else max(due_ms - moment, 0)
        return min(timeout_ms(self._table), until_ms, self._fed_ms())

    def _fed_ms(self) -> int:
        """How long the loop may wait and still feed the watchdog in time."""
        return LONGEST_WAIT_MS if self._watchdog.interval_ms is None else self._watchdog.interval_ms // 2

    def _show(self, state: TableState, at_ms: int) -> None:
        if self._window is None:
            return
        trouble = state.trouble or self._opened.journal.standing_trouble
        shown = present(state, at_ms, self._translate)
        shown = self._kiosk.view(shown, state.match, at_ms, trouble=trouble, is_busy=self._table.is_busy)
        if self._kiosk.idle.is_dim(at_ms):
            self._window.dim(DIM)
            self._light.turn_down()
        else:
            self._window.dim(0)
            self._light.turn_up()
        self._window.show(shown)

    def sensed(self) -> None:
        self._kiosk.sensed(now_ms())

    # -- what can be asked of it -----------------------------------------------------------------------------------

    def _want_another(self) -> None:
        self._is_another_wanted = True

    def _begin_another(self) -> None:
        self._is_another_wanted = False
        self._opened.close()
        self._opened = self._open(is_new=True)
        self._table = self._make_table(self._opened)

    def _carry_out(self, choice: Choice) -> KioskPage:
        """Do it, and say what came of it."""
        translate = self._translate
        match choice:
            case Choice.RESTART_TABLE:
                self._wake.stop()
                return translate(_("Restart the table")), (translate(_("The table starts anew.")),)
            case Choice.SET_UP:
                (self._directory / SET_UP_FILE).unlink(missing_ok=True)
                self._wake.stop()
                return translate(_("Set up anew")), (translate(_("The table starts anew and asks.")),)
            case Choice.NETWORK:
                return translate(_("Network")), network_paragraphs(translate)
            case Choice.DOCTOR:
                return translate(_("Doctor")), tuple(
                    f"{check.name}: {check.sentence} {check.fix}".strip()
                    for check in appliance_checks(Machine(), self._directory)
                )
            case Choice.SETTINGS | Choice.ALL_SETTINGS:
                return translate(_("All settings")), settings_paragraphs(self._settings, translate)
            case Choice.SHUT_DOWN | Choice.RESTART_MACHINE | Choice.UPDATE:
                return self._ask_root(Request(choice))

    def _ask_root(self, request: Request) -> KioskPage:
        translate = self._translate
        try:
            ask_root(request, translate)
        except RequestError as error:
            return translate(_("Not possible")), (str(error),)
        if request is Request.UPDATE:
            said = _("Looking for an update. This may take some minutes; the table can be played at meanwhile.")
            return translate(_("Update")), (translate(said),)
        said = _("The match is saved. The machine does what was asked in a few seconds.")
        return translate(_("One moment")), (translate(said),)

    def _look_for_update(self) -> None:
        """Tell what an update came to, also one that was asked for by the program before this one."""
        stamp = answer_stamp()
        if stamp == self._answer_seen:
            return
        self._answer_seen = stamp
        if answer(untranslated):
            log(f"Update: {answer(untranslated)}")
            self._kiosk.tell(self._translate(_("Update")), answer(self._translate), now_ms())


class _Sensed(Observer):
    """Tells the box that a device sensed something."""

    def __init__(self, box: Box) -> None:
        self._box = box

    def signal(self, signal: Signal) -> None:
        self._box.sensed()


def log(sentence: str) -> None:
    """One line for the journal."""
    click.echo(sentence, err=True)
