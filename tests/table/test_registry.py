"""A tag means one card and a card has one tag; the tag list outlives damage to the record."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_app.rules import DECKS, Card, face
from table_app.table import CardTakenError, open_table
from table_app.table.opening import REGISTRY_FILE
from table_app.table.registry import APPLICATION_ID, Registry, open_registry
from tests.table.rig import files, setup, uid

DECK = DECKS["classic"]


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    opened = open_registry(tmp_path / REGISTRY_FILE).registry
    yield opened
    opened.close()


def test_a_tag_is_the_card_that_it_was_enrolled_as(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "R5", 2)
    registry.enrol(uid(2), DECK, "w+4", 4)
    assert registry.cards(DECK) == {uid(1): Card(face("r5"), 2), uid(2): Card(face("w+4"), 4)}
    assert ("r5", 2) not in registry.missing(DECK) and ("r5", 1) in registry.missing(DECK)
    assert len(registry.missing(DECK)) == 106


def test_a_tag_or_a_card_that_is_taken_is_refused_with_a_sentence(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "r5", 1)
    with pytest.raises(CardTakenError, match="04 00 00 00 00 00 01 is already r5#1"):
        registry.enrol(uid(1), DECK, "r6", 1)
    with pytest.raises(CardTakenError, match="r5#1 of the deck classic already has the tag"):
        registry.enrol(uid(2), DECK, "r5", 1)
    assert registry.cards(DECK) == {uid(1): Card(face("r5"), 1)}


def test_moving_takes_the_old_tag_and_the_old_card_away(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "r5", 1)
    registry.enrol(uid(2), DECK, "r6", 1)
    registry.move(uid(2), DECK, "r5", 1)
    assert registry.cards(DECK) == {uid(2): Card(face("r5"), 1)}


def test_a_forgotten_tag_means_nothing(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "r5", 1)
    forgotten = registry.forget(uid(1))
    assert forgotten is not None and forgotten.name == "r5#1"
    assert registry.forget(uid(1)) is None
    assert registry.cards(DECK) == {}


@pytest.mark.parametrize(
    ("number", "code", "copy"),
    [(uid(1), "r0", 2), (uid(1), "r5", 0), (uid(1), "wrain1", 1), (uid(1), "zz", 1), (b"\x04\x01", "r5", 1)],
)
def test_what_can_not_be_is_refused(registry: Registry, number: bytes, code: str, copy: int) -> None:
    with pytest.raises(ValueError, match=r".+"):
        registry.enrol(number, DECK, code, copy)
    assert registry.cards(DECK) == {}


def test_decks_are_kept_apart(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "r5", 1)
    registry.enrol(uid(2), DECKS["h2o"], "r5", 1)
    assert registry.cards(DECK) == {uid(1): Card(face("r5"), 1)}


def test_the_tags_survive_a_damaged_journal_and_a_damaged_list_is_moved_aside(tmp_path: Path) -> None:
    registry = open_registry(tmp_path / REGISTRY_FILE).registry
    registry.enrol(uid(1), DECK, "r5", 1)
    registry.close()
    (tmp_path / "journal.sqlite").write_bytes(b"junk" * 999)
    table = open_table(files(tmp_path), setup(), 0)
    assert table.state.tags == {uid(1): Card(face("r5"), 1)}
    table.close()
    (tmp_path / REGISTRY_FILE).write_bytes(b"junk" * 999)
    table = open_table(files(tmp_path), setup(), 0)
    assert "tags.damaged-1.sqlite" in table.state.messages[0]
    table.close()


def test_packs_of_one_deck_are_kept_apart_and_all_are_known_at_the_table(registry: Registry) -> None:
    registry.enrol(uid(1), DECK, "r5", 1)
    registry.enrol(uid(2), DECK, "r5", 1, "blue")
    assert registry.cards(DECK) == {uid(1): Card(face("r5"), 1), uid(2): Card(face("r5"), 1)}
    assert len(registry.missing(DECK, "blue")) == 107
    assert registry.packs() == [("classic", "", 1), ("classic", "blue", 1)]
    assert registry.forget_pack("classic", "blue") == 1
    assert registry.tags() == [registry.tag(uid(1))]


def test_a_blank_card_is_the_customizable_card_that_the_table_has_agreed(registry: Registry) -> None:
    registry.enrol(uid(1), DECKS["2018"], "wcustom", 2)
    agreed = setup("edition: 2018", "custom: next 2 | others 1").deck
    assert registry.cards(agreed) == {uid(1): Card(face("wcustom2"), 1)}
    assert registry.cards(DECKS["2018"]) == {uid(1): Card(face("wcustom"), 2)}


def test_a_list_of_before_there_were_packs_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / REGISTRY_FILE
    old = sqlite3.connect(path)
    old.executescript(
        f"PRAGMA application_id={APPLICATION_ID};"
        "CREATE TABLE tags (uid BLOB PRIMARY KEY, deck TEXT NOT NULL, code TEXT NOT NULL, copy INTEGER NOT NULL,"
        "UNIQUE (deck, code, copy)) STRICT; PRAGMA user_version=1;"
        "INSERT INTO tags VALUES (x'04000000000001', 'classic', 'r5', 2);"
    )
    old.close()
    for _ in range(2):
        registry = Registry(path)
        assert registry.cards(DECK) == {uid(1): Card(face("r5"), 2)}
        registry.close()
