"""Every kind of reader there is, once: its word in the settings, what it takes, how it opens and how it is examined.

Settings, command line, table and doctor read this list. What a kind does when it is opened or examined is its own
module's; a library that one kind alone needs is imported by that module, when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardware.clock import SystemClock
from hardware.diagnosis.checks import Check, guarded, not_checked
from hardware.ports import Clock
from hardware.rc522.opening import Finder, find_anywhere, find_by_package, find_guarded, find_there
from hardware.rc522.package import DEFAULT_RESET_PIN
from hardware.rc522.spi import ReaderSettings
from hardware.tags.labels import TalkingReader
from hardware.tags.reader import PollingTagReader

if TYPE_CHECKING:
    from hardware.diagnosis.reader import CardTest, Machine

NO_READER: Final = "none"
"""In the place of a kind: there is no reader, and cards are picked on the screen."""
PAD_READER: Final = "pad"
"""The name of the reader on which cards are laid."""
PILE_READER: Final = "pile"
"""The name of the second reader, at the draw pile."""


class Attached(Enum):
    """What a reader hangs on, which decides what else of a table is there."""

    HEADER = auto()
    """SPI on this machine's own header, whose pins it takes."""
    BOARD = auto()
    """A microcontroller on USB, on which buttons, buzzer and lamps are too."""
    NOTHING = auto()
    """It is simulated, and so must be the hand that lays cards on it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One reader that is wanted, whatever its kind.

    :param settings: how it is wired, if it is on the header.
    :param address: which one, where its kind takes an address (a port, a URL); None: it is looked for.
    :param besides: where another reader of the same table is, which is not taken for this one.
    """

    settings: ReaderSettings = field(default_factory=ReaderSettings)
    name: str = PAD_READER
    address: str | None = None
    clock: Clock = field(default_factory=SystemClock)
    root: Path = Path("/")
    besides: ReaderSettings | None = None


Examine = Callable[[Wanted, "Machine", "CardTest"], Sequence[Check]]


@dataclass(frozen=True, slots=True)
class ReaderKind:
    """One kind of reader.

    :param word: its name in ``[reader] kind`` and behind ``--reader``.
    :param open: opens one that works, or raises a :class:`hardware.HardwareError` that says what to do.
    :param examine: what doctor asks of it, in the order in which to mend, beside board and system.
    :param is_looked_for: nobody named it, so nothing is wrong on a machine that has none.
    :param open_second: opens one more of it where that is set, at the draw pile; None: there can be one alone.
    :param has_address: the word may be followed by a colon and an address.
    :param reset_pin: the BCM number of the pin that it drives even where none is set.
    """

    word: str
    attached: Attached
    open: Callable[[Wanted], TalkingReader]
    examine: Examine
    is_looked_for: bool = False
    open_second: Callable[[Wanted], TalkingReader] | None = None
    has_address: bool = False
    reset_pin: int | None = None


def _open_rc522(find: Finder, wanted: Wanted) -> TalkingReader:
    found = find(wanted.settings, wanted.clock, wanted.root, wanted.besides)
    if found.driver is None:
        assert found.fault is not None
        raise found.fault
    return PollingTagReader(found.driver, name=wanted.name, started=True)


def _open_simulated(wanted: Wanted) -> TalkingReader:
    from hardware.simulated.pad import SimulatedPad

    return SimulatedPad(name=wanted.name, gain_db=wanted.settings.gain_db, speed_hz=wanted.settings.speed_hz)


def _examine_simulated(wanted: Wanted, machine: Machine, card: CardTest) -> Sequence[Check]:
    from hardware.diagnosis.reader import examine_simulated

    return examine_simulated(wanted.settings, card)


def _open_on_board(wanted: Wanted) -> TalkingReader:
    from hardware.bridged.parts import open_bridged_reader

    return open_bridged_reader(wanted.address, name=wanted.name, clock=wanted.clock)


def _examine_board(wanted: Wanted, machine: Machine, card: CardTest) -> Sequence[Check]:
    from hardware.diagnosis.board import board_checks

    names = (PAD_READER,) if wanted.besides is None else (PAD_READER, PILE_READER)
    return board_checks(wanted.address, names, wanted.clock)


def _rc522(
    word: str,
    find: Finder,
    *,
    libraries: Sequence[str] = ("spidev", "lgpio"),
    is_for_sure: bool = False,
    is_looked_for: bool = False,
    is_the_only_one: bool = False,
    reset_pin: int | None = None,
) -> ReaderKind:
    """An RC522 on the header, found by *find*. *is_for_sure*: who names it has one, on whatever machine."""

    def examine(wanted: Wanted, machine: Machine, card: CardTest) -> Sequence[Check]:
        from hardware.diagnosis.reader import check_second_reader, examine_rc522

        found = find_guarded(find, wanted.settings, wanted.clock, machine.root, wanted.besides)
        about = f"kind {word}"
        checks = examine_rc522(found, wanted.settings, about, libraries, machine, wanted.clock, card, is_for_sure)
        if not is_the_only_one and (pile := wanted.besides) is not None:
            checks += guarded(f"reader {PILE_READER}", lambda: check_second_reader(pile, machine, wanted.clock))
        return checks

    return ReaderKind(
        word,
        Attached.HEADER,
        open=partial(_open_rc522, find),
        examine=examine,
        is_looked_for=is_looked_for,
        open_second=None if is_the_only_one else partial(_open_rc522, find_there),
        reset_pin=reset_pin,
    )


READER_KINDS: Final = (
    _rc522("auto", find_anywhere, is_looked_for=True),
    _rc522("spi", find_there),
    _rc522(
        "mfrc522",
        find_by_package,
        libraries=("spidev", "mfrc522", "RPi.GPIO", "lgpio"),
        is_for_sure=True,
        is_the_only_one=True,
        reset_pin=DEFAULT_RESET_PIN,
    ),
    ReaderKind("simulated", Attached.NOTHING, open=_open_simulated, examine=_examine_simulated),
    ReaderKind("serial", Attached.BOARD, open=_open_on_board, examine=_examine_board, has_address=True),
)
"""In the order in which people are told of them."""
READER_WORDS: Final = (*(kind.word for kind in READER_KINDS), NO_READER)
"""All that ``[reader] kind`` may say, without an address."""


def split_word(said: str) -> tuple[ReaderKind | None, str | None]:
    """The kind that *said*, such as ``serial:/dev/ttyACM0``, names, and the address; no kind for ``none``.

    :raises ValueError: if there is no such kind, or an address behind a word that takes none.
    """
    word, colon, address = said.partition(":")
    kind = next((kind for kind in READER_KINDS if kind.word == word), None)
    if word not in READER_WORDS or (colon and not (kind and kind.has_address)):
        ports = ", ".join(f"{kind.word} may name a port, {kind.word}:PORT" for kind in READER_KINDS if kind.has_address)
        raise ValueError(f"{said!r} is none of {', '.join(READER_WORDS)}; {ports}")
    return kind, address or None


def is_simulated(said: str) -> bool:
    """Whether *said* names a reader on which nobody can lay a card but a simulated hand."""
    kind, _address = split_word(said)
    return kind is not None and kind.attached is Attached.NOTHING


def is_on_a_board(said: str) -> bool:
    """Whether *said* names a reader that has buttons, buzzer and lamps beside it."""
    kind, _address = split_word(said)
    return kind is not None and kind.attached is Attached.BOARD


def open_reader(
    kind: str = "auto",
    settings: ReaderSettings | None = None,
    *,
    name: str = PAD_READER,
    clock: Clock | None = None,
    root: Path = Path("/"),
    besides: ReaderSettings | None = None,
) -> TalkingReader:
    """Open a reader that works.

    ``spi`` takes the device of *settings*; ``auto`` tries that one first and then every other device on the
    header; ``mfrc522`` goes through the PyPI package of that name, for tables wired to it; ``serial``, or
    ``serial:PORT``, is on a microcontroller; ``simulated`` is a whole simulated reader on a clock of its own, and is
    never taken unless asked for.

    *besides* is where another reader of the same table is: ``auto`` does not look there.

    :raises ValueError: if there is no such kind.
    :raises DeviceNotFoundError: if no device, no library or no chip is there.
    :raises DevicePermissionError: if this user may not open the device.
    :raises DeviceBusyError: if another program holds it.
    """
    known, address = split_word(kind)
    if known is None:
        raise ValueError(f"{kind} is no reader that could be opened")
    return known.open(Wanted(settings or ReaderSettings(), name, address, clock or SystemClock(), root, besides))


def diagnose(
    settings: ReaderSettings | None = None,
    *,
    kind: str = "auto",
    machine: Machine | None = None,
    clock: Clock | None = None,
    card: CardTest | None = None,
    besides: ReaderSettings | None = None,
) -> list[Check]:
    """Examine the machine and the reader that a table would open; the order is the one in which to mend.

    *besides* is where the table's other reader is.

    :raises ValueError: if there is no such kind.
    """
    from hardware.diagnosis.reader import CardTest, Machine, check_machine

    known, address = split_word(kind)
    machine = machine or Machine()
    checks = check_machine(machine)
    if known is None:
        said = "The settings say that there is no reader: cards are picked on the screen."
        return [*checks, not_checked("reader", said)]
    wanted = Wanted(settings or ReaderSettings(), PAD_READER, address, clock or SystemClock(), machine.root, besides)
    return [*checks, *known.examine(wanted, machine, card or CardTest())]
