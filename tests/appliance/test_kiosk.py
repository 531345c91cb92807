"""The box round a table: what it shows in its place, what it swallows, and what it says about the plug."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pygame
import pytest

from hardware.machine import Keeping, Supply
from hardware.signals import ButtonPressed, CardPicked, Source, TagPlaced
from table_app.appliance.awaiting import BEHIND, NOT_DONE, NOT_HEARD
from table_app.appliance.idle import ASK_AFTER_MS, ASK_FOR_MS, DIM_AFTER_MS, Presence
from table_app.appliance.kiosk import TOLD_FOR_MS, TOLD_MAX, Kiosk, KioskSettings
from table_app.appliance.maintenance import (
    ENDS_PLAY,
    ENTER,
    FORGET,
    HOLD_MS,
    LOCKED_MS,
    ON_SETTINGS_PAGE,
    PREFIX,
    TRIES_MAX,
    TURN,
    Choice,
    Finger,
)
from table_app.appliance.pages import ANOTHER, GO_ON, farewell_view
from table_app.appliance.power import LOOK_EVERY_MS, SupplyWatch, is_safe_to_switch_off
from table_app.appliance.requests import OUTCOMES
from table_app.cli.kiosk.texts import busy_view, refused_view
from table_app.display.scene import Leafing, paint
from table_app.display.text import ELLIPSIS
from table_app.display.theme import TABLE
from table_app.rules import Match, Phase, new_match
from table_app.rules.messages import Translate, untranslated
from table_app.settings import read_settings
from table_app.setup.adjusting import KNOBS, Adjusting
from table_app.transcript.header import read_header
from table_app.translations import languages, translator
from table_app.view.table_view import Banner, Headline, Kind, StartScreen, TableView, TextScreen

DIRECTORY = Path("/var/lib/lastcard")
PLAIN = TableView(headline=Headline("Ann laid the red 7."), prompt="Ben's turn")


def match(phase: Phase = Phase.PLAY) -> Match:
    """A match in *phase*; the box looks at nothing else of it."""
    begun = new_match(read_header(["players: Ann, Ben"]))
    object.__setattr__(begun, "phase", phase)
    object.__setattr__(begun, "round_number", 1)
    return begun


@dataclass
class Around:
    """A box and what it did."""

    keeping: Keeping = Keeping.KEPT
    pin: str = ""
    supply: Supply = Supply.GOOD
    run_directory: Path | None = None
    chosen: list[Choice] = field(default_factory=list)
    others: int = 0
    logged: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    translate: Translate = untranslated

    def __post_init__(self) -> None:
        self.kiosk = Kiosk(
            KioskSettings(self.pin),
            0,
            carry_out=self._carry_out,
            adjusting=Adjusting(read_settings(None), {}, self.kept.append),
            begin_another=self._begin_another,
            supply=SupplyWatch(lambda: self.supply, self.run_directory),
            keeping=self.keeping,
            directory=DIRECTORY,
            log=self.logged.append,
            translate=self.translate,
        )

    def _carry_out(self, choice: Choice) -> tuple[str, tuple[str, ...]]:
        self.chosen.append(choice)
        return "Done", (f"{choice} was carried out.",)

    def _begin_another(self) -> None:
        self.others += 1

    def view(self, now_ms: int, phase: Phase = Phase.PLAY, trouble: str = "", is_busy: bool = False) -> TableView:
        return self.kiosk.view(PLAIN, match(phase), now_ms, trouble=trouble, is_busy=is_busy)

    def touch(self, button: str, now_ms: int) -> ButtonPressed | None:
        """A finger on a button, as the window tells it; what the table would hear."""
        self.kiosk.finger(Finger(now_ms, True, 0.5, 0.9))
        passed = self.kiosk.take(ButtonPressed(now_ms, button, Source.TOUCH), now_ms)
        self.kiosk.finger(Finger(now_ms, False, 0.5, 0.9))
        assert passed is None or isinstance(passed, ButtonPressed)
        return passed

    def open_corner(self) -> None:
        self.kiosk.finger(Finger(0, True, 0.0, 0.0))
        assert self.kiosk.tick(HOLD_MS, match())
        self.kiosk.finger(Finger(HOLD_MS, False, 0.0, 0.0))


def test_a_healthy_table_in_play_looks_as_without_a_box() -> None:
    around = Around()
    assert not around.kiosk.tick(1_000, match())
    assert around.view(1_000) == PLAIN
    assert around.touch("draw", 1_000) == ButtonPressed(1_000, "draw", Source.TOUCH)


def test_a_record_in_memory_is_said_all_the_time() -> None:
    around = Around(keeping=Keeping.LOST)
    for phase in Phase:
        (banner,) = around.view(0, phase).banners
        assert banner.text.startswith("Scores are not kept: /var/lib/lastcard lies in memory")


@pytest.mark.parametrize("phase", Phase)
def test_safe_to_switch_off_is_said_between_rounds_alone(phase: Phase) -> None:
    texts = [banner.text for banner in Around().view(0, phase).banners]
    is_between = phase in (Phase.BETWEEN, Phase.OVER)
    assert texts == (["All is saved: it is safe to switch off."] if is_between else [])


@pytest.mark.parametrize(
    ("keeping", "trouble", "is_busy"),
    [
        (Keeping.LOST, "", False),
        (Keeping.READ_ONLY, "", False),
        (Keeping.UNKNOWN, "", False),
        (Keeping.KEPT, "The disk is full.", False),
        (Keeping.KEPT, "", True),
    ],
)
def test_it_is_not_safe_while_anything_is_not_on_disk(keeping: Keeping, trouble: str, is_busy: bool) -> None:
    assert is_safe_to_switch_off(match(Phase.BETWEEN), Keeping.KEPT, "", False)
    assert not is_safe_to_switch_off(match(Phase.BETWEEN), keeping, trouble, is_busy)


def test_a_weak_supply_is_told_once_also_over_a_restart(tmp_path: Path) -> None:
    around = Around(supply=Supply.WEAK_NOW, run_directory=tmp_path)
    assert around.kiosk.tick(0, match())
    (banner,) = around.view(0).banners
    assert "supply is too weak" in banner.text
    around.kiosk.idle.touched(TOLD_FOR_MS - 1)
    assert around.kiosk.tick(TOLD_FOR_MS, match())
    assert around.view(TOLD_FOR_MS).banners == ()
    for again_ms in range(TOLD_FOR_MS, 2 * TOLD_FOR_MS, LOOK_EVERY_MS):
        around.kiosk.idle.touched(again_ms)
        around.kiosk.tick(again_ms, match())
        assert around.view(again_ms).banners == ()
    restarted = Around(supply=Supply.WEAK_NOW, run_directory=tmp_path)
    restarted.kiosk.tick(0, match())
    assert restarted.view(0).banners == ()


def test_a_supply_that_weakens_later_is_seen() -> None:
    around = Around()
    around.kiosk.tick(0, match())
    around.supply = Supply.WEAK_BEFORE
    around.kiosk.tick(LOOK_EVERY_MS, match())
    assert around.view(LOOK_EVERY_MS).banners


# -- left alone ------------------------------------------------------------------------------------------------


def test_the_touch_that_wakes_the_screen_plays_nothing() -> None:
    around = Around()
    assert around.kiosk.idle.is_dim(DIM_AFTER_MS)
    assert around.touch("uno:1", DIM_AFTER_MS) is None
    assert around.touch("uno:1", DIM_AFTER_MS + 1) is not None


def test_a_picked_card_and_a_key_that_wake_it_play_nothing_either() -> None:
    around = Around()
    around.kiosk.finger(Finger(DIM_AFTER_MS, True, 0.5, 0.5))
    assert around.kiosk.take(CardPicked(DIM_AFTER_MS, "r5", Source.TOUCH), DIM_AFTER_MS) is None
    around = Around()
    key = ButtonPressed(DIM_AFTER_MS, "draw", Source.KEYBOARD)
    assert around.kiosk.take(key, DIM_AFTER_MS) is None
    assert around.kiosk.take(key, DIM_AFTER_MS + 1) is key


def rest(around: Around) -> int:
    """Leave it alone until the match is put aside; the time then."""
    assert around.kiosk.tick(ASK_AFTER_MS, match())
    screen = around.view(ASK_AFTER_MS).screen
    assert isinstance(screen, StartScreen)
    assert screen.title == "Is anybody still playing?"
    now_ms = ASK_AFTER_MS + ASK_FOR_MS
    assert around.kiosk.tick(now_ms, match())
    return now_ms


def test_left_alone_it_asks_and_puts_the_match_aside_and_it_goes_on_with_one_press() -> None:
    around = Around()
    now_ms = rest(around)
    view = around.view(now_ms)
    assert isinstance(view.screen, StartScreen)
    assert view.screen.title == "The match is put aside"
    assert view.screen.paragraphs == ("All is saved: it is safe to switch off.",)
    assert around.touch(GO_ON, now_ms) is None
    assert around.view(now_ms).screen is not None, "the first touch only lights the screen"
    assert around.touch(GO_ON, now_ms + 1) is None
    assert around.view(now_ms + 1) == PLAIN
    assert around.others == 0


def test_the_question_is_answered_by_a_touch_anywhere() -> None:
    around = Around()
    around.kiosk.tick(ASK_AFTER_MS, match())
    assert around.touch("draw", ASK_AFTER_MS + 1) is None
    assert around.view(ASK_AFTER_MS + 1) == PLAIN


def test_a_card_laid_at_rest_goes_on() -> None:
    around = Around()
    now_ms = rest(around)
    around.kiosk.sensed(TagPlaced(now_ms + 1, "pad", b"1234"), now_ms + 1)
    assert around.kiosk.idle.presence is Presence.PLAYING


def test_another_match_can_be_begun_instead() -> None:
    around = Around()
    now_ms = rest(around)
    around.touch(ANOTHER, now_ms)
    around.touch(ANOTHER, now_ms + 1)
    assert around.others == 1


@pytest.mark.parametrize("phase", [Phase.BETWEEN, Phase.OVER])
def test_a_table_with_no_match_under_way_is_not_asked(phase: Phase) -> None:
    before = match(phase)
    object.__setattr__(before, "round_number", 0)
    assert not Around().kiosk.tick(10 * ASK_AFTER_MS, before)


@pytest.mark.parametrize("presence", Presence)
@pytest.mark.parametrize("is_in_corner", [False, True])
def test_what_must_be_said_is_said_on_every_page(presence: Presence, is_in_corner: bool) -> None:
    around = Around(keeping=Keeping.LOST)
    around.kiosk.idle.presence = presence
    if is_in_corner:
        around.open_corner()
    around.supply = Supply.WEAK_NOW
    around.kiosk.tick(2 * LOOK_EVERY_MS, match())
    texts = " ".join(banner.text for banner in around.view(2 * LOOK_EVERY_MS).banners)
    assert "lies in memory" in texts
    assert "supply is too weak" in texts


def test_what_comes_while_nobody_is_there_waits_for_them() -> None:
    around = Around()
    rest_ms = rest(around)
    around.supply = Supply.WEAK_NOW
    now_ms = rest_ms + 10 * TOLD_FOR_MS
    for moment_ms in range(rest_ms, now_ms, LOOK_EVERY_MS):
        around.kiosk.tick(moment_ms, match())
    for _ in range(2):
        around.touch(GO_ON, now_ms)
    assert any("supply" in banner.text for banner in around.view(now_ms).banners)
    around.kiosk.idle.touched(now_ms + TOLD_FOR_MS - 1)
    around.kiosk.tick(now_ms + TOLD_FOR_MS, match())
    assert around.view(now_ms + TOLD_FOR_MS).banners == (), "and is not said for ever"


def test_without_a_screen_it_is_in_the_log() -> None:
    around = Around(keeping=Keeping.LOST, supply=Supply.WEAK_NOW)
    around.kiosk.tick(0, match())
    assert ["lies in memory" in line or "supply" in line for line in around.logged] == [True, True]


def test_a_key_without_a_meaning_lights_the_screen() -> None:
    around = Around()
    around.kiosk.key(DIM_AFTER_MS)
    assert not around.kiosk.idle.is_dim(DIM_AFTER_MS)
    around.kiosk.tick(DIM_AFTER_MS + ASK_AFTER_MS, match())
    around.kiosk.key(DIM_AFTER_MS + ASK_AFTER_MS)
    assert around.view(DIM_AFTER_MS + ASK_AFTER_MS) == PLAIN, "and answers the question"


# -- the corner ------------------------------------------------------------------------------------------------


def test_the_corner_takes_the_tables_place_and_carries_out_what_is_chosen() -> None:
    around = Around()
    around.open_corner()
    buttons = {control.button for control in around.view(HOLD_MS).controls}
    assert buttons == {*(f"{PREFIX}{choice}" for choice in Choice if choice not in ON_SETTINGS_PAGE), f"{PREFIX}close"}
    assert around.touch(f"{PREFIX}{Choice.NETWORK}", HOLD_MS) is None
    assert around.chosen == [Choice.NETWORK]
    screen = around.view(HOLD_MS).screen
    assert isinstance(screen, TextScreen)
    assert screen.paragraphs == ("network was carried out.",)
    around.touch(f"{PREFIX}close", HOLD_MS)
    assert around.view(HOLD_MS) == PLAIN


def test_minutes_turned_in_the_corner_hold_at_once() -> None:
    around = Around()
    around.open_corner()
    around.touch(f"{PREFIX}{Choice.SETTINGS}", HOLD_MS)
    around.touch(f"{PREFIX}{TURN}dim", HOLD_MS)
    around.touch(f"{PREFIX}{TURN}aside", HOLD_MS)
    assert [control.label for control in around.view(HOLD_MS).controls][2:4] == [
        "Screen dims: after 10 min",
        "Put aside: after 30 min",
    ]
    around.touch(f"{PREFIX}close", HOLD_MS)
    assert not around.kiosk.idle.is_dim(HOLD_MS + DIM_AFTER_MS)
    assert around.kiosk.idle.is_dim(HOLD_MS + 10 * 60_000)
    assert not around.kiosk.tick(HOLD_MS + ASK_AFTER_MS, match())
    assert around.kiosk.tick(HOLD_MS + 30 * 60_000, match())
    assert "ask-after = 30" in around.kept[-1]


def test_what_waits_for_a_restart_offers_one_and_what_was_turned_can_be_taken_back() -> None:
    around = Around()
    around.open_corner()
    around.touch(f"{PREFIX}{Choice.SETTINGS}", HOLD_MS)
    restart, forget = f"{PREFIX}{Choice.RESTART_TABLE}", f"{PREFIX}{TURN}{FORGET}"
    assert not {restart, forget} & {control.button for control in around.view(HOLD_MS).controls}
    around.touch(f"{PREFIX}{TURN}buzzer", HOLD_MS)
    view = around.view(HOLD_MS)
    assert {restart, forget} <= {control.button for control in view.controls}
    assert isinstance(view.screen, StartScreen)
    assert view.screen.paragraphs == ("Buzzer and language change when the table is restarted.",)
    around.touch(forget, HOLD_MS)
    assert not {restart, forget} & {control.button for control in around.view(HOLD_MS).controls}
    assert around.kept[-1] == "", "the corner's file is taken away"
    around.touch(f"{PREFIX}{TURN}buzzer", HOLD_MS)
    around.touch(restart, HOLD_MS)
    assert around.chosen == [], "it is asked about once more"
    around.touch(f"{PREFIX}yes", HOLD_MS)
    assert around.chosen == [Choice.RESTART_TABLE]


def test_what_an_update_came_to_is_told_where_it_was_asked_for_or_to_all() -> None:
    around = Around()
    around.open_corner()
    around.touch(f"{PREFIX}{Choice.NETWORK}", HOLD_MS)
    around.kiosk.tell("Update", "Nothing newer than 1.0 was found.", HOLD_MS)
    screen = around.view(HOLD_MS).screen
    assert isinstance(screen, TextScreen)
    assert screen.paragraphs == ("Nothing newer than 1.0 was found.",)
    around.touch(f"{PREFIX}close", HOLD_MS)
    around.kiosk.tell("Update", "The update failed.", HOLD_MS)
    assert not around.kiosk.corner.is_open, "nobody gets into the corner by an answer"
    assert [banner.text for banner in around.view(HOLD_MS).banners] == ["The update failed."]
    assert around.kiosk.tick(HOLD_MS + TOLD_FOR_MS, match())
    assert around.view(HOLD_MS + TOLD_FOR_MS).banners == ()
    for number in range(5):
        around.kiosk.tell("Update", f"Answer {number}.", HOLD_MS + TOLD_FOR_MS)
    assert len(around.view(HOLD_MS + TOLD_FOR_MS).banners) == TOLD_MAX


def in_corner(around: Around, now_ms: int, is_down: bool) -> None:
    around.kiosk.finger(Finger(now_ms, is_down, 0.05, 0.05))


@pytest.mark.parametrize("pin", ["", "1234"])
def test_holding_the_corner_presses_nothing_that_lies_there(pin: str) -> None:
    around = Around(pin=pin)
    in_corner(around, 0, True)
    assert around.kiosk.take(ButtonPressed(0, "seat:0", Source.TOUCH), 0) is None
    assert around.kiosk.released() == []
    around.kiosk.tick(HOLD_MS, match())
    in_corner(around, HOLD_MS + 1, False)
    assert around.kiosk.corner.is_open
    assert around.kiosk.released() == []


@pytest.mark.parametrize("signal", [ButtonPressed(0, "seat:0", Source.TOUCH), CardPicked(0, "r5", Source.TOUCH)])
def test_a_short_press_in_the_corner_is_heard_when_the_finger_goes(signal: ButtonPressed | CardPicked) -> None:
    around = Around()
    in_corner(around, 0, True)
    assert around.kiosk.take(signal, 0) is None
    around.kiosk.tick(HOLD_MS - 1, match())
    in_corner(around, HOLD_MS - 1, False)
    assert around.kiosk.released() == [signal]
    assert around.kiosk.released() == [], "once"
    in_corner(around, HOLD_MS, True)
    in_corner(around, HOLD_MS, False)
    assert around.kiosk.take(signal, HOLD_MS) is signal, "both came before the table looked"


def test_a_second_finger_ends_the_hold_and_loses_no_press() -> None:
    around = Around()
    first, second = (ButtonPressed(0, f"uno:{seat}", Source.TOUCH) for seat in range(2))
    in_corner(around, 0, True)
    assert around.kiosk.take(first, 0) is None
    around.kiosk.finger(Finger(10, True, 0.5, 0.5))
    assert around.kiosk.take(second, 10) is second
    assert around.kiosk.released() == [first]


def test_a_key_is_not_held_back_by_a_finger_in_the_corner() -> None:
    around = Around()
    in_corner(around, 0, True)
    key = ButtonPressed(0, "draw", Source.KEYBOARD)
    assert around.kiosk.take(key, 0) is key


def test_the_tables_own_devices_are_heard_while_the_corner_is_open() -> None:
    around = Around()
    around.open_corner()
    pressed = ButtonPressed(HOLD_MS, "uno:0", Source.BUTTON)
    assert around.kiosk.take(pressed, HOLD_MS) is pressed


def pages_of_the_box(translate: Translate) -> dict[str, TableView]:
    """Every page that the box puts in the table's place, at its fullest."""
    around = Around(pin="123456", translate=translate)
    around.open_corner()
    pages = {"pin": around.view(HOLD_MS)}
    for button in (*"9999", ENTER) * TRIES_MAX:
        around.touch(f"{PREFIX}{button}", HOLD_MS)
    pages["locked"] = around.view(HOLD_MS)
    after_ms = HOLD_MS + LOCKED_MS
    for button in (*"123456", ENTER):
        around.touch(f"{PREFIX}{button}", after_ms)
    pages["menu"] = around.view(after_ms)
    for choice in sorted(ENDS_PLAY):
        around.touch(f"{PREFIX}{choice}", after_ms)
        pages[f"confirm {choice}"] = around.view(after_ms)
        around.touch(f"{PREFIX}back", after_ms)
    around.touch(f"{PREFIX}{Choice.SETTINGS}", after_ms)
    pages["settings"] = around.view(after_ms)
    for name, knob in KNOBS.items():
        for number in range(len(knob.values) - 1):
            around.touch(f"{PREFIX}{TURN}{name}", after_ms)
            pages[f"settings {name} {number}"] = around.view(after_ms)
    resting = Around(translate=translate)
    resting.kiosk.tick(ASK_AFTER_MS, match())
    pages["asking"] = resting.view(ASK_AFTER_MS)
    resting.kiosk.tick(ASK_AFTER_MS + ASK_FOR_MS, match())
    pages["resting"] = resting.view(ASK_AFTER_MS + ASK_FOR_MS)
    full = "The disk is full; what happens is kept in memory until there is room. Make room on it."
    for keeping in (Keeping.KEPT, Keeping.LOST):
        for is_coming_back in (False, True):
            view = farewell_view(keeping, "", is_coming_back, translate)
            pages[f"farewell, {keeping}, {is_coming_back}"] = view
    pages["farewell, not saved"] = farewell_view(Keeping.KEPT, full, False, translate)
    pages["busy"] = busy_view("Another table already runs in /var/lib/lastcard. Close it first.", translate)
    sentence = "/etc/lastcard/lastcard.toml, line 123: [pile-reader] device (CE1 of SPI 0) has pin 7, and so has "
    sentence += "[buttons] finds:innocent as it comes; give each its own."
    pages["refused"] = refused_view(sentence, translate)
    return pages


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800), (1920, 1080)])
@pytest.mark.parametrize("language", languages())
def test_every_page_of_the_box_is_shown_whole(language: str, size: tuple[int, int]) -> None:
    pygame.font.init()
    pictures: dict[bytes, list[str]] = {}
    for name, page in pages_of_the_box(translator(language)).items():
        surface = pygame.Surface(size, 0, 32)
        canvas = paint(surface, page, TABLE, Leafing())
        for placed in canvas.placed:
            assert not placed.text.endswith(ELLIPSIS), f"{name}: {placed}"
            assert placed.drawn.h > 0.9 * placed.box.h or placed.drawn.h >= canvas.px(11), f"{name}: {placed}"
        pictures.setdefault(surface.get_buffer().raw, []).append(name)
    assert [names for names in pictures.values() if len(names) > 1] == [], "each page looks different"


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("keeping", [Keeping.LOST, Keeping.READ_ONLY])
def test_what_the_box_says_beside_the_play_is_shown_whole(
    keeping: Keeping, language: str, size: tuple[int, int]
) -> None:
    pygame.font.init()
    around = Around(keeping=keeping, supply=Supply.WEAK_NOW, translate=translator(language))
    around.kiosk.tick(0, match())
    deb = "/boot/firmware/lastcard_10.11.12_all.deb"
    fields = {"not-whole": [deb], "not-installed": [deb]}
    others = {sentence: sentence for sentence in (NOT_DONE, BEHIND, NOT_HEARD)}
    for word, outcome in {**OUTCOMES, **others}.items():
        said = translator(language)(outcome).format(*fields.get(word, ["10.11.12", "10.11.13"]))
        around.kiosk.tell("Update", said, 0)
        canvas = paint(pygame.Surface(size, 0, 32), around.view(0), TABLE, Leafing())
        assert [placed for placed in canvas.placed if placed.text.endswith(ELLIPSIS)] == []
        assert any(said.startswith(placed.text[:12]) for placed in canvas.placed), "it is there at all"


def test_what_passes_is_seen_first_and_what_is_wrong_before_what_is_good_to_know() -> None:
    around = Around(keeping=Keeping.LOST)
    around.kiosk.tell("Update", "The update failed.", 0)
    lost, note = Banner("The reader is gone."), Banner("Hello.", Kind.NOTICE)
    view = around.kiosk.view(replace(PLAIN, banners=(note, lost)), match(), 0, trouble="", is_busy=False)
    texts = [banner.text for banner in view.banners]
    assert texts[:2] == ["The update failed.", "The reader is gone."]
    assert texts[2].startswith("Scores are not kept")
    assert texts[3:] == ["Hello."]


def test_the_box_speaks_german() -> None:
    around = Around(keeping=Keeping.LOST, supply=Supply.WEAK_NOW, translate=translator("de"))
    around.kiosk.tick(0, match())
    texts = [banner.text for banner in around.view(0).banners]
    assert texts[1].startswith("Punkte gehen verloren (/var/lib/lastcard liegt im RAM).")
    assert texts[0].startswith("Das Netzteil ist zu schwach:")
