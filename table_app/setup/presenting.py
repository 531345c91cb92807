"""The screens of the first start: a question, and its answers as buttons. Words only; nothing is drawn."""

from __future__ import annotations

from table_app.play.state import SEAT_COLOURS
from table_app.rules.messages import Translate, _, untranslated, words_of
from table_app.setup.steps import WAYS, Asked, FirstStart
from table_app.view.forms import name_typing, names_typing
from table_app.view.table_view import Control, StartScreen, TableView

CHOICES_SHOWN = 9
"""As many as fit in two rows beside *Back*."""

CHOOSE = "choose:"
BACK = "back"
SYMBOLS = {"counted": "reader", "tracked": "pick", "two-readers": "pile", "no-reader": "unplug", "score": "flag"}


COLOUR_WORDS = {
    "orange": _("orange"),
    "sky": _("sky blue"),
    "purple": _("purple"),
    "fern": _("fern green"),
    "amber": _("amber"),
    "pink": _("pink"),
    "teal": _("teal"),
    "sand": _("sand"),
    "indigo": _("indigo"),
    "lime": _("lime"),
}
"""The seats' colours in words."""


def present_first_start(asked: FirstStart, translate: Translate = untranslated, *, is_box: bool = False) -> TableView:
    """What is asked now, and what can be pressed; *is_box*: at a table that has a maintenance corner."""
    title, lead, lines = _words(asked, translate, is_box)
    if asked.problem or asked.said:
        lines = (words_of(asked.problem or asked.said, translate), *lines)
    if asked.trouble and asked.asked in (Asked.PLAYERS, Asked.BUTTON, Asked.READY):
        lines = (*lines, words_of(asked.trouble, translate))
    shown = len(SEAT_COLOURS) if asked.asked is Asked.COLOUR else CHOICES_SHOWN
    shown -= asked.asked is Asked.NAME  # beside them is the way to any other name
    controls = [_control(asked, word, translate) for word in asked.choices()[:shown]]
    if asked.is_again or not asked.is_at_start:
        controls.append(Control(BACK, translate(_("Back")), "back", key="escape"))
    typing = name_typing(title, CHOOSE, translate) if asked.asked is Asked.NAME else None
    if asked.asked is Asked.PLAYERS:
        typing = names_typing(CHOOSE, translate)
    return TableView(screen=StartScreen(title, lead, lines), controls=tuple(controls), typing=typing)


def _words(asked: FirstStart, translate: Translate, is_box: bool) -> tuple[str, str, tuple[str, ...]]:
    if asked.asked is Asked.HOW:
        lines = tuple(f"{translate(WAYS[way].label)}: {translate(WAYS[way].meaning)}" for way in asked.choices())
        if not asked.has_reader:
            lines = (translate(_("No card reader was found here.")), *lines)
        return translate(_("Welcome to Last Card")), translate(_("How is this table set up?")), lines
    if asked.asked is Asked.PLAYERS:
        return translate(_("How many play?")), translate(_("Or type all names, with commas between them.")), ()
    if asked.asked is Asked.NAME:
        title = translate(_("Who sits in seat {number}?")).format(number=len(asked.names) + 1)
        lead = translate(_("Seats go round the table, clockwise."))
        own = translate(_("Choose a nickname, or type a name of your own."))
        return title, lead, (own, ", ".join(asked.names)) if asked.names else (own,)
    if asked.asked is Asked.COLOUR:
        title = translate(_("Which colour has {player}?")).format(player=asked.names[-1])
        return title, translate(_("The first is the usual one; any other is one touch away.")), ()
    if asked.asked is Asked.BUTTON:
        title = translate(_("{player}: press your button or tap your tag now")).format(player=asked.names[-1])
        return title, translate(_("It says Uno for you, catches others, and says that a card was yours.")), ()
    lead = f"{translate(WAYS[asked.way].label)}: {', '.join(asked.names)}"
    if asked.is_again:
        return translate(_("Ready")), lead, (translate(_("Another match begins; the one so far stays in the record.")),)
    later = _("Who plays can be changed at any time: More, Who plays.")
    if is_box:
        later = _("Who plays can be changed later: hold the upper left corner for five seconds, Set up anew.")
    return translate(_("Ready")), lead, (translate(later),)


def _control(asked: FirstStart, word: str, translate: Translate) -> Control:
    if asked.asked is Asked.HOW:
        return Control(CHOOSE + word, translate(WAYS[word].label), SYMBOLS[word], emphasis=word == asked.choices()[0])
    if asked.asked is Asked.READY:
        return Control(CHOOSE + word, translate(_("Begin")), "play", emphasis=True, key="return")
    if asked.asked is Asked.COLOUR:
        is_usual = word == asked.choices()[0]
        return Control(
            CHOOSE + word,
            translate(COLOUR_WORDS[word]),
            emphasis=is_usual,
            key="return" if is_usual else "",
            person=SEAT_COLOURS.index(word),
        )
    if asked.asked is Asked.BUTTON:
        return Control(CHOOSE + word, translate(_("Go on without")), "forward", key="return")
    symbol = "seat" if asked.asked is Asked.NAME else ""
    return Control(CHOOSE + word, word, symbol, key=word if len(word) == 1 else "")
