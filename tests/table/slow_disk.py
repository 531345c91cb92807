"""A disk whose every fsync takes long, below SQLite: its own file layer, with a sync that waits first.

Python's `sqlite3` and ctypes share one libsqlite3; in its default VFS the files' `xSync` is replaced, so that the wait
stands where a worn SD card makes it, inside the commit. Reads and writes stay as fast as they are. For a process of
its own: it can't be taken back. Source: SQLite, *The OS Interface or "VFS"*, `sqlite3_io_methods`.
"""

from __future__ import annotations

import ctypes
import time
from ctypes.util import find_library
from typing import Any

METHODS = 18
"""Functions of `sqlite3_io_methods` in version 3, behind its version number."""

SYNC = 4
"""The place of `xSync` among them."""

_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
_OPEN = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_int)
)


_NEVER_FREED: list[Any] = []
"""SQLite calls into them until the process ends."""


class _Methods(ctypes.Structure):
    _fields_ = (("version", ctypes.c_int), ("functions", ctypes.c_void_p * METHODS))


class _File(ctypes.Structure):
    _fields_ = (("methods", ctypes.POINTER(_Methods)),)


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("path_length", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("open", ctypes.c_void_p),
    )


class SlowDisk:
    """From `slow_down` on, each fsync of a file that is opened takes *sync_ms* longer; *syncs* counts them.

    :raises OSError: where Python's SQLite is no shared library.
    """

    def __init__(self, sync_ms: int) -> None:
        self.syncs = 0
        self._sync_s = sync_ms / 1000
        self._kept: list[Any] = []
        self._slowed: dict[int, _Methods] = {}

    def slow_down(self) -> None:
        name = find_library("sqlite3")
        if name is None:
            raise OSError("There is no shared libsqlite3 that could be slowed down.")
        library = ctypes.CDLL(name)
        library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
        vfs = library.sqlite3_vfs_find(None).contents
        open_file = _OPEN(vfs.open)

        def slow_open(itself: int, path: int, file: int, flags: int, out: Any) -> int:
            code = int(open_file(itself, path, file, flags, out))
            opened = ctypes.cast(file, ctypes.POINTER(_File)).contents
            if code == 0 and opened.methods:
                opened.methods = ctypes.pointer(self._slow(opened.methods.contents))
            return code

        callback = _OPEN(slow_open)
        self._kept.append((callback, open_file))
        _NEVER_FREED.append(self)
        vfs.open = ctypes.cast(callback, ctypes.c_void_p).value

    def _slow(self, methods: _Methods) -> _Methods:
        """The same functions, with a sync that waits; made once for each kind of file."""
        address = ctypes.addressof(methods)
        if address not in self._slowed:
            sync = _SYNC(methods.functions[SYNC] or 0)

            def slow_sync(file: int, flags: int) -> int:
                self.syncs += 1
                time.sleep(self._sync_s)
                return int(sync(file, flags))

            callback = _SYNC(slow_sync)
            slowed = _Methods.from_buffer_copy(methods)
            slowed.functions[SYNC] = ctypes.cast(callback, ctypes.c_void_p).value
            self._kept.append((callback, sync))
            self._slowed[address] = slowed
        return self._slowed[address]
