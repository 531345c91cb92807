"""From looks at the field to what changed: a tag came, a tag went, several, or a disturbance.

Pure: a look and its time are input. The board's own source for what the host has in
``hardware/tags/tracker.py``; how a look is taken belongs to ``reader``.
"""

from . import messages as m

REMOVED_AFTER_MS = 200
REMOVED_AFTER_LOOKS = 3
DISTURBED_AFTER_MS = 1_500
SETTLED_AFTER_MS = 150

LOOK_SILENCE = 1
LOOK_NOISE = 2
LOOK_SEVERAL = 3


class Tracker:
    """``present`` is the UID that lies there and was told of, or None.

    ``several`` and ``disturbed`` are true while that is how things stand and it was told of.
    ``settled`` is true once it is sure what lies there: after a start, silence must last as long as ever
    before nothing counts as nothing.
    """

    def __init__(self) -> None:
        self.present: bytes | None = None
        self.settled = False
        self._silent_since_ms: int | None = None
        self._silent_looks = 0
        self._noisy_since_ms: int | None = None
        self.disturbed = False
        self.several = False
        self._settling: tuple[bytes, int] | None = None

    def is_quiet(self) -> bool:
        return self.present is None and not self.several and self._noisy_since_ms is None

    def pause(self) -> None:
        """The reader was away: no wait of before counts on, and what lies there must be seen anew."""
        self.settled = False
        self._silent_since_ms = None
        self._settling = None
        self.several = False
        self._end_noise()

    def observe(self, look: "int | bytes", now_ms: int) -> "list[tuple[int, bytes]]":
        """Take a UID or one of the three looks that name none; return (kind of message, uid) each."""
        if not isinstance(look, int):
            return self._observe_tag(look, now_ms)
        if look == LOOK_SILENCE:
            return self._observe_silence(now_ms)
        self._silent_since_ms = None
        self._settling = None
        if look == LOOK_SEVERAL:
            self._end_noise()
            if self.several:
                return []
            self.several = True
            return [(m.SEVERAL, b"")]
        return self._observe_noise(now_ms)

    def _observe_tag(self, uid: bytes, now_ms: int) -> "list[tuple[int, bytes]]":
        self._silent_since_ms = None
        self._end_noise()
        if self.several:
            if self._settling is None or self._settling[0] != uid:
                self._settling = (uid, now_ms)
            if now_ms - self._settling[1] < SETTLED_AFTER_MS:
                return []
            self.several = False
            self._settling = None
        self.settled = True
        gone, self.present = self.present, uid
        if gone == uid:
            return []
        placed = (m.PLACED, uid)
        return [placed] if gone is None else [(m.REMOVED, gone), placed]

    def _observe_silence(self, now_ms: int) -> "list[tuple[int, bytes]]":
        self._settling = None
        if self._silent_since_ms is None:
            self._silent_since_ms = now_ms
            self._silent_looks = 0
        self._silent_looks += 1
        if self._silent_looks < REMOVED_AFTER_LOOKS or now_ms - self._silent_since_ms < REMOVED_AFTER_MS:
            return []
        self.settled = True
        self.several = False
        self._end_noise()
        gone, self.present = self.present, None
        return [] if gone is None else [(m.REMOVED, gone)]

    def _observe_noise(self, now_ms: int) -> "list[tuple[int, bytes]]":
        if self._noisy_since_ms is None:
            self._noisy_since_ms = now_ms
        if self.disturbed or now_ms - self._noisy_since_ms < DISTURBED_AFTER_MS:
            return []
        self.disturbed = True
        return [(m.DISTURBED, b"")]

    def _end_noise(self) -> None:
        self._noisy_since_ms = None
        self.disturbed = False
