"""What a table knows of its own journal while it plays: what it has told it already, and which matches lie there.

Nothing is read or written here: lines are made in `noting`, matches found in `older`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

NO_READERS = ("buttons", "buzzer", "lamps")
"""What a device's name holds where it could see no card; all other devices may be readers."""


class Recorded(NamedTuple):
    """What the journal says already of a match, beside its actions: whether a reader *is_away*, and its *way* of play.

    The *way* is what of the set-up belongs to the match and not to the table, in the words of the note; *deck* is the
    note by which a deck file is known again. *is_vouched_for*: when the record was opened, its mark said that the last
    ruling in it is the last that was given; *kept_to* is when that one was written, ISO 8601.
    """

    is_away: bool = False
    way: str = ""
    deck: str = ""
    is_vouched_for: bool = False
    kept_to: str = ""


def is_reader_away(lost: Iterable[tuple[str, str]], pile_reader: str) -> bool:
    """True if among the devices that are *lost* is one that would see what is laid: cards are named by hand."""
    others = (device.casefold() for device, _reason in lost if device != pile_reader)
    return any(not any(word in device for word in NO_READERS) for device in others)


class OlderMatch(NamedTuple):
    """A match that was put aside unfinished: its number in the journal, when it began, and how it stood."""

    number: int
    began_at: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    round_number: int
