"""What can be asked for on the command line of a table, and how the same table is called again.

Nothing is opened here.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

import click

from hardware.readers import NO_READER, READER_KINDS, READER_WORDS, split_word
from table_app.called import as_called

READER_METAVAR = f"[{'|'.join((*READER_WORDS, *(f'{kind.word}:PORT' for kind in READER_KINDS if kind.has_address)))}]"


def check_reader(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """One of `READER_WORDS`; a reader on a board may name the board's port: ``serial:/dev/serial/by-id/NAME``.

    Whether the port is there is found out when it is opened.

    :raises click.BadParameter: if it is neither.
    """
    try:
        split_word(value or NO_READER)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line; None: what the settings say. *is_scoring*: the score alone is kept.

    *is_box*: the table of a box is meant, which is set up on the box's own screen.
    """

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
    is_box: bool = False

    def again(self, *, asks_who_plays: bool = False) -> str:
        """What is typed to go on at this very table; with *asks_who_plays* it asks for the names first."""
        words = ["score" if self.is_scoring else "play", *(["--who-plays"] if asks_who_plays else [])]
        given = {
            "--settings": self.settings_file,
            "--state-directory": self.state_directory,
            "--players": None if asks_who_plays else self.players,
            "--reader": self.reader,
            "--display": self.display,
            "--lang": self.language,
        }
        for option, value in given.items():
            if value is not None:
                words += [option, str(value)]
        if self.full_screen:
            words.append("--full-screen")
        return as_called(shlex.join(words))
