"""The dialogue of the first start, in the window or on the terminal; it ends in a settings file.

Asking only: what is asked and what comes of it is in ``table_app.table.first_start``.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardware.signals import ButtonPressed
from table_app.cli.box_settings import keep_text
from table_app.display.present_first_start import BACK, CHOOSE, present_first_start
from table_app.display.view import StartScreen
from table_app.rules.words import Translate
from table_app.settings import SettingsError
from table_app.table.first_start import Asked, FirstStart

if TYPE_CHECKING:
    from table_app.display.window import TableWindow

QUIT = "quit"
LOOK_MS = 1_000


def ask_in_window(window: TableWindow, translate: Translate) -> FirstStart | None:
    """Ask by buttons; None if the window was closed."""
    asked = FirstStart()
    while True:
        window.show(present_first_start(asked, translate))
        for signal in window.wait(LOOK_MS):
            if not isinstance(signal, ButtonPressed):
                continue
            if signal.button == QUIT:
                return None
            if signal.button == BACK:
                asked = asked.back()
            elif signal.button.startswith(CHOOSE):
                if asked.asked is Asked.READY:
                    return asked
                asked = asked.choose(signal.button.removeprefix(CHOOSE))


def ask_on_terminal(translate: Translate) -> FirstStart | None:
    """Ask by words; None if the terminal was closed or ``quit`` was typed."""
    asked = FirstStart()
    while asked.asked is not Asked.READY:
        view = present_first_start(asked, translate)
        assert isinstance(view.screen, StartScreen)
        for text in (view.screen.title, view.screen.lead, *view.screen.paragraphs):
            if text:
                click.echo(text)
        click.echo(f"  {' · '.join(asked.choices())} · {BACK} · {QUIT}")
        try:
            word = click.prompt(">", prompt_suffix=" ").strip()
        except click.Abort:
            return None
        if word == QUIT:
            return None
        asked = asked.back() if word == BACK else asked.choose(word)
    return asked


def write_settings(asked: FirstStart, path: Path) -> None:
    """Write what was chosen to *path*, whole or not at all whenever the plug is pulled.

    There must be no settings yet, so that nobody's are written over; a file with nothing in it, as an older program
    left behind when the plug was pulled, is none.

    :raises SettingsError: if it can't be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        keep_text(path, asked.settings_text())
    except OSError as error:
        raise SettingsError(f"{path} can't be written ({error.strerror}); name another with --settings.") from error
