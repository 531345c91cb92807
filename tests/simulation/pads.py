"""A reader whose signals are simulated above the driver: what the tracker would say, without chip, field and air."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.signals import DeviceBack, DeviceLost, SeveralTags, Signal, TagPlaced, TagRemoved
from hardware.simulated import SimulatedTag

BELIEVED_MS = 30
"""A tag that lies for less is not read at all, as on the chip."""

POLL_MS = 50


class SignalPad:
    """The same doors as `hardware.simulated.SimulatedPad`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.next_poll_ms = 0
        self._now_ms = 0
        self._tags: list[SimulatedTag] = []
        self._since_ms = 0
        self._told: SimulatedTag | None = None
        self._has_told_several = False
        self._is_out = False
        self._has_told_out = False
        self._has_begun = False

    def place(self, tag: SimulatedTag) -> None:
        self._tags.append(tag)
        self._since_ms = self._now_ms

    def lift(self, tag: SimulatedTag) -> None:
        self._tags.remove(tag)

    def unplug(self) -> None:
        self._is_out = True

    def plug_in(self) -> None:
        self._is_out = False

    def poll(self, now_ms: int) -> Sequence[Signal]:
        self._now_ms = now_ms
        self.next_poll_ms = now_ms + POLL_MS
        if self._is_out:
            return self._lost(now_ms)
        signals: list[Signal] = []
        if self._has_told_out:
            self._has_told_out = False
            signals.append(DeviceBack(now_ms, self.name))
        if self._told is not None and self._told not in self._tags:
            signals.append(TagRemoved(now_ms, self.name, self._told.uid))
            self._told = None
        if len(self._tags) > 1:
            if not self._has_told_several:
                self._has_told_several = True
                signals.append(SeveralTags(now_ms, self.name))
            return signals
        self._has_told_several = False
        if self._tags and self._told is None and now_ms - self._since_ms >= BELIEVED_MS:
            self._told = self._tags[0]
            signals.append(TagPlaced(now_ms, self.name, self._told.uid, lay_there=not self._has_begun))
        self._has_begun = self._has_begun or self._told is not None or not self._tags
        return signals

    def _lost(self, now_ms: int) -> Sequence[Signal]:
        self._told = None
        if self._has_told_out:
            return ()
        self._has_told_out = True
        return (DeviceLost(now_ms, self.name, "The reader does not answer."),)

    def close(self) -> None:
        """Nothing is open."""
