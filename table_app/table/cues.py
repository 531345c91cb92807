"""From a ruling to what the table shows and sounds: pure, and nothing else decides what is heard.

Patterns of tones are in ``table_app.sound``, painting is in ``table_app.display``; no device is touched here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from table_app.rules import Action, Call, DealCards, Draw, Match, Ruling, Shows, Undo
from table_app.rules.ruling import Code
from table_app.rules.words import Translate, ruling_text, untranslated
from table_app.table.notices import Notice, NoticeKind
from table_app.table.taking_back import taking_back_text
from table_app.transcript.notation import action_text


def _(message: str) -> str:
    """Mark a message for the catalogue; it is translated where it is said."""
    return message


class Sound(StrEnum):
    """Names of sounds, from the least to the most urgent: of several at once only the last is heard."""

    TICK = "tick"
    NOTICE = "notice"
    ACCEPTED = "accepted"
    ROUND_OVER = "round-over"
    MATCH_OVER = "match-over"
    REFUSED = "refused"
    ALARM = "alarm"


_URGENCY = {sound: number for number, sound in enumerate(Sound)}


@dataclass(frozen=True, slots=True)
class Alarm:
    """A missed call: who, and what it costs. It is written large until something else happens."""

    title: str
    detail: str


@dataclass(frozen=True, slots=True)
class Cues:
    """What a ruling sounds and looks like: the *sound*, the ruling in words as the *headline*, perhaps an *alarm*."""

    sound: Sound
    headline: str
    alarm: Alarm | None = None


def cues(match: Match, ruling: Ruling, before: Match | None = None, translate: Translate = untranslated) -> Cues:
    """The cues for *ruling*; *match* is the match after it, *before* the one it was made on (for an undo's words)."""
    if isinstance(ruling.action, Undo) and ruling.is_ok and before is not None:
        headline = taking_back_text(before, match, translate)
    else:
        headline = ruling_text(match, ruling, translate)
    return Cues(_sound(ruling), headline, _alarm(ruling, translate))


def _sound(ruling: Ruling) -> Sound:
    words = {happening.word for happening in ruling.effects}
    if "uno-missed" in words:
        return Sound.ALARM
    if not ruling.is_ok:
        return Sound.NOTICE if ruling.code is Code.BAD_LINE else Sound.REFUSED
    if "match" in words:
        return Sound.MATCH_OVER
    if "out" in words or "drawn-round" in words:
        return Sound.ROUND_OVER
    if isinstance(ruling.action, Call) and not ruling.effects:
        return Sound.NOTICE
    return Sound.ACCEPTED


def _alarm(ruling: Ruling, translate: Translate) -> Alarm | None:
    missed = [happening for happening in ruling.effects if happening.word == "uno-missed"]
    if not missed:
        return None
    names = ", ".join(str(happening.player) for happening in missed)
    title = translate(_("{player} did not call Uno!")).format(player=names)
    detail = translate(_("{player} must draw {value}.")).format(player=names, value=missed[-1].value)
    return Alarm(title, detail)


def notice_sound(notice: Notice) -> Sound:
    """How a notice sounds: a quiet one, or like a refusal where a card did not count."""
    return Sound.NOTICE if notice.kind is NoticeKind.SAID else Sound.REFUSED


def most_urgent(sounds: Iterable[Sound]) -> Sound | None:
    """The one of *sounds* that is heard; None of none."""
    return max(sounds, key=_URGENCY.__getitem__, default=None)


def public_action_text(action: Action) -> str:
    """The action's line as everybody may see it: cards of a hand are a number, never faces."""
    if isinstance(action, Shows):
        return f"{action.player}: shows {len(action.cards)}"
    if isinstance(action, DealCards):
        return f"table: deal {action.player} {len(action.cards)}"
    if isinstance(action, Draw) and action.cards:
        return f"{action.player}: draw {action.count}"
    return action_text(action)
