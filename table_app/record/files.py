"""How the table's SQLite files are opened so that a power cut can't hurt them, and put aside when something has.

No table, no query and no game may live here: `journal` and `registry` have those.
Sources: SQLite, *Write-Ahead Logging*, *PRAGMA synchronous*, *How To Corrupt An SQLite Database File*.
"""

from __future__ import annotations

import errno
import glob
import os
import re
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

from table_app.record.errors import UNREADABLE, StoreDamagedError, StoreError, StoreNewerError, TableBusyError
from table_app.small_files import is_anothers, is_root, open_file, open_new, open_or_make

try:
    import fcntl
except ImportError:  # Windows, where one table a directory is left to its owner
    fcntl = None  # type: ignore[assignment]

OWNER_ONLY = 0o600
"""Journals hold hands; nobody but the table's own user reads them."""

OWNER_ONLY_DIRECTORY = 0o700

BUSY_TIMEOUT_S = 2.0
"""How long a write waits for a reader such as an export before it is told as an error."""

COMPANIONS = ("", "-wal", "-shm", "-journal")
"""The files that make up one database, with a log beside it or without."""

SQLITE_MAGIC = b"SQLite format 3\0"
"""How each database file begins (*Database File Format*, 1.3.1)."""


def make_directory(directory: Path) -> None:
    """Make the table's directory, readable by its owner alone; what root makes below somebody's own is theirs.

    :raises StoreError: if it can't be made, or root is led elsewhere by a link that somebody else made.
    """
    missing = [place for place in (directory, *directory.parents) if not place.exists()]
    try:
        if directory.is_symlink() and is_anothers(directory.parent):
            raise OSError(errno.ELOOP, "a link, which root does not follow there")
        directory.mkdir(mode=OWNER_ONLY_DIRECTORY, parents=True, exist_ok=True)
        for made in reversed(missing):
            _give_directory_to_the_table(made)
    except OSError as error:
        raise StoreError(
            f"The directory {directory} can't be made ({error.strerror}); name another with --state-directory."
        ) from error


def open_private(path: Path) -> int:
    """Open the file at *path*, or make it, readable by its owner alone; a descriptor.

    What root makes in the directory of a box's table is the table's, which could not read it otherwise. The companions
    that SQLite makes as root it gives to the database's owner by itself (*robustFchown* in its ``os_unix.c``).

    :raises OSError: if it can't be opened or made, or is no file, as `open_or_make` has it.
    """
    descriptor = open_or_make(path, OWNER_ONLY)
    try:
        _give_to_the_table(descriptor, path)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _give_to_the_table(descriptor: int, path: Path) -> None:
    """Give what root has made to the owner of its directory, and nothing that a link in there only points to."""
    if not is_root():
        return
    own, named, directory = os.fstat(descriptor), path.lstat(), path.parent.stat()
    is_made_here = stat.S_ISREG(named.st_mode) and os.path.samestat(own, named) and own.st_nlink == 1
    if is_made_here and own.st_uid == 0 and directory.st_uid != 0:
        os.fchown(descriptor, directory.st_uid, directory.st_gid)


def _give_directory_to_the_table(made: Path) -> None:
    """Give a directory that root has made to the owner of the one that it lies in, and no link."""
    above = made.parent.stat()
    if is_root() and above.st_uid != 0:
        os.chown(made, above.st_uid, above.st_gid, follow_symlinks=False)


def open_database(
    path: Path, application_id: int, schema: str, version: int, *, is_checked: bool = True, is_logged: bool = True
) -> sqlite3.Connection:
    """Open the database at *path*, make it if it is not there, and check it.

    *schema* is run where it is new, and makes a database of this *version*. Every commit is on the disk before it
    returns (`synchronous=FULL`). Not *is_checked*: its structure is left for later, because that reads all of it.
    *is_logged*: it is written by way of a log beside it, which is quicker; else straight into the one file.

    :raises StoreDamagedError: if the file is not such a database, or is damaged.
    :raises StoreNewerError: if a newer program made it.
    :raises StoreError: if it can't be opened or made.
    """
    if path.is_dir():
        raise StoreDamagedError(f"{path} is a directory.")
    if path.exists() and not path.is_file():
        raise StoreDamagedError(f"{path} is a pipe or a device, not a file.")
    _make_private_file(path)
    _check_beginning(path)
    try:
        # Never made here: what took the file's place since it was looked at may be a link.
        place = f"{path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(place, timeout=BUSY_TIMEOUT_S, isolation_level=None, uri=True)
    except sqlite3.Error as error:
        raise StoreError(f"{path} can't be opened ({error}); look at the permissions of its directory.") from error
    try:
        if is_checked:
            _check(connection, path, is_logged)
        _prepare(connection, path, application_id, schema, version, is_logged)
    except sqlite3.OperationalError as error:
        connection.close()
        raise StoreError(f"{path} can't be used ({error}); look at its permissions and at the disk.") from error
    except UNREADABLE as error:
        connection.close()
        raise StoreDamagedError(f"{path} is damaged ({error}).") from error
    except StoreError:
        connection.close()
        raise
    return connection


def _make_private_file(path: Path) -> None:
    """SQLite gives its companions the permissions of the file itself, so the file is made first, and private."""
    try:
        os.close(open_private(path))
    except OSError as error:
        raise StoreError(
            f"{path} can't be written ({error.strerror}). "
            "Look at its permissions, or name another directory with --state-directory."
        ) from error


def _check_beginning(path: Path) -> None:
    """SQLite takes a few stray bytes for an empty database and would write over them."""
    with open_file(path) as stream:
        beginning = stream.read(len(SQLITE_MAGIC))
    if beginning not in (b"", SQLITE_MAGIC):
        raise StoreDamagedError(f"{path} is damaged (it is not a database).")


def _check(connection: sqlite3.Connection, path: Path, is_logged: bool) -> None:
    # What has no log is small enough to have its indexes compared too.
    checked = connection.execute(f"PRAGMA {'quick' if is_logged else 'integrity'}_check(1)").fetchone()
    if checked != ("ok",):
        raise StoreDamagedError(f"{path} is damaged ({checked[0] if checked else 'it does not answer'}).")


def check_kind(connection: sqlite3.Connection, path: Path, application_id: int, version: int) -> bool:
    """Whether there is anything in it yet; then it is what it should be.

    :raises StoreDamagedError: if it is a database of another kind.
    :raises StoreNewerError: if a newer program made it.
    """
    found = connection.execute("PRAGMA application_id").fetchone()[0]
    has_content = bool(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
    if has_content and found != application_id:
        raise StoreDamagedError(f"{path} is a database of another kind.")
    if connection.execute("PRAGMA user_version").fetchone()[0] > version:
        raise StoreNewerError(f"{path} was made by a newer Last Card; install that one to use it.")
    return has_content


def _prepare(
    connection: sqlite3.Connection, path: Path, application_id: int, schema: str, version: int, is_logged: bool
) -> None:
    if not check_kind(connection, path, application_id, version):
        # Before there is a log: a file with a log and nothing in it is one that has lost its log.
        connection.executescript(f"BEGIN; PRAGMA application_id={application_id}; {schema}; COMMIT;")
    _keep_safe(connection, is_logged)


def _keep_safe(connection: sqlite3.Connection, is_logged: bool = True) -> None:
    connection.execute(f"PRAGMA journal_mode={'WAL' if is_logged else 'TRUNCATE'}")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def set_aside(path: Path, word: str = "damaged") -> list[Path]:
    """The databases that could not be used and were moved away from *path*, the oldest first."""
    found = [_aside(path, word, number) for number in _numbers_aside(path, word)]
    return [aside for aside in found if aside.exists()]


def _numbers_aside(path: Path, word: str) -> list[int]:
    """The numbers that are taken, also where only a companion was moved."""
    named = re.compile(rf"{re.escape(f'{path.stem}.{word}')}-([1-9][0-9]{{0,8}}){re.escape(path.suffix)}(-[a-z]+)?")
    parts = path.parent.glob(f"{glob.escape(f'{path.stem}.{word}')}-*")
    return sorted({int(found[1]) for part in parts if (found := named.fullmatch(part.name))})


def _aside(path: Path, word: str, number: int) -> Path:
    return path.with_name(f"{path.stem}.{word}-{number}{path.suffix}")


def move_aside(path: Path, word: str = "damaged") -> Path:
    """Rename a database that can't be used, companions and all, to the next ``NAME.WORD-N.SUFFIX``; that path.

    A companion with nothing in it is no loss.

    :raises StoreError: if it can't be renamed.
    """
    aside = _aside(path, word, max(_numbers_aside(path, word), default=0) + 1)
    try:
        for companion in COMPANIONS:
            part = path.with_name(path.name + companion)
            if companion and part.is_file() and not part.stat().st_size:
                part.unlink()
            elif part.exists():
                part.rename(aside.with_name(aside.name + companion))
    except OSError as error:
        raise StoreError(f"{path} can't be used and can't be moved aside ({error.strerror}).") from error
    return aside


def move_back(path: Path, mended: Path) -> None:
    """Undo a `move_aside` that a power cut came between: *mended* was whole, and has not its place at *path* yet.

    All that was read from the damaged database to make it can be read once more, and what is lost is told.

    :raises StoreError: if it can't be renamed.
    """
    aside = set_aside(path)
    if path.exists() or not mended.exists() or not aside:
        return
    try:
        for companion in reversed(COMPANIONS):
            part, home = (one.with_name(one.name + companion) for one in (aside[-1], path))
            if part.exists() and not home.exists():
                part.rename(home)
    except OSError as error:
        raise StoreError(f"{aside[-1]} can't be moved back to be mended ({error.strerror}).") from error


def file_at(path: Path) -> tuple[int, int] | None:
    """Which file lies at *path*, whatever its name was before; None if there is none to be seen."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def written_anew(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """Write the open database to *path* again, from where its file was removed; the connection to go on with.

    What lies there instead is moved aside; companions without their file are of the one removed, and go. The new one
    is whole on the disk before it has its name.

    :raises OSError: if it can't be written.
    :raises sqlite3.Error: if it can't be written.
    """
    partial = path.with_name(f"{path.stem}.anew{path.suffix}")
    os.close(open_new(partial, OWNER_ONLY))
    with closing(sqlite3.connect(partial, isolation_level=None)) as target:
        connection.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
    with partial.open("rb+") as stream:
        os.fsync(stream.fileno())
    if path.exists():
        move_aside(path, "other")
    for companion in COMPANIONS[1:]:
        path.with_name(path.name + companion).unlink(missing_ok=True)
    partial.replace(path)
    anew = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    try:
        _keep_safe(anew)
    except sqlite3.Error:
        anew.close()
        raise
    connection.close()
    return anew


class DirectoryLock:
    """Keeps a second table out of the same directory for as long as this process lives.

    The lock goes with the process, so a killed table leaves nothing to clean up.

    :raises TableBusyError: if another process holds it.
    :raises StoreError: if the lock file can't be made.
    """

    def __init__(self, directory: Path) -> None:
        path = directory / "table.lock"
        try:
            self._descriptor = open_private(path)
        except OSError as error:
            raise StoreError(
                f"{path} can't be written ({error.strerror}); name another directory with --state-directory."
            ) from error
        if fcntl is None:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._descriptor)
            raise TableBusyError(
                f"Another table is running in {directory}; end that one, or name another --state-directory."
            ) from error

    def release(self) -> None:
        """Let another table in; may be called once."""
        os.close(self._descriptor)
