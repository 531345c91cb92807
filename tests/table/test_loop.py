"""The loop keeps its order, whatever fails: sense, judge, keep, and only then show and sound."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hardware.ports import DeviceFaultError, Pattern
from hardware.signals import ButtonPressed, CardPicked, DeviceBack, DeviceLost, Signal
from table_app.record.journal import Entry, Journal, open_journal
from table_app.sound import PATTERNS, BuzzerCue
from table_app.table import Judged, Observer, Table, TableState
from table_app.table.loop import SIGNALS_PER_STEP
from tests.table.rig import Heard, Rig, setup, table_at

DEALT = ("table: deal 7", "table: start r9")


class Story:
    """What happened, in its order."""

    def __init__(self) -> None:
        self.told: list[str] = []


class ToldJournal(Journal):
    """The real journal, which also says when it had written."""

    story: Story

    def append(self, entries: Sequence[Entry]) -> None:
        super().append(entries)
        self.story.told.append("kept " + entries[-1].line.partition(" ")[2])


class ToldBuzzer:
    def __init__(self, story: Story) -> None:
        self.story = story
        self.polled_ms = -1

    def sound(self, pattern: Pattern, now_ms: int) -> None:
        name = next(cue.value for cue, known in PATTERNS.items() if known == pattern)
        self.story.told.append(f"sound {name}")

    def poll(self, now_ms: int) -> None:
        self.polled_ms = now_ms

    def close(self) -> None:
        pass


class ToldLamps:
    def __init__(self) -> None:
        self.lit: list[frozenset[int]] = []

    def show(self, seats: frozenset[int]) -> None:
        self.lit.append(seats)

    def close(self) -> None:
        pass


class ToldObserver(Observer):
    def __init__(self, story: Story) -> None:
        self.story = story

    def judged(self, judged: Judged) -> None:
        self.story.told.append(f"told {judged.public_line.partition(' ')[2]}")


class Flaky:
    """A device that fails in itself until it is mended."""

    name = "reader"

    def __init__(self) -> None:
        self.is_broken = False
        self.polls = 0

    def poll(self, now_ms: int) -> Sequence[Signal]:
        self.polls += 1
        if self.is_broken:
            raise DeviceFaultError("The bus is dead. Check the wires.")
        return ()


def told_table(tmp_path: Path) -> tuple[Table, Story]:
    story = Story()
    real = open_journal(tmp_path / "journal.sqlite", wall_time=lambda: "", boot="").journal
    journal = ToldJournal(real._connection, real.path, lambda: "", "")
    journal.story = story
    journal.begin_match("players: Ann, Ben, Cy\n")

    def show(state: TableState, now_ms: int) -> None:
        story.told.append(f"shown {state.match.turn}")

    table = Table(
        table_at(DEALT),
        journal,
        buzzer=ToldBuzzer(story),
        show=show,
        observers=[ToldObserver(story)],
        watchdog=lambda: story.told.append("watchdog"),
    )
    return table, story


def test_nothing_is_shown_or_sounded_before_the_journal_has_it(tmp_path: Path) -> None:
    table, story = told_table(tmp_path)
    table.hear(CardPicked(1_000, "r3"))
    table.step(1_000)
    assert story.told == [
        "sound tick",  # neutral: a card was sensed, whatever will be ruled
        "kept Ann: r3",
        "told Ann: r3",
        "sound accepted",
        "shown 1",
        "watchdog",
    ]
    table.journal.close()


def test_a_step_with_nothing_new_shows_nothing_and_pets_the_watchdog(tmp_path: Path) -> None:
    table, story = told_table(tmp_path)
    table.step(1_000)
    story.told.clear()
    assert not table.step(1_050)
    assert story.told == ["watchdog"]
    table.journal.close()


def test_a_step_takes_a_bounded_batch_and_leaves_the_rest_for_the_next() -> None:
    rig = Rig()
    rig.begin()
    before = len(rig.heard.notices)
    for _ in range(SIGNALS_PER_STEP + 10):
        rig.table.hear(ButtonPressed(rig.now_ms, "yes"))
    rig.table.step(rig.now_ms)
    assert len(rig.heard.notices) - before == SIGNALS_PER_STEP
    assert rig.table.is_busy
    rig.table.step(rig.now_ms)
    assert len(rig.heard.notices) - before == SIGNALS_PER_STEP + 10
    assert not rig.table.is_busy


def test_the_clock_waits_for_signals_that_are_still_to_be_heard() -> None:
    """A call that waits in the queue is not overtaken by the grace time that ran out since."""
    rig = Rig(setup(), cards_each=2)
    rig.begin()
    rig.tap("r3")
    pressed_ms = rig.now_ms + 10
    for _ in range(SIGNALS_PER_STEP):
        rig.table.hear(ButtonPressed(pressed_ms, "no"))
    rig.table.hear(ButtonPressed(pressed_ms + 1, "seat:0"))
    rig.now_ms += 60_000
    rig.table.step(rig.now_ms)
    rig.table.step(rig.now_ms)
    assert rig.lines[-1] == "Ann: uno"


def test_a_device_that_fails_is_told_once_left_alone_and_told_when_it_is_back() -> None:
    rig = Rig()
    flaky = Flaky()
    rig.table.add_device(flaky)
    rig.wait(10)
    flaky.is_broken = True
    for _ in range(50):
        rig.wait(100)
    lost = [signal for signal in rig.heard.signals if isinstance(signal, DeviceLost)]
    assert [(signal.device, signal.reason) for signal in lost] == [("reader", "The bus is dead. Check the wires.")]
    assert flaky.polls < 10
    flaky.is_broken = False
    rig.wait(1_000)
    assert isinstance(rig.heard.signals[-1], DeviceBack)
    assert rig.state.lost == ()


def test_a_lamp_is_lit_for_each_seat_that_is_waited_for() -> None:
    rig = Rig()
    lamps = ToldLamps()
    table = Table(table_at(DEALT), rig.journal, lamps=lamps)
    table.step(0)
    table.hear(CardPicked(10, "r+2"))
    table.step(10)
    table.hear(CardPicked(20, "zz"))
    table.step(20)
    assert lamps.lit == [frozenset({0}), frozenset({1})]


def test_only_the_most_urgent_of_several_sounds_is_heard() -> None:
    rig = Rig(cards_each=2)
    rig.begin()
    rig.tap("r3")
    rig.heard.sounds.clear()
    rig.press("draw")  # Ben begins: Ann is caught by it
    assert rig.heard.sounds == [BuzzerCue.MISSED_CALL.value]


def test_a_tag_that_is_enrolled_in_the_middle_of_a_match_counts_at_once() -> None:
    rig = Rig()
    rig.begin()
    tags = dict(rig.tags)
    lost = rig.uid("r3")
    spare = bytes((4, 9, 9, 9, 9, 9, 9))
    tags[spare] = tags.pop(lost)
    rig.table.know_tags(tags)
    rig.tap("r3")
    assert "Unknown tag" in rig.heard.notices[-1].text
    rig.tags[spare] = tags[spare]
    rig._uid_of[tags[spare]] = spare
    rig.tap("r3")
    assert rig.lines[-1] == "Ann: r3#1"


def test_the_journal_says_where_each_action_came_from(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path, cards_each=2)
    rig.begin()
    rig.tap("r3")
    rig.wait(6_000)
    entries = list(rig.journal.entries(1))
    assert [entry.source for entry in entries] == ["button", "tag", "tag", "clock"]
    assert [entry.tag for entry in entries] == [None, rig.uid("r9"), rig.uid("r3"), None]


def test_observers_see_every_signal_before_what_comes_of_it() -> None:
    rig = Rig()
    rig.begin()
    assert isinstance(rig.heard, Heard)
    kinds = [type(signal).__name__ for signal in rig.heard.signals]
    assert kinds == ["ButtonPressed", "TagPlaced", "TagRemoved"]
    assert [done.signal for done in rig.heard.done] == rig.heard.signals[:2]
