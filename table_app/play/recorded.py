"""What a table knows of its own journal while it plays: what it has told it already, and which matches lie there.

Nothing is read or written here: lines are made in `noting`, matches found in `older`.
"""

from __future__ import annotations

from typing import NamedTuple


class Recorded(NamedTuple):
    """What the journal says already of a match, beside its actions: its *way* of play.

    The *way* is what of the set-up belongs to the match and not to the table, in the words of the note; *deck* is the
    note by which a deck file is known again. *is_vouched_for*: when the record was opened, its mark said that the last
    ruling in it is the last that was given; *kept_to* is when that one was written, ISO 8601.
    """

    way: str = ""
    deck: str = ""
    is_vouched_for: bool = False
    kept_to: str = ""


class OlderMatch(NamedTuple):
    """A match that was put aside unfinished: its number in the journal, when it began, and how it stood."""

    number: int
    began_at: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    round_number: int
