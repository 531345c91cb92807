"""A control that comes under a finger in its last moment takes no press; one that was there all along loses none."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pygame
import pytest

from hardware.signals import ButtonPressed, Source
from table_app.display.canvas import Press, Target
from table_app.display.geometry import Box
from table_app.display.settling import SETTLE_MS, Settling, target_at
from table_app.display.window import TableWindow
from table_app.view.table_view import Control, TableView

LEFT, RIGHT = Box(0, 0, 50, 50), Box(50, 0, 50, 50)
ON_LEFT, ON_RIGHT = (10, 10), (60, 10)


def button(name: str, box: Box = LEFT) -> Target:
    return Target(box, Press.BUTTON, name)


@pytest.mark.parametrize("later_ms", [0, 1, SETTLE_MS - 1])
def test_a_new_control_takes_no_press_until_it_has_settled(later_ms: int) -> None:
    settling = Settling()
    settling.painted([button("draw")], 0)
    settling.painted([button("challenge")], 10_000)
    assert not settling.is_settled(button("challenge"), ON_LEFT, 10_000 + later_ms)
    assert settling.is_settled(button("challenge"), ON_LEFT, 10_000 + SETTLE_MS)


def test_the_same_action_at_the_same_place_takes_every_press_whatever_its_label_or_size() -> None:
    settling = Settling()
    settling.painted([button("draw"), button("keep", RIGHT)], 0)
    wider = button("draw", Box(0, 0, 70, 50))
    settling.painted([wider, button("undo", Box(70, 0, 30, 50))], 10_000)
    assert settling.is_settled(wider, ON_LEFT, 10_001)
    assert not settling.is_settled(wider, ON_RIGHT, 10_001), "there it was Keep a moment ago"


def test_a_control_that_moved_is_new_where_it_came_to() -> None:
    settling = Settling()
    settling.painted([button("draw"), button("keep", RIGHT)], 0)
    settling.painted([button("keep"), button("draw", RIGHT)], 5_000)
    assert not settling.is_settled(button("keep"), ON_LEFT, 5_100)
    assert not settling.is_settled(button("draw", RIGHT), ON_RIGHT, 5_100)


def test_a_control_that_was_gone_for_a_blink_is_the_one_that_was_aimed_at() -> None:
    settling = Settling()
    settling.painted([button("draw")], 0)
    settling.painted([button("yes")], 1_000)
    settling.painted([button("draw")], 1_050)
    assert settling.is_settled(button("draw"), ON_LEFT, 1_100)


def test_a_picture_painted_over_and_over_settles_all_the_same() -> None:
    settling = Settling()
    for now_ms in range(0, 5_000, 16):
        settling.painted([button("draw"), button(f"mischief:{now_ms}", RIGHT)], now_ms)
    assert settling.is_settled(button("draw"), ON_LEFT, 5_000)


def test_what_lies_on_top_is_what_is_pressed() -> None:
    assert target_at([button("felt"), button("draw")], ON_LEFT) == button("draw")
    assert target_at([button("felt")], ON_RIGHT) is None


# -- in the real window ------------------------------------------------------------------------------------------


class Time:
    now_ms = 100_000


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[TableWindow]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    Time.now_ms = 100_000
    with TableWindow(lambda: Time.now_ms) as opened:
        opened.wait(0)
        yield opened


def view(*names: str) -> TableView:
    return TableView(controls=tuple(Control(name, name, key=name[0]) for name in names))


def mouse(x: float, y: float) -> pygame.event.Event:
    return pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(int(x), int(y)), button=1, touch=False)


def finger(x: float, y: float) -> pygame.event.Event:
    return pygame.event.Event(pygame.FINGERDOWN, touch_id=7, finger_id=0, x=x / 800, y=y / 480, dx=0.0, dy=0.0)


@pytest.mark.parametrize("touch", [mouse, finger])
def test_a_button_that_takes_anothers_place_is_not_pressed_by_a_finger_or_a_mouse(
    window: TableWindow, touch: Callable[[float, float], pygame.event.Event]
) -> None:
    window.show(view("draw", "undo"))
    Time.now_ms += 5_000
    place = window.targets[0].box.centre
    window.show(view("challenge", "undo"))
    Time.now_ms += 50
    pygame.event.post(touch(*place))
    assert window.wait(0) == []
    Time.now_ms += SETTLE_MS
    pygame.event.post(touch(*place))
    assert window.wait(0) == [ButtonPressed(Time.now_ms, "challenge", Source.TOUCH)]


@pytest.mark.parametrize("touch", [mouse, finger])
def test_a_press_on_a_button_that_stays_is_not_lost_while_the_others_change(
    window: TableWindow, touch: Callable[[float, float], pygame.event.Event]
) -> None:
    window.show(view("draw", "undo"))
    Time.now_ms += 5_000
    place = window.targets[1].box.centre
    window.show(view("challenge", "undo"))
    pygame.event.post(touch(*place))
    assert window.wait(0) == [ButtonPressed(Time.now_ms, "undo", Source.TOUCH)]


def test_a_key_means_the_new_control_at_once(window: TableWindow) -> None:
    window.show(view("draw", "undo"))
    Time.now_ms += 5_000
    window.show(view("challenge", "undo"))
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_c, unicode="c", mod=0))
    assert window.wait(0) == [ButtonPressed(Time.now_ms, "challenge", Source.KEYBOARD)]
