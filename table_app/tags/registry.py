"""Which tag is which card: the decks' stickers, kept apart from the journal so that losing one keeps the other.

A registry remembers; it reads no tag and shows nothing. Every tag means one card, every card of a pack has one tag. Of
one kind of deck there may be several packs, told apart by a name; their cards never mix at one table.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from hardware.signals import CardLabel
from table_app.record.errors import CardTakenError, StoreError
from table_app.record.read_only import list_in_memory
from table_app.rules import Card, Deck, face
from table_app.tags.lists import UID_LENGTHS, ListKind, OpenedList, TagList, open_list
from table_app.tags.stickers import STICKERS_FROM, is_sticker

APPLICATION_ID = 0x4C43_5431
"""``LCT1``: tells a tag list from any other database."""

VERSION = 2
"""The `user_version` of a list that this program writes. 1 had no packs."""

CUSTOMIZABLE = "wcustom"
"""A blank card; where a table has agreed several rules for them, the Nth is ``wcustomN`` there (rulebook section 8)."""

PACK_LENGTH_MAX = 32
"""What fits in a line of the screen."""

_TABLE = """CREATE TABLE tags (
    uid BLOB PRIMARY KEY,
    deck TEXT NOT NULL,
    pack TEXT NOT NULL DEFAULT '',
    code TEXT NOT NULL,
    copy INTEGER NOT NULL,
    UNIQUE (deck, pack, code, copy)
) STRICT"""
_SCHEMA = f"{_TABLE}; PRAGMA user_version={VERSION}"
# Lists of before there were packs.
_FROM_1 = f"""
BEGIN;
ALTER TABLE tags RENAME TO old_tags;
{_TABLE};
INSERT INTO tags (uid, deck, code, copy) SELECT uid, deck, code, copy FROM old_tags;
DROP TABLE old_tags;
PRAGMA user_version={VERSION};
COMMIT;
"""
_COLUMNS = "uid, deck, code, copy, pack"
_BETWEEN_BYTES = re.compile(r"[\s:.,;_\u2010-\u2015-]+")
_HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2})+")
KIND = ListKind(APPLICATION_ID, VERSION, _SCHEMA, "tags", _COLUMNS)


def uid_text(uid: bytes) -> str:
    """A UID as people read it: ``04 A1 B2 …``."""
    return uid.hex(" ").upper()


def uid_of(text: str) -> bytes:
    """The UID that people write: hexadecimal, in either case, together or byte by byte, with blanks, colons, hyphens,
    dots or commas between; ``0x`` before all of it or before each byte, and a byte's leading zero may be missing.

    :raises ValueError: if it is none.
    """
    parts = [part.removeprefix("0x") for part in _BETWEEN_BYTES.split(text.strip().lower()) if part]
    if len(parts) in UID_LENGTHS:
        parts = [part.zfill(2) for part in parts]
    digits = "".join(parts)
    if not _HEXADECIMAL.fullmatch(digits):
        raise ValueError("a tag's number is hexadecimal")
    uid = bytes.fromhex(digits)
    if len(uid) not in UID_LENGTHS:
        raise ValueError(f"a tag's number has 4, 7 or 10 bytes, not {len(uid)}")
    return uid


def pack_text(deck: str, pack: str) -> str:
    """A pack as people say it: the deck's name, and its own where it has one."""
    return f"{deck}, pack {pack}" if pack else deck


@dataclass(frozen=True, slots=True)
class EnrolledTag:
    """A tag and the card it is stuck on; *code* and *copy* are as in ``r5#2``. *pack* is empty for the only one."""

    uid: bytes
    deck: str
    code: str
    copy: int
    pack: str = ""

    @property
    def name(self) -> str:
        return self.code if self.is_sticker else f"{self.code}#{self.copy}"

    @property
    def is_sticker(self) -> bool:
        """True of a new tag for one of several equal cards: which of them it is is not known yet (`stickers`)."""
        return is_sticker(self.copy)

    @property
    def deck_text(self) -> str:
        return pack_text(self.deck, self.pack)

    @property
    def label(self) -> CardLabel:
        """What is written on the tag, so that other tables know it."""
        return CardLabel(self.name, self.deck)


class Pack(NamedTuple):
    """One pack of a kind of deck in the list, and how many of its cards have tags."""

    deck: str
    name: str
    tags: int


class Registry(TagList):
    """The tag list at *path*.

    :param connection: the list in memory, where its file can only be read.
    :raises StoreDamagedError: if the file is damaged.
    :raises StoreError: if it can't be opened.
    """

    KIND = KIND

    def __init__(self, path: Path, connection: sqlite3.Connection | None = None) -> None:
        super().__init__(path, connection)
        if self._connection.execute("PRAGMA user_version").fetchone()[0] < VERSION and not self._has_packs():
            try:
                self._connection.executescript(_FROM_1)
            except sqlite3.Error as error:
                self._connection.close()
                raise StoreError(f"{path} can't be brought up to date ({error}); look at its permissions.") from error

    # -- writing -------------------------------------------------------------------------------------------------

    def enrol(self, uid: bytes, deck: Deck, code: str, copy: int, pack: str = "") -> EnrolledTag:
        """Give the tag *uid* its card.

        :raises CardTakenError: if the tag already has a card, or the card already has a tag.
        :raises ValueError: if the deck has no such card, or the UID is none.
        :raises StoreError: if it can't be written.
        """
        tag = checked(uid, deck, code, copy, pack)
        held = self.tag(uid)
        if held is not None:
            raise CardTakenError(
                f"The tag {uid_text(uid)} is already {held.name} of the deck {held.deck_text}; take another sticker."
            )
        taken = self.tag_of(deck.name, tag.code, copy, pack)
        if taken is not None:
            raise CardTakenError(
                f"{tag.name} of the deck {tag.deck_text} already has the tag {uid_text(taken.uid)}; "
                "choose another card."
            )
        with self._writing():
            self._add(tag)
        return tag

    def move(self, uid: bytes, deck: Deck, code: str, copy: int, pack: str = "") -> EnrolledTag:
        """Give the tag *uid* this card and no other, taking the card's old tag away: for a sticker that was lost.

        :raises ValueError: if the deck has no such card, or the UID is none.
        :raises StoreError: if it can't be written.
        """
        tag = checked(uid, deck, code, copy, pack)
        with self._writing():
            self._put(tag)
        return tag

    def put_all(self, tags: Sequence[EnrolledTag], lost: Sequence[bytes] = ()) -> None:
        """Write *tags*, all of them or none, each in place of what its UID and its card were before.

        :param lost: tags that mean nothing from now on.
        :raises StoreError: if they can't be written.
        """
        with self._writing():
            self._connection.executemany("DELETE FROM tags WHERE uid = ?", [(uid,) for uid in lost])
            for tag in tags:
                self._put(tag)

    def forget(self, uid: bytes) -> EnrolledTag | None:
        """Take the tag's meaning away; what it was, or None.

        :raises StoreError: if it can't be written.
        """
        tag = self.tag(uid)
        if tag is not None:
            with self._writing():
                self._connection.execute("DELETE FROM tags WHERE uid = ?", (uid,))
        return tag

    def forget_pack(self, deck: str, pack: str = "") -> int:
        """Take the meaning of all tags of a pack away; how many there were.

        :raises StoreError: if it can't be written.
        """
        with self._writing():
            cursor = self._connection.execute("DELETE FROM tags WHERE deck = ? AND pack = ?", (deck, pack))
            return cursor.rowcount

    # -- reading -------------------------------------------------------------------------------------------------

    def tag(self, uid: bytes) -> EnrolledTag | None:
        """What this tag is, or None."""
        return self._one(f"SELECT {_COLUMNS} FROM tags WHERE uid = ?", (uid,))

    def tag_of(self, deck: str, code: str, copy: int, pack: str = "") -> EnrolledTag | None:
        """The tag of one card of a pack, or None."""
        statement = f"SELECT {_COLUMNS} FROM tags WHERE deck = ? AND code = ? AND copy = ? AND pack = ?"
        return self._one(statement, (deck, code, copy, pack))

    def tags(self, deck: str | None = None, pack: str | None = None) -> list[EnrolledTag]:
        """All tags of the decks of this name and packs of this name, each None for all, in the order they came."""
        rows = self._asked(
            f"SELECT {_COLUMNS} FROM tags WHERE deck = ifnull(?, deck) AND pack = ifnull(?, pack) "
            "ORDER BY deck, pack, rowid",
            (deck, pack),
        )
        return [EnrolledTag(*row) for row in rows]

    def count(self, deck: str, pack: str = "") -> int:
        """How many cards of this pack have a tag; a new one that may be any of several cards' counts as none more."""
        statement = "SELECT count(*) FROM tags WHERE deck = ? AND pack = ? AND copy < ?"
        return int(self._asked(statement, (deck, pack, STICKERS_FROM))[0][0])

    def packs(self) -> list[Pack]:
        """The packs that have tags, by name."""
        rows = self._asked(
            "SELECT deck, pack, sum(copy < ?) FROM tags GROUP BY deck, pack ORDER BY deck, pack", (STICKERS_FROM,)
        )
        return [Pack(*row) for row in rows]

    def cards(self, deck: Deck) -> Mapping[bytes, Card]:
        """The cards of *deck* by their tags, of every pack, to be read at the table.

        A card that the deck lacks is left out: a deck file may have lost it, or an edition may have none.
        """
        found = ((tag.uid, card_of(deck, tag.code, tag.copy)) for tag in self.tags(deck.name))
        return MappingProxyType({uid: card for uid, card in found if card is not None})

    def missing(self, deck: Deck, pack: str = "") -> list[tuple[str, int]]:
        """The cards of *deck* that have no tag in this pack yet, in the deck's order, as (code, copy)."""
        enrolled = {(tag.code, tag.copy) for tag in self.tags(deck.name, pack)}
        return [
            (wanted.code, copy)
            for wanted, kind in deck.kinds.items()
            for copy in range(1, kind.copies + 1)
            if (wanted.code, copy) not in enrolled
        ]

    def _has_packs(self) -> bool:
        """Whether it is a list of now, whatever number it bears."""
        return any(column[1] == "pack" for column in self._connection.execute("PRAGMA table_info(tags)"))

    def _put(self, tag: EnrolledTag) -> None:
        self._connection.execute("DELETE FROM tags WHERE uid = ?", (tag.uid,))
        self._connection.execute(
            "DELETE FROM tags WHERE deck = ? AND pack = ? AND code = ? AND copy = ?",
            (tag.deck, tag.pack, tag.code, tag.copy),
        )
        self._add(tag)

    def _add(self, tag: EnrolledTag) -> None:
        self._connection.execute(
            "INSERT INTO tags (uid, deck, pack, code, copy) VALUES (?, ?, ?, ?, ?)",
            (tag.uid, tag.deck, tag.pack, tag.code, tag.copy),
        )

    def _one(self, statement: str, values: tuple[object, ...]) -> EnrolledTag | None:
        rows = self._asked(statement, values)
        return EnrolledTag(*rows[0]) if rows else None


def checked(uid: bytes, deck: Deck, code: str, copy: int, pack: str = "") -> EnrolledTag:
    """The tag of one card of *deck*.

    :raises ValueError: if the deck has no such card, or the UID or the pack's name is none.
    """
    if len(uid) not in UID_LENGTHS:
        raise ValueError(f"a tag's number has 4, 7 or 10 bytes, not {len(uid)}")
    wanted = deck.face(code)
    kind = deck.kinds.get(wanted)
    if kind is None:
        raise ValueError(f"the deck {deck.name} has no {wanted.code}")
    if not 1 <= copy <= kind.copies and not (is_sticker(copy) and kind.copies > 1):
        raise ValueError(f"the deck {deck.name} has {kind.copies} of {wanted.code}, not a copy {copy}")
    if not pack.isprintable() or pack != pack.strip() or len(pack) > PACK_LENGTH_MAX:
        raise ValueError(f"{pack!r} is no name for a pack; take a short word")
    return EnrolledTag(uid, deck.name, wanted.code, copy, pack)


def card_of(deck: Deck, code: str, copy: int) -> Card | None:
    """The card at a table that plays with *deck*, or None if there is none such; *copy* 0 is any of them."""
    if code == CUSTOMIZABLE and face(CUSTOMIZABLE) not in deck and copy:
        code, copy = f"{CUSTOMIZABLE}{copy}", 1
    try:
        found = deck.face(code)
    except ValueError:
        return None
    kind = deck.kinds.get(found)
    return Card(found, copy) if kind is not None and (0 <= copy <= kind.copies or is_sticker(copy)) else None


def card_of_label(label: CardLabel, deck: Deck) -> Card | None:
    """The card that a label names, or None if it is none of *deck*."""
    if label.deck != deck.name:
        return None
    code, _, copy = label.code.partition("#")
    if copy and not (copy.isascii() and copy.isdigit() and len(copy) <= 2):
        return None
    return card_of(deck, code, int(copy or 0))


def open_registry(path: Path) -> OpenedList[Registry]:
    """Open or make the tag list at *path*; a damaged one, or one that is gone, comes back from its copies.

    :raises StoreError: if there can be none at all.
    """
    return open_list(Registry, path, KIND)


def read_registry(path: Path) -> Registry:
    """The tag list at *path* as it is, from a disk that takes nothing; what is put into it is not kept.

    :raises StoreError: if it can't be read.
    """
    return Registry(path, list_in_memory(path, APPLICATION_ID, VERSION))
