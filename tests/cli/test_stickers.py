"""Whatever sticker a person brings to ``lastcard cards``, what it is, what came of it and what to do is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.simulated import Ntag213, SimulatedPad, SimulatedTag
from hardware.tags.sticker import NEVER_CARDS, WANTED, Condition
from hardware.tags.type2 import read_label
from table_app.cli.cards.labels import ReadSession
from table_app.cli.cards.place import Place
from table_app.cli.cards.tapping import LOOK_EVERY_MS, NOTHING_SEEN_MS, Sounds, Tapping
from table_app.cli.cards.taps import EnrolSession
from table_app.rules import DECKS
from table_app.settings import read_settings
from table_app.tags.enrolling import Enrolled, Enrolment, Outcome
from table_app.tags.labelling import LabelWriter, facts_lines
from table_app.tags.registry import Registry
from tests.hardware.stickers_to_lay import STICKERS, UID

DECK = DECKS["classic"]


class Table:
    """Somebody at ``lastcard cards enrol``, with the terminal's loop on virtual time."""

    def __init__(
        self, folder: Path, only: str = "r1,r2", *, is_writing: bool = True, is_replacing: bool = False
    ) -> None:
        self.registry = Registry(folder / "tags.sqlite")
        self.enrolment = Enrolment(self.registry, DECK, only=("w+4",))
        self.pad = SimulatedPad()
        writer = LabelWriter({}, self.pad.talk, is_replacing=is_replacing) if is_writing else None
        self.tapping = Tapping(EnrolSession(self.enrolment, writer), self.pad, Sounds(None))
        self.now_ms = 0
        self.wait(500)

    def wait(self, duration_ms: int, *keys: str) -> list[Enrolled]:
        said: list[Enrolled] = []
        waiting = list(keys)
        for _ in range(duration_ms // LOOK_EVERY_MS):
            self.now_ms += LOOK_EVERY_MS
            said += self.tapping.step(self.now_ms, waiting)
            waiting = []
        return said

    def lay(self, tag: SimulatedTag) -> Enrolled:
        self.pad.place(tag)
        said = self.wait(1_500)
        self.pad.lift(tag)
        said += self.wait(500)
        (answer,) = said
        return answer


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.mark.parametrize("name", STICKERS)
@pytest.mark.parametrize("is_replacing", [False, True])
def test_every_sticker_is_enrolled_by_its_number_and_written_where_it_may_be(
    tmp_path: Path, name: str, is_replacing: bool
) -> None:
    make, condition = STICKERS[name]
    tag = make()
    before = bytes(getattr(tag, "memory", b""))
    table = Table(tmp_path, is_replacing=is_replacing)
    answer = table.lay(tag)
    foreign = condition in (Condition.FOREIGN, Condition.UNINTELLIGIBLE)
    may_be_written = condition is Condition.BLANK or (foreign and is_replacing)
    assert (table.registry.tag(tag.uid) is None) is (condition in NEVER_CARDS)
    if may_be_written:
        assert answer.outcome is Outcome.ENROLLED and "written and read back" in answer.text
        table.pad.place(tag)
        table.pad.clock.wait_us(10_000)
        label = table.pad.talk(read_label)
        assert label is not None and label.code == "w+4#1"
    else:
        assert answer.outcome is (Outcome.TOLD if condition is Condition.CLASSIC else Outcome.REFUSED)
        assert bytes(getattr(tag, "memory", b"")) == before, "nothing was begun that can't be ended"
        assert "No page" not in answer.text
        assert ("--replace" in answer.text) is foreign
        assert ("number alone is enough" in answer.text) is (condition not in NEVER_CARDS)
    table.registry.close()


@pytest.mark.parametrize("name", [name for name, (_, found) in STICKERS.items() if found not in NEVER_CARDS])
def test_enrolling_alone_asks_nothing_of_a_sticker_but_its_number(tmp_path: Path, name: str) -> None:
    tag = STICKERS[name][0]()
    table = Table(tmp_path, is_writing=False)
    assert table.lay(tag).outcome is Outcome.ENROLLED and table.registry.tag(tag.uid) is not None
    table.registry.close()


@pytest.mark.parametrize("name", STICKERS)
def test_reading_says_what_every_sticker_is_and_what_to_do(tmp_path: Path, name: str) -> None:
    make, condition = STICKERS[name]
    tag, pad = make(), SimulatedPad()
    registry = Registry(tmp_path / "tags.sqlite")
    session = ReadSession(pad, Place(read_settings(None), tmp_path), registry)
    tapping = Tapping(session, pad, Sounds(None))
    tapping.step(50, [])
    pad.place(tag)
    for now_ms in range(100, 1_500, 50):
        tapping.step(now_ms, [])
    assert session.sticker is not None and session.is_over
    lines = dict(facts_lines(session.sticker, None))
    assert lines["state"] == condition.value and lines["note"] and ("to do" in lines) is bool(session.sticker.mend)
    registry.close()


# -- several stickers with one number ------------------------------------------------------------------------------


def test_the_second_sticker_of_a_number_is_told_as_what_it_may_be(tmp_path: Path) -> None:
    table = Table(tmp_path, is_writing=False)
    assert table.lay(Ntag213(UID)).outcome is Outcome.ENROLLED
    second = table.lay(Ntag213(UID))
    assert second.outcome is Outcome.ASKED and "the two have one number" in second.text
    table.registry.close()


def test_where_the_first_was_written_the_second_sticker_of_its_number_is_certain_and_not_offered(table: Table) -> None:
    first = Ntag213(UID)
    assert table.lay(first).outcome is Outcome.ENROLLED
    second = table.lay(Ntag213(UID))
    assert second.outcome is Outcome.REFUSED and second.text.startswith("Two stickers have this number")
    assert table.enrolment.offer is None and table.enrolment.left == 3
    assert table.lay(first).outcome is Outcome.ASKED, "the first itself, laid again, is no second one"
    table.wait(100, "n")
    assert table.lay(Ntag213(UID[:-1] + b"\x81")).outcome is Outcome.ENROLLED
    table.registry.close()


def test_a_second_sticker_is_not_written_as_if_it_were_the_first(table: Table) -> None:
    table.lay(Ntag213(UID))
    listed = {UID: table.registry.tags()[0]}
    writer = LabelWriter(listed, table.pad.talk)
    for outcome in (Outcome.ENROLLED, Outcome.REFUSED):
        tag = Ntag213(UID)
        table.pad.place(tag)
        table.pad.clock.wait_us(10_000)
        answer = writer.write(listed[UID])
        assert answer.outcome is outcome and ("Two stickers" in answer.text) is (outcome is Outcome.REFUSED)
        table.pad.lift(tag)
    table.registry.close()


# -- what no reader sees -------------------------------------------------------------------------------------------


def test_where_nothing_is_seen_the_kind_of_sticker_is_named_once(table: Table) -> None:
    """A sticker for 125 kHz is no signal at all."""
    assert table.wait(NOTHING_SEEN_MS - 1_000) == []
    (said,) = table.wait(60_000)
    assert said.outcome is Outcome.TOLD and "13.56 MHz, NTAG21x" in said.text and "125 kHz" in WANTED
    assert table.lay(Ntag213(UID)).outcome is Outcome.ENROLLED
    assert table.wait(NOTHING_SEEN_MS - 1_000) == []
    assert len(table.wait(60_000)) == 1, "after a card that was seen the next may be another kind"
    table.registry.close()


def test_a_question_and_a_dead_reader_are_not_told_of_as_a_sticker_that_is_not_seen(table: Table) -> None:
    first = Ntag213(UID)
    table.lay(first)
    assert table.lay(first).outcome is Outcome.ASKED
    assert table.wait(3 * NOTHING_SEEN_MS) == []
    table.wait(100, "n")
    table.pad.unplug()
    said = table.wait(3 * NOTHING_SEEN_MS)
    assert said and not any(WANTED in answer.text for answer in said)
    table.registry.close()
