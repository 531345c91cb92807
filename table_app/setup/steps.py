"""The first start: what a table asks before it has any settings, step by step, and the settings that come of it.

Pure: presses and typed words in, questions and at last the text of a settings file out. Windows and terminals are
elsewhere, and no device is opened here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from hardware.signals import ButtonPressed, Signal, TagPlaced
from table_app.names import composed, name_trouble
from table_app.play.forms import NICKNAMES
from table_app.play.state import CARDS_EACH, FORMER_SEAT_COLOURS, SEAT_COLOURS
from table_app.rules.messages import Sentence, _
from table_app.rules.setup import MAXIMUM_PLAYERS, MINIMUM_PLAYERS, too_few_cards_text
from table_app.tags.buttons import button_words
from table_app.tags.enrolling import unfit_text
from table_app.transcript.bad_line import BadLineError
from table_app.transcript.player_names import check_name


class Asked(StrEnum):
    """What is asked next."""

    HOW = "how"
    PLAYERS = "players"
    NAME = "name"
    COLOUR = "colour"
    BUTTON = "button"
    READY = "ready"


class Way(NamedTuple):
    """One way to set a table up: its *label*, what it means, and the lines of its settings, by section."""

    label: str
    meaning: str
    lines: tuple[tuple[str, str], ...]


WAYS: dict[str, Way] = {
    "counted": Way(
        _("One reader"),
        _("Each card that is laid is tapped on the pad. Nobody taps what is drawn."),
        (("table", 'hands = "counted"'),),
    ),
    "tracked": Way(
        _("One reader, every card"),
        _("Every card dealt, drawn or laid is tapped; no hand is ever shown."),
        (("table", 'hands = "tracked"'),),
    ),
    "two-readers": Way(
        _("Two readers"),
        _("One pad for what is laid, one at the draw pile for what is dealt and drawn."),
        (("table", 'hands = "tracked"'), ("pile-reader", "use = true")),
    ),
    "no-reader": Way(
        _("No reader"),
        _("Cards are picked on the screen."),
        (("table", 'hands = "counted"'), ("reader", 'kind = "none"')),
    ),
    "score": Way(
        _("The score alone"),
        _("Nothing is judged: who is out, and what is left in the hands."),
        (("table", 'hands = "counted"'), ("rules", 'plays = "unrefereed"')),
    ),
}
"""All ways, the usual one first."""


WITHOUT_READER = ("no-reader", "score")
"""The ways that need no reader."""

SKIP = "skip"
SEAT = "seat:"
"""How the name of every seat's own button begins."""


@dataclass(frozen=True, slots=True)
class FirstStart:
    """How far it has got: the chosen *way*, how many *players*, their *names* and *colours* so far.

    *seated* have been asked everything. *listens*: there is something to press or to tap on; *buttons* and *tags* are
    what was pressed and tapped, by seat. *has_board*: a board has the buttons and names them itself, so each seat has
    the one of its own name. *is_again*: a table that has its settings changes who plays. *deck_size* is how many cards
    there are to be dealt, *cards_each* to each (0: enough for all). *has_reader*: one was found, or may be. *problem*
    is for people, *said* an answer to them, *trouble* what a device lacks.
    """

    way: str = ""
    players: int = 0
    names: tuple[str, ...] = ()
    colours: tuple[int, ...] = ()
    seated: int = 0
    listens: bool = False
    buttons: tuple[tuple[int, str], ...] = ()
    tags: tuple[tuple[int, bytes], ...] = ()
    has_board: bool = False
    is_again: bool = False
    deck_size: int = 0
    cards_each: int = CARDS_EACH
    has_reader: bool = True
    trouble: str = ""
    problem: str = ""
    said: str = ""

    @property
    def asked(self) -> Asked:
        if not self.way:
            return Asked.HOW
        if not self.players:
            return Asked.PLAYERS
        if self.seated == self.players:
            return Asked.READY
        if len(self.names) == self.seated:
            return Asked.NAME
        return Asked.COLOUR if len(self.colours) == self.seated else Asked.BUTTON

    def choices(self) -> tuple[str, ...]:
        """What can be chosen now, the usual answer first; for a name nicknames, and any other may be typed."""
        if self.asked is Asked.HOW:
            rest = tuple(way for way in WAYS if way not in WITHOUT_READER)
            return tuple(WAYS) if self.has_reader else (*WITHOUT_READER, *rest)
        if self.asked is Asked.PLAYERS:
            return tuple(str(number) for number in range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1))
        if self.asked is Asked.NAME:
            return tuple(name for name in NICKNAMES if name not in self.names)
        if self.asked is Asked.COLOUR:
            free = [place for place in range(len(SEAT_COLOURS)) if place not in self.colours]
            free.sort(key=lambda place: place != self.seated)
            return tuple(SEAT_COLOURS[place] for place in free)
        return (SKIP,) if self.asked is Asked.BUTTON else ("begin",)

    def choose(self, word: str) -> FirstStart:
        """After this choice; a wrong one is answered with a *problem*."""
        word, asked = word.strip(), self.asked
        fresh = replace(self, problem="", said="")
        if asked is Asked.NAME:
            return fresh._name(word)
        if asked is Asked.PLAYERS and "," in word:
            return fresh._all_names([name.strip() for name in word.split(",") if name.strip()])
        word = FORMER_SEAT_COLOURS.get(word, word) if asked is Asked.COLOUR else word
        if word not in self.choices():
            return replace(fresh, problem=f"Choose one of: {', '.join(self.choices())}.")
        if asked is Asked.HOW:
            return replace(fresh, way=word)
        if asked is Asked.PLAYERS:
            is_dealt = self.deck_size and self.way != "score"
            too_few = too_few_cards_text(self.deck_size, int(word), self.cards_each) if is_dealt else None
            return replace(fresh, players=int(word)) if too_few is None else replace(fresh, problem=too_few)
        if asked is Asked.COLOUR:
            colours = (*self.colours, SEAT_COLOURS.index(word))
            return replace(fresh, colours=colours, seated=self.seated + (0 if self.listens else 1))
        return replace(fresh, seated=self.seated + 1) if asked is Asked.BUTTON else fresh

    def _all_names(self, names: Sequence[str]) -> FirstStart:
        """All who play at once, each with the usual colour; from the first one that can't be it is asked as always."""
        asked = self.choose(str(len(names)))
        for name in names:
            if asked.problem:
                break
            asked = asked.choose(name)
            while not asked.problem and asked.asked in (Asked.COLOUR, Asked.BUTTON):
                asked = asked.choose(asked.choices()[0])
        return asked

    def _name(self, word: str) -> FirstStart:
        try:
            name = check_name(composed(word), self.names)
        except BadLineError as error:
            return replace(self, problem=Sentence("{why}.", why=error.sentence))
        if name_trouble(name):
            return replace(self, problem=Sentence(name_trouble(name)))
        if name in self.names:
            return replace(self, problem=Sentence(_("{name} sits here already; choose another name."), name=name))
        return replace(self, names=(*self.names, name))

    def hear(self, signal: Signal, meaning: str = "") -> FirstStart:
        """A button pressed or a tag tapped, which is the seat's from now on; a button that is no seat's stays as it is.

        *meaning* is what the tag is already, in words: a card, or a button that is no seat's.
        """
        if self.asked is not Asked.BUTTON:
            return self
        fresh, name = replace(self, problem="", said=""), self.names[self.seated]
        if isinstance(signal, ButtonPressed):
            taken = next((seat for seat, button in self.buttons if button == signal.button), None)
            if taken is not None:
                message = _("That button is {name}'s already; press another one.")
                return replace(fresh, problem=Sentence(message, name=self.names[taken]))
            own = f"{SEAT}{self.seated}"
            if self.has_board and signal.button != own:
                message = _(
                    "On the board that button is {button}; {name} has {own}. "
                    "Press that one, or name it anew: lastcard firmware set."
                )
                return replace(fresh, problem=Sentence(message, button=signal.button, name=name, own=own))
            if not signal.button.startswith(SEAT):
                message = _("That button is {button}; press one that is a seat's.")
                return replace(fresh, problem=Sentence(message, button=Sentence(button_words(signal.button))))
            buttons = (*self.buttons, (self.seated, signal.button))
            return replace(
                fresh, buttons=buttons, seated=self.seated + 1, said=Sentence(_("{name} has a button."), name=name)
            )
        if not isinstance(signal, TagPlaced):
            return self
        taken = next((seat for seat, uid in self.tags if uid == signal.uid), None)
        problem = unfit_text(signal)
        if meaning and not problem:
            problem = Sentence(_("That tag is {meaning}; take another sticker."), meaning=meaning)
        if taken is not None:
            message = _("That tag is {name}'s already; take another sticker.")
            problem = Sentence(message, name=self.names[taken])
        if problem:
            return replace(fresh, problem=problem)
        tags = (*self.tags, (self.seated, signal.uid))
        return replace(fresh, tags=tags, seated=self.seated + 1, said=Sentence(_("{name} has a tag."), name=name))

    @property
    def is_at_start(self) -> bool:
        """True where there is no question before this one."""
        return not self.players if self.is_again else not self.way

    def back(self) -> FirstStart:
        """To the question before."""
        fresh = replace(self, problem="", said="")
        if self.asked is Asked.BUTTON:
            return replace(fresh, colours=self.colours[:-1])
        if self.asked is Asked.COLOUR:
            return replace(fresh, names=self.names[:-1])
        if self.seated:
            seat = self.seated - 1
            return replace(
                fresh,
                seated=seat,
                colours=self.colours if self.listens else self.colours[:-1],
                buttons=tuple(pair for pair in self.buttons if pair[0] != seat),
                tags=tuple(pair for pair in self.tags if pair[0] != seat),
            )
        if self.players:
            return replace(fresh, players=0)
        return (
            fresh
            if self.is_again
            else FirstStart(deck_size=self.deck_size, cards_each=self.cards_each, has_reader=self.has_reader)
        )

    def table_values(self) -> dict[str, str]:
        """Who plays, as TOML values of the section ``table``."""
        colours = [SEAT_COLOURS[place] for place in self.colours]
        return {
            "players": json.dumps(list(self.names), ensure_ascii=False),
            "colours": json.dumps(colours),
        }

    def button_pins(self, pins: Mapping[str, int]) -> dict[str, int]:
        """The section ``buttons`` in which each seat has the pin that was pressed; *pins* are those of now, by name.

        No wired button is lost: a name whose pin went to another seat has one of those that are left over.
        """
        chosen = {f"{SEAT}{seat}": pins[button] for seat, button in self.buttons if button in pins}
        rest = {name: pin for name, pin in pins.items() if name not in chosen and pin not in chosen.values()}
        nameless = [name for name in pins if name not in chosen and name not in rest]
        left_over = [pin for pin in pins.values() if pin not in chosen.values() and pin not in rest.values()]
        return {**chosen, **rest, **dict(zip(nameless, left_over, strict=False))}

    def settings_text(self, pins: Mapping[str, int] | None = None) -> str:
        """The settings file that says all this; *pins* are those of the buttons, by their names so far."""
        sections: dict[str, list[str]] = {"table": [f"{key} = {value}" for key, value in self.table_values().items()]}
        for section, line in WAYS[self.way].lines:
            sections.setdefault(section, []).append(line)
        if self.buttons and pins and not self.has_board:
            sections["buttons"] = [f"{json.dumps(name)} = {pin}" for name, pin in self.button_pins(pins).items()]
        head = "# Written by the first start of Last Card. All keys there are: lastcard settings\n"
        return head + "".join(f"\n[{name}]\n" + "\n".join(lines) + "\n" for name, lines in sections.items())
