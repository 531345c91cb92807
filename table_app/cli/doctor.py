"""``lastcard doctor``: examines machine, reader and table, a line a check, and says the one thing to do.

Printing only; what is asked is in ``examiners``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from hardware.checks import Check, Status
from hardware.diagnosis import CardTest
from table_app.cli.devices import READER_METAVAR, check_reader
from table_app.cli.examiners import Patient, examine
from table_app.cli.judge import printable
from table_app.cli.whose_table import find_table
from table_app.settings import SettingsError, read_settings
from table_app.transcript.header import deck_loader_beside
from table_app.translations import TranslationMissingError, translator

MARKS = {Status.PASSED: "✓", Status.FAILED: "✗", Status.NOT_CHECKED: "–"}
CARD_WAIT_S = 10
"""Long enough to fetch a card and lay it down."""
CARD_WAIT_S_MAX = 300
EXIT_FAILED = 1


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--reader", metavar=READER_METAVAR, callback=check_reader, help="Which card reader (the settings').")
@click.option(
    "--card",
    "card_wait_s",
    type=click.IntRange(0, CARD_WAIT_S_MAX),
    help=f"Wait so many seconds for a card ({CARD_WAIT_S} on a terminal, else 0: do not ask for one).",
)
@click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="The settings file.")
@click.option("--state-directory", type=click.Path(path_type=Path), help="Where the record and the tag list are kept.")
@click.pass_context
def doctor(
    context: click.Context,
    as_json: bool,
    reader: str | None,
    card_wait_s: int | None,
    settings_file: Path | None,
    state_directory: Path | None,
) -> None:
    """Examine the table: what is wrong, and the one thing to do."""
    trouble = ""
    table = find_table(settings_file, state_directory)
    try:
        settings = table.settings()
        settings.setup(load_deck=deck_loader_beside(settings.path))
        translator(settings.text("table", "language"))
    except TranslationMissingError as error:
        trouble = f"{table.settings_file}: [table] language: {error}; name one of those."
        settings = read_settings(None)
    except SettingsError as error:
        trouble = str(error)
        settings = read_settings(None)
    if card_wait_s is None:
        card_wait_s = CARD_WAIT_S if sys.stdin.isatty() and not as_json else 0
    prompt = f"Lay a card on the reader; waiting {card_wait_s} s for it."
    patient = Patient(
        settings,
        table.directory(settings),
        reader or settings.text("reader", "kind"),
        trouble,
        card=CardTest(card_wait_s * 1_000, lambda: click.echo(prompt, err=True)),
        table=table,
    )
    checks = []
    for check in examine(patient):
        checks.append(check)
        if not as_json:
            click.echo(printable(line(check)))
    counts = {status: sum(check.status is status for check in checks) for status in Status}
    is_ok = not counts[Status.FAILED]
    if as_json:
        click.echo(json.dumps({"ok": is_ok, "checks": [as_data(check) for check in checks]}, indent=2))
    else:
        click.echo(", ".join(f"{count} {status}" for status, count in counts.items()) + ".")
    if not is_ok:
        context.exit(EXIT_FAILED)


def line(check: Check) -> str:
    """A check in one line, with the one thing to do where something is to be done."""
    said = f"{MARKS[check.status]} {check.name}: {check.sentence}"
    return f"{said} → {check.fix}" if check.fix else said


def as_data(check: Check) -> dict[str, str]:
    return {"name": check.name, "status": check.status.value, "sentence": check.sentence, "fix": check.fix}
