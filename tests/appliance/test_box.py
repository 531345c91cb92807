"""A whole box in one process, in virtual time: the real loop, window and record, and somebody who presses."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest

import table_app.cli.kiosk.command as kiosk_module
import table_app.cli.kiosk.screen as screen_module
import table_app.cli.kiosk.table as table_module
import table_app.setup.dialogue as first_start_module
from hardware.installing import how_to_install
from hardware.machine import Keeping
from hardware.signals import ButtonPressed, Signal, Source
from table_app.appliance.awaiting import HEARD_WITHIN_MS
from table_app.appliance.idle import ASK_AFTER_MS, ASK_FOR_MS, DIM_AFTER_MS, Presence
from table_app.appliance.maintenance import HOLD_MS, PREFIX, Choice
from table_app.appliance.pages import ANOTHER
from table_app.appliance.requests import ANSWER, AT_WORK, REQUESTS
from table_app.appliance.service import Notifier
from table_app.cli.kiosk.command import Box
from table_app.cli.kiosk.corner import Corner
from table_app.cli.kiosk.screen import BoxScreen
from table_app.cli.kiosk.table import BoxTable
from table_app.cli.wake import QUIT, Wake
from table_app.display.bring_up import TRY_AGAIN_MS_MAX
from table_app.display.errors import NoDisplayError
from table_app.display.settling import SETTLE_MS
from table_app.display.window import TableWindow
from table_app.play.state import SEAT_COLOURS
from table_app.record.files import DirectoryLock
from table_app.settings import read_settings
from table_app.setup.box_settings import read_set_up
from table_app.table.devices import Devices
from table_app.table.opening import JOURNAL_FILE
from table_app.view.table_view import StartScreen, TableView, TextScreen
from tests.cli.test_first_start import OWN_TAG
from tests.cli.test_first_start import Devices as Sensed

CLI = Path(kiosk_module.__file__).parent
Script = Callable[["House"], Iterator[list[Signal]]]


class House:
    """Where a box stands: its directories, its time, what it showed, and whether it has a screen."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.state = root / "state"
        self.run = root / "run"
        self.run.mkdir()
        (root / REQUESTS).mkdir(parents=True)
        self.file = root / "lastcard.toml"
        self.file.write_text('[reader]\nkind = "none"\n[pins]\nuse = "off"\n', encoding="utf-8")
        self.now_ms = 1_000_000
        self.keeping = Keeping.KEPT
        self.has_screen = True
        self.shown: list[TableView] = []
        self.is_dim = False
        self.ready: list[tuple[str, int]] = []
        """What systemd was told, and after how many pictures."""
        self.logged: list[str] = []
        self.script: Iterator[list[Signal]] = iter(())
        monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
        monkeypatch.setenv("STATE_DIRECTORY", str(self.state))
        for module in (kiosk_module, screen_module, table_module):
            monkeypatch.setattr(module, "now_ms", lambda: self.now_ms)
        monkeypatch.setattr(kiosk_module, "log", self.logged.append)
        monkeypatch.setattr(kiosk_module, "keeping", lambda _: self.keeping)
        monkeypatch.setattr(
            kiosk_module, "Corner", lambda box, directory, translate, log: Corner(box, directory, translate, log, root)
        )
        monkeypatch.setattr(Wake, "listen", lambda _: None)
        self._watch(monkeypatch)

    def _watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real_open, real_show, real_wait = BoxScreen._open, BoxScreen.show, BoxScreen.wait

        def opened(screen: BoxScreen) -> TableWindow:
            if not self.has_screen:
                raise NoDisplayError("there is none")
            return real_open(screen)

        def show(screen: BoxScreen, view: TableView, is_dim: bool, moment: int) -> None:
            self.shown.append(view)
            self.is_dim = is_dim
            real_show(screen, view, is_dim, moment)

        def wait(screen: BoxScreen, timeout_ms: int) -> list[Signal]:
            self.now_ms += max(timeout_ms, 1)
            came = next(self.script, None)
            if came is None:
                self.box._wake.stop()
            return [*(came or ()), *(real_wait(screen, 0) if screen.is_there else ())]

        def ready(_notifier: Notifier, status: str) -> None:
            self.ready.append((status, len(self.shown)))

        monkeypatch.setattr(Notifier, "ready", ready)
        monkeypatch.setattr(BoxScreen, "_open", opened)
        monkeypatch.setattr(BoxScreen, "show", show)
        monkeypatch.setattr(BoxScreen, "wait", wait)

    def live(self, script: Script, *, ends_early: bool = False) -> None:
        """Run a box to the end of *script*, which says at each of its waits what comes."""
        self.has_ended = False
        self.script = self._to_the_end(script)
        self.shown.clear()
        self.box = Box(read_settings(self.file), None, Notifier({}), self.run)
        try:
            self.box.run()
        finally:
            self.box.close()
        assert self.has_ended is not ends_early, "the box stopped by itself"

    def _to_the_end(self, script: Script) -> Iterator[list[Signal]]:
        yield from script(self)
        self.has_ended = True

    # -- what somebody in front of it does -------------------------------------------------------------------------

    @property
    def window(self) -> TableWindow:
        window = self.box._screen._window
        assert window is not None
        return window

    def press(self, name: str) -> Iterator[list[Signal]]:
        """A finger on the button *name*, which must be there, once it has lain there long enough to be meant."""
        looked_ms = self.now_ms
        while self.now_ms <= looked_ms + SETTLE_MS:
            yield []
        places = [target.box.centre for target in self.window.targets if target.name == name]
        assert places, f"no {name} among {[target.name for target in self.window.targets]}"
        at = {"pos": tuple(map(int, places[0])), "button": 1, "touch": False}
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(kind, at))
        yield []
        yield []

    def hold_the_corner(self) -> Iterator[list[Signal]]:
        at = {"pos": (2, 2), "button": 1, "touch": False}
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, at))
        until_ms = self.now_ms + HOLD_MS + 2_000
        while self.now_ms < until_ms:
            yield []
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, at))
        yield []

    def answer(self, *names: str) -> Iterator[list[Signal]]:
        """Answer the first start: these names at one reader that is none."""
        yield from self.press("choose:no-reader")
        yield from self.press(f"choose:{len(names)}")
        for name, colour in zip(names, SEAT_COLOURS, strict=False):
            yield from self.press(f"choose:{name}")
            yield from self.press(f"choose:{colour}")
        yield from self.press("choose:begin")

    def is_asking(self) -> bool:
        return any(control.button.startswith("choose:") for control in self.shown[-1].controls)

    def players(self) -> tuple[str, ...]:
        table = self.box._table
        assert table is not None
        return table.table.match.setup.players

    def matches(self) -> int:
        with sqlite3.connect(self.state / JOURNAL_FILE) as connection:
            (count,) = connection.execute("SELECT count(*) FROM matches").fetchone()
        connection.close()
        return int(count)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    return House(tmp_path, monkeypatch)


def nicknames() -> tuple[str, ...]:
    from table_app.play.forms import NICKNAMES

    return tuple(NICKNAMES)


OLD, NEW = nicknames()[:2], nicknames()[2:5]


def wait_for(house: House, is_so: Callable[[], bool], longest_ms: int = 3_600_000) -> Iterator[list[Signal]]:
    until_ms = house.now_ms + longest_ms
    while not is_so():
        assert house.now_ms < until_ms, "it never came"
        yield []


# -- who plays -------------------------------------------------------------------------------------------------


def test_a_fresh_box_asks_and_plays_with_the_answers_and_does_not_ask_again(house: House) -> None:
    def first(house: House) -> Iterator[list[Signal]]:
        assert house.is_asking()
        yield from house.answer(*OLD)
        assert house.players() == OLD

    def second(house: House) -> Iterator[list[Signal]]:
        assert not house.is_asking()
        assert house.players() == OLD
        yield []

    house.live(first)
    house.live(second)
    assert house.matches() == 1


def choose_set_up_anew(house: House) -> Iterator[list[Signal]]:
    yield from house.hold_the_corner()
    yield from house.press(f"{PREFIX}{Choice.SET_UP}")
    yield from house.press(f"{PREFIX}yes")
    yield from wait_for(house, house.is_asking, 5_000)


@pytest.mark.parametrize("extra", ["", '[table]\nplayers = ["Eva", "Tom"]\n', "[rules]\ntarget = 200\n"])
def test_set_up_anew_asks_whatever_the_file_says_and_its_answers_hold(extra: str, house: House) -> None:
    house.file.write_text(house.file.read_text(encoding="utf-8") + extra, encoding="utf-8")

    def first(house: House) -> Iterator[list[Signal]]:
        if house.is_asking():
            yield from house.answer(*OLD)
        yield from choose_set_up_anew(house)
        yield from house.answer(*NEW)
        assert house.players() == NEW

    def second(house: House) -> Iterator[list[Signal]]:
        assert house.players() == NEW
        yield []

    house.live(first)
    house.live(second)


def test_set_up_anew_asks_also_where_the_settings_contradict_themselves(house: House) -> None:
    text = house.file.read_text(encoding="utf-8")
    house.file.write_text(text + '[table]\nplayers = ["Ann", "Ann"]\n', encoding="utf-8")

    def script(house: House) -> Iterator[list[Signal]]:
        assert "The settings can't be used" in str(house.shown[-1].screen)
        yield from choose_set_up_anew(house)
        yield from house.answer(*NEW)
        assert house.players() == NEW

    house.live(script)


@pytest.mark.parametrize(
    "extra", ["[table]\ntime-limit-min = 30\n", "[rules]\ntarget = 200\n", '[table]\nlanguage = "en"\n']
)
def test_a_file_that_does_not_say_who_plays_does_not_keep_the_box_from_asking(extra: str, house: House) -> None:
    house.file.write_text(house.file.read_text(encoding="utf-8") + extra, encoding="utf-8")

    def script(house: House) -> Iterator[list[Signal]]:
        assert house.is_asking()
        yield []

    house.live(script)


def test_a_match_under_way_goes_on_as_it_was_begun(house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        yield [ButtonPressed(house.now_ms, "deal")]
        yield []
        yield from choose_set_up_anew(house)
        yield from house.answer(*NEW)
        assert house.players() == OLD

    house.live(script)


@pytest.mark.parametrize("is_begun", [False, True])
def test_a_screen_that_comes_late_is_asked_unless_somebody_plays_already(is_begun: bool, house: House) -> None:
    house.has_screen = False

    def script(house: House) -> Iterator[list[Signal]]:
        assert house.players() == ("Ann", "Ben", "Cy")
        if is_begun:
            yield [ButtonPressed(house.now_ms, "deal")]
        house.has_screen = True
        if is_begun:
            yield from wait_for(house, lambda: house.box._screen.is_there)
            yield []
            assert house.players() == ("Ann", "Ben", "Cy")
            assert not house.is_asking()
        else:
            yield from wait_for(house, lambda: bool(house.shown) and house.is_asking())
            yield from house.answer(*NEW)
            assert house.players() == NEW

    house.live(script)


@pytest.mark.parametrize("is_begun", [False, True])
def test_a_box_that_began_without_a_screen_asks_at_the_next_start_unless_a_match_is_under_way(
    is_begun: bool, house: House
) -> None:
    house.has_screen = False

    def blind(house: House) -> Iterator[list[Signal]]:
        yield [ButtonPressed(house.now_ms, "deal")] if is_begun else []
        yield []

    def seeing(house: House) -> Iterator[list[Signal]]:
        yield []
        assert house.is_asking() is not is_begun
        if not is_begun:
            yield from house.answer(*NEW)
        assert house.players() == (("Ann", "Ben", "Cy") if is_begun else NEW)

    house.live(blind)
    house.has_screen = True
    house.live(seeing)


def test_systemd_is_told_that_it_is_ready_after_the_first_picture_and_not_before(house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)

    house.live(script)
    assert [status.partition(" ")[0] for status, _ in house.ready] == ["asking", "dummy;"]
    house.live(lambda _: iter([[]]))
    assert all(pictures for _, pictures in house.ready)


def test_a_box_that_asks_and_is_left_alone_goes_dim(house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from wait_for(house, lambda: house.is_dim, 2 * DIM_AFTER_MS)
        yield [ButtonPressed(house.now_ms, "choose:counted", Source.KEYBOARD)]
        yield []
        assert not house.is_dim
        assert "choose:counted" in {control.button for control in house.shown[-1].controls}, "it only lit the screen"

    house.live(script)


def test_answers_that_can_not_be_kept_hold_until_the_end_and_that_is_told(house: House) -> None:
    house.state.touch()  # a file where the directory should be

    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        assert house.players() == OLD
        texts = " ".join(banner.text for banner in house.shown[-1].banners)
        assert "can't be kept" in texts

    house.live(script)


def test_the_boxs_first_start_gives_buttons_and_tags_too(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Devices are open from the way to set up on, and closed before the table opens; pins and tags are kept."""
    sensed = Sensed()
    told: list[str] = []

    def opened(*_: object) -> Devices:
        told.append("opened")
        return Devices(senses=[sensed], closing=[sensed.close, lambda: told.append("closed")])

    real_table = BoxTable

    def table(*arguments: Any, **named: Any) -> Any:
        told.append("table")
        return real_table(*arguments, **named)

    monkeypatch.setattr(first_start_module, "open_devices", opened)
    monkeypatch.setattr(kiosk_module, "BoxTable", table)
    # One button where the usual buzzer is: only together with the owner's file is that known to be right.
    with house.file.open("a", encoding="utf-8") as file:
        file.write('buzzer = 12\n[buttons]\n"seat:0" = 18\n"seat:1" = 6\n"undo" = 20\n')

    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.press("choose:counted")
        yield from house.press("choose:2")
        yield from house.press(f"choose:{OLD[0]}")
        yield from house.press(f"choose:{SEAT_COLOURS[0]}")
        yield from wait_for(house, lambda: house.is_dim, 2 * DIM_AFTER_MS)
        sensed.press(6)
        yield []
        yield []
        assert not house.is_dim, "whoever presses is there"
        yield from house.press(f"choose:{OLD[1]}")
        yield from house.press(f"choose:{SEAT_COLOURS[1]}")
        sensed.lay(OWN_TAG)
        yield []
        yield []
        yield from house.press("choose:begin")
        assert house.players() == OLD
        assert house.box._table is not None and house.box._table.table.state.tags[OWN_TAG] == "seat:1"

    house.live(script)
    assert told == ["opened", "closed", "table"]
    kept = read_set_up(read_settings(house.file), house.state, house.logged.append)
    assert kept is not None
    assert read_settings(house.file).below(kept).pins("buttons") == {"seat:0": 6, "seat:1": 18, "undo": 20}
    house.live(lambda _: iter([[]]))
    assert not any("pin 18" in said for said in house.logged)
    assert told[-1] == "table" and not house.is_asking()


def test_a_device_that_fails_in_the_first_start_is_a_sentence_and_the_dialogue_goes_on(house: House) -> None:
    house.file.write_text('[reader]\nkind = "spi"\n[pins]\nuse = "off"\n', encoding="utf-8")

    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.press("choose:counted")
        screen = house.shown[-1].screen
        assert isinstance(screen, StartScreen) and "SPI" in " ".join(screen.paragraphs)
        yield from house.press("choose:2")
        for name, colour in zip(OLD, SEAT_COLOURS, strict=False):
            yield from house.press(f"choose:{name}")
            yield from house.press(f"choose:{colour}")
        yield from house.press("choose:begin")
        assert house.players() == OLD

    house.live(script)


def test_buttons_of_a_dialogue_that_no_longer_fit_the_owners_file_are_asked_for_again(house: House) -> None:
    house.state.mkdir()
    (house.state / "set-up.toml").write_text(
        '[table]\nplayers = ["Eva", "Tom"]\n[buttons]\n"seat:0" = 12\n', encoding="utf-8"
    )
    house.file.write_text('[reader]\nkind = "none"\n[pins]\nbuzzer = 12\n', encoding="utf-8")

    def script(house: House) -> Iterator[list[Signal]]:
        assert house.is_asking()
        yield []

    house.live(script)
    assert any("pin 12" in sentence for sentence in house.logged)


@pytest.mark.parametrize("left", ["", "[table", '[table]\nplayers = ["Eva"]\n', "[tabel]\n", '[rules]\ntarget = "x"\n'])
def test_answers_of_before_that_can_not_be_used_are_asked_for_again(left: str, house: House) -> None:
    house.state.mkdir()
    (house.state / "set-up.toml").write_text(left, encoding="utf-8")

    def script(house: House) -> Iterator[list[Signal]]:
        assert house.is_asking()
        yield from house.answer(*OLD)
        assert house.players() == OLD

    def second(house: House) -> Iterator[list[Signal]]:
        assert house.players() == OLD
        yield []

    house.live(script)
    house.live(second)


def test_the_corner_opens_while_the_first_start_asks(house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.hold_the_corner()
        yield from house.press(f"{PREFIX}{Choice.NETWORK}")
        assert isinstance(house.shown[-1].screen, TextScreen)
        yield from house.press(f"{PREFIX}close")
        assert house.is_asking()

    house.live(script)


# -- the screen ------------------------------------------------------------------------------------------------


def test_a_screen_that_is_lost_is_done_without_and_found_again(house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        pygame.display.quit()  # as a driver does that lost its card
        yield [ButtonPressed(house.now_ms, "deal")]
        yield []
        assert not house.box._screen.is_there
        table = house.box._table
        assert table is not None
        assert table.table.match.phase is not None
        yield from wait_for(house, lambda: house.box._screen.is_there, 2 * TRY_AGAIN_MS_MAX)
        yield []
        assert house.window.frames_painted
        assert house.players() == OLD

    house.live(script)
    assert any("was lost" in line for line in house.logged)


def test_a_first_picture_that_fails_ends_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise pygame.error("Could not queue pageflip: -13")

    monkeypatch.setattr(pygame.display, "flip", refuse)

    def script(house: House) -> Iterator[list[Signal]]:
        for _ in range(60):
            yield []
        assert not house.box._screen.is_there
        assert house.players()

    house.live(script)


def test_without_pygame_the_table_plays_and_the_log_says_what_to_install(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield []
        assert not house.box._screen.is_there
        assert house.players()

    monkeypatch.setitem(sys.modules, "table_app.display.window", None)
    house.live(script)
    assert any(how_to_install("pygame") in line for line in house.logged), "which is looked up: test_installing"


def test_another_table_in_the_same_place_is_waited_for_on_the_screen(house: House) -> None:
    house.file.write_text('[table]\nplayers = ["Eva", "Tom"]\n' + house.file.read_text(encoding="utf-8"))
    house.state.mkdir()
    other = DirectoryLock(house.state)

    def script(house: House) -> Iterator[list[Signal]]:
        for _ in range(20):
            screen = house.shown[-1].screen
            assert isinstance(screen, StartScreen)
            assert screen.title == "Another table runs here"
            yield []
        other.release()
        yield from wait_for(house, lambda: house.box._table is not None, 10_000)
        assert house.players() == ("Eva", "Tom")

    house.live(script)


@pytest.mark.parametrize("is_supervised", [False, True])
def test_ctrl_q_closes_a_box_that_was_started_by_hand_and_nothing_else(
    is_supervised: bool, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Notifier, "is_supervised", is_supervised)
    heard = []

    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        yield [ButtonPressed(house.now_ms, QUIT, Source.KEYBOARD)]
        heard.append(house.shown[-1])
        yield []
        heard.append(house.shown[-1])

    house.live(script, ends_early=not is_supervised)
    assert len(heard) == (2 if is_supervised else 0)
    assert all("quit" not in str(view) for view in heard)


def test_no_page_of_a_box_offers_to_stop_it_or_sends_anybody_to_a_button_that_is_not_there(house: House) -> None:
    def buttons() -> set[str]:
        return {control.button for control in house.shown[-1].controls}

    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        yield [ButtonPressed(house.now_ms, "deal")]
        for page in ("menu", "pause"):
            yield from house.press(page)
            assert "quit" not in buttons(), page
            assert "who-plays" not in buttons(), page
        yield from house.press("yes")

    house.live(script)
    screens = {view.screen for view in house.shown if isinstance(view.screen, StartScreen)}
    (ready,) = (screen for screen in screens if screen.title == "Ready")
    assert "More" not in str(ready)
    assert "hold the upper left corner" in str(ready)


# -- the end ---------------------------------------------------------------------------------------------------


def farewell(house: House) -> str:
    screen = house.shown[-1].screen
    assert isinstance(screen, StartScreen)
    assert screen.title == "Goodbye"
    return " ".join((screen.lead, *screen.paragraphs))


def play_a_little(house: House) -> Iterator[list[Signal]]:
    yield from house.answer(*OLD)


@pytest.mark.parametrize(
    ("keeping", "is_writable", "said", "unsaid"),
    [
        (Keeping.KEPT, True, ["Everything is saved.", "safe to switch off"], ["back"]),
        (Keeping.KEPT, False, ["Not everything is saved."], ["Everything", "safe"]),
        (Keeping.LOST, True, ["are not kept"], ["Everything", "safe"]),
        (Keeping.READ_ONLY, True, ["are not kept"], ["Everything", "safe"]),
        (Keeping.UNKNOWN, True, [], ["Everything", "safe", "not kept"]),
    ],
)
def test_the_farewell_claims_only_what_is_so(
    keeping: Keeping, is_writable: bool, said: list[str], unsaid: list[str], house: House
) -> None:
    house.keeping = keeping
    if not is_writable:
        house.state.touch()
    house.live(play_a_little)
    text = farewell(house)
    assert all(words in text for words in said), text
    assert not any(words in text for words in unsaid), text


def test_a_table_that_starts_anew_does_not_say_that_it_may_be_switched_off(house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        yield from house.hold_the_corner()
        yield from house.press(f"{PREFIX}{Choice.RESTART_TABLE}")
        yield from house.press(f"{PREFIX}yes")

    house.live(script, ends_early=True)
    assert farewell(house) == "Everything is saved. The table is back in a moment."


@pytest.mark.parametrize("is_answered", [True, False])
def test_an_update_that_came_to_nothing_is_told_once_and_no_longer_waited_for(is_answered: bool, house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        yield from house.hold_the_corner()
        yield from house.press(f"{PREFIX}{Choice.UPDATE}")
        yield from house.press(f"{PREFIX}yes")
        if is_answered:
            (house.root / REQUESTS / "update").unlink()
            (house.root / ANSWER).write_text("nothing-newer 1.0\n", encoding="utf-8")
        yield from wait_for(house, lambda: bool(told(house)), 2 * HEARD_WITHIN_MS)
        for _ in range(20):
            yield []
        assert len(told(house)) == 1

    def told(house: House) -> list[str]:
        return [line for line in house.logged if line.startswith(("Update: ", "Request: "))]

    house.live(script)
    assert "safe to switch off" in farewell(house)
    house.live(lambda _: iter([[]] * 20))
    assert len(told(house)) == 1, "what an answer of before said is no news to the next program"


def test_a_box_that_never_played_claims_nothing(house: House) -> None:
    house.live(lambda _: iter([[]]))
    assert farewell(house) == ""


@pytest.mark.parametrize("is_writable", [True, False])
def test_asked_to_switch_off_it_says_what_is_saved_and_that_nobody_hears(is_writable: bool, house: House) -> None:
    if not is_writable:
        house.state.touch()

    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        yield from house.hold_the_corner()
        yield from house.press(f"{PREFIX}{Choice.SHUT_DOWN}")
        yield from house.press(f"{PREFIX}yes")
        screen = house.shown[-1].screen
        assert isinstance(screen, TextScreen)
        assert ("is saved" in screen.paragraphs[0]) == is_writable
        asked_ms = house.now_ms
        yield from wait_for(house, lambda: "is taken back" in str(house.shown[-1].screen), 2 * HEARD_WITHIN_MS)
        assert house.now_ms - asked_ms >= HEARD_WITHIN_MS - 3_000

    house.live(script)


# -- the table in it -------------------------------------------------------------------------------------------


def told_by(house: House) -> list[str]:
    return [banner.text for banner in house.shown[-1].banners]


def test_a_table_started_anew_by_an_update_tells_of_it_and_of_its_end_and_is_not_safe_to_switch_off(
    house: House,
) -> None:
    def first(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        assert any("safe to switch off" in text for text in told_by(house))

    def second(house: House) -> Iterator[list[Signal]]:
        yield []
        assert any("An update is at work" in text for text in told_by(house))
        assert not any("safe to switch off" in text for text in told_by(house))
        (house.root / ANSWER).write_text("updated 1.0 2.0\n", encoding="utf-8")
        yield []
        yield []
        (house.root / AT_WORK).unlink()
        yield []
        assert not any("An update is at work" in text for text in told_by(house)[:1]), "its answer is the last word"
        assert "Updated from 1.0 to 2.0." in told_by(house)
        assert any("safe to switch off" in text for text in told_by(house))

    house.live(first)
    (house.root / AT_WORK).touch()
    house.live(second)


def test_a_table_that_an_update_stops_comes_back_and_says_so(house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        (house.root / AT_WORK).touch()
        yield []

    house.live(script)
    assert "switch" not in farewell(house)


@pytest.mark.parametrize(
    ("word", "title"), [("not-switched-off", "Not possible"), ("nothing-newer 1.0", "Update"), ("no-network", "Update")]
)
def test_an_answer_is_headed_by_what_was_asked(word: str, title: str, house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        (house.root / ANSWER).write_text(f"{word}\n", encoding="utf-8")
        page = house.box._corner.look(house.now_ms)
        assert page is not None and page[0] == title and "{" not in page[1][0]
        assert house.box._corner.look(house.now_ms) is None

    house.live(script)


def test_another_match_at_rest_keeps_what_is_known_of_the_devices(house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        yield [ButtonPressed(house.now_ms, "deal")]
        yield []
        table = house.box._table
        assert table is not None
        table.table.state = replace(table.table.state, lost=(("reader", "It does not answer."),))
        yield from wait_for(
            house, lambda: house.box._kiosk.idle.presence is Presence.RESTING, 2 * (ASK_AFTER_MS + ASK_FOR_MS)
        )
        for _ in range(2):
            yield from house.press(ANOTHER)
        assert table.table.state.lost == (("reader", "It does not answer."),)
        assert table.is_untouched

    house.live(script)


def test_the_corners_doctor_speaks_of_reader_and_pins_too(house: House) -> None:
    def script(house: House) -> Iterator[list[Signal]]:
        yield from house.answer(*OLD)
        yield from house.hold_the_corner()
        yield from house.press(f"{PREFIX}{Choice.DOCTOR}")
        screen = house.shown[-1].screen
        assert isinstance(screen, TextScreen)
        names = [paragraph.partition(":")[0] for paragraph in screen.paragraphs]
        assert {"reader", "pins", "service", "disk"} <= set(names)

    house.live(script)
