"""What can be pressed now: the controls, the picker and the answers of a question, from where the table stands.

Chosen from what the core waits for; nothing is allowed or refused here, and nothing is drawn.
"""

from __future__ import annotations

from table_app.play.form_steps import FORMS
from table_app.play.hands_tapped import shown_seat
from table_app.play.modes import Mode, mode_of
from table_app.play.planning import drawing_seat
from table_app.play.state import DrawnQuestion, LabelQuestion, MenuPage, TableState
from table_app.rules import COLOURS, Match, Phase, public_waits
from table_app.rules.legality import stacked_on
from table_app.rules.messages import Translate, _
from table_app.rules.state import DiscardQuestion, ShowQuestion
from table_app.view.cards import card_view, colour_key
from table_app.view.forms import (
    colour_control,
    digit_keys,
    form_control,
    form_question,
    menu_controls,
    pause_controls,
    rules_control,
)
from table_app.view.older import older_control, older_controls
from table_app.view.table_view import WILDS, Control, Picker, Question

CARD_SITUATIONS = frozenset(
    {
        Mode.FIRST_CARD,
        Mode.TURN,
        Mode.DRAWN,
        Mode.OWES,
        Mode.CHALLENGE,
        Mode.SHOW,
        Mode.LAST_DEBTS,
        Mode.COUNT,
        Mode.DISCARD,
        Mode.HIGH,
        Mode.DEAL_SEEN,
        Mode.CHOOSE_CARD,
    }
)
"""Where a card may be picked by hand: wherever one may be tapped to some purpose."""


LAID = (
    Mode.FIRST_CARD,
    Mode.TURN,
    Mode.DRAWN,
    Mode.OWES,
    Mode.CHALLENGE,
    Mode.LAST_DEBTS,
)
"""Where a card that is named is laid."""

PICKED_NEXT = frozenset(
    {
        Mode.FIRST_CARD,
        Mode.TURN,
        Mode.DRAWN,
        Mode.DISCARD,
        Mode.HIGH,
        Mode.DEAL_SEEN,
        Mode.CHOOSE_CARD,
    }
)
"""Where a card is what comes next, and not a number, a button or somebody's word."""


READERS = frozenset({"reader", "pad"})
"""Names under which a reader of laid cards is told as lost: one that was not there at the start, or is gone."""


def can_tap(state: TableState) -> bool:
    """Whether a card can be tapped now."""
    return state.options.has_reader and not any(device in READERS for device, _reason in state.lost)


# -- cards -----------------------------------------------------------------------------------------------------


def picker(state: TableState, translate: Translate) -> Picker | None:
    """Cards to be named by hand, where a card has something to do."""
    setup = state.match.setup
    if mode_of(state) not in CARD_SITUATIONS:
        return None
    cards = tuple(card_view(setup, face, translate) for face in setup.deck.kinds)
    lit = frozenset(face.code for face in stacked_on(state.match)) if state.form is None else frozenset()
    is_next = _is_picked_next(state, mode_of(state), is_stackable=bool(lit))
    control = Control("pick", translate(_("Pick a card")), "pick", key="p", emphasis=is_next)
    words = translate(_("Which card is it?")), cards, translate(_("Back")), translate(_("Wild"))
    keys = tuple((colour_key(colour, translate), colour.value) for colour in COLOURS)
    in_force = state.match.colour.value if state.match.colour is not None else ""
    return Picker(
        control,
        *words,
        lit=lit,
        stays=not can_tap(state),
        purpose=_purpose(mode_of(state)),
        first=_lit_group(lit) or in_force,
        keys=(*keys, ("w", WILDS)),
    )


def _purpose(found: Mode) -> str:
    """What cards are named for: while it is the same a picker may stay open."""
    if found in LAID:
        return "lay"
    return "show" if found in (Mode.SHOW, Mode.COUNT) else found.value


def _lit_group(lit: frozenset[str]) -> str:
    """The group in which all that is lit stands; empty where it stands in several."""
    return WILDS if lit == {"w+4"} else ""


def _is_picked_next(state: TableState, found: Mode, *, is_stackable: bool) -> bool:
    """Whether naming a card on the screen is what comes next: there is nothing to tap on, and no other thing to do."""
    if can_tap(state) or state.question is not None:
        return False
    if found in (Mode.OWES, Mode.CHALLENGE):
        return is_stackable
    return found in PICKED_NEXT


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
    if isinstance(asked, LabelQuestion):
        # It may be a card that was drawn, or one of a hand that is shown: its face is nobody's business.
        text = translate(
            _("The list has a tag for every card like this one, and this is none of them. Is it a new one?")
        )
        yes = Control("yes", translate(_("Yes")), "yes", emphasis=True, key="y")
        return Question(text, (yes, Control("no", translate(_("No")), "no", key="n")))
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
    found = mode_of(state)
    words = {word for _player, word in public_waits(match)}
    if found is Mode.OVER:
        again = Control("again", translate(_("Another match")), "play", emphasis=True, key="return")
        return [again, *(form_control(kind, translate) for kind in ("holds", "give") if _offers(state, kind))]
    if found is Mode.HIGH:
        return []
    if found in (Mode.DEAL, Mode.DEAL_SEEN):
        label = translate(_("Dealt: {count} each")).format(count=state.cards_each)
        dealt = Control("deal", label, "pile", emphasis=found is Mode.DEAL, key="return")
        if state.dealing or state.menu is not MenuPage.CLOSED:
            return [dealt]
        wanted = "join" if match.round_number else "dealer"
        return [dealt, form_control(wanted, translate)] if FORMS[wanted].fits(match) else [dealt]
    if found is Mode.COLOUR:
        return [colour_control(colour.value, translate) for colour in COLOURS]
    if found in (Mode.SHOW, Mode.COUNT):
        return _for_showing(state, translate)
    if found in (Mode.DARE, Mode.CHARADE, Mode.DISCARD):
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
    if found is Mode.LAST_DEBTS:
        controls_found += [form_control(kind, translate) for kind in ("holds", "give") if _offers(state, kind)]
    return controls_found


def _draw(match: Match, translate: Translate) -> Control:
    seat = drawing_seat(match)
    owed = match.owes[seat] if seat is not None else 0
    if not owed or seat is None:
        return Control("draw", translate(_("Draw")), "draw", key="d")
    drew = _("{player} drew the card") if owed == 1 else _("{player} drew all {count}")
    label = translate(drew).format(player=match.names[seat], count=owed)
    return Control("draw", label, "draw", emphasis=True, key="d")


def _reshuffle(translate: Translate, *, emphasis: bool = False) -> Control:
    return Control("reshuffle", translate(_("Shuffled")), "reshuffle", emphasis=emphasis, key="s")


def _for_showing(state: TableState, translate: Translate) -> list[Control]:
    match = state.match
    found = []
    seat = shown_seat(state)
    shown = len(state.showing.cards)
    if seat is not None and shown:
        found.append(Control("yes", translate(_("That is all")), "yes", emphasis=True, key="y", other_key="return"))
    is_typed = types_points(state) and not shown
    if is_typed:
        found += digit_keys()
    offered = ("holds", "give") if is_typed else ("points", "holds", "give")
    found += [form_control(kind, translate) for kind in offered if _offers(state, kind)]
    if isinstance(match.question, ShowQuestion):
        found.append(Control("finds:guilty", translate(_("Guilty")), "yes", key="g"))
        found.append(Control("finds:innocent", translate(_("Innocent")), "no", key="i"))
    return found


def types_points(state: TableState) -> bool:
    """Whether the points left in a hand are what is most likely typed next: there is no reader, or only the score."""
    match = state.match
    return match.phase is Phase.OUT and FORMS["points"].fits(match) and not (can_tap(state) and match.setup.refereed)


def shortcuts(state: TableState) -> tuple[Control, ...]:
    """What a keyboard has beside the controls: digits, where points may be typed."""
    is_count = state.form is None and mode_of(state) is Mode.COUNT
    return digit_keys() if is_count and _offers(state, "points") else ()


def _offers(state: TableState, kind: str) -> bool:
    """Typing points anywhere in the count; what corrects the last card only while nothing has been counted."""
    match = state.match
    if kind in ("holds", "give") and (state.last_play is None or any(points is not None for points in match.counted)):
        return False
    return FORMS[kind].fits(match)


def _for_special(match: Match, found: Mode, translate: Translate) -> list[Control]:
    if found is Mode.DARE:
        return [
            Control("yes", translate(_("Done")), "yes", emphasis=True, key="y"),
            Control("no", translate(_("Not done")), "no", key="n"),
        ]
    if found is Mode.CHARADE:
        return [Control("no", translate(_("Nobody guessed")), "no", key="n")]
    assert isinstance(match.question, DiscardQuestion)
    return [Control("yes", translate(_("That is all")), "yes", emphasis=True, key="y")]
