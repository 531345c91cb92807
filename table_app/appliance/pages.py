"""What the box itself puts on the screen: the maintenance corner, the question of a table left alone, and its rest.

Words and where they stand, as ``TableView``; what is open and what a press does is decided in ``maintenance`` and
``idle``.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.machine import Keeping
from table_app.appliance.maintenance import ENTER, FORGET, ON_SETTINGS_PAGE, PREFIX, TURN, Choice, Maintenance, Page
from table_app.pin import LENGTH_MAX
from table_app.rules.messages import Translate, _, _n, in_number
from table_app.setup.adjusting import KNOBS, Adjusting
from table_app.view.table_view import Control, StartScreen, TableView, TextScreen

GO_ON = "kiosk:go-on"
ANOTHER = "kiosk:another"


LABELS = {
    Choice.RESTART_TABLE: _("Restart the table"),
    Choice.RESTART_MACHINE: _("Restart the machine"),
    Choice.SHUT_DOWN: _("Switch off"),
    Choice.SET_UP: _("Set up anew"),
    Choice.NETWORK: _("Network"),
    Choice.UPDATE: _("Update"),
    Choice.DOCTOR: _("Doctor"),
    Choice.SETTINGS: _("Settings"),
    Choice.ALL_SETTINGS: _("All settings"),
}
CONSEQUENCES = {
    Choice.RESTART_TABLE: _("The program starts anew; the match goes on where it stands."),
    Choice.RESTART_MACHINE: _("The machine starts anew, in about a minute; the match goes on where it stands."),
    Choice.SHUT_DOWN: _("The machine is switched off; the match goes on where it stands when it is switched on."),
    Choice.SET_UP: _("The table asks again who plays and how; a match under way goes on as it was begun."),
    Choice.UPDATE: _(
        "A newer lastcard_…_all.deb on the card's boot partition is installed, or one from the network. "
        "The table starts anew; the match goes on where it stands."
    ),
}


def maintenance_view(corner: Maintenance, adjusting: Adjusting, now_ms: int, translate: Translate) -> TableView:
    """The page of the corner that is open."""
    close = Control(f"{PREFIX}close", translate(_("Close")), symbol="no", key="escape")
    back = Control(f"{PREFIX}back", translate(_("Back")), key="left")
    if corner.page is Page.PIN:
        return _pin(corner, now_ms, translate, close)
    if corner.page is Page.CONFIRM and corner.asked is not None:
        yes = Control(f"{PREFIX}yes", translate(LABELS[corner.asked]), symbol="yes", emphasis=True, key="return")
        screen = StartScreen(translate(LABELS[corner.asked]) + "?", translate(CONSEQUENCES[corner.asked]))
        return TableView(screen=screen, controls=(yes, back, close))
    if corner.page is Page.TEXT:
        title, paragraphs = corner.text
        text = TextScreen(title, paragraphs, translate(_("Page")), translate(_("Previous")), translate(_("Next")))
        return TableView(screen=text, controls=(back, close))
    if corner.page is Page.SETTINGS:
        return _settings(adjusting, translate, back, close)
    choices = tuple(_choice(choice, translate) for choice in Choice if choice not in ON_SETTINGS_PAGE)
    screen = StartScreen(translate(_("Maintenance")), translate(_("For whoever looks after this table.")))
    return TableView(screen=screen, controls=(*choices, close))


def _choice(choice: Choice, translate: Translate) -> Control:
    return Control(f"{PREFIX}{choice}", translate(LABELS[choice]))


def _settings(adjusting: Adjusting, translate: Translate, back: Control, close: Control) -> TableView:
    """The knobs; what waits for a restart of the table offers one."""
    lead, paragraphs = _("Each press takes the next value. It is kept at once."), []
    if adjusting.is_restart_due:
        paragraphs.append(translate(_("Buzzer and language change when the table is restarted.")))
    if adjusting.problem:
        paragraphs.append(adjusting.problem)
    controls = [Control(f"{PREFIX}{TURN}{name}", adjusting.label(name, translate)) for name in KNOBS]
    if adjusting.is_restart_due:
        restart = _choice(Choice.RESTART_TABLE, translate)
        controls.append(Control(restart.button, restart.label, emphasis=True))
    controls += [_choice(Choice.SET_UP, translate), _choice(Choice.ALL_SETTINGS, translate)]
    if adjusting.has_chosen:
        controls.append(Control(f"{PREFIX}{TURN}{FORGET}", translate(_("As in the file"))))
    screen = StartScreen(translate(LABELS[Choice.SETTINGS]), translate(lead), tuple(paragraphs))
    return TableView(screen=screen, controls=(*controls, back, close))


def _pin(corner: Maintenance, now_ms: int, translate: Translate, close: Control) -> TableView:
    locked_s = -(-corner.locked_for_ms(now_ms) // 1_000)
    # As many dots whatever was typed: who looks over a shoulder shall not count them.
    lead = "● " * LENGTH_MAX if corner.typed else ""
    if corner.has_no_pin_yet:
        lead = translate(_("The PIN in the settings is too short. Set another with: sudo lastcard settings --pin"))
    if locked_s:
        wait = _n("Too many wrong tries. Wait {seconds} second.", "Too many wrong tries. Wait {seconds} seconds.")
        lead = in_number(wait, locked_s, translate).format(seconds=locked_s)
    digits = tuple(Control(f"{PREFIX}{digit}", digit, key=digit, enabled=not locked_s) for digit in "1234567890")
    erase = Control(f"{PREFIX}erase", translate(_("Erase")), key="backspace", enabled=not locked_s)
    is_typed = bool(corner.typed) and not locked_s
    enter = Control(f"{PREFIX}{ENTER}", translate(_("OK")), symbol="yes", key="return", enabled=is_typed)
    return TableView(screen=StartScreen(translate(_("PIN")), lead), controls=(*digits, erase, enter, close))


def asking_view(translate: Translate) -> TableView:
    """The table was left alone in the middle of a match."""
    screen = StartScreen(
        translate(_("Is anybody still playing?")),
        translate(_("Touch the screen or lay a card to go on. Otherwise the match is put aside.")),
    )
    return TableView(
        screen=screen, controls=(Control(GO_ON, translate(_("Go on")), symbol="yes", emphasis=True, key="return"),)
    )


def resting_view(notes: Sequence[str], translate: Translate) -> TableView:
    """The match was put aside. *notes* are what else there is to say, such as that it may be switched off."""
    screen = StartScreen(
        translate(_("The match is put aside")),
        translate(_("It goes on where it stopped, today or another day.")),
        tuple(notes),
    )
    return TableView(
        screen=screen,
        controls=(
            Control(GO_ON, translate(_("Go on")), symbol="yes", emphasis=True, key="return"),
            Control(ANOTHER, translate(_("Begin another match"))),
        ),
    )


def farewell_view(keeping: Keeping, trouble: str, is_coming_back: bool, translate: Translate) -> TableView:
    """The last thing shown before the program ends: whether all is saved, and whether to wait or to pull the plug.

    *trouble* is why something is not kept. Where nobody can tell what becomes of the record, nothing is claimed.
    """
    said = []
    if trouble:
        said.append(translate(_("Not everything is saved.")))
    elif keeping is Keeping.KEPT:
        said.append(translate(_("Everything is saved.")))
    elif keeping in (Keeping.LOST, Keeping.READ_ONLY):
        said.append(translate(_("Scores of this session are not kept.")))
    if is_coming_back:
        said.append(translate(_("The table is back in a moment.")))
    elif not trouble and keeping is Keeping.KEPT:
        said.append(translate(_("It is safe to switch off when the screen is dark and the green light rests.")))
    paragraphs = (trouble,) if trouble else ()
    return TableView(screen=StartScreen(translate(_("Goodbye")), " ".join(said), paragraphs))
