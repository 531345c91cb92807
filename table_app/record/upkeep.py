"""Looks after a journal's file: whether all of it is whole, and its copies; a large one beside the play, on a thread.

Nothing is written into the journal here, and nothing is mended: that is done at the start, by `journal`.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from table_app.record.copies import make_copy
from table_app.record.errors import StoreDamagedError, StoreError
from table_app.record.files import OWNER_ONLY
from table_app.record.schema import damage_of
from table_app.rules.messages import Sentence, _
from table_app.small_files import open_new

CHECKED_AT_ONCE_BYTES = 4 * 2**20
"""A journal up to this size is looked through at the start, and copied at once: a tenth of a second, half of one on the
smallest Pi. A larger one, of a hundred evenings, is looked through beside the play."""

PROGRESS_STEPS = 10_000
"""Steps of SQLite between two questions whether the table stops: some milliseconds."""

JOIN_S = 2.0
"""How long closing waits for a copy that is being made; one that is not finished keeps its partial name."""

Work = Callable[[sqlite3.Connection], None]


def damage_mark(path: Path) -> Path:
    """A file that says that the journal at *path* was found damaged, and is to be looked through before it is used."""
    return path.with_name(f"{path.stem}.found-damaged")


def is_looked_through_at_once(path: Path) -> bool:
    """Whether all of a journal is looked through before it is used: a small one, and one that was found damaged."""
    return not _is_large(path) or damage_mark(path).exists()


def _is_large(path: Path) -> bool:
    """Whether it takes long; one that is gone does not."""
    try:
        return path.stat().st_size > CHECKED_AT_ONCE_BYTES
    except OSError:
        return False


class FoundDamagedError(StoreError):
    """The journal was found damaged; *sentence* says so, in whatever language."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Care:
    """Looks after the journal at *path*; *tell* is told what was found beside the play, on that thread."""

    def __init__(self, path: Path, tell: Callable[[str], None]) -> None:
        self._path = path
        self._tell = tell
        self._working: threading.Thread | None = None
        self._is_closed = threading.Event()

    def check_beside(self) -> None:
        """Look all of a journal through that was too large for that at the start."""
        if not is_looked_through_at_once(self._path):
            self._start(self._check)

    def copy(self, connection: sqlite3.Connection) -> None:
        """Make the next copy: now, or, where the journal is large, beside the play, one at a time.

        :raises StoreError: if it can't be made, or the journal is damaged.
        """
        if _is_large(self._path):
            self._start(self._copy)
        else:
            self._copy(connection)

    def close(self) -> None:
        """Stop looking; a copy that is being made may be finished, within `JOIN_S`."""
        self._is_closed.set()
        if self._working is not None:
            self._working.join(JOIN_S)

    def _start(self, work: Work) -> None:
        """Do *work* on a thread with a connection of its own, unless something is being done already."""
        if self._working is None or not self._working.is_alive():
            self._working = threading.Thread(target=self._beside, args=(work,), name="journal", daemon=True)
            self._working.start()

    def _beside(self, work: Work) -> None:
        try:
            with closing(sqlite3.connect(f"{self._path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
                # Whoever stops does not wait for a large file to be read to its end.
                connection.set_progress_handler(self._is_closed.is_set, PROGRESS_STEPS)
                work(connection)
        except (OSError, sqlite3.Error) as error:
            if not self._is_closed.is_set():
                self._tell(error.sentence if isinstance(error, FoundDamagedError) else str(error))

    def _check(self, connection: sqlite3.Connection) -> None:
        if damage_of(connection, self._is_closed.is_set) and not self._is_closed.is_set():
            raise FoundDamagedError(self._found_damaged())

    def _copy(self, connection: sqlite3.Connection) -> None:
        try:
            make_copy(connection, self._path, damage_of)
        except StoreDamagedError as error:
            raise FoundDamagedError(self._found_damaged()) from error

    def _found_damaged(self) -> Sentence:
        """Leave a mark for the next start, which mends; what to tell until then."""
        with suppress(OSError):
            os.close(open_new(damage_mark(self._path), OWNER_ONLY))
        return self.found_damaged_text()

    def found_damaged_text(self) -> Sentence:
        """What is told of a journal that was found damaged beside the play."""
        return Sentence(
            _(
                "{file} is damaged; what is played is still added to it. "
                "Start the table anew when the round is over: it mends the record and says what is lost."
            ),
            file=self._path.name,
        )
