"""The commands about cards as people call them: lists in and out, a simulated hand at the reader, a window."""

from __future__ import annotations

import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from hardware.header_spi import spi_devices
from hardware.machine import is_raspberry_pi
from table_app.appliance.checks import BOX_SETTINGS, BOX_STATE, SERVICE_ENABLED
from table_app.cli.cards.buttons import CommandSession
from table_app.cli.cards.place import Place, find_place
from table_app.cli.cards.tapping import Sounds
from table_app.cli.cards.tapping_window import run_in_window
from table_app.cli.cards.taps import EnrolSession
from table_app.display.settling import SETTLE_MS
from table_app.display.window import TableWindow
from table_app.record.errors import StoreError
from table_app.record.files import make_directory, open_private
from table_app.rules import DECKS
from table_app.settings import read_settings
from table_app.setup.box_settings import SET_UP_FILE, keep_text
from table_app.table.simulated_hand import StickerHand, Stickers, command_stickers, deck_stickers, deck_tags
from table_app.tags.buttons import CommandEnrolment, CommandTags, command_buttons
from table_app.tags.enrolling import Enrolment, all_cards
from table_app.tags.registry import Registry, uid_text
from table_app.tags.stickers import sticker_card
from table_app.view.table_view import EnrolScreen, TableView
from tests.cli.test_commands import run
from tests.hardware.stickers_to_lay import LINK
from tests.table.rig import uid

DECK = DECKS["classic"]


def cards(directory: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return run("cards", "--state-directory", str(directory), *arguments, typed=typed)


def enrolled(directory: Path, count: int = 3) -> None:
    registry = Registry(directory / "tags.sqlite")
    for number, card in enumerate(all_cards(DECK)[:count]):
        registry.enrol(uid(number), DECK, card.face.code, card.copy)
    registry.close()


# -- on a box ----------------------------------------------------------------------------------------------------


@pytest.fixture
def boxed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which a table starts by itself, and a person at it who has no settings."""
    link = tmp_path / SERVICE_ENABLED
    link.parent.mkdir(parents=True)
    link.symlink_to("/usr/lib/systemd/system/lastcard.service")
    (tmp_path / BOX_STATE).mkdir(parents=True)
    settings = tmp_path / BOX_SETTINGS
    settings.parent.mkdir(parents=True)
    settings.write_text("[rules]\ntarget = 200\n")
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "own"))
    return tmp_path


def test_on_a_box_whoever_looks_after_it_means_its_tag_list_and_is_told(
    boxed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = boxed / BOX_STATE
    (state / SET_UP_FILE).write_text('[table]\nplayers = ["Eva", "Tom"]\n')
    place = find_place(None, None, boxed)
    assert place.directory == state and str(state) in capsys.readouterr().err
    assert place.settings.setup().target == 200 and place.settings.setup().players == ("Eva", "Tom")
    (boxed / BOX_SETTINGS).unlink()
    assert find_place(None, None, boxed).directory == state, "also where its owner took the file away"
    capsys.readouterr()
    assert find_place(None, boxed / "named", boxed).directory == boxed / "named"
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_writes_in_a_boxs_directory_is_the_tables(boxed: Path) -> None:
    state, service = boxed / BOX_STATE, 64_321
    os.chown(state, service, service)
    with find_place(None, None, boxed).registry() as registry:
        registry.enrol(uid(1), DECK, "r5", 1)
        owners = {path.name: path.stat().st_uid for path in state.iterdir()}
        assert set(owners) >= {"tags.sqlite", "tags.sqlite-journal"}
        assert set(owners.values()) == {service}
    victim = boxed / "root-only"
    victim.write_bytes(b"")
    (state / "other.sqlite").hardlink_to(victim)
    os.close(open_private(state / "other.sqlite"))
    assert victim.stat().st_uid == 0, "what a link points to is nobody's to give away"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be led astray")
@pytest.mark.parametrize("is_there", [True, False], ids=["to a file of root's", "dangling"])
def test_root_writes_to_nothing_that_a_link_in_a_boxs_directory_points_to(boxed: Path, is_there: bool) -> None:
    """The table's own user could make root write anywhere else."""
    state, victim = boxed / BOX_STATE, boxed / "root-only"
    os.chown(state, 64_321, 64_321)
    if is_there:
        victim.write_bytes(b"")
    for name in ("tags.sqlite", "commands.sqlite", "table.lock", "corner.new", "simulated-stickers.json"):
        (state / name).symlink_to(victim)
    (state / "simulated").symlink_to(boxed)
    for name in ("tags.sqlite", "commands.sqlite", "table.lock"):
        with pytest.raises(OSError, match="root does not follow"):
            open_private(state / name)
    with pytest.raises(StoreError, match="root does not follow"), find_place(None, None, boxed).registry():
        pass
    with pytest.raises(StoreError, match="root does not follow"):
        make_directory(state / "simulated")
    keep_text(state / "corner.toml", "[kiosk]\n")
    Stickers({"r5": b"\x04LC\0\0\0\1"}, state / "simulated-stickers.json").keep()
    assert not (state / "simulated-stickers.json").is_symlink()
    assert victim.exists() == is_there
    assert not is_there or victim.read_bytes() == b""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has a folder of root's")
def test_in_a_directory_of_its_own_a_link_is_followed(tmp_path: Path) -> None:
    """Whoever keeps the record on a stick and links to it may."""
    (tmp_path / "tags.sqlite").symlink_to(tmp_path / "elsewhere")
    os.close(open_private(tmp_path / "tags.sqlite"))
    assert (tmp_path / "elsewhere").exists()


# -- lists -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_a_list_goes_to_another_table(tmp_path: Path, suffix: str) -> None:
    enrolled(tmp_path)
    file = tmp_path / f"deck.{suffix}"
    assert cards(tmp_path, "export", str(file)).returncode == 0
    other = tmp_path / "other"
    assert "3 tags imported" in cards(other, "import", str(file)).stdout
    assert "0 tags imported; 3 were there already." in cards(other, "import", str(file)).stdout
    assert cards(other, "list").stdout == cards(tmp_path, "list").stdout
    assert cards(other, "export").stdout == cards(tmp_path, "export").stdout


def test_a_wrong_file_imports_nothing_and_names_file_line_and_reason(tmp_path: Path) -> None:
    file = tmp_path / "deck.csv"
    file.write_text("uid,deck,card\n04000000000001,classic,r5\n04000000000002,classic,r99\n")
    result = cards(tmp_path, "import", str(file))
    assert result.returncode == 2
    assert result.stderr == f"lastcard: {file}, line 3: 'r99' is not a card. Nothing was imported.\n"
    assert cards(tmp_path, "export").stdout == "uid,deck,pack,card,copy\n"


def test_what_the_list_says_already_is_changed_only_when_told(tmp_path: Path) -> None:
    enrolled(tmp_path, 1)
    file = tmp_path / "deck.csv"
    file.write_text("uid,deck,card\n04000000000009,classic,r3\n04000000000000,classic,r5\n")
    refused = cards(tmp_path, "import", str(file))
    assert refused.returncode == 2 and "line 3: the tag 04 00 00 00 00 00 00 is r0#1" in refused.stderr
    file.write_text("uid,deck,card\n04000000000007,classic,r0\n")
    assert "line 2: r0#1 of the deck classic has the tag 04 00" in cards(tmp_path, "import", str(file)).stderr
    assert "04 00 00 00 00 00 00,classic,,r0,1" in cards(tmp_path, "export").stdout
    assert cards(tmp_path, "import", str(file), "--replace").returncode == 0
    assert cards(tmp_path, "export").stdout.splitlines()[1:] == ["04 00 00 00 00 00 07,classic,,r0,1"]


def test_a_list_of_a_deck_file_is_imported_with_that_file(tmp_path: Path) -> None:
    file = tmp_path / "farm.csv"
    file.write_text("uid,deck,card\n04000000000001,Farm,wpig\n")
    deck = tmp_path / "my.toml"
    deck.write_text(
        'name = "Farm"\n[cards]\n0 = 4\n1 = 4\n[[special]]\ncode = "wpig"\nname = "Pig"\ncount = 2\neffect = "wild"\n'
    )
    assert "not known here; name its file with --deck" in cards(tmp_path, "import", str(file)).stderr
    assert cards(tmp_path, "import", str(file), "--deck", str(deck)).returncode == 0
    assert "wpig#1     Pig (1 of 2)" in cards(tmp_path, "list", "--deck", str(deck)).stdout
    assert "Also in the list: Farm: 1 tag." in cards(tmp_path, "list").stdout


def test_a_pack_is_forgotten_when_that_is_confirmed(tmp_path: Path) -> None:
    enrolled(tmp_path)
    assert "Nothing was forgotten." in cards(tmp_path, "forget", "--all", typed="n\n").stdout
    assert "3 tags of the deck classic mean nothing now." in cards(tmp_path, "forget", "--all", "--yes").stdout
    assert cards(tmp_path, "forget", "--all", "--yes").returncode == 2


def test_a_number_may_be_given_as_the_list_writes_it(tmp_path: Path) -> None:
    enrolled(tmp_path)
    assert "was r1#1" in cards(tmp_path, "forget", *["04", "00", "00", "00", "00", "00", "01"]).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("enrol", "--deck", "clasic", "--reader", "simulated"), "did you mean classic?"),
        (("enrol", "--deck", "nowhere.toml"), "is not there; put it there"),
        (("enrol", "--pack", "x" * 99), "no name for a pack"),
        (("check", "--reader", "simulated"), "begin with: lastcard cards enrol"),
        (("write", "--reader", "simulated"), "begin with: lastcard cards enrol"),
        (("import", "nowhere.csv"), "can't be read"),
        (("import", "."), "can't be read"),
        (("export", "/nowhere/x.csv"), "can't be written"),
        (("forget",), "--all"),
        (("read", "--reader", "spi"), "SPI"),
    ],
)
def test_what_goes_wrong_is_one_sentence(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    result = cards(tmp_path, *arguments)
    assert result.returncode == 2 and said in result.stderr and result.stderr.count("\n") == 1


def test_a_list_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = cards(tmp_path / "file" / "below", "enrol", "--reader", "simulated")
    assert result.returncode == 2 and "--state-directory" in result.stderr and "Traceback" not in result.stderr


def test_everything_can_be_tried_with_a_simulated_reader(tmp_path: Path) -> None:
    simulated = ("--reader", "simulated")
    done = cards(tmp_path, "enrol", *simulated, "--only", "r0,w#2", "--write", "--display", "none")
    assert "✓ Wild (2 of 4): 04 4C 43 00 00 00 66; written and read back" in done.stdout
    assert "2 of 108 cards have their tag. Missing:" in done.stdout
    facts = cards(tmp_path, "read", *simulated, "--json")
    assert json.loads(facts.stdout) == {
        "UID": "04 4C 43 00 00 00 01 (7 bytes)",
        "type": "NTAG213",
        "size": "144 bytes for messages",
        "contents": "r0#1 of the deck classic",
        "state": "labelled",
        "note": "It says which card it is.",
        "list": "red 0, r0#1 of the deck classic",
    }


def test_what_somebody_else_wrote_is_overwritten_by_enrol_write_only_with_replace(tmp_path: Path) -> None:
    simulated = ("enrol", "--reader", "simulated", "--display", "none", "--only", "r0")
    alone = cards(tmp_path, *simulated, "--replace")
    assert alone.returncode == 2 and "give --write with it" in alone.stderr
    stickers = Stickers(deck_stickers(DECK), tmp_path / "simulated-stickers.json")
    memory = next(tag for card, tag in stickers.tags.items() if card.code == "r0#1").memory
    memory[16 : 16 + len(LINK) + 3] = bytes((0x03, len(LINK))) + LINK + b"\xfe"
    stickers.keep()
    refused = cards(tmp_path, *simulated, "--write").stdout
    assert "not written. Something else stands on it (link: https://example.org)." in refused and "--replace" in refused
    assert "link: https://example.org" in cards(tmp_path, "read", "--reader", "simulated").stdout
    assert "written and read back" in cards(tmp_path, *simulated, "--write", "--replace").stdout
    assert "r0#1 of the deck classic" in cards(tmp_path, "read", "--reader", "simulated").stdout


def test_going_through_the_pack_settles_which_card_has_the_new_tag(tmp_path: Path) -> None:
    """One of two red 1 got a new tag in a match: the list says so until all of them were tapped."""
    file = tmp_path / "small.toml"
    file.write_text('name = "small"\n[cards]\nr1 = 2\nw = 13\n', encoding="utf-8")
    place = Place(read_settings(None), tmp_path)
    deck = place.deck(str(file))
    (new, first), *others = deck_tags(deck).items()
    registry = Registry(tmp_path / "tags.sqlite")
    for number, card in ((uid(999), first), *others):
        registry.enrol(number, deck, card.face.code, card.copy)
    meaning = sticker_card(first.face, new, ())
    registry.enrol(new, deck, meaning.face.code, meaning.copy)
    registry.close()
    simulated = ("--deck", str(file))
    listed = cards(tmp_path, "list", *simulated).stdout
    assert "red 1 (new tag, one of 2)" in listed and "15 cards of the deck small have a tag, 0 have none." in listed
    assert "New tags in the place of lost ones: red 1." in listed
    checked = cards(tmp_path, "check", "--reader", "simulated", *simulated)
    assert checked.returncode == 0 and "The deck is complete." in checked.stdout
    assert "red 1: all its cards were tapped, so the tag that was lost is known now" in checked.stdout
    registry = Registry(tmp_path / "tags.sqlite")
    assert dict(registry.cards(deck)) == deck_tags(deck)
    registry.close()


def test_ctrl_c_is_a_way_to_stop_and_what_was_enrolled_is_kept(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-m", "table_app", "cards", "--state-directory", str(tmp_path)]
    command += ["enrol", "--reader", "simulated", "--display", "none"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdout is not None
    for line in process.stdout:
        if "✓" in line:
            break
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=30)
    assert process.returncode == 0 and "Go on whenever you like with the same command." in rest
    connection = sqlite3.connect(tmp_path / "tags.sqlite")
    assert connection.execute("SELECT count(*) FROM tags").fetchone()[0] >= 1
    connection.close()


# -- on the display ----------------------------------------------------------------------------------------------


def test_a_deck_is_enrolled_in_the_window_by_touch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real window on SDL's dummy driver, the real chip model; the clock is the test's."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    registry = Registry(tmp_path / "tags.sqlite")
    session = EnrolSession(Enrolment(registry, DECK, only=("r0", "r1", "w")))
    hand = StickerHand(Stickers(deck_stickers(DECK), tmp_path / "box.json"), lambda: session.enrolment.asked)
    clock = [0]

    def now_ms() -> int:
        clock[0] += 100
        return clock[0]

    glass = itertools.count(0, SETTLE_MS)  # a while passes between any two looks at the screen
    with TableWindow(now_ms, glass_clock=lambda: next(glass)) as window:
        wait = window.wait
        looks = 0

        def pressing(timeout_ms: int) -> object:
            nonlocal looks
            looks += 1
            wanted = {1: "skip", 2: "back"}.get(looks, "quit" if session.enrolment.asked is None else "")
            for target in window.targets:
                if target.name == wanted:
                    place = {"pos": tuple(map(int, target.box.centre)), "button": 1, "touch": False}
                    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, place))
            return wait(0)

        monkeypatch.setattr(window, "wait", pressing)
        run_in_window(session, hand, Sounds(None), window, now_ms)
        assert looks < 1_000
    assert [card.code for card in registry.cards(DECK).values()] == ["r0#1", "r1#1", "r1#2", "w#1", "w#2", "w#3", "w#4"]
    registry.close()


def test_buttons_get_their_stickers_in_the_window_by_touch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the cards: the real window, the real chip model, and a hand with a box of stickers that are no cards."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    registry, commands = Registry(tmp_path / "tags.sqlite"), CommandTags(tmp_path / "commands.sqlite")
    session = CommandSession(CommandEnrolment(commands, registry, 3))
    hand = StickerHand(Stickers(command_stickers(), tmp_path / "box.json"), lambda: session.enrolment.asked)
    clock, glass = itertools.count(0, 100), itertools.count(0, SETTLE_MS)
    titles: list[str] = []
    with TableWindow(lambda: next(clock), glass_clock=lambda: next(glass)) as window:
        wait, show = window.wait, window.show

        def showing(view: TableView) -> bool:
            assert isinstance(view.screen, EnrolScreen)
            titles.append(view.screen.title)
            return show(view)

        def pressing(timeout_ms: int) -> object:
            assert len(titles) < 1_000
            wanted = {1: "skip", 2: "back"}.get(len(titles), "quit" if session.enrolment.asked is None else "")
            for target in window.targets:
                if target.name == wanted:
                    place = {"pos": tuple(map(int, target.box.centre)), "button": 1, "touch": False}
                    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, place))
            return wait(0)

        monkeypatch.setattr(window, "wait", pressing)
        monkeypatch.setattr(window, "show", showing)
        run_in_window(session, hand, Sounds(None), window, lambda: next(clock))
    assert "Lay the sticker for Undo on the pad" in titles
    assert titles[-1] == "Every button has its tag"
    assert set(commands.buttons().values()) == set(command_buttons(3))
    commands.close()
    registry.close()


def test_the_simulated_hand_lays_the_stickers_for_the_commands_on_the_terminal(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "table_app", "cards", "--state-directory", str(tmp_path)]
    asked = ["enrol", "--commands", "--reader", "simulated", "--display", "none"]
    done = subprocess.run([*command, *asked], input="", capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert "Every button has its tag." in done.stdout
    commands = CommandTags(tmp_path / "commands.sqlite")
    assert set(commands.buttons().values()) >= {"draw", "undo", "seat:0", "seat:2", "colour:red"}
    assert not set(commands.buttons()) & set(deck_tags(DECK)), "no sticker is a card and a button"
    commands.close()


def test_the_decks_of_the_settings_are_as_they_lie_in_the_box(tmp_path: Path) -> None:
    file = tmp_path / "lastcard.toml"
    file.write_text('[rules]\nedition = "2018"\ncustom = "next 2 | again"\n')
    deck = Place(read_settings(file), tmp_path).deck(None)
    assert deck is DECKS["2018"]


def test_what_is_tried_with_a_simulated_reader_does_not_fill_the_tables_own_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    done = run("cards", "enrol", "--reader", "simulated", "--only", "r5", "--display", "none")
    assert done.returncode == 0 and "a list of its own" in done.stderr
    assert "0 cards of the deck classic have a tag" in run("cards", "list").stdout
    apart = done.stderr.split("--state-directory ")[1].split()[0]
    assert "r5#1" in cards(Path(apart), "list").stdout


def test_tags_that_are_buttons_are_listed_and_forgotten_like_cards(tmp_path: Path) -> None:
    commands = CommandTags(tmp_path / "commands.sqlite")
    commands.put(uid(7), "seat:1")
    commands.close()
    assert f"{uid_text(uid(7))}" in cards(tmp_path, "list").stdout and "seat 2" in cards(tmp_path, "list").stdout
    assert "was the button seat 2" in cards(tmp_path, "forget", uid_text(uid(7))).stdout
    assert "seat 2" not in cards(tmp_path, "list").stdout


def test_with_nobody_to_answer_a_tag_is_not_moved_and_the_rest_goes_on(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "tags.sqlite")
    stickers = deck_stickers(DECK)
    red_five = next(card for card in all_cards(DECK) if card.face.code == "r5")
    registry.enrol(stickers[red_five], DECK, "b7", 1)
    registry.close()
    done = cards(tmp_path, "enrol", "--reader", "simulated", "--only", "r5#1,g1#1", "--display", "none")
    assert done.returncode == 0 and "Nobody is there to answer" in done.stdout
    listed = cards(tmp_path, "list").stdout
    assert "b7#1" in listed and "g1#1" in listed and "r5#1" not in listed.partition("Without a tag")[0]


def test_a_word_that_means_nothing_while_enrolling_is_answered_with_those_that_do(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "tags.sqlite")
    session = EnrolSession(Enrolment(registry, DECK))
    asked = session.enrolment.asked
    answer = session.obey("back to the start")
    assert answer is not None and "Enter: leave this card out" in answer.text and session.enrolment.asked == asked
    commands = CommandTags(tmp_path / "commands.sqlite")
    buttons = CommandSession(CommandEnrolment(commands, registry, 3))
    answer = buttons.obey("red")
    assert answer is not None and "Enter" in answer.text and buttons.enrolment.asked == "colour:red"
    commands.close()
    registry.close()


# -- a list that a power cut spoilt ------------------------------------------------------------------------------------


def test_a_list_of_zeros_comes_back_from_its_copy_and_says_so_once(tmp_path: Path) -> None:
    enrolled = Registry(tmp_path / "tags.sqlite")
    enrolled.enrol(uid(1), DECK, "r5", 1)
    enrolled.close()
    buttons = CommandTags(tmp_path / "commands.sqlite")
    buttons.put(uid(2), "draw")
    buttons.close()
    for name in ("tags.sqlite", "commands.sqlite"):
        (tmp_path / name).write_bytes(b"\0" * 8192)
    said = cards(tmp_path, "list")
    assert "1 card of the deck classic has a tag" in said.stdout and "Draw" in said.stdout
    for name in ("tags", "commands"):
        assert f"copy {name}.copy-1.sqlite" in said.stderr and f"{name}.damaged-1.sqlite" in said.stderr
    assert cards(tmp_path, "list").stderr == ""


@pytest.mark.skipif(is_raspberry_pi() or bool(spi_devices(Path("/"))), reason="this machine may have a reader")
@pytest.mark.parametrize("kind", ["auto", "spi"])
@pytest.mark.parametrize("command", ["enrol", "read"])
def test_a_command_about_tags_never_advises_to_pick_cards_on_the_screen(
    tmp_path: Path, command: str, kind: str
) -> None:
    result = cards(tmp_path, command, "--reader", kind)
    said = result.stdout + result.stderr
    assert "on the screen" not in said and "none" not in said and "--reader serial" in said
    assert "--reader simulated" in said
