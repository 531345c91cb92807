"""Expectation lines: what a ruling must be, part by part.

Source: transcript, *Expectations*.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from table_app.transcript.judge import Judgement

Facts = dict[str, Any]


class Failure(NamedTuple):
    """A part that does not hold: what was *expected*, and what the ruling says instead."""

    expected: str
    got: str


def check(text: str, judgement: Judgement | None) -> tuple[int, list[Failure]]:
    """The number of parts in an expectation line, and those that fail."""
    parts = [part.strip() for part in text.split(";")]
    parts = [part for part in parts if part]
    if not parts:
        return 1, [Failure("something to check", "an empty expectation")]
    if judgement is None:
        return len(parts), [Failure(part, "no ruling before it") for part in parts]
    facts = judgement.as_json("")
    failures = []
    for part in parts:
        got = _check_part(part, facts)
        if got is not None:
            failures.append(Failure(part, got))
    return len(parts), failures


def _check_part(part: str, facts: Facts) -> str | None:
    """None if the part holds, else what is there instead."""
    word, _, value = part.partition(" ")
    reader = READERS.get(word)
    value = value.strip()
    if reader is None or (not value and word != "ok"):
        return "an expectation that can't be read"
    return reader(value, facts)


def _is_ok(value: str, facts: Facts) -> str | None:
    if value:
        return "an expectation that can't be read"
    return None if facts["ok"] else f"refused {facts['code']}"


def _is_refused(value: str, facts: Facts) -> str | None:
    if facts["ok"]:
        return "ok"
    return None if facts["code"] == value else f"refused {facts['code']}"


def _plain(key: str) -> Callable[[str, Facts], str | None]:
    def read(value: str, facts: Facts) -> str | None:
        got = facts[key]
        shown = "none" if got is None else str(got)
        return None if shown == value else f"{key} {shown}"

    return read


def _of_player(key: str, label: str) -> Callable[[str, Facts], str | None]:
    def read(value: str, facts: Facts) -> str | None:
        player, _, number = value.rpartition(" ")
        player = player.strip()
        if player not in facts[key]:
            return f"nobody called {player}"
        got = facts[key][player]
        return None if str(got) == number else f"{label} {player} {got}"

    return read


def _owes(value: str, facts: Facts) -> str | None:
    owes: dict[str, int] = facts["owes"]
    got = "owes " + (", ".join(f"{name} {cards}" for name, cards in owes.items()) or "none")
    if value == "none":
        return got if owes else None
    player, _, number = value.rpartition(" ")
    player = player.strip()
    if player not in facts["hands"]:
        return f"nobody called {player}"
    wanted = "0" if number == "none" else number
    return None if str(owes.get(player, 0)) == wanted else got


def _effects(facts: Facts) -> str:
    return "effects " + (", ".join(facts["effects"]) or "none")


def _has_effect(value: str, facts: Facts) -> str | None:
    return None if value in facts["effects"] else _effects(facts)


def _has_no_effect(value: str, facts: Facts) -> str | None:
    hit = any(effect == value or effect.startswith(f"{value} ") for effect in facts["effects"])
    return _effects(facts) if hit else None


def _waits(value: str, facts: Facts) -> str | None:
    player, _, word = value.rpartition(" ")
    wanted = [None if player.strip() == "table" else player.strip(), word]
    if wanted in facts["waits"]:
        return None
    listed = ", ".join(f"{who or 'table'} {what}" for who, what in facts["waits"])
    return f"waits {listed or 'nothing'}"


def _legal(value: str, facts: Facts) -> str | None:
    words = {True: "true", False: "false", None: "unknown"}
    got = words[facts["legal"]] if "legal" in facts else "absent"
    return None if got == value else f"legal {got}"


READERS: dict[str, Callable[[str, Facts], str | None]] = {
    "ok": _is_ok,
    "refused": _is_refused,
    "rule": _plain("rule"),
    "turn": _plain("turn"),
    "colour": _plain("colour"),
    "top": _plain("top"),
    "direction": _plain("direction"),
    "hand": _of_player("hands", "hand"),
    "score": _of_player("scores", "score"),
    "owes": _owes,
    "effect": _has_effect,
    "no-effect": _has_no_effect,
    "waits": _waits,
    "legal": _legal,
}
