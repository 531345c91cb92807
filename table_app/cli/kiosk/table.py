"""The table in the box, as its corner asks of it: whether anything was done, and how reader and pins are.

What a table is put together of is in ``table.live``; the loop and the screen are the box's.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardware.diagnosis.checks import Check, failed, not_checked, passed
from hardware.signals import Signal
from table_app.cli.wake import Wake, timeout_ms
from table_app.rules.messages import Translate
from table_app.settings import Settings
from table_app.table import Observer, Table, TableState
from table_app.table.clock import now_ms
from table_app.table.live import Surroundings, open_live_table


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
        self._reader = reader or settings.text("reader", "kind")
        self._pins = settings.text("pins", "use")
        around = Surroundings(now_ms, show, [observer], watchdog, translate)
        # A box is switched off in its corner.
        self._live = open_live_table(settings, directory, around, wake, reader=reader, can_stop=False)

    @property
    def table(self) -> Table:
        return self._live.table

    @property
    def trouble(self) -> str:
        """Why what happens is not kept; empty where it is."""
        return self._live.trouble

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was done in this match yet."""
        return self.table.match.round_number == 0 and self.table.state.ruling is None

    def begin_another(self) -> None:
        """Another match on the same table: what lies on it and which devices are silent stays as it is."""
        self._live.begin_another()

    def hear(self, signal: Signal) -> None:
        self._live.hear(signal)

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
        if self._live.devices.lamps is not None:
            found.append(passed("pins", "Buttons, buzzer and lamps are open."))
        else:
            said = " ".join(self._live.devices.messages) or f"No buttons, buzzer or lamps are used ({self._pins})."
            found.append(not_checked("pins", said))
        return found

    def close(self) -> None:
        """Close record and devices, and let another table in."""
        self._live.close()
