"""What is wrong with a line: a sentence with its parts, put into the reader's language only when it is said.

Only the error; which lines are bad is found out where they are read.
"""

from __future__ import annotations

from collections.abc import Callable

from table_app.rules.messages import Sentence


class BadLineError(ValueError):
    """A line that can't be read; the text says what and where. *parts* fill the braces of *message*."""

    def __init__(self, message: str, **parts: object) -> None:
        super().__init__(message.format(**parts))
        self._message = message
        self._parts = parts

    @property
    def sentence(self) -> Sentence:
        """The text, which says itself in the reader's language; without a full stop."""
        return Sentence(self._message, **self._parts)

    def words(self, translate: Callable[[str], str]) -> str:
        """The text in the language of *translate*, without a full stop."""
        return translate(self._message).format(**self._parts)
