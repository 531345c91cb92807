"""Changes single values in the text of a settings file; all else in it, comments too, stays as people wrote it.

Text in, text out. What a value may be is the business of ``table_app.settings``; whoever changes a text compares what
it says in the end.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

STATEMENT_LINES_MAX = 200
"""A value of more lines is not looked for to its end: ten names and their comments fill some dozens."""


class Statement(NamedTuple):
    """A head, a key with its value on as many lines as it takes, or one line that is neither, and its *section*."""

    lines: tuple[str, ...]
    section: str
    key: str = ""
    is_head: bool = False


def statements(text: str) -> Iterator[Statement]:
    """*text* in its parts; the lines of all of them together are those of *text*."""
    lines, section, number = text.splitlines(), "", 0
    while number < len(lines):
        taken, found = _parsed(lines, number)
        part = tuple(lines[number : number + taken])
        number += taken
        if part[0].lstrip().startswith("[") and found:
            name, value = next(iter(found.items()))
            section = name if value == {} else part[0]  # another table, of one below it, is nobody's section here
            yield Statement(part, section, is_head=True)
        else:
            yield Statement(part, section, next(iter(found), ""))


def _parsed(lines: list[str], first: int) -> tuple[int, dict[str, Any]]:
    """How many lines the statement has that begins at *first*, and what it says."""
    for count in range(1, min(STATEMENT_LINES_MAX, len(lines) - first) + 1):
        try:
            return count, tomllib.loads("\n".join(lines[first : first + count]))
        except tomllib.TOMLDecodeError:
            continue
    return 1, {}


def without(text: str, section: str, keys: Collection[str] | None) -> str:
    """*text* without these keys of a section; None: without any."""
    kept = [
        line
        for part in statements(text)
        if not (part.section == section and part.key and (keys is None or part.key in keys))
        for line in part.lines
    ]
    return "\n".join(kept) + "\n"


def with_values(text: str, section: str, values: Mapping[str, str]) -> str:
    """*text* with these values, in TOML, right below the head of a section, which is made if it is not there."""
    new = [f"{key} = {value}" for key, value in values.items()]
    lines: list[str] = []
    is_there = False
    for part in statements(text):
        lines += part.lines
        if part.is_head and part.section == section and not is_there:
            is_there = True
            lines += new
    if not is_there:
        return text.rstrip("\n") + f"\n\n[{section}]\n" + "\n".join(new) + "\n"
    return "\n".join(lines) + "\n"
