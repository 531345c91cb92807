"""A name of one's own reaches the table: from a keyboard, and from the keys on a touch screen."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from hardware.signals import ButtonPressed, Signal
from table_app.display.layout import metrics, opening_size
from table_app.display.paint.typing import KEY, TYPE, TYPED_MAX, typed_after
from table_app.display.scene import Leafing, paint
from table_app.display.theme import TABLE
from table_app.display.window import TableWindow, WindowOptions
from table_app.play.modes import Mode
from table_app.setup.presenting import CHOOSE, present_first_start
from table_app.setup.steps import Asked, FirstStart
from table_app.translations import translator
from table_app.view.present import present
from tests.play.test_handlers import EXAMPLES

NAMES = present_first_start(FirstStart("counted", 3))


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[TableWindow]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    looks = iter(range(0, 1_000_000, 1000))  # each look is a second after the one before: nothing is pressed too soon
    with TableWindow(lambda: next(looks), WindowOptions(size=(800, 480))) as opened:
        opened.wait(0)
        yield opened


def touch(window: TableWindow, *names: str) -> list[Signal]:
    signals: list[Signal] = []
    for name in names:
        (target,) = [target for target in window.targets if target.name == name]
        at = {"pos": target.box.centre, "button": 1, "touch": False}
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, at))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, at))
        signals += window.wait(0)
    return signals


def type_in(window: TableWindow, text: str, *after: int) -> list[Signal]:
    for letter in text:
        code = ord(letter) if letter.isascii() else pygame.K_UNKNOWN
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode=letter, mod=0))
    for code in after:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode="", mod=0))
    return window.wait(0)


def buttons(signals: list[Signal]) -> list[str]:
    return [signal.button for signal in signals if isinstance(signal, ButtonPressed)]


def test_a_name_typed_on_a_keyboard_is_the_players(window: TableWindow) -> None:
    window.show(NAMES)
    (pressed,) = buttons(type_in(window, "Märia", pygame.K_BACKSPACE, pygame.K_RETURN))
    assert pressed == f"{CHOOSE}Märi"
    asked = FirstStart("counted", 3).choose(pressed.removeprefix(CHOOSE))
    assert (asked.names, asked.asked) == (("Märi",), Asked.COLOUR)


def test_a_name_is_written_with_the_keys_on_the_screen(window: TableWindow) -> None:
    window.show(NAMES)
    keys = [f"{KEY}{letter}" for letter in "ana lu"]
    assert buttons(touch(window, "own-name", *keys, "type-delete", f"{KEY}o", "typed")) == [f"{CHOOSE}Ana Lo"]


def test_keys_do_not_change_under_the_finger_that_writes(window: TableWindow) -> None:
    """A key that just came under a finger is not pressed; these must be pressed as fast as anybody writes."""
    window.show(NAMES)
    touch(window, "own-name")
    before = {target.box: target.name for target in window.targets}
    touch(window, f"{KEY}a")
    after = {target.box: target.name for target in window.targets}
    assert before.items() <= after.items()


def test_escape_leaves_the_keys_and_then_the_question(window: TableWindow) -> None:
    window.show(present_first_start(FirstStart("counted", 3)))
    assert buttons(type_in(window, "Ma", pygame.K_ESCAPE)) == []
    assert "typed" not in [target.name for target in window.targets]
    assert buttons(type_in(window, "", pygame.K_ESCAPE)) == ["back"]


def test_another_question_begins_with_nothing_typed(window: TableWindow) -> None:
    window.show(NAMES)
    type_in(window, "Ma")
    window.show(present_first_start(FirstStart("counted", 3, ("Tom",), (0,), 1)))
    assert "typed" not in [target.name for target in window.targets]
    assert buttons(type_in(window, "Ida", pygame.K_RETURN)) == [f"{CHOOSE}Ida"]


def test_letters_stay_shortcuts_where_no_name_is_asked_for(window: TableWindow) -> None:
    window.show(NAMES)
    window.show(present(EXAMPLES[Mode.TURN], 0))
    assert buttons(type_in(window, "d")) == ["draw"]


def test_who_joins_can_have_any_name_too(window: TableWindow) -> None:
    window.show(present(EXAMPLES[Mode.CHOOSE_NAME], 0))
    assert buttons(type_in(window, "Zoë", pygame.K_RETURN)) == ["join:Zoë"]


def test_a_name_has_an_end_and_no_blank_before_it() -> None:
    typed: str | None = ""
    for letter in " " + "x" * (TYPED_MAX + 9):
        assert typed is not None
        typed = typed_after(typed, f"{TYPE}{letter}")
    assert typed == "x" * TYPED_MAX


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 720)])
def test_all_letters_of_the_language_can_be_pressed(language: str, size: tuple[int, int]) -> None:
    view = present_first_start(FirstStart("counted", 3), translator(language))
    assert view.typing is not None
    canvas = paint(pygame.Surface(size, 0, 32), view, TABLE, Leafing(typed="Ana"))
    keys = {target.name.removeprefix(KEY): target.box for target in canvas.targets if target.name.startswith(KEY)}
    wanted = "abcdefghijklmnopqrstuvwxyz '-" + ("äöüß" if language == "de" else "")
    assert set(keys) == set(wanted)
    boxes = list(keys.values())
    assert all(canvas.surface.get_width() >= box.right and canvas.surface.get_height() >= box.bottom for box in boxes)
    assert not any(one.overlaps(other) for one in boxes for other in boxes if one is not other)
    assert min(box.h for box in boxes) >= 0.6 * metrics(*size).touch


@pytest.mark.parametrize(
    ("screen", "size"),
    [((800, 480), (800, 480)), ((1280, 720), (1020, 612)), ((1920, 1080), (1280, 768)), ((640, 480), (800, 480))],
)
def test_a_window_takes_the_room_that_the_screen_has(screen: tuple[int, int], size: tuple[int, int]) -> None:
    assert opening_size((800, 480), screen) == size
