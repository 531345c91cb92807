"""The header of a transcript: ``key: value`` lines and the set-up that they say, in both directions.

No action and no ruling here. Source: transcript, *Header*.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from table_app.rules.cards import CUSTOMIZABLE_CODES, DECKS, CustomKind, CustomRule, Deck, face
from table_app.rules.house_rules import PRICES, HouseRule
from table_app.rules.setup import (
    EDITIONS,
    NANOSECONDS,
    Scoring,
    Setup,
    SetupError,
    UnoMode,
    WildFourMode,
    agreed_deck,
)
from table_app.transcript.bad_line import BadLineError
from table_app.transcript.notation import time_text
from table_app.transcript.player_names import TABLE, check_name

Word = TypeVar("Word", bound=StrEnum)

KEYS = (
    "players",
    "edition",
    "deck",
    "dealer",
    "target",
    "scoring",
    "wild4",
    "uno",
    "grace",
    "house",
    "plays",
    "wild-points",
    *(price.key for price in PRICES),
    "turn-clock",
    "custom",
    "scores",
)
_SECONDS = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")
_NUMBER = re.compile(r"[0-9]{1,9}")
MAXIMUM_CUSTOM_RULES = 3
DeckLoader = Callable[[str], Deck]


class HeaderError(ValueError):
    """A header that can't be used; *line* counts from 1, and the text is a sentence."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class Entry(NamedTuple):
    """One header line."""

    line: int
    key: str
    value: str


def nearest(word: str, known: Iterable[str]) -> str:
    """`` (did you mean X?)``, where a known word is near; else nothing."""
    near = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f" (did you mean {near[0]}?)" if near else ""


class HeaderReader:
    """Takes header lines one by one until the first action, then makes the set-up.

    *load_deck* opens a deck file by its path, relative to the transcript; None: only the built-in decks.
    """

    def __init__(self, load_deck: DeckLoader | None = None) -> None:
        self._entries: dict[str, Entry] = {}
        self._load_deck = load_deck

    def take(self, line: int, text: str) -> bool:
        """Take a line (without comment, not empty); False if it is no header line but the first action.

        :raises HeaderError: if it is neither.
        """
        key, colon, value = text.partition(":")
        key = key.strip(" \t")
        if not colon:
            if text.startswith("@"):
                return False
            raise HeaderError(line, f"{_short(text)} is neither a header line (key: value) nor an action")
        if key not in KEYS:
            return self._is_action(line, key)
        if key in self._entries:
            raise HeaderError(line, f"{key} is given twice; it stands in line {self._entries[key].line} already")
        self._entries[key] = Entry(line, key, value.strip(" \t"))
        return True

    def _is_action(self, line: int, key: str) -> bool:
        if key == TABLE or key.startswith("@") or key in self._names():
            return False
        raise HeaderError(line, f"{_short(key)} is no header key and nobody's name{nearest(key, KEYS)}")

    def _names(self) -> tuple[str, ...]:
        entry = self._entries.get("players")
        return tuple(name.strip(" \t") for name in entry.value.split(",")) if entry else ()

    def setup(self, line: int) -> Setup:
        """The set-up; *line* is where the header ends, to be named if ``players`` is missing.

        :raises HeaderError: if the header contradicts itself or has a value that does not exist.
        """
        if "players" not in self._entries:
            raise HeaderError(line, "the header has no players; begin with a line such as players: Ann, Ben")
        return _Values(self._entries, self._load_deck).setup()


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


class _Values:
    """The values of a header's entries, each checked where it stands."""

    def __init__(self, entries: Mapping[str, Entry], load_deck: DeckLoader | None) -> None:
        self._entries = entries
        self._load_deck = load_deck

    def setup(self) -> Setup:
        players = self._players()
        edition = EDITIONS[self._choice("edition", EDITIONS, "classic")]
        house = self._house()
        prices: dict[str, Any] = {price.field: self._number(price.key, price.default) for price in PRICES}
        try:
            return Setup(
                players=players,
                edition=edition,
                deck=self._deck(edition.deck, edition.name),
                dealer=self._dealer(),
                target=self._target(edition.target),
                scoring=self._word("scoring", Scoring, Scoring.WINNER),
                wild_four=self._word("wild4", WildFourMode, WildFourMode.CHALLENGE),
                uno=self._word("uno", UnoMode, UnoMode.REFEREE),
                grace_ns=self._seconds("grace", 5 * NANOSECONDS),
                house=house,
                refereed=self._choice("plays", ("refereed", "unrefereed"), "refereed") == "refereed",
                turn_clock_ns=self._turn_clock(),
                scores=self._scores(players, HouseRule.TEAMS in house),
                **prices,
            )
        except SetupError as error:
            raise self._blame(error.key, str(error)) from None

    def _blame(self, key: str, message: str) -> HeaderError:
        entry = self._entries.get(key) or self._entries["players"]
        return HeaderError(entry.line, message)

    def _value(self, key: str) -> str | None:
        entry = self._entries.get(key)
        return entry.value if entry is not None else None

    def _choice(self, key: str, known: Iterable[str], default: str) -> str:
        value = self._value(key)
        if value is None:
            return default
        if value not in known:
            listed = ", ".join(known)
            raise self._blame(key, f"{_short(value)} is no {key}{nearest(value, known)}; there is {listed}")
        return value

    def _word(self, key: str, words: type[Word], default: Word) -> Word:
        return words(self._choice(key, [word.value for word in words], default.value))

    def _number(self, key: str, default: int, lowest: int = 0) -> int:
        value = self._value(key)
        if value is None:
            return default
        if not _NUMBER.fullmatch(value) or int(value) < lowest:
            raise self._blame(key, f"{key} must be a number from {lowest} on, not {_short(value)}")
        return int(value)

    def _seconds(self, key: str, default: int) -> int:
        value = self._value(key)
        if value is None:
            return default
        found = _SECONDS.fullmatch(value)
        if found is None:
            raise self._blame(key, f"{key} must be seconds, such as 5 or 2.5, not {_short(value)}")
        return int(found[1]) * NANOSECONDS + int((found[2] or "").ljust(9, "0"))

    def _players(self) -> tuple[str, ...]:
        names = tuple(name.strip(" \t") for name in (self._value("players") or "").split(","))
        for number, name in enumerate(names):
            try:
                check_name(name, names[:number])
            except BadLineError as error:
                raise self._blame("players", str(error)) from None
        return names

    def _dealer(self) -> str | None:
        return self._value("dealer")

    def _target(self, default: int | None) -> int | None:
        value = self._value("target")
        if value == "none":
            return None
        if value is not None and not _NUMBER.fullmatch(value):
            raise self._blame("target", f"the target must be a number of points or none, not {_short(value)}")
        return default if value is None else int(value)

    def _turn_clock(self) -> int | None:
        if self._value("turn-clock") in (None, "none"):
            return None
        limit = self._seconds("turn-clock", 0)
        if not limit:
            raise self._blame("turn-clock", "a turn clock of 0 seconds leaves nobody a turn; give more, or none")
        return limit

    def _house(self) -> frozenset[HouseRule]:
        known = [rule.value for rule in HouseRule]
        chosen = (self._value("house") or "").replace(",", " ").split()
        for word in chosen:
            if word not in known:
                listed = ", ".join(known)
                message = f"{_short(word)} is no house rule{nearest(word, known)}; there is {listed}"
                raise self._blame("house", message)
        return frozenset(rule for rule in HouseRule if rule in chosen)

    def _deck(self, default: str, edition: str) -> Deck:
        name = self._value("deck") or default
        custom = self._custom()
        wild_points = int(self._choice("wild-points", ("50", "40"), "50"))
        try:
            deck = DECKS[name] if name in DECKS else self._deck_file(name)
            return agreed_deck(deck, EDITIONS[edition], custom, wild_points)
        except SetupError as error:
            raise self._blame(error.key, str(error)) from None

    def _deck_file(self, name: str) -> Deck:
        looks_like_a_file = name.endswith(".toml") or "/" in name
        if self._load_deck is None or not looks_like_a_file:
            listed = ", ".join(DECKS)
            message = f"{_short(name)} is no deck{nearest(name, DECKS)}; there is {listed}, or a deck file's path"
            raise self._blame("deck", message)
        try:
            return self._load_deck(name)
        except OSError as error:
            from table_app.decks import unreadable_text  # as in `deck_loader_beside`

            raise self._blame("deck", unreadable_text(error.filename or name, error)) from None
        except ValueError as error:
            raise self._blame("deck", f"the deck file {name} can't be used: {error}") from None

    def _custom(self) -> tuple[CustomRule, ...] | None:
        value = self._value("custom")
        if value is None:
            return None
        parts = [part.strip(" \t") for part in value.split("|")]
        if len(parts) > MAXIMUM_CUSTOM_RULES:
            raise self._blame("custom", "there are three Customizable cards, so at most three rules for them")
        return tuple(self._custom_rule(part) for part in parts)

    def _custom_rule(self, text: str) -> CustomRule:
        word, _, number = text.partition(" ")
        known = [kind.value for kind in CustomKind]
        if word not in known:
            listed = ", ".join(known)
            raise self._blame("custom", f"{_short(word)} is no such rule{nearest(word, known)}; there is {listed}")
        kind = CustomKind(word)
        number = number.strip(" \t")
        if kind in (CustomKind.NEXT, CustomKind.OTHERS, CustomKind.DARE):
            if not _NUMBER.fullmatch(number) or int(number) < 1:
                raise self._blame("custom", f"{word} needs a number of cards, such as {word} 2")
            return CustomRule(kind, int(number))
        if number:
            raise self._blame("custom", f"{_short(number)} does not belong after {word}")
        return CustomRule(kind)

    def _scores(self, players: tuple[str, ...], teams: bool) -> tuple[int, ...]:
        value = self._value("scores")
        if not value:
            return ()
        scores: dict[str, int] = {}
        for part in value.split(","):
            name, _, points = part.strip(" \t").rpartition(" ")
            name = name.strip(" \t")
            if name not in players:
                raise self._blame("scores", f"{_short(name or points)} does not play; scores are of the players")
            if not _NUMBER.fullmatch(points) or name in scores:
                raise self._blame("scores", f"each player has one score, a number: {name} {points}")
            scores[name] = int(points)
        if teams:
            half = len(players) // 2
            for seat, name in enumerate(players):
                partner = players[(seat + half) % len(players)]
                scores.setdefault(name, scores.get(partner, 0))
        return tuple(scores.get(name, 0) for name in players)


def read_header(lines: Iterable[str], load_deck: DeckLoader | None = None) -> Setup:
    """The set-up that these header lines say.

    :raises HeaderError: if they can't be used, or one of them is no header line.
    """
    reader = HeaderReader(load_deck)
    number = 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not text.startswith("#") and not reader.take(number, text):
            raise HeaderError(number, f"{_short(text)} is no header line")
    return reader.setup(max(number, 1))


# -- writing ---------------------------------------------------------------------------------------------------


def header_text(setup: Setup) -> str:
    """The header lines of a set-up, each that differs from its default.

    A deck file goes by its whole path, so that the record can be read from anywhere.
    """
    plain = Setup(players=setup.players, edition=setup.edition)
    values: dict[str, str | None] = {
        "players": ", ".join(setup.players),
        "edition": setup.edition.name if setup.edition.name != "classic" else None,
        "deck": setup.deck.file or (setup.deck.name if setup.deck.name != setup.edition.deck else None),
        "dealer": setup.dealer,
        "target": _target_text(setup),
        "scoring": setup.scoring if setup.scoring is not plain.scoring else None,
        "wild4": setup.wild_four if setup.wild_four is not plain.wild_four else None,
        "uno": setup.uno if setup.uno is not plain.uno else None,
        "grace": time_text(setup.grace_ns) if setup.grace_ns != plain.grace_ns else None,
        "house": ", ".join(rule.value for rule in HouseRule if rule in setup.house) or None,
        "plays": None if setup.refereed else "unrefereed",
        "wild-points": _wild_points_text(setup),
        **{price.key: str(price.cards(setup)) for price in PRICES if price.cards(setup) != price.default},
        "turn-clock": time_text(setup.turn_clock_ns) if setup.turn_clock_ns else None,
        "custom": _custom_text(setup.deck),
        "scores": ", ".join(f"{name} {score}" for name, score in zip(setup.players, setup.scores, strict=False))
        or None,
    }
    return "".join(f"{key}: {value}\n" for key, value in values.items() if value is not None)


def _target_text(setup: Setup) -> str | None:
    if setup.target == setup.edition.target:
        return None
    return "none" if setup.target is None else str(setup.target)


def _wild_points_text(setup: Setup) -> str | None:
    plain = [kind.points for wanted, kind in setup.deck.kinds.items() if wanted.code == "w"]
    return "40" if plain == [40] and setup.edition.every_wild_counts is None else None


def _custom_text(deck: Deck) -> str | None:
    """What was agreed for the Customizable cards; what a deck file's own cards do stands in the file."""
    rules = [deck.kinds[wanted].custom for wanted in map(face, CUSTOMIZABLE_CODES) if wanted in deck]
    if not rules or rules == [CustomRule(CustomKind.NONE)]:
        return None
    return "|".join(f"{rule.kind} {rule.cards}" if rule.cards else rule.kind.value for rule in rules if rule)


def deck_loader_beside(transcript: Path | None) -> DeckLoader:
    """Opens deck files by paths relative to *transcript* (None: to the working directory)."""
    from table_app.decks import load_deck  # reads files, which only a header that names one needs

    folder = transcript.parent if transcript is not None else Path()
    return lambda name: load_deck(folder / name)
