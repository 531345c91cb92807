"""``lastcard judge``: referees transcripts, prints a ruling for every action, or checks expectations.

Files, printing and exit codes; judging itself is in ``table_app.transcript``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from table_app.called import as_called
from table_app.printing import json_text, printable, say
from table_app.rules.messages import Translate
from table_app.small_files import open_file
from table_app.transcript.expectations import check
from table_app.transcript.header import HeaderError, deck_loader_beside
from table_app.transcript.judge import Expectation, Judge, Judgement
from table_app.transcript.lines import read_lines
from table_app.translations import TranslationMissingError, translator


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a ruling.")
@click.option("--check", "is_check", is_flag=True, help="Run the expectations; exit 1 if one fails.")
@click.option("--lang", "language", metavar="LANG", help="Rulings in this language, such as de.")
def judge(files: tuple[str, ...], as_json: bool, is_check: bool, language: str | None) -> None:
    """Referee transcripts by the rules of the real table; - is standard input.

    Exit status: 0 all was read; 1 an expectation failed (--check), or a line could not be read; 2 a bad header, or a
    file that can't be read.
    """
    try:
        report = _Report(as_json, is_check, translator(language))
    except TranslationMissingError as error:
        say(f"lastcard judge: {error}", err=True)
        sys.exit(2)
    try:
        for file in files:
            report.run(file)
        status = report.finish()
    except OutputError as error:
        click.echo(f"lastcard judge: the rulings can't be written: {error}.", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 2
    sys.exit(status)


class OutputError(Exception):
    """What was to be printed can't be; the text is the system's reason."""


class _Report:
    """Prints as it goes, and remembers what the exit code must say."""

    def __init__(self, as_json: bool, is_check: bool, translate: Translate) -> None:
        self._as_json = as_json
        self._is_check = is_check
        self._translate = translate
        self._passed = 0
        self._failed = 0
        self._is_unreadable = False
        self._bad_lines = 0

    def run(self, file: str) -> None:
        """Referee one file; what can't be read is said in one line on standard error."""
        path = None if file == "-" else Path(file)
        judge_of_file = Judge(deck_loader_beside(path))
        number = 0
        try:
            with _opened(path) as stream:
                for line in read_lines(stream):
                    number = line.number
                    self._show(file, judge_of_file.take(line))
            judge_of_file.finish(number)
        except HeaderError as error:
            self._complain(f"{file}:{error.line}: {error}")
        except BrokenPipeError:
            raise  # whoever read our output has seen enough
        except OSError as error:
            self._complain(f"{file}: can't be read: {error.strerror or error}; {_instead(error)}")

    def _complain(self, message: str) -> None:
        self._is_unreadable = True
        say(message, err=True)

    def _show(self, file: str, answer: Judgement | Expectation | None) -> None:
        if isinstance(answer, Expectation):
            if self._is_check:
                self._check(file, answer)
        elif answer is not None:
            self._bad_lines += answer.problem is not None
            if not self._is_check:
                self._print(file, answer)

    def _check(self, file: str, expectation: Expectation) -> None:
        number, failures = check(expectation.text, expectation.judgement)
        self._failed += len(failures)
        self._passed += number - len(failures)
        for failure in failures:
            say(f"{file}:{expectation.line}: expected {failure.expected}, got {failure.got}")

    def _print(self, file: str, judgement: Judgement) -> None:
        try:
            self._write(file, judgement)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(error.strerror or str(error)) from error

    def _write(self, file: str, judgement: Judgement) -> None:
        translate = self._translate
        if self._as_json:
            sys.stdout.write(json_text(judgement.as_json(file, translate)) + "\n")
        else:
            mark = "✓" if judgement.ruling.is_ok else "✗"
            words = judgement.words(translate)
            # A line that nobody could read broke no rule of the game.
            rule = "" if judgement.problem is not None else f" ({judgement.ruling.rule})"
            line = f"{judgement.line:>4} {mark} {judgement.text}  —  {words}{rule}"
            sys.stdout.write(printable(line) + "\n")
        sys.stdout.flush()

    def finish(self) -> int:
        """The exit code, after the count of a check."""
        if self._is_check:
            if self._passed or self._failed:
                click.echo(f"{self._passed} passed, {self._failed} failed")
            else:
                click.echo("Nothing was checked: there is no expectation, a line such as: = ok; turn Ben")
        if self._is_unreadable:
            return 2
        return 1 if self._failed or (self._bad_lines and not self._is_check) else 0


def _instead(error: OSError) -> str:
    """What to do where a file can't be read."""
    if isinstance(error, FileNotFoundError | IsADirectoryError):
        return f"name the file of a transcript, such as {as_called('export --to match.table')} writes of a match played"
    if isinstance(error, PermissionError):
        return "give this user the right to read it"
    return "name another file"


@contextmanager
def _opened(path: Path | None) -> Iterator[BinaryIO]:
    if path is None:
        yield sys.stdin.buffer
        return
    with open_file(path) as stream:
        yield stream
