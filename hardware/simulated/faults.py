"""What goes wrong with a reader: on the air, in the chip, on the bus; on demand or drawn from a seed.

Air faults are given to ``Field.disturb``; chip and bus faults act on a ``SimulatedPad``. Nothing here
decides what is right to report; tests do, from what they placed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hardware.rc522 import registers as reg
from hardware.simulated.field import Reception
from hardware.simulated.pad import SimulatedPad

_WAKE_UPS: Final = (b"\x26", b"\x52")


class Flicker:
    """Lets every *every*-th look at the field go unanswered, as a badly coupled tag does."""

    def __init__(self, every: int) -> None:
        self._every = every
        self._looks = 0

    def __call__(self, frame: bytes, reception: Reception | None) -> Reception | None:
        if frame in _WAKE_UPS:
            self._looks += 1
        return None if self._looks % self._every == 0 else reception


@dataclass(slots=True)
class AirFaults:
    """Spoils frames at random; each rate is the chance for one frame, from 0 to 1.

    *silence* drops an answer, *flip* turns one bit over (and half of the time the parity tells),
    *two_flips* turns two bits of the same column of two bytes over, which a check byte (BCC) does not see,
    *start* damages the beginning, *cut* loses the end, and *invented* is an answer where there is none.
    """

    source: random.Random
    silence: float = 0.0
    flip: float = 0.0
    two_flips: float = 0.0
    start: float = 0.0
    cut: float = 0.0
    invented: float = 0.0

    def __call__(self, frame: bytes, reception: Reception | None) -> Reception | None:
        source = self.source
        if reception is None:
            if not self.invented or source.random() >= self.invented:
                return None
            bits = source.choice((4, 16, 24, 40))
            data = source.getrandbits(bits).to_bytes((bits + 7) // 8, "little")
            return Reception(data, bits, 91_150, parity_wrong=source.random() < 0.5)
        drawn = source.random()
        for rate, spoil in (
            (self.silence, None),
            (self.flip, self._flip_one),
            (self.two_flips, self._flip_two),
            (self.start, self._damage_start),
            (self.cut, self._cut),
        ):
            if drawn < rate:
                return None if spoil is None else spoil(reception)
            drawn -= rate
        return reception

    def _flip(self, reception: Reception, *bits: int) -> None:
        value = int.from_bytes(reception.data, "little")
        for bit in bits:
            value ^= 1 << bit
        reception.data = value.to_bytes(len(reception.data), "little")

    def _flip_one(self, reception: Reception) -> Reception:
        self._flip(reception, self.source.randrange(reception.bits))
        reception.parity_wrong = self.source.random() < 0.5
        return reception

    def _flip_two(self, reception: Reception) -> Reception:
        whole_bytes = reception.bits // 8
        if whole_bytes >= 2:
            column = self.source.randrange(8)
            first, second = self.source.sample(range(whole_bytes), 2)
            self._flip(reception, first * 8 + column, second * 8 + column)
        return reception

    def _damage_start(self, reception: Reception) -> Reception:
        reception.start_wrong = True
        return reception

    def _cut(self, reception: Reception) -> Reception | None:
        bits = self.source.randrange(reception.bits)
        if bits == 0:
            return None
        kept = int.from_bytes(reception.data, "little") & ((1 << bits) - 1)
        return Reception(kept.to_bytes((bits + 7) // 8, "little"), bits, reception.delay_ns)


@dataclass(frozen=True, slots=True)
class Outage:
    """A fault that began and, if it lasts, how it is ended."""

    name: str
    end: Callable[[], None]
    lasts: bool


def begin_outage(pad: SimulatedPad, source: random.Random) -> Outage:
    """Draw one fault of chip or bus, and begin it.

    Those that last stay until ``end`` is called; the others are one blow, which the driver must find and
    mend.
    """
    make = source.choice(_OUTAGES)
    return make(pad, source)


def _nothing() -> None:
    """A blow needs no end."""


def _brown_out(pad: SimulatedPad, source: random.Random) -> Outage:
    pad.chip.brown_out()
    return Outage("brown-out", _nothing, lasts=False)


def _stuck_crypto(pad: SimulatedPad, source: random.Random) -> Outage:
    pad.chip.stick_crypto()
    return Outage("stuck crypto", _nothing, lasts=False)


def _antenna_off(pad: SimulatedPad, source: random.Random) -> Outage:
    pad.chip.turn_antenna_off()
    return Outage("antenna off", _nothing, lasts=False)


def _overheated(pad: SimulatedPad, source: random.Random) -> Outage:
    pad.chip.overheat()
    return Outage("overheated", _nothing, lasts=False)


def _hot(pad: SimulatedPad, source: random.Random) -> Outage:
    pad.chip.overheat(lasts=True)
    return Outage("hot", pad.chip.cool_down, lasts=True)


# What a glitch on the bus may overwrite; the rest is written anew with each frame.
_SETTINGS: Final = (
    reg.MODE,
    reg.TX_MODE,
    reg.RX_MODE,
    reg.TX_ASK,
    reg.RX_SELECT,
    reg.RECEIVER_GAIN,
    reg.TIMER_MODE,
    reg.TIMER_PRESCALER,
    reg.TIMER_RELOAD_HIGH,
)


def _lost_setting(pad: SimulatedPad, source: random.Random) -> Outage:
    register = source.choice(_SETTINGS)
    pad.chip.registers[register] ^= 1 << source.randrange(8)
    return Outage(f"register {register:02X}h changed", _nothing, lasts=False)


def _dead_bus(pad: SimulatedPad, source: random.Random) -> Outage:
    stuck_at = source.choice((0x00, 0xFF))
    pad.spi.stuck_at = stuck_at

    def mend() -> None:
        pad.spi.stuck_at = None

    return Outage(f"bus stuck at {stuck_at:02X}h", mend, lasts=True)


def _unplugged(pad: SimulatedPad, source: random.Random) -> Outage:
    pad.unplug()
    return Outage("unplugged", pad.plug_in, lasts=True)


def _bus_error(pad: SimulatedPad, source: random.Random) -> Outage:
    pad.spi.error = OSError(5, "Input/output error")

    def mend() -> None:
        pad.spi.error = None

    return Outage("errors of the bus", mend, lasts=True)


def _slow_start(pad: SimulatedPad, source: random.Random) -> Outage:
    """A weak crystal: the chip falls over, and its crystal takes 60 ms to start again."""
    before_ns, pad.chip.crystal_ns = pad.chip.crystal_ns, 60_000_000
    pad.chip.brown_out()

    def mend() -> None:
        pad.chip.crystal_ns = before_ns

    return Outage("slow start", mend, lasts=True)


def _no_timer(pad: SimulatedPad, source: random.Random) -> Outage:
    pad.chip.timer.works = False

    def mend() -> None:
        pad.chip.timer.works = True

    return Outage("no timer", mend, lasts=True)


_OUTAGES: Final = (
    _brown_out,
    _stuck_crypto,
    _antenna_off,
    _overheated,
    _hot,
    _lost_setting,
    _dead_bus,
    _unplugged,
    _bus_error,
    _slow_start,
    _no_timer,
)
