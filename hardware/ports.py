"""The shapes that every device has, real or simulated, and the errors they raise.

Protocols, value types and exceptions only: no device is opened here and no library of a device is imported.
Every device is polled with the time in milliseconds. None of them sleeps, but for a reader, which may wait a
few milliseconds of air time inside a poll, and does so on the :class:`Clock` it was given.
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


class DeviceFaultError(HardwareError, OSError):
    """The device is there and does not work as it should: a dead bus, a chip that lost its settings."""


class TagGoneError(HardwareError):
    """The tag left, or another one lies there, before it was finished with."""


class TagRefusedError(HardwareError):
    """The tag is there and does not take the command: locked, not formatted, or another kind of tag."""


class Clock(Protocol):
    """A monotonic clock that can also wait, so that drivers run the same on real and on virtual time."""

    def now_us(self) -> int:
        """Microseconds since a moment that never changes while the program runs."""
        ...

    def wait_us(self, duration_us: int) -> None:
        """Return when at least *duration_us* have passed; at once if it is not positive."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """A frame came back. *last_bits* is how many bits of the last byte count; 0 means all eight."""

    data: bytes
    last_bits: int = 0


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing answered within the time allowed."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Something answered that can't be understood; *reason* names what was wrong, in words."""

    reason: str


@dataclass(frozen=True, slots=True)
class Collision:
    """Several tags answered at once and differed. *bit* is the first differing bit of the answer, from 0."""

    bit: int


Reply = Answer | Silence | Noise | Collision


class Transceiver(Protocol):
    """A radio that sends one frame and waits for one answer (ISO/IEC 14443-3 type A, 106 kbit/s)."""

    @property
    def chip_note(self) -> str:
        """A sentence about a chip that works but isn't the one it claims to be; empty if there is none."""
        ...

    def start(self) -> None:
        """Reset the chip, set it up and switch the field on.

        :raises DeviceFaultError: if no chip answers or it does not keep what is written.
        """
        ...

    def check(self) -> None:
        """Compare the chip with how it was set up, in one transfer.

        :raises DeviceFaultError: with the difference as a sentence.
        """
        ...

    def exchange(self, frame: bytes, *, last_bits: int = 0, answer_bytes: int, timeout_us: int) -> Reply:
        """Send *frame* and return what came back.

        *last_bits* is how many bits of the last byte are sent (0: all eight), *answer_bytes* how long the
        longest answer is, *timeout_us* how long the first bit of an answer may take after the last one sent.

        :raises DeviceFaultError: if the chip itself, not the tag, failed.
        """
        ...

    def send(self, frame: bytes) -> None:
        """Send *frame*, to which nothing answers.

        :raises DeviceFaultError: if the bus failed.
        """
        ...

    def close(self) -> None:
        """Switch the field off and release the bus; may be called twice."""
        ...


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
