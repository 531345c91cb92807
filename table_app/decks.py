"""Deck files: a deck that a user made, read from TOML and checked.

Reads files; what a deck is stands in ``table_app.rules.cards``. Source: rulebook section 2 and 8.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from table_app.rules.cards import (
    BUILT_IN_WILDS,
    COLOURS,
    DECKS,
    CustomKind,
    CustomRule,
    Deck,
    Effect,
    Face,
    Kind,
    face,
    make_deck,
)
from table_app.toml_text import TomlFile, TomlFileError, place_text, read_toml

COPIES_MAXIMUM = 20
"""More equal cards than this are a slip of the pen."""

POINTS_MAXIMUM = 1000
NAME_LENGTH_MAX = 64
"""A name stands in sentences and on stickers of 144 bytes."""

DARE_LENGTH_MAX = 300
NUMBER_LENGTH_MAX = 9
FILE_BYTES_MAX = 262_144
"""Hundreds of times a whole deck; what is longer is no deck file."""

SMALLEST_DECK = 15
"""Two hands of five, the first card, and four to draw (`table_app.rules.setup`)."""

DECK_KEYS = ("name", "cards", "points", "special")
SPECIAL_KEYS = ("code", "name", "count", "points", "effect", "dare")
DEFAULT_POINTS = {Effect.SKIP: 20, Effect.REVERSE: 20, Effect.DRAW_TWO: 20}
SPECIAL_POINTS = 40
_RANKS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "s", "r", "+2")
_RANK_EFFECTS = {"s": Effect.SKIP, "r": Effect.REVERSE, "+2": Effect.DRAW_TWO}
_PLAIN_EFFECTS = {
    "wild": Effect.WILD,
    "shuffle-hands": Effect.SHUFFLE_HANDS,
    "swap-hands": Effect.SWAP_HANDS,
}
_COUNTED_EFFECTS = ("downpour", CustomKind.NEXT.value, CustomKind.OTHERS.value, CustomKind.DARE.value)
_CUSTOM_EFFECTS = (CustomKind.AGAIN.value, CustomKind.DISCARD_WILDS.value, CustomKind.CHARADE.value)
EFFECT_WORDS = (*_PLAIN_EFFECTS, *(f"{word} N" for word in _COUNTED_EFFECTS), *_CUSTOM_EFFECTS)


class Problem(NamedTuple):
    """What is wrong in a deck file: under which *key*, why, and in which *line*, or 0."""

    key: str
    reason: str
    line: int = 0

    def text(self, path: Path) -> str:
        return f"{place_text(path, self.line)}: {self.key}: {self.reason}"


class DeckFileError(ValueError):
    """A deck file that can't be used; the text is its first problem, *problems* are all."""

    def __init__(self, path: Path, problems: list[Problem]) -> None:
        first = problems[0]
        more = f" (and {len(problems) - 1} more; see lastcard deck check)" if len(problems) > 1 else ""
        super().__init__(f"{first.text(path)}{more}")
        self.path = path
        self.problems = problems


def load_deck(path: Path) -> Deck:
    """The deck in this file.

    :raises DeckFileError: if it can't be used.
    :raises OSError: if it can't be read.
    """
    try:
        reader = _Reader(read_toml(path, FILE_BYTES_MAX))
    except TomlFileError as error:
        raise DeckFileError(path, [Problem("file", error.reason, error.line)]) from None
    deck = reader.deck(path)
    if reader.problems:
        raise DeckFileError(path, reader.problems)
    return deck


def unreadable_text(path: Path | str, error: OSError) -> str:
    """Why the deck file at *path* can't be read, and what to do, as the rest of a sentence."""
    if isinstance(error, FileNotFoundError):
        return f"the deck file {path} is not there; put it there, or say where it lies"
    if isinstance(error, PermissionError):
        return f"the deck file {path} can't be read: {error.strerror}; give this user the right to read it"
    return f"the deck file {path} can't be read: {error.strerror or error}; name another file"


def _near(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


class _Reader:
    """Reads a deck file's tables and collects everything that is wrong with them."""

    def __init__(self, file: TomlFile) -> None:
        self._file = file
        self._data = file.values
        self.problems: list[Problem] = []
        self._kinds: dict[Face, Kind] = {}

    def _wrong(self, key: str, reason: str) -> None:
        keys = re.split(r"[ .]", key)
        # What is missing is missing in the table above it.
        lines = (self._file.line(*keys[:end]) for end in range(len(keys), 0, -1))
        self.problems.append(Problem(key, reason, next(filter(None, lines), 0)))

    def deck(self, path: Path) -> Deck:
        for key in self._data:
            if key not in DECK_KEYS:
                self._wrong(key, f"a deck file has no such key{_near(key, DECK_KEYS)}")
        name = self._words("name", self._data.get("name", path.stem), NAME_LENGTH_MAX)
        if name in DECKS:
            self._wrong("name", f"{name} is a built-in deck; give yours another name")
        self._cards()
        self._points()
        self._specials()
        deck = make_deck(name, self._kinds, str(path.resolve()))
        if deck.size < SMALLEST_DECK and not self.problems:
            self._wrong("cards", f"the deck has {deck.size} cards; two players need at least {SMALLEST_DECK}")
        return deck

    def _table(self, key: str) -> Mapping[str, Any]:
        table = self._data.get(key, {})
        if isinstance(table, dict):
            return table
        self._wrong(key, f"it must be a table; begin it with [{key}]")
        return {}

    def _words(self, key: str, value: object, length_max: int) -> str:
        """Words that any screen can show and any tag can carry."""
        if not isinstance(value, str) or not value.strip():
            self._wrong(key, "it must be some words in quotes")
            return ""
        if not value.isprintable():
            shown = next(character for character in value if not character.isprintable())
            self._wrong(key, f"it holds a character that can't be shown (U+{ord(shown):04X}); write it without")
        elif len(value) > length_max:
            self._wrong(key, f"it is too long; take {length_max} characters at most")
        return value

    def _number(self, key: str, value: object, lowest: int, highest: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            self._wrong(key, f"it must be a number from {lowest} to {highest}, not {value!r}")
            return lowest
        return value

    def _faces(self, table: str, code: str) -> list[Face]:
        """The faces that a key names: one (``r5``), or a rank without colour (``5``) in all four colours."""
        key = code.lower()
        if key in _RANKS:
            return [face(f"{colour.letter}{key}") for colour in COLOURS]
        try:
            return [face(code)]
        except ValueError:
            self._wrong(f"{table}.{code}", "it is no card; cards are r5, gs, b+2, w, w+4, or a rank for all colours")
            return []

    def _cards(self) -> None:
        exact: dict[Face, int] = {}
        for code, value in self._table("cards").items():
            copies = self._number(f"cards.{code}", value, 0, COPIES_MAXIMUM)
            faces = self._faces("cards", code)
            for wanted in faces:
                if len(faces) == 1:
                    exact[wanted] = copies
                else:
                    self._add(wanted, copies)
        for wanted, copies in exact.items():
            self._add(wanted, copies)

    def _add(self, wanted: Face, copies: int) -> None:
        self._kinds.pop(wanted, None)
        if not copies:
            return
        if wanted.colour is not None:
            effect = _RANK_EFFECTS.get(wanted.rank, Effect.NUMBER)
            points = DEFAULT_POINTS.get(effect, int(wanted.rank) if wanted.is_number else 0)
            self._kinds[wanted] = Kind(copies, points, effect)
            return
        built_in = next((deck.kinds[wanted] for deck in DECKS.values() if wanted in deck), None)
        if built_in is None:
            self._wrong(
                f"cards.{wanted.code}", "numbered Customizable cards come from the header's custom, not from here"
            )
            return
        self._kinds[wanted] = built_in._replace(copies=copies)

    def _points(self) -> None:
        for code, value in self._table("points").items():
            points = self._number(f"points.{code}", value, 0, POINTS_MAXIMUM)
            faces = self._faces("points", code)
            missing = [wanted.code for wanted in faces if wanted not in self._kinds]
            if missing:
                named = code if len(missing) == len(faces) else ", ".join(missing)
                self._wrong(f"points.{code}", f"the deck has no {named}")
            for wanted in faces:
                if wanted in self._kinds:
                    self._kinds[wanted] = self._kinds[wanted]._replace(points=points)

    def _specials(self) -> None:
        specials = self._data.get("special", [])
        if not isinstance(specials, list) or not all(isinstance(special, dict) for special in specials):
            self._wrong("special", "each special card is a table of its own; begin it with [[special]]")
            return
        seen: set[str] = set()
        for number, special in enumerate(specials, 1):
            self._special(f"special {number}", special, seen)

    def _special(self, key: str, special: Mapping[str, Any], seen: set[str]) -> None:
        for name in special:
            if name not in SPECIAL_KEYS:
                self._wrong(f"{key}.{name}", f"a special card has no such key{_near(name, SPECIAL_KEYS)}")
        code = str(special.get("code", "")).lower()
        wanted = self._special_face(key, code, seen)
        copies = self._number(f"{key}.count", special.get("count", 1), 1, COPIES_MAXIMUM)
        points = self._number(f"{key}.points", special.get("points", SPECIAL_POINTS), 0, POINTS_MAXIMUM)
        has_dare = special.get("dare", "") != ""
        dare = self._words(f"{key}.dare", special["dare"], DARE_LENGTH_MAX) if has_dare else ""
        kind = self._effect(key, str(special.get("effect", "wild")), dare, has_dare=has_dare)
        title = self._words(f"{key}.name", special["name"], NAME_LENGTH_MAX) if "name" in special else code
        if kind is not None and wanted is not None:
            self._kinds[wanted] = kind._replace(copies=copies, points=points, title=title)

    def _special_face(self, key: str, code: str, seen: set[str]) -> Face | None:
        """The face of a special card; None where its code can't be one."""
        if code in BUILT_IN_WILDS or code in seen:
            self._wrong(f"{key}.code", f"{code} is another card already; choose a code of its own")
            return None
        try:
            wanted = face(code, special=True)
        except ValueError:
            wanted = None
        if wanted is None or not wanted.is_wild:
            self._wrong(f"{key}.code", "it must be w and then 1 to 15 letters or digits, such as wpanda")
            return None
        seen.add(code)
        return wanted

    def _effect(self, key: str, text: str, dare: str, *, has_dare: bool) -> Kind | None:
        word, _, number = text.partition(" ")
        if text in _PLAIN_EFFECTS:
            return Kind(1, 0, _PLAIN_EFFECTS[text])
        if text in _CUSTOM_EFFECTS:
            return Kind(1, 0, Effect.CUSTOMIZABLE, custom=CustomRule(CustomKind(text)))
        if word in _COUNTED_EFFECTS:
            if word == CustomKind.DARE.value and not has_dare:
                self._wrong(f"{key}.dare", 'it is missing: say what the next player does, such as dare = "Sing"')
            # Python makes no number of thousands of digits.
            if not number.isdecimal() or len(number) > NUMBER_LENGTH_MAX or not 1 <= int(number) <= COPIES_MAXIMUM:
                reason = f"{word} needs a number of cards from 1 to {COPIES_MAXIMUM}, such as {word} 2"
                self._wrong(f"{key}.effect", reason)
                return None
            if word == "downpour":
                return Kind(1, 0, Effect.DOWNPOUR, int(number))
            return Kind(1, 0, Effect.CUSTOMIZABLE, custom=CustomRule(CustomKind(word), int(number), dare))
        listed = ", ".join(EFFECT_WORDS)
        self._wrong(f"{key}.effect", f"{text!r} is no effect{_near(text, EFFECT_WORDS)}; there is {listed}")
        return None
