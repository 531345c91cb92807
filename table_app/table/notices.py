"""What the table says that is not a ruling: a sentence with its parts, put into words only when it is shown.

A notice answers a signal that changed nothing, or says what it is waiting for. No rule is decided here, and no
face of a hand may ever stand in one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from table_app.rules import Face


class NoticeKind(StrEnum):
    """How a notice sounds and looks: an answer, or something that did not work."""

    SAID = "said"
    REFUSED = "refused"
    SEVERAL = "several"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence; *parts* fill the braces of *text* in order. A face is named in the reader's language."""

    text: str
    parts: tuple[str | int | Face, ...] = ()
    kind: NoticeKind = NoticeKind.SAID

    def words(self, translate: Callable[[str], str], face_text: Callable[[Face], str]) -> str:
        """This notice in the language of *translate*, with faces put into words by *face_text*."""
        parts = [face_text(part) if isinstance(part, Face) else part for part in self.parts]
        return translate(self.text).format(*parts)


def said(text: str, *parts: str | int | Face) -> Notice:
    return Notice(text, parts)


def refused(text: str, *parts: str | int | Face) -> Notice:
    return Notice(text, parts, NoticeKind.REFUSED)


def trouble(text: str, *parts: str | int | Face) -> Notice:
    return Notice(text, parts, NoticeKind.TROUBLE)
