"""Whose table a command is about: the one rule for all of them, of which settings hold and where record and tags lie.

What is named is meant. Else, where Last Card's service is installed, whoever looks after the box (root, and the
service's own user) means the box's table, also before it first ran; everybody else means a table of their own. The page
``docs/how-to/whose-table.md`` says it to people. No command decides it by itself, and no record is opened here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardware.diagnosis.reader import Machine
from table_app.appliance.checks import BOX_SETTINGS, BOX_STATE, SERVICE_PATH, is_box
from table_app.printing import say
from table_app.record.errors import StoreError
from table_app.settings import Settings, default_settings_path, read_settings, settings_path, state_directory
from table_app.setup.box_settings import CORNER_FILE, SET_UP_FILE, is_missing, settings_in_force

BOX_USER = "lastcard"
"""As in ``systemd/lastcard.sysusers``."""

BOX_DIRECTORY_MODE = 0o750
"""``StateDirectoryMode`` of the unit."""


@dataclass(frozen=True, slots=True)
class WhoseTable:
    """The table that a command is about.

    *settings_file*: None where there is none, and what holds by itself holds. *is_kept_in_box* and *has_box_settings*:
    its record and its settings are the box's. *may_mean_box*: this user would mean the box's where nothing is named.
    """

    settings_file: Path | None
    has_box_settings: bool
    is_kept_in_box: bool
    may_mean_box: bool
    named_directory: Path | None
    root: Path
    environment: Mapping[str, str]
    user: int

    def base(self) -> Settings:
        """The settings file's alone.

        :raises SettingsError: if it can't be used.
        """
        return read_settings(self.settings_file)

    def settings(self) -> Settings:
        """The settings in force, with what was chosen on a box's own screen.

        :raises SettingsError: if the file can't be used.
        """
        base = self.base()
        return settings_in_force(base, self._box_directory(base)) if self.has_box_settings else base

    def directory(self, settings: Settings) -> Path:
        """Where record and tag lists are kept."""
        if self.named_directory is not None:
            return self.named_directory
        return self._box_directory(settings) if self.is_kept_in_box else state_directory(settings, self.environment)

    def file_to_write(self) -> Path:
        """The settings file, or where one is to be made."""
        box_file = self.root / BOX_SETTINGS
        return self.settings_file or (box_file if self.has_box_settings else default_settings_path(self.environment))

    def layers(self, settings: Settings) -> list[Path]:
        """The files that go before the settings file, the uppermost last."""
        if not self.has_box_settings:
            return []
        folder = self._box_directory(settings)
        return [folder / name for name in (SET_UP_FILE, CORNER_FILE) if (folder / name).exists()]

    def is_box_at(self, directory: Path) -> bool:
        """Whether *directory* is where the box keeps its record."""
        return self.is_kept_in_box or directory.absolute() == (self.root / BOX_STATE).absolute()

    def note(self, settings: Settings) -> str:
        """Which table is meant, in a sentence, where somebody could think that it is another; else empty."""
        if self.named_directory is not None:
            return ""
        directory = self.directory(settings)
        if self.is_kept_in_box:
            return f"The table of this box is meant, kept in {directory}."
        if is_box(Machine(self.root)):
            return "This machine is a table in a box; not its table is meant, but yours. For the box's use sudo."
        caller = self.environment.get("SUDO_USER", "")
        if self.user == 0 and caller not in ("", "root"):
            return f"With sudo a table of root's own is meant, kept in {directory}, and not that of {caller}."
        return ""

    def tell(self, settings: Settings) -> None:
        """Say `note` where it spoils no output."""
        note = self.note(settings)
        if note:
            say(note, err=True)

    def prepare(self, directory: Path) -> None:
        """Make the box's *directory* where its service has not done so yet, with the owner that the service gives it.

        :raises StoreError: if it can't be made.
        """
        if not (self.is_kept_in_box and self.user == 0) or directory.exists():
            return
        try:
            directory.mkdir(BOX_DIRECTORY_MODE, parents=True)
            owner = _user_named(self.root, BOX_USER)
            if owner is not None:  # else systemd gives it to the service, with all that is in it, when it starts
                os.chown(directory, *owner)
        except OSError as error:
            raise StoreError(f"The box's directory {directory} can't be made ({error.strerror}).") from error

    def _box_directory(self, settings: Settings) -> Path:
        """As the service finds it, which runs in its own directory and has it for a home."""
        home = self.root / BOX_STATE
        own = {"STATE_DIRECTORY": self.environment.get("STATE_DIRECTORY", "") or str(home)}
        return state_directory(settings, own, home=home)


def find_table(
    settings_file: Path | None = None,
    named_directory: Path | None = None,
    root: Path = Path("/"),
    environment: Mapping[str, str] = os.environ,
    user: int | None = None,
) -> WhoseTable:
    """The table that is meant, by what is named and by who asks.

    :param root: where the machine's files are.
    :param user: the number of the user who asks; who this process runs as if it is None.
    """
    user = _own_number() if user is None else user
    box_file = root / BOX_SETTINGS
    may_mean_box = _is_installed(root) and (user == 0 or user == _owner(root / BOX_STATE))
    has_box_settings = may_mean_box and (settings_file is None or _is_same(settings_file, box_file))
    if has_box_settings:
        # Its owner may have taken the file away: then what holds by itself holds, and it is a box all the same.
        path = None if is_missing(box_file) else box_file
    else:
        path = settings_file or settings_path(environment)
    is_kept_in_box = may_mean_box and named_directory is None
    return WhoseTable(path, has_box_settings, is_kept_in_box, may_mean_box, named_directory, root, environment, user)


def give_to_caller(descriptor: int, environment: Mapping[str, str] = os.environ) -> None:
    """Give a file that was written with sudo, under a name that the caller chose, to the caller: it is theirs."""
    if _own_number() != 0:
        return
    numbers = [environment.get(name, "") for name in ("SUDO_UID", "SUDO_GID")]
    if all(number.isascii() and number.isdigit() for number in numbers):
        os.fchown(descriptor, int(numbers[0]), int(numbers[1]))


def _is_installed(root: Path) -> bool:
    """Whether this machine has the service, started by itself already or not."""
    machine = Machine(root)
    return is_box(machine) or machine.exists(SERVICE_PATH)


def _own_number() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else -1


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except OSError:
        return None


def _is_same(one: Path, other: Path) -> bool:
    return one.absolute() == other.absolute()


def _user_named(root: Path, name: str) -> tuple[int, int] | None:
    """Numbers of a user and of its group."""
    for line in (Machine(root).text("etc/passwd") or "").splitlines():
        fields = line.split(":")
        if len(fields) > 3 and fields[0] == name and fields[2].isdigit() and fields[3].isdigit():
            return int(fields[2]), int(fields[3])
    return None
