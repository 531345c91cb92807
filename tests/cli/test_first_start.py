"""The first start in a real window on SDL's dummy driver, every answer a finger; buttons and tags are simulated."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

import table_app.cli.play as play_module
from hardware.gpio import open_buttons
from hardware.signals import ButtonPressed, Signal, TagPlaced
from hardware.simulated import Ntag213, SimulatedPad
from hardware.simulated.gpio import SimulatedGpio
from table_app.cli.wanted import Wanted
from table_app.display.settling import SETTLE_MS
from table_app.display.window import TableWindow
from table_app.play.state import SEAT_COLOURS
from table_app.rules import COLOURS, DECKS, Card, face
from table_app.rules.messages import untranslated
from table_app.rules.setup import MAXIMUM_PLAYERS
from table_app.settings import BUTTONS, SettingsError, read_settings
from table_app.setup.dialogue import (
    Listening,
    ask_in_window,
    change_players,
    keep_tags,
    listening_at,
    tag_namer,
    way_of,
    write_settings,
)
from table_app.setup.presenting import present_first_start
from table_app.setup.steps import WAYS, Asked, FirstStart
from table_app.table import StoreError, TableState
from table_app.table.devices import has_reader
from table_app.table.live import LiveTable
from table_app.table.opening import REGISTRY_FILE
from table_app.table.options import table_options
from table_app.tags.buttons import COMMANDS_FILE, CommandTags, command_buttons
from table_app.tags.registry import Registry
from table_app.view.table_view import StartScreen

PINS = {"seat:0": 5, "seat:1": 6, "seat:2": 13, "undo": 20}
OWN_TAG, CARD_TAG = bytes.fromhex("04a15c226b8080"), bytes.fromhex("04a15c226b8081")


class Devices:
    """Simulated buttons and a simulated pad, in virtual time."""

    def __init__(self) -> None:
        self.gpio = SimulatedGpio()
        self.buttons = open_buttons(PINS, pin_factory=self.gpio.pin_factory, now_ms=lambda: self.now_ms)
        self.pad = SimulatedPad()
        self.now_ms = 0
        self._lying: Ntag213 | None = None

    def open(self, way: str) -> Sequence[Devices]:
        return () if way == "no-reader" else (self,)

    def poll(self, now_ms: int) -> Sequence[Signal]:
        del now_ms
        found: list[Signal] = []
        for _ in range(20):
            self.now_ms += 10
            self.pad.clock.advance_to_ms(max(self.now_ms, self.pad.clock.now_us() // 1000))
            found += [*self.buttons.poll(self.now_ms), *self.pad.poll(self.now_ms)]
        return found

    def press(self, pin: int) -> None:
        self.gpio.press(pin)

    def release(self, pin: int) -> None:
        self.gpio.release(pin)

    def lay(self, uid: bytes) -> None:
        self.lift()
        self._lying = Ntag213(uid)
        self.pad.place(self._lying)

    def lift(self) -> None:
        if self._lying is not None:
            self.pad.lift(self._lying)
            self._lying = None

    def close(self) -> None:
        self.buttons.close()
        self.pad.close()
        self.gpio.close()


Step = str | Callable[[Devices], object]


def answer(
    steps: Sequence[Step],
    devices: Devices,
    monkeypatch: pytest.MonkeyPatch,
    directory: Path,
    first: FirstStart | None = None,
) -> tuple[FirstStart | None, list[str]]:
    """Go through the dialogue: a word is touched on the screen, anything else is done at the devices.

    What was asked, and every title on the way.
    """
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    glass = itertools.count(0, SETTLE_MS)  # somebody who looks before they touch
    left, titles = list(steps), []
    with TableWindow(lambda: 0, glass_clock=lambda: next(glass)) as window:
        wait, show = window.wait, window.show

        def showing(view: object) -> bool:
            assert hasattr(view, "screen") and isinstance(view.screen, StartScreen)
            titles.append(view.screen.title)
            return show(view)  # type: ignore[arg-type]  # a view, as the line above has seen

        def touching(timeout_ms: int) -> list[Signal]:
            del timeout_ms
            step = left.pop(0)
            if not isinstance(step, str):
                step(devices)
                return wait(0)
            wanted = step if step == "back" else f"choose:{step}"
            (target,) = [target for target in window.targets if target.name == wanted]
            at = {"pos": tuple(map(int, target.box.centre)), "button": 1, "touch": False}
            pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, at))
            pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, at))
            return wait(0)

        monkeypatch.setattr(window, "wait", touching)
        monkeypatch.setattr(window, "show", showing)
        listening = Listening(devices.open, lambda: devices.now_ms, tag_namer(directory))
        asked = ask_in_window(window, untranslated, listening, first)
    assert not left, f"nobody asked for {left}"
    return asked, titles


@pytest.mark.parametrize("way", WAYS)
def test_every_way_is_set_up_with_a_finger_alone(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    devices = Devices()
    skip = [] if way == "no-reader" else ["skip"]
    steps = [way, "2", "Fox", "orange", *skip, "Owl", "pink", *skip, "begin"]
    asked, titles = answer(steps, devices, monkeypatch, tmp_path)
    devices.close()
    assert asked is not None
    assert "Which colour has Owl?" in titles
    assert ("Owl: press your button or tap your tag now" in titles) is (way != "no-reader")
    write_settings(asked, tmp_path / "lastcard.toml")
    settings = read_settings(tmp_path / "lastcard.toml")
    assert settings.setup().players == ("Fox", "Owl")
    assert table_options(settings).colours == (0, 5)
    assert way_of(settings) == way


def test_a_pressed_button_and_a_tapped_tag_are_the_seats_own_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices = Devices()
    steps: list[Step] = ["counted", "2", "Fox", "orange", lambda at: at.press(13), "Owl", "sky"]
    steps += [lambda at: at.lay(OWN_TAG), "begin"]
    asked, titles = answer(steps, devices, monkeypatch, tmp_path)
    devices.close()
    assert asked is not None and titles[-1] == "Ready"
    write_settings(asked, tmp_path / "lastcard.toml", read_settings(None))
    keep_tags(asked, tmp_path)
    pins = read_settings(tmp_path / "lastcard.toml").pins("buttons")
    assert pins["seat:0"] == 13, "whoever pressed it has it, wherever it is wired"
    assert len(set(pins.values())) == len(pins)
    commands = CommandTags(tmp_path / COMMANDS_FILE)
    assert commands.buttons() == {OWN_TAG: "seat:1"}
    commands.close()


def test_a_card_or_somebody_elses_button_is_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = Registry(tmp_path / REGISTRY_FILE)
    registry.move(CARD_TAG, DECKS["classic"], "r5", 1)
    registry.close()
    devices = Devices()
    steps: list[Step] = ["counted", "2", "Fox", "orange", lambda at: at.lay(CARD_TAG), lambda at: at.lift()]
    steps += ["skip", "Owl", "sky", "skip", "back", "skip", "begin"]
    asked, _titles = answer(steps, devices, monkeypatch, tmp_path)
    devices.close()
    assert asked is not None and not asked.tags
    one = FirstStart("counted", 2, ("Fox", "Owl"), (0, 1), 1, True, tags=((0, OWN_TAG),))
    assert one.hear(TagPlaced(0, "pad", OWN_TAG)).problem == "That tag is Fox's already; take another sticker."
    assert "is the card r5" in one.hear(TagPlaced(0, "pad", CARD_TAG), tag_namer(tmp_path)(CARD_TAG)).problem


@pytest.mark.parametrize("button", [*BUTTONS, *command_buttons(MAXIMUM_PLAYERS)])
def test_a_seat_takes_any_seats_button_or_tag_and_none_that_means_something_else(button: str, tmp_path: Path) -> None:
    """So nobody loses Draw, in the settings or in the list of tags, by being seated."""
    one = FirstStart("counted", 2, ("Fox", "Owl"), (0, 1), 1, True)
    pressed = one.hear(ButtonPressed(0, button))
    is_seat = button.startswith("seat:")
    assert (bool(pressed.problem), pressed.buttons) == (not is_seat, ((1, button),) if is_seat else ())
    if button not in command_buttons(MAXIMUM_PLAYERS):
        return
    commands = CommandTags(tmp_path / COMMANDS_FILE)
    commands.put(OWN_TAG, button)
    commands.close()
    tapped = one.hear(TagPlaced(0, "pad", OWN_TAG), tag_namer(tmp_path)(OWN_TAG))
    assert (bool(tapped.problem), tapped.tags) == (not is_seat, ((1, OWN_TAG),) if is_seat else ())
    keep_tags(tapped, tmp_path)
    commands = CommandTags(tmp_path / COMMANDS_FILE)
    assert commands.buttons() == {OWN_TAG: "seat:1" if is_seat else button}
    commands.close()


@pytest.mark.parametrize(
    "numbers", [order for count in range(1, 4) for order in itertools.permutations(range(3), count)]
)
def test_every_wired_button_is_wired_still_whoever_pressed_which(numbers: tuple[int, ...]) -> None:
    pressed = tuple((seat, f"seat:{number}") for seat, number in enumerate(numbers))
    pins = FirstStart(buttons=pressed).button_pins(PINS)
    assert sorted({*pins.values()}) == sorted(PINS.values()) and pins["undo"] == PINS["undo"]
    assert all(pins[f"seat:{seat}"] == PINS[button] for seat, button in pressed)


def test_going_back_asks_each_question_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    devices = Devices()
    steps = ["counted", "back", "tracked", "2", "back", "3", "Fox", "back", "Owl", "orange", "back", "teal", "skip"]
    steps += ["Fox", "orange", "skip", "Hare", "purple", "skip", "back", "back", "sand", "skip", "begin"]
    asked, _titles = answer(steps, devices, monkeypatch, tmp_path)
    devices.close()
    assert asked is not None
    assert (asked.way, asked.names, asked.colours) == ("tracked", ("Owl", "Fox", "Hare"), (6, 0, 7))


def test_the_usual_colour_comes_first_and_nobody_has_anothers() -> None:
    asked = FirstStart("counted", 3).choose("Ann")
    assert asked.choices()[0] == "orange"
    asked = asked.choose("sky").choose("Ben")
    assert asked.choices()[0] != "sky" and "sky" not in asked.choices()
    assert asked.choose("sky").problem


def test_all_names_are_typed_on_one_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters, commas and Enter at a keyboard, in the window; each seat has its usual colour."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with TableWindow(lambda: 0) as window:
        asked = FirstStart("no-reader")
        window.show(present_first_start(asked))
        for letter in "Ann, Ben Lee, Cy":
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=ord(letter.lower()), unicode=letter, mod=0))
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, unicode="\r", mod=0))
        (signal,) = window.wait(0)
        assert isinstance(signal, ButtonPressed)
        asked = asked.choose(signal.button.removeprefix("choose:"))
        assert asked.names == ("Ann", "Ben Lee", "Cy") and asked.colours == (0, 1, 2) and asked.asked is Asked.READY
        window.show(present_first_start(FirstStart("no-reader")))
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_4, unicode="4", mod=0))
        (signal,) = window.wait(0)
        assert isinstance(signal, ButtonPressed) and signal.button == "choose:4", "a digit is still how many play"


def test_a_name_among_all_that_can_not_be_is_told_and_asked_for_anew() -> None:
    asked = FirstStart("no-reader").choose("Ann, Ann")
    assert "sits here already" in asked.problem or "same" in asked.problem
    assert asked.names == ("Ann",) and asked.asked is Asked.NAME
    assert FirstStart("no-reader").choose("Ann,").problem, "one alone can't play"


@pytest.mark.parametrize(
    ("reader", "is_there"), [("none", False), ("auto", False), ("serial", True), ("simulated", True)]
)
def test_where_no_reader_was_found_the_ways_without_one_come_first(reader: str, is_there: bool) -> None:
    """On this machine none is; a reader on a board is told about where it is opened."""
    assert has_reader(read_settings(None), reader) is is_there
    asked = FirstStart(has_reader=is_there)
    first = asked.choices()[0]
    assert first == ("counted" if is_there else "no-reader") and set(asked.choices()) == set(WAYS)
    view = present_first_start(asked)
    assert [control.button for control in view.controls if control.emphasis] == [f"choose:{first}"]
    assert isinstance(view.screen, StartScreen)
    assert ("No card reader was found here." in view.screen.paragraphs) is not is_there


def test_no_seats_colour_is_called_as_a_cards_is_and_earlier_settings_hold(tmp_path: Path) -> None:
    card_colours = {colour.value for colour in COLOURS}
    assert not card_colours & set(SEAT_COLOURS)
    path = tmp_path / "lastcard.toml"
    path.write_text(
        '[table]\nplayers = ["Ann", "Ben", "Cy"]\ncolours = ["blue", "green", "yellow"]\n', encoding="utf-8"
    )
    assert table_options(read_settings(path)).colours == (1, 3, 4)


# -- who plays, changed later ------------------------------------------------------------------------------------

OWN_SETTINGS = """# my table
[table]
cards-each = 5   # short rounds
players = ["Ann", "Ben"]
[rules]
house = ["stacking"]
dealer = "Ben"
target = 200
"""


def test_who_plays_is_changed_and_all_else_stays_also_what_people_wrote_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text(OWN_SETTINGS)
    devices = Devices()
    first = FirstStart(way_of(read_settings(path)), is_again=True)
    steps: list[Step] = [
        "3",
        "Fox",
        "lime",
        "skip",
        "Owl",
        "sky",
        lambda at: at.press(5),
        "Hare",
        "sand",
        "skip",
        "begin",
    ]
    asked, titles = answer(steps, devices, monkeypatch, tmp_path, first)
    devices.close()
    assert asked is not None and titles[0] == "How many play?"
    change_players(asked, path, read_settings(path))
    settings = read_settings(path)
    assert settings.setup().players == ("Fox", "Owl", "Hare")
    assert settings.setup().target == 200 and settings.number("table", "cards-each") == 5
    assert settings.pins("buttons")["seat:1"] == 5
    assert "# short rounds" in path.read_text() and "dealer" not in path.read_text()
    assert path.with_suffix(".toml.before").read_text() == OWN_SETTINGS


def test_back_at_the_first_question_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    devices = Devices()
    asked, _titles = answer(["back"], devices, monkeypatch, tmp_path, FirstStart("counted", is_again=True))
    devices.close()
    assert asked is None


WHO = 'players = ["Fox", "Owl"]\ncolours = ["orange", "sky"]\n'
CHANGED = FirstStart("counted", 2, ("Fox", "Owl"), (0, 1), 2, is_again=True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '[table]\nplayers = [ # who plays\n  "Ann", # "]"\n  "Ben",\n]\ncards-each = 5\n',
            '[table]\nplayers = ["Fox", "Owl"]\ncolours = ["orange", "sky"]\ncards-each = 5\n',
        ),
        (
            '[ table ] # ours\n"players" = ["Ann",\n"Ben"]\n[rules]\nhouse = [\n"stacking",\n]\ndealer = "Ben"\n',
            f'[ table ] # ours\n{WHO}[rules]\nhouse = [\n"stacking",\n]\n',
        ),
        (
            '[table]\nplayers = ["Ann", "Owl"]\n[rules]\ndealer = "Owl"\nscores = "Owl 5"\n',
            f'[table]\n{WHO}[rules]\ndealer = "Owl"\n',
        ),
        (
            '[rules]\nhouse = [\n"stacking",\n]\nscores = """\nAnn 5"""\n# [table]',
            '[rules]\nhouse = [\n"stacking",\n]\n# [table]\n\n[table]\n' + WHO,
        ),
    ],
)
def test_a_list_over_several_lines_is_changed_whole_and_nothing_beside_it(
    before: str, after: str, tmp_path: Path
) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text(before)
    change_players(CHANGED, path, read_settings(None))
    assert path.read_text() == after


@pytest.mark.parametrize(
    "before", ['table = {players = ["Ann", "Ben"]}\n', 'table.players = ["Ann", "Ben"]\ntable.cards-each = 5\n']
)
def test_settings_that_only_people_can_change_are_left_alone(before: str, tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text(before)
    with pytest.raises(SettingsError, match="yourself"):
        change_players(CHANGED, path, read_settings(path))
    assert path.read_text() == before


@pytest.mark.parametrize("is_writable", [True, False])
def test_who_plays_that_can_not_be_written_is_told_on_the_table_and_play_goes_on(
    is_writable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More, Who plays, with settings that only people can change, and with a list of tags that can't be written."""
    path = tmp_path / "lastcard.toml"
    path.write_text('[table]\nplayers = ["Ann", "Ben"]\n' if is_writable else 'table = {players = ["Ann", "Ben"]}\n')

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(play_module, "keep_tags", full)
    answered = replace(CHANGED, tags=((0, OWN_TAG),))
    monkeypatch.setattr(play_module, "_ask", lambda *_: answered)
    runs: list[TableState] = []

    def run(live: LiveTable, *_: object) -> bool:
        runs.append(live.state)
        return len(runs) == 1

    monkeypatch.setattr(play_module, "_run_in_window", run)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    play_module.run_table(Wanted(reader="none", settings_file=path, state_directory=tmp_path))
    first, second = runs
    assert first.match.setup.players == ("Ann", "Ben") and not any("yourself" in said for said in first.messages)
    assert second.match.setup.players == (("Fox", "Owl") if is_writable else ("Ann", "Ben"))
    assert ("The disk is full." if is_writable else "yourself") in second.messages[0]


@pytest.mark.parametrize("is_named", [True, False])
@pytest.mark.parametrize("is_there", [True, False])
def test_set_up_writes_the_file_that_is_meant_and_touches_no_other(
    is_named: bool, is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was in it is kept beside it; the table that follows is the one that was set up."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    usual, named = tmp_path / "config/lastcard/lastcard.toml", tmp_path / "tables/mine.toml"
    meant, other = (named, usual) if is_named else (usual, named)
    for path in (usual, named):
        path.parent.mkdir(parents=True)
    other.write_text(OWN_SETTINGS)
    if is_there:
        meant.write_text(OWN_SETTINGS)
    monkeypatch.setattr(play_module, "_ask", lambda *_: replace(CHANGED, is_again=False))
    runs: list[TableState] = []

    def run(live: LiveTable, *_: object) -> bool:
        runs.append(live.state)
        return False

    monkeypatch.setattr(play_module, "_run_in_window", run)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    file = named if is_named else None
    play_module.run_table(Wanted(reader="none", is_set_up=True, settings_file=file, state_directory=tmp_path))
    assert [state.match.setup.players for state in runs] == [("Fox", "Owl")]
    assert read_settings(meant).setup().players == ("Fox", "Owl")
    assert other.read_text() == OWN_SETTINGS and list(other.parent.iterdir()) == [other]
    kept = [path.read_text() for path in meant.parent.iterdir() if path != meant]
    assert kept == ([OWN_SETTINGS] if is_there else [])


# -- a board, and devices that fail ------------------------------------------------------------------------------


def test_a_board_names_its_buttons_itself_so_another_seats_is_refused_and_no_pin_is_written(tmp_path: Path) -> None:
    asked = FirstStart("counted", 2, has_board=True, listens=True).choose("Fox").choose("orange")
    wrong = asked.hear(ButtonPressed(0, "draw"))
    assert wrong.asked is asked.asked and "seat:0" in wrong.problem and "lastcard firmware set" in wrong.problem
    asked = wrong.hear(ButtonPressed(0, "seat:0")).choose("Owl").choose("sky").hear(ButtonPressed(0, "seat:1"))
    assert not asked.problem and asked.buttons == ((0, "seat:0"), (1, "seat:1"))
    pins = {"seat:0": 6, "seat:1": 5}  # of the Pi's own header, where nobody pressed anything
    assert "buttons" not in asked.settings_text(pins)
    path = tmp_path / "lastcard.toml"
    path.write_text('[table]\nplayers = ["Ann", "Ben"]\n')
    change_players(asked, path, read_settings(path))
    assert read_settings(path).pins("buttons") == read_settings(None).pins("buttons")


def test_a_board_is_known_by_the_reader_and_never_where_there_is_none(tmp_path: Path) -> None:
    for reader, way, expected in (
        ("serial:/dev/none", "counted", True),
        ("serial:/dev/none", "no-reader", False),
        ("none", "counted", False),
    ):
        listening = listening_at(read_settings(None), reader, tmp_path, lambda: None, lambda: 0)
        assert listening.follow(FirstStart(way)).has_board is expected
        listening.close()


def test_devices_that_can_not_be_opened_are_a_sentence_in_the_dialogue(tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text('[pins]\nuse = "on"\n')
    listening = listening_at(read_settings(path), "spi", tmp_path, lambda: None, lambda: 0)
    asked = listening.follow(FirstStart("counted"))
    listening.close()
    assert not asked.listens
    view = present_first_start(asked)
    assert isinstance(view.screen, StartScreen) and any("SPI" in line for line in view.screen.paragraphs)


def test_another_way_opens_its_own_devices_and_closes_those_before(tmp_path: Path) -> None:
    told: list[str] = []
    devices = Devices()

    def opening(way: str) -> Sequence[Devices]:
        told.append(way)
        return devices.open(way)

    listening = Listening(opening, lambda: 0, close_senses=lambda: told.append("closed"))
    assert listening.follow(FirstStart("counted")).listens
    assert not listening.follow(FirstStart()).way
    assert not listening.follow(FirstStart("no-reader")).listens
    listening.close()
    listening.close()
    devices.close()
    assert told == ["counted", "closed", "no-reader", "closed"]


def test_the_table_offers_to_change_who_plays_where_that_can_be_done() -> None:
    from table_app.play.state import Options
    from table_app.view.present import present
    from tests.table.rig import Rig

    for can_change in (True, False):
        rig = Rig(options=Options(can_change_players=can_change))
        rig.begin()
        rig.press("menu")
        buttons = [control.button for control in present(rig.state, rig.now_ms).controls]
        assert ("who-plays" in buttons) is can_change


def test_a_card_tag_is_named_as_the_list_does(tmp_path: Path) -> None:
    assert tag_namer(tmp_path)(CARD_TAG) == ""
    registry = Registry(tmp_path / REGISTRY_FILE)
    registry.move(CARD_TAG, DECKS["classic"], Card(face("r5"), 1).face.code, 1)
    registry.close()
    assert tag_namer(tmp_path)(CARD_TAG)
