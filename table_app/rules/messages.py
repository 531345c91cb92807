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


class Sentence(str):
    """A sentence in English that can say itself in another language, for what is told long after it was found out.

    *fields* go into the places of *message*; sentences among them say themselves in the same language. A `Counted` goes
    by the field ``count``.

    >>> Sentence("{what} was read.", what=Sentence("The record"))
    'The record was read.'
    """

    __slots__ = ("_fields", "_message")
    _message: str | Counted
    _fields: dict[str, object]

    def __new__(cls, message: str | Counted, **fields: object) -> Sentence:
        made = super().__new__(cls, _filled(message, fields, untranslated))
        made._message = message
        made._fields = fields
        return made

    def words(self, translate: Translate) -> str:
        """This sentence in the language of *translate*."""
        return _filled(self._message, self._fields, translate)


def _filled(message: str | Counted, fields: dict[str, object], translate: Translate) -> str:
    count = fields.get("count")
    if isinstance(message, Counted) and isinstance(count, int):
        text = in_number(message, count, translate)
    else:
        text = translate(str(message))
    said = {name: field.words(translate) if isinstance(field, Sentence) else field for name, field in fields.items()}
    return text.format(**said)


def words_of(text: str, translate: Translate) -> str:
    """*text* in the language of *translate*, where it knows how to say itself."""
    return text.words(translate) if isinstance(text, Sentence) else text


def untranslated(message: str) -> str:
    """The message itself: English."""
    return message


def _(message: str) -> str:
    """Mark a message for the catalogue; it is translated where it is said."""
    return message


def _n(one: str, many: str) -> Counted:
    """Mark a message with a number for the catalogue, in both its forms."""
    return Counted(one, many)
