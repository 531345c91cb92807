"""``lastcard settings``: prints the commented default file, or says where the settings are read from."""

from __future__ import annotations

import click

from table_app.printing import say
from table_app.settings import read_settings, settings_path, state_directory, template_text


@click.command()
@click.option("--where", is_flag=True, help="Say which file is read, and where things are kept.")
def settings(where: bool) -> None:
    """Print the default settings, with what each means."""
    if not where:
        click.echo(template_text(), nl=False)
        return
    path = settings_path()
    found = read_settings(path)
    say(f"settings: {path or 'none; the defaults hold'}")
    say(f"kept in: {state_directory(found)}")
