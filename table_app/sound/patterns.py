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

TOLD: Mapping[BuzzerCue, tuple[str, str]] = MappingProxyType(
    {
        BuzzerCue.TICK: ("a click", "A card or a tag was read. With nothing after it, nothing more is in the record."),
        BuzzerCue.ACCEPTED: ("one short", "It is in the record: laid, drawn, called, named, taken back."),
        BuzzerCue.REFUSED: ("two low", "It was refused; nothing has changed, but for what a fine of your rules costs."),
        BuzzerCue.GUILTY: (
            "two long and low",
            (
                "Guilty: who laid the Wild Draw Four held a card of the colour that was in force before it, and draws. "
                "After a challenge one short is innocent: the challenger draws."
            ),
        ),
        BuzzerCue.MISSED_CALL: ("a long alarm", "A call was missed, and the fine is owed."),
        BuzzerCue.SEVERAL: ("three short", "Several cards lie on the pad; one at a time."),
        BuzzerCue.ASKED: (
            "short and long, rising",
            (
                "The table asks, for Yes or No, a seat, or a hand to be tapped; a card is not taken yet. In a hand "
                "behind a Wild Draw Four it looks for the colour that was in force before it, not the one it named. "
                "But for a hand it asks once more before it gives up."
            ),
        ),
        BuzzerCue.LAPSED: ("long and short, falling", "Nobody answered: nothing has changed."),
        BuzzerCue.LOST: ("three falling", "A device does not answer."),
        BuzzerCue.ROUND_WON: ("three rising", "Somebody is out: the hands are counted."),
        BuzzerCue.MATCH_WON: ("a fanfare", "The match is over."),
    }
)
"""What each cue sounds like and what it tells, in words, for the documents."""


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
