"""Which tag is which card: the deck's stickers, kept apart from the journal so that losing one keeps the other.

A registry remembers; it reads no tag and shows nothing. Every tag means one card, every card has one tag.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from table_app.rules import Card, Deck
from table_app.table.errors import CardTakenError, StoreDamagedError, StoreError
from table_app.table.store import move_aside, open_database

APPLICATION_ID = 0x4C43_5431
"""``LCT1``: tells a tag list from any other database."""

UID_LENGTHS = (4, 7, 10)
"""Bytes of a single, double and triple size UID (ISO/IEC 14443-3, 6.5.4)."""

_SCHEMA = """
CREATE TABLE tags (
    uid BLOB PRIMARY KEY,
    deck TEXT NOT NULL,
    code TEXT NOT NULL,
    copy INTEGER NOT NULL,
    UNIQUE (deck, code, copy)
) STRICT;
PRAGMA user_version=1
"""


def uid_text(uid: bytes) -> str:
    """A UID as people read it: ``04 A1 B2 …``."""
    return uid.hex(" ").upper()


@dataclass(frozen=True, slots=True)
class EnrolledTag:
    """A tag and the card it is stuck on; *code* and *copy* are as in ``r5#2``."""

    uid: bytes
    deck: str
    code: str
    copy: int

    @property
    def name(self) -> str:
        return f"{self.code}#{self.copy}"


class Registry:
    """The tag list at *path*.

    :raises StoreDamagedError: if the file is damaged.
    :raises StoreError: if it can't be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_database(path, APPLICATION_ID, _SCHEMA)

    def enrol(self, uid: bytes, deck: Deck, code: str, copy: int) -> EnrolledTag:
        """Give the tag *uid* its card.

        :raises CardTakenError: if the tag already has a card, or the card already has a tag.
        :raises ValueError: if the deck has no such card, or the UID is none.
        :raises StoreError: if it can't be written.
        """
        tag = self._checked(uid, deck, code, copy)
        held = self.tag(uid)
        if held is not None:
            raise CardTakenError(
                f"The tag {uid_text(uid)} is already {held.name} of the deck {held.deck}; "
                "take another sticker, or move it with --move."
            )
        taken = self.tag_of(deck, tag.code, copy)
        if taken is not None:
            raise CardTakenError(
                f"{tag.name} of the deck {deck.name} already has the tag {uid_text(taken.uid)}; "
                "choose another card, or move it with --move."
            )
        self._insert(tag)
        return tag

    def move(self, uid: bytes, deck: Deck, code: str, copy: int) -> EnrolledTag:
        """Give the tag *uid* this card and no other, taking the card's old tag away: for a sticker that was lost.

        :raises ValueError: if the deck has no such card, or the UID is none.
        :raises StoreError: if it can't be written.
        """
        tag = self._checked(uid, deck, code, copy)
        with self._writing():
            self._connection.execute("DELETE FROM tags WHERE uid = ?", (uid,))
            self._connection.execute(
                "DELETE FROM tags WHERE deck = ? AND code = ? AND copy = ?", (tag.deck, tag.code, tag.copy)
            )
            self._add(tag)
        return tag

    def forget(self, uid: bytes) -> EnrolledTag | None:
        """Take the tag's meaning away; what it was, or None.

        :raises StoreError: if it can't be written.
        """
        tag = self.tag(uid)
        if tag is not None:
            with self._writing():
                self._connection.execute("DELETE FROM tags WHERE uid = ?", (uid,))
        return tag

    def tag(self, uid: bytes) -> EnrolledTag | None:
        """What this tag is, or None."""
        return self._one("SELECT uid, deck, code, copy FROM tags WHERE uid = ?", (uid,))

    def tag_of(self, deck: Deck, code: str, copy: int) -> EnrolledTag | None:
        """The tag of one card of a deck, or None."""
        statement = "SELECT uid, deck, code, copy FROM tags WHERE deck = ? AND code = ? AND copy = ?"
        return self._one(statement, (deck.name, code, copy))

    def cards(self, deck: Deck) -> Mapping[bytes, Card]:
        """The cards of *deck* by their tags, to be read at the table; a card that the deck lacks is left out."""
        found: dict[bytes, Card] = {}
        rows = self._connection.execute("SELECT uid, code, copy FROM tags WHERE deck = ?", (deck.name,))
        for uid, code, copy in rows:
            try:
                face = deck.face(code)
            except ValueError:
                continue  # a deck file that lost a card; its tag is unknown until it is enrolled anew
            found[uid] = Card(face, copy)
        return MappingProxyType(found)

    def missing(self, deck: Deck) -> list[tuple[str, int]]:
        """The cards of *deck* that have no tag yet, in the deck's order, as (code, copy)."""
        enrolled = set(self._connection.execute("SELECT code, copy FROM tags WHERE deck = ?", (deck.name,)))
        return [
            (face.code, copy)
            for face, kind in deck.kinds.items()
            for copy in range(1, kind.copies + 1)
            if (face.code, copy) not in enrolled
        ]

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._connection.close()

    def _checked(self, uid: bytes, deck: Deck, code: str, copy: int) -> EnrolledTag:
        if len(uid) not in UID_LENGTHS:
            raise ValueError(f"a tag's number has 4, 7 or 10 bytes, not {len(uid)}")
        face = deck.face(code)
        kind = deck.kinds.get(face)
        if kind is None:
            raise ValueError(f"the deck {deck.name} has no {face.code}")
        if not 1 <= copy <= kind.copies:
            raise ValueError(f"the deck {deck.name} has {kind.copies} of {face.code}, not a copy {copy}")
        return EnrolledTag(uid, deck.name, face.code, copy)

    def _insert(self, tag: EnrolledTag) -> None:
        with self._writing():
            self._add(tag)

    def _add(self, tag: EnrolledTag) -> None:
        self._connection.execute(
            "INSERT INTO tags (uid, deck, code, copy) VALUES (?, ?, ?, ?)", (tag.uid, tag.deck, tag.code, tag.copy)
        )

    def _one(self, statement: str, values: tuple[object, ...]) -> EnrolledTag | None:
        row = self._connection.execute(statement, values).fetchone()
        return None if row is None else EnrolledTag(*row)

    def _writing(self) -> _Writing:
        return _Writing(self._connection, self.path)


class _Writing:
    """One transaction: all of it, or none and an error in words."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def __enter__(self) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise self._told(error) from error

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        try:
            if error is None:
                self._connection.execute("COMMIT")
            elif self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error as failed:
            raise self._told(failed) from failed
        if isinstance(error, sqlite3.Error):
            raise self._told(error) from error

    def _told(self, error: sqlite3.Error) -> StoreError:
        return StoreError(f"The tag was not kept: {self._path} can't be written ({error}).")


@dataclass(frozen=True, slots=True)
class OpenedRegistry:
    """A registry, and where the damaged one before it was moved, if there was one."""

    registry: Registry
    moved_aside: Path | None = None


def open_registry(path: Path) -> OpenedRegistry:
    """Open or make the tag list at *path*; a damaged one is moved aside and an empty one begun.

    :raises StoreError: if there can be none at all.
    """
    try:
        return OpenedRegistry(Registry(path))
    except StoreDamagedError:
        aside = move_aside(path)
        return OpenedRegistry(Registry(path), aside)
