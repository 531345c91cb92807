"""``lastcard play``: opens the table's devices, its record and its screen, and runs it until it is stopped.

Putting parts together only; this and its sisters alone know real devices from simulated ones.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hardware.signals import ButtonPressed, Signal
from table_app.cli.devices import PILE_READER, READER_METAVAR, Devices, check_reader, open_devices
from table_app.cli.first_start import (
    Listening,
    ask_in_window,
    ask_on_terminal,
    card_namer,
    change_players,
    keep_tags,
    way_of,
    write_settings,
)
from table_app.cli.terminal import Printer, TypedLines
from table_app.cli.typed_words import help_text
from table_app.cli.wake import Wake
from table_app.display.present import present
from table_app.rules.messages import Translate
from table_app.settings import Settings, SettingsError, default_settings_path, read_settings, settings_path
from table_app.settings import state_directory as directory_of
from table_app.table import Device, OpenedTable, Table, TableFiles, TableState, open_table
from table_app.table.clock import boot_id, now_ms, wall_time
from table_app.table.first_start import FirstStart
from table_app.table.opening import REGISTRY_FILE
from table_app.table.state import SEAT_COLOURS, Options
from table_app.transcript.header import deck_loader_beside, header_text
from table_app.translations import translator

if TYPE_CHECKING:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would print its version
    from table_app.display.window import TableWindow

Command = TypeVar("Command", bound=Callable[..., object])
QUIT, WHO_PLAYS = "quit", "who-plays"
SCORE_DIRECTORY = "score"
"""Below the table's own directory: a match that is refereed there is not disturbed by one that is only scored."""
TRACKED = "tracked"
HANDS = ("counted", TRACKED)
LONGEST_WAIT_MS = 1_000
"""The loop turns at least once a second, so that a watchdog hears from it."""


def _(message: str) -> str:
    """Mark a message for the catalogue; it is translated where it is said."""
    return message


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line; None: what the settings say. *is_scoring*: the score alone is kept."""

    reader: str | None = None
    display: str | None = None
    players: str | None = None
    is_new: bool = False
    full_screen: bool = False
    language: str | None = None
    settings_file: Path | None = None
    state_directory: Path | None = None
    is_set_up: bool = False
    is_scoring: bool = False
    is_changing: bool = False


def table_command_options(command: Command) -> Command:
    """The options of all commands that run a table."""
    for option in reversed(
        (
            click.option("--reader", metavar=READER_METAVAR, callback=check_reader, help="Which card reader (auto)."),
            click.option("--display", type=click.Choice(("auto", "window", "none")), help="Which screen (auto)."),
            click.option("--players", metavar="NAMES", help="Names in seating order, separated by commas."),
            click.option("--new", "is_new", is_flag=True, help="Begin another match, also if one is under way."),
            click.option("--full-screen", is_flag=True, help="Fill the screen."),
            click.option("--lang", "language", metavar="LANG", help="Speak this language, such as de."),
            click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="The settings file."),
            click.option("--state-directory", type=click.Path(path_type=Path), help="Where the record is kept."),
        )
    ):
        command = option(command)
    return command


@click.command()
@click.option("--who-plays", "is_changing", is_flag=True, help="Ask who plays; all other settings stay.")
@click.option("--set-up", "is_set_up", is_flag=True, help="Ask again how the table is set up.")
@table_command_options
def play(**options: Any) -> None:
    """Referee a real table."""
    run_table(Wanted(**options))


def run_table(wanted: Wanted) -> None:
    """Open everything and run the table until it is stopped; again, where somebody changes who plays."""
    path = wanted.settings_file or settings_path()
    settings = read_settings(path)
    translate = translator(wanted.language or settings.text("table", "language"))
    with ExitStack() as closing:
        screen = _Screen(settings, wanted, closing)
        if wanted.is_changing and path is not None and screen.can_ask:
            changed = _change_who_plays(screen.window, wanted, path, settings, translate)
            wanted = wanted if changed is None else replace(wanted, players=None, is_new=True)
            settings = changed or settings
        elif _is_first_start(wanted, path) and screen.can_ask:
            path = _first_start(screen.window, wanted, settings, translate)
            if path is None:
                return
            settings = read_settings(path)
        while _open_and_run(wanted, path, settings, translate, screen):
            assert path is not None
            changed = _change_who_plays(screen.window, wanted, path, settings, translate)
            settings = changed or settings
            wanted = replace(wanted, players=None if changed else wanted.players, is_new=changed is not None)


class _Screen:
    """The window, opened when it is first wanted, and only once."""

    def __init__(self, settings: Settings, wanted: Wanted, closing: ExitStack) -> None:
        self._settings, self._wanted, self._closing = settings, wanted, closing
        self._kind = wanted.display or settings.text("display", "kind")
        self._window: TableWindow | None = None
        self._is_tried = self._kind == "none"

    @property
    def window(self) -> TableWindow | None:
        """The window; None where there is none."""
        if not self._is_tried:
            self._is_tried = True
            self._window = _open_window(self._settings, self._kind, self._wanted.full_screen)
            if self._window is not None:
                self._closing.callback(self._window.close)
        return self._window

    @property
    def can_ask(self) -> bool:
        return self.window is not None or sys.stdin.isatty()


def _is_first_start(wanted: Wanted, path: Path | None) -> bool:
    if wanted.is_set_up:
        return True
    return path is None and wanted.players is None and not wanted.is_scoring


def _first_start(window: TableWindow | None, wanted: Wanted, settings: Settings, translate: Translate) -> Path | None:
    """Ask how the table is set up, and write it down; the settings file, or None if nobody answered."""
    with ExitStack() as closing:
        asked = _ask(window, FirstStart(), _listening(window, wanted, settings, closing), translate)
    if asked is None:
        return None
    path = default_settings_path()
    if path.exists():
        backup = path.with_suffix(".toml.before")
        path.replace(backup)
        click.echo(f"The settings so far are kept as {backup}.")
    write_settings(asked, path, settings)
    keep_tags(asked, wanted.state_directory or directory_of(settings))
    click.echo(f"The settings are in {path}.")
    return path


def _change_who_plays(
    window: TableWindow | None, wanted: Wanted, path: Path, settings: Settings, translate: Translate
) -> Settings | None:
    """Ask who plays from now on, and write only that down; the new settings, or None if all stays as it is."""
    with ExitStack() as closing:
        first = FirstStart(way_of(settings), is_again=True)
        asked = _ask(window, first, _listening(window, wanted, settings, closing), translate)
    if asked is None:
        return None
    change_players(asked, path, settings)
    keep_tags(asked, wanted.state_directory or directory_of(settings))
    return read_settings(path)


def _ask(
    window: TableWindow | None, asked: FirstStart, listening: Listening, translate: Translate
) -> FirstStart | None:
    if window is None:
        return ask_on_terminal(translate, listening, asked)
    return ask_in_window(window, translate, listening, asked)


def _listening(window: TableWindow | None, wanted: Wanted, settings: Settings, closing: ExitStack) -> Listening:
    """The devices by which a seat gets its button or its tag."""
    directory = wanted.state_directory or directory_of(settings)

    def open_senses(way: str) -> Sequence[Device]:
        kind = "none" if way == "no-reader" else wanted.reader or settings.text("reader", "kind")
        kind = "none" if kind == "simulated" else kind  # nobody could lay a tag on it
        deck = settings.setup(load_deck=deck_loader_beside(settings.path)).deck
        devices = open_devices(settings, kind, deck, now_ms, window.wake if window is not None else lambda: None)
        closing.callback(devices.close)
        return devices.senses

    return Listening(open_senses, now_ms, card_namer(directory))


def _open_and_run(
    wanted: Wanted,
    path: Path | None,
    settings: Settings,
    translate: Translate,
    screen: _Screen,
) -> bool:
    """Run the table; true if it was left to change who plays."""
    with ExitStack() as closing:
        opened, devices, wake = _open(wanted, path, settings, translate, closing)
        window = screen.window
        if window is None:
            _run_on_terminal(opened, devices, translate, wake)
            return False
        return _run_in_window(opened, devices, translate, wake, window)


def _open(
    wanted: Wanted, path: Path | None, settings: Settings, translate: Translate, closing: ExitStack
) -> tuple[OpenedTable, Devices, Wake]:
    load_deck = deck_loader_beside(path)
    names = tuple(name.strip() for name in wanted.players.split(",")) if wanted.players else None
    setup = settings.setup(names, load_deck)
    directory = wanted.state_directory or directory_of(settings)
    files = TableFiles(directory, wall_time, boot_id(), load_deck, header_writer(settings), directory / REGISTRY_FILE)
    if wanted.is_scoring:
        setup = replace(setup, refereed=False)
        files = replace(files, directory=directory / SCORE_DIRECTORY)
    wake = Wake()
    kind = wanted.reader or settings.text("reader", "kind")
    devices = open_devices(settings, kind, setup.deck, now_ms, wake)
    closing.callback(devices.close)
    options = table_options(settings)._replace(can_change_players=path is not None, has_reader=kind != "none")
    opened = open_table(files, setup, now_ms(), tags=devices.tags, options=options, is_new=wanted.is_new)
    closing.callback(opened.close)
    devices.know(opened.state.tags)
    opened.state = replace(opened.state, lost=devices.missing, messages=start_messages(opened, devices, translate))
    return opened, devices, wake


def header_writer(settings: Settings) -> Callable[[Any], str]:
    """A header names a deck file by its whole path, so that the record can be read from anywhere."""
    deck = settings.text("rules", "deck")
    if not deck.endswith(".toml"):
        return header_text
    folder = settings.path.parent if settings.path is not None else Path()
    return partial(header_text, deck=str((folder / deck).resolve()))


def start_messages(opened: OpenedTable, devices: Devices, translate: Translate) -> tuple[str, ...]:
    return (*opened.state.messages, *(translate(message) for message in devices.messages))


def table_options(settings: Settings) -> Options:
    """How the table is set up, beside its rules.

    :raises SettingsError: if a word is none.
    """
    hands = settings.text("table", "hands")
    if hands not in HANDS:
        raise SettingsError(f"{settings.path}: [table] hands must be one of {', '.join(HANDS)}, not {hands!r}.")
    limit_min = settings.number_or_none("table", "time-limit-min")
    return Options(
        cards_each=settings.number("table", "cards-each"),
        is_tracked=hands == TRACKED,
        pile_reader=PILE_READER if settings.flag("pile-reader", "use") else "",
        time_limit_ms=None if limit_min is None else limit_min * 60_000,
        colours=_colours(settings),
        has_reader=settings.text("reader", "kind") != "none",
    )


def _colours(settings: Settings) -> tuple[int, ...]:
    words = settings.words("table", "colours")
    for word in words:
        if word not in SEAT_COLOURS:
            known = ", ".join(SEAT_COLOURS)
            raise SettingsError(f"{settings.path}: [table] colours can't be {word!r}; there are {known}.")
    return tuple(SEAT_COLOURS.index(word) for word in words)


def _table(
    opened: OpenedTable, devices: Devices, translate: Translate, show: Callable[[TableState, int], None]
) -> Table:
    return Table(
        opened.state,
        opened.journal,
        devices=devices.senses,
        buzzer=devices.buzzer,
        lamps=devices.lamps,
        show=show,
        translate=translate,
        ticks_for_tags=False,
        enrol=opened.enrol,
        older=opened.older,
    )


def timeout_ms(table: Table) -> int:
    if table.is_busy:
        return 0
    due_ms = table.next_wake_ms()
    return LONGEST_WAIT_MS if due_ms is None else min(max(due_ms - now_ms(), 0), LONGEST_WAIT_MS)


# -- with a window ---------------------------------------------------------------------------------------------


def _open_window(settings: Settings, kind: str, full_screen: bool) -> TableWindow | None:
    """The window; None where there is no screen and none was insisted on."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would print its version
    from table_app.display.errors import NoDisplayError
    from table_app.display.window import TableWindow, WindowOptions

    options = WindowOptions(
        is_full_screen=full_screen or settings.flag("display", "full-screen"),
        width_mm=settings.number_or_none("display", "width-mm"),
    )
    try:
        return TableWindow(now_ms, options)
    except NoDisplayError as error:
        if kind == "window":
            raise
        click.echo(f"{error} The table goes on in this terminal.", err=True)
        return None


def _run_in_window(
    opened: OpenedTable, devices: Devices, translate: Translate, wake: Wake, window: TableWindow
) -> bool:
    """Until it is stopped; true if somebody wants to change who plays."""

    def show(state: TableState, at_ms: int) -> None:
        window.show(present(state, at_ms, translate))

    table = _table(opened, devices, translate, show)
    wake.target = window.wake
    wake.listen()
    while not (window.is_quit_wanted or wake.is_stopped):
        table.step(now_ms())
        for signal in window.wait(timeout_ms(table)):
            if _is_button(signal, QUIT):
                return False
            if _is_button(signal, WHO_PLAYS):
                return True
            devices.hear(table, signal)
    return False


def _is_button(signal: Signal, button: str) -> bool:
    return isinstance(signal, ButtonPressed) and signal.button == button


# -- on a terminal ---------------------------------------------------------------------------------------------


def _run_on_terminal(opened: OpenedTable, devices: Devices, translate: Translate, wake: Wake) -> None:
    printer = Printer(translate)
    click.echo(help_text())
    lines = TypedLines(sys.stdin, now_ms, wake)
    table = _table(opened, devices, translate, printer.show)
    table.add_observer(printer)
    wake.listen()
    while not wake.is_stopped:
        table.step(now_ms())
        for signal in lines.poll(now_ms()):
            if _is_button(signal, QUIT):
                return
            if _is_button(signal, WHO_PLAYS):
                printer.say("Stop with quit; then lastcard play --who-plays asks for the names.")
                continue
            devices.hear(table, signal)
        if lines.is_at_end and not table.is_busy and not sys.stdin.isatty() and not devices.has_senses:
            return
        wake.event.wait(timeout_ms(table) / 1000)
        wake.event.clear()
