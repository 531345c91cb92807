"""What a board reports about itself, taken only as far as it has the shape that it should have.

A board may run an older or newer firmware, somebody else's, or tell nonsense: what is missing or of another kind is
left out, and no report ends a command. Pure; how a report is asked for is ``install``'s.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NoReturn

from firmware_bridge.errors import BoardFaultError

READER_FIELDS: Final = ("cs", "reset", "gain_db")
VERSION_MAX: Final = 0xFF
_MEND: Final = "Run: lastcard firmware install"


def parsed(text: str) -> Any:
    """What a report's JSON says.

    :raises BoardFaultError: if it is none, or nobody could write it down again.
    """
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        raise BoardFaultError(f"The board's report can't be read ({text[:80]}). {_MEND}") from None


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _finite(word: str) -> float:
    number = float(word)
    return number if math.isfinite(number) else _no_number(word)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def _all_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_number, value.values()))


def _is_reader(value: Any) -> bool:
    """Whether these are a reader's settings."""
    is_named = isinstance(value, dict) and isinstance(value.get("name"), str)
    return is_named and all(field in value and _is_scalar(value[field]) for field in READER_FIELDS)


def _is_buzzer(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and {"pin", "passive"} <= value.keys())


_COUNTERS: Final[Mapping[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        "uptime_s": _is_number,
        "memory_free": _is_number,
        "counters": _all_numbers,
        "note": lambda value: isinstance(value, str),
        "last_fault": lambda value: isinstance(value, str),
    }
)
_SETTINGS: Final[Mapping[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        "readers": lambda value: isinstance(value, list) and all(map(_is_reader, value)),
        "buttons": _all_numbers,
        "lamps": lambda value: isinstance(value, list) and all(map(_is_scalar, value)),
        "buzzer": _is_buzzer,
        "spi": lambda value: isinstance(value, dict),
    }
)


def _fitting(report: Any, shapes: Mapping[str, Callable[[Any], bool]]) -> dict[str, Any]:
    known = report if isinstance(report, dict) else {}
    return {name: value for name, value in known.items() if name not in shapes or shapes[name](value)}


def counters(report: Any) -> dict[str, Any]:
    """What a board counted; each that is known has its kind: numbers, and the texts ``note`` and ``last_fault``."""
    return _fitting(report, _COUNTERS)


def readers(report: Any) -> list[dict[str, Any]]:
    """The readers of a board, each with its name, the chip's version (None: not told) and its fault (empty: none)."""
    found = []
    for reader in report if isinstance(report, list) else ():
        if not isinstance(reader, dict) or not isinstance(reader.get("name"), str):
            continue
        version, fault = reader.get("version"), reader.get("fault")
        is_version = isinstance(version, int) and not isinstance(version, bool) and 0 <= version <= VERSION_MAX
        found.append(
            {
                "name": reader["name"],
                "version": version if is_version else None,
                "fault": fault if isinstance(fault, str) else "",
            }
        )
    return found


def settings(report: Any) -> dict[str, Any]:
    """A board's settings to be looked at; each that is known has its kind."""
    return _fitting(report, _SETTINGS)


def whole_settings(report: Any) -> dict[str, Any]:
    """A board's settings to be changed.

    :raises BoardFaultError: if one is of another kind: it could not be kept as it is.
    """
    found = settings(report)
    wrong = sorted((_SETTINGS.keys() | (report.keys() if isinstance(report, dict) else set())) - found.keys())
    if wrong:
        raise BoardFaultError(f"The board's settings can't be understood ({', '.join(wrong)[:80]}). {_MEND}")
    return found
