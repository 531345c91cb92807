"""The simulated chip under the real driver, timed: when the last SPI transfer of a card's reading ended.

For benchmarks. What a table does with the card is measured elsewhere.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

from hardware.signals import Signal, TagPlaced
from hardware.simulated import Ntag213, SimulatedPad

EMPTY_MS = 500
"""How long nothing lies there at first: what lies on a reader at its first looks was not laid now."""

Given = ParamSpec("Given")
Result = TypeVar("Result")


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Stages:
    """How long each call of a stage took, in ms."""

    def __init__(self) -> None:
        self.took: dict[str, list[float]] = {name: [] for name in ("driver", "thread", "interpret", "rule")}
        self.took |= {"journal": [], "draw": []}

    def timed(self, name: str, function: Callable[Given, Result]) -> Callable[Given, Result]:
        @functools.wraps(function)
        def run(*arguments: Given.args, **named: Given.kwargs) -> Result:
            began = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                self.add(name, began)

        return run

    def add(self, name: str, began: float) -> None:
        self.took[name].append((time.perf_counter() - began) * 1000)


class TimedPad(SimulatedPad):
    """A simulated reader that notes when its last transfer ended, and on which cards are laid between two looks."""

    def __init__(self, stages: Stages) -> None:
        super().__init__()
        self._stages = stages
        self._last_transfer = 0.0
        self._transfer = self.spi.xfer2
        self.spi.xfer2 = self._timed_transfer  # type: ignore[method-assign]  # a method, replaced for one object
        self._lying: Ntag213 | None = None
        self.wanted: bytes | None = None
        self._first_ms: int | None = None
        self.read_at = self.told_at = 0.0

    def _timed_transfer(self, data: list[int]) -> list[int]:
        reply = self._transfer(data)
        self._last_transfer = time.perf_counter()
        return reply

    def poll(self, now_ms: int) -> Sequence[Signal]:
        if self._first_ms is None:
            self._first_ms = now_ms
        if self.wanted is not None and now_ms - self._first_ms >= EMPTY_MS:
            if self._lying is not None:
                self.lift(self._lying)
            wanted, self.wanted = self.wanted, None
            # A card that is tapped twice is away in between, for longer than the tracker lets a card be missed.
            self._lying = None if wanted == b"" else Ntag213(wanted)
            if self._lying is not None:
                self.place(self._lying)
        signals = super().poll(now_ms)
        if any(isinstance(signal, TagPlaced) for signal in signals):
            self.read_at, self.told_at = self._last_transfer, time.perf_counter()
            self._stages.took["driver"].append((self.told_at - self.read_at) * 1000)
        return signals
