"""What a typed line means where the table stands now, and what can be typed there; for a table on a terminal.

A number or a name is read by what is asked for. What words mean everywhere is in ``typed_words``; nothing is allowed or
refused here.
"""

from __future__ import annotations

from table_app.cli.typed_words import GROUPS, HELP, Takes, button_of, word_of
from table_app.display.view import TableView
from table_app.rules import COLOURS
from table_app.rules.messages import Translate, _, untranslated
from table_app.rules.words import colour_name
from table_app.table import TableState
from table_app.table.form_steps import FORMS, Step
from table_app.table.situations import TAKE_UP_PREFIX, Situation, situation
from table_app.table.state import MenuPage

NUMBER_WANTED = (Situation.CHOOSE_NUMBER, Situation.COUNT)
DIGIT = "digit:"


def presses_here(
    line: str, state: TableState, view: TableView, translate: Translate = untranslated
) -> list[str] | None:
    """The buttons that a line means by where the table stands; None where it means there what it means everywhere.

    *view* is what is shown at *state*, in the language of *translate*, in which colours may be named, too. An empty
    list is a number that nobody asked for.
    """
    word = line.strip()
    if word.isascii() and word.isdigit():
        return _number(word, state, view)
    colours = {colour_name(colour, translate).casefold(): colour.value for colour in COLOURS}
    if word.casefold() in colours:
        return [f"colour:{colours[word.casefold()]}"]
    words = line.split()
    seat = _seat_named(word, state)
    if seat is not None:
        return [_of_seat(seat, view)]
    if len(words) == 2 and _is_number_form(words[0].lower()) and words[1].isascii() and words[1].isdigit():
        return [f"form:{words[0].lower()}", *_digits(words[1])]
    if len(words) > 1:
        prefix = _seat_prefix(words[0].lower())
        seat = _seat_named(line.strip()[len(words[0]) :].strip(" :"), state)
        if prefix is not None and seat is not None:
            return [f"{prefix}{seat}"]
    return None


def _number(word: str, state: TableState, view: TableView) -> list[str]:
    """A number is that of a match, what is counted, or a seat's, whichever is asked for."""
    if state.menu is MenuPage.OLDER:
        return [f"{TAKE_UP_PREFIX}{int(word)}"]
    if situation(state) in NUMBER_WANTED and state.pause is None:
        return _digits(word)
    seat = int(word) - 1
    if any(one.is_choice for one in view.seats):
        return [_of_seat(seat, view)]
    return []


def _digits(word: str) -> list[str]:
    return [*(f"{DIGIT}{digit}" for digit in word), "yes"]


def _of_seat(seat: int, view: TableView) -> str:
    """The button that a seat is now: one of the answers to what is asked, or the seat's own."""
    if 0 <= seat < len(view.seats) and view.seats[seat].is_choice:
        return view.seats[seat].button
    return f"seat:{seat}"


def _seat_named(word: str, state: TableState) -> int | None:
    """Whose name this is; None of a word that has a meaning of its own."""
    if button_of(word) is not None:
        return None
    names = [name.casefold() for name in state.match.names]
    return names.index(word.casefold()) if word.casefold() in names else None


def _seat_prefix(word: str) -> str | None:
    return next((group.means[word] for group in GROUPS if group.takes is Takes.SEAT and word in group.means), None)


def _is_number_form(word: str) -> bool:
    return word in FORMS and tuple(FORMS[word].steps) == (Step.NUMBER,)


def words_here(view: TableView, translate: Translate) -> tuple[str, ...]:
    """What can be typed now, the most wanted first: an answer to what is asked, a card, a press."""
    found = [f"{number} ({seat.name})" for number, seat in enumerate(view.seats, 1) if seat.is_choice]
    answers = view.question.answers if view.question is not None else ()
    if any(control.button.startswith(DIGIT) for control in answers):
        found.append(translate(_("a number")))
        answers = tuple(control for control in answers if control.button == "no")
    if view.picker is not None:
        found.append(translate(_("a card by its code")))
    for control in (*answers, *view.controls):
        word = word_of(control.button)
        if word is not None:
            found.append(word)
    return tuple(dict.fromkeys((*found, HELP[0])))
