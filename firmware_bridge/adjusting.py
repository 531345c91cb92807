"""A board's settings by name, for ``lastcard firmware settings`` and ``set``: ``readers.pile.cs 20``, ``lamps 10,11``.

Names and values to the board's JSON and back, and the change itself; whether a value can be is the board's to say,
and the one file that keeps it is on the board.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from firmware_bridge.errors import BridgeError
from firmware_bridge.install import RESTART_MS, Clock, Conversation, choose_board
from firmware_bridge.messages import Change, Restart, Result, Topic
from firmware_bridge.reports import READER_FIELDS, counters, whole_settings

NONE: Final = "none"
# What a new part has beside what is set, as the board's usual ones (``firmware/settings.py``).
_NEW_READER: Final[Mapping[str, Any]] = {"cs": None, "reset": None, "gain_db": 38}
_NEW_BUZZER: Final[Mapping[str, Any]] = {"pin": None, "passive": True}


class SettingNameError(BridgeError, ValueError):
    """There is no setting of that name."""


def named_values(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each setting of a board as :func:`changed` takes it, name and value, in order of names."""
    for top, value in sorted(settings.items()):
        if top == "readers":
            for reader in value:
                for field in READER_FIELDS:
                    yield f"{top}.{reader['name']}.{field}", _text(reader[field])
        elif isinstance(value, dict):
            for name, part in value.items():
                yield f"{top}.{name}", _text(part)
        else:
            yield top, _text(value)


def changed(settings: Mapping[str, Any], name: str, value: str) -> dict[str, Any]:
    """Return *settings* with *value* at *name*; ``none`` takes a button, a reader or the buzzer away.

    :raises SettingNameError: if there is no such name. Values are judged by the board.
    """
    top, *rest = name.split(".")
    if top not in settings:
        near = difflib.get_close_matches(top, settings, 1)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise SettingNameError(f"The board has no setting {top}{hint} It knows {', '.join(sorted(settings))}.")
    old, new = settings[top], _value(value)
    if not rest:
        return {**settings, top: _whole(name, old, new)}
    if top == "readers":
        return {**settings, top: _readers(old, rest, name, new)}
    if top == "buttons":
        button = ".".join(rest)
        others = {key: pin for key, pin in old.items() if key != button}
        return {**settings, top: others if new is None else {**old, button: new}}
    known = dict(_NEW_BUZZER) if top == "buzzer" and old is None else old
    if not isinstance(known, dict) or ".".join(rest) not in known:
        parts = ", ".join(f"{top}.{part}" for part in known) if isinstance(known, dict) else top
        raise SettingNameError(f"There is no setting {name}; there is {parts}.")
    return {**settings, top: {**known, rest[0]: new}}


def _whole(name: str, old: Any, new: Any) -> Any:
    if isinstance(old, list) and not isinstance(new, list):
        return [] if new is None else [new]
    if isinstance(old, dict) and not isinstance(new, dict | None):
        raise SettingNameError(f"{name} has several parts; set one of them, such as {name}.{next(iter(old), 'draw')}.")
    return new


def _readers(old: Sequence[Mapping[str, Any]], rest: Sequence[str], name: str, new: Any) -> list[Any]:
    field = rest[-1]
    if len(rest) == 1 and new is None:
        return [reader for reader in old if reader["name"] != field]
    if len(rest) < 2 or field not in READER_FIELDS:
        there = ", ".join(f"readers.{rest[0]}.{known}" for known in READER_FIELDS)
        raise SettingNameError(f"There is no setting {name}; there is {there}, and none takes readers.{rest[0]} away.")
    wanted = ".".join(rest[:-1])
    if not any(reader["name"] == wanted for reader in old):
        return [*old, {"name": wanted, **_NEW_READER, field: new}]
    return [{**reader, field: new} if reader["name"] == wanted else reader for reader in old]


def _value(text: str) -> Any:
    """``none``, JSON, numbers with commas between them, or the text as it is."""
    if text == NONE:
        return None
    for candidate in (text, f"[{text}]"):
        try:
            return json.loads(candidate)
        except (ValueError, RecursionError):
            continue
    return text


def _text(value: Any) -> str:
    if value is None or value == []:
        return NONE
    if isinstance(value, list):
        return ",".join(str(part) for part in value)
    return json.dumps(value)


def read_settings(address: str | None, clock: Clock, new_session: Callable[[], int]) -> dict[str, Any]:
    """Ask a board for its settings.

    :raises BridgeError: if there is none, or it does not answer.
    """
    board = Conversation(choose_board(address), clock, new_session)
    try:
        board.connect(RESTART_MS // 4)
        return whole_settings(board.report(Topic.SETTINGS))
    finally:
        board.close()


def set_settings(
    address: str | None, clock: Clock, new_session: Callable[[], int], assignments: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """Change a board's settings and restart it, since they count from its next start on; return all of them.

    All of *assignments*, (name, value) each, or none. Settings with which the board can't set up its pins, as it says
    when it is back, are taken back.

    :raises BridgeError: if there is no board, no such setting, or the board refuses or does not come back, with what to
        do.
    """
    board = Conversation(choose_board(address), clock, new_session)
    try:
        board.connect(RESTART_MS // 4)
        before = whole_settings(board.report(Topic.SETTINGS))
        after = before
        for name, value in assignments:
            after = changed(after, name, value)
        _store(board, before, after)
        try:
            _restart(board)
        except BridgeError as fault:
            back = _way_back(before, after)
            raise BridgeError(f"{fault} It keeps what was set. To set it back: lastcard firmware set {back}") from fault
        note = counters(board.report(Topic.COUNTERS)).get("note", "")
        if note:
            _store(board, after, before)
            _restart(board)
            raise BridgeError(f"{note} The settings are again what they were; choose other pins.")
        return whole_settings(board.report(Topic.SETTINGS))
    finally:
        board.close()


def _way_back(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """What to set for *before* where *after* is in force, as ``lastcard firmware set`` takes it."""
    old, new = dict(named_values(before)), dict(named_values(after))
    back = {name: value for name, value in old.items() if new.get(name) != value}
    for name in new.keys() - old.keys():
        if name.startswith("buttons."):
            back[name] = NONE
        elif name.startswith("readers."):
            back[name.rpartition(".")[0]] = NONE
    return " ".join(f"{name} {value}" for name, value in sorted(back.items()))


def _store(board: Conversation, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    # One part after the other in one message: only what differs, so that it fits into one frame.
    parts = {name: value for name, value in after.items() if value != before.get(name)}
    try:
        done = board.ask(Change(json.dumps(parts)))
    except ValueError as error:
        raise BridgeError("That is more than the board keeps. Give the buttons shorter names.") from error
    if done.result is not Result.DONE:
        raise BridgeError(f"The board keeps its settings as they are: {done.text}.")


def _restart(board: Conversation) -> None:
    board.ask(Restart())
    board.await_end(RESTART_MS)
    board.connect(RESTART_MS)
