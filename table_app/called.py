"""How this program is called here, for sentences that tell people what to type: it must work when it is pasted.

`HELP` is what is typed anywhere for help. Only that; no command is run, and nothing is said here.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

NAME = "lastcard"
HELP = ("help", "?")


def as_called(arguments: str = "") -> str:
    """``lastcard`` and *arguments*; where no such program is on the path, as this one lies beside its Python.

    Below the working directory it is told from there, such as ``.venv/bin/lastcard``. Whoever came with sudo is told
    to come with it again: without it another table would be meant.
    """
    beside = Path(sys.executable).with_name(NAME)
    found = shutil.which(NAME)
    if found is not None:
        program = NAME
    elif beside.exists():
        program = shlex.quote(str(_from_here(beside)))
    else:
        program = f"{shlex.quote(str(_from_here(Path(sys.executable))))} -m table_app"
    with_sudo = "sudo " if os.environ.get("SUDO_USER") and hasattr(os, "geteuid") and os.geteuid() == 0 else ""
    return f"{with_sudo}{program} {arguments}".strip()


def _from_here(path: Path) -> Path:
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):
        return path
