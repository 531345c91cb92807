"""Asks root for what only root may do: a file with a word for its name, in a directory that root watches.

The service itself has no rights to switch the machine off; ``lastcard-request.path`` sees the name and
``carry-out-request`` does what stands on its own short list, whatever else may lie there. No content is ever read.
"""

from __future__ import annotations

import socket
from enum import StrEnum
from pathlib import Path
from typing import Final

REQUESTS: Final = Path("run/lastcard-requests")
ANSWER: Final = Path("run/lastcard-answer")
_ANSWER_BYTES_MAX: Final = 1_000


class Request(StrEnum):
    """What root does for the table; the words are those of ``systemd/carry-out-request.sh``."""

    SHUT_DOWN = "shut-down"
    RESTART_MACHINE = "restart-machine"
    UPDATE = "update"


class RequestError(Exception):
    """The request can't be made; the text is a sentence with what to do."""


def ask_root(request: Request, root: Path = Path("/")) -> None:
    """Make *request*.

    :raises RequestError: where nobody would hear it.
    """
    try:
        (root / REQUESTS / request).touch()
    except OSError as error:
        raise RequestError(
            f"This table can't do that ({error.strerror}). "
            "It can where the package lastcard is installed and lastcard-request.path runs."
        ) from error


def answer(root: Path = Path("/")) -> str:
    """What the last update came to, in words; empty before one."""
    try:
        with (root / ANSWER).open("rb") as file:
            return file.read(_ANSWER_BYTES_MAX).decode("utf-8", "replace").strip()
    except OSError:
        return ""


def network_addresses() -> tuple[str, ...]:
    """The addresses under which others on the network reach this machine; none without a network.

    Nothing is sent: connecting a datagram socket only makes the kernel choose the way, and so the own address. The far
    ends are from the documentation's ranges (RFC 5737, RFC 3849).
    """
    found = []
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((far, 9))
                own = str(probe.getsockname()[0])
        except OSError:
            continue
        if own not in ("0.0.0.0", "::", "127.0.0.1", "::1"):
            found.append(own)
    return tuple(found)
