"""What can be typed at a table on a terminal: one list, by which lines are read and from which the help is made.

From words to the names of buttons only; nothing is interpreted here, and no stream is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from table_app.rules import COLOURS
from table_app.table.form_steps import FORMS, PUT_RIGHT
from table_app.table.situations import BUTTONS_WITH_SEAT, JOIN_PREFIX, PLAIN_BUTTONS, TAKE_UP_PREFIX

SET, HELP, OUT = "set", ("help", "?"), "out"


class Takes(StrEnum):
    """What stands behind a word."""

    NOTHING = ""
    SEAT = "SEAT"
    NAME = "NAME"
    NUMBER = "NUMBER"


class Group(NamedTuple):
    """Words of one kind, under a *title*; each *means* a button, or the beginning of one's name."""

    title: str
    means: Mapping[str, str]
    takes: Takes = Takes.NOTHING
    example: str = ""


_OTHER_FORMS = tuple(kind for kind in FORMS if kind not in PUT_RIGHT)

GROUPS: tuple[Group, ...] = (
    Group("Presses", {kind.value: kind.value for kind in PLAIN_BUTTONS}),
    Group("Colours", {colour.value: f"colour:{colour.value}" for colour in COLOURS}),
    Group("What a challenge found", {word: f"finds:{word}" for word in ("guilty", "innocent")}),
    Group(
        "With a seat's number",
        {
            **{kind.value.partition(":")[0]: kind.value.partition(":")[0] + ":" for kind in BUTTONS_WITH_SEAT},
            OUT: "seat:",
        },
        Takes.SEAT,
        "uno 2",
    ),
    Group("To put right, one step after the other", {kind: f"form:{kind}" for kind in PUT_RIGHT}, example="count"),
    Group("Which way", {way: f"direction:{way}" for way in ("clockwise", "anticlockwise")}),
    Group("More, step by step", {kind: f"form:{kind}" for kind in _OTHER_FORMS}),
    Group("With a name", {"join": JOIN_PREFIX}, Takes.NAME, "join Eve"),
    Group("A match that is not finished goes on", {"take-up": TAKE_UP_PREFIX}, Takes.NUMBER, "take-up 3"),
    Group("To end, or to play with others", {"quit": "quit", "who-plays": "who-plays"}),
)
"""Everything that can be typed, beside a card's code and a number."""


def button_of(line: str) -> str | None:
    """The button that a typed line is; None if it is none. Seats are counted from 1, as people do."""
    words = line.lower().replace(":", " ").split()
    if len(words) > 1 and words[0] == SET:
        words = words[1:]  # "set count" is how a transcript says it
    if not words:
        return None
    if len(words) == 2 and words[0] in ("colour", "finds"):
        words = words[1:]
    for group in GROUPS:
        meant = group.means.get(words[0])
        if meant is None:
            continue
        if group.takes is Takes.NOTHING and len(words) == 1:
            return meant
        if group.takes is Takes.SEAT and len(words) == 2 and words[1].isascii() and words[1].isdigit():
            return f"{meant}{int(words[1]) - 1}"
        if group.takes is Takes.NUMBER and len(words) == 2 and words[1].isascii() and words[1].isdigit():
            return f"{meant}{int(words[1])}"
        if group.takes is Takes.NAME and len(words) > 1:
            return meant + line.strip()[len(words[0]) :].strip(" :")
    return None


def word_of(button: str) -> str | None:
    """How *button* is typed; None if it is not typed as a word."""
    for group in GROUPS:
        for word, meant in group.means.items():
            if group.takes is Takes.NOTHING and meant == button:
                return word
            if group.takes is not Takes.NOTHING and button.startswith(meant):
                behind = button.removeprefix(meant)
                return f"{word} {int(behind) + 1 if group.takes is Takes.SEAT else behind}"
    return None


def help_text() -> str:
    """All that can be typed."""
    lines = [
        "A card by its code: r5, gs (green Skip), br (blue Reverse), y+2, w, w+4. A number, where one is asked for."
    ]
    lines += [_group_line(group) for group in GROUPS]
    lines.append(
        f"Seats count from 1; a player's name does as well. {HELP[0]} says this again, {SET} what can be put right."
    )
    return "\n".join(lines)


def _group_line(group: Group) -> str:
    words = ", ".join(f"{word} {group.takes}".strip() for word in group.means)
    example = f" (such as: {group.example})" if group.example else ""
    return f"{group.title}{example}: {words}."


def set_text() -> str:
    """What can be put right, with an example."""
    kinds = ", ".join(PUT_RIGHT)
    return f"What can be put right: {kinds}. For example: count, then seat 2, then 5 says that seat 2 holds 5 cards."


def local_answer(line: str) -> str | None:
    """What the terminal itself answers; None of a line that is the table's."""
    word = line.strip().lower()
    if word in HELP:
        return help_text()
    if word == SET:
        return set_text()
    if button_of(word) is not None:
        return None
    wanting = next((group for group in GROUPS if word in group.means and group.takes is Takes.SEAT), None)
    return None if wanting is None else f"{word} wants a seat's number behind it, such as: {word} 2"
