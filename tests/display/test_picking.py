"""Cards named by hand in a real window on SDL's dummy driver: the picker stays, and two keys name a card."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from hardware.signals import CardPicked
from table_app.display.canvas import Press
from table_app.display.settling import SETTLE_MS
from table_app.display.window import TableWindow
from table_app.play.state import Options
from table_app.rules.messages import Translate, untranslated
from table_app.translations import translator
from table_app.view.present import present
from tests.table.rig import Rig, setup


class AtWindow:
    """A table in virtual time and its window; what is pressed or typed there goes to the table."""

    def __init__(self, *lines: str, has_reader: bool = False, translate: Translate = untranslated) -> None:
        self.rig = Rig(setup(*lines), options=Options(has_reader=has_reader))
        self._translate = translate
        self._glass_ms = 0
        self.presses = 0
        self.window = TableWindow(lambda: self.rig.now_ms, glass_clock=lambda: self._glass_ms)
        self.look()

    def look(self) -> None:
        self.window.show(present(self.rig.state, self.rig.now_ms, self._translate))

    def names(self, press: Press = Press.BUTTON) -> list[str]:
        self.look()
        return [target.name for target in self.window.targets if target.press is press]

    def _hear(self) -> None:
        for signal in self.window.wait(0):
            self.rig.now_ms += 1000
            self.rig.send(signal)
        self.look()

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.look()
            self._glass_ms += SETTLE_MS
            (target,) = [target for target in self.window.targets if target.name == button]
            at = {"pos": tuple(map(int, target.box.centre)), "button": 1, "touch": False}
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                pygame.event.post(pygame.event.Event(kind, at))
            self.presses += 1
            self._hear()

    def keys(self, *names: str) -> None:
        codes = {"return": pygame.K_RETURN, "escape": pygame.K_ESCAPE, "+": pygame.K_EQUALS}
        self.look()
        for name in names:
            text = "" if name in codes else name
            code = codes.get(name, ord(name[0]))
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode=text, mod=0))
            self._hear()


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Iterator[AtWindow]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    table = AtWindow()
    table.press("deal")
    yield table
    table.window.close()


def test_pick_a_card_is_lit_where_it_is_what_comes_next(at: AtWindow) -> None:
    def is_lit() -> bool:
        picker = present(at.rig.state, at.rig.now_ms).picker
        return picker is not None and picker.control.emphasis

    assert is_lit(), "the first card"
    at.rig.pick("r9")
    assert is_lit(), "a turn"
    at.rig.pick("r+2")
    assert not is_lit(), "what is owed is drawn"
    tapped = AtWindow(has_reader=True)
    tapped.rig.begin()
    picker = present(tapped.rig.state, tapped.rig.now_ms).picker
    assert picker is not None and not picker.control.emphasis, "where there is a reader cards are tapped"
    tapped.window.close()


def test_a_picker_stays_open_and_begins_with_the_colour_in_force(at: AtWindow) -> None:
    at.press("pick", "choose:red", "r9")
    before = at.presses
    at.press("r3", "r5", "rr")
    assert at.presses - before == 3, "one press a card"
    assert at.rig.lines[-3:] == ["Ann: r3", "Ben: r5", "Cy: rr"]
    at.press("choose:green", "gr", "g1")
    assert at.rig.lines[-2:] == ["Ben: gr", "Cy: g1"]
    assert {"draw", "undo", "menu"} <= set(at.names()), "the other buttons are there all the while"


def test_what_is_drawn_and_what_is_asked_is_pressed_with_the_picker_open(at: AtWindow) -> None:
    at.press("pick", "choose:red", "r9", "draw", "keep", "choose:wilds", "w")
    assert not at.names(Press.CARD), "the colour is asked for"
    at.press("colour:green")
    assert "g5" in at.names(Press.CARD), "and then it is back, at that colour"
    at.press("g5")
    assert at.rig.lines[-1] == "Cy: g5"


def test_back_and_escape_put_it_away_and_another_purpose_does_too(at: AtWindow) -> None:
    at.press("pick", "choose:red", "r9", "close-picker")
    assert not at.names(Press.CARD) and "seat:1" in at.names()
    at.press("pick")
    at.keys("escape")
    assert not at.names(Press.CARD)
    at.press("pick")
    at.rig.press("form:top")
    assert not at.names(Press.CARD), "another question needs the table to be seen"


def test_a_question_or_an_alarm_goes_before_an_open_picker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    at = AtWindow("grace: 2")
    at.rig.press("deal")
    at.rig.pick("r9")
    at.press("pick")
    assert at.names(Press.CARD)
    at.rig.press("form:count", "seat:0", "digit:2", "yes")
    at.press("r5")
    at.rig.wait(4000)
    assert at.rig.state.alarm is not None and not at.names(Press.CARD)
    at.window.close()


def test_with_a_reader_the_picker_closes_after_each_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    at = AtWindow(has_reader=True)
    at.rig.begin("r9")
    at.press("pick", "r5")
    assert not at.names(Press.CARD) and at.rig.lines[-1] == "Ann: r5"
    at.window.close()


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (("r", "5"), "r5"),
        (("r", "s"), "rs"),
        (("r", "r"), "rr"),
        (("g", "9"), "g9"),
        (("r", "+"), "r+2"),
        (("w", "return"), "w"),
        (("w", "w"), "w"),
        (("w", "+"), "w+4"),
        (("w", "4"), "w+4"),
        (("b", "r", "7"), "r7"),
    ],
)
@pytest.mark.parametrize("is_open", [False, True])
def test_two_keys_name_a_card(at: AtWindow, typed: tuple[str, ...], code: str, is_open: bool) -> None:
    """Also in the first round, where R is the key of the rules as long as no card is to be named."""
    at.rig.pick("r9")
    if is_open:
        at.press("pick")
    if typed == ("b", "r", "7"):  # a blue Reverse, which does not fit, and then a red 7
        at.keys("b", "escape")
        typed = typed[1:]
    at.keys(*typed)
    assert isinstance(at.rig.heard.signals[-1], CardPicked) and at.rig.heard.signals[-1].code == code
    assert at.rig.state.menu.value != "rules"


def test_a_control_keeps_its_key_where_no_card_comes_next(at: AtWindow) -> None:
    at.rig.pick("r9", "w+4")
    at.rig.press("colour:blue", "challenge")
    at.keys("g")
    assert at.rig.lines[-1] == "Ben: finds guilty"


def test_cards_are_typed_by_the_letters_of_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    at = AtWindow(translate=translator("de"))
    at.rig.press("deal")
    at.rig.pick("b9")
    picker = present(at.rig.state, at.rig.now_ms, translator("de")).picker
    assert picker is not None
    letters = {group: letter for letter, group in picker.keys}
    for group, code in (("blue", "b3"), ("yellow", "y3"), ("green", "g3"), ("red", "r3")):
        at.keys(letters[group], "3")
        assert at.rig.lines[-1].endswith(f": {code}")
    at.window.close()


def test_digits_type_points_at_once_in_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    at = AtWindow("plays: unrefereed")
    at.press("seat:0")
    at.keys("return")
    assert at.rig.lines == ["Ann: out"], "nothing that is lit records zero"
    at.keys("4", "2", "return")
    assert at.rig.lines[-1] == "Ben: points 42"
    at.press("digit:7", "yes")
    assert at.rig.lines[-1] == "Cy: points 7"
    at.window.close()
