"""Cues can be told apart by ear, also on a buzzer that has one pitch only."""

from __future__ import annotations

import pytest

from table_app.sound.patterns import PATTERNS, BuzzerCue, duration_ms, pattern_for
from tests.play.documented import TOLD


def test_accepted_is_one_short_tone() -> None:
    (tone,) = pattern_for("accepted")
    assert tone.on_ms <= 120


def test_refused_is_two_tones_lower_than_accepted() -> None:
    first, second = pattern_for("refused")
    assert max(first.frequency_hz, second.frequency_hz) < pattern_for("accepted")[0].frequency_hz / 2
    assert first.off_ms > 0, "without a silence between them an active buzzer sounds them as one"


def test_the_alarm_outlasts_every_ruling() -> None:
    alarm = duration_ms(pattern_for("missed-call"))
    assert alarm >= 1500
    assert all(duration_ms(PATTERNS[cue]) < alarm for cue in (BuzzerCue.ACCEPTED, BuzzerCue.REFUSED))


def test_a_tick_is_shorter_than_anything_else() -> None:
    tick = duration_ms(pattern_for("tick"))
    assert tick <= 20
    assert all(duration_ms(pattern) > 2 * tick for cue, pattern in PATTERNS.items() if cue != "tick")


def test_no_two_cues_have_the_same_rhythm() -> None:
    def rhythm(cue: BuzzerCue) -> tuple[tuple[int, int], ...]:
        heard: list[tuple[int, int]] = []
        for tone in PATTERNS[cue]:  # tones with no silence between them run together on one pitch
            if heard and heard[-1][1] == 0:
                heard[-1] = (heard[-1][0] + tone.on_ms, tone.off_ms)
            else:
                heard.append((tone.on_ms, tone.off_ms))
        return tuple(heard)

    assert len({rhythm(cue) for cue in BuzzerCue}) == len(BuzzerCue)


def test_a_name_that_is_no_cue_is_an_error() -> None:
    with pytest.raises(ValueError, match="hooray"):
        pattern_for("hooray")


def test_a_question_and_its_lapse_are_each_others_mirror_and_nothing_else_has_a_short_and_a_long_tone() -> None:
    """On one pitch, too: the longer tone is at least three times the shorter, at the end where it asks."""
    (short, rising), (falling, last) = pattern_for("asked"), pattern_for("lapsed")
    assert rising.on_ms >= 3 * short.on_ms and falling.on_ms >= 3 * last.on_ms
    assert rising.frequency_hz > short.frequency_hz and falling.frequency_hz > last.frequency_hz
    two = [cue for cue, pattern in PATTERNS.items() if len(pattern) == 2 and pattern[0].on_ms != pattern[1].on_ms]
    assert two == [BuzzerCue.ASKED, BuzzerCue.LAPSED]


def test_every_cue_is_told_in_words_that_no_other_has() -> None:
    assert set(TOLD) == set(BuzzerCue) and len({sound for sound, _meaning in TOLD.values()}) == len(TOLD)
