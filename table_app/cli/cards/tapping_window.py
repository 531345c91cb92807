"""What is done by tapping cards outside a match, in a window: the same sessions as on the terminal, with a screen.

What a tap or a key comes to is the session's, and so is what its screen says.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import click

from hardware.signals import ButtonPressed
from hardware.tags.labels import TalkingReader
from table_app.cli.cards.place import Place
from table_app.cli.cards.tapping import LOOK_EVERY_MS, Session, Sounds, Tapping, open_sounds, run_on_terminal
from table_app.table.clock import now_ms
from table_app.table.simulated_hand import StickerHand
from table_app.tags.enrolling import Enrolled
from table_app.view.table_view import TableView

if TYPE_CHECKING:
    from table_app.display.window import TableWindow


def open_window(place: Place, kind: str, full_screen: bool, title: str) -> TableWindow | None:
    """The window; None where there is no screen and none was insisted on."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would print its version
    from table_app.display.errors import NoDisplayError
    from table_app.display.window import TableWindow, WindowOptions

    options = WindowOptions(
        title=title,
        is_full_screen=full_screen or place.settings.flag("display", "full-screen"),
        width_mm=place.settings.number_or_none("display", "width-mm"),
    )
    try:
        return TableWindow(now_ms, options)
    except NoDisplayError:
        if kind == "window":
            raise
        return None


def open_window_sounds(place: Place, closing: ExitStack) -> Sounds:
    """The buzzer on its pin, or, where there is none, a loudspeaker."""
    sounds = open_sounds(place.settings, has_window=True)
    closing.callback(sounds.close)
    return sounds


class ShownSession(Session, Protocol):
    """A session that has a screen."""

    is_stopped: bool

    def view(self, said: Enrolled | None, trouble: str) -> TableView: ...


def run_in_window(
    session: ShownSession, device: TalkingReader, sounds: Sounds, window: TableWindow, now_ms: Callable[[], int]
) -> None:
    """Until the person stops, also when everything has its tag: that is to be seen."""
    tapping = Tapping(session, device, sounds)
    keys: list[str] = []
    shown: tuple[object, ...] = ()
    while not (window.is_quit_wanted or session.is_stopped):
        tapping.step(now_ms(), keys)
        seen = (session.prompt(), tapping.said, tapping.trouble)
        if seen != shown or keys:  # to make a view the tag list is read
            shown = seen
            window.show(session.view(tapping.said, tapping.trouble))
        pressed = window.wait(LOOK_EVERY_MS)
        keys = [signal.button for signal in pressed if isinstance(signal, ButtonPressed)]


@dataclass(frozen=True, slots=True)
class Shown:
    """Where a session is to be seen: *kind* is none, window, or auto; *title* is the window's."""

    kind: str
    full_screen: bool
    title: str


def run_where_seen(
    session: ShownSession, device: TalkingReader, hand: StickerHand[Any] | None, place: Place, seen: Shown, first: str
) -> None:
    """In a window, or on the terminal where there is none, which begins with the line *first*."""
    with ExitStack() as closing:
        window = None if seen.kind == "none" else open_window(place, seen.kind, seen.full_screen, seen.title)
        if window is not None:
            closing.callback(window.close)
            with suppress(KeyboardInterrupt):  # a way to stop, too
                run_in_window(session, device, open_window_sounds(place, closing), window, now_ms)
            return
        sounds = open_sounds(place.settings)
        closing.callback(sounds.close)
        click.echo(first)
        run_on_terminal(session, device, sounds, now_ms, hand)
