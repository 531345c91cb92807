"""The dialogue of the first start, in the window or on the terminal; it ends in settings and in the seats' tags.

Asking only: what is asked and what comes of it is in ``table_app.table.first_start``.
"""

from __future__ import annotations

import errno
import os
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardware.signals import ButtonPressed, Signal, Source, TagPlaced
from table_app.cli.box_settings import keep_text
from table_app.cli.typed_words import HELP
from table_app.display.present_first_start import BACK, CHOOSE, COLOUR_WORDS, present_first_start
from table_app.display.view import StartScreen
from table_app.rules.messages import Translate
from table_app.settings import Settings, SettingsError
from table_app.table import Device
from table_app.table.commands import COMMANDS_FILE, open_commands
from table_app.table.first_start import WAYS, Asked, FirstStart
from table_app.table.opening import REGISTRY_FILE
from table_app.table.registry import open_registry
from table_app.table.store import make_directory

if TYPE_CHECKING:
    from table_app.display.window import TableWindow

QUIT = "quit"
LOOK_MS = 1_000
NAMES_TOLD = 3
"""Nicknames told where any name may be typed."""


def _(message: str) -> str:
    """Mark a message for the catalogue; it is translated where it is said."""
    return message


@dataclass(slots=True)
class Listening:
    """What can be pressed or tapped while the seats are asked.

    *open_senses* opens what a way to set up has; *card_of* names the card that a tag is already, or nothing.
    """

    open_senses: Callable[[str], Sequence[Device]]
    now_ms: Callable[[], int]
    card_of: Callable[[bytes], str] = lambda uid: ""
    senses: Sequence[Device] | None = None

    def follow(self, asked: FirstStart) -> FirstStart:
        """Open the devices once it is known which, and take what they have sensed."""
        if not asked.way:
            return asked
        if self.senses is None:
            self.senses = self.open_senses(asked.way)
        asked = replace(asked, listens=bool(self.senses))
        for sense in self.senses:
            for signal in sense.poll(self.now_ms()):
                if _is_of_a_seat(signal):
                    asked = asked.hear(signal, self.card_of(signal.uid) if isinstance(signal, TagPlaced) else "")
        return asked


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
    if asked.asked is Asked.PLAYERS and "," in word:
        return _all_names(asked, [name.strip() for name in word.split(",") if name.strip()])
    if asked.asked is Asked.NAME and word.casefold() in HELP:
        problem = translate(_("Type a name and Enter; {back} goes to the question before, {quit} ends."))
        return replace(asked, problem=problem.format(back=BACK, quit=QUIT))
    called = {}
    if asked.asked is Asked.HOW:
        called = {translate(way.label).casefold(): known for known, way in WAYS.items()}
    elif asked.asked is Asked.COLOUR:
        called = {translate(COLOUR_WORDS[known]).casefold(): known for known in asked.choices()}
    return asked.choose(word if asked.asked is Asked.NAME else called.get(word.casefold(), word))


def _all_names(asked: FirstStart, names: Sequence[str]) -> FirstStart:
    """All who play, each with the usual colour; from the first one that can't be it is asked as always."""
    asked = asked.choose(str(len(names)))
    for name in names:
        if asked.problem:
            break
        asked = asked.choose(name)
        while not asked.problem and asked.asked in (Asked.COLOUR, Asked.BUTTON):
            asked = asked.choose(asked.choices()[0])
    return asked


# -- keeping it --------------------------------------------------------------------------------------------------


def keep_tags(asked: FirstStart, directory: Path) -> None:
    """Keep the seats' tags beside the record, where all tags are that are buttons.

    :raises StoreError: if they can't be kept.
    """
    if not asked.tags:
        return
    make_directory(directory)
    commands = open_commands(directory / COMMANDS_FILE).commands
    try:
        for seat, uid in asked.tags:
            commands.put(uid, f"seat:{seat}")
    finally:
        commands.close()


def card_namer(directory: Path) -> Callable[[bytes], str]:
    """Says which card a tag is, by the list in *directory*; nothing where there is no list."""

    def card_of(uid: bytes) -> str:
        if not (directory / REGISTRY_FILE).exists():
            return ""
        registry = open_registry(directory / REGISTRY_FILE).registry
        try:
            held = registry.tag(uid)
        finally:
            registry.close()
        return "" if held is None else held.name

    return card_of


def way_of(settings: Settings) -> str:
    """The way to set up that these settings come nearest to."""
    if settings.values["rules"].get("plays") == "unrefereed":
        return "score"
    if settings.flag("pile-reader", "use"):
        return "two-readers"
    if settings.text("table", "hands") == "tracked":
        return "tracked"
    return "no-reader" if settings.text("reader", "kind") == "none" else next(iter(WAYS))


def write_settings(asked: FirstStart, path: Path, settings: Settings | None = None) -> None:
    """Write what was chosen to *path*, whole or not at all whenever the plug is pulled.

    There must be no settings yet, so that nobody's are written over; a file with nothing in it, as an older program
    left behind when the plug was pulled, is none.

    *settings* are those of now, for the pins of the buttons.

    :raises SettingsError: if it can't be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        keep_text(path, asked.settings_text(None if settings is None else settings.pins("buttons")))
    except OSError as error:
        raise SettingsError(f"{path} can't be written ({error.strerror}); name another with --settings.") from error


def change_players(asked: FirstStart, path: Path, settings: Settings) -> None:
    """Write who plays into the settings at *path*; all else in them stays as it is.

    :raises SettingsError: if it can't be written, or is written in a way that only people can change.
    """
    try:
        before = path.read_text(encoding="utf-8")
        wanted = tomllib.loads(before)
        # Who deals and what they had are of players who may be gone.
        after = _without(before, "rules", ("dealer", "scores"))
        after = _with(_without(after, "table", tuple(asked.table_values())), "table", asked.table_values())
        for key in ("dealer", "scores"):
            wanted.get("rules", {}).pop(key, None)
        wanted.setdefault("table", {}).update(
            {key: tomllib.loads(f"v = {v}")["v"] for key, v in asked.table_values().items()}
        )
        if asked.buttons:
            pins = asked.button_pins(settings.pins("buttons"))
            after = _without(after, "buttons", None)
            after = _with(after, "buttons", {f'"{name}"': str(pin) for name, pin in pins.items()})
            wanted["buttons"] = pins
        if tomllib.loads(after) != wanted:
            raise ValueError("its lines can't be told apart")
        keep_text(path.with_suffix(".toml.before"), before)
        keep_text(path, after)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SettingsError(
            f"{path} can't be changed ({reason}); write players under [table] there yourself."
        ) from error


def _section(text: str, section: str) -> tuple[int, int] | None:
    """Where the lines below a section's head begin and end; None where there is no such section."""
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines) if line.strip().startswith("[") and line.strip().endswith("]")]
    for place, number in enumerate(heads):
        if lines[number].strip().strip("[]").strip() == section:
            return number + 1, heads[place + 1] if place + 1 < len(heads) else len(lines)
    return None


def _without(text: str, section: str, keys: tuple[str, ...] | None) -> str:
    """*text* without these keys of a section; None: without any."""
    found = _section(text, section)
    if found is None:
        return text
    lines = text.splitlines()

    def goes(line: str) -> bool:
        key = line.partition("=")[0].strip()
        return "=" in line and not key.startswith("#") and (keys is None or key in keys)

    kept = [line for line in lines[found[0] : found[1]] if not goes(line)]
    return "\n".join((*lines[: found[0]], *kept, *lines[found[1] :])) + "\n"


def _with(text: str, section: str, values: dict[str, str]) -> str:
    """*text* with these values right below the head of a section."""
    new = [f"{key} = {value}" for key, value in values.items()]
    found = _section(text, section)
    if found is None:
        return text.rstrip("\n") + f"\n\n[{section}]\n" + "\n".join(new) + "\n"
    lines = text.splitlines()
    return "\n".join((*lines[: found[0]], *new, *lines[found[0] :])) + "\n"
