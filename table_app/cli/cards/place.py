"""Where the tag list is and which pack a command is about: what all of ``lastcard cards`` share.

No command lives here.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click

from hardware.readers import is_simulated
from table_app.called import as_called
from table_app.cli.wanted import READER_METAVAR, check_reader
from table_app.cli.whose_table import WhoseTable, find_table
from table_app.decks import DeckFileError, load_deck, unreadable_text
from table_app.printing import say
from table_app.record.copies import copies
from table_app.record.files import make_directory
from table_app.rules import DECKS, Deck
from table_app.settings import Settings
from table_app.table import TableError
from table_app.table.opening import BUTTONS_LOST, REGISTRY_FILE, TAGS_LOST, told_of_list
from table_app.tags.buttons import COMMANDS_FILE, CommandTags, open_commands
from table_app.tags.registry import PACK_LENGTH_MAX, Registry, open_registry
from table_app.transcript.header import deck_loader_beside, nearest

SIMULATED_DIRECTORY = "simulated"
"""Below the table's own directory: the list of stickers that only a simulated hand has."""


class Place:
    """Where the tag list is, and which decks are known here."""

    def __init__(
        self, settings: Settings, directory: Path, *, is_chosen: bool = False, whose: WhoseTable | None = None
    ) -> None:
        self.settings = settings
        self.directory = directory
        self._is_chosen = is_chosen
        self._whose = whose

    def tried_with(self, reader: str | None) -> Place:
        """Where a command with this ``--reader`` keeps its list: to try something must not fill the table's own.

        A directory that was chosen (*is_chosen*) stays.
        """
        if reader is None or not is_simulated(reader) or self._is_chosen:
            return self
        apart = self.directory / SIMULATED_DIRECTORY
        say(
            f"What is simulated has a list of its own, which no table uses: {as_called('cards')} "
            f"--state-directory {shlex.quote(str(apart))} list",
            err=True,
        )
        return Place(self.settings, apart, is_chosen=True, whose=self._whose)

    def deck(self, name: str | None) -> Deck:
        """The deck of this name or in this file; None: the one that the settings play with.

        It is the deck as it lies in the box: what a table agrees about points or Customizable cards changes no tag.

        :raises TableError: if there is none.
        """
        if name is None:
            agreed = self.settings.setup(load_deck=deck_loader_beside(self.settings.path), is_dealt=False).deck
            if agreed.name in DECKS:
                return DECKS[agreed.name]
            folder = self.settings.path.parent if self.settings.path is not None else Path()
            return _file(folder / self.settings.text("rules", "deck"))
        if name in DECKS:
            return DECKS[name]
        if name.endswith(".toml"):
            return _file(Path(name))
        own = self.deck(None)
        if name == own.name:
            return own
        hint = nearest(name, (*DECKS, own.name))
        raise TableError(f"There is no deck {name}{hint}; name one of {', '.join(DECKS)}, or a deck file (.toml).")

    def find_deck(self, name: str, also: str | None = None) -> Deck | None:
        """The deck of this name, if it is built in, the settings', or in the file *also*; None if it is not known."""
        if name in DECKS:
            return DECKS[name]
        known = [self.deck(None)] + ([] if also is None else [self.deck(also)])
        return next((deck for deck in known if deck.name == name), None)

    @contextmanager
    def registry(self) -> Iterator[Registry]:
        """The tag list, closed in the end.

        :raises StoreError: if it can't be opened.
        """
        if self._whose is not None:
            self._whose.prepare(self.directory)
        make_directory(self.directory)
        opened = open_registry(self.directory / REGISTRY_FILE)
        for said in told_of_list(opened, TAGS_LOST):
            say(said, err=True)
        try:
            yield opened.tags
        finally:
            opened.tags.close()

    @contextmanager
    def commands(self) -> Iterator[CommandTags | None]:
        """The list of tags that are buttons, closed in the end; None where there is none.

        :raises StoreError: if it is damaged or can't be opened.
        """
        path = self.directory / COMMANDS_FILE
        if not (path.exists() or copies(path)):
            yield None
            return
        opened = open_commands(path)
        for said in told_of_list(opened, BUTTONS_LOST):
            say(said, err=True)
        with closing(opened.tags) as commands:
            yield commands


def find_place(settings_file: Path | None, state_directory: Path | None, root: Path = Path("/")) -> Place:
    """Where the tag list is, by the rule for all commands (`whose_table`).

    Whose it is is said: nobody shall give cards their tags in a list that no table reads.

    :param root: where the machine's files are.
    """
    table = find_table(settings_file, state_directory, root)
    settings = table.settings()
    table.tell(settings)
    return Place(settings, table.directory(settings), is_chosen=state_directory is not None, whose=table)


def _file(path: Path) -> Deck:
    try:
        return load_deck(path)
    except DeckFileError as error:
        raise TableError(str(error)) from error
    except OSError as error:
        reason = unreadable_text(path, error)
        raise TableError(f"{reason[:1].upper()}{reason[1:]}. Decks that come along: {', '.join(DECKS)}.") from error


def _pack_name(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    del context, parameter
    if value is not None and (not value.isprintable() or value != value.strip() or len(value) > PACK_LENGTH_MAX):
        raise TableError(f"{value!r} is no name for a pack; take a short word, such as blue.")
    return value


Command = Callable[..., Any]


def pack_options(command: Command) -> Command:
    """``--deck`` and ``--pack``."""
    command = click.option(
        "--pack", metavar="NAME", callback=_pack_name, help="Which pack, where there are several of this deck."
    )(command)
    return click.option("--deck", metavar="DECK", help="Which deck (the table's): its name, or a deck file.")(command)


def reader_option(command: Command) -> Command:
    """``--reader``."""
    return click.option(
        "--reader", metavar=READER_METAVAR, callback=check_reader, help="Which card reader (the settings')."
    )(command)
