"""The settings file: TOML, checked against the commented default file, which is the list of all keys.

Reading and checking only; no device is opened and no directory made here. A wrong key or value is an error that names
the file, the key and the nearest right one. Source of paths: XDG Base Directory Specification 0.8.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hardware.readers import READER_KINDS, READER_WORDS
from table_app.names import composed, name_trouble
from table_app.pin import is_pin_setting
from table_app.rules.cards import COLOURS
from table_app.rules.house_rules import PRICES
from table_app.rules.setup import Setup, too_few_cards_text
from table_app.settings_pins import first_clash
from table_app.toml_text import TomlFile, TomlFileError, read_toml
from table_app.transcript.header import DeckLoader, HeaderError, nearest, read_header

TEMPLATE = Path(__file__).with_name("lastcard.toml")
FILE_NAME = "lastcard.toml"
NONE = "none"
FREE_SECTIONS = ("buttons", "lamps")
"""Sections whose keys are names of the user's own; giving any key replaces all of the defaults."""

RULES = "rules"
NAMING = ("dealer", "scores")
"""The rules that name players."""
PLAYERS_KEY = "players"
GIVEN_PLAYERS = "--players"
"""Where the names stand that were given on the command line: no file is to blame for them."""
FILE_BYTES_MAX = 262_144
"""A thousand times the default file; what is longer is no settings file."""

PIN_HIGHEST = 27
"""The last BCM number on a Pi's header."""

SEAT_HIGHEST = 9
_SEAT_BUTTON = re.compile(r"(seat|uno|catch|called|give|swap):(\d{1,2})")
_COMMENTED_LINE = re.compile(r'^# ((?:[a-z0-9-]+|"[^"]+") = .*)$', re.MULTILINE)

Value = str | int | float | bool | list[str]


RANGES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "table.cards-each": (1, 25),
        "table.time-limit-min": (1, 1440),
        **{f"rules.{price.key}": (0, price.highest) for price in PRICES},
        "reader.speed-hz": (100_000, 10_000_000),
        "reader.bus": (0, 9),
        "reader.device": (0, 9),
        "reader.reset-pin": (0, PIN_HIGHEST),
        "pile-reader.bus": (0, 9),
        "pile-reader.device": (0, 9),
        "pile-reader.reset-pin": (0, PIN_HIGHEST),
        "pins.buzzer": (0, PIN_HIGHEST),
        "display.width-mm": (20, 5000),
        "kiosk.dim-after": (0, 1440),
        "kiosk.ask-after": (0, 1440),
    }
)
"""The lowest and the highest number that makes sense, where any whole number does not."""

GAINS_DB = (18, 23, 33, 38, 43, 48)
"""What the chip's receiver can be set to (MFRC522 data sheet, 9.3.3.6)."""

BUTTONS = (
    *("deal", "draw", "keep", "challenge", "undo", "allow", "reshuffle", "yes", "no", "again", "menu", "pause", "bell"),
    *(f"colour:{colour}" for colour in COLOURS),
    *("finds:guilty", "finds:innocent"),
)
"""What a button may be, beside those of a seat."""

CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "table.hands": ("counted", "tracked"),
        "reader.kind": READER_WORDS,
        "reader.labels": ("ask", "trust", "off"),
        "pins.use": ("auto", "on", "off"),
        "pins.sound": ("auto", "buzzer", "loudspeaker"),
        "pins.buzzer-loudness": ("loud", "quiet", "off"),
        "display.kind": ("auto", "window", "none"),
    }
)
"""The words there are, where any text does not do; a serial reader may name its port behind a colon."""


class SettingsError(ValueError):
    """A settings file that can't be used; the text names the file, the key and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings by section and key, defaults filled in; *path* is the file, or None where there is none.

    *given* are the keys that the file itself has, as ``section.key``; *sources* are the files where they stand.
    """

    values: Mapping[str, Mapping[str, Value]]
    given: frozenset[str] = frozenset()
    path: Path | None = None
    sources: Mapping[str, TomlFile] = field(default_factory=dict, compare=False, repr=False)

    def text(self, section: str, key: str) -> str:
        return str(self.values[section][key])

    def number(self, section: str, key: str) -> int:
        value = self.values[section][key]
        assert isinstance(value, int)
        return value

    def number_or_none(self, section: str, key: str) -> int | None:
        """A number, or None where it says ``none``."""
        value = self.values[section][key]
        return value if isinstance(value, int) else None

    def flag(self, section: str, key: str) -> bool:
        return bool(self.values[section][key])

    def words(self, section: str, key: str) -> tuple[str, ...]:
        value = self.values[section][key]
        assert isinstance(value, list)
        return tuple(value)

    def pins(self, section: str) -> dict[str, int]:
        """The names and pins of a free section."""
        return {name: int(str(pin)) for name, pin in self.values[section].items()}

    def below(self, upper: Settings) -> Settings:
        """These settings, with the keys that the file of *upper* gives over them; giving any of a free section's
        replaces them all."""
        values = {section: dict(keys) for section, keys in self.values.items()}
        for section in {name.partition(".")[0] for name in upper.given} & set(FREE_SECTIONS):
            values[section].clear()
        for name in upper.given:
            section, _, key = name.partition(".")
            values[section][key] = upper.values[section][key]
        return Settings(values, self.given | upper.given, self.path, {**self.sources, **upper.sources})

    def place(self, section: str, key: str) -> str:
        """Where a key stands that was given, as a sentence about it begins: file, line and name."""
        source = self.sources.get(f"{section}.{key}")
        where = source.at(section, key) if source is not None else str(self.path or "The settings")
        return f"{where}: [{section}] {key}"

    def check_pins(self) -> None:
        """:raises SettingsError: if two things have one pin."""
        clash = first_clash(self.values)
        if clash is not None:
            one, other = clash
            where = self.path or "The settings"
            raise SettingsError(f"{where}: {one} has pin {one.pin}, and so has {other}; give each its own.")

    def setup(
        self, players: tuple[str, ...] | None = None, load_deck: DeckLoader | None = None, *, is_dealt: bool = True
    ) -> Setup:
        """What the table has agreed; *players* in place of those in the file. *is_dealt*: cards are to be dealt by it.

        :raises SettingsError: if it contradicts itself, or the deck has too few cards.
        """
        names = [composed(name) for name in players or self.words("table", PLAYERS_KEY)]
        of_players = GIVEN_PLAYERS if players else self.place("table", PLAYERS_KEY)
        for name in names:
            if name_trouble(name):
                where = of_players
                raise SettingsError(f"{where}: {name!r}: {name_trouble(name)}")
        lines = [f"players: {', '.join(names)}"]
        keys = [PLAYERS_KEY]
        for key, value in self.values[RULES].items():
            # "none" says what holds anyway; a header has it only where the deck has such cards.
            is_said = key != "custom" or value != NONE
            if is_said and f"{RULES}.{key}" in self.given:
                said = _header_value(value, " | " if key == "custom" else ", ")
                lines.append(f"{key}: {composed(said) if key in NAMING else said}")
                keys.append(key)
        try:
            setup = read_header(lines, load_deck)
        except HeaderError as error:
            key = keys[error.line - 1]
            where = of_players if key == PLAYERS_KEY else self.place(RULES, key)
            raise SettingsError(f"{where}: {error}.") from error
        wanted = self.number("table", "cards-each")
        too_few = too_few_cards_text(setup.deck.size, len(setup.players), wanted) if setup.refereed else None
        if is_dealt and too_few is not None:
            raise SettingsError(f"{GIVEN_PLAYERS if players else self.path or 'The settings'}: {too_few}")
        return setup


def _header_value(value: Value, between: str) -> str:
    return between.join(value) if isinstance(value, list) else str(value)


@cache
def template_text() -> str:
    """The commented default file."""
    return TEMPLATE.read_text(encoding="utf-8")


@cache
def defaults() -> Mapping[str, Mapping[str, Value]]:
    """All keys with what holds by itself: the default file with its lines uncommented."""
    return tomllib.loads(_COMMENTED_LINE.sub(r"\1", template_text()))


def read_settings(path: Path | None, *, is_whole: bool = True) -> Settings:
    """The settings in the file at *path*; None: the defaults. Not *is_whole*: they are to lie over others, so that only
    the two together can give one pin twice.

    :raises SettingsError: if the file can't be read, or holds a key or a value that it should not.
    """
    if path is None:
        return Settings(defaults())
    try:
        source = read_toml(path, FILE_BYTES_MAX)
    except PermissionError as error:
        raise SettingsError(f"{path} can't be read by this user; name a file of your own.") from error
    except OSError as error:
        raise SettingsError(f"{path} can't be read ({error.strerror}); name a file that is there.") from error
    except TomlFileError as error:
        raise SettingsError(str(error)) from error
    values: dict[str, Mapping[str, Value]] = dict(defaults())
    given: set[str] = set()
    for section, keys in source.values.items():
        if section not in values:
            raise SettingsError(f"{source.at(section)}: unknown section [{section}]{nearest(section, values)}.")
        if not isinstance(keys, dict):
            where = source.at(section)
            raise SettingsError(f"{where}: {section} must be a section: write [{section}] on a line of its own.")
        values[section] = _section(source, section, keys)
        given |= {f"{section}.{key}" for key in keys}
    if is_whole:
        _check_clash(source, values)
    return Settings(values, frozenset(given), path, dict.fromkeys(given, source))


def _name(source: TomlFile, section: str, key: str) -> str:
    """Where a key stands and what it is, as a sentence about it begins."""
    return f"{source.at(section, key)}: [{section}] {key}"


def _check_clash(source: TomlFile, values: Mapping[str, Mapping[str, Value]]) -> None:
    """Whether two things were given one pin; told at whichever of the two the file says last."""
    clash = first_clash(values)
    if clash is None:
        return
    first, second = sorted(clash, key=lambda use: source.line(use.section, use.key))
    as_it_comes = "" if source.line(first.section, first.key) else " as it comes"
    raise SettingsError(
        f"{source.at(second.section, second.key)}: {second} has pin {second.pin}, and so has {first}{as_it_comes}; "
        "give each its own."
    )


def _section(source: TomlFile, section: str, keys: Mapping[str, Any]) -> Mapping[str, Value]:
    known = defaults()[section]
    if section in FREE_SECTIONS:
        _check_pins(source, section, keys)
        return keys or known
    for key, value in keys.items():
        if key not in known:
            raise SettingsError(f"{source.at(section, key)}: [{section}] has no key {key}{nearest(key, known)}.")
        _check_kind(source, section, key, value, known[key])
        _check_sense(source, section, key, value)
    return {**known, **keys}


def _check_sense(source: TomlFile, section: str, key: str, value: Any) -> None:
    """Whether a value of the right kind can be meant."""
    name = f"{section}.{key}"
    if name == "kiosk.pin" and not is_pin_setting(value):
        # The log has this sentence, so the PIN itself is not in it.
        raise SettingsError(f"{_name(source, section, key)} must be as lastcard settings --pin writes it.")
    if name in RANGES and isinstance(value, int | float):
        lowest, highest = RANGES[name]
        if not lowest <= value <= highest:
            raise SettingsError(f"{_name(source, section, key)} must be from {lowest} to {highest}, not {value}.")
    if name == "reader.gain-db" and value not in GAINS_DB:
        listed = ", ".join(str(gain) for gain in GAINS_DB)
        raise SettingsError(f"{_name(source, section, key)} must be one of {listed}, not {value}.")
    word, colon, _address = str(value).partition(":")
    has_address = name == "reader.kind" and any(kind.has_address and kind.word == word for kind in READER_KINDS)
    if name in CHOICES and (word not in CHOICES[name] or (colon and not has_address)):
        words = CHOICES[name]
        near = nearest(str(value), words)
        raise SettingsError(f"{_name(source, section, key)} must be one of {', '.join(words)}, not {value!r}{near}.")


def _check_pins(source: TomlFile, section: str, keys: Mapping[str, Any]) -> None:
    """Whether names and pins of buttons or lamps can be; whether each has its own is found later, with all others."""
    for key, value in keys.items():
        name = _name(source, section, key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise SettingsError(f"{name} must be the number of a pin, not {value!r}.")
        if not 0 <= value <= PIN_HIGHEST:
            raise SettingsError(f"{name} must be a BCM pin from 0 to {PIN_HIGHEST}, not {value}.")
        _check_pin_name(source, section, key)


def _check_pin_name(source: TomlFile, section: str, key: str) -> None:
    """Whether there is such a button, or such a seat for a lamp."""
    is_seat = _SEAT_BUTTON if section == "buttons" else re.compile(r"()(\d{1,2})")
    seat = is_seat.fullmatch(key)
    if seat is not None and int(seat[2]) <= SEAT_HIGHEST:
        return
    if section == "lamps":
        raise SettingsError(f"{_name(source, section, key)} must be the number of a seat, from 0 to {SEAT_HIGHEST}.")
    if key not in BUTTONS:
        known = (*BUTTONS, *(f"seat:{number}" for number in range(SEAT_HIGHEST + 1)))
        where, near = _name(source, section, key), nearest(key, known)
        raise SettingsError(f"{where} is no button{near}; seats are seat:0 to seat:{SEAT_HIGHEST}.")


def _check_kind(source: TomlFile, section: str, key: str, value: Any, default: Value) -> None:
    """Whether *value* is of the default's kind; rules are checked for sense by the header's own reader."""
    if section == RULES:
        is_right = isinstance(value, str | int | float) and not isinstance(value, bool)
        is_right = is_right or _is_words(value)
        expected = "a number, a text or a list of texts"
    elif isinstance(default, list):
        is_right, expected = _is_words(value), 'a list of texts, such as ["Ann", "Ben"]'
    elif default == NONE:
        is_right = value == NONE or (isinstance(value, int) and not isinstance(value, bool))
        expected = 'a number or "none"'
    else:
        is_right = type(value) is type(default)
        expected = {bool: "true or false", int: "a whole number", str: "a text in quotes"}[type(default)]
    if not is_right:
        raise SettingsError(f"{_name(source, section, key)} must be {expected}, not {value!r}.")
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and text and not text.isprintable():
            raise SettingsError(f"{_name(source, section, key)} must be on one line, without control characters.")


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


# -- where things are ------------------------------------------------------------------------------------------


def default_settings_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the user's settings file is looked for, whether it is there or not."""
    return _home(environment, "XDG_CONFIG_HOME", ".config") / "lastcard" / FILE_NAME


def settings_path(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The user's settings file, or None where there is none."""
    path = default_settings_path(environment)
    return path if path.exists() else None  # also what is no file: that is told


def state_directory(
    settings: Settings, environment: Mapping[str, str] = os.environ, *, home: Path | None = None
) -> Path:
    """Where the record is kept: the file's own directory, else the service's, else the user's.

    :param home: the home, and the working directory, of whom it is asked for; None: this process's own.
    """
    named = settings.text("storage", "directory")
    if named and home is not None:
        return home / (named.removeprefix("~").removeprefix("/") if named == "~" or named.startswith("~/") else named)
    if named:
        return Path(named).expanduser()
    # systemd gives a service with StateDirectory= its directory; of several the first is ours.
    of_service = environment.get("STATE_DIRECTORY", "").split(":")[0]
    if of_service:
        return Path(of_service)
    return _home(environment, "XDG_STATE_HOME", ".local/state") / "lastcard"


def _home(environment: Mapping[str, str], variable: str, below_home: str) -> Path:
    """An XDG directory; the specification says that a relative path there is to be ignored."""
    named = environment.get(variable, "")
    return Path(named) if named and Path(named).is_absolute() else Path.home() / below_home
