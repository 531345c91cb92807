"""The journal keeps what it was given: torn, damaged, full or forbidden, it never takes the table down."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from table_app.record.journal import Entry, Journal, open_journal
from table_app.record.journal_log import mark_path
from table_app.table import StoreError, TableBusyError, open_table
from tests.table.rig import Rig, files, setup

SEED = 20_26
PAGE = 4096


def opened(path: Path) -> Journal:
    return open_journal(path, wall_time=lambda: "2026-01-01T00:00:00Z", boot="boot").journal


def filled(path: Path, entries: int) -> list[str]:
    """A journal with that many entries, closed as a killed process leaves it: with its write-ahead log."""
    journal = opened(path)
    journal.begin_match("players: Ann, Ben\n")
    lines = [f"@{number} Ann: draw" for number in range(entries)]
    for line in lines:
        journal.append([Entry(line, 1)])
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", f"{path}{suffix}.left")
    journal.close()
    for suffix in ("", "-wal"):
        Path(f"{path}{suffix}.left").replace(f"{path}{suffix}")
    return lines


def lines_in(journal: Journal) -> list[str]:
    record = journal.last_match()
    return [] if record is None else [entry.line for entry in journal.entries(record.number)]


def test_what_was_appended_is_read_back_with_all_that_stands_beside_it(tmp_path: Path) -> None:
    journal = opened(tmp_path / "journal.sqlite")
    journal.begin_match("players: Ann, Ben\n")
    journal.append([Entry("Ann: r5#2", 3, tag=bytes(7), source="tag"), Entry("Ben: draw", 3, source="button")])
    journal.close()
    again = opened(tmp_path / "journal.sqlite")
    first, second = again.entries(1)
    assert (first.line, first.round_number, first.tag, first.source) == ("Ann: r5#2", 3, bytes(7), "tag")
    assert (second.tag, second.boot, second.wall_time) == (None, "boot", "2026-01-01T00:00:00Z")
    again.close()


def test_hands_are_for_the_owner_alone(tmp_path: Path) -> None:
    journal = opened(tmp_path / "journal.sqlite")
    journal.begin_match("players: Ann, Ben\n")
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name
    journal.close()


def test_the_journal_is_only_added_to(tmp_path: Path) -> None:
    filled(tmp_path / "journal.sqlite", 2)
    with sqlite3.connect(tmp_path / "journal.sqlite") as connection:
        for statement in ("DELETE FROM entries", "UPDATE entries SET line = ''", "UPDATE matches SET header = ''"):
            with pytest.raises(sqlite3.IntegrityError, match="only added to"):
                connection.execute(statement)
    connection.close()


def test_a_log_cut_anywhere_keeps_a_beginning_of_what_happened(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    lines = filled(path, 12)
    database, log = path.read_bytes(), path.with_name(path.name + "-wal").read_bytes()
    numbers = random.Random(SEED)
    cuts = sorted({0, 1, 31, 32, len(log) - 1, *(numbers.randrange(len(log)) for _ in range(60))})
    for number, cut in enumerate(cuts):
        torn = tmp_path / f"cut-{number}.sqlite"
        torn.write_bytes(database)
        torn.with_name(torn.name + "-wal").write_bytes(log[:cut])
        journal = opened(torn)
        found = lines_in(journal)
        journal.close()
        assert found == lines[: len(found)], f"cut at {cut} (seed {SEED})"


FOUND_CUTS = (3285,)
"""Bytes missing at the end that once left a line without a number, and a traceback."""


@pytest.mark.parametrize("step", [97, pytest.param(1, marks=pytest.mark.long)])
def test_a_file_cut_in_its_last_page_is_whole_or_moved_aside(tmp_path: Path, step: int) -> None:
    """Every byte: ``pytest -m long tests/record/test_journal.py``."""
    path = tmp_path / "whole.sqlite"
    journal = opened(path)
    journal.begin_match("players: Ann, Ben\n")
    journal.append([Entry("@0 table: deal 7", 1), Entry("@0 table: start r9", 1)])
    for number in range(90):
        journal.append([Entry(f"@{number} Ann: draw", 1), Entry(f"@{number} Ann: keep", 1)])
    before = lines_in(journal)
    journal.close()
    whole = path.read_bytes()
    tried = {*range(len(whole) - PAGE, len(whole), step), *(len(whole) - short for short in FOUND_CUTS)}
    for cut in sorted(tried):
        torn = tmp_path / "journal.sqlite"
        torn.write_bytes(whole[:cut])
        table = open_table(files(tmp_path), setup(), 0, tags={})
        if table.state.messages:
            assert (tmp_path / "journal.damaged-1.sqlite").read_bytes()[:PAGE] == whole[:PAGE], cut
        else:
            assert lines_in(table.journal) == before, cut
        table.close()
        for left in tmp_path.glob("journal*"):
            left.unlink()


def test_a_bit_that_flipped_in_a_line_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = opened(path)
    journal.begin_match("players: Ann, Ben\n")
    journal.append([Entry("@0 table: deal 7", 1), Entry("@0 table: start r9", 1)])
    journal.close()
    content = path.read_bytes()
    assert content.count(b"start r9") == 1
    path.write_bytes(content.replace(b"start r9", b"start r8"))
    table = open_table(files(tmp_path), setup(), 0, tags={})
    assert "journal.damaged-1.sqlite" in " ".join(table.state.messages)
    table.close()


@pytest.mark.parametrize(
    "content",
    [b"x", b"not a database at all" * 1000, b"SQLite format 3\x00" + bytes(5000), bytes(8192)],
    ids=["one byte", "text", "header alone", "zeros"],
)
def test_an_unreadable_journal_is_moved_aside_with_its_name_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal.sqlite").write_bytes(content)
    table = open_table(files(tmp_path), setup(), 0, tags={})
    assert (tmp_path / "journal.damaged-1.sqlite").read_bytes() == content
    assert str(tmp_path / "journal.damaged-1.sqlite") in " ".join(table.state.messages)
    assert table.state.trouble == "" and not table.is_resumed
    table.close()


def rounds_played(directory: Path, count: int) -> Rig:
    rig = Rig(setup(), directory, cards_each=1)
    for _round in range(count):
        rig.begin()
        rig.tap("r5")
        rig.press("digit:1", "yes", "digit:1", "yes")
    return rig


def test_each_round_s_end_leaves_a_copy_and_five_are_kept(tmp_path: Path) -> None:
    rounds_played(tmp_path, 7).opened.close()
    kept = sorted(path.name for path in tmp_path.glob("*.copy-*"))
    assert kept == [f"journal.copy-{number}.sqlite" for number in range(3, 8)]
    for path in tmp_path.glob("*.copy-*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("has_mark", [True, False])
def test_the_newest_whole_copy_of_a_damaged_journal_is_restored_and_what_was_lost_is_told(
    tmp_path: Path, has_mark: bool
) -> None:
    rig = rounds_played(tmp_path, 3)
    scores = rig.state.match.scores
    rig.begin()
    rig.opened.close()
    (tmp_path / "journal.sqlite").write_bytes(b"damaged" * 1000)
    newest = tmp_path / "journal.copy-3.sqlite"
    whole = newest.read_bytes()
    newest.write_bytes(whole[:-5000] + b"x" * 5000)
    if not has_mark:
        mark_path(tmp_path / "journal.sqlite").unlink()
    table = open_table(files(tmp_path), setup(), 0, tags={})
    assert table.is_resumed and table.state.match.round_number == 2
    assert sum(table.state.match.scores) == sum(scores) - 2
    known, unknown = "the match of 1 January 2026 from round 2 on", "whatever was played after round 2 of the match of"
    assert (known if has_mark else unknown) in table.state.messages[0]
    assert "journal.damaged-1.sqlite" in " ".join(table.state.messages)
    table.close()
    again = open_table(files(tmp_path), setup(), 0, tags={})
    assert again.is_resumed and again.state.messages == ()
    again.close()


def test_a_second_damaged_journal_does_not_overwrite_the_first(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / "journal.sqlite").write_bytes(b"damaged %d" % number * 100)
        open_table(files(tmp_path), setup(), 0, tags={}).close()
    assert (tmp_path / "journal.damaged-1.sqlite").read_bytes().startswith(b"damaged 1")
    assert (tmp_path / "journal.damaged-2.sqlite").read_bytes().startswith(b"damaged 2")


@pytest.mark.parametrize("line", ["this is no line", "@1 Nobody: draw", "\x00"])
def test_a_match_with_a_line_of_nonsense_stays_in_the_record_and_another_begins(tmp_path: Path, line: str) -> None:
    journal = opened(tmp_path / "journal.sqlite")
    journal.begin_match("players: Ann, Ben\n")
    journal.append([Entry(line, 1)])
    journal.close()
    table = open_table(files(tmp_path), setup(), 0, tags={})
    assert "The match of 1 January 2026 can't go on" in table.state.messages[0]
    assert [entry.line for entry in table.journal.entries(1)] == [line]
    assert table.journal.match == 2 and not list(tmp_path.glob("*.damaged-*"))
    table.close()


def test_a_journal_of_another_kind_of_database_is_not_written_over(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "journal.sqlite")
    other.execute("CREATE TABLE notes (text)")
    other.commit()
    other.close()
    table = open_table(files(tmp_path), setup(), 0, tags={})
    assert (tmp_path / "journal.damaged-1.sqlite").exists()
    table.close()


def test_a_full_disk_is_told_play_goes_on_and_all_is_kept_once_there_is_room(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    rig.begin()
    connection = rig.journal._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count={pages}")
    for _ in range(200):
        rig.press("draw", "keep")
        if rig.state.trouble:
            break
    assert "Nothing is kept" in rig.state.trouble and "full" in rig.state.trouble
    kept, count = len(rig.heard.done), "SELECT count(*) FROM entries"
    on_disk = connection.execute(count).fetchone()
    rig.press("draw", "keep")
    assert connection.execute(count).fetchone() == on_disk and len(rig.heard.done) > kept
    connection.execute("PRAGMA max_page_count=100000")
    rig.press("draw")
    assert rig.state.trouble == ""
    assert rig.lines == [done.line.partition(" ")[2] for done in rig.heard.done]


def test_a_disk_that_became_read_only_is_told_and_play_goes_on(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    rig.begin()
    rig.journal._connection.execute("PRAGMA query_only=ON")
    rig.tap("r3")
    assert "Nothing is kept" in rig.state.trouble
    assert rig.state.match.turn == 1
    assert rig.journal.unsaved == 1


def test_where_there_can_be_no_journal_the_table_starts_and_says_so(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("in the way")
    table = open_table(files(blocked / "state"), setup(), 0, tags={})
    assert "--state-directory" in table.state.trouble
    table.close()


def test_trouble_from_the_start_does_not_go_away_by_playing(tmp_path: Path) -> None:
    (tmp_path / "table.lock").mkdir()
    rig = Rig(setup(), tmp_path)
    assert "table.lock" in rig.state.trouble
    rig.begin()
    assert "table.lock" in rig.state.trouble
    assert rig.state.match.turn == 0


def test_two_tables_never_share_a_directory(tmp_path: Path) -> None:
    first = open_table(files(tmp_path), setup(), 0, tags={})
    with pytest.raises(TableBusyError, match="Another table is running"):
        open_table(files(tmp_path), setup(), 0, tags={})
    first.close()
    open_table(files(tmp_path), setup(), 0, tags={}).close()


def test_several_actions_of_one_signal_are_kept_together_or_not_at_all(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    rig.begin()
    rig.tap("r3")
    committed: list[int] = []
    rig.journal._connection.set_trace_callback(lambda text: committed.append(text == "COMMIT"))
    rig.press("give:1")
    assert sum(committed) == 1
    assert len(rig.lines) == 7


def test_the_clock_stands_still_while_the_power_is_off(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path, cards_each=2)
    rig.begin()
    rig.tap("r3")
    rig.wait(3_000)
    rig.press("undo", "yes")
    rig.tap("r3")
    rig.opened.close()
    hours_later = 8 * 3_600_000
    again = open_table(files(tmp_path), setup(), hours_later, tags=rig.tags)
    assert again.is_resumed
    assert again.state.at_ns(hours_later) == again.state.match.now_ns
    assert again.state.match.window is not None
    again.close()


def test_new_begins_another_match_and_keeps_the_old_one(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    rig.begin()
    rig.opened.close()
    again = open_table(files(tmp_path), setup("players: Dee, Eve"), 0, tags={}, is_new=True)
    assert again.state.match.names == ("Dee", "Eve") and not again.is_resumed
    assert len(list(again.journal.matches())) == 2
    again.close()


NOBODY = 65_534


@contextmanager
def ordinary_user(folder: Path) -> Iterator[None]:
    """Do something as a user who is not the owner of everything: as root, for whom there are no permissions, nobody."""
    if os.geteuid() != 0:
        yield
        return
    for path in (folder, *folder.iterdir()):
        os.chown(path, NOBODY, NOBODY)
    for parent in folder.parents:
        if parent.stat().st_uid == 0 and not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o001)
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def test_a_journal_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    filled(tmp_path / "journal.sqlite", 1)
    (tmp_path / "journal.sqlite").chmod(0o400)
    with ordinary_user(tmp_path), pytest.raises(StoreError, match="can't be written"):
        opened(tmp_path / "journal.sqlite")
