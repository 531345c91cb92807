"""The screens of the first start: a question, and its answers as buttons. Words only; nothing is drawn."""

from __future__ import annotations

from table_app.display.view import Control, StartScreen, TableView
from table_app.rules.words import Translate, untranslated
from table_app.table.first_start import WAYS, Asked, FirstStart

CHOICES_SHOWN = 9
"""As many as fit in two rows beside *Back*."""

CHOOSE = "choose:"
BACK = "back"
SYMBOLS = {"counted": "reader", "tracked": "pick", "two-readers": "pile", "no-reader": "unplug", "score": "flag"}


def _(message: str) -> str:
    """Mark a message for the catalogue; it is translated where it is said."""
    return message


def present_first_start(asked: FirstStart, translate: Translate = untranslated) -> TableView:
    """What is asked now, and what can be pressed."""
    title, lead, lines = _words(asked, translate)
    if asked.problem:
        lines = (asked.problem, *lines)
    controls = [_control(asked, word, translate) for word in asked.choices()[:CHOICES_SHOWN]]
    if asked.asked is not Asked.HOW:
        controls.append(Control(BACK, translate(_("Back")), "back", key="escape"))
    return TableView(screen=StartScreen(title, lead, lines), controls=tuple(controls))


def _words(asked: FirstStart, translate: Translate) -> tuple[str, str, tuple[str, ...]]:
    if asked.asked is Asked.HOW:
        lines = tuple(f"{translate(way.label)}: {translate(way.meaning)}" for way in WAYS.values())
        return translate(_("Welcome to Last Card")), translate(_("How is this table set up?")), lines
    if asked.asked is Asked.PLAYERS:
        return translate(_("How many play?")), "", ()
    if asked.asked is Asked.NAME:
        title = translate(_("Who sits in seat {number}?")).format(number=len(asked.names) + 1)
        lead = translate(_("Seats go round the table, clockwise."))
        return title, lead, (", ".join(asked.names),) if asked.names else ()
    lead = f"{translate(WAYS[asked.way].label)}: {', '.join(asked.names)}"
    return translate(_("Ready")), lead, (translate(_("It can be changed in the settings file at any time.")),)


def _control(asked: FirstStart, word: str, translate: Translate) -> Control:
    if asked.asked is Asked.HOW:
        return Control(CHOOSE + word, translate(WAYS[word].label), SYMBOLS[word], emphasis=word == next(iter(WAYS)))
    if asked.asked is Asked.READY:
        return Control(CHOOSE + word, translate(_("Begin")), "play", emphasis=True, key="return")
    symbol = "seat" if asked.asked is Asked.NAME else ""
    return Control(CHOOSE + word, word, symbol, key=word if len(word) == 1 else "")
