"""The matches in a journal, read without touching it, also while a table runs: for history, export and statistics.

Reading only; writing is in `journal`, and what is printed in the commands.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from table_app.rules import Match, Phase, Ruling, Undo, apply, new_match
from table_app.rules.actions import Action
from table_app.table.errors import StoreDamagedError, StoreError
from table_app.table.journal import Entry, Journal, MatchRecord
from table_app.table.resume import DeckLoader, setup_of
from table_app.transcript import BadLineError, parse_action
from table_app.transcript.redacting import redacted, redacted_setup


@contextmanager
def open_records(path: Path) -> Iterator[Journal]:
    """The journal at *path*, to be read only.

    :raises StoreError: if there is none, or it can't be read.
    :raises StoreDamagedError: if it is damaged.
    """
    if not path.is_file():
        raise StoreError(f"There is no record at {path}; play a match first, or name another --state-directory.")
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise StoreError(f"{path} can't be read ({error}).") from error
    try:
        yield Journal(connection, path, lambda: "", "")
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path} can't be read ({error}); look at the permissions of its directory.") from error
    except sqlite3.DatabaseError as error:
        raise StoreDamagedError(f"{path} is damaged ({error}).") from error
    finally:
        connection.close()


def record_of(journal: Journal, number: int | None) -> MatchRecord:
    """The match of this *number*; None: the last one.

    :raises StoreError: if there is no such match.
    """
    records = list(journal.matches())
    for record in reversed(records):
        if number is None or record.number == number:
            return record
    if not records:
        raise StoreError("The record holds no match yet.")
    raise StoreError(f"There is no match {number}; the record has 1 to {records[-1].number}.")


def rulings(
    journal: Journal, record: MatchRecord, load_deck: DeckLoader | None = None
) -> Iterator[tuple[Match, Action, Match, Ruling]]:
    """Every action of a match judged again: the match before it, the action, the match after it, the ruling.

    :raises StoreDamagedError: if something can't be read.
    """
    match = new_match(setup_of(record.header, load_deck))
    for entry in journal.entries(record.number):
        action = _action(entry, match)
        after, ruling = apply(match, action)
        yield match, action, after, ruling
        match = after


def _action(entry: Entry, match: Match) -> Action:
    try:
        return parse_action(entry.line, match)
    except BadLineError as error:
        raise StoreDamagedError(f"The journal holds a line that can't be read: {error}.") from error


def transcript(
    journal: Journal, record: MatchRecord, *, is_redacted: bool = False, load_deck: DeckLoader | None = None
) -> Iterator[str]:
    """The lines of a match as a transcript; *is_redacted*: without the hands."""
    if not is_redacted:
        yield from record.header.rstrip("\n").split("\n")
        yield ""
        for entry in journal.entries(record.number):
            yield entry.line
        return
    setup = setup_of(record.header, load_deck)
    header = record.header
    if redacted_setup(setup) != setup:
        header = "".join(line + "\n" for line in header.splitlines() if not line.startswith("wild4:"))
    yield from header.rstrip("\n").split("\n")
    yield ""
    yield from redacted(setup, (action for _, action, _, _ in rulings(journal, record, load_deck)))


@dataclass(slots=True)
class MatchSummary:
    """A match in a line: who played, how many rounds, the scores, and who has won (nobody yet: empty)."""

    record: MatchRecord
    names: tuple[str, ...]
    scores: tuple[int, ...]
    rounds: int
    winners: tuple[str, ...]


def summary(journal: Journal, record: MatchRecord, load_deck: DeckLoader | None = None) -> MatchSummary:
    """What became of a match."""
    match = new_match(setup_of(record.header, load_deck))
    for _before, _action, after, _ruling in rulings(journal, record, load_deck):
        match = after
    winners = tuple(match.names[seat] for seat in match.winners) if match.phase is Phase.OVER else ()
    return MatchSummary(record, match.names, match.scores, match.round_number, winners)


@dataclass(slots=True)
class PlayerStatistics:
    """What one player did, over all matches; challenges are those that they made."""

    name: str
    matches: int = 0
    matches_won: int = 0
    rounds: int = 0
    rounds_won: int = 0
    points: int = 0
    missed_calls: int = 0
    challenges_won: int = 0
    challenges_lost: int = 0
    round_points: list[int] = field(default_factory=list)


def statistics(journal: Journal, load_deck: DeckLoader | None = None) -> list[PlayerStatistics]:
    """Everybody who ever played here, in the order in which they came."""
    players: dict[str, PlayerStatistics] = {}
    for record in journal.matches():
        done: list[tuple[Match, Action, Match, Ruling]] = []
        for step in rulings(journal, record, load_deck):
            if isinstance(step[1], Undo) and step[3].is_ok:
                _take_back(done, step[2])
            else:
                done.append(step)
        _add_match(players, record, done)
    return list(players.values())


def _take_back(done: list[tuple[Match, Action, Match, Ruling]], after: Match) -> None:
    """What was undone did not happen: go back to the last action that the undo left standing."""
    while done:
        before, _action, was, _ruling = done.pop()
        if was.before is before or was.round_number > before.round_number:
            return


def _add_match(
    players: dict[str, PlayerStatistics], record: MatchRecord, done: list[tuple[Match, Action, Match, Ruling]]
) -> None:
    if not done:
        return
    last = done[-1][2]
    for name in last.names:
        players.setdefault(name, PlayerStatistics(name)).matches += 1
    for seat in last.winners:
        players[last.names[seat]].matches_won += 1
    for before, _action, after, ruling in done:
        if after.round_number > before.round_number:
            for name, plays in zip(after.names, after.playing, strict=True):
                players[name].rounds += plays
        for happening in ruling.effects:
            _add_happening(players, happening.word, happening.player, happening.value)
        words = {happening.word for happening in ruling.effects}
        challenger = _challenger(before, after)
        if challenger is not None and words & {"guilty", "innocent"}:
            if "guilty" in words:
                players[challenger].challenges_won += 1
            else:
                players[challenger].challenges_lost += 1


def _add_happening(
    players: dict[str, PlayerStatistics], word: str, player: str | None, value: int | str | None
) -> None:
    if player is None:
        return
    statistics_of = players[player]
    if word == "out":
        statistics_of.rounds_won += 1
    elif word == "score":
        statistics_of.points += int(value or 0)
        statistics_of.round_points.append(int(value or 0))
    elif word == "uno-missed":
        statistics_of.missed_calls += 1
    elif word == "lifted":
        statistics_of.missed_calls -= 1


def _challenger(before: Match, after: Match) -> str | None:
    """Who challenged: the victim of the open Wild Draw Four."""
    four = before.wild_four
    return None if four is None else after.names[four.victim]
