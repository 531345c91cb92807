"""What can be typed at a table on a terminal: one list, by which lines are read and from which the help is made.

From words to the names of buttons and the codes of cards only; nothing is interpreted here, and no stream is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from table_app.called import HELP
from table_app.play.form_steps import FORMS, PUT_RIGHT
from table_app.play.modes import BUTTONS_WITH_SEAT, JOIN_PREFIX, PLAIN_BUTTONS, TAKE_UP_PREFIX
from table_app.rules import COLOURS, Colour, Deck, Face
from table_app.rules.messages import Counted, Translate, _, in_number, untranslated
from table_app.rules.words import colour_name, face_name

SET, OUT = "set", "out"


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


SYNONYMS: Mapping[str, str] = {
    **dict.fromkeys(("stop", "exit", "end"), "quit"),
    **dict.fromkeys(("pass", "passes", "keeps"), "keep"),
    **dict.fromkeys(("shuffle", "shuffled", "shuffles"), "reshuffle"),
    **dict.fromkeys(("dealt", "deals"), "deal"),
    **dict.fromkeys(("new match", "another match", "new"), "again"),
    **dict.fromkeys(("go on", "continue", "that is all", "that is it"), "yes"),
    **dict.fromkeys(("more", "less"), "menu"),
    "draws": "draw",
    "challenges": "challenge",
    "allow anyway": "allow",
    "last round": "bell",
    "back": "no",
    "who plays": "who-plays",
    "put right": "put-right",
}
"""Words that stand on the screen, in a ruling or on the tongue, beside those of the list."""
VERBS: Mapping[str, str] = {"catches": "catch", "calls": "uno", "call": "uno", "swaps": "swap"}
"""The same of words with a seat behind them."""


def plain(line: str) -> str:
    """*line* in small letters, its words with one blank between them, without the signs that people set after words.

    >>> plain(" Uno!  Ann ")
    'uno ann'
    """
    return " ".join(re.sub(r"[!?,;:]|[.](?=\s|$)", " ", line.casefold()).split())


def button_of(line: str) -> str | None:
    """The button that a typed line is; None if it is none. Seats are counted from 1, as people do."""
    words = plain(line).split()
    if (known := SYNONYMS.get(" ".join(words))) is not None:
        return known
    if len(words) > 1 and words[0] in VERBS:
        words[0] = VERBS[words[0]]
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


# -- cards in words ----------------------------------------------------------------------------------------------

SIGNS = {"s": "skip", "r": "reverse", "+2": "draw two"}
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@lru_cache(maxsize=8)
def card_words(deck: Deck, translate: Translate = untranslated) -> Mapping[str, str]:
    """What each card of *deck* may be called beside its code: its name, here and in English, turned round and short.

    >>> from table_app.rules.cards import CLASSIC
    >>> [card_words(CLASSIC)[word] for word in ("green 2", "2 green", "5r", "wild draw four", "+4")]
    ['g2', 'g2', 'r5', 'w+4', 'w+4']
    """
    found: dict[str, str] = {}
    for face, kind in deck.kinds.items():
        names = {face_name(face, speak, kind.title) for speak in (untranslated, translate)}
        for word in (*map(plain, names), *_short_words(face, translate)):
            found.setdefault(word, face.code)
    return found


def _short_words(face: Face, translate: Translate) -> list[str]:
    if face.colour is None:
        return {"w": ["wild"], "w+4": ["+4", "w4", "wild 4", "wild +4", "wild draw 4"]}.get(face.code, [])
    ranks = {face.rank, SIGNS.get(face.rank, face.rank), "draw 2" if face.rank == "+2" else face.rank}
    ranks |= {DIGITS[int(face.rank)]} if face.is_number and face.rank in "0123456789" else set()
    colours = {face.colour.value, colour_name(face.colour, translate).casefold(), face.colour.value[0]}
    pairs = [(colour, rank) for colour in colours for rank in ranks]
    return [word for colour, rank in pairs for word in (f"{colour} {rank}", f"{rank} {colour}", f"{rank}{colour}")]


def colour_called(word: str, translate: Translate = untranslated) -> Colour | None:
    """The colour of this name, whole or by its letter."""
    for colour in COLOURS:
        if word in (colour.value, colour_name(colour, translate).casefold(), colour.value[0]):
            return colour
    return None


def which_card(line: str, deck: Deck) -> str | None:
    """What is answered to a sign or a number without its colour; None of anything else."""
    word = plain(line)
    rank = next((rank for rank, sign in SIGNS.items() if word in (sign, rank if rank == "+2" else sign)), "")
    codes = [face.code for face in deck.kinds if rank and face.rank == rank and face.colour is not None]
    return f"Which one? Type its code: {', '.join(codes)}." if codes else None


# -- what is said ------------------------------------------------------------------------------------------------

TYPED_TEXTS: Mapping[str, str] = {
    _("Who is out? Touch or press the seat."): _("Who is out?"),
    _("Whose turn is it? Touch the seat."): _("Whose turn is it?"),
    _("Whose number of cards is wrong? Touch the seat."): _("Whose number of cards is wrong?"),
    _("Whose score is wrong? Touch the seat."): _("Whose score is wrong?"),
    _("Whose points of round {round} are wrong? Touch the seat."): _("Whose points of round {round} are wrong?"),
    _("Who deals? Touch the seat."): _("Who deals?"),
    _("Who leaves the match? The hand goes under the draw pile. Touch the seat."): _(
        "Who leaves the match? The hand goes under the draw pile."
    ),
    _("Who laid the last card? Touch the seat."): _("Who laid the last card?"),
    _("Who caught {player}? Touch the seat."): _("Who caught {player}?"),
    "Whose card is it? Touch the seat.": _("Whose card is it?"),
    _("Was that card drawn, or laid? If somebody else laid it, touch the seat."): _(
        "Was that card drawn, or laid? If somebody else laid it, type the name."
    ),
    "There is no card to give to {}: lay it first, then touch the seat.": _(
        "There is no card to give to {}: lay it first, then type the name."
    ),
    "By the record {} laid the card on top. If it is the last one of {}, touch the seat of {}; if not, take "
    "back with Undo what came after that one, or lay it now. Then enter 0 once more.": _(
        "By the record {} laid the card on top. If it is the last one of {}, type: give {}; if not, take back with "
        "undo what came after that one, or lay it now. Then enter 0 once more."
    ),
    _("Who has to draw another number of cards? Touch the seat."): _("Who has to draw another number of cards?"),
    _("Which round was it? 1 is the first. For the last one touch the seat."): _(
        "Which round was it? 1 is the first. For the last one type whose points they are."
    ),
    _("Turn the first card and pick it on the screen."): _("Turn the first card and type it, such as r5."),
    _("The reader is gone: deal the rest unseen, then press Dealt."): _(
        "The reader is gone: deal the rest unseen, then type deal."
    ),
    _("Which card lies on top? Tap it or pick it."): _("Which card lies on top? Tap it or type it."),
    _("Which card has lost its tag? Pick it."): _("Which card has lost its tag? Type it, such as r5."),
    _("{player}: pick the cards of the hand; {shown} so far."): _(
        "{player}: type the cards of the hand; {shown} so far."
    ),
    _("{player}: pick the cards of the hand, nobody else looks: {shown} of {needed}."): _(
        "{player}: type the cards of the hand, nobody else looks: {shown} of {needed}."
    ),
    _("{player}: type the points left in the hand, or pick the cards; {shown} so far."): _(
        "{player}: type the points left in the hand, or the cards; {shown} so far."
    ),
    _("{other} looks at the hand of {player} and presses Guilty or Innocent."): _(
        "{other} looks at the hand of {player}; type guilty if it was a bluff, innocent if not."
    ),
    _(
        "{player}: tap the hand, for the referee alone: {shown} of {needed}. "
        "Or {other} looks at it and presses Guilty or Innocent."
    ): _(
        "{player}: tap the hand, for the referee alone: {shown} of {needed}. "
        "Or {other} looks at it; type guilty if it was a bluff, innocent if not."
    ),
    _("Who joins? Choose a name."): _("Who joins? Type: join and the name."),
}
"""What the screen says of fingers and buttons, as a terminal says it: nobody touches a seat there."""


class AsTyped:
    """A translation in which everything is said as at a terminal; see `TYPED_TEXTS`."""

    def __init__(self, translate: Translate) -> None:
        self._translate = translate

    def __call__(self, message: str) -> str:
        return self._translate(TYPED_TEXTS.get(message, message))

    def plural(self, one: str, many: str, count: int) -> str:
        return in_number(Counted(one, many), count, self._translate)


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
        "A card by its code or its name: r5, red 5, gs, green Skip, br (blue Reverse), y+2, w, w+4.",
        "A wild with its colour at once: w green. A number, where one is asked for.",
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
    word = plain(line) or line.strip()
    if word in HELP:
        return help_text()
    if word == SET:
        return set_text()
    if button_of(word) is not None:
        return None
    if re.fullmatch(r"draws? \d+", word):
        return "Nobody owes so many cards now; draw draws one."
    wanting = next((group for group in GROUPS if word in group.means and group.takes is Takes.SEAT), None)
    return None if wanting is None else f"{word} wants a seat's number behind it, such as: {word} 2"
