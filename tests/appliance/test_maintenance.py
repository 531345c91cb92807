"""The maintenance corner opens for whoever knows it, and for nobody else; root is asked by name alone."""

from __future__ import annotations

import contextlib
import re
import socket
import stat
import subprocess
from pathlib import Path

import pytest

from table_app.appliance.maintenance import (
    CLOSES_AFTER_MS,
    ENDS_PLAY,
    ENTER,
    HOLD_MS,
    LOCKED_MS,
    LOCKED_MS_MAX,
    PREFIX,
    TRIES_MAX,
    TURN,
    Choice,
    Finger,
    Maintenance,
    Page,
    Turned,
)
from table_app.appliance.pages import maintenance_view
from table_app.appliance.requests import (
    ANSWER,
    OUTCOMES,
    REQUESTS,
    Request,
    RequestError,
    answer,
    answer_stamp,
    ask_root,
    network_addresses,
)
from table_app.pin import Pin, kept_pin
from table_app.rules.messages import untranslated
from table_app.settings import read_settings
from table_app.setup.adjusting import Adjusting
from table_app.view.table_view import StartScreen
from tests.programs import requires_program

CORNER = (0.05, 0.05)
MIDDLE = (0.5, 0.5)
SCRIPT = Path(__file__).parents[2] / "systemd/carry-out-request.sh"


def hold(corner: Maintenance, for_ms: int, place: tuple[float, float] = CORNER, at_ms: int = 0) -> bool:
    corner.finger(Finger(at_ms, True, *place))
    changed = corner.tick(at_ms + for_ms)
    corner.finger(Finger(at_ms + for_ms, False, *place))
    return changed


def type_in(corner: Maintenance, *tries: str, at_ms: int = HOLD_MS) -> None:
    for digits in tries:
        for digit in digits:
            corner.press(PREFIX + digit, at_ms)
        corner.press(PREFIX + ENTER, at_ms)


def adjusting() -> Adjusting:
    return Adjusting(read_settings(None), {}, lambda _text: None)


def opened(pin: str = "") -> Maintenance:
    corner = Maintenance(pin)
    assert hold(corner, HOLD_MS)
    return corner


def test_five_seconds_in_the_corner_ask_for_the_pin() -> None:
    pages = [opened(pin).page for pin in ("1234", "")]
    assert pages == [Page.PIN, Page.MENU], "without a PIN there is none to ask for"


@pytest.mark.parametrize(("for_ms", "place"), [(HOLD_MS - 1, CORNER), (HOLD_MS, MIDDLE), (HOLD_MS, (0.05, 0.5))])
def test_a_shorter_hold_or_another_place_opens_nothing(for_ms: int, place: tuple[float, float]) -> None:
    corner = Maintenance()
    assert not hold(corner, for_ms, place)
    assert not corner.tick(10 * HOLD_MS), "nor does the time after the finger left"
    assert not corner.is_open


def test_two_short_holds_are_no_long_one() -> None:
    corner = Maintenance()
    hold(corner, HOLD_MS // 2)
    assert not hold(corner, HOLD_MS - 1, at_ms=HOLD_MS // 2 + 1)
    assert not corner.is_open


def test_the_right_pin_opens_the_menu_and_a_wrong_one_does_not() -> None:
    corner = opened("4711")
    type_in(corner, "4712")
    assert (corner.page, corner.typed) == (Page.PIN, "")
    for button in (*"47", "erase", *"711"):
        corner.press(PREFIX + button, HOLD_MS)
    assert str(corner.page) == "pin", "nobody learns how long it is"
    corner.press(PREFIX + ENTER, HOLD_MS)
    assert corner.page is Page.MENU


def test_the_page_of_the_pin_tells_nothing_of_its_length() -> None:
    shown = set()
    for pin in ("4711", "12345678", kept_pin("123456")):
        corner = opened(pin)
        for digit in "9999999":
            corner.press(PREFIX + digit, HOLD_MS)
            shown.add(maintenance_view(corner, adjusting(), HOLD_MS, untranslated))
    assert len(shown) == 1


@pytest.mark.parametrize("kept", ["4711", kept_pin("4711")], ids=["as older settings have it", "as it is kept now"])
def test_a_pin_is_tried_the_same_however_it_is_kept(kept: str) -> None:
    corner = opened(kept)
    type_in(corner, "4710", "471", "47110")
    assert str(corner.page) == "pin"
    type_in(corner, "4711", at_ms=HOLD_MS + LOCKED_MS)
    assert corner.page is Page.MENU
    assert "4711" not in repr(vars(corner)) + repr(vars(vars(corner)["_pin"]))


def test_two_keepings_of_one_pin_are_not_alike() -> None:
    assert kept_pin("4711") != kept_pin("4711")
    assert "4711" not in kept_pin("4711")


@pytest.mark.parametrize("digits", ["", "1", "123", "123456789", "12a4", "１２３４"])
def test_what_is_no_pin_is_not_kept_and_opens_nothing(digits: str) -> None:
    with pytest.raises(ValueError, match="4 to 8 digits"):
        kept_pin(digits)
    assert not Pin(digits).fits(digits if digits.isascii() else "1234")


def test_an_older_pin_of_one_digit_opens_nothing_and_says_how_to_set_another() -> None:
    corner = opened("7")
    type_in(corner, "7")
    assert corner.page is Page.PIN
    view = maintenance_view(corner, adjusting(), HOLD_MS, untranslated)
    assert isinstance(view.screen, StartScreen) and "lastcard settings --pin" in view.screen.lead


def test_each_lock_takes_twice_as_long_up_to_a_quarter_of_an_hour() -> None:
    """A child with an afternoon tries dozens of PINs of ten thousand."""
    corner = opened("4711")
    at_ms, waited = HOLD_MS, []
    for _number in range(8):
        type_in(corner, *["1111"] * TRIES_MAX, at_ms=at_ms)
        waited.append(corner.locked_for_ms(at_ms))
        type_in(corner, "4711", at_ms=at_ms)
        assert str(corner.page) == "pin"
        at_ms += waited[-1]
    assert waited == [min(LOCKED_MS * 2**number, LOCKED_MS_MAX) for number in range(8)]
    type_in(corner, "4711", at_ms=at_ms)
    assert corner.page is Page.MENU


def test_after_three_wrong_tries_even_the_right_one_has_to_wait() -> None:
    corner = opened("4711")
    type_in(corner, "1111", "2222", "3333")
    type_in(corner, "4711")
    assert str(corner.page) == "pin"
    assert corner.locked_for_ms(HOLD_MS) == LOCKED_MS
    type_in(corner, "4711", at_ms=HOLD_MS + LOCKED_MS)
    assert corner.page is Page.MENU


def test_no_press_does_anything_before_the_pin() -> None:
    corner = Maintenance("4711")
    for button in (*Choice, "yes", "back"):
        assert corner.press(f"{PREFIX}{button}", 0) is None
    assert not corner.is_open
    assert hold(corner, HOLD_MS)
    for choice in Choice:
        assert corner.press(f"{PREFIX}{choice}", HOLD_MS) is None
    assert corner.page is Page.PIN


def test_back_from_the_pin_does_not_lead_into_the_menu() -> None:
    corner = opened("4711")
    corner.press(f"{PREFIX}back", HOLD_MS)
    assert corner.page is not Page.MENU


@pytest.mark.parametrize("choice", sorted(ENDS_PLAY))
def test_what_ends_the_play_is_asked_about_once_more(choice: Choice) -> None:
    corner = opened()
    assert corner.press(f"{PREFIX}{choice}", HOLD_MS) is None
    assert corner.page is Page.CONFIRM
    corner.press(f"{PREFIX}back", HOLD_MS)
    assert corner.press(f"{PREFIX}yes", HOLD_MS) is None, "back means no"
    corner.press(f"{PREFIX}{choice}", HOLD_MS)
    assert corner.press(f"{PREFIX}yes", HOLD_MS) is choice
    assert corner.press(f"{PREFIX}yes", HOLD_MS) is None, "and it is done once"


@pytest.mark.parametrize("choice", [Choice.NETWORK, Choice.DOCTOR, Choice.ALL_SETTINGS])
def test_what_only_tells_something_is_done_at_once(choice: Choice) -> None:
    assert opened().press(f"{PREFIX}{choice}", HOLD_MS) is choice


def test_every_choice_is_either_told_at_once_or_asked_about() -> None:
    told = {Choice.NETWORK, Choice.DOCTOR, Choice.ALL_SETTINGS}
    assert frozenset(Choice) - ENDS_PLAY == {*told, Choice.SETTINGS}, "the settings are a page of their own"


def test_settings_are_turned_on_their_own_page_alone() -> None:
    corner = opened("4711")
    turn = f"{PREFIX}{TURN}dim"
    assert corner.press(turn, HOLD_MS) is None, "not before the PIN"
    type_in(corner, "4711")
    assert corner.press(turn, HOLD_MS) is None
    assert corner.press(f"{PREFIX}{Choice.SETTINGS}", HOLD_MS) is None
    assert corner.press(turn, HOLD_MS) == Turned("dim")
    corner.press(f"{PREFIX}back", HOLD_MS)
    assert corner.page is Page.MENU


def test_an_open_menu_that_nobody_uses_closes_itself() -> None:
    corner = opened()
    assert corner.next_change_ms() == HOLD_MS + CLOSES_AFTER_MS
    corner.press(f"{PREFIX}{Choice.NETWORK}", HOLD_MS + 60_000)
    assert not corner.tick(HOLD_MS + CLOSES_AFTER_MS)
    assert corner.tick(HOLD_MS + 60_000 + CLOSES_AFTER_MS)
    assert not corner.is_open


# -- asking root -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["closed", "pin"])
def test_an_answer_that_comes_late_leads_nobody_past_the_pin(page: str) -> None:
    corner = opened("1234")
    if page == "closed":
        type_in(corner, "1234")
        corner.press(f"{PREFIX}close", HOLD_MS)
    before = corner.page
    corner.show_text("Update", ("Updated.",), 2 * HOLD_MS)
    assert corner.page is before
    corner.press(f"{PREFIX}back", 2 * HOLD_MS)
    assert corner.press(f"{PREFIX}settings", 2 * HOLD_MS) is None
    assert corner.page is before


def test_what_is_shown_stays_long_enough_to_be_read() -> None:
    corner = opened()
    late_ms = HOLD_MS + CLOSES_AFTER_MS - 1
    corner.show_text("Update", ("Updated.",), late_ms)
    assert not corner.tick(late_ms + CLOSES_AFTER_MS - 1)
    assert corner.tick(late_ms + CLOSES_AFTER_MS)


def test_a_request_is_an_empty_file_with_its_name(tmp_path: Path) -> None:
    (tmp_path / REQUESTS).mkdir(parents=True)
    ask_root(Request.SHUT_DOWN, untranslated, tmp_path)
    assert [path.name for path in (tmp_path / REQUESTS).iterdir()] == ["shut-down"]
    assert (tmp_path / REQUESTS / "shut-down").stat().st_size == 0


def test_where_nobody_would_hear_it_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"lastcard-request\.path runs"):
        ask_root(Request.UPDATE, untranslated, tmp_path)


def test_an_answer_is_read_and_cut(tmp_path: Path) -> None:
    assert answer(untranslated, tmp_path) == ""
    assert answer_stamp(tmp_path) is None
    (tmp_path / "run").mkdir()
    (tmp_path / ANSWER).write_bytes(b"Updated\xff to 2.\n" + b"x" * 100_000)
    assert answer(untranslated, tmp_path).startswith("Updated\ufffd to 2.")
    assert len(answer(untranslated, tmp_path)) <= 1_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("updated 1.0 2.0\n", "Updated from 1.0 to 2.0."),
        ("went-back 1.0 2.0\n", "Version 2.0 does not run here; 1.0 is back."),
        ("not-whole /boot/firmware/lastcard_2.0_all.deb\n", "/boot/firmware/lastcard_2.0_all.deb is not whole: copy"),
        ("no-network\n", "No update: no network, and no newer package"),
        ("updated\n", "updated"),
        ("\n", ""),
    ],
)
def test_what_an_update_came_to_is_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / ANSWER).write_text(text, encoding="utf-8")
    assert answer(untranslated, tmp_path).startswith(said)


def test_the_same_answer_a_second_time_is_another_one(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    seen = set()
    for _ in range(2):
        # As the helper does it: a new file, renamed over the old one.
        new = tmp_path / "run/new"
        new.write_text("nothing-newer 1.0\n", encoding="utf-8")
        new.rename(tmp_path / ANSWER)
        seen.add(answer_stamp(tmp_path))
    assert len(seen) == 2


def test_root_says_nothing_that_the_table_has_no_words_for() -> None:
    said = re.findall(r'\bsay "?([a-z-]+)', SCRIPT.read_text(encoding="utf-8").partition("version_now()")[2])
    assert set(said) == set(OUTCOMES)


def test_addresses_are_those_of_others_ways_to_us() -> None:
    assert not {"127.0.0.1", "::1", "0.0.0.0"} & set(network_addresses())


TRIE = """Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
        +-- 127.0.0.0/31 1 0 0
           |-- 127.0.0.0
              /8 host LOCAL
           |-- 127.0.0.1
              /32 host LOCAL
     +-- 192.168.1.0/24 2 0 2
        |-- 192.168.1.0
           /24 link UNICAST
        |-- 192.168.1.17
           /32 host LOCAL
        |-- 192.168.1.255
           /32 link BROADCAST
Local:
        |-- 192.168.1.17
           /32 host LOCAL
"""
INET6 = """00000000000000000000000000000001 01 80 10 80       lo
fe8000000000000000fc00fffe000001 04 40 20 80     eth0
20010db8000000000000000000000002 04 40 00 82     eth0
"""


def test_addresses_are_read_where_no_socket_of_the_network_may_be_opened(tmp_path: Path) -> None:
    assert network_addresses(tmp_path) == (), "no network"
    (tmp_path / "proc/net").mkdir(parents=True)
    (tmp_path / "proc/net/fib_trie").write_text(TRIE)
    assert network_addresses(tmp_path) == ("192.168.1.17",)
    (tmp_path / "proc/net/if_inet6").write_text(INET6)
    assert network_addresses(tmp_path) == ("192.168.1.17", "2001:db8::2")


def test_the_kernel_of_this_machine_writes_its_addresses_that_way() -> None:
    if not Path("/proc/net/fib_trie").exists():
        pytest.skip("no such table here")
    own = set()
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))  # sends nothing: the kernel only chooses the own address
            own.add(probe.getsockname()[0])
    assert own - {"127.0.0.1", "::1"} <= set(network_addresses())


def run_script(requests: Path, tools: Path) -> tuple[list[str], str]:
    """Carry out what lies in *requests* with `systemctl` replaced; what it was told, and standard error."""
    requires_program("sh", "dash")
    told = tools / "told"
    told.write_text("", encoding="utf-8")
    for name in ("systemctl", "apt-get", "dpkg-query", "dpkg", "dpkg-deb"):
        program = tools / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >>{told}\n', encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    done = subprocess.run(
        ["sh", str(SCRIPT)],
        env={"PATH": f"{tools}:/usr/bin:/bin", "LASTCARD_ROOT": str(requests.parents[1])},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return told.read_text(encoding="utf-8").splitlines(), done.stderr


@pytest.fixture
def requests(tmp_path: Path) -> Path:
    directory = tmp_path / REQUESTS
    directory.mkdir(parents=True)
    return directory


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    directory = tmp_path / "tools"
    directory.mkdir()
    return directory


@pytest.mark.parametrize(
    ("request_", "expected"),
    [(Request.SHUT_DOWN, "systemctl poweroff --no-block"), (Request.RESTART_MACHINE, "systemctl reboot --no-block")],
)
def test_root_does_what_is_on_its_list(request_: Request, expected: str, requests: Path, tools: Path) -> None:
    (requests / request_).touch()
    told, _ = run_script(requests, tools)
    assert told == [expected]
    assert list(requests.iterdir()) == [], "a request is gone before it is carried out"


def test_whatever_else_lies_there_is_thrown_away_unread(requests: Path, tools: Path) -> None:
    (requests / "make-me-root").touch()
    (requests / "$(touch pwned)").touch()
    (requests / "-rf").touch()
    (requests / ".hidden").touch()
    (requests / "directory").mkdir()
    (requests / "directory" / "deep").touch()
    (requests / "dangling").symlink_to("/nonexistent")
    outside = tools / "outside"
    outside.write_text("kept", encoding="utf-8")
    (requests / "link").symlink_to(outside)
    told, errors = run_script(requests, tools)
    assert told == []
    assert list(requests.iterdir()) == []
    assert outside.read_text(encoding="utf-8") == "kept"
    assert "make-me-root" in errors
