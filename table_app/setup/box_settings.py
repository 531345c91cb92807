"""The settings of a box in their layers: the owner's file, what the first start asked, what the corner changed.

Reading and writing the two small files beside the record; what may be changed is ``appliance.adjusting``.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from table_app.record.errors import StoreError
from table_app.record.files import move_aside
from table_app.settings import FREE_SECTIONS, Settings, SettingsError, Value, defaults, read_settings
from table_app.setup.adjusting import ADJUSTABLE, Adjusting
from table_app.small_files import is_root, open_new
from table_app.transcript.header import deck_loader_beside

SET_UP_FILE = "set-up.toml"
"""What was chosen on the screen at the first start; the settings file holds the rest, and is its owner's."""

CORNER_FILE = "corner.toml"
"""What was chosen in the maintenance corner; the service may not write the owner's file, and never does."""


def settings_in_force(base: Settings, directory: Path) -> Settings:
    """The settings of the box that keeps its record in *directory*, for somebody who only looks."""

    def log(_sentence: str) -> None:
        """The box says it itself."""

    chosen = read_set_up(base, directory, log, is_only_looking=True)
    return open_adjusting(base if chosen is None else base.below(chosen), directory, log)[0]


def read_set_up(
    base: Settings, directory: Path, log: Callable[[str], None], *, is_only_looking: bool = False
) -> Settings | None:
    """What was answered at the first start; None where nothing was, or nothing that can be used with *base*.

    What can't be used is put aside, and the table asks again: nobody at a box could mend it.
    """
    path = directory / SET_UP_FILE
    try:
        chosen = read_settings(path, is_whole=False) if path.exists() else Settings(base.values)
        if is_usable(base):
            together = base.below(chosen)
            together.setup(None, deck_loader_beside(base.path))
            together.check_pins()
    except SettingsError as error:
        # Cut short by the plug, most likely, or of another time than the owner's file.
        log(str(error))
        if not is_only_looking:
            with suppress(StoreError):  # where nothing can be written it stays, and is passed over the next time too
                log(f"It is kept as {move_aside(path)}; the table asks again how it is set up.")
        return None
    return chosen if chosen.given else None


def is_usable(settings: Settings) -> bool:
    """Whether a match can be set up by *settings*."""
    try:
        settings.setup(None, deck_loader_beside(settings.path))
    except SettingsError:
        return False
    return True


def chosen_settings(text: str) -> Settings:
    """The settings that the first start's dialogue ended in, as its *text* says, and no others given."""
    found = tomllib.loads(text)
    values = {
        section: found.get(section, keys) if section in FREE_SECTIONS else {**keys, **found.get(section, {})}
        for section, keys in defaults().items()
    }
    given = frozenset(f"{section}.{key}" for section, keys in found.items() for key in keys)
    return Settings(values, given)


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
        for name in sorted(upper.given - ADJUSTABLE):
            log(f"{path}: {name} is left aside, as the corner can't change it; it belongs into the settings file.")
        upper = Settings(upper.values, upper.given & ADJUSTABLE)
    chosen: dict[str, Value] = {}
    for name in upper.given:
        section, _, key = name.partition(".")
        chosen[name] = upper.values[section][key]
    return base.below(upper), Adjusting(base, chosen, lambda text: keep_text(path, text))


def is_missing(path: Path) -> bool:
    """Whether there is nothing at *path*. What is there and may not be looked at is another matter."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def file_stamp(path: Path | None) -> tuple[int, int] | None:
    """Changes whenever the file at *path* is written to or replaced; None where there is none."""
    try:
        status = path.stat() if path is not None else None
    except OSError:
        return None
    return None if status is None else (status.st_ino, status.st_mtime_ns)


def _take_rights(descriptor: int, path: Path) -> None:
    """Let the new file be read by those who could read the one before, and belong to whom that one did."""
    if not hasattr(os, "fchown"):
        return
    with suppress(OSError):  # there is none, or it is somebody else's whose file we may not make
        before = path.stat()
        os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
        if is_root():
            os.fchown(descriptor, before.st_uid, before.st_gid)


def keep_text(path: Path, text: str) -> None:
    """Make *path* hold *text*, whole or as before whenever the plug is pulled; empty: take the file away.

    :raises OSError: if it can't be done.
    """
    if text:
        new = path.with_suffix(".new")
        with os.fdopen(open_new(new, 0o644), "w", encoding="utf-8") as stream:
            _take_rights(stream.fileno(), path)
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(path)
    else:
        path.unlink(missing_ok=True)
    if not hasattr(os, "O_DIRECTORY"):
        return  # not a Unix; its file systems see to that themselves
    # The name is on the disk only when its directory is.
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
