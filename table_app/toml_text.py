"""TOML as people write it: what it says, in which line each thing stands, and in words why it can't be read.

What the keys mean is the reader's business, of settings or of decks; nothing is written here. Source: TOML 1.0.0.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from table_app.small_files import read_small_text

STATEMENT_LINES_MAX = 200
"""A value of more lines is not looked for to its end: ten names and their comments fill some dozens."""

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_WRONG_QUOTES = re.compile("[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb]")
_KEY = re.compile(r"""\s*([^\s"'=#\[\]{}][^"'=#\[\]{}]*?)\s*=""")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+(\s*\.\s*[A-Za-z0-9_-]+)*")
_SAID_BETTER = (
    (re.compile(r"Cannot declare .* twice"), "this section is there twice; put both together"),
    (re.compile(r"Cannot overwrite a value"), "this key is there twice; leave one of them"),
)


class TomlFileError(ValueError):
    """A file that can't be read as TOML; *line* counts from 1, or is 0 where no line is to blame."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{place_text(path, line)}: {reason}.")
        self.line = line
        self.reason = reason


def place_text(path: Path, line: int) -> str:
    """A file and a line of it, as a sentence about it begins."""
    return f"{path}, line {line}" if line else str(path)


class TomlFile:
    """A file that was read: its *path*, its *text*, and the *values* in it."""

    def __init__(self, path: Path, text: str, values: Mapping[str, Any]) -> None:
        self.path = path
        self.text = text
        self.values = values
        self._lines: dict[tuple[str, ...], int] | None = None

    def line(self, *keys: str) -> int:
        """The line where a key of tables within tables, or a table itself, begins; 0 if it is not there.

        A table of an array has its number, counted from 1, after the array's name: ``special``, ``2``, ``code``.
        """
        if self._lines is None:
            self._lines = _lines_of(self.text)
        return self._lines.get(keys, 0)

    def at(self, *keys: str) -> str:
        """The path and the line where that stands; of what is not there, the path alone."""
        return place_text(self.path, self.line(*keys))


def read_toml(path: Path, bytes_max: int) -> TomlFile:
    """The file at *path*, of at most *bytes_max* bytes.

    :raises OSError: if it can't be read, or is longer.
    :raises TomlFileError: if it is not TOML.
    """
    try:
        text = read_small_text(path, bytes_max)
    except UnicodeDecodeError:
        raise TomlFileError(path, 0, "it is not text in UTF-8; save it as UTF-8") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        reason = "there are zeros where text should be, as a power cut leaves them; put a copy back, or write it anew"
        raise TomlFileError(path, line, reason)
    try:
        return TomlFile(path, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise TomlFileError(path, *_told(text, str(error))) from None
    except RecursionError:
        raise TomlFileError(path, 0, "it is not TOML: it is nested too deeply") from None
    except ValueError:  # Python reads no number of more than 4300 digits
        raise TomlFileError(path, 0, "it holds a number that is too long") from None


def _told(text: str, said: str) -> tuple[int, str]:
    """The line, and the reason in words, of what the parser says."""
    place = _PLACE.search(said)
    lines = text.splitlines()
    line = 0 if place is None else int(place[1] or max(len(lines), 1))
    reason = _PLACE.sub("", said)
    for pattern, better in _SAID_BETTER:
        if pattern.search(reason):
            return line, better
    wrong = _WRONG_QUOTES.search(lines[line - 1]) if 0 < line <= len(lines) else None
    if wrong is not None:
        return line, f'it is not TOML: texts stand in quotes like " and not like {wrong[0]}'
    key = _KEY.match(lines[line - 1]) if 0 < line <= len(lines) else None
    if key is not None and not _BARE_KEY.fullmatch(key[1]):
        return line, f'it is not TOML: such a key stands in quotes; write "{key[1]}" ='
    return line, f"it is not TOML: {reason}"


# -- line by line ------------------------------------------------------------------------------------------------


class Statement(NamedTuple):
    """A head, a key with its value on as many lines as it takes, or one line that is neither, and its *section*."""

    lines: tuple[str, ...]
    section: str
    key: str = ""
    is_head: bool = False


def statements(text: str) -> Iterator[Statement]:
    """*text* in its parts; the lines of all of them together are those of *text*."""
    section = ""
    for part, found in _parts(text):
        if _is_head(part, found):
            name, value = next(iter(found.items()))
            section = name if value == {} else part[0]  # another table, of one below it, is nobody's section here
            yield Statement(part, section, is_head=True)
        else:
            yield Statement(part, section, next(iter(found), ""))


def _parts(text: str) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Each statement's lines and what it says by itself."""
    lines, number = text.splitlines(), 0
    while number < len(lines):
        taken, found = _parsed(lines, number)
        yield tuple(lines[number : number + taken]), found
        number += taken


def _is_head(part: tuple[str, ...], found: dict[str, Any]) -> bool:
    return part[0].lstrip().startswith("[") and bool(found)


def _parsed(lines: list[str], first: int) -> tuple[int, dict[str, Any]]:
    """How many lines the statement has that begins at *first*, and what it says."""
    for count in range(1, min(STATEMENT_LINES_MAX, len(lines) - first) + 1):
        try:
            return count, tomllib.loads("\n".join(lines[first : first + count]))
        except tomllib.TOMLDecodeError:
            continue
    return 1, {}


def _lines_of(text: str) -> dict[tuple[str, ...], int]:
    """In which line each key and each table begins."""
    found_at: dict[tuple[str, ...], int] = {}
    counts: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    number = 1
    for part, found in _parts(text):
        if _is_head(part, found):
            table = ()
            value: Any = found
            while isinstance(value, dict) and value:
                name, value = next(iter(value.items()))
                table = (*table, name)
                if counts.get(table) and not isinstance(value, list):
                    table = (*table, str(counts[table]))  # below the last one of an array
            found_at.setdefault(table, number)
            if isinstance(value, list):
                counts[table] = counts.get(table, 0) + 1
                table = (*table, str(counts[table]))
                found_at.setdefault(table, number)
        else:
            for keys in _keys_in(found):
                found_at.setdefault((*table, *keys), number)
        number += len(part)
    return found_at


def _keys_in(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for key, value in values.items():
        yield (key,)
        if isinstance(value, dict):
            yield from ((key, *keys) for keys in _keys_in(value))
