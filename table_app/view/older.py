"""The matches that were put aside, as a screen with a button for each; nothing is looked up here, and nothing drawn."""

from __future__ import annotations

from table_app.play.modes import SPECIAL_WITH_OLDER, TAKE_UP_PREFIX, mode_of
from table_app.play.presses import OLDER_SHOWN
from table_app.play.state import MenuPage, OlderMatch, TableState
from table_app.rules.messages import Translate, _
from table_app.view.table_view import Control, StartScreen


def _shown(state: TableState) -> tuple[OlderMatch, ...]:
    return state.older[state.older_from : state.older_from + OLDER_SHOWN]


def _moment(older: OlderMatch) -> str:
    """Day and time as the journal has them: short enough for a button, the same in every language."""
    return older.began_at[:16].replace("T", " ")


def older_screen(state: TableState, translate: Translate) -> StartScreen:
    """Each match in a line: its number, as typed on a terminal, when it began, its round, and who stands where."""
    line = translate(_("Match {match}, {moment}: round {number}; {scores}"))
    lines = []
    for older in _shown(state):
        scores = ", ".join(f"{name} {score}" for name, score in zip(older.names, older.scores, strict=True))
        places = {"match": older.number, "moment": _moment(older), "number": older.round_number, "scores": scores}
        lines.append(line.format(**places))
    return StartScreen(translate(_("Which match goes on?")), "", tuple(lines))


def older_controls(state: TableState, translate: Translate) -> tuple[Control, ...]:
    """A button for each match, then the next page, and the way back."""
    found = [
        Control(f"{TAKE_UP_PREFIX}{older.number}", _moment(older), "play", key=str(place))
        for place, older in enumerate(_shown(state), 1)
    ]
    if len(state.older) > OLDER_SHOWN:
        found.append(Control("older-next", translate(_("Next page")), "forward", key="right"))
    found.append(Control("older", translate(_("Back")), "back", key="escape"))
    return tuple(found)


def older_control(state: TableState, translate: Translate) -> list[Control]:
    """The button that shows them, where there may be any and another match may go on now."""
    if not state.may_have_older or state.menu is MenuPage.OLDER or mode_of(state) not in SPECIAL_WITH_OLDER:
        return []
    return [Control("older", translate(_("Other matches")), "seat", key="l")]
