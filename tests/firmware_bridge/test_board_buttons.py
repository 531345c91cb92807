"""The board's debouncer: looks in, presses out, at every pace at which the board looks."""

from __future__ import annotations

import itertools

import pytest

from firmware_bridge.firmware.buttons import CLOSED_LOOKS, CLOSED_MS, OPEN_MS, Buttons

PACES_MS = (1, 5, 15, 20)
"""Nothing to do, a turn of the loop, a turn with a look at a card, a turn with nobody connected."""


def presses(closed: list[tuple[int, int]], pace_ms: int, offset_ms: int = 0, until_ms: int = 600) -> list[int]:
    """When presses were told of a contact that is closed in these stretches, from and to in milliseconds."""
    buttons = Buttons(["draw"])
    return [
        at_ms
        for at_ms in range(offset_ms, until_ms, pace_ms)
        if buttons.poll([any(start <= at_ms < end for start, end in closed)], at_ms)
    ]


@pytest.mark.parametrize("pace_ms", PACES_MS)
def test_what_is_closed_for_less_than_ten_milliseconds_is_never_a_press(pace_ms: int) -> None:
    for closed_ms, start_ms in itertools.product(range(1, CLOSED_MS + 1), range(100, 100 + pace_ms)):
        assert presses([(start_ms, start_ms + closed_ms)], pace_ms) == [], (closed_ms, start_ms)


@pytest.mark.parametrize("pace_ms", PACES_MS)
def test_a_press_of_a_hand_is_told_once_and_soon(pace_ms: int) -> None:
    for start_ms in range(100, 100 + pace_ms):
        (told_ms,) = presses([(start_ms, start_ms + 70)], pace_ms)
        assert CLOSED_MS <= told_ms - start_ms <= max(CLOSED_MS, (CLOSED_LOOKS - 1) * pace_ms) + pace_ms


@pytest.mark.parametrize("pace_ms", [5, 15])
def test_two_spikes_that_two_looks_hit_are_no_press(pace_ms: int) -> None:
    spikes = [(100, 101), (100 + pace_ms, 101 + pace_ms)]
    assert presses(spikes, pace_ms) == []


def test_the_next_press_needs_the_contact_to_have_been_open() -> None:
    first, again = (100, 200), 200 + OPEN_MS - 5
    assert len(presses([first, (again, again + 100)], 5)) == 1
    assert len(presses([first, (200 + OPEN_MS, 400)], 5)) == 2


def test_a_spike_right_before_a_press_does_not_swallow_it() -> None:
    assert len(presses([(100, 101), (110, 200)], 5)) == 1


def test_of_two_presses_the_one_that_touched_first_is_told_first() -> None:
    buttons = Buttons(["draw", "undo"])
    told: list[str] = []
    for at_ms in range(0, 60, 5):
        told += buttons.poll([at_ms >= 15, at_ms >= 10], at_ms)
    assert told == ["undo", "draw"]
