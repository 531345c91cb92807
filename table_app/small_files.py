"""The one way to open a file that somebody else may have put there: never anything but a file, never without an end.

What a person names on the command line, and what lies in a folder that root shares with the table's own user, are
opened here, for reading and for writing. What is in a file is its reader's business; databases are ``table.store``'s.
Sources: open(2), O_NONBLOCK and O_NOFOLLOW; fifo(7).
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

STANDARD = "-"
"""In place of a path: standard input."""

_NOTHING_WAITS = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
"""A pipe that nobody writes to would keep us waiting for ever before anything of it can be looked at."""

_OWN = re.compile(r"/dev/(null|stdin|fd/\d{1,9})|/proc/self/fd/\d{1,9}")
"""What the caller holds open for us already, as a shell's ``<(…)`` does: read as standard input is. And nothing."""

_KINDS = (
    (stat.S_ISDIR, errno.EISDIR, "a directory, not a file"),
    (stat.S_ISFIFO, errno.EINVAL, "a pipe, not a file"),
    (stat.S_ISSOCK, errno.EINVAL, "a socket, not a file"),
    (stat.S_ISCHR, errno.EINVAL, "a device, not a file"),
    (stat.S_ISBLK, errno.EINVAL, "a device, not a file"),
)


LINE_CHARACTERS_MAX = 4_096
"""Of a line at standard input; a terminal itself takes no longer one, and nothing that is typed here needs a tenth."""

ENDLESS_CHARACTERS = 1_048_576
"""What goes on so long without a line's end was not typed, and no line of it will ever come."""


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def is_anothers(folder: Path) -> bool:
    """Whether we are root in a folder that is somebody else's, who could make root write elsewhere by a link in it."""
    return is_root() and folder.stat().st_uid != 0


def open_or_make(path: Path, mode: int) -> int:
    """Open the file at *path* for reading and writing, or make it; a descriptor.

    :raises OSError: if it can't be opened or made, or is no file; for root in a folder of another's a link is none.
    """
    no_link = getattr(os, "O_NOFOLLOW", 0) if is_anothers(path.parent) else 0
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | no_link | _NOTHING_WAITS, mode)
    except OSError as error:
        if no_link and error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "a link, which root does not follow there", str(path)) from error
        raise
    try:
        check_is_file(descriptor, path)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def check_is_file(descriptor: int, path: Path) -> None:
    """:raises OSError: if what is open there is no regular file; says what it is."""
    mode = os.fstat(descriptor).st_mode
    for is_kind, number, said in _KINDS:
        if is_kind(mode):
            raise OSError(number, said, str(path))


def open_file(path: Path) -> BinaryIO:
    """The file at *path*, to be read.

    :raises OSError: if it can't be read, or is none, such as a pipe; the reason says so.
    """
    if _OWN.fullmatch(str(path)):
        return path.open("rb")
    descriptor = os.open(path, os.O_RDONLY | _NOTHING_WAITS)
    try:
        check_is_file(descriptor, path)
        return os.fdopen(descriptor, "rb")
    except OSError:
        os.close(descriptor)
        raise


def read_small(path: Path, bytes_max: int) -> bytes:
    """What is in a file of at most *bytes_max* bytes.

    :raises OSError: if it can't be read, is no file, or is longer: it is the wrong one then.
    """
    with open_file(path) as stream:
        return _bounded(stream, bytes_max)


def read_small_input(name: str, bytes_max: int) -> bytes:
    """As `read_small`; ``-`` is standard input."""
    return _bounded(sys.stdin.buffer, bytes_max) if name == STANDARD else read_small(Path(name), bytes_max)


def _bounded(stream: BinaryIO, bytes_max: int) -> bytes:
    content = stream.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise OSError(errno.EFBIG, f"longer than {bytes_max} bytes, so not the file that is meant")
    return content


class BoundedInput:
    """Standard input whose lines have a bound: the rest of a longer one is left out, and one without an end is the end.

    All that reads lines is bounded by it, also what a library asks with ``input()``; ``buffer`` is as it was.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._is_over = False

    def readline(self, size: int = -1) -> str:
        del size
        line = "" if self._is_over else str(self._stream.readline(LINE_CHARACTERS_MAX))
        piece, left_out = line, 0
        while len(piece) == LINE_CHARACTERS_MAX and not piece.endswith("\n"):
            piece = self._stream.readline(LINE_CHARACTERS_MAX)
            left_out += len(piece)
            if left_out > ENDLESS_CHARACTERS:
                self._is_over = True
                return ""
        return line

    def __iter__(self) -> Iterator[str]:
        return iter(self.readline, "")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def read_small_text(path: Path, bytes_max: int) -> str:
    """The text of a file of at most *bytes_max* bytes.

    :raises OSError: if it can't be read, is no file, or is longer: it is the wrong one then.
    :raises UnicodeDecodeError: if it is no text (`text_of`).
    """
    return text_of(read_small(path, bytes_max))


def open_new(path: Path, mode: int) -> int:
    """Make an empty file at *path*, in place of one that may lie there, and open it for writing; a descriptor.

    :raises OSError: if it can't be made.
    """
    path.unlink(missing_ok=True)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)


def write_text(
    path: Path,
    text: str,
    mode: int = 0o644,
    *,
    is_private: bool = False,
    made: Callable[[int], None] | None = None,
) -> None:
    """Write *text* where a person said; *is_private*: nobody but the owner reads it, also if it lay there before.

    *made* is told the descriptor of a file that was not there before.

    A pipe is written to where somebody reads it; nobody is waited for.

    :raises OSError: if it can't be written.
    """
    is_new = not path.exists()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NOTHING_WAITS, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as stream:
        if hasattr(os, "set_blocking"):
            os.set_blocking(descriptor, True)
        if is_new and made is not None:
            made(descriptor)
        if is_private and stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fchmod(descriptor, mode)
        stream.write(text)


def text_of(content: bytes) -> str:
    """The text that editors save as UTF-8, with a byte order mark or without, or as UTF-16, which begins with its own.

    The marks are Notepad's and PowerShell's, whose ``>`` writes UTF-16 (Unicode Standard, 23.8).

    :raises UnicodeDecodeError: if it is neither.
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16")
    return content.decode("utf-8-sig")
