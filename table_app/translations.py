"""Finds the translation of all that is said; English is in the source.

Only looks up; the sentences stand where they are said.
"""

from __future__ import annotations

import gettext
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


class Translator:
    """Translates a message, and one with a number in the form that the language has for it."""

    def __init__(self, catalogue: gettext.NullTranslations) -> None:
        self._catalogue = catalogue

    def __call__(self, message: str) -> str:
        return self._catalogue.gettext(message)

    def plural(self, one: str, many: str, count: int) -> str:
        return self._catalogue.ngettext(one, many, count)


def translator(language: str | None) -> Translator:
    """What translates into *language*; None is English.

    :raises TranslationMissingError: if there is no such translation.
    """
    if language is None or language.split("_")[0].split("-")[0] == SOURCE_LANGUAGE:
        return Translator(gettext.NullTranslations())
    try:
        return Translator(gettext.translation(DOMAIN, LOCALE_FOLDER, [language.replace("-", "_")]))
    except OSError:
        known = ", ".join(languages())
        message = f"there is no translation into {language!r}; there is {known}"
        raise TranslationMissingError(message) from None
