"""One question about a machine or a device, and its answer with the one thing to do.

What is asked is elsewhere: ``diagnosis`` and ``diagnosis_live`` for reader and pins, ``table_app`` for the table.
"""

from __future__ import annotations

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
