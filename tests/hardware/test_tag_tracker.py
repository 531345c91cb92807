"""What the tracker promises about presence, look by look."""

from __future__ import annotations

import pytest

from hardware.signals import ReaderDisturbed, SeveralTags, Signal, TagPlaced, TagRemoved
from hardware.tags.tracker import (
    DISTURBED_AFTER_MS,
    REMOVED_AFTER_MS,
    SETTLED_AFTER_MS,
    Look,
    Seen,
    TagTracker,
)

A = bytes.fromhex("04112233445566")
B = bytes.fromhex("04112233445567")
STEP_MS = 50


class Run:
    """Feeds looks at the usual pace and keeps what came of them."""

    def __init__(self) -> None:
        self.tracker = TagTracker("pad")
        self.now_ms = 0
        self.signals: list[Signal] = []

    def look(self, look: Seen | Look, times: int = 1) -> list[Signal]:
        new: list[Signal] = []
        for _ in range(times):
            new += self.tracker.observe(look, self.now_ms)
            self.now_ms += STEP_MS
        self.signals += new
        return new


def test_a_resting_tag_is_placed_once_however_long_it_rests() -> None:
    run = Run()
    assert run.look(Seen(A), 2000) == [TagPlaced(0, "pad", A)]


def test_a_tag_is_gone_only_after_clean_silence() -> None:
    run = Run()
    run.look(Seen(A))
    assert run.look(Look.SILENCE, REMOVED_AFTER_MS // STEP_MS) == []
    assert run.look(Look.SILENCE) == [TagRemoved(50 + REMOVED_AFTER_MS, "pad", A)]
    assert run.look(Look.SILENCE, 100) == []


def test_single_missed_looks_never_remove_a_tag() -> None:
    run = Run()
    run.look(Seen(A))
    for _ in range(500):
        assert run.look(Look.SILENCE, 3) == []
        assert run.look(Seen(A)) == []


def test_noise_is_presence_and_breaks_a_silence() -> None:
    run = Run()
    run.look(Seen(A))
    for _ in range(8):
        assert run.look(Look.SILENCE, 3) == []
        assert run.look(Look.NOISE) == []
    assert run.tracker.present == A


def test_lasting_noise_is_told_once_and_again_only_after_a_clean_look() -> None:
    run = Run()
    looks = DISTURBED_AFTER_MS // STEP_MS
    assert run.look(Look.NOISE, looks) == []
    assert run.look(Look.NOISE, 500) == [ReaderDisturbed(DISTURBED_AFTER_MS, "pad")]
    run.look(Seen(A))
    assert len(run.look(Look.NOISE, 500)) == 1


def test_noise_before_a_tag_does_not_place_it() -> None:
    run = Run()
    run.look(Look.NOISE, 5)
    assert run.look(Seen(A)) == [TagPlaced(250, "pad", A)]


def test_the_same_tag_counts_again_only_after_it_has_gone() -> None:
    run = Run()
    run.look(Seen(A))
    run.look(Look.SILENCE, 3)
    assert run.look(Seen(A)) == []
    run.look(Look.SILENCE, 10)
    assert [type(signal) for signal in run.look(Seen(A))] == [TagPlaced]


def test_another_tag_without_a_gap_removes_the_first_one() -> None:
    run = Run()
    run.look(Seen(A))
    assert run.look(Seen(B)) == [TagRemoved(50, "pad", A), TagPlaced(50, "pad", B)]


def test_several_tags_are_told_once_and_name_none() -> None:
    run = Run()
    assert run.look(Look.SEVERAL, 400) == [SeveralTags(0, "pad")]
    assert run.tracker.present is None


def test_what_remains_after_several_counts_when_it_has_settled() -> None:
    run = Run()
    run.look(Look.SEVERAL, 4)
    assert run.look(Seen(A), SETTLED_AFTER_MS // STEP_MS) == []
    assert [type(signal) for signal in run.look(Seen(A))] == [TagPlaced]


def test_a_tag_hidden_for_a_moment_does_not_end_several() -> None:
    run = Run()
    run.look(Look.SEVERAL)
    for _ in range(50):
        assert run.look(Seen(A), 2) == []
        assert run.look(Look.SEVERAL) == []


def test_the_tag_that_lay_there_first_is_not_placed_again_after_several() -> None:
    run = Run()
    run.look(Seen(A))
    assert run.look(Look.SEVERAL, 10) == [SeveralTags(50, "pad")]
    assert run.look(Seen(A), 50) == []
    assert [type(signal) for signal in run.look(Look.SILENCE, 10)] == [TagRemoved]


def test_several_can_be_told_again_after_the_field_was_empty() -> None:
    run = Run()
    run.look(Look.SEVERAL)
    run.look(Look.SILENCE, 10)
    assert [type(signal) for signal in run.look(Look.SEVERAL)] == [SeveralTags]


def test_one_silent_look_after_a_long_pause_of_the_program_removes_nothing() -> None:
    tracker = TagTracker("pad")
    tracker.observe(Seen(A), 0)
    assert tracker.observe(Look.SILENCE, 50) == ()
    assert tracker.observe(Look.SILENCE, 60_000) == ()
    assert tracker.observe(Seen(A), 60_050) == ()


def test_a_pause_of_the_reader_restarts_the_wait_for_removal() -> None:
    run = Run()
    run.look(Seen(A))
    run.look(Look.SILENCE, 4)
    run.tracker.pause()
    assert run.look(Look.SILENCE, 4) == []
    assert run.look(Seen(A)) == []


def lay_there(signals: list[Signal]) -> list[bool]:
    """Of each tag placed, whether it lay there before the reader looked."""
    return [signal.lay_there for signal in signals if isinstance(signal, TagPlaced)]


@pytest.mark.parametrize(
    "looks",
    [
        [Seen(A)],
        [Look.SILENCE, Seen(A)],  # the first look misses a tag that lies there
        [Look.SILENCE] * 3 + [Seen(A)],
        [Look.NOISE, Seen(A)],
        [Look.SEVERAL, *[Seen(A)] * 10],
    ],
)
def test_a_tag_that_the_first_looks_find_lay_there_before(looks: list[Seen | Look]) -> None:
    run = Run()
    assert lay_there([signal for look in looks for signal in run.look(look)]) == [True]


def test_a_tag_that_comes_after_silence_or_after_another_was_laid_now() -> None:
    run = Run()
    run.look(Look.SILENCE, 1 + REMOVED_AFTER_MS // STEP_MS)
    assert lay_there(run.look(Seen(A))) == [False]
    run = Run()
    run.look(Seen(A))
    assert lay_there(run.look(Seen(B))) == [False]
    run.look(Look.SILENCE, 20)
    assert lay_there(run.look(Seen(A))) == [False]


def test_a_reader_that_was_away_and_is_back_with_another_tag_tells_of_one_that_was_laid() -> None:
    run = Run()
    run.look(Look.SILENCE, 20)
    run.tracker.pause()
    assert lay_there(run.look(Seen(A))) == [False]
