"""The box's screen, there or not: opened when that can be done, dimmed, lost and found again.

Which ways there are is ``display.bring_up``'s business, what is shown the box's. Without a screen showing does nothing,
and waiting waits all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.gpio.backlight import Backlight
from hardware.installing import how_to_install
from hardware.signals import Signal
from table_app.cli.wake import Wake
from table_app.display.bring_up import Screen
from table_app.table.clock import now_ms
from table_app.view.table_view import TableView

if TYPE_CHECKING:
    from table_app.display.window import TableWindow

DIM = 0.85
"""How dark a dim screen is: readable in the dark, no lamp."""


class BoxScreen:
    """The screen of one box.

    :param wake: is made to end the waiting, wherever that is done.
    :param on_finger: told of fingers as ``TableWindow.on_finger`` is.
    :param on_idle_key: told of keys without a meaning.
    :param run_directory: where to remember what must outlive a crash.
    """

    def __init__(
        self,
        wake: Wake,
        log: Callable[[str], None],
        *,
        on_finger: Callable[[bool, float, float], None],
        on_idle_key: Callable[[], None],
        width_mm: float | None,
        run_directory: Path | None,
    ) -> None:
        self._wake = wake
        self._on_finger = on_finger
        self._on_idle_key = on_idle_key
        self._width_mm = width_mm
        self._screen: Screen[TableWindow] = Screen(self._open, log, run_directory=run_directory)
        self._light = Backlight(run_directory=run_directory)
        self._window: TableWindow | None = None
        self._is_brought_up = False

    @property
    def is_there(self) -> bool:
        return self._window is not None

    @property
    def driver(self) -> str:
        """The way to the screen, in a word; empty without one."""
        return self._screen.driver

    def _open(self) -> TableWindow:
        try:
            from table_app.display.window import TableWindow, WindowOptions
        except ImportError as error:
            raise OSError(f"{error}. {how_to_install('pygame')}") from error
        options = WindowOptions(is_full_screen=True, width_mm=self._width_mm, has_pointer=False)
        window = TableWindow(now_ms, options)
        window.on_finger = self._on_finger
        window.on_idle_key = self._on_idle_key
        return window

    def look(self, moment: int) -> None:
        """Bring the screen up, or look whether there is one by now."""
        if self._window is not None:
            return
        window = self._screen.poll(moment) if self._is_brought_up else self._screen.bring_up(moment)
        self._is_brought_up = True
        if window is not None:
            self._window = window
            self._wake.target = window.wake

    def show(self, view: TableView, is_dim: bool, moment: int) -> None:
        """Show *view*; a screen that is lost on the way is done without."""
        if self._window is None:
            return
        from table_app.display.errors import DisplayLostError

        if is_dim:
            self._light.turn_down()
        else:
            self._light.turn_up()
        try:
            self._window.dim(DIM if is_dim else 0)
            if self._window.show(view):
                self._screen.settle()
        except DisplayLostError as error:
            self._lose(str(error), moment)

    def wait(self, timeout_ms: int) -> list[Signal]:
        """Wait until something is pressed, the box is woken or *timeout_ms* have passed; what was pressed."""
        if self._window is not None:
            from table_app.display.errors import DisplayLostError

            try:
                return self._window.wait(timeout_ms)
            except DisplayLostError as error:
                self._lose(str(error), now_ms())
                return []
        self._wake.event.wait(timeout_ms / 1_000)
        self._wake.event.clear()
        return []

    def _lose(self, reason: str, moment: int) -> None:
        self._put_away()
        self._screen.lose(reason, moment)

    def _put_away(self) -> None:
        if self._window is not None:
            self._wake.target = self._wake.event.set
            self._window.close()
            self._window = None

    def close(self) -> None:
        """Close it in good order, with the light as it was."""
        self._light.turn_up()
        self._screen.settle()
        self._put_away()
