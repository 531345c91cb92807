"""The dialogue of the first start, in the window or on the terminal; it ends in settings and in the seats' tags.

Asking only: what is asked and what comes of it is in ``table_app.setup.steps``.
"""

from __future__ import annotations

import errno
import os
import tomllib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardware.ports import HardwareError
from hardware.readers import is_on_a_board, is_simulated
from hardware.signals import ButtonPressed, DeviceBack, DeviceLost, Signal, Source, TagPlaced
from table_app.called import HELP
from table_app.record.files import make_directory
from table_app.rules.messages import Sentence, Translate, _
from table_app.settings import FILE_BYTES_MAX, Settings, SettingsError
from table_app.setup.box_settings import keep_text
from table_app.setup.presenting import BACK, CHOOSE, COLOUR_WORDS, present_first_start
from table_app.setup.settings_text import with_values, without
from table_app.setup.steps import SEAT, WAYS, Asked, FirstStart
from table_app.small_files import read_small_text
from table_app.table import Device, StoreError
from table_app.table.clock import now_ms
from table_app.table.devices import Devices, open_devices
from table_app.table.opening import REGISTRY_FILE
from table_app.tags.buttons import COMMANDS_FILE, button_words, open_commands
from table_app.tags.registry import open_registry
from table_app.transcript.header import deck_loader_beside
from table_app.view.table_view import StartScreen

if TYPE_CHECKING:
    from table_app.display.window import TableWindow


QUIT = "quit"
NO_READER = "no-reader"
LOOK_MS = 1_000
NAMES_TOLD = 3
"""Nicknames told where any name may be typed."""


@dataclass(slots=True)
class Listening:
    """What can be pressed or tapped while the seats are asked; to be closed.

    *open_senses* opens what a way to set up has, *close_senses* closes it; *meaning_of* says what a tag is already, or
    nothing. *has_board*: the buttons are a board's, which names them itself. *trouble* is what could not be opened, in
    a sentence; *on_signal* is told of all that comes.
    """

    open_senses: Callable[[str], Sequence[Device]]
    now_ms: Callable[[], int]
    meaning_of: Callable[[bytes], str] = lambda uid: ""
    close_senses: Callable[[], None] = lambda: None
    on_signal: Callable[[Signal], None] = lambda signal: None
    has_board: bool = False
    senses: Sequence[Device] | None = None
    way: str = ""
    trouble: str = ""

    def follow(self, asked: FirstStart) -> FirstStart:
        """Open the devices once it is known which, and take what they have sensed."""
        if asked.way != self.way:
            self.close()  # somebody went back and set up in another way
            self.way = asked.way
        if not asked.way:
            return asked
        if self.senses is None:
            try:
                self.senses = self.open_senses(asked.way)
            except (HardwareError, SettingsError) as error:
                self.senses, self.trouble = (), str(error)
        asked = replace(asked, listens=bool(self.senses), has_board=self.has_board and asked.way != NO_READER)
        for sense in self.senses:
            for signal in sense.poll(self.now_ms()):
                self.on_signal(signal)
                if isinstance(signal, DeviceLost):
                    self.trouble = signal.reason
                elif isinstance(signal, DeviceBack):
                    self.trouble = ""
                elif _is_of_a_seat(signal):
                    asked = asked.hear(signal, self.meaning_of(signal.uid) if isinstance(signal, TagPlaced) else "")
        return replace(asked, trouble=self.trouble)

    def close(self) -> None:
        """Close what is open; may be called twice."""
        if self.senses is not None:
            self.senses = None
            self.close_senses()
        self.way = self.trouble = ""


def listening_at(
    settings: Settings,
    reader: str | None,
    directory: Path,
    wake: Callable[[], None],
    now_ms: Callable[[], int] = now_ms,
) -> Listening:
    """The devices of the table that has these *settings* and its record in *directory*.

    :param reader: which reader, where that is not the settings'.
    """
    chosen = reader or settings.text("reader", "kind")
    chosen = "none" if is_simulated(chosen) else chosen  # nobody could lay a tag on it
    meaning_by_lists = tag_namer(directory)
    opened: list[Devices] = []

    def open_senses(way: str) -> Sequence[Device]:
        deck = settings.setup(load_deck=deck_loader_beside(settings.path), is_dealt=False).deck
        devices = open_devices(settings, "none" if way == NO_READER else chosen, deck, now_ms, wake)
        opened.append(devices)
        listening.trouble = " ".join((*(reason for _device, reason in devices.missing), *devices.messages))
        return devices.senses

    def close_senses() -> None:
        while opened:
            opened.pop().close()

    def meaning_of(uid: bytes) -> str:
        try:
            return meaning_by_lists(uid)
        except StoreError as error:
            listening.trouble = str(error)
            return ""

    listening = Listening(open_senses, now_ms, meaning_of, close_senses, has_board=is_on_a_board(chosen))
    return listening


def _is_of_a_seat(signal: Signal) -> bool:
    return isinstance(signal, TagPlaced) or (isinstance(signal, ButtonPressed) and signal.source is Source.BUTTON)


def ask_in_window(
    window: TableWindow, translate: Translate, listening: Listening | None = None, asked: FirstStart | None = None
) -> FirstStart | None:
    """Ask by buttons; None if the window was closed, or *Back* pressed at the first question."""
    asked = asked or FirstStart()
    while True:
        asked = asked if listening is None else listening.follow(asked)
        window.show(present_first_start(asked, translate))
        for signal in window.wait(LOOK_MS):
            if not isinstance(signal, ButtonPressed):
                continue
            if signal.button == QUIT or (signal.button == BACK and asked.is_at_start):
                return None
            if signal.button == BACK:
                asked = asked.back()
            elif signal.button.startswith(CHOOSE):
                if asked.asked is Asked.READY:
                    return asked
                asked = asked.choose(signal.button.removeprefix(CHOOSE))


def ask_on_terminal(
    translate: Translate, listening: Listening | None = None, asked: FirstStart | None = None
) -> FirstStart | None:
    """Ask by words; None if the terminal was closed, ``quit`` typed, or ``back`` at the first question."""
    asked = asked or FirstStart()
    while True:
        asked = asked if listening is None else listening.follow(asked)
        _tell(asked, translate)
        usual = asked.choices()[0] if asked.asked in (Asked.COLOUR, Asked.BUTTON, Asked.READY) else None
        click.echo(f"  {_typed_choices(asked, usual, translate)}")
        try:
            word = click.prompt(">", prompt_suffix=" ", default=usual, show_default=False).strip()
        except click.Abort:
            return None
        if word == QUIT or (word == BACK and asked.is_at_start):
            return None
        before = asked
        # What was pressed or tapped before Enter counts, and Enter goes on.
        asked = asked if listening is None else listening.follow(asked)
        if word == BACK:
            asked = asked.back()
        elif asked.asked is Asked.READY and before.asked is Asked.READY and word == usual:
            return asked
        elif asked is before or asked.seated == before.seated:
            asked = _answered(asked, word, translate) if asked.problem in ("", before.problem) else asked


def _tell(asked: FirstStart, translate: Translate) -> None:
    """The question; of the colours nothing of touching, which a terminal can't."""
    view = present_first_start(asked, translate)
    assert isinstance(view.screen, StartScreen)
    lead = "" if asked.asked is Asked.COLOUR else view.screen.lead
    for text in (view.screen.title, lead, *view.screen.paragraphs):
        if text:
            click.echo(text)


def _typed_choices(asked: FirstStart, usual: str | None, translate: Translate) -> str:
    """What can be typed, each word with what it is called elsewhere where that is another."""
    words = list(asked.choices())
    if asked.asked is Asked.HOW:
        words = [f"{word} ({translate(WAYS[word].label)})" for word in words]
    elif asked.asked is Asked.COLOUR:
        called = {word: translate(COLOUR_WORDS[word]) for word in words}
        words = [word if called[word] == word else f"{word} ({called[word]})" for word in words]
    elif asked.asked is Asked.NAME:
        words = [translate(_("any name, such as {names}")).format(names=", ".join(words[:NAMES_TOLD]))]
    elif asked.asked is Asked.PLAYERS:
        words.append(translate(_("or all names, with commas between them")))
    hint = [] if usual is None else [f"Enter: {usual}"]
    return " · ".join((*words, BACK, QUIT, *hint))


def _answered(asked: FirstStart, word: str, translate: Translate) -> FirstStart:
    """After this word, which may also be what a choice is called, or all names at once."""
    if asked.asked is Asked.NAME and word.casefold() in HELP:
        problem = translate(_("Type a name and Enter; {back} goes to the question before, {quit} ends."))
        return replace(asked, problem=problem.format(back=BACK, quit=QUIT))
    called = {}
    if asked.asked is Asked.HOW:
        called = {translate(way.label).casefold(): known for known, way in WAYS.items()}
    elif asked.asked is Asked.COLOUR:
        called = {translate(COLOUR_WORDS[known]).casefold(): known for known in asked.choices()}
    return asked.choose(word if asked.asked is Asked.NAME else called.get(word.casefold(), word))


# -- keeping it --------------------------------------------------------------------------------------------------


def keep_tags(asked: FirstStart, directory: Path) -> None:
    """Keep the seats' tags beside the record, where all tags are that are buttons.

    :raises StoreError: if they can't be kept.
    """
    if not asked.tags:
        return
    make_directory(directory)
    commands = open_commands(directory / COMMANDS_FILE).tags
    try:
        for seat, uid in asked.tags:
            commands.put(uid, f"seat:{seat}")
    finally:
        commands.close()


def tag_namer(directory: Path) -> Callable[[bytes], str]:
    """Says what a tag is by the lists in *directory*, a card or a button; nothing where it is none, or a seat's own."""

    def meaning_of(uid: bytes) -> str:
        if (directory / REGISTRY_FILE).exists():
            with closing(open_registry(directory / REGISTRY_FILE).tags) as registry:
                held = registry.tag(uid)
            if held is not None:
                return Sentence(_("the card {card}"), card=held.name)
        if not (directory / COMMANDS_FILE).exists():
            return ""
        with closing(open_commands(directory / COMMANDS_FILE).tags) as commands:
            button = commands.buttons().get(uid, SEAT)
        return "" if button.startswith(SEAT) else Sentence(button_words(button))

    return meaning_of


def way_of(settings: Settings) -> str:
    """The way to set up that these settings come nearest to."""
    if settings.values["rules"].get("plays") == "unrefereed":
        return "score"
    if settings.flag("pile-reader", "use"):
        return "two-readers"
    if settings.text("table", "hands") == "tracked":
        return "tracked"
    return NO_READER if settings.text("reader", "kind") == "none" else next(iter(WAYS))


def asking(settings: Settings, *, is_reader_there: bool = True) -> FirstStart:
    """The first question, where deck and cards each stay those of *settings*."""
    try:
        deck = settings.setup(load_deck=deck_loader_beside(settings.path), is_dealt=False).deck
    except SettingsError:
        return FirstStart(has_reader=is_reader_there)  # what is wrong is said where the table opens
    cards_each = settings.number("table", "cards-each")
    return FirstStart(deck_size=deck.size, cards_each=cards_each, has_reader=is_reader_there)


def asking_again(settings: Settings) -> FirstStart:
    """The first question to a table that has these *settings* and changes who plays."""
    return replace(asking(settings), way=way_of(settings), is_again=True)


def write_settings(
    asked: FirstStart, path: Path, settings: Settings | None = None, *, is_again: bool = False
) -> Path | None:
    """Write what was chosen to *path*, whole or not at all whenever the plug is pulled.

    There must be no settings yet, so that nobody's are written over, unless it *is_again*: then a copy of those is
    kept first, and its path returned. A file with nothing in it, as an older program left behind when the plug was
    pulled, is none.

    *settings* are those of now, for the pins of the buttons.

    :raises SettingsError: if it can't be written.
    """
    backup = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size:
            if not is_again:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            backup = path.with_suffix(".toml.before")
            keep_text(backup, read_small_text(path, FILE_BYTES_MAX))
        keep_text(path, asked.settings_text(None if settings is None else settings.pins("buttons")))
    except OSError as error:
        raise SettingsError(f"{path} can't be written ({error.strerror}); name another with --settings.") from error
    return backup


def change_players(asked: FirstStart, path: Path, settings: Settings) -> None:
    """Write who plays into the settings at *path*; all else in them stays as it is.

    :raises SettingsError: if it can't be written, or is written in a way that only people can change.
    """
    try:
        before = read_small_text(path, FILE_BYTES_MAX)
        wanted = tomllib.loads(before)
        # What they had is of players who may be gone, and so may be who deals.
        gone = ("scores",) if wanted.get("rules", {}).get("dealer") in asked.names else ("dealer", "scores")
        after = without(before, "rules", gone)
        after = with_values(without(after, "table", tuple(asked.table_values())), "table", asked.table_values())
        for key in gone:
            wanted.get("rules", {}).pop(key, None)
        wanted.setdefault("table", {}).update(
            {key: tomllib.loads(f"v = {v}")["v"] for key, v in asked.table_values().items()}
        )
        if asked.buttons and not asked.has_board:
            pins = asked.button_pins(settings.pins("buttons"))
            after = without(after, "buttons", None)
            after = with_values(after, "buttons", {f'"{name}"': str(pin) for name, pin in pins.items()})
            wanted["buttons"] = pins
        if tomllib.loads(after) != wanted:
            raise ValueError("its lines can't be told apart")
        keep_text(path.with_suffix(".toml.before"), before)
        keep_text(path, after)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = _("{path} can't be changed ({reason}); write players under [table] there yourself.")
        raise SettingsError(Sentence(message, path=path, reason=reason)) from error
