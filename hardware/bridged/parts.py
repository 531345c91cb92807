"""Buttons, buzzer and lamps on a board, and what every part of a board has.

What a part does with the line is its own business; the line itself, and which thread moves it, is ``bridged``'s.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from firmware_bridge import messages as m
from firmware_bridge.link import Cause, Connected, Event, Happened
from firmware_bridge.payloads import encode_message
from hardware.ports import Pattern
from hardware.signals import ButtonPressed, DeviceBack, DeviceLost, Signal, Source

if TYPE_CHECKING:
    from hardware.bridged.bridge import Bridge

# Signals between two polls of a part. A board sends 64 at most before somebody takes them; if a part is not
# polled for so long, the oldest go.
SIGNALS_MAX: Final = 64
LOST_TEXTS: Final = {
    Cause.SILENCE: "The board stopped answering. Check its cable, or unplug it and plug it in again.",
    Cause.RESTARTED: "The board restarted. If this comes back, its supply is too weak: take another cable or port.",
    Cause.LINE_CLOSED: "The board was unplugged. Plug it in again; until then pick cards on the screen.",
}


class Part:
    """What every part has: a queue of its signals and a place at the bridge."""

    is_reader = False

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._signals: deque[Signal] = deque(maxlen=SIGNALS_MAX)
        bridge.join(self)

    def take(self, event: Event, now_ms: int) -> None:
        """Look at everything that happens on the board."""

    def lose(self, now_ms: int, reason: str) -> None:
        """The board is gone, or there is another reason for it now."""

    def _tell(self, signal: Signal) -> None:
        if len(self._signals) == SIGNALS_MAX:
            self._bridge.counters.signals += 1
        self._signals.append(signal)

    def _drain(self, now_ms: int) -> Sequence[Signal]:
        self._bridge.poll(now_ms)
        signals = []
        while self._signals:
            signals.append(self._signals.popleft())
        return signals

    def close(self) -> None:
        """Leave the board; the last part to do so closes its port. May be called twice."""
        self._bridge.leave(self)


class BridgedButtons(Part):
    """A :class:`hardware.ports.Buttons` on a board, which debounces them and knows their names."""

    def __init__(self, bridge: Bridge) -> None:
        self._lost = ""  # the reason that was told last
        super().__init__(bridge)

    def poll(self, now_ms: int) -> Sequence[Signal]:
        return self._drain(now_ms)

    def lose(self, now_ms: int, reason: str) -> None:
        # Where there are readers they have told it; twice the same sentence helps nobody.
        if reason != self._lost and not self._bridge.has_readers():
            self._lost = reason
            self._tell(DeviceLost(now_ms, "buttons", reason))

    def take(self, event: Event, now_ms: int) -> None:
        if isinstance(event, Connected):
            if self._lost:
                self._lost = ""
                self._tell(DeviceBack(now_ms, "buttons"))
        elif isinstance(event, Happened) and isinstance(event.event, m.Pressed):
            self._tell(ButtonPressed(event.at_ms, event.event.button, Source.BUTTON))


class BridgedBuzzer(Part):
    """A :class:`hardware.ports.Buzzer` on a board, which keeps the pattern's time itself."""

    def sound(self, pattern: Pattern, now_ms: int) -> None:
        """Start *pattern* in place of what is sounding; without a board nothing sounds.

        :raises ValueError: if it has more than 64 tones, or one that no buzzer could play.
        """
        beeps = tuple(m.Beep(tone.frequency_hz, tone.on_ms, tone.off_ms) for tone in pattern)
        encode_message(m.Envelope(0, 0, m.Sound(beeps)))
        self._bridge.send(m.Sound(beeps))
        self._bridge.poll(now_ms)

    def poll(self, now_ms: int) -> None:
        self._bridge.poll(now_ms)

    def close(self) -> None:
        self._bridge.send(m.Sound(()))
        self._bridge.flush()
        super().close()


class BridgedLamps(Part):
    """A :class:`hardware.ports.Lamps` on a board. A board that comes back is shown the lamps again."""

    def __init__(self, bridge: Bridge) -> None:
        self._seats: frozenset[int] = frozenset()
        super().__init__(bridge)

    def show(self, seats: frozenset[int]) -> None:
        seats = frozenset(seat for seat in seats if 0 <= seat < m.SEATS_MAX)
        if seats != self._seats:
            self._seats = seats
            self._bridge.send(m.Show(seats))

    def take(self, event: Event, now_ms: int) -> None:
        # The board starts each session dark.
        if isinstance(event, Connected) and self._seats:
            self._bridge.send(m.Show(self._seats))

    def close(self) -> None:
        self.show(frozenset())
        self._bridge.flush()
        super().close()
