"""The live table's one loop: signals in, actions judged, the journal written, and only then anything shown or sounded.

`Table.step` is the whole of it. It decides nothing about the game: meanings are in `interpreter`, rulings in the
core, cues in `cues`. No device is opened here and no clock is read; whoever calls `step` says what time it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from hardware.ports import Buzzer, HardwareError, Lamps
from hardware.signals import CardPicked, DeviceBack, DeviceLost, Signal, TagPlaced
from table_app.play import notices
from table_app.play.clock import follow_clock
from table_app.play.cues import (
    NOTICE_SOUNDS,
    Cues,
    awaited_seats,
    cues,
    has_ended_round,
    looks_new,
    most_urgent,
    public_action_text,
    state_sounds,
)
from table_app.play.interpreter import interpret, next_tick_ms, tick
from table_app.play.modes import Answer
from table_app.play.notices import Notice
from table_app.play.noting import TAKEN_UP, answer_notes, notes, source_of, to_be_recorded
from table_app.play.state import MenuPage, TableState, begin_at, new_table, ruled
from table_app.record.errors import StoreError
from table_app.record.journal import Entry, EntryKind, Journal
from table_app.rules import Card, DealCards, DealUnseen, GoOut, Match, Phase, Ruling, apply, new_match
from table_app.rules.actions import Action
from table_app.rules.messages import Translate, untranslated
from table_app.sound import PATTERNS, BuzzerCue
from table_app.table.older import OlderMatches, listed
from table_app.transcript import action_text, header_text

SIGNALS_PER_STEP = 64
"""Signals taken in one step: far more than hands can make in one, and few enough that the screen is never starved."""

WAITING_MAX = 1024
"""Signals kept for the next steps while a disk is slow; only a stuck key makes more, and those are dropped."""

TICKS_PER_STEP = 64
"""What can run out in one step: a grace time, a question, and turn clocks of a table left alone for a while."""

QUIET_MS = 1_000
"""After this long without an act the journal's log is folded into its file: three more writes, for which nobody waits
then, and a file that was copied alone holds all."""

DEVICE_RETRY_MS = 1_000
"""How long a device that failed in itself is left alone."""


class Device(Protocol):
    """Anything that senses: readers, buttons, a window, a terminal, simulated people."""

    def poll(self, now_ms: int) -> Sequence[Signal]: ...


@dataclass(frozen=True, slots=True)
class Judged:
    """One action and what came of it, as observers see it.

    *line* is the transcript line as it stands in the journal; *public_line* the same without faces of hands, and the
    only one that may be shown. *signal* is what led to it, or None where the clock did.
    """

    line: str
    public_line: str
    match: Match
    ruling: Ruling
    cues: Cues
    signal: Signal | None
    at_ms: int


class Observer:
    """What is told of everything that happens; each method may be left as it is.

    `signal` comes before the interpretation; all others only after the journal has it. No observer may change a table.
    """

    def signal(self, signal: Signal) -> None:
        """A device sensed something."""

    def judged(self, judged: Judged) -> None:
        """An action was judged, and the journal has it."""

    def noticed(self, notice: Notice, signal: Signal | None) -> None:
        """A signal changed nothing and was answered in words."""

    def sounded(self, cue: BuzzerCue) -> None:
        """The buzzer was told to sound."""

    def began(self, match: Match) -> None:
        """Another match began."""


class Table:
    """A table that runs.

    :param state: where it stands, from `opening.open_table`.
    :param journal: where everything is kept.
    :param devices: what senses; polled in this order in each step.
    :param show: called with the state and the time whenever something to be seen changed, after the journal.
    :param watchdog: called at the end of each step that came to its end.
    :param enrol: keeps a card's new tag in the list.
    :param older: the matches that were put aside.
    :param ticks_for_tags: false where the reader's own thread ticks.
    """

    def __init__(
        self,
        state: TableState,
        journal: Journal,
        *,
        devices: Sequence[Device] = (),
        buzzer: Buzzer | None = None,
        lamps: Lamps | None = None,
        show: Callable[[TableState, int], None] | None = None,
        observers: Sequence[Observer] = (),
        watchdog: Callable[[], None] | None = None,
        translate: Translate = untranslated,
        ticks_for_tags: bool = True,
        enrol: Callable[[bytes, Card], None] | None = None,
        older: OlderMatches | None = None,
    ) -> None:
        self._older = older
        self._enrol = enrol
        self._ticks_for = (CardPicked, TagPlaced) if ticks_for_tags else (CardPicked,)
        self.state = state
        self.journal = journal
        self.translate = translate
        self._devices = list(devices)
        self._buzzer = buzzer
        self._lamps = lamps
        self._lit: frozenset[int] | None = None
        self._show = show
        self._observers = list(observers)
        self._watchdog = watchdog
        self._heard: deque[Signal] = deque(maxlen=WAITING_MAX)
        self._waiting: deque[Signal] = deque()
        self._failed: dict[int, int] = {}
        self._is_changed = True
        self._must_copy = False
        self._folds_ms: int | None = None

    # -- what others may ask -------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        return self.state.match

    @property
    def is_busy(self) -> bool:
        """True if signals are waiting that the last step had no room for."""
        return bool(self._waiting or self._heard)

    def next_wake_ms(self) -> int | None:
        """When the next step is due if no signal comes before; None if only a signal can change anything."""
        due = [at_ms for at_ms in (next_tick_ms(self.state), self._folds_ms) if at_ms is not None]
        return min(due, default=None)

    def add_device(self, device: Device) -> None:
        """Poll *device* too, from the next step on."""
        self._devices.append(device)

    def show_by(self, show: Callable[[TableState, int], None]) -> None:
        """Tell *show* of all that can be seen, from the next step on."""
        self._show = show

    def add_observer(self, observer: Observer) -> None:
        self._observers.append(observer)

    def hear(self, signal: Signal) -> None:
        """Take a signal from something that is not polled, for the next step."""
        self._heard.append(signal)

    def know_tags(self, tags: Mapping[bytes, Card | str]) -> None:
        """The tag list changed, in the middle of a match or not."""
        self.state = replace(self.state, tags=MappingProxyType(dict(tags)))

    # -- the loop ------------------------------------------------------------------------------------------

    def step(self, now_ms: int) -> bool:
        """Do what is to be done by *now_ms*: devices, signals, the clock; true if anything to be seen changed."""
        self._sense(now_ms)
        for _ in range(SIGNALS_PER_STEP):
            if not self._waiting:
                break
            signal = self._waiting.popleft()
            # What ran out before the signal came first, however late the signal is heard.
            self._run_clock(min(signal.at_ms, now_ms))
            self._carry_out(interpret(signal, self.state), signal, min(signal.at_ms, now_ms), now_ms)
        if not self._waiting:
            self._run_clock(now_ms)
        if self._buzzer is not None:
            self._buzzer.poll(now_ms)
        was_changed = self._is_changed
        if was_changed:
            self._is_changed = False
            self._light()
            if self._show is not None:
                self._show(self.state, now_ms)
        if self._must_copy:
            self._copy()
        if self._folds_ms is not None and now_ms >= self._folds_ms and not self.is_busy:
            self._folds_ms = None
            self.journal.fold()
        if self._watchdog is not None:
            self._watchdog()
        return was_changed

    def _sense(self, now_ms: int) -> None:
        """Poll every device. A card that was sensed ticks at once, however slow the disk is."""
        heard: list[Signal] = []
        while self._heard:
            heard.append(self._heard.popleft())
        for number, device in enumerate(self._devices):
            heard += self._poll(number, device, now_ms)
        heard.sort(key=lambda signal: signal.at_ms)
        for signal in heard:
            for observer in self._observers:
                observer.signal(signal)
            if len(self._waiting) < WAITING_MAX:
                self._waiting.append(signal)
        if any(isinstance(signal, self._ticks_for) for signal in heard):
            self._sound(BuzzerCue.TICK, now_ms)

    def _poll(self, number: int, device: Device, now_ms: int) -> Sequence[Signal]:
        """A device that fails in itself is told as lost, left alone for a while, and tried again."""
        failed_ms = self._failed.get(number)
        if failed_ms is not None and now_ms - failed_ms < DEVICE_RETRY_MS:
            return ()
        name = getattr(device, "name", type(device).__name__)
        try:
            signals = device.poll(now_ms)
        except HardwareError as error:
            self._failed[number] = now_ms
            return () if failed_ms is not None else (DeviceLost(now_ms, name, str(error)),)
        if failed_ms is not None:
            del self._failed[number]
            return (DeviceBack(now_ms, name), *signals)
        return signals

    def _run_clock(self, now_ms: int) -> None:
        for _ in range(TICKS_PER_STEP):
            answer = tick(self.state, now_ms)
            if answer is None:
                return
            self._carry_out(answer, None, now_ms, now_ms)

    def _carry_out(self, answer: Answer, signal: Signal | None, at_ms: int, now_ms: int) -> None:
        """Judge the actions, keep them, and only then let anybody know."""
        if answer.begins_match:
            self._begin_match(now_ms)
            return
        if answer.takes_up is not None:
            self._take_up(answer.takes_up, now_ms)
            return
        if answer.lists_older:
            answer = listed(answer, self._older.find() if self._older is not None else ())
        if answer.enrols is not None:
            answer = self._enrolled(answer, *answer.enrols)
        if answer.actions:
            answer = replace(answer, state=to_be_recorded(answer.state))
        before = self.state
        state, judged = self._judge(answer, signal, at_ms)
        state = follow_clock(before, state, (done.ruling for done in judged), signal, at_ms)
        noted = [*notes(before, answer.state), *answer_notes(len(judged), is_undo=answer.is_undo)]
        if judged or noted:
            trouble = self._keep(noted, judged, state.match.round_number)
            self._folds_ms = now_ms + QUIET_MS if self.journal.is_on_disk else None
            messages = answer.state.messages if answer.state.messages is not before.messages else ()
            state = replace(state, trouble=trouble, messages=messages if judged else state.messages)
            self._must_copy = self._must_copy or has_ended_round(before.match, state.match)
        self.state = state
        self._is_changed = self._is_changed or bool(judged) or answer.notice is not None or looks_new(before, state)
        for done in judged:
            for observer in self._observers:
                observer.judged(done)
        sounds = [*(done.cues.sound for done in judged), *state_sounds(before, state)]
        if answer.notice is not None:
            sounds.append(NOTICE_SOUNDS[answer.notice.kind])
            for observer in self._observers:
                observer.noticed(answer.notice, signal)
        sound = most_urgent(sounds)
        if sound is not None:
            self._sound(sound, now_ms)
        if answer.is_read_after and signal is not None:
            self._carry_out(interpret(signal, self.state), signal, at_ms, now_ms)

    def _enrolled(self, answer: Answer, uid: bytes, card: Card) -> Answer:
        """Keep a new tag in the list; where that can't be, it holds until the table stops, and that is told."""
        try:
            if self._enrol is not None:
                self._enrol(uid, card)
        except StoreError as error:
            notice = notices.trouble("{} Until the table stops the tag counts all the same.", str(error))
            return replace(answer, state=replace(answer.state, notice=notice), notice=notice)
        return answer

    def _judge(self, answer: Answer, signal: Signal | None, at_ms: int) -> tuple[TableState, list[Judged]]:
        state = answer.state
        judged = []
        if len(answer.actions) > 1:
            state = replace(state, history=state.history.begin(len(answer.actions), is_undo=answer.is_undo))
        for untimed in answer.actions:
            action = self._timed(state, untimed, at_ms)
            match, ruling = apply(state.match, action)
            state = ruled(state, match, ruling, at_ms)
            line = action_text(action)
            seen = cues(match, ruling, state.history.taken_back[-1:], self.translate)
            judged.append(Judged(line, public_action_text(action), match, ruling, seen, signal, at_ms))
        return state, judged

    @staticmethod
    def _timed(state: TableState, action: Action, at_ms: int) -> Action:
        """The action at its time in the round; the first of a round is at 0."""
        begins = state.match.phase is Phase.BETWEEN and isinstance(action, DealCards | DealUnseen | GoOut)
        return replace(action, at_ns=0 if begins else state.at_ns(at_ms))

    def _keep(self, noted: Sequence[str], judged: Sequence[Judged], round_number: int) -> str:
        """Write notes and actions; what is wrong with the disk in words, or nothing."""
        entries = [Entry(line, round_number, EntryKind.NOTE) for line in noted]
        entries += [
            Entry(
                done.line,
                round_number,
                tag=done.signal.uid if isinstance(done.signal, TagPlaced) else None,
                source=source_of(done.signal),
            )
            for done in judged
        ]
        try:
            self.journal.append(entries)
        except StoreError as error:
            return str(error)
        return self.journal.standing_trouble

    def _copy(self) -> None:
        """Copy the journal at a round's end, once everything is shown: nobody waits for it."""
        self._must_copy = False
        try:
            self.journal.copy()
        except StoreError as error:
            self.state = replace(self.state, trouble=str(error))
            self._is_changed = True

    def _begin_match(self, now_ms: int) -> None:
        setup = self.state.match.setup
        try:
            self.journal.begin_match(header_text(setup))
            trouble = self.journal.standing_trouble
        except StoreError as error:
            trouble = str(error)
        state = new_table(new_match(setup), self.state.tags, self.state.options)
        self._show_match(replace(begin_at(state, now_ms), trouble=trouble))

    def _take_up(self, number: int, now_ms: int) -> None:
        """Go on with a match that was put aside; the one under way stays in the journal as it is."""
        try:
            assert self._older is not None  # only it lists matches to be taken up
            state = self._older.take_up(number, now_ms)
        except StoreError as error:
            notice = notices.trouble("That match can't go on: {}", str(error))
            self.state = replace(self.state, menu=MenuPage.CLOSED, notice=notice)
            self._is_changed = True
            return
        try:
            self.journal.go_on_with(number, Entry(TAKEN_UP, state.match.round_number, EntryKind.NOTE))
            trouble = self.journal.standing_trouble
        except StoreError as error:
            trouble = str(error)
        self._show_match(replace(state, trouble=trouble, may_have_older=True))

    def _show_match(self, state: TableState) -> None:
        """Another match lies on the same table: what is on the pad and which devices are lost stays."""
        old = self.state
        may_be = state.may_have_older or old.may_have_older
        self.state = replace(state, on_pad=old.on_pad, lost=old.lost, may_have_older=may_be)
        self._is_changed = True
        for observer in self._observers:
            observer.began(self.state.match)

    # -- what the table shows and sounds -------------------------------------------------------------------

    def _sound(self, cue: BuzzerCue, now_ms: int) -> None:
        if self._buzzer is not None:
            self._buzzer.sound(PATTERNS[cue], now_ms)
        for observer in self._observers:
            observer.sounded(cue)

    def _light(self) -> None:
        """A lamp at each seat that is waited for."""
        if self._lamps is None:
            return
        seats = awaited_seats(self.state)
        if seats != self._lit:
            self._lit = seats
            self._lamps.show(seats)
