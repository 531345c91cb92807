"""What the documents say that a signal comes to is what it comes to, at real tables in every situation."""

from __future__ import annotations

from collections import defaultdict

from table_app.play.handlers import HANDLERS
from table_app.play.interpreter import ANSWERS
from table_app.play.modes import Mode, SignalKind
from tests.play.documented import (
    COMES_TO,
    HERE,
    Outcome,
    Said,
    answered_with,
    answers_as_text,
    meanings_as_text,
    said,
    sections,
)
from tests.play.outcomes import answered, walked

EVERYWHERE = {(found, kind): said(found, kind) for found in Mode for kind in SignalKind}


def test_every_meaning_comes_to_exactly_what_it_says() -> None:
    """Nothing else anywhere, and each of it somewhere; own words for one situation hold there."""
    seen: dict[Said, set[Outcome]] = defaultdict(set)
    for (found, kind), outcomes in walked().items():
        words = said(found, kind)
        assert outcomes <= words.comes_to, (found, kind, words, outcomes - words.comes_to)
        seen[words] |= outcomes
    assert {
        words.words: words.comes_to - seen[words] for words in EVERYWHERE.values() if words.comes_to - seen[words]
    } == {}


def test_every_answer_to_a_question_comes_to_exactly_what_it_says() -> None:
    seen: dict[Said, set[Outcome]] = defaultdict(set)
    places = answered()
    assert set(places) == {(question, kind) for question, answers in ANSWERS.items() for kind in answers}
    for (question, kind), outcomes in places.items():
        seen[answered_with(question, kind)] |= outcomes
    assert all(outcomes == words.comes_to for words, outcomes in seen.items()), seen


def test_words_that_say_nothing_or_refused_come_to_nothing_else() -> None:
    for words, comes_to in EVERYWHERE.values():
        assert words.endswith(".")
        if words.startswith("Nothing:"):
            assert comes_to <= {Outcome.REFUSES, Outcome.TELLS}, words
        if words.startswith("Refused: first"):
            assert comes_to == {Outcome.REFUSES}, words
        if words.startswith("It asks whether"):
            assert Outcome.ASKS in comes_to, words


def test_nothing_is_said_of_a_meaning_that_no_situation_has() -> None:
    used = {
        meaning for found, row in HANDLERS.items() for kind, meaning in row.items() if kind not in HERE.get(found, {})
    }
    assert set(COMES_TO) == used


def test_the_page_says_of_every_signal_in_every_situation_what_it_means() -> None:
    """What is common, with what differs laid over it, is the whole table again."""
    whole: dict[str, dict[SignalKind, Said]] = {}
    for section in sections():
        row = dict(whole[section.base]) if section.base else {}
        if section.others is not None:
            row = dict.fromkeys(SignalKind, section.others)
        whole[section.head] = {**row, **section.rows}
    assert {(found, kind): whole[found.value][kind] for found, kind in EVERYWHERE} == EVERYWHERE
    text = meanings_as_text()
    assert all(f"### {found.value}\n" in text for found in Mode)
    assert "| `card` | Refused: first the colour is named; then it is laid. | refuses |" in text
    assert answers_as_text().count("| signal | meaning | comes to |") == len(ANSWERS)
