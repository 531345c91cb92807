"""Notices that a table was left alone: the screen goes dim, then it asks, then the match is put aside.

A machine of times only. What the screen shows for it is ``kiosk``'s business; the match itself is on disk after every
action anyway, so putting it aside changes nothing in the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

# Long enough for an argument about a rule, short enough that a forgotten screen does not burn all night.
DIM_AFTER_MS: Final = 5 * 60_000
ASK_AFTER_MS: Final = 20 * 60_000
# Time to come back from the kitchen and touch the screen.
ASK_FOR_MS: Final = 60_000


class Presence(StrEnum):
    """What the table believes about the people round it."""

    PLAYING = "playing"
    ASKING = "asking"
    RESTING = "resting"


@dataclass(frozen=True, slots=True)
class IdleTimes:
    """After how long, in milliseconds, the screen goes dim and the table asks; None: never. It waits *ask_for_ms*."""

    dim_after_ms: int | None = DIM_AFTER_MS
    ask_after_ms: int | None = ASK_AFTER_MS
    ask_for_ms: int = ASK_FOR_MS


class Idle:
    """Who is there. Tell it of every sign of life, and the time. *times* may be changed while it runs."""

    def __init__(self, times: IdleTimes, now_ms: int) -> None:
        self.times = times
        self._last_ms = now_ms
        self._asked_ms = now_ms
        self.presence = Presence.PLAYING

    def touched(self, now_ms: int) -> bool:
        """Somebody did something; true if that only woke the screen or answered the question, and shall do no more."""
        was_away = self.is_dim(now_ms) or self.presence is Presence.ASKING
        self._last_ms = now_ms
        if self.presence is Presence.ASKING:
            self.presence = Presence.PLAYING
        return was_away

    def resume(self, now_ms: int) -> None:
        """The match that was put aside goes on."""
        self.presence = Presence.PLAYING
        self._last_ms = now_ms

    def tick(self, now_ms: int, has_match: bool) -> bool:
        """Move on to *now_ms*; true if *presence* changed. Only a match under way is asked about and put aside."""
        before = self.presence
        if self.presence is Presence.PLAYING and has_match and self.times.ask_after_ms is not None:
            if now_ms - self._last_ms >= self.times.ask_after_ms:
                self.presence = Presence.ASKING
                self._asked_ms = now_ms
        elif self.presence is Presence.ASKING and now_ms - self._asked_ms >= self.times.ask_for_ms:
            self.presence = Presence.RESTING
        return self.presence is not before

    def is_dim(self, now_ms: int) -> bool:
        """Whether the screen should be dim; a question must be seen, so not while it asks."""
        if self.presence is Presence.ASKING or self.times.dim_after_ms is None:
            return False
        return now_ms - self._last_ms >= self.times.dim_after_ms

    def next_change_ms(self, now_ms: int, has_match: bool) -> int | None:
        """When ``tick`` or ``is_dim`` next says something else, if nobody comes before."""
        due = []
        if self.presence is Presence.ASKING:
            due.append(self._asked_ms + self.times.ask_for_ms)
        else:
            if self.times.dim_after_ms is not None and not self.is_dim(now_ms):
                due.append(self._last_ms + self.times.dim_after_ms)
            if self.presence is Presence.PLAYING and has_match and self.times.ask_after_ms is not None:
                due.append(self._last_ms + self.times.ask_after_ms)
        return min(due, default=None)
