"""What the version before wrote opens, resumes and exports: a journal, a list of tags, a settings file.

``by_the_version_before`` was written by that version (8fbb17e) and is never made anew; ``lines.txt`` is what it ruled.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hardware.readers import split_word
from table_app.record.archive import open_records, record_of, rulings, transcript
from table_app.rules import Card, face
from table_app.settings import read_settings
from table_app.tags.registry import open_registry
from tests.table.rig import Rig, setup, uid

WRITTEN = Path(__file__).parent / "by_the_version_before"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WRITTEN, tmp_path / "table"))


def test_its_journal_is_resumed_and_undone_across_the_change(table: Path) -> None:
    rig = Rig(setup("target: 200"), directory=table, cards_each=2)
    assert rig.lines == (table / "lines.txt").read_text(encoding="utf-8").splitlines()
    match = rig.state.match
    assert ([hand.size for hand in match.hands], match.scores, match.turn) == ([3, 1, 1], (20, 0, 0), 0)
    rig.press("yes", "undo")
    assert rig.state.match.scores == (0, 0, 0)
    rig.press("form:resync")
    rig.tap("b9")
    assert rig.last.ruling.is_ok
    rig.opened.close()


def test_its_journal_is_exported_and_judged_the_same(table: Path) -> None:
    with open_records(table / "journal.sqlite") as journal:
        record = record_of(journal, None)
        text = list(transcript(journal, record))
        judged = [ruling for _before, _action, _after, ruling in rulings(journal, record)]
    assert any(line.endswith("Ben: uno") for line in text) and text[-1].endswith("table: set score Ann 20")
    assert len(judged) == len((table / "lines.txt").read_text(encoding="utf-8").splitlines())


def test_its_list_of_tags_is_read(table: Path) -> None:
    tags = open_registry(table / "tags.sqlite").tags
    try:
        cards = tags.cards(setup().deck)
    finally:
        tags.close()
    assert cards == {uid(1): Card(face("r5"), 1), uid(2): Card(face("r5"), 2), uid(3): Card(face("w+4"), 1)}


def test_its_settings_are_read(table: Path) -> None:
    settings = read_settings(table / "lastcard.toml")
    agreed = settings.setup()
    assert agreed.players == ("Ann", "Ben", "Cy") and agreed.target == 300
    assert {str(rule) for rule in agreed.house} >= {"draw-until", "must-play"}
    kind, address = split_word(settings.text("reader", "kind"))
    assert kind is not None and (kind.word, address) == ("serial", "/dev/ttyACM0")
