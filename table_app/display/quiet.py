"""Keeps the libraries below SDL from talking on the terminal: a newcomer should see no line that is not ours.

Only what they look for is put in place, before they look; nothing that they say is swallowed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def runtime_directory(environment: MutableMapping[str, str] = os.environ) -> Iterator[None]:
    """A runtime directory while SDL looks for a screen (XDG Base Directory Specification 0.8).

    Where there is no desktop there may be none, and Wayland's library would complain of that on the terminal. The
    user's own is taken if it is there, else an empty one that is gone afterwards.
    """
    if environment.get("XDG_RUNTIME_DIR"):
        yield
        return
    own = Path(f"/run/user/{os.getuid()}") if hasattr(os, "getuid") else Path()
    with ExitStack() as closing:
        is_own = own.is_absolute() and own.is_dir()
        environment["XDG_RUNTIME_DIR"] = str(own) if is_own else closing.enter_context(TemporaryDirectory())
        try:
            yield
        finally:
            if not is_own:
                del environment["XDG_RUNTIME_DIR"]
