"""Watches the databases that tests open: each is known, with where it was opened, until it is closed.

Only what `conftest` needs to tell one that stays open; which tests open which is their business.
"""

from __future__ import annotations

import sqlite3
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

closed_at_the_end: list[Callable[[], None]] = []
"""What tests open by the dozen and drop, such as a table to press at, is closed after each."""


class Watched(sqlite3.Connection):
    """A connection that remembers where it was opened, and is known until it is closed."""

    opened: dict[int, Watched] = {}  # noqa: RUF012  one for all, and none is let go by the garbage collector

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.where = traceback.extract_stack(limit=6)[:-1]
        Watched.opened[id(self)] = self

    def close(self) -> None:
        super().close()
        Watched.opened.pop(id(self), None)


def watch() -> None:
    """From now on whoever opens a database in this process is watched."""
    connect: Any = sqlite3.connect

    def connected(*arguments: Any, **named: Any) -> Any:
        return connect(*arguments, **({"factory": Watched} | named))

    sqlite3.connect = connected


def close_what_was_dropped() -> None:
    """Close what is `closed_at_the_end`."""
    while closed_at_the_end:
        closed_at_the_end.pop()()


def left_open(before: set[int]) -> list[str]:
    """Where each connection was opened that is open still and was not *before*; it is closed then."""
    left = [connection for number, connection in Watched.opened.items() if number not in before]
    for connection in left:
        with suppress(sqlite3.ProgrammingError):  # of a thread, which alone may close it
            connection.close()
    return ["".join(traceback.format_list(connection.where[-4:])) for connection in left]
