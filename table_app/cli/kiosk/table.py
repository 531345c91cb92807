"""The table in the box: its devices and its record opened, and another match in the same place.

Putting parts together only; the loop and the screen are the box's.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from hardware.diagnosis.checks import Check, failed, not_checked, passed
from hardware.signals import Signal
from table_app.cli.play import start_messages
from table_app.cli.wake import Wake, timeout_ms
from table_app.rules.messages import Translate, words_of
from table_app.settings import Settings
from table_app.table import Observer, OpenedTable, Table, TableFiles, TableState, open_table
from table_app.table.clock import boot_id, now_ms, wall_time
from table_app.table.devices import open_devices
from table_app.table.opening import REGISTRY_FILE
from table_app.table.options import table_options
from table_app.transcript.header import deck_loader_beside


class BoxTable:
    """One table, open as long as this lives; to be closed.

    :param reader: which reader, where that is not the settings'.
    :raises SettingsError: if the settings contradict themselves.
    :raises TableBusyError: if another table runs in *directory*.
    """

    def __init__(
        self,
        settings: Settings,
        directory: Path,
        reader: str | None,
        *,
        wake: Wake,
        translate: Translate,
        observer: Observer,
        show: Callable[[TableState, int], None],
        watchdog: Callable[[], None],
    ) -> None:
        settings.check_pins()  # each file for itself was right, which says nothing of all together
        self._translate = translate
        self._observer = observer
        self._show = show
        self._watchdog = watchdog
        self._options = table_options(settings)._replace(can_stop=False)  # a box is switched off in its corner
        load_deck = deck_loader_beside(settings.path)
        self._setup = settings.setup(None, load_deck)
        self._files = TableFiles(directory, wall_time, boot_id(), load_deck, directory / REGISTRY_FILE)
        self._reader = reader or settings.text("reader", "kind")
        self._pins = settings.text("pins", "use")
        with ExitStack() as opening:
            self._devices = open_devices(settings, self._reader, self._setup.deck, now_ms, wake)
            opening.callback(self._devices.close)
            self._opened = self._open(is_new=False)
            self.table = self._make_table()
            opening.pop_all()

    def _open(self, is_new: bool) -> OpenedTable:
        opened = open_table(
            self._files, self._setup, now_ms(), tags=self._devices.tags, options=self._options, is_new=is_new
        )
        self._devices.know(opened.state.tags)
        messages = start_messages(opened, self._devices, self._translate)
        opened.state = replace(opened.state, lost=self._devices.missing, messages=messages)
        return opened

    def _make_table(self) -> Table:
        return Table(
            self._opened.state,
            self._opened.journal,
            devices=self._devices.senses,
            buzzer=self._devices.buzzer,
            lamps=self._devices.lamps,
            show=self._show,
            observers=[self._observer],
            translate=self._translate,
            watchdog=self._watchdog,
            ticks_for_tags=False,
            enrol=self._opened.enrol,
            older=self._opened.older,
        )

    @property
    def trouble(self) -> str:
        """Why what happens is not kept; empty where it is."""
        return words_of(self.table.state.trouble or self._opened.journal.standing_trouble, self._translate)

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was done in this match yet."""
        return self.table.match.round_number == 0 and self.table.state.ruling is None

    def begin_another(self) -> None:
        """Another match on the same table: what lies on it and which devices are silent stays as it is."""
        old = self.table.state
        self._opened.close()
        self._opened = self._open(is_new=True)
        self._opened.state = replace(self._opened.state, lost=old.lost, on_pad=old.on_pad)
        self.table = self._make_table()

    def hear(self, signal: Signal) -> None:
        self._devices.hear(self.table, signal)

    def timeout_ms(self) -> int:
        """How long nothing is due here."""
        return timeout_ms(self.table)

    def checks(self) -> list[Check]:
        """How reader and pins are, as far as the table that holds them open can tell."""
        lost = self.table.state.lost
        found = [failed(device, reason, "When it is back the table goes on by itself.") for device, reason in lost]
        if self._reader == "none":
            found.append(not_checked("reader", "The settings say that there is no reader: cards are picked by hand."))
        elif not lost:
            found.append(passed("reader", f"The reader ({self._reader}) answers."))
        if self._devices.lamps is not None:
            found.append(passed("pins", "Buttons, buzzer and lamps are open."))
        else:
            said = " ".join(self._devices.messages) or f"No buttons, buzzer or lamps are used ({self._pins})."
            found.append(not_checked("pins", said))
        return found

    def close(self) -> None:
        """Close record and devices, and let another table in."""
        self._opened.close()
        self._devices.close()
