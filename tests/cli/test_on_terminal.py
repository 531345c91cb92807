"""A table on a terminal: what was typed is done in its order, its end is told as it is, and waiting costs nothing."""

from __future__ import annotations

import io
import shlex
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from hardware.signals import Signal
from table_app.cli.on_terminal import run_on_terminal
from table_app.cli.play import play
from table_app.cli.score import score
from table_app.cli.wake import Wake
from table_app.cli.wanted import Wanted
from table_app.record.journal import Journal
from table_app.rules import Phase
from table_app.rules.messages import untranslated
from table_app.table import Table, TableState
from table_app.table.devices import Devices
from tests.table.rig import Rig

WAITS = 50


class CountedEvent(threading.Event):
    """Waits for nothing: it counts how often it was asked to, and how often there was a reason not to wait."""

    def __init__(self, wake: CountedWake) -> None:
        super().__init__()
        self._of = wake
        self.waits = self.woken = 0

    def wait(self, timeout: float | None = None) -> bool:
        if timeout == 0 or self.is_set():
            self.woken += 1
            return True
        self.waits += 1
        if self.waits == 1:  # the one who reads lines comes to its end first
            super().wait(5)
        self._of.is_stopped = self._of.is_stopped or self.waits >= WAITS
        return False


class CountedWake(Wake):
    def __init__(self) -> None:
        super().__init__()
        self.event: CountedEvent = CountedEvent(self)
        self.target = self.event.set

    def listen(self) -> None:
        """The signals stay the test runner's."""


class Typed(io.StringIO):
    """What is typed at a terminal, up to its Ctrl-D."""

    def __init__(self, text: str, *, is_terminal: bool = True) -> None:
        super().__init__(text)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


class Silent:
    name = "pad"

    def poll(self, now_ms: int) -> tuple[Signal, ...]:
        return ()


class DiskFullForAWhile:
    """Fills the disk once a round is under way, and empties it once that was noticed."""

    name = "disk"

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.table: Table | None = None
        self._is_filled = False

    def poll(self, now_ms: int) -> tuple[Signal, ...]:
        assert self.table is not None
        if self._journal.unsaved:
            self._refuse("OFF")
        elif self.table.match.phase is Phase.PLAY and not self._is_filled:
            self._is_filled = True
            self._refuse("ON")
        return ()

    def _refuse(self, word: str) -> None:
        self._journal._connection.execute(f"PRAGMA query_only={word}")


def run(monkeypatch: pytest.MonkeyPatch, typed: Typed, devices: Devices, rig: Rig | None = None) -> CountedWake:
    monkeypatch.setattr(sys, "stdin", typed)
    wake = CountedWake()
    rig = rig or Rig()

    def table(show: Callable[[TableState, int], None]) -> Table:
        made = Table(rig.state, rig.journal, devices=devices.senses, show=show)
        for sense in devices.senses:
            if isinstance(sense, DiskFullForAWhile):
                sense.table = made
        return made

    run_on_terminal(table, devices, untranslated, wake, Wanted())
    return wake


@pytest.mark.parametrize("is_terminal", [False, True])
@pytest.mark.parametrize("text", ["", "deal\nr9\n"])
def test_an_input_that_has_ended_wakes_nobody(monkeypatch: pytest.MonkeyPatch, is_terminal: bool, text: str) -> None:
    wake = run(monkeypatch, Typed(text, is_terminal=is_terminal), Devices(senses=[Silent()]))
    assert wake.event.waits == WAITS
    assert wake.event.woken < 10


def test_after_the_end_of_a_terminal_it_says_how_the_table_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, Typed("deal\n"), Devices(senses=[Silent()]))
    printed = capsys.readouterr().out
    assert printed.count("the table goes on with its reader") == 1
    assert "Ctrl-C" in printed


def test_where_nothing_else_senses_the_end_of_a_terminal_ends_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wake = run(monkeypatch, Typed("deal\n"), Devices())
    assert wake.event.waits < WAITS
    assert "Ctrl-C" not in capsys.readouterr().out


def test_a_disk_that_has_room_again_takes_back_that_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rig = Rig(directory=tmp_path)
    devices = Devices(senses=[DiskFullForAWhile(rig.journal)])
    run(monkeypatch, Typed("deal\nr9\nr1\nr2\nquit\n"), devices, rig)
    printed = capsys.readouterr().out
    said = [printed.index(text) for text in ("Nothing is kept", "Everything is kept again.", "The match is kept;")]
    assert said == sorted(said)
    assert printed.count("Everything is kept again.") == 1
    rig.opened.close()


# -- the whole command -----------------------------------------------------------------------------------------


def typed(tmp_path: Path, lines: str, *more: str, command: object = play) -> str:
    """What ``play`` prints to these *lines*."""
    directory = tmp_path / "state"
    arguments = ["--display", "none", "--players", "Ann,Ben", "--state-directory", str(directory), *more]
    result = CliRunner().invoke(command, arguments, input=lines)  # type: ignore[arg-type]  # a command
    assert result.exit_code == 0, result.output
    return result.output


def test_what_was_typed_before_quit_is_done_before_it(tmp_path: Path) -> None:
    printed = typed(tmp_path, "deal\nr9\nr5\nquit\nr1\n", "--reader", "simulated")
    assert "red 9" in printed and "Ann laid the red 5" in printed
    assert "red 1" not in printed
    assert printed.rindex("red 5") < printed.index("The match is kept")


def test_what_was_typed_behind_a_picked_card_waits_for_it(tmp_path: Path) -> None:
    printed = typed(tmp_path, "deal\nr9\ndraw\nkeep\nr5\nquit\n", "--reader", "simulated")
    assert "Ben laid the red 5" in printed


@pytest.mark.parametrize(("command", "name"), [(play, "play"), (score, "score")])
def test_the_command_with_which_it_goes_on_opens_the_same_table(tmp_path: Path, command: object, name: str) -> None:
    printed = typed(tmp_path, "quit\n", "--reader", "none", "--lang", "en", command=command)
    told = next(line for line in printed.splitlines() if "goes on with" in line)
    words = shlex.split(told.partition("goes on with: ")[2])
    assert words[words.index(name) :] == [
        name,
        *("--state-directory", str(tmp_path / "state")),
        *("--players", "Ann,Ben", "--reader", "none", "--display", "none", "--lang", "en"),
    ]


def test_a_name_with_a_blank_can_be_pasted() -> None:
    told = Wanted(players="Ann Lee, Ben", state_directory=Path("/a b/c")).again()
    assert shlex.split(told)[-4:] == ["--state-directory", "/a b/c", "--players", "Ann Lee, Ben"]
    assert "--players" not in Wanted(players="Ann").again(asks_who_plays=True)


def test_a_table_that_keeps_nothing_does_not_say_that_it_does(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    printed = typed(tmp_path, "deal\nr9\nquit\n", "--reader", "none")
    assert "Nothing is kept" in printed
    assert "match is kept" not in printed and "goes on with" not in printed


def test_a_table_whose_directory_went_meanwhile_says_so_at_its_end(tmp_path: Path) -> None:
    rig = Rig(directory=tmp_path / "state")
    assert rig.journal.trouble_now() == ""
    shutil.rmtree(tmp_path / "state")
    assert "is gone" in rig.journal.trouble_now()
    (tmp_path / "state").mkdir()
    assert rig.journal.trouble_now() == ""
    rig.opened.close()
