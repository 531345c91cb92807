"""What every text in more than one language is made of: messages that wait for a language, and their forms in number.

No message stands here, and no catalogue is opened: *translate* is a gettext function that others bring.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

Translate = Callable[[str], str]


class Counted(NamedTuple):
    """A message in two forms: for *one*, and for *many*; which of a language's forms it is, is for the catalogue."""

    one: str
    many: str


@runtime_checkable
class TranslatesNumbers(Protocol):
    """A translation that knows the forms of its language for numbers."""

    def plural(self, one: str, many: str, count: int) -> str: ...


def in_number(message: Counted, count: int, translate: Translate) -> str:
    """The form of *message* for *count*, in the language of *translate*.

    >>> in_number(Counted("{count} card", "{count} cards"), 1, untranslated)
    '{count} card'
    """
    if isinstance(translate, TranslatesNumbers):
        return translate.plural(*message, count)
    return translate(message.one if count == 1 else message.many)


def untranslated(message: str) -> str:
    """The message itself: English."""
    return message


def _(message: str) -> str:
    """Mark a message for the catalogue; it is translated where it is said."""
    return message


def _n(one: str, many: str) -> Counted:
    """Mark a message with a number for the catalogue, in both its forms."""
    return Counted(one, many)
