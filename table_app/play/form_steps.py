"""What can be put right or entered in steps, as data: each form's steps, its title, and where it has a place.

What is done once the last step is taken stands in `forms`; how steps look on the screen in ``display``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from table_app.play.notices import Notice, refused
from table_app.play.state import Form
from table_app.rules import Match, Phase
from table_app.rules.messages import _


class Step(StrEnum):
    """What is chosen next."""

    SEAT = "seat"
    CARD = "card"
    COLOUR = "colour"
    DIRECTION = "direction"
    ROUND = "round"
    NUMBER = "number"
    NAME = "name"
    TAG = "tag"


class FormKind(NamedTuple):
    """One kind of form: its *label* on a button, what each step asks, and whether it has a place in a match.

    *otherwise* says when it has one, and what to do until then.
    """

    label: str
    steps: Mapping[Step, str]
    fits: Callable[[Match], bool]
    otherwise: Notice = refused("That can't be put right just now.")


def _in_play(match: Match) -> bool:
    return match.phase is Phase.PLAY


def _can_be_played(match: Match) -> bool:
    """Also where by the record somebody is out already: that is taken back."""
    return _in_play(match) or (_is_out(match) and match.round_number > 0)


def _in_hand(match: Match) -> bool:
    return _in_play(match) or _counts(match)


def _may_have_target(match: Match) -> bool:
    return match.setup.refereed and match.phase is not Phase.OUT


def _between(match: Match) -> bool:
    return match.phase is Phase.BETWEEN and (match.round_number > 0 or not match.setup.refereed)


def _may_leave(match: Match) -> bool:
    return not match.setup.teams and (_in_play(match) or _between(match))


def _may_join(match: Match) -> bool:
    return not match.setup.teams and _between(match)


def _may_name_dealer(match: Match) -> bool:
    return match.phase in (Phase.BETWEEN, Phase.DEALING) and match.setup.refereed


def _has_scores(match: Match) -> bool:
    return match.setup.target is not None and match.phase is not Phase.OVER


def _has_earlier_rounds(match: Match) -> bool:
    return _has_scores(match) and match.round_number > (0 if match.phase is Phase.BETWEEN else 1)


def _counts(match: Match) -> bool:
    return match.phase is Phase.OUT and match.out is not None and not match.is_owing()


def _has_last_card(match: Match) -> bool:
    return match.setup.refereed and match.phase in (Phase.PLAY, Phase.OUT, Phase.OVER)


def _is_out(match: Match) -> bool:
    """Also when the match is over with it: with no points to count it ends at once."""
    return match.phase in (Phase.OUT, Phase.OVER) and match.out is not None and match.setup.refereed


FORMS: Mapping[str, FormKind] = MappingProxyType(
    {
        "resync": FormKind(
            _("Top card, turn, colour"),
            {
                Step.CARD: _("Which card lies on top? Tap or pick it. If the turn is wrong, first touch whose it is."),
                Step.COLOUR: _("Which colour is in force?"),
            },
            _can_be_played,
        ),
        "count": FormKind(
            _("Number of cards"),
            {
                Step.SEAT: _("Whose number of cards is wrong? Touch the seat."),
                Step.NUMBER: _("How many cards does {player} hold?"),
            },
            _in_hand,
        ),
        "owes": FormKind(
            _("Cards to draw"),
            {
                Step.SEAT: _("Who has to draw another number of cards? Touch the seat."),
                Step.NUMBER: _("How many cards has {player} to draw?"),
            },
            _in_play,
        ),
        "turn": FormKind(_("Turn"), {Step.SEAT: _("Whose turn is it? Touch the seat.")}, _in_play),
        "colour": FormKind(_("Colour"), {Step.COLOUR: _("Which colour is in force?")}, _in_play),
        "direction": FormKind(_("Direction"), {Step.DIRECTION: _("Which way does the turn go?")}, _in_play),
        "top": FormKind(
            _("Top card"),
            {
                Step.CARD: _("Which card lies on top? Tap it or pick it."),
                Step.COLOUR: _("Which colour is in force?"),
            },
            _in_play,
        ),
        "score": FormKind(
            _("Score"),
            {
                Step.SEAT: _("Whose score is wrong? Touch the seat."),
                Step.NUMBER: _("How many points has {player} in all?"),
            },
            _has_scores,
        ),
        "target": FormKind(_("Target"), {Step.NUMBER: _("How many points is the match played to?")}, _may_have_target),
        "round-score": FormKind(
            _("Earlier round"),
            {
                Step.ROUND: _("Which round was it? 1 is the first. For the last one touch the seat."),
                Step.SEAT: _("Whose points of round {round} are wrong? Touch the seat."),
                Step.NUMBER: _("How many points did {player} make in round {round}?"),
            },
            _has_earlier_rounds,
        ),
        "tag": FormKind(
            _("New tag"),
            {
                Step.CARD: _("Which card has lost its tag? Pick it."),
                Step.TAG: _("Lay the new tag on the pad."),
            },
            lambda match: match.phase is not Phase.OVER,
        ),
        "dealer": FormKind(
            _("Name the dealer"),
            {Step.SEAT: _("Who deals? Touch the seat.")},
            _may_name_dealer,
            refused("The dealer is named before the first card lies, and not while cards are dealt one by one."),
        ),
        "leave": FormKind(
            _("Somebody leaves"),
            {Step.SEAT: _("Who leaves the match? The hand goes under the draw pile. Touch the seat.")},
            _may_leave,
            refused(
                "Players leave in a round or between rounds, not while cards are dealt or counted, and not in teams."
            ),
        ),
        "join": FormKind(
            _("Somebody joins"),
            {Step.NAME: _("Who joins? Choose a name.")},
            _may_join,
            refused(
                "Players join between rounds: play this round to its end, then choose it again before the next deal. "
                "In teams nobody joins."
            ),
        ),
        "give": FormKind(
            _("Another laid it"), {Step.SEAT: _("Who laid the last card? Touch the seat.")}, _has_last_card
        ),
        "points": FormKind(_("Type the points"), {Step.NUMBER: _("How many points are left in the hand?")}, _counts),
        "holds": FormKind(_("Not out yet"), {Step.NUMBER: _("How many cards does {player} still hold?")}, _is_out),
    }
)
"""All forms, in the order in which they are offered."""

PUT_RIGHT = (
    *("resync", "count", "turn", "colour", "direction", "top", "owes"),
    *("score", "round-score", "target", "tag"),
)
"""The forms behind *Put right*."""


AS_IT_STANDS = ("count", "owes", "score", "round-score")
"""The forms in which *Yes* with nothing typed means the number that stands in the record."""


def next_step(form: Form) -> Step | None:
    """The first step that is still to be taken; None if all are."""
    for step in FORMS[form.kind].steps:
        if not _is_taken(form, step):
            return step
    return None


def _is_taken(form: Form, step: Step) -> bool:
    if step is Step.SEAT:
        return form.seat is not None
    if step is Step.CARD:
        return form.card is not None
    if step is Step.COLOUR:
        # A coloured card says it by itself.
        return form.colour is not None or (form.card is not None and not form.card.face.is_wild)
    if step is Step.ROUND:
        return form.round_number is not None
    return False


def question_text(form: Form) -> str:
    """What the form asks now, with its places still to be filled by `places`."""
    step = next_step(form)
    assert step is not None
    return FORMS[form.kind].steps[step]


def places(form: Form, match: Match) -> dict[str, object]:
    """What stands in the places of `question_text`."""
    seat = form.seat if form.seat is not None else match.out
    return {"player": match.names[seat] if seat is not None else "", "round": form.round_number}
