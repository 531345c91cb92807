"""What the documents say of signals and sounds: a meaning in words, what it may come to, and what each cue tells.

Nothing at a table needs this; `test_outcomes` compares it with what happens. A meaning's words are the first sentence
of its own description, unless it comes to something else in one situation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from table_app.play import calling, cards_read, devices_heard, forms, hands_tapped, presses
from table_app.play.handlers import ANYWHERE, HANDLERS, IN_FORM, PAUSED
from table_app.play.interpreter import ANSWERS
from table_app.play.modes import Answer, Mode, Moment, SignalKind
from table_app.play.state import CatcherQuestion, DrawnQuestion, LabelQuestion
from table_app.sound import BuzzerCue


class Outcome(StrEnum):
    """What a signal may come to."""

    ACTS = "acts"
    """An action that the core accepts is in the record, or another match lies on the table."""
    ASKS = "asks"
    """The table asks, or waits for the next step of what is put right."""
    REFUSES = "refuses"
    """The core refuses an action, or the table says that it can't be."""
    TELLS = "tells"
    """A sentence; at most the table remembers something."""
    SHOWS = "shows"
    """Only what is seen or remembered changes."""


class Said(NamedTuple):
    """What is said of a signal: its meaning in *words*, and what it may come to."""

    words: str
    comes_to: frozenset[Outcome]


S, K = Mode, SignalKind
_ACTS, _ASKS, _REFUSES, _TELLS, _SHOWS = Outcome

_BY_OUTCOME: Mapping[tuple[Outcome, ...], tuple[Callable[[Moment], Answer], ...]] = {
    (_ACTS,): (
        hands_tapped.all_discarded,
        cards_read.drawn_for_the_deal,
        cards_read.first_card,
        forms.choose_colour,
        forms.choose_direction,
        forms.direction,
        presses.another_match,
        presses.challenge,
        presses.deal,
        hands_tapped.one_more,
        presses.did_the_dare,
        presses.draw,
        presses.finds,
        presses.guessed,
        presses.name_colour,
        presses.nobody_guessed,
        presses.out,
        presses.refused_the_dare,
        presses.swap,
        presses.swap_or_call,
        presses.take_up,
        presses.draw_one,
        cards_read.dealt_and_turned,
    ),
    (_ASKS,): (
        presses.ask_whether_new,
        forms.begin_points,
        forms.digit_back,
        presses.other_card_lies_there,
    ),
    (_REFUSES,): (
        hands_tapped.shown_already,
        cards_read.not_now,
        devices_heard.disturbed,
        devices_heard.several_tags,
        devices_heard.unknown_card,
        devices_heard.unknown_tag,
        forms.awaits_another,
        forms.tag_taken,
        presses.out_of_place,
        presses.unknown_button,
        cards_read.dealt_already,
        cards_read.discarded_card_drawn,
    ),
    (_TELLS,): (
        cards_read.set_aside_already,
        devices_heard.device_back,
        devices_heard.device_lost,
        devices_heard.device_note,
        devices_heard.lying_tag,
        presses.choose_tag,
        forms.leave,
        presses.go_on,
        presses.nothing_open,
        presses.pause,
        hands_tapped.discard,
    ),
    (_SHOWS,): (
        devices_heard.tag_removed,
        presses.menu,
        presses.next_older,
        presses.older_matches,
        presses.put_right,
        presses.rules,
    ),
    (
        _ACTS,
        _ASKS,
    ): (
        forms.choose_card,
        forms.choose_seat,
    ),
    (
        _ACTS,
        _REFUSES,
    ): (
        calling.called,
        calling.catch,
        calling.uno,
        hands_tapped.owed_then_hand,
        hands_tapped.all_shown,
        forms.choose_name,
        forms.number_typed,
        presses.allow,
        presses.bell,
        cards_read.drawn,
        cards_read.others_card,
    ),
    (
        _ACTS,
        _TELLS,
    ): (
        calling.show_or_call,
        cards_read.shuffled,
    ),
    (
        _ASKS,
        _REFUSES,
    ): (
        forms.begin,
        forms.digit,
        forms.digit_of_card,
        forms.choose_turn,
        forms.choose_last_round,
    ),
    (
        _REFUSES,
        _TELLS,
    ): (presses.draw_for_the_deal,),
    (
        _ACTS,
        _ASKS,
        _REFUSES,
    ): (cards_read.stray_card,),
    (
        _ACTS,
        _REFUSES,
        _TELLS,
    ): (
        calling.discard_or_called,
        cards_read.deal_card,
        cards_read.lay,
        presses.undo,
        calling.seat,
        calling.give,
        hands_tapped.show,
        hands_tapped.choose_hand,
    ),
    (
        _ACTS,
        _ASKS,
        _REFUSES,
        _TELLS,
        _SHOWS,
    ): (presses.go_on_by_it,),
}
COMES_TO: Mapping[Callable[[Moment], Answer], frozenset[Outcome]] = MappingProxyType(
    {meaning: frozenset(outcomes) for outcomes, handlers in _BY_OUTCOME.items() for meaning in handlers}
)
"""What each meaning may come to, but for what `HERE` says."""


def _here(words: str, *comes_to: Outcome) -> Said:
    return Said(words, frozenset(comes_to))


def _asks_first(what: str, *answers: SignalKind) -> Mapping[SignalKind, Said]:
    """While the game asks for *what*, the core refuses these, but for the *answers*."""
    asked_first = (
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
    return dict.fromkeys(
        (kind for kind in asked_first if kind not in answers), _here(f"Refused: first {what}.", _REFUSES)
    )


def _but(row: Mapping[SignalKind, Said], *kinds: SignalKind) -> Mapping[SignalKind, Said]:
    return {kind: words for kind, words in row.items() if kind not in kinds}


_CARDS = (K.CARD, K.PILE_CARD, K.OTHERS_CARD)
_NOTHING_OPEN: Mapping[SignalKind, Said] = {
    K.COLOUR: _here(
        "Refused: no wild waits for its colour. Where a wild lies on top, its colour is put right.", _REFUSES, _ACTS
    ),
    K.CHALLENGE: _here("Refused: there is no Wild Draw Four to be challenged.", _REFUSES),
    K.FINDS: _here("Refused: no hand is being shown for a challenge.", _REFUSES),
}
_NO_SWAP = _here("Refused: nobody has hands to swap.", _REFUSES)
_DRAWN_ALREADY = _here("Refused: one card is drawn in a turn, unless a house rule lets more be drawn.", _REFUSES, _ACTS)
_IN_DEBT: Mapping[SignalKind, Said] = {
    **_NOTHING_OPEN,
    K.CARD: _here(
        "Refused: what is owed is drawn first; one tap on the seat whose card it is puts the draws into the record and "
        "lays it. It is laid where a house rule lets it be laid on the debt.",
        _REFUSES,
        _ACTS,
    ),
    K.DRAW: _here("All the cards that one player owes are drawn.", _ACTS),
    K.DRAW_ONE: _here("One of the cards that are owed is drawn.", _ACTS),
    K.KEEP: _here("Refused: what is owed is drawn first.", _REFUSES),
    K.SWAP: _NO_SWAP,
}
HERE: Mapping[Mode, Mapping[SignalKind, Said]] = {
    S.TURN: {
        **_NOTHING_OPEN,
        K.KEEP: _here("Refused: draw first. Where no card is left to be drawn, the turn passes.", _REFUSES, _ACTS),
        K.SWAP: _here("Refused, unless the first card lets the first player swap hands.", _REFUSES, _ACTS),
    },
    S.DRAWN: {
        **_NOTHING_OPEN,
        K.CARD: _here(
            "It is the drawn card, and laid. One that can't be is refused. One tap on another seat gives it to that "
            "seat.",
            _ACTS,
            _REFUSES,
        ),
        K.DRAW: _DRAWN_ALREADY,
        K.DRAW_ONE: _DRAWN_ALREADY,
        K.KEEP: _here("The drawn card is kept, and the turn passes.", _ACTS),
        K.SWAP: _NO_SWAP,
    },
    S.OWES: _IN_DEBT,
    S.CHALLENGE: _but(_IN_DEBT, K.CHALLENGE),
    S.COLOUR: {
        **_asks_first("the colour is named", K.COLOUR),
        K.CARD: _here("Refused: first the colour is named; then it is laid.", _REFUSES),
    },
    S.SWAP: _asks_first("whom to swap hands with is said", K.SWAP),
    S.SHOW: _asks_first("the hand is shown", K.FINDS, *_CARDS),
    S.DARE: _asks_first("the dare is done or refused"),
    S.CHARADE: _asks_first("who guessed is said"),
    S.DISCARD: _asks_first("the cards asked for are discarded", *_CARDS),
}
"""Where a meaning comes to something else than elsewhere."""

_ANSWERS_COME_TO: Mapping[tuple[type, SignalKind], tuple[Outcome, ...]] = {
    (LabelQuestion, K.YES): (_ACTS, _REFUSES, _TELLS),
    (LabelQuestion, K.NO): (_REFUSES,),
    (DrawnQuestion, K.DRAW): (_ACTS,),
    (DrawnQuestion, K.YES): (_ACTS,),
    (DrawnQuestion, K.SEAT): (_ACTS, _REFUSES),
    (DrawnQuestion, K.GIVE): (_ACTS, _REFUSES),
    (CatcherQuestion, K.SEAT): (_REFUSES,),
    (CatcherQuestion, K.NO): (_TELLS,),
}


def in_words(meaning: Callable[..., object]) -> str:
    """The first sentence of what a meaning says of itself."""
    assert meaning.__doc__ is not None
    return " ".join(meaning.__doc__.split("\n\n")[0].split())


def said(found: Mode, kind: SignalKind) -> Said:
    """What is said of a signal of this *kind* where the table stands there."""
    meaning = HANDLERS[found][kind]
    return HERE.get(found, {}).get(kind) or Said(in_words(meaning), COMES_TO[meaning])


def answered_with(question: type, kind: SignalKind) -> Said:
    """What is said of an answer to one of the table's own questions."""
    return Said(in_words(ANSWERS[question][kind]), frozenset(_ANSWERS_COME_TO[question, kind]))


# -- the page ----------------------------------------------------------------------------------------------------


class Section(NamedTuple):
    """A table of the page: what it is of, on what it builds, and what differs from that. *others* is what the signals
    mean that stand neither here nor there."""

    head: str
    base: str
    rows: Mapping[SignalKind, Said]
    others: Said | None = None


ANYTIME, PLAY, CORRECTION = "anywhere", Mode.TURN.value, "while something is put right"


def _in_words(row: Mapping[SignalKind, Callable[[Moment], Answer]]) -> dict[SignalKind, Said]:
    return {kind: Said(in_words(meaning), COMES_TO[meaning]) for kind, meaning in row.items()}


_COMMON: Mapping[str, Mapping[SignalKind, Said]] = {
    ANYTIME: _in_words(ANYWHERE),
    PLAY: {kind: said(Mode.TURN, kind) for kind in SignalKind},
    CORRECTION: _in_words({**ANYWHERE, **IN_FORM}),
}
"""What others build on: what holds everywhere, a player's turn, and a correction under way."""


def _differing(row: Mapping[SignalKind, Said], base: str) -> dict[SignalKind, Said]:
    return {kind: words for kind, words in row.items() if words != _COMMON[base][kind]}


def _with_others(head: str, row: Mapping[SignalKind, Said]) -> Section:
    others, _count = Counter(row.values()).most_common(1)[0]
    return Section(head, "", {kind: words for kind, words in row.items() if words != others}, others)


def sections() -> list[Section]:
    """What is common first, then every situation by what differs."""
    found = [
        _with_others(ANYTIME, _COMMON[ANYTIME]),
        Section(PLAY, ANYTIME, _differing(_COMMON[PLAY], ANYTIME)),
        _with_others(CORRECTION, _COMMON[CORRECTION]),
    ]
    for mode_of in Mode:
        if mode_of is Mode.TURN:
            continue
        row = {kind: said(mode_of, kind) for kind in SignalKind}
        if HANDLERS[mode_of] == {**ANYWHERE, **PAUSED}:
            found.append(_with_others(mode_of.value, row))
            continue
        base = min(_COMMON, key=lambda head: len(_differing(row, head)))
        found.append(Section(mode_of.value, base, _differing(row, base)))
    return found


def meanings_as_text() -> str:
    """All of `HANDLERS` as Markdown tables: what is common, and what differs in each situation."""
    parts = []
    for section in sections():
        lead = f"\n\nAs *{section.base}*, but:" if section.base else ""
        if section.base and not section.rows:
            lead = f"\n\nAs *{section.base}*."
        rows = [(f"`{kind.value}`", words) for kind, words in section.rows.items()]
        if section.others is not None:
            rows.append(("any other", section.others))
        parts.append(f"### {section.head}{lead}" + (f"\n\n{_table(rows)}" if rows else ""))
    return "\n\n".join(parts) + "\n"


def answers_as_text() -> str:
    """All of `ANSWERS` as a Markdown table a question."""
    return (
        "\n\n".join(
            f"**{in_words(question)}**\n\n"
            + _table((f"`{kind.value}`", answered_with(question, kind)) for kind in answers)
            for question, answers in ANSWERS.items()
        )
        + "\n"
    )


def _table(rows: Iterable[tuple[str, Said]]) -> str:
    """A row a meaning, with all the signals that have it."""
    signals: dict[Said, list[str]] = {}
    for signal, words in rows:
        signals.setdefault(words, []).append(signal)
    lines = ["| signal | meaning | comes to |", "| --- | --- | --- |"]
    for words, named in signals.items():
        outcomes = ", ".join(outcome.value for outcome in Outcome if outcome in words.comes_to)
        lines.append(f"| {', '.join(named)} | {words.words} | {outcomes} |")
    return "\n".join(lines)


# -- what is heard -----------------------------------------------------------------------------------------------

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
