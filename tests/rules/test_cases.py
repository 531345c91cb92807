"""Every case file is a test of its own: the shared ones, and our own beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.transcript.expectations import check
from table_app.transcript.header import deck_loader_beside
from table_app.transcript.judge import Expectation, Judge
from table_app.transcript.lines import read_lines

CASES = Path(__file__).parents[1] / "cases"
FILES = sorted(CASES.rglob("*.table"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(CASES).with_suffix("")))
def test_case(file: Path) -> None:
    judge = Judge(deck_loader_beside(file))
    failures: list[str] = []
    checked = 0
    with file.open("rb") as stream:
        for line in read_lines(stream):
            answer = judge.take(line)
            if isinstance(answer, Expectation):
                number, failed = check(answer.text, answer.judgement)
                checked += number
                failures += [f"{file}:{line.number}: expected {each.expected}, got {each.got}" for each in failed]
    assert checked, f"{file} expects nothing"
    assert not failures, "\n".join(failures)


def test_there_are_the_shared_cases_and_at_least_as_many_of_our_own() -> None:
    own = [file for file in FILES if file.parent.name == "own"]
    assert len(FILES) - len(own) >= 82
    assert len(own) >= 120
