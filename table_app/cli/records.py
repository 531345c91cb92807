"""``lastcard history``, ``export`` and ``stats``: what the record says, printed or drawn; nothing in it is changed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from table_app.cli.counted import counted
from table_app.cli.whose_table import find_table, give_to_caller
from table_app.printing import printable, say
from table_app.record.archive import (
    PlayerStatistics,
    open_records,
    record_of,
    statistics,
    summary,
    transcript,
    unreadable_text,
)
from table_app.record.errors import MatchUnreadableError, StoreError
from table_app.record.journal import Journal, MatchRecord
from table_app.record.journal_log import is_gone, read_mark
from table_app.record.losses import day_text
from table_app.small_files import write_text
from table_app.table.opening import JOURNAL_FILE, SCORE_DIRECTORY
from table_app.transcript.header import DeckLoader, deck_loader_beside

Command = TypeVar("Command", bound=Callable[..., object])
BAR_WIDTH = 40
"""Columns of the longest bar: beside a name it fits a terminal of 80."""


def _place_options(command: Command) -> Command:
    """Where the record is, as for ``play``."""
    command = click.option("--score", "is_score", is_flag=True, help="The record of lastcard score.")(command)
    command = click.option("--state-directory", type=click.Path(path_type=Path), help="Where the record is kept.")(
        command
    )
    return click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="The settings file.")(
        command
    )


def _found(settings_file: Path | None, directory: Path | None, is_score: bool) -> tuple[Path, DeckLoader]:
    """The journal that is meant, and where the decks of its matches are."""
    table = find_table(settings_file, directory)
    settings = table.settings()
    table.tell(settings)
    folder = table.directory(settings)
    path = (folder / SCORE_DIRECTORY if is_score else folder) / JOURNAL_FILE
    _check_which(path, folder, is_score)
    return path, deck_loader_beside(table.settings_file)


def _check_which(path: Path, folder: Path, is_score: bool) -> None:
    """A table keeps two records: where the other one alone is there, people are told how it is named.

    :raises StoreError: if it is so.
    """
    if path.exists() or is_gone(path, read_mark(path)):
        return
    score = folder / SCORE_DIRECTORY
    if is_score and (folder / JOURNAL_FILE).exists():
        kept = "matches" if folder.name != SCORE_DIRECTORY else "lastcard score"
        raise StoreError(f"There is no record at {path}; that of {kept} is in {folder}: leave out --score.")
    if not is_score and (score / JOURNAL_FILE).exists():
        named = shlex.quote(str(score))
        raise StoreError(
            f"There is no record of matches at {path}, but one of lastcard score in {score}; "
            f"for that one add --score, or name --state-directory {named}."
        )


@click.command()
@_place_options
def history(settings_file: Path | None, state_directory: Path | None, is_score: bool) -> None:
    """List the matches that were played, and those that are not ended."""
    path, load_deck = _found(settings_file, state_directory, is_score)
    with open_records(path) as journal:
        _tell(journal.standing_trouble)
        for record in journal.matches():
            try:
                found = summary(journal, record, load_deck)
            except MatchUnreadableError as error:
                _tell(unreadable_text(record, error))
                continue
            scores = ", ".join(f"{name} {score}" for name, score in zip(found.names, found.scores, strict=True))
            rounds = counted(found.rounds, "round")
            end = "not ended" if found.rounds else "not begun"
            if found.winners:
                end = f"won by {', '.join(found.winners)}"
            click.echo(printable(f"{record.number:>4}  {record.began_at[:16]:<16}  {rounds:<10}  {scores}  ({end})"))


@click.command()
@click.argument("match", type=int, required=False)
@click.option("--redact", is_flag=True, help="Without the hands: numbers in the place of cards.")
@click.option("--to", "target", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file.")
@_place_options
def export(
    match: int | None,
    redact: bool,
    target: Path | None,
    settings_file: Path | None,
    state_directory: Path | None,
    is_score: bool,
) -> None:
    """Write a match (the last one played) as a transcript, which lastcard judge can judge again."""
    path, load_deck = _found(settings_file, state_directory, is_score)
    with open_records(path) as journal:
        _tell(journal.standing_trouble)
        record = record_of(journal, match)
        if match is None:
            _tell(f"This is match {record.number}, of {day_text(record.began_at)}.")
        try:
            lines = list(transcript(journal, record, is_redacted=redact, load_deck=load_deck))
        except MatchUnreadableError as error:
            _tell(unreadable_text(record, error))
            sys.exit(2)
        if redact and not _holds_hands(journal, record, lines, load_deck):
            _tell("No card of a hand was ever seen in this match, so there was nothing to leave out.")
        if target is None:
            for line in lines:
                click.echo(printable(line))
            return
        try:
            _write(target, "".join(f"{line}\n" for line in lines), is_private=not redact)
        except OSError as error:
            say(f"lastcard: {target} can't be written ({error.strerror}); name another file.", err=True)
            sys.exit(2)


def _holds_hands(journal: Journal, record: MatchRecord, redacted: list[str], load_deck: DeckLoader) -> bool:
    """Whether the whole transcript says anything that the redacted one does not."""
    return list(transcript(journal, record, is_redacted=False, load_deck=load_deck)) != redacted


def _tell(sentence: str) -> None:
    """What is not the record itself goes where no file is made of it."""
    if sentence:
        say(f"lastcard: {printable(sentence)}", err=True)


def _write(target: Path, text: str, *, is_private: bool) -> None:
    """Write a file; one that holds hands can be read by its owner alone."""
    write_text(target, text, 0o600 if is_private else 0o644, is_private=is_private, made=give_to_caller)


@click.command()
@click.option(
    "--png", "picture", type=click.Path(path_type=Path, dir_okay=False), help="Draw the points into this file."
)
@_place_options
def stats(picture: Path | None, settings_file: Path | None, state_directory: Path | None, is_score: bool) -> None:
    """Count what each player did: rounds, points, missed calls, challenges."""
    path, load_deck = _found(settings_file, state_directory, is_score)
    with open_records(path) as journal:
        _tell(journal.standing_trouble)
        players = statistics(journal, load_deck, _tell)
    _print_table(players)
    if picture is not None:
        from table_app.display.plot import Bar, save_plot

        bars = [
            Bar(player.name, player.points, f"{player.rounds_won} of {counted(player.rounds, 'round')} won")
            for player in players
        ]
        save_plot("Points in all matches", bars, picture)
        say(f"The picture is in {picture}.")


def _print_table(players: list[PlayerStatistics]) -> None:
    if not players:
        click.echo("Nobody has played yet.")
        return
    wide = max(len(player.name) for player in players)
    click.echo(f"{'':<{wide}}  matches  matches won  rounds  rounds won  points  missed calls  challenges won  lost")
    for player in players:
        click.echo(
            printable(
                f"{player.name:<{wide}}  {player.matches:>7}  {player.matches_won:>11}  {player.rounds:>6}  "
                f"{player.rounds_won:>10}  {player.points:>6}  {player.missed_calls:>12}  "
                f"{player.challenges_won:>14}  {player.challenges_lost:>4}"
            )
        )
    most = max(player.points for player in players)
    if most <= 0:
        return
    click.echo("")
    for player in players:
        bar = "█" * max(round(BAR_WIDTH * max(player.points, 0) / most), 1 if player.points > 0 else 0)
        click.echo(printable(f"{player.name:<{wide}}  {bar} {player.points}"))
