"""A live table put together, in one place: its devices and its record opened, and the loop above them.

`play`, `kiosk` and `score` open one by the settings, a simulated evening with its own devices. Who steps it, and what
shows it, is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from hardware.readers import NO_READER
from hardware.signals import Signal
from table_app.play.state import Options, TableState
from table_app.rules import Setup
from table_app.rules.messages import Translate, untranslated, words_of
from table_app.settings import Settings
from table_app.table.clock import boot_id, wall_time
from table_app.table.devices import NO_READER_FOUND, Devices, open_devices
from table_app.table.loop import Observer, Table
from table_app.table.opening import REGISTRY_FILE, SCORE_DIRECTORY, OpenedTable, TableFiles, open_table
from table_app.table.options import table_options
from table_app.transcript.header import deck_loader_beside


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a table has around it: the time, and who is told. *show* is told of all that can be seen."""

    now_ms: Callable[[], int]
    show: Callable[[TableState, int], None] | None = None
    observers: Sequence[Observer] = ()
    watchdog: Callable[[], None] | None = None
    translate: Translate = untranslated


class LiveTable:
    """The `table` that runs, with the `devices` that were opened for it and its record; to be closed.

    :param ticks_for_tags: false where the reader's own thread ticks.
    :param said: what is told before all else, as soon as it is opened.
    :raises TableBusyError: if another table runs in the same directory; the devices are then the caller's to close.
    """

    def __init__(
        self,
        files: TableFiles,
        setup: Setup,
        devices: Devices,
        around: Surroundings,
        *,
        options: Options | None = None,
        is_new: bool = False,
        ticks_for_tags: bool = True,
        said: str = "",
    ) -> None:
        self.devices = devices
        self._files, self._setup, self._options = files, setup, options
        self._around = around
        self._ticks_for_tags = ticks_for_tags
        self._opened = self._open(is_new=is_new)
        if said:
            self._opened.state = replace(self._opened.state, messages=(said, *self._opened.state.messages))
        self.table = self._make_table()

    def _open(self, *, is_new: bool) -> OpenedTable:
        opened = open_table(
            self._files,
            self._setup,
            self._around.now_ms(),
            tags=self.devices.tags,
            options=self._options,
            is_new=is_new,
        )
        self.devices.know(opened.state.tags)
        translate = self._around.translate
        messages = (
            *(words_of(said, translate) for said in opened.state.messages),
            *map(translate, self.devices.messages),
        )
        opened.state = replace(opened.state, lost=self.devices.missing, messages=messages)
        return opened

    def _make_table(self) -> Table:
        return Table(
            self._opened.state,
            self._opened.journal,
            devices=self.devices.senses,
            buzzer=self.devices.buzzer,
            lamps=self.devices.lamps,
            show=self._around.show,
            observers=self._around.observers,
            translate=self._around.translate,
            watchdog=self._around.watchdog,
            ticks_for_tags=self._ticks_for_tags,
            enrol=self._opened.enrol,
            older=self._opened.older,
        )

    @property
    def state(self) -> TableState:
        return self.table.state

    @property
    def trouble(self) -> str:
        """Why what happens is not kept; empty where it is."""
        return words_of(self.state.trouble or self._opened.journal.standing_trouble, self._around.translate)

    def hear(self, signal: Signal) -> None:
        """Give *signal* to the table, or the card that it picks to a simulated hand."""
        self.devices.hear(self.table, signal)

    def shown_by(self, show: Callable[[TableState, int], None]) -> Table:
        """The table, which tells *show* of all that can be seen from now on."""
        self._around = replace(self._around, show=show)
        self.table.show_by(show)
        return self.table

    def begin_another(self) -> None:
        """Another match on the same table: what lies on it and which devices are silent stays as it is."""
        old = self.state
        self._opened.close()
        self._opened = self._open(is_new=True)
        self._opened.state = replace(self._opened.state, lost=old.lost, on_pad=old.on_pad)
        self.table = self._make_table()

    def close(self) -> None:
        """Close record and devices, and let another table in."""
        self._opened.close()
        self.devices.close()


def open_live_table(
    settings: Settings,
    directory: Path,
    around: Surroundings,
    wake: Callable[[], None],
    *,
    reader: str | None = None,
    players: tuple[str, ...] | None = None,
    is_scoring: bool = False,
    is_new: bool = False,
    can_stop: bool = True,
    can_change_players: bool = False,
    said: str = "",
) -> LiveTable:
    """The table that *settings* describe, kept in *directory*; *wake* is called from any thread when something came.

    *reader* and *players* go before what the settings say; with *is_scoring* the score alone is kept.

    :raises SettingsError: if the settings contradict themselves.
    :raises TableBusyError: if another table runs there.
    """
    settings.check_pins()  # each file for itself was right, which says nothing of all together
    load_deck = deck_loader_beside(settings.path)
    setup = settings.setup(players, load_deck, is_dealt=not is_scoring)
    files = TableFiles(directory, wall_time, boot_id(), load_deck, directory / REGISTRY_FILE)
    if is_scoring:
        setup = replace(setup, refereed=False)
        files = replace(files, directory=directory / SCORE_DIRECTORY)
    kind = reader or settings.text("reader", "kind")
    options = table_options(settings)
    with ExitStack() as opening:
        devices = open_devices(settings, kind, setup.deck, around.now_ms, wake)
        opening.callback(devices.close)
        has_reader = kind != NO_READER and NO_READER_FOUND not in devices.messages
        options = options._replace(can_stop=can_stop, can_change_players=can_change_players, has_reader=has_reader)
        if is_scoring:
            devices.messages = tuple(message for message in devices.messages if message != NO_READER_FOUND)
        live = LiveTable(files, setup, devices, around, options=options, is_new=is_new, ticks_for_tags=False, said=said)
        opening.pop_all()
    return live
