"""``lastcard settings``: prints the commented default file, says where the settings are read from, or sets the PIN."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import click

from table_app.cli.whose_table import find_table
from table_app.pin import LENGTH_MAX, LENGTH_MIN, can_be_pin, kept_pin
from table_app.printing import say
from table_app.settings import FILE_BYTES_MAX, SettingsError, template_text
from table_app.setup.box_settings import keep_text
from table_app.setup.settings_text import with_values, without
from table_app.small_files import read_small_text


@click.command()
@click.option("--where", is_flag=True, help="Say which file is read, and where things are kept.")
@click.option("--pin", "is_setting_pin", is_flag=True, help="Set the PIN of a box's maintenance corner.")
def settings(where: bool, is_setting_pin: bool) -> None:
    """Print the default settings, with what each means."""
    if is_setting_pin:
        _set_pin()
        return
    if not where:
        click.echo(template_text(), nl=False)
        return
    table = find_table()
    found = table.settings()
    table.tell(found)
    say(f"settings: {table.settings_file or 'none; the defaults hold'}")
    for path in table.layers(found):
        say(f"over them: {path}")
    say(f"kept in: {table.directory(found)}")


def _set_pin(root: Path = Path("/")) -> None:
    """Write what is kept of a PIN that is asked for; all else in the file stays as it is."""
    table = find_table(root=root)
    path = table.file_to_write()
    digits = _asked_pin()
    try:
        before = read_small_text(path, FILE_BYTES_MAX) if path.exists() else ""
        value = f'"{kept_pin(digits)}"' if digits else '""'
        after = with_values(without(before, "kiosk", ("pin",)), "kiosk", {"pin": value}).lstrip("\n")
        wanted = tomllib.loads(before)
        wanted.setdefault("kiosk", {})["pin"] = value.strip('"')
        if not _says(after, wanted):
            raise ValueError("write [kiosk] in it on a line of its own, and what belongs to it below")
        path.parent.mkdir(parents=True, exist_ok=True)
        keep_text(path, after)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SettingsError(f"The PIN can't be written to {path} ({reason}).") from error
    if digits:
        say(f"The PIN is set, in {path}; the table asks for it from its next start on.")
    else:
        say(f"No PIN is asked for from the table's next start on, as {path} says now.")


def _says(text: str, wanted: dict[str, Any]) -> bool:
    """Whether settings came out as *wanted*; a section that is written in one line is none that lines are added to."""
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False


def _asked_pin() -> str:
    """Asked twice on a terminal, else the first line; empty: none.

    :raises SettingsError: if it can't be one.
    """
    if sys.stdin.isatty():
        asked = f"PIN of {LENGTH_MIN} to {LENGTH_MAX} digits (none: no PIN is asked for)"
        digits = str(click.prompt(asked, default="", show_default=False, hide_input=True, confirmation_prompt=True))
    else:
        digits = sys.stdin.readline()
    digits = digits.strip()
    if digits and not can_be_pin(digits):
        raise SettingsError(f"A PIN has {LENGTH_MIN} to {LENGTH_MAX} digits, and nothing else. Nothing was changed.")
    return digits
