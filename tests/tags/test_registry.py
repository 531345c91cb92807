"""A tag means one card and a card has one tag; the tag list outlives damage to the record."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_app.rules import DECKS, Card, face
from table_app.table import CardTakenError, open_table
from table_app.table.opening import REGISTRY_FILE
from table_app.tags.registry import APPLICATION_ID, Registry, open_registry, uid_of
from tests.table.rig import files, setup, uid

DECK = DECKS["classic"]


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    opened = open_registry(tmp_path / REGISTRY_FILE).tags
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
    registry = open_registry(tmp_path / REGISTRY_FILE).tags
    registry.enrol(uid(1), DECK, "r5", 1)
    registry.close()
    (tmp_path / "journal.sqlite").write_bytes(b"junk" * 999)
    table = open_table(files(tmp_path), setup(), 0)
    assert table.state.tags == {uid(1): Card(face("r5"), 1)}
    table.close()
    (tmp_path / REGISTRY_FILE).write_bytes(b"junk" * 999)
    table = open_table(files(tmp_path), setup(), 0)
    assert table.state.tags == {uid(1): Card(face("r5"), 1)}
    assert "tags.damaged-1.sqlite" in table.state.messages[1]
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


@pytest.mark.parametrize(
    "text",
    [
        "04 A1 5C 22 6B 80 80",
        "04a15c226b8080",
        "0x04a15c226b8080",
        "0X04A15C226B8080",
        " 04:a1:5c:22:6b:80:80 ",
        "04-A1-5C-22-6B-80-80",
        "04\u2013A1\u2013 5C 22 6B 80 80",
        "0x04 0xA1 0x5C 0x22 0x6B 0x80 0x80",
        "0x04, 0xA1, 0x5C, 0x22, 0x6B, 0x80, 0x80",
        "4 A1 5C 22 6B 80 80",
        "04.a1.5c.22.6b.80.80",
        "04a1 5c22 6b80 80",
        "04\tA1\u00a05C 22 6B 80 80",
    ],
)
def test_a_tags_number_is_read_as_people_and_programs_write_it(text: str) -> None:
    assert uid_of(text) == bytes.fromhex("04a15c226b8080")


@pytest.mark.parametrize("text", ["", "0x", "04 A1", "04a15c226b808", "0x04a15c226b80zz", "4.1E+12", "x04a15c226b8080"])
def test_what_is_no_tags_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="tag's number"):
        uid_of(text)


@pytest.mark.parametrize("length", [4, 7, 10])
def test_every_spelling_of_every_length_comes_to_the_same_number(length: int) -> None:
    chance = random.Random(length)
    for _ in range(50):
        number = chance.randbytes(length)
        digits = number.hex(chance.choice(" :-."))
        together = number.hex()
        for text in (digits, digits.upper(), together, f"0x{together}", f"{together[:4]} {together[4:]}"):
            assert uid_of(text) == number, text


def test_a_list_whose_version_number_flipped_keeps_its_packs(tmp_path: Path) -> None:
    registry = Registry(tmp_path / REGISTRY_FILE)
    registry.enrol(uid(1), DECK, "r5", 1, "blue")
    registry.close()
    connection = sqlite3.connect(tmp_path / REGISTRY_FILE)
    connection.execute("PRAGMA user_version=0")
    connection.close()
    registry = Registry(tmp_path / REGISTRY_FILE)
    assert [tag.pack for tag in registry.tags()] == ["blue"]
    registry.close()
