"""Reads files that people write by hand, and nothing that has no end.

Only reading; what is in the file is its reader's business.
"""

from __future__ import annotations

import errno
from pathlib import Path


def read_small_text(path: Path, bytes_max: int) -> str:
    """The text of a file of at most *bytes_max* bytes.

    :raises OSError: if it can't be read, or is longer: it is the wrong file then.
    :raises UnicodeDecodeError: if it is not UTF-8.
    """
    with path.open("rb") as stream:
        content = stream.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise OSError(errno.EFBIG, f"longer than {bytes_max} bytes, so not the file that is meant")
    return content.decode("utf-8")
