"""``lastcard settings``: prints the commented default file, or says where the settings are read from."""

from __future__ import annotations

import click

from table_app.cli.whose_table import find_table
from table_app.settings import template_text


@click.command()
@click.option("--where", is_flag=True, help="Say which file is read, and where things are kept.")
def settings(where: bool) -> None:
    """Print the default settings, with what each means."""
    if not where:
        click.echo(template_text(), nl=False)
        return
    table = find_table()
    found = table.settings()
    table.tell(found)
    click.echo(f"settings: {table.settings_file or 'none; the defaults hold'}")
    for path in table.layers(found):
        click.echo(f"over them: {path}")
    click.echo(f"kept in: {table.directory(found)}")
