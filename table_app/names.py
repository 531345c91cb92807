"""Which names can sit at a table: those that every screen can show, and that fit a seat on it.

Pure. Where a name is asked for or given stands elsewhere, and so does what a transcript can hold, which is more
(``transcript.notation``): a match that is only judged is shown on no screen.
"""

from __future__ import annotations

import unicodedata

from table_app.rules.messages import _

NAME_LENGTH_MAX = 24
"""Longer ones would fill the sentences, buttons and seats of a small screen."""

DRAWN = (
    (0x0020, 0x024F),  # Latin
    (0x0300, 0x0345),  # accents that go on any letter
    (0x0370, 0x0525),  # Greek, Cyrillic
    (0x0531, 0x055F),  # Armenian
    (0x0561, 0x0587),
    (0x05B0, 0x05C3),  # Hebrew
    (0x05C6, 0x05EA),
    (0x0621, 0x063A),  # Arabic
    (0x0640, 0x0655),
    (0x0660, 0x0670),
    (0x0679, 0x06BF),
    (0x06CC, 0x06CC),
    (0x06F0, 0x06F9),
    (0x10A0, 0x10C5),  # Georgian
    (0x10D0, 0x10FC),
    (0x1E00, 0x1EFB),  # more Latin, Vietnamese
    (0x1F00, 0x1FFE),  # more Greek
    (0x2010, 0x2027),  # dashes, quotation marks
    (0x2600, 0x269C),  # stars, hearts
)
"""The characters, first and last of each run, of which the shipped fonts have a picture in both weights."""


NOT_DRAWN = _("The screen has no picture for a character of that name; write it in other letters, without emoji.")
TOO_LONG = _("That name is too long for a seat on the screen; take 24 characters at most.")


def composed(name: str) -> str:
    """*name* with each accent in its letter, so that names that look alike are the same.

    >>> composed("Zoe" + chr(0x308))
    'Zoë'
    """
    return unicodedata.normalize("NFC", name)


def name_trouble(name: str) -> str:
    """Why nobody can sit at a table by this name, and what to do; empty if somebody can.

    >>> name_trouble("Zoë"), name_trouble("W" * 25) == TOO_LONG
    ('', True)
    """
    name = composed(name)
    if any(not any(first <= ord(character) <= last for first, last in DRAWN) for character in name):
        return NOT_DRAWN
    return TOO_LONG if len(name) > NAME_LENGTH_MAX else ""
