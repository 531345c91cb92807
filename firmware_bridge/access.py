"""Who runs the table, whether they may open a device file, and the one thing that lets them in.

An advice names a group only if that group exists and the device lets it in. Nothing is opened or changed here.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FILE_BYTES_MAX: Final = 256 * 1024
_OWNER, _GROUP, _OTHERS = 0o600, 0o060, 0o006
SERVICE_USER: Final = "lastcard"
"""The user of a table in a box (``systemd/lastcard.sysusers``)."""
# Device files by their names, with udev's word for their kind and the group that Debian and Raspberry Pi OS give them.
_KINDS: Final = (
    (r"spidev.*", "spidev", "spi"),
    (r"gpiochip.*", "gpio", "gpio"),
    (r"tty.*", "tty", "dialout"),
    (r"(card|renderD).*", "drm", "video"),
    (r"event.*", "input", "input"),
    (r"pcm.*", "sound", "audio"),
)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who runs the table: user and group numbers. *name* is a user's, or what a shell puts in its place."""

    user: int
    groups: frozenset[int]
    name: str = "$USER"

    @classmethod
    def current(cls) -> Identity:
        """Who runs this program; on a system without users (Windows) somebody who may do everything."""
        if not hasattr(os, "geteuid"):
            return cls(0, frozenset())
        name = _login_name(os.geteuid(), Path("/"))
        groups = frozenset((os.getegid(), *os.getgroups()))
        return cls(os.geteuid(), groups, name if name == SERVICE_USER else "$USER")

    def may(self, path: Path, wanted: int = _OTHERS) -> bool:
        """Whether they may do with what is at *path* what the mode bits *wanted* (of 7) say: read and write it.

        :raises OSError: if it is not there or can't be looked at.
        """
        status = path.stat()
        if self.user == 0:
            return True
        if self.user == status.st_uid:
            wanted <<= 6
        elif status.st_gid in self.groups:
            wanted <<= 3
        return status.st_mode & wanted == wanted


def group_name(number: int, root: Path = Path("/")) -> str | None:
    """The name of a group, below *root*; None if there is none of that number."""
    return next((name for name, known, _ in _groups(root) if known == str(number)), None)


def _groups(root: Path) -> list[tuple[str, str, list[str]]]:
    """Name, number and members of each group; without those of a network's directory."""
    try:
        with (root / "etc/group").open("rb") as file:
            text = file.read(_FILE_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return []
    fields = [line.split(":") for line in text.splitlines()]
    return [(parts[0], parts[2], parts[3].split(",") if len(parts) > 3 else []) for parts in fields if len(parts) > 2]


def how_to_let_in(place: str, identity: Identity, root: Path = Path("/")) -> str:
    """What lets *identity*, who may not, open the device file *place*, such as ``/dev/spidev0.0``."""
    path = root / place.lstrip("/")
    kind, usual = next(((kind, group) for name, kind, group in _KINDS if re.fullmatch(name, path.name)), ("", ""))
    try:
        status = path.stat()
    except OSError:  # it has left meanwhile
        has_usual = bool(usual) and any(name == usual for name, _, _ in _groups(root))
        return _join(usual, identity, root) if has_usual else "Run it as an administrator (sudo)."
    if identity.may(path):
        return (
            "Its file lets this user in, so something else keeps it closed: DeviceAllow of a service (systemctl cat "
            "lastcard), or a container that was not given the device."
        )
    group = group_name(status.st_gid, root)
    if group is not None and group != "root" and status.st_mode & _GROUP == _GROUP:
        return _join(group, identity, root)
    if not kind:
        return f"Let a group read and write {place}: nobody but its owner may now."
    known = any(name == usual for name, _, _ in _groups(root))
    make = "" if known else f"run: sudo groupadd -r {usual}, then "
    rule = f'SUBSYSTEM=="{kind}", KERNEL=="{re.sub("[0-9].*", "*", path.name)}", GROUP="{usual}", MODE="0660"'
    return (
        f"The device lets no group in. As an administrator {make}put the line {rule} into "
        f"/etc/udev/rules.d/60-{usual}.rules, run: sudo usermod -aG {usual} {identity.name}, and restart."
    )


def _join(group: str, identity: Identity, root: Path) -> str:
    """Into *group*, or, for who was put into it since they logged in, a new login."""
    again = "log out and in again"
    if identity.name == SERVICE_USER:
        again = f"restart the table: sudo systemctl restart {SERVICE_USER}"
    own = identity.name if identity.name != "$USER" else _login_name(identity.user, root)
    if own and any(name == group and own in members for name, _, members in _groups(root)):
        return f"The user is in the group {group}, and was not yet when this began: {again}."
    return f"Run: sudo usermod -aG {group} {identity.name}, then {again}."


def _login_name(user: int, root: Path) -> str:
    try:
        text = (root / "etc/passwd").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return next((line.split(":")[0] for line in text.splitlines() if line.split(":")[2:3] == [str(user)]), "")
