"""The PIN of the maintenance corner, kept so that whoever reads the settings file reads no PIN.

How a PIN is kept and tried; who asks for it, and how often one may try, is ``appliance.maintenance``. It keeps a glance
and a backup from telling it: four digits are found by whoever has the file and a quarter of an hour.
Sources: RFC 7914 (scrypt); OWASP, *Password Storage Cheat Sheet*.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re

LENGTH_MIN = 4
LENGTH_MAX = 8

_COST = 14
"""2¹⁴: 16 MB and a fifth of a second on a Pi 3, once for each try."""

_SALT_BYTES = 16
_KEY_BYTES = 32
_PLAIN = re.compile(r"[0-9]{0,8}")
_KEPT = re.compile(r"scrypt:([A-Za-z0-9+/]{22}):([A-Za-z0-9+/]{43})")


def is_pin_setting(text: str) -> bool:
    """Whether this may stand in the settings: nothing, what `kept_pin` made, or digits as older settings have them."""
    return _PLAIN.fullmatch(text) is not None or _KEPT.fullmatch(text) is not None


def is_plain(text: str) -> bool:
    """Whether a setting is a PIN that everybody can read."""
    return text.isdigit()


def can_be_pin(digits: str) -> bool:
    return LENGTH_MIN <= len(digits) <= LENGTH_MAX and _PLAIN.fullmatch(digits) is not None


def kept_pin(digits: str) -> str:
    """What to keep of a PIN: nothing by which it could be read, enough to try one.

    :raises ValueError: if it is none.
    """
    if not can_be_pin(digits):
        raise ValueError(f"a PIN has {LENGTH_MIN} to {LENGTH_MAX} digits")
    salt = os.urandom(_SALT_BYTES)
    return f"scrypt:{_letters(salt)}:{_letters(_key(digits, salt))}"


class Pin:
    """The PIN that a setting stands for; an older, plain one is forgotten at once but for what it can be tried by."""

    def __init__(self, setting: str) -> None:
        self.is_asked = bool(setting)
        self.is_too_short = is_plain(setting) and len(setting) < LENGTH_MIN
        """One digit is found by trying: it opens nothing, and has to be set anew."""
        kept = _KEPT.fullmatch(kept_pin(setting) if can_be_pin(setting) else setting)
        self._salt, self._wanted = (_bytes(kept[1]), _bytes(kept[2])) if kept else (b"", b"")

    def fits(self, digits: str) -> bool:
        """Whether these digits are the PIN; takes as long whatever they are."""
        return bool(self._wanted) and hmac.compare_digest(_key(digits, self._salt), self._wanted)


def _key(digits: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        digits.encode("ascii"), salt=salt, n=1 << _COST, r=8, p=1, maxmem=(1 << _COST) * 2048, dklen=_KEY_BYTES
    )


def _letters(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii").rstrip("=")


def _bytes(letters: str) -> bytes:
    return base64.b64decode(letters + "=" * (-len(letters) % 4))
