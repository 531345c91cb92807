"""What each signal means in each situation, as data: the interpreter looks up here.

`HANDLERS` is whole: every situation has a meaning for every kind of signal. What a meaning does stands in
`cards_read`, `hands_tapped`, `presses` and `devices_heard`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from table_app.play import calling, cards_read, devices_heard, forms, hands_tapped, presses
from table_app.play.modes import CARDS, Answer, Mode, Moment, SignalKind

Handler = Callable[[Moment], Answer]
Row = Mapping[SignalKind, Handler]

S, K = Mode, SignalKind


def every_card(meaning: Handler) -> Row:
    """The same meaning for a card, wherever it is known to lie."""
    return dict.fromkeys(CARDS, meaning)


OF_SHOWN_HAND: Row = {K.SHOWN_CARD: hands_tapped.shown_already, K.MORE_CARD: hands_tapped.one_more}
"""Where a hand may have been shown a moment ago."""

ANYWHERE: Row = {
    **every_card(cards_read.not_now),
    K.LABELLED_TAG: presses.ask_whether_new,
    K.UNKNOWN_TAG: devices_heard.unknown_tag,
    K.UNKNOWN_CARD: devices_heard.unknown_card,
    K.LYING_TAG: devices_heard.lying_tag,
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
    K.DRAW_ONE: presses.out_of_place,
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
    K.PILE_CARD: cards_read.drawn,
    K.STRAY_CARD: cards_read.stray_card,
    K.OTHERS_CARD: cards_read.others_card,
    K.DISCARDED_CARD: cards_read.lay,
    **OF_SHOWN_HAND,
    K.SEAT: calling.seat,
    K.GIVE: calling.give,
    K.DRAW: presses.draw,
    K.DRAW_ONE: presses.draw_one,
    K.KEEP: presses.keep,
    K.COLOUR: presses.name_colour,
    K.UNO: calling.uno,
    K.CATCH: calling.catch,
    K.CALLED: calling.called,
    K.CHALLENGE: presses.challenge,
    K.FINDS: presses.finds,
    K.SWAP: presses.swap,
    K.ALLOW: presses.allow,
    K.RESHUFFLE: cards_read.shuffled,
    K.DIRECTION: forms.direction,
}
"""Between the first card and the last, whatever is open: the core says what is allowed, and why not."""

ASIDE: Row = {
    kind: ANYWHERE[kind]
    for kind in (
        K.UNKNOWN_TAG,
        K.UNKNOWN_CARD,
        K.LYING_TAG,
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
    K.UNO: calling.uno,
    K.CATCH: calling.catch,
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
    K.AGAIN: presses.another_match,
}

SPECIAL: Mapping[Mode, Row] = {
    S.DEAL: {**OLDER, **every_card(cards_read.dealt_and_turned), **OF_SHOWN_HAND, K.DEAL: presses.deal},
    S.DEAL_SEEN: {**OLDER, **every_card(cards_read.deal_card), K.DEAL: presses.deal, K.UNDO: presses.undo},
    S.HIGH: {**every_card(cards_read.drawn_for_the_deal), K.DEAL: presses.deal},
    S.FIRST_CARD: {
        **every_card(cards_read.first_card),
        K.OTHERS_CARD: cards_read.dealt_already,
        K.DISCARDED_CARD: cards_read.set_aside_already,
    },
    S.TURN: IN_PLAY,
    S.DRAWN: IN_PLAY,
    S.OWES: IN_PLAY,
    S.CHALLENGE: IN_PLAY,
    S.COLOUR: {**IN_PLAY, K.CARD: cards_read.lay_once_named},
    S.SWAP: {**IN_PLAY, K.SEAT: presses.swap_or_call},
    S.SHOW: {
        **IN_PLAY,
        **every_card(hands_tapped.show),
        K.SEAT: calling.show_or_call,
        K.YES: hands_tapped.all_shown,
    },
    S.DARE: {**IN_PLAY, K.YES: presses.did_the_dare, K.NO: presses.refused_the_dare},
    S.CHARADE: {**IN_PLAY, K.SEAT: presses.guessed, K.NO: presses.nobody_guessed},
    S.DISCARD: {
        **IN_PLAY,
        **every_card(hands_tapped.discard),
        K.SEAT: calling.discard_or_called,
        K.YES: hands_tapped.all_discarded,
    },
    S.COUNT: {
        **every_card(hands_tapped.show),
        **OF_SHOWN_HAND,
        K.DIGIT: forms.begin_points,
        K.SEAT: hands_tapped.choose_hand,
        K.YES: hands_tapped.all_shown,
        K.RESHUFFLE: cards_read.shuffled,
    },
    S.LAST_DEBTS: {
        K.CARD: hands_tapped.owed_then_hand,
        K.PILE_CARD: cards_read.drawn,
        K.DISCARDED_CARD: cards_read.discarded_card_drawn,
        K.DRAW: presses.draw,
        K.DRAW_ONE: presses.draw_one,
        K.SEAT: hands_tapped.owed_then_hand,
        K.CALLED: calling.called,
        K.RESHUFFLE: cards_read.shuffled,
    },
    S.SCORE_ALONE: {**OLDER, K.LABELLED_TAG: cards_read.not_now, K.SEAT: presses.out},
    S.OVER: {
        **OLDER,
        **OF_SHOWN_HAND,
        K.LABELLED_TAG: cards_read.not_now,
        K.AGAIN: presses.another_match,
        K.DEAL: presses.another_match,
    },
    S.PAUSED: PAUSED,
    S.CHOOSE_SEAT: {**IN_FORM, K.SEAT: forms.choose_seat, K.GIVE: forms.choose_seat},
    S.CHOOSE_CARD: {
        **IN_FORM,
        **every_card(forms.choose_card),
        K.LABELLED_TAG: forms.choose_card,
        K.SEAT: forms.choose_turn,
    },
    S.CHOOSE_COLOUR: {**IN_FORM, K.COLOUR: forms.choose_colour, K.SEAT: forms.choose_turn},
    S.CHOOSE_DIRECTION: {**IN_FORM, K.DIRECTION: forms.choose_direction},
    S.CHOOSE_NUMBER: {
        **IN_FORM,
        **every_card(forms.digit_of_card),
        K.DIGIT: forms.digit,
        K.SEAT: forms.choose_last_round,
        K.UNDO: forms.digit_back,
        K.YES: forms.number_typed,
    },
    S.CHOOSE_TAG: {
        **IN_FORM,
        **every_card(forms.tag_taken),
        K.LABELLED_TAG: presses.choose_tag,
        K.UNKNOWN_TAG: presses.choose_tag,
    },
    S.CHOOSE_NAME: {**IN_FORM, K.JOIN: forms.choose_name},
}

HANDLERS: Mapping[Mode, Row] = MappingProxyType(
    {found: MappingProxyType({**ANYWHERE, **SPECIAL[found]}) for found in Mode}
)
