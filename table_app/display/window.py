"""The window: the one place that knows pygame's video and events. It shows a view and returns what was
pressed.

It paints only when the view changed, something is held down, or the window was resized or uncovered. It
decides nothing about the game: a press becomes a ``Signal`` with the name that the view gave it, at the
moment of the press, not of the release. Touch and mouse are one family: a finger also makes a mouse event,
and that copy is dropped.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygame

from hardware.signals import ButtonPressed, CardPicked, Signal, Source
from table_app.display.canvas import Press, Target
from table_app.display.errors import DisplayLostError, NoDisplayError, why_no_display
from table_app.display.event_kinds import KEY_NAMES, MOUSE_TOUCH_IDS, REPAINTING, SIGN_NAMES, UNWANTED, listen_for_text
from table_app.display.geometry import Box
from table_app.display.layout import opening_size
from table_app.display.paint.picker import CHOOSE, CLOSE_PICKER, FIRST
from table_app.display.paint.screens import NEXT_PAGE, PREVIOUS_PAGE
from table_app.display.paint.typing import CLOSE_TYPING, DELETE, KEY, TYPE, TYPED, typed_after
from table_app.display.quiet import runtime_directory
from table_app.display.save_picture import save_picture
from table_app.display.scene import Leafing, paint, shows_picker
from table_app.display.settling import Settling, target_at
from table_app.display.theme import TABLE, Theme
from table_app.view.table_view import WILDS, Picker, TableView

TABLE_SIZE = (800, 480)
DEMO_SIZE = (1280, 600)
QUIT_BUTTON = "quit"
# pygame's own waiting looks a thousand times a second and costs 2 % of a core; fifty times cost 0.5 %, and a
# press still has its answer well within the 200 ms that the table promises.
LOOK_EVERY_MS = 20
# A screen full of fingers is ten; presses beyond this in one look are noise and are left out.
MOST_SIGNALS = 64
NOWHERE = Box(0, 0, 0, 0)
# What SDL falls back to when it finds no screen, unseen by anybody. Asked for by name they are fine.
UNSEEN_DRIVERS = frozenset({"offscreen", "dummy", "evdev"})
# Where SDL can show a picture without OpenGL; on a bare console (kmsdrm) it can't.
DESKTOP_DRIVERS = frozenset({"x11", "wayland"})


@dataclass(frozen=True, slots=True)
class WindowOptions:
    """How the window is opened. *size* is in pixels; None takes what the kind of view needs.

    *width_mm* is the width of the whole panel where it is known, for targets of a finger's true size.
    *has_pointer* is false for a panel that is only touched.
    """

    title: str = "Last Card"
    size: tuple[int, int] | None = None
    is_full_screen: bool = False
    width_mm: float | None = None
    has_pointer: bool = True
    theme: Theme = TABLE


class TableWindow:
    """One window, and the views shown in it. *clock* gives the table's milliseconds, for the signals' times.

    All methods belong to the thread that opened it, except ``wake``.
    """

    def __init__(
        self,
        clock: Callable[[], int],
        options: WindowOptions | None = None,
        has_demo: bool = False,
        glass_clock: Callable[[], int] | None = None,
    ) -> None:
        """Open the window. *glass_clock* is that of the fingers, where the table's own runs faster or stands still.

        :raises NoDisplayError: where there is no screen.
        """
        self._clock = clock
        self._glass_clock = glass_clock or clock
        self._settling = Settling()
        self._options = options or WindowOptions()
        self._size = self._options.size or (DEMO_SIZE if has_demo else TABLE_SIZE)
        self._has_demo = has_demo
        self._is_full_screen = self._options.is_full_screen
        self._view = TableView()
        self._leafing = Leafing()
        self._targets: list[Target] = []
        self._keys: dict[str, Target] = {}
        self._held: Target | None = None
        self._must_paint = True
        self._woken = threading.Event()
        self._is_open = False
        self.frames_painted = 0
        self.on_finger: Callable[[bool, float, float], None] | None = None
        """Told of each finger or pointer that comes down (true) or leaves, at shares of width and height, before
        what it presses."""
        self.on_idle_key: Callable[[], None] | None = None
        """Told of each key that has no meaning now: somebody is there all the same."""
        self._darkness = 0.0
        self._has_stayed = False
        self.is_quit_wanted = False
        self._open()

    def _open(self) -> None:
        try:
            with runtime_directory():
                pygame.display.init()
            if pygame.display.get_driver() in UNSEEN_DRIVERS and not os.environ.get("SDL_VIDEODRIVER"):
                raise pygame.error("SDL found no screen")
            if pygame.display.get_driver() in DESKTOP_DRIVERS:
                # All is painted by the processor: OpenGL would only bring the picture to the screen, and 60 MB with it.
                os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
            pygame.font.init()
            if self._options.size is None:
                screen = pygame.display.get_desktop_sizes()[0]
                self._size = opening_size(self._size, screen)
                if self._has_demo:  # it is wide, and its pane would lie beyond the edge of a small laptop
                    self._size = min(self._size[0], screen[0]), min(self._size[1], screen[1])
            pygame.display.set_caption(self._options.title)
            self._surface = self._set_mode()
        except pygame.error as reason:
            pygame.display.quit()
            raise NoDisplayError(why_no_display(str(reason))) from reason
        self._is_open = True
        pygame.event.set_blocked(UNWANTED)
        if not self._options.has_pointer:
            # A pointer of nothing: hiding it takes the touch away with it on some drivers.
            with suppress(pygame.error):  # a driver that draws no pointer has none to change
                pygame.mouse.set_cursor((8, 8), (0, 0), (0,) * 8, (0,) * 8)
        listen_for_text(False)

    def _set_mode(self) -> pygame.Surface:
        if self._is_full_screen:
            return pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        return pygame.display.set_mode(self._size, pygame.RESIZABLE)

    @property
    def driver(self) -> str:
        """The name of SDL's video driver, such as ``x11`` or ``kmsdrm``."""
        return pygame.display.get_driver() if self._is_open else ""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of what is painted on, in pixels."""
        return self._surface.get_size()

    @property
    def targets(self) -> tuple[Target, ...]:
        """What can be pressed now, where, and what it sends."""
        return tuple(self._targets)

    def show(self, view: TableView) -> bool:
        """Make *view* the one that is shown; true if anything had to be painted for it.

        :raises DisplayLostError: if the screen is gone.
        """
        if view != self._view:
            if view.screen != self._view.screen:
                self._leafing.page = 0
            self._follow_picker(view.picker)
            self._follow_typing(view)
            self._view = view
            self._must_paint = True
        return self._paint_if_due()

    def _follow_picker(self, picker: Picker | None) -> None:
        """A picker goes with what it was opened for; one that stays only rests while there is nothing to pick."""
        before = self._view.picker
        self._has_stayed = before.stays if before is not None else self._has_stayed
        is_other = picker is not None and picker.purpose != self._leafing.picks_for[0]
        if self._leafing.is_picking and (is_other or (picker is None and not self._has_stayed)):
            self._put_picker_away()

    def _put_picker_away(self) -> None:
        leafing = self._leafing
        leafing.is_picking, leafing.picker_stage, leafing.card_typed, leafing.picks_for = False, "", "", ("", "")

    def _open_picker(self, picker: Picker, stage: str) -> None:
        asked = self._view.question.text if self._view.question is not None else ""
        leafing = self._leafing
        leafing.is_picking, leafing.picker_stage, leafing.picks_for = True, stage, (picker.purpose, asked)

    def _follow_typing(self, view: TableView) -> None:
        """Text is taken only where *view* asks for a word; another question begins with nothing typed."""
        if view.typing != self._view.typing or view.screen != self._view.screen:
            self._leafing.typed = None
        if (view.typing is None) is not (self._view.typing is None):
            listen_for_text(view.typing is not None)

    def _paint_if_due(self) -> bool:
        if not self._must_paint or not self._is_open:
            return False
        try:
            self._paint()
        except pygame.error as reason:
            raise DisplayLostError(f"The screen can't be painted on any more ({reason}). Start again.") from reason
        self._must_paint = False
        self.frames_painted += 1
        return True

    def _paint(self) -> None:
        self._surface = pygame.display.get_surface() or self._surface
        canvas = paint(
            self._surface, self._view, self._options.theme, self._leafing, self._held, self._options.width_mm
        )
        self._targets, self._keys = canvas.targets, canvas.keys
        for control in self._view.shortcuts:
            self._keys.setdefault(control.key, Target(NOWHERE, Press.BUTTON, control.button))
        self._settling.painted(self._targets, self._glass_clock())
        if self._darkness:
            self._darken()
        pygame.display.flip()

    def dim(self, darkness: float) -> None:
        """Make everything darker from the next frame on: 0 is as painted, 1 is black."""
        if darkness != self._darkness:
            self._darkness = darkness
            self._must_paint = True

    def _darken(self) -> None:
        shade = pygame.Surface(self.size)
        shade.set_alpha(round(min(max(self._darkness, 0.0), 1.0) * 255))
        self._surface.blit(shade, (0, 0))

    def wait(self, timeout_ms: int) -> list[Signal]:
        """Wait until something is pressed, ``wake`` is called or *timeout_ms* have passed; what was pressed.

        Costs next to no processor time. With 0 it only looks.

        :raises DisplayLostError: if the screen is gone.
        """
        self._paint_if_due()
        waited_ms = 0
        while True:
            signals = self._take_events()
            self._paint_if_due()
            if signals or self._woken.is_set() or waited_ms >= timeout_ms:
                self._woken.clear()
                return signals
            pause_ms = min(LOOK_EVERY_MS, timeout_ms - waited_ms)
            self._woken.wait(pause_ms / 1000)
            waited_ms += pause_ms

    def wake(self) -> None:
        """End a ``wait`` early; any thread may call this."""
        self._woken.set()

    def _take_events(self) -> list[Signal]:
        if not self._is_open:
            return []
        signals: list[Signal] = []
        try:
            events = pygame.event.get()
        except pygame.error as reason:
            raise DisplayLostError(f"The screen can't be listened to any more ({reason}). Start again.") from reason
        for event in events:
            signal = self._take(event)
            if signal is not None and len(signals) < MOST_SIGNALS:
                signals.append(signal)
        return signals

    def _take(self, event: pygame.event.Event) -> Signal | None:
        kind = event.type
        if kind == pygame.QUIT:
            return self._quit()
        if kind in REPAINTING:
            self._must_paint = True
        elif kind == pygame.FINGERDOWN:
            if getattr(event, "touch_id", 0) not in MOUSE_TOUCH_IDS:
                return self._press_at(self._finger_place(event))
        elif kind == pygame.MOUSEBUTTONDOWN:
            if event.button == 1 and not getattr(event, "touch", False):
                return self._press_at(event.pos)
        elif kind in (pygame.FINGERUP, pygame.MOUSEBUTTONUP):
            self._tell_finger(False, event.pos if kind == pygame.MOUSEBUTTONUP else self._finger_place(event))
            self._let_go()
        elif kind == pygame.KEYDOWN:
            return self._key(event)
        return None

    def _finger_place(self, event: pygame.event.Event) -> tuple[float, float]:
        """Where a finger is, in pixels.

        Some drivers report places far off the panel; those land on its edge, where nothing can be pressed.
        """
        width, height = self.size
        return min(max(event.x, 0.0), 1.0) * width, min(max(event.y, 0.0), 1.0) * height

    def _press_at(self, place: tuple[float, float]) -> Signal | None:
        self._tell_finger(True, place)
        target = target_at(self._targets, place)
        # What came under the finger a moment ago was not aimed at; keys know by name what they mean.
        if target is None or not self._settling.is_settled(target, place, self._glass_clock()):
            return None
        self._held = target
        self._must_paint = True
        return self._act(target, Source.TOUCH)

    def _tell_finger(self, is_down: bool, place: tuple[float, float]) -> None:
        if self.on_finger is not None:
            width, height = self.size
            self.on_finger(is_down, place[0] / width, place[1] / height)

    def _let_go(self) -> None:
        if self._held is not None:
            self._held = None
            self._must_paint = True

    def _key(self, event: pygame.event.Event) -> Signal | None:
        if event.key == pygame.K_F11:
            self._toggle_full_screen()
            return None
        if event.key == pygame.K_q and event.mod & pygame.KMOD_CTRL:
            return self._quit()
        if self._view.typing is not None and not self._is_pressed_by(event) and self._types(event):
            return None
        self._paint_if_due()  # Enter right after a letter means the word with that letter
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
            return None
        name = KEY_NAMES.get(event.key) or SIGN_NAMES.get(event.key) or getattr(event, "unicode", "").lower()
        if self._view.picker is not None and name:
            is_taken, code = self._type_card(self._view.picker, name)
            if is_taken:
                self._must_paint = True
                return None if code is None else self._pick(code, Source.KEYBOARD)
        target = self._keys.get(name) if name else None
        if target is None:
            if self.on_idle_key is not None:
                self.on_idle_key()
            return None
        return self._act(target, Source.KEYBOARD)

    def _type_card(self, picker: Picker, name: str) -> tuple[bool, str | None]:
        """A card is typed by two keys, its group's letter and its own sign: whether this key is one of them, and the
        card once it is whole. A control's key goes before the first one, unless cards are what is named next."""
        leafing, groups = self._leafing, dict(picker.keys)
        if leafing.card_typed:
            group, leafing.card_typed = leafing.card_typed, ""
            code = _card_by_key(picker, group, name)
            if code is not None or name in ("escape", "backspace"):
                return True, code
        is_next = picker.control.emphasis or shows_picker(self._view, leafing)
        if name not in groups or self._view.alarm is not None or (name in self._keys and not is_next):
            return False, None
        leafing.card_typed = groups[name]
        self._open_picker(picker, groups[name])
        return True, None

    def _pick(self, code: str, source: Source) -> CardPicked:
        """This card is named; a picker that stays is ready for the next one."""
        picker, picks_for = self._view.picker, self._leafing.picks_for
        stays = picker is not None and picker.stays
        self._leafing = Leafing(is_picking=stays, picker_stage=FIRST if stays else "", picks_for=picks_for)
        self._must_paint = True
        return CardPicked(self._clock(), code, source)

    def _is_pressed_by(self, event: pygame.event.Event) -> bool:
        """Whether this key presses a button while nothing is typed yet, such as the number of players."""
        return self._leafing.typed is None and getattr(event, "unicode", "").lower() in self._keys

    def _types(self, event: pygame.event.Event) -> bool:
        """Whether this key is a letter of the word that is asked for; a right Alt makes letters on many keyboards."""
        letter = getattr(event, "unicode", "")
        is_command = event.mod & (pygame.KMOD_CTRL | pygame.KMOD_LALT)
        is_letter = event.key == pygame.K_SPACE or event.key not in KEY_NAMES
        if is_command or not is_letter or not letter or not letter.isprintable():
            return False
        self._leaf(f"{TYPE}{letter}")
        return True

    def _act(self, target: Target, source: Source) -> Signal | None:
        """Do what the window itself answers for, or say what was pressed."""
        if target.name == TYPED and self._view.typing is not None:
            word = f"{self._view.typing.prefix}{(self._leafing.typed or '').strip()}"
            self._leaf(CLOSE_TYPING)
            return ButtonPressed(self._clock(), word, source)
        if target.press is Press.WINDOW:
            self._leaf(target.name)
            return None
        if target.press is Press.CARD:
            return self._pick(target.name, source)
        return ButtonPressed(self._clock(), target.name, source)

    def _leaf(self, name: str) -> None:
        leafing, typing, picker = self._leafing, self._view.typing, self._view.picker
        leafing.card_typed = ""
        if typing is not None and name == typing.control.button:
            leafing.typed = ""
        elif name in (CLOSE_TYPING, DELETE) or name.startswith((TYPE, KEY)):
            most = typing.letters_max if typing is not None else 0
            leafing.typed = typed_after(leafing.typed or "", name, most)
        elif name == NEXT_PAGE:
            leafing.page += 1
        elif name == PREVIOUS_PAGE:
            leafing.page = max(0, leafing.page - 1)
        elif name.startswith(CHOOSE):
            leafing.picker_stage = name.removeprefix(CHOOSE)
        elif name == CLOSE_PICKER and leafing.picker_stage and not (picker is not None and picker.stays):
            leafing.picker_stage = ""
        elif name == CLOSE_PICKER or picker is None:
            self._put_picker_away()
        else:
            self._open_picker(picker, FIRST if picker.first else "")
        self._held = None
        self._must_paint = True

    def _quit(self) -> Signal:
        self.is_quit_wanted = True
        return ButtonPressed(self._clock(), QUIT_BUTTON, Source.KEYBOARD)

    def _toggle_full_screen(self) -> None:
        if not self._is_full_screen:
            self._size = self.size
        self._is_full_screen = not self._is_full_screen
        try:
            self._surface = self._set_mode()
        except pygame.error:  # a screen that can't be switched keeps what it has
            self._is_full_screen = not self._is_full_screen
            self._surface = self._set_mode()
        self._must_paint = True

    def save_screenshot(self, path: str | Path) -> None:
        """Write what is shown as a PNG file.

        :raises DisplayError: where the file can't be written.
        """
        self._paint_if_due()
        save_picture(self._surface, path)

    def close(self) -> None:
        """Close the window; may be called twice. Fonts stay loaded for a next one."""
        if self._is_open:
            self._is_open = False
            self._targets, self._keys = [], {}
            pygame.display.quit()

    def __enter__(self) -> TableWindow:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _card_by_key(picker: Picker, group: str, name: str) -> str | None:
    """The card of *group* that the key *name* means: its number, S, R, + for what makes draw; a Wild by W or Enter."""
    codes = [card.code for card in picker.cards if (card.colour.key if card.colour else WILDS) == group]
    if group == WILDS:
        wanted = {"w": "w", "return": "w", "+": "w+4", "4": "w+4"}.get(name, "")
        return wanted if wanted in codes else None
    return next((code for code in codes if code[1:2] == name), None)
