"""What is asked of root ends in something or in a sentence; nothing is said to happen in a moment for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.appliance.awaiting import DONE_WITHIN_MS, HEARD_WITHIN_MS, Awaiting
from table_app.appliance.requests import AT_WORK, REQUESTS, Request, ask_root
from table_app.rules.messages import untranslated

STEP_MS = 1_000
END_MS = 2 * max(DONE_WITHIN_MS.values())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / REQUESTS).mkdir(parents=True)
    return tmp_path


def ask(awaiting: Awaiting, request: Request, root: Path, now_ms: int = 0) -> Path:
    ask_root(request, untranslated, root)
    awaiting.asked(request, now_ms)
    return root / REQUESTS / request


def said(awaiting: Awaiting, since_ms: int = 0, until_ms: int = END_MS) -> list[tuple[int, str]]:
    """What is said, and when, by the second."""
    found = [(now_ms, awaiting.poll(now_ms, untranslated)) for now_ms in range(since_ms, until_ms, STEP_MS)]
    return [(now_ms, told[1]) for now_ms, told in found if told is not None]


@pytest.mark.parametrize("request_", Request)
def test_what_nobody_hears_is_taken_back_and_told_once(request_: Request, root: Path) -> None:
    awaiting = Awaiting(root)
    path = ask(awaiting, request_, root)
    ((at_ms, sentence),) = said(awaiting)
    assert at_ms == HEARD_WITHIN_MS
    assert "lastcard-request.path" in sentence
    assert not path.exists(), "it is not done some other day"


@pytest.mark.parametrize("request_", Request)
def test_what_was_heard_and_came_to_nothing_is_told_once(request_: Request, root: Path) -> None:
    awaiting = Awaiting(root)
    ask(awaiting, request_, root).unlink()
    ((at_ms, sentence),) = said(awaiting)
    assert at_ms == DONE_WITHIN_MS[request_]
    assert "did not do what was asked" in sentence


@pytest.mark.parametrize("request_", Request)
def test_an_answer_ends_the_waiting(request_: Request, root: Path) -> None:
    awaiting = Awaiting(root)
    ask(awaiting, request_, root).unlink()
    assert said(awaiting, until_ms=HEARD_WITHIN_MS) == []
    awaiting.answered()
    assert said(awaiting, HEARD_WITHIN_MS) == []


def test_a_shutdown_asked_for_during_an_update_says_what_it_waits_for(root: Path) -> None:
    awaiting = Awaiting(root)
    ask(awaiting, Request.UPDATE, root).unlink()
    (root / AT_WORK).touch()
    assert awaiting.poll(0, untranslated) is None
    path = ask(awaiting, Request.SHUT_DOWN, root, STEP_MS)
    ((at_ms, sentence),) = said(awaiting, STEP_MS, 10 * HEARD_WITHIN_MS)
    assert at_ms == STEP_MS + HEARD_WITHIN_MS
    assert "update is still at work" in sentence
    assert path.exists(), "it is done after it"
    path.unlink()
    (root / AT_WORK).unlink()
    sentences = [sentence for _, sentence in said(awaiting, 10 * HEARD_WITHIN_MS, 10 * HEARD_WITHIN_MS + END_MS)]
    assert len(sentences) == 2, "and where nothing comes of either, that is said of each"
    assert all("did not do" in sentence for sentence in sentences)


def test_an_update_that_takes_hours_is_not_given_up_and_one_that_ended_without_an_answer_is(root: Path) -> None:
    awaiting = Awaiting(root)
    ask(awaiting, Request.UPDATE, root).unlink()
    (root / AT_WORK).touch()
    hours_ms = 3 * 3_600_000
    assert said(awaiting, until_ms=hours_ms) == []
    (root / AT_WORK).unlink()
    ((at_ms, sentence),) = said(awaiting, hours_ms, hours_ms + END_MS)
    assert at_ms - hours_ms <= DONE_WITHIN_MS[Request.UPDATE] and "did not do" in sentence


def test_a_table_that_was_started_anew_in_an_update_does_not_take_a_shutdown_back(root: Path) -> None:
    (root / AT_WORK).touch()
    awaiting = Awaiting(root)
    path = ask(awaiting, Request.SHUT_DOWN, root)
    ((_, sentence),) = said(awaiting)
    assert "update is still at work" in sentence and path.exists()
