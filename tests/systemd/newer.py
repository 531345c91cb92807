"""Newer packages than the one that was built, good ones and bad ones, and an apt repository of them in a directory.

Taken apart and put together with dpkg-deb; nothing is built anew.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Sequence
from pathlib import Path

LAUNCHER = "usr/bin/lastcard"
SETTINGS = "etc/lastcard/lastcard.toml"
# A maintainer's script that fails, as one does on a machine that nobody thought of.
BROKEN_SCRIPT = "#!/bin/sh\nexit 1\n"
BROKEN_PROGRAM = "#!/usr/bin/python3\nraise SystemExit('This version was never tried.')\n"


def newer_package(package: Path, version: str, into: Path, **files: str) -> Path:
    """The same package as *version*. *files*: what stands in a script of the package (by name) or in the program
    (``launcher``) instead; the default settings get a line more, as those of a newer version may."""
    stage = into / f"stage-{version}"
    subprocess.run(["dpkg-deb", "-R", str(package), str(stage)], check=True)
    control = stage / "DEBIAN/control"
    lines = control.read_text(encoding="utf-8").splitlines()
    lines = [f"Version: {version}" if line.startswith("Version: ") else line for line in lines]
    control.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with (stage / SETTINGS).open("a", encoding="utf-8") as stream:
        stream.write(f"# New in {version}.\n")
    for name, text in files.items():
        path = stage / (LAUNCHER if name == "launcher" else f"DEBIAN/{name}")
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
    made = into / f"lastcard_{version}_all.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "-b", str(stage), str(made)], check=True)
    return made


def repository_index(packages: Sequence[Path]) -> str:
    """The ``Packages`` file of a repository that has these packages beside it."""
    paragraphs = []
    for package in packages:
        asked = subprocess.run(["dpkg-deb", "-f", str(package)], check=True, capture_output=True, text=True)
        content = package.read_bytes()
        paragraphs.append(
            f"{asked.stdout.rstrip()}\nFilename: ./{package.name}\nSize: {len(content)}\n"
            f"SHA256: {hashlib.sha256(content).hexdigest()}\n"
        )
    return "\n".join(paragraphs)
