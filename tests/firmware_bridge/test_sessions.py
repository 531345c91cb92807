"""The numbers of sessions: none could stop a board's program, none comes twice."""

from __future__ import annotations

import itertools

from firmware_bridge.link import Link
from firmware_bridge.sessions import INTERRUPT, SESSIONS_MAX, Sessions
from hardware.bridged.bridge import random_session


def test_no_greeting_has_the_byte_that_interrupts_micropython() -> None:
    numbers = itertools.cycle(range(1, SESSIONS_MAX + 1))
    sessions = Sessions(lambda: next(numbers))
    for _ in range(SESSIONS_MAX // 3):
        link = Link(sessions)
        link.line_opened(0)
        assert INTERRUPT not in link.data_to_send(), f"session {link.session}"
    harmful = next(numbers) - SESSIONS_MAX // 3
    assert harmful > 100, "numbers that would interrupt were among those drawn"


def test_a_program_never_uses_a_number_twice() -> None:
    drawn = [random_session() for _ in range(5_000)]
    assert len(set(drawn)) == len(drawn)
    assert all(1 <= session <= SESSIONS_MAX for session in drawn)


def test_a_program_that_has_drawn_for_days_goes_on() -> None:
    numbers = itertools.cycle(range(1, SESSIONS_MAX + 1))
    sessions = Sessions(lambda: next(numbers))
    assert len({sessions() for _ in range(SESSIONS_MAX)}) > SESSIONS_MAX // 2
