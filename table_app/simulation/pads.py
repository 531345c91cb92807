"""The shape of a reader on which simulated people lay tags; what they lay and when is in `scene`."""

from __future__ import annotations

from typing import Protocol

from hardware.simulated import SimulatedTag


class Pad(Protocol):
    """A reader on which tags are laid, and which can be pulled out."""

    def place(self, tag: SimulatedTag) -> None: ...

    def lift(self, tag: SimulatedTag) -> None: ...

    def unplug(self) -> None: ...

    def plug_in(self) -> None: ...
