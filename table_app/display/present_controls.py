"""What can be pressed now: the controls, the picker and the answers of a question, from where the table stands.

Chosen from what the core waits for; nothing is allowed or refused here, and nothing is drawn.
"""

from __future__ import annotations

from table_app.display.present_cards import card_view
from table_app.display.present_forms import (
    colour_control,
    form_control,
    form_question,
    menu_controls,
    pause_controls,
    rules_control,
)
from table_app.display.present_older import older_control, older_controls
from table_app.display.view import Control, Picker, Question
from table_app.rules import COLOURS, Match, Phase, public_waits
from table_app.rules.messages import Counted, Translate, _, in_number
from table_app.rules.state import DiscardQuestion, ShowQuestion
from table_app.table.form_steps import FORMS
from table_app.table.hands_tapped import cards_to_show, shown_seat
from table_app.table.planning import drawing_seat
from table_app.table.situations import Situation, situation
from table_app.table.state import DrawnQuestion, MenuPage, TableState

CARD_SITUATIONS = frozenset(
    {
        Situation.FIRST_CARD,
        Situation.TURN,
        Situation.DRAWN,
        Situation.OWES,
        Situation.CHALLENGE,
        Situation.SHOW,
        Situation.LAST_DEBTS,
        Situation.COUNT,
        Situation.DISCARD,
        Situation.HIGH,
        Situation.DEAL_SEEN,
        Situation.CHOOSE_CARD,
    }
)
"""Where a card may be picked by hand: wherever one may be tapped to some purpose."""


def _n(one: str, many: str) -> Counted:
    """Mark a message with a number for the catalogue, in both its forms."""
    return Counted(one, many)


# -- cards -----------------------------------------------------------------------------------------------------


def picker(state: TableState, translate: Translate) -> Picker | None:
    """Cards to be named by hand, where a card has something to do."""
    setup = state.match.setup
    if situation(state) not in CARD_SITUATIONS:
        return None
    cards = tuple(card_view(setup, face, translate) for face in setup.deck.kinds)
    control = Control("pick", translate(_("Pick a card")), "pick", key="p")
    return Picker(control, translate(_("Which card is it?")), cards, translate(_("Back")), translate(_("Wild")))


# -- questions of the table ------------------------------------------------------------------------------------


def question(state: TableState, translate: Translate) -> Question | None:
    """The table's own open question with its answers."""
    asked = state.question
    match = state.match
    if state.pause is not None:
        return None
    if state.form is not None:
        return form_question(state.form, match, translate)
    if asked is None:
        return None
    if isinstance(asked, DrawnQuestion):
        return _drawn_question(match, translate)
    text = translate(_("Who caught {player}? Touch the seat.")).format(player=match.names[asked.seat])
    return Question(text, (Control("no", translate(_("Nobody")), "no", key="n"),))


def _drawn_question(match: Match, translate: Translate) -> Question:
    """It does not name the card: if it was drawn, nobody else may know it."""
    text = translate(_("Was that card drawn, or laid? If somebody else laid it, touch the seat."))
    laid = Control("yes", translate(_("Laid")), "play", emphasis=True, key="y")
    return Question(text, (Control("draw", translate(_("Drawn")), "draw", emphasis=True, key="d"), laid))


# -- controls --------------------------------------------------------------------------------------------------


def controls(state: TableState, translate: Translate) -> tuple[Control, ...]:
    """What can be pressed now, the most wanted first."""
    match = state.match
    if state.menu is MenuPage.OLDER:
        return older_controls(state, translate)
    if state.pause is not None:
        return (*pause_controls(state, translate), *older_control(state, translate))
    if state.menu is MenuPage.RULES:
        back = translate(_("Back to the table"))
        return (Control("rules", back, "back", emphasis=True, key="escape", other_key="r"),)
    if state.form is not None:
        return ()  # the question itself has all that can be pressed
    found = _for_calls(match, translate) + _for_situation(state, translate)
    if match.refused_lay is not None:
        found.append(Control("allow", translate(_("Allow anyway")), "allow", key="a"))
    if match.before is not None or state.showing.cards or state.dealing:
        found.append(Control("undo", translate(_("Undo")), "undo", key="z"))
    if state.menu is MenuPage.CLOSED:
        if match.round_number == 0:
            found.append(rules_control(translate))
        if match.round_number == 0 or match.phase is Phase.OVER:
            found += older_control(state, translate)
    else:
        found += older_control(state, translate)
    found += menu_controls(state, translate)
    label = _("More") if state.menu is MenuPage.CLOSED else _("Less")
    found.append(Control("menu", translate(label), "menu", key="m"))
    return tuple(found)


def _for_calls(match: Match, translate: Translate) -> list[Control]:
    if match.phase is not Phase.PLAY:
        return []
    found = []
    window = match.window
    if window is not None:
        name = match.names[window.seat]
        label = translate(_("Uno! {player}")).format(player=name)
        found.append(Control(f"uno:{window.seat}", label, "uno", emphasis=True, key="u"))
        label = translate(_("Catch {player}")).format(player=name)
        found.append(Control(f"catch:{window.seat}", label, "catch", key="t"))
    elif match.turn is not None and match.hands[match.turn].size == 2 and not match.has_called_early:
        label = translate(_("Uno! {player}")).format(player=match.names[match.turn])
        found.append(Control(f"uno:{match.turn}", label, "uno", key="u"))
    for seat, fine in enumerate(match.fines):
        if fine:
            label = translate(_("{player} did call")).format(player=match.names[seat])
            found.append(Control(f"called:{seat}", label, "called", key="o"))
    return found


def _for_situation(state: TableState, translate: Translate) -> list[Control]:
    match = state.match
    found = situation(state)
    words = {word for _player, word in public_waits(match)}
    if found is Situation.OVER:
        again = Control("again", translate(_("Another match")), "play", emphasis=True, key="return")
        return [again, *(form_control(kind, translate) for kind in ("holds", "give") if _offers(state, kind))]
    if found is Situation.HIGH:
        return []
    if found in (Situation.DEAL, Situation.DEAL_SEEN):
        label = translate(_("Dealt: {count} each")).format(count=state.cards_each)
        dealt = Control("deal", label, "pile", emphasis=found is Situation.DEAL, key="return")
        if state.dealing or state.menu is not MenuPage.CLOSED:
            return [dealt]
        wanted = "join" if match.round_number else "dealer"
        return [dealt, form_control(wanted, translate)] if FORMS[wanted].fits(match) else [dealt]
    if found is Situation.COLOUR:
        return [colour_control(colour.value, translate) for colour in COLOURS]
    if found in (Situation.SHOW, Situation.COUNT):
        return _for_showing(state, translate)
    if found in (Situation.DARE, Situation.CHARADE, Situation.DISCARD):
        return _for_special(match, found, translate)
    controls_found = []
    if "challenge" in words:
        controls_found.append(Control("challenge", translate(_("Challenge")), "challenge", emphasis=True, key="c"))
    if "draw" in words:
        controls_found.append(_draw(match, translate))
    if "keep" in words:
        label = translate(_("Keep") if match.drawn is not None else _("Pass"))
        controls_found.append(Control("keep", label, "keep", key="k"))
    if "reshuffle" in words and (match.draw_pile == 0 or state.held is not None):
        controls_found.append(_reshuffle(translate, emphasis=True))
    if found is Situation.LAST_DEBTS:
        controls_found += [form_control(kind, translate) for kind in ("holds", "give") if _offers(state, kind)]
    return controls_found


def _draw(match: Match, translate: Translate) -> Control:
    seat = drawing_seat(match)
    owed = match.owes[seat] if seat is not None else 0
    if not owed or seat is None:
        return Control("draw", translate(_("Draw")), "draw", key="d")
    drew = _n("{player} drew {count}", "{player} drew all {count}")
    label = in_number(drew, owed, translate).format(player=match.names[seat], count=owed)
    return Control("draw", label, "draw", emphasis=True, key="d")


def _reshuffle(translate: Translate, *, emphasis: bool = False) -> Control:
    return Control("reshuffle", translate(_("Shuffled")), "reshuffle", emphasis=emphasis, key="s")


def _for_showing(state: TableState, translate: Translate) -> list[Control]:
    match = state.match
    found = []
    seat = shown_seat(state)
    needed = None if seat is None else cards_to_show(match, seat)
    if seat is not None and (needed is None or state.showing.cards):
        found.append(Control("yes", translate(_("That is all")), "yes", emphasis=True, key="y"))
    found += [form_control(kind, translate) for kind in ("points", "holds", "give") if _offers(state, kind)]
    if isinstance(match.question, ShowQuestion):
        found.append(Control("finds:guilty", translate(_("Guilty")), "yes", key="g"))
        found.append(Control("finds:innocent", translate(_("Innocent")), "no", key="i"))
    return found


def _offers(state: TableState, kind: str) -> bool:
    """Typing points anywhere in the count; what corrects the last card only while nothing has been counted."""
    match = state.match
    if kind in ("holds", "give") and (state.last_play is None or any(points is not None for points in match.counted)):
        return False
    return FORMS[kind].fits(match)


def _for_special(match: Match, found: Situation, translate: Translate) -> list[Control]:
    if found is Situation.DARE:
        return [
            Control("yes", translate(_("Done")), "yes", emphasis=True, key="y"),
            Control("no", translate(_("Not done")), "no", key="n"),
        ]
    if found is Situation.CHARADE:
        return [Control("no", translate(_("Nobody guessed")), "no", key="n")]
    assert isinstance(match.question, DiscardQuestion)
    return [Control("yes", translate(_("That is all")), "yes", emphasis=True, key="y")]
