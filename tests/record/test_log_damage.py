"""Whatever becomes of a journal's log: every ruling that was shown is there, or what is missing is told.

A sample here; every byte of each log cut and every hundredth bit flipped, with the count of cases and of silent losses:
``pytest -m long -s tests/record/test_log_damage.py``.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hardware.diagnosis.checks import Status
from table_app.cli.doctor.journal_check import journal_check
from table_app.record.archive import open_records
from table_app.record.copies import copies
from table_app.record.errors import StoreError
from table_app.record.journal import Entry, Journal, open_journal
from table_app.record.journal_log import SLOT_BYTES, Mark, mark_path, read_mark, write_mark
from table_app.record.read_only_journal import read_journal
from table_app.record.schema import APPLICATION_ID, SCHEMA
from table_app.table import open_table
from table_app.table.opening import JOURNAL_FILE
from table_app.transcript import header_text
from tests.table.rig import files, setup

SEED = 20_28
LOG = f"{JOURNAL_FILE}-wal"
HEADER_BYTES, FRAME_BYTES = 32, 24 + 4096
TOLD = ("Lost: ", "nothing could be read", "The record goes up to ", "The record holds nothing", "newer Last Card")
EVERY_BITS = 100
EXAMINED_EVERY = 8
"""Of so many cases of a long run doctor looks at one; in the sample at each."""

MOMENTS = 4

Lines = dict[int, list[str]]

MEMORY = Path("/dev/shm")


@pytest.fixture
def quick_path(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory, where there is one: each case writes a journal, and none is about the disk."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


def lines_of(journal: Journal) -> Lines:
    return {record.number: [entry.line for entry in journal.entries(record.number)] for record in journal.matches()}


# -- tables whose plug is pulled ---------------------------------------------------------------------------------


def journal_in(folder: Path, minute: int = 4) -> Journal:
    folder.mkdir()
    path = folder / JOURNAL_FILE
    return open_journal(path, wall_time=lambda: f"2026-11-29T18:{minute:02}:00.000+00:00", boot="boot").journal


def play(journal: Journal, player: str, turns: range, round_number: int = 1) -> None:
    for turn in turns:
        line = "table: deal 7" if turn == 0 else "table: start r9" if turn == 1 else f"{player}: draw {turn}"
        journal.append([Entry(f"@{turn} {line}", round_number)])


def pulled(journal: Journal, folder: Path) -> Lines:
    """What was shown until now. The files lie in *folder* as they do when the plug is pulled."""
    shutil.copytree(journal.path.parent, folder)
    for name in (f"{JOURNAL_FILE}-shm", "table.lock"):
        (folder / name).unlink(missing_ok=True)
    return lines_of(journal)


def all_in_the_log(place: Path, player: str = "Ann", turns: int = 4, minute: int = 4) -> Lines:
    """The first match: only its head was folded so far."""
    with closing(journal_in(place / "playing", minute)) as journal:
        journal.begin_match(header_text(setup()))
        play(journal, player, range(turns))
        return pulled(journal, place / "left")


def after_rounds(place: Path) -> Lines:
    """Two matches with a copy at each round's end, and a round under way."""
    with closing(journal_in(place / "playing")) as journal:
        for _match in range(2):
            journal.begin_match(header_text(setup()))
            for round_number in (1, 2):
                play(journal, "Ann", range(5), round_number)
                journal.copy()
        play(journal, "Ann", range(3), 3)
        return pulled(journal, place / "left")


def folded(place: Path) -> Lines:
    """Nobody has done anything for a second: the log holds nothing that the file has not."""
    with closing(journal_in(place / "playing")) as journal:
        journal.begin_match(header_text(setup()))
        play(journal, "Ann", range(4))
        journal.fold()
        return pulled(journal, place / "left")


def folded_late(place: Path) -> Lines:
    """Somebody read all the while, so that nothing could be folded; then it was, and the log holds many acts."""
    with closing(journal_in(place / "playing")) as journal:
        journal.begin_match(header_text(setup()))
        with closing(sqlite3.connect(journal.path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entries").fetchone()
            for turns in (range(2), range(2, 4)):
                play(journal, "Ann", turns)
                journal.copy()
            reader.execute("COMMIT")
        journal.fold()
        return pulled(journal, place / "left")


def by_the_program_before(place: Path) -> Lines:
    """All in the log, tables too, the file 4,096 bytes; no mark. Only its copies knew how far it went."""
    (place / "playing").mkdir()
    path = place / "playing" / JOURNAL_FILE
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(f"BEGIN; PRAGMA application_id={APPLICATION_ID}; {SCHEMA}; COMMIT")
        journal = Journal(connection, path, lambda: "2026-11-29T18:04:00.000+00:00", "boot")
        journal.fold = lambda: None  # type: ignore[method-assign]
        journal.begin_match(header_text(setup()))
        play(journal, "Ann", range(3))
        mark_path(path).unlink()
        return pulled(journal, place / "left")


# -- what becomes of it ------------------------------------------------------------------------------------------


@dataclass
class Left:
    """A folder as a pulled plug leaves it, to be damaged again and again."""

    folder: Path
    torn: Path
    shown: Lines

    @property
    def log(self) -> bytes:
        return (self.folder / LOG).read_bytes()

    def damaged(self, log: bytes | None, *, is_examined: bool = True) -> str:
        """Open it with this *log* (None: with none), and let doctor look before; what is wrong, or nothing."""
        shutil.rmtree(self.torn, ignore_errors=True)
        shutil.copytree(self.folder, self.torn)
        (self.torn / LOG).unlink()
        if log is not None:
            (self.torn / LOG).write_bytes(log)
        return self.found_wrong(is_examined=is_examined)

    def found_wrong(self, *, is_examined: bool = True) -> str:
        """What is wrong with what doctor and a table say of the torn folder, or nothing."""
        return (is_examined and self._examined()) or self._opened()

    def _examined(self) -> str:
        """What doctor and the commands say of it: they change nothing, so it is damaged still."""
        path = self.torn / JOURNAL_FILE
        before = self._content()
        check = journal_check(path)
        if check.status is Status.PASSED and " is whole" in check.sentence:
            with open_records(path) as journal:
                if lines_of(journal) != self.shown:
                    return f"doctor: {check.sentence}"
        return "doctor changed it" if self._content() != before else ""

    def _content(self) -> dict[str, bytes]:
        """What lies there; but for what SQLite makes to read a file, an index and an empty log."""
        content = {part.name: part.read_bytes() for part in self.torn.iterdir() if not part.name.endswith("-shm")}
        return {name: found for name, found in content.items() if found or name != LOG}

    def _opened(self) -> str:
        table = open_table(files(self.torn), setup(), 0, tags={})
        try:
            told, trouble = " ".join(table.state.messages), table.state.trouble
            found = lines_of(table.journal)
        finally:
            table.close()
        if trouble:
            return trouble
        if "newer Last Card" in told:
            return ""
        for number, lines in found.items():
            if lines != self.shown.get(number, [])[: len(lines)]:
                return f"a line that was never shown in match {number}: {told}"
        is_whole = all(found.get(number) == lines for number, lines in self.shown.items())
        if is_whole:
            return ""
        return "" if "Nothing is lost" not in told and any(word in told for word in TOLD) else f"silent: {told}"


def left_by(make: Callable[[Path], Lines], place: Path, *, has_copies: bool = True, has_mark: bool = True) -> Left:
    shown = make(place)
    left = Left(place / "left", place / "torn", shown)
    if not has_copies:
        for copy in copies(left.folder / JOURNAL_FILE):
            copy.unlink()
    if not has_mark:
        mark_path(left.folder / JOURNAL_FILE).unlink(missing_ok=True)
    return left


def swapped_frames(log: bytes) -> Iterator[bytes]:
    """Each frame in the place of the next."""
    for place in range(HEADER_BYTES, len(log) - 2 * FRAME_BYTES + 1, FRAME_BYTES):
        first, second = log[place : place + FRAME_BYTES], log[place + FRAME_BYTES : place + 2 * FRAME_BYTES]
        yield log[:place] + second + first + log[place + 2 * FRAME_BYTES :]


def cases(left: Left, foreign: bytes, places: list[int], bits: list[int]) -> Iterator[tuple[str, bytes | None]]:
    """Damaged logs, each with what was done to it."""
    log = left.log
    yield "absent", None
    yield "foreign", foreign
    yield "without a header", bytes(HEADER_BYTES) + log[HEADER_BYTES:]
    yield "zeroed", bytes(len(log))
    for number, swapped in enumerate(swapped_frames(log)):
        yield f"frames {number} and {number + 1} swapped", swapped
    for place in range(HEADER_BYTES, len(log), FRAME_BYTES):
        yield f"zeroed from {place} on", log[:place] + bytes(len(log) - place)
        yield f"a frame zeroed at {place}", log[:place] + bytes(FRAME_BYTES) + log[place + FRAME_BYTES :]
    for place in places:
        yield f"cut at {place}", log[:place]
    for bit in bits:
        place = bit // 8
        yield f"bit {bit} flipped", log[:place] + bytes([log[place] ^ 1 << bit % 8]) + log[place + 1 :]


def tried(left: Left, foreign: bytes, *, has_mark: bool, step: int) -> tuple[int, list[str]]:
    """How many cases, and what was wrong with which. The log is cut at every *step*-th byte; 0: a sample."""
    size = len(left.log)
    numbers = random.Random(SEED)
    places = {place for near in range(HEADER_BYTES, size + 1, FRAME_BYTES) for place in (near - 1, near)}
    places |= {*range(0, size, step)} if step else {numbers.randrange(size) for _ in range(6)}
    bits = list(range(numbers.randrange(EVERY_BITS), size * 8, EVERY_BITS))
    wrong, count = [], 0
    for what, log in cases(left, foreign, sorted(places), bits if step else numbers.sample(bits, 12)):
        count += 1
        said = left.damaged(log, is_examined=not step or count % EXAMINED_EVERY == 0)
        # Of lines alone nobody can tell whose they are: then it says up to when the record goes.
        is_unknowable = what == "foreign" and not has_mark and "The record goes up to" in said
        if said and not is_unknowable:
            wrong.append(f"{what} (seed {SEED}): {said}")
    return count, wrong


KINDS = [
    (all_in_the_log, False, True),
    (all_in_the_log, False, False),
    (after_rounds, True, True),
    (after_rounds, False, True),
    (after_rounds, True, False),
    (after_rounds, False, False),
    (folded, False, True),
    (folded, False, False),
    (folded_late, False, True),
    (folded_late, False, False),
    (by_the_program_before, False, False),
]


@pytest.mark.parametrize(
    "is_long",
    [
        pytest.param(False, id="sample"),
        pytest.param(True, id="every byte", marks=[pytest.mark.long, pytest.mark.timeout(7200)]),
    ],
)
@pytest.mark.parametrize(("make", "has_copies", "has_mark"), KINDS)
def test_all_is_there_or_what_is_missing_is_told(
    quick_path: Path, make: Callable[[Path], Lines], has_copies: bool, has_mark: bool, is_long: bool
) -> None:
    left = left_by(make, quick_path, has_copies=has_copies, has_mark=has_mark)
    (quick_path / "other").mkdir()
    all_in_the_log(quick_path / "other", "Cy", 9, minute=5)
    foreign = (quick_path / "other" / "left" / LOG).read_bytes()
    assert left.damaged(left.log) == "", "as it was left"
    count, wrong = tried(left, foreign, has_mark=has_mark, step=int(is_long))
    kind = f"{make.__name__}, {'with' if has_copies else 'no'} copies, {'with' if has_mark else 'no'} mark"
    sys.stdout.write(f"\n{kind}: {count} cases, {len(wrong)} silent or wrong\n")
    assert not wrong, "\n".join(wrong[:20])


def spoilt(content: bytes, how: str, numbers: random.Random) -> bytes | None:
    """What becomes of a file that a bad card holds; None: it is gone."""
    place = numbers.randrange(max(len(content), 1))
    sector = place // SLOT_BYTES * SLOT_BYTES
    behind = content[sector + SLOT_BYTES :]
    match how:
        case "gone":
            return None
        case "a bit flipped":
            return (
                content[:place]
                + bytes(byte ^ 1 << numbers.randrange(8) for byte in content[place:][:1])
                + (content[place + 1 :])
            )
        case "cut":
            return content[:place]
        case "zeroed":
            return bytes(len(content))
        case "a sector zeroed":
            return content[:sector] + bytes(len(content[sector:][:SLOT_BYTES])) + behind
    return content[:sector] + numbers.randbytes(len(content[sector:][:SLOT_BYTES])) + behind


SPOILT = ("gone", "a bit flipped", "cut", "zeroed", "a sector zeroed", "a sector overwritten")


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(60, id="sample"),
        pytest.param(3_000, id="many", marks=[pytest.mark.long, pytest.mark.timeout(7200)]),
    ],
)
def test_whichever_of_its_files_are_spoilt_together_it_is_told(quick_path: Path, count: int) -> None:
    """The file, its log, its mark and its copies, up to three at once."""
    numbers = random.Random(SEED)
    lefts = []
    for make in (all_in_the_log, after_rounds, folded, folded_late):
        place = quick_path / make.__name__
        place.mkdir()
        lefts.append((make.__name__, left_by(make, place)))
    wrong = []
    for number in range(count):
        kind, left = numbers.choice(lefts)
        names = sorted(part.name for part in left.folder.iterdir())
        shutil.rmtree(left.torn, ignore_errors=True)
        shutil.copytree(left.folder, left.torn)
        done = {
            name: numbers.choice(SPOILT) for name in numbers.sample(names, min(numbers.choice((1, 2, 3)), len(names)))
        }
        for name, how in done.items():
            content = spoilt((left.folder / name).read_bytes(), how, numbers)
            (left.torn / name).unlink() if content is None else (left.torn / name).write_bytes(content)
        is_unknowable = not any(left.torn.iterdir())
        if (said := left.found_wrong()) and not is_unknowable:
            wrong.append(f"{number} of seed {SEED}, {kind}, {done}: {said}")
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("table", [b"entries", b"matches"])
def test_names_in_the_file_that_are_no_text_any_more_are_damage_and_no_traceback(
    quick_path: Path, table: bytes
) -> None:
    """SQLite quotes such a name in what it says, and Python can't read that."""
    left = left_by(folded, quick_path)
    path = left.folder / JOURNAL_FILE
    (left.folder / LOG).write_bytes(b"")
    content = path.read_bytes().replace(table * 2, b"\xef" + table[1:] + table, 1)
    path.write_bytes(content.replace(b"CREATE TABLE " + table, b"CREATE TABXE " + table))
    with suppress(StoreError), open_records(path) as journal:
        assert lines_of(journal) == left.shown
    read_journal(path, wall_time=lambda: "", boot="").journal.close()
    assert left.damaged(b"") == ""


@pytest.mark.parametrize("mark", [None, b"", bytes(2 * SLOT_BYTES)], ids=["gone", "empty", "zeroed"])
def test_a_file_that_is_gone_comes_back_from_its_log_though_no_mark_tells_of_it(
    quick_path: Path, mark: bytes | None
) -> None:
    left = left_by(by_the_program_before, quick_path, has_copies=False)
    (left.folder / JOURNAL_FILE).unlink()
    if mark is not None:
        mark_path(left.folder / JOURNAL_FILE).write_bytes(mark)
    assert journal_check(left.folder / JOURNAL_FILE).status is Status.FAILED
    with open_records(left.folder / JOURNAL_FILE) as journal:
        assert lines_of(journal) == left.shown
    table = open_table(files(left.folder), setup(), 0, tags={})
    assert lines_of(table.journal) == left.shown
    table.close()


def test_of_a_record_of_which_only_a_spoilt_mark_is_left_it_is_said_that_nothing_shows_more(quick_path: Path) -> None:
    left = left_by(folded, quick_path)
    for part in left.folder.iterdir():
        part.unlink() if part.name != "journal.mark" else part.write_bytes(bytes(2 * SLOT_BYTES))
    table = open_table(files(left.folder), setup(), 0, tags={})
    assert [str(said) for said in table.state.messages] == [
        "The record holds nothing that was played. Nothing shows whether anything ever was."
    ]
    table.close()


def test_a_mark_whose_later_place_cannot_be_read_does_not_vouch_for_the_end(quick_path: Path) -> None:
    left = left_by(all_in_the_log, quick_path)
    path = left.folder / JOURNAL_FILE
    newest = read_mark(path)
    assert newest is not None
    assert newest.is_surely_last
    marks = bytearray(mark_path(path).read_bytes())
    place = newest.written % 2 * SLOT_BYTES
    marks[place : place + SLOT_BYTES] = bytes(SLOT_BYTES)
    mark_path(path).write_bytes(marks)
    assert left.damaged(left.log[:-1]) == ""
    assert journal_check(path).sentence.endswith("Nothing shows whether more was played after that.")


def test_files_of_different_moments_are_not_taken_for_one_record(quick_path: Path) -> None:
    """A folder that was backed up file by file: its file, its log and its mark each of whichever moment."""
    moments: list[tuple[Path, Lines]] = []
    with closing(journal_in(quick_path / "playing")) as journal:
        journal.begin_match(header_text(setup()))
        for number in range(MOMENTS):
            play(journal, "Ann", range(3 * number, 3 * number + 3))
            if number % 2:
                journal.fold()
            moments.append((quick_path / f"moment-{number}", pulled(journal, quick_path / f"moment-{number}")))
    last = moments[-1][1]
    for (whose_file, _shown), (whose_log, _also), (whose_mark, marked) in product(moments, repeat=3):
        torn = quick_path / "torn"
        shutil.rmtree(torn, ignore_errors=True)
        torn.mkdir()
        for name, whose in ((JOURNAL_FILE, whose_file), (LOG, whose_log), ("journal.mark", whose_mark)):
            shutil.copy(whose / name, torn)
        where = f"file of {whose_file.name}, log of {whose_log.name}, mark of {whose_mark.name}"
        table = open_table(files(torn), setup(), 0, tags={})
        told, found = " ".join(table.state.messages), lines_of(table.journal)
        table.close()
        assert found[1] == last[1][: len(found[1])], f"{where}: {told}"
        if len(found[1]) < len(marked[1]):
            assert "Lost: " in told or "nothing could be read" in told, f"{where}: {told}"


@pytest.mark.parametrize("content", [b"", b"x" * 1024, bytes(1024)], ids=["empty", "junk", "zeroed"])
def test_a_mark_that_cannot_be_read_vouches_for_nothing(quick_path: Path, content: bytes) -> None:
    shown = folded(quick_path)
    (quick_path / "left" / "journal.mark").write_bytes(content)
    for is_again in (False, True):
        table = open_table(files(quick_path / "left"), setup(), 0, tags={})
        assert lines_of(table.journal) == shown
        said = ["The record goes up to 18:04 on 29 November 2026."]
        assert [str(message)[: len(said[0])] for message in table.state.messages] == ([] if is_again else said)
        table.close()


def test_where_the_power_goes_while_the_mark_is_written_the_one_before_holds(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    marks = [Mark(number, number, 7, 1, "2026-11-29T18:04:00") for number in range(1, 6)]
    for before, mark in pairwise(marks):
        write_mark(path, before)
        whole = mark_path(path).read_bytes()
        write_mark(path, mark)
        written = mark_path(path).read_bytes()
        place = mark.written % 2 * SLOT_BYTES
        for cut in range(0, SLOT_BYTES, 64):
            half = written[place : place + cut] + whole[place + cut : place + SLOT_BYTES]
            mark_path(path).write_bytes(written[:place] + half + written[place + SLOT_BYTES :])
            assert read_mark(path) in (before, mark)
        mark_path(path).write_bytes(written)
        assert read_mark(path) == mark
