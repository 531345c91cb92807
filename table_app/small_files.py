"""Reads files that people write by hand, whatever their editor makes of them, and nothing that has no end.

Only reading; what is in the file is its reader's business.
"""

from __future__ import annotations

import codecs
import errno
from pathlib import Path


def read_small_text(path: Path, bytes_max: int) -> str:
    """The text of a file of at most *bytes_max* bytes.

    :raises OSError: if it can't be read, or is longer: it is the wrong file then.
    :raises UnicodeDecodeError: if it is no text.
    """
    with path.open("rb") as stream:
        content = stream.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise OSError(errno.EFBIG, f"longer than {bytes_max} bytes, so not the file that is meant")
    return text_of(content)


def text_of(content: bytes) -> str:
    """The text that editors save as UTF-8, with a byte order mark or without, or as UTF-16, which begins with its own.

    The marks are Notepad's and PowerShell's, whose ``>`` writes UTF-16 (Unicode Standard, 23.8).

    :raises UnicodeDecodeError: if it is neither.
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16")
    return content.decode("utf-8-sig")
