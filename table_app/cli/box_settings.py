"""The settings of a box in their layers: the owner's file, what the first start asked, what the corner changed.

Reading and writing the two small files beside the record; what may be changed is ``appliance.adjusting``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from table_app.appliance.adjusting import Adjusting
from table_app.settings import Settings, SettingsError, Value, read_settings

CORNER_FILE = "corner.toml"
"""What was chosen in the maintenance corner; the service may not write the owner's file, and never does."""


def open_adjusting(base: Settings, directory: Path, log: Callable[[str], None]) -> tuple[Settings, Adjusting]:
    """The settings in force, and the knobs that change them.

    A file of the corner's that can't be used is said in the log and left aside: nobody at a box could mend it.
    """
    path = directory / CORNER_FILE
    upper = Settings(base.values)
    if path.exists():
        try:
            upper = read_settings(path)
        except SettingsError as error:
            log(f"{error} It is left aside; what is chosen in the corner next takes its place.")
    chosen: dict[str, Value] = {}
    for name in upper.given:
        section, _, key = name.partition(".")
        chosen[name] = upper.values[section][key]
    return base.below(upper), Adjusting(base, chosen, lambda text: keep_text(path, text))


def file_stamp(path: Path | None) -> tuple[int, int] | None:
    """Changes whenever the file at *path* is written to or replaced; None where there is none."""
    try:
        status = path.stat() if path is not None else None
    except OSError:
        return None
    return None if status is None else (status.st_ino, status.st_mtime_ns)


def keep_text(path: Path, text: str) -> None:
    """Make *path* hold *text*, whole or as before whenever the plug is pulled; empty: take the file away.

    :raises OSError: if it can't be done.
    """
    if text:
        new = path.with_suffix(".new")
        with new.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(path)
    else:
        path.unlink(missing_ok=True)
    # The name is on the disk only when its directory is.
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
