"""What each meaning may come to, as data, and the tables of the documents; the tests compare it with what happens.

Nothing at a table needs this module.

A meaning that comes to something else in one situation has its own words there (`worded`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from table_app.play import calling, cards_read, devices_heard, forms, hands_tapped, presses
from table_app.play.interpreter import ANSWERS, ANSWERS_COME_TO
from table_app.play.meanings import MEANINGS
from table_app.play.situations import Answer, Moment, SignalKind
from table_app.play.worded import Outcome, Worded

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
    {meaning: frozenset(outcomes) for outcomes, meanings in _BY_OUTCOME.items() for meaning in meanings}
)
"""What each meaning may come to, wherever it stands as it is."""


def comes_to(meaning: Callable[[Moment], Answer]) -> frozenset[Outcome]:
    """What *meaning* may come to where it stands."""
    return meaning.comes_to if isinstance(meaning, Worded) else COMES_TO[meaning]


def meaning_text(meaning: Callable[..., object]) -> str:
    """A meaning in words: the first sentence of what its function says of itself."""
    if isinstance(meaning, Worded):
        return meaning.words
    assert meaning.__doc__ is not None
    return " ".join(meaning.__doc__.split("\n\n")[0].split())


def meanings_as_text() -> str:
    """All of `MEANINGS` as a Markdown table a situation, for the reference documents."""
    return (
        "\n\n".join(
            _table(f"### {found.value}", ((kind, meaning, comes_to(meaning)) for kind, meaning in row.items()))
            for found, row in MEANINGS.items()
        )
        + "\n"
    )


def answers_as_text() -> str:
    """All of `ANSWERS` as a Markdown table a question, for the reference documents."""
    return (
        "\n\n".join(
            _table(
                f"**{meaning_text(question)}**",
                ((kind, answer, frozenset(ANSWERS_COME_TO[answer])) for kind, answer in answers.items()),
            )
            for question, answers in ANSWERS.items()
        )
        + "\n"
    )


def _table(head: str, rows: Iterable[tuple[SignalKind, Callable[..., object], frozenset[Outcome]]]) -> str:
    lines = [head, "", "| signal | meaning | comes to |", "| --- | --- | --- |"]
    for kind, meaning, outcomes in rows:
        found = ", ".join(outcome.value for outcome in Outcome if outcome in outcomes)
        lines.append(f"| `{kind.value}` | {meaning_text(meaning)} | {found} |")
    return "\n".join(lines)
