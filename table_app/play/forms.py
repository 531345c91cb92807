"""Putting things right, step by step: what each signal means while a form is open, and what its last step does.

One function a meaning, as in `presses`; which steps a form has is data in `form_steps`. All that is put right is an
action in the record; nothing is changed behind its back, and nothing is allowed or refused here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from table_app.names import composed, name_trouble
from table_app.play.form_steps import FORMS, next_step
from table_app.play.hands_tapped import cards_to_show, shown_seat
from table_app.play.history import RoundPoints
from table_app.play.modes import Answer, Moment
from table_app.play.notices import refused, said
from table_app.play.planning import Plan, give_to, not_out, out
from table_app.play.state import Form, MenuPage
from table_app.rules import (
    Joins,
    Lay,
    Leaves,
    Match,
    NameColour,
    Phase,
    Points,
    Reshuffle,
    SetColour,
    SetDealer,
    SetDirection,
    SetHand,
    SetOwes,
    SetScore,
    SetTarget,
    SetTop,
    SetTurn,
    Shows,
    Undo,
)
from table_app.rules.messages import Sentence
from table_app.rules.ruling import Code
from table_app.rules.scoring import typed_bounds
from table_app.rules.state import ColourQuestion
from table_app.transcript.bad_line import BadLineError
from table_app.transcript.player_names import check_name

FORM_MS = 60_000
"""How long a form waits for its next step: time to look and to count, and then the game goes on without it."""

DIGITS_MAX = 5
"""No score at a card table has more; a cat on the keys makes no number that breaks the screen."""

NICKNAMES = ("Fox", "Owl", "Bear", "Otter", "Hare", "Wolf", "Lynx", "Toad", "Newt", "Stag", "Swan", "Mole")
"""Offered to whoever joins at a table without a keyboard."""


# -- opening and leaving ---------------------------------------------------------------------------------------


def begin(moment: Moment) -> Answer:
    """This is put right next, step by step."""
    state, kind = moment.state, moment.text
    if not FORMS[kind].fits(state.match) or (state.dealing and kind in ("dealer", "leave", "join")):
        return Answer(replace(state, form=None), notice=FORMS[kind].otherwise)
    form = Form(kind, moment.at_ms + FORM_MS)
    return Answer(replace(state, form=form, menu=MenuPage.CLOSED))


def begin_points(moment: Moment) -> Answer:
    """The points left in the hand are typed instead of shown; this is their first digit."""
    answer = begin(replace(moment, text="points"))
    if answer.state.form is None:
        return answer
    return digit(replace(moment, state=answer.state))


def leave(moment: Moment) -> Answer:
    """Nothing is put right after all."""
    return Answer(replace(moment.state, form=None), notice=said("Nothing was put right."))


def awaits_another(moment: Moment) -> Answer:
    """Nothing: something is being put right, and another step is awaited; No leaves it."""
    return Answer(moment.state, notice=refused("Something is being put right. Answer that first, or press No."))


# -- the steps -------------------------------------------------------------------------------------------------


def choose_seat(moment: Moment) -> Answer:
    """This seat is meant."""
    return _step(moment, seat=moment.seat)


def choose_card(moment: Moment) -> Answer:
    """This card lies on top; where it is the wild that does by the record, its colour stays."""
    match, form, card = moment.match, _form(moment), moment.card
    is_same = card is not None and card.face.is_wild and card.face is match.top and form.seat is None
    if form.kind == "resync" and is_same and match.colour is not None:
        return _step(moment, card=card, colour=match.colour)
    return _step(moment, card=card)


def choose_turn(moment: Moment) -> Answer:
    """It is this player's turn; the top card comes next, where both are said."""
    form = _form(moment)
    if form.kind != "resync":
        return awaits_another(moment)
    return _step(moment, seat=moment.seat)


def choose_last_round(moment: Moment) -> Answer:
    """The round played last is meant, and this seat of it; while a number is typed, nothing."""
    form, known = _form(moment), moment.state.round_points
    if next_step(form) != "round" or form.digits or not known:
        return awaits_another(moment)
    return _step(moment, round_number=known[-1].number, seat=moment.seat)


def direction(moment: Moment) -> Answer:
    """The turn goes this way."""
    return Answer(moment.state, (SetDirection(moment.is_clockwise),))


def choose_colour(moment: Moment) -> Answer:
    """This colour is in force."""
    return _step(moment, colour=moment.colour)


def choose_direction(moment: Moment) -> Answer:
    """This is the way the turn goes."""
    form = _form(moment)
    return _finish(moment, replace(form, clockwise=moment.is_clockwise))


def digit(moment: Moment) -> Answer:
    """The next digit of the number; Yes ends it."""
    form = _form(moment)
    digits = (form.digits + moment.text).lstrip("0") or "0"
    if len(digits) > DIGITS_MAX:
        # Begun anew, so that a Yes behind it does not take the first five for the whole.
        after = replace(moment.state, form=replace(form, digits="", until_ms=moment.at_ms + FORM_MS))
        return Answer(after, notice=refused("That number is too long; type it anew."))
    return Answer(replace(moment.state, form=replace(form, digits=digits, until_ms=moment.at_ms + FORM_MS)))


def digit_of_card(moment: Moment) -> Answer:
    """A number card is its digit; Yes ends the number. Where hands are shown or counted a card is none: it belongs to
    one of them."""
    card, state = moment.card, moment.state
    assert card is not None
    is_of_hand = _form(moment).kind in ("points", "holds") or bool(state.shown) or shown_seat(state) is not None
    if not card.face.is_number or is_of_hand:
        return awaits_another(moment)
    return digit(replace(moment, text=card.face.rank))


def digit_back(moment: Moment) -> Answer:
    """The last digit was not meant."""
    form = _form(moment)
    return Answer(replace(moment.state, form=replace(form, digits=form.digits[:-1])))


def number_typed(moment: Moment) -> Answer:
    """That is the whole number; with nothing typed, it is as the record has it."""
    form = _form(moment)
    if not form.digits:
        form = replace(form, digits=_as_recorded(moment, form))
    if not form.digits:
        return Answer(moment.state, notice=refused("Type the number first, then press Yes."))
    if next_step(form) == "round":
        known = [points.number for points in moment.state.round_points]
        if int(form.digits) not in known:
            after = replace(moment.state, form=replace(form, digits=""))
            return Answer(after, notice=refused("There is no such round with points."))
        return _step(moment, round_number=int(form.digits), digits="")
    return _finish(moment, form)


def _as_recorded(moment: Moment, form: Form) -> str:
    """The number that stands now, where this form puts a number right that stands; else nothing."""
    state, match = moment.state, moment.match
    if next_step(form) == "round":
        return str(state.round_points[-1].number) if state.round_points else ""
    if form.kind == "round-score":
        played = (points for points in state.round_points if points.number == form.round_number)
        return str(next(played).of(_name(moment, form)))
    standing = {"score": match.scores, "owes": match.owes, "count": [hand.size for hand in match.hands]}
    return str(standing[form.kind][_seat(form)]) if form.kind in standing else ""


def choose_name(moment: Moment) -> Answer:
    """A player of this name joins."""
    form, name = moment.state.form, composed(moment.text.strip())
    if moment.state.dealing:  # who sits where decides whose card is whose
        return Answer(moment.state, notice=FORMS["join"].otherwise)
    try:
        check_name(name, moment.match.names)
    except BadLineError as error:
        return Answer(moment.state, notice=refused("{}.", error.sentence))
    if name_trouble(name):
        return Answer(moment.state, notice=refused("{}", Sentence(name_trouble(name))))
    after = replace(moment.state, form=None) if form is not None else moment.state
    return Answer(after, (Joins(name),))


def tag_taken(moment: Moment) -> Answer:
    """Nothing: that tag is a card already."""
    return Answer(moment.state, notice=refused("That tag is a card already; lay a new one."))


def free_nicknames(match: Match) -> tuple[str, ...]:
    """The nicknames that nobody at the table has."""
    return tuple(name for name in NICKNAMES if name not in match.names)


def _form(moment: Moment) -> Form:
    form = moment.state.form
    assert form is not None
    return form


def _step(moment: Moment, **chosen: object) -> Answer:
    form = replace(_form(moment), until_ms=moment.at_ms + FORM_MS, **chosen)  # type: ignore[arg-type]  # fields of `Form` by name
    if next_step(form) is None:
        return _finish(moment, form)
    return Answer(replace(moment.state, form=form))


def _finish(moment: Moment, form: Form) -> Answer:
    closed = replace(moment, state=replace(moment.state, form=None))
    return FINISHES[form.kind](closed, form)


# -- what the last step does -----------------------------------------------------------------------------------


def _turn(moment: Moment, form: Form) -> Answer:
    return Answer(moment.state, (SetTurn(_name(moment, form)),))


def _colour(moment: Moment, form: Form) -> Answer:
    assert form.colour is not None
    return Answer(moment.state, (SetColour(form.colour),))


def _direction(moment: Moment, form: Form) -> Answer:
    assert form.clockwise is not None
    return Answer(moment.state, (SetDirection(form.clockwise),))


def _score(moment: Moment, form: Form) -> Answer:
    return Answer(moment.state, (SetScore(_name(moment, form), int(form.digits)),))


def _round_score(moment: Moment, form: Form) -> Answer:
    """The total is put right by the difference, and the list of rounds with it; partners have both in common."""
    state, name, points = moment.state, _name(moment, form), int(form.digits)
    number = form.round_number
    was = next(played for played in state.round_points if played.number == number)
    total = state.match.scores[_seat(form)] + points - was.of(name)
    if total < 0:
        return Answer(state, notice=refused("{} can't have fewer than 0 points.", name))
    partners = (moment.name(seat) for seat in state.match.setup.partners(_seat(form)))
    now = RoundPoints(was.number, tuple({**dict(was.points), **dict.fromkeys(partners, points)}.items()))
    return Answer(replace(state, correction=now), (SetScore(name, total),))


def _dealer(moment: Moment, form: Form) -> Answer:
    return Answer(moment.state, (SetDealer(_name(moment, form)),))


def _leave(moment: Moment, form: Form) -> Answer:
    return Answer(moment.state, (Leaves(_name(moment, form)),))


def _count(moment: Moment, form: Form) -> Answer:
    """The number of cards; a hand of which so many were shown already is judged at once. With none, who laid last is
    out."""
    plan, seat, count = Plan.of(moment), _seat(form), int(form.digits)
    if not count:
        return out(moment, seat)
    plan.add(SetHand(moment.name(seat), count))
    showing = moment.state.showing
    if showing.seat == seat == shown_seat(moment.state) and cards_to_show(plan.match, seat) == len(showing.cards):
        plan.add(Shows(moment.name(seat), showing.cards))
    return Answer(moment.state, tuple(plan.actions))


def _owes(moment: Moment, form: Form) -> Answer:
    return Answer(moment.state, (SetOwes(_name(moment, form), int(form.digits)),))


def _target(moment: Moment, form: Form) -> Answer:
    return Answer(moment.state, (SetTarget(int(form.digits)),))


def _top(moment: Moment, form: Form) -> Answer:
    plan = Plan.of(moment)
    _set_top(plan, form, moment.state.places.holder(form.card) if form.card is not None else None)
    return plan.all_or_none()


def _resync(moment: Moment, form: Form) -> Answer:
    """Turn, top card, colour: whatever was open lapses. A round that was over by the record goes on; a card that lies
    there unseen was laid by whose turn it was, if that leads to the turn that is said."""
    plan = Plan.of(moment)
    while plan.match.phase is not Phase.PLAY and plan.take(Undo()):
        pass
    assert form.card is not None
    turn = plan.match.turn if form.seat is None else form.seat
    if turn is None or plan.match.phase is not Phase.PLAY:
        return Answer(moment.state, notice=refused("That does not fit the record. Nothing was changed."))
    if plan.match.turn is not None and form.seat is not None and form.card.face is not plan.match.top:
        laid = Lay(moment.name(plan.match.turn), form.card, form.colour)
        after, ruling = moment.foresee(plan.match, laid)
        if ruling.is_ok and after.turn == turn and after.question is None and not after.is_owing():
            return Answer(moment.state, (*plan.actions, laid))
    name = moment.name(turn)
    plan.add(SetTurn(name))
    question = plan.match.question
    if isinstance(question, ColourQuestion):
        # No colour was ever named: the one chosen, or that of the card, is named first, and then put right.
        colour = form.colour or form.card.face.colour
        assert colour is not None
        plan.add(NameColour(plan.match.names[question.seat], colour))
        plan.add(SetTurn(name))
    _set_top(plan, form, moment.state.places.holder(form.card))
    return plan.all_or_none()


def _set_top(plan: Plan, form: Form, holder: int | None) -> None:
    """*holder* is who is known to hold this very card, by its tag."""
    assert form.card is not None
    if holder is None and plan.refuses(SetTop(form.card)) is Code.ALREADY_PLAYED:
        holder = next((seat for seat, hand in enumerate(plan.match.hands) if form.card.face in hand.known), None)
    if holder is not None:
        # It was in a hand that is known, and lies there now: it was laid, and nobody saw it.
        plan.take(SetHand(plan.match.names[holder], plan.match.hands[holder].size - 1))
    if plan.refuses(SetTop(form.card)) is Code.ALREADY_PLAYED:
        plan.take(Reshuffle())
    plan.add(SetTop(form.card))
    if form.colour is not None:
        plan.add(SetColour(form.colour))


def _holds(moment: Moment, form: Form) -> Answer:
    return not_out(moment, int(form.digits))


def _points(moment: Moment, form: Form) -> Answer:
    seat = shown_seat(moment.state)
    if seat is None:
        return Answer(moment.state, notice=refused("Nobody has a hand to show now."))
    name, points = moment.name(seat), int(form.digits)
    least, most = typed_bounds(moment.match, seat)
    if not least <= points <= most:
        notice = refused(
            "{} can't have {} points in the hand: from {} to {} are possible. Type them anew, or tap the cards.",
            name,
            points,
            least,
            most,
        )
        return Answer(moment.state, notice=notice)
    return Answer(moment.state, (Points(name, points),))


def _give(moment: Moment, form: Form) -> Answer:
    return give_to(moment, _seat(form))


def _tag(moment: Moment, form: Form) -> Answer:
    raise AssertionError("a tag is laid, and that is the last step")


def _join(moment: Moment, form: Form) -> Answer:
    raise AssertionError("who joins is chosen by name")


def _seat(form: Form) -> int:
    assert form.seat is not None
    return form.seat


def _name(moment: Moment, form: Form) -> str:
    return moment.name(_seat(form))


FINISHES: Mapping[str, Callable[[Moment, Form], Answer]] = MappingProxyType(
    {
        "resync": _resync,
        "count": _count,
        "owes": _owes,
        "target": _target,
        "turn": _turn,
        "colour": _colour,
        "direction": _direction,
        "dealer": _dealer,
        "top": _top,
        "score": _score,
        "round-score": _round_score,
        "tag": _tag,
        "leave": _leave,
        "join": _join,
        "give": _give,
        "points": _points,
        "holds": _holds,
    }
)
