"""What there is to hear and see of a ruling and of a state: sounds, headlines, lamps, and whether anything looks new.

Sounds and words as data; nothing is sounded, lit or shown here, and nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from table_app.play.cards_read import dealt_to
from table_app.play.form_steps import next_step
from table_app.play.hands_tapped import shown_seat
from table_app.play.history import TakenBack
from table_app.play.modes import Mode, mode_of
from table_app.play.notices import NoticeKind
from table_app.play.state import TableState
from table_app.play.taking_back import taking_back_text
from table_app.rules import (
    Action,
    Challenge,
    DealCards,
    Draw,
    Lay,
    Match,
    NameColour,
    Phase,
    Ruling,
    Shows,
    Undo,
    public_waits,
)
from table_app.rules.messages import Translate, _, untranslated
from table_app.rules.state import ProofQuestion, ShowQuestion
from table_app.rules.words import ruling_text
from table_app.sound import BuzzerCue
from table_app.transcript.notation import action_text

URGENCY = (
    BuzzerCue.TICK,
    BuzzerCue.ACCEPTED,
    BuzzerCue.ROUND_WON,
    BuzzerCue.MATCH_WON,
    BuzzerCue.LAPSED,
    BuzzerCue.ASKED,
    BuzzerCue.SEVERAL,
    BuzzerCue.LOST,
    BuzzerCue.REFUSED,
    BuzzerCue.GUILTY,
    BuzzerCue.MISSED_CALL,
)
"""From the least to the most urgent: of several at once only the last is heard."""

NOTICE_SOUNDS = {
    NoticeKind.SAID: BuzzerCue.TICK,
    NoticeKind.LAPSED: BuzzerCue.LAPSED,
    NoticeKind.REFUSED: BuzzerCue.REFUSED,
    NoticeKind.SEVERAL: BuzzerCue.SEVERAL,
    NoticeKind.TROUBLE: BuzzerCue.LOST,
}


@dataclass(frozen=True, slots=True)
class Alarm:
    """A missed call: who, and what it costs. It is written large until something else happens."""

    title: str
    detail: str


@dataclass(frozen=True, slots=True)
class Cues:
    """What a ruling sounds and looks like: the *sound*, the ruling in words as the *headline*, perhaps an *alarm*."""

    sound: BuzzerCue
    headline: str
    alarm: Alarm | None = None


def cues(match: Match, ruling: Ruling, taken: Sequence[TakenBack] = (), translate: Translate = untranslated) -> Cues:
    """The cues for *ruling*; *match* is the match after it, *taken* what its answer has taken back (for the words)."""
    if isinstance(ruling.action, Undo) and ruling.is_ok:
        headline = taking_back_text(taken, match, translate)
    else:
        headline = ruling_text(match, ruling, translate)
    return Cues(_sound(match, ruling), headline, _alarm(ruling, translate))


def _sound(match: Match, ruling: Ruling) -> BuzzerCue:
    words = {happening.word for happening in ruling.effects}
    if "uno-missed" in words:
        return BuzzerCue.MISSED_CALL
    if not ruling.is_ok:
        return BuzzerCue.REFUSED
    if "guilty" in words:
        return BuzzerCue.GUILTY
    if "match" in words:
        return BuzzerCue.MATCH_WON
    if "out" in words or "drawn-round" in words:
        return BuzzerCue.ROUND_WON
    if isinstance(match.question, ShowQuestion | ProofQuestion) and isinstance(ruling.action, _ASK_FOR_A_HAND):
        return BuzzerCue.ASKED
    return BuzzerCue.ACCEPTED


_ASK_FOR_A_HAND = (Challenge, Lay, NameColour)
"""After these a hand may have to be shown, which nobody hears of a card that was only accepted."""


def _alarm(ruling: Ruling, translate: Translate) -> Alarm | None:
    missed = [happening for happening in ruling.effects if happening.word == "uno-missed"]
    if not missed:
        return None
    names = ", ".join(str(happening.player) for happening in missed)
    title = translate(_("{player} did not call Uno!")).format(player=names)
    detail = translate(_("{player} must draw {value}.")).format(player=names, value=missed[-1].value)
    return Alarm(title, detail)


def state_sounds(before: TableState, after: TableState) -> tuple[BuzzerCue, ...]:
    """What is heard of a table that has become *after* without a ruling: who sees no screen hears that it asks.

    A question sounds when it is opened and when it is asked again; of something that is put right each step asks.
    What stands still or goes on, or is drawn for, was accepted.
    """
    if after.question is not None and after.question != before.question:
        return (BuzzerCue.ASKED,)
    if after.form is not None and (before.form is None or next_step(after.form) is not next_step(before.form)):
        return (BuzzerCue.ASKED,)
    if after.asked_again_ms != before.asked_again_ms:
        return (BuzzerCue.ASKED,)
    if after.pause is not before.pause or after.is_deal_drawn_for is not before.is_deal_drawn_for:
        return (BuzzerCue.ACCEPTED,)
    return ()


def most_urgent(sounds: Iterable[BuzzerCue]) -> BuzzerCue | None:
    """The one of *sounds* that is heard; None of none."""
    return max(sounds, key=URGENCY.index, default=None)


def public_action_text(action: Action) -> str:
    """The action's line as everybody may see it: cards of a hand are a number, never faces."""
    if isinstance(action, Shows):
        return f"{action.player}: shows {len(action.cards)}"
    if isinstance(action, DealCards):
        return f"table: deal {action.player} {len(action.cards)}"
    if isinstance(action, Draw) and action.cards:
        return f"{action.player}: draw {action.count}"
    return action_text(action)


NOBODYS = (Mode.DEAL, Mode.FIRST_CARD, Mode.SCORE_ALONE, Mode.OVER)
"""Where nobody in particular is waited for: the dealer's hands are, or whoever happens to be out."""

BESIDE = ("find", "points", "out")
"""What may be said instead of the act that is waited for, by somebody else too."""


def awaited_seats(state: TableState) -> frozenset[int]:
    """The seats that must act now: whose turn it is, or who owes, is asked, is dealt to or shows a hand."""
    match = state.match
    found = mode_of(state)
    if found is Mode.DEAL_SEEN:
        return frozenset({dealt_to(state)})
    if found in NOBODYS:
        return frozenset()
    if found in (Mode.SHOW, Mode.COUNT):
        seat = shown_seat(state)
        return frozenset() if seat is None else frozenset({seat})
    asked = [(name, word) for name, word in public_waits(match) if word not in BESIDE]
    seats = frozenset(match.seat_of(name) for name, _word in asked if name is not None)
    # Where only the table itself is asked, to shuffle, it is still somebody's turn.
    return seats or (frozenset() if match.turn is None else frozenset({match.turn}))


SEEN_FIELDS = (
    "question",
    "showing",
    "dealing",
    "form",
    "pause",
    "is_deal_drawn_for",
    "lost",
    "menu",
    "older_from",
    "alarm",
    "notice",
    "messages",
    "trouble",
)
"""What of a table's state can be seen, beside what its match and its last ruling say."""


def looks_new(before: TableState, after: TableState) -> bool:
    """Whether anything to be seen is another object; comparing whole matches would walk through all their pasts."""
    if after.pause is not None and after.on_pad is not before.on_pad:
        return True  # the screen of a table that stands still says what lies there
    return any(getattr(before, name) is not getattr(after, name) for name in SEEN_FIELDS)


def has_ended_round(before: Match, after: Match) -> bool:
    """True if the round under way came to its end; not where its deal was taken back."""
    ended = (Phase.BETWEEN, Phase.OVER)
    is_same_round = after.round_number == before.round_number
    return is_same_round and after.phase in ended and before.phase not in ended
