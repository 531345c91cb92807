"""A whole simulated reader: clock, field, chip and bus under the real driver, polled in virtual time.

What a demonstration or a test holds in its hands; nothing here imitates the driver, it only puts the parts
together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hardware.ports import Transceiver
from hardware.rc522.chip import DEFAULT_GAIN_DB, DEFAULT_SPEED_HZ, Rc522
from hardware.signals import Signal
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.clock import VirtualClock
from hardware.simulated.field import Field
from hardware.simulated.spidev import SimulatedSpiDev
from hardware.simulated.tags import SimulatedTag
from hardware.tags.iso14443a import Tag
from hardware.tags.reader import PollingTagReader, Result


class SimulatedPad:
    """A :class:`hardware.ports.TagReader` on a simulated MFRC522.

    ``poll(now_ms)`` first moves the clock to *now_ms* if it is not there yet; bus and air time move it on
    from there. Tags are laid with :meth:`place` and taken away with :meth:`lift`, both at the clock's
    present moment.

    :param clock: may be shared with the rest of a simulated table.
    :param version: the chip's version register, for clones.
    """

    def __init__(
        self,
        *,
        name: str = "pad",
        clock: VirtualClock | None = None,
        version: int = 0x92,
        gain_db: int = DEFAULT_GAIN_DB,
        speed_hz: int = DEFAULT_SPEED_HZ,
    ) -> None:
        self.clock = clock or VirtualClock()
        self.field = Field(self.clock)
        self.chip = SimulatedMfrc522(self.clock, self.field, version=version)
        self.spi = SimulatedSpiDev({(0, 0): self.chip})
        self.spi.open(0, 0)
        self.spi.max_speed_hz = speed_hz
        self.driver = Rc522(self.spi, self.clock, gain_db=gain_db)
        self.reader = PollingTagReader(self.driver, name=name)

    @property
    def name(self) -> str:
        return self.reader.name

    @property
    def present(self) -> Tag | None:
        return self.reader.present

    @property
    def next_poll_ms(self) -> int:
        return self.reader.next_poll_ms

    def poll(self, now_ms: int) -> Sequence[Signal]:
        self.clock.advance_to_ms(now_ms)
        return self.reader.poll(now_ms)

    def talk(self, conversation: Callable[[Transceiver, Tag], Result]) -> Result:
        """As :meth:`PollingTagReader.talk`."""
        return self.reader.talk(conversation)

    def place(self, tag: SimulatedTag) -> None:
        """Lay *tag* on the pad."""
        self.field.place(tag)

    def lift(self, tag: SimulatedTag) -> None:
        """Take *tag* off the pad."""
        self.field.lift(tag)

    def unplug(self) -> None:
        """Pull the module off its wires: the bus reads all ones and the field is gone."""
        self.spi.stuck_at = 0xFF
        self.chip.brown_out()

    def plug_in(self) -> None:
        """Put the module back, as it is after power-on."""
        self.spi.stuck_at = None
        self.chip.brown_out()

    def close(self) -> None:
        self.reader.close()
