"""Opens the devices that the settings ask for; what is not there is a sentence, and the table goes on without it.

The only rooms that know real devices from simulated ones are here and in the demonstration.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hardware.bridged.bridge import make_bridge
from hardware.bridged.parts import BridgedButtons, BridgedBuzzer, BridgedLamps, BridgedReader
from hardware.gpio import open_buttons, open_buzzer, open_lamps
from hardware.machine import is_raspberry_pi
from hardware.ports import Buzzer, DeviceNotFoundError, HardwareError, Lamps
from hardware.rc522.spi import ReaderSettings
from hardware.readers import PAD_READER, PILE_READER, Attached, ReaderKind, Wanted, open_reader, split_word
from hardware.signals import CardPicked, Signal
from hardware.tags.labels import LabelReader, TalkingReader
from table_app.rules import Card, Deck
from table_app.rules.messages import _
from table_app.settings import Settings, SettingsError
from table_app.sound import PATTERNS, BuzzerCue
from table_app.sound.card import has_sound_card
from table_app.sound.loudspeaker_buzzer import LoudspeakerBuzzer
from table_app.table import Device, Table
from table_app.table.threads import ThreadedBuzzer, ThreadedDevice

if TYPE_CHECKING:
    from table_app.table.simulated_hand import SimulatedHand


NO_READER_FOUND = _("There is no card reader here: cards are named by hand.")
LOUDSPEAKER = "loudspeaker"


@dataclass(slots=True)
class Devices:
    """The devices of a table that are there.

    *missing* are readers that are not, with the reason; *messages* what else there is to tell; *tags* the simulated
    deck's, or None for the tag list; *labels* reads what is written on tags that no list knows.
    """

    senses: list[Device] = field(default_factory=list)
    buzzer: Buzzer | None = None
    lamps: Lamps | None = None
    missing: tuple[tuple[str, str], ...] = ()
    messages: tuple[str, ...] = ()
    tags: dict[bytes, Card | str] | None = None
    hand: SimulatedHand | None = None
    labels: LabelReader | None = None
    closing: list[Callable[[], None]] = field(default_factory=list)

    @property
    def has_senses(self) -> bool:
        return bool(self.senses)

    @property
    def is_laying(self) -> bool:
        """True while a picked card is on its way over the simulated reader."""
        return self.hand is not None and self.hand.is_busy

    def hear(self, table: Table, signal: Signal) -> None:
        """Give *signal* to the table; with a simulated reader a card picked is laid on it instead."""
        if self.hand is not None and isinstance(signal, CardPicked) and self.hand.lay(signal):
            return
        table.hear(signal)

    def know(self, tags: Container[bytes]) -> None:
        """The tags whose meaning is known by a list: what is written on them need not be read."""
        if self.labels is not None:
            self.labels.known = tags

    def tick(self) -> None:
        """A card was sensed; any thread may call this."""
        if self.buzzer is not None:
            self.buzzer.sound(PATTERNS[BuzzerCue.TICK], 0)

    def close(self) -> None:
        """Close all, the last opened first."""
        while self.closing:
            self.closing.pop()()


def open_devices(
    settings: Settings, reader_kind: str, deck: Deck, now_ms: Callable[[], int], wake: Callable[[], None]
) -> Devices:
    """Open reader, buttons, buzzer and lamps."""
    devices = Devices()
    kind, address = _kind_of(reader_kind)
    attached = None if kind is None else kind.attached
    if attached is Attached.NOTHING:
        _simulate_reader(devices, deck, now_ms, wake)
    elif attached is Attached.BOARD:
        _open_board(devices, settings, address, now_ms, wake)
        if not wants_buzzer(settings):
            devices.buzzer = None  # the board knows loud alone
        _open_loudspeaker(devices, settings, now_ms)
        return devices
    elif kind is not None:
        _open_reader(devices, settings, kind, reader_kind, now_ms, wake)
        if (pile := second_reader(settings)) is not None:
            _open_pile_reader(devices, settings, kind, pile, now_ms, wake)
    if settings.text("pins", "use") != "off":
        _open_pins(devices, settings, now_ms, wake)
    _open_loudspeaker(devices, settings, now_ms)
    return devices


def has_reader(settings: Settings, reader_kind: str | None = None) -> bool:
    """Whether there is a reader to be tapped on, as far as can be found out by looking; one that is there and can't be
    opened, or is named on a board, counts: what it lacks is told where it is opened."""
    said = reader_kind or settings.text("reader", "kind")
    kind, _address = _kind_of(said)
    if kind is None or kind.attached is not Attached.HEADER:
        return kind is not None
    try:
        open_reader(said, reader_settings(settings)).close()
    except DeviceNotFoundError:
        return False
    except (HardwareError, SettingsError):
        return True
    return True


def _kind_of(said: str) -> tuple[ReaderKind | None, str | None]:
    try:
        return split_word(said)
    except ValueError as error:
        raise SettingsError(f"There is no such reader: {error}.") from error


def wants_buzzer(settings: Settings) -> bool:
    """Whether a buzzer shall sound, if there is one."""
    return settings.text("pins", "buzzer-loudness") != "off" and settings.text("pins", "sound") != LOUDSPEAKER


def wants_loudspeaker(settings: Settings) -> bool:
    """Whether a loudspeaker shall sound where no buzzer does, and there is a sound card to play on."""
    if settings.text("pins", "buzzer-loudness") == "off" or settings.text("pins", "sound") == "buzzer":
        return False
    return has_sound_card()


def make_loudspeaker(settings: Settings) -> LoudspeakerBuzzer:
    """A loudspeaker as loud as the settings say, to be opened on whichever thread has time."""
    return LoudspeakerBuzzer(quiet=settings.text("pins", "buzzer-loudness") == "quiet")


def _open_loudspeaker(devices: Devices, settings: Settings, now_ms: Callable[[], int]) -> None:
    """The sound card, on a thread, where nothing else sounds; its lack is said only if it was insisted on."""
    if devices.buzzer is not None:
        return
    if wants_loudspeaker(settings):
        speaker = make_loudspeaker(settings)
        devices.buzzer = ThreadedBuzzer(speaker, now_ms, speaker.open)
        devices.closing.append(devices.buzzer.close)
    elif settings.text("pins", "sound") == LOUDSPEAKER and settings.text("pins", "buzzer-loudness") != "off":
        devices.messages = (*devices.messages, _("The table is silent: there is no sound card. Help: lastcard doctor"))


def reader_settings(settings: Settings) -> ReaderSettings:
    """How the reader is wired.

    :raises SettingsError: if a value can't be.
    """
    try:
        return ReaderSettings(
            bus=settings.number("reader", "bus"),
            device=settings.number("reader", "device"),
            speed_hz=settings.number("reader", "speed-hz"),
            gain_db=settings.number("reader", "gain-db"),
            reset_pin=settings.number_or_none("reader", "reset-pin"),
            can_burst=settings.flag("reader", "can-burst"),
        )
    except ValueError as error:
        raise SettingsError(f"{settings.path}: [reader] {error}.") from error


def second_reader(settings: Settings) -> ReaderSettings | None:
    """How the second reader is wired, as the first, on a device of its own; None if the table has none.

    :raises SettingsError: if a value can't be.
    """
    if not settings.flag("pile-reader", "use"):
        return None
    return replace(
        reader_settings(settings),
        bus=settings.number("pile-reader", "bus"),
        device=settings.number("pile-reader", "device"),
        reset_pin=settings.number_or_none("pile-reader", "reset-pin"),
    )


def _open_reader(
    devices: Devices,
    settings: Settings,
    kind: ReaderKind,
    said: str,
    now_ms: Callable[[], int],
    wake: Callable[[], None],
) -> None:
    wired = reader_settings(settings)
    try:
        reader = open_reader(said, wired, besides=second_reader(settings))
    except HardwareError as error:
        if kind.is_looked_for and isinstance(error, DeviceNotFoundError) and not is_raspberry_pi():
            devices.messages = (*devices.messages, NO_READER_FOUND)  # a laptop has no pins to be told about
            return
        devices.missing = (("reader", f"{error} Until then pick each card on the screen."),)
        return
    threaded = ThreadedDevice(_labelled(devices, settings, reader), now_ms, wake, devices.tick)
    devices.senses.append(threaded)
    devices.closing.append(threaded.close)


def _labelled(devices: Devices, settings: Settings, reader: TalkingReader) -> TalkingReader:
    """*reader*, which also reads what is written on tags that no list knows, unless the settings say not to."""
    if settings.text("reader", "labels") == "off":
        return reader
    devices.labels = LabelReader(reader)
    return devices.labels


def _open_pile_reader(
    devices: Devices,
    settings: Settings,
    kind: ReaderKind,
    wired: ReaderSettings,
    now_ms: Callable[[], int],
    wake: Callable[[], None],
) -> None:
    """The second reader, always on its own device: looking for it elsewhere would find the first."""
    if kind.open_second is None:
        raise SettingsError(f"{settings.path}: [pile-reader] needs [reader] kind spi; that package knows one reader.")
    try:
        reader = kind.open_second(Wanted(wired, PILE_READER))
    except HardwareError as error:
        devices.missing = (*devices.missing, (PILE_READER, f"{error} Until then press Draw for each card."))
        return
    threaded = ThreadedDevice(reader, now_ms, wake, devices.tick)
    devices.senses.append(threaded)
    devices.closing.append(threaded.close)


def _open_board(
    devices: Devices,
    settings: Settings,
    address: str | None,
    now_ms: Callable[[], int],
    wake: Callable[[], None],
) -> None:
    """Readers, buttons, buzzer and lamps on a microcontroller; one that isn't there yet is looked for all the time.

    A board that lacks the second reader says so as soon as it answers.
    """
    bridge = make_bridge(address)
    # All parts before the first thread: what lies on a reader is told once, as the board answers.
    readers: list[Device] = [_labelled(devices, settings, BridgedReader(bridge, PAD_READER))]
    if settings.flag("pile-reader", "use"):
        readers.append(BridgedReader(bridge, PILE_READER))
    buttons, buzzer, devices.lamps = BridgedButtons(bridge), BridgedBuzzer(bridge), BridgedLamps(bridge)
    senses = [ThreadedDevice(reader, now_ms, wake, devices.tick) for reader in readers]
    senses.append(ThreadedDevice(buttons, now_ms, wake))
    for sense in senses:
        devices.senses.append(sense)
        devices.closing.append(sense.close)
    devices.buzzer = ThreadedBuzzer(buzzer, now_ms)
    devices.closing.append(devices.buzzer.close)
    devices.closing.append(devices.lamps.close)


def _simulate_reader(devices: Devices, deck: Deck, now_ms: Callable[[], int], wake: Callable[[], None]) -> None:
    from table_app.table.simulated_hand import SimulatedHand

    devices.hand = SimulatedHand(deck)
    devices.tags = dict(devices.hand.tags)
    threaded = ThreadedDevice(devices.hand, now_ms, wake, devices.tick)
    devices.senses.append(threaded)
    devices.closing.append(threaded.close)
    devices.messages = (_("The reader is simulated: a card that is picked lies on it for a moment."),)


def _open_pins(devices: Devices, settings: Settings, now_ms: Callable[[], int], wake: Callable[[], None]) -> None:
    """Buttons, buzzer and lamps. Where there are no pins at all, that is said only if they were insisted on."""
    try:
        buttons = ThreadedDevice(open_buttons(settings.pins("buttons"), now_ms=now_ms), now_ms, wake)
        devices.senses.append(buttons)
        devices.closing.append(buttons.close)
        if wants_buzzer(settings):
            is_passive = settings.flag("pins", "buzzer-is-passive")
            is_quiet = settings.text("pins", "buzzer-loudness") == "quiet"
            buzzer = open_buzzer(settings.number("pins", "buzzer"), passive=is_passive, quiet=is_quiet)
            devices.buzzer = ThreadedBuzzer(buzzer, now_ms)
            devices.closing.append(devices.buzzer.close)
        devices.lamps = open_lamps({_seat(settings, name): pin for name, pin in settings.pins("lamps").items()})
        devices.closing.append(devices.lamps.close)
    except HardwareError as error:
        if settings.text("pins", "use") == "on" or devices.senses:
            devices.messages = (*devices.messages, str(error))


def _seat(settings: Settings, name: str) -> int:
    if not (name.isascii() and name.isdigit()):
        raise SettingsError(f"{settings.path}: [lamps] {name} must be the number of a seat, from 0.")
    return int(name)
