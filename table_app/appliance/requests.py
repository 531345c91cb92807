"""Asks root for what only root may do: a file with a word for its name, in a directory that root watches.

The service itself has no rights to switch the machine off; ``lastcard-request.path`` sees the name and
``carry-out-request`` does what stands on its own short list, whatever else may lie there. No content is ever read.
"""

from __future__ import annotations

import re
from enum import StrEnum
from ipaddress import IPv6Address
from pathlib import Path
from typing import Final

from table_app.rules.messages import Translate, _

REQUESTS: Final = Path("run/lastcard-requests")
ANSWER: Final = Path("run/lastcard-answer")
AT_WORK: Final = Path("run/lastcard-at-work")
"""Lies there as long as an update is under way, also while it starts the table anew."""

NO_UPDATE: Final = frozenset({"not-switched-off"})
"""Answers that are none to an update."""

_ANSWER_BYTES_MAX: Final = 1_000

ADDRESSES_MAX: Final = 4
"""As many as a small screen shows; a machine with more is no card table's."""

GLOBAL_SCOPE: Final = "00"
_LOCAL_ADDRESS: Final = re.compile(r"\|-- ([0-9.]+)\n\s+/32 host LOCAL")


OUTCOMES: Final = {
    "updated": _("Updated from {} to {}."),
    "went-back": _("Version {1} does not run here; {0} is back. Why: journalctl -u lastcard"),
    "does-not-run": _("Updated from {} to {}, which does not run. Why: journalctl -u lastcard"),
    "nothing-newer": _("Nothing newer than {} was found."),
    "not-whole": _("{} is not whole: copy it there again."),
    "not-installed": _("{} can't be installed. Why: journalctl -u lastcard-request"),
    "no-network": _("No update: no network, and no newer package on the boot partition."),
    "given-up": _("The update was given up, as the machine is to go off."),
    "not-switched-off": _("The machine can't be switched off. Why: journalctl -u lastcard-request"),
    "failed": _("The update failed. Why: journalctl -u lastcard-request"),
}
"""What an update may come to, by the words of ``systemd/carry-out-request.sh``, with places for what follows them."""


class Request(StrEnum):
    """What root does for the table; the words are those of ``systemd/carry-out-request.sh``."""

    SHUT_DOWN = "shut-down"
    RESTART_MACHINE = "restart-machine"
    UPDATE = "update"


class RequestError(Exception):
    """The request can't be made; the text is a sentence with what to do."""


def ask_root(request: Request, translate: Translate, root: Path = Path("/")) -> None:
    """Make *request*.

    :raises RequestError: where nobody would hear it.
    """
    try:
        (root / REQUESTS / request).touch()
    except OSError as error:
        raise RequestError(
            translate(
                _(
                    "This table can't do that ({reason}). "
                    "It can where the package lastcard is installed and lastcard-request.path runs."
                )
            ).format(reason=error.strerror)
        ) from error


Stamp = tuple[int, int]


def answer_stamp(root: Path = Path("/")) -> Stamp | None:
    """Tells one answer from the next, also where both say the same; None: there is none."""
    try:
        status = (root / ANSWER).stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def is_updating(root: Path = Path("/")) -> bool:
    """Whether an update is under way, whoever asked for it."""
    try:
        return (root / AT_WORK).exists()
    except OSError:
        return False


def is_about_update(root: Path = Path("/")) -> bool:
    """Whether the last answer is one to an update."""
    return _answer_text(root).partition(" ")[0] not in NO_UPDATE


def answer(translate: Translate, root: Path = Path("/")) -> str:
    """What was last asked came to, in a sentence; empty before that. A word that is not known is shown as it is."""
    text = _answer_text(root)
    word, *fields = text.split() or [""]
    if word not in OUTCOMES:
        return text
    try:
        return translate(OUTCOMES[word]).format(*fields)
    except IndexError:
        return text


def _answer_text(root: Path) -> str:
    try:
        with (root / ANSWER).open("rb") as file:
            return file.read(_ANSWER_BYTES_MAX).decode("utf-8", "replace").strip()
    except OSError:
        return ""


def network_addresses(root: Path = Path("/")) -> tuple[str, ...]:
    """The addresses under which others on the network reach this machine; none without a network.

    Read from the kernel's own tables: the service may open no socket of the network (``RestrictAddressFamilies``).
    Sources: proc(5), *net/fib_trie* as ``net/ipv4/fib_trie.c`` writes it, *net/if_inet6* with the scope in column four.
    """
    found = dict.fromkeys(_LOCAL_ADDRESS.findall(_text(root / "proc/net/fib_trie")))
    named = [address for address in found if not address.startswith("127.")]
    for line in _text(root / "proc/net/if_inet6").splitlines():
        number, _index, _length, scope, *_rest = line.split()
        if scope == GLOBAL_SCOPE:
            named.append(str(IPv6Address(bytes.fromhex(number))))
    return tuple(named[:ADDRESSES_MAX])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
