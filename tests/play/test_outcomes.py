"""What the documents say that a signal comes to is what it comes to, at real tables in every situation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from table_app.play.interpreter import ANSWERS, ANSWERS_COME_TO
from table_app.play.meanings import MEANINGS
from table_app.play.outcomes import COMES_TO, answers_as_text, comes_to, meaning_text, meanings_as_text
from table_app.play.worded import Outcome, Worded
from tests.play.outcomes import answered, walked


def test_every_meaning_comes_to_exactly_what_it_says() -> None:
    """Nothing else anywhere, and each of it somewhere; own words for one situation hold there."""
    seen: dict[tuple[str, frozenset[Outcome]], set[Outcome]] = defaultdict(set)
    for (found, kind), outcomes in walked().items():
        meaning = MEANINGS[found][kind]
        assert outcomes <= comes_to(meaning), (found, kind, meaning_text(meaning), outcomes - comes_to(meaning))
        seen[meaning_text(meaning), comes_to(meaning)] |= outcomes
    said = {(meaning_text(meaning), comes_to(meaning)) for row in MEANINGS.values() for meaning in row.values()}
    assert {words: comes - seen[words, comes] for words, comes in said if comes - seen[words, comes]} == {}


def test_every_answer_to_a_question_comes_to_exactly_what_it_says() -> None:
    seen: dict[Callable[..., object], set[Outcome]] = defaultdict(set)
    places = answered()
    assert set(places) == {(question, kind) for question, answers in ANSWERS.items() for kind in answers}
    for (question, kind), outcomes in places.items():
        seen[ANSWERS[question][kind]] |= outcomes
    assert {answer.__name__: outcomes for answer, outcomes in seen.items()} == {
        answer.__name__: set(outcomes) for answer, outcomes in ANSWERS_COME_TO.items()
    }


def test_words_that_say_nothing_or_refused_come_to_nothing_else() -> None:
    for row in MEANINGS.values():
        for meaning in row.values():
            words = meaning_text(meaning)
            if words.startswith("Nothing:"):
                assert comes_to(meaning) <= {Outcome.REFUSES, Outcome.TELLS}, words
            if words.startswith("Refused: first"):
                assert comes_to(meaning) == {Outcome.REFUSES}, words
            if words.startswith("It asks whether"):
                assert Outcome.ASKS in comes_to(meaning), words


def test_no_meaning_is_declared_that_no_situation_has() -> None:
    used = {meaning for row in MEANINGS.values() for meaning in row.values()}
    assert set(COMES_TO) == {meaning for meaning in used if not isinstance(meaning, Worded)}


def test_the_documents_say_what_each_signal_comes_to() -> None:
    text = meanings_as_text()
    assert text.count("| signal | meaning | comes to |") == len(MEANINGS)
    assert "| `card` | Refused: first the colour is named; then it is laid. | refuses |" in text
    assert answers_as_text().count("| signal | meaning | comes to |") == len(ANSWERS)
