"""``lastcard play``: opens the table and its screen, and runs it until it is stopped.

What a table is put together of is in ``table.live``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from table_app.cli.on_terminal import run_on_terminal
from table_app.cli.wake import QUIT, WHO_PLAYS, Wake, is_button, timeout_ms
from table_app.cli.wanted import READER_METAVAR, Wanted, check_reader
from table_app.cli.whose_table import find_table
from table_app.printing import say
from table_app.rules.messages import Translate, _, words_of
from table_app.settings import Settings, SettingsError, default_settings_path, read_settings
from table_app.settings import state_directory as directory_of
from table_app.setup.dialogue import (
    Listening,
    ask_in_window,
    ask_on_terminal,
    asking_again,
    change_players,
    keep_tags,
    listening_at,
    write_settings,
)
from table_app.setup.steps import FirstStart
from table_app.table import StoreError, TableState
from table_app.table.clock import now_ms
from table_app.table.devices import has_reader
from table_app.table.live import LiveTable, Surroundings, open_live_table
from table_app.translations import translator
from table_app.view.present import present

if TYPE_CHECKING:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would print its version
    from table_app.display.window import TableWindow

Command = TypeVar("Command", bound=Callable[..., object])


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
    table = find_table(wanted.settings_file, wanted.state_directory)
    path = table.settings_file
    # A file that is named to be set up need not be there yet.
    is_to_be_made = wanted.is_set_up and path is not None and not path.exists()
    settings = read_settings(None) if is_to_be_made else table.settings()
    table.tell(settings)
    if table.has_box_settings and (wanted.is_set_up or wanted.is_changing):
        raise SettingsError("A box is set up on its own screen: hold the upper left corner for five seconds.")
    if table.is_kept_in_box:
        table.prepare(table.directory(settings))
        wanted = replace(wanted, state_directory=table.directory(settings))
    wanted = replace(wanted, is_box=table.has_box_settings)
    translate = translator(wanted.language or settings.text("table", "language"))
    with ExitStack() as closing:
        screen = _Screen(settings, wanted, closing, translate)
        said = ""
        if wanted.is_changing and path is not None and screen.can_ask:
            changed, said = _change_who_plays(screen.window, wanted, path, settings, translate)
            wanted = wanted if changed is None else replace(wanted, players=None, is_new=True)
            settings = changed or settings
        elif _is_first_start(wanted, path) and screen.can_ask:
            path = _first_start(screen.window, wanted, settings, translate)
            if path is None:
                return
            settings = read_settings(path)
        while _open_and_run(wanted, path, settings, translate, screen, said):
            assert path is not None
            changed, said = _change_who_plays(screen.window, wanted, path, settings, translate)
            settings = changed or settings
            wanted = replace(wanted, players=None if changed else wanted.players, is_new=changed is not None)


class _Screen:
    """The window, opened when it is first wanted, and only once."""

    def __init__(self, settings: Settings, wanted: Wanted, closing: ExitStack, translate: Translate) -> None:
        self._settings, self._wanted, self._closing = settings, wanted, closing
        self._translate = translate
        self._kind = wanted.display or settings.text("display", "kind")
        self._window: TableWindow | None = None
        self._is_tried = self._kind == "none"

    @property
    def window(self) -> TableWindow | None:
        """The window; None where there is none."""
        if not self._is_tried:
            self._is_tried = True
            self._window = _open_window(self._settings, self._kind, self._wanted.full_screen, self._translate)
            if self._window is not None:
                self._closing.callback(self._window.close)
        return self._window

    @property
    def can_ask(self) -> bool:
        return self.window is not None or sys.stdin.isatty()


def _is_first_start(wanted: Wanted, path: Path | None) -> bool:
    if wanted.is_set_up:
        return True
    return path is None and not wanted.is_box and wanted.players is None and not wanted.is_scoring


def _first_start(window: TableWindow | None, wanted: Wanted, settings: Settings, translate: Translate) -> Path | None:
    """Ask how the table is set up, and write it down; the settings file, or None if nobody answered.

    What is written is the file that was named, or else the usual one; what was in it is kept beside it.
    """
    with ExitStack() as closing:
        first = FirstStart(has_reader=has_reader(settings, wanted.reader))
        asked = _ask(window, first, _listening(window, wanted, settings, closing), translate)
    if asked is None:
        return None
    path = wanted.settings_file or default_settings_path()
    backup = write_settings(asked, path, settings, is_again=wanted.is_set_up)
    if backup is not None:
        say(f"The settings so far are kept as {backup}.")
    keep_tags(asked, wanted.state_directory or directory_of(settings))
    say(f"The settings are in {path}.")
    return path


def _change_who_plays(
    window: TableWindow | None, wanted: Wanted, path: Path, settings: Settings, translate: Translate
) -> tuple[Settings | None, str]:
    """Ask who plays from now on, and write only that down; the new settings, or None if all stays as it is.

    What can't be written is said, as the second, and no reason to end a table.
    """
    try:
        with ExitStack() as closing:
            asked = _ask(window, asking_again(settings), _listening(window, wanted, settings, closing), translate)
        if asked is None:
            return None, ""
        change_players(asked, path, settings)
        settings = read_settings(path)
    except SettingsError as error:
        return None, words_of(error.args[0], translate)
    try:
        keep_tags(asked, wanted.state_directory or directory_of(settings))
    except StoreError as error:
        return settings, str(error)
    return settings, ""


def _ask(
    window: TableWindow | None, asked: FirstStart, listening: Listening, translate: Translate
) -> FirstStart | None:
    if window is None:
        return ask_on_terminal(translate, listening, asked)
    return ask_in_window(window, translate, listening, asked)


def _listening(window: TableWindow | None, wanted: Wanted, settings: Settings, closing: ExitStack) -> Listening:
    """The devices by which a seat gets its button or its tag."""
    listening = listening_at(
        settings,
        wanted.reader,
        wanted.state_directory or directory_of(settings),
        window.wake if window is not None else lambda: None,
    )
    closing.callback(listening.close)
    return listening


def _open_and_run(
    wanted: Wanted,
    path: Path | None,
    settings: Settings,
    translate: Translate,
    screen: _Screen,
    said: str,
) -> bool:
    """Run the table, and tell what is *said* first; true if it was left to change who plays."""
    wake = Wake()
    with closing(
        open_live_table(
            settings,
            wanted.state_directory or directory_of(settings),
            Surroundings(now_ms, translate=translate),
            wake,
            reader=wanted.reader,
            players=tuple(name.strip() for name in wanted.players.split(",")) if wanted.players else None,
            is_scoring=wanted.is_scoring,
            is_new=wanted.is_new,
            can_change_players=path is not None and not wanted.is_box,
            said=said,
        )
    ) as live:
        window = screen.window  # only now: settings that are wrong are told without a screen
        if window is None:
            run_on_terminal(live.shown_by, live.devices, translate, wake, wanted)
            return False
        return _run_in_window(live, translate, wake, window)


# -- with a window ---------------------------------------------------------------------------------------------


def _open_window(settings: Settings, kind: str, full_screen: bool, translate: Translate) -> TableWindow | None:
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
            raise NoDisplayError(error.words(translate)) from error
        goes_on = translate(_("The table goes on in this terminal."))
        say(f"{error.words(translate)} {goes_on}", err=True)
        return None


def _run_in_window(live: LiveTable, translate: Translate, wake: Wake, window: TableWindow) -> bool:
    """Until it is stopped; true if somebody wants to change who plays."""

    def show(state: TableState, at_ms: int) -> None:
        window.show(present(state, at_ms, translate))

    table = live.shown_by(show)
    wake.target = window.wake
    wake.listen()
    while not (window.is_quit_wanted or wake.is_stopped):
        table.step(now_ms())
        for signal in window.wait(timeout_ms(table)):
            if is_button(signal, QUIT):
                return False
            if is_button(signal, WHO_PLAYS):
                return True
            live.hear(signal)
    return False
