"""What each signal means in each situation, as data: the interpreter looks up here, and the documents are made of it.

`MEANINGS` is whole: every situation has a meaning for every kind of signal. What a meaning does stands in
`cards_read`, `hands_tapped`, `presses` and `devices_heard`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from table_app.play import calling, cards_read, devices_heard, forms, hands_tapped, presses
from table_app.play.situations import CARDS, Answer, Moment, SignalKind, Situation
from table_app.play.worded import Outcome, here, refused_here

Meaning = Callable[[Moment], Answer]
Row = Mapping[SignalKind, Meaning]

S, K, O = Situation, SignalKind, Outcome  # noqa: E741 (as in the rows below)


def every_card(meaning: Meaning) -> Row:
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

_ASKED_FIRST = (
    K.CARD,
    K.PILE_CARD,
    K.OTHERS_CARD,
    K.DRAW,
    K.DRAW_ONE,
    K.KEEP,
    K.COLOUR,
    K.CHALLENGE,
    K.FINDS,
    K.SWAP,
)
"""What the core refuses while it asks something, but for the answer itself."""


def asks_first(what: str, *answers: SignalKind) -> Row:
    """A row of play while the game asks for *what*: only *answers*, calls and corrections are taken."""
    words = f"Refused: first {what}."
    refused = {kind: refused_here(IN_PLAY[kind], words) for kind in _ASKED_FIRST if kind not in answers}
    return {**IN_PLAY, **refused}


_NO_WILD = here(
    presses.name_colour,
    "Refused: no wild waits for its colour. Where a wild lies on top, its colour is put right.",
    O.REFUSES,
    O.ACTS,
)
_NO_CHALLENGE = refused_here(presses.challenge, "Refused: there is no Wild Draw Four to be challenged.")
_NO_HAND = refused_here(presses.finds, "Refused: no hand is being shown for a challenge.")
_NO_SWAP = refused_here(presses.swap, "Refused: nobody has hands to swap.")
_DRAW_FIRST = refused_here(presses.keep, "Refused: what is owed is drawn first.")

ON_TURN: Row = {
    **IN_PLAY,
    K.KEEP: here(
        presses.keep, "Refused: draw first. Where no card is left to be drawn, the turn passes.", O.REFUSES, O.ACTS
    ),
    K.COLOUR: _NO_WILD,
    K.CHALLENGE: _NO_CHALLENGE,
    K.FINDS: _NO_HAND,
    K.SWAP: here(presses.swap, "Refused, unless the first card lets the first player swap hands.", O.REFUSES, O.ACTS),
}
AFTER_DRAWING: Row = {
    **ON_TURN,
    K.CARD: here(
        cards_read.lay,
        "It is the drawn card, and laid. One that can't be is refused. One tap on another seat gives it to that seat.",
        O.ACTS,
        O.REFUSES,
    ),
    **{
        kind: here(
            meaning, "Refused: one card is drawn in a turn, unless a house rule lets more be drawn.", O.REFUSES, O.ACTS
        )
        for kind, meaning in ((K.DRAW, presses.draw), (K.DRAW_ONE, presses.draw_one))
    },
    K.KEEP: here(presses.keep, "The drawn card is kept, and the turn passes.", O.ACTS),
    K.SWAP: _NO_SWAP,
}
IN_DEBT: Row = {
    **IN_PLAY,
    K.CARD: here(
        cards_read.lay,
        "Refused: what is owed is drawn first; one tap on the seat whose card it is puts the draws into the record and "
        "lays it. It is laid where a house rule lets it be laid on the debt.",
        O.REFUSES,
        O.ACTS,
    ),
    K.DRAW: here(presses.draw, "All the cards that one player owes are drawn.", O.ACTS),
    K.DRAW_ONE: here(presses.draw_one, "One of the cards that are owed is drawn.", O.ACTS),
    K.KEEP: _DRAW_FIRST,
    K.COLOUR: _NO_WILD,
    K.CHALLENGE: _NO_CHALLENGE,
    K.FINDS: _NO_HAND,
    K.SWAP: _NO_SWAP,
}
"""Where cards are owed."""

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

SPECIAL: Mapping[Situation, Row] = {
    S.DEAL: {**OLDER, **every_card(cards_read.dealt_and_turned), **OF_SHOWN_HAND, K.DEAL: presses.deal},
    S.DEAL_SEEN: {**OLDER, **every_card(cards_read.deal_card), K.DEAL: presses.deal, K.UNDO: presses.undo},
    S.HIGH: {**every_card(cards_read.drawn_for_the_deal), K.DEAL: presses.deal},
    S.FIRST_CARD: {
        **every_card(cards_read.first_card),
        K.OTHERS_CARD: cards_read.dealt_already,
        K.DISCARDED_CARD: cards_read.set_aside_already,
    },
    S.TURN: ON_TURN,
    S.DRAWN: AFTER_DRAWING,
    S.OWES: IN_DEBT,
    S.CHALLENGE: {**IN_DEBT, K.CHALLENGE: presses.challenge},
    S.COLOUR: {
        **asks_first("the colour is named", K.COLOUR),
        K.CARD: refused_here(cards_read.lay_once_named, "Refused: first the colour is named; then it is laid."),
    },
    S.SWAP: {**asks_first("whom to swap hands with is said", K.SWAP), K.SEAT: presses.swap_or_call},
    S.SHOW: {
        **asks_first("the hand is shown", K.FINDS),
        **every_card(hands_tapped.show),
        K.SEAT: calling.show_or_call,
        K.YES: hands_tapped.all_shown,
    },
    S.DARE: {**asks_first("the dare is done or refused"), K.YES: presses.did_the_dare, K.NO: presses.refused_the_dare},
    S.CHARADE: {**asks_first("who guessed is said"), K.SEAT: presses.guessed, K.NO: presses.nobody_guessed},
    S.DISCARD: {
        **asks_first("the cards asked for are discarded"),
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

MEANINGS: Mapping[Situation, Row] = MappingProxyType(
    {found: MappingProxyType({**ANYWHERE, **SPECIAL[found]}) for found in Situation}
)
