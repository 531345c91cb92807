"""The reader's field: which tags lie in it when, and how their answers mix on the air.

Tags are placed and lifted here, by hand or at a moment still to come. What a tag answers is ``tags``; how a
chip receives it is ``chip``; what goes wrong on the air on purpose is ``faults``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from hardware.simulated.clock import NEVER_NS, VirtualClock
from hardware.simulated.tags import Burst, SimulatedTag

# Frame delay time (ISO/IEC 14443-3, 6.2.1.1): 1236 or 1172 carrier cycles after a last bit of 1 or 0.
_DELAY_AFTER_ONE_NS: Final = 91_150
_DELAY_AFTER_ZERO_NS: Final = 86_430
# More than a pile of tags ever answers at once; the limit keeps a forgotten loop from growing without end.
TAGS_MAX: Final = 32


@dataclass(slots=True)
class Reception:
    """What arrives at the reader's antenna: *bits* bits of *data*, *delay_ns* after the last bit sent.

    *collision_bit* is the first bit on which tags differed, or -1. A damaged start or parity is a flag,
    because parity bits themselves are not simulated.
    """

    data: bytes
    bits: int
    delay_ns: int
    collision_bit: int = -1
    parity_wrong: bool = False
    start_wrong: bool = False


@dataclass(slots=True)
class _Laid:
    tag: SimulatedTag
    from_ns: int
    until_ns: int = NEVER_NS
    ready_ns: int = NEVER_NS
    frames_left: int = -1


@dataclass(slots=True)
class Field:
    """The space above one antenna.

    :param clock: the chip's clock; the moment a tag is placed or lifted is read from it.
    """

    clock: VirtualClock
    disturb: Callable[[bytes, Reception | None], Reception | None] | None = None
    """Takes the frame sent and what arrives, and returns what is received; ``faults`` has ready ones."""
    frames: int = 0
    """Frames sent so far."""
    _laid: list[_Laid] = field(default_factory=list)
    _powered_ns: int = NEVER_NS

    @property
    def tags(self) -> tuple[SimulatedTag, ...]:
        """The tags that lie in the field now, in the order they came."""
        now_ns = self.clock.now_ns
        return tuple(laid.tag for laid in self._laid if laid.from_ns <= now_ns < laid.until_ns)

    def place(self, tag: SimulatedTag, *, at_us: int | None = None, until_us: int | None = None) -> None:
        """Lay *tag* into the field, now or *at_us*, and take it away *until_us* if that is given.

        :raises ValueError: if the tag lies there already or the field is full.
        """
        self._forget_lifted()
        if any(laid.tag is tag for laid in self._laid):
            raise ValueError(f"{tag!r} lies in the field already")
        if len(self._laid) >= TAGS_MAX:
            raise ValueError(f"{TAGS_MAX} tags lie in the field already")
        laid = _Laid(tag, self.clock.now_ns if at_us is None else at_us * 1000)
        if until_us is not None:
            laid.until_ns = until_us * 1000
        laid.ready_ns = max(laid.from_ns, self._powered_ns) + tag.start_up_ns
        self._laid.append(laid)

    def lift(self, tag: SimulatedTag, *, after_frames: int = 0) -> None:
        """Take *tag* away, at once or after so many more frames; a tag that isn't there changes nothing."""
        for laid in self._laid:
            if laid.tag is tag:
                laid.frames_left = after_frames
                if after_frames == 0:
                    laid.until_ns = min(laid.until_ns, self.clock.now_ns)
        self._forget_lifted()

    def clear(self) -> None:
        """Take everything away."""
        for tag in [laid.tag for laid in self._laid]:
            self.lift(tag)

    def switch(self, on: bool, now_ns: int) -> None:
        """Switch the carrier; without it every tag loses its power and forgets its state."""
        self._powered_ns = now_ns if on else NEVER_NS
        for laid in self._laid:
            laid.tag.lose_power()
            laid.ready_ns = max(laid.from_ns, self._powered_ns) + laid.tag.start_up_ns

    def transmit(self, frame: bytes, bits: int, now_ns: int, *, encrypted: bool = False) -> Reception | None:
        """Send a frame to all tags and return their answers as they mix, or None."""
        self.frames += 1
        reception = None
        if self._laid:
            bursts = [
                burst
                for tag in self._listeners(now_ns)
                if (burst := tag.receive(frame, bits, encrypted=encrypted)) is not None
            ]
            if bursts:
                reception = _mix(bursts, _frame_delay_ns(frame, bits))
        if self.disturb is not None:
            reception = self.disturb(frame, reception)
        return reception

    def authenticate(
        self, key_type: int, block: int, key: bytes, uid: bytes, now_ns: int, *, encrypted: bool = False
    ) -> bool:
        """Try to open a Crypto1 session with whichever tag is selected, out of another one if *encrypted*."""
        self.frames += 1
        answers = [tag.authenticate(key_type, block, key, uid, encrypted=encrypted) for tag in self._listeners(now_ns)]
        return any(answers)

    def _listeners(self, now_ns: int) -> list[SimulatedTag]:
        listeners = []
        gone = False
        for laid in self._laid:
            if laid.frames_left == 0 or now_ns >= laid.until_ns:
                laid.until_ns = min(laid.until_ns, now_ns)
                gone = True
            elif laid.ready_ns <= now_ns:
                if laid.frames_left > 0:
                    laid.frames_left -= 1
                listeners.append(laid.tag)
        if gone:
            self._forget_lifted(now_ns)
        return listeners

    def _forget_lifted(self, now_ns: int | None = None) -> None:
        now_ns = self.clock.now_ns if now_ns is None else now_ns
        for laid in self._laid:
            if now_ns >= laid.until_ns:
                laid.tag.lose_power()
        self._laid = [laid for laid in self._laid if now_ns < laid.until_ns]


def _frame_delay_ns(frame: bytes, bits: int) -> int:
    """The delay depends on the last bit sent, which is a parity bit after a whole byte."""
    if bits % 8:
        last_bit = frame[-1] >> (bits % 8 - 1) & 1
    else:
        last_bit = 1 - frame[-1].bit_count() % 2
    return _DELAY_AFTER_ONE_NS if last_bit else _DELAY_AFTER_ZERO_NS


def _mix(bursts: Sequence[Burst], delay_ns: int) -> Reception:
    """Superpose answers bit by bit: equal bits merge unseen, the first different one is a collision."""
    if len(bursts) == 1:
        data, bits, extra_ns = bursts[0]
        return Reception(data, bits, delay_ns + extra_ns)
    values = [int.from_bytes(data, "little") for data, _, _ in bursts]
    longest = max(bits for _, bits, _ in bursts)
    shortest = min(bits for _, bits, _ in bursts)
    earliest = min(extra_ns for _, _, extra_ns in bursts)
    union = differing = 0
    for value in values:
        union |= value
        differing |= value ^ values[0]
    differing &= (1 << shortest) - 1
    if any(extra_ns != earliest for _, _, extra_ns in bursts):
        differing = 1  # answers that begin at different moments spoil each other from the first bit
    collision = (differing & -differing).bit_length() - 1
    return Reception(union.to_bytes((longest + 7) // 8, "little"), longest, delay_ns + earliest, collision)
