"""Finds the translation of all that is said; English is in the source.

Only looks up; the sentences stand where they are said.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable
from pathlib import Path

DOMAIN = "lastcard"
LOCALE_FOLDER = Path(__file__).parent / "locale"
SOURCE_LANGUAGE = "en"


class TranslationMissingError(ValueError):
    """There is no translation into a language that was asked for by name."""


def languages() -> list[str]:
    """The languages there are, English first."""
    translated = sorted(path.parent.parent.name for path in LOCALE_FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return [SOURCE_LANGUAGE, *translated]


def translator(language: str | None) -> Callable[[str], str]:
    """The function that translates into *language*; None is English.

    :raises TranslationMissingError: if there is no such translation.
    """
    if language is None or language.split("_")[0].split("-")[0] == SOURCE_LANGUAGE:
        return lambda message: message
    try:
        return gettext.translation(DOMAIN, LOCALE_FOLDER, [language.replace("-", "_")]).gettext
    except OSError:
        known = ", ".join(languages())
        message = f"there is no translation into {language!r}; there is {known}"
        raise TranslationMissingError(message) from None
