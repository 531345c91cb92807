"""From looks at the field to signals: when a tag has come, when it has gone, when it can't be told.

Pure: each look and its time are input, signals are output. How a look is taken belongs to ``iso14443a``,
how often and on which device to ``tag_reader``; no I/O and no clock may live here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from hardware.signals import ReaderDisturbed, SeveralTags, Signal, TagPlaced, TagRemoved

# A tag is gone after this much silence and at least so many silent looks: single looks miss in real fields,
# and after a pause of the program one silent look alone proves nothing. A hand needs longer to lift and lay
# again.
REMOVED_AFTER_MS: Final = 200
REMOVED_AFTER_LOOKS: Final = 3
# Noise counts as presence for so long; then people are told that something disturbs the reader.
DISTURBED_AFTER_MS: Final = 1_500
# After several tags lay there, one alone must lie this long to count: two tags can hide each other for
# moments.
SETTLED_AFTER_MS: Final = 150


@dataclass(frozen=True, slots=True)
class Seen:
    """Exactly one tag answered, and twice the same if it is new."""

    uid: bytes


class Look(Enum):
    """Looks that name no tag."""

    SILENCE = "silence"
    NOISE = "noise"
    SEVERAL = "several"


class TagTracker:
    """Presence on one reader.

    ``present`` is the UID of the tag that lies there and has been told of, or None. The first tag of all lay there
    before, unless as much silence went before it as takes a tag away.
    """

    def __init__(self, reader: str) -> None:
        self.reader = reader
        self.present: bytes | None = None
        self._has_begun = False
        self._silent_since_ms: int | None = None
        self._silent_looks = 0
        self._noisy_since_ms: int | None = None
        self._disturbed = False
        self._several = False
        self._settling: tuple[bytes, int] | None = None

    @property
    def is_quiet(self) -> bool:
        """True if nothing lies there and nothing is open: the next look may be the cheapest."""
        return self.present is None and not self._several and self._noisy_since_ms is None

    def observe(self, look: Seen | Look, now_ms: int) -> Sequence[Signal]:
        """Take one look and return what changed with it."""
        if isinstance(look, Seen):
            return self._observe_tag(look.uid, now_ms)
        if look is Look.SILENCE:
            return self._observe_silence(now_ms)
        self._silent_since_ms = None
        self._settling = None
        if look is Look.SEVERAL:
            self._end_noise()
            if self._several:
                return ()
            self._several = True
            return (SeveralTags(now_ms, self.reader),)
        return self._observe_noise(now_ms)

    def pause(self) -> None:
        """Forget half-finished waits: the reader was away, so nothing of before counts on or was told."""
        self._silent_since_ms = None
        self._settling = None
        self._several = False
        self._end_noise()

    def _observe_tag(self, uid: bytes, now_ms: int) -> Sequence[Signal]:
        self._silent_since_ms = None
        self._end_noise()
        if self._several:
            if self._settling is None or self._settling[0] != uid:
                self._settling = (uid, now_ms)
            if now_ms - self._settling[1] < SETTLED_AFTER_MS:
                return ()
            self._several = False
            self._settling = None
        gone, self.present = self.present, uid
        if gone == uid:
            return ()
        placed = TagPlaced(now_ms, self.reader, uid, lay_there=not self._has_begun)
        self._has_begun = True
        return (placed,) if gone is None else (TagRemoved(now_ms, self.reader, gone), placed)

    def _observe_silence(self, now_ms: int) -> Sequence[Signal]:
        self._settling = None
        if self._silent_since_ms is None:
            self._silent_since_ms = now_ms
            self._silent_looks = 0
        self._silent_looks += 1
        if self._silent_looks < REMOVED_AFTER_LOOKS or now_ms - self._silent_since_ms < REMOVED_AFTER_MS:
            return ()
        self._has_begun = True
        self._several = False
        self._end_noise()
        gone, self.present = self.present, None
        return () if gone is None else (TagRemoved(now_ms, self.reader, gone),)

    def _observe_noise(self, now_ms: int) -> Sequence[Signal]:
        if self._noisy_since_ms is None:
            self._noisy_since_ms = now_ms
        if self._disturbed or now_ms - self._noisy_since_ms < DISTURBED_AFTER_MS:
            return ()
        self._disturbed = True
        return (ReaderDisturbed(now_ms, self.reader),)

    def _end_noise(self) -> None:
        self._noisy_since_ms = None
        self._disturbed = False
