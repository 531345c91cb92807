"""What the table says that is not a ruling: a sentence with its parts, put into words only when it is shown.

A notice answers a signal that changed nothing, or says what it is waiting for. No rule is decided here, and no
face of a hand may ever stand in one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from table_app.rules import Face
from table_app.rules.messages import Counted, in_number, words_of


class NoticeKind(StrEnum):
    """How a notice sounds and looks: an answer, a question that nobody answered, or something that did not work."""

    SAID = "said"
    LAPSED = "lapsed"
    REFUSED = "refused"
    SEVERAL = "several"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence; *parts* fill the braces of *text* in order. A face is named in the reader's language.

    Where *many* is given, *text* is the sentence for one, and *count* says which of them it is.
    """

    text: str
    parts: tuple[str | int | Face, ...] = ()
    kind: NoticeKind = NoticeKind.SAID
    many: str = ""
    count: int = 1

    def words(self, translate: Callable[[str], str], face_text: Callable[[Face], str]) -> str:
        """This notice in the language of *translate*, with faces put into words by *face_text*."""
        parts = [
            face_text(part) if isinstance(part, Face) else words_of(part, translate) if isinstance(part, str) else part
            for part in self.parts
        ]
        text = in_number(Counted(self.text, self.many), self.count, translate) if self.many else translate(self.text)
        return text.format(*parts)


def said(text: str, *parts: str | int | Face) -> Notice:
    return Notice(text, parts)


def said_counted(one: str, many: str, count: int, *parts: str | int | Face) -> Notice:
    """Said in the form for *count*."""
    return Notice(one, parts, NoticeKind.SAID, many, count)


def refused_counted(one: str, many: str, count: int, *parts: str | int | Face) -> Notice:
    """Refused in the form for *count*."""
    return Notice(one, parts, NoticeKind.REFUSED, many, count)


def refused(text: str, *parts: str | int | Face) -> Notice:
    return Notice(text, parts, NoticeKind.REFUSED)


def trouble(text: str, *parts: str | int | Face) -> Notice:
    return Notice(text, parts, NoticeKind.TROUBLE)
