"""A real window on SDL's dummy driver: what it paints, what a press gives, and how it ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from hardware.signals import ButtonPressed, CardPicked, Signal, Source
from table_app.display.canvas import Press
from table_app.display.errors import DisplayError, DisplayLostError, NoDisplayError
from table_app.display.settling import SETTLE_MS
from table_app.display.window import TableWindow, WindowOptions
from table_app.view.table_view import Control, TableView
from tests.display import sample_views

NOW_MS = 4321


class PatientWindow(TableWindow):
    """A window of somebody who looks before they press: what is shown has settled by then."""

    glass_ms = 0

    def __init__(self) -> None:
        super().__init__(lambda: NOW_MS, glass_clock=lambda: self.glass_ms)

    def show(self, view: TableView) -> bool:
        is_painted = super().show(view)
        self.glass_ms += SETTLE_MS
        return is_painted


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[PatientWindow]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    opened = PatientWindow()
    with opened:
        opened.wait(0)  # takes what SDL says about the opening itself
        yield opened


def click(x: float, y: float) -> list[pygame.event.Event]:
    at = {"pos": (int(x), int(y)), "button": 1, "touch": False}
    return [pygame.event.Event(pygame.MOUSEBUTTONDOWN, at), pygame.event.Event(pygame.MOUSEBUTTONUP, at)]


def press(window: TableWindow, x: float, y: float) -> list[Signal]:
    for event in click(x, y):
        pygame.event.post(event)
    return window.wait(0)


def press_target(window: TableWindow, name: str) -> list[Signal]:
    assert isinstance(window, PatientWindow)
    window.glass_ms += SETTLE_MS
    (target,) = [t for t in window.targets if t.name == name]
    return press(window, *target.box.centre)


def finger(x: float, y: float) -> pygame.event.Event:
    return pygame.event.Event(pygame.FINGERDOWN, touch_id=7, finger_id=0, x=x, y=y, dx=0.0, dy=0.0)


def key(code: int, text: str = "", mod: int = 0) -> None:
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode=text, mod=mod))


def test_nothing_is_painted_when_nothing_changed(window: TableWindow) -> None:
    window.show(sample_views.play())
    window.wait(0)
    painted = window.frames_painted
    assert window.show(sample_views.play()) is False, "an equal view is the same picture"
    assert window.wait(50) == []
    assert window.frames_painted == painted


def test_a_changed_view_is_painted_once(window: TableWindow) -> None:
    window.show(sample_views.play())
    window.wait(0)
    painted = window.frames_painted
    assert window.show(sample_views.refused()) is True
    window.wait(0)
    assert window.frames_painted == painted + 1


@pytest.mark.parametrize("event_type", [pygame.VIDEOEXPOSE, pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED])
def test_an_uncovered_or_resized_window_is_painted_again(window: TableWindow, event_type: int) -> None:
    window.show(sample_views.play())
    window.wait(0)
    painted = window.frames_painted
    pygame.event.post(pygame.event.Event(event_type))
    assert window.wait(0) == []
    assert window.frames_painted == painted + 1


def test_waiting_costs_next_to_no_processor_time(window: TableWindow) -> None:
    window.show(sample_views.demo())
    window.wait(0)
    before = time.process_time()
    assert window.wait(1500) == []
    assert time.process_time() - before < 0.075, "more than 5 % of a core for doing nothing"


def test_wait_ends_when_another_thread_wakes_it(window: TableWindow) -> None:
    window.show(sample_views.play())
    waker = threading.Thread(target=window.wake)
    waker.start()
    assert window.wait(60_000) == []
    waker.join()


@pytest.mark.parametrize("name", list(sample_views.every_view()))
def test_every_enabled_control_and_seat_gives_its_signal(window: TableWindow, name: str) -> None:
    view = sample_views.with_demo(sample_views.every_view()[name])
    window.show(view)
    answers = view.question.answers if view.question else ()
    assert view.demo is not None
    expected = [c.button for c in (*answers, *view.controls, *view.demo.mischief, *view.demo.seats) if c.enabled]
    expected += [held.button for held in view.demo.hand]
    if view.screen is None:
        expected += [seat.button for seat in view.seats if seat.button]
    for button in expected:
        assert press_target(window, button) == [ButtonPressed(NOW_MS, button, Source.TOUCH)]


def test_a_disabled_control_gives_nothing(window: TableWindow) -> None:
    view = TableView(controls=(Control("draw", "Draw", "draw"), Control("undo", "Undo", "undo")))
    window.show(view)
    target = next(t for t in window.targets if t.name == "undo")
    window.show(replace(view, controls=(view.controls[0], replace(view.controls[1], enabled=False))))
    assert press(window, *target.box.centre) == []


def test_a_press_beside_everything_gives_nothing(window: TableWindow) -> None:
    window.show(sample_views.play())
    width, height = window.size
    assert press(window, 0, 0) == []
    assert press(window, width - 1, height - 1) == []


def test_a_finger_and_the_mouse_event_it_also_makes_are_one_press(window: TableWindow) -> None:
    window.show(sample_views.play())
    (draw,) = [t for t in window.targets if t.name == "draw"]
    x, y = draw.box.centre
    width, height = window.size
    pygame.event.post(finger(x / width, y / height))
    copy = {"pos": (x, y), "button": 1, "touch": True}
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, copy))
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, copy))
    assert window.wait(0) == [ButtonPressed(NOW_MS, "draw", Source.TOUCH)]


def test_two_fingers_at_once_are_two_presses(window: TableWindow) -> None:
    window.show(sample_views.play())
    width, height = window.size
    for name in ("seat:0", "seat:3"):
        target = next(t for t in window.targets if t.name == name)
        pygame.event.post(finger(target.box.centre[0] / width, target.box.centre[1] / height))
    assert [s.button for s in window.wait(0) if isinstance(s, ButtonPressed)] == ["seat:0", "seat:3"]


@pytest.mark.parametrize(("x", "y"), [(15.98, 5.48), (-3.0, 0.5), (0.5, 99.0)])
def test_a_finger_reported_off_the_panel_presses_nothing(window: TableWindow, x: float, y: float) -> None:
    window.show(sample_views.crowded())
    pygame.event.post(finger(x, y))
    assert window.wait(0) == []


def test_a_press_is_not_lost_in_a_flood_of_other_events(window: TableWindow) -> None:
    window.show(sample_views.play())
    for _ in range(3000):
        pygame.event.post(pygame.event.Event(pygame.USEREVENT))
    assert [s.button for s in press_target(window, "draw") if isinstance(s, ButtonPressed)] == ["draw"]


def test_a_panel_that_is_only_touched_opens_without_a_pointer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    options = WindowOptions(is_full_screen=True, has_pointer=False)
    with TableWindow(lambda: NOW_MS, options) as window:
        assert window.show(sample_views.play()) is True
        assert pygame.mouse.get_visible(), "hiding it would take the touch away on some drivers"


def test_other_mouse_buttons_and_the_release_give_nothing(window: TableWindow) -> None:
    window.show(sample_views.play())
    (draw,) = [t for t in window.targets if t.name == "draw"]
    at = {"pos": draw.box.centre, "button": 3, "touch": False}
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, at))
    assert window.wait(0) == []
    down, up = click(*draw.box.centre)
    pygame.event.post(down)
    assert len(window.wait(0)) == 1, "it acts on the press"
    pygame.event.post(up)
    assert window.wait(0) == []


def test_a_held_control_is_drawn_as_held_until_it_is_let_go(window: TableWindow) -> None:
    window.show(sample_views.play())
    (draw,) = [t for t in window.targets if t.name == "draw"]
    spot = draw.box.x + 20, draw.box.centre[1]
    surface = pygame.display.get_surface()
    assert surface is not None
    before = surface.get_at(spot)
    down, up = click(*draw.box.centre)
    pygame.event.post(down)
    window.wait(0)
    assert surface.get_at(spot) != before
    pygame.event.post(up)
    window.wait(0)
    assert surface.get_at(spot) == before


def test_a_key_gives_the_signal_of_its_control(window: TableWindow) -> None:
    window.show(sample_views.play())
    key(pygame.K_d, "d")
    assert window.wait(0) == [ButtonPressed(NOW_MS, "draw", Source.KEYBOARD)]
    key(pygame.K_d, "D", pygame.KMOD_SHIFT)
    assert window.wait(0) == [ButtonPressed(NOW_MS, "draw", Source.KEYBOARD)]
    key(pygame.K_x, "x")
    assert window.wait(0) == []


def test_a_key_that_belongs_to_no_control_now_gives_nothing(window: TableWindow) -> None:
    window.show(replace(sample_views.play(), controls=()))
    key(pygame.K_d, "d")
    assert window.wait(0) == []


def test_a_key_that_belongs_to_no_control_tells_that_somebody_is_there(window: TableWindow) -> None:
    idle: list[None] = []
    window.on_idle_key = lambda: idle.append(None)
    window.show(sample_views.play())
    key(pygame.K_F5)
    key(pygame.K_LSHIFT)
    assert window.wait(0) == []
    assert len(idle) == 2
    name, target = next(iter(window._keys.items()))
    key(ord(name), name)
    assert [getattr(signal, "button", "") for signal in window.wait(0)] == [target.name]
    assert len(idle) == 2, "a press is told by its signal"


@pytest.mark.parametrize("act", ["show", "wait"])
def test_a_screen_that_is_gone_is_a_sentence(window: TableWindow, act: str) -> None:
    window.show(sample_views.play())
    pygame.display.quit()  # as a driver does that lost its card
    with pytest.raises(DisplayLostError, match=r"The screen can't be .* any more \("):
        window.show(TableView(prompt="other")) if act == "show" else window.wait(0)


@pytest.mark.parametrize("way", ["window", "keys"])
def test_quitting_is_a_signal_and_is_remembered(window: TableWindow, way: str) -> None:
    if way == "window":
        pygame.event.post(pygame.event.Event(pygame.QUIT))
    else:
        key(pygame.K_q, "q", pygame.KMOD_CTRL)
    assert window.wait(0) == [ButtonPressed(NOW_MS, "quit", Source.KEYBOARD)]
    assert window.is_quit_wanted


def test_a_card_is_picked_by_colour_and_then_by_rank(window: TableWindow) -> None:
    window.show(sample_views.reader_lost())
    assert press_target(window, "pick") == []
    assert press_target(window, "choose:green") == []
    cards = [t.name for t in window.targets if t.press is Press.CARD]
    assert cards == [c.code for c in sample_views.deck() if c.colour and c.colour.key == "green"]
    assert press_target(window, "g+2") == [CardPicked(NOW_MS, "g+2", Source.TOUCH)]
    assert any(t.name == "draw" for t in window.targets), "the table is back once a card was picked"


def test_every_card_of_the_deck_can_be_picked(window: TableWindow) -> None:
    window.show(sample_views.reader_lost())
    picked: list[str] = []
    for card in sample_views.deck():
        press_target(window, "pick")
        press_target(window, f"choose:{card.colour.key if card.colour else 'wilds'}")
        (signal,) = press_target(window, card.code)
        assert isinstance(signal, CardPicked)
        picked.append(signal.code)
    assert picked == [card.code for card in sample_views.deck()]


def test_going_back_leaves_the_picker_step_by_step(window: TableWindow) -> None:
    window.show(sample_views.reader_lost())
    press_target(window, "pick")
    press_target(window, "choose:wilds")
    assert {t.name for t in window.targets if t.press is Press.CARD} == {"w", "w+4"}
    assert press_target(window, "close-picker") == []
    assert any(t.name == "choose:red" for t in window.targets)
    assert press_target(window, "close-picker") == []
    assert any(t.name == "draw" for t in window.targets)


def test_pages_turn_and_stop_at_both_ends(window: TableWindow) -> None:
    window.show(sample_views.rulebook())

    def can(name: str) -> bool:
        return any(t.name == name for t in window.targets)

    assert not can("previous-page")
    turned = 0
    while can("next-page"):
        assert press_target(window, "next-page") == []
        turned += 1
        assert turned < 50
    assert turned >= 1
    for _ in range(turned):
        press_target(window, "previous-page")
    assert not can("previous-page")


def test_what_happens_beside_a_page_does_not_turn_it_back(window: TableWindow) -> None:
    view = sample_views.with_demo(sample_views.rulebook())
    assert view.demo is not None
    window.show(view)
    press_target(window, "next-page")
    window.show(replace(view, demo=replace(view.demo, rows=view.demo.rows[:-1])))
    assert any(t.name == "previous-page" for t in window.targets)
    window.show(sample_views.play())
    window.show(view)
    assert not any(t.name == "previous-page" for t in window.targets), "opened anew it begins at the front"


def test_the_picker_closes_when_the_table_no_longer_offers_it(window: TableWindow) -> None:
    window.show(sample_views.reader_lost())
    press_target(window, "pick")
    window.show(sample_views.play())
    window.show(sample_views.reader_lost())
    assert any(t.name == "pick" for t in window.targets)


def test_the_screenshot_is_what_is_shown(window: TableWindow, tmp_path: Path) -> None:
    window.show(sample_views.play())
    window.save_screenshot(tmp_path / "shot.png")
    shot = pygame.image.load(str(tmp_path / "shot.png"))
    surface = pygame.display.get_surface()
    assert surface is not None
    assert shot.get_size() == window.size
    places = [(x, y) for x in range(0, 800, 3) for y in range(0, 480, 3)]
    assert [shot.get_at(place)[:3] for place in places] == [surface.get_at(place)[:3] for place in places]


def test_a_screenshot_that_cannot_be_written_is_a_sentence(window: TableWindow, tmp_path: Path) -> None:
    with pytest.raises(DisplayError, match=r"can't be written to .*\. Name a directory"):
        window.save_screenshot(tmp_path / "missing" / "shot.png")


def test_without_a_video_driver_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with pytest.raises(NoDisplayError, match="no-such-driver") as caught:
        TableWindow(lambda: NOW_MS)
    assert str(caught.value).endswith("or run without a screen.")
    assert isinstance(caught.value, OSError)


def test_without_a_desktop_the_error_names_the_groups_and_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(NoDisplayError, match="groups video, render and input") as caught:
        TableWindow(lambda: NOW_MS)
    assert "\n" not in str(caught.value)


def test_a_desktop_that_cannot_be_reached_is_told_apart_from_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", "127.0.0.1:4444")
    with pytest.raises(NoDisplayError, match="logged in"):
        TableWindow(lambda: NOW_MS)


def test_a_closed_window_is_quiet_and_a_new_one_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    first = TableWindow(lambda: NOW_MS)
    first.show(sample_views.play())
    first.close()
    first.close()
    assert first.wait(0) == []
    assert first.show(sample_views.refused()) is False
    with TableWindow(lambda: NOW_MS, WindowOptions(size=(640, 400))) as second:
        assert second.show(sample_views.play()) is True
        assert second.size == (640, 400)


def test_targets_are_none_before_a_view_asks_for_any(window: TableWindow) -> None:
    window.show(TableView())
    assert window.targets == ()


def test_a_control_answers_to_its_other_key_too(window: TableWindow) -> None:
    window.show(TableView(controls=(Control("rules", "Back", "back", key="escape", other_key="r"),)))
    for code, text in ((pygame.K_r, "r"), (pygame.K_ESCAPE, "")):
        key(code, text)
        (signal,) = window.wait(0)
        assert isinstance(signal, ButtonPressed)
        assert signal.button == "rules"
