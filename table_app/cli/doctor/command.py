"""``lastcard doctor``: examines machine, reader and table, a line a check, and says the one thing to do.

Printing only; what is asked is in ``examiners``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from firmware_bridge.access import SERVICE_USER
from hardware.diagnosis.checks import Check, Status
from hardware.diagnosis.reader import CardTest, Machine, holders
from table_app.cli.doctor.examiners import Patient, examine
from table_app.cli.wanted import READER_METAVAR, check_reader
from table_app.cli.whose_table import find_table
from table_app.printing import json_text, printable
from table_app.settings import SettingsError, read_settings
from table_app.transcript.header import deck_loader_beside
from table_app.translations import TranslationMissingError, translator

MARKS = {Status.PASSED: "✓", Status.FAILED: "✗", Status.NOT_CHECKED: "–"}
CARD_WAIT_S = 10
"""Long enough to fetch a card and lay it down."""
CARD_WAIT_S_MAX = 300
EXIT_FAILED = 1
ANY_PATH = click.Path(path_type=Path, readable=False)
"""What this user may not read is a finding, and no wrong option."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--reader", metavar=READER_METAVAR, callback=check_reader, help="Which card reader (the settings').")
@click.option(
    "--card",
    "card_wait_s",
    type=click.IntRange(0, CARD_WAIT_S_MAX),
    help=f"Wait so many seconds for a card ({CARD_WAIT_S} on a terminal, else 0: do not ask for one).",
)
@click.option("--settings", "settings_file", type=ANY_PATH, help="The settings file.")
@click.option("--state-directory", type=ANY_PATH, help="Where the record and the tag list are kept.")
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
    except OSError as error:
        trouble = f"The settings can't be read ({error}); give this user the right to."
        settings = read_settings(None)
    machine = Machine()
    if table.is_kept_in_box:
        held = holders()  # as long as this is root, who sees all programs
        become_the_tables_user()
        machine = Machine(held=held)
    if card_wait_s is None:
        card_wait_s = CARD_WAIT_S if sys.stdin.isatty() and not as_json else 0
    prompt = f"Lay a card on the reader; waiting {card_wait_s} s for it."
    patient = Patient(
        settings,
        table.directory(settings),
        reader or settings.text("reader", "kind"),
        trouble,
        machine,
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
        click.echo(json_text({"ok": is_ok, "checks": [as_data(check) for check in checks]}, indent=2))
    else:
        click.echo(", ".join(f"{count} {status}" for status, count in counts.items()) + ".")
    if not is_ok:
        context.exit(EXIT_FAILED)


def become_the_tables_user() -> None:
    """Go on as the user whose table is examined: what root may open says nothing of what the table may, and what root
    writes the table could not write on."""
    if os.geteuid() != 0:
        return
    import pwd  # only Unix has it

    try:
        user = pwd.getpwnam(SERVICE_USER)
    except KeyError:  # the package's user was taken away, and the service can't start either
        return
    os.setgroups(os.getgrouplist(SERVICE_USER, user.pw_gid))
    os.setegid(user.pw_gid)
    os.seteuid(user.pw_uid)
    is_readable = os.access(__file__, os.R_OK, effective_ids=True)
    os.seteuid(0)
    if not is_readable:  # a clone in somebody's home: the program itself could not go on
        os.setegid(0)
        os.setgroups([0])
        return
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)


def line(check: Check) -> str:
    """A check in one line, with the one thing to do where something is to be done."""
    said = f"{MARKS[check.status]} {check.name}: {check.sentence}"
    return f"{said} → {check.fix}" if check.fix else said


def as_data(check: Check) -> dict[str, str]:
    return {"name": check.name, "status": check.status.value, "sentence": check.sentence, "fix": check.fix}
