"""``lastcard score``: a table that only keeps the score: no play is judged, hands are tapped or typed."""

from __future__ import annotations

from typing import Any

import click

from table_app.cli.play import run_table, table_command_options
from table_app.cli.wanted import Wanted


@click.command()
@table_command_options
def score(**options: Any) -> None:
    """Keep the score alone: who is out, and what is left in the hands."""
    run_table(Wanted(is_scoring=True, **options))
