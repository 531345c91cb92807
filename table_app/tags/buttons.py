"""Command tags: stickers that are no cards but buttons, so that a table with a reader and a buzzer alone is complete.

Which tag is which button, and asking for them one by one. Cards have their own list, `registry`; a tag that is a card
there is no command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from hardware.signals import Signal, TagPlaced
from table_app.record.read_only import list_in_memory
from table_app.rules import COLOURS
from table_app.rules.setup import MAXIMUM_PLAYERS
from table_app.tags.enrolling import MAY_BE_TWINS, Enrolled, Outcome, device_text, unfit_text
from table_app.tags.lists import ListKind, OpenedList, TagList, open_list
from table_app.tags.registry import Registry, uid_text

APPLICATION_ID = 0x4C43_4331
"""``LCC1``: tells a list of command tags from any other database."""

VERSION = 1

COMMANDS_FILE = "commands.sqlite"

_SCHEMA = f"""
CREATE TABLE commands (
    uid BLOB PRIMARY KEY,
    button TEXT NOT NULL UNIQUE
) STRICT;
PRAGMA user_version={VERSION}
"""
KIND = ListKind(APPLICATION_ID, VERSION, _SCHEMA, "commands", "uid, button")

_WORDS: Mapping[str, str] = MappingProxyType(
    {
        **{f"colour:{colour}": f"the colour {colour}" for colour in COLOURS},
        "draw": "Draw",
        "keep": "Keep",
        "undo": "Undo",
        "challenge": "Challenge",
        "deal": "Dealt",
        "reshuffle": "Shuffled",
        "yes": "Yes",
        "no": "No",
        "allow": "Allow anyway",
    }
)
_MORE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "form:give": "Another laid it",
        "form:resync": "Top card, turn, colour",
        "form:count": "Number of cards",
        "pause": "Pause",
        "bell": "Last round",
        "high": "Draw for the deal",
        "finds:guilty": "Guilty",
        "finds:innocent": "Innocent",
    }
)
"""What a match can be played without: put right, stopped, ended early, judged by the players themselves."""


def command_buttons(seats: int) -> tuple[str, ...]:
    """The buttons that a table of *seats* wants as tags, in the order in which they are asked for: those that every
    table needs, and after them those that some do."""
    return (*_WORDS, *(f"seat:{seat}" for seat in range(seats)), *_MORE_WORDS)


def is_needed(button: str) -> bool:
    """True of a button without which a table that has no others can't play a whole match."""
    return button not in _MORE_WORDS


def command_words(button: str) -> str:
    """A button as people say it; seats count from 1."""
    prefix, _, seat = button.partition(":")
    return f"seat {int(seat) + 1}" if prefix == "seat" else {**_WORDS, **_MORE_WORDS}[button]


def button_words(button: str) -> str:
    """As `command_words`, also of a button that no tag can be: its name in the settings."""
    is_tag = button in {**_WORDS, **_MORE_WORDS} or button.startswith("seat:")
    return command_words(button) if is_tag else button


def button_named(word: str, seats: int) -> str:
    """The button that people call *word*: ``draw``, ``red``, ``seat 2``; or by its name in the settings, ``seat:1``.

    :raises ValueError: if a table of *seats* has none of that name, with what there is.
    """
    names: dict[str, str] = {}
    for button in command_buttons(seats):
        said = command_words(button)
        names |= dict.fromkeys((button, said, button.partition("colour:")[2] or said), button)
    found = {said.casefold(): button for said, button in names.items()}.get(" ".join(word.split()).casefold())
    if found is None:
        known = ", ".join(button.partition("colour:")[2] or command_words(button) for button in command_buttons(seats))
        raise ValueError(f"there is no button {word.strip()!r}; there is {known.casefold()}")
    return found


class CommandTags(TagList):
    """The list at *path*.

    :param connection: the list in memory, where its file can only be read.
    :raises StoreDamagedError: if the file is damaged.
    :raises StoreError: if it can't be opened.
    """

    KIND = KIND

    def buttons(self) -> Mapping[bytes, str]:
        """Which tag is which button."""
        rows = self._asked("SELECT uid, button FROM commands")
        return MappingProxyType({bytes(uid): str(button) for uid, button in rows})

    def put(self, uid: bytes, button: str) -> None:
        """Give *button* this tag and no other, and the tag this button.

        :raises StoreError: if it can't be written.
        """
        with self._writing():
            self._connection.execute("DELETE FROM commands WHERE uid = ? OR button = ?", (uid, button))
            self._connection.execute(self.KIND.insert(), (uid, button))

    def forget(self, uid: bytes) -> str | None:
        """The button that this tag was, which has none from now on; None if it was none.

        :raises StoreError: if it can't be written.
        """
        button = self.buttons().get(uid)
        if button is not None:
            with self._writing():
                self._connection.execute("DELETE FROM commands WHERE uid = ?", (uid,))
        return button


def open_commands(path: Path) -> OpenedList[CommandTags]:
    """Open or make the list at *path*; a damaged one, or one that is gone, comes back from its copies.

    :raises StoreError: if there can be none at all.
    """
    return open_list(CommandTags, path, KIND)


def read_commands(path: Path) -> CommandTags:
    """The list at *path* as it is, from a disk that takes nothing; what is put into it is not kept.

    :raises StoreError: if it can't be read.
    """
    return CommandTags(path, list_in_memory(path, APPLICATION_ID, VERSION))


class CommandEnrolment:
    """Asks for a tag for each button that has none, one after the other.

    :param registry: a tag that is a card there is refused.
    :param only: these buttons, also those that have tags.
    """

    def __init__(
        self, commands: CommandTags, registry: Registry, seats: int, *, only: Sequence[str] | None = None
    ) -> None:
        self._commands = commands
        self._registry = registry
        known = set(commands.buttons().values())
        self._wanted = command_buttons(min(seats, MAXIMUM_PLAYERS))
        self._queue = [button for button in self._wanted if button not in known] if only is None else list(only)
        self._next = 0

    @property
    def asked(self) -> str | None:
        """The button that is asked for now; None when all were."""
        return self._queue[self._next] if self._next < len(self._queue) else None

    @property
    def missing(self) -> tuple[str, ...]:
        """The buttons that have no tag, also those that were left out."""
        known = set(self._commands.buttons().values())
        return tuple(button for button in self._wanted if button not in known)

    @property
    def total(self) -> int:
        return len(self._wanted)

    @property
    def can_go_back(self) -> bool:
        return self._next > 0

    @property
    def left(self) -> int:
        return len(self._queue) - self._next

    def skip(self) -> None:
        """Leave this button without a tag."""
        self._next = min(self._next + 1, len(self._queue))

    def back(self) -> None:
        """Ask for the button before again."""
        self._next = max(self._next - 1, 0)

    def take(self, signal: Signal) -> Enrolled | None:
        """What *signal* does; None if nothing need be said.

        :raises StoreError: if the list can't be written.
        """
        if not isinstance(signal, TagPlaced):
            return device_text(signal)
        button = self.asked
        if button is None:
            return None
        unfit = unfit_text(signal)
        if unfit:
            return Enrolled(Outcome.REFUSED, unfit)
        held = self._registry.tag(signal.uid)
        if held is not None:
            text = f"This tag is the card {held.name}; take another sticker, or: lastcard cards forget. {MAY_BE_TWINS}"
            return Enrolled(Outcome.REFUSED, text)
        other = self._commands.buttons().get(signal.uid)
        if other not in (None, button):
            text = f"This tag is {command_words(str(other))} already; take another one. {MAY_BE_TWINS}"
            return Enrolled(Outcome.REFUSED, text)
        self._commands.put(signal.uid, button)
        self._next += 1
        return Enrolled(Outcome.ENROLLED, f"{command_words(button)}: {uid_text(signal.uid)}")
