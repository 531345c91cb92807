"""Puts the box's parts round a live table: who was here, what the corner shows, what must be said about the plug.

It changes what is shown and swallows presses that were for the box; it neither judges nor keeps anything. It is told of
fingers, signals and the time, and does no I/O but through the functions that it was given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from hardware.machine import Keeping
from hardware.signals import ButtonPressed, CardPicked, Signal, Source
from table_app.appliance.idle import Idle, IdleTimes, Presence
from table_app.appliance.maintenance import PREFIX, Choice, Finger, Maintenance
from table_app.appliance.pages import ANOTHER, GO_ON, asking_view, maintenance_view, resting_view
from table_app.appliance.power import SupplyWatch, is_safe_to_switch_off, keeping_warning
from table_app.display.view import Banner, Kind, TableView
from table_app.rules import Match, Phase
from table_app.rules.messages import Translate, untranslated

# Long enough to be read from across the room; it is in the log and in the doctor's report afterwards.
WEAK_SUPPLY_SHOWN_MS = 5 * 60_000

Page = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class KioskSettings:
    """How the box behaves. *pin* opens the maintenance corner; empty: no PIN is asked for."""

    pin: str = ""
    times: IdleTimes = field(default_factory=IdleTimes)


class Kiosk:
    """The box round one table.

    :param carry_out: does what was chosen in the corner and returns what to show for it, as title and paragraphs.
    :param begin_another: begins another match while one is put aside.
    :param keeping: what becomes of *directory*, where the record is, when the power goes.
    """

    def __init__(
        self,
        settings: KioskSettings,
        now_ms: int,
        *,
        carry_out: Callable[[Choice], Page],
        begin_another: Callable[[], None],
        supply: SupplyWatch,
        keeping: Keeping,
        directory: Path,
        translate: Translate = untranslated,
    ) -> None:
        self.idle = Idle(settings.times, now_ms)
        self.corner = Maintenance(settings.pin)
        self._carry_out = carry_out
        self._begin_another = begin_another
        self._supply = supply
        self._keeping = keeping
        self._warning = keeping_warning(keeping, directory)
        self._translate = translate
        self._is_swallowing = False
        self._weak_supply = ""
        self._weak_until_ms = 0

    # -- what comes in ---------------------------------------------------------------------------------------------

    def finger(self, finger: Finger) -> None:
        """A finger came down on the screen or left it; told before the press that it may be."""
        if finger.is_down:
            self._is_swallowing = self.idle.touched(finger.at_ms)
        self.corner.finger(finger)

    def sensed(self, now_ms: int) -> None:
        """A device of the table sensed something: somebody is there, and a card laid at rest goes on with the match."""
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
            choice = self.corner.press(button, now_ms)
            if choice is not None:
                self.corner.show_text(*self._carry_out(choice))
            return None
        if button in (GO_ON, ANOTHER):
            self.idle.resume(now_ms)
            if button == ANOTHER:
                self._begin_another()
            return None
        return signal

    def tick(self, now_ms: int, match: Match) -> bool:
        """Move on to *now_ms*; true if something else is to be shown."""
        has_changed = self.corner.tick(now_ms)
        has_changed |= self.idle.tick(now_ms, _is_begun(match))
        told = self._supply.poll(now_ms)
        if told:
            self._weak_supply, self._weak_until_ms = self._translate(told), now_ms + WEAK_SUPPLY_SHOWN_MS
            has_changed = True
        elif self._weak_supply and now_ms >= self._weak_until_ms:
            self._weak_supply = ""
            has_changed = True
        return has_changed

    def next_change_ms(self, now_ms: int, match: Match) -> int | None:
        """When the next ``tick`` is due, if nothing comes before."""
        due = [self.corner.next_change_ms(), self.idle.next_change_ms(now_ms, _is_begun(match))]
        return min((moment for moment in due if moment is not None), default=None)

    # -- what is shown ---------------------------------------------------------------------------------------------

    def view(self, view: TableView, match: Match, now_ms: int, *, trouble: str, is_busy: bool) -> TableView:
        """The table's *view* with what the box has to say, or the box's own page in its place."""
        if self.corner.is_open:
            return maintenance_view(self.corner, now_ms, self._translate)
        is_safe = is_safe_to_switch_off(match, self._keeping, trouble, is_busy)
        if self.idle.presence is Presence.ASKING:
            return asking_view(self._translate)
        if self.idle.presence is Presence.RESTING:
            # Nothing is under way as long as the match is put aside, whatever its phase.
            is_safe = self._keeping is Keeping.KEPT and not trouble and not is_busy
            return resting_view([self._safe_text()] if is_safe else [], self._translate)
        banners = [Banner(text) for text in (self._translate(self._warning), self._weak_supply) if text]
        if is_safe:
            banners.append(Banner(self._safe_text(), Kind.NOTICE))
        return replace(view, banners=(*view.banners, *banners))

    def _safe_text(self) -> str:
        return self._translate("All is saved: it is safe to switch off.")


def _is_begun(match: Match) -> bool:
    """Whether a match is under way: not before its first deal, not after its end."""
    return match.phase is not Phase.OVER and (match.phase is not Phase.BETWEEN or match.round_number > 0)
