"""The matches in a journal, read without touching it, also while a table runs: for history, export and statistics.

Reading only; writing is in `journal`, and what is printed in the commands.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from table_app.record.errors import UNREADABLE, MatchUnreadableError, StoreDamagedError, StoreError, StoreNewerError
from table_app.record.files import SQLITE_MAGIC
from table_app.record.head import check_deck, setup_of
from table_app.record.journal import Entry, EntryKind, Journal, MatchRecord
from table_app.record.journal_log import Mark, is_end_known, is_gone, read_mark, shortfall
from table_app.record.losses import day_text
from table_app.record.read_only import in_memory
from table_app.record.salvage import salvage
from table_app.record.schema import APPLICATION_ID, VERSION, damage_of, version_of
from table_app.rules import Match, Phase, Ruling, SetScore, Undo, apply, new_match
from table_app.rules.actions import Action
from table_app.small_files import open_file
from table_app.transcript import BadLineError, parse_action
from table_app.transcript.header import DeckLoader
from table_app.transcript.redacting import redacted, redacted_setup

PRIMARY_CODE = 0xFF
"""SQLite's result codes without what they are extended by (*Result and Error Codes*)."""


REFUSED_CODES = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
"""How SQLite says that it can't write the index of the log, beside a file that it could read."""


@contextmanager
def open_records(path: Path) -> Iterator[Journal]:
    """The journal at *path*, to be read only; of a damaged one, with its newest whole copy, what can be read.

    What of it can't be is its `standing_trouble`, a sentence; where nothing beside it says how far it had gone, its
    `is_end_known` is false.

    :raises StoreError: if there is none, or nothing of it can be read.
    """
    mark = read_mark(path)
    if not (path.exists() or is_gone(path, mark)):
        raise StoreError(f"There is no record at {path}; play a match first, or name another --state-directory.")
    try:
        whole = _whole(path, mark)
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path} can't be read ({error}); look at the permissions of its directory.") from error
    if whole is not None:
        try:
            journal = Journal(whole, path, lambda: "", "")
            journal.is_end_known = is_end_known(path, mark)
            yield journal
        finally:
            whole.close()
        return
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as readable, TemporaryDirectory() as folder:
        losses, _copy = salvage(path, readable, Path(folder))
        journal = Journal(readable, path, lambda: "", "")
        if journal.last_match() is None:
            raise StoreDamagedError(f"{path} is damaged, and nothing of it can be read; start a table, which mends it.")
        journal.standing_trouble = f"{path} is damaged; the next start of the table mends it. {losses.words()}"
        yield journal


def _whole(path: Path, mark: Mark | None) -> sqlite3.Connection | None:
    """A connection that only reads; None where the journal is damaged.

    :raises StoreError: if a newer program made it.
    :raises sqlite3.OperationalError: if it can't be opened.
    """
    if not path.is_file():
        return None
    with open_file(path) as stream:
        if stream.read(len(SQLITE_MAGIC)) != SQLITE_MAGIC:
            return None
    connection = _connected(path)
    try:
        if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
            if version_of(connection) > VERSION:
                raise StoreNewerError(f"{path} was made by a newer Last Card; install that one to read it.")
            if not shortfall(connection, path, mark) and not damage_of(connection):
                return connection
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & PRIMARY_CODE in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PERM):
            raise
        return None
    except UNREADABLE:
        pass
    except StoreError:
        connection.close()
        raise
    connection.close()
    return None


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to the file; or to what it holds, where a disk that takes nothing keeps it from being read."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & PRIMARY_CODE in REFUSED_CODES:
            with suppress(StoreError, OSError):
                readable = in_memory(path)
                connection.close()
                return readable
    except UNREADABLE:
        pass  # whoever asks next is told
    return connection


def record_of(journal: Journal, number: int | None) -> MatchRecord:
    """The match of this *number*; None: the last one in which anything was done.

    :raises StoreError: if there is no such match.
    """
    records = list(journal.matches())
    played = journal.played()
    if number is None and journal.match in played:
        number = journal.match  # also an earlier one that was taken up again
    for record in reversed(records):
        if record.number == number or (number is None and record.number in played):
            return record
    if not records or number is None:
        raise StoreError("The record holds no match yet.")
    raise StoreError(f"There is no match {number}; the record has {records[0].number} to {records[-1].number}.")


def rulings(
    journal: Journal, record: MatchRecord, load_deck: DeckLoader | None = None
) -> Iterator[tuple[Match, Action, Match, Ruling]]:
    """Every action of a match judged again: the match before it, the action, the match after it, the ruling.

    :raises MatchUnreadableError: if something can't be read.
    """
    match = new_match(setup_of(record.header, load_deck))
    for entry in journal.entries(record.number, with_notes=True):
        if entry.kind is EntryKind.NOTE:
            check_deck(entry.line, match.setup.deck)
            continue
        action = _action(entry, match)
        after, ruling = apply(match, action)
        yield match, action, after, ruling
        match = after


def _action(entry: Entry, match: Match) -> Action:
    try:
        return parse_action(entry.line, match)
    except BadLineError as error:
        raise MatchUnreadableError(f"it holds a line that can't be read: {error}") from error


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


def unreadable_text(record: MatchRecord, error: StoreError) -> str:
    """That a match can't be read, and why, as a sentence."""
    return f"Match {record.number} of {day_text(record.began_at)} can't be read: {str(error).rstrip('.')}."


def statistics(
    journal: Journal, load_deck: DeckLoader | None = None, tell: Callable[[str], None] | None = None
) -> list[PlayerStatistics]:
    """Everybody who ever played here, in the order in which they came; *tell* is told which match can't be read."""
    players: dict[str, PlayerStatistics] = {}
    for record in journal.matches():
        done: list[tuple[Match, Action, Match, Ruling]] = []
        try:
            for step in rulings(journal, record, load_deck):
                if isinstance(step[1], Undo) and step[3].is_ok:
                    _take_back(done, step[2])
                else:
                    done.append(step)
        except MatchUnreadableError as error:
            if tell is not None:
                tell(unreadable_text(record, error))
            continue
        _add_match(players, done)
    return list(players.values())


def _take_back(done: list[tuple[Match, Action, Match, Ruling]], after: Match) -> None:
    """What was undone did not happen: go back to the last action that the undo left standing."""
    while done:
        before, _action, was, _ruling = done.pop()
        if was.before is before or was.round_number > before.round_number:
            return


def _add_match(players: dict[str, PlayerStatistics], done: list[tuple[Match, Action, Match, Ruling]]) -> None:
    if not done:
        return
    last = done[-1][2]
    for name in last.names:
        players.setdefault(name, PlayerStatistics(name)).matches += 1
    for seat in last.winners:
        players[last.names[seat]].matches_won += 1
    for before, action, after, ruling in done:
        if after.round_number > before.round_number:
            for name, plays in zip(after.names, after.playing, strict=True):
                players[name].rounds += plays
        for happening in ruling.effects:
            _add_happening(players, happening.word, happening.player, happening.value)
        if isinstance(action, SetScore) and ruling.is_ok:
            for name, was, now in zip(after.names, before.scores, after.scores, strict=True):
                players[name].points += now - was
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
    elif word == "uno-missed":
        statistics_of.missed_calls += 1
    elif word == "lifted":
        statistics_of.missed_calls -= 1


def _challenger(before: Match, after: Match) -> str | None:
    """Who challenged: the victim of the open Wild Draw Four."""
    four = before.wild_four
    return None if four is None else after.names[four.victim]
