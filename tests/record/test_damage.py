"""A damaged record loses what can't be read and nothing else: found at the start, mended, and told in words.

Every byte of the last page and of the log, and 2,000 flips: ``pytest -m long tests/record/test_damage.py``.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from table_app.cli.records import export, history, stats
from table_app.record.copies import copies
from table_app.record.errors import StoreNewerError
from table_app.record.journal import Entry, Journal, open_journal
from table_app.record.journal_log import mark_path
from table_app.record.schema import damage_of
from table_app.record.upkeep import CHECKED_AT_ONCE_BYTES
from table_app.table import OpenedTable, open_table
from table_app.table.opening import JOURNAL_FILE
from table_app.tags.buttons import COMMANDS_FILE, open_commands
from table_app.tags.registry import Registry
from table_app.transcript import header_text
from tests.table.honest import HonestPeople
from tests.table.rig import Rig, files, setup

SEED = 20_27
DRAWN = 2
"""Turns in the log that is cut: two entries each, and each turn a transaction."""
DAYS = ("2026-11-20", "2026-11-21", "2026-11-21", "2026-11-29")


def lines_of(journal: Journal) -> dict[int, list[str]]:
    """Every match with its lines."""
    return {record.number: [entry.line for entry in journal.entries(record.number)] for record in journal.matches()}


def record(path: Path, rounds: int = 3, turns: int = 30, copied: tuple[int, ...] = ()) -> dict[int, list[str]]:
    """A match for each of `DAYS`, of that many rounds and turns in each; a copy after the matches *copied*."""
    day = DAYS[0]

    def wall_time() -> str:
        return f"{day}T18:00:00.000+00:00"

    journal = open_journal(path, wall_time=wall_time, boot="boot").journal
    for number, day in enumerate(DAYS, 1):  # noqa: B007  the clock of the journal is this day
        journal.begin_match(header_text(setup()))
        for round_number in range(1, rounds + 1):
            for turn in range(turns):
                line = "table: deal 7" if turn == 0 else "table: start r9" if turn == 1 else f"Ann: draw {turn}"
                journal.append([Entry(f"@{turn} {line}", round_number)])
        if number in copied:
            journal.copy()
    found = lines_of(journal)
    journal.close()
    return found


def spoil(path: Path, match: int, round_number: int, turn: int) -> None:
    """Another letter in a line, as a card that forgot a bit would have it: SQLite notices nothing."""
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER IF EXISTS entries_are_not_changed")
        found = connection.execute(
            "UPDATE entries SET line = 'x' || substr(line, 2) WHERE match = ? AND round = ? AND line LIKE ?",
            (match, round_number, f"@{turn} %"),
        )
        assert found.rowcount == 1
    connection.close()


def opened(folder: Path) -> OpenedTable:
    return open_table(files(folder), setup(), 0, tags={})


def asides(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.damaged-*") if path.suffix == ".sqlite")


# -- what is lost, and what is not -------------------------------------------------------------------------------


def test_damage_in_an_earlier_match_is_found_at_the_start_and_the_copy_fills_the_gap(tmp_path: Path) -> None:
    whole = record(tmp_path / JOURNAL_FILE, copied=(3,))
    spoil(tmp_path / JOURNAL_FILE, 2, 2, 5)
    table = opened(tmp_path)
    assert lines_of(table.journal) == whole
    assert "Nothing is lost" in table.state.messages[0] and asides(tmp_path) == ["journal.damaged-1.sqlite"]
    assert table.journal.is_whole()
    table.close()
    again = opened(tmp_path)
    assert again.state.messages == ()
    again.close()


def test_what_no_copy_has_is_told_by_match_and_round_and_all_else_is_kept(tmp_path: Path) -> None:
    whole = record(tmp_path / JOURNAL_FILE, copied=(1,))
    spoil(tmp_path / JOURNAL_FILE, 1, 1, 7)
    spoil(tmp_path / JOURNAL_FILE, 2, 1, 0)
    spoil(tmp_path / JOURNAL_FILE, 3, 1, 0)
    spoil(tmp_path / JOURNAL_FILE, 4, 3, 9)
    table = opened(tmp_path)
    kept = lines_of(table.journal)
    # At a gap between two matches nobody can say whose lines are missing: the one before may lack its end.
    assert "Lost: 2 matches of 21 November 2026; " in table.state.messages[0]
    assert "the match of 29 November 2026 from round 3 on" in table.state.messages[0]
    assert kept == {1: whole[1], 4: whole[4][: 2 * 30 + 9]}
    assert table.is_resumed and table.state.match.round_number >= 1
    table.close()


def test_copies_never_go_for_a_damaged_journal(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path, cards_each=1)
    for _round in range(2):
        play_round(rig)
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.copy-*")}
    spoil_anywhere(tmp_path / JOURNAL_FILE)
    for _round in range(6):
        play_round(rig)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.copy-*")} == before
    assert "is damaged" in rig.state.trouble and "Start the table anew" in rig.state.trouble
    scores = rig.state.match.scores
    rig.opened.close()
    table = opened(tmp_path)
    assert "Nothing is lost" in table.state.messages[0] and table.state.match.scores == scores
    table.close()


def play_round(rig: Rig) -> None:
    rig.begin()
    rig.tap("r5")
    rig.press("digit:1", "yes", "digit:1", "yes")


def spoil_anywhere(path: Path) -> None:
    """The first line that was ever written, while the table runs."""
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER IF EXISTS entries_are_not_changed")
        connection.execute("UPDATE entries SET line = 'x' || line WHERE sequence = 1")
    connection.close()


def test_a_repair_can_be_repaired_again(tmp_path: Path) -> None:
    """The copy is of before the first repair, so its numbers mean other lines than the mended journal's."""
    whole = record(tmp_path / JOURNAL_FILE, copied=(3,))
    for copy in copies(tmp_path / JOURNAL_FILE):
        copy.rename(tmp_path / "kept-away")
    spoil(tmp_path / JOURNAL_FILE, 2, 3, 20)
    opened(tmp_path).close()
    (tmp_path / "kept-away").rename(tmp_path / "journal.copy-1.sqlite")
    spoil(tmp_path / JOURNAL_FILE, 1, 2, 3)
    spoil(tmp_path / JOURNAL_FILE, 4, 2, 3)
    table = opened(tmp_path)
    kept = lines_of(table.journal)
    assert kept[1] == whole[1] and kept[3] == whole[3]
    assert kept[4] == whole[4][: 30 + 3]
    assert kept[2] == whole[2][: 2 * 30 + 20]
    assert asides(tmp_path) == ["journal.damaged-1.sqlite", "journal.damaged-2.sqlite"]
    table.close()


def test_a_match_that_is_gone_on_with_after_a_repair_goes_on(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path)
    people = HonestPeople(rig, 5)
    people.play_round()
    rig.begin()
    rig.tap("r3")
    rig.opened.close()
    with sqlite3.connect(tmp_path / JOURNAL_FILE) as connection:
        connection.execute("DROP TRIGGER IF EXISTS entries_are_not_changed")
        connection.execute("UPDATE entries SET line = 'x' WHERE sequence = (SELECT max(sequence) FROM entries)")
    connection.close()
    again = Rig(setup(), tmp_path)
    assert again.opened.is_resumed and again.state.match.round_number == 2 and again.state.match.turn == 1
    assert "from round 2 on" in again.state.messages[0]
    again.press("yes")
    again.tap("r3")
    assert again.state.match.turn == 2
    again.opened.close()


@pytest.mark.parametrize("place", [0, 16, 30, 60, 108, 600, 3_900], ids=str)
def test_damage_in_the_first_page_loses_nothing_though_there_is_no_copy(tmp_path: Path, place: int) -> None:
    """Header and tables are alike in all journals, so those of a new one are used to read the rest."""
    path = tmp_path / JOURNAL_FILE
    whole = record(path)
    content = path.read_bytes()
    path.write_bytes(content[:place] + b"\xff\xfe\xfd\xfc" + content[place + 4 :])
    table = opened(tmp_path)
    if (tmp_path / "journal.newer-1.sqlite").exists():
        assert "newer Last Card" in table.state.messages[0]
    else:
        assert lines_of(table.journal) == whole, table.state.messages
    table.close()


# -- files that are none -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_mark", [True, False])
@pytest.mark.parametrize("kind", ["directory", "no bytes", "nothing there", "text"])
def test_whatever_lies_where_the_journal_was_its_copy_comes_back(tmp_path: Path, kind: str, has_mark: bool) -> None:
    path = tmp_path / JOURNAL_FILE
    whole = record(path, copied=(4,))
    if not has_mark:
        mark_path(path).unlink()
    path.unlink()
    if kind == "directory":
        path.mkdir()
        (path / "something").write_text("kept")
    elif kind != "nothing there":
        path.write_bytes(b"" if kind == "no bytes" else b"shopping list")
    table = opened(tmp_path)
    assert lines_of(table.journal) == whole and table.state.trouble == ""
    assert "its copy journal.copy-1.sqlite is restored" in table.state.messages[0]
    told = "whatever was played after round 3 of the match of 29 November 2026"
    assert ("Nothing is lost" if has_mark else told) in table.state.messages[0]
    table.close()
    if kind == "directory":
        assert (tmp_path / "journal.damaged-1.sqlite" / "something").read_text() == "kept"


def test_an_empty_directory_in_the_way_without_copies_is_moved_aside(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_FILE).mkdir()
    table = opened(tmp_path)
    assert table.state.trouble == "" and "a new record is begun" in table.state.messages[0]
    table.close()


def test_a_first_start_says_nothing(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_FILE).touch()
    table = opened(tmp_path)
    assert table.state.messages == () and table.state.trouble == ""
    table.close()


def test_the_journal_of_a_newer_program_is_kept_whole_and_play_goes_on_in_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    record(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    content = path.read_bytes()
    for command in (history, export, stats):
        result = CliRunner().invoke(command, ["--state-directory", str(tmp_path)])
        assert isinstance(result.exception, StoreNewerError) and "newer Last Card" in str(result.exception)
    table = opened(tmp_path)
    assert (tmp_path / "journal.newer-1.sqlite").read_bytes() == content
    assert "made by a newer Last Card" in table.state.messages[0] and table.state.trouble == ""
    assert not table.is_resumed and table.journal.match == 1
    table.close()


def test_the_tag_list_of_a_newer_program_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "tags.sqlite"
    Registry(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    content = path.read_bytes()
    table = open_table(files(tmp_path), setup(), 0)
    assert "newer Last Card" in table.state.messages[0] and path.read_bytes() == content
    table.close()


def test_a_journal_of_the_version_before_is_brought_up_to_date_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    whole = record(path)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER matches_are_not_changed")
        for column in ("after_sequence", "checksum"):
            connection.execute(f"ALTER TABLE matches DROP COLUMN {column}")
        connection.execute(
            "CREATE TRIGGER matches_are_not_changed BEFORE UPDATE ON matches "
            "BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END"
        )
        connection.execute("PRAGMA user_version=1")
    connection.close()
    listed = CliRunner().invoke(history, ["--state-directory", str(tmp_path)])
    assert len(listed.stdout.splitlines()) == len(DAYS), listed.output
    table = opened(tmp_path)
    assert lines_of(table.journal) == whole and table.state.messages == () and table.is_resumed
    assert damage_of(table.journal._connection) == "" and table.journal.match == len(DAYS)
    table.close()


def test_a_damaged_list_of_command_tags_is_told(tmp_path: Path) -> None:
    open_commands(tmp_path / COMMANDS_FILE).tags.close()
    (tmp_path / COMMANDS_FILE).write_bytes(b"damaged")
    table = open_table(files(tmp_path), setup(), 0)
    assert "The list of command tags was unreadable" in table.state.messages[0]
    assert str(tmp_path / "commands.damaged-1.sqlite") in table.state.messages[0]
    table.close()


# -- what the commands say ---------------------------------------------------------------------------------------


def test_the_commands_work_on_what_can_be_read_and_name_what_can_not(tmp_path: Path) -> None:
    record(tmp_path / JOURNAL_FILE)
    spoil(tmp_path / JOURNAL_FILE, 2, 1, 5)
    content = (tmp_path / JOURNAL_FILE).read_bytes()
    for command in (history, export, stats):
        result = CliRunner().invoke(command, ["--state-directory", str(tmp_path)])
        assert result.exit_code == 0, result.output
        assert "the match of 21 November 2026 from round 1 on" in result.stderr
    listed = CliRunner().invoke(history, ["--state-directory", str(tmp_path)]).stdout
    assert [line.split()[0] for line in listed.splitlines()] == ["1", "2", "3", "4"]
    assert (tmp_path / JOURNAL_FILE).read_bytes() == content


def test_a_match_that_another_program_wrote_is_named_and_the_others_are_listed(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    record(path)
    journal = open_journal(path, wall_time=lambda: "2026-12-01T10:00:00", boot="").journal
    journal.begin_match(header_text(setup()))
    journal.append([Entry("@0 Ann: levitates", 1)])
    journal.close()
    for command in (history, stats):
        result = CliRunner().invoke(command, ["--state-directory", str(tmp_path)])
        assert result.exit_code == 0 and "Match 5 of 1 December 2026 can't be read" in result.stderr
    assert len(CliRunner().invoke(history, ["--state-directory", str(tmp_path)]).stdout.splitlines()) == 4


# -- large journals ----------------------------------------------------------------------------------------------


def test_a_large_journal_is_looked_through_beside_the_play_and_mended_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    record(path, copied=(1,))
    with_padding(path)
    spoil(path, 2, 2, 5)
    table = opened(tmp_path)
    assert table.state.messages == ()
    worker = table.journal._care._working
    assert worker is not None
    worker.join(60)
    assert "Start the table anew" in table.journal.standing_trouble
    before = [path.name for path in tmp_path.glob("*.copy-*")]
    table.journal.copy()
    worker = table.journal._care._working
    assert worker is not None
    worker.join(60)
    assert [path.name for path in tmp_path.glob("*.copy-*")] == before
    table.close()
    again = opened(tmp_path)
    assert "the match of 21 November 2026 from round 2 on" in again.state.messages[0]
    again.close()
    third = opened(tmp_path)
    assert third.state.messages == ()
    third.close()


def test_a_large_journal_is_copied_beside_the_play(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    record(path)
    with_padding(path)
    table = opened(tmp_path)
    for _wait in range(2):  # the first is of the look through, after which the copy is begun
        worker = table.journal._care._working
        assert worker is not None
        worker.join(60)
        if _wait == 0:
            table.journal.copy()
    assert [copy.name for copy in copies(path)] == ["journal.copy-1.sqlite"]
    assert table.journal.standing_trouble == ""
    table.close()


def with_padding(path: Path) -> None:
    """As large as after a hundred evenings, without their lines: each with a long name for where it came from."""
    journal = open_journal(path, wall_time=lambda: "2026-11-29T18:00:00", boot="boot").journal
    journal.append([Entry(f"@{number} Ann: uno", 3, source="x" * 4_000) for number in range(1_200)])
    journal.close()
    assert path.stat().st_size > CHECKED_AT_ONCE_BYTES


# -- any damage at all -------------------------------------------------------------------------------------------


def left_by_a_kill(path: Path, folder: Path) -> None:
    """The files of a table whose process was killed: with its log."""
    table = open_table(files(path.parent), setup(), 0, tags={})
    table.journal.append([Entry("@0 table: deal 7", 1), Entry("@0 table: start r9", 1)])
    # What came before is in the file itself, so that the log is short enough to be cut at every byte.
    table.journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for number in range(1, DRAWN + 1):
        table.journal.append([Entry(f"@{number} Ann: draw", 1), Entry(f"@{number} Ann: keep", 1)])
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", folder / f"{JOURNAL_FILE}{suffix}")
    table.close()


def cuts(size: int, is_long: bool, numbers: random.Random) -> Iterator[int]:
    yield from (
        range(size) if is_long else sorted({0, 1, 31, 32, size - 1, *(numbers.randrange(size) for _ in range(40))})
    )


@pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=[pytest.mark.long, pytest.mark.timeout(3600)])])
def test_a_table_starts_with_its_log_cut_at_any_byte(tmp_path: Path, is_long: bool) -> None:
    """A log that ends too soon is no damage: a power cut does that, and what was not on the disk was not shown."""
    source, left = tmp_path / "source", tmp_path / "left"
    source.mkdir()
    left.mkdir()
    left_by_a_kill(source / JOURNAL_FILE, left)
    log = (left / f"{JOURNAL_FILE}-wal").read_bytes()
    whole = ["@0 table: deal 7", "@0 table: start r9"]
    whole += [f"@{number} Ann: {word}" for number in range(1, DRAWN + 1) for word in ("draw", "keep")]
    torn = tmp_path / "torn"
    for cut in cuts(len(log), is_long, random.Random(SEED)):
        torn.mkdir()
        shutil.copy(left / JOURNAL_FILE, torn)
        (torn / f"{JOURNAL_FILE}-wal").write_bytes(log[:cut])
        table = opened(torn)
        found = lines_of(table.journal)
        where = f"log cut at {cut} (seed {SEED})"
        assert table.state.trouble == "" and found[1][:2] == whole[:2] and found[1] == whole[: len(found[1])], where
        table.close()
        shutil.rmtree(torn)


@pytest.mark.parametrize("count", [150, pytest.param(2_000, marks=[pytest.mark.long, pytest.mark.timeout(3600)])])
def test_whatever_byte_flips_the_table_starts_and_no_line_is_another(tmp_path: Path, count: int) -> None:
    source = tmp_path / "source"
    source.mkdir()
    whole = record(source / JOURNAL_FILE, turns=12, copied=(2,))
    content = (source / JOURNAL_FILE).read_bytes()
    numbers = random.Random(SEED)
    torn = tmp_path / "torn"
    for _flip in range(count):
        place, bit = numbers.randrange(len(content)), 1 << numbers.randrange(8)
        where = f"bit {bit} of byte {place} (seed {SEED})"
        shutil.copytree(source, torn)
        (torn / JOURNAL_FILE).write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
        table = opened(torn)
        found = lines_of(table.journal)
        told = " ".join(table.state.messages)
        assert table.state.trouble == "", where
        for number, lines in found.items():
            if "newer Last Card" not in told and number in whole:
                assert lines == whole[number][: len(lines)], f"{where}: {told}"
        if found != whole:
            assert "Lost" in told or "newer" in told or "begun" in told, f"{where}: {told}"
        if told:
            assert [path for path in torn.iterdir() if "damaged" in path.name or "newer" in path.name], where
        table.close()
        shutil.rmtree(torn)


# -- cut off while it is mended ----------------------------------------------------------------------------------


class PowerCutError(BaseException):
    """The power goes between two renames."""


@pytest.mark.parametrize("renames", range(4))
def test_wherever_the_power_goes_while_a_record_is_put_aside_nothing_of_it_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    """Before the mended record has its place the damaged one is read once more, and what is lost is told then."""
    journal = open_journal(tmp_path / "before.sqlite", wall_time=lambda: "2026-11-20T18:00:00", boot="boot").journal
    journal.begin_match(header_text(setup()))
    for turn in range(40):
        journal.append([Entry(f"@{turn} Ann: draw", 1)])
        if turn == 20:
            journal.copy()
    whole, path = lines_of(journal), tmp_path / "cut" / "before.sqlite"
    shutil.copytree(tmp_path, path.parent, ignore=shutil.ignore_patterns("cut"))
    journal.close()
    log = path.with_name(path.name + "-wal")
    content = bytearray(log.read_bytes())
    content[60] ^= 1  # the first frame does not hold, and none behind it is believed
    log.write_bytes(content)
    done: list[Path] = []
    real = {name: getattr(Path, name) for name in ("rename", "replace")}

    def cut_after(name: str) -> Callable[[Path, Path], Path]:
        def renamed(self: Path, target: Path) -> Path:
            if len(done) == renames:
                raise PowerCutError
            done.append(self)
            moved: Path = real[name](self, target)
            return moved

        return renamed

    for name in real:
        monkeypatch.setattr(Path, name, cut_after(name))
    with pytest.raises(PowerCutError):
        open_journal(path, wall_time=lambda: "", boot="boot")
    monkeypatch.undo()
    again = open_journal(path, wall_time=lambda: "", boot="boot")
    assert lines_of(again.journal) == whole and again.losses is not None and again.moved_aside is not None
    assert asides(path.parent) == [again.moved_aside.name]
    again.journal.close()
