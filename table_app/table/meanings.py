"""What each signal means in each situation, as data: the interpreter looks up here, and the documents are made of it.

`MEANINGS` is whole: every situation has a meaning for every kind of signal. What a meaning does stands in
`cards_read`, `just_shown`, `presses` and `devices_heard`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from table_app.table import cards_read, devices_heard, forms, just_shown, last_debts, presses, tracked
from table_app.table.situations import CARDS, Answer, Moment, SignalKind, Situation

Meaning = Callable[[Moment], Answer]
Row = Mapping[SignalKind, Meaning]

S, K = Situation, SignalKind


def every_card(meaning: Meaning) -> Row:
    """The same meaning for a card, wherever it is known to lie."""
    return dict.fromkeys(CARDS, meaning)


OF_SHOWN_HAND: Row = {K.SHOWN_CARD: just_shown.shown_already, K.MORE_CARD: just_shown.ask_whether_more}
"""Where a hand may have been shown a moment ago."""

ANYWHERE: Row = {
    **every_card(cards_read.not_now),
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
    K.PUT_RIGHT: presses.put_right,
    K.RULES: presses.rules,
    K.FORM: forms.begin,
    K.DIGIT: presses.out_of_place,
    K.DIRECTION: presses.out_of_place,
    K.JOIN: forms.choose_name,
    K.PAUSE: presses.pause,
    K.BELL: presses.bell,
    K.HIGH: presses.draw_for_the_deal,
    K.OLDER: presses.out_of_place,
    K.OLDER_NEXT: presses.out_of_place,
    K.TAKE_UP: presses.out_of_place,
    K.UNKNOWN_BUTTON: presses.unknown_button,
}
"""What holds wherever a situation says nothing else."""

IN_PLAY: Row = {
    K.CARD: cards_read.lay,
    K.PILE_CARD: tracked.drawn,
    K.STRAY_CARD: tracked.stray_card,
    K.OTHERS_CARD: tracked.others_card,
    K.DISCARDED_CARD: cards_read.discarded_card,
    K.NAMED_CARD: cards_read.ask_whether_same,
    **OF_SHOWN_HAND,
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

ASIDE: Row = {
    kind: ANYWHERE[kind]
    for kind in (
        K.UNKNOWN_TAG,
        K.UNKNOWN_CARD,
        K.TAG_REMOVED,
        K.SEVERAL_TAGS,
        K.DISTURBED,
        K.DEVICE_LOST,
        K.DEVICE_BACK,
        K.DEVICE_NOTE,
        K.UNKNOWN_BUTTON,
    )
}
"""What means the same whatever the table is busy with."""

IN_FORM: Row = {
    **dict.fromkeys(SignalKind, forms.awaits_another),
    **ASIDE,
    K.UNO: presses.uno,
    K.CATCH: presses.catch,
    K.FORM: forms.begin,
    K.NO: forms.leave,
    K.MENU: forms.leave,
    K.PAUSE: presses.pause,
}
"""While something is put right: its step, a call or a catch, and the way out."""

OLDER: Row = {
    K.OLDER: presses.older_matches,
    K.OLDER_NEXT: presses.next_older,
    K.TAKE_UP: presses.take_up,
}
"""Where no round is under way, or the table stands still: another match may go on instead."""

PAUSED: Row = {
    **dict.fromkeys(SignalKind, presses.go_on_by_it),
    **ASIDE,
    **OLDER,
    K.YES: presses.go_on,
    K.PAUSE: presses.go_on,
    K.NO: presses.other_card_lies_there,
}

SPECIAL: Mapping[Situation, Row] = {
    S.DEAL: {**OLDER, **every_card(cards_read.ask_whether_dealt), **OF_SHOWN_HAND, K.DEAL: presses.deal},
    S.DEAL_SEEN: {**OLDER, **every_card(tracked.deal_card), K.DEAL: presses.deal, K.UNDO: presses.undo},
    S.HIGH: {**every_card(cards_read.drawn_for_the_deal), K.DEAL: presses.deal},
    S.FIRST_CARD: {
        **every_card(cards_read.first_card),
        K.OTHERS_CARD: tracked.dealt_already,
        K.DISCARDED_CARD: cards_read.set_aside_already,
    },
    S.TURN: IN_PLAY,
    S.DRAWN: IN_PLAY,
    S.OWES: IN_PLAY,
    S.CHALLENGE: IN_PLAY,
    S.COLOUR: IN_PLAY,
    S.SWAP: {**IN_PLAY, K.SEAT: presses.swap_or_call},
    S.SHOW: {
        **IN_PLAY,
        **every_card(cards_read.show),
        K.NAMED_CARD: cards_read.ask_whether_same,
        K.SEAT: presses.show_or_call,
        K.YES: cards_read.all_shown,
    },
    S.DARE: {**IN_PLAY, K.YES: presses.did_the_dare, K.NO: presses.refused_the_dare},
    S.CHARADE: {**IN_PLAY, K.SEAT: presses.guessed, K.NO: presses.nobody_guessed},
    S.DISCARD: {
        **IN_PLAY,
        **every_card(cards_read.discard),
        K.NAMED_CARD: cards_read.ask_whether_same,
        K.SEAT: cards_read.choose_discarder,
        K.YES: cards_read.all_discarded,
    },
    S.COUNT: {
        **every_card(cards_read.show),
        K.NAMED_CARD: cards_read.ask_whether_same,
        **OF_SHOWN_HAND,
        K.DIGIT: forms.begin_points,
        K.SEAT: cards_read.choose_hand,
        K.YES: cards_read.all_shown,
    },
    S.LAST_DEBTS: {
        K.CARD: last_debts.ask_whether_drawn,
        K.SEAT: last_debts.ask_whether_drawn,
        K.PILE_CARD: tracked.drawn,
        K.DISCARDED_CARD: tracked.discarded_card_drawn,
        K.DRAW: presses.draw,
        K.CALLED: presses.called,
        K.RESHUFFLE: presses.reshuffle,
    },
    S.SCORE_ALONE: {**OLDER, K.SEAT: presses.out},
    S.OVER: {**OLDER, **OF_SHOWN_HAND, K.AGAIN: presses.another_match, K.DEAL: presses.another_match},
    S.PAUSED: PAUSED,
    S.CHOOSE_SEAT: {**IN_FORM, K.SEAT: forms.choose_seat, K.GIVE: forms.choose_seat},
    S.CHOOSE_CARD: {**IN_FORM, **every_card(forms.choose_card)},
    S.CHOOSE_COLOUR: {**IN_FORM, K.COLOUR: forms.choose_colour},
    S.CHOOSE_DIRECTION: {**IN_FORM, K.DIRECTION: forms.choose_direction},
    S.CHOOSE_NUMBER: {
        **IN_FORM,
        K.DIGIT: forms.digit,
        K.UNDO: forms.digit_back,
        K.YES: forms.number_typed,
    },
    S.CHOOSE_TAG: {**IN_FORM, **every_card(forms.tag_taken), K.UNKNOWN_TAG: forms.choose_tag},
    S.CHOOSE_NAME: {**IN_FORM, K.JOIN: forms.choose_name},
}

MEANINGS: Mapping[Situation, Row] = MappingProxyType(
    {found: MappingProxyType({**ANYWHERE, **SPECIAL[found]}) for found in Situation}
)


def meaning_text(meaning: Callable[..., object]) -> str:
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
