"""What is shown while something is put right or the table is paused, and behind *More*: questions, keys, buttons.

Chosen from what `form_steps` says a form still needs; nothing is decided here, and nothing is drawn.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.play.form_steps import AS_IT_STANDS, FORMS, PUT_RIGHT, Step, next_step, places, question_text
from table_app.play.forms import free_nicknames
from table_app.play.state import Form, MenuPage, Pause, TableState
from table_app.record.losses import day_text
from table_app.rules import COLOURS, Match, Phase, waits
from table_app.rules.messages import Translate, _
from table_app.view.cards import card_view, colour_key, colour_view
from table_app.view.table_view import Control, Question, StartScreen, Typing

NAMES_OFFERED = 6
"""As many as fit beside the other buttons in two rows of the smallest panel."""

FORM_SYMBOLS = {
    "resync": "allow",
    "count": "pile",
    "turn": "forward",
    "colour": "wild",
    "direction": "clockwise",
    "top": "pick",
    "owes": "draw",
    "target": "play",
    "score": "flag",
    "round-score": "flag",
    "tag": "reader",
    "dealer": "seat",
    "leave": "leave",
    "join": "seat",
    "give": "seat",
    "points": "flag",
    "holds": "no",
}


def form_question(form: Form, match: Match, translate: Translate) -> Question:
    """What the form asks, and what can be answered by pressing."""
    text = translate(question_text(form)).format(**places(form, match))
    step = next_step(form)
    if step in (Step.NUMBER, Step.ROUND):
        text = f"{text} {form.digits or '…'}"
        return Question(text, _number_keys(form, translate))
    leave = Control("no", translate(_("Back")), "back", key="escape")
    if step is Step.COLOUR:
        return Question(text, (*(colour_control(colour.value, translate) for colour in COLOURS), leave))
    if step is Step.DIRECTION:
        ways = (
            Control("direction:clockwise", translate(_("clockwise")), "clockwise", emphasis=True),
            Control("direction:anticlockwise", translate(_("anticlockwise")), "anticlockwise", emphasis=True),
        )
        return Question(text, (*ways, leave))
    if step is Step.NAME:
        names = free_nicknames(match)[:NAMES_OFFERED]
        return Question(text, (*(Control(f"join:{name}", name, "seat") for name in names), leave))
    return Question(text, (leave,))


def _number_keys(form: Form, translate: Translate) -> tuple[Control, ...]:
    back = Control("undo", translate(_("Delete")), "undo", enabled=bool(form.digits), key="backspace")
    is_ready = bool(form.digits) or form.kind in AS_IT_STANDS
    done = Control("yes", translate(_("That is it")), "yes", emphasis=True, enabled=is_ready, key="return")
    return (*digit_keys(), back, done, Control("no", translate(_("Back")), "back", key="escape"))


def digit_keys() -> tuple[Control, ...]:
    """The ten digits, as a keyboard has them."""
    return tuple(Control(f"digit:{digit}", digit, key=digit) for digit in "1234567890")


def colour_control(key: str, translate: Translate) -> Control:
    """A button in a card colour."""
    shown = colour_view(key, translate)
    letter = colour_key(next(known for known in COLOURS if known.value == key), translate)
    return Control(f"colour:{key}", shown.name, key, key, key=letter)


# -- standing still --------------------------------------------------------------------------------------------


def pause_screen(state: TableState, awaited: str, translate: Translate) -> StartScreen:
    """The screen of a table that stands still: after a power cut with the top card to compare.

    *awaited* is what the table waits for, where that is not a plain turn.
    """
    match = state.match
    card, turn = None, awaited
    if match.turn is not None and match.top is not None:
        card = card_view(match.setup, match.top, translate)
        turn = awaited or translate(_("It is {player} to play.")).format(player=match.names[match.turn])
    if state.pause is Pause.ASKED:
        return StartScreen(translate(_("Paused")), turn, (translate(_("No clock runs.")),), card)
    lines = [_kept_text(state, translate)]
    if card is not None:
        lines.insert(0, translate(_("Does this card lie on top: {card}?")).format(card=card.name))
    if state.on_pad:
        lines.append(translate(_("What lies on the reader now counts once you lift it and lay it again.")))
    return StartScreen(translate(_("Go on?")), turn, tuple(lines), card)


def _kept_text(state: TableState, translate: Translate) -> str:
    """What is known of whether anything was lost: that nothing is only where the record's mark vouched for it."""
    recorded = state.recorded
    if recorded.is_vouched_for:
        return translate(_("Nothing that was ruled is lost. A card on the pad or a button at the table goes on, too."))
    if not recorded.kept_to:
        return translate(_("What was ruled last may be lost: compare this with what lies on the table."))
    kept = translate(
        _("This match is kept up to {time} on {day}; what was ruled after that may be lost. Compare before you go on.")
    )
    return kept.format(time=recorded.kept_to[11:16], day=day_text(recorded.kept_to).words(translate))


def pause_controls(state: TableState, translate: Translate) -> tuple[Control, ...]:
    """Go on; and, where the table was without power, that another card lies on top."""
    go_on = Control("yes", translate(_("Go on")), "play", emphasis=True, key="return")
    if state.pause is Pause.ASKED:
        return (go_on, *_stop(state, translate))
    another = Control("no", translate(_("Another card")), "no", key="n")
    of_play = (another,) if state.match.phase is Phase.PLAY else ()
    return (go_on, *of_play, Control("again", translate(_("New match")), "pile"), *_stop(state, translate))


# -- the menu --------------------------------------------------------------------------------------------------


def menu_controls(state: TableState, translate: Translate) -> list[Control]:
    """The rarer buttons, which would only be in the way."""
    if state.menu is MenuPage.CLOSED:
        return []
    match = state.match
    if state.menu is MenuPage.PUT_RIGHT:
        return [form_control(kind, translate) for kind in PUT_RIGHT if FORMS[kind].fits(match)]
    found = []
    if any(FORMS[kind].fits(match) for kind in PUT_RIGHT):
        found.append(Control("put-right", translate(_("Put right")), "allow"))
    if FORMS["resync"].fits(match):
        found.append(form_control("resync", translate))  # the way out of any confusion is no further than this
    if (None, "reshuffle") in waits(match):
        found.append(Control("reshuffle", translate(_("Shuffled")), "reshuffle", key="s"))
    if match.phase is Phase.PLAY and max(match.owes) > 1:
        found.append(Control("draw-one", translate(_("Only one drawn")), "draw"))
    if match.high is None and "high" in {word for _name, word in waits(match)}:
        found.append(Control("high", translate(_("Draw for the deal")), "draw"))
    found += [form_control(kind, translate) for kind in ("dealer", "leave") if FORMS[kind].fits(match)]
    if FORMS["join"].fits(match):
        found.append(form_control("join", translate))
    elif match.phase is not Phase.OVER and not match.setup.teams and match.round_number:
        # Pressed all the same, it says what to do until then.
        found.append(Control("form:join", translate(_("Join later")), FORM_SYMBOLS["join"]))
    if match.phase is not Phase.OVER:
        if not match.last_round and match.setup.target is not None:
            found.append(Control("bell", translate(_("Last round")), "bell"))
        found.append(Control("pause", translate(_("Pause")), "keep"))
    found.append(rules_control(translate))
    if state.options.can_change_players:
        found.append(Control("who-plays", translate(_("Who plays")), "seat"))
    found += _stop(state, translate)
    return found


def rules_control(translate: Translate) -> Control:
    """The button that shows the rules in force."""
    return Control("rules", translate(_("Rules")), "book", key="r")


def form_control(kind: str, translate: Translate) -> Control:
    """The button that opens a form."""
    return Control(f"form:{kind}", translate(FORMS[kind].label), FORM_SYMBOLS[kind])


def _stop(state: TableState, translate: Translate) -> list[Control]:
    return [Control("quit", translate(_("Stop")), "power")] if state.options.can_stop else []


def name_typing(title: str, prefix: str, translate: Translate) -> Typing:
    """Keys for a name that is sent behind *prefix*."""
    return Typing(
        control=Control("own-name", translate(_("Another name")), "pick"),
        title=title,
        prefix=prefix,
        # The letters of a keyboard of the language, row by row.
        rows=tuple(translate(_("qwertyuiop asdfghjkl zxcvbnm'-")).split()),
        delete=translate(_("Delete")),
        done=translate(_("That is it")),
        back=translate(_("Back")),
    )


NAMES_MAX = 160
"""Ten names of sixteen letters, or nearly so."""


def names_typing(prefix: str, translate: Translate) -> Typing:
    """Keys for all names on one screen, with commas between them."""
    one = name_typing(translate(_("Who plays? All names, with commas between them")), prefix, translate)
    *rows, last = one.rows
    control = Control("all-names", translate(_("All names")), "pick")
    return replace(one, control=control, rows=(*rows, f"{last},"), letters_max=NAMES_MAX)
