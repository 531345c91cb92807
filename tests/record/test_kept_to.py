"""What people are told of how far the record goes: when asked whether to go on, and where nothing could be read."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from table_app.play.state import Pause
from table_app.record.copies import copies
from table_app.record.journal import Entry
from table_app.record.journal_log import mark_path
from table_app.table import open_table
from table_app.table.opening import JOURNAL_FILE
from table_app.transcript import header_text
from table_app.view.present import present
from table_app.view.table_view import StartScreen
from tests.record.test_log_damage import FRAME_BYTES, LOG, journal_in, pulled
from tests.table.rig import Rig, files, setup

VOUCHED = "Nothing that was ruled is lost."
FRAMES_LOST = 2
"""The last line, and no more than a line or two before it."""

UNSURE = "This match is kept up to "


def asked(rig: Rig) -> str:
    """What the question whether to go on says."""
    assert rig.state.pause is Pause.RESUMED
    screen = present(rig.state, rig.now_ms).screen
    assert isinstance(screen, StartScreen)
    return " ".join(screen.paragraphs)


def power_cut(rig: Rig, folder: Path, into: Path) -> Path:
    """The files as they lie on the disk at this moment, in another folder."""
    shutil.copytree(folder, into)
    (into / f"{JOURNAL_FILE}-shm").unlink(missing_ok=True)
    (into / "table.lock").unlink(missing_ok=True)
    rig.opened.close()
    return into


def in_mid_round(place: Path) -> Path:
    rig = Rig(directory=place / "playing")
    rig.begin()
    rig.tap("r3")
    return power_cut(rig, place / "playing", place / "left")


def cut_log(folder: Path) -> None:
    log = folder / LOG
    log.write_bytes(log.read_bytes()[: -FRAMES_LOST * FRAME_BYTES])


def cut_in_half(folder: Path) -> None:
    log = folder / LOG
    content = log.read_bytes()
    log.write_bytes(content[: len(content) // 2])


def no_mark(folder: Path) -> None:
    mark_path(folder / JOURNAL_FILE).unlink()


def spoilt_mark(folder: Path) -> None:
    mark_path(folder / JOURNAL_FILE).write_bytes(bytes(1024))


def test_where_mark_and_record_agree_nothing_is_lost(tmp_path: Path) -> None:
    left = in_mid_round(tmp_path)
    rig = Rig(directory=left)
    assert VOUCHED in asked(rig) and UNSURE not in asked(rig)
    rig.opened.close()


@pytest.mark.parametrize("damage", [cut_log, cut_in_half, no_mark, spoilt_mark])
def test_where_something_is_lost_or_may_be_the_question_never_says_that_nothing_is(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    left = in_mid_round(tmp_path)
    damage(left)
    for start in range(3):  # the power goes again and again while it asks, and the files are as they were then
        rig = Rig(directory=left)
        assert bool(rig.state.messages) is (start == 0)
        said = asked(rig)
        assert VOUCHED not in said and UNSURE in said, f"start {start}: {said}"
        assert ("Does this card lie on top" in said) is (damage is not cut_in_half)
        left = power_cut(rig, left, tmp_path / f"again-{start}")
    rig = Rig(directory=left)
    rig.press("yes")
    if damage is cut_in_half:
        rig.begin()
    rig.tap("b3")
    left = power_cut(rig, left, tmp_path / "played-on")
    rig = Rig(directory=left)
    assert VOUCHED in asked(rig), "somebody looked, and a card was ruled on since"
    rig.opened.close()


def test_a_match_that_is_taken_up_later_is_no_surer_for_what_was_played_in_another(tmp_path: Path) -> None:
    left = in_mid_round(tmp_path)
    cut_log(left)
    rig = Rig(directory=left)
    rig.press("again")
    rig.begin()
    rig.tap("r3")
    left = power_cut(rig, left, tmp_path / "two")
    rig = Rig(directory=left)
    assert VOUCHED in asked(rig)
    rig.press("older", "take-up:1")
    assert UNSURE in asked(rig) and VOUCHED not in asked(rig)
    rig.press("older", "take-up:2")
    assert VOUCHED in asked(rig)
    rig.opened.close()


def test_a_table_whose_disk_can_only_be_read_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from table_app.record.errors import StoreError
    from table_app.table import opening

    left = in_mid_round(tmp_path)

    def refused(*_path: object, **_named: object) -> None:
        raise StoreError("no room")

    monkeypatch.setattr(opening, "open_journal", refused)
    rig = Rig(directory=left)
    assert VOUCHED in asked(rig)
    rig.opened.close()
    cut_log(left)
    rig = Rig(directory=left)
    assert VOUCHED not in asked(rig) and UNSURE in asked(rig)
    rig.opened.close()


# -- where nothing could be read ---------------------------------------------------------------------------------


def log_gone(folder: Path) -> None:
    (folder / LOG).unlink()


def emptied(folder: Path) -> None:
    (folder / JOURNAL_FILE).write_bytes(b"")
    (folder / LOG).unlink()


def junk(folder: Path) -> None:
    size = (folder / JOURNAL_FILE).stat().st_size
    (folder / JOURNAL_FILE).write_bytes(b"junk" * (size // 4))
    (folder / LOG).write_bytes(b"junk" * 4096)


def only_a_log(folder: Path) -> None:
    (folder / JOURNAL_FILE).unlink()
    (folder / LOG).write_bytes((folder / LOG).read_bytes()[:40])


@pytest.mark.parametrize("matches", [1, 2])
@pytest.mark.parametrize("damage", [log_gone, emptied, junk, only_a_log])
def test_what_the_mark_alone_remembers_is_named(tmp_path: Path, damage: Callable[[Path], None], matches: int) -> None:
    with closing(journal_in(tmp_path / "playing")) as journal:
        for _match in range(matches):
            journal.begin_match(header_text(setup()))
            journal.append([Entry("@0 table: deal 7", 1), Entry("@1 table: start r9", 1)])
        pulled(journal, tmp_path / "left")
    left = tmp_path / "left"
    assert not copies(left / JOURNAL_FILE)
    damage(left)
    table = open_table(files(left), setup(), 0, tags={})
    told = [str(message) for message in table.state.messages]
    table.close()
    assert "the match of 29 November 2026, up to 18:04" in told[0], told
    if damage is not log_gone:  # there, the file knows the first match by itself
        assert ("whatever was played before that" in told[0]) is (matches > 1), told
    if damage is only_a_log:
        aside = next(left.glob("*damaged*-wal"))
        assert told[1] == f"The record was gone; its log is kept as {aside}."


def test_a_mark_that_is_written_again_at_a_start_keeps_the_time_of_the_last_line(tmp_path: Path) -> None:
    with closing(journal_in(tmp_path / "playing")) as journal:
        journal.begin_match(header_text(setup()))
        journal.append([Entry("@0 table: deal 7", 1), Entry("@1 table: start r9", 1)])
    open_table(files(tmp_path / "playing"), setup(), 0, tags={}).close()
    emptied_path = tmp_path / "playing" / JOURNAL_FILE
    emptied_path.write_bytes(b"")
    table = open_table(files(tmp_path / "playing"), setup(), 0, tags={})
    assert "the match of 29 November 2026, up to 18:04" in table.state.messages[0]
    table.close()
