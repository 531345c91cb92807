"""A table that is left alone goes dim, asks, and puts the match aside; whoever comes back finds it."""

from __future__ import annotations

from table_app.appliance.idle import ASK_AFTER_MS, ASK_FOR_MS, DIM_AFTER_MS, Idle, IdleTimes, Presence

SECOND = 1_000


def until_asked(idle: Idle) -> None:
    assert not idle.tick(ASK_AFTER_MS - 1, has_match=True)
    assert idle.tick(ASK_AFTER_MS, has_match=True)
    assert idle.presence is Presence.ASKING


def test_the_screen_goes_dim_and_a_touch_wakes_it_and_does_no_more() -> None:
    idle = Idle(IdleTimes(), 0)
    assert not idle.is_dim(DIM_AFTER_MS - 1)
    assert idle.is_dim(DIM_AFTER_MS)
    assert idle.touched(DIM_AFTER_MS + SECOND), "the touch that wakes it lays no card"
    assert not idle.is_dim(DIM_AFTER_MS + SECOND)
    assert not idle.touched(DIM_AFTER_MS + 2 * SECOND), "the next one does"


def test_a_question_is_bright_and_unanswered_puts_the_match_aside() -> None:
    idle = Idle(IdleTimes(), 0)
    until_asked(idle)
    assert not idle.is_dim(ASK_AFTER_MS)
    assert not idle.tick(ASK_AFTER_MS + ASK_FOR_MS - 1, has_match=True)
    assert idle.tick(ASK_AFTER_MS + ASK_FOR_MS, has_match=True)
    assert idle.presence is Presence.RESTING
    assert idle.is_dim(ASK_AFTER_MS + ASK_FOR_MS), "and the screen rests too"


def test_any_sign_of_life_answers_the_question() -> None:
    idle = Idle(IdleTimes(), 0)
    until_asked(idle)
    assert idle.touched(ASK_AFTER_MS + SECOND)
    assert idle.presence is Presence.PLAYING
    assert not idle.tick(ASK_AFTER_MS + ASK_FOR_MS, has_match=True), "and the time counts from there"


def test_without_a_match_nobody_is_asked() -> None:
    idle = Idle(IdleTimes(), 0)
    assert not idle.tick(100 * ASK_AFTER_MS, has_match=False)
    assert idle.presence is Presence.PLAYING


def test_resting_lasts_until_somebody_goes_on() -> None:
    idle = Idle(IdleTimes(), 0)
    until_asked(idle)
    idle.tick(ASK_AFTER_MS + ASK_FOR_MS, has_match=True)
    later_ms = 10 * ASK_AFTER_MS
    idle.touched(later_ms)
    assert str(idle.presence) == "resting", "a touch only lights the screen"
    idle.resume(later_ms)
    assert idle.presence is Presence.PLAYING
    assert not idle.tick(later_ms + SECOND, has_match=True)


def test_never_is_never() -> None:
    idle = Idle(IdleTimes(dim_after_ms=None, ask_after_ms=None), 0)
    assert not idle.tick(10**12, has_match=True)
    assert not idle.is_dim(10**12)
    assert idle.next_change_ms(0, has_match=True) is None


def test_waking_at_the_told_moments_misses_nothing() -> None:
    """Whoever sleeps until ``next_change_ms`` sees each change at its moment."""
    idle = Idle(IdleTimes(), 0)
    seen = []
    now_ms: int | None = 0
    while (now_ms := idle.next_change_ms(now_ms or 0, has_match=True)) is not None:
        idle.tick(now_ms, has_match=True)
        seen.append((now_ms, idle.is_dim(now_ms), idle.presence))
    asked_ms = ASK_AFTER_MS
    assert seen == [
        (DIM_AFTER_MS, True, Presence.PLAYING),
        (asked_ms, False, Presence.ASKING),
        (asked_ms + ASK_FOR_MS, True, Presence.RESTING),
    ]
