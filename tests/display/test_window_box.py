"""What a box needs of the window: it is told of fingers before what they press, and can be made dark."""

from __future__ import annotations

import itertools

import pygame
import pytest

from hardware.signals import ButtonPressed
from table_app.display.settling import SETTLE_MS
from table_app.display.window import TableWindow, WindowOptions
from table_app.view.table_view import Control, StartScreen, TableView

VIEW = TableView(screen=StartScreen("Hello"), controls=(Control("go", "Go"),))


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> TableWindow:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    looks = itertools.count(0, SETTLE_MS)  # a while passes between any two looks at the clock
    return TableWindow(lambda: next(looks), WindowOptions(size=(800, 480)))


def test_a_finger_is_told_before_its_press_at_shares_of_the_screen(window: TableWindow) -> None:
    with window:
        window.show(VIEW)
        order: list[object] = []
        window.on_finger = lambda is_down, x, y: order.append((is_down, round(x, 2), round(y, 2)))
        (target,) = window.targets
        x, y = target.box.centre
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(int(x), int(y))))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=(int(x), int(y))))
        pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, touch_id=3, finger_id=0, x=0.01, y=0.02))
        pygame.event.post(pygame.event.Event(pygame.FINGERUP, touch_id=3, finger_id=0, x=0.01, y=0.02))
        signals = window.wait(0)
        place = (round(x / 800, 2), round(y / 480, 2))
        assert order == [(True, *place), (False, *place), (True, 0.01, 0.02), (False, 0.01, 0.02)]
        assert [signal.button for signal in signals if isinstance(signal, ButtonPressed)] == ["go"]


def test_it_goes_dark_and_bright_again_with_one_frame_each(window: TableWindow) -> None:
    def brightness() -> float:
        surface = pygame.display.get_surface()
        assert surface is not None
        return sum(pygame.transform.average_color(surface)[:3])

    with window:
        window.show(VIEW)
        bright, frames = brightness(), window.frames_painted
        for _ in range(3):
            window.dim(0.85)
            window.show(VIEW)
        dark = brightness()
        assert dark < 0.5 * bright
        assert window.frames_painted == frames + 1, "nothing is painted over and over"
        window.dim(0)
        window.show(VIEW)
        assert brightness() == bright
