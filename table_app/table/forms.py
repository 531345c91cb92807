"""Putting things right, step by step: what each signal means while a form is open, and what its last step does.

One function a meaning, as in `presses`; which steps a form has is data in `form_steps`. All that is put right is an
action in the record; nothing is changed behind its back, and nothing is allowed or refused here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from table_app.names import composed, name_trouble
from table_app.rules import (
    Joins,
    Leaves,
    Match,
    NameColour,
    Points,
    SetColour,
    SetDealer,
    SetDirection,
    SetHand,
    SetScore,
    SetTop,
    SetTurn,
    Shows,
)
from table_app.rules.messages import Sentence
from table_app.rules.ruling import Code
from table_app.rules.state import ColourQuestion
from table_app.table.deeds import RoundPoints
from table_app.table.form_steps import FORMS, next_step
from table_app.table.giving import give_to
from table_app.table.going_out import not_out, out
from table_app.table.hands_tapped import cards_to_show, shown_seat
from table_app.table.notices import refused, refused_counted, said
from table_app.table.planning import Plan, put_number_right, shuffle_early
from table_app.table.situations import Answer, Moment
from table_app.table.state import Form, MenuPage, TableState
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
    """This card lies on top."""
    return _step(moment, card=moment.card)


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
    """That is the whole number."""
    form = _form(moment)
    if not form.digits:
        return Answer(moment.state, notice=refused("Type the number first, then press Yes."))
    if next_step(form) == "round":
        known = [points.number for points in moment.state.round_points]
        if int(form.digits) not in known:
            after = replace(moment.state, form=replace(form, digits=""))
            return Answer(after, notice=refused("There is no such round with points."))
        return _step(moment, round_number=int(form.digits), digits="")
    return _finish(moment, form)


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
    put_number_right(plan, seat, count)
    showing = moment.state.showing
    if showing.seat == seat == shown_seat(moment.state) and cards_to_show(plan.match, seat) == len(showing.cards):
        plan.add(Shows(moment.name(seat), showing.cards))
    return Answer(moment.state, tuple(plan.actions))


def _top(moment: Moment, form: Form) -> Answer:
    plan = Plan.of(moment)
    _set_top(plan, form, moment.state.places.holder(form.card) if form.card is not None else None)
    return plan.all_or_none()


def _resync(moment: Moment, form: Form) -> Answer:
    """Turn, top card, colour: whatever was open lapses."""
    plan, name = Plan.of(moment), _name(moment, form)
    plan.add(SetTurn(name))
    question = plan.match.question
    assert form.card is not None
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
        shuffle_early(plan, is_certain=True)
    plan.add(SetTop(form.card))
    if form.colour is not None:
        plan.add(SetColour(form.colour))


def _holds(moment: Moment, form: Form) -> Answer:
    return not_out(moment, int(form.digits))


def _points(moment: Moment, form: Form) -> Answer:
    seat = shown_seat(moment.state)
    if seat is None:
        return Answer(moment.state, notice=refused("Nobody has a hand to show now."))
    name, points, most = moment.name(seat), int(form.digits), _most_points(moment.state, seat)
    if points > most:
        notice = refused("{} can't have {} points in the hand: {} at most. Type them anew.", name, points, most)
        if moment.match.setup.refereed and not moment.state.showing.is_free:
            size = moment.match.hands[seat].size
            notice = refused_counted(
                "{} can't have {} points with {} card: at most {}. Type anew, or touch the seat twice and tap all.",
                "{} can't have {} points with {} cards: at most {}. Type anew, or touch the seat twice and tap all.",
                size,
                name,
                points,
                size,
                most,
            )
        return Answer(moment.state, notice=notice)
    return Answer(moment.state, (Points(name, points),))


def _most_points(state: TableState, seat: int) -> int:
    """What the dearest cards of the deck come to: as many as the hand has, or all where that is not known."""
    kinds = state.match.setup.deck.kinds.values()
    dearest = sorted((kind.points for kind in kinds for _copy in range(kind.copies)), reverse=True)
    is_known = state.match.setup.refereed and not (state.showing.is_free and state.showing.seat == seat)
    return sum(dearest[: state.match.hands[seat].size] if is_known else dearest)


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
