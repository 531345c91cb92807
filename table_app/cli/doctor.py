"""``lastcard doctor``: one line a check, passed or what is wrong and the one thing to do.

Printing only; the checks are in ``hardware.diagnosis`` (reader and pins) and ``table_app.appliance.checks`` (the box).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from hardware.diagnosis import Check, Machine, Status, diagnose
from table_app.appliance.checks import appliance_checks
from table_app.cli.devices import reader_settings
from table_app.settings import read_settings, settings_path, state_directory

SERVICE_SETTINGS = Path("/etc/lastcard/lastcard.toml")
SERVICE_DIRECTORY = Path("/var/lib/lastcard")
MARKS = {Status.PASSED: "✓", Status.FAILED: "✗", Status.NOT_CHECKED: "–"}


@click.command()
@click.option("--json", "is_json", is_flag=True, help="One JSON object with all checks.")
@click.option("--card", "card_wait_s", type=click.IntRange(0, 60), default=0, help="Wait so many seconds for a card.")
@click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="The settings file.")
def doctor(is_json: bool, card_wait_s: int, settings_file: Path | None) -> None:
    """Examine machine, reader, screen and box; exit status 1 if something is wrong."""
    settings = read_settings(settings_file or settings_path())
    machine = Machine()
    # Where the service is installed its record is the one that people worry about.
    directory = SERVICE_DIRECTORY if SERVICE_SETTINGS.exists() else state_directory(settings)
    board = diagnose(reader_settings(settings), machine=machine, card_wait_ms=card_wait_s * 1_000)
    checks = [
        # The box knows more sources for the supply than the one behind "power".
        *(check for check in board if check.name != "power"),
        *appliance_checks(machine, directory.absolute()),
    ]
    if is_json:
        rows = [{"name": c.name, "status": c.status, "sentence": c.sentence, "fix": c.fix} for c in checks]
        click.echo(json.dumps({"checks": rows}, ensure_ascii=False, indent=2))
    else:
        for check in checks:
            click.echo(_line(check))
    sys.exit(1 if any(check.status is Status.FAILED for check in checks) else 0)


def _line(check: Check) -> str:
    fix = f" {check.fix}" if check.fix else ""
    return f"{MARKS[check.status]} {check.name}: {check.sentence}{fix}"
