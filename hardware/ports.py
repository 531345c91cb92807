"""The shapes that every device has, real or simulated, and the errors they raise.

Protocols and exceptions only: no device is opened here and no library of a device is imported.
Every device is polled with the time in milliseconds; none of them waits or sleeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hardware.signals import Signal


class HardwareError(Exception):
    """Root of all that can go wrong with a device; its text is a sentence with what to do next."""


class DeviceNotFoundError(HardwareError, FileNotFoundError):
    """The device or the library it needs is not there."""


class DevicePermissionError(HardwareError, PermissionError):
    """The device is there, and this user may not open it."""


class DeviceBusyError(HardwareError, OSError):
    """Another program or a kernel overlay holds the device."""


@dataclass(frozen=True, slots=True)
class Tone:
    """One step of a buzzer pattern: sound for *on_ms*, then be silent for *off_ms*.

    *frequency_hz* is what a passive buzzer plays; an active one has a pitch of its own and ignores it.
    """

    frequency_hz: int
    on_ms: int
    off_ms: int = 0


Pattern = tuple[Tone, ...]


class TagReader(Protocol):
    """A place where tags are laid. *name* tells several readers apart (``pad``, ``pile``)."""

    @property
    def name(self) -> str: ...

    def poll(self, now_ms: int) -> Sequence[Signal]:
        """Look once, if it is time to, and return what changed."""
        ...

    def close(self) -> None: ...


class Buttons(Protocol):
    """Push buttons, debounced."""

    def poll(self, now_ms: int) -> Sequence[Signal]: ...

    def close(self) -> None: ...


class Buzzer(Protocol):
    """Something that beeps. A new pattern replaces the one that is sounding."""

    def sound(self, pattern: Pattern, now_ms: int) -> None: ...

    def poll(self, now_ms: int) -> None:
        """Move the pattern on to *now_ms*."""
        ...

    def close(self) -> None:
        """Be silent and release the pin; may be called twice."""
        ...


class Lamps(Protocol):
    """One lamp a seat, lit for whoever is awaited."""

    def show(self, seats: frozenset[int]) -> None: ...

    def close(self) -> None: ...
