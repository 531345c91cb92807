"""A number with its noun, for what commands print; what the table itself says is counted in ``rules.messages``."""

from __future__ import annotations


def counted(count: int, noun: str, many: str = "") -> str:
    """*count* and *noun*, or *many* where that is not the noun with an ``s``.

    >>> counted(1, "tag"), counted(2, "match", "matches")
    ('1 tag', '2 matches')
    """
    return f"{count} {noun if count == 1 else many or noun + 's'}"
