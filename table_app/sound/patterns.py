"""What each cue sounds like on a buzzer: a name gives a pattern. Pure data; nothing sounds here.

Told apart by rhythm first, since an active buzzer has one pitch: accepted is one short, refused two, a missed
call a long alarm; a question is short and long, one that lapsed long and short. Pitches lie where small piezo
discs are loud (about 2 to 4 kHz) but for what is to sound low.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from hardware.ports import Pattern, Tone


class BuzzerCue(StrEnum):
    """What can be told by sound alone."""

    TICK = "tick"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    GUILTY = "guilty"
    MISSED_CALL = "missed-call"
    SEVERAL = "several"
    ASKED = "asked"
    LAPSED = "lapsed"
    LOST = "lost"
    ROUND_WON = "round-won"
    MATCH_WON = "match-won"


PATTERNS: Mapping[BuzzerCue, Pattern] = MappingProxyType(
    {
        # A card was sensed and nothing is decided yet: hardly more than a click.
        BuzzerCue.TICK: (Tone(2600, 15),),
        BuzzerCue.ACCEPTED: (Tone(2100, 90),),
        BuzzerCue.REFUSED: (Tone(420, 160, 90), Tone(420, 160)),
        BuzzerCue.GUILTY: (Tone(600, 420, 140), Tone(420, 420)),
        # Two tones that swing for over a second and a half: nobody takes it for anything else.
        BuzzerCue.MISSED_CALL: (*(Tone(2600, 200), Tone(1500, 200)) * 4,),
        BuzzerCue.SEVERAL: (Tone(900, 60, 50),) * 3,
        # A voice that rises at the end of its question, and one that falls when nobody has answered.
        BuzzerCue.ASKED: (Tone(1500, 70, 60), Tone(2600, 260)),
        BuzzerCue.LAPSED: (Tone(1500, 260, 60), Tone(900, 70)),
        BuzzerCue.LOST: (Tone(900, 180, 40), Tone(600, 180, 40), Tone(400, 300)),
        BuzzerCue.ROUND_WON: (Tone(1047, 110, 20), Tone(1319, 110, 20), Tone(1568, 220)),
        BuzzerCue.MATCH_WON: (
            Tone(1047, 130, 20),
            Tone(1319, 130, 20),
            Tone(1568, 130, 20),
            Tone(2093, 260, 60),
            Tone(1568, 130, 20),
            Tone(2093, 480),
        ),
    }
)
"""One pattern a cue."""


def pattern_for(cue: str) -> Pattern:
    """The pattern of the cue named *cue*.

    >>> [tone.on_ms for tone in pattern_for("refused")]
    [160, 160]

    :raises ValueError: for a name that is no cue's.
    """
    return PATTERNS[BuzzerCue(cue)]


def duration_ms(pattern: Pattern) -> int:
    """How long *pattern* takes with its silences.

    >>> duration_ms(pattern_for("accepted"))
    90
    """
    return sum(tone.on_ms + tone.off_ms for tone in pattern)
