"""Waits for what was asked of root, and says so when nobody hears, or nothing comes of it: no text stands for ever.

A machine of times over the files of ``requests``; how a request is made is there, where it is shown is ``kiosk``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from table_app.appliance.requests import REQUESTS, Request, is_updating
from table_app.rules.messages import Translate, _

# systemd sees the file at once; a small board under load takes some seconds to start a shell.
HEARD_WITHIN_MS: Final = 15_000
# From there to the end of this program: a shutdown stops the table within seconds. Fetching an update has a bound, ten
# minutes (carry-out-request.sh); installing it has none, as dpkg must not be ended in the middle. Its mark lies there
# until it is answered, so for an update this is counted from when the mark is gone.
DONE_WITHIN_MS: Final[Mapping[Request, int]] = {
    Request.SHUT_DOWN: 60_000,
    Request.RESTART_MACHINE: 60_000,
    Request.UPDATE: 60_000,
}


NOT_DONE: Final = _("The machine did not do what was asked. Why: journalctl -u lastcard-request")
BEHIND: Final = _("The update is still at work; the machine does what was asked after it. Leave the plug in.")
NOT_HEARD: Final = _("Nobody heard this; it is taken back. Try: sudo systemctl start lastcard-request.path")


@dataclass(frozen=True, slots=True)
class _Waiting:
    asked_ms: int
    due_ms: int
    is_heard: bool = False
    is_behind_told: bool = False


class Awaiting:
    """What is awaited of root by one table. *root* is where its files are."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root
        self._waiting: dict[Request, _Waiting] = {}

    def asked(self, request: Request, now_ms: int) -> None:
        """*request* was made."""
        self._waiting[request] = _Waiting(now_ms, now_ms + HEARD_WITHIN_MS)

    def answered(self) -> None:
        """An answer came; only an update has one, or what could not be done."""
        self._waiting.clear()

    def poll(self, now_ms: int, translate: Translate) -> tuple[Request, str] | None:
        """What was asked and a sentence on it, once it has gone on for too long; mostly None."""
        is_at_work = is_updating(self._root)
        for request, waiting in list(self._waiting.items()):
            lies_there = (self._root / REQUESTS / request).exists()
            if not lies_there and not waiting.is_heard:
                until_ms = now_ms + DONE_WITHIN_MS[request]
                self._waiting[request] = waiting = replace(waiting, due_ms=until_ms, is_heard=True)
            if request is Request.UPDATE and waiting.is_heard and is_at_work:
                self._waiting[request] = replace(waiting, due_ms=now_ms + DONE_WITHIN_MS[request])
                continue
            if now_ms < waiting.due_ms:
                continue
            if waiting.is_heard:
                del self._waiting[request]
                return request, translate(NOT_DONE)
            if is_at_work or any(other.is_heard for other in self._waiting.values()):
                if waiting.is_behind_told:
                    continue
                self._waiting[request] = replace(waiting, is_behind_told=True)
                return request, translate(BEHIND)
            del self._waiting[request]
            return request, self._take_back(request, translate)
        return None

    def _take_back(self, request: Request, translate: Translate) -> str:
        """Nobody hears; what nobody heard must not be done some other day."""
        with suppress(OSError):  # then it is at least said
            (self._root / REQUESTS / request).unlink(missing_ok=True)
        return translate(NOT_HEARD)
