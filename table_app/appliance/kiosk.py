"""Puts the box's parts round a live table: who was here, what the corner shows, what must be said about the plug.

It changes what is shown and swallows presses that were for the box; it neither judges nor keeps anything. It is told of
fingers, signals and the time, and does no I/O but through the functions that it was given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from hardware.machine import Keeping
from hardware.signals import (
    ButtonPressed,
    CardPicked,
    DeviceBack,
    DeviceLost,
    DeviceNote,
    ReaderDisturbed,
    Signal,
    Source,
)
from table_app.appliance.idle import Idle, IdleTimes, Presence
from table_app.appliance.maintenance import FORGET, PREFIX, Choice, Finger, Maintenance, Turned
from table_app.appliance.maintenance import Page as CornerPage
from table_app.appliance.pages import ANOTHER, GO_ON, asking_view, maintenance_view, resting_view
from table_app.appliance.power import SupplyWatch, is_all_kept, is_safe_to_switch_off, keeping_warning
from table_app.pin import is_plain
from table_app.rules import Match, Phase
from table_app.rules.messages import Translate, _, untranslated
from table_app.setup.adjusting import Adjusting
from table_app.view.table_view import Banner, Kind, TableView

# Long enough to be read from across the room, by people who are there.
TOLD_FOR_MS = 5 * 60_000
# A weak supply and an update can come together; a third thing takes the place of the oldest.
TOLD_MAX = 2

MINUTE_MS = 60_000

Page = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class KioskSettings:
    """How the box behaves. *pin* opens the maintenance corner; empty: no PIN is asked for."""

    pin: str = ""
    times: IdleTimes = field(default_factory=IdleTimes)


class Kiosk:
    """The box round one table.

    :param carry_out: does what was chosen in the corner and returns what to show for it, as title and paragraphs.
    :param adjusting: what the corner's page of settings turns.
    :param begin_another: begins another match while one is put aside.
    :param log: takes what is told, for a table without a screen too.
    :param keeping: what becomes of *directory*, where the record is, when the power goes.
    """

    def __init__(
        self,
        settings: KioskSettings,
        now_ms: int,
        *,
        carry_out: Callable[[Choice], Page],
        adjusting: Adjusting,
        begin_another: Callable[[], None],
        supply: SupplyWatch,
        keeping: Keeping,
        directory: Path,
        translate: Translate = untranslated,
        log: Callable[[str], None] = lambda _sentence: None,
    ) -> None:
        self.idle = Idle(settings.times, now_ms)
        self.corner = Maintenance(settings.pin)
        self._carry_out = carry_out
        self._adjusting = adjusting
        self._begin_another = begin_another
        self._supply = supply
        self._keeping = keeping
        self._warning = keeping_warning(keeping, directory, translate)
        self._translate = translate
        self._log = log
        if is_plain(settings.pin):
            log("The PIN lies in the settings for everybody to read. Set it anew with: sudo lastcard settings --pin")
        if self._warning:
            log(keeping_warning(keeping, directory, untranslated))
        self._is_swallowing = False
        self._own_press: Signal | None = None
        self._held_back: Signal | None = None
        self._released: list[Signal] = []
        # Until when each is shown, and what.
        self._told: list[tuple[int, str]] = []

    # -- what comes in ---------------------------------------------------------------------------------------------

    def finger(self, finger: Finger) -> None:
        """A finger came down on the screen or left it; told before the press that it may be."""
        if self._held_back is not None:
            # Let go, or another finger came, before the corner opened: it was meant for what lies there.
            self._released.append(self._held_back)
            self._held_back = None
        if finger.is_down:
            self._is_swallowing = self.idle.touched(finger.at_ms)
        self.corner.finger(finger)

    @property
    def has_released(self) -> bool:
        """Whether `released` has something."""
        return bool(self._released)

    def released(self) -> list[Signal]:
        """The presses in the corner that were no hold, each once; the table hears them when the finger goes."""
        released, self._released = self._released, []
        return released

    def own_press(self, button: str, now_ms: int) -> ButtonPressed:
        """A press by the box itself, for the table to hear; nobody was there for it."""
        self._own_press = ButtonPressed(now_ms, button)
        return self._own_press

    def key(self, now_ms: int) -> None:
        """A key without a meaning was pressed: somebody is there."""
        self.idle.touched(now_ms)

    def sensed(self, signal: Signal, now_ms: int) -> None:
        """A device of the table sensed something: somebody is there, and a card laid at rest goes on with the match.

        A device that stops answering, comes back or is disturbed does so in an empty room too.
        """
        if signal is self._own_press or isinstance(signal, DeviceLost | DeviceBack | DeviceNote | ReaderDisturbed):
            return
        self.idle.touched(now_ms)
        if self.idle.presence is Presence.RESTING:
            self.idle.resume(now_ms)

    def take(self, signal: Signal, now_ms: int) -> Signal | None:
        """A signal of the screen or the keyboard: None if it was for the box, else what the table shall hear."""
        is_touch = isinstance(signal, ButtonPressed | CardPicked) and signal.source is Source.TOUCH
        if not is_touch and self.idle.touched(now_ms):
            return None
        if is_touch and self._is_swallowing:
            return None
        button = signal.button if isinstance(signal, ButtonPressed) else ""
        if button.startswith(PREFIX):
            chosen = self.corner.press(button, now_ms)
            if isinstance(chosen, Turned):
                self._turn(chosen.knob)
            elif chosen is not None:
                self.corner.show_text(*self._carry_out(chosen), now_ms)
            return None
        if button in (GO_ON, ANOTHER):
            self.idle.resume(now_ms)
            if button == ANOTHER:
                self._begin_another()
            return None
        if is_touch and self.corner.is_held:
            self._held_back = signal
            return None
        return signal

    def _turn(self, knob: str) -> None:
        if knob == FORGET:
            self._adjusting.forget(self._translate)
        else:
            self._adjusting.turn(knob, self._translate)
        dim, ask = (minutes_to_ms(self._adjusting.value(name)) for name in ("dim", "aside"))
        self.idle.times = replace(self.idle.times, dim_after_ms=dim, ask_after_ms=ask)

    def tell(self, title: str, text: str, now_ms: int) -> None:
        """Something came of what the caretaker asked for: where that was asked if they are still there, else to all."""
        if self.corner.page is CornerPage.TEXT:
            self.corner.show_text(title, (text,), now_ms)
            return
        self._told = [*self._told, (now_ms + TOLD_FOR_MS, text)][-TOLD_MAX:]

    def tick(self, now_ms: int, match: Match | None) -> bool:
        """Move on to *now_ms*; true if something else is to be shown. No *match*: nothing is played at yet."""
        has_changed = self.corner.tick(now_ms)
        if self.corner.is_open:
            self._held_back = None  # it was the hold that opened it
        has_changed |= self.idle.tick(now_ms, _is_begun(match))
        weak = self._supply.poll(now_ms)
        if weak:
            self._log(weak)
            self._told = [*self._told, (now_ms + TOLD_FOR_MS, self._translate(weak))][-TOLD_MAX:]
            has_changed = True
        standing = [(until_ms, text) for until_ms, text in self._told if now_ms < until_ms]
        has_changed |= len(standing) != len(self._told)
        if self.idle.presence is not Presence.PLAYING or self.idle.is_dim(now_ms):
            # Nobody is there to read it: it waits for them.
            standing = [(now_ms + TOLD_FOR_MS, text) for _until_ms, text in standing]
        self._told = standing
        return has_changed

    def next_change_ms(self, now_ms: int, match: Match | None) -> int | None:
        """When the next ``tick`` is due, if nothing comes before."""
        due = [self.corner.next_change_ms(), self.idle.next_change_ms(now_ms, _is_begun(match))]
        return min((moment for moment in due if moment is not None), default=None)

    # -- what is shown ---------------------------------------------------------------------------------------------

    def view(self, view: TableView, match: Match | None, now_ms: int, *, trouble: str, is_busy: bool) -> TableView:
        """The table's *view* with what the box has to say, or the box's own page in its place, with the same."""
        own = self._own_view(now_ms, trouble, is_busy)
        if own is None:
            is_safe = match is not None and is_safe_to_switch_off(match, self._keeping, trouble, is_busy)
            return replace(view, banners=self._banners(view.banners, is_safe))
        alarms = (Banner(trouble, Kind.ALARM), *own.banners) if trouble else own.banners
        return replace(own, banners=self._banners(alarms, False))

    def _own_view(self, now_ms: int, trouble: str, is_busy: bool) -> TableView | None:
        if self.corner.is_open:
            return maintenance_view(self.corner, self._adjusting, now_ms, self._translate)
        if self.idle.presence is Presence.ASKING:
            return asking_view(self._translate)
        if self.idle.presence is Presence.RESTING:
            # Nothing is under way as long as the match is put aside, whatever its phase.
            is_safe = is_all_kept(self._keeping, trouble, is_busy)
            return resting_view([self._safe_text()] if is_safe else [], self._translate)
        return None

    def _banners(self, of_table: tuple[Banner, ...], is_safe: bool) -> tuple[Banner, ...]:
        """There is room for two. What passes goes first and makes room again; then what is wrong with the table, and
        with the place of its record; what it is good to know goes last."""
        told = [Banner(text) for _until_ms, text in reversed(self._told)]
        alarms = [banner for banner in of_table if banner.kind is Kind.ALARM]
        notices = [banner for banner in of_table if banner.kind is not Kind.ALARM]
        warning = [Banner(self._warning)] if self._warning else []
        safe = [Banner(self._safe_text(), Kind.NOTICE)] if is_safe else []
        return (*told[:1], *alarms, *warning, *told[1:], *notices, *safe)

    def _safe_text(self) -> str:
        return self._translate(_("All is saved: it is safe to switch off."))


def minutes_to_ms(minutes: object) -> int | None:
    """The settings' minutes in milliseconds; 0, never, is None."""
    return minutes * MINUTE_MS if isinstance(minutes, int) and minutes else None


def _is_begun(match: Match | None) -> bool:
    """Whether a match is under way: not before its first deal, not after its end."""
    if match is None or match.phase is Phase.OVER:
        return False
    return match.phase is not Phase.BETWEEN or match.round_number > 0
