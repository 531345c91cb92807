"""The one place through which everything is printed: no terminal and no log obeys what stands in a name or report.

Text and JSON made harmless, and the guard of the standard streams, which nothing this program says gets around. What is
drawn in a window is cleaned in ``display.text``. No words of ours live here.
Sources: ECMA-48 (C0, C1, DEL), UAX #9 (bidirectional controls), RFC 8259, 7 (escapes).
"""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any

import click

from table_app.small_files import BoundedInput

_LINES = "\n\t"
"""All that moves a terminal's cursor and may be printed: what a text of several lines needs."""

_ESCAPING = "lastcard.escaping"
"""How a stream writes letters that its encoding lacks."""


def _is_harmless(character: str) -> bool:
    """Whether a terminal only draws it. Blanks of any width do: a no-break one keeps a number and its word together."""
    return character.isprintable() or unicodedata.category(character) == "Zs"


def _escaped(character: str) -> str:
    """JSON's own escape, also in text: so whatever is printed, a piece of JSON stays what it is."""
    return "\\u007f" if character == "\x7f" else json.dumps(character)[1:-1]


def printable(text: str) -> str:
    """*text* on one line, with everything in it that a terminal or a log might obey written out as an escape.

    >>> print(printable("a" + chr(27) + "[2J" + chr(10) + "b"))
    a\\u001b[2J\\nb
    """
    if text.isprintable():
        return text
    return "".join(character if _is_harmless(character) else _escaped(character) for character in text)


def printable_lines(text: str) -> str:
    """As `printable`, for a text of several lines: their ends and tabs stay."""
    if text.isprintable():
        return text
    return "".join(c if c in _LINES or _is_harmless(c) else _escaped(c) for c in text)


def json_text(data: Any, *, indent: int | None = None) -> str:
    """*data* as JSON in letters that people read; what a terminal might obey is an escape.

    :raises ValueError: if a number in it is none that JSON has.
    """
    return printable_lines(json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent))


def say(text: str, *, err: bool = False) -> None:
    """Print one line."""
    click.echo(printable(text), err=err)


class GuardedStream:
    """A text stream in front of *stream* that lets only through what no terminal obeys.

    It has no ``buffer``: nobody, click neither, shall write bytes around it.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(printable_lines(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def ring(self) -> None:
        """Ring the terminal's bell: the one control character that is ours."""
        self._stream.write("\a")
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        if name in ("buffer", "detach"):
            raise AttributeError(name)
        return getattr(self._stream, name)


def guard_streams() -> None:
    """From now on standard output and error are guarded, lines of standard input have a bound, and each of them is
    there, though perhaps leading nowhere; a terminal that lacks a letter gets an escape. What is typed or pasted in
    another encoding is a word that nobody understands, and not the end of what is typed."""
    codecs.register_error(_ESCAPING, _escaping)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            stream = os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8")
            setattr(sys, name, stream)
        if isinstance(stream, GuardedStream | BoundedInput):
            continue
        if name == "stdin":
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
            setattr(sys, name, BoundedInput(stream))
            continue
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPING)
        setattr(sys, name, GuardedStream(stream))


def _escaping(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_escaped(character) for character in error.object[error.start : error.end]), error.end


def ring_bell() -> None:
    """Ring the bell of the terminal at standard output."""
    stream = sys.stdout
    if isinstance(stream, GuardedStream):
        stream.ring()
    else:
        click.echo("\a", nl=False)
