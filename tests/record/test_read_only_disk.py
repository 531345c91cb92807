"""A disk that takes nothing at the start: what lies there is read, the match goes on, and the table says so."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from table_app.record.archive import open_records, record_of, transcript
from table_app.record.errors import StoreError
from table_app.rules import Card, face
from table_app.table import open_table
from table_app.table.opening import JOURNAL_FILE, REGISTRY_FILE, OpenedTable
from table_app.tags.buttons import COMMANDS_FILE, open_commands
from table_app.tags.registry import open_registry
from tests.programs import requires_program
from tests.record.test_journal import ordinary_user
from tests.table.rig import Rig, files, setup, uid

RED_FIVE = Card(face("r5"), 1)


def evening(folder: Path, *, has_log: bool) -> Rig:
    """A match under way, a card's tag and a button's in the lists; *has_log*: the plug was pulled."""
    rig = Rig(setup(), folder)
    rig.begin()
    rig.tap("r1", "r2")
    if has_log:
        kept = folder.with_name("kept")
        shutil.copytree(folder, kept)
    rig.opened.close()
    if has_log:
        shutil.rmtree(folder)
        kept.rename(folder)
    registry = open_registry(folder / REGISTRY_FILE).tags
    registry.enrol(uid(1), setup().deck, "r5", 1)
    registry.close()
    commands = open_commands(folder / COMMANDS_FILE).tags
    commands.put(uid(2), "draw")
    commands.close()
    return rig


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing in *folder* can be written by whoever this is now."""
    with ordinary_user(folder):
        for path in folder.iterdir():
            path.chmod(0o400)
        folder.chmod(0o500)
        try:
            yield
        finally:
            folder.chmod(0o700)


def goes_on(table: OpenedTable, left: Rig) -> None:
    assert table.is_resumed and table.state.match.hands == left.state.match.hands
    assert table.state.match.top == left.state.match.top and table.state.match.turn == left.state.match.turn
    assert table.state.tags == {uid(1): RED_FIVE, uid(2): "draw"}
    assert "Nothing is kept" in table.state.trouble and table.journal.standing_trouble == table.state.trouble
    assert not table.state.messages, "nothing is lost"


@pytest.mark.parametrize("has_log", [False, True])
@pytest.mark.parametrize("has_lock", [False, True])
def test_a_match_under_way_and_every_tag_are_there_though_nothing_can_be_written(
    tmp_path: Path, has_log: bool, has_lock: bool
) -> None:
    folder = tmp_path / "state"
    left = evening(folder, has_log=has_log)
    assert (folder / f"{JOURNAL_FILE}-wal").exists() == has_log
    if not has_lock:
        (folder / "table.lock").unlink()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with read_only(folder):
        table = open_table(files(folder), setup(), 0)
        goes_on(table, left)
        with pytest.raises(StoreError):
            table.enrol(uid(3), RED_FIVE)
        with open_records(folder / JOURNAL_FILE) as journal:
            assert list(transcript(journal, record_of(journal, None)))[-2:] == ["@2 Ann: r1#1", "@3 Ben: r2#1"]
            assert not journal.standing_trouble, "the record is whole"
        table.close()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_what_can_be_read_of_a_damaged_record_goes_on_though_nothing_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    evening(folder, has_log=False)
    with sqlite3.connect(folder / JOURNAL_FILE) as connection:
        connection.execute("DROP TRIGGER entries_are_not_changed")
        connection.execute("UPDATE entries SET line = 'spoilt' WHERE line LIKE '%r2#1'")
    connection.close()
    with read_only(folder):
        table = open_table(files(folder), setup(), 0)
        assert table.is_resumed and table.state.match.turn == 1 and "Nothing is kept" in table.state.trouble
        assert table.state.messages and "damaged" in table.state.messages[0]
        table.close()


@pytest.mark.parametrize("name", [JOURNAL_FILE, REGISTRY_FILE])
def test_junk_on_a_disk_that_takes_nothing_is_told_and_play_begins(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "state"
    evening(folder, has_log=False)
    (folder / name).write_bytes(os.urandom(5000))
    with read_only(folder):
        table = open_table(files(folder), setup(), 0)
        assert "Nothing is kept" in table.state.trouble
        assert table.is_resumed is (name != JOURNAL_FILE)
        table.close()


ON_A_DISK = """
import sys
from pathlib import Path
from table_app.table import open_table
from table_app.record.archive import open_records
from tests.table.rig import files, setup
folder = Path(sys.argv[1])
table = open_table(files(folder), setup(), 0)
print(table.is_resumed, len(table.state.tags), table.state.messages, table.state.trouble)
with open_records(folder / "journal.sqlite") as journal:
    print(sum(1 for _ in journal.entries(1)), repr(journal.standing_trouble))
"""

READ_ONLY_DISK = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"'
FULL_DISK = (
    'cp -a "$1" "$1.own" && mount -t tmpfs -o size=400k none "$1" && cp -a "$1.own/." "$1" '
    '&& rm -f "$1"/*-shm; cat /dev/zero > "$1/fill" 2>&-; true'
)


@pytest.mark.parametrize("disk", [READ_ONLY_DISK, FULL_DISK], ids=["read-only", "full"])
@pytest.mark.parametrize("has_log", [False, True])
def test_on_a_real_disk_that_is_full_or_read_only_the_match_goes_on(tmp_path: Path, disk: str, has_log: bool) -> None:
    unshare = requires_program("unshare", "util-linux")
    if subprocess.run([unshare, "-rm", "true"], capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount a disk of their own")
    folder = tmp_path / "state"
    evening(folder, has_log=has_log)
    script = f'{disk}; exec "$2" -c "$3" "$1"'
    told = subprocess.run(
        [unshare, "-rm", "sh", "-c", script, "sh", str(folder), sys.executable, ON_A_DISK],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    first, _, second = told.stdout.partition("\n")
    assert first.startswith("True 2 () ") and "Nothing is kept" in first, told
    assert second.strip() == "4 ''", told
