"""Tag lists as files to be kept, edited and taken to another table: CSV, or a JSON array with one object a tag.

Text to checked tags and back; nothing is written to the registry here, so that a file with one mistake changes
nothing. Sources: RFC 4180 (CSV), RFC 8259 (JSON).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from hardware.tags.iso14443a import Tag
from table_app.printing import json_text, printable
from table_app.record.errors import TableError
from table_app.rules import Deck
from table_app.small_files import text_of
from table_app.tags.registry import EnrolledTag, checked, uid_of, uid_text
from table_app.transcript.header import nearest

COLUMNS = ("uid", "deck", "pack", "card", "copy")
OPTIONAL = ("pack", "copy")
FORMATS = ("csv", "json")

FILE_BYTES_MAX = 8 * 1024 * 1024
"""A tag takes some fifty bytes: a hundred thousand of them, more than any club has."""

CASCADE_TAG, CASCADED_LENGTH = 0x88, 4
"""How the first part of a seven-byte number begins (ISO/IEC 14443-3, 6.5.4); no whole one of four bytes does."""

CUT_SHORT = "the list ends too soon, in the middle of it; copy it once more, or export it anew"

DeckFinder = Callable[[str], Deck | None]
"""The deck of this name, or None if it is not known here."""


class TagFileError(TableError, ValueError):
    """A file that can't be imported; the text names the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class _Row(NamedTuple):
    line: int
    values: Mapping[str, str]


# -- writing -----------------------------------------------------------------------------------------------------


def tags_as_csv(tags: Iterable[EnrolledTag]) -> str:
    """UIDs are written with blanks between the bytes: spreadsheets take them for numbers else, and spoil them."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for tag in tags:  # an older list may hold names that none takes any more; each stays on its line
        writer.writerow((uid_text(tag.uid), *map(printable, (tag.deck, tag.pack, tag.code)), tag.copy))
    return stream.getvalue()


def tags_as_json(tags: Iterable[EnrolledTag]) -> str:
    """One object a line, so that a mistake has a line of its own."""
    rows = [
        json_text({"uid": uid_text(tag.uid), "deck": tag.deck, "pack": tag.pack, "card": tag.code, "copy": tag.copy})
        for tag in tags
    ]
    return "[\n" + ",\n".join(rows) + "\n]\n"


# -- reading -----------------------------------------------------------------------------------------------------


def read_tags(data: bytes, format_name: str, find_deck: DeckFinder) -> list[tuple[int, EnrolledTag]]:
    """The tags in a file, each with its line.

    :raises TagFileError: at the first mistake.
    """
    if len(data) > FILE_BYTES_MAX:
        raise TagFileError(1, f"a tag list has at most {FILE_BYTES_MAX // 2**20} MB; this is none")
    try:
        text = text_of(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TagFileError(line, "this is not UTF-8 text; save it as CSV in UTF-8") from None
    rows = _json_rows(text) if format_name == "json" else _csv_rows(text)
    by_uid: dict[bytes, int] = {}
    by_card: dict[tuple[str, str, str, int], int] = {}
    found = []
    for row in rows:
        tag = _tag(row, find_deck)
        card = (tag.deck, tag.pack, tag.code, tag.copy)
        if tag.uid in by_uid:
            raise TagFileError(row.line, f"the tag {uid_text(tag.uid)} stands in line {by_uid[tag.uid]} already")
        if card in by_card:
            reason = f"{tag.name} of the deck {tag.deck_text} has a tag in line {by_card[card]} already"
            raise TagFileError(row.line, reason)
        by_uid[tag.uid] = by_card[card] = row.line
        found.append((row.line, tag))
    if not found:
        raise TagFileError(1, "there is no tag in this file")
    return found


def _csv_rows(text: str) -> Iterator[_Row]:
    head = text.partition("\n")[0]
    # Spreadsheets of half of Europe write semicolons, and tabs in what they call Unicode text.
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            if columns is None:
                columns = [cell.strip().lower() for cell in cells]
                _check_columns(columns, line)
            elif any(cell.strip() for cell in cells):
                if len(cells) != len(columns):
                    raise TagFileError(line, f"{len(columns)} columns are due, and there are {len(cells)}")
                yield _Row(line, dict(zip(columns, (cell.strip() for cell in cells), strict=True)))
            line = reader.line_num + 1
    except csv.Error as error:
        raise TagFileError(line, f"this is not CSV ({error})") from None


def _json_rows(text: str) -> Iterator[_Row]:
    """The objects of the array one by one, so that each is known with its line."""
    decoder = json.JSONDecoder()
    lines = _Lines(text)
    place = _after_blanks(text, 0)
    if text[place : place + 1] != "[":
        raise TagFileError(lines.at(place), "a JSON tag list is an array: it begins with [")
    place = _after_blanks(text, place + 1)
    while text[place : place + 1] != "]":
        line, begin = lines.at(place), place
        try:
            value, place = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            if "}" not in text[begin:] and not text.rstrip().endswith("]"):
                raise TagFileError(text.count("\n") + 1, CUT_SHORT) from None
            raise TagFileError(error.lineno, f"this is not JSON ({error.msg})") from None
        except (RecursionError, ValueError):  # the latter of a number with thousands of digits
            raise TagFileError(line, "this is no tag: it is nested too deeply, or far too long") from None
        yield _Row(line, _object(value, line))
        place = _after_blanks(text, place)
        if text[place : place + 1] == ",":
            place = _after_blanks(text, place + 1)
        elif place == len(text):
            raise TagFileError(text.count("\n") + 1, CUT_SHORT)
        elif text[place : place + 1] != "]":
            raise TagFileError(lines.at(place), "a comma or the closing ] is missing")
    place = _after_blanks(text, place + 1)
    if place < len(text):
        raise TagFileError(lines.at(place), "there is something behind the closing ]")


def _after_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place


class _Lines:
    """In which line a place of a text is; places are asked for from the front to the back, none counted twice."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._line = 1

    def at(self, place: int) -> int:
        self._line += self._text.count("\n", self._place, place)
        self._place = place
        return self._line


def _object(value: Any, line: int) -> dict[str, str]:
    if not isinstance(value, dict):
        raise TagFileError(line, 'each tag is an object, such as {"uid": "04 …", "deck": "classic", "card": "r5"}')
    _check_columns([str(key) for key in value], line)
    for key, cell in value.items():
        if isinstance(cell, bool) or not isinstance(cell, str | int):
            raise TagFileError(line, f"{key} must be a text or a number, not {json.dumps(cell)[:40]}")
    return {key: str(cell).strip() for key, cell in value.items()}


def _check_columns(columns: list[str], line: int) -> None:
    for column in columns:
        if column not in COLUMNS:
            raise TagFileError(line, f"there is no column {column[:40]!r}{nearest(column[:40], COLUMNS)}")
    for column in COLUMNS:
        if columns.count(column) > 1:
            raise TagFileError(line, f"the column {column} is there twice")
        if column not in columns and column not in OPTIONAL:
            raise TagFileError(line, f"the column {column} is missing; there must be {', '.join(COLUMNS)}")


def _tag(row: _Row, find_deck: DeckFinder) -> EnrolledTag:
    values = row.values
    try:
        uid = uid_of(values["uid"])
    except ValueError:
        reason = f"{values['uid'][:40]!r} is no tag's number; it has 4, 7 or 10 bytes"
        if len(values["uid"]) % 2 and values["uid"].isalnum():
            reason += ", and a spreadsheet may have taken a leading zero away"
        raise TagFileError(row.line, reason) from None
    if len(uid) == CASCADED_LENGTH and uid[0] == CASCADE_TAG:
        reason = (
            f"{uid_text(uid)} is the first half of a longer number, as a program that knows four bytes alone has it"
        )
        raise TagFileError(row.line, f"{reason}; enrol this card with a tap")
    if Tag(uid, b"", 0).has_random_uid:
        raise TagFileError(row.line, f"{uid_text(uid)} is a phone's number, which changes each time; no card has it")
    deck = find_deck(values["deck"])
    if deck is None:
        reason = f"the deck {values['deck'][:40]!r} is not known here; name its file with --deck"
        raise TagFileError(row.line, reason)
    code, _, in_code = values["card"].partition("#")
    copy = values.get("copy") or in_code or "1"
    if in_code and copy != in_code:
        raise TagFileError(row.line, f"the card is {values['card'][:20]}, but copy says {copy[:10]}")
    if not (copy.isascii() and copy.isdigit() and len(copy) <= 6):
        raise TagFileError(row.line, f"copy must be a number from 1, not {copy[:10]!r}")
    try:
        return checked(uid, deck, code[:20], int(copy), values.get("pack", ""))
    except ValueError as error:
        raise TagFileError(row.line, str(error)) from None
