"""A screen is brought up on whatever machine it is; none is no error; what killed the program is not tried again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from table_app.display.bring_up import ATTEMPT_FILE, LOOK_AGAIN_MS, TRY_AGAIN_MS, TRY_AGAIN_MS_MAX, Driver, Screen, plan
from table_app.display.errors import NoDisplayError
from tests.systemd import trees
from tests.systemd.trees import MadeUp, put

CARDS = [
    (trees.ZERO_2, 0, "HDMI-A-1"),
    (trees.PI_3_HDMI, 0, "HDMI-A-1"),
    (trees.PI_4_HDMI, 1, "HDMI-A-1"),
    (trees.PI_4_DSI, 0, "DSI-1"),
    (trees.PI_5_OLD, 1, "HDMI-A-1"),
    (trees.PI_5_6_6_20, 0, "HDMI-A-1"),
    (trees.PI_5_6_6_47, 2, "DSI-1"),
    (trees.PI_5_6_12_96, 1, "DSI-1"),
    (trees.LAPTOP, 1, "eDP-1"),
]


@pytest.mark.parametrize(("made", "card", "name"), CARDS, ids=[f"{made.model} {made.kernel}" for made, *_ in CARDS])
def test_the_card_is_the_one_that_something_is_plugged_into(made: MadeUp, card: int, name: str, tmp_path: Path) -> None:
    (attempt,) = plan(made.build(tmp_path), {}).attempts
    assert attempt.driver is Driver.KMSDRM
    assert attempt.environment["SDL_KMSDRM_DEVICE_INDEX"] == str(card)
    assert attempt.environment["SDL_RENDER_VSYNC"] == "1"
    assert attempt.reason == f"{name} of /dev/dri/card{card} is connected"


@pytest.mark.parametrize("made", [trees.PI_3_HEADLESS, trees.PI_5_TRIXIE])
def test_with_nothing_plugged_in_there_is_nothing_to_try(made: MadeUp, tmp_path: Path) -> None:
    made_plan = plan(made.build(tmp_path), {})
    assert made_plan.attempts == ()
    assert (
        made_plan.left_out[0]
        == "kmsdrm: no screen says that it is plugged in (no connector in /sys/class/drm is connected)."
    )


def test_a_panel_goes_before_a_plug_and_a_sure_one_before_a_doubtful(tmp_path: Path) -> None:
    made = MadeUp(
        "", "trixie", "6.12", {}, {0: {"VGA-1": "unknown"}, 1: {"HDMI-A-1": "connected"}, 2: {"DSI-1": "connected"}}
    )
    tried = [attempt.reason.split()[0] for attempt in plan(made.build(tmp_path), {}).attempts]
    assert tried == ["DSI-1", "HDMI-A-1", "VGA-1"]


def test_a_pi_without_the_kernels_driver_is_told_which_line_is_missing(tmp_path: Path) -> None:
    MadeUp("Raspberry Pi 4 Model B Rev 1.4", "bookworm", "6.6", {}).build(tmp_path)
    assert "dtoverlay=vc4-kms-v3d" in plan(tmp_path, {}).left_out[0]


def test_on_a_desktop_the_desktop_is_asked_and_the_kernel_left_alone(tmp_path: Path) -> None:
    trees.PI_4_HDMI.build(tmp_path)
    made = plan(tmp_path, {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"})
    assert [attempt.driver for attempt in made.attempts] == [Driver.WAYLAND, Driver.X11]
    assert made.left_out == ("kmsdrm: a desktop holds the screen (WAYLAND_DISPLAY is set).",)
    assert [attempt.driver for attempt in plan(tmp_path, {"DISPLAY": ":0"}).attempts] == [Driver.X11]


class Opener:
    """Opens a window where the environment names a driver that works."""

    def __init__(self, environment: dict[str, str], works: Callable[[dict[str, str]], bool]) -> None:
        self.environment = environment
        self.works = works
        self.tried: list[str] = []

    def __call__(self) -> str:
        driver = self.environment.get("SDL_VIDEODRIVER", "")
        self.tried.append(f"{driver} {self.environment.get('SDL_KMSDRM_DEVICE_INDEX', '')}".strip())
        if not self.works(self.environment):
            raise NoDisplayError(f"no {driver} here")
        return f"window on {driver}"


def test_the_ways_are_tried_in_order_and_each_is_told(tmp_path: Path) -> None:
    environment = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
    said: list[str] = []
    opener = Opener(environment, lambda given: given["SDL_VIDEODRIVER"] == "x11")
    screen = Screen(opener, said.append, root=tmp_path, environment=environment)
    assert screen.bring_up(0) == "window on x11"
    assert opener.tried == ["wayland", "x11"]
    assert screen.driver == "x11"
    assert said == [
        "Display: not kmsdrm: a desktop holds the screen (WAYLAND_DISPLAY is set).",
        "Display: wayland (WAYLAND_DISPLAY is wayland-0) can't be used: no wayland here",
        "Display: x11 (DISPLAY is :0).",
    ]


def test_without_any_screen_the_table_goes_on_and_says_so(tmp_path: Path) -> None:
    environment: dict[str, str] = {}
    said: list[str] = []
    trees.PI_5_6_6_47.build(tmp_path)
    opener = Opener(environment, lambda _: False)
    screen = Screen(opener, said.append, root=tmp_path, environment=environment)
    assert screen.bring_up(0) is None
    assert opener.tried == ["kmsdrm 2"]
    assert said[-1] == "Display: none. The table goes on with buzzer, buttons and tags."
    assert environment == {}, "nothing of a failed attempt stays behind for SDL"


def test_a_screen_plugged_in_later_is_used(tmp_path: Path) -> None:
    environment: dict[str, str] = {}
    trees.PI_3_HEADLESS.build(tmp_path)
    opener = Opener(environment, lambda _: True)
    screen = Screen(opener, lambda _: None, root=tmp_path, environment=environment)
    assert screen.bring_up(0) is None
    for moment_ms in range(0, 4 * LOOK_AGAIN_MS, 500):
        assert screen.poll(moment_ms) is None
    assert opener.tried == [], "as long as nothing changes nothing is tried, however often it looks"
    put(tmp_path, "sys/class/drm/card0-HDMI-A-1/status", "connected\n")
    assert screen.poll(5 * LOOK_AGAIN_MS) == "window on kmsdrm"
    assert screen.poll(9 * LOOK_AGAIN_MS) is None


def test_a_driver_that_is_asked_for_is_the_only_one_tried(tmp_path: Path) -> None:
    environment = {"SDL_VIDEODRIVER": "dummy", "DISPLAY": ":0"}
    opener = Opener(environment, lambda _: True)
    assert Screen(opener, lambda _: None, root=tmp_path, environment=environment).bring_up(0) == "window on dummy"
    assert opener.tried == ["dummy"]


def test_what_killed_the_program_is_not_tried_again(tmp_path: Path) -> None:
    tree, run = tmp_path / "root", tmp_path / "run"
    run.mkdir()
    cards = {0: {"DSI-1": "connected"}, 1: {"HDMI-A-1": "connected"}}
    MadeUp("Raspberry Pi 5 Model B Rev 1.0", "trixie", "6.12", {}, cards).build(tree)

    class Killed(BaseException):
        pass

    class Killer(Opener):
        def __call__(self) -> str:
            window = super().__call__()
            if self.tried[-1] == "kmsdrm 0":
                raise Killed  # as a segmentation fault: nothing of ours runs any more
            return window

    tried = []
    for start in range(3):
        environment: dict[str, str] = {}
        opener = Killer(environment, lambda _: True)
        screen = Screen(opener, lambda _: None, root=tree, environment=environment, run_directory=run)
        if start == 0:
            with pytest.raises(Killed):
                screen.bring_up(0)
        else:
            assert screen.bring_up(0) == "window on kmsdrm"
            screen.settle()
        tried.append(opener.tried)
    assert tried == [["kmsdrm 0"], ["kmsdrm 1"], ["kmsdrm 1"]]
    assert (run / ATTEMPT_FILE).read_text(encoding="utf-8") == "kmsdrm 0\n"


def test_a_way_that_kills_the_program_on_its_first_picture_is_not_tried_again(tmp_path: Path) -> None:
    tree, run = tmp_path / "root", tmp_path / "run"
    run.mkdir()
    cards = {0: {"DSI-1": "connected"}, 1: {"HDMI-A-1": "connected"}}
    MadeUp("Raspberry Pi 5 Model B Rev 1.0", "trixie", "6.12", {}, cards).build(tree)
    tried = []
    for is_killed in (True, False, False):
        environment: dict[str, str] = {}
        opener = Opener(environment, lambda _: True)
        screen = Screen(opener, lambda _: None, root=tree, environment=environment, run_directory=run)
        assert screen.bring_up(0) == "window on kmsdrm"
        if not is_killed:
            screen.settle()
        tried.append(opener.tried)
    assert tried == [["kmsdrm 0"], ["kmsdrm 1"], ["kmsdrm 1"]]


def test_a_screen_that_something_else_holds_is_tried_again_ever_more_seldom(tmp_path: Path) -> None:
    trees.PI_4_HDMI.build(tmp_path)
    environment: dict[str, str] = {}
    held_until_ms, moment_ms = 4 * 3_600_000, 0
    opener = Opener(environment, lambda _: moment_ms >= held_until_ms)
    said: list[str] = []
    screen = Screen(opener, said.append, root=tmp_path, environment=environment)
    assert screen.bring_up(0) is None
    tries_ms = [0]
    window = None
    while window is None and moment_ms < 2 * held_until_ms:
        moment_ms += 500
        before = len(opener.tried)
        window = screen.poll(moment_ms)
        if len(opener.tried) > before:
            tries_ms.append(moment_ms)
    pauses = [later - earlier for earlier, later in pairwise(tries_ms)]
    assert window == "window on kmsdrm"
    assert pauses[0] == TRY_AGAIN_MS
    assert pauses == sorted(pauses)
    assert max(pauses) == TRY_AGAIN_MS_MAX
    assert len(said) < 10, "months without a screen do not fill the log"


@pytest.mark.parametrize("is_settled", [False, True])
def test_a_screen_that_is_lost_makes_room_for_another_and_is_found_again(is_settled: bool, tmp_path: Path) -> None:
    tree, run = tmp_path / "root", tmp_path / "run"
    run.mkdir()
    cards = {0: {"DSI-1": "connected"}, 1: {"HDMI-A-1": "connected"}}
    MadeUp("Raspberry Pi 5 Model B Rev 1.0", "trixie", "6.12", {}, cards).build(tree)
    environment: dict[str, str] = {}
    works = ["0", "1"]
    opener = Opener(environment, lambda given: given["SDL_KMSDRM_DEVICE_INDEX"] in works)
    screen = Screen(opener, lambda _: None, root=tree, environment=environment, run_directory=run)
    assert screen.bring_up(0)
    if is_settled:
        screen.settle()
    screen.lose("Could not queue pageflip: -13", 1_000)
    assert environment == {}, "SDL is told nothing of what was lost"
    assert (run / ATTEMPT_FILE).read_text(encoding="utf-8") == "", "the program lives"
    assert screen.poll(1_000 + TRY_AGAIN_MS_MAX), "the other one"
    assert opener.tried[-1] == "kmsdrm 1"
    works.remove("1")
    screen.lose("Could not queue pageflip: -13", 2 * TRY_AGAIN_MS_MAX)
    assert screen.poll(4 * TRY_AGAIN_MS_MAX), "and back"
    assert opener.tried[-1] == "kmsdrm 0"


def test_a_run_directory_that_can_not_be_written_to_is_done_without(tmp_path: Path) -> None:
    environment = {"DISPLAY": ":0"}
    opener = Opener(environment, lambda _: True)
    screen = Screen(opener, lambda _: None, root=tmp_path, environment=environment, run_directory=tmp_path / "none")
    assert screen.bring_up(0) == "window on x11"
