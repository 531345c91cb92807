"""A list of tags that a power cut or a bad card spoilt comes back from its copies, and the table says so."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from table_app.record.copies import COPIES_MAX, copies
from table_app.record.errors import StoreError
from table_app.record.files import set_aside
from table_app.rules import DECKS
from table_app.table import open_table
from table_app.table.opening import REGISTRY_FILE
from table_app.tags.buttons import COMMANDS_FILE, CommandTags
from table_app.tags.enrolling import all_cards
from table_app.tags.lists import COPY_EVERY
from table_app.tags.registry import APPLICATION_ID, Registry, open_registry
from tests.table.rig import files, setup, uid

DECK = DECKS["classic"]
CARDS = all_cards(DECK)
OLDER_TABLE = """CREATE TABLE tags (
    uid BLOB PRIMARY KEY, deck TEXT NOT NULL, code TEXT NOT NULL, copy INTEGER NOT NULL, UNIQUE (deck, code, copy)
) STRICT"""
"""Of before there were packs."""

Damage = Callable[[Path], object]


class PowerCutError(BaseException):
    """The power goes between two renames."""


def zeros(path: Path) -> None:
    path.write_bytes(b"\0" * path.stat().st_size)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


DAMAGE: dict[str, Damage] = {
    "zeros": zeros,
    "cut": cut,
    "empty": lambda path: os.truncate(path, 0),
    "gone": lambda path: path.unlink(),
    "junk": lambda path: path.write_bytes(random.Random(1).randbytes(9_000)),
    "another kind": lambda path: shutil.copy(path.with_name("other.sqlite"), path),
    "first page": lambda path: path.write_bytes(b"\0" * 4096 + path.read_bytes()[4096:]),
}


@pytest.fixture(params=list(DAMAGE))
def damage(request: pytest.FixtureRequest, tmp_path: Path) -> Damage:
    Registry(tmp_path / "other.sqlite").close()  # another kind for a list of buttons
    return DAMAGE[request.param]


def enrolled(path: Path, number: int = len(CARDS)) -> None:
    """A list of so many cards, closed in good order."""
    registry = Registry(path)
    for serial, card in enumerate(CARDS[:number]):
        registry.enrol(uid(serial), DECK, card.face.code, card.copy)
    registry.close()


def damaged_registry(path: Path, damage: Damage) -> None:
    if damage is DAMAGE["another kind"]:
        path.with_name("other.sqlite").unlink()
        CommandTags(path.with_name("other.sqlite")).close()
    damage(path)


def test_a_whole_deck_comes_back_from_its_copy_and_is_told(tmp_path: Path, damage: Damage) -> None:
    path = tmp_path / REGISTRY_FILE
    enrolled(path)
    damaged_registry(path, damage)
    table = open_table(files(tmp_path), setup(), 0)
    assert len(table.state.tags) == len(CARDS)
    said = " ".join(table.state.messages)
    assert "restored from the copy tags.copy-" in said
    assert ("tags.damaged-1.sqlite" in said) == (damage is not DAMAGE["gone"])
    table.close()
    again = open_table(files(tmp_path), setup(), 0)
    assert again.state.messages == (), "once"
    again.close()


def test_buttons_come_back_as_cards_do(tmp_path: Path, damage: Damage) -> None:
    path = tmp_path / COMMANDS_FILE
    commands = CommandTags(path)
    commands.put(uid(900), "draw")
    commands.put(uid(901), "undo")
    commands.close()
    damage(path)
    table = open_table(files(tmp_path), setup(), 0)
    assert table.state.tags == {uid(900): "draw", uid(901): "undo"}
    assert "restored from the copy commands.copy-" in " ".join(table.state.messages)
    table.close()


def test_without_a_copy_what_can_be_read_is_restored(tmp_path: Path) -> None:
    path = tmp_path / "whole" / REGISTRY_FILE
    path.parent.mkdir()
    enrolled(path)
    whole = path.read_bytes()
    truth = {(uid(serial), card.face.code, card.copy) for serial, card in enumerate(CARDS)}
    counts = set()
    for page in range(1, len(whole) // 4096):
        folder = tmp_path / str(page)
        folder.mkdir()
        content = bytearray(whole)
        content[page * 4096 : (page + 1) * 4096] = b"\xff" * 4096
        (folder / REGISTRY_FILE).write_bytes(content)
        opened = open_registry(folder / REGISTRY_FILE)
        found = {(tag.uid, tag.code, tag.copy) for tag in opened.tags.tags()}
        assert found <= truth and opened.read == len(found)
        assert opened.moved_aside is not None and opened.moved_aside.read_bytes() == content
        counts.add(len(found))
        opened.tags.close()
    assert max(counts) == len(CARDS) and min(counts) < len(CARDS)


def test_a_list_of_nothing_but_zeros_is_told_of_until_cards_have_their_tags_again(tmp_path: Path) -> None:
    path = tmp_path / REGISTRY_FILE
    enrolled(path, 3)
    for copy in copies(path):
        copy.unlink()
    zeros(path)
    for _ in range(3):
        table = open_table(files(tmp_path), setup(), 0)
        assert "tags.damaged-1.sqlite" in table.state.messages[0]
        table.close()
    enrolled(path, 1)
    table = open_table(files(tmp_path), setup(), 0)
    assert table.state.messages == ()
    table.close()


def test_what_was_enrolled_when_the_plug_was_pulled_is_kept_and_copied_at_the_next_start(tmp_path: Path) -> None:
    """All that was kept stands in the one file; there is no log that could be lost."""
    path = tmp_path / "cut" / REGISTRY_FILE
    registry = Registry(tmp_path / REGISTRY_FILE)
    registry.enrol(uid(1), DECK, "r5", 1)
    path.parent.mkdir()
    shutil.copy(registry.path, path)  # the one file alone, as it lies there at this moment
    opened = open_registry(path)
    assert [tag.code for tag in opened.tags.tags()] == ["r5"] and len(copies(path)) == 1
    opened.tags.close()
    registry.close()


def test_a_deck_that_is_enrolled_in_one_go_is_copied_in_between(tmp_path: Path) -> None:
    registry = Registry(tmp_path / REGISTRY_FILE)
    for serial, card in enumerate(CARDS[:COPY_EVERY]):
        assert copies(registry.path) == []
        registry.enrol(uid(serial), DECK, card.face.code, card.copy)
    assert len(copies(registry.path)) == 1
    registry.close()
    assert len(copies(registry.path)) == 1, "nothing came after it"


def test_only_a_change_is_copied_and_the_newest_five_copies_are_kept(tmp_path: Path) -> None:
    path = tmp_path / REGISTRY_FILE
    for number in range(COPIES_MAX + 3):
        for _ in range(3):
            opened = open_registry(path)
            opened.tags.close()
        opened = open_registry(path)
        opened.tags.move(uid(number), DECK, "r5", 1)
        opened.tags.close()
    assert [copy.name for copy in copies(path)] == [f"tags.copy-{number}.sqlite" for number in range(8, 3, -1)]


def test_a_damaged_copy_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / REGISTRY_FILE
    enrolled(path, 2)
    registry = Registry(path)
    registry.enrol(uid(50), DECK, "w", 1)
    registry.close()
    zeros(copies(path)[0])
    zeros(path)
    opened = open_registry(path)
    assert opened.restored is not None and opened.restored.name == "tags.copy-1.sqlite"
    assert len(opened.tags.tags()) == 2
    opened.tags.close()


def test_whoever_takes_all_tags_away_finds_none_again(tmp_path: Path) -> None:
    path = tmp_path / REGISTRY_FILE
    enrolled(path, 2)
    registry = Registry(path)
    registry.forget_pack("classic")
    registry.close()
    opened = open_registry(path)
    assert opened.tags.tags() == [] and opened.restored is None and set_aside(path) == []
    opened.tags.close()


def spoilt_lists(whole: bytes) -> Iterator[bytes]:
    """The list cut at every 256th byte, zeroed piece by piece, and with every 401st bit flipped."""
    yield from (whole[:end] for end in range(0, len(whole), 256))
    yield from (whole[:at] + b"\0" * 512 + whole[at + 512 :] for at in range(0, len(whole), 512))
    for bit in range(0, len(whole) * 8, 401):
        content = bytearray(whole)
        content[bit // 8] ^= 1 << bit % 8
        yield bytes(content)


def test_wherever_a_list_is_damaged_all_its_tags_come_back(tmp_path: Path) -> None:
    path = tmp_path / "whole" / REGISTRY_FILE
    path.parent.mkdir()
    enrolled(path)
    truth = [(uid(serial), card.face.code, card.copy) for serial, card in enumerate(CARDS)]
    for number, content in enumerate(spoilt_lists(path.read_bytes())):
        folder = tmp_path / str(number)
        shutil.copytree(path.parent, folder)
        (folder / REGISTRY_FILE).write_bytes(content)
        opened = open_registry(folder / REGISTRY_FILE)
        assert [(tag.uid, tag.code, tag.copy) for tag in opened.tags.tags()] == truth, (number, opened)
        opened.tags.close()
        shutil.rmtree(folder)


def test_of_a_damaged_list_of_an_older_program_what_can_be_read_is_restored(tmp_path: Path) -> None:
    """It has no packs, and no copies."""
    path = tmp_path / REGISTRY_FILE
    rows = [(uid(serial), DECK.name, card.face.code, card.copy) for serial, card in enumerate(CARDS)]
    with closing(sqlite3.connect(path)) as older, older:
        older.executescript(f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version=1; {OLDER_TABLE}")
        older.executemany("INSERT INTO tags VALUES (?, ?, ?, ?)", rows)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1  # of an index: every row can be read
    path.write_bytes(content)
    opened = open_registry(path)
    assert [(tag.uid, tag.deck, tag.code, tag.copy) for tag in opened.tags.tags()] == rows
    assert opened.moved_aside is not None
    opened.tags.close()


def test_where_the_power_goes_while_a_list_is_put_aside_it_is_mended_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / REGISTRY_FILE
    enrolled(path, 20)
    for copy in copies(path):
        copy.unlink()
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)

    def cut(self: Path, target: Path) -> Path:
        raise PowerCutError

    monkeypatch.setattr(Path, "replace", cut)
    with pytest.raises(PowerCutError):
        open_registry(path)
    monkeypatch.undo()
    assert not path.exists()
    opened = open_registry(path)
    assert len(opened.tags.tags()) == 20 and opened.read == 20
    opened.tags.close()


def test_a_list_that_another_program_holds_too_long_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow card under a commit, say."""
    monkeypatch.setattr("table_app.record.files.BUSY_TIMEOUT_S", 0.01)
    path = tmp_path / REGISTRY_FILE
    enrolled(path, 3)
    tags = open_registry(path).tags
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for ask in (tags.tags, tags.packs, tags.keep_copy, lambda: tags.has_tags, lambda: tags.tag(uid(0))):
            with pytest.raises(StoreError, match="once more"):
                ask()
    assert len(tags.tags()) == 3
    tags.close()


def test_a_table_that_uses_no_list_restores_it_too_as_doctor_says(tmp_path: Path, damage: Damage) -> None:
    """With a simulated reader the stickers are the hand's own; the list is the same as at every table."""
    path = tmp_path / REGISTRY_FILE
    enrolled(path)
    damaged_registry(path, damage)
    table = open_table(files(tmp_path), setup(), 0, tags={uid(0): CARDS[0]})
    assert "restored from the copy tags.copy-" in " ".join(table.state.messages)
    assert table.state.tags == {uid(0): CARDS[0]} and table.registry_path is None
    table.close()
    registry = Registry(path)
    assert len(registry.tags()) == len(CARDS)
    registry.close()
    again = open_table(files(tmp_path), setup(), 0, tags={})
    assert again.state.messages == (), "once"
    again.close()


def test_a_table_that_uses_no_list_makes_none(tmp_path: Path) -> None:
    open_table(files(tmp_path), setup(), 0, tags={}).close()
    assert not (tmp_path / REGISTRY_FILE).exists() and not (tmp_path / COMMANDS_FILE).exists()
