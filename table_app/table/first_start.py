"""The first start: what a table asks before it has any settings, step by step, and the settings that come of it.

Pure: presses and typed words in, questions and at last the text of a settings file out. Windows and terminals are
elsewhere, and no device is opened here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from table_app.rules.setup import MAXIMUM_PLAYERS, MINIMUM_PLAYERS
from table_app.table.forms import NICKNAMES
from table_app.transcript.bad_line import BadLineError
from table_app.transcript.notation import check_name


def _(message: str) -> str:
    """Mark a message for the catalogue; it is translated where it is said."""
    return message


class Asked(StrEnum):
    """What is asked next."""

    HOW = "how"
    PLAYERS = "players"
    NAME = "name"
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


@dataclass(frozen=True, slots=True)
class FirstStart:
    """How far it has got: the chosen *way*, how many *players*, their *names* so far. *problem* is for people."""

    way: str = ""
    players: int = 0
    names: tuple[str, ...] = ()
    problem: str = ""

    @property
    def asked(self) -> Asked:
        if not self.way:
            return Asked.HOW
        if not self.players:
            return Asked.PLAYERS
        return Asked.NAME if len(self.names) < self.players else Asked.READY

    def choices(self) -> tuple[str, ...]:
        """What can be chosen now; for a name these are nicknames, and any other name may be typed."""
        if self.asked is Asked.HOW:
            return tuple(WAYS)
        if self.asked is Asked.PLAYERS:
            return tuple(str(number) for number in range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1))
        if self.asked is Asked.NAME:
            return tuple(name for name in NICKNAMES if name not in self.names)
        return ("begin",)

    def choose(self, word: str) -> FirstStart:
        """After this choice; a wrong one is answered with a *problem*."""
        word, asked = word.strip(), self.asked
        if asked is Asked.NAME:
            return self._name(word)
        if word not in self.choices():
            return replace(self, problem=f"Choose one of: {', '.join(self.choices())}.")
        if asked is Asked.HOW:
            return replace(self, way=word, problem="")
        return replace(self, players=int(word), problem="") if asked is Asked.PLAYERS else self

    def _name(self, word: str) -> FirstStart:
        try:
            name = check_name(word)
        except BadLineError as error:
            return replace(self, problem=f"{str(error)[:1].upper()}{str(error)[1:]}.")
        if name in self.names:
            return replace(self, problem=f"{name} sits here already; choose another name.")
        return replace(self, names=(*self.names, name), problem="")

    def back(self) -> FirstStart:
        """To the question before."""
        if self.names:
            return replace(self, names=self.names[:-1], problem="")
        return replace(self, players=0, problem="") if self.players else FirstStart()

    def settings_text(self) -> str:
        """The settings file that says all this."""
        sections: dict[str, list[str]] = {"table": [f"players = {json.dumps(list(self.names), ensure_ascii=False)}"]}
        for section, line in WAYS[self.way].lines:
            sections.setdefault(section, []).append(line)
        head = "# Written by the first start of Last Card. All keys there are: lastcard settings\n"
        return head + "".join(f"\n[{name}]\n" + "\n".join(lines) + "\n" for name, lines in sections.items())
