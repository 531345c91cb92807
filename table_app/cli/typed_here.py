"""What a typed line means where the table stands now, and what can be typed there; for a table on a terminal.

A number or a name is read by what is asked for. What words mean everywhere is in ``typed_words``; nothing is allowed or
refused here.
"""

from __future__ import annotations

import difflib

from table_app.called import HELP
from table_app.cli import SUGGESTED_FROM
from table_app.cli.typed_words import (
    GROUPS,
    SET,
    SYNONYMS,
    VERBS,
    Takes,
    button_of,
    card_words,
    colour_called,
    plain,
    word_of,
)
from table_app.play.form_steps import FORMS, Step
from table_app.play.modes import TAKE_UP_PREFIX, Mode, mode_of
from table_app.play.planning import drawing_seat
from table_app.play.state import MenuPage
from table_app.rules import COLOURS
from table_app.rules.messages import Translate, _, untranslated
from table_app.rules.words import colour_name
from table_app.table import TableState
from table_app.view.table_view import TableView

NUMBER_WANTED = (Mode.CHOOSE_NUMBER, Mode.COUNT)
DIGIT = "digit:"
IS_OUT = ("is out", "out")
DEEDS = ("uno", "draw", "draws")
"""What somebody does, in words that have another meaning, or none, without a name before them."""
WORD_LETTERS_MIN = 3
"""Shorter ones are codes, which are all alike."""
_LABELS = {"yes": _("Yes"), "no": _("No")}


def presses_here(
    line: str, state: TableState, view: TableView, translate: Translate = untranslated
) -> list[str] | None:
    """The buttons that a line means by where the table stands; None where it means there what it means everywhere.

    *view* is what is shown at *state*, in the language of *translate*, in which colours may be named, too. An empty
    list is a number that nobody asked for.
    """
    who, line = _speaker(line, state)
    word = line.strip()
    if word.isascii() and word.isdigit():
        return _number(word, state, view)
    if (own := _said_by(who, plain(word), view)) is not None:
        return own
    colours = {colour_name(colour, translate).casefold(): colour.value for colour in COLOURS}
    if word.casefold() in colours:
        return [f"colour:{colours[word.casefold()]}"]
    words = line.split()
    seat = _seat_named(word, state)
    if seat is not None:
        return [_of_seat(seat, view)]
    if (label := _labelled(plain(word), view)) is not None:
        return [label]
    if len(words) == 2 and words[0].lower() in ("draw", "draws") and words[1].isascii() and words[1].isdigit():
        return _drawn(int(words[1]), state)
    if len(words) == 2 and _is_number_form(words[0].lower()) and words[1].isascii() and words[1].isdigit():
        return [f"form:{words[0].lower()}", *_digits(words[1])]
    if len(words) > 1:
        prefix = _seat_prefix(VERBS.get(words[0].lower(), words[0].lower()))
        seat = _seat_named(line.strip()[len(words[0]) :].strip(" :"), state)
        if prefix is not None and seat is not None:
            return [f"{prefix}{seat}"]
    button = button_of(line) if who is not None else None
    return None if button is None else [button]


OF_THE_TURN = ("draw", "keep", "challenge")
"""Presses that are done by whoever the table waits for, whoever is named before them."""


def not_theirs(line: str, state: TableState, translate: Translate = untranslated) -> str | None:
    """What is said to *Ben: draw* where it is Ann who draws, keeps or challenges now; None of any other line."""
    who, said = _speaker(line, state)
    button, match = button_of(said.rstrip(" 0123456789")), state.match
    if who is None or button not in OF_THE_TURN:
        return None
    doing = drawing_seat(match) if button == "draw" else match.turn
    if button == "challenge":
        doing = match.wild_four.victim if match.wild_four is not None else None  # else the table says what is wrong
    if doing is None or doing == who:
        return None
    told = translate(_("{player} can't do that now; it is for {other} to do. Without a name it counts for {other}."))
    return told.format(player=match.names[who], other=match.names[doing])


def cards_here(line: str, state: TableState, translate: Translate = untranslated) -> list[str] | None:
    """The card that a line names in words, by its code, and behind a wild its colour as a button; None of no card."""
    _who, line = _speaker(line, state)
    typed, known = plain(line), card_words(state.match.setup.deck, translate)
    if typed in known:
        return [known[typed]]
    card, _blank, last = typed.rpartition(" ")
    colour = colour_called(last, translate) if card else None
    code = known.get(card, card)
    if colour is None or code not in {face.code for face in state.match.setup.deck.kinds if face.is_wild}:
        return None
    return [code, f"colour:{colour.value}"]


def no_answer_here(line: str, state: TableState, view: TableView, translate: Translate = untranslated) -> str | None:
    """What is said to yes or no where a challenge is open: its question reads as if that were the answer."""
    spoken = {plain(said): button for button in ("yes", "no") for said in (button, translate(_LABELS[button]))}
    button = spoken.get(plain(line))
    answers = view.question.answers if view.question is not None else ()
    controls = [control.button for control in (*answers, *view.controls)]
    if button is None or button in controls:
        return None
    if "finds:guilty" in controls:
        return translate(_("Yes and no are no verdict: type guilty if it was a bluff, innocent if not."))
    if mode_of(state) is Mode.CHALLENGE and state.pause is None:
        return translate(_("Yes and no are no answer to that: type challenge or draw."))
    return None


def nearest_here(typed: str, state: TableState, view: TableView) -> str | None:
    """The nearest word to one that nobody understands, among all that can be typed; None where none is near."""
    answers = view.question.answers if view.question is not None else ()
    known = {
        *(word for group in GROUPS for word in group.means),
        *(word for word in (*SYNONYMS, *VERBS, HELP[0], SET) if len(word) >= WORD_LETTERS_MIN),
        *(plain(control.label) for control in (*answers, *view.controls)),
        *(word for word in card_words(state.match.setup.deck) if _is_in_whole_words(word)),
    }
    names = {plain(name): name for name in state.match.names}
    first, _blank, rest = plain(typed).partition(" ")
    for word in (plain(typed), rest if first in names else first):
        near = difflib.get_close_matches(word, sorted(known | set(names)), n=1, cutoff=SUGGESTED_FROM)
        if len(word) >= WORD_LETTERS_MIN and near:
            return names.get(near[0], near[0])
    return None


def _is_in_whole_words(card: str) -> bool:
    """Whether *card* is a name such as green 2: short ones are like too much else."""
    first, *others = card.split()
    return len(first) >= WORD_LETTERS_MIN and all(len(word) >= WORD_LETTERS_MIN or word.isdigit() for word in others)


def _speaker(line: str, state: TableState) -> tuple[int | None, str]:
    """Who is said to do it, and what: *Ann: draw*, as in a transcript, or *Ben catches Ann*; None where nobody is."""
    for seat in sorted(range(len(state.match.names)), key=lambda seat: -len(state.match.names[seat])):
        name = state.match.names[seat].casefold()
        typed = line.strip()
        if not typed.casefold().startswith(name):
            continue
        rest = typed[len(name) :]
        if rest.startswith(":") or (rest.startswith(" ") and _is_deed(plain(rest))):
            return seat, rest.lstrip(": ")
    return None, line


def _is_deed(words: str) -> bool:
    """Whether these words say what somebody does."""
    first = words.partition(" ")[0]
    return first in VERBS or first in DEEDS or words in (*SYNONYMS, *IS_OUT) or button_of(words) is not None


def _said_by(who: int | None, word: str, view: TableView) -> list[str] | None:
    """A call: by who is said to call, else by the one who can call now; and who is said to be out."""
    if word in IS_OUT and who is not None:
        return [f"{_seat_prefix('out')}{who}"]
    if word not in ("uno", "call", "calls", "says uno"):
        return None
    if who is not None:
        return [f"uno:{who}"]
    calls = [control.button for control in view.controls if control.button.startswith("uno:")]
    return calls if len(calls) == 1 else None


def _labelled(word: str, view: TableView) -> str | None:
    """The button on which this stands now, whole or up to its colon; what is on the screen can be typed."""
    answers = view.question.answers if view.question is not None else ()
    for control in (*answers, *view.controls):
        label = control.label
        if control.enabled and word in (plain(label), plain(label.partition(":")[0])):
            return control.button
    return None


def _drawn(count: int, state: TableState) -> list[str] | None:
    """So many cards drawn: of what is owed, one press a card; None of more than that, which the table answers."""
    seat = drawing_seat(state.match)
    owed = state.match.owes[seat] if seat is not None else 0
    return ["draw"] * count if 1 <= count <= max(owed, 1) else None


def _number(word: str, state: TableState, view: TableView) -> list[str]:
    """A number is that of a match, what is counted, or a seat's, whichever is asked for."""
    if state.menu is MenuPage.OLDER:
        return [f"{TAKE_UP_PREFIX}{int(word)}"]
    if mode_of(state) in NUMBER_WANTED and state.pause is None:
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
    if any(control.button.startswith(DIGIT) for control in (*answers, *view.controls, *view.shortcuts)):
        found.append(translate(_("a number")))
    if any(control.button.startswith(DIGIT) for control in answers):
        answers = tuple(control for control in answers if control.button == "no")
    if view.picker is not None:
        found.append(translate(_("a card by its code")))
    for control in (*answers, *view.controls):
        word = word_of(control.button)
        if word is not None:
            found.append(word)
    return tuple(dict.fromkeys((*found, HELP[0])))
