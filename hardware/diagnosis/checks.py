"""One question about a machine or a device, and its answer with the one thing to do.

What is asked is elsewhere: ``reader`` and ``board`` for readers and pins, ``table_app`` for the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Check:
    """One question and its answer. *fix* is the one thing to do; empty if nothing is wrong."""

    name: str
    status: Status
    sentence: str
    fix: str = ""


def passed(name: str, sentence: str) -> Check:
    return Check(name, Status.PASSED, sentence)


def failed(name: str, sentence: str, fix: str) -> Check:
    return Check(name, Status.FAILED, sentence, fix)


def not_checked(name: str, sentence: str, fix: str = "") -> Check:
    return Check(name, Status.NOT_CHECKED, sentence, fix)


def guarded(name: str, examine: Callable[[], Check | Sequence[Check]]) -> list[Check]:
    """What *examine* finds; where it breaks off, that is a failed check called *name*, and the others go on."""
    try:
        found = examine()
    except OSError as error:
        what = f": {error.filename}" if error.filename else ""
        fix = "Give this user the right to look there." if isinstance(error, PermissionError) else "Look at it by hand."
        return [failed(name, f"This could not be examined ({error.strerror or error}{what}).", fix)]
    except Exception as error:  # a fault of the examination's own, which is no reason to say nothing of the rest
        fix = "The other checks hold. Please report this one."
        said = " ".join(str(error).split())
        return [failed(name, f"This could not be examined ({type(error).__name__}: {said}).", fix)]
    return [found] if isinstance(found, Check) else list(found)
