"""A card that lies on a reader when the table starts is there already: it does nothing until it is lifted and laid."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import ButtonPressed
from hardware.simulated import Ntag213, SimulatedPad, VirtualClock
from table_app.play.state import Options, Pause, TableState
from table_app.rules import Card, Phase, face
from table_app.table import Table, open_table
from table_app.view.present import present
from table_app.view.table_view import StartScreen
from tests.connections import closed_at_the_end
from tests.table.rig import files, setup, tagged_deck

HANDS = {"Ann": ("r1", "b5"), "Ben": ("r3", "b6"), "Cy": ("y4", "y5")}


class Home:
    """A table with real readers on simulated chips, whose power can go; what lies on the readers stays there."""

    def __init__(self, directory: Path, options: Options) -> None:
        self.directory, self.options = directory, options
        self.setup = setup()
        self.tags = tagged_deck(self.setup)
        self.tags[bytes((4, 9, 9, 9, 9, 9, 9))] = "undo"
        self.clock = VirtualClock()
        self.lying: dict[str, Ntag213] = {}
        self.start()

    def start(self) -> None:
        names = ["pad", *filter(None, [self.options.pile_reader])]
        self.pads = {name: SimulatedPad(name=name, clock=self.clock) for name in names}
        for name, tag in self.lying.items():
            self.pads[name].place(tag)
        opened = open_table(
            files(self.directory), self.setup, self.clock.now_ms(), tags=self.tags, options=self.options
        )
        self.opened = opened
        closed_at_the_end.append(opened.journal.close)
        self.table = Table(opened.state, opened.journal, devices=list(self.pads.values()), enrol=opened.enrol)

    def cut(self, code: str = "", name: str = "pad") -> None:
        """The power goes and comes back; meanwhile *code* is laid on a reader."""
        self.opened.close()
        if code:
            self.lying[name] = self.tag(code)
        self.start()

    def tag(self, code: str) -> Ntag213:
        wanted = code if code == "undo" else Card(face(code), 1)
        return Ntag213(next(uid for uid, card in self.tags.items() if card == wanted))

    def wait(self, ms: int = 1_000) -> None:
        until_ms = self.clock.now_ms() + ms
        while self.clock.now_ms() < until_ms:
            self.clock.advance_to_ms(self.clock.now_ms() + 10)
            self.table.step(self.clock.now_ms())

    def lay(self, code: str, name: str = "pad") -> None:
        self.lying[name] = self.tag(code)
        self.pads[name].place(self.lying[name])
        self.wait(500)

    def lift(self, name: str = "pad") -> None:
        self.pads[name].lift(self.lying.pop(name))
        self.wait(500)

    def tap(self, *codes: str, name: str = "pad") -> None:
        for code in codes:
            self.lay(code, name)
            self.lift(name)

    def press(self, button: str) -> None:
        self.table.hear(ButtonPressed(self.clock.now_ms(), button))
        self.wait(100)

    @property
    def state(self) -> TableState:
        return self.table.state


def tracked(directory: Path, pile_reader: str = "") -> Home:
    home = Home(directory, Options(cards_each=2, is_tracked=True, pile_reader=pile_reader))
    home.wait()
    for cards in zip(*HANDS.values(), strict=True):
        home.tap(*cards)
    home.tap("r9")
    assert home.state.match.phase is Phase.PLAY
    return home


@pytest.mark.parametrize(
    ("code", "reader", "pile_reader"),
    [
        ("b7", "pad", ""),  # drawn over the one reader
        ("b7", "pile", "pile"),
        ("y4", "pad", ""),  # a card of another hand, which would be a refused play
        ("r1", "pad", ""),
        ("undo", "pad", ""),
        ("r9", "pad", ""),  # the top card
    ],
)
def test_what_lies_there_when_the_power_comes_back_does_nothing_by_itself(
    tmp_path: Path, code: str, reader: str, pile_reader: str
) -> None:
    home = tracked(tmp_path, pile_reader)
    home.tap("b8", name=pile_reader or "pad")
    before = home.state.match
    home.cut(code, reader)
    home.wait(30_000)
    assert home.state.match.hands == before.hands and home.state.match.top == before.top
    assert home.state.pause is Pause.RESUMED
    screen = present(home.state, home.clock.now_ms()).screen
    assert isinstance(screen, StartScreen) and "What lies on the reader now counts" in " ".join(screen.paragraphs)
    home.press("yes")
    home.wait(5_000)
    assert home.state.match.hands == before.hands and home.state.match.top == before.top
    home.lift(reader)
    assert home.state.on_pad == ()


def test_it_counts_once_it_is_lifted_and_laid_anew(tmp_path: Path) -> None:
    home = tracked(tmp_path)
    home.cut("r1")
    home.wait()
    home.lift()
    assert home.state.pause is Pause.RESUMED
    home.lay("r1")
    assert home.state.pause is None and home.state.match.top is face("r1")


def test_a_tap_after_the_start_goes_on_and_counts_at_once(tmp_path: Path) -> None:
    home = tracked(tmp_path)
    home.cut()
    home.wait()
    home.lay("r1")
    assert home.state.pause is None and home.state.match.top is face("r1")


def test_a_card_forgotten_on_the_pad_is_not_dealt_when_a_match_begins(tmp_path: Path) -> None:
    home = Home(tmp_path, Options(cards_each=2, is_tracked=True))
    home.cut("g1")
    home.wait()
    assert home.state.dealing == ()
    assert home.state.notice is not None and home.state.notice.parts == ("pad",)
    home.lift()
    home.tap("r1")
    assert len(home.state.dealing) == 1


def test_a_reader_that_is_back_in_the_middle_of_play_tells_of_the_card_that_was_laid_meanwhile(tmp_path: Path) -> None:
    home = tracked(tmp_path)
    home.pads["pad"].unplug()
    home.wait(2_000)
    home.lay("r1")
    home.pads["pad"].plug_in()
    home.wait(3_000)
    assert home.state.match.top is face("r1")
