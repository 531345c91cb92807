"""What each signal means in each situation, as data: the interpreter looks up here, and the documents are made of it.

`MEANINGS` is whole: every situation has a meaning for every kind of signal. What a meaning does stands in
`cards_read`, `presses` and `devices_heard`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from table_app.table import cards_read, devices_heard, presses
from table_app.table.situations import Answer, Moment, SignalKind, Situation

Meaning = Callable[[Moment], Answer]
Row = Mapping[SignalKind, Meaning]

S, K = Situation, SignalKind

ANYWHERE: Row = {
    K.CARD: cards_read.not_now,
    K.UNKNOWN_TAG: devices_heard.unknown_tag,
    K.UNKNOWN_CARD: devices_heard.unknown_card,
    K.TAG_REMOVED: devices_heard.tag_removed,
    K.SEVERAL_TAGS: devices_heard.several_tags,
    K.DISTURBED: devices_heard.disturbed,
    K.DEVICE_LOST: devices_heard.device_lost,
    K.DEVICE_BACK: devices_heard.device_back,
    K.DEVICE_NOTE: devices_heard.device_note,
    K.SEAT: presses.out_of_place,
    K.GIVE: presses.out_of_place,
    K.DEAL: presses.out_of_place,
    K.DRAW: presses.out_of_place,
    K.KEEP: presses.out_of_place,
    K.COLOUR: presses.out_of_place,
    K.UNO: presses.out_of_place,
    K.CATCH: presses.out_of_place,
    K.CALLED: presses.out_of_place,
    K.CHALLENGE: presses.out_of_place,
    K.FINDS: presses.out_of_place,
    K.SWAP: presses.out_of_place,
    K.ALLOW: presses.out_of_place,
    K.UNDO: presses.undo,
    K.RESHUFFLE: presses.out_of_place,
    K.YES: presses.nothing_open,
    K.NO: presses.nothing_open,
    K.AGAIN: presses.out_of_place,
    K.MENU: presses.menu,
    K.UNKNOWN_BUTTON: presses.unknown_button,
}
"""What holds wherever a situation says nothing else."""

IN_PLAY: Row = {
    K.CARD: cards_read.lay,
    K.SEAT: presses.seat,
    K.GIVE: presses.give,
    K.DRAW: presses.draw,
    K.KEEP: presses.keep,
    K.COLOUR: presses.name_colour,
    K.UNO: presses.uno,
    K.CATCH: presses.catch,
    K.CALLED: presses.called,
    K.CHALLENGE: presses.challenge,
    K.FINDS: presses.finds,
    K.SWAP: presses.swap,
    K.ALLOW: presses.allow,
    K.RESHUFFLE: presses.reshuffle,
}
"""Between the first card and the last, whatever is open: the core says what is allowed, and why not."""

SPECIAL: Mapping[Situation, Row] = {
    S.DEAL: {K.CARD: cards_read.ask_whether_dealt, K.DEAL: presses.deal},
    S.FIRST_CARD: {K.CARD: cards_read.first_card},
    S.TURN: IN_PLAY,
    S.DRAWN: IN_PLAY,
    S.OWES: IN_PLAY,
    S.CHALLENGE: IN_PLAY,
    S.COLOUR: IN_PLAY,
    S.SWAP: {**IN_PLAY, K.SEAT: presses.swap},
    S.SHOW: {**IN_PLAY, K.CARD: cards_read.show, K.YES: cards_read.all_shown},
    S.DARE: {**IN_PLAY, K.YES: presses.did_the_dare, K.NO: presses.refused_the_dare},
    S.CHARADE: {**IN_PLAY, K.SEAT: presses.guessed, K.NO: presses.nobody_guessed},
    S.DISCARD: {
        **IN_PLAY,
        K.CARD: cards_read.discard,
        K.SEAT: cards_read.choose_discarder,
        K.YES: cards_read.all_discarded,
    },
    S.COUNT: {
        K.CARD: cards_read.show,
        K.SEAT: cards_read.choose_hand,
        K.YES: cards_read.all_shown,
    },
    S.LAST_DEBTS: {K.DRAW: presses.draw, K.CALLED: presses.called, K.RESHUFFLE: presses.reshuffle},
    S.SCORE_ALONE: {K.SEAT: presses.out},
    S.OVER: {K.AGAIN: presses.another_match, K.DEAL: presses.another_match},
}

MEANINGS: Mapping[Situation, Row] = MappingProxyType(
    {found: MappingProxyType({**ANYWHERE, **SPECIAL[found]}) for found in Situation}
)


def meaning_text(meaning: Meaning) -> str:
    """A meaning in words: the first sentence of what its function says of itself."""
    assert meaning.__doc__ is not None
    return " ".join(meaning.__doc__.split("\n\n")[0].split())


def meanings_as_text() -> str:
    """All of `MEANINGS` as a Markdown table a situation, for the reference documents."""
    parts = []
    for found, row in MEANINGS.items():
        lines = [f"### {found.value}", "", "| signal | meaning |", "| --- | --- |"]
        lines += [f"| `{kind.value}` | {meaning_text(meaning)} |" for kind, meaning in row.items()]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
