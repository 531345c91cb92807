"""Which presses were meant for what they hit: a control that has just come under a finger takes none.

Pure: frames and places in, yes or no out. Which target lies under a place now is the window's to find.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from table_app.display.canvas import Target

SETTLE_MS = 300
"""A finger on its way can't be stopped: seeing that something changed takes about 250 ms, and a frame comes late. Less
lets a finger press what it never aimed at; more would be felt by whoever presses twice on purpose."""

FRAMES_MAX = 64
"""Changed frames kept: within `SETTLE_MS` the window looks fifteen times, and the demonstration paints twice that."""


class Settling:
    """What lay where in the last `SETTLE_MS`."""

    def __init__(self) -> None:
        self._frames: deque[tuple[int, tuple[Target, ...]]] = deque(maxlen=FRAMES_MAX)

    def painted(self, targets: Sequence[Target], now_ms: int) -> None:
        """These are the targets from *now_ms* on."""
        frame = tuple(targets)
        if not self._frames or self._frames[-1][1] != frame:
            self._frames.append((now_ms, frame))
        while len(self._frames) > 1 and self._frames[1][0] <= now_ms - SETTLE_MS:
            self._frames.popleft()

    def is_settled(self, target: Target, place: tuple[float, float], now_ms: int) -> bool:
        """Whether this very action was at *place* already `SETTLE_MS` ago, whatever its control looked like then."""
        then: tuple[Target, ...] = ()
        for painted_ms, frame in self._frames:
            if painted_ms > now_ms - SETTLE_MS:
                break
            then = frame
        hit = target_at(then, place)
        return hit is not None and (hit.press, hit.name) == (target.press, target.name)


def target_at(targets: Sequence[Target], place: tuple[float, float]) -> Target | None:
    """What is pressed at *place*: the last painted lies on top."""
    return next((target for target in reversed(targets) if target.box.holds(*place)), None)
