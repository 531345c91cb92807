"""Bytes to lines, whatever the bytes are: any line ending, any size, as they arrive.

Nothing here knows what a line means. Source: transcript (UTF-8, any line ending).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from table_app.transcript.bad_line import BadLineError

LINE_BYTES_MAXIMUM = 65_536
"""Longer lines are cut: no action needs a hundredth of it, and a file of any size must fit in memory."""

CHUNK_BYTES = 65_536


class Line(NamedTuple):
    """One line without its ending. *problem* says why it can't be read, where the bytes themselves are wrong."""

    number: int
    text: str
    problem: BadLineError | None = None


class LineSplitter:
    """Takes chunks of bytes and gives whole lines; ``\\n``, ``\\r\\n`` and ``\\r`` all end one."""

    def __init__(self) -> None:
        self._number = 0
        self._held = bytearray()
        self._dropped = False
        self._after_return = False

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """The lines that end within *chunk*."""
        if not chunk:
            return
        if self._after_return and chunk.startswith(b"\n"):
            chunk = chunk[1:]  # the second half of a line ending that was cut in two
        self._after_return = chunk.endswith(b"\r")
        pieces = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for piece in pieces[:-1]:
            self._hold(piece)
            yield self._line()
        self._hold(pieces[-1])

    def finish(self) -> Iterator[Line]:
        """The last line, where the input does not end with a line ending."""
        if self._held or self._dropped:
            yield self._line()

    def _hold(self, piece: bytes) -> None:
        room = LINE_BYTES_MAXIMUM - len(self._held)
        if len(piece) > room:
            self._dropped = True
            piece = piece[:room]
        self._held += piece

    def _line(self) -> Line:
        self._number += 1
        raw, dropped = bytes(self._held), self._dropped
        self._held.clear()
        self._dropped = False
        if self._number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if dropped:
            problem = BadLineError("the line is longer than {bytes} bytes", bytes=LINE_BYTES_MAXIMUM)
            return Line(self._number, raw[:80].decode("utf-8", "replace"), problem)
        try:
            return Line(self._number, raw.decode("utf-8"))
        except UnicodeDecodeError as error:
            problem = BadLineError(
                "byte {number} of the line is not UTF-8 text; save the file as UTF-8", number=error.start + 1
            )
            return Line(self._number, raw.decode("utf-8", "replace"), problem)


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """All lines of *stream*, each as soon as it has arrived."""
    splitter = LineSplitter()
    read = getattr(stream, "read1", stream.read)
    while chunk := read(CHUNK_BYTES):
        yield from splitter.feed(chunk)
    yield from splitter.finish()
